//! Blocks that take over the work of blocks that have not started (PTX ISA,
//! [`clusterlaunchcontrol`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-clusterlaunchcontrol-try-cancel), `sm_100`).
//!
//! A block that has done its own work can cancel the launch of another one and do that block's work as well. So what a block
//! prepares once, such as a table in shared memory, serves many, and blocks that are done early help the others. On older
//! architectures, each block does only its own work.

use crate::barrier::{Barrier, Phase, State};
use crate::shared::Shared;
use crate::{
    DeviceCopy, Dim3, arch_at_least, block, group, intrinsics, layout_name, layout_of, thread,
};

/// What [`for_each_block`] needs in shared memory: `shared!(launch_control::Place)`.
///
/// ```
/// use ptyx::device::launch_control::Place;
/// assert_eq!(size_of::<Place>(), 32);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Place {
    answer: u128,
    barrier: State,
}

// SAFETY: numbers; every bit pattern is a value, although the hardware understands few of the barrier's.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for Place {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "launch_control::Place");
}

/// Calls `work` with the index of this block, and then with those of blocks whose launch this one cancels, until none is left
/// that has not started. So each index of the grid is worked on once, whichever blocks run.
///
/// All threads of the block call it together and get the same indices; between two of them, they wait for each other.
/// `block::x()` and what is calculated from it, such as `thread::index_1d()` and the parts of arrays that threads own, stay those
/// of the block that runs. In a launch with clusters of several blocks, and below `sm_100`, `work` is called once.
///
/// PTX [`clusterlaunchcontrol.try_cancel`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-clusterlaunchcontrol-try-cancel),
/// [`.query_cancel`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-clusterlaunchcontrol-query-cancel) (`sm_100`).
///
/// ```
/// use ptyx::device::launch_control;
/// use ptyx::prelude::*;
///
/// /// Counts values in bins. The bins in shared memory serve all parts of the data that fall to the block.
/// #[kernel]
/// fn histogram(data: &[u32], bins: Atomics<u32>) {
///     let own = shared!([u32; 256]).atomics(0);
///     launch_control::for_each_block(shared!(launch_control::Place), |part| {
///         let i = (part.x * block::dim_x() + thread::x()) as usize;
///         if let Some(value) = data.get(i) {
///             own[*value as usize % 256].fetch_add(1);
///         }
///     });
///     block::sync();
///     for bin in (thread::x() as usize..256).step_by(block::dim_x() as usize) {
///         bins[bin].fetch_add(own[bin].load());
///     }
/// }
/// ```
#[doc(alias = "for_each_canceled_block")]
#[inline(always)]
#[track_caller]
pub fn for_each_block(place: Shared<Place>, mut work: impl FnMut(Dim3)) {
    work(block::idx());
    if arch_at_least!(100) && group::cluster().blocks() == 1 {
        take_over(place, work);
    }
}

/// Works on what other blocks would have done.
#[inline(always)]
fn take_over(place: Shared<Place>, mut work: impl FnMut(Dim3)) {
    let place = place.as_mut_ptr();
    // SAFETY: the fields of the block's memory.
    let (answer, state) =
        unsafe { (&raw mut (*place).answer, Shared::<State>::new(&raw mut (*place).barrier)) };
    let (barrier, mut phase) = (Barrier::new(state, 1), Phase::FIRST);
    // Thread 0 may have ended with a panic: then nobody asks any more.
    while block::sync_or(thread::rank() == 0) {
        if thread::rank() == 0 {
            barrier.arrive_expect_tx(size_of::<u128>() as u32).forget();
            // SAFETY: all threads have read the last answer, and wait for this one before they go on.
            unsafe {
                intrinsics::fence_proxy_async_shared(answer.cast());
                intrinsics::try_cancel(answer, barrier.as_mut_ptr());
            }
        }
        phase = barrier.wait_phase(phase);
        // SAFETY: the answer has arrived, and stays until all threads are at the barrier above.
        let answer = unsafe { answer.read_volatile() };
        // SAFETY: what such an instruction has answered.
        unsafe {
            if intrinsics::is_canceled(answer) == 0 {
                return;
            }
            work(Dim3 {
                x: intrinsics::first_ctaid_x(answer),
                y: intrinsics::first_ctaid_y(answer),
                z: intrinsics::first_ctaid_z(answer),
            });
        }
    }
}
