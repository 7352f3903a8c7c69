//! Keeps the elements above a threshold: a vote in each warp, one atomic addition per warp.

use crate::{Error, Run};
use ptyx::prelude::*;

/// Appends the elements of `x` above `threshold` to `kept`; `count` is how many there are.
#[kernel]
pub fn compact(threshold: f32, x: &[f32], kept: SliceMut<f32>, count: Atomics<u32>) {
    let i = thread::index_1d().get();
    let value = x.get(i).copied();
    let keep = value.is_some_and(|value| value > threshold);
    let votes = warp::ballot(warp::FULL, keep);
    let mut start = 0;
    if warp::lane() == 0 {
        start = count[0].fetch_add(votes.count_ones());
    }
    let start = warp::shuffle(warp::FULL, start, 0);
    if let (Some(value), true) = (value, keep) {
        let place = start + (votes & warp::mask_lt()).count_ones();
        // SAFETY: a place of this thread's own.
        unsafe { kept.write(place as usize, value) }
    }
}

/// 2^26 elements, of which a third are kept.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 26, 20_000);
    let x = run.rng.vec_f32(n);
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut kept = DeviceBuffer::zeroed(n)?;
    let mut count = DeviceBuffer::zeroed(1)?;
    launch!(compact<<<n.div_ceil(256), 256>>>(0.33, &dx, &mut kept, &mut count))?;
    let mut want: Vec<f32> = x.into_iter().filter(|&x| x > 0.33).collect();
    if count.to_vec()?[0] as usize != want.len() {
        return Err(format!("{} were kept, not {}", count.to_vec()?[0], want.len()).into());
    }
    let mut got = kept.to_vec()?;
    got.truncate(want.len());
    want.sort_unstable_by(f32::total_cmp);
    got.sort_unstable_by(f32::total_cmp);
    if got != want {
        return Err("other elements were kept".into());
    }
    let stream = Stream::default()?;
    run.time("compact", n, 4.0 * (n + want.len()) as f64, "GB/s", &mut || {
        count.zero_on(&stream)?;
        launch!(compact<<<n.div_ceil(256), 256>>>(0.33, &dx, &mut kept, &mut count))
    })
}
