//! What the types of a crate have: public functions of their `impl` blocks, variants of enums.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// `(type, member)` of every public function and every variant that some files define, tests left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Members(BTreeSet<(String, String)>);

impl Members {
    /// Adds those of a file.
    ///
    /// # Errors
    /// It is no Rust.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let tokens: TokenStream = text.parse().map_err(|error| format!("{error}"))?;
        self.read(&tokens.into_iter().collect::<Vec<_>>());
        Ok(())
    }

    /// Whether a type has this member.
    pub fn has(&self, of: &str, member: &str) -> bool {
        self.0.contains(&(of.to_owned(), member.to_owned()))
    }

    /// All of them: `(type, member)`.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(of, member)| (of.as_str(), member.as_str()))
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "impl" => self.implementation(&tokens[at + 1..]),
                TokenTree::Ident(word) if word == "enum" => self.variants(&tokens[at + 1..]),
                TokenTree::Group(group) if !is_test_module(&tokens[..at]) => {
                    self.read(&group.stream().into_iter().collect::<Vec<_>>());
                }
                _ => {}
            }
        }
    }

    /// Reads what comes after `impl`, unless it is of a trait.
    fn implementation(&mut self, tokens: &[TokenTree]) {
        let (mut depth, mut of, mut is_bound) = (0usize, None, false);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(body) if body.delimiter() == Delimiter::Brace && depth == 0 => {
                    let Some(of) = of else { return };
                    return self.functions(of, &body.stream().into_iter().collect::<Vec<_>>());
                }
                TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
                TokenTree::Punct(mark) if mark.as_char() == '>' => {
                    // Not the arrow of a function's type.
                    let is_arrow = at > 0 && tokens[at - 1].to_string() == "-";
                    depth -= usize::from(!is_arrow && depth > 0);
                }
                TokenTree::Ident(word) if word == "for" && depth == 0 => return,
                TokenTree::Ident(word) if word == "where" && depth == 0 => is_bound = true,
                TokenTree::Ident(word) if depth == 0 && !is_bound => of = Some(word.to_string()),
                // An `impl Trait` in a signature.
                TokenTree::Punct(mark)
                    if matches!(mark.as_char(), ';' | ',' | '=') && depth == 0 =>
                {
                    return;
                }
                _ => {}
            }
        }
    }

    fn functions(&mut self, of: String, body: &[TokenTree]) {
        let mut is_public = false;
        for (at, token) in body.iter().enumerate() {
            let TokenTree::Ident(word) = token else { continue };
            let next = body.get(at + 1);
            if word == "pub" {
                // `pub(crate)` is not for users.
                is_public = !matches!(next, Some(TokenTree::Group(_)));
            } else if word == "fn" {
                if let (true, Some(TokenTree::Ident(name))) = (is_public, next) {
                    self.0.insert((of.clone(), name.to_string()));
                }
                is_public = false;
            }
        }
    }

    /// Reads what comes after `enum`.
    fn variants(&mut self, tokens: &[TokenTree]) {
        let Some(TokenTree::Ident(of)) = tokens.first() else { return };
        let body = tokens.iter().find_map(|token| match token {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => Some(body.stream()),
            _ => None,
        });
        let mut starts = true;
        for token in body.into_iter().flatten() {
            match token {
                TokenTree::Ident(name) if starts => {
                    self.0.insert((of.to_string(), name.to_string()));
                    starts = false;
                }
                TokenTree::Punct(mark) if mark.as_char() == ',' => starts = true,
                _ => {}
            }
        }
    }
}

/// Whether what comes before a body is the head of a module of tests.
fn is_test_module(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Group(attribute), TokenTree::Ident(word), TokenTree::Ident(_)] = before
    else {
        return false;
    };
    word == "mod" && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// The paths to which a line of documentation links: `[`a::b`]`, `` [`b`](crate::a::b) ``, without `crate::`.
pub fn links(line: &str) -> Vec<String> {
    let parts = line.split("[`").skip(1);
    let link = |part: &str| {
        let (shown, rest) = part.split_once("`]")?;
        let given = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let path = given.map_or(shown, |(path, _)| path);
        Some(path.strip_prefix("crate::").unwrap_or(path).to_owned())
    };
    parts.filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        impl<T: Fn(u8) -> u8, const N: usize> Buffer<T, N> where T: Copy {
            /// `pub fn in_words`
            pub fn len(&self, f: impl Fn(usize) -> u8) -> usize { self.len }
            pub const unsafe fn raw(&self) {}
            pub(crate) fn own(&self) {}
            fn private(&self) {}
        }
        impl<T> Clone for Buffer<T> { fn clone(&self) -> Self { *self } }
        define! { enum Error { #[error("x, y")] Driver { code: u32 }, Other(String), } }
        fn f(x: impl Copy, y: u8) { pub_fn() }
        mod inner { impl crate::Event { pub fn finished(&self) {} } }
        #[cfg(test)]
        mod tests { impl Buffer { pub fn of_tests(&self) {} } }
    "#;

    #[test]
    fn public_functions_and_variants_are_members() {
        let mut members = Members::default();
        members.add(TEXT).unwrap();
        let expected = [
            ("Buffer", "len"),
            ("Buffer", "raw"),
            ("Error", "Driver"),
            ("Error", "Other"),
            ("Event", "finished"),
        ];
        let expected = expected.map(|(of, member)| (of.to_owned(), member.to_owned()));
        assert_eq!(members.0.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn links_have_their_paths() {
        let line = "//! | `f` | [`A::b`], [`c`](crate::D::c) with [`e`](crate::e); not `x` |";
        assert_eq!(links(line), ["A::b", "D::c", "e"]);
        assert!(links("no link").is_empty());
    }
}
