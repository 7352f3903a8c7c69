//! Checks a toolchain that Ptyx is not tested with, and remembers the verdict.
//!
//! The check is done by a worker, since an LLVM that differs may end the process. It takes seconds, so its
//! verdict is kept in the target folder, by rustc's commit and by this program: another compiler may rely
//! on other things.

use std::fs;
use std::path::{Path, PathBuf};

use super::jobs::Job;
use super::process;
use crate::contract::Row;
use crate::error::{Context, Error, Result};
use crate::kernel::Cache;
use crate::llvm::OPTIONS;
use crate::report::Diagnostic;
use crate::rust::Toolchain;

/// Refuses a toolchain with an LLVM of an unknown version if something that Ptyx relies on does not hold
/// there; otherwise tells the user that this is such a toolchain. Those that Ptyx is tested with pass
/// unchecked. `dir` is where verdicts are kept.
pub(crate) fn check_toolchain(toolchain: &Toolchain, cargo: &Path, dir: &Path) -> Result<()> {
    if cfg!(debug_assertions) {
        for name in ["PTYX_TEST_LLVM_VERSION", "PTYX_TEST_MOVED_ROW"] {
            println!("cargo::rerun-if-env-changed={name}");
        }
    }
    if toolchain.is_tested() {
        return Ok(());
    }
    let place = dir.join(format!("{}.json", key(toolchain)));
    let known = fs::read(&place).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let rows: Vec<Row> = match known {
        Some(rows) => rows,
        None => {
            // Two build scripts may do this at once.
            let scratch = dir.join(std::process::id().to_string());
            let rows = contract(toolchain, cargo, &scratch)?;
            let _ = fs::remove_dir_all(&scratch);
            remember(&place, &rows);
            rows
        }
    };
    let (version, found) = (toolchain.version.clone(), toolchain.llvm.clone());
    let moved: Vec<&Row> = rows.iter().filter(|row| row.moved.is_some()).collect();
    if moved.is_empty() {
        println!(
            "cargo::warning=this rustc ({version}) has LLVM {found}, which this version of Ptyx is not \
             tested with. All {} things that Ptyx relies on were checked, and hold",
            rows.len()
        );
        return Ok(());
    }
    let moved = moved.iter().map(|row| format!("  - {row}")).collect();
    Err(Error::MovedContract { version, found, moved })
}

/// Checks every row against a toolchain, in a worker.
pub(crate) fn contract(toolchain: &Toolchain, cargo: &Path, dir: &Path) -> Result<Vec<Row>> {
    fs::create_dir_all(dir).context("create", dir)?;
    let (toolchain, cargo) = (Box::new(toolchain.clone()), cargo.to_owned());
    let job = Job::Contract { toolchain, cargo, dir: dir.to_owned() };
    Ok(process::run(dir, "contract", &job).or_lost().unwrap_or_else(lost))
}

/// What is known if the check's own process was lost.
fn lost(errors: Vec<Diagnostic>) -> Vec<Row> {
    let said = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    // LLVM names the option that it does not know.
    let unknown = OPTIONS.iter().skip(1).filter_map(|option| {
        let option = option.to_string_lossy();
        let name = option.split('=').next()?;
        said.contains(name).then(|| format!("LLVM option `{option}`"))
    });
    let names: Vec<String> = unknown.collect();
    let names = if names.is_empty() { vec!["the check itself".to_owned()] } else { names };
    let row = |name| Row { name, used_by: "llvm/mod.rs".to_owned(), moved: Some(said.clone()) };
    names.into_iter().map(row).collect()
}

/// What a verdict is kept by.
fn key(toolchain: &Toolchain) -> String {
    let compiler = Cache::compiler();
    // Tests claim versions.
    let moved = std::env::var("PTYX_TEST_MOVED_ROW").unwrap_or_default();
    let of_rustc =
        (&toolchain.commit, &toolchain.version, &toolchain.libllvm.path, &toolchain.llvm);
    Cache::hash(&(of_rustc, compiler, moved))
}

/// Remembers a verdict. Failing to is no error.
fn remember(place: &PathBuf, rows: &[Row]) {
    let Ok(text) = serde_json::to_vec(rows) else { return };
    let aside = place.with_extension(format!("{}.tmp", std::process::id()));
    let _ = fs::write(&aside, text).and_then(|()| fs::rename(&aside, place));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LLVM ends the process with a message about the option.
    #[test]
    fn an_option_that_llvm_does_not_know_is_named() {
        let said =
            "the code generator failed:\n  ptyx: Unknown command line argument '-disable-lsr'.";
        let names = |said: &str| -> Vec<String> {
            lost(vec![Diagnostic::new(said)]).into_iter().map(|row| row.name).collect()
        };
        assert_eq!(names(said), ["LLVM option `-disable-lsr`"]);
        assert_eq!(names("LLVM crashed (signal 11)"), ["the check itself"]);
    }
}
