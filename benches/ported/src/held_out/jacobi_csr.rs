//! A sweep of Jacobi's method for a sparse matrix in compressed rows, whose diagonals are among the other elements.

use crate::prelude::*;

forms! {
    /// One thread a row.
    #[kernel]
    pub fn jacobi_csr(
        rows: i32,
        offset: &[i32],
        column: &[i32],
        value: &[f64],
        b: &[f64],
        x: &[f64],
        mut next: Disjoint<f64>,
    ) {
        let own = thread::index_1d();
        let row = own.get() as i32;
        if row >= rows {
            return;
        }
        let mut sum = at!(b, row);
        let mut diagonal = 1.0;
        for k in at!(offset, row)..at!(offset, row + 1) {
            let j = at!(column, k);
            if j == row {
                diagonal = at!(value, k);
            } else {
                sum -= at!(value, k) * at!(x, j);
            }
        }
        own!(next, own) = sum / diagonal;
    }
}

/// 2^20 rows of the diagonal and up to 15 other elements within 4096 places of it.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, reach) = (run.size(1 << 20, 700), run.size(4096, 40));
    let mut offset = vec![0i32];
    let mut column = Vec::new();
    for (row, count) in run.below(16, rows).into_iter().enumerate() {
        let first = row.saturating_sub(reach);
        let others = run.below((row + reach).min(rows - 1) - first + 1, count as usize);
        let mut own: Vec<i32> = others.into_iter().map(|j| j + first as i32).collect();
        own.push(row as i32);
        own.sort_unstable();
        own.dedup();
        column.append(&mut own);
        offset.push(column.len() as i32);
    }
    let mut value = run.rng.vec_f64(column.len());
    let (b, x) = (run.rng.vec_f64(rows), run.rng.vec_f64(rows));
    let mut want = b.clone();
    for row in 0..rows {
        let own = offset[row] as usize..offset[row + 1] as usize;
        let diagonal = own.clone().find(|k| column[*k] == row as i32).ok_or("no diagonal")?;
        value[diagonal] += 20.0;
        let product: f64 = own.map(|k| value[k] * x[column[k] as usize]).sum();
        // The product has the diagonal, too.
        want[row] = x[row] + (b[row] - product) / value[diagonal];
    }
    let next = Output::new(&vec![f64::NAN; rows], want)?.within(1e-12);
    let (offset, column) = (DeviceBuffer::from_slice(&offset)?, DeviceBuffer::from_slice(&column)?);
    let (value, b) = (DeviceBuffer::from_slice(&value)?, DeviceBuffer::from_slice(&b)?);
    let x = DeviceBuffer::from_slice(&x)?;
    compare!(
        run,
        [&next],
        jacobi_csr,
        rows.div_ceil(256),
        256,
        (rows as i32, &offset, &column, &value, &b, &x, &mut *next.buffer())
    )
}
