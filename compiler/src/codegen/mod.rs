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
mod kernel;
mod link;
pub(crate) mod math;
mod names;
mod optimise;
mod ptx;
mod reject;
mod roots;
mod stack;
mod sysroot;
mod worker;

use std::collections::HashMap;

use ptyx_image::{Image, Provenance, Root};

use crate::device_pass::DeviceProgram;
use crate::llvm::{self, Place};
use roots::{KernelRoot, LaunchSite};

pub(crate) use diagnostic::Diagnostic;
pub(crate) use names::path_of;

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
    worker::isolated(&program.work_dir, || compile_here(program, image))
}

/// [`compile`], in this process.
fn compile_here(program: &DeviceProgram, mut image: Image) -> Result<Image, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    llvm::load(&program.toolchain.libllvm).map_err(|e| one(e.into()))?;
    let mut linked = link::link(program).map_err(one)?;
    let roots = std::mem::take(&mut linked.roots);
    let mut errors = Vec::new();
    let mut kernel_of_unpack: HashMap<String, u32> = HashMap::new();
    let compiled = kernel::compile_all(program, &linked, &roots);
    for (root, result) in roots.iter().zip(compiled) {
        match result {
            Ok(compiled) => {
                let index = compiled.add_to(&mut image);
                kernel_of_unpack.insert(root.symbol.clone(), index);
            }
            Err(found) => errors.extend(found),
        }
    }
    for root in &roots {
        let Some(&kernel) = kernel_of_unpack.get(&root.symbol) else { continue };
        for site in &root.sites {
            let clash = image.roots.iter().find(|other| {
                let args = |kernel: u32| &image.kernels[kernel as usize].args;
                (&other.type_name, &other.site) == (&root.type_name, &site.id)
                    && other.kernel != kernel
                    && args(other.kernel) == args(kernel)
            });
            if let Some(clash) = clash {
                let other =
                    roots.iter().find(|r| kernel_of_unpack.get(&r.symbol) == Some(&clash.kernel));
                errors.push(ambiguous(root, other.unwrap_or(root), site));
                continue;
            }
            image.roots.push(Root {
                type_name: root.type_name.clone(),
                site: site.id.clone(),
                kernel,
            });
        }
    }
    image.roots.sort_by(|a, b| (&a.type_name, &a.site).cmp(&(&b.type_name, &b.site)));
    image.roots.dedup();
    if errors.is_empty() { Ok(image) } else { Err(diagnostic::in_order(errors)) }
}

/// Two kernel instances that the host could not tell apart.
fn ambiguous(one: &KernelRoot, other: &KernelRoot, site: &LaunchSite) -> Diagnostic {
    let diagnostic = Diagnostic::new(format!(
        "two different kernels are launched here as `{}`: the program could not tell which to run",
        one.type_name
    ))
    .at(Some(site.place.clone()))
    .note("Rust gives all closures of one function one name");
    fn only_in<'a>(a: &'a KernelRoot, b: &KernelRoot) -> Option<&'a Place> {
        a.closures.iter().find(|closure| !b.closures.contains(closure))
    }
    let diagnostic = match (only_in(other, one), only_in(one, other)) {
        (Some(a), Some(b)) => {
            let (first, second) = if a.line <= b.line { (a, b) } else { (b, a) };
            let [first, second] = [first, second].map(diagnostic::in_file);
            diagnostic.note(format!("they are the closures at {first} and {second}"))
        }
        _ => diagnostic,
    };
    diagnostic.help(
        "make one of them in a function of its own, which gives it a name of its own: `fn scale(a: \
         f32) -> impl Fn(f32) -> f32 + Copy { move |x| a * x }`",
    )
}
