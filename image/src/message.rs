//! How a kernel's panic message is recorded: not as text, but as the parts that it is made of.
//!
//! Formatting happens on the host, with Rust's own `core::fmt`, so that kernels carry no formatting
//! code. The compiler turns each panic into calls that record parts one after another; the host
//! reads them back.
//!
//! A part is a sequence of 64-bit words:
//!
//! | words | what |
//! |---|---|
//! | 1 | [`Header`] |
//! | 1 | [`Options`] |
//! | 2 | [`Tag::Value`] only: the value's bits, the lower half first |
//! | length / 8, rounded up | every other tag: bytes of UTF-8 |

use core::fmt;

/// Declares a field-less enum and its way back from a byte.
macro_rules! bytes {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$item_doc])* $item,)*
        }

        impl $name {
            /// Every one of them.
            pub const ALL: &[$name] = &[$($name::$item,)*];

            fn from_byte(byte: u8) -> Option<$name> {
                $name::ALL.get(usize::from(byte)).copied()
            }
        }
    };
}

bytes! {
    /// What a part is.
    Tag {
        /// Literal text.
        Text,
        /// A string, formatted with the options and the notation.
        Str,
        /// A value of a primitive type.
        Value,
        /// A group begins; the text is its name.
        Open,
        /// The next field or element of the group begins; the text is its name.
        Field,
        /// The group ends.
        Close,
        /// The group ends, and there is more in the value than was shown.
        CloseNonExhaustive,
    }
}

bytes! {
    /// The type of a [`Tag::Value`].
    Primitive {
        /// `bool`
        Bool,
        /// `char`
        Char,
        /// `u8`
        U8,
        /// `u16`
        U16,
        /// `u32`
        U32,
        /// `u64` or `usize`
        U64,
        /// `u128`
        U128,
        /// `i8`
        I8,
        /// `i16`
        I16,
        /// `i32`
        I32,
        /// `i64` or `isize`
        I64,
        /// `i128`
        I128,
        /// `f32`
        F32,
        /// `f64`
        F64,
        /// The address of a pointer.
        Address,
    }
}

bytes! {
    /// Which trait of `core::fmt` formats a value.
    Notation {
        /// `{}`
        Display,
        /// `{:?}`
        Debug,
        /// `{:x}`
        LowerHex,
        /// `{:X}`
        UpperHex,
        /// `{:b}`
        Binary,
        /// `{:o}`
        Octal,
        /// `{:e}`
        LowerExp,
        /// `{:E}`
        UpperExp,
        /// `{:p}`
        Pointer,
    }
}

bytes! {
    /// What a group looks like: the builders of `core::fmt::Formatter`.
    Group {
        /// `Name { field: value }`
        Struct,
        /// `Name(value)`
        Tuple,
        /// `[value]`
        List,
        /// `{value}`
        Set,
        /// `{key: value}`: fields are keys and values in turn.
        Map,
    }
}

impl Primitive {
    /// Its size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Primitive::Bool | Primitive::U8 | Primitive::I8 => 1,
            Primitive::U16 | Primitive::I16 => 2,
            Primitive::Char | Primitive::U32 | Primitive::I32 | Primitive::F32 => 4,
            Primitive::U64 | Primitive::I64 | Primitive::F64 | Primitive::Address => 8,
            Primitive::U128 | Primitive::I128 => 16,
        }
    }
}

/// The first word of a part: tag, type or group, notation, and from bit 32 on the text's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header(pub u64);

impl Header {
    /// Literal text; the kernel adds the length.
    pub fn text() -> Header {
        Header(Tag::Text as u64)
    }

    /// A string in a notation; the kernel adds the length.
    pub fn string(notation: Notation) -> Header {
        Header(Tag::Str as u64 | (notation as u64) << 16)
    }

    /// A value in a notation.
    pub fn value(primitive: Primitive, notation: Notation) -> Header {
        Header(Tag::Value as u64 | (primitive as u64) << 8 | (notation as u64) << 16)
    }

    /// A group begins; the kernel adds the length of its name.
    pub fn open(group: Group) -> Header {
        Header(Tag::Open as u64 | (group as u64) << 8)
    }

    /// A field begins; the kernel adds the length of its name.
    pub fn field() -> Header {
        Header(Tag::Field as u64)
    }

    /// A group ends.
    pub fn close(exhaustive: bool) -> Header {
        Header(if exhaustive { Tag::Close } else { Tag::CloseNonExhaustive } as u64)
    }

    /// What the part is; `None` for an invalid number.
    pub fn tag(self) -> Option<Tag> {
        Tag::from_byte(self.0 as u8)
    }

    /// The type of a value.
    pub fn primitive(self) -> Option<Primitive> {
        Primitive::from_byte((self.0 >> 8) as u8)
    }

    /// What a group looks like.
    pub fn group(self) -> Option<Group> {
        Group::from_byte((self.0 >> 8) as u8)
    }

    /// The notation of a value or string.
    pub fn notation(self) -> Option<Notation> {
        Notation::from_byte((self.0 >> 16) as u8)
    }

    /// Bytes of text after the options.
    pub fn len(self) -> usize {
        (self.0 >> 32) as usize
    }

    /// Whether no text follows.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// How a value is formatted: `core::fmt`'s own 8 bytes as rustc 1.95 has them. Flags are in the lower
/// half, then 16 bits of width and 16 of precision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Options(pub u64);

/// On which side of a value the padding goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Behind it.
    Left,
    /// Before it.
    Right,
    /// On both sides.
    Center,
}

impl Options {
    /// Those of `{}`: filled with spaces, the alignment that is usual for the type.
    pub const DEFAULT: Options = Options(0x6000_0020);

    const PLUS: u64 = 1 << 21;
    const ALTERNATE: u64 = 1 << 23;
    const ZERO: u64 = 1 << 24;
    const DEBUG_LOWER_HEX: u64 = 1 << 25;
    const DEBUG_UPPER_HEX: u64 = 1 << 26;
    const WIDTH: u64 = 1 << 27;
    const PRECISION: u64 = 1 << 28;

    fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    /// What fills the width.
    pub fn fill(self) -> char {
        char::from_u32(self.0 as u32 & 0x1f_ffff).unwrap_or(' ')
    }

    /// `{:+}`
    pub fn plus(self) -> bool {
        self.has(Self::PLUS)
    }

    /// `{:#}`
    pub fn alternate(self) -> bool {
        self.has(Self::ALTERNATE)
    }

    /// `{:0}`
    pub fn zero(self) -> bool {
        self.has(Self::ZERO)
    }

    /// The notation of integers in `{:x?}` and `{:X?}`.
    pub fn debug_hex(self) -> Option<Notation> {
        if self.has(Self::DEBUG_LOWER_HEX) {
            Some(Notation::LowerHex)
        } else {
            self.has(Self::DEBUG_UPPER_HEX).then_some(Notation::UpperHex)
        }
    }

    /// `{:5}`
    pub fn width(self) -> Option<usize> {
        self.has(Self::WIDTH).then_some((self.0 >> 32 & 0xffff) as usize)
    }

    /// `{:.5}`
    pub fn precision(self) -> Option<usize> {
        self.has(Self::PRECISION).then_some((self.0 >> 48) as usize)
    }

    /// `{:<}`, `{:>}`, `{:^}`; `None` if it is left to the type.
    pub fn alignment(self) -> Option<Alignment> {
        match self.0 >> 29 & 3 {
            0 => Some(Alignment::Left),
            1 => Some(Alignment::Right),
            2 => Some(Alignment::Center),
            _ => None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Options({:#x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_keep_what_they_are_made_of() {
        for &primitive in Primitive::ALL {
            for &notation in Notation::ALL {
                let header = Header::value(primitive, notation);
                assert_eq!(header.tag(), Some(Tag::Value));
                assert_eq!(header.primitive(), Some(primitive));
                assert_eq!(header.notation(), Some(notation));
                assert!(header.is_empty());
            }
        }
        for &group in Group::ALL {
            let header = Header(Header::open(group).0 | 7 << 32);
            assert_eq!(
                (header.tag(), header.group(), header.len()),
                (Some(Tag::Open), Some(group), 7)
            );
        }
        assert_eq!(Header::close(false).tag(), Some(Tag::CloseNonExhaustive));
    }

    #[test]
    fn unknown_bytes_are_none() {
        let header = Header(u64::MAX);
        assert_eq!((header.tag(), header.primitive(), header.group()), (None, None, None));
        assert_eq!(header.notation(), None);
    }

    /// Bits as `format_args!` of rustc 1.95 makes them.
    #[test]
    fn options_are_those_of_core() {
        let options = Options::DEFAULT;
        assert_eq!((options.fill(), options.alignment()), (' ', None));
        assert_eq!((options.width(), options.precision()), (None, None));
        // {:*^5}
        let options = Options(0x4800_002a | 5 << 32);
        assert_eq!((options.fill(), options.alignment()), ('*', Some(Alignment::Center)));
        assert_eq!(options.width(), Some(5));
        // {:+#08.3x?} in pieces
        assert!(Options(0x6020_0020).plus() && Options(0x6080_0020).alternate());
        assert!(Options(0x6900_0020).zero());
        assert_eq!(Options(0x7000_0020 | 3 << 48).precision(), Some(3));
        assert_eq!(Options(0x6200_0020).debug_hex(), Some(Notation::LowerHex));
        assert_eq!(Options(0x6400_0020).debug_hex(), Some(Notation::UpperHex));
    }
}
