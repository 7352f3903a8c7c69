//! The inner tiles of a step of an LU decomposition, after Rodinia's lud: each subtracts the product of a tile of
//! columns and a tile of rows in shared memory.

use crate::prelude::*;

forms! {
    /// Tiles of 16x16 behind column and row `offset + 16` of an `n`x`n` matrix, one block of 16x16 threads each.
    #[kernel]
    pub fn lud(n: i32, offset: i32, matrix: SliceMut<f32>, phase: Phase) {
        let rows = phased!([[f32; 16]; 16]);
        let cols = phased!([[f32; 16]; 16]);
        let mut writing = phase;
        let (n, offset) = (n as Ix, offset as Ix);
        let (tx, ty) = (thread::x() as Ix, thread::y() as Ix);
        let row = offset + (block::y() as Ix + 1) * 16;
        let col = offset + (block::x() as Ix + 1) * 16;
        rows.set(&mut writing, [0, 0], rd!(matrix, (offset + ty) * n + col + tx));
        cols.set(&mut writing, [0, 0], rd!(matrix, (row + ty) * n + offset + tx));
        let reading = writing.sync();
        let (rows, cols) = (rows.as_ref(&reading), cols.as_ref(&reading));
        let mut sum = 0.0;
        for i in 0..16 {
            sum += at!(cols, ty, i) * at!(rows, i, tx);
        }
        let place = (row + ty) * n + col + tx;
        wr!(matrix, place, rd!(matrix, place) - sum);
    }
}

/// 8192x8192, the first step.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let tiles = run.size(512, 5);
    let (n, offset) = (16 * tiles, 0);
    let matrix = run.floats(n * n);
    let mut want = matrix.clone();
    for row in 16..n {
        for i in 0..16 {
            let factor = matrix[row * n + i];
            for col in 16..n {
                want[row * n + col] -= factor * matrix[i * n + col];
            }
        }
    }
    let matrix = Output::new(&matrix, want)?.within(1e-4);
    let blocks = (tiles - 1, tiles - 1);
    let (n, offset) = (n as i32, offset);
    compare!(
        run,
        [&matrix],
        lud,
        blocks,
        (16, 16),
        (n, offset, &mut *matrix.buffer(), shared::PHASES)
    )
}
