//! A sparse matrix in compressed rows times a dense one, as graph networks need it: each row of the result is a sum of
//! the rows of neighbours.

use crate::prelude::*;

forms! {
    /// Blocks of 32x8 threads, one an element of the result: columns along x.
    #[kernel]
    pub fn spmm_csr(
        rows: i32,
        cols: i32,
        offset: &[i32],
        column: &[i32],
        value: &[f32],
        dense: &[f32],
        mut product: DisjointArray<f32, 2>,
    ) {
        let own = thread::index_2d();
        let (c, row) = (own.x() as i32, own.y() as i32);
        if row >= rows || c >= cols {
            return;
        }
        let mut sum = 0.0f32;
        for k in at!(offset, row)..at!(offset, row + 1) {
            sum += at!(value, k) * at!(dense, at!(column, k) * cols + c);
        }
        own!(product, own) = sum;
    }
}

/// 2^18 rows of up to 16 elements, 96 dense columns.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(1 << 18, 300), run.size(96, 50));
    let mut offset = vec![0i32];
    for count in run.below(17, rows) {
        offset.push(offset[offset.len() - 1] + count);
    }
    let elements = offset[rows] as usize;
    let column = run.below(rows, elements);
    let (value, dense) = (run.floats(elements), run.floats(rows * cols));
    let mut want = vec![0.0f32; rows * cols];
    for (row, sums) in want.chunks_mut(cols).enumerate() {
        for k in offset[row] as usize..offset[row + 1] as usize {
            let other = &dense[column[k] as usize * cols..];
            sums.iter_mut().zip(other).for_each(|(sum, x)| *sum += value[k] * x);
        }
    }
    let product = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-5);
    let (offset, column) = (DeviceBuffer::from_slice(&offset)?, DeviceBuffer::from_slice(&column)?);
    let (value, dense) = (DeviceBuffer::from_slice(&value)?, DeviceBuffer::from_slice(&dense)?);
    compare!(
        run,
        [&product],
        spmm_csr,
        (cols.div_ceil(32), rows.div_ceil(8)),
        (32, 8),
        (
            rows as i32,
            cols as i32,
            &offset,
            &column,
            &value,
            &dense,
            product.buffer().view_mut([rows, cols]) => product.address()
        )
    )
}
