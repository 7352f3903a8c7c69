//! Elements of matrices as bits and as numbers, independent of the device library.

use ptyx::device::mma::{B1, E2m1, E2m3, E3m2, E4m3, E5m2, Element, PaddedE2m1, S4, Tf32, U4};

/// A type of elements, with what its bits mean.
pub trait Number: Element {
    /// The number that some bits stand for.
    fn number(bits: u64) -> f64;

    /// The bits of a number that has some.
    fn bits(number: f64) -> u64;

    /// The range of integers for tests whose sums are exact.
    const INTEGERS: (i64, i64) = (-8, 8);
}

/// The number of a binary floating-point format, which has no hidden bit in its smallest exponent.
fn decode(bits: u64, exponent: u32, stored: u32) -> f64 {
    let magnitude = bits & ((1 << (exponent + stored)) - 1);
    let infinity = ((1 << exponent) - 1) << stored;
    // The format with four bits of exponent has no infinities, and one NaN; those with fewer are always finite.
    let is_nan = match exponent {
        ..4 => false,
        4 => magnitude == infinity | 7,
        _ => magnitude > infinity,
    };
    let is_negative = bits >> (stored + exponent) & 1 == 1;
    if is_nan {
        return f64::NAN;
    }
    if exponent > 4 && magnitude == infinity {
        return if is_negative { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let fraction = (bits & ((1 << stored) - 1)) as f64 / (1u64 << stored) as f64;
    let biased = (bits >> stored & ((1 << exponent) - 1)) as i32;
    let bias = (1 << (exponent - 1)) - 1;
    let hidden = if biased == 0 { 0.0 } else { 1.0 };
    let magnitude = (fraction + hidden) * 2f64.powi(biased.max(1) - bias);
    if is_negative { -magnitude } else { magnitude }
}

/// The inverse, for numbers that the format has.
fn encode(number: f64, exponent: u32, stored: u32) -> u64 {
    let sign = u64::from(number.is_sign_negative()) << (stored + exponent);
    let bias = (1i32 << (exponent - 1)) - 1;
    if number == 0.0 {
        return sign;
    }
    let power = (number.abs().log2().floor() as i32).max(1 - bias);
    let scaled = number.abs() / 2f64.powi(power) * (1u64 << stored) as f64;
    assert_eq!(scaled.fract(), 0.0, "{number} has too many bits");
    let hidden = 1 << stored;
    let (scaled, biased) = (scaled as u64, (power + bias) as u64);
    sign | if scaled < hidden { scaled } else { biased << stored | (scaled - hidden) }
}

macro_rules! floats {
    ($($type:ty: $exponent:literal $stored:literal $shift:literal;)*) => {$(
        impl Number for $type {
            fn number(bits: u64) -> f64 {
                decode(bits >> $shift, $exponent, $stored)
            }

            fn bits(number: f64) -> u64 {
                encode(number, $exponent, $stored) << $shift
            }
        }
    )*};
}

floats! {
    half::f16: 5 10 0;
    half::bf16: 8 7 0;
    Tf32: 8 10 13;
    E4m3: 4 3 0;
    E5m2: 5 2 0;
    E3m2: 3 2 0;
    f32: 8 23 0;
}

/// Formats whose integers are not all in the default range.
macro_rules! few_integers {
    ($($type:ty: $exponent:literal $stored:literal $shift:literal, $most:literal;)*) => {$(
        impl Number for $type {
            const INTEGERS: (i64, i64) = (-$most, $most);

            fn number(bits: u64) -> f64 {
                decode(bits >> $shift, $exponent, $stored)
            }

            fn bits(number: f64) -> u64 {
                encode(number, $exponent, $stored) << $shift
            }
        }
    )*};
}

few_integers! {
    E2m3: 2 3 0, 7;
    E2m1: 2 1 0, 4;
    PaddedE2m1: 2 1 2, 4;
}

impl Number for f64 {
    fn number(bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    fn bits(number: f64) -> u64 {
        number.to_bits()
    }
}

macro_rules! integers {
    ($($type:ty: $least:literal to $most:literal, $bits:literal;)*) => {$(
        impl Number for $type {
            const INTEGERS: (i64, i64) = ($least, $most);

            fn number(bits: u64) -> f64 {
                let unsigned = bits & (u64::MAX >> (64 - $bits));
                let signed = (unsigned << (64 - $bits)) as i64 >> (64 - $bits);
                if $least < 0 { signed as f64 } else { unsigned as f64 }
            }

            fn bits(number: f64) -> u64 {
                number as i64 as u64 & (u64::MAX >> (64 - $bits))
            }
        }
    )*};
}

integers! {
    i8: -128 to 127, 8;
    u8: 0 to 255, 8;
    S4: -8 to 7, 4;
    U4: 0 to 15, 4;
    B1: 0 to 1, 1;
    i32: -1000000 to 1000000, 32;
}

/// Elements as a slice holds them, the first in the lowest bits.
pub fn pack<T: Element>(elements: &[u64]) -> Vec<T::Unit> {
    let width = T::BITS as usize;
    let size = size_of::<T::Unit>();
    let mut bytes = vec![0u8; (elements.len() * width).div_ceil(8 * size) * size];
    for (index, element) in elements.iter().enumerate() {
        for bit in 0..width {
            let place = index * width + bit;
            bytes[place / 8] |= ((element >> bit & 1) as u8) << (place % 8);
        }
    }
    // SAFETY: numbers, every bit pattern of which is a value.
    bytes
        .chunks(size)
        .map(|unit| unsafe { unit.as_ptr().cast::<T::Unit>().read_unaligned() })
        .collect()
}
