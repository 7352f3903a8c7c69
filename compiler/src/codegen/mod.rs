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

use std::collections::HashMap;

use ptyx_image::{Image, Provenance};

use crate::device_pass::DeviceProgram;
use crate::llvm;

use worker::End;

pub(crate) use diagnostic::Diagnostic;
pub(crate) use names::path_of;
pub(crate) use roots::read_location;

/// Compiles the kernels that `program`'s own modules launch.
///
/// # Errors
/// Everything that was found wrong, not only the first.
pub(crate) fn compile(program: &DeviceProgram) -> Result<Image, Vec<Diagnostic>> {
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
) -> Result<Image, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    llvm::load(&program.toolchain.libllvm).map_err(|e| one(e.into()))?;
    let mut linked = link::link(program).map_err(one)?;
    let roots = std::mem::take(&mut linked.roots);
    let mut errors = Vec::new();
    let mut kernel_of_unpack: HashMap<String, u32> = HashMap::new();
    let compiled = match kernels {
        Kernels::Together => kernel::compile_all(program, &linked, &roots),
        Kernels::Apart => kernel::compile_apart(program, &linked, &roots),
    };
    for (root, result) in roots.iter().zip(compiled) {
        match result {
            Ok(compiled) => {
                let index = compiled.add_to(&mut image);
                kernel_of_unpack.insert(root.symbol.clone(), index);
            }
            Err(found) => errors.extend(found),
        }
    }
    errors.extend(sites::name(&roots, &kernel_of_unpack, &mut image));
    image.roots.sort_by(|a, b| (&a.type_name, &a.site).cmp(&(&b.type_name, &b.site)));
    image.roots.dedup();
    if errors.is_empty() { Ok(image) } else { Err(diagnostic::in_order(errors)) }
}
