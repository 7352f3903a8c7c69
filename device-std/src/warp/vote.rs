//! Votes on a truth value, and matches of a value, among the lanes of a mask.
//!
//! PTX ISA: [`vote.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync) and [`match.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
//! Every device that Ptyx supports has them (`sm_70`).

use crate::intrinsics;

/// Whether `predicate` holds in every lane of `mask`.
///
/// PTX [`vote.sync.all`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Halves `x` until it is small in every lane of a full warp.
/// fn settle(mut x: f32) -> f32 {
///     while !warp::all(warp::FULL, x < 1.0) {
///         x *= 0.5;
///     }
///     x
/// }
/// ```
#[doc(alias = "__all_sync")]
#[inline(always)]
#[track_caller]
pub fn all(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_all(mask, predicate as u32) != 0 }
}

/// Whether `predicate` holds in some lane of `mask`.
///
/// PTX [`vote.sync.any`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn mark(x: &[f32], bad_warps: Atomics<u32>) {
///     let bad = warp::any(warp::FULL, x[thread::index_1d().get()].is_nan());
///     if bad && warp::lane() == 0 {
///         bad_warps[0].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "__any_sync")]
#[inline(always)]
#[track_caller]
pub fn any(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_any(mask, predicate as u32) != 0 }
}

/// Whether `predicate` is the same in every lane of `mask`.
///
/// PTX [`vote.sync.uni`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Whether a branch on `condition` would divide a full warp.
/// fn diverges(condition: bool) -> bool {
///     !warp::uniform(warp::FULL, condition)
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn uniform(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_uni(mask, predicate as u32) != 0 }
}

/// The mask of those lanes of `mask` in which `predicate` holds.
///
/// PTX [`vote.sync.ballot`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn count_positive(x: &[f32], count: Atomics<u32>) {
///     let positive = warp::ballot(warp::FULL, x[thread::index_1d().get()] > 0.0);
///     if warp::lane() == 0 {
///         count[0].fetch_add(positive.count_ones());
///     }
/// }
/// ```
#[doc(alias = "__ballot_sync")]
#[inline(always)]
#[track_caller]
pub fn ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_ballot(mask, predicate as u32) }
}

/// A value that lanes can be compared by: 32- and 64-bit integers and floats, by their bits.
///
/// ```
/// use ptyx::device::warp::{self, Match};
///
/// /// How many lanes of a full warp have this lane's value.
/// fn equals<T: Match>(value: T) -> u32 {
///     warp::match_any(warp::FULL, value).count_ones()
/// }
/// ```
pub trait Match: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn any(self, mask: u32) -> u32;
    #[doc(hidden)]
    fn all(self, mask: u32) -> u32;
}

mod sealed {
    /// Only the types below can be compared.
    pub trait Sealed {}
}

macro_rules! matches {
    ($any:ident $all:ident: $($type:ty, $bits:expr;)*) => {$(
        impl sealed::Sealed for $type {}
        impl Match for $type {
            #[inline(always)]
            fn any(self, mask: u32) -> u32 {
                // SAFETY: exchanges values between lanes.
                unsafe { intrinsics::$any(mask, $bits(self)) }
            }

            #[inline(always)]
            fn all(self, mask: u32) -> u32 {
                // SAFETY: exchanges values between lanes.
                unsafe { intrinsics::$all(mask, $bits(self)) }
            }
        }
    )*};
}

matches! { match_any_32 match_all_32:
    u32, core::convert::identity;
    i32, i32::cast_unsigned;
    f32, f32::to_bits;
}
matches! { match_any_64 match_all_64:
    u64, core::convert::identity;
    i64, i64::cast_unsigned;
    f64, f64::to_bits;
    usize, (|value| value as u64);
}

/// The mask of those lanes of `mask` whose value has the same bits as this lane's.
///
/// PTX [`match.any.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn histogram(values: &[u32], counts: Atomics<u32>) {
///     // One addition for all lanes of a full warp with the same value, by the lowest of them.
///     let value = values[thread::index_1d().get()];
///     let same = warp::match_any(warp::FULL, value);
///     if same & warp::mask_lt() == 0 {
///         counts[value as usize].fetch_add(same.count_ones());
///     }
/// }
/// ```
#[doc(alias = "__match_any_sync")]
#[inline(always)]
#[track_caller]
pub fn match_any<T: Match>(mask: u32, value: T) -> u32 {
    value.any(mask)
}

/// Whether the value has the same bits in every lane of `mask`.
///
/// PTX [`match.all.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The index that all lanes of a full warp agree on, if they do.
/// fn common(index: u32) -> Option<u32> {
///     warp::match_all(warp::FULL, index).then_some(index)
/// }
/// ```
#[doc(alias = "__match_all_sync")]
#[inline(always)]
#[track_caller]
pub fn match_all<T: Match>(mask: u32, value: T) -> bool {
    value.all(mask) != 0
}
