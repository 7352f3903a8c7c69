//! What tests call: paths such as `Stream::new`, methods such as `.wait(..)`, and in which function.
//!
//! Tokens have no types. So a method call tells which type's method it is only if one function of this name exists:
//! [`Functions`] counts them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A file's tokens.
#[derive(Debug)]
pub struct Tokens(Vec<TokenTree>);

impl Tokens {
    /// Reads a file.
    ///
    /// # Errors
    /// The text can't be read as Rust tokens.
    pub fn of(text: &str) -> Result<Self, String> {
        let tokens: TokenStream = text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self(tokens.into_iter().collect()))
    }
}

/// What some code calls and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// `(type, member)` of each path, without generic arguments; and each single name, with an empty type.
    paths: BTreeSet<(String, String)>,
    /// The names of methods.
    methods: BTreeSet<String>,
}

impl Calls {
    /// Whether the code names this item, or this member of a type by its path.
    pub fn has_path(&self, of: &str, name: &str) -> bool {
        self.paths.contains(&(of.to_owned(), name.to_owned()))
    }

    /// Whether the code calls a method of this name.
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// Adds the calls of other code.
    pub fn extend(&mut self, other: &Calls) {
        self.paths.extend(other.paths.iter().cloned());
        self.methods.extend(other.methods.iter().cloned());
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    self.read(&group.stream().into_iter().collect::<Vec<_>>());
                }
                TokenTree::Ident(word) => {
                    self.paths.insert((String::new(), word.to_string()));
                    let rest = after_arguments(&tokens[at + 1..]);
                    if let [TokenTree::Punct(first), TokenTree::Punct(second), next, ..] = rest
                        && (first.as_char(), second.as_char()) == (':', ':')
                        && let TokenTree::Ident(member) = next
                    {
                        self.paths.insert((word.to_string(), member.to_string()));
                    }
                    let is_method = matches!(at.checked_sub(1).map(|before| &tokens[before]),
                        Some(TokenTree::Punct(mark)) if mark.as_char() == '.');
                    let is_called = matches!(rest.first(),
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                    if is_method && is_called {
                        self.methods.insert(word.to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

/// What comes after generic arguments such as `::<u32>`, if some come first.
fn after_arguments(tokens: &[TokenTree]) -> &[TokenTree] {
    let mark = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(mark)) => Some(mark.as_char()),
        _ => None,
    };
    if [mark(0), mark(1), mark(2)] != [Some(':'), Some(':'), Some('<')] {
        return tokens;
    }
    let mut depth = 0usize;
    for at in 2..tokens.len() {
        match mark(at) {
            Some('<') => depth += 1,
            // Not the arrow of a function pointer type.
            Some('>') if mark(at - 1) != Some('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[at + 1..];
        }
    }
    tokens
}

/// What the tests of a file call.
#[derive(Debug, Default)]
pub struct Tests {
    /// By the name of a function, whether it is a test, and what it calls.
    functions: BTreeMap<String, (bool, Calls)>,
    /// All code of the file that only tests run: its tests, and what they share.
    pub all: Calls,
}

impl Tests {
    /// The tests of a file. In a file of tests, all code counts; elsewhere, only items with `#[cfg(test)]`.
    pub fn of(file: &Tokens, is_of_tests: bool) -> Self {
        let mut tests = Self::default();
        tests.read(&file.0, is_of_tests);
        tests
    }

    /// What the `#[test]` function of this name calls, directly or through other functions of the file.
    pub fn reached(&self, test: &str) -> Option<Calls> {
        let (true, mut calls) = self.functions.get(test).cloned()? else { return None };
        let mut waiting: BTreeMap<&str, &Calls> =
            self.functions.iter().map(|(name, (_, calls))| (&**name, calls)).collect();
        waiting.remove(test);
        while let Some(name) = waiting.keys().find(|name| calls.has_path("", name)).copied() {
            calls.extend(waiting.remove(name)?);
        }
        Some(calls)
    }

    fn read(&mut self, tokens: &[TokenTree], is_of_tests: bool) {
        if is_of_tests {
            self.all.read(tokens);
        }
        self.find(tokens, is_of_tests);
    }

    /// Finds functions, and, outside of tests, modules of tests.
    fn find(&mut self, tokens: &[TokenTree], is_of_tests: bool) {
        // The attributes of the item that a token belongs to.
        let (mut is_test, mut is_for_tests) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    let is_attribute = matches!(before,
                        Some(TokenTree::Punct(mark)) if mark.as_char() == '#');
                    let text = group.stream().to_string().replace(' ', "");
                    is_test |= is_attribute && text == "test";
                    is_for_tests |= is_attribute && text == "cfg(test)";
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let body: Vec<TokenTree> = group.stream().into_iter().collect();
                    if let Some(name) = function_name(&tokens[..at]) {
                        let (test, calls) = self.functions.entry(name).or_default();
                        *test |= is_test;
                        calls.read(&body);
                    }
                    self.read_inner(&body, is_of_tests, is_for_tests);
                    (is_test, is_for_tests) = (false, false);
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => {
                    (is_test, is_for_tests) = (false, false);
                }
                _ => {}
            }
        }
    }

    fn read_inner(&mut self, body: &[TokenTree], is_of_tests: bool, is_for_tests: bool) {
        if is_for_tests && !is_of_tests {
            self.read(body, true);
        } else {
            self.find(body, is_of_tests);
        }
    }
}

/// The name of the function whose body follows these tokens, if it is a function.
fn function_name(tokens: &[TokenTree]) -> Option<String> {
    let head = tokens.rsplit(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    });
    let head = head.into_iter().next()?;
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "fn");
    match head.get(head.iter().position(is_fn)? + 1)? {
        TokenTree::Ident(name) => Some(name.to_string()),
        // A function pointer type.
        _ => None,
    }
}

/// How many functions of each name some files define.
#[derive(Debug, Default)]
pub struct Functions(BTreeMap<String, usize>);

impl Functions {
    /// Adds the functions of a file.
    pub fn add(&mut self, file: &Tokens) {
        self.read(&file.0);
    }

    /// How many there are of a name.
    pub fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 1)) {
                (TokenTree::Group(group), _) => {
                    self.read(&group.stream().into_iter().collect::<Vec<_>>());
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "fn" => {
                    *self.0.entry(name.to_string()).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        fn used(x: &Stream) { x.outside(); Event::outside(); }
        impl From<u8> for Deep { fn from(x: u8) -> Self { x.deep(); Deep } }
        #[cfg(test)]
        mod tests {
            fn helper() -> crate::Result<()> { inner(); Stream::new()?.shared() }
            fn inner() -> impl Fn(u8) -> u8 { Event::inside(); |x| x.through() }
            /// Of `.documented()`.
            #[test]
            #[ignore = "slow"]
            fn first() {
                let buffer = DeviceBuffer::<fn(u8) -> Vec<u8>>::zeroed(1).unwrap();
                check!({ buffer.fill::<u8>(7); "x.quoted()" });
                buffer.field;
                helper(DROPPED).unwrap();
                // buffer.commented();
            }
            fn not_a_test() { buffer.other() }
        }
    "#;

    #[test]
    fn calls_of_tests_are_found() {
        let file = Tokens::of(TEXT).unwrap();
        let tests = Tests::of(&file, false);
        assert!(tests.reached("helper").is_none() && tests.reached("not_a_test").is_none());
        let first = tests.reached("first").unwrap();
        assert!(first.has_method("shared") && first.has_method("through"));
        assert!(first.has_path("Event", "inside") && !first.has_method("deep"));
        assert!(first.has_path("DeviceBuffer", "zeroed") && first.has_path("", "DeviceBuffer"));
        assert!(first.has_method("fill") && first.has_method("unwrap"));
        for method in ["field", "quoted", "commented", "documented", "outside", "other", "zeroed"] {
            assert!(!first.has_method(method), "{method}");
        }
        assert!(tests.all.has_method("fill") && tests.all.has_method("shared"));
        assert!(tests.all.has_method("other") && tests.all.has_path("Stream", "new"));
        assert!(!tests.all.has_method("outside") && !tests.all.has_path("Event", "outside"));
        let tests = Tests::of(&file, true);
        assert!(tests.all.has_method("outside") && tests.reached("first").is_some());
    }

    #[test]
    fn functions_are_counted() {
        let mut functions = Functions::default();
        let text = "fn a() { fn b() {} } impl X { pub fn a(&self) {} } type F = fn(u8);";
        functions.add(&Tokens::of(text).unwrap());
        assert_eq!([functions.count("a"), functions.count("b"), functions.count("c")], [2, 1, 0]);
    }
}
