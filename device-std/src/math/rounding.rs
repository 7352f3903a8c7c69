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

use super::Real;
use crate::intrinsics;

macro_rules! arithmetic {
    ($($name:ident $([$negated:ident])? ($($argument:ident),*) = $f32:ident $f64:ident, $doc:literal;)*) => {
        /// The functions of one type. Hidden behind [`Real`].
        pub trait Rounded: Sized {
            $(#[doc(hidden)] fn $name($($argument: Self),*) -> Self;)*
        }

        impl Rounded for f32 {
            $(
                #[inline(always)]
                fn $name($($argument: f32),*) -> f32 {
                    $(let $negated = -$negated;)?
                    // SAFETY: only computes.
                    unsafe { intrinsics::$f32($($argument),*) }
                }
            )*
        }

        impl Rounded for f64 {
            $(
                #[inline(always)]
                fn $name($($argument: f64),*) -> f64 {
                    $(let $negated = -$negated;)?
                    // SAFETY: only computes.
                    unsafe { intrinsics::$f64($($argument),*) }
                }
            )*
        }

        $(
            #[doc = $doc]
            #[inline(always)]
            pub fn $name<T: Real>($($argument: T),*) -> T {
                <T as Rounded>::$name($($argument),*)
            }
        )*
    };
}

arithmetic! {
    add_rn(a, b) = __ptyx_add_rn_f32 __ptyx_add_rn_f64, "`a + b`, rounded to the nearest, ties to even.";
    add_rz(a, b) = __ptyx_add_rz_f32 __ptyx_add_rz_f64, "`a + b`, rounded towards zero.";
    add_ru(a, b) = __ptyx_add_ru_f32 __ptyx_add_ru_f64, "`a + b`, rounded up.";
    add_rd(a, b) = __ptyx_add_rd_f32 __ptyx_add_rd_f64, "`a + b`, rounded down.";
    sub_rn [b] (a, b) = __ptyx_add_rn_f32 __ptyx_add_rn_f64, "`a - b`, rounded to the nearest, ties to even.";
    sub_rz [b] (a, b) = __ptyx_add_rz_f32 __ptyx_add_rz_f64, "`a - b`, rounded towards zero.";
    sub_ru [b] (a, b) = __ptyx_add_ru_f32 __ptyx_add_ru_f64, "`a - b`, rounded up.";
    sub_rd [b] (a, b) = __ptyx_add_rd_f32 __ptyx_add_rd_f64, "`a - b`, rounded down.";
    mul_rn(a, b) = __ptyx_mul_rn_f32 __ptyx_mul_rn_f64, "`a × b`, rounded to the nearest, ties to even.";
    mul_rz(a, b) = __ptyx_mul_rz_f32 __ptyx_mul_rz_f64, "`a × b`, rounded towards zero.";
    mul_ru(a, b) = __ptyx_mul_ru_f32 __ptyx_mul_ru_f64, "`a × b`, rounded up.";
    mul_rd(a, b) = __ptyx_mul_rd_f32 __ptyx_mul_rd_f64, "`a × b`, rounded down.";
    fma_rn(a, b, c) = __ptyx_fma_rn_f32 __ptyx_fma_rn_f64, "`a × b + c`, rounded to the nearest, ties to even.";
    fma_rz(a, b, c) = __ptyx_fma_rz_f32 __ptyx_fma_rz_f64, "`a × b + c`, rounded towards zero.";
    fma_ru(a, b, c) = __ptyx_fma_ru_f32 __ptyx_fma_ru_f64, "`a × b + c`, rounded up.";
    fma_rd(a, b, c) = __ptyx_fma_rd_f32 __ptyx_fma_rd_f64, "`a × b + c`, rounded down.";
    div_rn(a, b) = __ptyx_div_rn_f32 __ptyx_div_rn_f64, "`a / b`, rounded to the nearest, ties to even.";
    div_rz(a, b) = __ptyx_div_rz_f32 __ptyx_div_rz_f64, "`a / b`, rounded towards zero.";
    div_ru(a, b) = __ptyx_div_ru_f32 __ptyx_div_ru_f64, "`a / b`, rounded up.";
    div_rd(a, b) = __ptyx_div_rd_f32 __ptyx_div_rd_f64, "`a / b`, rounded down.";
    rcp_rn(a) = __ptyx_rcp_rn_f32 __ptyx_rcp_rn_f64, "`1 / a`, rounded to the nearest, ties to even.";
    rcp_rz(a) = __ptyx_rcp_rz_f32 __ptyx_rcp_rz_f64, "`1 / a`, rounded towards zero.";
    rcp_ru(a) = __ptyx_rcp_ru_f32 __ptyx_rcp_ru_f64, "`1 / a`, rounded up.";
    rcp_rd(a) = __ptyx_rcp_rd_f32 __ptyx_rcp_rd_f64, "`1 / a`, rounded down.";
    sqrt_rn(a) = __ptyx_sqrt_rn_f32 __ptyx_sqrt_rn_f64, "`√a`, rounded to the nearest, ties to even.";
    sqrt_rz(a) = __ptyx_sqrt_rz_f32 __ptyx_sqrt_rz_f64, "`√a`, rounded towards zero.";
    sqrt_ru(a) = __ptyx_sqrt_ru_f32 __ptyx_sqrt_ru_f64, "`√a`, rounded up.";
    sqrt_rd(a) = __ptyx_sqrt_rd_f32 __ptyx_sqrt_rd_f64, "`√a`, rounded down.";
}

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
    f64 f32: __ptyx_f64_to_f32_rn __ptyx_f64_to_f32_rz __ptyx_f64_to_f32_ru __ptyx_f64_to_f32_rd;
    f32 i32: __ptyx_f32_to_i32_rn __ptyx_f32_to_i32_rz __ptyx_f32_to_i32_ru __ptyx_f32_to_i32_rd;
    f32 u32: __ptyx_f32_to_u32_rn __ptyx_f32_to_u32_rz __ptyx_f32_to_u32_ru __ptyx_f32_to_u32_rd;
    f32 i64: __ptyx_f32_to_i64_rn __ptyx_f32_to_i64_rz __ptyx_f32_to_i64_ru __ptyx_f32_to_i64_rd;
    f32 u64: __ptyx_f32_to_u64_rn __ptyx_f32_to_u64_rz __ptyx_f32_to_u64_ru __ptyx_f32_to_u64_rd;
    f64 i32: __ptyx_f64_to_i32_rn __ptyx_f64_to_i32_rz __ptyx_f64_to_i32_ru __ptyx_f64_to_i32_rd;
    f64 u32: __ptyx_f64_to_u32_rn __ptyx_f64_to_u32_rz __ptyx_f64_to_u32_ru __ptyx_f64_to_u32_rd;
    f64 i64: __ptyx_f64_to_i64_rn __ptyx_f64_to_i64_rz __ptyx_f64_to_i64_ru __ptyx_f64_to_i64_rd;
    f64 u64: __ptyx_f64_to_u64_rn __ptyx_f64_to_u64_rz __ptyx_f64_to_u64_ru __ptyx_f64_to_u64_rd;
    i32 f32: __ptyx_i32_to_f32_rn __ptyx_i32_to_f32_rz __ptyx_i32_to_f32_ru __ptyx_i32_to_f32_rd;
    u32 f32: __ptyx_u32_to_f32_rn __ptyx_u32_to_f32_rz __ptyx_u32_to_f32_ru __ptyx_u32_to_f32_rd;
    i64 f32: __ptyx_i64_to_f32_rn __ptyx_i64_to_f32_rz __ptyx_i64_to_f32_ru __ptyx_i64_to_f32_rd;
    u64 f32: __ptyx_u64_to_f32_rn __ptyx_u64_to_f32_rz __ptyx_u64_to_f32_ru __ptyx_u64_to_f32_rd;
    i64 f64: __ptyx_i64_to_f64_rn __ptyx_i64_to_f64_rz __ptyx_i64_to_f64_ru __ptyx_i64_to_f64_rd;
    u64 f64: __ptyx_u64_to_f64_rn __ptyx_u64_to_f64_rz __ptyx_u64_to_f64_ru __ptyx_u64_to_f64_rd;
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
