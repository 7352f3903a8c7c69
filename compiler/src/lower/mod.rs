//! Lowering: from rustc's IR for the host to IR that the NVPTX backend accepts, with the same meaning.
//!
//! [`lower`] works on a module that holds one kernel and all it reaches. Each step is a function, in a file of its
//! name unless another is named, in this order:
//!
//! | step | does |
//! |---|---|
//! | `leave_out_checks` | leaves checks out, in the unchecked form of a kernel that has one |
//! | `answer_features` | answers questions for optional features of the processor with no |
//! | `place_statics` | makes variables of what the host reads and writes by name |
//! | `take_linked_ptx` | takes the user's PTX out of the module |
//! | `strip_attributes` | drops what only the host's code generator knows; marks everything convergent |
//! | `remove_exceptions` | turns `invoke`s into calls: nothing unwinds on a device |
//! | `take_marks` | takes what `#[kernel]` says |
//! | `redirect_runtime` | what PTX has no instructions for (math, 128-bit division), to the device library |
//! | `redirect_x86` | intrinsics of the host's processor that mean something here, to the device library |
//! | `redirect_half` | functions of the crate `half` to the device library, for the device's instructions |
//! | `fix_hash_keys` | gives std's hash maps constant keys, if the kernel asked for the heap |
//! | `redirect_heap` | sends the allocator to the device library, if the kernel asked for the heap |
//! | `redirect_panics` | sends core's panic entry points to the device library (`panics/`) |
//! | `redirect_prints` | makes numbers of the lines that kernels print (`panics/prints.rs`) |
//! | `answer_architecture` | questions about the architecture, to constants |
//! | `lower_symbols` | shared memory, dimension requirements, traps |
//! | `lower_intrinsics` | device intrinsics, as their symbols say (`intrinsics`) |
//! | `lower_inline_ptx` | what users write with `ptx!` |
//! | `order_atomics` | orderings that the backend would drop |
//! | `replace_foreign` | the host's assembly, thread-locals and statics, to names that `reject` explains |
//! | `make_entry` | the kernel's entry with one PTX parameter for each scalar |
//! | `mark_unrolled_loops` | `#[unroll]` on loops, to metadata |
//! | `internalise` | makes internal what nothing outside refers to |
//!
//! The rest comes once the kernel is optimised:
//!
//! | step | does |
//! |---|---|
//! | `guard_private_atomics` | atomics on what may be a thread's own variable |
//! | `widen_narrow_atomics` | atomics of 8 and 16 bits |
//! | `widen_to_system` | atomics of the widest scope |
//! | `hide_square_roots` | hides square roots from the code generator |
//! | `inline_prints` | puts the records of lines in place |
//! | `number_panics` | panics to numbers (`panics/sites.rs`) |
//! | `bind_launch` | what a launch says about itself (`panics/launch.rs`) |
//! | `move_large_arrays` | more shared memory than can be static |
//! | `keep_used_statics` | drops the variables that nothing reads any more |
//! | `break_cycles` | statics that refer to each other in a circle |
//!
//! `pointers` says what a launch must be ordered with, `needs` what instructions require of the hardware.
//!
//! Everything is marked convergent before any LLVM pass runs: otherwise LLVM duplicates barriers.

mod answer_architecture;
mod answer_features;
mod atomics;
mod break_cycles;
mod fix_hash_keys;
mod guard_private_atomics;
mod hide_square_roots;
mod inlined_half;
mod internalise;
#[cfg(test)]
mod intrinsic_tests;
mod intrinsics;
mod leave_out_checks;
mod limits;
mod lower_inline_ptx;
mod lower_intrinsics;
mod lower_symbols;
mod make_entry;
mod mark_unrolled_loops;
mod move_large_arrays;
mod needs;
mod order_atomics;
mod panics;
mod place_statics;
mod pointers;
mod proof;
mod redirect_half;
mod redirect_heap;
mod redirect_runtime;
mod redirect_x86;
mod remove_exceptions;
mod replace_foreign;
#[cfg(test)]
mod steps;
mod strip_attributes;
mod take_linked_ptx;
mod take_marks;
mod widen_narrow_atomics;
mod widen_to_system;

use std::collections::BTreeSet;

use ptyx_image::panic::Word;
use ptyx_image::{Arch, KernelKnobs, Layout, MaxDims, Param, Static};

use crate::llvm::{Module, Target, Value};
use crate::options::Options;
use crate::report::Diagnostic;
use answer_architecture::answer_architecture;
use answer_features::answer_features;
use fix_hash_keys::fix_hash_keys;
use internalise::internalise;
use lower_inline_ptx::lower_inline_ptx;
use lower_intrinsics::{LaunchShape, lower_intrinsics};
use lower_symbols::lower_symbols;
use make_entry::make_entry;
pub(crate) use make_entry::slice_of;
use mark_unrolled_loops::mark_unrolled_loops;
use order_atomics::order_atomics;
use panics::{redirect_panics, redirect_prints};
use place_statics::place_statics;
use redirect_half::redirect_half;
use redirect_heap::redirect_heap;
use redirect_runtime::redirect_runtime;
use redirect_x86::redirect_x86;
use replace_foreign::replace_foreign;
use strip_attributes::strip_attributes;
use take_linked_ptx::take_linked_ptx;
use take_marks::take_marks;

pub(crate) use answer_architecture::asked_archs;
pub(crate) use answer_features::ATTRIBUTE as FEATURES;
pub(crate) use break_cycles::break_cycles;
pub(crate) use guard_private_atomics::{guard_private_atomics, is_private_atomic, make_plain};
pub(crate) use hide_square_roots::hide_square_roots;
pub(crate) use leave_out_checks::leave_out_checks;
pub(crate) use limits::{Form as LimitForm, limit_of, used_limits};
pub(crate) use lower_symbols::is_dynamic_shared;
pub(crate) use make_entry::READABLE;
pub(crate) use mark_unrolled_loops::{FULL, LOOP_METADATA, NEVER_UNROLL, unroll_properties};
pub(crate) use move_large_arrays::move_large_arrays;
pub(crate) use needs::AllNeeds;
pub(crate) use panics::{LaunchInfo, SIMPLIFY, bind_launch, inline_prints, number_panics};
pub(crate) use place_statics::keep_used_statics;
pub(crate) use pointers::follows_untracked;
pub(crate) use proof::{
    Known, Need, ask_host, asked_levels, asked_proof, can_ask_host, fix_level, least_of,
    number_of_parameter,
};
pub(crate) use redirect_runtime::{INTRINSICS as MATH_INTRINSICS, is_redirected};
pub(crate) use remove_exceptions::{REMOVE, remove_exceptions};
#[cfg(test)]
pub(crate) use steps::{RunStep, STEPS};
pub(crate) use take_linked_ptx::{
    LinkedPtx, Param as PtxParam, Signature, linked_ptx, signature, used_ptx,
};
pub(crate) use take_marks::{IS_NARROW, MAY_NARROW, Marks};
pub(crate) use widen_narrow_atomics::widen_narrow_atomics;
pub(crate) use widen_to_system::widen_to_system;

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
    /// The highest dimension in which a grid may have more than one block, and a block more than one thread.
    pub(crate) max_dims: MaxDims,
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
    let linked = take_linked_ptx(module);
    strip_attributes(module);
    remove_exceptions(module, target)?;
    let marks = take_marks(module, unpack);
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
    needs.raise_to_knobs(&marks.knobs, goal)?;
    lower_inline_ptx(module, goal, &options.targets, &mut needs)?;
    order_atomics(module);
    replace_foreign(module);
    let (entry, params, unpromised) = make_entry(module, target, unpack, layouts, name)?;
    // After `make_entry`, which inlines the marks into the functions with the loops.
    mark_unrolled_loops(module)?;
    internalise(module, entry);
    if !marks.wide {
        entry.add_function_attribute(module.context().string_attribute(MAY_NARROW, ""));
    }
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
