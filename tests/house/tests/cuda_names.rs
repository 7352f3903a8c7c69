//! The table of CUDA C++'s names (`device-std/src/cuda_names.rs`) leads where these names are: each item of ours in it has
//! the names of its row as aliases, so that the search of the documentation finds it, too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn device_library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../device-std/src")
}

/// `(CUDA's name, a word beside it)`: of an attribute, the words of the item; of a row of a table, those of the row.
type Aliases = BTreeSet<(String, String)>;

fn words(line: &str) -> impl Iterator<Item = String> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned)
}

/// The string literals of a line.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

fn read_aliases(text: &str, aliases: &mut Aliases) {
    let mut waiting: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        if line.starts_with("#[doc(alias") {
            waiting.extend(literals(line));
        } else if !line.starts_with('#') {
            // An item, or the row of a table, whose names follow on the line.
            let names: Vec<&str> = waiting.drain(..).chain(literals(line)).collect();
            for name in names {
                aliases.extend(words(line).map(|word| (name.to_owned(), word)));
            }
        }
    }
}

fn read_folder(folder: &Path, aliases: &mut Aliases) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_folder(&path, aliases);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            read_aliases(&std::fs::read_to_string(&path).unwrap(), aliases);
        }
    }
}

/// `(CUDA's names, targets of links)` of a row.
fn row(line: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let (cuda, here) = line.strip_prefix("//! | `")?.split_once(" | ")?;
    let names = cuda.split('`').step_by(2).filter(|name| !name.is_empty());
    let targets = here.split("](crate::").skip(1).filter_map(|rest| rest.split(')').next());
    Some((names.collect(), targets.collect()))
}

/// The targets of a row of which no name of the row is an alias. A constructor may have it in its type's row.
fn without_alias<'a>(line: &'a str, aliases: &Aliases) -> Vec<&'a str> {
    let Some((cuda, targets)) = row(line) else { return Vec::new() };
    let known = |target: &&str| {
        let mut path = target.trim_end_matches('!').rsplit("::");
        let last = path.next().unwrap();
        let of = path.next().filter(|of| last == "new" && of.starts_with(char::is_uppercase));
        let has = |word: &str| {
            cuda.iter().any(|name| aliases.contains(&((*name).to_owned(), word.to_owned())))
        };
        has(last) || of.is_some_and(has)
    };
    targets.into_iter().filter(|target| !known(target)).collect()
}

/// What CUDA C++ does by syntax or by a function of the same name is no alias; nor is a second way.
const NO_ALIASES: &[&str] = &[
    "shared!",
    "phased!",
    "shared::dynamic",
    "Array",
    "thread::index_1d",
    "thread::y",
    "thread::z",
    "thread::y_in_grid",
    "thread::z_in_grid",
    "block::y",
    "block::z",
    "async_copy::Pipeline",
    "vector::F32x4::of_slice",
    "vector::F32x4::of_slice_mut",
];

#[test]
fn what_the_table_names_is_found_by_those_names() {
    let mut aliases = Aliases::new();
    read_folder(&device_library(), &mut aliases);
    let text = std::fs::read_to_string(device_library().join("cuda_names.rs")).unwrap();
    let rows = text.lines().filter_map(row);
    let links: usize = rows.clone().map(|(_, targets)| targets.len()).sum();
    assert!(rows.count() >= 120 && links >= 120, "{links} links");
    let missing: Vec<&str> = text
        .lines()
        .flat_map(|line| without_alias(line, &aliases))
        .filter(|target| !NO_ALIASES.contains(target))
        .collect();
    assert!(missing.is_empty(), "not an item with an alias of its row: {}", missing.join(", "));
    // What is left out is in the table.
    for target in NO_ALIASES {
        assert!(text.contains(&format!("(crate::{target})")), "{target} is not in the table");
    }
}

#[test]
fn what_has_no_alias_is_found() {
    let mut aliases = Aliases::new();
    let source = "#[doc(alias = \"__sinf\")]\n#[inline]\npub fn sin(x: f32) -> f32 {\n add_rn(a) = add, \"sum\", alias \"__fadd_rn\";\n";
    read_aliases(source, &mut aliases);
    for (line, missing) in [
        ("//! | `__sinf` | [`fast::sin`](crate::math::fast::sin) |", &[][..]),
        ("//! | `__fadd_rn`, `__dadd_rn` | [`x`](crate::add_rn); likewise `_rz` |", &[]),
        ("//! | `__sinf` | [`fast::cos`](crate::math::fast::cos) |", &["math::fast::cos"]),
        ("//! | `__cosf`, .. | [`fast::sin`](crate::math::fast::sin) |", &["math::fast::sin"]),
        ("//! | `__popc` | `x.count_ones()` |", &[]),
    ] {
        assert_eq!(without_alias(line, &aliases), missing, "{line}");
    }
}
