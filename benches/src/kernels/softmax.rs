//! Softmax of each row, one warp per row.

use crate::{Error, Run, close};
use ptyx::prelude::*;

/// `y = exp(x - max) / sum` for each row of `width` elements; blocks of 256 threads have 8 rows.
#[kernel]
pub fn softmax(width: u32, x: &[f32], y: SliceMut<f32>) {
    let row = (block::x() * 8 + warp::id()) as usize;
    let width = width as usize;
    let lane = warp::lane() as usize;
    let Some(x) = x.get(row * width..(row + 1) * width) else { return };
    // As the CUDA twin does it. With `(lane..width).step_by(32)` the kernel takes 4 % more on an H200.
    let mut most = f32::NEG_INFINITY;
    let mut i = lane;
    while i < width {
        most = most.max(x[i]);
        i += 32;
    }
    for flip in [16, 8, 4, 2, 1] {
        most = most.max(warp::shuffle_xor(warp::FULL, most, flip));
    }
    let mut sum = 0.0;
    let mut i = lane;
    while i < width {
        sum += (x[i] - most).exp();
        i += 32;
    }
    for flip in [16, 8, 4, 2, 1] {
        sum += warp::shuffle_xor(warp::FULL, sum, flip);
    }
    let scale = 1.0 / sum;
    let mut i = lane;
    while i < width {
        // SAFETY: each thread's own elements.
        unsafe { y.write(row * width + i, (x[i] - most).exp() * scale) }
        i += 32;
    }
}

/// 2^17 rows of 1000.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let (rows, width) = (run.size(1 << 17, 24), 1000);
    let x: Vec<f32> = run.rng.vec_f32(rows * width).into_iter().map(|x| x * 8.0).collect();
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut y = DeviceBuffer::filled(x.len(), f32::NAN)?;
    launch!(softmax<<<rows / 8, 256>>>(width as u32, &dx, &mut y))?;
    let got = y.to_vec()?;
    for _ in 0..200 {
        let row = run.below(rows) * width..;
        let (x, got) = (&x[row.clone()][..width], &got[row][..width]);
        let most = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exp = |&x: &f32| f64::exp(f64::from(x) - f64::from(most));
        let sum: f64 = x.iter().map(exp).sum();
        for (x, got) in x.iter().zip(got) {
            let want = exp(x) / sum;
            if !close(f64::from(*got), want, 1e-5 * want) {
                return Err(format!("{got}, not {want}").into());
            }
        }
    }
    run.time("softmax", x.len(), 8.0 * x.len() as f64, "GB/s", &mut || {
        launch!(softmax<<<rows / 8, 256>>>(width as u32, &dx, &mut y))
    })
}
