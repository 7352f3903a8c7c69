//! What rustc 1.95 makes of `format_args!`: the two words of `fmt::Arguments`.
//!
//! A literal alone has its length in the second word ([`literal_length`]). Otherwise, the first word
//! points to a template:
//!
//! | byte | means |
//! |---|---|
//! | 0 | the end |
//! | 1 to 127 | a text of so many bytes follows |
//! | 128 | a text follows, its length first in 16 bits |
//! | 192 and more | an argument; each set bit of the lower six says something about what follows |
//!
//! Bit 0: flags (4 bytes), 1: width, 2: precision, 3: which argument (2 bytes each, in this order).
//! Bits 4 and 5: width or precision is the number of the argument that has it.

use ptyx_image::message::Options;

use crate::llvm::{Value, opcode};

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Argument {
        index: u16,
        /// Flags, and those of width and precision that are constant.
        options: u64,
        /// The argument that has the width.
        width: Option<u16>,
        /// The argument that has the precision.
        precision: Option<u16>,
    },
}

/// The pieces of a template; `None` if it is none.
pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    let mut next = 0;
    loop {
        let [code] = take(&mut rest)?;
        match code {
            0 => return Some(pieces),
            1..=0x80 => {
                let len =
                    if code == 0x80 { take_u16(&mut rest)?.into() } else { usize::from(code) };
                let (text, tail) = rest.split_at_checked(len)?;
                rest = tail;
                pieces.push(Piece::Text(String::from_utf8(text.to_vec()).ok()?));
            }
            0x81..0xc0 => return None,
            0xc0.. => {
                let has = |bit: u8| code >> bit & 1 == 1;
                let flags = if has(0) {
                    u32::from_le_bytes(take(&mut rest)?).into()
                } else {
                    Options::DEFAULT.0
                };
                let width = if has(1) { take_u16(&mut rest)? } else { 0 };
                let precision = if has(2) { take_u16(&mut rest)? } else { 0 };
                let index = if has(3) { take_u16(&mut rest)? } else { next };
                next = index.checked_add(1)?;
                let constant = |value: u16, bit| if has(bit) { 0 } else { u64::from(value) };
                pieces.push(Piece::Argument {
                    index,
                    options: flags | constant(width, 4) << 32 | constant(precision, 5) << 48,
                    width: has(4).then_some(width),
                    precision: has(5).then_some(precision),
                });
            }
        }
    }
}

/// The text of a literal message: `fmt::Arguments` has it in its first word, and in the second
/// twice its length plus one.
pub(crate) fn literal_length(arguments: Value<'_>) -> Option<u64> {
    if arguments.constant_opcode() != Some(opcode::INT_TO_PTR) {
        return None;
    }
    let tagged = arguments.operand(0).as_int()?;
    (tagged & 1 == 1).then_some(tagged >> 1)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*first)
}

fn take_u16(rest: &mut &[u8]) -> Option<u16> {
    take(rest).map(u16::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn argument(index: u16, options: u64) -> Piece {
        Piece::Argument { index, options, width: None, precision: None }
    }

    #[test]
    fn texts_and_arguments() {
        let plain = Options::DEFAULT.0;
        assert_eq!(decode(b"\x04fmt \xc0\x00"), Some(vec![text("fmt "), argument(0, plain)]));
        assert_eq!(decode(b"\x80\x02\0ab\0"), Some(vec![text("ab")]));
        // "{1}{0}{1}|": an index is given where it is not the next one.
        assert_eq!(
            decode(b"\xc8\x01\0\xc8\0\0\xc0\x01|\0"),
            Some(vec![argument(1, plain), argument(0, plain), argument(1, plain), text("|")])
        );
        // "{:*^5}|"
        assert_eq!(
            decode(b"\xc3\x2a\0\0\x48\x05\0\x01|\0"),
            Some(vec![argument(0, 5 << 32 | 0x4800_002a), text("|")])
        );
    }

    #[test]
    fn width_and_precision_from_arguments() {
        // "{:1$.2$}"
        assert_eq!(
            decode(b"\xf7\x20\0\0\x78\x01\0\x02\0\0"),
            Some(vec![Piece::Argument {
                index: 0,
                options: 0x7800_0020,
                width: Some(1),
                precision: Some(2)
            }])
        );
    }

    #[test]
    fn damaged_templates_are_none() {
        for bytes in [&b""[..], b"\x04fm", b"\x90\0", b"\xc1\x20", b"\x01\xff\0", b"\xc0"] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
