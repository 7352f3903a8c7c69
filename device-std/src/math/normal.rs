//! Relatives of the error function: scaled, inverse, and those of the normal distribution.

use super::elementary::Elementary;
use super::float::{chebyshev, polynomial};

/// The coefficients.
pub(super) struct Constants<T: 'static> {
    /// Of a Chebyshev series: [`erfcx`].
    erfcx: &'static [T],
    /// Numerator and denominator of [`quantile`] near 1/2.
    centre: [&'static [T]; 2],
    /// The same further out.
    shoulder: [&'static [T]; 2],
    /// The same where the probability is below e^-25.
    tail: [&'static [T]; 2],
}

/// A type with its constants.
pub(super) trait Normal: Elementary {
    const NORMAL: Constants<Self>;
}

impl Normal for f32 {
    const NORMAL: Constants<f32> = constants::f32;
}

impl Normal for f64 {
    const NORMAL: Constants<f64> = constants::f64;
}

/// `e^(x²) erfc(x)`. For positive x, `(1 + 2x) erfcx(x)` is smooth in `(x - 4) / (x + 4)`: M. M.
/// Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x < ∞",
/// Mathematics of Computation 36 (1981).
pub(super) fn erfcx<T: Normal>(argument: T) -> T {
    let x = argument.abs();
    if x == T::INFINITY {
        return if argument > T::ZERO { T::ZERO } else { x };
    }
    let (one, half, four) = (T::ONE, T::of(0.5), T::of(4.0));
    // Far out the sum below could overflow, and the quotient is 1.
    let t = if x > T::of(1e9) { one } else { (x - four) / (x + four) };
    let value = half * chebyshev(t, const { T::NORMAL }.erfcx) / (half + x);
    if argument < T::ZERO {
        // erfcx(-x) = 2 e^(x²) - erfcx(x), with the square in two parts, doubled last: an infinite
        // `2 e^(x²)` times a negative rest would be NaN.
        let square = x * x;
        let lost = x.fma(x, -square);
        let power = square.exp();
        if power == T::INFINITY {
            return power;
        }
        let sum = power.fma(lost, power - half * value);
        sum + sum
    } else {
        value
    }
}

/// The quantile of the normal distribution for a probability p of which three forms are given:
/// `p - 1/2`, the smaller of `2p` and `2(1 - p)`, and whether p is below 1/2. M. J. Wichura, "Algorithm
/// AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988); in `f32`
/// its version of seven digits.
#[inline(always)]
fn quantile<T: Normal>(centred: T, smaller: T, below: bool) -> T {
    let constants = const { T::NORMAL };
    let ratio =
        |x: T, [above, under]: [&'static [T]; 2]| polynomial(x, above) / polynomial(x, under);
    if centred.abs() <= T::of(0.425) {
        return centred * ratio(centred.fma(-centred, T::of(0.180625)), constants.centre);
    }
    if smaller <= T::ZERO || smaller.is_nan() {
        // Certainty has an infinite quantile, what is no probability has none.
        let size = if smaller == T::ZERO { T::INFINITY } else { T::NAN };
        return if below { -size } else { size };
    }
    // The logarithm of half of `smaller`, which itself may have no room below subnormal numbers.
    let r = (T::of(core::f64::consts::LN_2) - smaller.ln()).sqrt();
    let five = T::of(5.0);
    let size = if r <= five {
        ratio(r - T::of(1.6), constants.shoulder)
    } else {
        ratio(r - five, constants.tail)
    };
    if below { -size } else { size }
}

/// The inverse of `erf`.
pub(super) fn erf_inv<T: Normal>(x: T) -> T {
    // `1 - |x|` is exact wherever it matters.
    quantile(T::of(0.5) * x, T::ONE - x.abs(), x < T::ZERO) * T::FRAC_1_SQRT_2.0
}

/// The inverse of `erfc`.
pub(super) fn erfc_inv<T: Normal>(x: T) -> T {
    let one = T::ONE;
    let smaller = if x < one { x } else { T::of(2.0) - x };
    quantile(T::of(0.5) * (one - x), smaller, x > one) * T::FRAC_1_SQRT_2.0
}

/// The inverse of [`normal_cdf`].
pub(super) fn normal_cdf_inv<T: Normal>(p: T) -> T {
    let half = T::of(0.5);
    let smaller = if p < half { p + p } else { T::of(2.0) * (T::ONE - p) };
    quantile(p - half, smaller, p < half)
}

/// `erfc(-x/√2) / 2`; what the division by √2 loses is put right to the first order.
pub(super) fn normal_cdf<T: Normal>(x: T) -> T {
    let (root, rest) = T::FRAC_1_SQRT_2;
    let argument = -x * root;
    let lost = -rest.fma(x, root.fma(x, argument));
    let value = T::of(0.5) * argument.erfc();
    // erfc'(a) = -2/√π e^(-a²).
    let slope = T::of(0.564_189_583_547_756_3) * (-argument * argument).exp();
    // Neither infinities nor what is far out have anything to put right.
    if slope > T::ZERO { (-lost).fma(slope, value) } else { value }
}

/// From `scripts/math-coefficients` and the paper.
#[allow(clippy::excessive_precision, non_upper_case_globals)]
mod constants {
    use super::Constants;

    pub(super) const f32: Constants<f32> = Constants {
        erfcx: &[
            1.1774832,
            -0.0072607966,
            -0.08126512,
            0.06009213,
            -0.028753936,
            0.010595663,
            -0.0031369273,
            0.00074564945,
            -0.00013696965,
            1.7183862e-05,
            -7.1583645e-07,
            -2.42614e-07,
            5.576571e-08,
            -2.1057869e-09,
        ],
        centre: [
            &[3.3871326, 50.434273, 159.29114, 59.109375],
            &[1.0, 17.89517, 78.75776, 67.18756],
        ],
        shoulder: [&[1.4234372, 2.7568154, 1.3067285, 0.17023821], &[1.0, 0.73700166, 0.12021133]],
        tail: [&[6.657905, 3.0812263, 0.42868295, 0.017337205], &[1.0, 0.24197894, 0.012258203]],
    };
    pub(super) const f64: Constants<f64> = Constants {
        erfcx: &[
            1.1774832005374487,
            -0.007260796620301901,
            -0.081265123236185,
            0.06009212804122225,
            -0.02875393558027666,
            0.01059566336347286,
            -0.003136927294554264,
            0.0007456494372536184,
            -0.0001369696503010054,
            1.7183861600300937e-05,
            -7.158364623450346e-07,
            -2.4261399442449534e-07,
            5.5765709395703566e-08,
            -2.1057869513809477e-09,
            -1.1717889351884943e-09,
            1.9098355172456778e-10,
            1.4088717642088225e-11,
            -6.901108320481552e-12,
            9.167958363971856e-14,
            2.1454508286382217e-13,
            -1.4716575028659346e-14,
            -6.668675119960161e-15,
            7.504598505325236e-16,
            2.2200930104778508e-16,
            -3.170489783225843e-17,
        ],
        centre: [
            &[
                3.3871328727963665,
                133.14166789178438,
                1971.5909503065513,
                13731.69376550946,
                45921.95393154987,
                67265.7709270087,
                33430.57558358813,
                2509.0809287301227,
            ],
            &[
                1.0,
                42.31333070160091,
                687.1870074920579,
                5394.196021424751,
                21213.794301586597,
                39307.89580009271,
                28729.085735721943,
                5226.495278852854,
            ],
        ],
        shoulder: [
            &[
                1.4234371107496835,
                4.630337846156546,
                5.769497221460691,
                3.6478483247632045,
                1.2704582524523684,
                0.2417807251774506,
                0.022723844989269184,
                0.0007745450142783414,
            ],
            &[
                1.0,
                2.053191626637759,
                1.6763848301838038,
                0.6897673349851,
                0.14810397642748008,
                0.015198666563616457,
                0.0005475938084995345,
                1.0507500716444169e-09,
            ],
        ],
        tail: [
            &[
                6.657904643501103,
                5.463784911164114,
                1.7848265399172913,
                0.29656057182850487,
                0.026532189526576124,
                0.0012426609473880784,
                2.7115555687434876e-05,
                2.0103343992922881e-07,
            ],
            &[
                1.0,
                0.599832206555888,
                0.1369298809227358,
                0.014875361290850615,
                0.0007868691311456133,
                1.8463183175100548e-05,
                1.421511758316446e-07,
                2.0442631033899397e-15,
            ],
        ],
    };
}

#[cfg(test)]
mod tests {
    use super::erfcx;

    /// Where `2 e^(x²)` leaves the range of the type, the result grows into infinity: it had a NaN.
    #[test]
    fn erfcx_overflows_to_infinity() {
        let mut last = 0.0;
        for step in 0..200_000 {
            let value = erfcx(f32::from_bits((-9.3f32).to_bits() + step));
            assert!(value >= last * 0.999_99, "{value} after {last}");
            last = value;
        }
        assert_eq!(last, f32::INFINITY);
    }
}
