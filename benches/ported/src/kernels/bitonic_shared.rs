//! Sorts blocks of 512 numbers in shared memory by a bitonic network (Batcher 1968), after the CUDA samples.

use crate::prelude::*;

forms! {
    /// 256 threads a block, one for each pair.
    #[kernel]
    pub fn bitonic_shared(
        keys: &[u32],
        mut sorted: Parts<u32, by::Tile<by::Block, 512, by::ThreadInBlock>>,
    ) {
        let own = cells!([u32; 512], 0);
        let t = thread::x() as Ix;
        let mut sorted = sorted.part();
        let first = block::x() as Ix * 512;
        set!(own, t, at!(keys, first + t));
        set!(own, t + 256, at!(keys, first + t + 256));
        let mut size = 2;
        while size <= 512 {
            let up = (t & (size / 2)) == 0 || size == 512;
            let mut stride = size / 2;
            while stride > 0 {
                block::sync();
                let at = 2 * t - (t & (stride - 1));
                let (a, b) = (get!(own, at), get!(own, at + stride));
                if (a > b) == up {
                    set!(own, at, b);
                    set!(own, at + stride, a);
                }
                stride /= 2;
            }
            size *= 2;
        }
        block::sync();
        own!(sorted, [0]) = get!(own, t);
        own!(sorted, [1]) = get!(own, t + 256);
    }
}

/// 2^24 numbers.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let blocks = run.size(1 << 15, 3);
    let keys: Vec<u32> = (0..512 * blocks).map(|_| run.rng.next_u64() as u32).collect();
    let mut want = keys.clone();
    want.chunks_mut(512).for_each(<[u32]>::sort_unstable);
    let sorted = Output::new(&vec![0; want.len()], want)?;
    let keys = DeviceBuffer::from_slice(&keys)?;
    compare!(run, [&sorted], bitonic_shared, blocks, 256, (&keys, &mut *sorted.buffer()))
}
