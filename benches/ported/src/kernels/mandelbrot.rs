//! Steps until a point leaves the Mandelbrot set, one pixel a thread. Products are fused by hand, so that every form
//! rounds as the host does.

use crate::prelude::*;

forms! {
    /// One thread a pixel; pixels are `step` apart.
    #[kernel]
    pub fn mandelbrot(
        width: i32,
        height: i32,
        limit: u32,
        left: f32,
        top: f32,
        step: f32,
        mut steps: DisjointArray<u32, 2>,
    ) {
        let own = thread::index_2d();
        let (px, py) = (own.x() as i32, own.y() as i32);
        if px >= width || py >= height {
            return;
        }
        let cx = (px as f32).mul_add(step, left);
        let cy = (py as f32).mul_add(step, top);
        let (mut x, mut y) = (0.0f32, 0.0f32);
        let mut count = 0;
        while count < limit {
            let yy = y * y;
            if x.mul_add(x, yy) > 4.0 {
                break;
            }
            let next = x.mul_add(x, cx - yy);
            y = (2.0 * x).mul_add(y, cy);
            x = next;
            count += 1;
        }
        own!(steps, own) = count;
    }
}

/// 2000x1500, up to 400 steps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h, limit) = (run.size(2000, 70), run.size(1500, 45), run.size(400, 60) as u32);
    let step = 3.0 / w as f32;
    let corner = run.floats(2);
    let (left, top) = (-2.25 + 0.1 * corner[0], -1.2 + 0.1 * corner[1]);
    let want = (0..w * h).map(|i| {
        let cx = ((i % w) as f32).mul_add(step, left);
        let cy = ((i / w) as f32).mul_add(step, top);
        let (mut x, mut y) = (0.0f32, 0.0f32);
        let inside = |_: &u32| {
            let (xx, yy) = (x, y * y);
            if xx.mul_add(xx, yy) > 4.0 {
                return true;
            }
            (x, y) = (xx.mul_add(xx, cx + -yy), (2.0 * xx).mul_add(y, cy));
            false
        };
        (0..limit).find(inside).unwrap_or(limit)
    });
    let steps = Output::new(&vec![u32::MAX; w * h], want.collect())?;
    let blocks = (w.div_ceil(16), h.div_ceil(16));
    compare!(
        run,
        [&steps],
        mandelbrot,
        blocks,
        (16, 16),
        (
            w as i32,
            h as i32,
            limit,
            left,
            top,
            step,
            steps.buffer().view_mut([h, w]) => steps.address()
        )
    )
}
