//! The contract with rustc, std, cargo and LLVM: everything that Ptyx relies on in them, as a list of rows that a
//! toolchain is checked against.
//!
//! | file | checks |
//! |---|---|
//! | `of_llvm.rs` | functions, options, attributes, intrinsics, metadata, passes, conventions, numbers |
//! | `of_rustc.rs` | rustc's options, and that the probes compile |
//! | `of_cargo.rs` | variables, messages and places, by a device pass of a small package |
//! | `of_std.rs` | symbols, layouts, `format_args!`, the sysroot's bitcode, by what rustc makes of a probe |
//! | `kernels.rs` | small kernels, from rustc's bitcode to PTX |
//!
//! The names are where they are used: in `rust/`, `llvm/known.rs` and the tables of the passes. The rows
//! are made of those same constants, so there is no second list that could differ. `cargo run -p
//! ptyx-compiler --example contract` prints the rows that do not hold, `compiler/tests/contract.rs`
//! checks the toolchains that Ptyx is tested with, and a build with an LLVM of an unknown version checks
//! its own (`worker/contract.rs`, docs/toolchains.md).

mod kernels;
mod list;
mod of_cargo;
mod of_llvm;
mod of_rustc;
mod of_std;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::llvm::{self, LlvmError};
use crate::rust::Toolchain;
use list::List;

pub(crate) use list::Row;

/// Checks every row against a toolchain. `dir` is for intermediate files. It exists.
///
/// LLVM may end the process, as it does when it does not know an option: call this in a worker.
pub(crate) fn check(
    toolchain: &Toolchain,
    cargo: &Path,
    dir: &Path,
) -> Result<Vec<Row>, LlvmError> {
    let mut list = List::default();
    let missing = llvm::missing_functions(&toolchain.libllvm.path)?;
    for name in llvm::functions() {
        list.find(format!("LLVM function `{name}`"), "llvm/", !missing.contains(name));
    }
    // Nothing else can be asked without them.
    if !missing.is_empty() {
        return Ok(list.into_rows());
    }
    llvm::load(&toolchain.libllvm)?;
    of_llvm::check(&mut list)?;
    if let Some(probes) = of_rustc::check(&mut list, toolchain, dir) {
        of_std::check(&mut list, toolchain, &probes);
        kernels::check(&mut list, toolchain, &probes, dir);
    }
    of_cargo::check(&mut list, toolchain, cargo, dir);
    Ok(list.into_rows())
}
