//! The order of crates: what a crate uses stands before it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Sorts bitcode files so that each one stands behind those that `uses` says it uses. Duplicates
/// are dropped; what does not depend on each other stays in alphabetical order.
///
/// Cargo's own order will not do: a crate can be ready before the ones that it uses, since rustc
/// needs only their metadata.
pub(super) fn users_last(files: &[PathBuf], uses: impl Fn(&Path) -> Vec<PathBuf>) -> Vec<PathBuf> {
    let mut sorted = files.to_vec();
    sorted.sort();
    let known: HashSet<&PathBuf> = files.iter().collect();
    let mut seen = HashSet::new();
    let mut ordered = Vec::new();
    // A stack of files to enter, and of files to leave once all that they use is in `ordered`.
    let mut stack: Vec<(PathBuf, bool)> =
        sorted.into_iter().rev().map(|file| (file, false)).collect();
    while let Some((file, leave)) = stack.pop() {
        if leave {
            ordered.push(file);
        } else if seen.insert(file.clone()) {
            let mut used = uses(&file);
            used.retain(|other| known.contains(other));
            used.sort();
            stack.push((file, true));
            stack.extend(used.into_iter().rev().map(|other| (other, false)));
        }
    }
    ordered
}

/// The bitcode files of the crates that a crate uses directly: what [`super::scripts`] noted.
pub(super) fn externs(file: &Path) -> Vec<PathBuf> {
    fs::read_to_string(file.with_extension("externs")).map_or_else(|_| Vec::new(), |t| parse(&t))
}

/// Reads rustc's arguments: `name=/directory/libname-hash.rmeta`, perhaps with options before the
/// name.
fn parse(text: &str) -> Vec<PathBuf> {
    text.lines()
        .filter_map(|line| {
            let (_, path) = line.split_once('=')?;
            let path = Path::new(path);
            let stem = path.file_stem()?.to_str()?.strip_prefix("lib")?;
            Some(path.with_file_name(format!("{stem}.bc")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_crates_stand_first() {
        let paths =
            |names: &str| -> Vec<PathBuf> { names.split_whitespace().map(PathBuf::from).collect() };
        let uses = |path: &Path| match path.to_str().unwrap() {
            "a" => paths("z m"),
            "m" => paths("z elsewhere"),
            "b" => paths("a"),
            _ => Vec::new(),
        };
        assert_eq!(users_last(&paths("b a m z m c"), uses), paths("z m a b c"));
        assert_eq!(users_last(&[], uses), paths(""));
    }

    #[test]
    fn arguments_of_rustc() {
        let text = "d=/t/deps/libd-12.rmeta\npriv:e=/t/deps/libe-34.rlib\nproc_macro\n\
                    m=/t/deps/libm-9.so\n";
        let files = ["/t/deps/d-12.bc", "/t/deps/e-34.bc", "/t/deps/m-9.bc"];
        assert_eq!(parse(text), files.map(PathBuf::from));
    }
}
