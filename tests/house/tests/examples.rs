//! Public items have an example that runs as a doc test. Where they do not yet, their number may only become smaller.
//! Nearly all examples are compiled together.

use ptyx_house_tests::examples::{compiled_apart, items};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The public items without an example, by the folder of a crate: lower a number when some of them get one.
const WITHOUT: [(&str, usize); 2] = [("device-std/src", 0), ("host/src", 0)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file below a folder except tests.
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

#[test]
fn public_items_have_examples() {
    let mut wrong = Vec::new();
    for (folder, allowed) in WITHOUT {
        let (mut paths, mut without) = (Vec::new(), BTreeMap::new());
        files(&root().join(folder), &mut paths);
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            let missing = items(&text).into_iter().filter(|item| !item.has_example);
            let lines: Vec<String> = missing.map(|item| item.line.to_string()).collect();
            if !lines.is_empty() {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                without.insert(name, lines);
            }
        }
        let count: usize = without.values().map(Vec::len).sum();
        if count != allowed {
            let rows =
                without.iter().map(|(file, lines)| format!("  {file}: {}", lines.join(", ")));
            let verdict = if count > allowed { "write the new ones" } else { "lower the number" };
            wrong.push(format!(
                "{folder}: {count} public items have no example, not {allowed}: {verdict}\n{}",
                rows.collect::<Vec<_>>().join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many examples of a crate rustdoc compiles one by one: those that show what does not compile. The others are one
/// crate, which takes seconds; each of these takes about one.
const APART: [(&str, usize); 3] =
    [("device-std/src", 10), ("host/src", 4), ("launch-macro/src", 4)];

#[test]
fn examples_are_compiled_together() {
    for (folder, allowed) in APART {
        let mut paths = Vec::new();
        files(&root().join(folder), &mut paths);
        let places = paths.iter().flat_map(|path| {
            let lines = compiled_apart(&fs::read_to_string(path).unwrap());
            lines.into_iter().map(move |line| format!("{}:{line}", path.display()))
        });
        let places: Vec<String> = places.collect();
        assert!(places.len() <= allowed, "more than {allowed}:\n{}", places.join("\n"));
    }
}
