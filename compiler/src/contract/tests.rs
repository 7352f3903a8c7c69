//! The code uses no name that is not in the contract: these tests read the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::of_llvm::PIPELINES;
use crate::llvm::known::{ATTRIBUTES, INTRINSICS, METADATA};
use crate::lower::MATH_INTRINSICS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler/src")
}

/// Every source file below `dir` but tests and probes, by its path in `src`, up to its own tests.
fn sources(dir: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let is_test = name.ends_with("tests.rs") || name.ends_with("/probe");
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if name.ends_with(".rs") && !is_test {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            found.push((name, code.to_owned()));
        }
    }
}

/// The string literals of all files: file, line, the text in front on the line, the literal.
fn literals() -> Vec<(String, usize, String, String)> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut all = Vec::new();
    for (file, text) in files {
        for (line, number) in text.lines().zip(1..) {
            if line.trim_start().starts_with("//") {
                continue;
            }
            // Escaped quotes would end a literal too early, which only makes two of one.
            let parts: Vec<&str> = line.split('"').collect();
            for at in (1..parts.len()).step_by(2) {
                let before = parts[at - 1].to_owned();
                all.push((file.clone(), number, before, parts[at].to_owned()));
            }
        }
    }
    assert!(all.len() > 500, "the sources are not where this test looks for them");
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
    for (file, line, _, literal) in literals() {
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
    for (file, line, before, literal) in literals() {
        if ["attribute(", "attribute_kind("].iter().any(|call| before.ends_with(call)) {
            asked += 1;
            let known = ATTRIBUTES.iter().any(|(name, _)| *name == literal);
            assert!(known, "{file}:{line}: attribute `{literal}` has no row in llvm/known.rs");
        }
    }
    assert!(asked > 10, "only {asked} attributes are found");
}

/// What is passed to each call whose name starts with `run_passes`, by file: its arguments as they are written.
fn pipelines() -> Vec<(String, Vec<String>)> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut all = Vec::new();
    for (file, text) in files {
        let code: Vec<&str> =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        for call in code.split(".run_passes").skip(1) {
            let (_, arguments) = call.split_once('(').expect("a call");
            // In a literal, commas part passes.
            let (mut parts, mut quoted, mut depth) = (vec![String::new()], false, 0);
            for c in arguments.chars() {
                match c {
                    '"' => quoted = !quoted,
                    ')' if !quoted && depth == 0 => break,
                    '(' if !quoted => depth += 1,
                    ')' if !quoted => depth -= 1,
                    ',' if !quoted && depth == 0 => {
                        parts.push(String::new());
                        continue;
                    }
                    _ => {}
                }
                parts.last_mut().expect("an argument").push(c);
            }
            let parts = parts.iter().map(|part| part.trim().to_owned());
            all.push((file.clone(), parts.collect()));
        }
    }
    all
}

/// The row of a pipeline, as its constant is named in [`PIPELINES`]: `optimise::TIDY` for that of the folder `optimise`.
fn rows_of_pipelines() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("contract/of_llvm.rs")).unwrap();
    let (_, rows) = text.split_once("const PIPELINES").expect("the table");
    let (_, rows) = rows.split_once("= [").expect("its rows");
    let (rows, _) = rows.split_once("];").expect("its end");
    let first = |row: &str| row.trim().strip_prefix('(')?.split(',').next().map(str::to_owned);
    let rows: BTreeSet<String> = rows.lines().filter_map(first).collect();
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
    for (file, line, _, literal) in literals() {
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
