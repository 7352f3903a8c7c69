//! A sparse matrix in compressed rows times a vector, one thread per row.

use crate::{Error, Run};
use ptyx::prelude::*;

/// `y = A x`; row `i` of A has the elements `starts[i]..starts[i + 1]` of `columns` and `values`.
#[kernel]
pub fn spmv(starts: &[u32], columns: &[u32], values: &[f32], x: &[f32], mut y: Disjoint<f32>) {
    let row = thread::index_1d();
    if let Some(y) = y.get_mut(row) {
        let row = row.get();
        let mut sum = 0.0;
        for i in starts[row]..starts[row + 1] {
            sum += values[i as usize] * x[columns[i as usize] as usize];
        }
        *y = sum;
    }
}

/// 2^22 rows of 0 to 31 elements.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let rows = run.size(1 << 22, 1000);
    let mut starts = vec![0u32];
    for row in 0..rows {
        starts.push(starts[row] + run.below(32) as u32);
    }
    let count = starts[rows] as usize;
    let columns: Vec<u32> = (0..count).map(|_| run.below(rows) as u32).collect();
    let (values, x) = (run.rng.vec_f32(count), run.rng.vec_f32(rows));
    let ds = DeviceBuffer::from_slice(&starts)?;
    let dc = DeviceBuffer::from_slice(&columns)?;
    let (dv, dx) = (DeviceBuffer::from_slice(&values)?, DeviceBuffer::from_slice(&x)?);
    let mut y = DeviceBuffer::filled(rows, f32::NAN)?;
    launch!(spmv<<<rows.div_ceil(256), 256>>>(&ds, &dc, &dv, &dx, &mut y))?;
    let want = (0..rows).map(|row| {
        let elements = starts[row] as usize..starts[row + 1] as usize;
        elements.map(|i| f64::from(values[i]) * f64::from(x[columns[i] as usize])).sum()
    });
    crate::expect_close(&y.to_vec()?, want, 1e-5)?;
    run.time("spmv", count, 12.0 * count as f64, "GB/s", &mut || {
        launch!(spmv<<<rows.div_ceil(256), 256>>>(&ds, &dc, &dv, &dx, &mut y))
    })
}
