//! Conversions: every pair of number types by `as`, `From`/`TryFrom`, bits, bytes and text.

use crate::harness::{edgy, edgy_float, edgy_wide, same};
use ptyx_tests::Rng;

/// Bits of any value, so that NaNs compare.
trait Bits: Copy {
    fn bits(self) -> u128;
}

macro_rules! bits_of_integers {
    ($($type:ty)*) => {$(
        impl Bits for $type {
            fn bits(self) -> u128 {
                self as u128
            }
        }
    )*};
}
bits_of_integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char }

/// Only one NaN is told from the rest: what a conversion does to its payload is not said.
impl Bits for f32 {
    fn bits(self) -> u128 {
        if self.is_nan() { u128::MAX } else { self.to_bits().into() }
    }
}
impl Bits for f64 {
    fn bits(self) -> u128 {
        if self.is_nan() { u128::MAX } else { self.to_bits().into() }
    }
}

/// `x as T` for each number type `T`.
macro_rules! to_all {
    ($x:expr) => {
        [
            ($x as u8).bits(),
            ($x as u16).bits(),
            ($x as u32).bits(),
            ($x as u64).bits(),
            ($x as u128).bits(),
            ($x as usize).bits(),
            ($x as i8).bits(),
            ($x as i16).bits(),
            ($x as i32).bits(),
            ($x as i64).bits(),
            ($x as i128).bits(),
            ($x as isize).bits(),
            ($x as f32).bits(),
            ($x as f64).bits(),
        ]
    };
}

macro_rules! casts {
    ($($test:ident: $type:ty, $input:expr;)*) => {$(
        #[test]
        fn $test() {
            fn cast(&x: &$type) -> [u128; 14] {
                to_all!(x)
            }
            same(cast, $input);
        }
    )*};
}

casts! {
    u8_to_all: u8, |rng| edgy(rng) as u8;
    u16_to_all: u16, |rng| edgy(rng) as u16;
    u32_to_all: u32, |rng| edgy(rng) as u32;
    u64_to_all: u64, edgy;
    u128_to_all: u128, edgy_wide;
    usize_to_all: usize, |rng| edgy(rng) as usize;
    i8_to_all: i8, |rng| edgy(rng) as i8;
    i16_to_all: i16, |rng| edgy(rng) as i16;
    i32_to_all: i32, |rng| edgy(rng) as i32;
    i64_to_all: i64, |rng| edgy(rng) as i64;
    i128_to_all: i128, |rng| edgy_wide(rng) as i128;
    isize_to_all: isize, |rng| edgy(rng) as isize;
    f32_to_all: f32, |rng| edgy_float(rng) as f32;
    f64_to_all: f64, edgy_float;
}

fn bools_and_chars(&(flag, letter, byte): &(bool, char, u8)) -> [u128; 9] {
    [
        (flag as u8).bits(),
        (flag as i64).bits(),
        (flag as u128).bits(),
        f64::from(flag).bits(),
        (letter as u8).bits(),
        (letter as u32).bits(),
        (letter as u64).bits(),
        (byte as char).bits(),
        u128::from(u8::try_from(letter).map_or(256, u32::from)),
    ]
}

#[test]
fn bools_and_chars_to_integers() {
    same(bools_and_chars, |rng| {
        let letter = char::from_u32(edgy(rng) as u32 & 0x1f_ffff).unwrap_or('ß');
        (rng.below(2) == 1, letter, edgy(rng) as u8)
    });
}

/// `T::try_from(x)` for each integer type.
macro_rules! try_all {
    ($x:expr => $($type:ty)*) => {
        [$(<$type>::try_from($x).map_or(u128::MAX / 3, |x| x.bits())),*]
    };
}

fn fallible(&x: &i128) -> [[u128; 12]; 3] {
    [
        try_all!(x => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize),
        try_all!(x as u64 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize),
        try_all!(x as i16 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize),
    ]
}

#[test]
fn fallible_conversions() {
    same(fallible, |rng| edgy_wide(rng).cast_signed());
}

fn bits_and_bytes(&(x, f): &(u64, f64)) -> [u64; 12] {
    let narrow = f as f32;
    let whole = |bytes: [u8; 8]| bytes.into_iter().fold(0, |x, byte| x << 8 | u64::from(byte));
    [
        f64::from_bits(x).to_bits(),
        f32::from_bits(x as u32).to_bits().into(),
        whole(x.to_be_bytes()),
        whole(x.to_le_bytes()),
        u32::from_be_bytes([x as u8, (x >> 8) as u8, 3, 4]).into(),
        i16::from_le_bytes([x as u8, (x >> 8) as u8]) as u64,
        whole(f.to_be_bytes()),
        u32::from_le_bytes(narrow.to_be_bytes()).into(),
        x.to_be() ^ u64::from((x as u32).swap_bytes()),
        f64::from_le_bytes(x.to_le_bytes()).is_sign_negative().into(),
        f.classify() as u64 + 8 * narrow.classify() as u64,
        f.total_cmp(&f64::from_bits(x)) as i8 as u64,
    ]
}

#[test]
fn bits_of_floats_and_bytes_of_integers() {
    same(bits_and_bytes, |rng| (edgy(rng), edgy_float(rng)));
}

/// Rounding is exact, so both sides must give the same.
fn rounding(&(f, g): &(f64, f32)) -> [u128; 20] {
    [
        f.floor().bits(),
        f.ceil().bits(),
        f.trunc().bits(),
        f.round().bits(),
        f.round_ties_even().bits(),
        f.fract().bits(),
        f.abs().bits(),
        f.sqrt().bits(),
        f.signum().bits(),
        f.copysign(-1.0).bits(),
        g.floor().bits(),
        g.ceil().bits(),
        g.trunc().bits(),
        g.round().bits(),
        g.round_ties_even().bits(),
        g.sqrt().bits(),
        f.min(g.into()).abs().bits(),
        f.max(g.into()).abs().bits(),
        (f % 3.5).bits(),
        f.clamp(-2.0, 1e10).bits(),
    ]
}

#[test]
fn rounding_of_floats() {
    same(rounding, |rng| (edgy_float(rng), edgy_float(rng) as f32));
}

/// Text of up to 20 bytes and its length.
fn digits(rng: &mut Rng) -> ([u8; 20], usize) {
    let letters = b"0123456789012345678900ffAe-+.zZ";
    let mut text = [0; 20];
    let length = rng.below(21);
    let plain = if rng.below(4) > 0 { 10 } else { 0 };
    for letter in &mut text[..length] {
        *letter = letters[rng.below(letters.len() - plain)];
    }
    if rng.below(3) == 0 && length > 0 {
        text[0] = b'-';
    }
    (text, length)
}

fn from_text((text, length): &([u8; 20], usize)) -> [u128; 10] {
    let Ok(text) = core::str::from_utf8(&text[..*length]) else { return [0; 10] };
    let code = |error: &core::num::ParseIntError| 1 << 100 | error.kind().clone() as u128;
    [
        text.parse::<u8>().map_or_else(|e| code(&e), Bits::bits),
        text.parse::<i64>().map_or_else(|e| code(&e), Bits::bits),
        text.parse::<u128>().map_or_else(|e| code(&e), Bits::bits),
        i32::from_str_radix(text, 16).map_or_else(|e| code(&e), Bits::bits),
        u64::from_str_radix(text, 36).map_or_else(|e| code(&e), Bits::bits),
        i128::from_str_radix(text, 2).map_or_else(|e| code(&e), Bits::bits),
        text.parse::<f64>().map_or(1 << 101, Bits::bits),
        text.parse::<f32>().map_or(1 << 101, Bits::bits),
        text.parse::<bool>().is_ok().into(),
        text.parse::<char>().map_or(1 << 102, Bits::bits),
    ]
}

#[test]
fn numbers_from_text() {
    same(from_text, digits);
}
