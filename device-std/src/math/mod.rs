//! Mathematical functions beyond std's methods.
//!
//! The methods of `f32` and `f64` (`x.sin()`, `x.powf(y)`, `x.mul_add(y, z)`) work in kernels as
//! anywhere. Here is what a GPU's C library has and Rust's does not:
//!
//! | functions | where |
//! |---|---|
//! | error function family, gamma, Bessel, normal distribution, `sinpi`, reciprocal roots, norms | this module, for `f32` and `f64` |
//! | `sin.approx` and the like: few bits, few instructions | [`fast`] |
//! | arithmetic and conversions that round up, down or towards zero | [`rounding`] |
//! | four or two numbers in a word; maxima of sums (DPX) | [`simd`] |
//! | `byte_perm`, `dp4a`, `sad`, funnel shifts, averages, products' high halves | [`integer`] |
//! | `bfind`, `bmsk`, `szext`, `fns`, the modes of `prmt` | [`bits`] |
//!
//! The functions of this module have CUDA C's names for `double`. CUDA C's intrinsics, whose names begin with two
//! underscores, have other names here: [`cuda_names`](crate::cuda_names) lists them. CUDA Math API:
//! [Single Precision Mathematical Functions](https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH__SINGLE.html) and
//! [Double Precision Mathematical Functions](https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH__DOUBLE.html).
//!
//! # Where the code comes from
//! On the device, most functions are NVIDIA's libdevice if the build found one, else they are in
//! Rust: the `libm` crate and this module's own. On the host they are always those in Rust, so the
//! same code gives nearly the same numbers. `docs/math.md` in the repository has the largest error
//! of every function, in both forms.
//!
//! ```
//! use ptyx_device::math;
//! assert_eq!(math::erf(0.0), 0.0);
//! assert_eq!(math::sinpi(0.5f32), 1.0);
//! assert_eq!(math::norm3d(2.0, 3.0, 6.0), 7.0);
//! assert_eq!(math::frexp(6.0), (0.75, 3));
//! ```

pub(crate) mod angle;
mod bessel;
pub mod bits;
mod composite;
pub(crate) mod elementary;
mod exact;
pub mod fast;
pub(crate) mod float;
mod instruction;
#[doc(alias = "__clz")]
#[doc(alias = "__popc")]
#[doc(alias = "__brev")]
pub mod integer;
mod normal;
mod norms;
mod rounded;
pub mod rounding;
pub mod simd;
// On the host std has most of them.
#[cfg_attr(not(ptyx_device), allow(dead_code))]
pub(crate) mod single;
mod special;
#[cfg(any(ptyx_device, test))]
#[cfg_attr(ptyx_device, allow(dead_code))]
mod symbols;

pub use composite::{frexp, ilogb, modf, norm, remquo, rnorm, saturate, sincospi};
pub use special::*;
