//! The error type of this crate.

use std::fmt;

/// A mistake in PTX text, or something there that the emulated device lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line in the PTX text, from 1; 0 if the mistake is not in one line of one text.
    pub line: u32,
    /// The instruction or directive, abbreviated; may be empty.
    pub text: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.message)?;
        if !self.text.is_empty() {
            write!(f, "\n    {}", self.text)?;
        }
        Ok(())
    }
}

/// What can go wrong before a kernel runs.
///
/// A trap of the program that runs is not an error of this type: it becomes a fault report, see
/// [`crate::driver::take_fault`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The PTX text was refused; every reason found, in order of lines.
    #[error("{}", list(.0))]
    Ptx(Vec<Diagnostic>),
    /// There was no memory for a module's variables.
    #[error("no device memory is left for variable `{name}` of {size} bytes")]
    OutOfMemory {
        /// The variable.
        name: String,
        /// Its size in bytes.
        size: u64,
    },
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(|d| format!("ptx error: {d}")).collect();
    lines.join("\n")
}
