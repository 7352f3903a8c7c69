//! Iterations until a point leaves the circle.

use crate::{Error, Run};
use ptyx::prelude::*;

/// The plane that the picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    left: f32,
    top: f32,
    step: f32,
}

/// Iterations of each pixel, at most `limit`.
#[kernel]
pub fn mandelbrot(window: Window, limit: u32, mut counts: DisjointArray<u32, 2>) {
    let i = thread::index_2d();
    let cx = window.left + i.x() as f32 * window.step;
    let cy = window.top + i.y() as f32 * window.step;
    let (mut x, mut y) = (0.0f32, 0.0f32);
    let mut count = 0;
    while count < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        count += 1;
    }
    if let Some(pixel) = counts.get_mut(i) {
        *pixel = count;
    }
}

/// 8192 x 8192 pixels, 1000 iterations.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let side = run.size(1 << 13, 64);
    let window = Window { left: -2.0, top: -1.25, step: 2.5 / side as f32 };
    let mut counts = DeviceBuffer::zeroed(side * side)?;
    let blocks = (side.div_ceil(32), side.div_ceil(8));
    launch!(mandelbrot<<<blocks, (32, 8)>>>(window, 1000, counts.view_mut([side, side])))?;
    let got = counts.to_vec()?;
    // Points whose orbits rounding does not change: almost all. A count may differ where the host
    // does not fuse multiplication and addition.
    let mut differ = 0;
    for _ in 0..4000 {
        let (px, py) = (run.below(side), run.below(side));
        let (cx, cy) = (
            f64::from(window.left) + px as f64 * f64::from(window.step),
            f64::from(window.top) + py as f64 * f64::from(window.step),
        );
        let (mut x, mut y, mut count) = (0.0f64, 0.0f64, 0);
        while count < 1000 && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            count += 1;
        }
        let got = got[py * side + px];
        differ += usize::from(got.abs_diff(count) > 1 + count / 10);
    }
    if differ > 200 {
        return Err(format!("{differ} of 4000 pixels differ from the host's").into());
    }
    let work: f64 = got.iter().map(|&count| f64::from(count)).sum();
    run.time("mandelbrot", got.len(), work * 7.0, "GFLOP/s", &mut || {
        launch!(mandelbrot<<<blocks, (32, 8)>>>(window, 1000, counts.view_mut([side, side])))
    })
}
