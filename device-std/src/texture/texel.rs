//! What texels are, and what a fetch gives (PTX ISA, [`tex`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex); `sm_70`).

use super::instructions::Raw;
use crate::DeviceCopy;

/// A texel, an element of an image: one, two or four numbers, its channels.
///
/// Numbers are `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `f32`, and `half::f16` with the feature `half`. There are no
/// texels of three numbers. (PTX ISA,
/// [Texture Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions); `sm_70`.)
///
/// ```
/// use ptyx::device::texture::Texel;
/// fn is_a_texel<T: Texel>() {}
/// is_a_texel::<f32>();
/// is_a_texel::<[u8; 4]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a texel",
    note = "a texel is one number, or an array of two or four: `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `f32`, \
            `half::f16` with the feature `half`"
)]
pub trait Texel: DeviceCopy + Send + Sync + sealed::Texel {}

/// What a fetch gives: one, two or four numbers, either `f32` or integers of 8, 16 or 32 bits
/// (PTX [`tex`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex); `sm_70`).
///
/// ```
/// use ptyx::device::texture::Fetched;
/// fn can_be_fetched<V: Fetched>() {}
/// can_be_fetched::<f32>();
/// can_be_fetched::<[u8; 4]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a texture can't give a `{Self}`",
    note = "a texture gives `f32`, `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, or arrays of two or four"
)]
pub trait Fetched: DeviceCopy + sealed::Fetched {
    /// The type of one channel.
    type Channel: Channel;
}

/// The type of one channel of what a fetch returns.
///
/// ```
/// use ptyx::device::texture::{Channel, Texture2D};
///
/// /// The mean of what `gather` returns, whatever its type.
/// fn mean<C: Channel + Into<f32>>(four: [C; 4]) -> f32 {
///     four.into_iter().map(|channel| channel.into()).sum::<f32>() / 4.0
/// }
///
/// fn red(picture: Texture2D<[u8; 4]>, x: f32, y: f32) -> f32 {
///     mean(picture.gather::<0>(x, y))
/// }
/// ```
pub trait Channel: DeviceCopy + sealed::Channel {}

/// A texel that a texture can read as `V`.
///
/// Integers and `f32` can be read as they are. Integers of 8 and 16 bits can also be read as `f32`: unsigned ones from
/// 0 to 1, signed ones from -1 to 1. 16-bit floats are read as `f32`.
///
/// ```
/// use ptyx::device::texture::ReadAs;
/// fn can_be_read_as<T: ReadAs<V>, V: ptyx::device::texture::Fetched>() {}
/// can_be_read_as::<[u8; 4], [u8; 4]>();
/// can_be_read_as::<[u8; 4], [f32; 4]>(); // from 0 to 1
/// ```
#[diagnostic::on_unimplemented(
    message = "texels of type `{Self}` can't be read as `{V}`",
    note = "integers and `f32` are read as they are; integers of 8 or 16 bits and `half::f16` can be read as `f32`; the \
            number of channels stays"
)]
pub trait ReadAs<V: Fetched>: Texel + sealed::ReadAs<V> {}

pub(super) mod sealed {
    use super::{DeviceCopy, Raw};

    pub trait Texel {
        /// The driver's number of a channel (`CUarray_format`).
        const FORMAT: u32;
        /// Numbers of a texel.
        const CHANNELS: u32;
        /// 8-bit unsigned integers.
        const IS_U8: bool;
    }

    pub trait Channel: Sized {
        type Raw: Raw;
        fn of(raw: Self::Raw) -> Self;
    }

    pub trait Fetched: Sized {
        type Number: super::Channel;
        fn of(raw: [<Self::Number as Channel>::Raw; 4]) -> Self;
    }

    pub trait ReadAs<V>: DeviceCopy {
        /// Integers stay integers (`CU_TRSF_READ_AS_INTEGER`).
        const STAYS: bool;
        /// The texture gives floats, which can be blended.
        const GIVES_FLOATS: bool;
    }
}

macro_rules! texels {
    ($($number:ty: $format:literal;)*) => {$(
        texels!(@ $number, $number, $format, 1);
        texels!(@ [$number; 2], $number, $format, 2);
        texels!(@ [$number; 4], $number, $format, 4);
    )*};
    (@ $texel:ty, $number:ty, $format:literal, $channels:literal) => {
        impl Texel for $texel {}
        impl sealed::Texel for $texel {
            const FORMAT: u32 = $format;
            const CHANNELS: u32 = $channels;
            const IS_U8: bool = $format == 1;
        }
    };
}

texels! {
    u8: 1; u16: 2; u32: 3; i8: 8; i16: 9; i32: 10; f32: 32;
}
#[cfg(feature = "half")]
texels! {
    half::f16: 16;
}

macro_rules! fetched {
    ($($number:ty: $raw:ty;)*) => {$(
        impl Channel for $number {}
        impl sealed::Channel for $number {
            type Raw = $raw;
            #[inline(always)]
            fn of(raw: $raw) -> Self {
                raw as $number
            }
        }
        fetched!(@ $number, $number, $raw, raw => raw[0] as $number);
        fetched!(@ [$number; 2], $number, $raw, raw => [raw[0] as $number, raw[1] as $number]);
        fetched!(@ [$number; 4], $number, $raw, raw => raw.map(|raw| raw as $number));
    )*};
    (@ $value:ty, $number:ty, $raw:ty, $texel:ident => $result:expr) => {
        impl Fetched for $value {
            type Channel = $number;
        }
        impl sealed::Fetched for $value {
            type Number = $number;
            #[inline(always)]
            fn of($texel: [$raw; 4]) -> Self {
                $result
            }
        }
    };
}

fetched! {
    f32: f32; u8: u32; u16: u32; u32: u32; i8: i32; i16: i32; i32: i32;
}

macro_rules! read_as {
    ($($texel:ty => $value:ty: $stays:literal $floats:literal;)*) => {$(
        read_as!(@ $texel, $value, $stays $floats);
        read_as!(@ [$texel; 2], [$value; 2], $stays $floats);
        read_as!(@ [$texel; 4], [$value; 4], $stays $floats);
    )*};
    (@ $texel:ty, $value:ty, $stays:literal $floats:literal) => {
        impl ReadAs<$value> for $texel {}
        impl sealed::ReadAs<$value> for $texel {
            const STAYS: bool = $stays;
            const GIVES_FLOATS: bool = $floats;
        }
    };
}

read_as! {
    f32 => f32: false true;
    u8 => u8: true false; u16 => u16: true false; u32 => u32: true false;
    i8 => i8: true false; i16 => i16: true false; i32 => i32: true false;
    u8 => f32: false true; u16 => f32: false true; i8 => f32: false true; i16 => f32: false true;
}
#[cfg(feature = "half")]
read_as! {
    half::f16 => f32: false true;
}

/// What the host asks about texels.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The driver's number of a channel.
    pub number: u32,
    pub channels: u32,
    pub is_u8: bool,
}

/// The format of texels.
#[doc(hidden)]
pub const fn format<T: Texel>() -> Format {
    Format { number: T::FORMAT, channels: T::CHANNELS, is_u8: T::IS_U8 }
}

/// Whether texels are read as integers, and whether a fetch returns floats.
#[doc(hidden)]
pub const fn reading<T: ReadAs<V>, V: Fetched>() -> (bool, bool) {
    (<T as sealed::ReadAs<V>>::STAYS, <T as sealed::ReadAs<V>>::GIVES_FLOATS)
}
