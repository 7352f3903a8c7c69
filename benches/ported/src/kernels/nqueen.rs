//! Ways to place queens on a board, after the bit masks of backtracking solvers: a thread has the first rows, and
//! searches the others with a stack in local arrays.

use crate::prelude::*;

forms! {
    /// The solutions that begin with the rows that thread `i`'s digits to base `n` say.
    #[kernel]
    pub fn nqueen(n: i32, rows: i32, threads: i32, mut solutions: Disjoint<i32>) {
        let own = thread::index_1d();
        if own.get() as i32 >= threads {
            return;
        }
        own!(solutions, own) = 0;
        let full = (1u32 << n) - 1;
        let (mut column, mut left, mut right) = (0u32, 0u32, 0u32);
        let mut digits = own.get() as i32;
        for _ in 0..rows {
            let bit = 1u32 << (digits % n);
            digits /= n;
            if (column | left | right) & bit != 0 {
                return;
            }
            column |= bit;
            left = (left | bit) << 1;
            right = (right | bit) >> 1;
        }
        let mut free = [0u32; 16];
        let mut columns = [0u32; 16];
        let mut lefts = [0u32; 16];
        let mut rights = [0u32; 16];
        let mut depth: Ix = 0;
        put!(free, depth, full & !(column | left | right));
        put!(columns, depth, column);
        put!(lefts, depth, left);
        put!(rights, depth, right);
        let mut found = 0;
        loop {
            let places = at!(free, depth);
            if places == 0 {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                continue;
            }
            let bit = places & places.wrapping_neg();
            put!(free, depth, places ^ bit);
            column = at!(columns, depth) | bit;
            left = (at!(lefts, depth) | bit) << 1;
            right = (at!(rights, depth) | bit) >> 1;
            if column == full {
                found += 1;
                continue;
            }
            depth += 1;
            put!(free, depth, full & !(column | left | right));
            put!(columns, depth, column);
            put!(lefts, depth, left);
            put!(rights, depth, right);
        }
        own!(solutions, own) = found;
    }
}

/// The solutions below these rows, recursively.
fn count(n: i32, column: u32, left: u32, right: u32) -> i32 {
    let full = (1u32 << n) - 1;
    if column == full {
        return 1;
    }
    let free = (0..n).map(|i| 1 << i).filter(|bit| (column | left | right) & bit == 0);
    free.map(|bit| count(n, column | bit, (left | bit) << 1, (right | bit) >> 1)).sum()
}

/// 13 queens, of which a thread has the first four; 6 and two to check.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, rows) = (run.size(13, 6) as i32, run.size(4, 2) as u32);
    let threads = (n as usize).pow(rows);
    let want = (0..threads).map(|i| {
        let (mut column, mut left, mut right) = (0u32, 0u32, 0u32);
        for row in 0..rows {
            let bit = 1u32 << (i / (n as usize).pow(row) % n as usize);
            if (column | left | right) & bit != 0 {
                return 0;
            }
            (column, left, right) = (column | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        count(n, column, left, right)
    });
    let solutions = Output::new(&vec![-1; threads], want.collect())?;
    compare!(
        run,
        [&solutions],
        nqueen,
        threads.div_ceil(128),
        128,
        (n, rows as i32, threads as i32, &mut *solutions.buffer())
    )
}
