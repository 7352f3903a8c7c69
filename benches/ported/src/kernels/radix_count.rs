//! How often each digit of four bits occurs in a block's keys, the first step of a radix sort, with counters in
//! shared memory.

use crate::prelude::*;

forms! {
    /// 256 threads a block, eight keys a thread. A row of `counts` has the blocks' counts of one digit.
    #[kernel]
    pub fn radix_count(
        n: i32,
        shift: i32,
        keys: &[u32],
        mut counts: Parts<u32, (by::ThreadInBlockX, by::BlockX), 2>,
    ) {
        let own = shared!([u32; 16]).atomics(0);
        let t = thread::x() as i32;
        let first = block::x() as i32 * 2048 + t;
        for k in 0..8 {
            let i = first + k * 256;
            if i < n {
                let digit = (at!(keys, i) >> shift) & 15;
                bump!(own, digit, 1);
            }
        }
        block::sync();
        let mut counts = counts.part();
        if t < 16 {
            own!(counts, [0, 0]) = value!(own, t);
        }
    }
}

/// 2^26 keys.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size((1 << 26) - 100, 5000);
    let shift = (4 * (run.rng.next_u64() % 8)) as u32;
    let keys: Vec<u32> = (0..n).map(|_| run.rng.next_u64() as u32).collect();
    let blocks = n.div_ceil(2048);
    let mut want = vec![0u32; 16 * blocks];
    for (i, key) in keys.iter().enumerate() {
        want[(key >> shift) as usize % 16 * blocks + i / 2048] += 1;
    }
    let counts = Output::new(&vec![9999; want.len()], want)?;
    let keys = DeviceBuffer::from_slice(&keys)?;
    compare!(
        run,
        [&counts],
        radix_count,
        blocks,
        256,
        (
            n as i32,
            shift as i32,
            &keys,
            counts.buffer().view_mut([16, blocks]) => counts.address()
        )
    )
}
