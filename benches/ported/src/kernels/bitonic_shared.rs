//! Sorts blocks of 512 numbers in shared memory by a bitonic network (Batcher 1968), after the CUDA samples.

use crate::prelude::*;

forms! {
    /// 256 threads a block, one for each pair.
    #[kernel]
    pub fn bitonic_shared(keys: SliceMut<u32>) {
        let own = shared!([u32; 512]);
        let t = thread::x() as Ix;
        let first = block::x() as Ix * 512;
        st!(own, t, rd!(keys, first + t));
        st!(own, t + 256, rd!(keys, first + t + 256));
        let mut size = 2;
        while size <= 512 {
            let up = (t & (size / 2)) == 0 || size == 512;
            let mut stride = size / 2;
            while stride > 0 {
                block::sync();
                let at = 2 * t - (t & (stride - 1));
                let (a, b) = (ld!(own, at), ld!(own, at + stride));
                if (a > b) == up {
                    st!(own, at, b);
                    st!(own, at + stride, a);
                }
                stride /= 2;
            }
            size *= 2;
        }
        block::sync();
        wr!(keys, first + t, ld!(own, t));
        wr!(keys, first + t + 256, ld!(own, t + 256));
    }
}

/// 2^24 numbers.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let blocks = run.size(1 << 15, 3);
    let keys: Vec<u32> = (0..512 * blocks).map(|_| run.rng.next_u64() as u32).collect();
    let mut want = keys.clone();
    want.chunks_mut(512).for_each(<[u32]>::sort_unstable);
    let keys = Output::new(&keys, want)?;
    compare!(run, [&keys], bitonic_shared, blocks, 256, (&mut *keys.buffer()))
}
