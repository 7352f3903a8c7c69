//! A package's kernels from source to images: the device pass, then code generation for its output,
//! then where errors are reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ptyx_image::Image;

use crate::device_pass::{self, BuildEnv, Executable, Passed, Program, Unit};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::report::{Diagnostic, Launched, first_token};
use crate::rust::Toolchain;
use crate::worker;

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
    pub(crate) executable: Executable,
    pub(crate) messages: Vec<Message>,
}

/// Why a target can't be compiled, complete in itself.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) text: String,
    /// The first token of the launch that it is about, if the target is sure to expand it.
    pub(crate) launch: Option<String>,
}

/// Runs the device pass and generates code.
///
/// Prints the `rerun-if` lines for the outer cargo, also when it fails.
pub(crate) fn compile(env: &BuildEnv, options: &Options) -> Result<Outcome> {
    let toolchain = Toolchain::find(&env.rustc, &env.target)?;
    worker::check_toolchain(&toolchain, &env.cargo, &env.pass_dir().join("toolchains"))?;
    let mut passed = device_pass::run(env, toolchain, options)?;
    let work_dir = env.work_dir(Unit::Targets)?;
    let libdevice = worker::choose_libdevice(&options.libdevice, &passed.toolchain, &work_dir)?;
    for program in [&mut passed.lib, &mut passed.targets].into_iter().flatten() {
        program.libdevice.clone_from(&libdevice);
    }
    let compile = |program: &Option<Program>| match program {
        Some(program) => worker::compile(program).map(Some),
        None => Ok(None),
    };
    let text = |errors: Vec<Diagnostic>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (lib, targets) = (compile(&passed.lib), compile(&passed.targets));
    let refused = match &targets {
        Ok(Some(targets)) => refused(&passed, &targets.by_crate),
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
                let names = refused.iter().map(|refused| refused.executable.target.describe());
                compiled.image.failed_targets.extend(names);
                compiled.image.failed_targets.sort();
                compiled.image.failed_targets.dedup();
                images.push(Some(compiled.image));
            }
        }
    }
    match <[Option<Image>; 2]>::try_from(images) {
        Ok([lib, targets]) if errors.is_empty() => Ok(Outcome { lib, targets, refused }),
        // The host pass will not get as far as rustc's errors now.
        _ => {
            let refused = refused.into_iter().flat_map(|refused| refused.messages);
            let refused = refused.map(|message| message.text);
            let errors = errors.into_iter().chain(refused);
            Err(Error::diagnostics(passed.host_errors.into_iter().chain(errors)))
        }
    }
}

/// The targets with errors, if the package has targets without errors, which can then be built. Cargo does
/// not tell a build script what is being built, so `launch!` reports the errors in the target that has them.
fn refused(passed: &Passed, errors: &BTreeMap<usize, Vec<Diagnostic>>) -> Vec<Refused> {
    let executable = |index: usize| passed.executables.get(index)?.as_ref();
    let source = |index: usize| executable(index).map(|executable| &executable.target.src_path);
    let failed: BTreeSet<_> = errors.keys().filter_map(|&index| source(index)).collect();
    let all: BTreeSet<_> = (0..passed.executables.len()).filter_map(source).collect();
    if passed.lib.is_none() && failed.len() == all.len() {
        return Vec::new();
    }
    let refuse = |(&index, errors): (&usize, &Vec<Diagnostic>)| {
        let executable = executable(index)?;
        let messages = errors.iter().map(|error| Message {
            text: error.to_string(),
            launch: error
                .launch()
                .filter(|launch| expands(executable, launch))
                .and_then(|launch| first_token(&launch.place)),
        });
        Some(Refused { executable: executable.clone(), messages: messages.collect() })
    };
    errors.iter().filter_map(refuse).collect()
}

/// Whether a target's own source has a launch, so that it will expand the macro. A program and the library of its package may
/// have the same name.
fn expands(executable: &Executable, launch: &Launched) -> bool {
    let target = &executable.target;
    let is_root = fs::canonicalize(launch.place.path())
        .is_ok_and(|file| fs::canonicalize(&target.src_path).is_ok_and(|root| file == root));
    let is_like_the_library = std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == target.name)
        && !target.kind.iter().any(|kind| kind.ends_with("lib"));
    is_root || target.name.replace('-', "_") == launch.crate_name && !is_like_the_library
}
