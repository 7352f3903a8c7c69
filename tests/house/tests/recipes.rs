//! The code in a recipe is the code as it is: what `docs/adding-a-device-intrinsic.md` shows stands in the sources.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file below a folder, without its blanks.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(without_blanks(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn the_example_of_an_intrinsic_is_in_the_device_library() {
    let recipe = root().join("docs/adding-a-device-intrinsic.md");
    let text = fs::read_to_string(recipe).unwrap();
    let mut files = Vec::new();
    sources(&root().join("device-std/src"), &mut files);
    let blocks: Vec<&str> = text.split("```rust\n").skip(1).collect();
    assert!(blocks.len() >= 4, "the recipe has lost its examples");
    for block in blocks {
        let code = block.split("```").next().unwrap();
        let is_there = files.iter().any(|file| file.contains(&without_blanks(code)));
        assert!(is_there, "no file of device-std/src has what the recipe shows:\n{code}");
    }
}
