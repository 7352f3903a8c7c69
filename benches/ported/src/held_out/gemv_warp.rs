//! A matrix times a vector, a warp a row: lanes take the columns in turn and add up by shuffles.

use crate::prelude::*;

forms! {
    /// `y = alpha A x + beta y`.
    #[kernel]
    pub fn gemv_warp(
        rows: i32,
        cols: i32,
        alpha: f32,
        beta: f32,
        a: &[f32],
        x: &[f32],
        mut y: Parts<f32, by::WarpLeader>,
    ) {
        let lane = thread::x() as i32 % 32;
        let row = (block::x() * block::dim_x() + thread::x()) as i32 / 32;
        if row >= rows {
            return;
        }
        let mut sum = 0.0f32;
        for column in (lane..cols).step_by(32) {
            sum += at!(a, row * cols + column) * at!(x, column);
        }
        let mut distance = 16;
        while distance > 0 {
            sum += warp::shuffle_down(warp::FULL, sum, distance);
            distance /= 2;
        }
        if let Some(y) = y.own() {
            *y = alpha * sum + beta * *y;
        }
    }
}

/// 2^14 rows, 4100 columns.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(1 << 14, 101), run.size(4100, 150));
    let (a, x, y) = (run.floats(rows * cols), run.floats(cols), run.floats(rows));
    let (alpha, beta) = (0.5, -2.0);
    let want = a.chunks(cols).zip(&y).map(|(row, y)| {
        let sum: f64 = row.iter().zip(&x).map(|(a, x)| f64::from(*a) * f64::from(*x)).sum();
        (f64::from(alpha) * sum + f64::from(beta) * f64::from(*y)) as f32
    });
    let y = Output::new(&y, want.collect())?.within(1e-4);
    let (a, x) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&x)?);
    compare!(
        run,
        [&y],
        gemv_warp,
        rows.div_ceil(8),
        256,
        (rows as i32, cols as i32, alpha, beta, &a, &x, &mut *y.buffer())
    )
}
