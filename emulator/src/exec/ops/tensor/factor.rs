//! The parts of sums of products of floats: factors, sums, and the columns of B side by side.

use crate::exec::ops::rounding::{Round, f16_to_f64, to_f16};

/// Bits that are kept below the last place of an `f32` with the largest exponent of a block.
pub(super) const EXTRA: u32 = 2;
/// Places behind the point that are kept.
pub(super) const PLACES: u32 = 23 + EXTRA;
/// Places behind the point of a factor's significand.
pub(super) const FACTOR_PLACES: u32 = 10;

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

/// Finite: `significand * 2^(exponent - FACTOR_PLACES)`, where the significand is an integer. Otherwise the exponent is
/// [`SPECIAL`], and the significand 0 for NaN, or the sign of infinity.
#[derive(Clone, Copy, Default)]
pub(super) struct Factor {
    pub(super) significand: f32,
    pub(super) exponent: i32,
}

/// The exponent of infinities and NaN.
pub(super) const SPECIAL: i32 = i32::MAX;
/// The exponent of zero: below that of all products.
pub(super) const ZERO: i32 = -4000;

impl Format {
    /// The number that these bits stand for. Without branches, so that the compiler can vectorise it.
    #[inline(always)]
    pub(super) fn decode(self, bits: u32) -> Factor {
        let Format { exponent: width, stored, infinities } = self;
        let fraction = bits & ((1 << stored) - 1);
        let biased = bits >> stored & ((1 << width) - 1);
        let largest = (1 << width) - 1;
        let all_ones = fraction == (1 << stored) - 1;
        let special = (biased == largest) & (infinities | all_ones);
        let infinite = infinities & (fraction == 0);
        let hidden = if biased == 0 { 0 } else { 1 << stored };
        let finite = (fraction | hidden) << (FACTOR_PLACES - stored);
        let magnitude = if special { u32::from(infinite) } else { finite };
        let bias = (1 << (width - 1)) - 1;
        let exponent = if magnitude == 0 { ZERO } else { biased.max(1) as i32 - bias };
        let sign = (bits >> (stored + width) & 1) << 31;
        Factor {
            significand: f32::from_bits((magnitude as i32 as f32).to_bits() | sign),
            exponent: if special { SPECIAL } else { exponent },
        }
    }
}

vectorised! {
    /// Decodes the bits of fields from bit `shift` up.
    pub(super) fn decode(format: Format, shift: u32, fields: &[u32], out: &mut [Factor]) {
        let count = fields.len().min(out.len());
        for at in 0..count {
            out[at] = format.decode(fields[at] >> shift);
        }
    }
}

impl Factor {
    pub(super) fn negate(&mut self) {
        self.significand = -self.significand;
    }

    pub(super) fn value(self) -> f64 {
        let significand = f64::from(self.significand);
        match self.exponent {
            SPECIAL if significand == 0.0 => f64::NAN,
            SPECIAL => significand * f64::INFINITY,
            exponent => significand * power_of_two(exponent - FACTOR_PLACES as i32),
        }
    }
}

/// What a sum is rounded to after each block of products. An `f32` represents each of its values exactly.
pub(super) trait Sum: Copy {
    /// Whether it is an `f16`.
    const IS_HALF: bool;
    fn of(value: f32) -> Self;
    fn value(self) -> f32;
    /// Rounds an exact sum.
    fn round(exact: f64) -> f32;
    /// The sum, rounded to the nearest, by an ordinary addition.
    fn plus(self, other: Self) -> Self;
}

impl Sum for f32 {
    const IS_HALF: bool = false;

    #[inline(always)]
    fn of(value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    fn round(exact: f64) -> f32 {
        // Beyond the largest number lies infinity, although the mode is towards zero.
        let nearest = exact as f32;
        let too_far = f64::from(nearest).abs() > exact.abs() && exact.abs() < power_of_two(128);
        if too_far { f32::from_bits(nearest.to_bits() - 1) } else { nearest }
    }

    fn plus(self, other: f32) -> f32 {
        self + other
    }
}

/// An `f16`, as its value.
#[derive(Clone, Copy)]
pub(super) struct Half(pub(super) f32);

impl Half {
    #[inline(always)]
    pub(super) fn from_bits(bits: u16) -> Half {
        Half(f16_to_f64(bits) as f32)
    }

    /// The value must be one that an `f16` has.
    #[inline(always)]
    pub(super) fn to_bits(self) -> u16 {
        let bits = self.0.to_bits();
        let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7fff_ffff);
        // The exponent of the smallest normal `f16`, and of infinity.
        let (smallest, infinite) = (127 - 14, 0xff);
        let rest = match magnitude >> 23 {
            exponent if exponent < smallest => (self.0.abs() * 16_777_216.0) as u32,
            exponent if exponent < infinite => (magnitude - ((smallest - 1) << 23)) >> 13,
            _ if magnitude == infinite << 23 => 0x7c00,
            _ => return 0x7fff,
        };
        (sign | rest) as u16
    }
}

impl Sum for Half {
    const IS_HALF: bool = true;

    #[inline(always)]
    fn of(value: f32) -> Half {
        Half(value)
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self.0
    }

    fn round(exact: f64) -> f32 {
        f16_to_f64(to_f16(exact, Round::Nearest)) as f32
    }

    fn plus(self, other: Half) -> Half {
        // The sum of two `f16` is exact in `f64`.
        Half(Half::round(f64::from(self.0) + f64::from(other.0)))
    }
}

/// Columns of B and of the sums.
pub(super) const COLUMNS: usize = 8;
/// Products of a sum, at most.
const MAX_DEPTH: usize = 32;

/// The columns of B side by side, as rows of A meet them.
pub(super) struct Columns {
    pub(super) significands: [[f32; COLUMNS]; MAX_DEPTH],
    pub(super) exponents: [[i32; COLUMNS]; MAX_DEPTH],
    pub(super) finite: bool,
}

impl Columns {
    pub(super) fn new(b: &[Factor], depth: usize) -> Columns {
        let mut columns = Columns {
            significands: [[0.0; COLUMNS]; MAX_DEPTH],
            exponents: [[ZERO; COLUMNS]; MAX_DEPTH],
            finite: true,
        };
        for column in 0..COLUMNS {
            let factors = &b[column * depth..][..depth];
            for (k, factor) in factors.iter().take(MAX_DEPTH).enumerate() {
                columns.significands[k][column] = factor.significand;
                columns.exponents[k][column] = factor.exponent;
            }
            columns.finite &= all_finite(factors);
        }
        columns
    }
}

pub(super) fn all_finite(factors: &[Factor]) -> bool {
    let mut finite = true;
    for factor in factors {
        finite &= factor.exponent != SPECIAL;
    }
    finite
}

/// The exponent of a normal `f64`.
pub(super) fn exponent_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

#[inline(always)]
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    const F16: Format = Format { exponent: 5, stored: 10, infinities: true };
    const E4M3: Format = Format { exponent: 4, stored: 3, infinities: false };
    const E5M2: Format = Format { exponent: 5, stored: 2, infinities: true };

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
    fn halves_keep_their_bits() {
        for bits in 0..=u16::MAX {
            let half = Half::from_bits(bits);
            assert_eq!(half.to_bits(), to_f16(half.0.into(), Round::Nearest), "{bits:#x}");
        }
    }
}
