//! Sines and cosines of multiples of π. IEEE 754-2019, 9.2 has their special values: zeros take the
//! argument's sign in `sinpi` and are positive in `cospi`.

use super::elementary::Elementary;

/// `x` as a multiple `n` of a half and the rest, which is at most a quarter in size. Both are exact;
/// `n` counts modulo 4. The rest of an infinity is NaN.
#[inline(always)]
pub(crate) fn reduce<T: Elementary>(x: T) -> (i32, T) {
    let half = T::of(0.5);
    reduce_small((x * half).rint().fma(T::of(-2.0), x))
}

/// The same for numbers whose absolute value is below 1000.
#[inline(always)]
pub(crate) fn reduce_small<T: Elementary>(x: T) -> (i32, T) {
    let (n, quadrant) = (x + x).nearest();
    (quadrant, n.fma(T::of(-0.5), x))
}

/// πx, and what its rounding lost.
#[inline(always)]
fn times_pi<T: Elementary>(x: T) -> (T, T) {
    let (pi, rest) = T::PI;
    let product = pi * x;
    (product, rest.fma(x, pi.fma(x, -product)))
}

/// sin(πx) for |x| ≤ 1/4. The sine of a sum, to the first order of the lost part.
#[inline(always)]
fn sin<T: Elementary>(x: T) -> T {
    let (angle, lost) = times_pi(x);
    angle.small_sin() + lost * (T::ONE - T::of(0.5) * angle * angle)
}

/// cos(πx) for |x| ≤ 1/4.
#[inline(always)]
fn cos<T: Elementary>(x: T) -> T {
    let (angle, lost) = times_pi(x);
    angle.small_cos() - lost * angle
}

/// The function behind [`super::sinpi`].
pub(super) fn sin_pi<T: Elementary>(x: T) -> T {
    let (n, rest) = reduce(x);
    let size = if n & 1 == 0 { sin(rest) } else { cos(rest) };
    let value = if n & 2 == 0 { size } else { -size };
    if value == T::ZERO { T::ZERO.copysign(x) } else { value }
}

/// The function behind [`super::cospi`].
pub(super) fn cos_pi<T: Elementary>(x: T) -> T {
    let (n, rest) = reduce(x.abs());
    let size = if n & 1 == 0 { cos(rest) } else { sin(rest) };
    let value = if (n & 3 == 1) | (n & 3 == 2) { -size } else { size };
    if value == T::ZERO { T::ZERO } else { value }
}

/// The function behind [`super::tanpi`].
pub(super) fn tan_pi<T: Elementary>(x: T) -> T {
    sin_pi(x) / cos_pi(x)
}
