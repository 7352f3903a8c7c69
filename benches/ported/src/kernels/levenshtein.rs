//! Edit distances of short strings (Levenshtein 1966): a thread keeps one row of its table in a local array.

use crate::prelude::*;

forms! {
    /// One thread a pair. Strings have 32 places each, of which the first `length` are letters.
    #[kernel]
    pub fn levenshtein(
        pairs: i32,
        length_a: &[i32],
        length_b: &[i32],
        a: &[u8],
        b: &[u8],
        mut distance: Disjoint<i32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= pairs {
            return;
        }
        let (m, n) = (at!(length_a, i), at!(length_b, i));
        let mut row = [0i32; 33];
        for x in 0..=n {
            put!(row, x, x);
        }
        for y in 1..=m {
            let letter = at!(a, i * 32 + y - 1);
            let mut diagonal = at!(row, 0);
            put!(row, 0, y);
            for x in 1..=n {
                let above = at!(row, x);
                let cost = if at!(b, i * 32 + x - 1) == letter { 0 } else { 1 };
                let least = (above + 1).min(at!(row, x - 1) + 1).min(diagonal + cost);
                put!(row, x, least);
                diagonal = above;
            }
        }
        own!(distance, own) = at!(row, n);
    }
}

/// 2^17 pairs of up to 32 letters.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 17, 300);
    let (length_a, length_b) = (run.below(33, n), run.below(33, n));
    let mut letters = || run.below(4, 32 * n).into_iter().map(|x| x as u8).collect::<Vec<_>>();
    let (a, b) = (letters(), letters());
    let want = (0..n).map(|i| {
        let (m, n) = (length_a[i] as usize, length_b[i] as usize);
        let (a, b) = (&a[32 * i..][..m], &b[32 * i..][..n]);
        let mut table = [[0i32; 33]; 33];
        for (y, x) in (0..=m).flat_map(|y| (0..=n).map(move |x| (y, x))) {
            table[y][x] = if x == 0 || y == 0 {
                (x + y) as i32
            } else {
                let replaced = table[y - 1][x - 1] + i32::from(a[y - 1] != b[x - 1]);
                replaced.min(1 + table[y - 1][x].min(table[y][x - 1]))
            };
        }
        table[m][n]
    });
    let distance = Output::new(&vec![-1; n], want.collect())?;
    let length_a = DeviceBuffer::from_slice(&length_a)?;
    let length_b = DeviceBuffer::from_slice(&length_b)?;
    let (a, b) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    compare!(
        run,
        [&distance],
        levenshtein,
        n.div_ceil(128),
        128,
        (n as i32, &length_a, &length_b, &a, &b, &mut *distance.buffer())
    )
}
