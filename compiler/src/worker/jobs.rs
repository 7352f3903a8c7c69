//! What a worker can be asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::process;
use super::program;
use crate::contract;
use crate::device_pass::Program;
use crate::link::{self, KernelRoot};
use crate::llvm::Library;
use crate::report::Diagnostic;
use crate::rust::Toolchain;

/// The work of one process. Its result is a `Result` with a list of diagnostics, as the function that
/// does it says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// Read a libdevice from its first to its last function: [`link::check_libdevice`].
    CheckLibdevice { file: PathBuf, libllvm: Library },
    /// Check a toolchain: [`contract::check`].
    Contract { toolchain: Box<Toolchain>, cargo: PathBuf, dir: PathBuf },
    /// Compile all kernels of a program here: [`program::compile_together`].
    Program(Box<Program>),
    /// Compile each kernel of a program in another process: [`program::compile_apart`].
    ProgramApart(Box<Program>),
    /// Compile one kernel: [`program::compile_kernel`].
    Kernel {
        program: Box<Program>,
        root: Box<KernelRoot>,
        /// The kernel's number in the program.
        number: usize,
        /// The file with the module of all kernels.
        bitcode: PathBuf,
    },
}

/// Does the job of a worker and ends the process, if this process is one. Else does nothing.
pub(crate) fn serve() {
    let Some((worker, job)) = process::find_job() else { return };
    match job {
        Job::CheckLibdevice { file, libllvm } => {
            worker.finish(|| link::check_libdevice(&file, &libllvm).map_err(|error| vec![error]))
        }
        Job::Contract { toolchain, cargo, dir } => worker.finish(|| {
            contract::check(&toolchain, &cargo, &dir).map_err(|error| vec![Diagnostic::from(error)])
        }),
        Job::Program(program) => worker.finish(|| program::compile_together(&program)),
        Job::ProgramApart(program) => worker.finish(|| program::compile_apart(&program)),
        Job::Kernel { program, root, number, bitcode } => {
            worker.finish(|| program::compile_kernel(&program, &root, number, &bitcode))
        }
    }
}
