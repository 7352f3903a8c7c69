//! Votes on a truth value, and matches of a value, among the lanes of a mask.
//!
//! PTX ISA: `vote.sync` and `match.sync`.

use crate::intrinsics;

/// Whether `predicate` holds in every lane of `mask`.
#[doc(alias = "__all_sync")]
#[inline(always)]
#[track_caller]
pub fn all(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_all(mask, predicate as u32) != 0 }
}

/// Whether `predicate` holds in some lane of `mask`.
#[doc(alias = "__any_sync")]
#[inline(always)]
#[track_caller]
pub fn any(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_any(mask, predicate as u32) != 0 }
}

/// Whether `predicate` is the same in every lane of `mask`.
#[inline(always)]
#[track_caller]
pub fn uniform(mask: u32, predicate: bool) -> bool {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_uni(mask, predicate as u32) != 0 }
}

/// The mask of those lanes of `mask` in which `predicate` holds.
#[doc(alias = "__ballot_sync")]
#[inline(always)]
#[track_caller]
pub fn ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: exchanges values between lanes.
    unsafe { intrinsics::vote_ballot(mask, predicate as u32) }
}

/// A value that lanes can be compared by: 32- and 64-bit integers and floats, by their bits.
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
#[doc(alias = "__match_any_sync")]
#[inline(always)]
#[track_caller]
pub fn match_any<T: Match>(mask: u32, value: T) -> u32 {
    value.any(mask)
}

/// Whether the value has the same bits in every lane of `mask`.
#[doc(alias = "__match_all_sync")]
#[inline(always)]
#[track_caller]
pub fn match_all<T: Match>(mask: u32, value: T) -> bool {
    value.all(mask) != 0
}
