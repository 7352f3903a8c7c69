//! Correct rounding in every mode and format (IEEE 754-2019, section 4.3).
//!
//! Operations on formats narrower than `f64` are computed in `f64`, rounded to odd: the last bit is set
//! if the result is inexact. Rounding that once more to a format with at least two bits less is the
//! same as rounding the exact result (S. Boldo, G. Melquiond: "Emulation of FMA and correctly rounded
//! sums", IEEE Transactions on Computers 57, 2008).

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// `.rn`: to nearest, ties to even.
    Nearest,
    /// `.rna`: to nearest, ties away from zero.
    Away,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
}

impl Round {
    /// The mode that a modifier names; `.rni` and the like round to an integer in the same way.
    pub(crate) fn from_words(words: &[&str]) -> Round {
        words.iter().fold(Round::Nearest, |mode, word| match *word {
            "rz" | "rzi" => Round::Zero,
            "rm" | "rmi" => Round::Down,
            "rp" | "rpi" => Round::Up,
            "rna" => Round::Away,
            _ => mode,
        })
    }

    /// Whether a magnitude goes up: `rest` of `unit` was cut off from an (`odd`) integer.
    fn goes_up(self, negative: bool, odd: bool, rest: u64, unit: u64) -> bool {
        let half = unit / 2;
        match self {
            Round::Nearest => rest > half || (rest == half && odd),
            Round::Away => rest >= half,
            Round::Zero => false,
            Round::Down => negative && rest != 0,
            Round::Up => !negative && rest != 0,
        }
    }
}

/// A binary floating-point format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Bits of the significand, including the hidden one.
    precision: u32,
    /// Exponent of the smallest normal number.
    least: i32,
    /// Bits of the whole format.
    bits: u32,
    /// Whether the largest exponent is that of infinity. If not, its numbers are as any others, apart from
    /// the last, which is NaN.
    has_infinity: bool,
}

pub(crate) const F32: Format = Format { precision: 24, least: -126, bits: 32, has_infinity: true };
pub(crate) const F16: Format = Format { precision: 11, least: -14, bits: 16, has_infinity: true };
pub(crate) const BF16: Format = Format { precision: 8, least: -126, bits: 16, has_infinity: true };
/// Like `f32`, with 13 bits fewer; rounded values are in the upper bits.
pub(crate) const TF32: Format = Format { precision: 11, least: -126, bits: 19, has_infinity: true };
pub(crate) const E5M2: Format = Format { precision: 3, least: -14, bits: 8, has_infinity: true };
pub(crate) const E4M3: Format = Format { precision: 4, least: -6, bits: 8, has_infinity: false };

/// Rounds to a format; the result's bits. NaN becomes the device's canonical one.
#[inline(never)]
pub(crate) fn round_to(value: f64, format: Format, mode: Round) -> u32 {
    let Format { precision, least, bits, has_infinity } = format;
    let stored = precision - 1;
    let nan = (1u32 << (bits - 1)) - 1;
    let infinity = if has_infinity { nan >> stored << stored } else { nan };
    if value.is_nan() {
        return nan;
    }
    let negative = value.is_sign_negative();
    let sign = u32::from(negative) << (bits - 1);
    if value.is_infinite() {
        return sign | infinity;
    }
    let raw = value.to_bits() & !(1 << 63);
    if raw == 0 {
        return sign;
    }
    let field = (raw >> 52) as i32;
    let mut significand = raw & ((1 << 52) - 1);
    let mut exponent = field.max(1) - 1075;
    if field > 0 {
        significand |= 1 << 52;
    }
    let up = significand.leading_zeros() as i32 - 11;
    significand <<= up;
    exponent -= up;
    // The value is `significand * 2^exponent` with 53 significant bits; `quantum` is what the last bit of
    // the result stands for.
    let quantum = (exponent + 53 - precision as i32).max(least - stored as i32);
    let shift = (quantum - exponent) as u32;
    let (kept, rest, unit) = if shift > 60 {
        (0, 1, 4)
    } else {
        (significand >> shift, significand & ((1 << shift) - 1), 1 << shift)
    };
    let kept = kept as u32 + u32::from(mode.goes_up(negative, kept & 1 == 1, rest, unit));
    let hidden = 1u32 << stored;
    let magnitude = if kept < hidden {
        kept
    } else {
        let field = (quantum + stored as i32 - least + 1) as u32;
        field.saturating_mul(hidden).saturating_add(kept - hidden)
    };
    if magnitude < infinity {
        return sign | magnitude;
    }
    let to_infinity = match mode {
        Round::Nearest | Round::Away => true,
        Round::Zero => false,
        Round::Down => negative,
        Round::Up => !negative,
    };
    sign | if to_infinity { infinity } else { infinity - 1 }
}

/// Rounds to `f32`.
pub(crate) fn to_f32(value: f64, mode: Round) -> f32 {
    if mode == Round::Nearest && !value.is_nan() {
        return value as f32;
    }
    f32::from_bits(round_to(value, F32, mode))
}

/// Widens an `f16`.
#[inline(never)]
pub(crate) fn f16_to_f64(bits: u16) -> f64 {
    let magnitude = u64::from(bits & 0x7fff);
    let value = if magnitude >= 0x7c00 {
        f64::from_bits(0x7ff << 52 | (magnitude & 0x3ff) << 42)
    } else {
        // As if the exponent had the bias of `f64`, then scaled: right for subnormals, too.
        f64::from_bits(magnitude << 42) * f64::from_bits((1023 + 1008) << 52)
    };
    if bits >> 15 == 1 { -value } else { value }
}

/// Widens a `bf16`.
pub(crate) fn bf16_to_f64(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

/// Rounds to `f16`.
pub(crate) fn to_f16(value: f64, mode: Round) -> u16 {
    round_to(value, F16, mode) as u16
}

/// Rounds to `bf16`.
pub(crate) fn to_bf16(value: f64, mode: Round) -> u16 {
    round_to(value, BF16, mode) as u16
}

/// `.ftz`: a subnormal becomes a zero of its sign.
#[inline(always)]
pub(crate) fn flush(value: f32) -> f32 {
    let bits = value.to_bits();
    if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { value }
}

/// `.sat`: to 0..1, NaN to 0.
#[inline(always)]
pub(crate) fn saturate(value: f32) -> f32 {
    if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 }
}

/// The device's NaN in place of any other.
#[inline(always)]
pub(crate) fn canonical(value: f32) -> f32 {
    if value.is_nan() { f32::from_bits(0x7fff_ffff) } else { value }
}

/// The rounded sum and its error (D. Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Makes a rounded value odd if `lost`, the exact value minus the rounded one, is not zero.
fn odd(value: f64, lost: f64) -> f64 {
    if lost == 0.0 || !lost.is_finite() || !value.is_finite() || value.to_bits() & 1 == 1 {
        return value;
    }
    let outwards = (lost > 0.0) == (value > 0.0);
    f64::from_bits(if outwards { value.to_bits() + 1 } else { value.to_bits() - 1 })
}

/// A sum, rounded to odd; `mode` gives the sign of an exact zero.
pub(crate) fn add_odd(a: f64, b: f64, mode: Round) -> f64 {
    let (sum, lost) = two_sum(a, b);
    if sum == 0.0 && mode == Round::Down && a.is_sign_negative() != b.is_sign_negative() {
        return -0.0;
    }
    odd(sum, lost)
}

/// A quotient of numbers of at most 24 bits, rounded to odd.
pub(crate) fn div_odd(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !quotient.is_finite() || quotient == 0.0 {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    odd(quotient, if b < 0.0 { -rest } else { rest })
}

/// A square root, rounded to odd.
pub(crate) fn sqrt_odd(a: f64) -> f64 {
    let root = a.sqrt();
    if !root.is_finite() || root == 0.0 {
        return root;
    }
    odd(root, (-root).mul_add(root, a))
}

/// Changes a result rounded to nearest to that of another mode; `lost` has the sign of the exact result
/// minus the rounded one.
pub(crate) fn redirect(value: f64, lost: f64, mode: Round) -> f64 {
    if value.is_infinite() {
        // Only called for finite operands: the exact result overflowed.
        let stays = match mode {
            Round::Nearest | Round::Away => true,
            Round::Zero => false,
            Round::Down => value < 0.0,
            Round::Up => value > 0.0,
        };
        return if stays { value } else { f64::MAX.copysign(value) };
    }
    if lost == 0.0 || lost.is_nan() || value.is_nan() {
        return value;
    }
    match mode {
        Round::Down if lost < 0.0 => value.next_down(),
        Round::Up if lost > 0.0 => value.next_up(),
        Round::Zero if value > 0.0 && lost < 0.0 => value.next_down(),
        Round::Zero if value < 0.0 && lost > 0.0 => value.next_up(),
        _ => value,
    }
}

/// The exponent of the leading bit.
fn exponent(value: f64) -> i32 {
    let raw = value.abs().to_bits();
    match (raw >> 52) as i32 {
        0 => -1011 - raw.leading_zeros() as i32,
        field => field - 1023,
    }
}

/// `a * b + c` of doubles in any mode.
#[inline(never)]
pub(crate) fn fma_f64(a: f64, b: f64, c: f64, mode: Round) -> f64 {
    let value = a.mul_add(b, c);
    if mode == Round::Nearest || !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return value;
    }
    let product = a * b;
    if value == 0.0 && mode == Round::Down && product.is_sign_negative() != c.is_sign_negative() {
        return -0.0;
    }
    if value.is_infinite() {
        return redirect(value, 0.0, mode);
    }
    // The error of a product of tiny numbers would itself be lost. Either only its sign matters, or
    // everything is computed with scaled numbers.
    let exponent = exponent(a) + exponent(b);
    if a != 0.0 && b != 0.0 && (exponent < -1200 || (exponent < -900 && c.abs() >= 2f64.powi(-800)))
    {
        return redirect(value, 1f64.copysign(product), mode);
    }
    let (a, b, c, scaled) = if exponent < -900 {
        let scale = 2f64.powi(600);
        let (large, little) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
        (large, little * scale, c * scale, value * scale)
    } else {
        (a, b, c, value)
    };
    let product = a * b;
    let lost = a.mul_add(b, -product);
    let (sum, rest) = two_sum(product, c);
    let (first, second) = two_sum(sum - scaled, rest);
    let (third, fourth) = two_sum(first, lost);
    redirect(value, third + (second + fourth), mode)
}

/// A sum of doubles in any mode.
#[inline(never)]
pub(crate) fn add_f64(a: f64, b: f64, mode: Round) -> f64 {
    let (sum, lost) = two_sum(a, b);
    if sum == 0.0 && mode == Round::Down && a.is_sign_negative() != b.is_sign_negative() {
        return -0.0;
    }
    if !(a.is_finite() && b.is_finite()) { sum } else { redirect(sum, lost, mode) }
}

/// A product of doubles in any mode.
pub(crate) fn mul_f64(a: f64, b: f64, mode: Round) -> f64 {
    let product = a * b;
    if mode == Round::Nearest || product == 0.0 && (a == 0.0 || b == 0.0) {
        return product;
    }
    fma_f64(a, b, if product.is_sign_negative() { -0.0 } else { 0.0 }, mode)
}

/// A quotient of doubles in any mode.
#[inline(never)]
pub(crate) fn div_f64(a: f64, b: f64, mode: Round) -> f64 {
    let quotient = a / b;
    if mode == Round::Nearest || !(a.is_finite() && b.is_finite()) || b == 0.0 || a == 0.0 {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    redirect(quotient, if b < 0.0 { -rest } else { rest }, mode)
}

/// A square root of a double in any mode.
#[inline(never)]
pub(crate) fn sqrt_f64(a: f64, mode: Round) -> f64 {
    if a > 0.0 && a < 2f64.powi(-500) {
        // Roots of tiny numbers are not tiny, but their squares' errors are.
        return sqrt_f64(a * 2f64.powi(600), mode) * 2f64.powi(-300);
    }
    let root = a.sqrt();
    if root.is_finite() { redirect(root, (-root).mul_add(root, a), mode) } else { root }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_trip() {
        for bits in 0..=u16::MAX {
            let value = f16_to_f64(bits);
            let wide = bf16_to_f64(bits);
            if !value.is_nan() {
                assert_eq!(to_f16(value, Round::Nearest), bits);
            }
            if !wide.is_nan() {
                assert_eq!(to_bf16(wide, Round::Zero), bits);
            }
        }
    }

    #[test]
    fn nearest_is_what_the_host_does() {
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = f64::from_bits(state);
            if !value.is_nan() {
                let ours = round_to(value, F32, Round::Nearest);
                assert_eq!(ours, (value as f32).to_bits(), "{value:e}");
            }
        }
    }

    #[test]
    fn directed_modes_enclose_the_value() {
        let value = 1.0 + 2f64.powi(-30);
        assert_eq!(to_f32(value, Round::Zero), 1.0);
        assert_eq!(to_f32(value, Round::Up), 1.0 + f32::EPSILON);
        assert_eq!(to_f32(-value, Round::Up), -1.0);
        assert_eq!(to_f32(-value, Round::Down), -1.0 - f32::EPSILON);
        assert_eq!(to_f32(1e300, Round::Zero), f32::MAX);
        assert_eq!(to_f32(1e300, Round::Up), f32::INFINITY);
        assert_eq!(to_f32(1e-300, Round::Up), f32::from_bits(1));
        assert_eq!(to_f16(65520.0, Round::Nearest), 0x7c00);
        assert_eq!(to_f16(65519.0, Round::Nearest), 0x7bff);
        assert_eq!(to_f16(2f64.powi(-25), Round::Nearest), 0);
        assert_eq!(to_f16(2f64.powi(-25) * 1.1, Round::Nearest), 1);
    }

    #[test]
    fn doubles_in_directed_modes() {
        let third = div_f64(1.0, 3.0, Round::Up);
        assert_eq!(div_f64(1.0, 3.0, Round::Down).next_up(), third);
        assert_eq!(add_f64(1.0, 1e-30, Round::Up), 1.0 + f64::EPSILON);
        assert_eq!(add_f64(1.0, 1e-30, Round::Zero), 1.0);
        assert_eq!(add_f64(1.0, -1.0, Round::Down).to_bits(), (-0.0f64).to_bits());
        assert_eq!(mul_f64(0.1, 0.1, Round::Down).next_up(), mul_f64(0.1, 0.1, Round::Up));
        assert_eq!(sqrt_f64(2.0, Round::Down).next_up(), sqrt_f64(2.0, Round::Up));
        assert_eq!(sqrt_f64(4.0, Round::Up), 2.0);
        assert_eq!(mul_f64(f64::MAX, 2.0, Round::Zero), f64::MAX);
        let tiny = mul_f64(1e-200, 1e-150, Round::Up);
        assert_eq!(tiny, f64::from_bits(1));
        assert_eq!(mul_f64(1e-200, 1e-150, Round::Down), 0.0);
    }
}
