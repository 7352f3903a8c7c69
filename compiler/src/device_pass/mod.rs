//! The device pass: the package compiled once more, by a cargo of its own, as LLVM bitcode.
//!
//! [`run`] does all of it: it runs the nested cargo, sorts its output into [`Program`]s, one for the
//! package's library and one for everything else in it, and tells the outer cargo which files matter.

mod build_env;
mod cargo;
mod dep_info;
mod flags;
mod messages;
mod order;
mod project;
mod scripts;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use build_env::BuildEnv;
pub(crate) use cargo::{DevicePass, Executable};
pub(crate) use flags::{CODEGEN, UNSTABLE};
pub(crate) use order::Family;

use crate::error::Result;
use crate::options::Options;
use crate::rust::Toolchain;

/// Which part of a package an image is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unit {
    /// Its library.
    Lib,
    /// Its binaries, examples, tests and benchmarks, and the unit tests of its library.
    Targets,
}

impl Unit {
    /// The name in an image.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Lib => "lib",
            Unit::Targets => "targets",
        }
    }
}

/// The bitcode of one [`Unit`] and of all that it is made of, and how to compile it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Program {
    /// The package's name.
    pub(crate) package: String,
    pub(crate) unit: Unit,
    /// Its crates and what they use, for [`Unit::Targets`] the package's own library included.
    pub(crate) families: Vec<Family>,
    pub(crate) toolchain: Toolchain,
    pub(crate) options: Options,
    /// The libdevice whose mathematical functions are used, if any. Whoever compiles the program
    /// chooses it.
    pub(crate) libdevice: Option<PathBuf>,
    /// A directory for intermediate files. It exists.
    pub(crate) work_dir: PathBuf,
    /// Where `PTYX_DUMP` asks for IR and PTX.
    pub(crate) dump: Option<PathBuf>,
    /// Cargo targets that rustc refused, in both passes.
    pub(crate) failed_targets: Vec<String>,
}

/// What the device pass made of a package.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) toolchain: Toolchain,
    /// The library, if there is one.
    pub(crate) lib: Option<Program>,
    /// The other targets, if there are any.
    pub(crate) targets: Option<Program>,
    /// What the crates of `targets` are, in the order of its families' own crates.
    pub(crate) executables: Vec<Option<Executable>>,
    /// What rustc said about targets that it refused in both passes.
    pub(crate) host_errors: Vec<String>,
}

/// Runs the device pass.
///
/// Prints the `rerun-if` lines for the outer cargo, also when it fails.
pub(crate) fn run(env: &BuildEnv, toolchain: Toolchain, options: &Options) -> Result<Passed> {
    println!("cargo::rerun-if-env-changed=PTYX_DUMP");
    let pass = cargo::DevicePass::new(env, &toolchain, options)?;
    let bitcode = pass.run();
    dep_info::print_rerun_lines(env, &pass, bitcode.as_ref().ok());
    let bitcode = bitcode?;

    let program = |unit, own: &[PathBuf], dependencies: &[PathBuf]| -> Result<Option<Program>> {
        if own.is_empty() {
            return Ok(None);
        }
        Ok(Some(Program {
            package: env.package.clone(),
            unit,
            families: order::families(own, dependencies, |file| {
                order::externs(file, &pass.directory)
            }),
            toolchain: toolchain.clone(),
            options: options.clone(),
            libdevice: None,
            work_dir: env.work_dir(unit)?,
            dump: env.dump.clone(),
            failed_targets: bitcode.failed_targets.clone(),
        }))
    };
    let lib = program(Unit::Lib, &bitcode.libs, &bitcode.dependencies)?;
    let mut dependencies = bitcode.dependencies.clone();
    dependencies.extend(bitcode.libs.clone());
    let targets = program(Unit::Targets, &bitcode.targets, &dependencies)?;
    let crates = targets.iter().flat_map(|targets| &targets.families).flat_map(|f| &f.own);
    let executables = crates.map(|file| bitcode.executables.get(file).cloned()).collect();
    let host_errors = bitcode.host_errors;
    Ok(Passed { toolchain, lib, targets, executables, host_errors })
}
