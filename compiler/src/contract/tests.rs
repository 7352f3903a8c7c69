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

/// Every pipeline that is run has a row.
#[test]
fn pipelines_have_rows() {
    for (file, line, before, literal) in literals() {
        if before.contains("run_passes") {
            let known = PIPELINES.iter().any(|(passes, _, _)| *passes == literal);
            assert!(known, "{file}:{line}: passes `{literal}` have no row in contract/of_llvm.rs");
        }
    }
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
