//! The warp: 32 threads, called lanes, that run together and exchange values without memory.
//!
//! A set of lanes is a mask with bit `i` for lane `i`. Functions that take a mask wait until every
//! lane in it has made the same call; each lane that calls must be in the mask it passes.

mod reduce;
mod shuffle;
mod vote;

pub use reduce::{
    ReduceInteger, reduce, reduce_add, reduce_and, reduce_max, reduce_min, reduce_or, reduce_xor,
};
pub use shuffle::{Segment, shuffle, shuffle_down, shuffle_up, shuffle_xor};
pub use vote::{Match, all, any, ballot, match_all, match_any, uniform};

use crate::{intrinsics, thread};

/// Lanes in a warp.
pub const SIZE: u32 = 32;

/// The mask of all lanes.
pub const FULL: u32 = u32::MAX;

/// This thread's lane, below [`SIZE`] (`%laneid`).
#[inline(always)]
#[track_caller]
pub fn lane() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::laneid() }
}

/// This warp's number in its block: threads of consecutive [`thread::rank`] form a warp.
///
/// It is computed, since the register `%warpid` names a slot of the hardware instead.
#[inline(always)]
#[track_caller]
pub fn id() -> u32 {
    thread::rank() / SIZE
}

/// The mask of this lane alone (`%lanemask_eq`).
#[inline(always)]
#[track_caller]
pub fn mask_eq() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_eq() }
}

/// The mask of the lanes below this one (`%lanemask_lt`).
#[inline(always)]
#[track_caller]
pub fn mask_lt() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_lt() }
}

/// The mask of this lane and those below (`%lanemask_le`).
#[inline(always)]
#[track_caller]
pub fn mask_le() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_le() }
}

/// The mask of the lanes above this one (`%lanemask_gt`).
#[inline(always)]
#[track_caller]
pub fn mask_gt() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_gt() }
}

/// The mask of this lane and those above (`%lanemask_ge`).
#[inline(always)]
#[track_caller]
pub fn mask_ge() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::lanemask_ge() }
}

/// The mask of the lanes that run this instruction together just now (`activemask`).
///
/// It is a snapshot: which lanes of a branch arrive together is up to the hardware.
#[doc(alias = "__activemask")]
#[inline(always)]
#[track_caller]
pub fn active_mask() -> u32 {
    // SAFETY: reads which lanes run.
    unsafe { intrinsics::active_mask() }
}

/// Waits for the lanes of `mask`; what they wrote before is then visible to each other.
///
/// PTX `bar.warp.sync`, `__syncwarp()` of CUDA C.
#[doc(alias = "__syncwarp")]
#[inline(always)]
#[track_caller]
pub fn sync(mask: u32) {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::warp_barrier(mask) }
}
