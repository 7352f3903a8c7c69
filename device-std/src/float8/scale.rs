//! Scales that blocks of narrow floats share: numbers without a sign.

use super::F8E4M3;
use crate::{DeviceCopy, layout_name, layout_of};
use core::cmp::Ordering;
use core::fmt;

macro_rules! scales {
    ($($(#[$attribute:meta])* $name:ident, one $one:literal, nan $nan:literal;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(u8);

        as_f32!($name);

        impl $name {
            /// 1, which changes nothing.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // The scales of blocks that need none.
            #[doc = concat!("let scales = [", stringify!($name), "::ONE; 16];")]
            /// assert!(scales.iter().all(|scale| 2.5 * scale.to_f32() == 2.5));
            /// ```
            pub const ONE: Self = Self($one);
            /// NaN.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // All numbers of a block with this scale are NaN.
            #[doc = concat!("assert!((2.5 * ", stringify!($name), "::NAN.to_f32()).is_nan());")]
            /// ```
            pub const NAN: Self = Self($nan);

            /// The number with these bits.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float8::", stringify!($name), ";")]
            /// // Scales as they are stored in a file.
            #[doc = concat!("let scales = [", stringify!($one), ", ", stringify!($nan), "].map(", stringify!($name), "::from_bits);")]
            #[doc = concat!("assert!(scales[0] == ", stringify!($name), "::ONE && scales[1].to_f32().is_nan());")]
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
            #[doc = concat!("assert_eq!([", stringify!($name), "::ONE, ", stringify!($name), "::NAN].map(", stringify!($name), "::to_bits), [", stringify!($one), ", ", stringify!($nan), "]);")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub const fn to_bits(self) -> u8 {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ONE
            }
        }
    )*};
}

scales! {
    /// A power of two from 2^-127 to 2^127, or NaN, as its exponent plus 127 (`.ue8m0`): the scale of a block in the
    /// MX formats.
    ///
    /// ```
    /// use ptyx::device::float8::UE8M0;
    /// assert_eq!(UE8M0::from_f32_rp(3.0).to_f32(), 4.0);
    /// assert_eq!(UE8M0::from_f32_rz(3.0).to_f32(), 2.0);
    /// assert_eq!(UE8M0::ONE.to_bits(), 127);
    /// ```
    #[doc(alias = "__nv_fp8_e8m0")]
    UE8M0, one 127, nan 255;
    /// A number from 0 to 448 with 4 bits of exponent and 3 of fraction, or NaN (`.ue4m3`): the scale of a block in the
    /// format NVFP4. The highest bit is 0.
    ///
    /// ```
    /// use ptyx::device::float8::UE4M3;
    /// assert_eq!(UE4M3::from_f32(0.3).to_f32(), 0.3125);
    /// assert_eq!(UE4M3::from_f32(-1.0).to_f32(), 0.0);
    /// assert_eq!(UE4M3::from_f32(1e9).to_f32(), 448.0);
    /// ```
    UE4M3, one 0x38, nan 0x7f;
}

impl UE8M0 {
    /// The smallest power of two that is not below the magnitude of `x`. Magnitudes above 2^127 become 2^127; NaN stays.
    ///
    /// ```
    /// use ptyx::device::float8::{F8E4M3, UE8M0};
    /// // The smallest scale with which every number of a block fits into the format.
    /// let largest = [3.0f32, -1000.0, 0.5].iter().fold(0.0, |max, x| x.abs().max(max));
    /// let scale = UE8M0::from_f32_rp(largest / F8E4M3::MAX.to_f32());
    /// assert_eq!(scale.to_f32(), 4.0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn from_f32_rp(x: f32) -> Self {
        let bits = x.to_bits() & 0x7fff_ffff;
        // The power below, and the next one if that is not exact. 2^-127 is an `f32` with only the highest bit of
        // the fraction.
        let exponent = bits >> 23;
        let exact = if exponent == 0 { bits <= 0x40_0000 } else { bits & 0x7f_ffff == 0 };
        if x.is_nan() { Self::NAN } else { Self::limited(exponent + !exact as u32) }
    }

    /// The largest power of two that is not above the magnitude of `x`. Magnitudes below 2^-127 become 2^-127; NaN stays.
    ///
    /// ```
    /// use ptyx::device::float8::UE8M0;
    /// // The scale of the MX specification: the power of two of a block's largest number, divided by that of the largest
    /// // number of the format (2^8 of `F8E4M3`). A few of the numbers may be too large then: 500 becomes 448.
    /// let scale = UE8M0::from_f32_rz(-1000.0 / 256.0);
    /// assert_eq!(-1000.0 / scale.to_f32(), -500.0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn from_f32_rz(x: f32) -> Self {
        if x.is_nan() { Self::NAN } else { Self::limited(x.to_bits() >> 23 & 255) }
    }

    const fn limited(exponent: u32) -> Self {
        Self(if exponent < 254 { exponent as u8 } else { 254 })
    }

    /// The number, exactly.
    ///
    /// ```
    /// use ptyx::device::float8::{F6E2M3, UE8M0};
    /// let (scale, x) = (UE8M0::from_bits(127 + 3), F6E2M3::from_f32(0.625));
    /// assert_eq!(scale.to_f32() * x.to_f32(), 5.0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(match self.0 {
            0 => 0x40_0000,
            255 => 0x7fc0_0000,
            exponent => (exponent as u32) << 23,
        })
    }
}

impl UE4M3 {
    /// Rounds to the nearest, ties to even. Numbers above 448 become 448, negative ones 0; NaN stays.
    ///
    /// ```
    /// use ptyx::device::float8::{F4E2M1, UE4M3};
    /// // The scale of 16 4-bit numbers, the largest of which is 10.
    /// let scale = UE4M3::from_f32(10.0 / F4E2M1::MAX.to_f32());
    /// assert_eq!(scale.to_f32(), 1.625);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn from_f32(x: f32) -> Self {
        let x = if x < 0.0 { 0.0 } else { x };
        Self(F8E4M3::from_f32(x).to_bits() & 0x7f)
    }

    /// The number, exactly.
    ///
    /// ```
    /// use ptyx::device::float8::{F4E2M1, UE4M3};
    /// let (scale, x) = (UE4M3::from_f32(1.6), F4E2M1::from_f32(3.0));
    /// assert_eq!(scale.to_f32() * x.to_f32(), 4.875);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn to_f32(self) -> f32 {
        F8E4M3::from_bits(self.0 & 0x7f).to_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two() {
        for exponent in -127..=127i32 {
            let power = 2f64.powi(exponent) as f32;
            for scale in [UE8M0::from_f32_rp(power), UE8M0::from_f32_rz(-power)] {
                assert_eq!(i32::from(scale.to_bits()), exponent + 127);
                assert_eq!(scale.to_f32(), power);
            }
            let (less, more) = (power.next_down(), power.next_up());
            assert_eq!(UE8M0::from_f32_rp(less).to_f32(), power);
            assert_eq!(UE8M0::from_f32_rz(more).to_f32(), power);
            if exponent > -127 {
                assert_eq!(UE8M0::from_f32_rz(less).to_f32(), power / 2.0);
            }
            if exponent < 127 {
                assert_eq!(UE8M0::from_f32_rp(more).to_f32(), power * 2.0);
            }
        }
    }

    #[test]
    fn limits() {
        assert_eq!(UE8M0::from_f32_rp(f32::MAX).to_bits(), 254);
        assert_eq!(UE8M0::from_f32_rz(f32::INFINITY).to_bits(), 254);
        assert_eq!(UE8M0::from_f32_rp(0.0).to_bits(), 0);
        assert!(UE8M0::from_f32_rp(f32::NAN).to_f32().is_nan());
        assert!(UE8M0::from_f32_rz(-f32::NAN).to_f32().is_nan());
        assert!(UE4M3::from_f32(f32::NAN).to_f32().is_nan());
        assert_eq!(UE4M3::from_f32(f32::NEG_INFINITY).to_bits(), 0);
        assert_eq!(UE4M3::from_f32(-0.0).to_bits(), 0);
        assert_eq!(UE4M3::ONE.to_f32(), 1.0);
    }
}
