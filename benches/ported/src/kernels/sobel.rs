//! Edges of an image of bytes by Sobel's operator.

use crate::prelude::*;

forms! {
    /// One thread a pixel; the border is 0.
    #[kernel]
    pub fn sobel(width: i32, height: i32, input: &[u8], mut output: DisjointArray<u8, 2>) {
        let own = thread::index_2d();
        let (x, y) = (own.x() as Ix, own.y() as Ix);
        let (w, h) = (width as Ix, height as Ix);
        if x >= w || y >= h {
            return;
        }
        if x == 0 || y == 0 || x == w - 1 || y == h - 1 {
            own!(output, own) = 0;
            return;
        }
        let nw = at!(input, (y - 1) * w + x - 1) as i32;
        let n = at!(input, (y - 1) * w + x) as i32;
        let ne = at!(input, (y - 1) * w + x + 1) as i32;
        let west = at!(input, y * w + x - 1) as i32;
        let east = at!(input, y * w + x + 1) as i32;
        let sw = at!(input, (y + 1) * w + x - 1) as i32;
        let s = at!(input, (y + 1) * w + x) as i32;
        let se = at!(input, (y + 1) * w + x + 1) as i32;
        let dx = ne + 2 * east + se - nw - 2 * west - sw;
        let dy = sw + 2 * s + se - nw - 2 * n - ne;
        let sum = dx.abs() + dy.abs();
        own!(output, own) = if sum > 255 { 255 } else { sum as u8 };
    }
}

/// 8192x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 70), run.size(8192, 45));
    let input: Vec<u8> = run.below(128, w * h).into_iter().map(|x| x as u8).collect();
    let want = (0..w * h).map(|i| {
        let (x, y) = (i % w, i / w);
        if x == 0 || y == 0 || x == w - 1 || y == h - 1 {
            return 0;
        }
        let at = |dx: usize, dy: usize| i32::from(input[(y + dy - 1) * w + x + dx - 1]);
        let weights = [1, 2, 1];
        let dx: i32 = (0..3).map(|k| weights[k] * (at(2, k) - at(0, k))).sum();
        let dy: i32 = (0..3).map(|k| weights[k] * (at(k, 2) - at(k, 0))).sum();
        (dx.abs() + dy.abs()).min(255) as u8
    });
    let output = Output::new(&vec![77; w * h], want.collect())?;
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&output],
        sobel,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (w as i32, h as i32, &input, output.buffer().view_mut([h, w]) => output.address())
    )
}
