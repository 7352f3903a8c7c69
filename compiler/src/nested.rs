//! What is left of this crate for the build scripts of the device pass: nothing to do, under the
//! same names.

/// Only sets `PTYX_BUILD`: the device pass compiles no kernels of its own.
pub fn build() {
    println!("cargo::rustc-env=PTYX_BUILD=device");
}

/// Ignored.
#[derive(Clone, Debug, Default)]
pub enum Libdevice {
    /// Ignored.
    #[default]
    Auto,
    /// Ignored.
    Off,
    /// Ignored.
    At(std::path::PathBuf),
}

/// What compiled kernels say about their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugInfo {
    /// Nothing.
    None,
    /// Lines.
    Lines,
    /// Lines, variables and types.
    Full,
}

/// The options, all of them ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Build;

impl Build {
    /// No options.
    pub fn new() -> Build {
        Build
    }

    /// Ignored.
    pub fn fma(self, _: bool) -> Build {
        self
    }

    /// Ignored.
    pub fn libdevice(self, _: Libdevice) -> Build {
        self
    }

    /// Ignored.
    pub fn targets<S: AsRef<str>>(self, _: impl IntoIterator<Item = S>) -> Build {
        self
    }

    /// Ignored.
    pub fn debug_info(self, _: DebugInfo) -> Build {
        self
    }

    /// Ignored.
    pub fn llvm_ir(self, _: bool) -> Build {
        self
    }

    /// Ignored.
    pub fn passes(self, _: &str) -> Build {
        self
    }

    /// As [`build`].
    pub fn run(self) {
        build();
    }
}
