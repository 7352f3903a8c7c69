//! Arithmetic and conversions that round in a given direction.
//!
//! Rust's operators round to the nearest value; `add_ru`, say, gives the least value that is not less
//! than the exact sum. Results are as IEEE 754 defines them, subnormal numbers included, and never
//! become part of a fused operation. They are meant for interval arithmetic.
//!
//! (PTX ISA, [Rounding Modifiers](https://docs.nvidia.com/cuda/parallel-thread-execution/#rounding-modifiers), `sm_70`.)
//!
//! | ending | rounds | PTX |
//! |---|---|---|
//! | `_rn` | to the nearest, ties to even | `.rn` |
//! | `_rz` | towards zero | `.rz` |
//! | `_ru` | up, towards +∞ | `.rp` |
//! | `_rd` | down, towards -∞ | `.rm` |
//!
//! # Panics
//! On the host, like all functions that only a device has.

use super::rounded::{Rounded, arithmetic};
use super::special::Real;
use crate::intrinsics;

macro_rules! functions {
    ($($name:ident $([$negated:ident])? ($($argument:ident),*) = $f32:ident $f64:ident, $doc:literal, alias $($cuda:literal)*;)*) => {$(
        #[doc = $doc]
        ///
        /// ```
        /// use ptyx::{device::math::{Real, rounding}, prelude::*};
        ///
        /// #[kernel]
        #[doc = concat!("fn compute<T: Real + Num>(", $(stringify!($argument), ": T, ",)* "mut result: Disjoint<T>) {")]
        ///     if let Some(result) = result.get_mut(thread::index_1d()) {
        #[doc = concat!("        *result = rounding::", stringify!($name), "(", stringify!($($argument),*), ");")]
        ///     }
        /// }
        /// ```
        $(#[doc(alias = $cuda)])*
        #[inline(always)]
        pub fn $name<T: Real>($($argument: T),*) -> T {
            <T as Rounded>::$name($($argument),*)
        }
    )*};
}
arithmetic!(functions);

/// A conversion to `To` that rounds in a given direction.
///
/// Floats become integers, integers floats, and `f64` becomes `f32`; with the feature `half`, integers of 8 to 64
/// bits and floats become `f16` and `bf16`, which become integers, on the host, too (`bf16` by instructions from `sm_90`
/// on, those from `f32` from `sm_80` on). As everywhere in PTX, a value that does not fit an integer becomes the nearest one that does, and NaN becomes 0 or, from `f64` or to 64
/// bits, the integer whose highest bit alone is set (PTX ISA, [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
///
/// ```
/// use ptyx::device::math::rounding::{Convert, convert_rd, convert_ru};
///
/// /// The integers below and above a number.
/// fn bounds<T: Convert<i32> + Copy>(x: T) -> (i32, i32) {
///     (convert_rd(x), convert_ru(x))
/// }
/// ```
pub trait Convert<To> {
    #[doc(hidden)]
    fn rn(self) -> To;
    #[doc(hidden)]
    fn rz(self) -> To;
    #[doc(hidden)]
    fn ru(self) -> To;
    #[doc(hidden)]
    fn rd(self) -> To;
}

macro_rules! conversions {
    ($($from:ident $to:ident: $rn:ident $rz:ident $ru:ident $rd:ident;)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn rn(self) -> $to {
                // SAFETY: only computes.
                unsafe { intrinsics::$rn(self) }
            }
            #[inline(always)]
            fn rz(self) -> $to {
                // SAFETY: only computes.
                unsafe { intrinsics::$rz(self) }
            }
            #[inline(always)]
            fn ru(self) -> $to {
                // SAFETY: only computes.
                unsafe { intrinsics::$ru(self) }
            }
            #[inline(always)]
            fn rd(self) -> $to {
                // SAFETY: only computes.
                unsafe { intrinsics::$rd(self) }
            }
        }
    )*};
}

conversions! {
    f64 f32: f64_to_f32_rn f64_to_f32_rz f64_to_f32_ru f64_to_f32_rd;
    f32 i32: f32_to_i32_rn f32_to_i32_rz f32_to_i32_ru f32_to_i32_rd;
    f32 u32: f32_to_u32_rn f32_to_u32_rz f32_to_u32_ru f32_to_u32_rd;
    f32 i64: f32_to_i64_rn f32_to_i64_rz f32_to_i64_ru f32_to_i64_rd;
    f32 u64: f32_to_u64_rn f32_to_u64_rz f32_to_u64_ru f32_to_u64_rd;
    f64 i32: f64_to_i32_rn f64_to_i32_rz f64_to_i32_ru f64_to_i32_rd;
    f64 u32: f64_to_u32_rn f64_to_u32_rz f64_to_u32_ru f64_to_u32_rd;
    f64 i64: f64_to_i64_rn f64_to_i64_rz f64_to_i64_ru f64_to_i64_rd;
    f64 u64: f64_to_u64_rn f64_to_u64_rz f64_to_u64_ru f64_to_u64_rd;
    i32 f32: i32_to_f32_rn i32_to_f32_rz i32_to_f32_ru i32_to_f32_rd;
    u32 f32: u32_to_f32_rn u32_to_f32_rz u32_to_f32_ru u32_to_f32_rd;
    i64 f32: i64_to_f32_rn i64_to_f32_rz i64_to_f32_ru i64_to_f32_rd;
    u64 f32: u64_to_f32_rn u64_to_f32_rz u64_to_f32_ru u64_to_f32_rd;
    i64 f64: i64_to_f64_rn i64_to_f64_rz i64_to_f64_ru i64_to_f64_rd;
    u64 f64: u64_to_f64_rn u64_to_f64_rz u64_to_f64_ru u64_to_f64_rd;
}

/// `x` as another type, rounded to the nearest, ties to even: see [`Convert`].
///
/// ```
/// use ptyx::{device::math::rounding, prelude::*};
///
/// #[kernel]
/// fn to_integers(x: &[f32], mut y: Disjoint<i32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = rounding::convert_rn(x[i.get()]); // 2.5 becomes 2
///     }
/// }
/// ```
#[doc(alias = "__double2float_rn")]
#[doc(alias = "__float2int_rn")]
#[doc(alias = "__float2uint_rn")]
#[doc(alias = "__float2ll_rn")]
#[doc(alias = "__float2ull_rn")]
#[doc(alias = "__double2int_rn")]
#[doc(alias = "__double2uint_rn")]
#[doc(alias = "__double2ll_rn")]
#[doc(alias = "__double2ull_rn")]
#[doc(alias = "__int2float_rn")]
#[doc(alias = "__uint2float_rn")]
#[doc(alias = "__ll2float_rn")]
#[doc(alias = "__ull2float_rn")]
#[doc(alias = "__ll2double_rn")]
#[doc(alias = "__ull2double_rn")]
#[inline(always)]
pub fn convert_rn<T: Convert<U>, U>(x: T) -> U {
    x.rn()
}

/// `x` as another type, rounded towards zero: see [`Convert`].
///
/// ```
/// use ptyx::{device::math::rounding, prelude::*};
///
/// #[kernel]
/// fn to_integers(x: &[f32], mut y: Disjoint<i32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = rounding::convert_rz(x[i.get()]); // -1.5 becomes -1
///     }
/// }
/// ```
#[doc(alias = "__double2float_rz")]
#[doc(alias = "__float2int_rz")]
#[doc(alias = "__float2uint_rz")]
#[doc(alias = "__float2ll_rz")]
#[doc(alias = "__float2ull_rz")]
#[doc(alias = "__double2int_rz")]
#[doc(alias = "__double2uint_rz")]
#[doc(alias = "__double2ll_rz")]
#[doc(alias = "__double2ull_rz")]
#[doc(alias = "__int2float_rz")]
#[doc(alias = "__uint2float_rz")]
#[doc(alias = "__ll2float_rz")]
#[doc(alias = "__ull2float_rz")]
#[doc(alias = "__ll2double_rz")]
#[doc(alias = "__ull2double_rz")]
#[inline(always)]
pub fn convert_rz<T: Convert<U>, U>(x: T) -> U {
    x.rz()
}

/// `x` as another type, rounded up: see [`Convert`].
///
/// ```
/// use ptyx::{device::math::rounding, prelude::*};
///
/// #[kernel]
/// fn to_integers(x: &[f32], mut y: Disjoint<i32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = rounding::convert_ru(x[i.get()]); // -1.5 becomes -1
///     }
/// }
/// ```
#[doc(alias = "__double2float_ru")]
#[doc(alias = "__float2int_ru")]
#[doc(alias = "__float2uint_ru")]
#[doc(alias = "__float2ll_ru")]
#[doc(alias = "__float2ull_ru")]
#[doc(alias = "__double2int_ru")]
#[doc(alias = "__double2uint_ru")]
#[doc(alias = "__double2ll_ru")]
#[doc(alias = "__double2ull_ru")]
#[doc(alias = "__int2float_ru")]
#[doc(alias = "__uint2float_ru")]
#[doc(alias = "__ll2float_ru")]
#[doc(alias = "__ull2float_ru")]
#[doc(alias = "__ll2double_ru")]
#[doc(alias = "__ull2double_ru")]
#[inline(always)]
pub fn convert_ru<T: Convert<U>, U>(x: T) -> U {
    x.ru()
}

/// `x` as another type, rounded down: see [`Convert`].
///
/// ```
/// use ptyx::{device::math::rounding, prelude::*};
///
/// #[kernel]
/// fn to_integers(x: &[f32], mut y: Disjoint<i32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = rounding::convert_rd(x[i.get()]); // -1.5 becomes -2
///     }
/// }
/// ```
#[doc(alias = "__double2float_rd")]
#[doc(alias = "__float2int_rd")]
#[doc(alias = "__float2uint_rd")]
#[doc(alias = "__float2ll_rd")]
#[doc(alias = "__float2ull_rd")]
#[doc(alias = "__double2int_rd")]
#[doc(alias = "__double2uint_rd")]
#[doc(alias = "__double2ll_rd")]
#[doc(alias = "__double2ull_rd")]
#[doc(alias = "__int2float_rd")]
#[doc(alias = "__uint2float_rd")]
#[doc(alias = "__ll2float_rd")]
#[doc(alias = "__ull2float_rd")]
#[doc(alias = "__ll2double_rd")]
#[doc(alias = "__ull2double_rd")]
#[inline(always)]
pub fn convert_rd<T: Convert<U>, U>(x: T) -> U {
    x.rd()
}
