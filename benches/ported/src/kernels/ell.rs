//! A sparse matrix times a vector, in ELLPACK's form: as many elements in each row, column by column.

use crate::prelude::*;

forms! {
    /// One thread a row; a negative column is no element.
    #[kernel]
    pub fn ell(
        rows: i32,
        width: i32,
        column: &[i32],
        value: &[f32],
        x: &[f32],
        mut y: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let row = own.get() as Ix;
        if row < rows as Ix {
            let mut sum = 0.0;
            for k in 0..width as Ix {
                let col = at!(column, k * rows as Ix + row);
                if col >= 0 {
                    sum += at!(value, k * rows as Ix + row) * at!(x, col);
                }
            }
            own!(y, own) = sum;
        }
    }
}

/// 2^20 rows of 16.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, width) = (run.size(1 << 20, 800), 16);
    let column = run.below(rows + rows / 4, rows * width);
    let column: Vec<i32> =
        column.into_iter().map(|i| if i < rows as i32 { i } else { -1 }).collect();
    let (value, x) = (run.floats(rows * width), run.floats(rows));
    let want = (0..rows).map(|row| {
        let places = (0..width).map(|k| k * rows + row).filter(|place| column[*place] >= 0);
        places.map(|place| value[place] * x[column[place] as usize]).sum::<f32>()
    });
    let y = Output::new(&vec![f32::NAN; rows], want.collect())?.within(1e-5);
    let (column, value) = (DeviceBuffer::from_slice(&column)?, DeviceBuffer::from_slice(&value)?);
    let x = DeviceBuffer::from_slice(&x)?;
    compare!(
        run,
        [&y],
        ell,
        rows.div_ceil(256),
        256,
        (rows as i32, width as i32, &column, &value, &x, &mut *y.buffer())
    )
}
