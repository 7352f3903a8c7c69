//! Compiles each kernel by itself: extract, lower, optimise, refuse, print.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ptyx_image::{Arch, Code, DebugInfo, Features, Image, Kernel, Module, Packed, Param};
use serde::{Deserialize, Serialize};

use super::cache::Cache;
use super::link::{Linked, make_lazy};
use super::roots::KernelRoot;
use super::worker::{self, End};
use super::{Diagnostic, host_functions, inlined, names, optimise, ptx, reject, stack};
use crate::device_pass::DeviceProgram;
use crate::llvm::{self, Context, LlvmError, Target, Value};
use crate::lower::{self, Goal, LaunchInfo};
use crate::options::Options;

/// The PTX version of kernels that need nothing newer, times ten.
pub(super) const BASE_PTX: u32 = 63;

/// The PTX version, times ten, in which a line can say where it was inlined (PTX ISA, ".loc"); labels
/// in sections, which full debug information needs, came shortly before.
const LINES_PTX: u32 = 72;

/// A compiled kernel. Its code's module indices count in `modules`.
#[derive(Serialize, Deserialize)]
pub(super) struct Compiled {
    kernel: Kernel,
    modules: Vec<Module>,
}

impl Compiled {
    /// Adds the kernel to an image, unless the image has an equal one; its index there.
    pub(super) fn add_to(self, image: &mut Image) -> u32 {
        let Compiled { mut kernel, modules } = self;
        let is_same = |known: &Kernel| {
            known.name == kernel.name
                && known.args == kernel.args
                && known.params == kernel.params
                && known.code.len() == kernel.code.len()
                && known.code.iter().zip(&kernel.code).all(|(known, code)| {
                    let (other, new) =
                        (&image.modules[known.module as usize], &modules[code.module as usize]);
                    known.arch == code.arch && other.ptx == new.ptx && other.panics == new.panics
                })
        };
        if let Some(index) = image.kernels.iter().position(is_same) {
            return index as u32;
        }
        for code in &mut kernel.code {
            code.module += image.modules.len() as u32;
        }
        image.modules.extend(modules);
        image.kernels.push(kernel);
        image.kernels.len() as u32 - 1
    }
}

/// Compiles every root, on all processors. The results stand in the order of the roots.
pub(super) fn compile_all(
    program: &DeviceProgram,
    linked: &Linked,
) -> Vec<Result<Compiled, Vec<Diagnostic>>> {
    let roots = &linked.roots;
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
                    let result = compile(program, &cache, linked, root, index);
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

/// The same, each in a process of its own: one that LLVM can't compile has a message like the rest.
pub(super) fn compile_apart(
    program: &DeviceProgram,
    linked: &Linked,
) -> Vec<Result<Compiled, Vec<Diagnostic>>> {
    let cache = Cache::new(&program.work_dir, &program.toolchain.version, &program.options);
    let one = |(index, root): (usize, &KernelRoot)| {
        let end = worker::isolated(&program.work_dir, "codegen-kernel", || {
            compile(program, &cache, linked, root, index)
        });
        match end {
            End::Done(outcome) => outcome,
            End::Lost(reason) => {
                let launch = root.sites.first().map(|site| site.place.clone());
                Err(vec![reason.at(launch).within(&root.type_name)])
            }
        }
    };
    linked.roots.iter().enumerate().map(one).collect()
}

fn compile(
    program: &DeviceProgram,
    cache: &Cache,
    linked: &Linked,
    root: &KernelRoot,
    index: usize,
) -> Result<Compiled, Vec<Diagnostic>> {
    let name = names::entry_name(&root.type_name, |_| false);
    let dump = program
        .dump
        .as_deref()
        .map(|dir| Dump { dir, stem: dump_stem(program, &name, linked.before + index) });
    let context = Context::new();
    let launch = || root.sites.first().map(|site| site.place.clone());
    let about_kernel = |error: Diagnostic| error.within(&root.type_name).or_at(launch());
    compile_in(&context, program, cache, &linked.bitcode, root, dump.as_ref())
        .map_err(|errors| errors.into_iter().map(about_kernel).collect())
}

fn compile_in(
    context: &Context,
    program: &DeviceProgram,
    cache: &Cache,
    bitcode: &[u8],
    root: &KernelRoot,
    dump: Option<&Dump<'_>>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let bitcode = extract(context, bitcode, root).map_err(one)?.to_bitcode();
    let place = cache.place(&bitcode, root);
    // A dump wants the steps between, too.
    if let Some(compiled) = cache.get(&place).filter(|_| dump.is_none()) {
        return Ok(compiled);
    }
    let failed = |error| one(Diagnostic::from(error));
    let module = llvm::Module::parse(context, &bitcode).map_err(failed)?;
    let unpack = module.function(&root.symbol).ok_or_else(|| {
        one(Diagnostic::new("its unpacking function was lost while modules were linked"))
    })?;
    let definition = definition_of_kernel(context, unpack);
    let shown_name = shown_name(&root.type_name, &definition);
    let is_taken = |name: &str| module.function(name).is_some() || module.global(name).is_some();
    let name = &names::entry_name(&shown_name, is_taken);
    let goals = goals(&module, &program.options).map_err(one)?;

    let mut variants: Vec<Variant> = Vec::new();
    let mut errors = Vec::new();
    for &goal in &goals {
        let variant_dump = dump.map(|dump| Dump {
            dir: dump.dir,
            stem: match goals.len() {
                1 => dump.stem.clone(),
                _ => format!("{}-{}", dump.stem, goal.arch()),
            },
        });
        let source = Source {
            context,
            bitcode: &bitcode,
            root,
            name,
            shown_name: &shown_name,
            definition: &definition,
        };
        match variant(&source, goal, &program.options, variant_dump.as_ref()) {
            Ok(Some(variant)) => add_variant(&mut variants, variant),
            Ok(None) => {}
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        errors.dedup();
        return Err(errors);
    }
    let Some(params) = variants.first().map(|variant| variant.params.clone()) else {
        return Err(one(Diagnostic::new("no architecture is left for it: this is a bug in Ptyx")));
    };
    let (mut code, mut modules) = (Vec::new(), Vec::new());
    for variant in variants {
        code.push(Code { module: modules.len() as u32, ..variant.code });
        modules.push(variant.module);
    }
    let kernel = Kernel {
        name: shown_name,
        entry: name.to_owned(),
        args: root.layouts.clone(),
        params,
        file: definition.file,
        line: definition.line,
        code,
    };
    let compiled = Compiled { kernel, modules };
    cache.put(&place, &compiled);
    Ok(compiled)
}

/// What a kernel is to be compiled for: what the user asked for; or else, what the kernel needs,
/// and once more for each architecture that its code asks about.
fn goals(module: &llvm::Module<'_>, options: &Options) -> Result<Vec<Goal>, Diagnostic> {
    let asked_by_code = lower::asked_archs(module)?;
    if !options.targets.is_empty() {
        return Ok(options.targets.iter().map(|&arch| Goal::Asked(arch)).collect());
    }
    let newer = asked_by_code.into_iter().filter(|&arch| !Arch::BASE.provides(arch));
    Ok([Arch::BASE].into_iter().chain(newer).map(Goal::From).collect())
}

/// What a kernel's variants are made of.
struct Source<'a> {
    context: &'a Context,
    /// The kernel and all that it reaches.
    bitcode: &'a [u8],
    root: &'a KernelRoot,
    /// The entry's name.
    name: &'a str,
    /// The name in messages.
    shown_name: &'a str,
    /// Where the kernel is defined.
    definition: &'a llvm::Place,
}

/// A kernel's code for one architecture, and the module around it.
struct Variant {
    code: Code,
    module: Module,
    params: Vec<Param>,
}

/// Adds a variant, unless another one does the same wherever it runs; drops what it makes needless.
fn add_variant(variants: &mut Vec<Variant>, new: Variant) {
    // Later goals know more of what the architecture has.
    variants.retain(|known| known.code.arch != new.code.arch);
    let is_same = |known: &Variant| {
        new.code.arch.provides(known.code.arch)
            && ptx::body(&known.module.ptx) == ptx::body(&new.module.ptx)
            && known.module.panics == new.module.panics
    };
    if !variants.iter().any(is_same) {
        variants.push(new);
    }
}

/// Compiles a kernel for one goal. There is none if its code needs a newer architecture than one
/// that has no successors.
fn variant(
    source: &Source<'_>,
    goal: Goal,
    options: &Options,
    dump: Option<&Dump<'_>>,
) -> Result<Option<Variant>, Vec<Diagnostic>> {
    let &Source { context, bitcode, root, name, shown_name, definition } = source;
    let one = |error: Diagnostic| vec![error];
    let failed = |error| one(Diagnostic::from(error));
    let base = target(goal.arch(), 0).map_err(failed)?;
    let mut module = llvm::Module::parse(context, bitcode).map_err(failed)?;
    write(dump, "before.ll", || module.print())?;
    module.set_target(&base);
    let unpack = module.function(&root.symbol).ok_or_else(|| {
        one(Diagnostic::new("its unpacking function was lost while modules were linked"))
    })?;
    let lowered = lower::lower(&mut module, &base, unpack, &root.layouts, name, goal, options)
        .map_err(one)?;
    if !lowered.marked {
        return Err(one(reject::not_a_kernel(shown_name, definition.clone())));
    }
    let (params, static_shared, max_dims) =
        (lowered.params, lowered.static_shared, lowered.max_dims);
    let unpromised = lowered.unpromised;

    let Some(arch) = oldest(goal, lowered.needs.sm) else { return Ok(None) };
    let optimising = target(arch, lowered.needs.ptx).map_err(failed)?;
    module.set_target(&optimising);
    if cfg!(debug_assertions) {
        module.verify().map_err(failed)?;
    }
    write(dump, "lowered.ll", || module.print())?;
    optimise::optimise(&mut module, &optimising).map_err(failed)?;
    // Before panics become code, which reads the record's address.
    let follows_pointers = module
        .function(name)
        .is_none_or(|entry| lower::follows_untracked(&module, entry, &unpromised));
    let panics = lower::number_panics(&mut module, &optimising).map_err(failed)?;
    let launch = module.function(name).map(|entry| lower::bind_launch(&module, entry));
    let LaunchInfo { is_read, shared_bytes } = launch.unwrap_or_default();
    if cfg!(debug_assertions) {
        module.verify().map_err(failed)?;
    }
    write(dump, "after.ll", || module.print())?;
    let missing = reject::missing(&module);
    if !missing.is_empty() {
        let after = module.function(name).map(|entry| reject::uses(&module, entry, &missing));
        let before = uses_before(context, bitcode, root, goal, options, &missing).map_err(one)?;
        return Err(reject::explain(shown_name, missing, after.unwrap_or_default(), before));
    }
    if let Some(entry) = module.function(name)
        && let Some(place) = host_functions::find(context, entry)
    {
        return Err(one(host_functions::refuse(shown_name, place)));
    }
    let unknown_stack = module.function(name).is_some_and(stack::is_unknown);
    if let Some(entry) = module.function(name) {
        lower::break_cycles(&module, entry);
    }
    // Not before: messages need it, and whether it is wanted must not change the code.
    let debug_info = options.debug_info.unwrap_or_default();
    if debug_info == DebugInfo::None {
        module.strip_debug_info();
    }

    // What dead code asked for does not count.
    let needs = lower::needs(&module);
    let Some(arch) = oldest(goal, needs.sm) else { return Ok(None) };
    let for_lines = if debug_info == DebugInfo::None { 0 } else { LINES_PTX };
    let ptx_version = needs.ptx.max(arch.ptx_version()).max(BASE_PTX).max(for_lines);
    let emitting = target(arch, ptx_version).map_err(failed)?;
    module.set_target(&emitting);
    let llvm_ir = options.llvm_ir.unwrap_or_default().then(|| Packed::new(&module.print()));
    // Debuggers read the calls from the sections of full debug information.
    give_up_for_tests(&root.type_name);
    let lines_only = debug_info == DebugInfo::Lines;
    let places = lines_only.then(|| inlined::number(context, &module));
    let text = ptx::tidy(&module.emit(&emitting).map_err(failed)?);
    let text = match &places {
        Some(places) => inlined::write(&text, places),
        None => text,
    };
    let text = if is_read { text } else { ptx::without_launch_params(&text, name) };
    write(dump, "ptx", || text.clone())?;
    if let Some(bytes) = stack::too_large(&text) {
        return Err(one(stack::refuse(shown_name, definition, bytes)));
    }
    let directives_at = ptx::directives_at(&text, name).ok_or_else(|| {
        one(Diagnostic::new("the entry can't be found in the PTX: this is a bug in Ptyx"))
    })?;
    Ok(Some(Variant {
        code: Code {
            arch,
            ptx_version,
            module: 0,
            directives_at,
            static_shared: match shared_bytes {
                0 => static_shared,
                bytes => static_shared.next_multiple_of(bytes) + bytes,
            },
            reports_panics: is_read,
            follows_pointers,
            unknown_stack,
            max_dims,
        },
        module: Module { ptx: text, debug_info, llvm_ir, panics },
        params,
    }))
}

/// Ends the process as LLVM does, if a test names this kernel: no Rust code is known that LLVM gives
/// up on.
fn give_up_for_tests(kernel: &str) {
    if cfg!(debug_assertions) && std::env::var("PTYX_TEST_GIVE_UP").is_ok_and(|name| name == kernel)
    {
        llvm::give_up("Cannot select: a test's instruction");
    }
}

/// The oldest architecture for a goal whose code needs `sm_<sm>`, if there is one.
fn oldest(goal: Goal, sm: u32) -> Option<Arch> {
    match goal {
        Goal::Asked(arch) => Some(arch),
        Goal::From(arch) if arch.sm >= sm => Some(arch),
        Goal::From(arch) if arch.features == Features::Portable => Arch::at_least(sm),
        Goal::From(_) => None,
    }
}

/// A target machine for an architecture, with the least PTX version that it takes or `ptx`.
fn target(arch: Arch, ptx: u32) -> Result<Target, LlvmError> {
    Target::new(arch, ptx.max(arch.ptx_version()).max(BASE_PTX))
}

/// The uses of the symbols `missing` in the kernel before it is optimised.
fn uses_before(
    context: &Context,
    bitcode: &[u8],
    root: &KernelRoot,
    goal: Goal,
    options: &Options,
    missing: &[String],
) -> Result<Vec<reject::Use>, Diagnostic> {
    let base = target(goal.arch(), 0)?;
    let mut module = llvm::Module::parse(context, bitcode)?;
    module.set_target(&base);
    let Some(unpack) = module.function(&root.symbol) else { return Ok(Vec::new()) };
    // Nothing is emitted here, so any name will do.
    let name = names::entry_name(&root.type_name, |name| module.function(name).is_some());
    let lowered = lower::lower(&mut module, &base, unpack, &root.layouts, &name, goal, options)?;
    Ok(reject::uses(&module, lowered.entry, missing))
}

/// A module with the kernel and what it reaches, and nothing else.
fn extract<'c>(
    context: &'c Context,
    bitcode: &[u8],
    root: &KernelRoot,
) -> Result<llvm::Module<'c>, Diagnostic> {
    let mut module = llvm::Module::empty(context, &root.type_name);
    let void = context.function(context.void(), &[]);
    let declare = |module: &llvm::Module<'c>, name: &str| {
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
        let library = llvm::Module::parse_lazily(context, bitcode)?;
        // What is private, too: names are unique in this one module, and the next round must find
        // what this one linked.
        make_lazy(&library, |_| false);
        module.link(library)?;
        let needed = lower::needed(&module);
        if needed.is_subset(&known) {
            return Ok(module);
        }
        for name in needed {
            declare(&module, &name);
            known.insert(name);
        }
    }
}

/// The kernel's name in messages: an unsafe kernel is launched through a closure, whose own name
/// says nothing.
fn shown_name(type_name: &str, definition: &llvm::Place) -> String {
    if type_name.ends_with("{{closure}}") && !definition.function.is_empty() {
        return super::path_of(&definition.function);
    }
    type_name.to_owned()
}

/// Where the kernel itself is defined: the function at the end of `unpack` → `Fn::call` → kernel.
fn definition_of_kernel<'c>(context: &'c Context, unpack: Value<'c>) -> llvm::Place {
    let calls = |function: Value<'c>| {
        let mut calls: Vec<Value<'c>> = function
            .instructions()
            .into_iter()
            .filter(|i| i.is_call() && i.callee().is_function() && i.callee().intrinsic_id() == 0)
            .map(|i| i.callee())
            .collect();
        calls.retain(|function| !function.is_declaration());
        calls
    };
    // Before it calls the kernel, the unpacking function reads the parameters.
    let shim = calls(unpack).last().copied().unwrap_or(unpack);
    let function = calls(shim).first().copied().unwrap_or(shim);
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
