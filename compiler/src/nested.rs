//! What is left of this crate for the build scripts of the device pass: nothing to do, under the
//! same names.

/// Nothing: the device pass compiles no kernels of its own.
pub fn build() {}

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

    /// Nothing.
    pub fn run(self) {}
}
