//! The functions with one result, each in one row: its C name, its meaning, its two forms in Rust.
//!
//! In the device pass a row exports its forms as `__ptyx_math_<name>` (`f64`) and
//! `__ptyx_math_<name>f` (`f32`), the names that the compiler also gives to C's functions, and for
//! which it takes libdevice's code where there is some. The public function calls that symbol.

use super::float::Float;
use super::{angle, bessel, exact, normal, norms, rounded, single};

/// What `f32` and `f64` share.
mod sealed {
    /// Nobody else implements [`super::Real`].
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32` or `f64`.
#[allow(private_bounds)]
pub trait Real: Float + sealed::Sealed + Functions<Self> + exact::Parts + rounded::Rounded {}

impl Real for f32 {}
impl Real for f64 {}

macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ident),*) = $f64:expr, $f32:expr;
    )*) => {
        /// The functions of one type, which is `T`, too. Hidden behind [`Real`].
        pub trait Functions<T> {
            $(#[doc(hidden)] fn $name($($argument: $type),*) -> T;)*
        }

        functions! { type f64_functions = f64, "": $($name($($argument: $type),*) = $f64;)* }
        functions! { type f32_functions = f32, "f": $($name($($argument: $type),*) = $f32;)* }

        $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: Real>($($argument: $type),*) -> T {
                <T as Functions<T>>::$name($($argument),*)
            }
        )*
    };
    (type $module:ident = $float:ident, $suffix:literal:
     $($name:ident($($argument:ident: $type:ident),*) = $function:expr;)*) => {
        /// The functions of this type.
        mod $module {
            use super::*;

            type T = $float;

            $(
                #[cfg_attr(
                    ptyx_device,
                    unsafe(export_name = concat!("__ptyx_math_", stringify!($name), $suffix))
                )]
                extern "C" fn $name($($argument: $type),*) -> T {
                    $function($($argument),*)
                }
            )*

            /// The same functions by their symbols, behind which may be others.
            #[cfg(ptyx_device)]
            mod symbols {
                use super::T;

                unsafe extern "C" {
                    $(
                        #[link_name = concat!("__ptyx_math_", stringify!($name), $suffix)]
                        pub(super) safe fn $name($($argument: $type),*) -> T;
                    )*
                }
            }

            impl Functions<T> for T {
                $(
                    #[inline(always)]
                    fn $name($($argument: $type),*) -> T {
                        #[cfg(ptyx_device)]
                        let value = symbols::$name($($argument),*);
                        #[cfg(not(ptyx_device))]
                        let value = $name($($argument),*);
                        value
                    }
                )*
            }
        }
    };
}

functions! {
    /// The error function, `2/√π ∫ e^(-t²) dt` from 0 to `x`.
    fn erf(x: T) = libm::erf, libm::erff;
    /// `1 - erf(x)`, exact also where that is small.
    fn erfc(x: T) = libm::erfc, libm::erfcf;
    /// `e^(x²) erfc(x)`, which goes to 0 much more slowly than `erfc`.
    fn erfcx(x: T) = normal::erfcx, normal::erfcx;
    /// The inverse of [`erf`]: infinite at ±1, NaN beyond.
    fn erfinv(x: T) = normal::erf_inv, normal::erf_inv;
    /// The inverse of [`erfc`]: infinite at 0 and 2, NaN beyond.
    fn erfcinv(x: T) = normal::erfc_inv, normal::erfc_inv;
    /// The standard normal distribution function: the probability of a number up to `x`.
    fn normcdf(x: T) = normal::normal_cdf, normal::normal_cdf;
    /// The inverse of [`normcdf`]: infinite at 0 and 1, NaN beyond.
    fn normcdfinv(x: T) = normal::normal_cdf_inv, normal::normal_cdf_inv;

    /// The gamma function, `(x - 1)!` of positive integers.
    fn tgamma(x: T) = libm::tgamma, libm::tgammaf;
    /// The logarithm of the gamma function's size.
    fn lgamma(x: T) = libm::lgamma, libm::lgammaf;

    /// The Bessel function of the first kind, order 0.
    fn j0(x: T) = libm::j0, libm::j0f;
    /// The Bessel function of the first kind, order 1.
    fn j1(x: T) = libm::j1, libm::j1f;
    /// The Bessel function of the first kind, order `n`.
    fn jn(n: i32, x: T) = libm::jn, libm::jnf;
    /// The Bessel function of the second kind, order 0. `-inf` at 0, NaN below.
    fn y0(x: T) = libm::y0, libm::y0f;
    /// The Bessel function of the second kind, order 1. `-inf` at 0, NaN below.
    fn y1(x: T) = libm::y1, libm::y1f;
    /// The Bessel function of the second kind, order `n`. `-inf` at 0, NaN below.
    fn yn(n: i32, x: T) = libm::yn, libm::ynf;
    /// The modified Bessel function of the first kind, order 0.
    fn cyl_bessel_i0(x: T) = |x| bessel::cyl_bessel(0, x), |x| bessel::cyl_bessel(0, x);
    /// The modified Bessel function of the first kind, order 1.
    fn cyl_bessel_i1(x: T) = |x| bessel::cyl_bessel(1, x), |x| bessel::cyl_bessel(1, x);

    /// `sin(πx)`, exact at multiples of a half.
    fn sinpi(x: T) = angle::sin_pi, angle::sin_pi;
    /// `cos(πx)`, exact at multiples of a half.
    fn cospi(x: T) = angle::cos_pi, angle::cos_pi;
    /// `tan(πx)`: infinite halfway between integers.
    fn tanpi(x: T) = angle::tan_pi, angle::tan_pi;
    /// Ten to the power of `x`.
    fn exp10(x: T) = libm::exp10, single::exp10;
    /// The inverse hyperbolic sine, more exact than std's near 0.
    fn asinh(x: T) = libm::asinh, libm::asinhf;
    /// The inverse hyperbolic cosine, more exact than std's near 1.
    fn acosh(x: T) = libm::acosh, libm::acoshf;
    /// The inverse hyperbolic tangent, more exact than std's near -1.
    fn atanh(x: T) = libm::atanh, libm::atanhf;

    /// `1 / √x`.
    fn rsqrt(x: T) = |x| 1.0 / Float::sqrt(x), |x| 1.0 / Float::sqrt(x);
    /// `1 / ∛x`.
    fn rcbrt(x: T) = |x| 1.0 / libm::cbrt(x), |x| 1.0 / single::cbrt(x);
    /// `1 / √(x² + y²)`, without overflow on the way.
    fn rhypot(x: T, y: T) = |x, y| norms::reciprocal(&[x, y]), |x, y| norms::reciprocal(&[x, y]);
    /// `√(x² + y² + z²)`, without overflow on the way.
    fn norm3d(x: T, y: T, z: T) = |x, y, z| norms::of(&[x, y, z]), |x, y, z| norms::of(&[x, y, z]);
    /// `√(x² + y² + z² + w²)`, without overflow on the way.
    fn norm4d(x: T, y: T, z: T, w: T) =
        |x, y, z, w| norms::of(&[x, y, z, w]), |x, y, z, w| norms::of(&[x, y, z, w]);
    /// 1 / [`norm3d`].
    fn rnorm3d(x: T, y: T, z: T) =
        |x, y, z| norms::reciprocal(&[x, y, z]), |x, y, z| norms::reciprocal(&[x, y, z]);
    /// 1 / [`norm4d`].
    fn rnorm4d(x: T, y: T, z: T, w: T) =
        |x, y, z, w| norms::reciprocal(&[x, y, z, w]), |x, y, z, w| norms::reciprocal(&[x, y, z, w]);

    /// The exponent of `x` as a number, `floor(log2(|x|))`: `-inf` of zeros, `inf` of infinities.
    fn logb(x: T) = exact::log_b, exact::log_b;
    /// `x × 2^n`, rounded once.
    fn ldexp(x: T, n: i32) = libm::ldexp, libm::ldexpf;
    /// C's other name of [`ldexp`].
    fn scalbn(x: T, n: i32) = libm::scalbn, libm::scalbnf;
    /// The next number after `x` on the way to `towards`.
    fn nextafter(x: T, towards: T) = libm::nextafter, libm::nextafterf;
    /// IEEE 754's remainder: `x - n y` with n the integer nearest to `x / y`, ties to even. Exact.
    fn remainder(x: T, y: T) = libm::remainder, libm::remainderf;
    /// `x - y` if that is positive, else 0.
    fn fdim(x: T, y: T) = libm::fdim, libm::fdimf;
}
