//! Reductions over the lanes of a warp.
//!
//! [`reduce`] takes any values, on every device that Ptyx supports (`sm_70`); the others are single instructions for
//! integers of 32 bits, from `sm_80` on. PTX ISA,
//! [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and
//! [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync).

use super::{FULL, ballot, shuffle, shuffle_xor};
use crate::{DeviceCopy, intrinsics};

/// Combines the values of all active lanes of the warp; each of them gets the result.
///
/// Every thread of the warp that has not ended must make the call. Threads that have ended contribute
/// nothing, nor do the lanes without a thread in the last warp of a block whose size is not a multiple of 32.
///
/// `combine` should be associative and commutative. A full warp combines lanes in pairs, then in fours and
/// so on (a vote and five shuffles). Other warps combine them one after another (one shuffle for each
/// lane).
///
/// PTX [`vote.sync.ballot`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync) and
/// [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) (`sm_70`).
///
/// ```no_run
/// use ptyx_device::warp;
/// fn sum(value: f32) -> f32 {
///     warp::reduce(value, |a, b| a + b)
/// }
/// ```
#[inline(always)]
pub fn reduce<T: DeviceCopy>(value: T, combine: impl Fn(T, T) -> T) -> T {
    // A vote of all counts those that have not exited (PTX ISA, `vote.sync`).
    let present = ballot(FULL, true);
    if present != FULL {
        return reduce_some(present, value, combine);
    }
    let mut value = value;
    let mut distance = super::SIZE / 2;
    while distance > 0 {
        value = combine(value, shuffle_xor(FULL, value, distance));
        distance /= 2;
    }
    value
}

/// The same for the lanes of `present`, which names at least one.
#[inline(always)]
fn reduce_some<T: DeviceCopy>(present: u32, value: T, combine: impl Fn(T, T) -> T) -> T {
    let mut result = shuffle(present, value, present.trailing_zeros());
    let mut left = present & (present - 1);
    while left != 0 {
        result = combine(result, shuffle(present, value, left.trailing_zeros()));
        left &= left - 1;
    }
    result
}

/// An integer that the hardware reduces over lanes in one instruction: `u32` and `i32`.
///
/// ```
/// use ptyx::device::warp::{self, ReduceInteger};
///
/// /// The range of the values in a full warp.
/// fn range<T: ReduceInteger>(value: T) -> (T, T) {
///     (warp::reduce_min(warp::FULL, value), warp::reduce_max(warp::FULL, value))
/// }
/// ```
pub trait ReduceInteger: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn bits(self) -> u32;
    #[doc(hidden)]
    fn from_bits(bits: u32) -> Self;
    #[doc(hidden)]
    fn min(self, mask: u32) -> Self;
    #[doc(hidden)]
    fn max(self, mask: u32) -> Self;
}

mod sealed {
    /// Only the types below are reduced by the hardware.
    pub trait Sealed {}
}

macro_rules! integers {
    ($($type:ty, $bits:expr, $from_bits:expr, $min:ident, $max:ident;)*) => {$(
        impl sealed::Sealed for $type {}
        impl ReduceInteger for $type {
            #[inline(always)]
            fn bits(self) -> u32 {
                $bits(self)
            }

            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                $from_bits(bits)
            }

            #[inline(always)]
            fn min(self, mask: u32) -> Self {
                // SAFETY: exchanges values between lanes.
                unsafe { intrinsics::$min(mask, self) }
            }

            #[inline(always)]
            fn max(self, mask: u32) -> Self {
                // SAFETY: exchanges values between lanes.
                unsafe { intrinsics::$max(mask, self) }
            }
        }
    )*};
}

integers! {
    u32, u32::from, u32::from, reduce_min_u32, reduce_max_u32;
    i32, i32::cast_unsigned, u32::cast_signed, reduce_min_i32, reduce_max_i32;
}

macro_rules! reductions {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// A kernel that uses it needs a device of compute capability 8.0 or higher; [`reduce`] runs on all.
        /// PTX [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) (`sm_80`).
        #[inline(always)]
        pub fn $name<T: ReduceInteger>(mask: u32, value: T) -> T {
            // SAFETY: exchanges values between lanes.
            T::from_bits(unsafe { intrinsics::$name(mask, value.bits()) })
        }
    )*};
}

reductions! {
    /// The sum over the lanes of `mask`, wrapping.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn sum(values: &[u32], total: Atomics<u32>) {
    ///     let sum = warp::reduce_add(warp::FULL, values[thread::index_1d().get()]);
    ///     if warp::lane() == 0 {
    ///         total[0].fetch_add(sum);
    ///     }
    /// }
    /// ```
    #[doc(alias = "__reduce_add_sync")]
    reduce_add;
    /// The bitwise AND over the lanes of `mask`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The flags that every lane has set.
    /// fn common(flags: u32) -> u32 {
    ///     warp::reduce_and(warp::FULL, flags)
    /// }
    /// ```
    #[doc(alias = "__reduce_and_sync")]
    reduce_and;
    /// The bitwise OR over the lanes of `mask`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The flags that some lane has set.
    /// fn combined(flags: u32) -> u32 {
    ///     warp::reduce_or(warp::FULL, flags)
    /// }
    /// ```
    #[doc(alias = "__reduce_or_sync")]
    reduce_or;
    /// The bitwise exclusive OR over the lanes of `mask`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// A checksum of the words of a full warp.
    /// fn parity(word: u32) -> u32 {
    ///     warp::reduce_xor(warp::FULL, word)
    /// }
    /// ```
    #[doc(alias = "__reduce_xor_sync")]
    reduce_xor;
}

/// The least value in the lanes of `mask`.
///
/// A kernel that uses it needs a device of compute capability 8.0 or higher; [`reduce`] runs on all.
/// PTX [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) (`sm_80`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn least(values: &[i32], result: Atomics<i32>) {
///     let least = warp::reduce_min(warp::FULL, values[thread::index_1d().get()]);
///     if warp::lane() == 0 {
///         result[0].fetch_min(least);
///     }
/// }
/// ```
#[doc(alias = "__reduce_min_sync")]
#[inline(always)]
pub fn reduce_min<T: ReduceInteger>(mask: u32, value: T) -> T {
    value.min(mask)
}

/// The greatest value in the lanes of `mask`.
///
/// A kernel that uses it needs a device of compute capability 8.0 or higher; [`reduce`] runs on all.
/// PTX [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) (`sm_80`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn greatest(values: &[i32], result: Atomics<i32>) {
///     let greatest = warp::reduce_max(warp::FULL, values[thread::index_1d().get()]);
///     if warp::lane() == 0 {
///         result[0].fetch_max(greatest);
///     }
/// }
/// ```
#[doc(alias = "__reduce_max_sync")]
#[inline(always)]
pub fn reduce_max<T: ReduceInteger>(mask: u32, value: T) -> T {
    value.max(mask)
}
