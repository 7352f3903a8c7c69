//! Functions of both types that are no row of [`special`](super::special): they have several results, take a
//! slice, or have one form for host and device.

use super::norms;
use super::special::{Real, cospi, sinpi};

/// `(sinpi(x), cospi(x))`.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::sincospi(0.5), (1.0, 0.0));
/// ```
#[doc(alias = "sincospif")]
#[inline]
pub fn sincospi<T: Real>(x: T) -> (T, T) {
    (sinpi(x), cospi(x))
}

/// The square root of the sum of the numbers' squares, without overflow in between; 0 for an empty slice.
/// Infinite if a number is infinite, even if another is NaN.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::norm(&[1.0, 2.0, 2.0, 4.0]), 5.0);
/// assert_eq!(math::norm::<f32>(&[]), 0.0);
/// ```
#[doc(alias = "normf")]
#[inline]
pub fn norm<T: Real>(numbers: &[T]) -> T {
    norms::of(numbers)
}

/// 1 / [`norm`].
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::rnorm(&[1.0, 2.0, 2.0, 4.0]), 0.2);
/// ```
#[doc(alias = "rnormf")]
#[inline]
pub fn rnorm<T: Real>(numbers: &[T]) -> T {
    norms::reciprocal(numbers)
}

/// `(fraction, n)` with `x = fraction × 2^n` and `0.5 ≤ |fraction| < 1`. Zeros, infinities and NaN
/// are returned as they are, with `n = 0`.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::frexp(6.0), (0.75, 3));
/// assert_eq!(math::frexp(0.0), (0.0, 0));
/// ```
#[doc(alias = "frexpf")]
#[inline]
pub fn frexp<T: Real>(x: T) -> (T, i32) {
    T::frexp(x)
}

/// `(fraction, integer)`, which add up to `x` and have its sign.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::modf(3.25), (0.25, 3.0));
/// assert_eq!(math::modf(-3.25), (-0.25, -3.0));
/// ```
#[doc(alias = "modff")]
#[inline]
pub fn modf<T: Real>(x: T) -> (T, T) {
    T::modf(x)
}

/// `floor(log2(|x|))`; `i32::MAX` for infinities, `i32::MIN` for zeros and NaN.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::ilogb(10.0), 3);
/// assert_eq!(math::ilogb(0.0), i32::MIN);
/// ```
#[doc(alias = "ilogbf")]
#[inline]
pub fn ilogb<T: Real>(x: T) -> i32 {
    T::ilogb(x)
}

/// `x` clamped to the range from 0 to 1; 0 for NaN ([`cvt.sat`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::saturate(1.5), 1.0);
/// assert_eq!(math::saturate(f32::NAN), 0.0);
/// ```
#[doc(alias = "__saturatef")]
#[inline]
pub fn saturate<T: Real>(x: T) -> T {
    T::saturate(x)
}

/// IEEE 754's remainder of `x / y` (see [`super::remainder`]), with at least the last three bits of
/// the quotient, rounded to the nearest integer, and the quotient's sign.
///
/// ```
/// use ptyx::device::math;
/// assert_eq!(math::remquo(5.0, 3.0), (-1.0, 2));
/// ```
#[doc(alias = "remquof")]
#[inline]
pub fn remquo<T: Real>(x: T, y: T) -> (T, i32) {
    T::remquo(x, y)
}
