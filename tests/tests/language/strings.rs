//! `char`, `str` and UTF-8 in `core`.

use crate::harness::{digest, edgy, same};
use ptyx_tests::Rng;

/// A text of up to 48 bytes, and its length.
pub(crate) type Text = ([u8; 48], usize);

/// Random text with letters of one to four bytes, spaces of several kinds, digits and marks.
pub(crate) fn text(rng: &mut Rng) -> Text {
    const LETTERS: [char; 40] = [
        'a', 'b', 'c', 'x', 'Z', 'Q', 'A', 'a', 'b', ' ', ' ', '\t', '\n', '\r', '\u{3000}', '0',
        '1', '9', '=', ',', ';', '-', 'ä', 'ß', 'Σ', 'σ', 'İ', 'ŉ', 'ǅ', 'ﬀ', '٣', '漢', '字', 'ｱ',
        '\u{301}', '🦀', '𝔘', '\0', '"', '\'',
    ];
    let (mut bytes, mut length) = ([0; 48], 0);
    for _ in 0..rng.below(30) {
        let letter = LETTERS[rng.below(LETTERS.len())];
        if let Some(place) = bytes.get_mut(length..length + letter.len_utf8()) {
            letter.encode_utf8(place);
            length += letter.len_utf8();
        }
    }
    (bytes, length)
}

pub(crate) fn as_str((bytes, length): &Text) -> &str {
    core::str::from_utf8(&bytes[..*length]).unwrap_or("not UTF-8")
}

/// A checksum of pieces of text, in which order and boundaries count.
fn pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> u64 {
    pieces.into_iter().fold(1, |state: u64, piece| state.rotate_left(7) ^ digest(piece))
}

fn splits(input: &Text) -> [u64; 16] {
    let text = as_str(input);
    [
        pieces(text.split(' ')),
        pieces(text.split(char::is_whitespace)),
        pieces(text.split_whitespace()),
        pieces(text.split_ascii_whitespace()),
        pieces(text.lines()),
        pieces(text.split(", ")),
        pieces(text.rsplit(&['=', ';'])),
        pieces(text.splitn(3, 'a')),
        pieces(text.rsplitn(2, "b")),
        pieces(text.split_terminator('\n')),
        pieces(text.split_inclusive(char::is_numeric)),
        pieces(text.matches(char::is_uppercase)),
        pieces([text.trim(), text.trim_start(), text.trim_end()]),
        pieces([text.trim_matches('a'), text.trim_end_matches("Z"), text.trim_ascii()]),
        text.split_once('=').map_or(0, |(a, b)| pieces([a, b])),
        text.rsplit_once("ß").map_or(1, |(a, b)| pieces([b, a])),
    ]
}

#[test]
fn splitting_and_trimming() {
    same(splits, text);
}

fn searches((input, needle): &(Text, Text)) -> [u64; 14] {
    let (text, needle) = (as_str(input), as_str(needle));
    let needle = needle.split_at_checked(needle.len().min(3)).map_or("ab", |(start, _)| start);
    let place = |found: Option<usize>| found.map_or(u64::MAX, |at| at as u64);
    [
        place(text.find(needle)),
        place(text.rfind(needle)),
        place(text.find('漢')),
        place(text.rfind(|c: char| c.is_ascii_digit())),
        place(text.find(char::is_control)),
        text.contains(needle).into(),
        text.contains("a").into(),
        text.starts_with(needle).into(),
        text.ends_with('🦀').into(),
        text.match_indices(needle).fold(0, |sum: u64, (at, part)| {
            sum.wrapping_mul(50).wrapping_add((at + part.len()) as u64)
        }),
        text.strip_prefix('a').map_or(0, digest),
        text.strip_suffix(needle).map_or(0, digest),
        text.cmp(needle) as i8 as u64,
        text.eq_ignore_ascii_case("ABC").into(),
    ]
}

#[test]
fn searching() {
    same(searches, |rng| (text(rng), text(rng)));
}

fn letters(input: &Text) -> [u64; 16] {
    let text = as_str(input);
    let all = |chars: &mut dyn Iterator<Item = char>| {
        chars.fold(3u64, |state, c| state.wrapping_mul(0x10_ffff).wrapping_add(c.into()))
    };
    let class = |class: fn(char) -> bool| text.chars().filter(|&c| class(c)).count() as u64;
    let mut wide = [0; 48];
    let mut length = 0;
    for unit in text.encode_utf16() {
        wide[length] = unit;
        length += 1;
    }
    [
        all(&mut text.chars()),
        all(&mut text.chars().rev()),
        all(&mut text.chars().flat_map(char::to_uppercase)),
        all(&mut text.chars().flat_map(char::to_lowercase)),
        all(&mut text.chars().flat_map(char::escape_debug)),
        all(&mut text.escape_default()),
        all(&mut char::decode_utf16(wide[..length].iter().copied()).map(|c| c.unwrap_or('?'))),
        text.char_indices().map(|(at, c)| at as u64 * c.len_utf16() as u64).sum(),
        class(char::is_alphabetic) + 100 * class(char::is_lowercase),
        class(char::is_alphanumeric) + 100 * class(char::is_whitespace),
        class(char::is_numeric) + 100 * class(|c| c.is_ascii_punctuation()),
        text.bytes().map(u64::from).sum(),
        (0..=text.len()).filter(|&at| text.is_char_boundary(at)).count() as u64,
        text.get(1..text.len() / 2).map_or(0, digest),
        u64::from(text.is_ascii()),
        text.chars().filter_map(|c| c.to_digit(36)).map(u64::from).sum(),
    ]
}

#[test]
fn characters() {
    same(letters, text);
}

fn chars(&code: &u32) -> [u64; 9] {
    let letter = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut bytes = [0; 4];
    let encoded = letter.encode_utf8(&mut bytes).len() as u64;
    [
        letter.into(),
        encoded,
        u32::from_le_bytes(bytes).into(),
        char::from_digit(code % 40, 36).map_or(0, u64::from),
        u64::from(letter.is_control()) + 2 * u64::from(letter.is_ascii_graphic()),
        letter.to_ascii_uppercase().into(),
        letter.to_uppercase().len() as u64 + letter.to_lowercase().map(u64::from).sum::<u64>(),
        letter.escape_unicode().count() as u64,
        u64::from(char::try_from(code).is_ok()) + 2 * u64::from(letter as u8 as char),
    ]
}

#[test]
fn code_points() {
    same(chars, |rng| edgy(rng) as u32 >> rng.below(12));
}

/// Bytes that are often, but not always, UTF-8.
fn validation(bytes: &[u8; 24]) -> [u64; 5] {
    let checked = match core::str::from_utf8(bytes) {
        Ok(text) => text.chars().count() as u64,
        Err(error) => {
            1000 + 100 * error.valid_up_to() as u64 + error.error_len().unwrap_or(9) as u64
        }
    };
    let lossy = bytes.utf8_chunks().fold(0u64, |state, chunk| {
        state.wrapping_mul(31) ^ digest(chunk.valid()) ^ chunk.invalid().len() as u64
    });
    let until = core::ffi::CStr::from_bytes_until_nul(bytes);
    let mut upper = *bytes;
    upper.make_ascii_uppercase();
    [
        checked,
        lossy,
        until.map_or(0, |c| c.count_bytes() as u64 + 1),
        digest(upper),
        bytes.escape_ascii().map(u64::from).sum(),
    ]
}

#[test]
fn utf8_validation_and_bytes() {
    same(validation, |rng| {
        let (text, _) = text(rng);
        let mut bytes: [u8; 24] = core::array::from_fn(|i| text[i]);
        if rng.below(2) == 0 {
            bytes[rng.below(24)] = rng.next_u32() as u8;
        }
        bytes
    });
}
