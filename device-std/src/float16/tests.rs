//! The software, against the crate `half` and against exact arithmetic.

use super::*;
use crate::format::{BF16, F16, Format, Round};
use std::vec::Vec;

/// Bits of all kinds of numbers.
fn samples() -> Vec<u16> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut all: Vec<u16> = (0..400)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 48) as u16
        })
        .collect();
    all.extend([
        0, 0x8000, 1, 0x8001, 0x3c00, 0x3f80, 0x7bff, 0x7c00, 0xfc00, 0x7f7f, 0x7f80, 0x7fff,
    ]);
    all
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn arithmetic_is_that_of_the_crate() {
    let samples = samples();
    for pair in samples.chunks_exact(2) {
        for &other in &samples[..50] {
            let (a, b) = (F16x2::from_bits(ops::join(pair[0], pair[1])), f16::from_bits(other));
            let (x, y) = (Bf16x2::from_bits(a.to_bits()), bf16::from_bits(other));
            for (pairs, [low, high]) in [
                (a + F16x2::splat(b), a.to_array().map(|a| a + b)),
                (a - F16x2::splat(b), a.to_array().map(|a| a - b)),
                (a * F16x2::splat(b), a.to_array().map(|a| a * b)),
            ] {
                assert!(same(pairs.low().into(), low.into()), "{a:?} {b} {pairs:?} {low}");
                assert!(same(pairs.high().into(), high.into()), "{a:?} {b} {pairs:?} {high}");
            }
            for (pairs, [low, high]) in [
                (x + Bf16x2::splat(y), x.to_array().map(|x| x + y)),
                (x - Bf16x2::splat(y), x.to_array().map(|x| x - y)),
                (x * Bf16x2::splat(y), x.to_array().map(|x| x * y)),
            ] {
                assert!(same(pairs.low().into(), low.into()), "{x:?} {y} {pairs:?} {low}");
                assert!(same(pairs.high().into(), high.into()), "{x:?} {y} {pairs:?} {high}");
            }
        }
    }
}

/// Quotients and comparisons are the crate's; compound assignments are operators.
#[test]
fn quotients_and_comparisons_are_those_of_the_crate() {
    let samples = samples();
    macro_rules! check {
        ($pair:ident $type:ident) => {
            for numbers in samples.chunks_exact(4) {
                let x = numbers.iter().map(|&bits| $type::from_bits(bits)).collect::<Vec<_>>();
                let (a, b) = ($pair::new(x[0], x[1]), $pair::new(x[2], x[3]));
                let quotients = (a / b).to_array();
                assert!(same(quotients[0].into(), (x[0] / x[2]).into()), "{a:?} {b:?}");
                assert!(same(quotients[1].into(), (x[1] / x[3]).into()), "{a:?} {b:?}");
                assert_eq!(a.lanes_eq(b), [x[0] == x[2], x[1] == x[3]], "{a:?} {b:?}");
                assert_eq!(a.lanes_lt(b), [x[0] < x[2], x[1] < x[3]], "{a:?} {b:?}");
                assert_eq!(a.lanes_le(b), [x[0] <= x[2], x[1] <= x[3]], "{a:?} {b:?}");
                assert_eq!(a.lanes_le(a), [!x[0].is_nan(), !x[1].is_nan()], "{a:?}");
                let (mut c, by) = (a, a + b);
                c += b;
                assert_eq!(c.to_bits(), by.to_bits());
                c -= a;
                c *= b;
                c /= a;
                assert_eq!(c.to_bits(), ((by - a) * b / a).to_bits());
            }
        };
    }
    check!(F16x2 f16);
    check!(Bf16x2 bf16);
}

/// What is rounded from `f64` is the same, or within the places that the documentation says.
#[test]
fn functions_of_pairs() {
    let samples = samples();
    macro_rules! check {
        ($pair:ident $type:ident: $($name:ident within $places:literal = $exact:expr;)*) => {$(
            for pair in samples.chunks_exact(2) {
                let x = [0, 1].map(|i| $type::from_bits(pair[i]));
                let got = $pair::new(x[0], x[1]).$name().to_array();
                for (x, got) in x.into_iter().zip(got) {
                    let exact: fn(f64) -> f64 = $exact;
                    let want = $type::from_bits(round_to::<$type>(exact(x.into())));
                    // By the order of their bits, magnitudes are as many places apart.
                    let apart = got.to_bits().abs_diff(want.to_bits());
                    let is_nan = got.is_nan() && want.is_nan();
                    let zeros = f64::from(got) == 0.0 && f64::from(want) == 0.0;
                    assert!(is_nan || zeros || apart <= $places, "{} of {x:?}: {got:?}, not {want:?}", stringify!($name));
                }
            }
        )*};
    }
    macro_rules! functions {
        ($($pair:ident $type:ident;)*) => {$(check! { $pair $type:
            sqrt within 0 = libm::sqrt;
            rsqrt_approx within 1 = |x| 1.0 / libm::sqrt(x);
            recip_approx within 1 = |x| 1.0 / x;
            floor within 0 = libm::floor;
            ceil within 0 = libm::ceil;
            trunc within 0 = libm::trunc;
            round_ties_even within 0 = libm::rint;
            exp_approx within 1 = libm::exp;
            exp10_approx within 1 = libm::exp10;
            ln_approx within 2 = libm::log;
            log2_approx within 2 = libm::log2;
            log10_approx within 2 = libm::log10;
        })*};
    }
    functions! {
        F16x2 f16;
        Bf16x2 bf16;
    }
}

/// The bits of the nearest number of a format, ties to even.
fn round_to<T: OfFormat>(x: f64) -> u16 {
    T::FORMAT.round(x, Round::Nearest) as u16
}

trait OfFormat {
    const FORMAT: Format;
}

impl OfFormat for f16 {
    const FORMAT: Format = F16;
}

impl OfFormat for bf16 {
    const FORMAT: Format = BF16;
}

#[test]
fn saturating_operations_of_single_numbers() {
    let samples = samples();
    macro_rules! check {
        ($type:ident: $($name:ident $operator:tt;)*) => {$(
            for pair in samples.chunks_exact(2) {
                let [a, b] = [0, 1].map(|i| $type::from_bits(pair[i]));
                let exact = a $operator b;
                // Of NaN, 0.
                let want = if exact > $type::ZERO { exact.fmin($type::ONE) } else { $type::ZERO };
                assert_eq!(f64::from(a.$name(b)), f64::from(want), "{a} {} {b}", stringify!($operator));
            }
        )*};
    }
    check! { f16: add_sat +; sub_sat -; mul_sat *; }
    check! { bf16: add_sat +; sub_sat -; mul_sat *; }
}

#[test]
fn conversions_are_those_of_the_crate() {
    for bits in samples() {
        for low in samples() {
            let x = f32::from_bits(u32::from(bits) << 16 | u32::from(low));
            assert!(same(f16::from_f32_rn(x).into(), f16::from_f32_const(x).into()), "{x:e}");
            assert!(same(bf16::from_f32_rn(x).into(), bf16::from_f32(x).into()), "{x:e}");
        }
    }
}

/// Integers of every size between their neighbours of half precision, and back.
#[test]
fn integers_in_each_direction() {
    use crate::math::rounding::{Convert, convert_rd, convert_rn, convert_ru, convert_rz};

    fn check<T: Half + Into<f64>>(x: i64, bits: impl Fn(T) -> u16)
    where
        i64: Convert<T>,
    {
        let [near, zero, up, down]: [T; 4] =
            [convert_rn(x), convert_rz(x), convert_ru(x), convert_rd(x)];
        let exact = |half: T| -> i128 {
            let value: f64 = half.into();
            // What is infinite is beyond every integer.
            if value.is_finite() { value as i128 } else { (value.signum() as i128) << 100 }
        };
        let (low, high, x) = (exact(down), exact(up), i128::from(x));
        assert!(low <= x && x <= high, "{x} {low} {high}");
        assert_eq!(exact(zero), if x < 0 { high } else { low }, "{x}");
        if low != high {
            // Neighbours, in the order of their bits.
            assert_eq!(bits(down).abs_diff(bits(up)), 1, "{x} {low} {high}");
            if low > -(1 << 99) && high < 1 << 99 {
                let even = if bits(down) & 1 == 0 { low } else { high };
                let want = match (x - low).cmp(&(high - x)) {
                    core::cmp::Ordering::Less => low,
                    core::cmp::Ordering::Greater => high,
                    core::cmp::Ordering::Equal => even,
                };
                assert_eq!(exact(near), want, "{x}");
            }
        }
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..4000u32 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = state as i64 >> (round % 64);
        // Also next to the middle between two numbers.
        for x in [x, x & !0xff | 0x80, (x & !0xff | 0x80).wrapping_add(1)] {
            check(x, f16::to_bits);
            check(x, bf16::to_bits);
        }
    }
    let half = f16::from_f32(-2.5);
    let all: [i16; 4] = [convert_rn(half), convert_rz(half), convert_ru(half), convert_rd(half)];
    assert_eq!(all, [-2, -2, -2, -3]);
    assert_eq!(convert_rz::<_, u16>(half), 0);
    assert_eq!(convert_rn::<_, i16>(f16::MAX), i16::MAX);
    assert_eq!((convert_rn::<_, i32>(f16::NAN), convert_rn::<_, i64>(f16::NAN)), (0, i64::MIN));
}

/// Sums of integers, of which `f64` holds every one.
#[test]
fn products_with_one_rounding() {
    for a in [1.0f64, 1025.0, 2047.0, -1999.0] {
        for b in [3.0f64, 1023.0, -2046.0] {
            for c in [-1.0f64, 5.0, 2048.0, 60000.0] {
                let [x, y, z] = [a / 64.0, b / 64.0, c / 64.0].map(f16::from_f64);
                let exact = x.to_f64() * y.to_f64() + z.to_f64();
                let got = x.fma(y, z);
                // No neighbour is nearer, and an odd one is not just as near.
                for neighbour in [got.to_bits() - 1, got.to_bits() + 1].map(f16::from_bits) {
                    let [error, other] = [got, neighbour].map(|x| (x.to_f64() - exact).abs());
                    let is_even = got.to_bits() & 1 == 0;
                    assert!(error < other || (error == other && is_even), "{x} {y} {z}: {got}");
                }
            }
        }
    }
    // Products in the middle between two numbers, where the smallest number decides.
    let tiny = f16::from_bits(1);
    for (a, b, [zero, up, down]) in
        [(3.0, 683.0, [2048.0, 2050.0, 2048.0]), (7.0, 293.0, [2052.0, 2052.0, 2050.0])]
    {
        let [a, b] = [a, b].map(f16::from_f32);
        assert_eq!(a.fma(b, f16::ZERO).to_f32(), zero);
        assert_eq!((a.fma(b, tiny).to_f32(), a.fma(b, -tiny).to_f32()), (up, down));
    }
    assert_eq!(f16::MAX.fma(f16::MAX, f16::NEG_INFINITY), f16::NEG_INFINITY);
}

#[test]
fn minima_and_maxima() {
    let (one, nan) = (f16::ONE, f16::NAN);
    assert_eq!((one.fmin(nan), nan.fmax(one)), (one, one));
    assert!(one.minimum(nan).is_nan() && nan.maximum(one).is_nan() && nan.fmin(nan).is_nan());
    assert_eq!(f16::NEG_ZERO.fmax(f16::ZERO).to_bits(), 0);
    assert_eq!(f16::ZERO.fmin(f16::NEG_ZERO).to_bits(), 0x8000);
    let pair = Bf16x2::from_f32(1.0, f32::NAN);
    assert_eq!(pair.fmax(Bf16x2::from_f32(-3.0, 2.0)).to_f32(), [1.0, 2.0]);
    assert_eq!(Bf16x2::from_f32(-1.0, 0.5).add_sat(Bf16x2::default()).to_f32(), [0.0, 0.5]);
    assert_eq!(F16x2::from_f32(3.0, f32::NAN).mul_sat(F16x2::splat(one)).to_f32(), [1.0, 0.0]);
}

#[test]
fn generic_numbers() {
    fn mean<T: Num>(numbers: &[T]) -> T {
        numbers.iter().fold(T::ZERO, |sum, &x| sum + x) / T::from_usize(numbers.len())
    }
    assert_eq!(mean(&[1.0, 2.0].map(f16::from_f32)).to_f32(), 1.5);
    assert_eq!(mean(&[1.0, 2.0].map(bf16::from_f32)).to_f32(), 1.5);
    assert_eq!(<f16 as Num>::from_i32(-3).lesser(f16::NAN).to_f32(), -3.0);
}
