//! Public items without an example: what a source file defines with `pub`, whose documentation has no code block.
//!
//! Files are read line by line, so an item of a private file counts, too. What is hidden from the documentation does not
//! count, be it an item or a file (`#![doc(hidden)]`), nor what stands in a private module of the file itself, as sealed
//! traits do, unless the file re-exports it. Where a macro makes items and takes their documentation from its rows, each
//! documented row counts instead.

/// A public item, and whether its documentation has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The line that it begins on, from 1.
    pub line: usize,
    /// That line.
    pub head: String,
    /// Whether it has an example.
    pub has_example: bool,
}

/// What may stand between `pub` and the kind of an item.
const QUALIFIERS: [&str; 4] = ["const", "unsafe", "async", "safe"];

/// The kinds of items that should have an example.
const KINDS: [&str; 7] = ["fn", "struct", "enum", "union", "trait", "type", "static"];

/// The beginning of an attribute that a macro takes from its rows.
const OF_ROWS: &str = "$(#[$";

/// The macros that take documentation from their rows in other files than their own.
const SHARED: [&str; 1] = ["by_instruction"];

/// A part of the file, whose closing bracket is indented as its first line.
struct Part<'t> {
    name: &'t str,
    end: String,
}

impl<'t> Part<'t> {
    /// The part whose first line is `line`.
    fn new(name: &'t str, line: &str) -> Option<Self> {
        let indent = line.len() - line.trim_start().len();
        Some(Self { name, end: format!("{}}}", &line[..indent]) })
    }

    /// The part that `line` leaves open.
    fn after(part: Option<Self>, line: &str) -> Option<Self> {
        part.filter(|part| !line.starts_with(&part.end))
    }
}

/// The public items of a source file.
pub fn items(text: &str) -> Vec<Item> {
    let (mut found, mut about) = (Vec::new(), String::new());
    if text.contains("#![doc(hidden)]") {
        return found;
    }
    // Brackets of an attribute that are still open.
    let mut depth = 0;
    // The private module, the macro and the use of a macro that a line is in.
    let (mut private, mut defined, mut rows) = (None, None::<Part>, None);
    // The macros that take documentation from their rows.
    let mut makers = SHARED.to_vec();
    for (line, code) in (1..).zip(text.lines()) {
        private = Part::after(private, code);
        defined = Part::after(defined, code);
        rows = Part::after(rows, code);
        let (raw, code) = (code, code.trim());
        let is_attribute = depth > 0 || code.starts_with("#[") || code.starts_with("$(#[");
        if is_attribute {
            depth += code.matches('[').count();
            depth = depth.saturating_sub(code.matches(']').count());
        }
        if is_attribute || code.starts_with("///") {
            about += code;
            about.push('\n');
            continue;
        }
        let has_example = about.contains("```");
        let is_of_rows = defined.is_some() && about.contains(OF_ROWS) && !has_example;
        if is_item(code) && is_of_rows {
            makers.extend(defined.as_ref().map(|part| part.name));
        }
        let is_row = rows.is_some() && about.contains("///");
        let counts = is_row || is_item(code) && !is_of_rows;
        if counts && private.is_none() && !about.contains("doc(hidden)") {
            found.push(Item { line, head: code.to_owned(), has_example });
        }
        about.clear();
        if let Some(name) = private_module(code)
            && private.is_none()
            && !text.contains(&format!("pub use {name}::"))
        {
            private = Part::new(name, raw);
        } else if let Some(name) = code.strip_prefix("macro_rules! ") {
            defined = Part::new(name.trim_end_matches(" {"), raw);
        } else if let Some((name, _)) = code.split_once("! {").filter(|_| !code.ends_with('}'))
            && makers.contains(&name)
        {
            rows = Part::new(name, raw);
        }
    }
    found
}

/// The lines of examples that rustdoc compiles apart from all others, each in its own run of the compiler.
pub fn compiled_apart(text: &str) -> Vec<usize> {
    const ATTRIBUTES: [&str; 4] = ["compile_fail", "standalone_crate", "test_harness", "edition"];
    let fences = (1..).zip(text.lines()).filter_map(|(line, code)| {
        let code = code.trim();
        let comment = code.strip_prefix("///").or_else(|| code.strip_prefix("//!"))?;
        Some((line, comment.trim().strip_prefix("```")?))
    });
    let is_apart = |attributes: &str| ATTRIBUTES.iter().any(|apart| attributes.contains(apart));
    fences.filter(|(_, attributes)| is_apart(attributes)).map(|(line, _)| line).collect()
}

/// Whether a line begins a public item.
fn is_item(code: &str) -> bool {
    let Some(rest) = code.strip_prefix("pub ") else { return false };
    let mut words = rest.split([' ', '(', '<', ':']);
    let kind = words.find(|word| !QUALIFIERS.contains(word));
    let is_constant =
        rest.starts_with("const ") && kind.is_some_and(|name| name.chars().all(is_upper));
    is_constant || kind.is_some_and(|kind| KINDS.contains(&kind))
}

fn is_upper(c: char) -> bool {
    c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'
}

/// The name of a private module that a line begins.
fn private_module(code: &str) -> Option<&str> {
    let visible = code.strip_prefix("pub(").and_then(|rest| rest.split_once(") "));
    let code = visible.map_or(code, |(_, rest)| rest);
    code.strip_prefix("mod ")?.strip_suffix(" {")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_that_are_compiled_apart() {
        let text = "//! ```compile_fail\n//! ```\n/// ```no_run\n/// x();\n/// ```\n    /// ```no_run,standalone_crate\n\
                    /// compile_fail\nlet fence = \"```compile_fail\";\n";
        assert_eq!(compiled_apart(text), [1, 6]);
    }

    #[test]
    fn items_with_and_without_an_example() {
        let text = r#"
            /// Without.
            pub fn a() {}
            /// With.
            ///
            /// ```
            /// x();
            /// ```
            #[doc(alias(
                "y",
            ))]
            #[must_use]
            pub const unsafe fn b<T>() {}
            pub(crate) fn c() {}
            pub const LIMIT: usize = 1;
            pub use d::e;
            pub mod f;
            #[doc(hidden)]
            pub struct G;
            /// ```
            /// about the field
            /// ```
            field: u8,
            pub struct H { pub field: u8 }
            pub enum I {
                pub
            }
        "#
        .to_owned()
            + "\n#[cfg(test)]\nmod tests {\npub fn j() {}\n}\n";
        let found = [
            (3, "pub fn a() {}", false),
            (13, "pub const unsafe fn b<T>() {}", true),
            (15, "pub const LIMIT: usize = 1;", false),
            (24, "pub struct H { pub field: u8 }", false),
            (25, "pub enum I {", false),
        ];
        assert_eq!(heads(&text), expected(&found));
    }

    #[test]
    fn private_modules_and_hidden_files() {
        let text = "
            pub mod shown {
                pub struct A;
            }
            mod sealed {
                pub trait B {
                }
                mod inner {
                }
                pub trait C {}
            }
            pub(crate) mod other {
                pub trait D {}
            }
            pub trait E {}
            pub use exported::F;
            mod exported {
                pub struct F;
            }
        ";
        let found = [
            (3, "pub struct A;", false),
            (15, "pub trait E {}", false),
            (18, "pub struct F;", false),
        ];
        assert_eq!(heads(text), expected(&found));
        assert_eq!(items(&format!("#![doc(hidden)]\n{text}")), []);
    }

    #[test]
    fn rows_of_macros() {
        let text = "
            macro_rules! makes {
                ($($(#[$about:meta])* $name:ident;)*) => {$(
                    $(#[$about])*
                    #[inline]
                    pub fn $name() {}
                )*};
            }
            macro_rules! documents {
                ($name:ident $alias:literal) => {
                    /// ```
                    /// x();
                    /// ```
                    $(#[doc(alias = $alias)])?
                    pub fn $name() {}
                };
            }
            makes! {
                /// Without.
                a;
                /// ```
                /// b();
                /// ```
                b;
                c;
            }
            documents! {
                d \"e\"
            }
            vec! {
                /// Not an item.
                f
            }
        ";
        assert_eq!(
            heads(text),
            expected(&[(15, "pub fn $name() {}", true), (20, "a;", false), (24, "b;", true)])
        );
    }

    fn heads(text: &str) -> Vec<(usize, String, bool)> {
        items(text).into_iter().map(|item| (item.line, item.head, item.has_example)).collect()
    }

    fn expected(heads: &[(usize, &str, bool)]) -> Vec<(usize, String, bool)> {
        heads.iter().map(|&(line, head, has)| (line, head.to_owned(), has)).collect()
    }
}
