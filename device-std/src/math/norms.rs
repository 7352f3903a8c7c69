//! Euclidean norms that neither overflow nor underflow on the way.

use super::float::Float;

/// How the numbers of a norm are scaled before they are squared: by a power of two.
#[derive(Clone, Copy)]
struct Scale<T> {
    down: T,
    up: T,
}

impl<T: Float> Scale<T> {
    /// The scale that brings `greatest`, which is neither zero nor infinite, near 1.
    #[inline(always)]
    fn of(greatest: T) -> Scale<T> {
        // Both powers must be normal numbers; the squares of what is left have room.
        let limit = T::INFINITY.exponent().wrapping_sub(2);
        let n = greatest.exponent().clamp(limit.wrapping_neg(), limit);
        Scale { down: T::power_of_two(n.wrapping_neg()), up: T::power_of_two(n) }
    }
}

/// The sum of squares of scaled numbers, with its scale; or, of zeros and infinities, the norm itself.
#[inline(always)]
fn squares<T: Float>(numbers: &[T]) -> Result<(T, Scale<T>), T> {
    let mut greatest = T::ZERO;
    let mut nan = false;
    for x in numbers {
        nan |= x.is_nan();
        if x.abs() > greatest {
            greatest = x.abs();
        }
    }
    if greatest == T::INFINITY {
        return Err(T::INFINITY);
    }
    if nan {
        return Err(T::NAN);
    }
    if greatest == T::ZERO {
        return Err(T::ZERO);
    }
    let scale = Scale::of(greatest);
    let mut sum = T::ZERO;
    for &x in numbers {
        let x = x * scale.down;
        sum = x.fma(x, sum);
    }
    Ok((sum, scale))
}

/// The square root of the sum of squares.
#[inline(always)]
pub(super) fn of<T: Float>(numbers: &[T]) -> T {
    match squares(numbers) {
        Ok((sum, scale)) => sum.sqrt() * scale.up,
        Err(norm) => norm,
    }
}

/// 1 divided by that.
#[inline(always)]
pub(super) fn reciprocal<T: Float>(numbers: &[T]) -> T {
    match squares(numbers) {
        Ok((sum, scale)) => T::ONE / sum.sqrt() * scale.down,
        Err(norm) => T::ONE / norm,
    }
}
