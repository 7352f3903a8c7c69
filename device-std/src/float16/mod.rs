//! Half precision: what the types [`f16`](struct@f16) and [`bf16`] of the crate `half` lack, and pairs and fours of them.
//!
//! This module comes with the feature `half`. The crate's own operators, comparisons and conversions are
//! instructions in kernels, without anything from here: `a + b` of two `f16` is `add.f16`. [`Half`] adds
//! what the device has beyond them, and [`F16x2`] and [`Bf16x2`] are pairs, which most instructions
//! process at the speed of a single number.
//!
//! | here | CUDA C |
//! |---|---|
//! | [`F16x2`], [`Bf16x2`] | `__half2`, `__nv_bfloat162` |
//! | [`F16x4`], [`Bf16x4`]: two pairs, loaded and stored at once | |
//! | [`Half::fma`], [`F16x2::fma`], `fma_sat`, `fma_relu` | `__hfma`, `__hfma2`, `__hfma2_sat`, `__hfma2_relu` |
//! | [`Half::fmin`], [`Half::minimum`], .. | `__hmin`, `__hmin_nan`, .. |
//! | [`Half::from_f32_rz`], `from_f32_ru`, .., [`F16x2::from_f32`] | `__float2half_rz`, `__float2half_ru`, .., `__floats2half2_rn` |
//! | [`rounding::convert_rd`](crate::math::rounding::convert_rd) to and from integers, .. | `__int2half_rd`, `__half2int_rd`, .. |
//! | [`F16x2::from_f32_relu`], .. | `cvt.rn.relu.f16x2.f32` of PTX |
//! | [`Half::add_sat`], [`F16x2::add_sat`], .. | `__hadd_sat`, `__hadd2_sat`, .. |
//! | [`Half::exp2_approx`], [`Half::tanh_approx`] | `h2exp2`, `h2tanh_approx` |
//! | [`F16x2::sqrt`], [`F16x2::floor`], [`F16x2::ln_approx`], .. | `h2sqrt`, `h2floor`, `h2log`, .. |
//!
//! All of it works on every architecture and on the host, with the same results apart from the bits of NaN and
//! the last bit of approximations. Where an architecture lacks an instruction, a kernel that uses it has a
//! variant with software (see [`arch_at_least!`](crate::arch_at_least!)):
//!
//! | from | are instructions |
//! |---|---|
//! | `sm_70` | `f16`: arithmetic, comparisons, `add_sat`, .., `fma`, `fma_sat` |
//! | `sm_75` | `f16`: `exp2_approx`, `tanh_approx` |
//! | `sm_80` | `fma_relu`, minima and maxima, conversions of pairs; `bf16`: conversions from `f32`, arithmetic |
//! | `sm_90` | `bf16`: `exp2_approx`, `tanh_approx`, `from_f32_ru`, `from_f32_rd`, conversions to and from integers and from `f64` |
//!
//! ```
//! use half::f16;
//! use ptyx::{device::float16::F16x2, prelude::*};
//!
//! /// `y += a x`, two elements a thread.
//! #[kernel]
//! fn axpy(a: f16, x: &[F16x2], mut y: Disjoint<F16x2>) {
//!     let i = thread::index_1d();
//!     if let (Some(&x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
//!         *y = F16x2::splat(a).fma(x, *y);
//!     }
//! }
//! ```
//!
//! PTX ISA, [Half Precision Floating Point Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions).

mod convert;
mod functions;
mod ops;
mod pair;
mod quad;
mod reduce;

use crate::Num;
use crate::shared::{any_bits, cell::cell_values};
use half::{bf16, f16};
pub use pair::{Bf16x2, F16x2};
pub use quad::{Bf16x4, F16x4};

/// What the device can do with an [`f16`](struct@f16) or a [`bf16`].
///
/// The names differ from those of `num-traits`, so that both can be imported.
///
/// ```
/// use half::{bf16, f16};
/// use ptyx::device::float16::Half;
///
/// /// A polynomial of either type, by Horner's rule: one instruction for each coefficient.
/// fn polynomial<T: Half>(x: T, coefficients: &[T], last: T) -> T {
///     coefficients.iter().fold(last, |sum, &coefficient| sum.fma(x, coefficient))
/// }
/// let x = f16::from_f32(2.0);
/// assert_eq!(polynomial(x, &[f16::ONE, x], f16::ONE).to_f32(), 1.0 * 4.0 + 1.0 * 2.0 + 2.0);
/// let x = bf16::from_f32(3.0);
/// assert_eq!(polynomial(x, &[bf16::ONE], bf16::ONE).to_f32(), 4.0);
/// ```
pub trait Half: Copy + crate::DeviceCopy + ops::Sealed {
    /// `x`, rounded to the nearest, ties to even ([`cvt.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(bf16::from_f32_rn(1.0 + 3.0 / 256.0).to_f32(), 1.0 + 4.0 / 256.0);
    /// ```
    #[doc(alias = "__float2half_rn")]
    #[doc(alias = "__float2bfloat16_rn")]
    fn from_f32_rn(x: f32) -> Self;

    /// `x`, rounded towards zero ([`cvt.rz`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)): the largest finite number if it is too large.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::from_f32_rz(1e6), f16::MAX);
    /// assert_eq!(f16::from_f32_rz(-1.0 - 1.9 / 1024.0).to_f32(), -1.0 - 1.0 / 1024.0);
    /// ```
    #[doc(alias = "__float2half_rz")]
    #[doc(alias = "__float2bfloat16_rz")]
    fn from_f32_rz(x: f32) -> Self;

    /// `x`, rounded up, towards infinity ([`cvt.rp`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt); for `bf16` an instruction from `sm_90` on).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::from_f32_ru(1.0 + 1e-6).to_f32(), 1.0 + 1.0 / 1024.0);
    /// assert_eq!(f16::from_f32_ru(-1e6), f16::MIN);
    /// ```
    #[doc(alias = "__float2half_ru")]
    #[doc(alias = "__float2bfloat16_ru")]
    fn from_f32_ru(x: f32) -> Self;

    /// `x`, rounded down, towards minus infinity ([`cvt.rm`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt); for `bf16` an instruction from `sm_90` on).
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(bf16::from_f32_rd(-1.0 - 1e-6).to_f32(), -1.0 - 1.0 / 128.0);
    /// assert_eq!(bf16::from_f32_rd(f32::MAX), bf16::MAX);
    /// ```
    #[doc(alias = "__float2half_rd")]
    #[doc(alias = "__float2bfloat16_rd")]
    fn from_f32_rd(x: f32) -> Self;

    /// `self × b + c`, rounded once ([`fma.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-fma)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// let [a, c] = [1.0 + 1.0 / 1024.0, -1.0 - 2.0 / 1024.0].map(f16::from_f32);
    /// assert_eq!(a.fma(a, c).to_f32(), 1.0 / (1024.0 * 1024.0));
    /// assert_eq!((a * a + c).to_f32(), 0.0);
    /// ```
    #[doc(alias = "__hfma")]
    #[must_use]
    fn fma(self, b: Self, c: Self) -> Self;

    /// `self + other`, clamped to the range 0 to 1; NaN becomes 0 ([`add.rn.sat`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-add)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// let [half, small] = [0.5, 0.25].map(f16::from_f32);
    /// assert_eq!((half.add_sat(small).to_f32(), f16::ONE.add_sat(half)), (0.75, f16::ONE));
    /// ```
    #[doc(alias = "__hadd_sat")]
    #[must_use]
    fn add_sat(self, other: Self) -> Self;

    /// `self - other`, clamped to the range 0 to 1; NaN becomes 0 ([`sub.rn.sat`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-sub)).
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::float16::Half;
    /// let [half, small] = [0.5, 0.25].map(bf16::from_f32);
    /// assert_eq!((half.sub_sat(small).to_f32(), small.sub_sat(half)), (0.25, bf16::ZERO));
    /// ```
    #[doc(alias = "__hsub_sat")]
    #[must_use]
    fn sub_sat(self, other: Self) -> Self;

    /// `self × other`, clamped to the range 0 to 1; NaN becomes 0 ([`mul.rn.sat`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-mul)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// let half = f16::from_f32(0.5);
    /// assert_eq!((half.mul_sat(half).to_f32(), f16::MAX.mul_sat(half)), (0.25, f16::ONE));
    /// ```
    #[doc(alias = "__hmul_sat")]
    #[must_use]
    fn mul_sat(self, other: Self) -> Self;

    /// [`fma`](Self::fma), clamped to the range 0 to 1; NaN becomes 0 ([`fma.rn.sat`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-fma)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::MAX.fma_sat(f16::ONE, f16::ONE), f16::ONE);
    /// assert_eq!(f16::NAN.fma_sat(f16::ONE, f16::ONE), f16::ZERO);
    /// ```
    #[doc(alias = "__hfma_sat")]
    #[must_use]
    fn fma_sat(self, b: Self, c: Self) -> Self;

    /// [`fma`](Self::fma), 0 if that is negative; NaN stays ([`fma.rn.relu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-fma)).
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(bf16::NEG_ONE.fma_relu(bf16::ONE, bf16::ZERO), bf16::ZERO);
    /// ```
    #[doc(alias = "__hfma_relu")]
    #[must_use]
    fn fma_relu(self, b: Self, c: Self) -> Self;

    /// The smaller one; of a number and NaN, the number ([`min`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-min)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::ONE.fmin(f16::NAN), f16::ONE);
    /// ```
    #[doc(alias = "__hmin")]
    #[must_use]
    fn fmin(self, other: Self) -> Self;

    /// The larger one; of a number and NaN, the number ([`max`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-max)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::ONE.fmax(f16::NEG_ONE), f16::ONE);
    /// ```
    #[doc(alias = "__hmax")]
    #[must_use]
    fn fmax(self, other: Self) -> Self;

    /// The smaller one; NaN if one is ([`min.NaN`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-min)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert!(f16::ONE.minimum(f16::NAN).is_nan());
    /// ```
    #[doc(alias = "__hmin_nan")]
    #[must_use]
    fn minimum(self, other: Self) -> Self;

    /// The larger one; NaN if one is ([`max.NaN`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-max)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert!(f16::ONE.maximum(f16::NAN).is_nan());
    /// ```
    #[doc(alias = "__hmax_nan")]
    #[must_use]
    fn maximum(self, other: Self) -> Self;

    /// 2 to the power of `self`, off by 2 in the last place at most, subnormal results perhaps 0
    /// ([`ex2.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-ex2)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert_eq!(f16::from_f32(3.0).exp2_approx().to_f32(), 8.0);
    /// ```
    #[doc(alias = "hexp2")]
    #[must_use]
    fn exp2_approx(self) -> Self;

    /// The hyperbolic tangent, off by 2^-10.987 (`f16`) or 2^-8 (`bf16`) at most ([`tanh.approx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-tanh)).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float16::Half;
    /// assert!((f16::ONE.tanh_approx().to_f32() - 0.7616).abs() < 1e-3);
    /// ```
    #[doc(alias = "htanh_approx")]
    #[must_use]
    fn tanh_approx(self) -> Self;
}

macro_rules! halves {
    ($(
        $type:ident: $from_f32:ident $from_f32_rz:ident $from_f32_ru:ident $from_f32_rd:ident {
            $($method:ident($($argument:ident),*) = $function:ident;)*
        }
    )*) => {$(
        impl ops::Sealed for $type {}

        impl Num for $type {
            const ZERO: Self = $type::ZERO;
            const ONE: Self = $type::ONE;
            const MIN: Self = $type::MIN;
            const MAX: Self = $type::MAX;

            #[inline(always)]
            fn from_i32(value: i32) -> Self {
                $type::from_f64(value.into())
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                $type::from_f64(value)
            }

            #[inline(always)]
            fn from_usize(value: usize) -> Self {
                $type::from_f64(value as f64)
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                $type::to_f64(self)
            }

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                self.fmin(other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                self.fmax(other)
            }
        }

        impl Half for $type {
            #[inline(always)]
            fn from_f32_rn(x: f32) -> Self {
                Self::from_bits(ops::$from_f32(x))
            }

            #[inline(always)]
            fn from_f32_rz(x: f32) -> Self {
                Self::from_bits(ops::$from_f32_rz(x))
            }

            #[inline(always)]
            fn from_f32_ru(x: f32) -> Self {
                Self::from_bits(ops::$from_f32_ru(x))
            }

            #[inline(always)]
            fn from_f32_rd(x: f32) -> Self {
                Self::from_bits(ops::$from_f32_rd(x))
            }

            $(
                #[inline(always)]
                fn $method(self, $($argument: Self),*) -> Self {
                    Self::from_bits(ops::$function(self.to_bits(), $($argument.to_bits()),*))
                }
            )*
        }
    )*};
}

halves! {
    f16: f16_from_f32 f16_from_f32_rz f16_from_f32_ru f16_from_f32_rd {
    add_sat(other) = f16_add_sat;
    sub_sat(other) = f16_sub_sat;
    mul_sat(other) = f16_mul_sat;
    fma(b, c) = f16_fma;
    fma_sat(b, c) = f16_fma_sat;
    fma_relu(b, c) = f16_fma_relu;
    fmin(other) = f16_min;
    fmax(other) = f16_max;
    minimum(other) = f16_min_nan;
    maximum(other) = f16_max_nan;
    exp2_approx() = f16_ex2;
    tanh_approx() = f16_tanh;
    }

    bf16: bf16_from_f32 bf16_from_f32_rz bf16_from_f32_ru bf16_from_f32_rd {
    add_sat(other) = bf16_add_sat;
    sub_sat(other) = bf16_sub_sat;
    mul_sat(other) = bf16_mul_sat;
    fma(b, c) = bf16_fma;
    fma_sat(b, c) = bf16_fma_sat;
    fma_relu(b, c) = bf16_fma_relu;
    fmin(other) = bf16_min;
    fmax(other) = bf16_max;
    minimum(other) = bf16_min_nan;
    maximum(other) = bf16_max_nan;
    exp2_approx() = bf16_ex2;
    tanh_approx() = bf16_tanh;
    }
}

any_bits! {
    2 of u16: F16x2 Bf16x2;
    4 of u16: F16x4 Bf16x4;
}

cell_values! {
    u32, AtomicU32: F16x2 Bf16x2;
    u64, AtomicU64: F16x4 Bf16x4;
}

#[cfg(test)]
mod tests;
