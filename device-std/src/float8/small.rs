//! Floats of 6 and 4 bits.

use crate::format::{E2M1, E2M3, E3M2, Round};
use crate::{DeviceCopy, layout_name, layout_of};
use core::cmp::Ordering;
use core::fmt;

macro_rules! floats {
    ($($(#[$attribute:meta])* $name:ident: $format:ident, $bits:literal bits, $greatest:literal;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u8);

        as_f32!($name);

        impl $name {
            /// The largest number.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::{", stringify!($name), ", UE8M0};")]
            ///
            /// /// The scale of a block whose largest magnitude is `largest`.
            /// fn scale(largest: f32) -> UE8M0 {
            #[doc = concat!("    UE8M0::from_f32_rp(largest / ", stringify!($name), "::MAX.to_f32())")]
            /// }
            #[doc = concat!("assert_eq!(scale(2.0 * ", stringify!($greatest), ").to_f32(), 2.0);")]
            /// ```
            pub const MAX: Self = Self($format.greatest() as u8);

            /// The number with these bits: the lowest of the byte. The others are ignored.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(0).to_f32(), 0.0);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(0xff).to_f32(), -", stringify!($greatest), ");")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits & ((1 << $bits) - 1))
            }

            /// Its bits, the lowest of the byte. The others are 0.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let stored: [u8; 2] = [1.5, -2.0].map(|x| ", stringify!($name), "::from_f32(x).to_bits());")]
            #[doc = concat!("assert_eq!(stored.map(|bits| ", stringify!($name), "::from_bits(bits).to_f32()), [1.5, -2.0]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_bits(self) -> u8 {
                self.0 & ((1 << $bits) - 1)
            }

            /// Rounds to the nearest, ties to even. Numbers that are too large become the largest one, with their sign, and
            /// NaN becomes the largest number (as `cvt.rn.satfinite`, but in software on every architecture).
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(-1e9).to_f32(), -", stringify!($greatest), ");")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1.55).to_f32(), 1.5);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn from_f32(x: f32) -> Self {
                let x = if x.is_nan() { $greatest } else { x.max(-$greatest).min($greatest) };
                Self($format.round(x.into(), Round::Nearest) as u8)
            }

            /// The number, exactly.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            #[doc = concat!("let (scale, x) = (0.25, ", stringify!($name), "::from_f32(3.1));")]
            /// assert_eq!(scale * x.to_f32(), 0.75);
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> f32 {
                $format.value(self.0.into()) as f32
            }
        }
    )*};
}

floats! {
    /// A float of 6 bits, the lowest of a byte, with 3 bits of exponent and 2 of fraction: up to 28.
    ///
    /// ```
    /// use ptyx::device::float8::F6E3M2;
    /// let numbers = [0.3, 5.4, -100.0].map(F6E3M2::from_f32);
    /// assert_eq!(numbers.map(F6E3M2::to_f32), [0.3125, 5.0, -28.0]);
    /// ```
    #[doc(alias = "__nv_fp6_e3m2")]
    F6E3M2: E3M2, 6 bits, 28.0;
    /// A float of 6 bits, the lowest of a byte, with 2 bits of exponent and 3 of fraction: up to 7.5.
    ///
    /// ```
    /// use ptyx::device::float8::F6E2M3;
    /// let numbers = [0.3, 5.4, -100.0].map(F6E2M3::from_f32);
    /// assert_eq!(numbers.map(F6E2M3::to_f32), [0.25, 5.5, -7.5]);
    /// ```
    #[doc(alias = "__nv_fp6_e2m3")]
    F6E2M3: E2M3, 6 bits, 7.5;
    /// A float of 4 bits, the lowest of a byte, with 2 bits of exponent and 1 of fraction: up to 6.
    ///
    /// ```
    /// use ptyx::device::float8::F4E2M1;
    /// // All numbers whose sign bit is 0.
    /// let numbers: [u8; 8] = std::array::from_fn(|bits| bits as u8);
    /// let numbers = numbers.map(|bits| F4E2M1::from_bits(bits).to_f32());
    /// assert_eq!(numbers, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    /// ```
    #[doc(alias = "__nv_fp4_e2m1")]
    F4E2M1: E2M1, 4 bits, 6.0;
}

impl F4E2M1 {
    /// Two numbers in a byte, the first in the lower half: the elements of
    /// [`mma::E2m1`](crate::mma::E2m1) in memory.
    ///
    /// ```
    /// use ptyx::device::float8::F4E2M1;
    /// let pair = [1.5, -6.0].map(F4E2M1::from_f32);
    /// assert_eq!(F4E2M1::unpack(F4E2M1::pack(pair)), pair);
    /// ```
    #[doc(alias = "__nv_fp4x2_e2m1")]
    #[inline(always)]
    #[must_use]
    pub const fn pack([low, high]: [Self; 2]) -> u8 {
        low.to_bits() | high.to_bits() << 4
    }

    /// The two numbers of a byte.
    ///
    /// ```
    /// use ptyx::device::float8::F4E2M1;
    /// assert_eq!(F4E2M1::unpack(0x21).map(F4E2M1::to_f32), [0.5, 1.0]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn unpack(pair: u8) -> [Self; 2] {
        [Self::from_bits(pair), Self::from_bits(pair >> 4)]
    }

    /// The number as bits 2 to 5 of a byte: an element of [`mma::PaddedE2m1`](crate::mma::PaddedE2m1) in memory.
    ///
    /// ```
    /// use ptyx::device::float8::F4E2M1;
    /// assert_eq!(F4E2M1::MAX.padded(), 0b0001_1100);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn padded(self) -> u8 {
        self.to_bits() << 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers that are not negative, from the formats' definition (OCP Microscaling Formats specification).
    #[test]
    fn numbers_of_the_formats() {
        let four: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        for (bits, want) in (0u8..).zip(four) {
            assert_eq!(F4E2M1::from_bits(bits).to_f32(), want);
            assert_eq!(F4E2M1::from_bits(bits | 8).to_f32(), -want);
        }
        for (bits, e3m2, e2m3) in
            [(1, 0.0625, 0.125), (4, 0.25, 0.5), (8, 0.5, 1.0), (0x0c, 1.0, 1.5), (0x1f, 28.0, 7.5)]
        {
            assert_eq!(F6E3M2::from_bits(bits).to_f32(), e3m2);
            assert_eq!(F6E2M3::from_bits(bits).to_f32(), e2m3);
            assert_eq!(F6E2M3::from_bits(bits | 0x20).to_f32(), -e2m3);
        }
    }

    /// Against a search for the nearest number, of which ties take the even one.
    #[test]
    fn rounds_to_the_nearest() {
        fn check(last: u8, round: fn(f32) -> u8, value: fn(u8) -> f32) {
            for step in -1200..=1200 {
                let x = step as f32 / 32.0;
                let distance = |bits: u8| (f64::from(value(bits)) - f64::from(x)).abs();
                let nearest = (0..=last).map(distance).fold(f64::INFINITY, f64::min);
                let bits = round(x);
                assert_eq!(distance(bits), nearest, "{x}");
                let other =
                    (0..=last).any(|at| value(at) != value(bits) && distance(at) == nearest);
                assert!(!other || bits & 1 == 0, "{x} is between two: {bits:#x}");
                assert_eq!(bits & (last / 2 + 1) != 0, x.is_sign_negative(), "{x}");
            }
        }
        check(15, |x| F4E2M1::from_f32(x).0, |bits| F4E2M1(bits).to_f32());
        check(63, |x| F6E3M2::from_f32(x).0, |bits| F6E3M2(bits).to_f32());
        check(63, |x| F6E2M3::from_f32(x).0, |bits| F6E2M3(bits).to_f32());
    }

    #[test]
    fn what_is_not_finite() {
        assert_eq!(F6E3M2::from_f32(f32::NAN).to_f32(), 28.0);
        assert_eq!(F6E2M3::from_f32(f32::NEG_INFINITY).to_f32(), -7.5);
        assert_eq!(F4E2M1::from_f32(f32::INFINITY).to_f32(), 6.0);
    }
}
