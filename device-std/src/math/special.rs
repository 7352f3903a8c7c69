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
///
/// ```
/// use ptyx::device::math::{Real, erf};
///
/// /// The probability that a normal number is within `x` standard deviations of the mean.
/// fn within<T: Real>(x: T, sqrt_2: T) -> T {
///     erf(x / sqrt_2)
/// }
/// assert!((within(1.0, 2f64.sqrt()) - 0.682_689).abs() < 1e-6);
/// ```
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
        #[doc(hidden)]
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
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::erf(0.0), 0.0);
    /// assert!((math::erf(1.0f64) - 0.842_700_792_949_714_9).abs() < 1e-14);
    /// ```
    #[doc(alias = "erff")]
    fn erf(x: T) = libm::erf, libm::erff;
    /// `1 - erf(x)`, accurate even where that is small.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::erfc(0.0), 1.0);
    /// assert!(math::erfc(10.0f64) > 0.0); // 2.1e-45, where `1 - erf(x)` is 0
    /// ```
    #[doc(alias = "erfcf")]
    fn erfc(x: T) = libm::erfc, libm::erfcf;
    /// `e^(x²) erfc(x)`, which goes to 0 much more slowly than `erfc`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::erfcx(0.0), 1.0);
    /// assert!((math::erfcx(100.0f64) - 0.005_641_613_782_989_433).abs() < 1e-15);
    /// ```
    #[doc(alias = "erfcxf")]
    fn erfcx(x: T) = normal::erfcx, normal::erfcx;
    /// The inverse of [`erf`]: infinite at ±1, NaN beyond.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::erfinv(math::erf(0.3f64)) - 0.3).abs() < 1e-14);
    /// assert_eq!(math::erfinv(1.0), f64::INFINITY);
    /// ```
    #[doc(alias = "erfinvf")]
    fn erfinv(x: T) = normal::erf_inv, normal::erf_inv;
    /// The inverse of [`erfc`]: infinite at 0 and 2, NaN beyond.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::erfcinv(math::erfc(0.3f64)) - 0.3).abs() < 1e-14);
    /// assert_eq!(math::erfcinv(0.0), f64::INFINITY);
    /// ```
    #[doc(alias = "erfcinvf")]
    fn erfcinv(x: T) = normal::erfc_inv, normal::erfc_inv;
    /// The standard normal distribution function: the probability of a value of at most `x`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::normcdf(0.0), 0.5);
    /// assert!((math::normcdf(1.959_963_984_540_054f64) - 0.975).abs() < 1e-14);
    /// ```
    #[doc(alias = "normcdff")]
    fn normcdf(x: T) = normal::normal_cdf, normal::normal_cdf;
    /// The inverse of [`normcdf`]: infinite at 0 and 1, NaN beyond.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::normcdfinv(0.975f64) - 1.959_963_984_540_054).abs() < 1e-14);
    /// ```
    #[doc(alias = "normcdfinvf")]
    fn normcdfinv(x: T) = normal::normal_cdf_inv, normal::normal_cdf_inv;

    /// The gamma function, `(x - 1)!` of positive integers.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::tgamma(5.0f64) - 24.0).abs() < 1e-14);
    /// ```
    #[doc(alias = "tgammaf")]
    fn tgamma(x: T) = libm::tgamma, libm::tgammaf;
    /// The logarithm of the gamma function's absolute value.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::lgamma(5.0f64) - 24f64.ln()).abs() < 1e-14);
    /// ```
    #[doc(alias = "lgammaf")]
    fn lgamma(x: T) = libm::lgamma, libm::lgammaf;

    /// The Bessel function of the first kind, order 0.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::j0(0.0), 1.0);
    /// ```
    #[doc(alias = "j0f")]
    fn j0(x: T) = libm::j0, libm::j0f;
    /// The Bessel function of the first kind, order 1.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::j1(0.0), 0.0);
    /// assert!((math::j1(1.0f64) - 0.440_050_585_744_933_5).abs() < 1e-14);
    /// ```
    #[doc(alias = "j1f")]
    fn j1(x: T) = libm::j1, libm::j1f;
    /// The Bessel function of the first kind, order `n`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::jn(1, 2.5f64) - math::j1(2.5)).abs() < 1e-14);
    /// ```
    #[doc(alias = "jnf")]
    fn jn(n: i32, x: T) = libm::jn, libm::jnf;
    /// The Bessel function of the second kind, order 0. `-inf` at 0, NaN below.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::y0(0.0), f64::NEG_INFINITY);
    /// assert!((math::y0(1.0f64) - 0.088_256_964_215_676_96).abs() < 1e-14);
    /// ```
    #[doc(alias = "y0f")]
    fn y0(x: T) = libm::y0, libm::y0f;
    /// The Bessel function of the second kind, order 1. `-inf` at 0, NaN below.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!(math::y1(-1.0f64).is_nan());
    /// assert!((math::y1(1.0f64) + 0.781_212_821_300_288_7).abs() < 1e-14);
    /// ```
    #[doc(alias = "y1f")]
    fn y1(x: T) = libm::y1, libm::y1f;
    /// The Bessel function of the second kind, order `n`. `-inf` at 0, NaN below.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::yn(0, 2.5f64) - math::y0(2.5)).abs() < 1e-14);
    /// ```
    #[doc(alias = "ynf")]
    fn yn(n: i32, x: T) = libm::yn, libm::ynf;
    /// The modified Bessel function of the first kind, order 0.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::cyl_bessel_i0(0.0), 1.0);
    /// assert!((math::cyl_bessel_i0(1.0f64) - 1.266_065_877_752_008_4).abs() < 1e-14);
    /// ```
    #[doc(alias = "cyl_bessel_i0f")]
    fn cyl_bessel_i0(x: T) = |x| bessel::cyl_bessel(0, x), |x| bessel::cyl_bessel(0, x);
    /// The modified Bessel function of the first kind, order 1.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::cyl_bessel_i1(0.0), 0.0);
    /// assert!((math::cyl_bessel_i1(1.0f64) - 0.565_159_103_992_485).abs() < 1e-14);
    /// ```
    #[doc(alias = "cyl_bessel_i1f")]
    fn cyl_bessel_i1(x: T) = |x| bessel::cyl_bessel(1, x), |x| bessel::cyl_bessel(1, x);

    /// `sin(πx)`, exact at multiples of a half.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::sinpi(0.5), 1.0);
    /// assert_eq!(math::sinpi(1e6), 0.0);
    /// ```
    #[doc(alias = "sinpif")]
    fn sinpi(x: T) = angle::sin_pi, angle::sin_pi;
    /// `cos(πx)`, exact at multiples of a half.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::cospi(0.5), 0.0);
    /// assert_eq!(math::cospi(1.0f32), -1.0);
    /// ```
    #[doc(alias = "cospif")]
    fn cospi(x: T) = angle::cos_pi, angle::cos_pi;
    /// `tan(πx)`: infinite halfway between integers.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::tanpi(0.25f64) - 1.0).abs() < 1e-15);
    /// assert_eq!(math::tanpi(0.5), f64::INFINITY);
    /// ```
    fn tanpi(x: T) = angle::tan_pi, angle::tan_pi;
    /// Ten to the power of `x`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::exp10(3.0), 1000.0);
    /// ```
    #[doc(alias = "exp10f")]
    fn exp10(x: T) = libm::exp10, single::exp10;
    /// The inverse hyperbolic sine, more accurate than std's near 0.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::asinh(1e-9f64) - 1e-9).abs() < 1e-24);
    /// ```
    #[doc(alias = "asinhf")]
    fn asinh(x: T) = libm::asinh, libm::asinhf;
    /// The inverse hyperbolic cosine, more accurate than std's near 1.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::acosh(1.0), 0.0);
    /// assert!(math::acosh(0.5f64).is_nan());
    /// ```
    #[doc(alias = "acoshf")]
    fn acosh(x: T) = libm::acosh, libm::acoshf;
    /// The inverse hyperbolic tangent, more accurate than std's near -1.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert!((math::atanh(1e-9f64) - 1e-9).abs() < 1e-24);
    /// ```
    #[doc(alias = "atanhf")]
    fn atanh(x: T) = libm::atanh, libm::atanhf;

    /// `1 / √x`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::rsqrt(4.0), 0.5);
    /// ```
    #[doc(alias = "rsqrtf")]
    fn rsqrt(x: T) = |x| 1.0 / Float::sqrt(x), |x| 1.0 / Float::sqrt(x);
    /// `1 / ∛x`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::rcbrt(8.0), 0.5);
    /// ```
    #[doc(alias = "rcbrtf")]
    fn rcbrt(x: T) = |x| 1.0 / libm::cbrt(x), |x| 1.0 / single::cbrt(x);
    /// `1 / √(x² + y²)`, without overflow in between.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::rhypot(3.0, 4.0), 0.2);
    /// assert!((math::rhypot(3e200f64, 4e200) - 2e-201).abs() < 1e-215);
    /// ```
    #[doc(alias = "rhypotf")]
    fn rhypot(x: T, y: T) = |x, y| norms::reciprocal(&[x, y]), |x, y| norms::reciprocal(&[x, y]);
    /// `√(x² + y² + z²)`, without overflow in between.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::norm3d(2.0, 3.0, 6.0), 7.0);
    /// ```
    #[doc(alias = "norm3df")]
    fn norm3d(x: T, y: T, z: T) = |x, y, z| norms::of(&[x, y, z]), |x, y, z| norms::of(&[x, y, z]);
    /// `√(x² + y² + z² + w²)`, without overflow in between.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::norm4d(1.0, 1.0, 1.0, 1.0), 2.0);
    /// ```
    #[doc(alias = "norm4df")]
    fn norm4d(x: T, y: T, z: T, w: T) =
        |x, y, z, w| norms::of(&[x, y, z, w]), |x, y, z, w| norms::of(&[x, y, z, w]);
    /// 1 / [`norm3d`].
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::rnorm3d(2.0, 2.0, 1.0), 1.0 / 3.0);
    /// ```
    #[doc(alias = "rnorm3df")]
    fn rnorm3d(x: T, y: T, z: T) =
        |x, y, z| norms::reciprocal(&[x, y, z]), |x, y, z| norms::reciprocal(&[x, y, z]);
    /// 1 / [`norm4d`].
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::rnorm4d(1.0, 1.0, 1.0, 1.0), 0.5);
    /// ```
    #[doc(alias = "rnorm4df")]
    fn rnorm4d(x: T, y: T, z: T, w: T) =
        |x, y, z, w| norms::reciprocal(&[x, y, z, w]), |x, y, z, w| norms::reciprocal(&[x, y, z, w]);

    /// The exponent of `x` as a number, `floor(log2(|x|))`: `-inf` for zeros, `inf` for infinities.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::logb(10.0), 3.0);
    /// assert_eq!(math::logb(0.0), f64::NEG_INFINITY);
    /// ```
    #[doc(alias = "logbf")]
    fn logb(x: T) = exact::log_b, exact::log_b;
    /// `x × 2^n`, rounded once.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::ldexp(0.75, 3), 6.0);
    /// ```
    #[doc(alias = "ldexpf")]
    fn ldexp(x: T, n: i32) = libm::ldexp, libm::ldexpf;
    /// C's other name for [`ldexp`].
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::scalbn(0.75, 3), math::ldexp(0.75, 3));
    /// ```
    #[doc(alias = "scalbnf")]
    fn scalbn(x: T, n: i32) = libm::scalbn, libm::scalbnf;
    /// The next representable number after `x` in the direction of `towards`.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::nextafter(1.0, 2.0), 1.0 + f64::EPSILON);
    /// ```
    #[doc(alias = "nextafterf")]
    fn nextafter(x: T, towards: T) = libm::nextafter, libm::nextafterf;
    /// IEEE 754's remainder: `x - n y` with n the integer nearest to `x / y`, ties to even. Exact.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::remainder(5.0, 3.0), -1.0); // 5 - 2 * 3
    /// assert_eq!(5.0 % 3.0, 2.0);
    /// ```
    #[doc(alias = "remainderf")]
    fn remainder(x: T, y: T) = libm::remainder, libm::remainderf;
    /// `x - y` if that is positive, else 0.
    ///
    /// ```
    /// use ptyx::device::math;
    /// assert_eq!(math::fdim(5.0, 3.0), 2.0);
    /// assert_eq!(math::fdim(3.0, 5.0), 0.0);
    /// ```
    #[doc(alias = "fdimf")]
    fn fdim(x: T, y: T) = libm::fdim, libm::fdimf;
}
