//! Softmax of each row, one warp per row.

use crate::{Error, Run, close};
use ptyx::prelude::*;

/// `y = exp(x - max) / sum` for each row; blocks of 256 threads have 8 rows.
#[kernel]
pub fn softmax(x: Array<f32, 2>, mut y: Parts<f32, Rows, 2>) {
    let Some((row, y)) = y.part().into_iter().next() else { return };
    let Some(x) = x.at(row).as_slice() else { return };
    let (width, lane) = (x.len(), warp::lane() as usize);
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
    for (i, y) in y {
        *y = (x[i] - most).exp() * scale;
    }
}

/// A row for each warp, whose columns its lanes take in turn.
type Rows = (by::Warp, by::Lane);

/// 2^17 rows of 1000.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let (rows, width) = (run.size(1 << 17, 24), 1000);
    let x: Vec<f32> = run.rng.vec_f32(rows * width).into_iter().map(|x| x * 8.0).collect();
    let shape = [rows, width];
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut y = DeviceBuffer::filled(x.len(), f32::NAN)?;
    launch!(softmax<<<rows / 8, 256>>>(dx.view(shape), y.view_mut(shape)))?;
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
        launch!(softmax<<<rows / 8, 256>>>(dx.view(shape), y.view_mut(shape)))
    })
}
