//! Formats one value by options that are known at run time only.
//!
//! `core::fmt` takes flags at compile time. So there is a format for each combination of those that
//! change the text itself; what only fills the width is done here.

use core::fmt::{Binary, Debug, Display, LowerExp, LowerHex, Octal, UpperExp, UpperHex};
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
        Primitive::U8 => number(integer(notation, bits as u8, options)?),
        Primitive::U16 => number(integer(notation, bits as u16, options)?),
        Primitive::U32 => number(integer(notation, bits as u32, options)?),
        Primitive::U64 => number(integer(notation, bits as u64, options)?),
        Primitive::U128 => number(integer(notation, bits, options)?),
        Primitive::I8 => number(integer(notation, bits as i8, options)?),
        Primitive::I16 => number(integer(notation, bits as i16, options)?),
        Primitive::I32 => number(integer(notation, bits as i32, options)?),
        Primitive::I64 => number(integer(notation, bits as i64, options)?),
        Primitive::I128 => number(integer(notation, bits as i128, options)?),
        Primitive::F32 => number(float(notation, f32::from_bits(bits as u32), options)?),
        Primitive::F64 => number(float(notation, f64::from_bits(bits as u64), options)?),
        Primitive::Address => address(bits as u64, options),
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

/// Formats with the flags and the precision. Zeros are put between the sign and the number, so the
/// width counts for them here.
macro_rules! with_flags {
    ($letter:literal, $value:expr, $options:expr) => {{
        let (value, options): (_, Options) = ($value, $options);
        let width = options.width().unwrap_or(0);
        match (options.plus(), options.alternate(), options.zero(), options.precision()) {
            (false, false, false, None) => format!(concat!("{:", $letter, "}"), value),
            (true, false, false, None) => format!(concat!("{:+", $letter, "}"), value),
            (false, true, false, None) => format!(concat!("{:#", $letter, "}"), value),
            (true, true, false, None) => format!(concat!("{:+#", $letter, "}"), value),
            (false, false, true, None) => format!(concat!("{:01$", $letter, "}"), value, width),
            (true, false, true, None) => format!(concat!("{:+01$", $letter, "}"), value, width),
            (false, true, true, None) => format!(concat!("{:#01$", $letter, "}"), value, width),
            (true, true, true, None) => format!(concat!("{:+#01$", $letter, "}"), value, width),
            (false, false, false, Some(p)) => format!(concat!("{:.1$", $letter, "}"), value, p),
            (true, false, false, Some(p)) => format!(concat!("{:+.1$", $letter, "}"), value, p),
            (false, true, false, Some(p)) => format!(concat!("{:#.1$", $letter, "}"), value, p),
            (true, true, false, Some(p)) => format!(concat!("{:+#.1$", $letter, "}"), value, p),
            (false, false, true, Some(p)) => {
                format!(concat!("{:01$.2$", $letter, "}"), value, width, p)
            }
            (true, false, true, Some(p)) => {
                format!(concat!("{:+01$.2$", $letter, "}"), value, width, p)
            }
            (false, true, true, Some(p)) => {
                format!(concat!("{:#01$.2$", $letter, "}"), value, width, p)
            }
            (true, true, true, Some(p)) => {
                format!(concat!("{:+#01$.2$", $letter, "}"), value, width, p)
            }
        }
    }};
}

fn integer<T>(notation: Notation, value: T, options: Options) -> Option<String>
where
    T: Display + LowerHex + UpperHex + Binary + Octal + LowerExp + UpperExp,
{
    let notation = match notation {
        Notation::Debug => options.debug_hex().unwrap_or(Notation::Display),
        other => other,
    };
    Some(match notation {
        Notation::Display | Notation::Debug => with_flags!("", value, options),
        Notation::LowerHex => with_flags!("x", value, options),
        Notation::UpperHex => with_flags!("X", value, options),
        Notation::Binary => with_flags!("b", value, options),
        Notation::Octal => with_flags!("o", value, options),
        Notation::LowerExp => with_flags!("e", value, options),
        Notation::UpperExp => with_flags!("E", value, options),
        Notation::Pointer => return None,
    })
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
