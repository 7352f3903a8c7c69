//! The modules of each crate keep to the layers that ARCHITECTURE.md draws.

use ptyx_house_tests::{check, layers, sources};
use std::path::{Path, PathBuf};

/// The source folders that must have a block in ARCHITECTURE.md. Other blocks are checked, too: a crate
/// whose block is new is added here.
const DRAWN: &[&str] = &[
    "compiler/src",
    "device-std/src",
    "driver-api/src",
    "emulator/src",
    "host/src",
    "image/src",
    "launch-macro/src",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn modules_import_only_what_stands_above() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let drawn = layers::parse(&text).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    let mut found = Vec::new();
    for folder in DRAWN.iter().filter(|folder| drawn.iter().all(|it| it.folder != **folder)) {
        found.push(format!("ARCHITECTURE.md has no section `Layers of {folder}`"));
    }
    for layers in &drawn {
        let folder = root().join(&layers.folder);
        match sources::read(&|file| std::fs::read_to_string(folder.join(file)).ok()) {
            Ok(modules) => found.extend(check::violations(layers, &modules)),
            Err(error) => found.push(format!("{}: {error}", layers.folder)),
        }
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}
