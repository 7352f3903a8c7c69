//! A matrix's transpose times a vector, after PolyBench's atax: a thread walks down a column.

use crate::prelude::*;

forms! {
    /// One thread a column.
    #[kernel]
    pub fn atax(rows: i32, cols: i32, a: &[f32], x: &[f32], mut y: Disjoint<f32>) {
        let own = thread::index_1d();
        let Some(y) = y.get_mut(own) else { return };
        let (j, cols) = (own.get() as Ix, cols as Ix);
        // As PolyBench has it, the sum is in memory.
        *y = 0.0;
        for i in 0..rows as Ix {
            *y += at!(a, i * cols + j) * at!(x, i);
        }
    }
}

/// 2048 rows, 32768 columns.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(2048, 90), run.size(32768, 300));
    let (a, x) = (run.floats(rows * cols), run.floats(rows));
    let mut want = vec![0.0f64; cols];
    for (row, x) in a.chunks(cols).zip(&x) {
        for (want, a) in want.iter_mut().zip(row) {
            *want += f64::from(*a) * f64::from(*x);
        }
    }
    let want = want.into_iter().map(|sum| sum as f32).collect();
    let y = Output::new(&vec![f32::NAN; cols], want)?.within(1e-3);
    let (a, x) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&x)?);
    let blocks = cols.div_ceil(256);
    compare!(run, [&y], atax, blocks, 256, (rows as i32, cols as i32, &a, &x, &mut *y.buffer()))
}
