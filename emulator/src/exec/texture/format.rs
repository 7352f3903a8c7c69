//! What texels are, and how they become what a kernel reads.

use crate::memory::relaxed::Element;
use ptyx_driver_api::*;

macro_rules! channels {
    ($($name:ident = $format:ident, $bytes:literal;)*) => {
        /// What a channel of a texel is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Channel { $($name),* }

        impl Channel {
            /// The channel of a format's number.
            pub(crate) fn of(format: CUarray_format) -> Option<Channel> {
                match format { $($format => Some(Channel::$name),)* _ => None }
            }

            /// The format's number.
            pub(crate) fn number(self) -> CUarray_format {
                match self { $(Channel::$name => $format),* }
            }

            /// Its bytes.
            pub(crate) fn bytes(self) -> u32 {
                match self { $(Channel::$name => $bytes),* }
            }
        }
    };
}

channels! {
    U8 = CU_AD_FORMAT_UNSIGNED_INT8, 1;
    U16 = CU_AD_FORMAT_UNSIGNED_INT16, 2;
    U32 = CU_AD_FORMAT_UNSIGNED_INT32, 4;
    S8 = CU_AD_FORMAT_SIGNED_INT8, 1;
    S16 = CU_AD_FORMAT_SIGNED_INT16, 2;
    S32 = CU_AD_FORMAT_SIGNED_INT32, 4;
    F16 = CU_AD_FORMAT_HALF, 2;
    F32 = CU_AD_FORMAT_FLOAT, 4;
}

/// What a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) channel: Channel,
    /// 1, 2 or 4.
    pub(crate) channels: u32,
}

impl Format {
    /// Bytes of a texel.
    pub(crate) fn bytes(self) -> u32 {
        self.channel.bytes() * self.channels
    }

    /// Whether a texture of it gives integers.
    pub(crate) fn gives_integers(self, reads_integers: bool) -> bool {
        match self.channel {
            Channel::U32 | Channel::S32 => true,
            Channel::F16 | Channel::F32 => false,
            _ => reads_integers,
        }
    }

    /// The channels of a texel, each in 32 bits: of integers extended, of floats as `f32`.
    ///
    /// # Safety
    /// `at` is a texel in the device's memory, aligned for its channels.
    pub(crate) unsafe fn read(self, at: *const u8) -> [u32; 4] {
        let mut texel = [0; 4];
        for (index, to) in texel.iter_mut().enumerate().take(self.channels as usize) {
            let at = at.wrapping_add(index * self.channel.bytes() as usize);
            // SAFETY: promised by the caller.
            *to = unsafe {
                match self.channel {
                    Channel::U8 => u8::read(at).into(),
                    Channel::S8 => i32::from(u8::read(at) as i8) as u32,
                    Channel::U16 => u16::read(at).into(),
                    Channel::S16 => i32::from(u16::read(at) as i16) as u32,
                    Channel::F16 => half_to_f32(u16::read(at)).to_bits(),
                    Channel::U32 | Channel::S32 | Channel::F32 => u32::read(at),
                }
            };
        }
        texel
    }

    /// A channel, as [`read`](Self::read) gives it, as a float: integers from 0 to 1 or from -1 to 1.
    pub(crate) fn to_float(self, bits: u32) -> f32 {
        match self.channel {
            Channel::U8 => bits as f32 / 255.0,
            Channel::U16 => bits as f32 / 65535.0,
            Channel::S8 => (bits as i32 as f32 / 127.0).max(-1.0),
            Channel::S16 => (bits as i32 as f32 / 32767.0).max(-1.0),
            _ => f32::from_bits(bits),
        }
    }
}

/// A float of 16 bits.
fn half_to_f32(bits: u16) -> f32 {
    let (sign, exponent, mantissa) =
        (u32::from(bits >> 15) << 31, u32::from(bits >> 10 & 31), u32::from(bits & 0x3ff));
    match exponent {
        0 => {
            // Zeros and subnormal numbers, exactly.
            let value = mantissa as f32 / (1 << 24) as f32;
            f32::from_bits(value.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}

/// A colour of sRGB as a share of light (IEC 61966-2-1).
pub(crate) fn linear_light(colour: f32) -> f32 {
    if colour <= 0.04045 { colour / 12.92 } else { ((colour + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 2f32.powi(-24)),
            (0x03ff, 1023.0 * 2f32.powi(-24)),
            (0x7bff, 65504.0),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half_to_f32(bits), value, "{bits:#x}");
        }
        assert!(half_to_f32(0x7e00).is_nan());
        assert_eq!(half_to_f32(0x8000).to_bits(), 1 << 31);
    }

    #[test]
    fn integers_become_shares() {
        let format = |channel| Format { channel, channels: 1 };
        assert_eq!(format(Channel::U8).to_float(255), 1.0);
        assert_eq!(format(Channel::S8).to_float(-128i32 as u32), -1.0);
        assert_eq!(format(Channel::S16).to_float(32767), 1.0);
        assert_eq!(format(Channel::U16).to_float(0), 0.0);
        assert!((linear_light(0.5) - 0.21404).abs() < 1e-4 && linear_light(1.0) == 1.0);
    }
}
