//! Scores of local alignments (Smith, Waterman 1981): a thread keeps one row of its table in a local array.

use crate::prelude::*;

forms! {
    /// One thread a pair of sequences of 32 and `length` letters.
    #[kernel]
    pub fn smith_waterman(
        pairs: i32,
        length: i32,
        short: &[u8],
        long: &[u8],
        mut scores: Disjoint<i32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= pairs {
            return;
        }
        let mut row = [0i32; 33];
        let mut letters = [0u8; 32];
        for k in 0..32 {
            put!(letters, k, at!(short, i * 32 + k));
        }
        let mut best = 0;
        for y in 0..length {
            let letter = at!(long, i * length + y);
            let mut diagonal = 0;
            for x in 1..=32 {
                let above = at!(row, x);
                let matched = if at!(letters, x - 1) == letter { 2 } else { -1 };
                let score = (diagonal + matched).max(above - 1).max(at!(row, x - 1) - 1).max(0);
                diagonal = above;
                put!(row, x, score);
                best = best.max(score);
            }
        }
        own!(scores, own) = best;
    }
}

/// 2^17 pairs of 32 and 128 letters.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, length) = (run.size(1 << 17, 300), run.size(128, 40));
    let mut letters = |len| run.below(4, len).into_iter().map(|x| x as u8).collect::<Vec<_>>();
    let (short, long) = (letters(32 * n), letters(length * n));
    let want = short.chunks(32).zip(long.chunks(length)).map(|(short, long)| {
        let mut table = vec![[0i32; 33]; length + 1];
        let mut best = 0;
        for y in 1..=length {
            for x in 1..=32 {
                let matched = if short[x - 1] == long[y - 1] { 2 } else { -1 };
                let gap = table[y - 1][x].max(table[y][x - 1]) - 1;
                table[y][x] = 0.max(gap).max(table[y - 1][x - 1] + matched);
                best = best.max(table[y][x]);
            }
        }
        best
    });
    let scores = Output::new(&vec![-1; n], want.collect())?;
    let (short, long) = (DeviceBuffer::from_slice(&short)?, DeviceBuffer::from_slice(&long)?);
    compare!(
        run,
        [&scores],
        smith_waterman,
        n.div_ceil(128),
        128,
        (n as i32, length as i32, &short, &long, &mut *scores.buffer())
    )
}
