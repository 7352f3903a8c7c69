//! How often each byte occurs: atomics in shared memory, then in global memory.

use crate::{Error, Run};
use ptyx::prelude::*;

/// Adds the counts of `data` to `bins`, 256 of them.
#[kernel]
pub fn histogram(data: &[u8], bins: Atomics<u32>) {
    let counts = shared!([u32; 256]).atomics(0);
    for i in thread::grid_stride(data.len()) {
        counts[usize::from(data[i.get()])].fetch_add(1);
    }
    block::sync();
    let mut bin = thread::x();
    while bin < 256 {
        bins[bin as usize].fetch_add(counts[bin as usize].load());
        bin += block::dim_x();
    }
}

/// 2^28 bytes, the lower of two random ones each.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 28, 100_000);
    let data: Vec<u8> = (0..n)
        .map(|_| {
            let bits = run.rng.next_u64();
            (bits as u8).min((bits >> 8) as u8)
        })
        .collect();
    let mut want = vec![0u32; 256];
    for &byte in &data {
        want[usize::from(byte)] += 1;
    }
    let data = DeviceBuffer::from_slice(&data)?;
    let mut bins = DeviceBuffer::zeroed(256)?;
    let blocks = run.blocks(8)?;
    launch!(histogram<<<blocks, 256>>>(&data, &mut bins))?;
    if bins.to_vec()? != want {
        return Err("the counts differ from the host's".into());
    }
    run.time("histogram", n, n as f64, "GB/s", &mut || {
        launch!(histogram<<<blocks, 256>>>(&data, &mut bins))
    })
}
