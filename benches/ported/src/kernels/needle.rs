//! A diagonal of blocks of the Needleman-Wunsch table, after Rodinia's needle: within a block, a wavefront of 16
//! threads in shared memory.

use crate::prelude::*;
use ptyx::device::view::Diagonal;

/// Each block owns a tile, from the topmost one down, and each thread a column of it.
type Owners = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);

forms! {
    /// The blocks of 16x16 elements with `row + column == diagonal`, of tables with a border of one element. There is one in
    /// the first row of blocks.
    #[kernel]
    pub fn needle(
        cols: i32,
        diagonal: i32,
        penalty: i32,
        score: &[i32],
        mut table: Diagonal<i32, Owners, 16>,
    ) {
        let (known, mut own) = table.split();
        let tile = cells!([[i32; 17]; 17], 0);
        let scores = cells!([[i32; 16]; 16], 0);
        let tx = thread::x() as i32;
        let by = block::x() as i32;
        let bx = diagonal - by;
        let batch = block::y() as i32;
        let (row, col) = (16 * by, 16 * bx);
        let base = cols * cols * batch + cols * row + col;
        if tx == 0 {
            set!(tile, 0, 0, pick!(known, batch, row, col));
        }
        for ty in 0..16 {
            set!(scores, ty, tx, at!(score, base + cols * (ty + 1) + tx + 1));
        }
        set!(tile, tx + 1, 0, pick!(known, batch, row + tx + 1, col));
        set!(tile, 0, tx + 1, pick!(known, batch, row, col + tx + 1));
        block::sync();
        for m in 0..16 {
            if tx <= m {
                let x = tx + 1;
                let y = m - tx + 1;
                let aligned = get!(tile, y - 1, x - 1) + get!(scores, y - 1, x - 1);
                let gap = get!(tile, y, x - 1).max(get!(tile, y - 1, x)) - penalty;
                set!(tile, y, x, aligned.max(gap));
            }
            block::sync();
        }
        for m in (0..15).rev() {
            if tx <= m {
                let x = tx + 16 - m;
                let y = 16 - tx;
                let aligned = get!(tile, y - 1, x - 1) + get!(scores, y - 1, x - 1);
                let gap = get!(tile, y, x - 1).max(get!(tile, y - 1, x)) - penalty;
                set!(tile, y, x, aligned.max(gap));
            }
            block::sync();
        }
        for ty in 0..16 {
            own!(own, [0, 0, ty as usize, 0]) = get!(tile, ty + 1, tx + 1);
        }
    }
}

/// The longest diagonals of 64 tables of 1024x1024.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (blocks, tables) = (run.size(64, 3), run.size(64, 2));
    let cols = 16 * blocks + 1;
    let table = run.below(20, tables * cols * cols);
    let score: Vec<i32> = run.below(20, tables * cols * cols).into_iter().map(|x| x - 10).collect();
    let (diagonal, penalty) = (blocks - 1, 10);
    let mut want = table.clone();
    for (table, bx) in (0..tables).flat_map(|table| (0..blocks).map(move |bx| (table, bx))) {
        let (want, score) = (&mut want[table * cols * cols..], &score[table * cols * cols..]);
        let by = diagonal - bx;
        for y in 16 * by + 1..=16 * by + 16 {
            for x in 16 * bx + 1..=16 * bx + 16 {
                let gap = want[y * cols + x - 1].max(want[(y - 1) * cols + x]) - penalty;
                want[y * cols + x] = gap.max(want[(y - 1) * cols + x - 1] + score[y * cols + x]);
            }
        }
    }
    let table = Output::new(&table, want)?;
    let score = DeviceBuffer::from_slice(&score)?;
    compare!(
        run,
        [&table],
        needle,
        (blocks, tables),
        16,
        (
            cols as i32,
            diagonal as i32,
            penalty,
            &score,
            table.buffer().view_mut([tables, cols, cols]).diagonal(1, diagonal) => table.address()
        )
    )
}
