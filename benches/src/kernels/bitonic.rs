//! One step of a bitonic sort in global memory.

use crate::{Error, Run};
use ptyx::prelude::*;

/// Orders the pairs at distance `j` of the sequences of length `k`. One thread an element; the
/// number of elements is a power of two.
#[kernel]
pub fn bitonic(j: u32, k: u32, data: SliceMut<u32>) {
    let i = block::x() * block::dim_x() + thread::x();
    let partner = i ^ j;
    if partner > i && (partner as usize) < data.len() {
        // SAFETY: the pair is this thread's alone.
        let (a, b) = unsafe { (data.read(i as usize), data.read(partner as usize)) };
        if (a > b) == (i & k == 0) {
            // SAFETY: as above.
            unsafe {
                data.write(i as usize, b);
                data.write(partner as usize, a);
            }
        }
    }
}

/// 2^24 elements sorted; the time is that of one step.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 24, 1 << 9);
    let mut want: Vec<u32> = (0..n).map(|_| run.rng.next_u64() as u32).collect();
    let mut data = DeviceBuffer::from_slice(&want)?;
    let blocks = n.div_ceil(256);
    let mut k = 2;
    while k <= n {
        let mut j = k / 2;
        while j > 0 {
            launch!(bitonic<<<blocks, 256>>>(j as u32, k as u32, &mut data))?;
            j /= 2;
        }
        k *= 2;
    }
    want.sort_unstable();
    if data.to_vec()? != want {
        return Err("the numbers are not sorted".into());
    }
    let (j, k) = (n as u32 / 4, n as u32);
    run.time("bitonic", n, 8.0 * n as f64, "GB/s", &mut || {
        launch!(bitonic<<<blocks, 256>>>(j, k, &mut data))
    })
}
