//! The device pass: the package compiled once more, by a cargo of its own, as LLVM bitcode.
//!
//! [`run`] is the whole of it: find the toolchain, run the nested cargo, hand what it made to the
//! code generator, once for the package's library and once for everything else in it, and tell
//! the outer cargo which files matter.

mod build_env;
mod cargo;
mod dep_info;
mod messages;
mod order;
mod project;
mod scripts;
mod toolchain;

use std::path::PathBuf;

use ptyx_image::Image;

pub(crate) use build_env::BuildEnv;
pub(crate) use project::is_local;
pub(crate) use toolchain::Toolchain;

use crate::codegen;
use crate::error::{Error, Result};
use crate::options::Options;

/// Which part of a package an image is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Its library.
    Lib,
    /// Its binaries, examples, tests and benchmarks, and the unit tests of its library.
    Targets,
}

impl Unit {
    /// The name that stands in an image.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Lib => "lib",
            Unit::Targets => "targets",
        }
    }
}

/// What the code generator gets: the bitcode of one [`Unit`] and of all that it is made of.
#[derive(Debug)]
pub(crate) struct DeviceProgram {
    /// The package's name.
    pub(crate) package: String,
    pub(crate) unit: Unit,
    /// Bitcode files whose launches are compiled.
    pub(crate) own: Vec<PathBuf>,
    /// Bitcode files of all other crates, for [`Unit::Targets`] the package's own library
    /// included; each one behind those that it depends on.
    pub(crate) dependencies: Vec<PathBuf>,
    pub(crate) toolchain: Toolchain,
    pub(crate) options: Options,
    /// The libdevice whose mathematical functions are used, if any.
    pub(crate) libdevice: Option<PathBuf>,
    /// A directory for intermediate files. It exists.
    pub(crate) work_dir: PathBuf,
    /// Where `PTYX_DUMP` asks for IR and PTX.
    pub(crate) dump: Option<PathBuf>,
    /// Cargo targets that rustc refused, in both passes.
    pub(crate) failed_targets: Vec<String>,
}

/// The images of a package.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The library's, if there is a library.
    pub(crate) lib: Option<Image>,
    /// The other targets', if there are any.
    pub(crate) targets: Option<Image>,
}

/// Runs the device pass and generates code.
///
/// Prints the `rerun-if` lines for the outer cargo, also when it fails.
pub(crate) fn run(env: &BuildEnv, options: &Options) -> Result<Outcome> {
    println!("cargo::rerun-if-env-changed=PTYX_DUMP");
    let toolchain = Toolchain::find(env)?;
    let pass = cargo::DevicePass::new(env, &toolchain, options)?;
    let bitcode = pass.run();
    dep_info::print_rerun_lines(env, &pass, bitcode.as_ref().ok());
    let bitcode = bitcode?;
    let libdevice =
        codegen::math::choose(&options.libdevice, &toolchain, &env.work_dir(Unit::Targets)?)?;

    let program = |unit, own: Vec<PathBuf>, dependencies: Vec<PathBuf>| -> Result<DeviceProgram> {
        Ok(DeviceProgram {
            package: env.package.clone(),
            unit,
            own,
            dependencies,
            toolchain: toolchain.clone(),
            options: options.clone(),
            libdevice: libdevice.clone(),
            work_dir: env.work_dir(unit)?,
            dump: env.dump.clone(),
            failed_targets: bitcode.failed_targets.clone(),
        })
    };
    let lib = match &bitcode.lib {
        Some(lib) => Some(program(Unit::Lib, vec![lib.clone()], bitcode.dependencies.clone())?),
        None => None,
    };
    let mut dependencies = bitcode.dependencies.clone();
    dependencies.extend(bitcode.lib.clone());
    let targets = match bitcode.targets.is_empty() {
        false => Some(program(Unit::Targets, bitcode.targets.clone(), dependencies)?),
        true => None,
    };

    let mut errors = Vec::new();
    let mut compile = |program: Option<DeviceProgram>| match codegen::compile(&program?) {
        Ok(image) => Some(image),
        Err(diagnostics) => {
            errors.extend(diagnostics.iter().map(ToString::to_string));
            None
        }
    };
    let outcome = Outcome { lib: compile(lib), targets: compile(targets) };
    if errors.is_empty() {
        return Ok(outcome);
    }
    // The host pass will not come to rustc's errors now.
    Err(Error::diagnostics(bitcode.host_errors.into_iter().chain(errors)))
}
