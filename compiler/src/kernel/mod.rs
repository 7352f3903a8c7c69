//! One kernel, from the module of all kernels to PTX: [`compile`].
//!
//! | file | does |
//! |---|---|
//! | `extract` | takes the kernel and what it reaches out of the module of all kernels |
//! | `cache` | knows kernels that an edit did not change |
//! | `describe` | what it is called, where it is defined, and which variants there are to be |
//! | `goals` | the architectures to compile it for |
//! | `variants` | compiles it for each of them, and drops what is redundant |
//! | `variant` | for one architecture: lower, optimise, refuse, print |
//! | `compiled` | what comes of it |
//! | `inlined`, `ptx` | what the backend leaves to be done on the text |
//! | `link_ptx` | puts the user's PTX into it |
//! | `stack` | how much a thread needs |
//! | `names` | what the entry is called |
//! | `dump` | what `PTYX_DUMP` asks for |

mod cache;
mod compiled;
mod describe;
mod dump;
mod extract;
mod goals;
mod inlined;
mod link_ptx;
mod names;
mod ptx;
mod stack;
#[cfg(test)]
mod switch_tests;
mod variant;
mod variants;

use std::cell::Cell;
use std::slice;

use crate::device_pass::Program;
use crate::link::KernelRoot;
use crate::llvm::{Context, Module};
use crate::report::Diagnostic;
use describe::describe;
use dump::Dump;
use names::entry_name;
use variant::Source;
use variants::compile_variants;

pub(crate) use cache::Cache;
pub(crate) use compiled::Compiled;
pub(crate) use extract::extract;

/// Compiles the kernel that `root` unpacks arguments for, with what it reaches in `bitcode`. It is the
/// program's kernel with this number.
pub(crate) fn compile(
    program: &Program,
    cache: &Cache,
    bitcode: &[u8],
    root: &KernelRoot,
    number: usize,
) -> Result<Compiled, Vec<Diagnostic>> {
    let name = entry_name(&root.type_name, |_| false);
    let stem = format!("{}-{}-{number}-{name}", program.package, program.unit.name());
    let dump = Dump::new(program.dump.clone(), stem);
    let launch = || root.sites.first().map(|site| site.place.clone());
    let about_kernel = |error: Diagnostic| error.within(&root.type_name).or_at(launch());
    compile_here(program, cache, bitcode, root, &dump)
        .map_err(|errors| errors.into_iter().map(about_kernel).collect())
}

fn compile_here(
    program: &Program,
    cache: &Cache,
    bitcode: &[u8],
    root: &KernelRoot,
    dump: &Dump,
) -> Result<Compiled, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let bitcode = extract(bitcode, slice::from_ref(root)).map_err(one)?;
    let place = cache.place(&bitcode, root);
    // A dump wants the steps between, too.
    if let Some(compiled) = cache.get(&place).filter(|_| !dump.is_wanted()) {
        return Ok(compiled);
    }
    let context = &Context::new();
    let module = Module::parse(context, &bitcode).map_err(|error| one(error.into()))?;
    let description = describe(&module, root, &program.options).map_err(one)?;
    let read = Cell::new(Some(module));
    let source = Source { context, bitcode: &bitcode, read, root, description: &description };
    let variants = compile_variants(source, &program.options, dump)?;
    let compiled = Compiled::of(root, description, variants).map_err(one)?;
    cache.put(&place, &compiled);
    Ok(compiled)
}
