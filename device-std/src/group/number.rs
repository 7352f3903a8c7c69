//! Numbers that groups reduce by name, with the hardware's reduction (`redux.sync`) where it has one.

use super::lanes::LaneGroup;
use super::sealed::Sealed;
use crate::{DeviceCopy, warp};

/// A number whose sum, least and greatest value a group can find: integers of every width, `f32`, `f64`; with the feature
/// `half` also `f16`, `bf16`, and pairs of them, whose first and second numbers are reduced separately.
///
/// From compute capability 8.0 on, integers of up to 32 bits take one instruction
/// ([`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync)).
///
/// ```
/// use ptyx::device::group::{LaneGroup, ReduceNumber};
///
/// /// The range of the members' values.
/// fn range<T: ReduceNumber>(group: impl LaneGroup, value: T) -> (T, T) {
///     (group.reduce_min(value), group.reduce_max(value))
/// }
/// ```
pub trait ReduceNumber: DeviceCopy + Sealed {
    #[doc(hidden)]
    fn sum_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn add_two(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn min_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn min_two(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn max_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn max_two(a: Self, b: Self) -> Self;
}

/// An integer whose bits a group can combine.
///
/// ```
/// use ptyx::device::group::{LaneGroup, ReduceBits};
///
/// /// The bits that some members have set and others have not.
/// fn disputed<T: ReduceBits + core::ops::BitXor<Output = T>>(group: impl LaneGroup, flags: T) -> T {
///     group.reduce_or(flags) ^ group.reduce_and(flags)
/// }
/// ```
pub trait ReduceBits: DeviceCopy + Sealed {
    #[doc(hidden)]
    fn and_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn and_two(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn or_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn or_two(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn xor_of(group: impl LaneGroup, value: Self) -> Self;
    #[doc(hidden)]
    fn xor_two(a: Self, b: Self) -> Self;
}

/// One operation, of two values and of a group's: by shuffles, or as that of a wider integer by the hardware.
macro_rules! operation {
    ($name:ident $two:ident, $combine:path) => {
        operation!(@two $two, $combine);

        #[inline(always)]
        fn $name(group: impl LaneGroup, value: Self) -> Self {
            group.reduce(value, Self::$two)
        }
    };
    ($name:ident $two:ident, $combine:path, $hardware:ident $wide:ident) => {
        operation!(@two $two, $combine);

        #[inline(always)]
        fn $name(group: impl LaneGroup, value: Self) -> Self {
            if crate::arch_at_least!(80) {
                warp::$hardware(group.mask(), value as $wide) as Self
            } else {
                group.reduce(value, Self::$two)
            }
        }
    };
    (@two $two:ident, $combine:path) => {
        #[inline(always)]
        fn $two(a: Self, b: Self) -> Self {
            $combine(a, b)
        }
    };
}

macro_rules! integers {
    ($($type:ident $($wide:ident)?;)*) => {$(
        impl Sealed for $type {}

        impl ReduceNumber for $type {
            operation!(sum_of add_two, $type::wrapping_add $(, reduce_add $wide)?);
            operation!(min_of min_two, Ord::min $(, reduce_min $wide)?);
            operation!(max_of max_two, Ord::max $(, reduce_max $wide)?);
        }

        impl ReduceBits for $type {
            operation!(and_of and_two, core::ops::BitAnd::bitand $(, reduce_and $wide)?);
            operation!(or_of or_two, core::ops::BitOr::bitor $(, reduce_or $wide)?);
            operation!(xor_of xor_two, core::ops::BitXor::bitxor $(, reduce_xor $wide)?);
        }
    )*};
}

integers! {
    u8 u32;
    u16 u32;
    u32 u32;
    u64;
    u128;
    usize;
    i8 i32;
    i16 i32;
    i32 i32;
    i64;
    i128;
    isize;
}

macro_rules! floats {
    ($($type:ident)*) => {$(
        impl Sealed for $type {}

        impl ReduceNumber for $type {
            operation!(sum_of add_two, core::ops::Add::add);
            operation!(min_of min_two, $type::min);
            operation!(max_of max_two, $type::max);
        }
    )*};
}

floats! { f32 f64 }
