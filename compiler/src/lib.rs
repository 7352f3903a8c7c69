//! Compiles the CUDA kernels of a crate, from its build script, with the LLVM that rustc ships.
//!
//! A crate with kernels has this `build.rs` and nothing else to configure:
//!
//! ```ignore
//! fn main() {
//!     ptyx_compiler::build();
//! }
//! ```
//!
//! [`build`] compiles the package a second time, as LLVM bitcode (the *device pass*), turns the
//! kernels that its `launch!`s name into PTX, and links the result, an *image*, into the
//! package's library and programs.
//!
//! The build script of that second compilation has nothing to do: it is compiled with
//! `cfg(ptyx_nested)`, which leaves of this crate only an empty [`build`], and none of its
//! dependencies.

#[cfg(not(ptyx_nested))]
mod contract;
#[cfg(not(ptyx_nested))]
mod device_pass;
#[cfg(not(ptyx_nested))]
mod embed;
#[cfg(not(ptyx_nested))]
mod error;
#[cfg(not(ptyx_nested))]
mod kernel;
#[cfg(not(ptyx_nested))]
mod link;
#[cfg(not(ptyx_nested))]
mod llvm;
#[cfg(not(ptyx_nested))]
mod lower;
#[cfg(not(ptyx_nested))]
mod optimise;
#[cfg(not(ptyx_nested))]
mod options;
#[cfg(not(ptyx_nested))]
mod package;
#[cfg(not(ptyx_nested))]
mod reject;
#[cfg(not(ptyx_nested))]
mod report;
#[cfg(not(ptyx_nested))]
mod rust;
#[cfg(not(ptyx_nested))]
mod symbols;
#[cfg(not(ptyx_nested))]
mod verdicts;
#[cfg(not(ptyx_nested))]
mod worker;

#[cfg(not(ptyx_nested))]
pub use options::{Build, Libdevice};
#[cfg(not(ptyx_nested))]
pub use ptyx_image::DebugInfo;

/// Compiles the kernels of the package whose build script calls it, and links them into it.
///
/// Call it from a build script, preferably first: the code generator runs in a separate process, which is
/// the build script started again, so code before this call runs several times. (Cargo sees its output only
/// the first time.) A kernel that can't be compiled is reported in `cargo::error=` lines, which fail the
/// build as soon as the build script ends. Errors in the package's Rust code that the ordinary compilation
/// reports, too, are left to it.
///
/// Environment variables: `PTYX_DUMP=dir` writes LLVM IR before and after, and PTX, into `dir`.
#[cfg(not(ptyx_nested))]
pub fn build() {
    Build::new().run();
}

#[cfg(not(ptyx_nested))]
impl Build {
    /// Compiles the kernels of the package: see [`build`].
    pub fn run(self) {
        worker::serve();
        if std::env::var_os(rust::variables::PTYX_DEVICE).is_some() {
            return;
        }
        if let Err(error) = self.compile() {
            error.report();
        }
    }

    fn compile(self) -> error::Result<()> {
        let options = self.resolve()?;
        let env = device_pass::BuildEnv::from_env()?;
        if rust::is_clippy() {
            return verdicts::write(&env, &[]);
        }
        let options = options.for_profile(&env.profile_base, &env.debug);
        let outcome = package::compile(&env, &options)?;
        embed::embed(&env, &outcome)?;
        verdicts::write(&env, &outcome.refused)
    }
}

/// Checks everything that Ptyx relies on against the toolchain of `rustc`, for the host, and returns a line
/// for each row, those that no longer hold first. Intermediate files go into `dir`. For `scripts/contract`
/// and tests.
///
/// Like [`build`], this starts its own program again, which must then reach this call.
///
/// # Errors
/// The toolchain can't be asked.
#[cfg(not(ptyx_nested))]
#[doc(hidden)]
pub fn check_contract(
    rustc: &std::path::Path,
    dir: &std::path::Path,
) -> Result<(Vec<String>, Vec<String>), String> {
    worker::serve();
    let toolchain = rust::Toolchain::of_host(rustc).map_err(|error| error.to_string())?;
    // A toolchain's cargo is beside its rustc.
    let beside = rustc.with_file_name("cargo");
    let cargo = if beside.is_file() { beside } else { "cargo".into() };
    let rows = worker::contract(&toolchain, &cargo, dir).map_err(|error| error.to_string())?;
    let (moved, held): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.moved.is_some());
    let lines = |rows: Vec<contract::Row>| rows.iter().map(ToString::to_string).collect();
    Ok((lines(moved), lines(held)))
}

/// The build script of the device pass itself: nothing to do.
#[cfg(ptyx_nested)]
mod nested;
#[cfg(ptyx_nested)]
pub use nested::{Build, DebugInfo, Libdevice, build};
