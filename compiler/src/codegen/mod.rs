//! From bitcode to an image: everything behind the device pass.
//!
//! [`compile`] runs in a process of its own ([`worker`]), because LLVM ends the process when it
//! meets something it can't do. The steps, in order:
//!
//! 1. [`roots`]: the launch sites of the package's own modules, each with its kernel instance.
//! 2. [`link`]: those kernels and all they reach in dependencies and the sysroot's `core`, `alloc`
//!    and `compiler_builtins`, as one module of bitcode; [`math`]
//!    puts NVIDIA's mathematical functions in the place of ours, where they were found.
//! 3. [`kernel`], for each kernel by itself, unless [`cache`] knows it: extract it, lower it ([`crate::lower`]), optimise it
//!    with LLVM's NVPTX pipeline, refuse what a device does not have ([`reject`]), print PTX.
//! 4. Put the results together, equal kernels once.

mod cache;
mod diagnostic;
mod hints;
mod host_functions;
mod inlined;
mod kernel;
mod link;
pub(crate) mod math;
mod names;
mod optimise;
mod ptx;
mod reject;
mod roots;
mod sites;
mod stack;
mod sysroot;
mod worker;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ptyx_image::{Image, Provenance};
use serde::{Deserialize, Serialize};

use crate::device_pass::DeviceProgram;
use crate::llvm;

use roots::KernelRoot;
use worker::End;

pub(crate) use diagnostic::Diagnostic;
pub(crate) use names::path_of;
pub(crate) use roots::read_location;

/// The result of compiling a program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The kernels that could be compiled.
    pub(crate) image: Image,
    /// What is wrong with the others, each mistake once.
    pub(crate) errors: Vec<Diagnostic>,
    /// The same by the crate that launches them: its place among the crates of the program.
    pub(crate) by_crate: BTreeMap<usize, Vec<Diagnostic>>,
}

/// Compiles the kernels that `program`'s own modules launch.
///
/// # Errors
/// What kept all kernels from being compiled.
pub(crate) fn compile(program: &DeviceProgram) -> Result<Outcome, Vec<Diagnostic>> {
    let image = Image {
        provenance: Provenance {
            compiler: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: program.toolchain.version.clone(),
            target: program.toolchain.target.clone(),
            package: program.package.clone(),
            unit: program.unit.name().to_owned(),
            libdevice: program.libdevice.as_ref().map(|file| file.display().to_string()),
        },
        failed_targets: program.failed_targets.clone(),
        ..Image::default()
    };
    let compile = |name, kernels| {
        worker::isolated(&program.work_dir, name, || compile_here(program, image.clone(), kernels))
    };
    match compile("codegen", Kernels::Together) {
        End::Done(outcome) => outcome,
        End::Lost(_) => compile("codegen-apart", Kernels::Apart).or_lost(),
    }
}

/// Where kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernels {
    /// In this process, on all processors.
    Together,
    /// Each in a process of its own.
    Apart,
}

/// [`compile`], in this process.
fn compile_here(
    program: &DeviceProgram,
    mut image: Image,
    kernels: Kernels,
) -> Result<Outcome, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    llvm::load(&program.toolchain.libllvm).map_err(|e| one(e.into()))?;
    let linked = link::link(program).map_err(one)?;
    let mut errors: Vec<(Vec<usize>, Diagnostic)> = Vec::new();
    let mut kernel_of_unpack: HashMap<String, u32> = HashMap::new();
    let compile = match kernels {
        Kernels::Together => kernel::compile_all,
        Kernels::Apart => kernel::compile_apart,
    };
    let compiled: Vec<_> = linked.iter().flat_map(|linked| compile(program, linked)).collect();
    let owners: Vec<usize> = linked.iter().flat_map(|linked| linked.owners.clone()).collect();
    let roots: Vec<_> = linked.into_iter().flat_map(|linked| linked.roots).collect();
    for ((root, &owner), result) in roots.iter().zip(&owners).zip(compiled) {
        match result {
            Ok(compiled) => {
                let index = compiled.add_to(&mut image);
                kernel_of_unpack.insert(root.symbol.clone(), index);
            }
            Err(found) => errors.extend(found.into_iter().map(|error| (vec![owner], error))),
        }
    }
    for error in sites::name(&roots, &kernel_of_unpack, &mut image) {
        let launches = |(root, _): &(&KernelRoot, &usize)| {
            root.sites.iter().any(|site| Some(&site.place) == error.place())
        };
        let launching = roots.iter().zip(&owners).filter(launches);
        let mut owners_here: BTreeSet<usize> = launching.map(|(_, &owner)| owner).collect();
        if owners_here.is_empty() {
            owners_here.extend(&owners);
        }
        errors.push((owners_here.into_iter().collect(), error));
    }
    image.roots.sort_by(|a, b| (&a.type_name, &a.site).cmp(&(&b.type_name, &b.site)));
    image.roots.dedup();
    let mut by_crate: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    for (owners, error) in &errors {
        for &owner in owners {
            by_crate.entry(owner).or_default().push(error.clone());
        }
    }
    let by_crate = by_crate.into_iter().map(|(owner, found)| (owner, diagnostic::in_order(found)));
    let by_crate = by_crate.collect();
    let errors = diagnostic::in_order(errors.into_iter().map(|(_, error)| error).collect());
    Ok(Outcome { image, errors, by_crate })
}
