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
mod codegen;
#[cfg(not(ptyx_nested))]
mod device_pass;
#[cfg(not(ptyx_nested))]
mod embed;
#[cfg(not(ptyx_nested))]
mod error;
#[cfg(not(ptyx_nested))]
mod libdevice;
#[cfg(not(ptyx_nested))]
mod llvm;
#[cfg(not(ptyx_nested))]
mod lower;
#[cfg(not(ptyx_nested))]
mod options;
#[cfg(not(ptyx_nested))]
mod report;

#[cfg(not(ptyx_nested))]
pub use libdevice::Libdevice;
#[cfg(not(ptyx_nested))]
pub use options::Build;
#[cfg(not(ptyx_nested))]
pub use ptyx_image::DebugInfo;

/// Compiles the kernels of the package whose build script calls it, and links them into it.
///
/// To be called from a build script. When a kernel can't be compiled, it says so with
/// `cargo::error=` lines, which make the build fail as soon as the build script ends. An error in
/// the package's Rust code that the ordinary compilation reports, too, is left to that.
///
/// Environment variables: `PTYX_DUMP=dir` writes LLVM IR before and after, and PTX, into `dir`.
#[cfg(not(ptyx_nested))]
pub fn build() {
    Build::new().run();
}

/// [`build`] with options.
#[cfg(not(ptyx_nested))]
fn build_with(build: Build) {
    if std::env::var_os("CARGO_CFG_PTYX_DEVICE").is_some() {
        return;
    }
    let result = build.resolve().and_then(|options| {
        let env = device_pass::BuildEnv::from_env()?;
        let options = options.for_profile(&env.profile_base, &env.debug);
        embed::embed(&env, &device_pass::run(&env, &options)?)
    });
    if let Err(error) = result {
        error.report();
    }
}

/// The build script of the device pass itself: nothing to do.
#[cfg(ptyx_nested)]
mod nested;
#[cfg(ptyx_nested)]
pub use nested::{Build, DebugInfo, Libdevice, build};
