//! Narrow floating-point formats in software: for the host, and for devices without instructions for them.
//!
//! Everything is computed in `f64`, which holds a value of any of these formats and the product of two. A
//! sum is rounded to odd first: its last bit is set if it is inexact. Rounding that once more to a narrower
//! format is the same as rounding the exact sum (S. Boldo, G. Melquiond: "Emulation of FMA and correctly
//! rounded sums", IEEE Transactions on Computers 57, 2008).

/// How a value is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// To the nearest, ties to even (`.rn`).
    Nearest,
    /// To the nearest, ties away from zero (`.rna`).
    Away,
    /// Towards zero (`.rz`).
    Zero,
    /// Towards infinity (`.rp`).
    #[cfg(any(feature = "half", test))]
    Up,
    /// Towards minus infinity (`.rm`).
    #[cfg(any(feature = "half", test))]
    Down,
}

impl Round {
    /// Whether a number of this sign that is between two others becomes the one farther from zero.
    const fn is_away(self, _is_negative: bool) -> bool {
        match self {
            #[cfg(any(feature = "half", test))]
            Self::Up => !_is_negative,
            #[cfg(any(feature = "half", test))]
            Self::Down => _is_negative,
            _ => false,
        }
    }

    /// Whether it becomes the one nearer to zero.
    const fn is_towards_zero(self, is_negative: bool) -> bool {
        !matches!(self, Self::Nearest | Self::Away) && !self.is_away(is_negative)
    }
}

/// A binary format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Bits of the significand that are stored.
    stored: u32,
    /// The exponent of the smallest normal number.
    least: i32,
    /// The bits of the largest finite number.
    greatest: u32,
    /// The bits of infinity, or of NaN if there is no infinity.
    overflow: u32,
    /// The bits of the NaN that results have.
    nan: u32,
    /// The sign.
    sign: u32,
}

#[cfg(any(feature = "half", test))]
pub(crate) const F16: Format = Format {
    stored: 10,
    least: -14,
    greatest: 0x7bff,
    overflow: 0x7c00,
    nan: 0x7fff,
    sign: 0x8000,
};
#[cfg(any(feature = "half", test))]
pub(crate) const BF16: Format = Format {
    stored: 7,
    least: -126,
    greatest: 0x7f7f,
    overflow: 0x7f80,
    nan: 0x7fff,
    sign: 0x8000,
};
/// No infinities; the greatest number is 448.
pub(crate) const E4M3: Format =
    Format { stored: 3, least: -6, greatest: 0x7e, overflow: 0x7f, nan: 0x7f, sign: 0x80 };
pub(crate) const E5M2: Format =
    Format { stored: 2, least: -14, greatest: 0x7b, overflow: 0x7c, nan: 0x7f, sign: 0x80 };
/// Finite numbers only: `overflow` and `nan` are no bits that a number has.
pub(crate) const E3M2: Format =
    Format { stored: 2, least: -2, greatest: 0x1f, overflow: 0x20, nan: 0x20, sign: 0x20 };
pub(crate) const E2M3: Format =
    Format { stored: 3, least: 0, greatest: 0x1f, overflow: 0x20, nan: 0x20, sign: 0x20 };
pub(crate) const E2M1: Format =
    Format { stored: 1, least: 0, greatest: 0x7, overflow: 0x8, nan: 0x8, sign: 0x8 };
/// The upper 19 bits of an `f32`.
pub(crate) const TF32: Format = Format {
    stored: 10,
    least: -126,
    greatest: 0x3_fbff,
    overflow: 0x3_fc00,
    nan: 0x3_ffff,
    sign: 0x4_0000,
};

const EXPONENT_BIAS: i32 = 1023;
const STORED: u32 = 52;

impl Format {
    /// The bits of the largest finite number.
    pub(crate) const fn greatest(self) -> u32 {
        self.greatest
    }

    /// Whether these bits, whose sign is the highest, are NaN.
    pub(crate) const fn is_nan(self, bits: u32) -> bool {
        let magnitude = bits & !self.sign;
        magnitude > self.greatest && (magnitude != self.overflow || self.overflow == self.nan)
    }

    /// The bits of `value`, rounded. What is too large becomes infinity where there is one.
    pub(crate) fn round(self, value: f64, how: Round) -> u32 {
        let bits = value.to_bits();
        let sign = if bits >> 63 == 1 { self.sign } else { 0 };
        let magnitude = bits & (u64::MAX >> 1);
        if value.is_nan() {
            return self.nan;
        }
        if value.is_infinite() {
            return sign | self.overflow;
        }
        let exponent = (magnitude >> STORED) as i32;
        let is_away = how.is_away(sign != 0);
        // What is far below every format: the smallest number or zero.
        let tiny = sign | is_away as u32;
        if exponent == 0 {
            return if magnitude == 0 { sign } else { tiny };
        }
        let exponent = exponent.wrapping_sub(EXPONENT_BIAS);
        let significand = magnitude & ((1 << STORED) - 1) | 1 << STORED;
        // Subnormal results have fewer bits.
        let below = self.least.wrapping_sub(exponent).max(0);
        let dropped = ((STORED - self.stored) as i32).wrapping_add(below) as u32;
        if dropped > STORED.wrapping_add(2) {
            return tiny;
        }
        let kept = significand >> dropped;
        let rest = significand & ((1 << dropped) - 1);
        let half = 1 << dropped.wrapping_sub(1);
        let up = match how {
            Round::Nearest => rest > half || (rest == half && kept & 1 == 1),
            Round::Away => rest >= half,
            _ => is_away && rest > 0,
        };
        // The leading bit, where there is one, adds 1 to the exponent's field.
        let field = exponent.max(self.least).wrapping_sub(self.least) as u32;
        let rounded = (field << self.stored).wrapping_add(kept as u32).wrapping_add(up as u32);
        let most = if how.is_towards_zero(sign != 0) { self.greatest } else { self.overflow };
        sign | rounded.min(most)
    }

    /// The same, with the greatest finite number instead of what is too large.
    pub(crate) fn round_finite(self, value: f64, how: Round) -> u32 {
        let bits = self.round(value, how);
        if !value.is_nan() && bits & !self.sign > self.greatest {
            bits & self.sign | self.greatest
        } else {
            bits
        }
    }

    /// The value of these bits.
    pub(crate) fn value(self, bits: u32) -> f64 {
        let magnitude = bits & !self.sign & (self.sign.wrapping_mul(2).wrapping_sub(1));
        let value = if magnitude > self.greatest {
            if magnitude == self.overflow && self.overflow != self.nan {
                f64::INFINITY
            } else {
                f64::NAN
            }
        } else {
            let field = (magnitude >> self.stored) as i32;
            let fraction = u64::from(magnitude & ((1 << self.stored) - 1));
            let hidden = if field > 0 { 1 << self.stored } else { 0 };
            let exponent = field.max(1).wrapping_sub(1).wrapping_add(self.least);
            let unit = exponent.wrapping_sub(self.stored as i32).wrapping_add(EXPONENT_BIAS);
            // Both are exact, and so is their product.
            (fraction | hidden) as f64 * f64::from_bits((unit as u64) << STORED)
        };
        if bits & self.sign != 0 { -value } else { value }
    }
}

/// `a + b`, rounded to odd.
#[cfg(any(feature = "half", test))]
pub(crate) fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's two-sum: what the sum lost.
    let from_b = sum - a;
    let lost = (a - (sum - from_b)) + (b - from_b);
    let bits = sum.to_bits();
    if !sum.is_finite() || lost == 0.0 || bits & 1 == 1 {
        return sum;
    }
    let away = lost.is_sign_negative() != sum.is_sign_negative();
    f64::from_bits(if away { bits.wrapping_sub(1) } else { bits.wrapping_add(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_its_own_rounding() {
        for (format, last) in [(F16, 0xffff), (BF16, 0xffff), (E4M3, 0xff), (E5M2, 0xff)] {
            for bits in 0..=last {
                let value = format.value(bits);
                for how in [Round::Nearest, Round::Away, Round::Zero, Round::Up, Round::Down] {
                    let same = if value.is_nan() { format.nan } else { bits };
                    assert_eq!(format.round(value, how), same, "{format:?} {bits:#x} {how:?}");
                }
            }
        }
    }

    #[test]
    fn bfloats_are_upper_halves() {
        for bits in (0..0x7f80u32).chain([0x8000, 0xff7f]) {
            assert_eq!(BF16.value(bits), f64::from(f32::from_bits(bits << 16)));
            assert_eq!(TF32.value(bits << 3), f64::from(f32::from_bits(bits << 16)));
        }
    }

    /// Between neighbours: the middle, and next to it.
    #[test]
    fn rounding_between_neighbours() {
        for format in [F16, BF16, E4M3, E5M2] {
            for bits in 0..format.greatest {
                let (low, high) = (format.value(bits), format.value(bits + 1));
                let middle = (low + high) / 2.0;
                let (less, more) = (middle.next_down(), middle.next_up());
                let even = bits + (bits & 1);
                for (value, nearest, away) in
                    [(less, bits, bits), (middle, even, bits + 1), (more, bits + 1, bits + 1)]
                {
                    assert_eq!(
                        format.round(value, Round::Nearest),
                        nearest,
                        "{format:?} {value:e}"
                    );
                    assert_eq!(format.round(value, Round::Away), away, "{format:?} {value:e}");
                    assert_eq!(format.round(value, Round::Zero), bits, "{format:?} {value:e}");
                    assert_eq!(format.round(-value, Round::Zero), bits | format.sign);
                    assert_eq!(format.round(value, Round::Up), bits + 1, "{format:?} {value:e}");
                    assert_eq!(format.round(value, Round::Down), bits, "{format:?} {value:e}");
                    assert_eq!(format.round(-value, Round::Up), bits | format.sign);
                    assert_eq!(format.round(-value, Round::Down), (bits + 1) | format.sign);
                }
            }
        }
    }

    #[test]
    fn what_is_too_large() {
        assert_eq!(E4M3.round_finite(1e9, Round::Nearest), 0x7e);
        assert_eq!(E4M3.round_finite(f64::NEG_INFINITY, Round::Nearest), 0xfe);
        assert_eq!(E4M3.round_finite(f64::NAN, Round::Nearest), 0x7f);
        assert_eq!(E5M2.round_finite(1e9, Round::Nearest), 0x7b);
        assert_eq!(F16.round(65519.0, Round::Nearest), 0x7bff);
        assert_eq!(F16.round(65520.0, Round::Nearest), 0x7c00);
        assert_eq!(F16.round(1e9, Round::Zero), 0x7bff);
        assert_eq!(F16.round(65505.0, Round::Up), 0x7c00);
        assert_eq!(F16.round(1e9, Round::Down), 0x7bff);
        assert_eq!(F16.round(-1e9, Round::Up), 0xfbff);
        assert_eq!(F16.round(-1e9, Round::Down), 0xfc00);
        assert_eq!(F16.round(f64::INFINITY, Round::Down), 0x7c00);
    }

    #[test]
    fn what_is_too_small() {
        for tiny in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1e-50] {
            for format in [F16, BF16] {
                assert_eq!(format.round(tiny, Round::Up), 1);
                assert_eq!(format.round(tiny, Round::Down), 0);
                assert_eq!(format.round(-tiny, Round::Up), format.sign);
                assert_eq!(format.round(-tiny, Round::Down), format.sign | 1);
                assert_eq!(format.round(-tiny, Round::Nearest), format.sign);
            }
        }
        assert_eq!(F16.round(-0.0, Round::Down), 0x8000);
    }

    #[test]
    fn sums_to_odd() {
        let tiny = f64::from_bits(1);
        assert_eq!(add_to_odd(1.0, tiny), 1f64.next_up());
        assert_eq!(add_to_odd(1.0, -tiny), 1f64.next_down());
        assert_eq!(add_to_odd(-1.0, tiny), -(1f64.next_down()));
        assert_eq!(add_to_odd(1.0, 2.0), 3.0);
        assert_eq!(add_to_odd(f64::INFINITY, 2.0), f64::INFINITY);
    }
}
