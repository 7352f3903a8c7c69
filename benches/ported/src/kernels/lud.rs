//! The inner tiles of a step of an LU decomposition, after Rodinia's lud: each subtracts the product of a tile of
//! columns and a tile of rows in shared memory.

use crate::prelude::*;

forms! {
    /// Tiles of 16x16 behind column and row `offset + 16` of an `n`x`n` matrix, one block of 16x16 threads each.
    #[kernel]
    pub fn lud(
        n: i32,
        offset: i32,
        mut matrix: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>,
        phase: Phase,
    ) {
        let rows = phased!([[f32; 16]; 16]);
        let cols = phased!([[f32; 16]; 16]);
        let mut writing = phase;
        let _ = n;
        let offset = offset as Ix;
        let ([above, left], mut own) = matrix.split();
        let (tx, ty) = (thread::x() as Ix, thread::y() as Ix);
        let row = offset + (block::y() as Ix + 1) * 16;
        let col = offset + (block::x() as Ix + 1) * 16;
        let (above, left) =
            (pick!(above, offset + ty, col + tx), pick!(left, row + ty, offset + tx));
        rows.set(&mut writing, [0, 0], above);
        cols.set(&mut writing, [0, 0], left);
        let reading = writing.sync();
        let (rows, cols) = (rows.as_ref(&reading), cols.as_ref(&reading));
        let mut sum = 0.0;
        for i in 0..16 {
            sum += at!(cols, ty, i) * at!(rows, i, tx);
        }
        own!(own, [0, 0]) -= sum;
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
    compare!(
        run,
        [&matrix],
        lud,
        blocks,
        (16, 16),
        (
            n as i32,
            offset as i32,
            matrix.buffer().view_mut([n, n]).pivot([0..offset + 16, 0..offset + 16])
                => matrix.address(),
            shared::PHASES
        )
    )
}
