//! Running sums within each block of 256: shuffles within a warp, then over the warps' sums in
//! shared memory.

use crate::{Error, Run};
use ptyx::prelude::*;

/// The sum of this and all lower lanes.
fn warp_scan(mut value: u32) -> u32 {
    for delta in [1, 2, 4, 8, 16] {
        let lower = warp::shuffle_up(warp::FULL, value, delta);
        if warp::lane() >= delta {
            value = value.wrapping_add(lower);
        }
    }
    value
}

/// Running sums of each 256 elements, and their total into `sums`. Blocks of 256.
#[kernel]
pub fn scan(x: &[u32], mut y: Disjoint<u32>, sums: SliceMut<u32>) {
    let warps = shared!([u32; 8]);
    let i = thread::index_1d();
    let (lane, warp) = (warp::lane(), thread::x() as usize / 32);
    let mut sum = warp_scan(x.get(i.get()).copied().unwrap_or(0));
    if lane == 31 {
        // SAFETY: each warp writes its own element, before the barrier.
        unsafe { warps.at(warp).write(sum) }
    }
    block::sync();
    if warp == 0 && lane < 8 {
        // SAFETY: each lane has its own element, between two barriers.
        unsafe {
            let mut value = warps.at(lane as usize).read();
            for delta in [1, 2, 4] {
                let lower = warp::shuffle_up(0xff, value, delta);
                if lane >= delta {
                    value = value.wrapping_add(lower);
                }
            }
            warps.at(lane as usize).write(value);
        }
    }
    block::sync();
    if warp > 0 {
        // SAFETY: written before the barrier.
        sum = sum.wrapping_add(unsafe { warps.at(warp - 1).read() });
    }
    if let Some(y) = y.get_mut(i) {
        *y = sum;
    }
    if thread::x() == 255 {
        // SAFETY: one thread of each block, its own element.
        unsafe { sums.write(block::x() as usize, sum) }
    }
}

/// 2^28 elements.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 28, 10_000);
    let blocks = n.div_ceil(256);
    let x: Vec<u32> = (0..n).map(|_| run.rng.next_u64() as u32).collect();
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut y = DeviceBuffer::zeroed(n)?;
    let mut sums = DeviceBuffer::zeroed(blocks)?;
    launch!(scan<<<blocks, 256>>>(&dx, &mut y, &mut sums))?;
    let (got, sums_got) = (y.to_vec()?, sums.to_vec()?);
    for (block, (x, y)) in x.chunks(256).zip(got.chunks(256)).enumerate() {
        let mut sum = 0u32;
        for (x, y) in x.iter().zip(y) {
            sum = sum.wrapping_add(*x);
            if sum != *y {
                return Err(format!("block {block}: {y}, not {sum}").into());
            }
        }
        if sums_got[block] != sum {
            return Err(format!("the sum of block {block} is {}, not {sum}", sums_got[block]).into());
        }
    }
    run.time("scan", n, 8.0 * n as f64, "GB/s", &mut || {
        launch!(scan<<<blocks, 256>>>(&dx, &mut y, &mut sums))
    })
}
