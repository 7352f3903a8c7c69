//! One kernel, from the module of all kernels to PTX: [`compile`].
//!
//! | file | does |
//! |---|---|
//! | `extract` | takes the kernel and what it reaches out of the module of all kernels |
//! | `cache` | knows kernels that an edit did not change |
//! | `goals` | the architectures to compile it for |
//! | `variant` | for one architecture: lower, optimise, refuse, print |
//! | `inlined`, `ptx` | what the backend leaves to be done on the text |
//! | `link_ptx` | puts the user's PTX into it |
//! | `stack` | how much a thread needs |
//! | `names` | what the entry is called |
//! | `dump` | what `PTYX_DUMP` asks for |

mod cache;
mod compiled;
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

use std::slice;

use ptyx_image::{Code, Kernel};

use crate::device_pass::Program;
use crate::link::KernelRoot;
use crate::llvm::{self, Context};
use crate::lower::Marks;
use crate::report::Diagnostic;
use dump::Dump;
use extract::{definition_of_kernel, shown_name, unpacking_function};
use goals::goals;
use names::entry_name;
use variant::{Source, Variant, add_variant};

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
    let module = llvm::Module::parse(context, &bitcode).map_err(|error| one(error.into()))?;
    let unpack = unpacking_function(&module, root).map_err(one)?;
    let definition = definition_of_kernel(context, unpack);
    let forms: &[bool] =
        if Marks::of(&module, unpack).unchecked { &[false, true] } else { &[false] };
    let shown_name = shown_name(&root.type_name, &definition);
    let is_taken = |name: &str| module.function(name).is_some() || module.global(name).is_some();
    let name = entry_name(&shown_name, is_taken);
    let goals = goals(&module, &program.options).map_err(one)?;

    let mut variants: Vec<Variant> = Vec::new();
    let mut errors = Vec::new();
    for (&unchecked, &goal) in
        forms.iter().flat_map(|form| goals.iter().map(move |goal| (form, goal)))
    {
        let source = Source {
            context,
            bitcode: &bitcode,
            root,
            name: &name,
            shown_name: &shown_name,
            definition: &definition,
            unchecked,
        };
        let form = if unchecked { "-unchecked" } else { "" };
        let dump = match goals.len() * forms.len() {
            1 => dump.clone(),
            _ => dump.of_variant(&format!("{}{form}", goal.arch())),
        };
        match variant::compile(&source, goal, &program.options, &dump) {
            Ok(Some(variant)) => add_variant(&mut variants, variant),
            Ok(None) => {}
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        errors.dedup();
        return Err(errors);
    }
    let Some((params, knobs)) = variants.first().map(|one| (one.params.clone(), one.knobs)) else {
        return Err(one(Diagnostic::new("no architecture is left for it: this is a bug in Ptyx")));
    };
    let (mut code, mut modules) = (Vec::new(), Vec::new());
    for variant in variants {
        code.push(Code { module: modules.len() as u32, ..variant.code });
        modules.push(variant.module);
    }
    let kernel = Kernel {
        name: shown_name,
        entry: name,
        args: root.layouts.clone(),
        params,
        knobs,
        file: definition.file,
        line: definition.line,
        code,
    };
    let compiled = Compiled { kernel, modules };
    cache.put(&place, &compiled);
    Ok(compiled)
}
