//! 8-bit floats from and to the formats that no instruction converts them from.

use super::{F8E4M3, F8E5M2};
#[cfg(feature = "half")]
use crate::float16::{Bf16x2, F16x2};
use crate::format::{E4M3, E5M2, Round};

/// `x` rounded to odd, after which a second rounding to fewer bits is as if there were only that one: what is not exact
/// has 1 as its last bit.
#[cfg(ptyx_device)]
#[inline(always)]
fn to_odd(x: f64) -> f32 {
    // SAFETY: only computes.
    let cut = unsafe { crate::intrinsics::f64_to_f32_rz(x) };
    f32::from_bits(cut.to_bits() | u32::from(f64::from(cut) != x))
}

macro_rules! conversions {
    ($($name:ident: $format:ident, $greatest:literal;)*) => {$(
        impl $name {
            /// Rounds an `f64` to the nearest, ties to even, once: not by way of `f32`. Numbers that are too large become
            /// the largest finite one; NaN stays. As CUDA C++'s constructor from `double`, which is software on every
            /// architecture; here, two conversions from `sm_89` on.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // Just above the middle between two numbers, which `f32` can't tell from the middle.
            #[doc = concat!("let middle = 1.0 + f64::from(", stringify!($name), "::from_bits(", stringify!($name), "::from_f32(1.0).to_bits() + 1).to_f32() - 1.0) / 2.0;")]
            #[doc = concat!("assert!(", stringify!($name), "::from_f64(middle + 1e-12).to_f32() > 1.0);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32((middle + 1e-12) as f32).to_f32(), 1.0);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f64(-1e300).to_f32(), -", stringify!($greatest), ");")]
            /// ```
            #[doc(alias = "__nv_cvt_double_to_fp8")]
            #[inline(always)]
            #[must_use]
            pub fn from_f64(x: f64) -> Self {
                Self::pair_from_f64([x, 0.0])[0]
            }

            /// [`from_f64`](Self::from_f64) for two numbers.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f64([0.3, 1e9]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f32(pair), [0.3125, ", stringify!($greatest), "]);")]
            /// ```
            #[doc(alias = "__nv_cvt_double2_to_fp8x2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_from_f64(pair: [f64; 2]) -> [Self; 2] {
                #[cfg(ptyx_device)]
                if crate::arch_at_least!(89) {
                    return Self::pair_from_f32(pair.map(to_odd));
                }
                pair.map(|x| Self::from_bits($format.round_finite(x, Round::Nearest) as u8))
            }

            /// Rounds an `f16` to the nearest, ties to even, as [`from_f32`](Self::from_f32).
            ///
            /// ```
            /// use half::f16;
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f16(f16::from_f32(0.3)).to_f32(), 0.3125);")]
            /// ```
            #[cfg(feature = "half")]
            #[doc(alias = "__nv_cvt_halfraw_to_fp8")]
            #[inline(always)]
            #[must_use]
            pub fn from_f16(x: half::f16) -> Self {
                Self::pair_from_f16(F16x2::new(x, half::f16::ZERO))[0]
            }

            /// Rounds a `bf16` to the nearest, ties to even, as [`from_f32`](Self::from_f32).
            ///
            /// ```
            /// use half::bf16;
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bf16(bf16::from_f32(0.3)).to_f32(), 0.3125);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bf16(bf16::MAX).to_f32(), ", stringify!($greatest), ");")]
            /// ```
            #[cfg(feature = "half")]
            #[doc(alias = "__nv_cvt_bfloat16raw_to_fp8")]
            #[inline(always)]
            #[must_use]
            pub fn from_bf16(x: half::bf16) -> Self {
                Self::pair_from_bf16(Bf16x2::new(x, half::bf16::ZERO))[0]
            }

            /// [`from_bf16`](Self::from_bf16) for two numbers: by `f32`, in which they are exact, and one instruction for
            /// both.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::{float8::", stringify!($name), ", float16::Bf16x2};")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_bf16(Bf16x2::from_f32(-1.3, 1e9));")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f32(pair), [-1.25, ", stringify!($greatest), "]);")]
            /// ```
            #[cfg(feature = "half")]
            #[doc(alias = "__nv_cvt_bfloat16raw2_to_fp8x2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_from_bf16(pair: Bf16x2) -> [Self; 2] {
                Self::pair_from_f32(pair.to_f32())
            }

            /// Two numbers as `bf16`, exactly.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f32([1.5, -0.25]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_bf16(pair).to_f32(), [1.5, -0.25]);")]
            /// ```
            #[cfg(feature = "half")]
            #[inline(always)]
            #[must_use]
            pub fn pair_to_bf16(pair: [Self; 2]) -> Bf16x2 {
                let [low, high] = Self::pair_to_f32(pair);
                Bf16x2::from_f32(low, high)
            }
        }
    )*};
}

conversions! {
    F8E4M3: E4M3, 448.0;
    F8E5M2: E5M2, 57344.0;
}
