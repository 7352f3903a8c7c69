//! One kernel for one architecture: from its bitcode to PTX.

use std::cell::Cell;

use ptyx_image::panic::Panics;
use ptyx_image::{Arch, Code, DebugInfo, KernelKnobs, Limit, Module, Packed, Param, Proof, Static};

use super::describe::Description;
use super::dump::Dump;
use super::extract::unpacking_function;
use super::goals::target;
use super::link_ptx::link_ptx;
use super::names::entry_name;
use super::{inlined, ptx, stack};
use crate::link::KernelRoot;
use crate::llvm::{self, BASE_PTX, Context, Target};
use crate::lower::{self, AllNeeds, Goal, IS_NARROW, LaunchInfo, Lowered, lower};
use crate::optimise::{optimise, rejoin_panics};
use crate::options::{Options, Pass};
use crate::reject::{self, divergence, host_functions};
use crate::report::Diagnostic;

/// The PTX version, times ten, in which a line can say where it was inlined (PTX ISA, ".loc"); labels
/// in sections, which full debug information needs, came shortly before.
const LINES_PTX: u32 = 72;

/// What a kernel's variants are made of.
pub(super) struct Source<'a> {
    pub(super) context: &'a Context,
    /// The kernel and all that it reaches.
    pub(super) bitcode: &'a [u8],
    /// The same, read already: for the first variant.
    pub(super) read: Cell<Option<llvm::Module<'a>>>,
    pub(super) root: &'a KernelRoot,
    pub(super) description: &'a Description,
}

impl<'a> Source<'a> {
    /// A module of the kernel and all that it reaches.
    fn module(&self) -> Result<llvm::Module<'a>, Diagnostic> {
        match self.read.take() {
            Some(module) => Ok(module),
            None => Ok(llvm::Module::parse(self.context, self.bitcode)?),
        }
    }

    /// The entry's name.
    fn name(&self) -> &str {
        &self.description.name
    }

    /// The name in messages.
    fn shown_name(&self) -> &str {
        &self.description.shown_name
    }
}

/// A kernel's code for one architecture, and its modules; the code has indices into these.
pub(super) struct Variant {
    pub(super) code: Code,
    pub(super) modules: Vec<Module>,
    pub(super) params: Vec<Param>,
    pub(super) knobs: KernelKnobs,
}

/// What is known about an optimised kernel, apart from its PTX.
struct Facts {
    panics: Panics,
    launch: LaunchInfo,
    limits: Vec<Limit>,
    proof: Option<Proof>,
    /// Which parameters behind the kernel's own it reads.
    reads: Vec<bool>,
    follows_pointers: bool,
    unknown_stack: bool,
    statics: Vec<Static>,
    moved_shared: u32,
    narrow_indices: bool,
}

/// Compiles a kernel for one goal, perhaps without its checks. There is none if the goal is an architecture without successors and
/// the code needs a newer one.
pub(super) fn compile(
    source: &Source<'_>,
    unchecked: bool,
    goal: Goal,
    options: &Options,
    dump: &Dump,
) -> Result<Option<Variant>, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let (mut module, lowered) =
        lower_kernel(source, unchecked, goal, options, dump).map_err(one)?;
    // Perhaps no architecture has everything that dead code needs.
    let arch = lowered.needs.oldest(goal).unwrap_or(goal.arch());
    let optimising = target(arch, lowered.needs.ptx).map_err(|error| one(error.into()))?;
    let proved = optimise_kernel(&mut module, &optimising, options, dump).map_err(one)?;
    let form = Form { source, unchecked, goal, lowered: &lowered, options };
    let Some((mut code, module)) = emit(&form, module, &optimising, dump)? else { return Ok(None) };
    let mut modules = vec![module];
    for (level, module) in (1..).zip(proved) {
        let dump = dump.of_variant(&format!("proved{level}"));
        // It must not need more than the code with all checks does.
        let emitted = emit(&form, module, &optimising, &dump)?;
        let Some((proved, module)) = emitted.filter(|(one, _)| code.arch.provides(one.arch)) else {
            break;
        };
        code.proved.push(Code { proof: None, module: modules.len() as u32, ..proved });
        modules.push(module);
    }
    if let Some(proof) = &mut code.proof {
        proof.levels.truncate(code.proved.len());
    }
    code.proof = code.proof.filter(|proof| !proof.levels.is_empty());
    Ok(Some(Variant { code, modules, params: lowered.params, knobs: lowered.knobs }))
}

/// What the code for all levels of a proof has in common.
struct Form<'a, 'b> {
    source: &'b Source<'a>,
    unchecked: bool,
    goal: Goal,
    lowered: &'b Lowered<'a>,
    options: &'b Options,
}

/// Makes PTX of an optimised module.
fn emit<'a>(
    form: &Form<'a, '_>,
    mut module: llvm::Module<'a>,
    target: &Target,
    dump: &Dump,
) -> Result<Option<(Code, Module)>, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let &Form { source, goal, lowered, options, .. } = form;
    let facts = finish(source, &mut module, target, lowered, options, dump).map_err(one)?;
    refuse(source, &module, lowered, goal, options)?;
    if let Some(entry) = module.function(source.name()) {
        lower::break_cycles(&module, entry);
    }
    match print(source, &mut module, lowered, goal, &facts, options, dump).map_err(one)? {
        Some(printed) => code_of(form, printed, facts).map(Some).map_err(one),
        None => Ok(None),
    }
}

/// Reads the kernel and lowers it.
fn lower_kernel<'a>(
    source: &Source<'a>,
    unchecked: bool,
    goal: Goal,
    options: &Options,
    dump: &Dump,
) -> Result<(llvm::Module<'a>, Lowered<'a>), Diagnostic> {
    let base = target(goal.arch(), 0)?;
    let mut module = source.module()?;
    dump.write("before.ll", || module.print())?;
    module.set_target(&base);
    let root = source.root;
    let unpack = unpacking_function(&module, root)?;
    if unchecked {
        lower::leave_out_checks(&module);
    }
    let lowered = lower(&mut module, &base, unpack, &root.layouts, source.name(), goal, options)?;
    reject::leave_out_host_code(&mut module, &base)?;
    match lowered.marked {
        true => Ok((module, lowered)),
        false => {
            Err(reject::not_a_kernel(source.shown_name(), source.description.definition.clone()))
        }
    }
}

/// Optimises the lowered kernel. The result has a module for each level of its proof.
fn optimise_kernel<'a>(
    module: &mut llvm::Module<'a>,
    target: &Target,
    options: &Options,
    dump: &Dump,
) -> Result<Vec<llvm::Module<'a>>, Diagnostic> {
    module.set_target(target);
    if cfg!(debug_assertions) {
        module.verify()?;
    }
    dump.write("lowered.ll", || module.print())?;
    Ok(optimise(module, target, options)?)
}

/// Lowers what had to wait for the optimiser, and looks at what has become of the kernel.
fn finish(
    source: &Source<'_>,
    module: &mut llvm::Module<'_>,
    target: &Target,
    lowered: &Lowered<'_>,
    options: &Options,
    dump: &Dump,
) -> Result<Facts, Diagnostic> {
    // Before panics become code that reads the record's address.
    // Nothing is known of what linked PTX does.
    let follows_pointers = !lower::used_ptx(module, &lowered.linked).is_empty()
        || module
            .function(source.name())
            .is_none_or(|entry| lower::follows_untracked(module, entry, &lowered.unpromised));
    lower::inline_prints(module, target)?;
    let panics = Panics { prints: lowered.prints.clone(), ..lower::number_panics(module, target)? };
    if options.passes.run(Pass::Rejoin) {
        rejoin_panics(module);
    }
    let entry = module.function(source.name());
    let launch = entry.map(|entry| lower::bind_launch(module, entry)).unwrap_or_default();
    let (limits, mut reads) =
        entry.map(|entry| lower::used_limits(entry, &lowered.params)).unwrap_or_default();
    let (proof, read) =
        entry.map(|entry| lower::asked_proof(entry, &lowered.params)).unwrap_or_default();
    reads.extend(read);
    reads.extend(launch.params());
    let moved_shared = match entry {
        Some(entry) => lower::move_large_arrays(module, entry)?,
        None => 0,
    };
    if cfg!(debug_assertions) {
        module.verify()?;
    }
    dump.write("after.ll", || module.print())?;
    let unknown_stack = module.function(source.name()).is_some_and(stack::is_unknown);
    let narrow_indices = module
        .function(source.name())
        .is_some_and(|entry| entry.string_attribute(IS_NARROW).is_some());
    let statics = lower::keep_used_statics(module, &lowered.statics)?;
    Ok(Facts {
        panics,
        launch,
        limits,
        proof,
        reads,
        follows_pointers,
        unknown_stack,
        statics,
        moved_shared,
        narrow_indices,
    })
}

/// Refuses what a device does not have.
fn refuse(
    source: &Source<'_>,
    module: &llvm::Module<'_>,
    lowered: &Lowered<'_>,
    goal: Goal,
    options: &Options,
) -> Result<(), Vec<Diagnostic>> {
    let is_linked =
        |symbol: &String| lowered.linked.iter().any(|linked| linked.functions.contains_key(symbol));
    let mut missing = reject::missing(module);
    missing.retain(|symbol| !is_linked(symbol));
    let entry = module.function(source.name());
    if !missing.is_empty() {
        let after = entry.map(|entry| reject::uses(module, entry, &missing)).unwrap_or_default();
        let before = uses_before(source, goal, options, &missing).map_err(|error| vec![error])?;
        return Err(reject::explain(source.shown_name(), missing, after, before));
    }
    if let Some(place) = entry.and_then(|entry| host_functions::find(source.context, entry)) {
        return Err(vec![host_functions::refuse(source.shown_name(), place)]);
    }
    match divergence::find(source.context, module) {
        Some(found) => Err(vec![divergence::refuse(source.shown_name(), found)]),
        None => Ok(()),
    }
}

/// A kernel as PTX.
struct Printed {
    arch: Arch,
    ptx_version: u32,
    text: String,
    llvm_ir: Option<Packed>,
}

/// Prints the kernel; nothing if its code needs an architecture that the goal can't mean.
fn print(
    source: &Source<'_>,
    module: &mut llvm::Module<'_>,
    lowered: &Lowered<'_>,
    goal: Goal,
    facts: &Facts,
    options: &Options,
    dump: &Dump,
) -> Result<Option<Printed>, Diagnostic> {
    // Not earlier: messages need it, and the choice must not change the code.
    let debug_info = options.debug_info.unwrap_or_default();
    if debug_info == DebugInfo::None {
        module.strip_debug_info();
    }
    // What dead code needed does not count.
    let mut needs = AllNeeds::of_module(module);
    needs.raise_to_knobs(&lowered.knobs, goal)?;
    let linked = lower::used_ptx(module, &lowered.linked);
    linked.iter().for_each(|linked| needs.raise_to(linked));
    let Some(arch) = needs.oldest(goal) else { return nowhere(goal, &needs) };
    let for_lines = if debug_info == DebugInfo::None { 0 } else { LINES_PTX };
    let ptx_version = needs.ptx.max(arch.ptx_version()).max(BASE_PTX).max(for_lines);
    let emitting = target(arch, ptx_version)?;
    module.set_target(&emitting);
    let llvm_ir = options.llvm_ir.unwrap_or_default().then(|| Packed::new(&module.print()));
    give_up_for_tests(&source.root.type_name);
    // Debuggers read the calls from the sections of full debug information.
    let lines_only = debug_info == DebugInfo::Lines;
    let places = lines_only.then(|| inlined::number(source.context, module));
    let text = ptx::tidy(&module.emit(&emitting)?);
    let text = match &places {
        Some(places) => inlined::write(&text, places),
        None => text,
    };
    let text = link_ptx(text, &linked)?;
    let text = ptx::keep_launch_params(&text, source.name(), &facts.reads);
    dump.write("ptx", || text.clone())?;
    Ok(Some(Printed { arch, ptx_version, text, llvm_ir }))
}

/// A kernel whose needs no architecture meets: an error, unless it has other variants.
fn nowhere(goal: Goal, needs: &AllNeeds) -> Result<Option<Printed>, Diagnostic> {
    match goal.arch() == Arch::BASE {
        true => Err(Diagnostic::new(format!(
            "its instructions need {}, and no architecture has the features of all of them",
            needs.names()
        ))),
        false => Ok(None),
    }
}

/// The printed kernel with all that the host needs to know of it.
fn code_of(
    form: &Form<'_, '_>,
    printed: Printed,
    facts: Facts,
) -> Result<(Code, Module), Diagnostic> {
    let &Form { source, unchecked, lowered, options, .. } = form;
    let Printed { arch, ptx_version, text, llvm_ir } = printed;
    if let Some(bytes) = stack::too_large(&text) {
        return Err(stack::refuse(source.shown_name(), &source.description.definition, bytes));
    }
    let directives_at = ptx::directives_at(&text, source.name()).ok_or_else(|| {
        Diagnostic::new("the entry can't be found in the PTX: this is a bug in Ptyx")
    })?;
    let code = Code {
        arch,
        ptx_version,
        module: 0,
        directives_at,
        static_shared: match facts.moved_shared {
            0 => facts.launch.static_shared(lowered.static_shared),
            _ => 0,
        },
        moved_shared: facts.moved_shared,
        limits: facts.limits,
        proof: facts.proof,
        proved: Vec::new(),
        reports_panics: facts.launch.reports_panics,
        prints: facts.launch.prints,
        asks_cooperative: facts.launch.asks_cooperative,
        follows_pointers: facts.follows_pointers,
        unknown_stack: facts.unknown_stack,
        max_dims: lowered.max_dims,
        narrow_indices: facts.narrow_indices,
        unchecked,
    };
    let debug_info = options.debug_info.unwrap_or_default();
    let module =
        Module { ptx: text, debug_info, llvm_ir, panics: facts.panics, statics: facts.statics };
    Ok((code, module))
}

/// Ends the process as LLVM does, if a test names this kernel: we know no Rust code that makes LLVM
/// give up.
fn give_up_for_tests(kernel: &str) {
    if cfg!(debug_assertions) && std::env::var("PTYX_TEST_GIVE_UP").is_ok_and(|name| name == kernel)
    {
        llvm::give_up("Cannot select: a test's instruction");
    }
}

/// The uses of the symbols `missing` in the kernel before it is optimised.
fn uses_before(
    source: &Source<'_>,
    goal: Goal,
    options: &Options,
    missing: &[String],
) -> Result<Vec<reject::Use>, Diagnostic> {
    let base = target(goal.arch(), 0)?;
    let mut module = llvm::Module::parse(source.context, source.bitcode)?;
    module.set_target(&base);
    let root = source.root;
    let Some(unpack) = module.function(&root.symbol) else { return Ok(Vec::new()) };
    // No code is emitted here, so any name will do.
    let name = entry_name(&root.type_name, |name| module.function(name).is_some());
    let lowered = lower(&mut module, &base, unpack, &root.layouts, &name, goal, options)?;
    reject::leave_out_host_code(&mut module, &base)?;
    Ok(reject::uses(&module, lowered.entry, missing))
}
