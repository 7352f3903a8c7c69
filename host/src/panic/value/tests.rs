use super::*;
use std::fmt::{Binary, Debug, Display, LowerExp, LowerHex, Octal, UpperExp, UpperHex};

/// The options of a format's part after the colon.
fn options(spec: &str) -> Options {
    let mut chars: Vec<char> = spec.chars().collect();
    let mut bits = Options::DEFAULT.0;
    let align = |c: char| "<>^".find(c).map(|at| at as u64);
    let set_align = |bits: u64, align: u64| bits & !(3 << 29) | align << 29;
    if let [fill, c, ..] = chars[..]
        && let Some(code) = align(c)
    {
        bits = set_align(bits & !0x1f_ffff | u64::from(u32::from(fill)), code);
        chars.drain(..2);
    } else if let Some(code) = chars.first().and_then(|c| align(*c)) {
        bits = set_align(bits, code);
        chars.remove(0);
    }
    for (flag, bit) in [('+', 21), ('#', 23), ('0', 24)] {
        if chars.first() == Some(&flag) {
            bits |= 1 << bit;
            chars.remove(0);
        }
    }
    let rest: String = chars.into_iter().collect();
    let (width, precision) = match rest.split_once('.') {
        Some((width, precision)) => (width, precision.parse::<u64>().ok()),
        None => (rest.as_str(), None),
    };
    if let Ok(width) = width.parse::<u64>() {
        bits |= 1 << 27 | width << 32;
    }
    if let Some(precision) = precision {
        bits |= 1 << 28 | precision << 48;
    }
    Options(bits)
}

/// Compares with `format!` for each of these specifications.
macro_rules! compare {
    ($format:expr, $value:expr, $notation:ident $letter:literal) => {
        compare!(
            $format, $value, $notation $letter,
            "" "7" "<7" ">7" "^8" "*^9" "é>12" "+" "+6" "#" "#12" "<#12" "08" "+08" "#010" "<08"
            "#" "+#" "+#014" "1"
        )
    };
    ($format:expr, $value:expr, $notation:ident $letter:literal, $($spec:literal)*) => {
        $(assert_eq!(
            $format(Notation::$notation, options($spec)),
            Some(format!(concat!("{:", $spec, $letter, "}"), $value)),
            "`{}{}` of {:?}", $spec, $letter, $value
        );)*
    };
}

macro_rules! compare_precision {
    ($format:expr, $value:expr, $notation:ident $letter:literal) => {
        compare!(
            $format, $value, $notation $letter,
            ".0" ".3" "9.2" "<9.2" "_^11.1" "+.2" "+012.3" "010.1" "#.2"
        );
    };
}

/// An integer of any type: so the many formats below are compiled once, not once for each type.
trait Integer: Display + Debug + LowerHex + UpperHex + Binary + Octal + LowerExp + UpperExp {}

impl<T: Display + Debug + LowerHex + UpperHex + Binary + Octal + LowerExp + UpperExp> Integer
    for T
{
}

fn compare_integer(primitive: Primitive, value: &dyn Integer, bits: u128) {
    let format = |notation, options| format(primitive, notation, options, bits);
    compare!(format, value, Display "");
    compare!(format, value, Debug "?");
    compare!(format, value, LowerHex "x");
    compare!(format, value, UpperHex "X");
    compare!(format, value, Binary "b");
    compare!(format, value, Octal "o");
    compare!(format, value, LowerExp "e");
    compare!(format, value, UpperExp "E");
    compare_precision!(format, value, Display "");
    compare_precision!(format, value, LowerHex "x");
    compare_precision!(format, value, LowerExp "e");
    compare_precision!(format, value, UpperExp "E");
}

#[test]
fn integers() {
    macro_rules! all {
        ($($ty:ident $primitive:ident)*) => {$(
            for value in [$ty::MIN, 0, 1, 42, $ty::MAX, $ty::MAX / 3, $ty::MIN.wrapping_add(1)] {
                compare_integer(Primitive::$primitive, &value, value as u128);
            }
        )*};
    }
    all! {
        u8 U8 u16 U16 u32 U32 u64 U64 u128 U128 i8 I8 i16 I16 i32 I32 i64 I64 i128 I128
    }
}

#[test]
fn integers_in_debug_hex() {
    let hex = |bit: u32| Options(options("#06").0 | 1 << bit);
    let value = 0xabu8;
    let format = |options| format(Primitive::U8, Notation::Debug, options, value.into());
    assert_eq!(format(hex(25)), Some(format!("{value:#06x?}")));
    assert_eq!(format(hex(26)), Some(format!("{value:#06X?}")));
}

/// A float of any type, for the same reason.
trait Float: Display + Debug + LowerExp + UpperExp {}

impl<T: Display + Debug + LowerExp + UpperExp> Float for T {}

fn compare_float(primitive: Primitive, value: &dyn Float, bits: u128) {
    let format = |notation, options| format(primitive, notation, options, bits);
    compare!(format, value, Display "");
    compare!(format, value, Debug "?");
    compare!(format, value, LowerExp "e");
    compare!(format, value, UpperExp "E");
    compare_precision!(format, value, Display "");
    compare_precision!(format, value, Debug "?");
    compare_precision!(format, value, LowerExp "e");
}

#[test]
fn floats() {
    macro_rules! all {
        ($($ty:ident $primitive:ident)*) => {$(
            for value in [
                0.0, -0.0, 1.0, 0.1, -1.5, 123456.79, 1e-7, 1e20, $ty::MAX, $ty::MIN_POSITIVE,
                $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN, $ty::EPSILON,
            ] {
                compare_float(Primitive::$primitive, &value, value.to_bits().into());
            }
        )*};
    }
    all! { f32 F32 f64 F64 }
}

#[test]
fn texts() {
    for value in [true, false] {
        let format = |notation, options| format(Primitive::Bool, notation, options, value.into());
        compare!(format, value, Display "");
        compare!(format, value, Debug "?");
        compare_precision!(format, value, Display "");
    }
    for value in ['a', 'é', '\'', '\n', '\u{1f980}'] {
        let bits = u128::from(u32::from(value));
        let format = |notation, options| format(Primitive::Char, notation, options, bits);
        compare!(format, value, Display "");
        compare!(format, value, Debug "?");
        compare_precision!(format, value, Display "");
    }
    for value in ["", "a", "naïve \"text\"", "two\nlines", "\u{1f980}\u{1f980}"] {
        let format = |notation, options| string(notation, options, value);
        compare!(format, value, Display "");
        compare!(format, value, Debug "?");
        compare_precision!(format, value, Display "");
        compare_precision!(format, value, Debug "?");
    }
}

#[test]
fn addresses() {
    let value = core::ptr::without_provenance::<u8>(0x7f00_1234);
    let bits = value.addr() as u128;
    let format = |notation, options| format(Primitive::Address, notation, options, bits);
    compare!(format, value, Pointer "p", "" "20" "<20" "#" "#24" "024" "_^17");
}

#[test]
fn what_a_type_does_not_have_is_none() {
    let plain = Options::DEFAULT;
    assert_eq!(format(Primitive::Bool, Notation::LowerHex, plain, 1), None);
    assert_eq!(format(Primitive::F32, Notation::Octal, plain, 1), None);
    assert_eq!(format(Primitive::U8, Notation::Pointer, plain, 1), None);
    assert_eq!(string(Notation::Binary, plain, "a"), None);
    // No character has this number.
    let bits = u128::from(u32::MAX);
    assert_eq!(
        format(Primitive::Char, Notation::Display, plain, bits).as_deref(),
        Some("\u{fffd}")
    );
}
