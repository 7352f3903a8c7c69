//! Says what Ptyx runs on, and what is wrong: driver, devices, tools, environment variables, cache, kernels.
//!
//! The exit code is 0 if nothing is wrong.

use std::process::ExitCode;

fn main() -> ExitCode {
    let diagnosis = ptyx::doctor();
    print!("{diagnosis}");
    match diagnosis.is_healthy() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
