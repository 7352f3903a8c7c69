//! A sparse matrix times a vector, in compressed rows, after SHOC's scalar kernel: rows differ in length.

use crate::prelude::*;

forms! {
    /// One thread a row, whose elements are those from `offset[row]` to `offset[row + 1]`.
    #[kernel]
    pub fn spmv_csr(
        rows: i32,
        offset: &[i32],
        column: &[i32],
        value: &[f32],
        x: &[f32],
        mut y: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let row = own.get() as i32;
        if row >= rows {
            return;
        }
        let mut sum = 0.0;
        for k in at!(offset, row)..at!(offset, row + 1) {
            sum += at!(value, k) * at!(x, at!(column, k));
        }
        own!(y, own) = sum;
    }
}

/// 2^18 rows of up to 64 elements.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let rows = run.size(1 << 18, 700);
    let lengths = run.below(65, rows);
    let mut offset = vec![0i32];
    let mut total = 0;
    for length in lengths {
        total += length;
        offset.push(total);
    }
    let column = run.below(rows, total as usize);
    let (value, x) = (run.floats(total as usize), run.floats(rows));
    let want = offset.windows(2).map(|ends| {
        let row = ends[0] as usize..ends[1] as usize;
        row.map(|k| value[k] * x[column[k] as usize]).sum::<f32>()
    });
    let y = Output::new(&vec![f32::NAN; rows], want.collect())?.within(1e-4);
    let (offset, column) = (DeviceBuffer::from_slice(&offset)?, DeviceBuffer::from_slice(&column)?);
    let (value, x) = (DeviceBuffer::from_slice(&value)?, DeviceBuffer::from_slice(&x)?);
    compare!(
        run,
        [&y],
        spmv_csr,
        rows.div_ceil(128),
        128,
        (rows as i32, &offset, &column, &value, &x, &mut *y.buffer())
    )
}
