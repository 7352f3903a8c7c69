//! Floats of random words.

use super::source::Random;
use crate::math::Real;
use crate::math::angle;
use crate::math::elementary::Elementary;
use crate::math::float::{Float, polynomial};

/// A float that [`Random`] makes: `f32`, of one word, or `f64`, of two.
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
    /// [`Random::uniform`].
    #[doc(hidden)]
    fn uniform(rng: &mut (impl Random + ?Sized)) -> Self;

    /// [`Random::open_closed`].
    #[doc(hidden)]
    fn open_closed(rng: &mut (impl Random + ?Sized)) -> Self;

    /// The sine and the cosine of an angle of at most π/4.
    #[doc(hidden)]
    fn small_sin_cos(angle: Self) -> (Self, Self);
}

impl RandomFloat for f32 {
    #[inline]
    fn uniform(rng: &mut (impl Random + ?Sized)) -> f32 {
        (rng.next_u32() >> 8) as f32 * (1.0 / (1u32 << 24) as f32)
    }

    #[inline]
    fn open_closed(rng: &mut (impl Random + ?Sized)) -> f32 {
        /// 2^-33. The product below is exact, so it does not matter whether it is fused with the addition.
        const HALF_STEP: f32 = 1.0 / (1u64 << 33) as f32;
        rng.next_u32() as f32 * (2.0 * HALF_STEP) + HALF_STEP
    }

    #[inline(always)]
    fn small_sin_cos(angle: f32) -> (f32, f32) {
        (angle.small_sin(), angle.small_cos())
    }
}

/// 2^-53.
const STEP_F64: f64 = 1.0 / (1u64 << 53) as f64;

impl RandomFloat for f64 {
    #[inline]
    fn uniform(rng: &mut (impl Random + ?Sized)) -> f64 {
        (rng.next_u64() >> 11) as f64 * STEP_F64
    }

    #[inline]
    fn open_closed(rng: &mut (impl Random + ?Sized)) -> f64 {
        (rng.next_u64() >> 11).wrapping_add(1) as f64 * STEP_F64
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
}

/// The point on the unit circle at this angle in turns, from 0 to 1: sine and cosine.
#[inline(always)]
fn on_circle<T: RandomFloat>(turns: T) -> (T, T) {
    let (quadrant, rest) = angle::reduce(turns + turns);
    let (sine, cosine) = T::small_sin_cos(rest * T::PI.0);
    let (sine, cosine) = if quadrant & 1 == 0 { (sine, cosine) } else { (cosine, -sine) };
    if quadrant & 2 == 0 { (sine, cosine) } else { (-sine, -cosine) }
}

/// Two independent normal numbers of two uniform ones in (0, 1] (G. E. P. Box and M. E. Muller, "A note on the
/// generation of random normal deviates", 1958).
#[inline]
pub(super) fn normal_pair<T: RandomFloat>(radius: T, turns: T) -> [T; 2] {
    let radius = (T::of(-2.0) * radius.ln()).sqrt();
    let (sine, cosine) = on_circle(turns);
    [radius * sine, radius * cosine]
}
