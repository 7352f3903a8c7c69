//! The order of crates: each crate comes after those that it uses. Also, which crates belong together.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Sorts bitcode files so that each one comes after those that `uses` says it uses. Duplicates are
/// dropped; files that do not depend on each other stay in alphabetical order.
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

/// Crates that are linked together: some of a package's targets, and what these use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Family {
    /// Bitcode files whose launches are compiled.
    pub(crate) own: Vec<PathBuf>,
    /// Bitcode files of what they use, each one after those that it uses.
    pub(crate) dependencies: Vec<PathBuf>,
}

/// Groups a package's crates so that no group has two variants of one crate.
///
/// Cargo compiles a crate twice if its profile says `panic = "abort"`, because tests always unwind. Symbols
/// without a hash (`#[no_mangle]`) would then be defined twice. `dependencies` is in order.
pub(super) fn families(
    own: &[PathBuf],
    dependencies: &[PathBuf],
    uses: impl Fn(&Path) -> Vec<PathBuf>,
) -> Vec<Family> {
    let mut groups: Vec<(Vec<PathBuf>, BTreeSet<PathBuf>)> = Vec::new();
    for file in own {
        let closure = closure(file, &uses);
        let group = groups.iter_mut().find(|(_, known)| are_compatible(known, &closure));
        match group {
            Some((files, known)) => {
                files.push(file.clone());
                known.extend(closure);
            }
            None => groups.push((vec![file.clone()], closure)),
        }
    }
    let family = |(own, closure): (Vec<PathBuf>, BTreeSet<PathBuf>)| Family {
        own,
        dependencies: dependencies.iter().filter(|file| closure.contains(*file)).cloned().collect(),
    };
    groups.into_iter().map(family).collect()
}

/// All that a crate uses, directly or not.
fn closure(file: &Path, uses: impl Fn(&Path) -> Vec<PathBuf>) -> BTreeSet<PathBuf> {
    let mut closure = BTreeSet::new();
    let mut open = uses(file);
    while let Some(file) = open.pop() {
        if !closure.contains(&file) {
            open.extend(uses(&file));
            closure.insert(file);
        }
    }
    closure
}

/// Whether two sets of crates can be in one program: for each name, one set must have all the crates that
/// the other has. (Two versions of a crate share a name, and can be in one program.)
fn are_compatible(one: &BTreeSet<PathBuf>, other: &BTreeSet<PathBuf>) -> bool {
    let only_in = |a: &BTreeSet<PathBuf>, b: &BTreeSet<PathBuf>| -> HashSet<String> {
        a.difference(b).filter_map(|file| crate_name(file)).collect()
    };
    only_in(one, other).is_disjoint(&only_in(other, one))
}

/// A crate's name, without the hash after it.
fn crate_name(file: &Path) -> Option<String> {
    let stem = file.file_stem()?.to_str()?;
    Some(stem.rsplit_once('-').map_or(stem, |(name, _)| name).to_owned())
}

/// Whether panics of a crate abort, as [`super::scripts`] recorded.
pub(super) fn aborts(file: &Path) -> bool {
    fs::read_to_string(file.with_extension("externs"))
        .is_ok_and(|text| text.lines().any(|line| line == "aborts"))
}

/// The bitcode files of the crates that a crate uses directly: what [`super::scripts`] noted, below `directory`.
pub(super) fn externs(file: &Path, directory: &Path) -> Vec<PathBuf> {
    let notes = fs::read_to_string(file.with_extension("externs"));
    notes.map_or_else(|_| Vec::new(), |text| parse(&text, directory))
}

/// Reads rustc's arguments: `name=folder/libname-hash.rmeta`, perhaps with options before the name. The folder is below
/// `directory`, or has its whole path.
fn parse(text: &str, directory: &Path) -> Vec<PathBuf> {
    text.lines()
        .filter_map(|line| {
            let (_, path) = line.split_once('=')?;
            let path = Path::new(path);
            let stem = path.file_stem()?.to_str()?.strip_prefix("lib")?;
            Some(directory.join(path).with_file_name(format!("{stem}.bc")))
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
    fn variants_of_a_crate_stay_apart() {
        let paths =
            |names: &str| -> Vec<PathBuf> { names.split_whitespace().map(PathBuf::from).collect() };
        let uses = |path: &Path| match path.to_str().unwrap() {
            "bin-1" => paths("lib-1 rand-1"),
            "bin-2" | "test-2" => paths("lib-2"),
            "example-1" => paths("lib-1"),
            "lib-1" => paths("dep-1 rand-8 rand-9"),
            "lib-2" => paths("dep-2"),
            _ => Vec::new(),
        };
        let dependencies = paths("dep-1 dep-2 lib-1 lib-2 rand-1 rand-8 rand-9 unused-1");
        let found = families(&paths("bin-1 bin-2 example-1 test-2"), &dependencies, uses);
        let family =
            |own, dependencies| Family { own: paths(own), dependencies: paths(dependencies) };
        assert_eq!(
            found,
            [
                family("bin-1 example-1", "dep-1 lib-1 rand-1 rand-8 rand-9"),
                family("bin-2 test-2", "dep-2 lib-2"),
            ]
        );
    }

    #[test]
    fn arguments_of_rustc() {
        let text = "d=deps/libd-12.rmeta\npriv:e=/else/deps/libe-34.rlib\nproc_macro\n\
                    m=deps/libm-9.so\naborts\n";
        let files = ["/t/deps/d-12.bc", "/else/deps/e-34.bc", "/t/deps/m-9.bc"];
        assert_eq!(parse(text, Path::new("/t")), files.map(PathBuf::from));
    }
}
