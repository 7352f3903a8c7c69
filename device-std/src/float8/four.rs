//! Four 8-bit floats in a register. They are converted by instructions from `sm_89` on, and by software on older devices:
//! PTX ISA, [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt).

use super::{F8E4M3, F8E5M2};
use crate::shared::{any_bits, cell::cell_values};
use crate::{DeviceCopy, layout_name, layout_of, vector};
use core::fmt;

macro_rules! fours {
    ($($(#[$attribute:meta])* $name:ident of $element:ident;)*) => {$(
        #[doc = concat!("Four [`", stringify!($element), "`] in 4 bytes, aligned to 4 bytes: one load or store for all, two instructions to convert them, and a register of a tensor core's operand. From `sm_89` on, PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt) converts them in pairs; older devices do it in software.")]
        ///
        /// ```
        #[doc = concat!("use ptyx::{device::float8::", stringify!($name), ", prelude::*};")]
        ///
        /// /// Stores numbers in a quarter of their size: each thread loads 16 bytes and stores 4.
        /// #[kernel]
        #[doc = concat!("fn quantise(scale: f32, x: &[[f32; 4]], mut y: Disjoint<", stringify!($name), ">) {")]
        ///     let i = thread::index_1d();
        ///     if let (Some(x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
        #[doc = concat!("        *y = ", stringify!($name), "::from_f32(x.map(|x| x * scale));")]
        ///     }
        /// }
        /// ```
        $(#[$attribute])*
        #[derive(Clone, Copy, Default, PartialEq)]
        #[repr(C, align(4))]
        pub struct $name([$element; 4]);

        // SAFETY: plain bytes without padding, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $name {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($name));
        }

        impl $name {
            /// The vector of these numbers.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::{", stringify!($element), ", ", stringify!($name), "};")]
            #[doc = concat!("let x = ", stringify!($name), "::new([1.0, 0.5, -2.0, 0.0].map(", stringify!($element), "::from_f32));")]
            /// assert_eq!(x.to_f32(), [1.0, 0.5, -2.0, 0.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn new(numbers: [$element; 4]) -> Self {
                Self(numbers)
            }

            /// The numbers.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.0, 0.5, -2.0, 0.0]);")]
            /// assert_eq!(x.to_array()[2].to_f32(), -2.0);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_array(self) -> [$element; 4] {
                self.0
            }

            /// The numbers whose bits are these bytes, the first one the lowest: as tensor cores take them.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.0, 0.5, -2.0, 0.0]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(x.to_bits()), x);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn from_bits(bits: u32) -> Self {
                let [a, b, c, d] = bits.to_le_bytes();
                let of = $element::from_bits;
                Self([of(a), of(b), of(c), of(d)])
            }

            /// Their bits, those of the first one the lowest.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([2.0, 0.0, 0.0, -2.0]);")]
            /// assert_eq!(x.to_bits(), 0xc000_0040);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_bits(self) -> u32 {
                let [a, b, c, d] = self.0;
                u32::from_le_bytes([a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits()])
            }

            #[doc = concat!("Rounds four numbers, as [`", stringify!($element), "::pair_from_f32`].")]
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), for pairs (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([0.3, 1.3, -1.3, 2.0]);")]
            /// assert_eq!(x.to_f32(), [0.3125, 1.25, -1.25, 2.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32([a, b, c, d]: [f32; 4]) -> Self {
                Self::of_pairs([$element::pair_from_f32([a, b]), $element::pair_from_f32([c, d])])
            }

            #[doc = concat!("Rounds four numbers once, as [`", stringify!($element), "::from_f64`].")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f64([0.3, 1.3, -1.3, 2.0]);")]
            /// assert_eq!(x.to_f32(), [0.3125, 1.25, -1.25, 2.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f64([a, b, c, d]: [f64; 4]) -> Self {
                Self::of_pairs([$element::pair_from_f64([a, b]), $element::pair_from_f64([c, d])])
            }

            /// The numbers, exactly.
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), for pairs (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::default().to_f32(), [0.0; 4]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> [f32; 4] {
                let [[a, b], [c, d]] = self.pairs().map($element::pair_to_f32);
                [a, b, c, d]
            }

            #[doc = concat!("Rounds four numbers, as [`", stringify!($element), "::pair_from_f16`].")]
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), for pairs (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::{float8::", stringify!($name), ", float16::F16x4};")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f16(F16x4::from_f32([0.3, 1.3, -1.3, 2.0]));")]
            /// assert_eq!(x.to_f16().to_f32(), [0.3125, 1.25, -1.25, 2.0]);
            /// ```
            #[cfg(feature = "half")]
            #[inline(always)]
            #[must_use]
            pub fn from_f16(x: crate::float16::F16x4) -> Self {
                Self::of_pairs(x.pairs().map($element::pair_from_f16))
            }

            /// The numbers as `f16`, exactly.
            ///
            /// PTX [`cvt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), for pairs (`sm_89`); software on older devices.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.0, 0.5, -2.0, 0.0]);")]
            /// // Stored in 8 bits, added in 16.
            /// assert_eq!((x.to_f16() + x.to_f16()).to_f32(), [2.0, 1.0, -4.0, 0.0]);
            /// ```
            #[cfg(feature = "half")]
            #[inline(always)]
            #[must_use]
            pub fn to_f16(self) -> crate::float16::F16x4 {
                crate::float16::F16x4::from_pairs(self.pairs().map($element::pair_to_f16))
            }

            #[doc = concat!("Rounds four numbers, as [`", stringify!($element), "::pair_from_bf16`].")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::{float8::", stringify!($name), ", float16::Bf16x4};")]
            #[doc = concat!("let x = ", stringify!($name), "::from_bf16(Bf16x4::from_f32([0.3, 1.3, -1.3, 2.0]));")]
            /// assert_eq!(x.to_bf16().to_f32(), [0.3125, 1.25, -1.25, 2.0]);
            /// ```
            #[cfg(feature = "half")]
            #[inline(always)]
            #[must_use]
            pub fn from_bf16(x: crate::float16::Bf16x4) -> Self {
                Self::of_pairs(x.pairs().map($element::pair_from_bf16))
            }

            /// The numbers as `bf16`, exactly.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.0, 0.5, -2.0, 0.0]);")]
            /// assert_eq!(x.to_bf16().to_f32(), [1.0, 0.5, -2.0, 0.0]);
            /// ```
            #[cfg(feature = "half")]
            #[inline(always)]
            #[must_use]
            pub fn to_bf16(self) -> crate::float16::Bf16x4 {
                crate::float16::Bf16x4::from_pairs(self.pairs().map($element::pair_to_bf16))
            }

            /// A slice of numbers as vectors, with the numbers before the first aligned address and those after the
            /// last whole vector. For a whole buffer, the first part is empty.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float8::{", stringify!($element), ", ", stringify!($name), "}, prelude::*};")]
            ///
            /// /// Restores numbers: each thread loads 4 bytes and stores 16.
            /// #[kernel]
            #[doc = concat!("fn dequantise(x: &[", stringify!($element), "], mut y: Disjoint<[f32; 4]>) {")]
            #[doc = concat!("    let (_, vectors, _) = ", stringify!($name), "::of_slice(x);")]
            ///     let i = thread::index_1d();
            ///     if let (Some(x), Some(y)) = (vectors.get(i.get()), y.get_mut(i)) {
            ///         *y = x.to_f32();
            ///     }
            /// }
            /// ```
            #[inline(always)]
            pub fn of_slice(slice: &[$element]) -> (&[$element], &[Self], &[$element]) {
                // SAFETY: a vector is its numbers without padding, each of whose bit patterns is a value.
                unsafe { vector::split(slice) }
            }

            #[inline(always)]
            fn pairs(self) -> [[$element; 2]; 2] {
                let [a, b, c, d] = self.0;
                [[a, b], [c, d]]
            }

            #[inline(always)]
            fn of_pairs([[a, b], [c, d]]: [[$element; 2]; 2]) -> Self {
                Self([a, b, c, d])
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_f32().fmt(f)
            }
        }
    )*};
}

fours! {
    #[doc(alias = "__nv_fp8x4_e4m3")]
    F8E4M3x4 of F8E4M3;
    #[doc(alias = "__nv_fp8x4_e5m2")]
    F8E5M2x4 of F8E5M2;
}

any_bits! { 4 of u8: F8E4M3x4 F8E5M2x4; }
cell_values! { u32, AtomicU32: F8E4M3x4 F8E5M2x4; }
