//! The device pass: the package compiled once more, by a cargo of its own, as LLVM bitcode.
//!
//! [`run`] is the whole of it: find the toolchain, run the nested cargo, hand what it made to the
//! code generator, once for the package's library and once for everything else in it, and tell
//! the outer cargo which files matter.

mod build_env;
mod cargo;
mod dep_info;
mod flags;
mod messages;
mod order;
mod project;
mod scripts;
mod toolchain;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ptyx_image::Image;

pub(crate) use build_env::BuildEnv;
pub(crate) use cargo::Program;
pub(crate) use order::Family;
pub(crate) use project::is_local;
pub(crate) use toolchain::Toolchain;

use crate::codegen::{self, Diagnostic};
use crate::error::{Error, Result};
use crate::options::Options;
use cargo::Bitcode;

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
    /// Its crates and what they use, for [`Unit::Targets`] the package's own library included.
    pub(crate) families: Vec<Family>,
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
    /// The targets with kernels that can't be compiled, if other targets have none.
    pub(crate) refused: Vec<Refused>,
}

/// A target with kernels that can't be compiled.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) program: Program,
    /// Why, each message complete in itself.
    pub(crate) messages: Vec<String>,
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

    let program = |unit, own: &[PathBuf], dependencies: &[PathBuf]| -> Result<DeviceProgram> {
        Ok(DeviceProgram {
            package: env.package.clone(),
            unit,
            families: order::families(own, dependencies, order::externs),
            toolchain: toolchain.clone(),
            options: options.clone(),
            libdevice: libdevice.clone(),
            work_dir: env.work_dir(unit)?,
            dump: env.dump.clone(),
            failed_targets: bitcode.failed_targets.clone(),
        })
    };
    let lib = match bitcode.libs.is_empty() {
        false => Some(program(Unit::Lib, &bitcode.libs, &bitcode.dependencies)?),
        true => None,
    };
    let mut dependencies = bitcode.dependencies.clone();
    dependencies.extend(bitcode.libs.clone());
    let targets = match bitcode.targets.is_empty() {
        false => Some(program(Unit::Targets, &bitcode.targets, &dependencies)?),
        true => None,
    };

    let compile = |program: Option<DeviceProgram>| match program {
        Some(program) => codegen::compile(&program).map(Some),
        None => Ok(None),
    };
    let text = |errors: Vec<Diagnostic>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (lib, targets) = (compile(lib), compile(targets));
    let refused = match &targets {
        Ok(Some(targets)) => refused(&bitcode, &targets.by_crate),
        _ => Vec::new(),
    };
    let (mut errors, mut images) = (Vec::new(), Vec::new());
    for (outcome, is_judged_apart) in [(lib, false), (targets, !refused.is_empty())] {
        match outcome {
            Err(found) => errors.extend(text(found)),
            Ok(None) => images.push(None),
            Ok(Some(mut compiled)) => {
                if !is_judged_apart {
                    errors.extend(text(compiled.errors));
                }
                let names = refused.iter().map(|refused| refused.program.target.describe());
                compiled.image.failed_targets.extend(names);
                compiled.image.failed_targets.sort();
                compiled.image.failed_targets.dedup();
                images.push(Some(compiled.image));
            }
        }
    }
    match <[Option<Image>; 2]>::try_from(images) {
        Ok([lib, targets]) if errors.is_empty() => Ok(Outcome { lib, targets, refused }),
        // The host pass will not come to rustc's errors now.
        _ => {
            let refused = refused.into_iter().flat_map(|refused| refused.messages);
            let errors = errors.into_iter().chain(refused);
            Err(Error::diagnostics(bitcode.host_errors.into_iter().chain(errors)))
        }
    }
}

/// The targets with errors, if the package has targets without errors, which can then be built. Cargo does
/// not tell a build script what is being built, so `launch!` reports the errors in the target that has them.
fn refused(bitcode: &Bitcode, errors: &BTreeMap<usize, Vec<Diagnostic>>) -> Vec<Refused> {
    // The order of the program's crates, as `order::families` makes them.
    let families = order::families(&bitcode.targets, &[], order::externs);
    let crates: Vec<&PathBuf> = families.iter().flat_map(|family| &family.own).collect();
    let program = |index: usize| bitcode.programs.get(*crates.get(index)?);
    let source = |index: usize| program(index).map(|program| &program.target.src_path);
    let failed: BTreeSet<_> = errors.keys().filter_map(|&index| source(index)).collect();
    let all: BTreeSet<_> = (0..crates.len()).filter_map(source).collect();
    if bitcode.libs.is_empty() && failed.len() == all.len() {
        return Vec::new();
    }
    let refuse = |(&index, errors): (&usize, &Vec<Diagnostic>)| {
        let messages = errors.iter().map(ToString::to_string).collect();
        Some(Refused { program: program(index)?.clone(), messages })
    };
    errors.iter().filter_map(refuse).collect()
}
