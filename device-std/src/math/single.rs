//! The hot functions of `f32`, without `f64`: a consumer's GPU has one `f64` unit for 64 of `f32`.
//!
//! All are the usual two steps: an argument reduced by a fused multiply-add or two to where a short
//! polynomial does (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980), and
//! the result put together so that one rounding counts. The polynomials interpolate at Chebyshev's
//! points (`scripts/math-coefficients`). `docs/math.md` has the errors.

use super::fast;
use super::float::{Float, polynomial};

/// `x × 2^n` for n in -252 to 254, in two steps so that subnormal results are rounded once.
#[inline(always)]
fn scale(x: f32, n: i32) -> f32 {
    let half = n >> 1;
    x * f32::power_of_two(half) * f32::power_of_two(n.wrapping_sub(half))
}

/// `x` within limits beyond which the result no longer changes. NaN stays.
#[inline(always)]
fn limited(x: f32, least: f32, most: f32) -> f32 {
    let x = if x > most { most } else { x };
    if x < least { least } else { x }
}

/// e to the power of `x`.
pub(super) fn exp(x: f32) -> f32 {
    let x = limited(x, -104.5, 89.0);
    let (n, exponent) = x.nearest_multiple(core::f32::consts::LOG2_E);
    let rest = n.fma(1.904_654_2e-9, n.fma(-core::f32::consts::LN_2, x));
    const TAIL: [f32; 6] =
        [0.5, 0.166_666_67, 0.041_666_456, 0.008_333_310_5, 0.001_393_454_1, 0.000_198_919_8];
    scale((rest * rest).fma(polynomial(rest, &TAIL), rest) + 1.0, exponent)
}

/// `(2^x - 1) / x` within a half of 0.
const EXP2_TAIL: [f32; 6] = [
    core::f32::consts::LN_2,
    0.240_226_5,
    0.055_503_566,
    0.009_618_082,
    0.001_339_109_4,
    0.000_154_533_61,
];

/// 2 to the power of `x`.
pub(super) fn exp2(x: f32) -> f32 {
    let x = limited(x, -151.0, 129.0);
    let (n, exponent) = x.nearest();
    let rest = x - n;
    scale(rest.fma(polynomial(rest, &EXP2_TAIL), 1.0), exponent)
}

/// 10 to the power of `x`.
pub(super) fn exp10(x: f32) -> f32 {
    let x = limited(x, -45.5, 38.9);
    let (n, exponent) = x.nearest_multiple(core::f32::consts::LOG2_10);
    let rest = n.fma(1.432_098_9e-8, n.fma(-core::f32::consts::LOG10_2, x));
    const TAIL: [f32; 6] =
        [core::f32::consts::LN_10, 2.650_949, 2.034_658_2, 1.171_249_3, 0.541_747_8, 0.207_676_25];
    scale(rest.fma(polynomial(rest, &TAIL), 1.0), exponent)
}

/// The bits of 2/3, the least fraction of [`logarithm`].
const TWO_THIRDS: i32 = 0x3f2a_aaab;

/// `x` as `2^n (1 + f)`, `1 + f` in 2/3 to 4/3: n, f, and `ln(1 + f) - f`. `Err` of what has no
/// logarithm with its result.
#[inline(always)]
fn logarithm(x: f32) -> Result<(f32, f32, f32), f32> {
    let (x, shift) = if x < f32::MIN_POSITIVE { (x * 8_388_608.0, -23) } else { (x, 0) };
    if !(x > 0.0 && x < f32::INFINITY) {
        return Err(match x {
            0.0 => f32::NEG_INFINITY,
            f32::INFINITY => x,
            _ => f32::NAN,
        });
    }
    let (exponent, f, rest) = logarithm_of_normal(x);
    Ok((exponent.wrapping_add(shift) as f32, f, rest))
}

/// The same for positive normal numbers.
#[inline(always)]
fn logarithm_of_normal(x: f32) -> (i32, f32, f32) {
    let bits = x.to_bits() as i32;
    let exponent = bits.wrapping_sub(TWO_THIRDS) >> 23;
    let f = f32::from_bits(bits.wrapping_sub(exponent << 23) as u32) - 1.0;
    const TAIL: [f32; 8] = [
        0.333_333_2,
        -0.249_999_88,
        0.200_037_8,
        -0.166_701_4,
        0.141_183_1,
        -0.123_461_9,
        0.134_257_5,
        -0.121_255_81,
    ];
    (exponent, f, f * f * f.fma(polynomial(f, &TAIL), -0.5))
}

/// [`ln`] of a positive normal number: the same, without the tests for other numbers.
#[inline(always)]
pub(crate) fn ln_of_normal(x: f32) -> f32 {
    let (exponent, f, rest) = logarithm_of_normal(x);
    (exponent as f32).fma(core::f32::consts::LN_2, f + rest)
}

/// The natural logarithm.
pub(super) fn ln(x: f32) -> f32 {
    match logarithm(x) {
        Ok((n, f, rest)) => n.fma(core::f32::consts::LN_2, f + rest),
        Err(result) => result,
    }
}

/// A logarithm to another base: the logarithms of 2 and of e to it, in two parts each.
#[inline(always)]
fn logarithm_to_base(x: f32, of_2: (f32, f32), of_e: (f32, f32)) -> f32 {
    match logarithm(x) {
        Ok((n, f, rest)) => {
            let product = f * of_e.0;
            let lost = f.fma(of_e.1, f.fma(of_e.0, -product));
            let small = n.fma(of_2.1, rest.fma(of_e.0, lost));
            n.fma(of_2.0, product + small)
        }
        Err(result) => result,
    }
}

/// The binary logarithm.
pub(super) fn log2(x: f32) -> f32 {
    logarithm_to_base(x, (1.0, 0.0), (core::f32::consts::LOG2_E, 1.925_963e-8))
}

/// The decimal logarithm.
pub(super) fn log10(x: f32) -> f32 {
    let of_2 = (core::f32::consts::LOG10_2, -1.432_098_9e-8);
    logarithm_to_base(x, of_2, (core::f32::consts::LOG10_E, -1.010_305e-8))
}

/// Beyond it, three parts of π/2 no longer do.
const FAR: f32 = 105_615.0;

/// The quadrant of an angle, modulo 4, and its distance from the quadrant's axis: at most π/4.
#[inline(always)]
fn reduce(x: f32) -> (i32, f32) {
    if x.abs() >= FAR {
        return reduce_far(x);
    }
    let (n, quadrant) = x.nearest_multiple(core::f32::consts::FRAC_2_PI);
    let rest = n.fma(-core::f32::consts::FRAC_PI_2, x);
    (quadrant, n.fma(1.715_124_5e-15, n.fma(4.371_139e-8, rest)))
}

/// [`reduce`] for any size: of the product with 2/π only the bits that matter modulo 4 are made (M. H.
/// Payne and R. N. Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983).
fn reduce_far(x: f32) -> (i32, f32) {
    /// 2/π, behind a word of zeros.
    const TWO_OVER_PI: [u32; 8] = [
        0,
        0xa2f9_836e,
        0x4e44_1529,
        0xfc27_57d1,
        0xf534_ddc0,
        0xdb62_9599,
        0x3c43_9041,
        0xfe51_63ab,
    ];
    if !x.is_finite() {
        return (0, f32::NAN);
    }
    let bits = x.to_bits();
    let fraction = u64::from(bits & 0x7f_ffff | 0x80_0000);
    // The first bit of 2/π whose product with the fraction is not a multiple of 4.
    let first = (bits >> 23 & 0xff).wrapping_sub(127 + 25 - 32);
    let (word, shift) = (first / 32, first % 32);
    let window = |at: u32| -> u64 {
        let at = word.wrapping_add(at) as usize & 7;
        let pair = u64::from(TWO_OVER_PI[at]) << 32 | u64::from(TWO_OVER_PI[(at + 1) & 7]);
        pair << shift >> 32
    };
    let low = window(2).wrapping_mul(fraction);
    let middle = window(1).wrapping_mul(fraction).wrapping_add(low >> 32);
    let high = window(0).wrapping_mul(fraction).wrapping_add(middle >> 32);
    // Two bits of quadrant, then the fraction of a quadrant; to the nearest axis.
    let product = high << 32 | middle & 0xffff_ffff;
    let quadrant = (product >> 62).wrapping_add(product >> 61 & 1) as i32;
    let rest = (product << 2 | low >> 30 & 3) as i64;
    // π/2 × 2^-64: the one product in `f64`, on a way that few arguments take.
    let angle = (rest as f64 * 8.515_303_950_216_386e-20) as f32;
    if x < 0.0 { (quadrant.wrapping_neg(), -angle) } else { (quadrant, angle) }
}

/// The sine of at most π/4.
#[inline(always)]
pub(super) fn small_sin(x: f32) -> f32 {
    const TAIL: [f32; 3] = [-0.166_666_64, 0.008_332_737, -0.000_195_853_73];
    let square = x * x;
    (x * square).fma(polynomial(square, &TAIL), x)
}

/// The cosine of at most π/4.
#[inline(always)]
pub(super) fn small_cos(x: f32) -> f32 {
    const TAIL: [f32; 4] = [-0.5, 0.041_666_664, -0.001_388_829_1, 2.454_542e-5];
    let square = x * x;
    square.fma(polynomial(square, &TAIL), 1.0)
}

/// The sine, `quarters` quadrants on.
#[inline(always)]
fn sine(x: f32, quarters: i32) -> f32 {
    let (quadrant, rest) = reduce(x);
    let quadrant = quadrant.wrapping_add(quarters);
    let size = if quadrant & 1 == 0 { small_sin(rest) } else { small_cos(rest) };
    if quadrant & 2 == 0 { size } else { -size }
}

/// The sine.
pub(super) fn sin(x: f32) -> f32 {
    // A sum of zeros would lose the sign.
    if x == 0.0 { x } else { sine(x, 0) }
}

/// The cosine.
pub(super) fn cos(x: f32) -> f32 {
    sine(x, 1)
}

/// The tangent.
pub(super) fn tan(x: f32) -> f32 {
    const TAIL: [f32; 7] = [
        0.333_333_34,
        0.133_332_24,
        0.053_996_097,
        0.021_608_332,
        0.010_006_793,
        0.001_114_354_2,
        0.003_885_040_8,
    ];
    let (quadrant, rest) = reduce(x);
    let square = rest * rest;
    let size = (rest * square).fma(polynomial(square, &TAIL), rest);
    match quadrant & 1 {
        0 if x == 0.0 => x,
        0 => size,
        _ => -1.0 / size,
    }
}

/// The hyperbolic tangent.
pub(super) fn tanh(x: f32) -> f32 {
    let size = x.abs();
    if size < 0.55 {
        const TAIL: [f32; 5] =
            [-0.333_333_3, 0.133_329_15, -0.053_873_95, 0.021_110_954, -0.006_269_113_6];
        let square = x * x;
        if x == 0.0 { x } else { (x * square).fma(polynomial(square, &TAIL), x) }
    } else {
        (1.0 / (exp(size + size) + 1.0)).fma(-2.0, 1.0).copysign(x)
    }
}

/// The cube root.
pub(super) fn cbrt(x: f32) -> f32 {
    let size = x.abs();
    if !(size > 0.0 && size < f32::INFINITY) {
        return x;
    }
    // Cubes of the least numbers would be subnormal; 2^-24 is the cube of 2^-8.
    let (size, down) = if size < 1e-30 { (size * 16_777_216.0, 1.0 / 256.0) } else { (size, 1.0) };
    const THIRD: f32 = 1.0 / 3.0;
    let reciprocal = fast::exp2(-THIRD * fast::log2(size));
    let square = reciprocal * reciprocal;
    // Newton's step, the error of the cube in two parts.
    let root = size * square;
    let root_square = root * root;
    let lost = root.fma(root, -root_square);
    let error = (-lost).fma(root, (-root_square).fma(root, size));
    let root = (error * square).fma(THIRD, root);
    (root * down).copysign(x)
}

/// `log2(x)` of a positive finite number in two parts, to about 2^-33 of it. `ln(1 + f)` is twice the
/// inverse hyperbolic tangent of `f / (2 + f)`, whose first two terms need more than one float.
#[inline(always)]
fn log2_in_parts(x: f32) -> (f32, f32) {
    let (x, shift) = if x < f32::MIN_POSITIVE { (x * 8_388_608.0, -23) } else { (x, 0) };
    let bits = x.to_bits() as i32;
    let exponent = bits.wrapping_sub(TWO_THIRDS) >> 23;
    let f = f32::from_bits(bits.wrapping_sub(exponent << 23) as u32) - 1.0;
    // The quotient, and what it lacks.
    let divisor = 2.0 + f;
    let divisor_low = f - (divisor - 2.0);
    let reciprocal = fast::recip(divisor);
    let s = f * reciprocal;
    let lacking = (-s).fma(divisor_low, (-s).fma(divisor, f));
    let s_low = lacking * reciprocal;
    // s³ (1/3 + s²/5 + ...)
    const THIRD: (f32, f32) = (1.0 / 3.0, -9.934_108e-9);
    const TAIL: [f32; 5] = [0.2, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0];
    let square = s * s;
    let square_low = s.fma(s, -square) + 2.0 * s * s_low;
    let cube = s * square;
    let cube_low = s.fma(square, -cube) + s * square_low + s_low * square;
    let rest = square * polynomial(square, &TAIL);
    let series = THIRD.0 + rest;
    let series_low = THIRD.0 - series + rest + THIRD.1;
    let term = cube * series;
    let term_low = cube.fma(series, -term) + cube * series_low + cube_low * series;
    let sum = s + term;
    let sum_low = s - sum + term + (s_low + term_low);
    // Twice that, in units of ln 2.
    const TWICE_LOG2_E: (f32, f32) = (2.0 * core::f32::consts::LOG2_E, 3.851_926e-8);
    let logarithm = sum * TWICE_LOG2_E.0;
    let low = sum.fma(TWICE_LOG2_E.0, -logarithm) + sum * TWICE_LOG2_E.1 + sum_low * TWICE_LOG2_E.0;
    let exponent = exponent.wrapping_add(shift) as f32;
    let high = exponent + logarithm;
    (high, exponent - high + logarithm + low)
}

/// `x` to the power of `y`, both positive and finite but for the sign of `y`.
#[inline(always)]
fn power_of_positive(x: f32, y: f32) -> f32 {
    let (high, low) = log2_in_parts(x);
    let product = y * high;
    let product_low = y.fma(high, -product) + y * low;
    // Beyond the limits the low part may be infinite, and does not matter.
    if !(-151.0..=129.0).contains(&product) {
        return if product > 0.0 { f32::INFINITY } else { 0.0 };
    }
    let (n, exponent) = product.nearest();
    let rest = product - n + product_low;
    scale(rest.fma(polynomial(rest, &EXP2_TAIL), 1.0), exponent)
}

/// `x` to the power of `y`, with the special values of C's `powf`.
pub(super) fn powf(x: f32, y: f32) -> f32 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let whole = y.rint() == y;
    let odd = whole && (0.5 * y).rint() != 0.5 * y;
    let base = x.abs();
    let size = if base == 0.0 || base == f32::INFINITY {
        if (base == 0.0) == (y < 0.0) { f32::INFINITY } else { 0.0 }
    } else if y.abs() == f32::INFINITY {
        match base {
            1.0 => 1.0,
            _ if (base > 1.0) == (y > 0.0) => f32::INFINITY,
            _ => 0.0,
        }
    } else if x < 0.0 && !whole {
        f32::NAN
    } else {
        power_of_positive(base, y)
    };
    if odd && x.is_sign_negative() { -size } else { size }
}
