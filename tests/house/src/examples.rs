//! Public items without an example: what a source file defines with `pub`, whose documentation has no code block.
//!
//! Files are read line by line, so an item of a private module counts, too, and one that a macro makes does not. What is
//! hidden from the documentation does not count, be it by an attribute of its own or of its re-export.

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

/// The public items of a source file, those of its own tests and what is hidden from the documentation aside.
pub fn items(text: &str) -> Vec<Item> {
    let (mut found, mut about) = (Vec::new(), String::new());
    // Brackets of an attribute that are still open.
    let mut depth = 0;
    let own = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    for (line, code) in (1..).zip(own.lines().map(str::trim)) {
        let is_attribute = depth > 0 || code.starts_with("#[");
        if is_attribute {
            depth += code.matches('[').count();
            depth = depth.saturating_sub(code.matches(']').count());
        }
        if is_attribute || code.starts_with("///") {
            about += code;
            about.push('\n');
            continue;
        }
        if is_item(code) && !about.contains("doc(hidden)") {
            let has_example = about.contains("```");
            found.push(Item { line, head: code.to_owned(), has_example });
        }
        about.clear();
    }
    found
}

/// The lines of examples that rustdoc compiles apart from all others, each in a run of the compiler of its own.
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

/// The modules of a file whose items it re-exports only where the documentation does not show them: for macros.
pub fn hidden_modules(text: &str) -> Vec<&str> {
    let (mut hidden, mut shown) = (Vec::new(), Vec::new());
    let mut is_hidden = false;
    for code in text.lines().map(str::trim) {
        if let Some((module, _)) =
            code.strip_prefix("pub use ").and_then(|path| path.split_once("::"))
        {
            let list = if is_hidden { &mut hidden } else { &mut shown };
            list.push(module);
        }
        is_hidden = code == "#[doc(hidden)]";
    }
    hidden.retain(|module| !shown.contains(module));
    hidden
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_without_documentation() {
        let text = "mod a;\n#[doc(hidden)]\npub use a::{A, B};\npub use b::C;\n#[doc(hidden)]\npub use b::D;\npub use c::*;\n";
        assert_eq!(hidden_modules(text), ["a"]);
    }

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
        let found = items(&text);
        let heads: Vec<(usize, &str, bool)> =
            found.iter().map(|item| (item.line, item.head.as_str(), item.has_example)).collect();
        assert_eq!(
            heads,
            [
                (3, "pub fn a() {}", false),
                (13, "pub const unsafe fn b<T>() {}", true),
                (15, "pub const LIMIT: usize = 1;", false),
                (24, "pub struct H { pub field: u8 }", false),
                (25, "pub enum I {", false),
            ]
        );
    }
}
