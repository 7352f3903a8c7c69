//! Two sorted arrays merged into one (Green, McColl, Bader 2012): each thread finds where its eight elements begin by a
//! binary search along a diagonal.

use crate::prelude::*;

forms! {
    /// One thread eight elements of the result, the last one perhaps fewer.
    #[kernel]
    pub fn merge_path(
        count_a: i32,
        count_b: i32,
        a: &[i32],
        b: &[i32],
        mut merged: Parts<i32, by::Tile<by::Thread, 8>>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        let diagonal = i * 8;
        if diagonal >= count_a + count_b {
            return;
        }
        let mut low = (diagonal - count_b).max(0);
        let mut high = diagonal.min(count_a);
        while low < high {
            let middle = (low + high) >> 1;
            if at!(a, middle) <= at!(b, diagonal - 1 - middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut from_a = low;
        let mut from_b = diagonal - low;
        let count = (count_a + count_b - diagonal).min(8);
        let mut own = merged.part();
        for k in 0..count {
            let take_a = from_b >= count_b || (from_a < count_a && at!(a, from_a) <= at!(b, from_b));
            own!(own, [k as usize]) = if take_a {
                from_a += 1;
                at!(a, from_a - 1)
            } else {
                from_b += 1;
                at!(b, from_b - 1)
            };
        }
    }
}

/// About 2^24 elements each.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, m) = (run.size((1 << 24) - 5, 1500), run.size((1 << 24) + 8, 703));
    let (mut a, mut b) = (run.below(1 << 30, n), run.below(1 << 30, m));
    a.sort_unstable();
    b.sort_unstable();
    let mut want = [a.as_slice(), b.as_slice()].concat();
    want.sort_unstable();
    let merged = Output::new(&vec![-1; n + m], want)?;
    let (a, b) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    compare!(
        run,
        [&merged],
        merge_path,
        (n + m).div_ceil(8 * 128),
        128,
        (n as i32, m as i32, &a, &b, &mut *merged.buffer())
    )
}
