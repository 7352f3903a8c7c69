//! `num-traits`, `num-complex`, `num-integer`, `num-rational`, `libm`, `ordered-float`.

use num_complex::Complex;
use num_integer::{Integer, Roots};
use num_rational::Ratio;
use num_traits::{CheckedMul, Float, FromPrimitive, PrimInt};
use ordered_float::{NotNan, OrderedFloat};
use ptyx_crate_tests::same_on_both;

fn polynomial<T: Float + FromPrimitive>(x: T) -> T {
    let term = |sum: T, i: u32| sum * x + T::from_u32(i).unwrap();
    (0..6).fold(T::zero(), term).max(T::one()).powi(2)
}

fn digits<T: PrimInt>(mut x: T) -> u32 {
    let mut count = 0;
    while !x.is_zero() {
        x = x.unsigned_shr(3);
        count += 1;
    }
    count
}

same_on_both! {
    fn generic_floats(x: [f32; 4]) -> [f64; 4] {
        let clamped = num_traits::clamp(x[2], -0.25, 0.5);
        [polynomial(x[0]).into(), polynomial(f64::from(x[1])), clamped.into(), Float::signum(x[3]).into()]
    }

    fn generic_integers(x: u64) -> [u64; 6] {
        let narrow = x as u32;
        [
            CheckedMul::checked_mul(&narrow, &3).map_or(u64::MAX, u64::from),
            digits(x).into(),
            digits(narrow as i16).into(),
            num_traits::cast::<u64, u8>(x % 400).map_or(999, u64::from),
            num_traits::pow::checked_pow(x % 100, 9).unwrap_or(1),
            num_traits::Euclid::rem_euclid(&(x as i64), &1000) as u64,
        ]
    }

    fn complex_arithmetic(x: [f32; 4]) -> [f32; 4] {
        let (a, b) = (Complex::new(x[0], x[1]), Complex::new(x[2], x[3]));
        let sum: Complex<f32> = [a * b, a / b, b.conj().scale(2.0), a.inv()].iter().sum();
        [sum.re, sum.im, a.norm_sqr(), b.powi(3).im]
    }

    within 1e-12 fn complex_functions(x: [f64; 4]) -> [f64; 6] {
        let (a, b) = (Complex::new(x[0], x[1]), Complex::new(x[2], x[3]));
        let sum = a.exp() + b.sqrt() + a.powc(b) + b.ln();
        let product = a.sin() * b.tanh() * Complex::from_polar(x[0].abs(), x[1]);
        [sum.re, sum.im, product.re, product.im, a.arg(), b.norm()]
    }

    fn rationals(x: [u32; 4]) -> [i64; 5] {
        let a = Ratio::new(i64::from(x[0] % 100), i64::from(x[1] % 50 + 1));
        let b = Ratio::new(i64::from(x[2] % 99) - 50, i64::from(x[3] % 40 + 1));
        let c = a * b + a - b / Ratio::new(3, 7);
        [*c.numer(), *c.denom(), c.floor().to_integer(), c.round().to_integer(), (a < b).into()]
    }

    fn integer_theory(x: [u32; 4]) -> [u32; 6] {
        let (quotient, remainder) = (x[2] as i32).div_mod_floor(&7);
        [
            x[0].gcd(&x[1]),
            (x[0] % 1000).lcm(&(x[1] % 1000 + 1)),
            quotient as u32,
            remainder as u32,
            x[3].sqrt() + x[3].cbrt(),
            (x[0] as i32 / 2).extended_gcd(&(x[1] as i32 / 2)).x as u32,
        ]
    }

    // The crate's own functions, with its host assembly switched on: equal to the last bit.
    fn libm_f64(x: [f64; 4]) -> [f64; 6] {
        [
            libm::sin(x[0] * 100.0),
            libm::pow(x[1].abs(), x[2]),
            libm::erf(x[3]),
            libm::tgamma(x[0] + 3.0),
            libm::sqrt(x[1].abs()),
            libm::fma(x[0], x[1], x[2]),
        ]
    }

    fn libm_f32(x: [f32; 4]) -> [f32; 6] {
        [
            libm::sinf(x[0] * 100.0),
            libm::powf(x[1].abs(), x[2]),
            libm::j0f(x[3]),
            libm::expm1f(x[0]),
            libm::sqrtf(x[1].abs()),
            libm::fmaf(x[0], x[1], x[2]),
        ]
    }

    fn ordered_floats(x: [f32; 6]) -> [f32; 5] {
        let mut sorted = x.map(OrderedFloat);
        sorted.sort();
        let larger = NotNan::new(x[0]).unwrap().max(NotNan::new(x[1]).unwrap());
        let sum: OrderedFloat<f32> = sorted.iter().sum();
        [sorted[0].0, sorted[2].0, sorted[5].into_inner(), *larger, *sum]
    }
}
