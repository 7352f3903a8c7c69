//! What is made of instructions says of which: each public function of the device library names the section of the PTX
//! ISA and the least architecture that has it, or its module does so for all of its functions.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules that are no instructions: they are about memory, types and names, or are plain Rust on top of other modules.
const OTHERS: [&str; 14] = [
    "arch",
    "cuda_names",
    "device_copy",
    "format",
    "half_runtime",
    "layout",
    "marker",
    "math/composite",
    "math/special",
    "print",
    "ptx",
    "random",
    "unroll",
    "view",
];

/// What links a section of the manual, and what names an architecture.
const SIGNS: [&str; 2] = ["docs.nvidia.com/cuda/parallel-thread-execution/", "`sm_"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../device-std/src")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The documentation of a module, from the head of its file.
fn head(text: &str) -> String {
    text.lines().filter(|line| line.starts_with("//!")).collect()
}

/// The heads of a file and of the modules that it is in, up to the library's own.
fn heads(path: &Path) -> String {
    let mut all = head(&fs::read_to_string(path).unwrap());
    let mut folder = path.parent().unwrap();
    while folder != source() {
        for outer in [folder.join("mod.rs"), folder.with_extension("rs")] {
            all += &fs::read_to_string(outer).map(|text| head(&text)).unwrap_or_default();
        }
        folder = folder.parent().unwrap();
    }
    all
}

/// The names of the public functions in a file, each with its documentation. Those that are hidden from readers are left out.
fn functions(text: &str) -> Vec<(String, String)> {
    let (mut found, mut docs) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim) {
        if line == "#[cfg(test)]" {
            break;
        }
        let declared = line.strip_prefix("pub ").and_then(|line| {
            let words = ["const ", "unsafe ", "async "];
            let rest =
                words.iter().fold(line, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
            rest.strip_prefix("fn ")
        });
        if let Some(declared) = declared
            && !docs.contains("#[doc(hidden)]")
        {
            let name = declared.split(['<', '(']).next().unwrap_or_default();
            found.push((name.to_owned(), docs.clone()));
        }
        match line.starts_with("///") || line.starts_with("#[") || line.starts_with("$(#[") {
            true => docs += line,
            false => docs.clear(),
        }
    }
    found
}

/// The functions in a file that lack a sign which their modules lack, too.
fn silent(heads: &str, text: &str) -> Vec<String> {
    let lacks = |sign: &&&str| !heads.contains(**sign);
    let wanted: Vec<&&str> = SIGNS.iter().filter(lacks).collect();
    let is_silent = |docs: &str| wanted.iter().any(|sign| !docs.contains(**sign));
    let all = functions(text).into_iter();
    all.filter(|(_, docs)| is_silent(docs)).map(|(name, _)| name).collect()
}

#[test]
fn functions_name_their_instructions() {
    let mut paths = Vec::new();
    files(&source(), &mut paths);
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for path in paths {
        let name = path.strip_prefix(source()).unwrap().with_extension("").display().to_string();
        let is_in = |other: &&str| name == **other || name.starts_with(&format!("{other}/"));
        if OTHERS.iter().any(is_in) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        checked += functions(&text).len();
        wrong.extend(
            silent(&heads(&path), &text).into_iter().map(|function| format!("{name}: {function}")),
        );
    }
    assert!(checked > 300, "only {checked} functions were found");
    assert!(
        wrong.is_empty(),
        "these functions, or the heads of their modules, must link a section of the PTX ISA and name the least \
         architecture (`sm_70`):\n  {}",
        wrong.join("\n  ")
    );
    for other in OTHERS {
        let place = source().join(other);
        assert!(place.is_dir() || place.with_extension("rs").is_file(), "there is no `{other}`");
    }
}

#[test]
fn silent_functions_are_found() {
    let link = "/// PTX [`x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#x)\n";
    let text = format!(
        "/// Nothing.\npub fn a() {{}}\n{link}pub unsafe fn b() {{}}\n{link}/// (`sm_90`)\n#[inline]\npub const fn c() {{}}\n\
         #[doc(hidden)]\npub fn d() {{}}\n#[cfg(test)]\npub fn e() {{}}\n"
    );
    assert_eq!(silent("", &text), ["a", "b"]);
    assert_eq!(silent("//! `sm_70`", &text), ["a"]);
    assert!(silent(&format!("{link}`sm_70`"), &text).is_empty());
}
