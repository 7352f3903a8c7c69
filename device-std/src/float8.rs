//! Floats for tensor cores: 8 bits ([`F8E4M3`], [`F8E5M2`]), 19 bits of an `f32` ([`Tf32`]), and 6 and 4 bits, with the
//! scales that blocks of them share.
//!
//! They are formats to store and to multiply on tensor cores, without arithmetic of their own. Conversions
//! between them and wider floats (`f32`, `f64`; `f16` and `bf16` with the feature `half`) are instructions from `sm_89` (8 bits, [`UE4M3`]) and `sm_80` (`tf32`) on. On older
//! GPUs and on the host they are software with the same results, apart from the bits of NaN. Conversions of 6-bit and
//! 4-bit floats and of [`UE8M0`] are always software. Kernels that
//! convert have a variant for each ([`arch_at_least!`](crate::arch_at_least!)).
//!
//! | here | bits | largest number | CUDA C |
//! |---|---|---|---|
//! | [`F8E4M3`] | 1 sign, 4 exponent, 3 fraction; no infinities | 448 | `__nv_fp8_e4m3` |
//! | [`F8E5M2`] | 1 sign, 5 exponent, 2 fraction | 57344 | `__nv_fp8_e5m2` |
//! | [`F8E4M3x4`], [`F8E5M2x4`] | four of them in a register | | `__nv_fp8x4_e4m3`, `__nv_fp8x4_e5m2` |
//! | [`F6E3M2`] | 1 sign, 3 exponent, 2 fraction; finite numbers only | 28 | `__nv_fp6_e3m2` |
//! | [`F6E2M3`] | 1 sign, 2 exponent, 3 fraction; finite numbers only | 7.5 | `__nv_fp6_e2m3` |
//! | [`F4E2M1`] | 1 sign, 2 exponent, 1 fraction; finite numbers only | 6 | `__nv_fp4_e2m1` |
//! | [`UE8M0`] | 8 exponent: powers of two | 2^127 | `__nv_fp8_e8m0` |
//! | [`UE4M3`] | 4 exponent, 3 fraction | 448 | |
//! | [`Tf32`] | 1 sign, 8 exponent, 10 fraction | about 3.4e38 | `nvcuda::wmma::precision::tf32` |
//!
//! ```
//! use ptyx::{device::float8::F8E4M3, prelude::*};
//!
//! /// Stores numbers in a quarter of their size.
//! #[kernel]
//! fn quantise(scale: f32, x: &[[f32; 2]], mut y: Disjoint<[F8E4M3; 2]>) {
//!     let i = thread::index_1d();
//!     if let Some(y) = y.get_mut(i) {
//!         *y = F8E4M3::pair_from_f32(x[i.get()].map(|x| x * scale));
//!     }
//! }
//! ```
//!
//! PTX ISA, [Alternate Floating Point Data Formats](https://docs.nvidia.com/cuda/parallel-thread-execution/#alternate-floating-point-data-formats),
//! [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt).

/// What the types of one byte have in common: they are plain data, and compare and print like the `f32` of the same value.
macro_rules! as_f32 {
    ($name:ident) => {
        // SAFETY: a plain byte. Every bit pattern is a value: bits that a format does not have mean nothing.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $name {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($name));
        }

        crate::shared::any_bits! { 1 of u8: $name; }
        crate::shared::cell::cell_values! { u8, AtomicU8: $name; }

        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl From<$name> for f32 {
            #[inline(always)]
            fn from(x: $name) -> f32 {
                x.to_f32()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_f32().fmt(f)
            }
        }
    };
}

mod conversions;
mod four;
mod scale;
mod small;

pub use four::{F8E4M3x4, F8E5M2x4};
pub use scale::{UE4M3, UE8M0};
pub use small::{F4E2M1, F6E2M3, F6E3M2};

use crate::format::{E4M3, E5M2, Round, TF32};
use crate::shared::{any_bits, cell::cell_values};
use crate::{DeviceCopy, layout_name, layout_of};
#[cfg(ptyx_device)]
use crate::{arch_at_least, intrinsics};
use core::cmp::Ordering;
use core::fmt;

macro_rules! floats {
    ($($(#[$attribute:meta])* $name:ident: $format:ident, $greatest:literal, $from_f32:ident $from_f32_relu:ident $to_f16x2:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u8);

        as_f32!($name);

        impl $name {
            /// The largest finite number.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            ///
            /// /// The factor that scales the largest number of a row to the largest of the format.
            /// fn scale(largest: f32) -> f32 {
            #[doc = concat!("    ", stringify!($name), "::MAX.to_f32() / largest")]
            /// }
            #[doc = concat!("assert_eq!(scale(", stringify!($greatest), "), 1.0);")]
            /// ```
            pub const MAX: Self = Self($format.greatest() as u8);
            /// NaN.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // Marks an element that is missing. It is not even equal to itself.
            #[doc = concat!("assert!(", stringify!($name), "::NAN.is_nan() && ", stringify!($name), "::NAN != ", stringify!($name), "::NAN);")]
            /// ```
            pub const NAN: Self = Self(0x7f);

            /// The number with these bits.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // Numbers as they are stored in a file.
            #[doc = concat!("let numbers = [0x00, 0x40, 0xc0].map(", stringify!($name), "::from_bits);")]
            #[doc = concat!("assert_eq!(numbers.map(", stringify!($name), "::to_f32), [0.0, 2.0, -2.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// Its bits.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let bytes = [2.0, -2.0].map(|x| ", stringify!($name), "::from_f32(x).to_bits());")]
            /// assert_eq!(bytes, [0x40, 0xc0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Rounds to the nearest, ties to even. Numbers that are too large become the largest finite one
            /// (`cvt.rn.satfinite`); NaN stays.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1e9).to_f32(), ", stringify!($greatest), ");")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(-1.3).to_f32(), -1.25);")]
            /// ```
            #[doc(alias = "__nv_cvt_float_to_fp8")]
            #[inline(always)]
            #[must_use]
            pub fn from_f32(x: f32) -> Self {
                Self::pair_from_f32([x, 0.0])[0]
            }

            /// [`from_f32`](Self::from_f32) for two numbers, in one instruction.
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f32([1.3, -1e9]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f32(pair), [1.25, -", stringify!($greatest), "]);")]
            /// ```
            #[doc(alias = "__nv_cvt_float2_to_fp8x2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_from_f32([low, high]: [f32; 2]) -> [Self; 2] {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$from_f32(high, low) };
                    return [Self(bits as u8), Self((bits >> 8) as u8)];
                }
                [low, high].map(|x| Self($format.round_finite(x.into(), Round::Nearest) as u8))
            }

            /// [`pair_from_f32`](Self::pair_from_f32), 0 for negative numbers; NaN stays
            /// ([`cvt.rn.satfinite.relu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), from `sm_89` on).
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f32_relu([-3.0, 1e9]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f32(pair), [0.0, ", stringify!($greatest), "]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn pair_from_f32_relu([low, high]: [f32; 2]) -> [Self; 2] {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$from_f32_relu(high, low) };
                    return [Self(bits as u8), Self((bits >> 8) as u8)];
                }
                Self::pair_from_f32([low, high]).map(Self::relu)
            }

            /// 0 for what is negative.
            #[inline(always)]
            fn relu(self) -> Self {
                if $format.value(self.0.into()) < 0.0 { Self(0) } else { self }
            }

            /// The number, exactly.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let error = 0.3 - ", stringify!($name), "::from_f32(0.3).to_f32();")]
            /// assert_eq!(error, 0.3 - 0.3125);
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> f32 {
                Self::pair_to_f32([self, Self(0)])[0]
            }

            /// Two numbers, exactly: one instruction converts both to half precision, and one more converts each of them to `f32`.
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float8::", stringify!($name), ", prelude::*};")]
            ///
            /// /// Restores numbers that were stored with a scale.
            /// #[kernel]
            #[doc = concat!("fn dequantise(scale: f32, x: &[[", stringify!($name), "; 2]], mut y: Disjoint<[f32; 2]>) {")]
            ///     let i = thread::index_1d();
            ///     if let (Some(&x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
            #[doc = concat!("        *y = ", stringify!($name), "::pair_to_f32(x).map(|x| x * scale);")]
            ///     }
            /// }
            /// ```
            #[doc(alias = "__nv_cvt_fp8x2_to_halfraw2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_to_f32(pair: [Self; 2]) -> [f32; 2] {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    let bits = u16::from(pair[0].0) | u16::from(pair[1].0) << 8;
                    // SAFETY: these only compute.
                    return unsafe {
                        let pair = intrinsics::$to_f16x2(bits);
                        [
                            intrinsics::f16_to_f32(pair as u16),
                            intrinsics::f16_to_f32((pair >> 16) as u16),
                        ]
                    };
                }
                pair.map(|x| $format.value(x.0.into()) as f32)
            }

            /// Whether it is NaN.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let numbers = [1.0, f32::NAN, -3.0].map(", stringify!($name), "::from_f32);")]
            /// assert_eq!(numbers.iter().filter(|x| x.is_nan()).count(), 1);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn is_nan(self) -> bool {
                $format.is_nan(self.0 as u32)
            }
        }
    )*};
}

floats! {
    /// An 8-bit float with 4 bits of exponent and 3 of fraction: about one decimal digit, up to 448.
    ///
    /// ```
    /// use ptyx::{device::float8::F8E4M3, prelude::*};
    ///
    /// /// The dot product of one-byte weights and `x`, summed in `f32`.
    /// #[kernel]
    /// fn dot(weights: &[F8E4M3], x: &[f32], sum: Atomics<f32>) {
    ///     let i = thread::index_1d().get();
    ///     if let (Some(weight), Some(x)) = (weights.get(i), x.get(i)) {
    ///         sum[0].fetch_add(weight.to_f32() * x);
    ///     }
    /// }
    /// ```
    #[doc(alias = "__nv_fp8_e4m3")]
    F8E4M3: E4M3, 448.0, e4m3x2_from_f32 e4m3x2_from_f32_relu e4m3x2_to_f16x2;
    /// An 8-bit float with 5 bits of exponent and 2 of fraction: the upper half of an `f16`.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::float8::F8E5M2;
    /// let (x, half) = (F8E5M2::from_f32(-1.75), f16::from_f32(-1.75));
    /// assert_eq!(x.to_bits(), half.to_bits().to_be_bytes()[0]);
    /// ```
    #[doc(alias = "__nv_fp8_e5m2")]
    F8E5M2: E5M2, 57344.0, e5m2x2_from_f32 e5m2x2_from_f32_relu e5m2x2_to_f16x2;
}

#[cfg(feature = "half")]
macro_rules! of_halves {
    ($($name:ident: $from_f16x2:ident $to_f16x2:ident $from_f16x2_relu:ident $to_f16x2_relu:ident;)*) => {$(
        impl $name {
            /// Rounds two half-precision numbers, as [`pair_from_f32`](Self::pair_from_f32).
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::{float8::", stringify!($name), ", float16::F16x2};")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f16(F16x2::from_f32(1.0, -0.3));")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f16(pair).to_f32(), [1.0, -0.3125]);")]
            /// ```
            #[doc(alias = "__nv_cvt_halfraw2_to_fp8x2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_from_f16(pair: crate::float16::F16x2) -> [Self; 2] {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$from_f16x2(pair.to_bits()) };
                    return [Self(bits as u8), Self((bits >> 8) as u8)];
                }
                Self::pair_from_f32(pair.to_f32())
            }

            /// Two numbers, exactly, in one instruction.
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // Stored in 8 bits, added in 16.
            #[doc = concat!("let [a, b] = [[1.5, -0.5], [0.25, 1.0]].map(", stringify!($name), "::pair_from_f32);")]
            #[doc = concat!("let sum = ", stringify!($name), "::pair_to_f16(a) + ", stringify!($name), "::pair_to_f16(b);")]
            /// assert_eq!(sum.to_f32(), [1.75, 0.5]);
            /// ```
            #[doc(alias = "__nv_cvt_fp8x2_to_halfraw2")]
            #[inline(always)]
            #[must_use]
            pub fn pair_to_f16(pair: [Self; 2]) -> crate::float16::F16x2 {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    let bits = u16::from(pair[0].0) | u16::from(pair[1].0) << 8;
                    // SAFETY: only computes.
                    return crate::float16::F16x2::from_bits(unsafe { intrinsics::$to_f16x2(bits) });
                }
                let [low, high] = Self::pair_to_f32(pair);
                crate::float16::F16x2::from_f32(low, high)
            }

            /// [`pair_from_f16`](Self::pair_from_f16), 0 for negative numbers; NaN stays
            /// ([`cvt.rn.satfinite.relu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), from `sm_89` on).
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::{float8::", stringify!($name), ", float16::F16x2};")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f16_relu(F16x2::from_f32(1.0, -0.3));")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f32(pair), [1.0, 0.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn pair_from_f16_relu(pair: crate::float16::F16x2) -> [Self; 2] {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$from_f16x2_relu(pair.to_bits()) };
                    return [Self(bits as u8), Self((bits >> 8) as u8)];
                }
                Self::pair_from_f32(pair.to_f32()).map(Self::relu)
            }

            /// [`pair_to_f16`](Self::pair_to_f16), 0 for negative numbers; NaN stays
            /// ([`cvt.rn.relu.f16x2`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), from `sm_89` on).
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::pair_from_f32([-2.0, 3.0]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::pair_to_f16_relu(pair).to_f32(), [0.0, 3.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn pair_to_f16_relu(pair: [Self; 2]) -> crate::float16::F16x2 {
                #[cfg(ptyx_device)]
                if arch_at_least!(89) {
                    let bits = u16::from(pair[0].0) | u16::from(pair[1].0) << 8;
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$to_f16x2_relu(bits) };
                    return crate::float16::F16x2::from_bits(bits);
                }
                Self::pair_to_f16(pair.map(Self::relu))
            }
        }
    )*};
}

#[cfg(feature = "half")]
of_halves! {
    F8E4M3: e4m3x2_from_f16x2 e4m3x2_to_f16x2 e4m3x2_from_f16x2_relu e4m3x2_to_f16x2_relu;
    F8E5M2: e5m2x2_from_f16x2 e5m2x2_to_f16x2 e5m2x2_from_f16x2_relu e5m2x2_to_f16x2_relu;
}

/// An `f32` with 10 bits of fraction, whose other 13 are 0: what tensor cores multiply as `tf32`.
///
/// ```
/// use ptyx::device::float8::Tf32;
/// assert_eq!(Tf32::from_f32(1.0 + 1.0 / 2048.0).to_f32(), 1.0 + 1.0 / 1024.0);
/// assert_eq!(Tf32::from_f32_rn(1.0 + 1.0 / 2048.0).to_f32(), 1.0);
/// assert_eq!(Tf32::from_f32_rz(1.0 + 1.9 / 1024.0).to_f32(), 1.0 + 1.0 / 1024.0);
/// ```
#[doc(alias = "__float_to_tf32")]
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Tf32(f32);

// SAFETY: plain bytes; every bit pattern is a value, as tensor cores ignore the 13 bits.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for Tf32 {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "Tf32");
}

any_bits! { 1 of u32: Tf32; }
cell_values! { u32, AtomicU32: Tf32; }

macro_rules! tf32_conversions {
    ($($(#[$attribute:meta])* $least:literal fn $name:ident = $intrinsic:ident, $how:ident $($relu:ident)?;)*) => {
        impl Tf32 {$(
            $(#[$attribute])*
            #[inline(always)]
            #[must_use]
            pub fn $name(x: f32) -> Self {
                #[cfg(ptyx_device)]
                if arch_at_least!($least) {
                    // SAFETY: only computes.
                    let bits = unsafe { intrinsics::$intrinsic(x) };
                    // The other 13 bits are not defined.
                    return Self(f32::from_bits(bits & !0x1fff));
                }
                let rounded = f32::from_bits(TF32.round(x.into(), Round::$how) << 13);
                $(let rounded = $relu(rounded);)?
                Self(rounded)
            }
        )*}
    };
}

tf32_conversions! {
    /// Rounds to the nearest, ties away from zero (`cvt.rna.tf32`), as CUDA C's `__float_to_tf32`.
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// let tie = 1.0 + 1.0 / 2048.0;
    /// assert_eq!(Tf32::from_f32(-tie).to_f32(), -1.0 - 1.0 / 1024.0);
    /// ```
    80 fn from_f32 = tf32_from_f32_rna, Away;
    /// Rounds to the nearest, ties to even (`cvt.rn.tf32`; an instruction from `sm_90` on).
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// let tie = 1.0 + 1.0 / 2048.0;
    /// assert_eq!(Tf32::from_f32_rn(tie).to_f32(), 1.0);
    /// ```
    90 fn from_f32_rn = tf32_from_f32_rn, Nearest;
    /// Rounds towards zero (`cvt.rz.tf32`; an instruction from `sm_90` on).
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// let x = 0.1f32;
    /// // The low bits are cut off, as tensor cores do with a plain `f32`.
    /// assert_eq!(Tf32::from_f32_rz(x).to_bits(), x.to_bits() & !0x1fff);
    /// ```
    90 fn from_f32_rz = tf32_from_f32_rz, Zero;
    /// [`from_f32_rn`](Self::from_f32_rn), 0 for negative numbers; NaN stays
    /// ([`cvt.rn.relu.tf32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt); an instruction from `sm_90` on).
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// assert_eq!([-1.0, 2.5].map(|x| Tf32::from_f32_rn_relu(x).to_f32()), [0.0, 2.5]);
    /// ```
    90 fn from_f32_rn_relu = tf32_from_f32_rn_relu, Nearest relu;
    /// [`from_f32_rz`](Self::from_f32_rz), 0 for negative numbers; NaN stays
    /// ([`cvt.rz.relu.tf32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt); an instruction from `sm_90` on).
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// assert_eq!([-1.0, 2.00001].map(|x| Tf32::from_f32_rz_relu(x).to_f32()), [0.0, 2.0]);
    /// ```
    90 fn from_f32_rz_relu = tf32_from_f32_rz_relu, Zero relu;
}

/// 0 for what is negative; NaN stays.
#[inline(always)]
fn relu(x: f32) -> f32 {
    if x < 0.0 { 0.0 } else { x }
}

impl Tf32 {
    /// The number, exactly.
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// let x = 1.0 / 3.0;
    /// // 11 bits of the significand are left.
    /// assert!((Tf32::from_f32(x).to_f32() - x).abs() <= x / 2048.0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        self.0
    }

    /// The bits that an instruction takes.
    ///
    /// ```
    /// use ptyx::device::float8::Tf32;
    /// let bits = Tf32::from_f32(1.0 / 3.0).to_bits();
    /// assert_eq!(bits & 0x1fff, 0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0.to_bits()
    }
}

impl From<Tf32> for f32 {
    #[inline(always)]
    fn from(x: Tf32) -> f32 {
        x.0
    }
}

impl fmt::Debug for Tf32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
