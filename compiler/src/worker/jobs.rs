//! What a worker can be asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::device_pass::Program;
use crate::link::KernelRoot;
use crate::llvm::Library;
use crate::rust::Toolchain;

/// The work of one process. Its result is a `Result` with a list of diagnostics, as the function that
/// does it says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// Read a libdevice from its first to its last function: [`crate::link::check_libdevice`].
    CheckLibdevice { file: PathBuf, libllvm: Library },
    /// Check a toolchain: [`crate::contract::check`].
    Contract { toolchain: Box<Toolchain>, cargo: PathBuf, dir: PathBuf },
    /// Compile all kernels of a program here: [`super::program::compile_together`].
    Program(Box<Program>),
    /// Compile each kernel of a program in another process: [`super::program::compile_apart`].
    ProgramApart(Box<Program>),
    /// Compile one kernel: [`super::program::compile_kernel`].
    Kernel {
        program: Box<Program>,
        root: Box<KernelRoot>,
        /// The kernel's number in the program.
        number: usize,
        /// The file with the module of all kernels.
        bitcode: PathBuf,
    },
}
