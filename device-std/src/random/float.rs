//! Floats made from random words.

use super::source::Random;
use crate::math::Real;
use crate::math::angle;
use crate::math::elementary::Elementary;
use crate::math::float::{Float, polynomial};
use crate::math::single;

/// A float that [`Random`] makes: `f32`, from one word, or `f64`, from two.
///
/// ```
/// use ptyx::device::random::{Random, RandomFloat};
///
/// /// A point in the unit square.
/// fn point<T: RandomFloat>(rng: &mut impl Random) -> [T; 2] {
///     [rng.uniform(), rng.uniform()]
/// }
/// ```
#[allow(private_bounds)]
pub trait RandomFloat: Real + Elementary {
    /// The bits that one number takes.
    #[doc(hidden)]
    type Bits;

    #[doc(hidden)]
    fn bits(rng: &mut (impl Random + ?Sized)) -> Self::Bits;
    #[doc(hidden)]
    fn bits2(rng: &mut (impl Random + ?Sized)) -> [Self::Bits; 2];
    #[doc(hidden)]
    fn bits4(rng: &mut (impl Random + ?Sized)) -> [Self::Bits; 4];

    /// [`Random::uniform`].
    #[doc(hidden)]
    fn uniform(bits: Self::Bits) -> Self;

    /// [`Random::open_closed`].
    #[doc(hidden)]
    fn open_closed(bits: Self::Bits) -> Self;

    /// The sine and the cosine of an angle of at most π/4.
    #[doc(hidden)]
    fn small_sin_cos(angle: Self) -> (Self, Self);

    /// The logarithm of a positive normal number.
    #[doc(hidden)]
    fn ln_of_normal(self) -> Self;
}

impl RandomFloat for f32 {
    type Bits = u32;

    #[inline(always)]
    fn bits(rng: &mut (impl Random + ?Sized)) -> u32 {
        rng.next_u32()
    }

    #[inline(always)]
    fn bits2(rng: &mut (impl Random + ?Sized)) -> [u32; 2] {
        [rng.next_u32(), rng.next_u32()]
    }

    #[inline(always)]
    fn bits4(rng: &mut (impl Random + ?Sized)) -> [u32; 4] {
        rng.next_u32x4()
    }

    #[inline(always)]
    fn uniform(bits: u32) -> f32 {
        (bits >> 8) as f32 * (1.0 / (1u32 << 24) as f32)
    }

    #[inline(always)]
    fn open_closed(bits: u32) -> f32 {
        /// 2^-33. The product is exact, so fusing it with the addition changes no result.
        const HALF_STEP: f32 = 1.0 / (1u64 << 33) as f32;
        (bits as f32).fma(2.0 * HALF_STEP, HALF_STEP)
    }

    #[inline(always)]
    fn small_sin_cos(angle: f32) -> (f32, f32) {
        (angle.small_sin(), angle.small_cos())
    }

    #[inline(always)]
    fn ln_of_normal(self) -> f32 {
        single::ln_of_normal(self)
    }
}

/// 2^-53.
const STEP_F64: f64 = 1.0 / (1u64 << 53) as f64;

/// The lower word comes first.
#[inline(always)]
pub(super) fn wide(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl RandomFloat for f64 {
    type Bits = u64;

    #[inline(always)]
    fn bits(rng: &mut (impl Random + ?Sized)) -> u64 {
        rng.next_u64()
    }

    #[inline(always)]
    fn bits2(rng: &mut (impl Random + ?Sized)) -> [u64; 2] {
        let [a, b, c, d] = rng.next_u32x4();
        [wide(a, b), wide(c, d)]
    }

    #[inline(always)]
    fn bits4(rng: &mut (impl Random + ?Sized)) -> [u64; 4] {
        let ([a, b], [c, d]) = (f64::bits2(rng), f64::bits2(rng));
        [a, b, c, d]
    }

    #[inline(always)]
    fn uniform(bits: u64) -> f64 {
        (bits >> 11) as f64 * STEP_F64
    }

    #[inline(always)]
    fn open_closed(bits: u64) -> f64 {
        (bits >> 11).wrapping_add(1) as f64 * STEP_F64
    }

    /// Taylor's series. General sines would bring the reduction of large angles, and with it local memory.
    #[inline(always)]
    fn small_sin_cos(angle: f64) -> (f64, f64) {
        /// 1/n! with alternating signs, for every second n.
        const fn coefficients<const N: usize>(first: u64) -> [f64; N] {
            let mut coefficients = [1.0; N];
            let (mut i, mut n) = (0, first);
            let mut value = if first == 2 { -0.5 } else { -1.0 / 6.0 };
            while i < N {
                coefficients[i] = value;
                value /= -(((n + 1) * (n + 2)) as f64);
                n += 2;
                i += 1;
            }
            coefficients
        }
        const SINE: [f64; 8] = coefficients(3);
        const COSINE: [f64; 9] = coefficients(2);
        let square = angle * angle;
        let sine = (angle * square).fma(polynomial(square, &SINE), angle);
        (sine, square.fma(polynomial(square, &COSINE), 1.0))
    }

    #[inline(always)]
    fn ln_of_normal(self) -> f64 {
        // Not the host's own, which rounds in another way.
        Elementary::ln(self)
    }
}

/// The point on the unit circle at this angle in turns, from 0 to 1: sine and cosine.
#[inline(always)]
fn on_circle<T: RandomFloat>(turns: T) -> (T, T) {
    let (quadrant, rest) = angle::reduce_small(turns + turns);
    let (sine, cosine) = T::small_sin_cos(rest * T::PI.0);
    let (sine, cosine) = if quadrant & 1 == 0 { (sine, cosine) } else { (cosine, -sine) };
    if quadrant & 2 == 0 { (sine, cosine) } else { (-sine, -cosine) }
}

/// Two independent normal numbers (G. E. P. Box and M. E. Muller, "A note on the generation of random normal
/// deviates", 1958).
#[inline]
pub(super) fn normal_pair<T: RandomFloat>(radius: T::Bits, turns: T::Bits) -> [T; 2] {
    normal_at(T::open_closed(radius), T::open_closed(turns))
}

/// The same, made of two uniform numbers in (0, 1], which are normal floats (not subnormal).
#[inline]
pub(super) fn normal_at<T: RandomFloat>(radius: T, turns: T) -> [T; 2] {
    let radius = (T::of(-2.0) * radius.ln_of_normal()).sqrt();
    let (sine, cosine) = on_circle(turns);
    [radius * sine, radius * cosine]
}
