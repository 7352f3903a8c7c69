//! The largest numbers of each row and where they are, as beam search needs them: a block finds one after another by a
//! tree over pairs in shared memory.

use crate::prelude::*;

forms! {
    /// Whether `a` comes before `b`: it is larger, or equal and further to the left.
    #[inline(always)]
    fn before(a: (f32, i32), b: (f32, i32)) -> bool {
        a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
    }

    /// One block of 256 threads a row.
    #[kernel]
    pub fn topk_block(
        cols: i32,
        k: i32,
        x: &[f32],
        mut value: Parts<f32, (by::BlockLeader, by::Whole), 2>,
        mut index: Parts<i32, (by::BlockLeader, by::Whole), 2>,
        phase: Phase,
    ) {
        let pairs = phased!([(f32, i32); 256]);
        let mut writing = phase;
        let t = thread::x() as i32;
        let row = block::x() as i32 * cols;
        let (mut value, mut index) = (value.part(), index.part());
        let mut last = (f32::MAX, -1);
        for n in 0..k {
            let mut best = (f32::MIN, cols);
            for column in (t..cols).step_by(256) {
                let pair = (at!(x, row + column), column);
                if before(last, pair) && before(pair, best) {
                    best = pair;
                }
            }
            let mut half = 128;
            while half > 0 {
                pairs.set(&mut writing, [0], best);
                let reading = writing.sync();
                if t < half {
                    let other = pairs.get(&reading, [(t + half) as Ix as usize]);
                    if before(other, best) {
                        best = other;
                    }
                }
                writing = reading.sync();
                half >>= 1;
            }
            pairs.set(&mut writing, [0], best);
            let reading = writing.sync();
            last = pairs.get(&reading, [0]);
            writing = reading.sync();
            if t == 0 {
                own!(value, [0, n as Ix as usize]) = last.0;
                own!(index, [0, n as Ix as usize]) = last.1;
            }
        }
    }
}

/// 1024 rows of 32000, the first four each.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols, k) = (run.size(1024, 5), run.size(32000, 700), 4);
    // Few values, so that some are equal.
    let x: Vec<f32> = run.below(20000, rows * cols).into_iter().map(|x| x as f32 / 64.0).collect();
    let (mut value, mut index) = (Vec::new(), Vec::new());
    for row in x.chunks(cols) {
        let mut order: Vec<i32> = (0..cols as i32).collect();
        // The sort is stable.
        order.sort_by(|a, b| row[*b as usize].total_cmp(&row[*a as usize]));
        value.extend(order[..k].iter().map(|i| row[*i as usize]));
        index.extend(&order[..k]);
    }
    let value = Output::new(&vec![f32::NAN; rows * k], value)?;
    let index = Output::new(&vec![-1; rows * k], index)?;
    let x = DeviceBuffer::from_slice(&x)?;
    compare!(
        run,
        [&value, &index],
        topk_block,
        rows,
        256,
        (
            cols as i32,
            k as i32,
            &x,
            value.buffer().view_mut([rows, k]) => value.address(),
            index.buffer().view_mut([rows, k]) => index.address(),
            shared::PHASES
        )
    )
}
