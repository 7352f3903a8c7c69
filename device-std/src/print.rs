//! Printing from kernels: what `print!` expands to.
//!
//! The driver offers C's `vprintf`: a format and the values, in one call. The macro takes the format
//! string apart; [`emit`] makes the C format from the pieces and the types of the values, at compile
//! time. Every value travels in 64 bits (`%lld`, `%llu`, a double, or a pointer to text), so that
//! they lie one after another as `vprintf` wants them, without padding.

mod float;
mod value;

pub use value::{Kind, Values};

/// Text, or how the next value is printed.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// As it stands.
    Text(&'static str),
    /// The next value.
    Value(Spec),
}

/// How a value is printed; as in `std::fmt`.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Aligned to the left, to the right, or as is usual for the type.
    pub left: Option<bool>,
    /// With a sign before positive numbers.
    pub plus: bool,
    /// With `0x` before hexadecimal numbers.
    pub alternate: bool,
    /// Filled with zeros.
    pub zero: bool,
    /// The least number of characters.
    pub width: Option<u32>,
    /// Digits after the point.
    pub precision: Option<u32>,
    /// In which notation.
    pub style: Style,
}

/// The notation of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{}`
    Display,
    /// `{:?}`
    Debug,
    /// `{:x}`
    LowerHex,
    /// `{:X}`
    UpperHex,
    /// `{:o}`
    Octal,
    /// `{:e}`
    LowerExp,
    /// `{:E}`
    UpperExp,
    /// `{:p}`
    Pointer,
}

impl Spec {
    /// Whether the device makes the text of a float: C prints only what has a precision, and no
    /// exponent as std does.
    const fn makes_text_of_floats(self) -> bool {
        match self.precision {
            None => true,
            Some(digits) => digits <= float::MOST_PRECISION,
        }
    }
}

impl Style {
    /// Whether a negative number shows the bits of its own width.
    const fn shows_bits(self) -> bool {
        matches!(self, Style::LowerHex | Style::UpperHex | Style::Octal)
    }
}

/// A format, as the macro names it.
pub trait Format {
    /// Its pieces in order.
    const PIECES: &'static [Piece];
}

/// Prints values in a format; `CAPACITY` bytes hold the C format with its end.
#[inline(always)]
pub fn emit<F: Format, V: Values, const CAPACITY: usize>(values: V) {
    let format = const { &c_format::<CAPACITY>(F::PIECES, V::KINDS) };
    values.with_slots::<F, _>(|slots| {
        // SAFETY: the format was made for the kinds of the values, which lie one after the other;
        // text among them ends with a zero and lives until the call returns.
        unsafe { crate::intrinsics::vprintf(format.as_ptr(), slots.as_ptr().cast()) };
    });
}

/// How a value is printed if nothing else is said.
const PLAIN: Spec = Spec {
    left: None,
    plus: false,
    alternate: false,
    zero: false,
    width: None,
    precision: None,
    style: Style::Display,
};

/// How the value at `index` is printed.
const fn spec_of<F: Format>(index: usize) -> Spec {
    let (mut at, mut seen) = (0, 0);
    while at < F::PIECES.len() {
        if let Piece::Value(spec) = F::PIECES[at] {
            if seen == index {
                return spec;
            }
            seen += 1;
        }
        at += 1;
    }
    PLAIN
}

/// The C format with its end, filled up with zeros.
const fn c_format<const CAPACITY: usize>(pieces: &[Piece], kinds: &[Kind]) -> [u8; CAPACITY] {
    let mut text = Text { bytes: [0; CAPACITY], len: 0 };
    let (mut at, mut value) = (0, 0);
    while at < pieces.len() {
        match pieces[at] {
            Piece::Text(plain) => text.escaped(plain),
            Piece::Value(spec) => {
                text.conversion(kinds[value], spec);
                value += 1;
            }
        }
        at += 1;
    }
    assert!(text.len < CAPACITY);
    text.bytes
}

/// A format in the making.
struct Text<const CAPACITY: usize> {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> Text<CAPACITY> {
    const fn byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    const fn plain(&mut self, text: &str) {
        let mut at = 0;
        while at < text.len() {
            self.byte(text.as_bytes()[at]);
            at += 1;
        }
    }

    const fn escaped(&mut self, text: &str) {
        let mut at = 0;
        while at < text.len() {
            if text.as_bytes()[at] == b'%' {
                self.byte(b'%');
            }
            self.byte(text.as_bytes()[at]);
            at += 1;
        }
    }

    /// A number below 1000.
    const fn number(&mut self, number: u32) {
        let mut scale = 100;
        while scale > 0 {
            if number >= scale || scale == 1 {
                self.byte(b'0' + (number / scale % 10) as u8);
            }
            scale /= 10;
        }
    }

    /// The conversion of one value: `%`, flags, width, precision, length and letter.
    const fn conversion(&mut self, kind: Kind, spec: Spec) {
        let Spec { left, mut plus, alternate, mut zero, mut width, mut precision, style } = spec;
        let float_text = matches!(kind, Kind::Float) && spec.makes_text_of_floats();
        if float_text {
            // All of it is in the text, but not what fills the width with spaces.
            (plus, zero, precision) = (false, false, None);
        }
        let hex = matches!(style, Style::LowerHex | Style::UpperHex);
        let is_text = matches!(kind, Kind::Text | Kind::Character | Kind::Bool);
        let quotes = match (style, kind) {
            (Style::Debug, Kind::Text) => "\"",
            (Style::Debug, Kind::Character) => "'",
            _ => "",
        };
        self.plain(quotes);
        let mut prefix = alternate && hex;
        if prefix && (zero || width.is_none()) {
            // C leaves the 0x out before 0, so it is written as text.
            self.plain(if matches!(style, Style::UpperHex) { "0X" } else { "0x" });
            prefix = false;
            width = match width {
                Some(width) => Some(width.saturating_sub(2)),
                None => None,
            };
        }
        self.byte(b'%');
        let left = match left {
            Some(left) => left,
            None => is_text && width.is_some(),
        };
        if left && !zero {
            self.byte(b'-');
        }
        if plus && !is_text && !style.shows_bits() {
            self.byte(b'+');
        }
        if prefix {
            self.byte(b'#');
        }
        if zero && !is_text {
            self.byte(b'0');
        }
        if let Some(width) = width
            && width > 0
        {
            self.number(width);
        }
        if let Some(precision) = precision
            && matches!(kind, Kind::Float | Kind::Text | Kind::Character | Kind::Bool)
        {
            self.byte(b'.');
            self.number(precision);
        }
        // Also for what a type does not have: `letters` says so.
        let letters = letters(kind, style, plus);
        self.plain(if float_text { "s" } else { letters });
        self.plain(quotes);
    }
}

/// The length and letter of the conversion; styles that a type does not have are compile errors.
const fn letters(kind: Kind, style: Style, plus: bool) -> &'static str {
    match (kind, style) {
        (Kind::Signed | Kind::Unsigned, Style::LowerHex) => "llx",
        (Kind::Signed | Kind::Unsigned, Style::UpperHex) => "llX",
        (Kind::Signed | Kind::Unsigned, Style::Octal) => "llo",
        (Kind::Signed, Style::Display | Style::Debug) => "lld",
        // `+` is for signed conversions only.
        (Kind::Unsigned, Style::Display | Style::Debug) if plus => "lld",
        (Kind::Unsigned, Style::Display | Style::Debug) => "llu",
        (Kind::Float, Style::Display | Style::Debug) => "f",
        (Kind::Float, Style::LowerExp) => "e",
        (Kind::Float, Style::UpperExp) => "E",
        (Kind::Text | Kind::Character | Kind::Bool, Style::Display | Style::Debug) => "s",
        (Kind::Pointer, Style::Display | Style::Debug | Style::Pointer) => "p",
        (_, Style::LowerHex | Style::UpperHex | Style::Octal) => {
            panic!("`{{:x}}`, `{{:X}}` and `{{:o}}` print integers only")
        }
        (_, Style::LowerExp | Style::UpperExp) => panic!("`{{:e}}` and `{{:E}}` print floats only"),
        (_, Style::Pointer) => panic!("`{{:p}}` prints pointers only"),
    }
}

#[cfg(test)]
mod tests;
