//! Functions that take numbers apart; their results are exact.

use super::float::Float;

/// The functions of one type; [`super::composite`] has them for both. Hidden behind [`super::Real`].
#[doc(hidden)]
pub trait Parts: Sized {
    #[doc(hidden)]
    fn frexp(x: Self) -> (Self, i32);
    #[doc(hidden)]
    fn modf(x: Self) -> (Self, Self);
    #[doc(hidden)]
    fn ilogb(x: Self) -> i32;
    #[doc(hidden)]
    fn saturate(x: Self) -> Self;
    #[doc(hidden)]
    fn remquo(x: Self, y: Self) -> (Self, i32);
}

macro_rules! parts {
    ($($type:ident: $modf:ident $remquo:ident $saturate:ident;)*) => {$(
        impl Parts for $type {
            #[inline]
            fn frexp(x: $type) -> ($type, i32) {
                const FRACTION: u32 = $type::MANTISSA_DIGITS - 1;
                /// The bits of 0.5 and the bits that are not its exponent's.
                const HALF: u64 = (0.5 as $type).to_bits() as u64;
                const REST: u64 = (1 << FRACTION) - 1 | (-0.0 as $type).to_bits() as u64;
                if x == 0.0 || !x.is_finite() {
                    return (x, 0);
                }
                let (normal, shift) = normal(x);
                let fraction = u64::from(normal.to_bits()) & REST | HALF;
                (<$type>::from_bits(fraction as _), Float::exponent(normal).wrapping_sub(shift).wrapping_add(1))
            }
            #[inline]
            fn modf(x: $type) -> ($type, $type) {
                libm::$modf(x)
            }
            #[inline]
            fn ilogb(x: $type) -> i32 {
                if x == 0.0 || x.is_nan() {
                    return i32::MIN;
                }
                if x.is_infinite() {
                    return i32::MAX;
                }
                let (normal, shift) = normal(x);
                Float::exponent(normal).wrapping_sub(shift)
            }
            #[inline]
            fn saturate(x: $type) -> $type {
                #[cfg(ptyx_device)]
                // SAFETY: only computes.
                let value = unsafe { crate::intrinsics::$saturate(x) };
                // Also turns -0 into 0.
                #[cfg(not(ptyx_device))]
                let value = if x > 0.0 { x.min(1.0) } else { 0.0 };
                value
            }
            #[inline]
            fn remquo(x: $type, y: $type) -> ($type, i32) {
                libm::$remquo(x, y)
            }
        }
    )*};
}

parts! {
    f32: modff remquof saturate_f32;
    f64: modf remquo saturate_f64;
}

/// A number that is not subnormal, and the power of two by which it is greater than `x`.
#[inline(always)]
fn normal<T: Float>(x: T) -> (T, i32) {
    const SHIFT: i32 = 64;
    // The exponent field of subnormal numbers is 0, one below the least exponent.
    let least = T::INFINITY.exponent().wrapping_neg();
    if x.exponent() > least.wrapping_add(1) { (x, 0) } else { (x * T::power_of_two(SHIFT), SHIFT) }
}

/// The exponent of `x` as a number: `-inf` of zeros, `inf` of infinities.
pub(super) fn log_b<T: Float + Parts>(x: T) -> T {
    if x == T::ZERO {
        -T::INFINITY
    } else if x.is_nan() || x.abs() == T::INFINITY {
        x * x
    } else {
        T::from_i32(T::ilogb(x))
    }
}
