//! The sum of all elements: a grid-stride loop, a shuffle tree in each warp, one word of shared memory
//! per warp, one atomic addition per block.

use crate::{Error, Run};
use ptyx::prelude::*;

/// The sum over a warp, in lane 0.
fn warp_sum(mut value: f32) -> f32 {
    for delta in [16, 8, 4, 2, 1] {
        value += warp::shuffle_down(warp::FULL, value, delta);
    }
    value
}

/// Adds the sum of `x` to `total[0]`; the block's size is a multiple of 32.
#[kernel]
pub fn reduce(x: &[f32], total: Atomics<f32>) {
    let partial = shared!([f32; 32]);
    let mut sum = 0.0;
    for i in thread::grid_stride(x.len()) {
        sum += x[i.get()];
    }
    let sum = warp_sum(sum);
    let (lane, warp) = (thread::x() % 32, thread::x() / 32);
    if lane == 0 {
        // SAFETY: each warp writes its own element, before the barrier.
        unsafe { partial.at(warp as usize).write(sum) }
    }
    block::sync();
    if warp == 0 {
        // SAFETY: written before the barrier, by as many warps as there are.
        let mine = unsafe {
            if lane < block::dim_x() / 32 { partial.at(lane as usize).read() } else { 0.0 }
        };
        let sum = warp_sum(mine);
        if lane == 0 {
            total[0].fetch_add(sum);
        }
    }
}

/// 2^28 elements.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 28, 100_000);
    let x = run.rng.vec_f32(n);
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut total = DeviceBuffer::zeroed(1)?;
    let blocks = run.blocks(8)?;
    launch!(reduce<<<blocks, 256>>>(&dx, &mut total))?;
    let got = f64::from(total.to_vec()?[0]);
    let want: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let size: f64 = x.iter().map(|&x| f64::from(x).abs()).sum();
    if (got - want).abs() > 1e-6 * size || got.is_nan() {
        return Err(format!("the sum is {got}, not {want}").into());
    }
    run.time("reduce", n, 4.0 * n as f64, "GB/s", &mut || {
        launch!(reduce<<<blocks, 256>>>(&dx, &mut total))
    })
}
