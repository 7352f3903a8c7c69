//! The device library's declarations of intrinsics and the compiler's rows, one for one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file of the repository.
fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in `text` that begin after `before` and end before `after`, each at most once.
fn names(text: &str, before: &str, after: char) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines().map(str::trim_start) {
        if let Some((name, _)) = line.strip_prefix(before).and_then(|rest| rest.split_once(after)) {
            assert!(names.insert(name.to_owned()), "`{name}` stands twice");
        }
    }
    names
}

#[test]
fn every_intrinsic_has_one_row() {
    let source = read("device-std/src/intrinsics.rs");
    let (_, list) = source.split_once("\nintrinsics! {").expect("the list of intrinsics");
    let (list, _) = list.split_once("\n}").expect("its end");
    let declared = names(list, "fn ", '(');
    let rows = names(&read("compiler/src/lower/intrinsics.rs"), "(\"", '"');
    assert!(declared.len() > 50, "the declarations were not found: {declared:?}");
    let without_row: Vec<_> = declared.difference(&rows).collect();
    let undeclared: Vec<_> = rows.difference(&declared).collect();
    assert!(without_row.is_empty(), "declared without a row: {without_row:?}");
    assert!(undeclared.is_empty(), "rows without a declaration: {undeclared:?}");
}
