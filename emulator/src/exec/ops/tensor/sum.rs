//! Sums of products of floats, as tensor cores round them.
//!
//! NVIDIA does not document the rounding. What is here was found by experiments on an H200
//! (`tests/tensor-cores/tests/tensor_cores/rounding.rs`), and agrees with what papers say
//! (M. Fasi, N. Higham, M. Mikaitis, S. Pranesh: "Numerical behavior of NVIDIA tensor cores", PeerJ Computer
//! Science 7:e330, 2021; F. Khattak, M. Mikaitis: "Accurate models of NVIDIA tensor cores",
//! arXiv:2512.07004, 2025). The numbers are those of compute capability 9.0:
//!
//! - Products are exact, and not normalised.
//! - A block of products and the sum so far are aligned to the largest exponent among them. Bits further down
//!   than [`EXTRA`] below the last place of `f32` are cut off. The rest is added exactly.
//! - The sum is rounded once for each block: to `f32` towards zero, to `f16` to the nearest.

use crate::exec::ops::rounding::{Round, f16_to_f64, to_f16};

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
    #[inline(always)]
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
    pub(super) fn negate(&mut self) {
        self.significand = -self.significand;
    }

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
    const ZERO: Self;
    fn value(self) -> f64;
    fn round(exact: f64) -> Self;
    /// The sum, rounded to the nearest, by an ordinary addition.
    fn plus(self, other: Self) -> Self;
}

impl Sum for f32 {
    const ZERO: f32 = 0.0;

    fn plus(self, other: f32) -> f32 {
        self + other
    }

    fn value(self) -> f64 {
        self.into()
    }

    fn round(exact: f64) -> f32 {
        // Beyond the largest number lies infinity, although the mode is towards zero.
        let nearest = exact as f32;
        let too_far = f64::from(nearest).abs() > exact.abs() && exact.abs() < power_of_two(128);
        if too_far { f32::from_bits(nearest.to_bits() - 1) } else { nearest }
    }
}

/// An `f16`, as its value.
#[derive(Clone, Copy)]
pub(super) struct Half(pub(super) f64);

impl Sum for Half {
    const ZERO: Half = Half(0.0);

    fn plus(self, other: Half) -> Half {
        // The sum of two `f16` is exact in `f64`.
        Half::round(self.0 + other.0)
    }

    fn value(self) -> f64 {
        self.0
    }

    fn round(exact: f64) -> Half {
        Half(f16_to_f64(to_f16(exact, Round::Nearest)))
    }
}

/// Columns of B and of the sums.
const COLUMNS: usize = 8;
/// Products of a sum, at most.
const MAX_DEPTH: usize = 32;

/// The columns of B side by side, as rows of A meet them.
struct Columns {
    significands: [[i32; COLUMNS]; MAX_DEPTH],
    exponents: [[i32; COLUMNS]; MAX_DEPTH],
    finite: [bool; COLUMNS],
}

impl Columns {
    fn new(b: &[Factor], depth: usize) -> Columns {
        let mut columns = Columns {
            significands: [[0; COLUMNS]; MAX_DEPTH],
            exponents: [[ZERO; COLUMNS]; MAX_DEPTH],
            finite: [true; COLUMNS],
        };
        for (column, factors) in b.chunks_exact(depth).enumerate() {
            for (k, factor) in factors.iter().enumerate() {
                columns.significands[k][column] = factor.significand;
                columns.exponents[k][column] = factor.exponent;
                columns.finite[column] &= factor.exponent != SPECIAL;
            }
        }
        columns
    }
}

/// How the hardware adds.
#[derive(Clone, Copy)]
pub(super) struct Adder {
    /// How many products at a time.
    pub(super) block: usize,
    /// How many of the [`PLACES`] are not kept.
    pub(super) dropped: u32,
}

impl Adder {
    /// Of products of floats of 16 bits.
    pub(super) const FULL: Adder = Adder { block: 16, dropped: 0 };
    /// Of products of floats of 8 bits, in warpgroups: 13 places.
    pub(super) const EIGHT_BITS: Adder = Adder { block: 32, dropped: PLACES - 13 };
}

/// Adds products to sums, row after row: `a` has the rows of A, `b` the columns of B, each of `depth` elements.
pub(super) fn multiply<S: Sum>(
    a: &[Factor],
    b: &[Factor],
    depth: usize,
    adder: Adder,
    sums: &mut [S],
) {
    let columns = Columns::new(b, depth);
    for (a, sums) in a.chunks_exact(depth).zip(sums.chunks_exact_mut(COLUMNS)) {
        let mut results: [f64; COLUMNS] = std::array::from_fn(|column| sums[column].value());
        let starts = results;
        for from in (0..depth).step_by(adder.block) {
            let a = &a[from..depth.min(from + adder.block)];
            let of_b =
                (&columns.significands[from..][..a.len()], &columns.exponents[from..][..a.len()]);
            add_block(&mut results, a, of_b, adder.dropped);
            results = results.map(|exact| S::round(exact).value());
        }
        let finite = a.iter().all(|factor| factor.exponent != SPECIAL);
        for (column, sum) in sums.iter_mut().enumerate() {
            let start = starts[column];
            *sum = S::round(if finite && columns.finite[column] && start.is_finite() {
                results[column]
            } else {
                let b = &b[column * depth..][..depth];
                a.iter().zip(b).fold(start, |sum, (a, b)| sum + a.value() * b.value())
            });
        }
    }
}

/// Adds a block of products to eight sums; the results are exact sums of what has not been cut off. What it
/// makes of numbers that are not finite has no meaning.
fn add_block(
    sums: &mut [f64; COLUMNS],
    a: &[Factor],
    b: (&[[i32; COLUMNS]], &[[i32; COLUMNS]]),
    dropped: u32,
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the host has the feature.
        return unsafe { add_block_wide(sums, a, b, dropped) };
    }
    add_block_anywhere(sums, a, b, dropped);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_block_wide(
    sums: &mut [f64; COLUMNS],
    a: &[Factor],
    b: (&[[i32; COLUMNS]], &[[i32; COLUMNS]]),
    dropped: u32,
) {
    add_block_anywhere(sums, a, b, dropped);
}

#[inline(always)]
fn add_block_anywhere(
    sums: &mut [f64; COLUMNS],
    a: &[Factor],
    (significands, exponents): (&[[i32; COLUMNS]], &[[i32; COLUMNS]]),
    dropped: u32,
) {
    let count = a.len().min(significands.len()).min(exponents.len());
    // An `f32` has no more places than kept, counted from its own exponent, which is that of the smallest normal
    // number for subnormal ones.
    let own = sums.map(|sum| if sum == 0.0 { ZERO } else { exponent_of(sum).max(-126) });
    let mut largest = own;
    for k in 0..count {
        for column in 0..COLUMNS {
            let exponent = a[k].exponent.wrapping_add(exponents[k][column]);
            largest[column] = largest[column].max(exponent);
        }
    }
    // Magnitudes are below 2^27, and there are at most 16; or 32, with fewer places.
    let mut products = [0i32; COLUMNS];
    for k in 0..count {
        for column in 0..COLUMNS {
            let product = a[k].significand.wrapping_mul(significands[k][column]);
            let exponent = a[k].exponent.wrapping_add(exponents[k][column]);
            let places = (largest[column].wrapping_sub(exponent) as u32).min(31);
            // Towards zero: magnitudes are cut off, not numbers.
            let sign = product >> 31;
            let magnitude = ((product ^ sign).wrapping_sub(sign) as u32)
                << (PLACES - 2 * FACTOR_PLACES)
                >> places
                >> dropped;
            products[column] =
                products[column].wrapping_add((magnitude as i32 ^ sign).wrapping_sub(sign));
        }
    }
    for column in 0..COLUMNS {
        let start = (sums[column] * power_of_two(PLACES as i32 - own[column])) as i64;
        let places = largest[column].wrapping_sub(own[column]).clamp(0, 63);
        let magnitude = (start.unsigned_abs() >> places >> dropped << dropped) as i64;
        let total = (i64::from(products[column]) << dropped)
            + if start < 0 { -magnitude } else { magnitude };
        // At most 33 bits, and exponents far from the limits of `f64`: exact.
        sums[column] = match total {
            0 => 0.0,
            total => total as f64 * power_of_two(largest[column] - PLACES as i32),
        };
    }
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
        let mut sums = [start; COLUMNS];
        multiply(&a, &b.repeat(COLUMNS), a.len(), Adder::FULL, &mut sums);
        assert!(sums.iter().all(|sum| sum.to_bits() == sums[0].to_bits()), "{sums:?}");
        sums[0]
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
