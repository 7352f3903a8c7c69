//! Approximations in one or few instructions: single precision, a few bits short of it.
//!
//! They are what CUDA C has as `__sinf` and the like, or as `-use_fast_math`. The errors are those
//! that the PTX ISA and the CUDA C++ Programming Guide ("Intrinsic Functions") state; unlike the other
//! functions, these may give other bits on another GPU. The emulated device gives the exact result,
//! rounded. On the host each is the function that it approximates.

#[cfg(ptyx_device)]
use crate::intrinsics;

macro_rules! approximations {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident),*) = $intrinsic:ident, $host:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name($($argument: f32),*) -> f32 {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let value = unsafe { intrinsics::$intrinsic($($argument),*) };
            #[cfg(not(ptyx_device))]
            let value = $host;
            value
        }
    )*};
}

approximations! {
    /// `sin(x)` (`sin.approx`): off by at most 2^-20.5 within ±2π, more beyond.
    fn sin(x) = sin_approx, libm::sinf(x);
    /// `cos(x)` (`cos.approx`): off by at most 2^-20.5 within ±2π, more beyond.
    fn cos(x) = cos_approx, libm::cosf(x);
    /// 2 to the power of `x` (`ex2.approx`): 2 ulp.
    fn exp2(x) = ex2_approx, libm::exp2f(x);
    /// The binary logarithm (`lg2.approx`): off by at most 2^-22 between 0.5 and 2, elsewhere 2 ulp.
    fn log2(x) = lg2_approx, libm::log2f(x);
    /// `√x` (`sqrt.approx`): relative error 2^-23.
    fn sqrt(x) = sqrt_approx, libm::sqrtf(x);
    /// `1 / √x` (`rsqrt.approx`): relative error 2^-22.9.
    fn rsqrt(x) = rsqrt_approx, 1.0 / libm::sqrtf(x);
    /// `1 / x` (`rcp.approx`): 1 ulp.
    fn recip(x) = rcp_approx, 1.0 / x;
    /// `x / y` (`div.approx`): 2 ulp for `|y|` in 2^-126 to 2^126; 0 for greater finite ones.
    fn div(x, y) = div_approx, x / y;
    /// `tanh(x)` (`tanh.approx`): relative error 2^-11. Needs `sm_75`.
    fn tanh(x) = tanh_approx, libm::tanhf(x);
}

/// `(sin(x), cos(x))`, as [`sin`] and [`cos`].
#[inline(always)]
pub fn sin_cos(x: f32) -> (f32, f32) {
    (sin(x), cos(x))
}

/// `tan(x)`, the quotient of [`sin`] and [`cos`].
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    div(sin(x), cos(x))
}

/// e to the power of `x`, by [`exp2`]: 2 + |1.16 x| ulp.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp2(x * core::f32::consts::LOG2_E)
}

/// Ten to the power of `x`, by [`exp2`]: 2 + |2.97 x| ulp.
#[inline(always)]
pub fn exp10(x: f32) -> f32 {
    exp2(x * core::f32::consts::LOG2_10)
}

/// The natural logarithm, by [`log2`]: off by at most 2^-21.4 between 0.5 and 2, elsewhere 3 ulp.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    log2(x) * core::f32::consts::LN_2
}

/// The decimal logarithm, by [`log2`]: off by at most 2^-24 between 0.5 and 2, elsewhere 3 ulp.
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    log2(x) * core::f32::consts::LOG10_2
}

/// `x` to the power of `y`, as `exp2(y * log2(x))`: NaN for negative `x`.
#[inline(always)]
pub fn powf(x: f32, y: f32) -> f32 {
    exp2(y * log2(x))
}
