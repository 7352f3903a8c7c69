//! Approximations in one or a few instructions, a few bits short of single precision.
//!
//! They are what CUDA C has as `__sinf` and the like ([`cuda_names`](crate::cuda_names)), or as `-use_fast_math` (CUDA Math API,
//! [Single Precision Intrinsics](https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH__INTRINSIC__SINGLE.html)). The errors are those
//! that the PTX ISA and the CUDA C++ Programming Guide ("Intrinsic Functions") state; unlike the other
//! functions, these may give different bits on different GPUs. The emulated device gives the exact result,
//! rounded. On the host, each is the function that it approximates.
//!
//! The instructions have `.approx` in their names (PTX ISA,
//! [Floating Point Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions)). All exist from `sm_70` on, unless a
//! function says otherwise.

use super::instruction::by_instruction;

by_instruction! {
    /// `sin(x)` ([`sin.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-sin)): off by at most 2^-20.5 within ±2π, more beyond.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::sin(1.0) - 0.841_471).abs() < 1e-5);
    /// ```
    #[doc(alias = "__sinf")]
    fn sin(x: f32) -> f32 = sin_approx, libm::sinf(x);
    /// `cos(x)` ([`cos.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-cos)): off by at most 2^-20.5 within ±2π, more beyond.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::cos(1.0) - 0.540_302).abs() < 1e-5);
    /// ```
    #[doc(alias = "__cosf")]
    fn cos(x: f32) -> f32 = cos_approx, libm::cosf(x);
    /// 2 to the power of `x` ([`ex2.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-ex2)): 2 ulp.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::exp2(0.5) - 1.414_214).abs() < 1e-5);
    /// ```
    fn exp2(x: f32) -> f32 = ex2_approx, libm::exp2f(x);
    /// The binary logarithm ([`lg2.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-lg2)): off by at most 2^-22 between 0.5 and 2, elsewhere 2 ulp.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::log2(10.0) - 3.321_928).abs() < 1e-5);
    /// ```
    #[doc(alias = "__log2f")]
    fn log2(x: f32) -> f32 = lg2_approx, libm::log2f(x);
    /// `√x` ([`sqrt.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-sqrt)): relative error 2^-23.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::sqrt(2.0) - 1.414_214).abs() < 1e-5);
    /// ```
    fn sqrt(x: f32) -> f32 = sqrt_approx, libm::sqrtf(x);
    /// `1 / √x` ([`rsqrt.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-rsqrt)): relative error 2^-22.9.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::rsqrt(2.0) - 0.707_107).abs() < 1e-5);
    /// ```
    fn rsqrt(x: f32) -> f32 = rsqrt_approx, 1.0 / libm::sqrtf(x);
    /// `1 / x` ([`rcp.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-rcp)): 1 ulp.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::recip(3.0) - 0.333_333).abs() < 1e-5);
    /// ```
    fn recip(x: f32) -> f32 = rcp_approx, 1.0 / x;
    /// `x / y` ([`div.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-div)): 2 ulp for `|y|` from 2^-126 to 2^126; 0 if `|y|` is larger and finite.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::div(2.0, 3.0) - 0.666_667).abs() < 1e-5);
    /// ```
    #[doc(alias = "__fdividef")]
    fn div(x: f32, y: f32) -> f32 = div_approx, x / y;
    /// `tanh(x)` ([`tanh.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions-tanh)): relative error 2^-11. Needs `sm_75`.
    ///
    /// ```
    /// use ptyx::device::math::fast;
    /// assert!((fast::tanh(1.0) - 0.761_594).abs() < 1e-3);
    /// ```
    #[doc(alias = "__tanhf")]
    fn tanh(x: f32) -> f32 = tanh_approx, libm::tanhf(x);
}

/// `(sin(x), cos(x))`, as [`sin`] and [`cos`].
///
/// ```
/// use ptyx::device::math::fast;
/// assert_eq!(fast::sin_cos(0.0), (0.0, 1.0));
/// ```
#[doc(alias = "__sincosf")]
#[inline(always)]
pub fn sin_cos(x: f32) -> (f32, f32) {
    (sin(x), cos(x))
}

/// `tan(x)`, the quotient of [`sin`] and [`cos`].
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::tan(1.0) - 1.557_408).abs() < 1e-5);
/// ```
#[doc(alias = "__tanf")]
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    div(sin(x), cos(x))
}

/// e to the power of `x`, by [`exp2`]: 2 + |1.16 x| ulp.
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::exp(1.0) - 2.718_282).abs() < 1e-5);
/// ```
#[doc(alias = "__expf")]
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp2(x * core::f32::consts::LOG2_E)
}

/// Ten to the power of `x`, by [`exp2`]: 2 + |2.97 x| ulp.
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::exp10(0.5) - 3.162_278).abs() < 1e-5);
/// ```
#[doc(alias = "__exp10f")]
#[inline(always)]
pub fn exp10(x: f32) -> f32 {
    exp2(x * core::f32::consts::LOG2_10)
}

/// The natural logarithm, by [`log2`]: off by at most 2^-21.4 between 0.5 and 2, elsewhere 3 ulp.
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::ln(10.0) - 2.302_585).abs() < 1e-5);
/// ```
#[doc(alias = "__logf")]
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    log2(x) * core::f32::consts::LN_2
}

/// The decimal logarithm, by [`log2`]: off by at most 2^-24 between 0.5 and 2, elsewhere 3 ulp.
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::log10(2.0) - 0.301_030).abs() < 1e-5);
/// ```
#[doc(alias = "__log10f")]
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    log2(x) * core::f32::consts::LOG10_2
}

/// `x` to the power of `y`, as `exp2(y * log2(x))`: NaN for negative `x`.
///
/// ```
/// use ptyx::device::math::fast;
/// assert!((fast::powf(2.0, 0.5) - 1.414_214).abs() < 1e-5);
/// assert!(fast::powf(-2.0, 2.0).is_nan());
/// ```
#[doc(alias = "__powf")]
#[inline(always)]
pub fn powf(x: f32, y: f32) -> f32 {
    exp2(y * log2(x))
}
