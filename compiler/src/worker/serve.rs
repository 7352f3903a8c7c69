//! The worker's side: does the job that it finds.

use super::jobs::Job;
use super::process;
use super::program;
use crate::contract;
use crate::link;
use crate::report::Diagnostic;

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
