//! Chooses the libdevice that kernels are linked with: LLVM has to read it, which may end the process.

use std::path::{Path, PathBuf};

use super::jobs::Job;
use super::process;
use crate::error::{Error, Result};
use crate::options::{Libdevice, candidates, file_at};
use crate::rust::Toolchain;

/// Chooses the libdevice that kernels are linked with, `None` for the functions in Rust.
///
/// Prints a `rerun-if-changed` line for it, and a warning for each one that was found but can't be
/// used.
///
/// # Errors
/// The libdevice that was asked for can't be used.
pub(crate) fn choose(
    libdevice: &Libdevice,
    toolchain: &Toolchain,
    work_dir: &Path,
) -> Result<Option<PathBuf>> {
    let usable = |file: &Path| {
        println!("cargo::rerun-if-changed={}", file.display());
        let libllvm = toolchain.libllvm.clone();
        let job = Job::CheckLibdevice { file: file.to_owned(), libllvm };
        process::run::<()>(work_dir, "libdevice", &job).or_lost().map_err(|errors| {
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ").replace('\n', " ")
        })
    };
    match libdevice {
        Libdevice::Off => Ok(None),
        Libdevice::At(path) => {
            let file = file_at(path);
            match usable(&file) {
                Ok(()) => Ok(Some(file)),
                Err(reason) => Err(Error::Libdevice { path: file, reason }),
            }
        }
        Libdevice::Auto => {
            for file in candidates(|name| std::env::var_os(name)) {
                match usable(&file) {
                    Ok(()) => return Ok(Some(file)),
                    Err(reason) => println!(
                        "cargo::warning=libdevice at `{}` is not used: {reason}",
                        file.display()
                    ),
                }
            }
            Ok(None)
        }
    }
}
