//! The second half of a pass of a radix sort: keys and values go, in order, to the places that the counts of digits give.

use crate::prelude::*;

forms! {
    /// Blocks of 256 threads, one per key. `offset` has the first place of each digit and block, `[digit][block]`.
    #[kernel]
    pub fn radix_scatter(
        n: i32,
        shift: i32,
        key: &[u32],
        value: &[u32],
        offset: &[i32],
        sorted_key: Atomics<u32>,
        sorted_value: Atomics<u32>,
    ) {
        let counts = cells!([[i32; 17]; 8], 0);
        let t = thread::x() as i32;
        let i = block::x() as i32 * 256 + t;
        let lane = t % 32;
        let own_warp = t / 32;
        for k in (t..8 * 17).step_by(256) {
            set!(counts, k / 17, k % 17, 0);
        }
        block::sync();
        let mut own_key = 0;
        let mut digit = 16;
        if i < n {
            own_key = at!(key, i);
            digit = (own_key >> shift & 15) as i32;
        }
        // The lanes with the same digit, and how many of them are before this one.
        let same = warp::match_any(warp::FULL, digit);
        let rank = (same & ((1 << lane) - 1)).count_ones() as i32;
        if rank == 0 {
            set!(counts, own_warp, digit, same.count_ones() as i32);
        }
        block::sync();
        if i < n {
            let mut place = at!(offset, digit * grid::dim_x() as i32 + block::x() as i32) + rank;
            for w in 0..own_warp {
                place += get!(counts, w, digit);
            }
            store!(sorted_key, place, own_key);
            store!(sorted_value, place, at!(value, i));
        }
    }
}

/// 2^24 pairs.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, shift) = (run.size(1 << 24, 3000), 8);
    let blocks = n.div_ceil(256);
    let key: Vec<u32> = (0..n).map(|_| run.rng.next_u64() as u32).collect();
    let value: Vec<u32> = (0..n).map(|_| run.rng.next_u64() as u32).collect();
    let digit = |key: u32| key as usize / 256 % 16;
    let mut counts = vec![0i32; 16 * blocks];
    key.iter().enumerate().for_each(|(i, key)| counts[digit(*key) * blocks + i / 256] += 1);
    let sums = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum - count)
    });
    let offset: Vec<i32> = sums.collect();
    let mut pairs: Vec<(u32, u32)> = key.iter().copied().zip(value.iter().copied()).collect();
    pairs.sort_by_key(|(key, _)| digit(*key));
    let (keys, values): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
    let sorted_key = Output::new(&vec![0; n], keys)?;
    let sorted_value = Output::new(&vec![0; n], values)?;
    let (key, value) = (DeviceBuffer::from_slice(&key)?, DeviceBuffer::from_slice(&value)?);
    let offset = DeviceBuffer::from_slice(&offset)?;
    compare!(
        run,
        [&sorted_key, &sorted_value],
        radix_scatter,
        blocks,
        256,
        (
            n as i32,
            shift,
            &key,
            &value,
            &offset,
            &mut *sorted_key.buffer(),
            &mut *sorted_value.buffer()
        )
    )
}
