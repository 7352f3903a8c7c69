//! The warp: 32 threads, called lanes, that run together and exchange values without memory.
//!
//! A set of lanes is a mask with bit `i` for lane `i`. Functions that take a mask wait until every
//! lane in it has made the same call; each lane that calls must be in the mask it passes.
//!
//! Lanes and masks are special registers (PTX ISA, [Special Registers](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers)), the other
//! functions instructions that they name. All exist from `sm_70` on, unless a function says otherwise.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod reduce;
mod shuffle;
mod vote;

pub use reduce::{
    ReduceInteger, reduce, reduce_add, reduce_and, reduce_max, reduce_min, reduce_or, reduce_xor,
};
pub(crate) use shuffle::shuffle_up_marked;
pub use shuffle::{Segment, shuffle, shuffle_down, shuffle_up, shuffle_xor};
pub use vote::{Match, all, any, ballot, match_all, match_any, uniform};

use crate::{intrinsics, thread};

/// Lanes in a warp.
///
/// ```
/// use ptyx::device::warp;
/// let threads = 100u32;
/// assert_eq!(threads.div_ceil(warp::SIZE), 4); // warps in a block
/// ```
#[doc(alias = "warpSize")]
pub const SIZE: u32 = 32;

/// The mask of all lanes.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The sum over a full warp, in lane 0.
/// fn sum(mut value: f32) -> f32 {
///     for distance in [16, 8, 4, 2, 1] {
///         value += warp::shuffle_down(warp::FULL, value, distance);
///     }
///     value
/// }
/// assert_eq!(warp::FULL.count_ones(), warp::SIZE);
/// ```
pub const FULL: u32 = u32::MAX;

/// This thread's lane, below [`SIZE`] ([`%laneid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-laneid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn warp_sums(x: &[f32], sums: Atomics<f32>) {
///     let sum = warp::reduce(x[thread::index_1d().get()], |a, b| a + b);
///     if warp::lane() == 0 {
///         sums[0].fetch_add(sum); // one addition for each warp
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn lane() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::laneid() }
}

/// This warp's number in its block: threads of consecutive [`thread::rank`] form a warp.
///
/// It is computed, since the register `%warpid` names a slot of the hardware instead.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn warp_sums(x: &[f32], sums: Atomics<f32>) {
///     let sum = warp::reduce(x[thread::index_1d().get()], |a, b| a + b);
///     if warp::lane() == 0 {
///         sums[warp::id() as usize].fetch_add(sum);
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn id() -> u32 {
    thread::rank() / SIZE
}

/// The mask of this lane alone ([`%lanemask_eq`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-lanemask-eq)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Whether this lane is the lowest of `lanes`.
/// fn is_first(lanes: u32) -> bool {
///     lanes & lanes.wrapping_neg() == warp::mask_eq()
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn mask_eq() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_eq() }
}

/// The mask of the lanes below this one ([`%lanemask_lt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-lanemask-lt)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// How many lanes below this one hold a positive value: where to write this lane's.
/// fn place(value: f32) -> u32 {
///     let positive = warp::ballot(warp::FULL, value > 0.0);
///     (positive & warp::mask_lt()).count_ones()
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn mask_lt() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_lt() }
}

/// The mask of this lane and those below ([`%lanemask_le`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-lanemask-le)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The running count of positive values, this lane's included.
/// fn running_count(value: f32) -> u32 {
///     let positive = warp::ballot(warp::FULL, value > 0.0);
///     (positive & warp::mask_le()).count_ones()
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn mask_le() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_le() }
}

/// The mask of the lanes above this one ([`%lanemask_gt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-lanemask-gt)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The next lane above this one that holds a positive value.
/// fn next_positive(value: f32) -> Option<u32> {
///     let above = warp::ballot(warp::FULL, value > 0.0) & warp::mask_gt();
///     (above != 0).then(|| above.trailing_zeros())
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn mask_gt() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_gt() }
}

/// The mask of this lane and those above ([`%lanemask_ge`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-lanemask-ge)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Whether this lane and all above it hold a positive value.
/// fn positive_from_here(value: f32) -> bool {
///     let positive = warp::ballot(warp::FULL, value > 0.0);
///     positive & warp::mask_ge() == warp::mask_ge()
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn mask_ge() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_ge() }
}

/// The mask of the lanes that execute this instruction together (PTX [`activemask`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-activemask)).
///
/// It is a snapshot: which lanes of a branch arrive together is up to the hardware.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Adds 1 for each thread that comes here, with one atomic addition for those that come together.
/// fn count(counter: &Atomic<u32>) {
///     let together = warp::active_mask();
///     if together & warp::mask_lt() == 0 {
///         counter.fetch_add(together.count_ones());
///     }
/// }
/// ```
#[doc(alias = "__activemask")]
#[inline(always)]
#[track_caller]
pub fn active_mask() -> u32 {
    // SAFETY: reads which lanes run.
    unsafe { intrinsics::active_mask() }
}

/// Waits for the lanes of `mask`. What each wrote before is then visible to all of them.
///
/// PTX [`bar.warp.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar-warp-sync), `__syncwarp()` of CUDA C.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The value of the next lane, by shared memory.
/// fn next(value: f32) -> f32 {
///     let row = shared!([[f32; 32]; 32]).cells(0.0).at(warp::id() as usize);
///     row.set(warp::lane() as usize, value);
///     warp::sync(warp::FULL);
///     row.get((warp::lane() as usize + 1) % 32)
/// }
/// ```
#[doc(alias = "__syncwarp")]
#[inline(always)]
#[track_caller]
pub fn sync(mask: u32) {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::warp_barrier(mask) }
}

/// True in one lane of `mask`, which the hardware chooses; it is always the same for the same mask.
///
/// All lanes of the mask must make the call. Machine code that only one lane runs, such as the start of a bulk copy, is
/// shorter with this than with a comparison of lanes.
///
/// PTX [`elect.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-elect-sync)
/// (`sm_90`).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Counts the warps that come here.
/// fn count(warps: &Atomic<u32>) {
///     if warp::elect(warp::FULL) {
///         warps.fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "elect_one_sync")]
#[inline(always)]
#[track_caller]
pub fn elect(mask: u32) -> bool {
    // SAFETY: reads and writes nothing.
    unsafe { intrinsics::elect(mask) != 0 }
}
