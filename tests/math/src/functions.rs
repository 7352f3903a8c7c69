//! The list of functions.

use crate::{Form, Function, Metric, evaluate};
use ptyx::device::math;
use ptyx_test_support::is_in_part;

/// All functions, or those of the part that `PTYX_TEST_PART` named when this was compiled.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    let part = option_env!("PTYX_TEST_PART");
    FUNCTIONS.iter().filter(move |function| is_in_part(part, function.name))
}

macro_rules! functions {
    ($(
        $name:ident($($x:ident),+) = $body:expr, $metric:ident,
        $low32:literal..$high32:literal, $low64:literal..$high64:literal;
    )*) => {
        /// Every function, whether it is in this part or not.
        const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            arity: $name::ARITY,
            metric: Metric::$metric,
            single: Form {
                range: ($low32, $high32),
                device: $name::single_device,
                host: $name::single_host,
            },
            double: Form {
                range: ($low64, $high64),
                device: $name::double_device,
                host: $name::double_host,
            },
        }),*];

        // A module each, so that the closures' types have names of their own.
        $(mod $name {
            use super::*;

            pub(super) const ARITY: usize = [$(stringify!($x)),+].len();

            pub(super) fn single_device(x: &[f32]) -> Vec<f32> {
                if const { !is_in_part(option_env!("PTYX_TEST_PART"), stringify!($name)) } {
                    unreachable!("`functions` leaves it out");
                }
                evaluate(|[$($x),+]: [f32; ARITY]| $body, x)
            }

            pub(super) fn double_device(x: &[f64]) -> Vec<f64> {
                if const { !is_in_part(option_env!("PTYX_TEST_PART"), stringify!($name)) } {
                    unreachable!("`functions` leaves it out");
                }
                evaluate(|[$($x),+]: [f64; ARITY]| $body, x)
            }

            pub(super) fn single_host(x: &[f32]) -> f32 {
                let [$($x),+]: [f32; ARITY] = x.try_into().expect("as many as its arity");
                $body
            }

            pub(super) fn double_host(x: &[f64]) -> f64 {
                let [$($x),+]: [f64; ARITY] = x.try_into().expect("as many as its arity");
                $body
            }
        })*
    };
}

// Name, meaning, metric, arguments in f32 and in f64.
functions! {
    sin(x) = x.sin(), Ulp, -1e5..1e5, -1e5..1e5;
    sin_far(x) = x.sin(), Ulp, -1e38..1e38, -1e300..1e300;
    cos(x) = x.cos(), Ulp, -1e5..1e5, -1e5..1e5;
    cos_far(x) = x.cos(), Ulp, -1e38..1e38, -1e300..1e300;
    tan(x) = x.tan(), Ulp, -1e5..1e5, -1e5..1e5;
    asin(x) = x.asin(), Ulp, -1.0..1.0, -1.0..1.0;
    acos(x) = x.acos(), Ulp, -1.0..1.0, -1.0..1.0;
    atan(x) = x.atan(), Ulp, -1e4..1e4, -1e4..1e4;
    atan2(x, y) = x.atan2(y), Ulp, -1e3..1e3, -1e3..1e3;
    sinh(x) = x.sinh(), Ulp, -90.0..90.0, -711.0..711.0;
    cosh(x) = x.cosh(), Ulp, -90.0..90.0, -711.0..711.0;
    tanh(x) = x.tanh(), Ulp, -12.0..12.0, -25.0..25.0;
    exp(x) = x.exp(), Ulp, -104.0..89.0, -746.0..710.0;
    exp2(x) = x.exp2(), Ulp, -150.0..129.0, -1076.0..1025.0;
    exp_m1(x) = x.exp_m1(), Ulp, -20.0..89.0, -40.0..710.0;
    ln(x) = x.ln(), Ulp, 0.0..1e38, 0.0..1e300;
    ln_near_1(x) = x.ln(), Ulp, 0.5..2.0, 0.5..2.0;
    ln_1p(x) = x.ln_1p(), Ulp, -1.0..1e6, -1.0..1e6;
    log2(x) = x.log2(), Ulp, 0.0..1e38, 0.0..1e300;
    log10(x) = x.log10(), Ulp, 0.0..1e38, 0.0..1e300;
    cbrt(x) = x.cbrt(), Ulp, -1e38..1e38, -1e300..1e300;
    sqrt(x) = x.sqrt(), Ulp, 0.0..1e38, 0.0..1e300;
    powf(x, y) = x.powf(y), Ulp, -20.0..20.0, -100.0..100.0;
    powi_7(x) = x.powi(7), Ulp, -1e4..1e4, -1e30..1e30;
    hypot(x, y) = x.hypot(y), Ulp, -1e38..1e38, -1e300..1e300;
    std_asinh(x) = x.asinh(), Ulp, -1e6..1e6, -1e6..1e6;
    std_acosh(x) = x.acosh(), Ulp, 1.0..1e6, 1.0..1e6;
    std_atanh(x) = x.atanh(), Ulp, -1.0..1.0, -1.0..1.0;

    asinh(x) = math::asinh(x), Ulp, -1e6..1e6, -1e6..1e6;
    acosh(x) = math::acosh(x), Ulp, 1.0..1e6, 1.0..1e6;
    atanh(x) = math::atanh(x), Ulp, -1.0..1.0, -1.0..1.0;
    exp10(x) = math::exp10(x), Ulp, -45.5..38.6, -324.0..308.5;
    sinpi(x) = math::sinpi(x), Ulp, -1e4..1e4, -1e4..1e4;
    cospi(x) = math::cospi(x), Ulp, -1e4..1e4, -1e4..1e4;
    tanpi(x) = math::tanpi(x), Ulp, -1e4..1e4, -1e4..1e4;
    rsqrt(x) = math::rsqrt(x), Ulp, 0.0..1e38, 0.0..1e300;
    rcbrt(x) = math::rcbrt(x), Ulp, -1e38..1e38, -1e300..1e300;
    rhypot(x, y) = math::rhypot(x, y), Ulp, -1e37..1e37, -1e300..1e300;
    norm3d(x, y, z) = math::norm3d(x, y, z), Ulp, -1e38..1e38, -1e300..1e300;
    norm4d(x, y, z, w) = math::norm4d(x, y, z, w), Ulp, -1e38..1e38, -1e300..1e300;
    rnorm3d(x, y, z) = math::rnorm3d(x, y, z), Ulp, -1e37..1e37, -1e300..1e300;
    rnorm4d(x, y, z, w) = math::rnorm4d(x, y, z, w), Ulp, -1e37..1e37, -1e300..1e300;

    erf(x) = math::erf(x), Ulp, -4.0..4.0, -6.0..6.0;
    erfc(x) = math::erfc(x), Ulp, -4.0..10.1, -6.0..27.3;
    erfcx(x) = math::erfcx(x), Ulp, -9.4..1e4, -26.6..1e4;
    erfinv(x) = math::erfinv(x), Ulp, -1.0..1.0, -1.0..1.0;
    erfcinv(x) = math::erfcinv(x), Ulp, 0.0..2.0, 0.0..2.0;
    normcdf(x) = math::normcdf(x), Ulp, -14.3..9.0, -38.5..9.0;
    normcdfinv(x) = math::normcdfinv(x), Ulp, 0.0..1.0, 0.0..1.0;
    tgamma(x) = math::tgamma(x), Ulp, -34.0..35.1, -170.0..171.7;
    lgamma(x) = math::lgamma(x), Unit, -100.0..1e5, -100.0..1e5;
    j0(x) = math::j0(x), Unit, -1e3..1e3, -1e3..1e3;
    j1(x) = math::j1(x), Unit, -1e3..1e3, -1e3..1e3;
    j3(x) = math::jn(3, x), Unit, -1e3..1e3, -1e3..1e3;
    y0(x) = math::y0(x), Unit, 0.0..1e3, 0.0..1e3;
    y1(x) = math::y1(x), Unit, 0.0..1e3, 0.0..1e3;
    y3(x) = math::yn(3, x), Unit, 0.01..1e3, 0.01..1e3;
    cyl_bessel_i0(x) = math::cyl_bessel_i0(x), Ulp, -91.0..91.0, -713.0..713.0;
    cyl_bessel_i1(x) = math::cyl_bessel_i1(x), Ulp, -91.0..91.0, -713.0..713.0;
}
