//! Compiles each kernel by itself: extract, lower, optimise, refuse, print.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ptyx_image::Kernel;
use serde::{Deserialize, Serialize};

use super::cache::Cache;
use super::link::{Linked, make_lazy};
use super::roots::KernelRoot;
use super::{Diagnostic, names, ptx, reject, stack};
use crate::device_pass::DeviceProgram;
use crate::llvm::{self, Context, Module, Target, Value};
use crate::lower;

/// The architecture of a kernel that needs nothing newer (times ten: `sm_70`): the first one with
/// independent thread scheduling, which Rust's control flow relies on.
pub(super) const BASE_SM: u32 = 70;
/// The PTX version of such a kernel, times ten.
pub(super) const BASE_PTX: u32 = 63;

/// A compiled kernel; its module index is not set yet.
#[derive(Serialize, Deserialize)]
pub(super) struct Compiled {
    pub(super) kernel: Kernel,
    pub(super) ptx: String,
}

/// Compiles every root, on all processors. The results stand in the order of the roots.
pub(super) fn compile_all(
    program: &DeviceProgram,
    linked: &Linked,
    roots: &[KernelRoot],
) -> Vec<Result<Compiled, Vec<Diagnostic>>> {
    let cache = Cache::new(&program.work_dir, &program.toolchain.version, &program.options);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<_>>> = Mutex::new(roots.iter().map(|_| None).collect());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(roots.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(root) = roots.get(index) else { break };
                    let result = compile(program, &cache, &linked.bitcode, root, index);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                }
            });
        }
    });
    cache.trim();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let lost = || Err(vec![Diagnostic::new("the code generator lost a kernel: a bug in Ptyx")]);
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

fn compile(
    program: &DeviceProgram,
    cache: &Cache,
    bitcode: &[u8],
    root: &KernelRoot,
    index: usize,
) -> Result<Compiled, Vec<Diagnostic>> {
    let name = names::entry_name(&root.type_name);
    let dump =
        program.dump.as_deref().map(|dir| Dump { dir, stem: dump_stem(program, &name, index) });
    let context = Context::new();
    llvm::set_activity(format!("kernel `{}`", root.type_name));
    compile_in(&context, program, cache, bitcode, root, &name, dump.as_ref())
        .map_err(|errors| errors.into_iter().map(|error| error.within(&root.type_name)).collect())
}

fn compile_in(
    context: &Context,
    program: &DeviceProgram,
    cache: &Cache,
    bitcode: &[u8],
    root: &KernelRoot,
    name: &str,
    dump: Option<&Dump<'_>>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let failed = |error| one(Diagnostic::from(error));
    let base = Target::new(BASE_SM, BASE_PTX).map_err(failed)?;
    let mut module = extract(context, bitcode, root).map_err(one)?;
    let place = cache.place(&module.to_bitcode(), root);
    // A dump wants the steps between, too.
    if let Some(compiled) = cache.get(&place).filter(|_| dump.is_none()) {
        return Ok(compiled);
    }
    write(dump, "before.ll", || module.print())?;
    module.set_target(&base);
    let unpack = module.function(&root.symbol).ok_or_else(|| {
        one(Diagnostic::new("its unpacking function was lost while modules were linked"))
    })?;
    let definition = definition_of_kernel(context, unpack);
    let lowered = lower::lower(&mut module, &base, unpack, &root.layouts, name, &program.options)
        .map_err(one)?;
    if !lowered.marked {
        return Err(one(reject::not_a_kernel(&root.type_name, definition)));
    }
    let (sm, ptx_version) = (lowered.needs.sm.max(BASE_SM), lowered.needs.ptx.max(BASE_PTX));
    let (params, static_shared, max_dims) =
        (lowered.params, lowered.static_shared, lowered.max_dims);

    let target = Target::new(sm, ptx_version).map_err(failed)?;
    module.set_target(&target);
    if cfg!(debug_assertions) {
        module.verify().map_err(failed)?;
    }
    module.run_passes("default<O3>", &target).map_err(failed)?;
    write(dump, "after.ll", || module.print())?;
    let missing = reject::missing(&module);
    if !missing.is_empty() {
        let after = module.function(name).map(|entry| reject::uses(&module, entry, &missing));
        let before = uses_before(context, program, bitcode, root, &missing).map_err(one)?;
        return Err(reject::explain(&root.type_name, missing, after.unwrap_or_default(), before));
    }
    let unknown_stack = module.function(name).is_some_and(stack::is_unknown);
    let text = ptx::tidy(&module.emit(&target).map_err(failed)?);
    write(dump, "ptx", || text.clone())?;
    let directives_at = ptx::directives_at(&text, name).ok_or_else(|| {
        one(Diagnostic::new("the entry can't be found in the PTX: this is a bug in Ptyx"))
    })?;
    let compiled = Compiled {
        kernel: Kernel {
            name: root.type_name.clone(),
            entry: name.to_owned(),
            module: 0,
            directives_at,
            args: root.layouts.clone(),
            params,
            static_shared,
            unknown_stack,
            sm,
            ptx_version,
            max_dims,
            file: definition.file,
            line: definition.line,
        },
        ptx: text,
    };
    cache.put(&place, &compiled);
    Ok(compiled)
}

/// The uses of the symbols `missing` in the kernel before it is optimised.
fn uses_before(
    context: &Context,
    program: &DeviceProgram,
    bitcode: &[u8],
    root: &KernelRoot,
    missing: &[String],
) -> Result<Vec<reject::Use>, Diagnostic> {
    let base = Target::new(BASE_SM, BASE_PTX)?;
    let mut module = extract(context, bitcode, root)?;
    module.set_target(&base);
    let Some(unpack) = module.function(&root.symbol) else { return Ok(Vec::new()) };
    let name = names::entry_name(&root.type_name);
    let lowered = lower::lower(&mut module, &base, unpack, &root.layouts, &name, &program.options)?;
    Ok(reject::uses(&module, lowered.entry, missing))
}

/// A module with the kernel and what it reaches, and nothing else.
fn extract<'c>(
    context: &'c Context,
    bitcode: &[u8],
    root: &KernelRoot,
) -> Result<Module<'c>, Diagnostic> {
    let mut module = Module::empty(context, &root.type_name);
    let void = context.function(context.void(), &[]);
    let declare = |module: &Module<'c>, name: &str| {
        if module.function(name).is_none() {
            module.add_function(name, void);
        }
    };
    declare(&module, &root.symbol);
    for name in lower::PANIC_RUNTIME {
        declare(&module, name);
    }
    // Functions of the device library may need others of it in turn.
    let mut known = BTreeSet::new();
    loop {
        let library = Module::parse_lazily(context, bitcode)?;
        make_lazy(&library, |_| false);
        module.link(library)?;
        let needed = lower::needed_runtime(&module);
        if needed.is_subset(&known) {
            return Ok(module);
        }
        for name in needed {
            declare(&module, &name);
            known.insert(name);
        }
    }
}

/// Where the kernel itself is defined: the function at the end of `unpack` → `Fn::call` → kernel.
fn definition_of_kernel(context: &Context, unpack: Value<'_>) -> crate::llvm::Place {
    let mut function = unpack;
    for _ in 0..2 {
        let call = function
            .instructions()
            .into_iter()
            .find(|i| i.is_call() && i.callee().is_function() && i.callee().intrinsic_id() == 0);
        match call.map(|c| c.callee()).filter(|f| !f.is_declaration()) {
            Some(next) => function = next,
            None => break,
        }
    }
    function.definition(context).unwrap_or_default()
}

/// Where and under what name `PTYX_DUMP` writes.
struct Dump<'a> {
    dir: &'a Path,
    stem: String,
}

fn dump_stem(program: &DeviceProgram, name: &str, index: usize) -> String {
    format!("{}-{}-{index}-{name}", program.package, program.unit.name())
}

fn write(
    dump: Option<&Dump<'_>>,
    extension: &str,
    text: impl FnOnce() -> String,
) -> Result<(), Vec<Diagnostic>> {
    let Some(dump) = dump else { return Ok(()) };
    let path = dump.dir.join(format!("{}.{extension}", dump.stem));
    fs::create_dir_all(dump.dir).and_then(|()| fs::write(&path, text())).map_err(|error| {
        vec![Diagnostic::new(format!("PTYX_DUMP: {} can't be written: {error}", path.display()))]
    })
}
