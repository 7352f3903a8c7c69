//! Lowering: from rustc's IR for the host to IR that the NVPTX backend takes.
//!
//! [`lower`] works on a module that holds one kernel and all it reaches. Each step is a file:
//!
//! | step | does |
//! |---|---|
//! | `features` | answers questions for optional features of the processor with no |
//! | `attributes` | drops what only the host's code generator knows; marks everything convergent |
//! | `exceptions` | turns `invoke`s into calls: nothing unwinds on a device |
//! | `hash_keys` | gives std's hash maps constant keys, if the kernel asked for the heap |
//! | `heap` | sends the allocator to the device library, if the kernel asked for the heap |
//! | `panics` | sends core's panic entry points to the device library |
//! | `arch` | questions about the architecture, to constants |
//! | `special` | shared memory, dimension requirements, the kernel mark, traps |
//! | `calls` | device intrinsics, by the rows of `intrinsics` |
//! | `runtime` | what PTX has no instructions for (math, 128-bit division), to the device library |
//! | `x86` | intrinsics of the host's processor that mean something here, to the device library |
//! | `atomics` | orderings that the backend would drop |
//! | `foreign` | the host's assembly, thread-locals and statics, to names that `reject` explains |
//! | `entry` | the kernel's entry with one PTX parameter for each scalar |
//! | `unroll` | `#[unroll]` on loops, to metadata |
//! | `contraction` | allows fused multiply-add, as CUDA C does |
//!
//! `loops` comes once functions are inlined: what iterators' counters are below, so that indices need
//! no check. `unroll` steers LLVM's own unrolling, between its passes; `graph` finds loops for it.
//! `private` comes later, between and behind passes of the optimiser: atomics on what is, or may be, a
//! thread's own variable. Last come `square_root`, square roots that are hidden from the code
//! generator, `cold`, ends of the thread that several conditions lead to, `checks`, checks that follow
//! each other, to a branch or two, `minima`, comparisons that are to stay two, `panics::sites`, panics to
//! numbers, and `cycles`, statics that refer to each other in a circle.
//!
//! Everything is marked convergent before any LLVM pass runs: otherwise LLVM duplicates barriers.

mod arch;
mod atomics;
mod attributes;
mod calls;
mod checks;
mod cold;
mod contraction;
mod cycles;
mod entry;
mod exceptions;
mod features;
pub(crate) mod foreign;
mod graph;
mod hash_keys;
mod heap;
pub(crate) mod intrinsics;
mod loops;
mod minima;
mod panics;
mod pointers;
mod private;
mod runtime;
mod special;
mod square_root;
mod unroll;
mod x86;

use std::collections::BTreeSet;

use ptyx_image::{Arch, Layout, Param};

use crate::codegen::Diagnostic;
use crate::llvm::{Linkage, Module, Target, Value};
use crate::options::Options;
use intrinsics::Needs;

pub(crate) use arch::asked as asked_archs;
pub(crate) use calls::needs;
pub(crate) use checks::join as join_checks;
pub(crate) use cold::split as split_cold_ends;
pub(crate) use cycles::break_up as break_cycles;
pub(crate) use exceptions::remove as remove_exceptions;
pub(crate) use loops::explain as explain_loops;
pub(crate) use minima::avoid as avoid_minima;
pub(crate) use panics::{
    LaunchInfo, RUNTIME as PANIC_RUNTIME, bind_launch, number as number_panics,
};
pub(crate) use pointers::follows_untracked;
pub(crate) use private::{guard as guard_atomics, make_plain as make_private_atomics_plain};
pub(crate) use runtime::MATH_PREFIX;
pub(crate) use special::is_dynamic_shared;
pub(crate) use square_root::hide as hide_square_roots;
pub(crate) use unroll::{hold_back as hold_back_unrolling, keep_unrolled, unroll_checked};

/// PTX's calling convention of kernels in LLVM (`CallingConv::PTX_Kernel`).
const PTX_KERNEL: u32 = 71;

/// What keeps barriers single, by itself.
#[cfg(test)]
pub(crate) fn mark_convergent(module: &Module<'_>) {
    attributes::strip(module);
}

/// The functions of the device library that lowering will call, beside [`PANIC_RUNTIME`].
pub(crate) fn needed(module: &Module<'_>) -> BTreeSet<String> {
    let mut names = runtime::needed(module);
    names.extend(heap::needed(module));
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
    /// The architecture and PTX version that its intrinsics need, dead code included; [`needs`]
    /// says it without.
    pub(crate) needs: Needs,
    /// Whether the launched function is marked `#[kernel]`.
    pub(crate) marked: bool,
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
    /// The architecture, as the kernel's code is told it.
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
    features::resolve(module);
    attributes::strip(module);
    remove_exceptions(module, target)?;
    // Before anything inlines: what is not called yet, as libdevice's functions, would be dropped.
    runtime::redirect(module);
    x86::redirect(module);
    hash_keys::fix(module);
    heap::redirect(module);
    panics::redirect(module, target)?;
    let marked = special::take_kernel_mark(module, unpack);
    arch::answer(module, goal.arch())?;
    let facts = special::lower(module)?;
    calls::flatten(module, facts.max_dims);
    let needs = calls::lower(module, goal, &options.targets)?;
    atomics::order(module);
    foreign::name(module);
    let (entry, params, unpromised) = entry::make(module, target, unpack, layouts, name)?;
    // Behind `entry`, which brings the marks into the functions with the loops.
    unroll::lower(module)?;
    if options.fma {
        contraction::allow(module);
    }
    internalise(module, entry);
    Ok(Lowered {
        entry,
        params,
        unpromised,
        static_shared: facts.static_shared,
        max_dims: facts.max_dims,
        needs,
        marked,
    })
}

/// Makes everything internal but the entry, what the host looks up by name, and the functions of
/// panics, which `panics` sees to.
fn internalise<'c>(module: &Module<'c>, entry: Value<'c>) {
    for value in module.functions().into_iter().chain(module.globals()) {
        if value.is_declaration() || special::is_dynamic_shared(value) {
            continue;
        }
        let name = value.name();
        if PANIC_RUNTIME.contains(&name.as_str()) {
            continue;
        }
        let external = value == entry || name == panics::HOST_GLOBAL;
        value.set_linkage(if external { Linkage::External } else { Linkage::Internal });
    }
}
