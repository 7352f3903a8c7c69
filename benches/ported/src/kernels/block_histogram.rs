//! Counts of numbers in ranges, with counters of each block in shared memory.

use crate::prelude::*;

forms! {
    /// `bins` counters, at most 1024, over numbers in [0, 1).
    #[kernel]
    pub fn block_histogram(n: i32, bins: i32, data: &[f32], counts: Atomics<u32>) {
        let own = shared!([u32; 1024]).atomics(0);
        let first = (block::x() * block::dim_x() + thread::x()) as i32;
        let stride = (block::dim_x() * grid::dim_x()) as i32;
        let mut i = first;
        while i < n {
            let bin = (at!(data, i) * bins as f32) as i32;
            bump!(own, bin, 1);
            i += stride;
        }
        block::sync();
        let mut bin = thread::x() as i32;
        while bin < bins {
            bump!(counts, bin, value!(own, bin));
            bin += block::dim_x() as i32;
        }
    }
}

/// 2^26 numbers, 600 counters.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, bins, blocks) = (run.size(1 << 26, 4000), 600, run.size(1056, 3));
    let data = run.between(0.0, 1.0, n);
    let mut want = vec![0u32; bins];
    data.iter().for_each(|x| want[(x * bins as f32) as usize] += 1);
    let counts = Output::new(&vec![0; bins], want)?;
    let data = DeviceBuffer::from_slice(&data)?;
    compare!(
        run,
        [&counts],
        block_histogram,
        blocks,
        256,
        (n as i32, bins as i32, &data, &mut *counts.buffer())
    )
}
