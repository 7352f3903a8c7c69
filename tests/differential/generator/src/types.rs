//! The types of generated programs.

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int(Int),
    /// `f32` or `f64`, by its bits.
    Float(u32),
    Bool,
    Char,
    Tuple(Vec<Type>),
    Array(Box<Type>, usize),
    Option(Box<Type>),
    Result(Box<Type>, Box<Type>),
    /// One of the program's definitions.
    Defined(usize),
    /// `&[T]` or `&mut [T]`, never empty: a variable's type, not a value's.
    Slice(Box<Type>),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

/// Unsigned and signed types in pairs.
pub(crate) const INTS: [Int; 12] = [
    int("u8", 8, false),
    int("i8", 8, true),
    int("u16", 16, false),
    int("i16", 16, true),
    int("u32", 32, false),
    int("i32", 32, true),
    int("u64", 64, false),
    int("i64", 64, true),
    int("u128", 128, false),
    int("i128", 128, true),
    int("usize", 64, false),
    int("isize", 64, true),
];

/// The integers that can be an enum's representation.
pub(crate) const REPRESENTATIONS: [&str; 10] =
    ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize"];

pub(crate) const U32: Type = Type::Int(INTS[4]);
pub(crate) const U64: Type = Type::Int(INTS[6]);
pub(crate) const USIZE: Type = Type::Int(INTS[10]);

impl Int {
    /// The type of the same width with or without a sign.
    pub(crate) fn with_sign(self, signed: bool) -> Int {
        let at = INTS.iter().position(|known| *known == self).unwrap_or(0);
        INTS[(at & !1) + usize::from(signed)]
    }
}

impl Type {
    /// Whether the type is an integer, a float, `bool` or `char`.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Float(_) | Type::Bool | Type::Char)
    }

    /// The element's type of an array or a slice.
    pub(crate) fn element(&self) -> Option<&Type> {
        match self {
            Type::Array(element, _) | Type::Slice(element) => Some(element),
            _ => None,
        }
    }
}

/// A struct (one variant) or an enum of the program.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) is_enum: bool,
    pub(crate) variants: Vec<Variant>,
    /// What `#[repr(..)]` says, if anything.
    pub(crate) representation: Option<&'static str>,
    /// The variants' discriminants, where they are written. No variant has fields then.
    pub(crate) discriminants: Vec<i64>,
}

/// A variant of an enum, or the body of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    /// Whether its fields have names (`f0`, `f1`, ..); else it is a tuple or, without fields, a unit.
    pub(crate) named: bool,
    pub(crate) fields: Vec<Type>,
}

impl Variant {
    /// `{ f0: a, f1: b }`, `(a, b)` or nothing, around texts of the fields.
    pub(crate) fn with(&self, fields: &[String]) -> String {
        match (fields.is_empty(), self.named) {
            (true, true) => " {}".to_owned(),
            (true, false) => String::new(),
            (false, true) => {
                let fields = fields.iter().enumerate().map(|(i, text)| format!("f{i}: {text}"));
                format!(" {{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            (false, false) => format!("({})", fields.join(", ")),
        }
    }
}
