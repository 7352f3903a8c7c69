//! Four 16-bit floats in two registers.

use super::pair::{Bf16x2, F16x2};
use crate::{DeviceCopy, layout_name, layout_of, vector};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use half::{bf16, f16};

macro_rules! quads {
    ($($name:ident of $pair:ident of $element:ident;)*) => {$(
        #[doc = concat!("Four [`", stringify!($element), "`](struct@", stringify!($element), ") in 8 bytes, aligned to 8 bytes: one load or store for all, and arithmetic on two [pairs](", stringify!($pair), ").")]
        ///
        /// ```
        #[doc = concat!("use half::", stringify!($element), ";")]
        #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
        #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.5, -2.0, 0.0, 4.0]);")]
        #[doc = concat!("let y = x * ", stringify!($name), "::splat(", stringify!($element), "::from_f32(2.0)) - x;")]
        /// assert_eq!(y.to_f32(), [1.5, -2.0, 0.0, 4.0]);
        #[doc = concat!("assert_eq!(y.to_array()[3], ", stringify!($element), "::from_f32(4.0));")]
        /// ```
        #[derive(Clone, Copy, Default, PartialEq)]
        #[repr(C, align(8))]
        pub struct $name([$pair; 2]);

        // SAFETY: plain bytes without padding, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $name {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($name));
        }

        impl $name {
            /// The vector of these numbers.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let unit = ", stringify!($name), "::new([", stringify!($element), "::ZERO, ", stringify!($element), "::ONE, ", stringify!($element), "::ZERO, ", stringify!($element), "::ZERO]);")]
            /// assert_eq!(unit.to_f32(), [0.0, 1.0, 0.0, 0.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn new([a, b, c, d]: [$element; 4]) -> Self {
                Self([$pair::new(a, b), $pair::new(c, d)])
            }

            /// The same number four times.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// /// Scales numbers, four per thread.
            /// #[kernel]
            #[doc = concat!("fn scale(by: ", stringify!($element), ", mut x: Disjoint<", stringify!($name), ">) {")]
            ///     if let Some(x) = x.get_mut(thread::index_1d()) {
            #[doc = concat!("        *x = *x * ", stringify!($name), "::splat(by);")]
            ///     }
            /// }
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn splat(value: $element) -> Self {
                Self([$pair::splat(value); 2])
            }

            /// The vector of two pairs, the first one first in memory.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::{", stringify!($name), ", ", stringify!($pair), "};")]
            #[doc = concat!("let pairs = [", stringify!($pair), "::from_f32(1.0, 2.0), ", stringify!($pair), "::from_f32(3.0, 4.0)];")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_pairs(pairs).to_f32(), [1.0, 2.0, 3.0, 4.0]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_pairs(pairs).pairs(), pairs);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn from_pairs(pairs: [$pair; 2]) -> Self {
                Self(pairs)
            }

            /// The two pairs.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let [low, high] = ", stringify!($name), "::from_f32([1.0, 5.0, 3.0, 4.0]).pairs();")]
            /// // Towards the largest of four numbers: one instruction leaves two of them.
            /// let largest = low.fmax(high);
            /// assert_eq!(largest.to_f32(), [3.0, 5.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn pairs(self) -> [$pair; 2] {
                self.0
            }

            /// The numbers.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let rgba = ", stringify!($name), "::from_f32([0.5, 0.25, 1.0, 1.0]);")]
            /// let [red, green, blue, _alpha] = rgba.to_array();
            /// assert_eq!((red + green + blue).to_f32(), 1.75);
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_array(self) -> [$element; 4] {
                let [low, high] = self.0;
                [low.low(), low.high(), high.low(), high.high()]
            }

            /// Rounds four numbers to the nearest, ties to even: two instructions
            /// ([`cvt.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// /// Rounds numbers to half of their size: each thread loads 16 bytes and stores 8.
            /// #[kernel]
            #[doc = concat!("fn shrink(x: &[[f32; 4]], mut y: Disjoint<", stringify!($name), ">) {")]
            ///     let i = thread::index_1d();
            ///     if let (Some(&x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
            #[doc = concat!("        *y = ", stringify!($name), "::from_f32(x);")]
            ///     }
            /// }
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32([a, b, c, d]: [f32; 4]) -> Self {
                Self([$pair::from_f32(a, b), $pair::from_f32(c, d)])
            }

            /// The numbers, exactly.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// /// The sum of halves, in `f32`.
            /// #[kernel]
            #[doc = concat!("fn sum(x: &[", stringify!($name), "], sum: Atomics<f32>) {")]
            ///     if let Some(x) = x.get(thread::index_1d().get()) {
            ///         sum[0].fetch_add(x.to_f32().iter().sum());
            ///     }
            /// }
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> [f32; 4] {
                let [[a, b], [c, d]] = [self.0[0].to_f32(), self.0[1].to_f32()];
                [a, b, c, d]
            }

            /// `self × b + c`, each rounded once ([`fma.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-fma)).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([1.0, 2.0, 3.0, 4.0]);")]
            /// assert_eq!(x.fma(x, x).to_f32(), [2.0, 6.0, 12.0, 20.0]);
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn fma(self, b: Self, c: Self) -> Self {
                Self([self.0[0].fma(b.0[0], c.0[0]), self.0[1].fma(b.0[1], c.0[1])])
            }

            /// A slice of numbers as vectors, with the numbers before the first aligned address and those after the
            /// last whole vector. For a whole buffer, the first part is empty.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// #[kernel]
            #[doc = concat!("fn double(x: &[", stringify!($element), "], mut y: Disjoint<", stringify!($name), ">) {")]
            #[doc = concat!("    let (_, vectors, _) = ", stringify!($name), "::of_slice(x);")]
            ///     let i = thread::index_1d();
            ///     if let (Some(x), Some(y)) = (vectors.get(i.get()), y.get_mut(i)) {
            ///         *y = *x + *x; // one load, two additions, one store
            ///     }
            /// }
            /// ```
            #[inline(always)]
            pub fn of_slice(slice: &[$element]) -> (&[$element], &[Self], &[$element]) {
                // SAFETY: a vector is its numbers without padding, each of whose bit patterns is a value.
                unsafe { vector::split(slice) }
            }
        }

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0.map(Neg::neg))
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.to_f32().fmt(f)
            }
        }

        quads! { @operators $name:
            Add add AddAssign add_assign,
            Sub sub SubAssign sub_assign,
            Mul mul MulAssign mul_assign,
            Div div DivAssign div_assign
        }
    )*};
    (@operators $name:ident: $($trait:ident $method:ident $assign:ident $assign_method:ident),*) => {$(
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([
                    $trait::$method(self.0[0], other.0[0]),
                    $trait::$method(self.0[1], other.0[1]),
                ])
            }
        }

        impl $assign for $name {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

quads! {
    F16x4 of F16x2 of f16;
    Bf16x4 of Bf16x2 of bf16;
}
