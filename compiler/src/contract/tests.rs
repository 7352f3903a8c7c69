//! The code uses no name that is not in the contract: these tests read the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::of_llvm::PIPELINES;
use crate::llvm::known::{ATTRIBUTES, INTRINSICS, METADATA};
use crate::lower::MATH_INTRINSICS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler/src")
}

/// Every source file below `dir` but tests and probes, by its path in `src`.
fn sources(dir: &Path, found: &mut Vec<(String, TokenStream)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let is_test = name.ends_with("tests.rs") || name.ends_with("/probe");
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if name.ends_with(".rs") && !is_test {
            let text = fs::read_to_string(&path).unwrap();
            found.push((name, text.parse().unwrap()));
        }
    }
}

/// The tokens of all files.
fn files() -> Vec<(String, TokenStream)> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    assert!(files.len() > 100, "the sources are not where this test looks for them");
    files
}

/// Calls `see` for each list of tokens, the outer ones first, with the token before it. Items of tests and
/// documentation are left out.
fn each_list(
    tokens: TokenStream,
    before: Option<&TokenTree>,
    see: &mut impl FnMut(&[TokenTree], Option<&TokenTree>),
) {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(group) = &token else {
            kept.push(token);
            continue;
        };
        let is_attribute = group.delimiter() == Delimiter::Bracket
            && matches!(kept.last(), Some(TokenTree::Punct(mark)) if ['#', '!'].contains(&mark.as_char()));
        let of_attribute = group.stream().to_string().replace(' ', "");
        if is_attribute && of_attribute == "cfg(test)" {
            // The item: up to its body, or to its end if it has none.
            tokens.find(|token| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(mark) => mark.as_char() == ';',
                _ => false,
            });
        } else if !(is_attribute && of_attribute.starts_with("doc=")) {
            kept.push(token);
        }
    }
    see(&kept, before);
    for (at, token) in kept.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            each_list(group.stream(), at.checked_sub(1).map(|before| &kept[before]), see);
        }
    }
}

/// A string literal in the sources.
struct Text {
    file: String,
    line: usize,
    /// What is called with it, if it is the first argument.
    call: Option<String>,
    literal: String,
}

/// The text of a string literal, as it is written between the quotes.
fn text_of(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let written = literal.to_string();
    let (kind, rest) = written.split_once('"')?;
    let is_text = kind.chars().all(|c| "bcr#".contains(c));
    is_text.then(|| rest.rsplit_once('"').map_or("", |(text, _)| text).to_owned())
}

/// The string literals of all files.
fn literals() -> Vec<Text> {
    let mut all = Vec::new();
    for (file, tokens) in files() {
        each_list(tokens, None, &mut |tokens, before| {
            for (at, token) in tokens.iter().enumerate() {
                let Some(literal) = text_of(token) else { continue };
                let call = before.filter(|_| at == 0).map(TokenTree::to_string);
                all.push(Text {
                    file: file.clone(),
                    line: token.span().start().line,
                    call,
                    literal,
                });
            }
        });
    }
    assert!(all.len() > 500, "only {} literals are found", all.len());
    all
}

/// The places that ARCHITECTURE.md names in the invariant about names of std, as paths in `src`.
fn allowed() -> Vec<String> {
    const START: &str = "- `std`'s and users' code is never recognised by name";
    let text = fs::read_to_string(root().join("../../ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once(START).expect("ARCHITECTURE.md has lost the invariant");
    let bullet = rest.split("\n- ").next().unwrap();
    let quoted = bullet.split('`').skip(1).step_by(2);
    let places = quoted.map(|place| place.trim_start_matches("compiler/src/").to_owned());
    let places: Vec<String> = places.collect();
    for place in &places {
        assert!(root().join(place).exists(), "ARCHITECTURE.md names `{place}`, which is not there");
    }
    places
}

/// Names of std and of what rustc adds stand only where ARCHITECTURE.md says.
#[test]
fn names_of_std_stand_where_the_architecture_says() {
    const STARTS: [&str; 9] = [
        "core::",
        "alloc::",
        "std::",
        "hashbrown::",
        "__rustc::",
        "__rust_",
        "std_detect",
        "libm::",
        "compiler_builtins",
    ];
    let allowed = allowed();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for Text { file, line, literal, .. } in literals() {
        let plain = literal.trim_start_matches(['<', '&', '[', ' ']);
        let plain = plain.strip_prefix("as ").unwrap_or(plain);
        if !STARTS.iter().any(|start| plain.starts_with(start)) {
            continue;
        }
        match allowed.iter().find(|place| file.starts_with(place.as_str())) {
            Some(place) => drop(used.insert(place.clone())),
            None => wrong.push(format!("{file}:{line}: \"{literal}\"")),
        }
    }
    assert!(wrong.is_empty(), "these names of std belong into rust/:\n{}", wrong.join("\n"));
    let unused: Vec<_> = allowed.iter().filter(|place| !used.contains(*place)).collect();
    assert!(unused.is_empty(), "ARCHITECTURE.md names places without a name of std: {unused:?}");
}

/// Every attribute that is asked for by a literal has a row. (`Context::attribute_kind` looks at the rest.)
#[test]
fn attributes_have_rows() {
    let mut asked = 0;
    for Text { file, line, call, literal } in literals() {
        if call.is_some_and(|call| ["attribute", "attribute_kind"].contains(&&*call)) {
            asked += 1;
            let known = ATTRIBUTES.iter().any(|(name, _)| *name == literal);
            assert!(known, "{file}:{line}: attribute `{literal}` has no row in llvm/known.rs");
        }
    }
    assert!(asked > 10, "only {asked} attributes are found");
}

/// Elements of a list, without spaces.
fn elements(list: TokenStream) -> Vec<String> {
    let list: Vec<TokenTree> = list.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let elements = list.split(is_comma);
    let elements = elements.map(|tokens| tokens.iter().map(TokenTree::to_string).collect());
    elements.filter(|element: &String| !element.is_empty()).collect()
}

/// What is passed to each call of a method whose name starts with `run_passes`, by file: its arguments as they are written.
fn pipelines() -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (file, tokens) in files() {
        each_list(tokens, None, &mut |tokens, _| {
            for call in tokens.windows(3) {
                let [TokenTree::Punct(point), TokenTree::Ident(name), TokenTree::Group(arguments)] =
                    call
                else {
                    continue;
                };
                if point.as_char() == '.' && name.to_string().starts_with("run_passes") {
                    all.push((file.clone(), elements(arguments.stream())));
                }
            }
        });
    }
    all
}

/// The row of a pipeline, as its constant is named in [`PIPELINES`]: `optimise::TIDY` for that of the folder `optimise`.
fn rows_of_pipelines() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("contract/of_llvm.rs")).unwrap();
    let tokens: TokenStream = text.parse().unwrap();
    let is_it = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name == "PIPELINES");
    let is_equals =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '=');
    let mut rest = tokens.into_iter().skip_while(|token| !is_it(token));
    rest.find(is_equals).expect("the table");
    let Some(TokenTree::Group(table)) = rest.next() else { panic!("no table") };
    let row = |token| match token {
        TokenTree::Group(row) => elements(row.stream()).into_iter().next(),
        _ => None,
    };
    let rows: BTreeSet<String> = table.stream().into_iter().filter_map(row).collect();
    assert_eq!(rows.len(), PIPELINES.len());
    rows
}

/// Whether what `file` passes as a pipeline, a literal or a constant, has a row; `None` if it is neither.
fn has_row(file: &str, argument: &str, rows: &BTreeSet<String>) -> Option<bool> {
    if let Some(literal) = argument.strip_prefix('"') {
        let literal = literal.trim_end_matches('"');
        return Some(PIPELINES.iter().any(|(passes, _, _)| *passes == literal));
    }
    let name = argument.rsplit("::").next().unwrap_or(argument);
    let is_constant = |c: char| c.is_ascii_uppercase() || c == '_';
    if name.is_empty() || !name.chars().all(is_constant) {
        return None;
    }
    let folder = file.split('/').next().unwrap_or_default();
    Some([argument.to_owned(), format!("{folder}::{name}")].iter().any(|name| rows.contains(name)))
}

/// Every pipeline that is run has a row.
#[test]
fn pipelines_have_rows() {
    let rows = rows_of_pipelines();
    let mut found = 0;
    for (file, arguments) in pipelines() {
        // It runs the rows.
        if file == "contract/of_llvm.rs" {
            continue;
        }
        let known: Vec<bool> =
            arguments.iter().filter_map(|argument| has_row(&file, argument, &rows)).collect();
        assert_eq!(known, [true], "{file}: {arguments:?} have no row in contract/of_llvm.rs");
        found += 1;
    }
    assert!(found > 20, "only {found} pipelines are found");
    for (file, argument) in
        [("optimise/mod.rs", "NONE"), ("lower/mod.rs", "TIDY"), ("link/mod.rs", "\"none\"")]
    {
        assert_eq!(has_row(file, argument, &rows), Some(false), "{argument}");
    }
    assert_eq!(has_row("link/mod.rs", "target", &rows), None);
}

/// Every intrinsic and every kind of metadata has a row.
#[test]
fn names_of_llvm_have_rows() {
    /// What LLVM's linker and other targets have, and what is a text in metadata, not a name.
    const OTHERS: [&str; 9] = [
        "llvm.",
        "llvm.x86.",
        "llvm.aarch64.",
        "llvm.eh.",
        "llvm.va_",
        "llvm.used",
        "llvm.compiler.used",
        "llvm.global_ctors",
        "llvm.global_dtors",
    ];
    let mut names: BTreeSet<String> =
        INTRINSICS.iter().chain(&METADATA).map(|(name, _)| (*name).to_owned()).collect();
    names.extend(OTHERS.map(str::to_owned));
    names.extend(MATH_INTRINSICS.map(|name| format!("llvm.{name}")));
    for Text { file, line, literal, .. } in literals() {
        if !literal.starts_with("llvm.") || literal.contains('{') {
            continue;
        }
        // An overloaded intrinsic's types follow its name; a start of names ends with a point.
        let of_row = |name: &String| {
            literal == *name
                || literal.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(".f"))
                || literal.ends_with('.') && name.starts_with(literal.trim_end_matches('.'))
                || literal.starts_with("llvm.loop.unroll.")
        };
        assert!(names.iter().any(of_row), "{file}:{line}: `{literal}` has no row in llvm/known.rs");
    }
}
