//! Sums of products of floats, as tensor cores round them.
//!
//! NVIDIA does not document the rounding. What is here is the model that papers have found by experiments
//! (M. Fasi, N. Higham, M. Mikaitis, S. Pranesh: "Numerical behavior of NVIDIA tensor cores", PeerJ Computer
//! Science 7:e330, 2021; F. Khattak, M. Mikaitis: "Accurate models of NVIDIA tensor cores",
//! arXiv:2512.07004, 2025), with numbers for compute capability 9.0:
//!
//! - Products are exact, and not normalised.
//! - A block of products and the sum so far are aligned to the largest exponent among them. Bits further down
//!   than [`EXTRA`] below the last place of `f32` are cut off. The rest is added exactly.
//! - The sum is rounded once for each block: to `f32` towards zero, to `f16` to the nearest.

use crate::exec::ops::rounding::{Round, to_f16, to_f32};

/// Bits that are kept below the last place of an `f32` with the largest exponent of a block.
const EXTRA: u32 = 2;
/// Places behind the point that are kept.
const PLACES: u32 = 23 + EXTRA;
/// Places behind the point of a factor's significand.
const FACTOR_PLACES: u32 = 10;

/// A floating-point format of the factors.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits of the exponent.
    pub(super) exponent: u32,
    /// Bits of the significand, without the hidden one.
    pub(super) stored: u32,
    /// Whether the largest exponent stands for infinities and NaN; else only the largest number does, for NaN.
    pub(super) infinities: bool,
}

/// Finite: `significand * 2^(exponent - FACTOR_PLACES)`. Otherwise the exponent is [`SPECIAL`], and the
/// significand 0 for NaN, or the sign of infinity.
#[derive(Clone, Copy, Default)]
pub(super) struct Factor {
    significand: i32,
    exponent: i32,
}

/// The exponent of infinities and NaN.
const SPECIAL: i32 = i32::MAX;
/// The exponent of zero: below that of all products.
const ZERO: i32 = -4000;

impl Format {
    pub(super) fn decode(self, bits: u32) -> Factor {
        let Format { exponent: width, stored, infinities } = self;
        let fraction = (bits & ((1 << stored) - 1)) as i32;
        let biased = (bits >> stored & ((1 << width) - 1)) as i32;
        let negative = bits >> (stored + width) & 1 == 1;
        let signed = |value: i32| if negative { -value } else { value };
        let largest = (1 << width) - 1;
        let all_ones = fraction == (1 << stored) - 1;
        if biased == largest && (infinities || all_ones) {
            let is_nan = !infinities || fraction != 0;
            return Factor { significand: if is_nan { 0 } else { signed(1) }, exponent: SPECIAL };
        }
        let hidden = if biased == 0 { 0 } else { 1 << stored };
        if fraction | hidden == 0 {
            return Factor { significand: 0, exponent: ZERO };
        }
        let bias = (1 << (width - 1)) - 1;
        Factor {
            significand: signed((fraction | hidden) << (FACTOR_PLACES - stored)),
            exponent: biased.max(1) - bias,
        }
    }
}

impl Factor {
    fn value(self) -> f64 {
        match (self.exponent, self.significand) {
            (SPECIAL, 0) => f64::NAN,
            (SPECIAL, sign) => f64::from(sign) * f64::INFINITY,
            (exponent, significand) => {
                f64::from(significand) * power_of_two(exponent - FACTOR_PLACES as i32)
            }
        }
    }
}

/// What a sum is rounded to after each block of products.
pub(super) trait Sum: Copy {
    fn value(self) -> f64;
    fn round(exact: f64) -> Self;
}

impl Sum for f32 {
    fn value(self) -> f64 {
        self.into()
    }

    fn round(exact: f64) -> f32 {
        // Beyond the largest number lies infinity, although the mode is towards zero.
        if exact.abs() >= power_of_two(128) {
            to_f32(exact, Round::Nearest)
        } else {
            to_f32(exact, Round::Zero)
        }
    }
}

/// An `f16`, as its value.
#[derive(Clone, Copy)]
pub(super) struct Half(pub(super) f64);

impl Sum for Half {
    fn value(self) -> f64 {
        self.0
    }

    fn round(exact: f64) -> Half {
        Half(crate::exec::ops::rounding::f16_to_f64(to_f16(exact, Round::Nearest)))
    }
}

/// `start` plus the products of `a` and `b`, in blocks of `block` products.
pub(super) fn dot<S: Sum>(start: S, a: &[Factor], b: &[Factor], block: usize) -> S {
    let mut sum = start;
    for (a, b) in a.chunks(block).zip(b.chunks(block)) {
        sum = S::round(add_block(sum.value(), a, b));
    }
    sum
}

fn add_block(start: f64, a: &[Factor], b: &[Factor]) -> f64 {
    let (mut significand, mut largest) = (0, ZERO);
    if start != 0.0 && start.is_finite() {
        // An `f32` has no more places than that, counted from its own exponent, which is that of the
        // smallest normal number for subnormal ones.
        largest = exponent_of(start).max(-126);
        significand = (start * power_of_two(PLACES as i32 - largest)) as i64;
    }
    let own = largest;
    let mut finite = start.is_finite();
    for (a, b) in a.iter().zip(b) {
        finite &= a.exponent != SPECIAL && b.exponent != SPECIAL;
        largest = largest.max(a.exponent.saturating_add(b.exponent));
    }
    if !finite {
        return a.iter().zip(b).fold(start, |sum, (a, b)| sum + a.value() * b.value());
    }
    // Towards zero: magnitudes are cut off, not numbers.
    let cut = |value: i64, places: i32| {
        let magnitude = (value.unsigned_abs() >> places.min(63)) as i64;
        if value < 0 { -magnitude } else { magnitude }
    };
    let mut total = cut(significand, largest - own);
    for (a, b) in a.iter().zip(b) {
        let product = i64::from(a.significand * b.significand) << (PLACES - 2 * FACTOR_PLACES);
        total += cut(product, largest - (a.exponent + b.exponent));
    }
    if total == 0 {
        return 0.0;
    }
    // At most 33 bits, and exponents far from the limits of `f64`: exact.
    total as f64 * power_of_two(largest) * power_of_two(-(PLACES as i32))
}

/// The exponent of a normal `f64`.
fn exponent_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    const F16: Format = Format { exponent: 5, stored: 10, infinities: true };
    const E4M3: Format = Format { exponent: 4, stored: 3, infinities: false };
    const E5M2: Format = Format { exponent: 5, stored: 2, infinities: true };

    fn f16(value: f64) -> Factor {
        F16.decode(to_f16(value, Round::Nearest).into())
    }

    fn sum(start: f32, products: &[(f64, f64)]) -> f32 {
        let (a, b): (Vec<_>, Vec<_>) = products.iter().map(|&(a, b)| (f16(a), f16(b))).unzip();
        dot(start, &a, &b, 16)
    }

    #[test]
    fn numbers_of_all_formats() {
        for bits in 0..=u16::MAX {
            let want = crate::exec::ops::rounding::f16_to_f64(bits);
            let got = F16.decode(bits.into()).value();
            assert!(got == want || (got.is_nan() && want.is_nan()), "{bits:#x}: {got} {want}");
        }
        // From the formats' definition (OCP 8-bit floating point specification).
        for (format, bits, want) in [
            (E4M3, 0x7e, 448.0),
            (E4M3, 0x01, 0.001953125),
            (E4M3, 0x88, -0.015625),
            (E5M2, 0x7b, 57344.0),
            (E5M2, 0x01, 0.0000152587890625),
            (E5M2, 0xfc, f64::NEG_INFINITY),
        ] {
            assert_eq!(format.decode(bits).value(), want, "{bits:#x}");
        }
        assert!(E4M3.decode(0x7f).value().is_nan() && E5M2.decode(0x7d).value().is_nan());
    }

    #[test]
    fn small_terms_are_cut_off_before_they_are_added() {
        let tiny = |exponent: i32| (power_of_two(-12), power_of_two(exponent + 12));
        // Four quarters of the last place: kept, since there are two more bits.
        assert_eq!(sum(1.0, &[tiny(-25); 4]), 1.0 + f32::EPSILON);
        // Eight eighths: each is lost.
        assert_eq!(sum(1.0, &[tiny(-26); 8]), 1.0);
        // Towards zero, on both sides.
        assert_eq!(sum(1.0, &[tiny(-24)]), 1.0);
        assert_eq!(sum(-1.0, &[(-tiny(-24).0, tiny(-24).1)]), -1.0);
    }

    #[test]
    fn large_terms_that_cancel_take_small_ones_with_them() {
        let large = [(256.0, 65504.0), (-256.0, 65504.0), (1.0, 0.25)];
        assert_eq!(sum(0.0, &large), 0.25);
        let larger = [(16384.0, 65504.0), (-16384.0, 65504.0), (1.0, 0.25)];
        assert_eq!(sum(0.0, &larger), 0.0);
    }

    #[test]
    fn infinities_and_nan() {
        assert_eq!(sum(1.0, &[(f64::INFINITY, 2.0)]), f32::INFINITY);
        assert!(sum(1.0, &[(f64::INFINITY, 0.0)]).is_nan());
        assert!(sum(f32::NEG_INFINITY, &[(f64::INFINITY, 1.0)]).is_nan());
        assert_eq!(sum(f32::MAX, &[(65504.0, 65504.0)]), f32::MAX, "too little to matter");
        assert_eq!(sum(0.0, &[(0.0, -1.0)]).to_bits(), 0);
    }

    #[test]
    fn exact_sums_are_exact() {
        let products: Vec<_> =
            (0..16).map(|i| (f64::from(i - 7), f64::from(3 * i + 1) / 8.0)).collect();
        let want: f64 = products.iter().map(|(a, b)| a * b).sum();
        assert_eq!(f64::from(sum(-3.5, &products)), want - 3.5);
    }
}
