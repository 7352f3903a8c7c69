//! Tells the outer cargo which files and variables the device pass has read.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::BuildEnv;
use super::cargo::{Bitcode, DevicePass};
use crate::report::is_local;
use crate::rust::is_scrubbed;

/// What rustc's `.d` file says that a crate was made from.
#[derive(Debug, Default, PartialEq, Eq)]
struct DepInfo {
    /// Relative to the directory that rustc ran in.
    files: BTreeSet<PathBuf>,
    /// Environment variables that the crate's `env!` and `option_env!` read.
    variables: BTreeSet<String>,
}

impl DepInfo {
    /// Reads make's notation: `output: input input ...`, spaces in names escaped, and rustc's
    /// comments `# env-dep:NAME=value`.
    fn parse(text: &str) -> Self {
        let mut info = DepInfo::default();
        for line in text.lines() {
            if let Some(variable) = line.strip_prefix("# env-dep:") {
                let name = variable.split('=').next().unwrap_or(variable);
                info.variables.insert(name.to_owned());
            } else if let Some((_, inputs)) = line.split_once(": ") {
                info.files.extend(unescape(inputs));
            }
        }
        info
    }
}

/// Splits at spaces that have no backslash before them.
fn unescape(names: &str) -> Vec<PathBuf> {
    let mut split = Vec::new();
    let mut name = String::new();
    let mut characters = names.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&' ') => {
                name.push(' ');
                characters.next();
            }
            ' ' => split.push(std::mem::take(&mut name)),
            other => name.push(other),
        }
    }
    split.push(name);
    split.into_iter().filter(|name| !name.is_empty()).map(PathBuf::from).collect()
}

/// Prints `cargo::rerun-if-...` lines.
///
/// They name every file of every local package that the device pass has compiled, the manifests, and
/// the directories in which cargo looks for targets. Where the pass has failed, also in one target only, the files of crates
/// are unknown, and may be outside of the package (`#[path]`, `include!`): then the script runs again each time.
pub(super) fn print_rerun_lines(env: &BuildEnv, pass: &DevicePass<'_>, bitcode: Option<&Bitcode>) {
    let mut files = BTreeSet::new();
    let mut variables = BTreeSet::new();
    let mut packages: BTreeSet<PathBuf> = BTreeSet::from([env.manifest_dir.clone()]);
    if let Some(bitcode) = bitcode {
        packages.extend(bitcode.packages.iter().filter(|path| is_local(path)).cloned());
    }
    for package in &packages {
        for name in ["Cargo.toml", "Cargo.lock", "build.rs", "src"] {
            files.insert(package.join(name));
        }
    }
    let target_dirs = ["examples", "tests", "benches"].map(|name| env.manifest_dir.join(name));
    if let Some(watch) = watch_missing(&env.out_dir.join("ptyx-watch"), &target_dirs) {
        println!("cargo::rerun-if-changed={}", watch.display());
    }
    files.extend(target_dirs);
    if bitcode.is_none_or(|bitcode| !bitcode.host_errors.is_empty()) {
        // Cargo takes a missing file for one that has just changed.
        println!("cargo::rerun-if-changed={}", env.out_dir.join("ptyx-failed").display());
    }
    if let Some(root) = pass.project.root() {
        files.insert(root.join("Cargo.toml"));
        files.insert(root.join("Cargo.lock"));
    }
    let crates = bitcode.iter().flat_map(|bitcode| {
        bitcode.libs.iter().chain(&bitcode.targets).chain(&bitcode.dependencies)
    });
    for file in crates {
        let Ok(text) = fs::read_to_string(file.with_extension("d")) else {
            continue;
        };
        let info = DepInfo::parse(&text);
        files.extend(info.files.iter().flat_map(|path| locate(path, &packages)));
        variables.extend(info.variables);
    }

    let made = [env.out_dir.as_path(), pass.directory.as_path()];
    // `cargo package` compiles a package inside the target directory.
    let outer = env
        .layout()
        .map(|layout| layout.target_dir)
        .filter(|target_dir| !env.manifest_dir.starts_with(target_dir));
    let is_made = |path: &Path| {
        made.into_iter().chain(outer.as_deref()).any(|directory| path.starts_with(directory))
    };
    for path in files {
        if path.exists() && !is_made(&path) && is_local(&path) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    for name in variables {
        if !is_scrubbed(&name) && name != "CARGO" {
            println!("cargo::rerun-if-env-changed={name}");
        }
    }
}

/// A directory that changes when one of the missing directories appears.
///
/// Cargo takes a missing file for one that has just changed. But in a directory it follows links, and
/// leaves out those that lead nowhere. The directory's own time is set to long ago: cargo compares it
/// with the time before the build script ran.
fn watch_missing(watch: &Path, directories: &[PathBuf]) -> Option<PathBuf> {
    let _ = fs::remove_dir_all(watch);
    fs::create_dir_all(watch).ok()?;
    for directory in directories.iter().filter(|directory| !directory.exists()) {
        symlink(directory, watch.join(directory.file_name()?)).ok()?;
    }
    let long_ago = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1));
    File::open(watch).and_then(|file| file.set_times(long_ago)).ok()?;
    Some(watch.to_owned())
}

/// The files that rustc may mean by `path`: it ran in the root of a workspace or of a package.
fn locate(path: &Path, packages: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    if path.is_absolute() {
        return vec![path.to_owned()];
    }
    let directories: BTreeSet<&Path> =
        packages.iter().flat_map(|package| package.ancestors()).collect();
    directories.into_iter().map(|directory| directory.join(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dep_info_of_rustc() {
        let text = "/t/deps/a.d: src/lib.rs src/a\\ b.rs /x/c.txt\n\n\
                    /t/deps/a.bc: src/lib.rs\n\n\
                    src/lib.rs:\nsrc/a\\ b.rs:\n\n\
                    # env-dep:CARGO_PKG_NAME=a\n# env-dep:UNSET\n";
        let info = DepInfo::parse(text);
        let files = ["src/lib.rs", "src/a b.rs", "/x/c.txt"].map(PathBuf::from);
        assert_eq!(info.files, BTreeSet::from(files));
        assert_eq!(info.variables, BTreeSet::from(["CARGO_PKG_NAME", "UNSET"].map(str::to_owned)));
    }
}
