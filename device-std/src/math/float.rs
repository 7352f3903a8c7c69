//! What the functions of this module need of `f32` and `f64`, so that each is written once.

use core::ops::{Add, Div, Mul, Neg, Sub};

#[cfg(ptyx_device)]
use crate::intrinsics;

/// `f32` or `f64`, seen from inside.
pub(crate) trait Float:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    const NAN: Self;
    /// π to this type's precision, and the rest of it.
    const PI: (Self, Self);
    /// 1/√2 in the same way.
    const FRAC_1_SQRT_2: (Self, Self);

    /// The nearest value of this type.
    fn of(value: f64) -> Self;
    fn from_i32(value: i32) -> Self;
    /// The nearest integer, ties to even, as a float (zeros are positive) and as an integer. The absolute value must be below 2^21.
    fn nearest(self) -> (Self, i32) {
        self.nearest_multiple(Self::ONE)
    }
    /// The same of `self * factor`, which is not rounded before.
    fn nearest_multiple(self, factor: Self) -> (Self, i32);
    fn abs(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn is_nan(self) -> bool;
    /// `self * b + c`, rounded once.
    fn fma(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The nearest integer, ties to even.
    fn rint(self) -> Self;
    /// The exponent field's meaning: `floor(log2(|self|))` of normal numbers.
    fn exponent(self) -> i32;
    /// 2 to the power of `n`, which must be the exponent of a normal number.
    fn power_of_two(n: i32) -> Self;
}

/// A function that a device has as an instruction, and the host in the `libm` crate.
macro_rules! instruction {
    ($type:ident: $($name:ident($($argument:ident),*) = $intrinsic:ident, $host:ident;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $argument: $type)*) -> $type {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let value = unsafe { intrinsics::$intrinsic(self $(, $argument)*) };
            #[cfg(not(ptyx_device))]
            let value = libm::$host(self $(, $argument)*);
            value
        }
    )*};
}

/// Everything else that differs only by the type.
macro_rules! common {
    ($type:ident, $bits:ident) => {
        const ZERO: $type = 0.0;
        const ONE: $type = 1.0;
        const INFINITY: $type = $type::INFINITY;
        const NAN: $type = $type::NAN;

        #[inline(always)]
        fn of(value: f64) -> $type {
            value as $type
        }
        #[inline(always)]
        fn from_i32(value: i32) -> $type {
            value as $type
        }
        #[inline(always)]
        fn nearest_multiple(self, factor: $type) -> ($type, i32) {
            /// 1.5 × 2^(digits - 1): added to a small number, it leaves the nearest integer in the lowest bits.
            const TO_INTEGER: $type = 1.5 * (1u64 << ($type::MANTISSA_DIGITS - 1)) as $type;
            let shifted = self.fma(factor, TO_INTEGER);
            let bits = shifted.to_bits().wrapping_sub(TO_INTEGER.to_bits());
            (shifted - TO_INTEGER, bits as i32)
        }
        #[inline(always)]
        fn copysign(self, sign: $type) -> $type {
            $type::copysign(self, sign)
        }
        #[inline(always)]
        fn is_nan(self) -> bool {
            $type::is_nan(self)
        }
        #[inline(always)]
        fn exponent(self) -> i32 {
            const FRACTION: u32 = $type::MANTISSA_DIGITS - 1;
            const BIAS: i32 = $type::MAX_EXP - 1;
            ((self.abs().to_bits() >> FRACTION) as i32).wrapping_sub(BIAS)
        }
        #[inline(always)]
        fn power_of_two(n: i32) -> $type {
            const FRACTION: u32 = $type::MANTISSA_DIGITS - 1;
            const BIAS: i32 = $type::MAX_EXP - 1;
            $type::from_bits((n.wrapping_add(BIAS) as $bits) << FRACTION)
        }
        #[inline(always)]
        fn abs(self) -> $type {
            $type::abs(self)
        }
    };
}

impl Float for f32 {
    const PI: (f32, f32) = (core::f32::consts::PI, -8.742_278e-8);
    const FRAC_1_SQRT_2: (f32, f32) = (core::f32::consts::FRAC_1_SQRT_2, 1.210_161_7e-8);
    common! { f32, u32 }
    instruction! { f32:
        fma(b, c) = fma_rn_f32, fmaf;
        sqrt() = sqrt_rn_f32, sqrtf;
        rint() = rint_f32, rintf;
    }
}

impl Float for f64 {
    const PI: (f64, f64) = (core::f64::consts::PI, 1.2246467991473532e-16);
    const FRAC_1_SQRT_2: (f64, f64) = (core::f64::consts::FRAC_1_SQRT_2, -4.833646656726457e-17);
    common! { f64, u64 }
    instruction! { f64:
        fma(b, c) = fma_rn_f64, fma;
        sqrt() = sqrt_rn_f64, sqrt;
        rint() = rint_f64, rint;
    }
}

/// `c[0] + x (c[1] + x (c[2] + ...))`.
#[inline(always)]
pub(crate) fn polynomial<T: Float>(x: T, c: &[T]) -> T {
    let [rest @ .., last] = c else { return T::ZERO };
    rest.iter().rev().fold(*last, |sum, &c| sum.fma(x, c))
}

/// `c[0] + c[1] T1(x) + c[2] T2(x) + ...` of Chebyshev's polynomials, by Clenshaw's recurrence
/// (C. W. Clenshaw, "A note on the summation of Chebyshev series", 1955).
#[inline(always)]
pub(crate) fn chebyshev<T: Float>(x: T, c: &[T]) -> T {
    let twice = x + x;
    let [first, rest @ ..] = c else { return T::ZERO };
    let start = (T::ZERO, T::ZERO);
    let (b, below) = rest.iter().rev().fold(start, |(b, below), &c| (twice.fma(b, c - below), b));
    x.fma(b, *first - below)
}
