//! The mathematical functions of std, as symbols.
//!
//! Kernels call the methods of `f32` and `f64` as any code does. rustc turns them into LLVM
//! intrinsics (`llvm.sin.f32`) or calls of C's library (`atan2f`), neither of which a GPU has; the
//! compiler sends both to `__ptyx_math_` plus C's name: one of those here or, where C has a function
//! that std has not, in [`super::special`]. What the hardware has (square root, rounding, `mul_add`,
//! absolute value, minimum and maximum) never comes here.
//!
//! The functions are those of the `libm` crate, a port of musl's, and of [`super::single`]. Where the build finds NVIDIA's
//! libdevice, its functions take the place of these.

use super::single;

macro_rules! exports {
    ($($symbol:ident = $function:path as fn($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[cfg_attr(ptyx_device, unsafe(no_mangle))]
        pub(crate) extern "C" fn $symbol($($argument: $type),*) -> $result {
            $function($($argument),*)
        }
    )*};
}

macro_rules! unary {
    ($($symbol:ident $symbol_f32:ident = $function:path, $function_f32:path;)*) => {
        exports! {$(
            $symbol = $function as fn(x: f64) -> f64;
            $symbol_f32 = $function_f32 as fn(x: f32) -> f32;
        )*}
    };
}

macro_rules! binary {
    ($($symbol:ident $symbol_f32:ident = $function:path, $function_f32:path;)*) => {
        exports! {$(
            $symbol = $function as fn(x: f64, y: f64) -> f64;
            $symbol_f32 = $function_f32 as fn(x: f32, y: f32) -> f32;
        )*}
    };
}

unary! {
    __ptyx_math_sin __ptyx_math_sinf = libm::sin, single::sin;
    __ptyx_math_cos __ptyx_math_cosf = libm::cos, single::cos;
    __ptyx_math_tan __ptyx_math_tanf = libm::tan, single::tan;
    __ptyx_math_asin __ptyx_math_asinf = libm::asin, libm::asinf;
    __ptyx_math_acos __ptyx_math_acosf = libm::acos, libm::acosf;
    __ptyx_math_atan __ptyx_math_atanf = libm::atan, libm::atanf;
    __ptyx_math_sinh __ptyx_math_sinhf = libm::sinh, libm::sinhf;
    __ptyx_math_cosh __ptyx_math_coshf = libm::cosh, libm::coshf;
    __ptyx_math_tanh __ptyx_math_tanhf = libm::tanh, single::tanh;
    __ptyx_math_exp __ptyx_math_expf = libm::exp, single::exp;
    __ptyx_math_exp2 __ptyx_math_exp2f = libm::exp2, single::exp2;
    __ptyx_math_expm1 __ptyx_math_expm1f = libm::expm1, libm::expm1f;
    __ptyx_math_log __ptyx_math_logf = libm::log, single::ln;
    __ptyx_math_log2 __ptyx_math_log2f = libm::log2, single::log2;
    __ptyx_math_log10 __ptyx_math_log10f = libm::log10, single::log10;
    __ptyx_math_log1p __ptyx_math_log1pf = libm::log1p, libm::log1pf;
    __ptyx_math_cbrt __ptyx_math_cbrtf = libm::cbrt, single::cbrt;
    __ptyx_math_roundeven __ptyx_math_roundevenf = libm::rint, libm::rintf;
}

binary! {
    __ptyx_math_atan2 __ptyx_math_atan2f = libm::atan2, libm::atan2f;
    __ptyx_math_pow __ptyx_math_powf = libm::pow, single::powf;
    __ptyx_math_hypot __ptyx_math_hypotf = libm::hypot, libm::hypotf;
    __ptyx_math_fmod __ptyx_math_fmodf = libm::fmod, libm::fmodf;
}

exports! {
    __ptyx_math_powi = powi as fn(x: f64, n: i32) -> f64;
    __ptyx_math_powif = powif as fn(x: f32, n: i32) -> f32;
}

/// C's `lgamma_r`: the logarithm of the gamma function's size, and its sign by pointer.
///
/// # Safety
/// `sign` is valid for writes.
#[cfg_attr(ptyx_device, unsafe(no_mangle))]
pub(crate) unsafe extern "C" fn __ptyx_math_lgamma_r(x: f64, sign: *mut i32) -> f64 {
    let (value, its_sign) = libm::lgamma_r(x);
    // SAFETY: as the caller's.
    unsafe { *sign = its_sign };
    value
}

/// [`__ptyx_math_lgamma_r`] for `f32`.
///
/// # Safety
/// `sign` is valid for writes.
#[cfg_attr(ptyx_device, unsafe(no_mangle))]
pub(crate) unsafe extern "C" fn __ptyx_math_lgammaf_r(x: f32, sign: *mut i32) -> f32 {
    let (value, its_sign) = libm::lgammaf_r(x);
    // SAFETY: as the caller's.
    unsafe { *sign = its_sign };
    value
}

macro_rules! integer_power {
    ($name:ident, $type:ident) => {
        /// `x` to the power of `n` by repeated squaring, as LLVM's own library does it.
        fn $name(x: $type, n: i32) -> $type {
            let (mut power, mut square, mut left) = (1.0, x, n.unsigned_abs());
            while left != 0 {
                if left % 2 == 1 {
                    power *= square;
                }
                square *= square;
                left /= 2;
            }
            if n < 0 { 1.0 / power } else { power }
        }
    };
}

integer_power! { powi, f64 }
integer_power! { powif, f32 }

#[cfg(test)]
mod tests {
    use super::*;
    use std::println;

    /// Evenly distributed numbers from a fixed start (a multiplicative congruential generator).
    struct Numbers(u64);

    impl Numbers {
        /// Between `low` and `high`.
        fn next(&mut self, low: f64, high: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (self.0 >> 11) as f64 / (1u64 << 53) as f64 * (high - low)
        }
    }

    /// The distance in units in the last place of `exact`, rounded to `f32`.
    fn ulp_f32(value: f32, exact: f64) -> f64 {
        let rounded = exact as f32;
        if value.to_bits() == rounded.to_bits() || (value.is_nan() && rounded.is_nan()) {
            return 0.0;
        }
        (f64::from(value) - exact).abs() / f64::from(rounded.abs().next_up() - rounded.abs())
    }

    fn ulp_f64(value: f64, exact: f64) -> f64 {
        if value.to_bits() == exact.to_bits() || (value.is_nan() && exact.is_nan()) {
            return 0.0;
        }
        (value - exact).abs() / (exact.abs().next_up() - exact.abs())
    }

    type Unary = (
        &'static str,
        extern "C" fn(f64) -> f64,
        extern "C" fn(f32) -> f32,
        fn(f64) -> f64,
        f64,
        f64,
    );

    /// The reference is std's `f64`, that is the host's C library; for `f32` it is far more exact
    /// than what is tested, for `f64` the bound covers the errors of both.
    #[test]
    fn functions_of_one_argument() {
        let functions: [Unary; 20] = [
            ("sin", __ptyx_math_sin, __ptyx_math_sinf, f64::sin, -100.0, 100.0),
            ("cos", __ptyx_math_cos, __ptyx_math_cosf, f64::cos, -100.0, 100.0),
            ("tan", __ptyx_math_tan, __ptyx_math_tanf, f64::tan, -10.0, 10.0),
            ("asin", __ptyx_math_asin, __ptyx_math_asinf, f64::asin, -1.0, 1.0),
            ("acos", __ptyx_math_acos, __ptyx_math_acosf, f64::acos, -1.0, 1.0),
            ("atan", __ptyx_math_atan, __ptyx_math_atanf, f64::atan, -50.0, 50.0),
            ("sinh", __ptyx_math_sinh, __ptyx_math_sinhf, f64::sinh, -20.0, 20.0),
            ("cosh", __ptyx_math_cosh, __ptyx_math_coshf, f64::cosh, -20.0, 20.0),
            ("tanh", __ptyx_math_tanh, __ptyx_math_tanhf, f64::tanh, -5.0, 5.0),
            ("exp", __ptyx_math_exp, __ptyx_math_expf, f64::exp, -80.0, 80.0),
            ("exp2", __ptyx_math_exp2, __ptyx_math_exp2f, f64::exp2, -100.0, 100.0),
            ("expm1", __ptyx_math_expm1, __ptyx_math_expm1f, f64::exp_m1, -2.0, 20.0),
            ("log", __ptyx_math_log, __ptyx_math_logf, f64::ln, 0.0, 1e6),
            ("log2", __ptyx_math_log2, __ptyx_math_log2f, f64::log2, 0.0, 1e6),
            ("log10", __ptyx_math_log10, __ptyx_math_log10f, f64::log10, 0.0, 1e6),
            ("log1p", __ptyx_math_log1p, __ptyx_math_log1pf, f64::ln_1p, -0.9, 10.0),
            ("cbrt", __ptyx_math_cbrt, __ptyx_math_cbrtf, f64::cbrt, -1e9, 1e9),
            (
                "roundeven",
                __ptyx_math_roundeven,
                __ptyx_math_roundevenf,
                f64::round_ties_even,
                -50.0,
                50.0,
            ),
            ("log, near 0", __ptyx_math_log, __ptyx_math_logf, f64::ln, 0.0, 1e-30),
            ("sin, far out", __ptyx_math_sin, __ptyx_math_sinf, f64::sin, -1e30, 1e30),
        ];
        let mut numbers = Numbers(2024);
        println!("start of the numbers: {}", numbers.0);
        for (name, wide, narrow, exact, low, high) in functions {
            let (mut worst_wide, mut worst_narrow) = (0.0f64, 0.0f64);
            for _ in 0..20_000 {
                let x = numbers.next(low, high) as f32;
                worst_wide = worst_wide.max(ulp_f64(wide(x.into()), exact(x.into())));
                worst_narrow = worst_narrow.max(ulp_f32(narrow(x), exact(x.into())));
            }
            println!("{name}: {worst_narrow:.3} ulp in f32, {worst_wide:.3} in f64");
            assert!(worst_narrow < 2.5 && worst_wide < 3.0, "{name}");
        }
    }

    #[test]
    fn functions_of_two_arguments() {
        let mut numbers = Numbers(7);
        println!("start of the numbers: {}", numbers.0);
        for _ in 0..20_000 {
            let (x, y) = (numbers.next(0.0, 20.0) as f32, numbers.next(-15.0, 15.0) as f32);
            let (wide_x, wide_y) = (f64::from(x), f64::from(y));
            assert!(ulp_f32(__ptyx_math_powf(x, y), wide_x.powf(wide_y)) < 2.0, "{x}^{y}");
            assert!(ulp_f64(__ptyx_math_pow(wide_x, wide_y), wide_x.powf(wide_y)) < 2.0, "{x}^{y}");
            assert!(ulp_f32(__ptyx_math_atan2f(x, y), wide_x.atan2(wide_y)) < 2.0, "{x} {y}");
            assert!(
                ulp_f64(__ptyx_math_atan2(wide_x, wide_y), wide_x.atan2(wide_y)) < 2.0,
                "{x} {y}"
            );
            assert!(ulp_f32(__ptyx_math_hypotf(x, y), wide_x.hypot(wide_y)) < 2.0, "{x} {y}");
            assert_eq!(__ptyx_math_fmodf(x, y), x % y, "{x} {y}");
            assert_eq!(__ptyx_math_fmod(wide_x, wide_y), wide_x % wide_y, "{x} {y}");
        }
    }

    #[test]
    fn integer_powers() {
        for (x, n) in [(1.5f64, 10), (-2.0, 31), (3.0, 0), (0.5, -3), (0.0, -1), (-1.0, i32::MIN)] {
            let exact = x.powf(n.into());
            assert_eq!(__ptyx_math_powi(x, n), exact, "{x}^{n}");
            assert_eq!(__ptyx_math_powif(x as f32, n), exact as f32, "{x}^{n}");
        }
    }

    #[test]
    fn special_values() {
        assert!(__ptyx_math_logf(-1.0).is_nan() && __ptyx_math_sin(f64::INFINITY).is_nan());
        assert_eq!(__ptyx_math_log(0.0), f64::NEG_INFINITY);
        assert_eq!(__ptyx_math_expf(1000.0), f32::INFINITY);
        assert_eq!(__ptyx_math_atan2f(0.0, -1.0), core::f32::consts::PI);
        let mut sign = 0;
        // SAFETY: the place of the sign is valid.
        let value = unsafe { __ptyx_math_lgamma_r(-0.5, &raw mut sign) };
        assert!((value - 1.265_512_123_484_645_4).abs() < 1e-14 && sign == -1);
        // SAFETY: the place of the sign is valid.
        assert_eq!(unsafe { __ptyx_math_lgammaf_r(3.0, &raw mut sign) }, core::f32::consts::LN_2);
        assert_eq!(sign, 1);
        let odd = [__ptyx_math_sinf, __ptyx_math_tanf, __ptyx_math_tanhf, __ptyx_math_cbrtf];
        for function in odd {
            assert_eq!(function(-0.0).to_bits(), (-0.0f32).to_bits());
            assert!(function(f32::NAN).is_nan());
        }
    }

    /// C's special values, which the host's library has, and powers near the limits of the range.
    #[test]
    fn powers_of_single_precision() {
        let edges = [0.0, 1.0, 2.0, 3.0, 0.5, 2.5, 1e10, 16_777_215.0, 3e38, 1e-40, f32::INFINITY];
        let edges: std::vec::Vec<f32> =
            edges.into_iter().flat_map(|x| [x, -x]).chain([f32::NAN]).collect();
        for (&x, &y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))) {
            let (got, want) = (__ptyx_math_powf(x, y), x.powf(y));
            let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
            assert!(same || (got / want - 1.0).abs() < 1e-6, "{x}^{y}: {got}, not {want}");
        }
        let mut numbers = Numbers(5);
        for _ in 0..20_000 {
            let (x, size) = (numbers.next(0.5, 2.0) as f32, numbers.next(-125.0, 127.0) as f32);
            let y = size / x.log2();
            let ulp = ulp_f32(__ptyx_math_powf(x, y), f64::from(x).powf(y.into()));
            assert!(ulp < 1.5, "{x}^{y}: {ulp} ulp");
        }
    }
}
