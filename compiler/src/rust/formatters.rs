//! The functions of `core::fmt` that recording replaces, by their paths.

use ptyx_image::message::{Group, Notation, Primitive};

/// The types whose formatting is core's own.
const PRIMITIVES: [(&str, Primitive); 16] = [
    ("bool", Primitive::Bool),
    ("char", Primitive::Char),
    ("u8", Primitive::U8),
    ("u16", Primitive::U16),
    ("u32", Primitive::U32),
    ("u64", Primitive::U64),
    ("usize", Primitive::U64),
    ("u128", Primitive::U128),
    ("i8", Primitive::I8),
    ("i16", Primitive::I16),
    ("i32", Primitive::I32),
    ("i64", Primitive::I64),
    ("isize", Primitive::I64),
    ("i128", Primitive::I128),
    ("f32", Primitive::F32),
    ("f64", Primitive::F64),
];

const NOTATIONS: [(&str, Notation); 9] = [
    ("Display", Notation::Display),
    ("Debug", Notation::Debug),
    ("LowerHex", Notation::LowerHex),
    ("UpperHex", Notation::UpperHex),
    ("Binary", Notation::Binary),
    ("Octal", Notation::Octal),
    ("LowerExp", Notation::LowerExp),
    ("UpperExp", Notation::UpperExp),
    ("Pointer", Notation::Pointer),
];

/// A function that recording replaces; `f` is the formatter, `b` a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// `(&value, f)`
    Value(Primitive, Notation),
    /// `(text, len, f)`
    Str(Notation),
    /// `(address, f)`
    Address,
    /// `(f, text, len)`: text as it stands
    WriteStr,
    /// `(f, char)`
    WriteChar,
    /// `(f, template, arguments)`
    WriteFmt,
    /// `(f's target, its vtable, template, arguments)`
    Write,
    /// `(f, text, len)`: text by `f`'s options
    Pad,
    /// `(f, name, len, [field name, len,] value, vtable, ...)`
    FinishedGroup(Group),
    /// `(f, name, len, [field names, count,] values, count)`
    FinishedGroupOfMany(Group),
    /// `(&mut b, f, name, len)`, the last two for structs and tuples
    Open(Group),
    /// `(b, [name, len,] value, vtable)`, and key and value for a map's entry
    Field(Group),
    /// `(b, value, vtable)`: a map's key or value by itself
    HalfEntry,
    /// `(b)`
    Close { exhaustive: bool },
}

/// Functions by path, those of values apart.
const FUNCTIONS: &[(&str, Known)] = &[
    ("core::fmt::pointer_fmt_inner", Known::Address),
    ("core::fmt::write", Known::Write),
    ("<core::fmt::Formatter>::write_str", Known::WriteStr),
    ("<core::fmt::Formatter>::write_fmt", Known::WriteFmt),
    ("<core::fmt::Formatter as core::fmt::Write>::write_str", Known::WriteStr),
    ("<core::fmt::Formatter as core::fmt::Write>::write_char", Known::WriteChar),
    ("<core::fmt::Formatter as core::fmt::Write>::write_fmt", Known::WriteFmt),
    (SINK_WRITE_STR, Known::WriteStr),
    (SINK_WRITE_CHAR, Known::WriteChar),
    (SINK_WRITE_FMT, Known::WriteFmt),
    ("<core::fmt::Formatter>::pad", Known::Pad),
    ("<core::fmt::Formatter>::debug_struct", Known::Open(Group::Struct)),
    ("<core::fmt::Formatter>::debug_tuple", Known::Open(Group::Tuple)),
    ("<core::fmt::Formatter>::debug_list", Known::Open(Group::List)),
    ("<core::fmt::Formatter>::debug_set", Known::Open(Group::Set)),
    ("<core::fmt::Formatter>::debug_map", Known::Open(Group::Map)),
    ("<core::fmt::builders::DebugStruct>::field", Known::Field(Group::Struct)),
    ("<core::fmt::builders::DebugTuple>::field", Known::Field(Group::Tuple)),
    ("<core::fmt::builders::DebugList>::entry", Known::Field(Group::List)),
    ("<core::fmt::builders::DebugSet>::entry", Known::Field(Group::Set)),
    ("<core::fmt::builders::DebugMap>::entry", Known::Field(Group::Map)),
    ("<core::fmt::builders::DebugMap>::key", Known::HalfEntry),
    ("<core::fmt::builders::DebugMap>::value", Known::HalfEntry),
    (
        "<core::fmt::Formatter>::debug_struct_fields_finish",
        Known::FinishedGroupOfMany(Group::Struct),
    ),
    ("<core::fmt::Formatter>::debug_tuple_fields_finish", Known::FinishedGroupOfMany(Group::Tuple)),
];

/// How the functions begin that `derive(Debug)` calls for few fields, the groups that they are for, and the
/// highest number of fields.
const DERIVED: &str = "<core::fmt::Formatter>::debug_";
const DERIVED_GROUPS: [(&str, Group); 2] = [("struct", Group::Struct), ("tuple", Group::Tuple)];
const MAX_DERIVED: usize = 5;

/// The builders of groups, and how their work ends.
const BUILDER: &str = "<core::fmt::builders::Debug";
const BUILDERS: [&str; 5] = ["Struct", "Tuple", "List", "Set", "Map"];
const ENDS: [(&str, Known); 2] = [
    ("finish", Known::Close { exhaustive: true }),
    ("finish_non_exhaustive", Known::Close { exhaustive: false }),
];

/// A `Formatter`: the target's address and vtable, then the options.
pub(crate) const FORMATTER_SIZE: u64 = 24;
pub(crate) const TARGET_VTABLE: u64 = 8;
pub(crate) const OPTIONS: u64 = 16;

/// The offset of the first method in a vtable, after drop glue, size and alignment. It is the `fmt` of
/// `dyn Debug`; `dyn Write` has three.
pub(crate) const FIRST_METHOD: u64 = 24;

/// The vtable that stands for the formatter's target has these functions.
pub(crate) const SINK_WRITE_STR: &str = "ptyx.sink.write_str";
pub(crate) const SINK_WRITE_CHAR: &str = "ptyx.sink.write_char";
pub(crate) const SINK_WRITE_FMT: &str = "ptyx.sink.write_fmt";

/// What a function does, if recording replaces it.
pub(crate) fn known(path: &str) -> Option<Known> {
    if let Some((ty, notation)) = formatted_type(path) {
        if ty == "str" {
            return Some(Known::Str(notation));
        }
        if let Some((_, primitive)) = PRIMITIVES.iter().find(|(name, _)| *name == ty) {
            return Some(Known::Value(*primitive, notation));
        }
        return None;
    }
    if let Some((_, known)) = FUNCTIONS.iter().find(|(name, _)| *name == path) {
        return Some(*known);
    }
    if let Some(method) = path.strip_prefix(DERIVED) {
        let (group, rest) = DERIVED_GROUPS.iter().find_map(|(name, group)| {
            Some((*group, method.strip_prefix(name)?.strip_prefix("_field")?))
        })?;
        let count: usize = rest.strip_suffix("_finish")?.parse().ok()?;
        return (1..=MAX_DERIVED).contains(&count).then_some(Known::FinishedGroup(group));
    }
    let (builder, method) = path.strip_prefix(BUILDER)?.split_once(">::")?;
    let (_, known) = ENDS.iter().find(|(name, _)| *name == method)?;
    BUILDERS.contains(&builder).then_some(*known)
}

/// Every path that [`known`] knows, as far as core has it.
pub(crate) fn paths() -> Vec<String> {
    let sinks = [SINK_WRITE_STR, SINK_WRITE_CHAR, SINK_WRITE_FMT];
    let plain = FUNCTIONS.iter().map(|(path, _)| *path).filter(|path| !sinks.contains(path));
    let mut paths: Vec<String> = plain.map(str::to_owned).collect();
    for (ty, primitive) in PRIMITIVES.iter().map(|(ty, p)| (*ty, Some(*p))).chain([("str", None)]) {
        let has = |notation: Notation| match primitive {
            _ if matches!(notation, Notation::Display | Notation::Debug) => true,
            None | Some(Primitive::Bool | Primitive::Char) => false,
            Some(Primitive::F32 | Primitive::F64) => {
                matches!(notation, Notation::LowerExp | Notation::UpperExp)
            }
            Some(_) => !matches!(notation, Notation::Pointer),
        };
        let notations = NOTATIONS.iter().filter(|(_, notation)| has(*notation));
        paths.extend(notations.map(|(name, _)| format!("<{ty} as core::fmt::{name}>::fmt")));
    }
    for (group, _) in DERIVED_GROUPS {
        let derived =
            (1..=MAX_DERIVED).map(|count| format!("{DERIVED}{group}_field{count}_finish"));
        paths.extend(derived);
    }
    for builder in BUILDERS {
        paths.extend(ENDS.iter().map(|(end, _)| format!("{BUILDER}{builder}>::{end}")));
    }
    paths
}

/// The type and the notation of `<type as core::fmt::Trait>::fmt`.
pub(crate) fn formatted_type(path: &str) -> Option<(&str, Notation)> {
    let (ty, rest) = path.strip_prefix('<')?.rsplit_once(" as core::fmt::")?;
    let name = rest.strip_suffix(">::fmt")?;
    let (_, notation) = NOTATIONS.iter().find(|(known, _)| *known == name)?;
    Some((ty, *notation))
}

/// Shown for a value whose formatter can't be recorded: its type.
pub(crate) fn placeholder(path: &str) -> String {
    let Some((ty, _)) = formatted_type(path) else { return "<?>".to_owned() };
    // A path is shown by its last name; of a type with parameters all is shown.
    let is_path = ty.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let name = if is_path { ty.rsplit("::").next().unwrap_or(ty) } else { ty };
    format!("<{name}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_known_by_type_and_trait() {
        for (path, expected) in [
            (
                "<u32 as core::fmt::Display>::fmt",
                Some(Known::Value(Primitive::U32, Notation::Display)),
            ),
            (
                "<usize as core::fmt::LowerHex>::fmt",
                Some(Known::Value(Primitive::U64, Notation::LowerHex)),
            ),
            ("<str as core::fmt::Debug>::fmt", Some(Known::Str(Notation::Debug))),
            ("<&u32 as core::fmt::Display>::fmt", None),
            ("<a::Display as core::fmt::Display>::fmt", None),
            ("<u32 as a::Display>::fmt", None),
            (
                "<core::fmt::Formatter>::debug_tuple_field2_finish",
                Some(Known::FinishedGroup(Group::Tuple)),
            ),
            ("<core::fmt::builders::DebugList>::finish", Some(Known::Close { exhaustive: true })),
            ("<core::fmt::builders::DebugList>::entries::<&u32, a::I>", None),
        ] {
            assert_eq!(known(path), expected, "{path}");
        }
    }

    #[test]
    fn placeholders_name_the_type() {
        assert_eq!(placeholder("<a::b::MyError as core::fmt::Debug>::fmt"), "<MyError>");
        assert_eq!(placeholder("<a::W<u32> as core::fmt::Debug>::fmt"), "<a::W<u32>>");
        assert_eq!(placeholder("a::f"), "<?>");
    }
}
