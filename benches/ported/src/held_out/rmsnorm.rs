//! Rows divided by the root of their mean square, times weights (Zhang, Sennrich 2019): warps add up by shuffles, and a
//! block by shared memory.

use crate::prelude::*;

forms! {
    /// One block a row.
    #[kernel]
    pub fn rmsnorm(
        cols: i32,
        epsilon: f32,
        x: &[f32],
        weight: &[f32],
        mut y: Parts<f32, (by::Tile<by::Block, 1>, by::ThreadInBlock), 2>,
    ) {
        let sums = cells!([f32; 32], 0.0);
        let t = thread::x() as i32;
        let first = block::x() as i32 * cols;
        let mut sum = 0.0f32;
        for c in (t..cols).step_by(block::dim_x() as usize) {
            let value = at!(x, first + c);
            sum += value * value;
        }
        for distance in [16, 8, 4, 2, 1] {
            sum += warp::shuffle_xor(warp::FULL, sum, distance);
        }
        if t % 32 == 0 {
            set!(sums, t / 32, sum);
        }
        block::sync();
        let mut total = 0.0;
        for w in 0..block::dim_x() / 32 {
            total += get!(sums, w);
        }
        let scale = 1.0 / (total / cols as f32 + epsilon).sqrt();
        for (_, row) in y.part() {
            for (c, y) in row {
                *y = at!(x, first + c as i32) * scale * at!(weight, c);
            }
        }
    }
}

/// 8192 rows of 4096.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(8192, 5), run.size(4096, 700));
    let (x, weight) = (run.floats(rows * cols), run.floats(cols));
    let epsilon = 1e-5f32;
    let mut want = Vec::with_capacity(x.len());
    for row in x.chunks(cols) {
        let squares: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum();
        let root = (squares / cols as f64 + f64::from(epsilon)).sqrt();
        want.extend(
            row.iter()
                .zip(&weight)
                .map(|(x, weight)| (f64::from(*x) * f64::from(*weight) / root) as f32),
        );
    }
    let y = Output::new(&vec![f32::NAN; x.len()], want)?.within(1e-5);
    let (x, weight) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&weight)?);
    compare!(
        run,
        [&y],
        rmsnorm,
        rows,
        256,
        (
            cols as i32,
            epsilon,
            &x,
            &weight,
            y.buffer().view_mut([rows, cols]) => y.address()
        )
    )
}
