//! The rustc that compiles the package, and the LLVM inside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::scrub;
use crate::error::{Error, Result};
use crate::llvm::{Library, SUPPORTED_MAJOR};

/// How the name of LLVM's shared library begins; version and rustc's own follow.
const LIBRARY_NAME: &str = "libLLVM.so.";

/// A rustc and its LLVM.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Toolchain {
    pub(crate) rustc: PathBuf,
    /// The first line of `rustc -vV`.
    pub(crate) version: String,
    pub(crate) sysroot: PathBuf,
    /// The triple that the package is compiled for.
    pub(crate) target: String,
    pub(crate) libllvm: Library,
    /// LLVM's version, `major.minor`.
    pub(crate) llvm: String,
    /// The commit that rustc was built from, if it says so.
    pub(crate) commit: String,
}

impl Toolchain {
    /// Asks `rustc` about itself; it compiles for the triple `target`.
    pub(crate) fn find(rustc: &Path, target: &str) -> Result<Self> {
        let verbose = query(rustc, "-vV")?;
        let unreadable = || Error::Output {
            command: format!("{} -vV", rustc.display()),
            reason: format!("no LLVM version in {verbose:?}"),
        };
        let (version, llvm) = parse_version(&verbose).ok_or_else(unreadable)?;
        let claimed = claimed_by_tests().unwrap_or_else(|| llvm.clone());
        let known = major_of(&claimed).ok_or_else(unreadable)?;
        if known < SUPPORTED_MAJOR {
            return Err(Error::OldLlvm { version: version.to_owned(), found: claimed });
        }
        let sysroot = PathBuf::from(query(rustc, "--print=sysroot")?.trim_end());
        let prefix = format!("{LIBRARY_NAME}{llvm}-rust-");
        let libllvm = find_library(&sysroot.join("lib"), &prefix).ok_or_else(|| Error::NoLlvm {
            version: version.to_owned(),
            looked_for: format!("{}/lib/{prefix}*", sysroot.display()),
        })?;
        Ok(Toolchain {
            rustc: rustc.to_owned(),
            version: version.to_owned(),
            sysroot,
            target: target.to_owned(),
            libllvm: Library { path: libllvm, major: major_of(&llvm).ok_or_else(unreadable)? },
            llvm: claimed,
            commit: line(&verbose, "commit-hash: ").unwrap_or_default().to_owned(),
        })
    }

    /// Asks `rustc` about itself; it compiles for its own host.
    pub(crate) fn of_host(rustc: &Path) -> Result<Self> {
        let verbose = query(rustc, "-vV")?;
        let host = line(&verbose, "host: ").ok_or_else(|| Error::Output {
            command: format!("{} -vV", rustc.display()),
            reason: format!("no host in {verbose:?}"),
        })?;
        Toolchain::find(rustc, host)
    }

    /// Whether Ptyx is tested with an LLVM of this major version. Any other has to pass the contract first.
    pub(crate) fn is_tested(&self) -> bool {
        major_of(&self.llvm) == Some(SUPPORTED_MAJOR)
    }
}

/// The LLVM version that tests claim, to see what happens with a newer one.
fn claimed_by_tests() -> Option<String> {
    let asked = cfg!(debug_assertions).then(|| std::env::var("PTYX_TEST_LLVM_VERSION"));
    asked?.ok().filter(|version| !version.is_empty())
}

fn major_of(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
impl Toolchain {
    /// The toolchain of the tests themselves. Found once: to ask rustc takes longer than most tests.
    pub(crate) fn for_test() -> Toolchain {
        static FOUND: std::sync::LazyLock<Toolchain> = std::sync::LazyLock::new(|| {
            let rustc = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
            Toolchain::find(&rustc, "x86_64-unknown-linux-gnu").unwrap()
        });
        FOUND.clone()
    }
}

/// Runs `rustc <argument>`.
fn query(rustc: &Path, argument: &str) -> Result<String> {
    let command = || format!("{} {argument}", rustc.display());
    let mut process = Command::new(rustc);
    process.arg(argument);
    scrub(&mut process);
    let output = process
        .output()
        .map_err(|error| Error::Command { command: command(), output: error.to_string() })?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Command { command: command(), output });
    }
    String::from_utf8(output.stdout)
        .map_err(|error| Error::Output { command: command(), reason: error.to_string() })
}

/// First line, and `major.minor` of LLVM, of what `rustc -vV` prints.
fn parse_version(verbose: &str) -> Option<(&str, String)> {
    let llvm = line(verbose, "LLVM version: ")?;
    let mut numbers = llvm.split('.');
    Some((verbose.lines().next()?, format!("{}.{}", numbers.next()?, numbers.next()?)))
}

/// What follows `start` in the line that begins with it.
fn line<'a>(verbose: &'a str, start: &str) -> Option<&'a str> {
    verbose.lines().find_map(|line| line.strip_prefix(start))
}

/// The first file in `dir` whose name starts with `prefix`.
fn find_library(dir: &Path, prefix: &str) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|n| n.starts_with(prefix))
        })
        .collect();
    found.sort();
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines() {
        let verbose = "rustc 1.95.0 (59807616e 2026-04-14)\nhost: x\nLLVM version: 22.1.2\n";
        let (version, llvm) = parse_version(verbose).unwrap();
        assert_eq!((version, llvm.as_str()), ("rustc 1.95.0 (59807616e 2026-04-14)", "22.1"));
        assert_eq!(parse_version("rustc 1.95.0\nhost: x\n"), None);
    }
}
