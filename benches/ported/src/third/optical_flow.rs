//! How the pixels of an image move to the next one, by the method of Lucas and Kanade (1981): least squares in windows
//! of 5x5 pixels, from tiles in shared memory.

use crate::prelude::*;

forms! {
    /// Blocks of 16x16 threads, one a pixel. At the image's border, pixels repeat. The flow is 0 where the window shows
    /// too little.
    #[kernel]
    pub fn optical_flow(
        width: i32,
        height: i32,
        threshold: f32,
        now: Array<f32, 2>,
        next: Array<f32, 2>,
        mut flow_x: DisjointArray<f32, 2>,
        mut flow_y: DisjointArray<f32, 2>,
    ) {
        let tile = cells!([[f32; 22]; 22], 0.0);
        let change = cells!([[f32; 22]; 22], 0.0);
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let (x0, y0) = (block::x() as i32 * 16 - 3, block::y() as i32 * 16 - 3);
        let mut k = ty * 16 + tx;
        while k < 484 {
            let (i, j) = (k / 22, k % 22);
            let x = (x0 + j).clamp(0, width - 1);
            let y = (y0 + i).clamp(0, height - 1);
            let pixel = pick!(now, y, x);
            set!(tile, i, j, pixel);
            set!(change, i, j, pick!(next, y, x) - pixel);
            k += 256;
        }
        block::sync();
        let own = thread::index_2d();
        if own.x() as i32 >= width || own.y() as i32 >= height {
            return;
        }
        let (mut xx, mut xy, mut yy) = (0.0f32, 0.0f32, 0.0f32);
        let (mut xt, mut yt) = (0.0f32, 0.0f32);
        for dy in -2..=2 {
            for dx in -2..=2 {
                let (i, j) = (ty + 3 + dy, tx + 3 + dx);
                let gx = 0.5 * (get!(tile, i, j + 1) - get!(tile, i, j - 1));
                let gy = 0.5 * (get!(tile, i + 1, j) - get!(tile, i - 1, j));
                let gt = get!(change, i, j);
                xx += gx * gx;
                xy += gx * gy;
                yy += gy * gy;
                xt += gx * gt;
                yt += gy * gt;
            }
        }
        let determinant = xx * yy - xy * xy;
        let (mut u, mut v) = (0.0, 0.0);
        if determinant > threshold {
            u = (xy * yt - yy * xt) / determinant;
            v = (xy * xt - xx * yt) / determinant;
        }
        own!(flow_x, own) = u;
        own!(flow_y, own) = v;
    }
}

/// 7680x4320.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(7680, 70), run.size(4320, 41));
    let threshold = 2000.0f32;
    // Small whole numbers, so that all sums are exact.
    let mut image = || -> Vec<f32> { run.below(12, w * h).into_iter().map(|x| x as f32).collect() };
    let (now, next) = (image(), image());
    // Gradients, twice as large, and the change, of pixels up to two beyond the border.
    let (wide, high) = (w + 4, h + 4);
    let pixel = |image: &[f32], x: isize, y: isize| {
        let (x, y) = (x.clamp(0, w as isize - 1), y.clamp(0, h as isize - 1));
        image[y as usize * w + x as usize] as i32
    };
    let mut steps = Vec::with_capacity(wide * high);
    for (y, x) in (-2..h as isize + 2).flat_map(|y| (-2..w as isize + 2).map(move |x| (y, x))) {
        let gx = pixel(&now, x + 1, y) - pixel(&now, x - 1, y);
        let gy = pixel(&now, x, y + 1) - pixel(&now, x, y - 1);
        steps.push([gx, gy, 2 * (pixel(&next, x, y) - pixel(&now, x, y))]);
    }
    let (mut flow_x, mut flow_y) = (Vec::with_capacity(w * h), Vec::with_capacity(w * h));
    for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
        let mut sums = [[0i64; 3]; 2];
        for row in 0..5 {
            for step in &steps[(y + row) * wide + x..][..5] {
                for (a, sums) in sums.iter_mut().enumerate() {
                    (0..3).for_each(|b| sums[b] += i64::from(step[a] * step[b]));
                }
            }
        }
        let [[xx, xy, xt], [_, yy, yt]] = sums;
        let determinant = (xx * yy - xy * xy) as f64;
        let solved = determinant / 16.0 > f64::from(threshold);
        let scale = if solved { 1.0 / determinant } else { 0.0 };
        flow_x.push(((xy * yt - yy * xt) as f64 * scale) as f32);
        flow_y.push(((xy * xt - xx * yt) as f64 * scale) as f32);
    }
    let flow_x = Output::new(&vec![f32::NAN; w * h], flow_x)?.within(1e-5);
    let flow_y = Output::new(&vec![f32::NAN; w * h], flow_y)?.within(1e-5);
    let (now, next) = (DeviceBuffer::from_slice(&now)?, DeviceBuffer::from_slice(&next)?);
    compare!(
        run,
        [&flow_x, &flow_y],
        optical_flow,
        (w.div_ceil(16), h.div_ceil(16)),
        (16, 16),
        (
            w as i32,
            h as i32,
            threshold,
            now.view([h, w]) => &now,
            next.view([h, w]) => &next,
            flow_x.buffer().view_mut([h, w]) => flow_x.address(),
            flow_y.buffer().view_mut([h, w]) => flow_y.address()
        )
    )
}
