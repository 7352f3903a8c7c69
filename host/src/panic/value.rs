//! Formats one value by options that are known at run time only.
//!
//! `core::fmt` takes flags at compile time. Only the digits are its own here: signs, prefixes and what fills
//! the width are added to them. Floats have a format for each combination of flags.

use core::fmt::{Debug, Display, LowerExp, UpperExp};
use ptyx_image::message::{Alignment, Notation, Options, Primitive};

/// The text of a value whose bits are `bits`; `None` if its type does not have the notation.
pub(super) fn format(
    primitive: Primitive,
    notation: Notation,
    options: Options,
    bits: u128,
) -> Option<String> {
    let number = |text: String| fill(text, options, Alignment::Right);
    let text = |text: String| fill(text, options, Alignment::Left);
    Some(match primitive {
        Primitive::Bool => text(plain(notation, bits & 1 != 0, options)?),
        Primitive::Char => {
            let c = char::from_u32(bits as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            match notation {
                Notation::Debug => format!("{c:?}"),
                _ => text(plain(notation, c, options)?),
            }
        }
        Primitive::F32 => number(float(notation, f32::from_bits(bits as u32), options)?),
        Primitive::F64 => number(float(notation, f64::from_bits(bits as u64), options)?),
        Primitive::Address => address(bits as u64, options),
        integer_type => number(integer(notation, Integer::of(integer_type)?, bits, options)?),
    })
}

/// The text of a string; `None` if strings don't have the notation.
pub(super) fn string(notation: Notation, options: Options, value: &str) -> Option<String> {
    match notation {
        // Shown whole, whatever the width.
        Notation::Debug => Some(format!("{value:?}")),
        _ => Some(fill(plain(notation, value, options)?, options, Alignment::Left)),
    }
}

/// Formats a float with its flags and the precision; `#` means nothing to floats. Zeros are put between the
/// sign and the number, so the width counts for them here.
macro_rules! with_flags {
    ($letter:literal, $value:expr, $options:expr) => {{
        let (value, options): (_, Options) = ($value, $options);
        let width = options.width().unwrap_or(0);
        match (options.plus(), options.zero(), options.precision()) {
            (false, false, None) => format!(concat!("{:", $letter, "}"), value),
            (true, false, None) => format!(concat!("{:+", $letter, "}"), value),
            (false, true, None) => format!(concat!("{:01$", $letter, "}"), value, width),
            (true, true, None) => format!(concat!("{:+01$", $letter, "}"), value, width),
            (false, false, Some(p)) => format!(concat!("{:.1$", $letter, "}"), value, p),
            (true, false, Some(p)) => format!(concat!("{:+.1$", $letter, "}"), value, p),
            (false, true, Some(p)) => format!(concat!("{:01$.2$", $letter, "}"), value, width, p),
            (true, true, Some(p)) => format!(concat!("{:+01$.2$", $letter, "}"), value, width, p),
        }
    }};
}

fn float<T>(notation: Notation, value: T, options: Options) -> Option<String>
where
    T: Display + Debug + LowerExp + UpperExp,
{
    Some(match notation {
        Notation::Display => with_flags!("", value, options),
        Notation::Debug => with_flags!("?", value, options),
        Notation::LowerExp => with_flags!("e", value, options),
        Notation::UpperExp => with_flags!("E", value, options),
        _ => return None,
    })
}

/// An integer of any type, from its bits. Decimal notations have a sign; the others show the bits behind a
/// prefix.
fn integer(
    notation: Notation,
    Integer { width, is_signed }: Integer,
    bits: u128,
    options: Options,
) -> Option<String> {
    let unused = u128::BITS - width;
    let bits = bits << unused >> unused;
    let value = if is_signed { (bits << unused).cast_signed() >> unused } else { 0 };
    let magnitude = if is_signed { value.unsigned_abs() } else { bits };
    let notation = match notation {
        Notation::Debug => options.debug_hex().unwrap_or(Notation::Display),
        other => other,
    };
    let precision = options.precision();
    let (prefix, digits) = match (notation, precision) {
        (Notation::Display | Notation::Debug, _) => ("", format!("{magnitude}")),
        (Notation::LowerExp, None) => ("", format!("{magnitude:e}")),
        (Notation::LowerExp, Some(precision)) => ("", format!("{magnitude:.precision$e}")),
        (Notation::UpperExp, None) => ("", format!("{magnitude:E}")),
        (Notation::UpperExp, Some(precision)) => ("", format!("{magnitude:.precision$E}")),
        (Notation::LowerHex, _) => ("0x", format!("{bits:x}")),
        (Notation::UpperHex, _) => ("0x", format!("{bits:X}")),
        (Notation::Binary, _) => ("0b", format!("{bits:b}")),
        (Notation::Octal, _) => ("0o", format!("{bits:o}")),
        (Notation::Pointer, _) => return None,
    };
    let is_decimal = prefix.is_empty();
    let sign = match (is_decimal && value < 0, options.plus()) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    let prefix = if options.alternate() { prefix } else { "" };
    let zeros = match options.zero() {
        true => {
            options.width().unwrap_or(0).saturating_sub(sign.len() + prefix.len() + digits.len())
        }
        false => 0,
    };
    Some(format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)))
}

/// A type of integers.
#[derive(Clone, Copy)]
struct Integer {
    /// In bits.
    width: u32,
    is_signed: bool,
}

impl Integer {
    fn of(primitive: Primitive) -> Option<Integer> {
        let (width, is_signed) = match primitive {
            Primitive::U8 => (8, false),
            Primitive::U16 => (16, false),
            Primitive::U32 => (32, false),
            Primitive::U64 => (64, false),
            Primitive::U128 => (128, false),
            Primitive::I8 => (8, true),
            Primitive::I16 => (16, true),
            Primitive::I32 => (32, true),
            Primitive::I64 => (64, true),
            Primitive::I128 => (128, true),
            _ => return None,
        };
        Some(Integer { width, is_signed })
    }
}

/// What is no number: of the options, the precision alone changes the text.
fn plain<T: Display>(notation: Notation, value: T, options: Options) -> Option<String> {
    match (notation, options.precision()) {
        (Notation::Display | Notation::Debug, None) => Some(format!("{value}")),
        (Notation::Display | Notation::Debug, Some(precision)) => {
            Some(format!("{value:.precision$}"))
        }
        _ => None,
    }
}

/// `{:p}` is `{:#x}`, `{:#p}` fills it with zeros to the length of an address.
fn address(value: u64, options: Options) -> String {
    const DIGITS: usize = 18;
    if options.alternate() {
        let width = options.width().unwrap_or(DIGITS);
        return format!("{value:#0width$x}");
    }
    let text = if options.zero() {
        format!("{value:#0width$x}", width = options.width().unwrap_or(0))
    } else {
        format!("{value:#x}")
    };
    fill(text, options, Alignment::Right)
}

/// Fills `text` up to the width.
fn fill(text: String, options: Options, usual: Alignment) -> String {
    let missing = options.width().unwrap_or(0).saturating_sub(text.chars().count());
    if missing == 0 {
        return text;
    }
    let before = match options.alignment().unwrap_or(usual) {
        Alignment::Left => 0,
        Alignment::Right => missing,
        Alignment::Center => missing / 2,
    };
    let filling = |count: usize| core::iter::repeat_n(options.fill(), count);
    filling(before).chain(text.chars()).chain(filling(missing - before)).collect()
}

#[cfg(test)]
mod tests;
