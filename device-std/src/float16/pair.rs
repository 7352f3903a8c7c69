//! Pairs of 16-bit floats in one register.

use super::ops;
use crate::{DeviceCopy, layout_name, layout_of, vector};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use half::{bf16, f16};

macro_rules! pairs {
    ($($name:ident of $element:ident ($cuda:literal): {
        $from_f32:ident $from_f32_rz:ident $from_f32_relu:ident $from_f32_rz_relu:ident $to_f32:ident
        $add:ident $sub:ident $mul:ident $add_sat:ident $sub_sat:ident $mul_sat:ident
        $fma:ident $fma_sat:ident $fma_relu:ident
        $fmin:ident $fmax:ident $minimum:ident $maximum:ident $exp2:ident $tanh:ident
        $eq:ident $lt:ident $le:ident
    })*) => {$(
        #[doc = concat!("Two [`", stringify!($element), "`](struct@", stringify!($element), ") in 32 bits, as CUDA C's `", $cuda, "`: most instructions process both at once.")]
        ///
        /// ```
        #[doc = concat!("use half::", stringify!($element), ";")]
        #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
        #[doc = concat!("let pair = ", stringify!($name), "::from_f32(1.5, -2.0) * ", stringify!($name), "::splat(", stringify!($element), "::from_f32(2.0));")]
        /// assert_eq!(pair.to_f32(), [3.0, -4.0]);
        #[doc = concat!("assert_eq!(pair.low(), ", stringify!($element), "::from_f32(3.0));")]
        /// ```
        #[doc(alias = $cuda)]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        // SAFETY: plain bytes without padding, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $name {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($name));
        }

        impl $name {
            /// The pair of `low`, the first in memory, and `high`.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::new(", stringify!($element), "::ONE, ", stringify!($element), "::EPSILON);")]
            #[doc = concat!("assert_eq!(pair.low() + pair.high(), ", stringify!($element), "::ONE + ", stringify!($element), "::EPSILON);")]
            /// ```
            #[doc(alias = "__halves2half2")]
            #[doc(alias = "__halves2bfloat162")]
            #[inline(always)]
            #[must_use]
            pub const fn new(low: $element, high: $element) -> Self {
                Self(ops::join(low.to_bits(), high.to_bits()))
            }

            /// The same number twice.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let halved = ", stringify!($name), "::from_f32(3.0, -1.0) * ", stringify!($name), "::splat(", stringify!($element), "::from_f32(0.5));")]
            /// assert_eq!(halved.to_f32(), [1.5, -0.5]);
            /// ```
            #[doc(alias = "__half2half2")]
            #[doc(alias = "__bfloat162bfloat162")]
            #[inline(always)]
            #[must_use]
            pub const fn splat(value: $element) -> Self {
                Self::new(value, value)
            }

            /// The pair with these bits: the first number in the lower half.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let word = u32::from(", stringify!($element), "::ONE.to_bits()) << 16;")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(word).to_f32(), [0.0, 1.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn from_bits(bits: u32) -> Self {
                Self(bits)
            }

            /// The bits, those of the first number in the lower half.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let word = ", stringify!($name), "::new(", stringify!($element), "::ZERO, ", stringify!($element), "::ONE).to_bits();")]
            #[doc = concat!("assert_eq!(word, u32::from(", stringify!($element), "::ONE.to_bits()) << 16);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_bits(self) -> u32 {
                self.0
            }

            /// The first number.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let z = ", stringify!($name), "::from_f32(3.0, 4.0); // the complex number 3 + 4i")]
            /// assert_eq!(z.low().to_f32(), 3.0);
            /// ```
            #[doc(alias = "__low2half")]
            #[doc(alias = "__low2bfloat16")]
            #[inline(always)]
            #[must_use]
            pub const fn low(self) -> $element {
                $element::from_bits(self.0 as u16)
            }

            /// The second number.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let z = ", stringify!($name), "::from_f32(3.0, 4.0); // the complex number 3 + 4i")]
            /// assert_eq!(z.high().to_f32(), 4.0);
            /// ```
            #[doc(alias = "__high2half")]
            #[doc(alias = "__high2bfloat16")]
            #[inline(always)]
            #[must_use]
            pub const fn high(self) -> $element {
                $element::from_bits((self.0 >> 16) as u16)
            }

            /// Both numbers, the first one first.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let pairs = [", stringify!($name), "::from_f32(1.0, 2.0), ", stringify!($name), "::from_f32(3.0, 4.0)];")]
            /// let numbers = pairs.iter().flat_map(|pair| pair.to_array());
            #[doc = concat!("assert!(numbers.eq([1.0, 2.0, 3.0, 4.0].map(half::", stringify!($element), "::from_f32)));")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_array(self) -> [$element; 2] {
                [self.low(), self.high()]
            }

            /// Rounds two numbers to the nearest, ties to even ([`cvt.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// /// Rounds numbers to half of their size, two per thread.
            /// #[kernel]
            #[doc = concat!("fn shrink(x: &[[f32; 2]], mut y: Disjoint<", stringify!($name), ">) {")]
            ///     let i = thread::index_1d();
            ///     if let (Some(&[low, high]), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
            #[doc = concat!("        *y = ", stringify!($name), "::from_f32(low, high);")]
            ///     }
            /// }
            /// ```
            #[doc(alias = "__floats2half2_rn")]
            #[doc(alias = "__floats2bfloat162_rn")]
            #[inline(always)]
            #[must_use]
            pub fn from_f32(low: f32, high: f32) -> Self {
                Self(ops::$from_f32(high, low))
            }

            /// Rounds two numbers towards zero ([`cvt.rz`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt)).
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let pair = ", stringify!($name), "::from_f32_rz(0.999_99, f32::MAX);")]
            #[doc = concat!("assert_eq!(pair.high(), ", stringify!($element), "::MAX); // not infinity")]
            #[doc = concat!("assert!(pair.low() < ", stringify!($element), "::ONE);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32_rz(low: f32, high: f32) -> Self {
                Self(ops::$from_f32_rz(high, low))
            }

            /// [`from_f32`](Self::from_f32), 0 for negative numbers; NaN stays ([`cvt.rn.relu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), from `sm_80` on).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_relu(-1.5, 1.5).to_f32(), [0.0, 1.5]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32_relu(low: f32, high: f32) -> Self {
                Self(ops::$from_f32_relu(high, low))
            }

            /// [`from_f32_rz`](Self::from_f32_rz), 0 for negative numbers; NaN stays ([`cvt.rz.relu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt), from `sm_80` on).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_rz_relu(1.00001, -2.0).to_f32(), [1.0, 0.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32_rz_relu(low: f32, high: f32) -> Self {
                Self(ops::$from_f32_rz_relu(high, low))
            }

            /// Both numbers, exactly, the first one first.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::float16::", stringify!($name), ", prelude::*};")]
            ///
            /// /// A dot product of halves, summed in `f32`: two products per thread.
            /// #[kernel]
            #[doc = concat!("fn dot(x: &[", stringify!($name), "], y: &[", stringify!($name), "], sum: Atomics<f32>) {")]
            ///     let i = thread::index_1d().get();
            ///     if let (Some(x), Some(y)) = (x.get(i), y.get(i)) {
            ///         let ([a, b], [c, d]) = (x.to_f32(), y.to_f32());
            ///         sum[0].fetch_add(a * c + b * d);
            ///     }
            /// }
            /// ```
            #[doc(alias = "__half22float2")]
            #[doc(alias = "__bfloat1622float2")]
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> [f32; 2] {
                [ops::$to_f32(self.0 as u16), ops::$to_f32((self.0 >> 16) as u16)]
            }

            /// The numbers in the other order.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1.0, 2.0).swap().to_f32(), [2.0, 1.0]);")]
            /// ```
            #[doc(alias = "__lowhigh2highlow")]
            #[inline(always)]
            #[must_use]
            pub const fn swap(self) -> Self {
                Self(self.0.rotate_left(16))
            }

            /// The first numbers of two pairs.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let rows = [", stringify!($name), "::from_f32(1.0, 2.0), ", stringify!($name), "::from_f32(3.0, 4.0)];")]
            /// assert_eq!(rows[0].lows(rows[1]).to_f32(), [1.0, 3.0]); // the first column
            /// ```
            #[doc(alias = "__lows2half2")]
            #[doc(alias = "__lows2bfloat162")]
            #[inline(always)]
            #[must_use]
            pub const fn lows(self, other: Self) -> Self {
                Self::new(self.low(), other.low())
            }

            /// The second numbers of two pairs.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let rows = [", stringify!($name), "::from_f32(1.0, 2.0), ", stringify!($name), "::from_f32(3.0, 4.0)];")]
            /// assert_eq!(rows[0].highs(rows[1]).to_f32(), [2.0, 4.0]); // the second column
            /// ```
            #[doc(alias = "__highs2half2")]
            #[doc(alias = "__highs2bfloat162")]
            #[inline(always)]
            #[must_use]
            pub const fn highs(self, other: Self) -> Self {
                Self::new(self.high(), other.high())
            }

            /// The magnitudes.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(-1.5, 2.0).abs().to_f32(), [1.5, 2.0]);")]
            /// ```
            #[doc(alias = "__habs2")]
            #[inline(always)]
            #[must_use]
            pub const fn abs(self) -> Self {
                Self(self.0 & 0x7fff_7fff)
            }

            pairs! { @binary
                /// Sums, clamped to the range from 0 to 1; 0 for NaN.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(0.5, 0.75), ", stringify!($name), "::from_f32(0.25, 0.5));")]
                /// assert_eq!(a.add_sat(b).to_f32(), [0.75, 1.0]);
                /// ```
                #[doc(alias = "__hadd2_sat")]
                add_sat = $add_sat;
                /// Differences, clamped to the range from 0 to 1; 0 for NaN.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(0.5, 0.75), ", stringify!($name), "::from_f32(0.25, 1.0));")]
                /// assert_eq!(a.sub_sat(b).to_f32(), [0.25, 0.0]);
                /// ```
                #[doc(alias = "__hsub2_sat")]
                sub_sat = $sub_sat;
                /// Products, clamped to the range from 0 to 1; 0 for NaN.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(0.5, 0.75), ", stringify!($name), "::from_f32(0.5, 4.0));")]
                /// assert_eq!(a.mul_sat(b).to_f32(), [0.25, 1.0]);
                /// ```
                #[doc(alias = "__hmul2_sat")]
                mul_sat = $mul_sat;
                /// The smaller numbers; of a number and NaN, the number.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(1.0, f32::NAN), ", stringify!($name), "::from_f32(2.0, 3.0));")]
                /// assert_eq!(a.fmin(b).to_f32(), [1.0, 3.0]);
                /// ```
                #[doc(alias = "__hmin2")]
                fmin = $fmin;
                /// The larger numbers; of a number and NaN, the number.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(1.0, f32::NAN), ", stringify!($name), "::from_f32(2.0, 3.0));")]
                /// assert_eq!(a.fmax(b).to_f32(), [2.0, 3.0]);
                /// ```
                #[doc(alias = "__hmax2")]
                fmax = $fmax;
                /// The smaller numbers; NaN if one is.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(1.0, f32::NAN), ", stringify!($name), "::from_f32(2.0, 3.0));")]
                /// let [low, high] = a.minimum(b).to_f32();
                /// assert!(low == 1.0 && high.is_nan());
                /// ```
                #[doc(alias = "__hmin2_nan")]
                minimum = $minimum;
                /// The larger numbers; NaN if one is.
                ///
                /// ```
                #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
                #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(1.0, f32::NAN), ", stringify!($name), "::from_f32(2.0, 3.0));")]
                /// let [low, high] = a.maximum(b).to_f32();
                /// assert!(low == 2.0 && high.is_nan());
                /// ```
                #[doc(alias = "__hmax2_nan")]
                maximum = $maximum;
            }

            /// `self × b + c`, each rounded once ([`fma.rn`](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-fma)).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let [a, b, c] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].map(|[low, high]| ", stringify!($name), "::from_f32(low, high));")]
            /// assert_eq!(a.fma(b, c).to_f32(), [8.0, 14.0]);
            /// ```
            #[doc(alias = "__hfma2")]
            #[inline(always)]
            #[must_use]
            pub fn fma(self, b: Self, c: Self) -> Self {
                Self(ops::$fma(self.0, b.0, c.0))
            }

            /// [`fma`](Self::fma), clamped to the range from 0 to 1; 0 for NaN.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            /// // A colour is scaled and brightened, and stays between 0 and 1.
            #[doc = concat!("let (colour, bright) = (", stringify!($name), "::from_f32(0.25, 0.75), ", stringify!($name), "::from_f32(0.25, 0.25));")]
            #[doc = concat!("let scale = ", stringify!($name), "::from_f32(1.5, 1.5);")]
            /// assert_eq!(colour.fma_sat(scale, bright).to_f32(), [0.625, 1.0]);
            /// ```
            #[doc(alias = "__hfma2_sat")]
            #[inline(always)]
            #[must_use]
            pub fn fma_sat(self, b: Self, c: Self) -> Self {
                Self(ops::$fma_sat(self.0, b.0, c.0))
            }

            /// [`fma`](Self::fma), 0 where that is negative; NaN stays.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            /// // Two neurons with the activation function ReLU.
            #[doc = concat!("let (x, bias) = (", stringify!($name), "::from_f32(2.0, -2.0), ", stringify!($name), "::from_f32(1.0, 1.0));")]
            #[doc = concat!("let weights = ", stringify!($name), "::from_f32(3.0, 3.0);")]
            /// assert_eq!(x.fma_relu(weights, bias).to_f32(), [7.0, 0.0]);
            /// ```
            #[doc(alias = "__hfma2_relu")]
            #[inline(always)]
            #[must_use]
            pub fn fma_relu(self, b: Self, c: Self) -> Self {
                Self(ops::$fma_relu(self.0, b.0, c.0))
            }

            /// 2 to the power of each, as [`Half::exp2_approx`](super::Half::exp2_approx).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(3.0, -1.0).exp2_approx().to_f32(), [8.0, 0.5]);")]
            /// ```
            #[doc(alias = "h2exp2")]
            #[inline(always)]
            #[must_use]
            pub fn exp2_approx(self) -> Self {
                Self(ops::$exp2(self.0))
            }

            /// The hyperbolic tangents, as [`Half::tanh_approx`](super::Half::tanh_approx).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(0.0, -20.0).tanh_approx().to_f32(), [0.0, -1.0]);")]
            /// ```
            #[doc(alias = "h2tanh_approx")]
            #[inline(always)]
            #[must_use]
            pub fn tanh_approx(self) -> Self {
                Self(ops::$tanh(self.0))
            }

            /// Where the numbers are equal.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let (a, b) = (", stringify!($name), "::from_f32(1.0, 2.0), ", stringify!($name), "::from_f32(1.0, 3.0));")]
            /// assert_eq!((a.lanes_eq(b), a.lanes_lt(b), a.lanes_le(b)), ([true, false], [false, true], [true, true]));
            /// ```
            #[doc(alias = "__heq2")]
            #[inline(always)]
            #[must_use]
            pub fn lanes_eq(self, other: Self) -> [bool; 2] {
                let (high, other_high) = ((self.0 >> 16) as u16, (other.0 >> 16) as u16);
                [ops::$eq(self.0 as u16, other.0 as u16), ops::$eq(high, other_high)].map(|x| x != 0)
            }

            /// Where the numbers are less than those of `other`.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let (x, limit) = (", stringify!($name), "::from_f32(1.0, f32::NAN), ", stringify!($name), "::from_f32(2.0, 2.0));")]
            /// assert_eq!(x.lanes_lt(limit), [true, false]);
            /// ```
            #[doc(alias = "__hlt2")]
            #[inline(always)]
            #[must_use]
            pub fn lanes_lt(self, other: Self) -> [bool; 2] {
                let (high, other_high) = ((self.0 >> 16) as u16, (other.0 >> 16) as u16);
                [ops::$lt(self.0 as u16, other.0 as u16), ops::$lt(high, other_high)].map(|x| x != 0)
            }

            /// Where the numbers are at most those of `other`.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let (x, limit) = (", stringify!($name), "::from_f32(2.0, 3.0), ", stringify!($name), "::from_f32(2.0, 2.0));")]
            /// assert_eq!(x.lanes_le(limit), [true, false]);
            /// ```
            #[doc(alias = "__hle2")]
            #[inline(always)]
            #[must_use]
            pub fn lanes_le(self, other: Self) -> [bool; 2] {
                let (high, other_high) = ((self.0 >> 16) as u16, (other.0 >> 16) as u16);
                [ops::$le(self.0 as u16, other.0 as u16), ops::$le(high, other_high)].map(|x| x != 0)
            }

            /// A slice of numbers as pairs, with the number before the first aligned address and the one after
            /// the last pair, if there are any. For a whole buffer, the first part is empty.
            ///
            /// ```
            #[doc = concat!("use half::", stringify!($element), ";")]
            #[doc = concat!("use ptyx::device::float16::", stringify!($name), ";")]
            #[doc = concat!("let pairs = [", stringify!($name), "::from_f32(1.0, 2.0), ", stringify!($name), "::from_f32(3.0, 4.0)];")]
            /// let numbers: Vec<_> = pairs.iter().flat_map(|pair| pair.to_array()).collect();
            #[doc = concat!("let (before, found, after) = ", stringify!($name), "::of_slice(&numbers);")]
            /// assert_eq!(before.len() + 2 * found.len() + after.len(), 4);
            /// ```
            #[inline(always)]
            pub fn of_slice(slice: &[$element]) -> (&[$element], &[Self], &[$element]) {
                // SAFETY: a pair is its numbers without padding, each of whose bit patterns is a value.
                unsafe { vector::split(slice) }
            }
        }

        pairs! { @operators $name: Add add $add, Sub sub $sub, Mul mul $mul }
        pairs! { @assignments $name:
            AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul, DivAssign div_assign div
        }

        /// Quotients in `f32`, rounded: what the crate `half` does with single numbers.
        impl Div for $name {
            type Output = Self;

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                let ([a, b], [c, d]) = (self.to_f32(), other.to_f32());
                Self::from_f32(a / c, b / d)
            }
        }

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0 ^ 0x8000_8000)
            }
        }

        /// Whether both numbers are equal.
        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.lanes_eq(*other) == [true; 2]
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.to_f32().fmt(f)
            }
        }
    )*};
    (@binary $($(#[$attribute:meta])* $method:ident = $function:ident;)*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        #[must_use]
        pub fn $method(self, other: Self) -> Self {
            Self(ops::$function(self.0, other.0))
        }
    )*};
    (@assignments $name:ident: $($trait:ident $method:ident $of:ident),*) => {$(
        impl $trait for $name {
            #[inline(always)]
            fn $method(&mut self, other: Self) {
                *self = self.$of(other);
            }
        }
    )*};
    (@operators $name:ident: $($trait:ident $method:ident $function:ident),*) => {$(
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(ops::$function(self.0, other.0))
            }
        }
    )*};
}

pairs! {
    F16x2 of f16 ("__half2"): {
        f16x2_from_f32_rn f16x2_from_f32_rz f16x2_from_f32_rn_relu f16x2_from_f32_rz_relu f16_to_f32
        f16x2_add f16x2_sub f16x2_mul f16x2_add_sat f16x2_sub_sat f16x2_mul_sat
        f16x2_fma f16x2_fma_sat f16x2_fma_relu
        f16x2_min f16x2_max f16x2_min_nan f16x2_max_nan f16x2_ex2 f16x2_tanh
        f16_eq f16_lt f16_le
    }
    Bf16x2 of bf16 ("__nv_bfloat162"): {
        bf16x2_from_f32_rn bf16x2_from_f32_rz bf16x2_from_f32_rn_relu bf16x2_from_f32_rz_relu bf16_to_f32
        bf16x2_add bf16x2_sub bf16x2_mul bf16x2_add_sat bf16x2_sub_sat bf16x2_mul_sat
        bf16x2_fma bf16x2_fma_sat bf16x2_fma_relu
        bf16x2_min bf16x2_max bf16x2_min_nan bf16x2_max_nan bf16x2_ex2 bf16x2_tanh
        bf16_eq bf16_lt bf16_le
    }
}
