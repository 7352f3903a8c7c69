//! Lowering: from rustc's IR for the host to IR that the NVPTX backend accepts, with the same meaning.
//!
//! [`lower`] works on a module that holds one kernel and all it reaches. Each step is a file, in this
//! order:
//!
//! | step | does |
//! |---|---|
//! | `leave_out_checks` | leaves checks out, in the unchecked form of a kernel that has one |
//! | `answer_features` | answers questions for optional features of the processor with no |
//! | `statics` | makes variables of what the host reads and writes by name |
//! | `strip_attributes` | drops what only the host's code generator knows; marks everything convergent |
//! | `remove_exceptions` | turns `invoke`s into calls: nothing unwinds on a device |
//! | `marks` | takes what `#[kernel]` says |
//! | `redirect_runtime` | what PTX has no instructions for (math, 128-bit division), to the device library |
//! | `redirect_x86` | intrinsics of the host's processor that mean something here, to the device library |
//! | `redirect_half` | functions of the crate `half` to the device library, for the device's instructions |
//! | `fix_hash_keys` | gives std's hash maps constant keys, if the kernel asked for the heap |
//! | `redirect_heap` | sends the allocator to the device library, if the kernel asked for the heap |
//! | `panics` | sends core's panic entry points to the device library, and then what kernels print |
//! | `answer_architecture` | questions about the architecture, to constants |
//! | `lower_symbols` | shared memory, dimension requirements, traps |
//! | `lower_intrinsics` | device intrinsics, as their symbols say (`intrinsics`) |
//! | `lower_inline_ptx` | what users write with `ptx!` |
//! | `order_atomics` | orderings that the backend would drop |
//! | `replace_foreign` | the host's assembly, thread-locals and statics, to names that `reject` explains |
//! | `make_entry` | the kernel's entry with one PTX parameter for each scalar |
//! | `mark_unrolled_loops` | `#[unroll]` on loops, to metadata |
//!
//! The rest comes once the kernel is optimised: `guard_private_atomics`, atomics on what may be a
//! thread's own variable; `widen_narrow_atomics`, those of 8 and 16 bits; `widen_to_system`, those of the widest
//! scope; `hide_square_roots`, from the code generator; `panics::sites`, panics to
//! numbers; `panics::launch`, what a launch says about itself; `move_large_arrays`, more
//! shared memory than can be static; `break_cycles`, statics that refer to
//! each other in a circle. `pointers` says what a launch must be ordered with, `needs` what instructions
//! require of the hardware.
//!
//! Everything is marked convergent before any LLVM pass runs: otherwise LLVM duplicates barriers.

mod answer_architecture;
mod answer_features;
mod atomics;
mod break_cycles;
mod fix_hash_keys;
mod guard_private_atomics;
mod hide_square_roots;
#[cfg(test)]
mod intrinsic_tests;
mod intrinsics;
mod leave_out_checks;
mod linked_ptx;
mod lower_inline_ptx;
mod lower_intrinsics;
mod lower_symbols;
mod make_entry;
mod mark_unrolled_loops;
mod marks;
mod move_large_arrays;
mod needs;
mod order_atomics;
mod panics;
mod pointers;
mod redirect_half;
mod redirect_heap;
mod redirect_runtime;
mod redirect_x86;
mod remove_exceptions;
mod replace_foreign;
mod statics;
mod strip_attributes;
mod widen_narrow_atomics;
mod widen_to_system;

use std::collections::BTreeSet;

use ptyx_image::panic::Word;
use ptyx_image::{Arch, KernelKnobs, Layout, Param, Static};

use crate::llvm::{Linkage, Module, Target, Value};
use crate::options::Options;
use crate::report::Diagnostic;
use crate::symbols::{PANIC_MODULE, is_recording};
use answer_architecture::answer_architecture;
use answer_features::answer_features;
use fix_hash_keys::fix_hash_keys;
use lower_inline_ptx::lower_inline_ptx;
use lower_intrinsics::{LaunchShape, lower_intrinsics};
use lower_symbols::lower_symbols;
use make_entry::make_entry;
pub(crate) use make_entry::slice_of;
use mark_unrolled_loops::mark_unrolled_loops;
use order_atomics::order_atomics;
use panics::{redirect_panics, redirect_prints};
use redirect_half::redirect_half;
use redirect_heap::redirect_heap;
use redirect_runtime::redirect_runtime;
use redirect_x86::redirect_x86;
use replace_foreign::replace_foreign;
use statics::{is_static_variable, place_statics};
use strip_attributes::strip_attributes;

pub(crate) use answer_architecture::asked_archs;
pub(crate) use answer_features::ATTRIBUTE as FEATURES;
pub(crate) use break_cycles::break_cycles;
pub(crate) use guard_private_atomics::{guard_private_atomics, is_private_atomic, make_plain};
pub(crate) use hide_square_roots::hide_square_roots;
pub(crate) use leave_out_checks::leave_out_checks;
pub(crate) use linked_ptx::{
    LinkedPtx, Param as PtxParam, Signature, linked_ptx, signature, used_ptx,
};
pub(crate) use lower_symbols::is_dynamic_shared;
pub(crate) use make_entry::READABLE;
pub(crate) use mark_unrolled_loops::{FULL, LOOP_METADATA, NEVER_UNROLL, unroll_properties};
pub(crate) use marks::Marks;
pub(crate) use move_large_arrays::move_large_arrays;
pub(crate) use needs::AllNeeds;
pub(crate) use panics::SIMPLIFY;
pub(crate) use panics::{LAUNCH_PARAMS, LaunchInfo, bind_launch, inline_prints, number_panics};
pub(crate) use pointers::follows_untracked;
pub(crate) use redirect_runtime::{INTRINSICS as MATH_INTRINSICS, is_redirected};
pub(crate) use remove_exceptions::{REMOVE, remove_exceptions};
pub(crate) use statics::keep_used_statics;
pub(crate) use widen_narrow_atomics::widen_narrow_atomics;
pub(crate) use widen_to_system::widen_to_system;

/// The steps that [`run_step`] knows: all that need no more than a module, whose kernel is `kernel`.
#[cfg(test)]
pub(crate) const STEPS: [&str; 23] = [
    "answer_features",
    "place_statics",
    "strip_attributes",
    "remove_exceptions",
    "redirect_runtime",
    "redirect_x86",
    "redirect_half",
    "fix_hash_keys",
    "redirect_heap",
    "leave_out_checks",
    "redirect_panics",
    "lower_symbols",
    "lower_intrinsics",
    "lower_inline_ptx",
    "order_atomics",
    "replace_foreign",
    "mark_unrolled_loops",
    "guard_private_atomics",
    "widen_narrow_atomics",
    "widen_to_system",
    "hide_square_roots",
    "break_cycles",
    "move_large_arrays",
];

/// Runs a step by its name, if there is one of this name.
#[cfg(test)]
pub(crate) fn run_step(
    name: &str,
    module: &mut Module<'_>,
    target: &Target,
) -> Option<Result<(), Diagnostic>> {
    match name {
        "answer_features" => answer_features(module),
        "place_statics" => return Some(place_statics(module).map(drop)),
        "strip_attributes" => strip_attributes(module),
        "remove_exceptions" => return Some(remove_exceptions(module, target)),
        "redirect_runtime" => redirect_runtime(module),
        "redirect_x86" => redirect_x86(module),
        "redirect_half" => redirect_half(module),
        "fix_hash_keys" => fix_hash_keys(module),
        "redirect_heap" => redirect_heap(module),
        "leave_out_checks" => leave_out_checks(module),
        "redirect_panics" => return Some(redirect_panics(module, target)),
        "break_cycles" => break_cycles(module, module.function("kernel")?),
        "move_large_arrays" => {
            move_large_arrays(module, module.function("kernel")?).ok()?;
        }
        "lower_symbols" => return Some(lower_symbols(module).map(drop)),
        "lower_intrinsics" => {
            return Some(
                lower_intrinsics(module, Goal::From(Arch::BASE), &[], &LaunchShape::up_to(1))
                    .map(drop),
            );
        }
        "lower_inline_ptx" => {
            let from = Goal::From(Arch::BASE);
            return Some(lower_inline_ptx(module, from, &[], &mut AllNeeds::default()));
        }
        "order_atomics" => order_atomics(module),
        "replace_foreign" => replace_foreign(module),
        "mark_unrolled_loops" => return Some(mark_unrolled_loops(module)),
        "guard_private_atomics" => {
            return Some(guard_private_atomics(module).map(drop).map_err(Diagnostic::from));
        }
        "widen_narrow_atomics" => _ = widen_narrow_atomics(module),
        "widen_to_system" => widen_to_system(module),
        "hide_square_roots" => return Some(hide_square_roots(module).map_err(Diagnostic::from)),
        _ => return None,
    }
    Some(Ok(()))
}

/// The part of it that keeps barriers from being duplicated.
#[cfg(test)]
pub(crate) fn mark_convergent(module: &Module<'_>) {
    strip_attributes(module);
}

/// The functions of the device library that lowering will call, apart from those of panics.
pub(crate) fn needed(module: &Module<'_>) -> BTreeSet<String> {
    let mut names = redirect_runtime::needed(module);
    names.extend(redirect_heap::needed(module));
    names
}

/// What lowering found out about a kernel.
pub(crate) struct Lowered<'c> {
    /// The entry.
    pub(crate) entry: Value<'c>,
    /// Its PTX parameters, in order.
    pub(crate) params: Vec<Param>,
    /// Bytes of static shared memory, alignment included.
    pub(crate) static_shared: u32,
    /// The entry's parameters that are pointers about which the launch promises nothing.
    pub(crate) unpromised: Vec<u32>,
    /// The highest dimension in which a launch may have more than one thread.
    pub(crate) max_dims: u8,
    /// What the kernel's attribute says of every launch.
    pub(crate) knobs: KernelKnobs,
    /// What its instructions need, including dead code; [`AllNeeds::of_module`] excludes it.
    pub(crate) needs: AllNeeds,
    /// Whether the launched function is marked `#[kernel]`.
    pub(crate) marked: bool,
    /// The device statics that it uses, including those of dead code; [`keep_used_statics`] excludes these.
    pub(crate) statics: Vec<Static>,
    /// PTX with functions that it may call.
    pub(crate) linked: Vec<LinkedPtx>,
    /// The lines that it prints, as in the image's table.
    pub(crate) prints: Vec<Vec<Word>>,
}

/// What a kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// This architecture, which the user asked for: what needs more is refused.
    Asked(Arch),
    /// At least this architecture, and the oldest one that has what the kernel uses.
    From(Arch),
}

impl Goal {
    /// The architecture that the kernel's code is told.
    pub(crate) fn arch(self) -> Arch {
        match self {
            Goal::Asked(arch) | Goal::From(arch) => arch,
        }
    }
}

/// Lowers the kernel that `unpack` calls; the entry gets the name `name`.
///
/// # Errors
/// Intrinsics used in a way that can't be lowered.
pub(crate) fn lower<'c>(
    module: &mut Module<'c>,
    target: &Target,
    unpack: Value<'c>,
    layouts: &[Layout],
    name: &str,
    goal: Goal,
    options: &Options,
) -> Result<Lowered<'c>, Diagnostic> {
    answer_features(module);
    // Before any pass looks at what they hold at first.
    let statics = place_statics(module)?;
    let linked = linked_ptx::take_linked_ptx(module);
    strip_attributes(module);
    remove_exceptions(module, target)?;
    let marks = Marks::take(module, unpack);
    // Before anything is inlined: what is not called yet, such as libdevice's functions, would be
    // dropped.
    redirect_runtime(module);
    redirect_x86(module);
    redirect_half(module);
    fix_hash_keys(module);
    redirect_heap(module);
    redirect_panics(module, target)?;
    let prints = redirect_prints(module, target)?;
    answer_architecture(module, goal.arch())?;
    let facts = lower_symbols(module)?;
    let shape = LaunchShape { max_dims: facts.max_dims, knobs: marks.knobs };
    let mut needs = lower_intrinsics(module, goal, &options.targets, &shape)?;
    lower_inline_ptx(module, goal, &options.targets, &mut needs)?;
    order_atomics(module);
    replace_foreign(module);
    let (entry, params, unpromised) = make_entry(module, target, unpack, layouts, name)?;
    // After `make_entry`, which inlines the marks into the functions with the loops.
    mark_unrolled_loops(module)?;
    internalise(module, entry);
    Ok(Lowered {
        entry,
        params,
        unpromised,
        static_shared: facts.static_shared,
        max_dims: facts.max_dims,
        knobs: marks.knobs,
        needs,
        marked: marks.kernel,
        statics,
        linked,
        prints,
    })
}

/// Makes everything internal except the entry, what the host looks up by name, and the functions of
/// panics and printing, which `panics` takes care of.
fn internalise<'c>(module: &Module<'c>, entry: Value<'c>) {
    for value in module.functions().into_iter().chain(module.globals()) {
        if value.is_declaration() || is_dynamic_shared(value) {
            continue;
        }
        let name = value.name();
        if is_recording(&name) || is_static_variable(value) {
            continue;
        }
        let external = value == entry || name == PANIC_MODULE;
        value.set_linkage(if external { Linkage::External } else { Linkage::Internal });
    }
}
