//! Whose code a place or a path is.

use std::path::{Path, PathBuf};

use crate::llvm::Place;
use crate::rust::path_of;
use crate::rust::paths::{INSTALLED_SOURCES, LIBRARY, LIBRARY_SOURCES};

/// Whether a file may change: those of registries and toolchains do not.
pub(crate) fn is_local(path: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    [
        ("CARGO_HOME", ".cargo", ["registry", "git"]),
        ("RUSTUP_HOME", ".rustup", ["toolchains", "downloads"]),
    ]
    .into_iter()
    .flat_map(|(variable, default, directories)| {
        let root = std::env::var_os(variable)
            .map(PathBuf::from)
            .or_else(|| home.as_ref().map(|home| home.join(default)));
        directories.map(|name| root.as_ref().map(|root| root.join(name)))
    })
    .flatten()
    .all(|directory| !path.starts_with(directory))
}

/// Whether a place is neither the standard library's nor Ptyx's.
pub(crate) fn is_own(place: &Place) -> bool {
    const OURS: [&str; 2] = ["ptyx::", "ptyx_device::"];
    let path = path_of(&place.function);
    let path = path.trim_start_matches(['<', '&', '[']);
    // A method of a primitive type belongs to the crate of its trait.
    let path = match path.split_once(" as ") {
        Some((ty, of_trait)) if !ty.contains("::") => of_trait,
        _ => path,
    };
    let of_library = LIBRARY_SOURCES.iter().any(|start| place.file.starts_with(start))
        || place.file.contains(INSTALLED_SOURCES);
    !place.file.is_empty()
        && !of_library
        && !LIBRARY.iter().chain(&OURS).any(|name| path.starts_with(name))
}

/// The crate that a path starts with.
pub(crate) fn crate_of(path: &str) -> &str {
    let path = path.trim_start_matches(['<', '&', '[']);
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_do_not_change() {
        let home = std::env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .unwrap_or_else(|| Path::new(&std::env::var_os("HOME").unwrap()).join(".cargo"));
        assert!(!is_local(&home.join("registry/src/x/lib.rs")));
        assert!(is_local(Path::new("/w/registry/src/lib.rs")));
    }
}
