//! The cheapest paths through some rows of a grid, after Rodinia's pathfinder: a block works on a row in shared memory,
//! of which each step leaves one element less on each side.

use crate::prelude::*;

forms! {
    /// `steps` rows after row `start`. A block of 256 threads writes `256 - 2 * steps` elements, a row of `result`.
    #[kernel]
    pub fn pathfinder(
        steps: i32,
        cols: i32,
        start: i32,
        wall: &[i32],
        source: &[i32],
        mut result: Parts<i32, (by::BlockX, by::Middle<by::ThreadInBlockX>), 2>,
    ) {
        let prev = cells!([i32; 256], 0);
        let sums = cells!([i32; 256], 0);
        let tx = thread::x() as i32;
        let small = 256 - 2 * steps;
        let first = small * block::x() as i32 - steps;
        let last = first + 255;
        let x = first + tx;
        let least = if first < 0 { -first } else { 0 };
        let most = if last > cols - 1 { 255 - (last - cols + 1) } else { 255 };
        let w = if tx - 1 < least { least } else { tx - 1 };
        let e = if tx + 1 > most { most } else { tx + 1 };
        let valid = tx >= least && tx <= most;
        if x >= 0 && x < cols {
            set!(prev, tx, at!(source, x));
        }
        block::sync();
        let mut computed = false;
        for i in 0..steps {
            computed = false;
            if tx > i && tx < 255 - i && valid {
                computed = true;
                let shortest = get!(prev, w).min(get!(prev, tx)).min(get!(prev, e));
                set!(sums, tx, shortest + at!(wall, cols * (start + i) + x));
            }
            block::sync();
            if i == steps - 1 {
                break;
            }
            if computed {
                set!(prev, tx, get!(sums, tx));
            }
            block::sync();
        }
        if computed {
            let mut own = result.part();
            own!(own, [0, 0]) = get!(sums, tx);
        }
    }
}

/// 20 rows of 2^22.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (steps, cols) = (20, run.size(1 << 22, 1000));
    let start = 3;
    let (wall, source) = (run.below(10, (start + steps) * cols), run.below(100, cols));
    let mut row = source.clone();
    for step in 0..steps {
        let least = |x: usize| row[x.saturating_sub(1)..(x + 2).min(cols)].iter().min().copied();
        row = (0..cols).map(|x| least(x).unwrap_or(0) + wall[(start + step) * cols + x]).collect();
    }
    // The last block's row may have more elements.
    let small = 256 - 2 * steps;
    let blocks = cols.div_ceil(small);
    row.resize(blocks * small, -1);
    let result = Output::new(&vec![-1; blocks * small], row)?;
    let (wall, source) = (DeviceBuffer::from_slice(&wall)?, DeviceBuffer::from_slice(&source)?);
    compare!(
        run,
        [&result],
        pathfinder,
        blocks,
        256,
        (
            steps as i32,
            cols as i32,
            start as i32,
            &wall,
            &source,
            result.buffer().view_mut([blocks, small]) => result.address()
        )
    )
}
