//! What a build script can ask for: [`Build`], and the environment variables that go over it.
//!
//! An option is a field of [`Options`], a method of [`Build`] and, where a user may want it for one
//! build only, a line in [`Options::with_environment`]. The options are part of the key of every
//! compiled kernel, so a change of one compiles the kernels again.

use crate::error::{Error, Result};
use crate::libdevice::{self, Libdevice};

/// How kernels are to be compiled. The default is what most people want.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Options {
    /// Whether a multiplication and an addition may become one fused instruction.
    pub(crate) fma: bool,
    /// Where mathematical functions come from.
    pub(crate) libdevice: Libdevice,
}

impl Default for Options {
    fn default() -> Options {
        Options { fma: true, libdevice: Libdevice::Auto }
    }
}

/// Environment variables that go over the build script's options.
const VARIABLES: [&str; 2] = ["PTYX_FMA", "PTYX_LIBDEVICE"];

impl Options {
    /// These options with what the environment says instead; tells cargo which variables matter.
    pub(crate) fn with_environment(mut self) -> Result<Options> {
        for name in VARIABLES.iter().chain(&libdevice::VARIABLES) {
            println!("cargo::rerun-if-env-changed={name}");
        }
        if let Some(fma) = switch("PTYX_FMA")? {
            self.fma = fma;
        }
        if let Some(value) = std::env::var_os("PTYX_LIBDEVICE").filter(|value| !value.is_empty()) {
            self.libdevice = Libdevice::from_variable(value);
        }
        Ok(self)
    }
}

/// A variable that is `1`/`on` or `0`/`off`; unset and empty are the same.
fn switch(name: &'static str) -> Result<Option<bool>> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match value.to_str() {
        Some("1" | "on" | "true") => Ok(Some(true)),
        Some("0" | "off" | "false") => Ok(Some(false)),
        _ => Err(Error::Variable {
            name,
            value: value.to_string_lossy().into_owned(),
            expected: "`1` or `0`",
        }),
    }
}

/// [`build`](crate::build) with options.
///
/// ```ignore
/// // build.rs
/// fn main() {
///     ptyx_compiler::Build::new().fma(false).run();
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Build {
    options: Options,
}

impl Build {
    /// The options of [`build`](crate::build).
    pub fn new() -> Build {
        Build::default()
    }

    /// Whether `a * b + c` may become one fused multiply-add, rounded once; on by default, as in
    /// CUDA C. `PTYX_FMA=0` turns it off for one build.
    pub fn fma(mut self, allowed: bool) -> Build {
        self.options.fma = allowed;
        self
    }

    /// Where mathematical functions come from: [`Libdevice::Auto`] if this is not called.
    /// `PTYX_LIBDEVICE=off`, `auto` or a path goes over it for one build.
    pub fn libdevice(mut self, libdevice: Libdevice) -> Build {
        self.options.libdevice = libdevice;
        self
    }

    /// Compiles the kernels of the package: see [`build`](crate::build).
    pub fn run(self) {
        crate::build_with(self.options);
    }
}
