//! What can go wrong in the build script, apart from the kernels themselves.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

/// Why a package's kernels could not be compiled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(
        "`ptyx_compiler::build()` is for build scripts: cargo has not set `{0}`. Call it from \
         `fn main()` of the package's `build.rs`"
    )]
    NotABuildScript(&'static str),
    #[error("the build script's `{name}` is not valid UTF-8: {value:?}")]
    NotUtf8 { name: &'static str, value: PathBuf },
    #[error("can't {what} `{}`: {source}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("the environment variable `{name}` is `{value}`: it can be {expected}")]
    Variable { name: &'static str, value: String, expected: &'static str },
    #[error(
        "libdevice can't be read from `{}`, which the build script or `PTYX_LIBDEVICE` asks for: \
         {reason}. Name a `libdevice.10.bc` or a CUDA toolkit, or use `PTYX_LIBDEVICE=off` for the \
         mathematical functions in Rust",
        path.display()
    )]
    Libdevice { path: PathBuf, reason: String },
    #[error("`{command}` failed: {output}")]
    Command { command: String, output: String },
    #[error("can't understand what `{command}` printed: {reason}")]
    Output { command: String, reason: String },
    #[error("this rustc ({version}) has LLVM {found}, which is too old for Ptyx\n{HELP}")]
    OldLlvm { version: String, found: String },
    #[error(
        "this rustc ({version}) has LLVM {found}, which this version of Ptyx does not know, and not \
         everything that Ptyx relies on holds there:\n{}\n  = note: everything that was checked: \
         docs/toolchains.md\n{HELP}",
        moved.join("\n")
    )]
    MovedContract { version: String, found: String, moved: Vec<String> },
    #[error(
        "this rustc ({version}) has no LLVM that Ptyx can load: there is no `{looked_for}`\n  = \
         note: kernels are compiled with the LLVM inside of rustc. rustup's toolchains for \
         x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu have it as a shared library; those \
         for musl, and some that are built from source, have it inside of rustc's own\n{HELP}"
    )]
    NoLlvm { version: String, looked_for: String },
    #[error("Ptyx can't embed kernels in a program for `{0}`: only 64-bit ELF targets work")]
    Target(String),
    #[error("the device pass failed: {0}")]
    Cargo(String),
    #[error("the device pass left no bitcode at `{}`: remove `{}` and build again", path.display(), directory.display())]
    NoBitcode { path: PathBuf, directory: PathBuf },
    #[error("the kernels' image can't be written: {0}")]
    Image(#[from] ptyx_image::ImageError),
    /// Messages for the user, each complete in itself.
    #[error("{}", .0.join("\n"))]
    Diagnostics(Vec<String>),
}

/// Which toolchains work.
const HELP: &str = "  = help: use a toolchain of rustup with LLVM 22: rustc 1.95, 1.96 or 1.97. A file \
    `rust-toolchain.toml` beside the workspace's `Cargo.toml` chooses it:\n          \
    [toolchain]\n          channel = \"1.95.0\"";

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Messages without repetitions: programs that share code share its errors.
    pub(crate) fn diagnostics(messages: impl IntoIterator<Item = String>) -> Self {
        let mut seen = HashSet::new();
        Error::Diagnostics(messages.into_iter().filter(|text| seen.insert(text.clone())).collect())
    }

    /// Tells cargo, and through it the user.
    pub(crate) fn report(&self) {
        let text = match self {
            Error::Diagnostics(messages) => messages.join("\n"),
            other => other.to_string(),
        };
        for line in text.trim_end().lines() {
            println!("cargo::error={line}");
        }
    }
}

/// Names the file that an input or output operation was about.
pub(crate) trait Context<T> {
    fn context(self, what: &'static str, path: impl Into<PathBuf>) -> Result<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, what: &'static str, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| Error::Io { what, path: path.into(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_said_once() {
        let messages = ["b", "a", "b", "a", "c"].map(str::to_owned);
        assert_eq!(Error::diagnostics(messages).to_string(), "b\na\nc");
    }
}
