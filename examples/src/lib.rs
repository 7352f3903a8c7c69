//! What the examples share: command lines, random input, timing, pictures, sums over devices, and the final report.

pub mod args;
pub mod bench;
pub mod picture;
pub mod product;
pub mod random;
pub mod ring;

use std::process::ExitCode;

/// What an example may fail with.
pub type Error = Box<dyn std::error::Error>;

/// Runs an example; an error goes to stderr, with its causes, and makes the exit code 1.
pub fn finish(run: impl FnOnce() -> Result<(), Error>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("error: {error}");
            let mut said = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                // Some errors quote their cause already.
                let text = error.to_string();
                if !said.contains(&text) {
                    eprint!("\n  because: {text}");
                }
                said = text;
                cause = error.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

/// Prints the device that the example runs on.
///
/// # Errors
/// There is no device, which the emulated one prevents.
pub fn print_device() -> Result<(), Error> {
    println!("device: {}", ptyx::Device::current()?.name());
    Ok(())
}
