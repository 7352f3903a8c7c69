//! Arithmetic and conversions that round in a given direction.
//!
//! Rust's operators round to the nearest value; `add_ru`, say, gives the least value that is not less
//! than the exact sum. Results are as IEEE 754 has them, subnormal numbers included, and never become
//! part of a fused operation. Interval arithmetic is what they are for.
//!
//! | ending | rounds | PTX |
//! |---|---|---|
//! | `_rn` | to the nearest, ties to even | `.rn` |
//! | `_rz` | towards zero | `.rz` |
//! | `_ru` | up, towards +∞ | `.rp` |
//! | `_rd` | down, towards -∞ | `.rm` |
//!
//! These are functions of a device: on the host they panic.

use super::rounded::{Rounded, arithmetic};
use super::special::Real;
use crate::intrinsics;

macro_rules! functions {
    ($($name:ident $([$negated:ident])? ($($argument:ident),*) = $f32:ident $f64:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[inline(always)]
        pub fn $name<T: Real>($($argument: T),*) -> T {
            <T as Rounded>::$name($($argument),*)
        }
    )*};
}
arithmetic!(functions);

/// A conversion to `To` that rounds in a given direction.
///
/// Floats become integers, integers floats, and `f64` becomes `f32`. As everywhere in PTX, what does
/// not fit an integer becomes the nearest one that does, and NaN becomes 0 or, from `f64` or to 64
/// bits, the integer whose highest bit alone is set (PTX ISA, `cvt`).
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
#[inline(always)]
pub fn convert_rn<T: Convert<U>, U>(x: T) -> U {
    x.rn()
}

/// `x` as another type, rounded towards zero: see [`Convert`].
#[inline(always)]
pub fn convert_rz<T: Convert<U>, U>(x: T) -> U {
    x.rz()
}

/// `x` as another type, rounded up: see [`Convert`].
#[inline(always)]
pub fn convert_ru<T: Convert<U>, U>(x: T) -> U {
    x.ru()
}

/// `x` as another type, rounded down: see [`Convert`].
#[inline(always)]
pub fn convert_rd<T: Convert<U>, U>(x: T) -> U {
    x.rd()
}
