//! The optimiser's pipeline. Everything in this folder is optional: kernels do the same without it
//! (except for the rounding of fused operations), and each pass can be switched off by its name
//! (`options/passes.rs`, `docs/passes.md`).
//!
//! LLVM's own pipeline for NVPTX, which nvcc and clang use as well, leaves one pass out: jump
//! threading. The pass does nothing for targets on which threads diverge, for the sake of graphics
//! hardware that needs structured control flow. Rust needs it more than C++ does: each step of an
//! iterator makes an `Option` and matches on it, and only jump threading merges the two tests. Without
//! it, arrays that are iterated by value stay in local memory, because the loop's trip count is not
//! found, and so it is not unrolled.
//!
//! So functions are inlined first, then jump threading runs as if there were no target, and then the
//! full pipeline. Until then, no branch may become a select: an iterator's next element as a select
//! hides from the optimiser that the loop counts. Jump threading never copies a convergent call, so
//! barriers stay single.
//!
//! Once functions are inlined, iterators over arrays are taken apart (`split_iterators.rs`), and all iterations of an innermost
//! loop are made to end with one jump back (`join_iterations.rs`), before LLVM can make two loops of it. The indices of threads
//! in the grid are known by then, and calculated in 32 bits (`narrow_indices.rs`). It is also known which fills of shared memory
//! the whole block comes to (`answer_fills.rs`).
//!
//! In between, while loops still begin with their conditions, `explain_loops/` tells LLVM what it can't
//! see in Rust's iterators: that a pointer which runs to the end of a slice means as many iterations as
//! the slice has elements, and that the steps of `step_by` stay below the end of the range.
//!
//! Loops with several exits and a run-time trip count are unrolled only if the exits are checks
//! (`unroll_checked_loops.rs`); LLVM would unroll all or none of them. Before that, loops are checked before they begin
//! (`version_loops.rs`) and their addresses made to step (`step_addresses.rs`). No pass between these two may unroll
//! loops: what `version_loops` has proved of extensions holds in the loop they are in. Then loops that LLVM would leave alone are
//! made to run in groups of iterations (`group_iterations.rs`).
//!
//! Then relaxed loads of shared memory become weak where no thread can write there meanwhile (`weaken_loads/`).
//!
//! Up to `prove_checks/`, a kernel is one module. From there on, each level of what the host can prove of a launch has one of its
//! own.
//!
//! After LLVM's full pipeline, the remainder loops of its unrolling are unrolled, too (`unroll_remainders.rs`), relaxed loads of
//! shared memory are reused (`reuse_loads.rs`), and loads whose memory the host has found to be there leave loops
//! (`hoist_loads.rs`).
//!
//! Last, checks that can't fail are left out (`decide_checks.rs`), operations of 64 bits that need no more than 32 get them
//! (`narrow_divisions.rs`, `narrow_words.rs`), panics that several places share are split again (`split_cold_ends.rs`),
//! unrolled loops are marked, so that NVIDIA's assembler does not unroll them once more (`unroll_checked_loops.rs`), and
//! consecutive checks are made together (`join_checks/`). Loads of consecutive branches are issued together
//! (`load_early.rs`). Counters of loops get 32 bits where they fit (`narrow_counters.rs`). Where PTX has one instruction that LLVM
//! does not use, it is written as inline assembly (`narrow_words.rs`, `convert_floats.rs`). Once panics are numbers
//! (`lower/panics/sites.rs`), they are led to where the other paths join (`rejoin_panics/`).

mod affine;
mod agree_on_copies;
mod allow_contraction;
mod answer_fills;
mod convert_floats;
mod decide_checks;
mod dominators;
mod explain_loops;
#[cfg(test)]
mod file_tests;
mod flow;
mod group_iterations;
mod hoist_loads;
mod join_checks;
mod join_iterations;
mod load_early;
mod load_nearby;
mod loop_properties;
mod make_private_atomics_plain;
mod meetings;
mod narrow_counters;
mod narrow_divisions;
mod narrow_indices;
mod narrow_words;
mod prove_checks;
#[cfg(test)]
mod range_tests;
mod ranges;
mod rejoin_panics;
mod reuse_loads;
mod spaces;
mod split_cold_ends;
mod split_iterators;
mod step_addresses;
mod unroll_checked_loops;
mod unroll_known_loops;
mod unroll_remainders;
mod version_loops;
mod votes;
mod weaken_loads;

use std::iter;

use crate::llvm::known::TAKE_IN_AND_DROP;
use crate::llvm::{LlvmError, Module, Target};
use crate::lower::{
    guard_private_atomics, hide_square_roots, widen_narrow_atomics, widen_to_system,
};
use crate::options::{Options, Pass};
use agree_on_copies::agree_on_copies;
use allow_contraction::allow_contraction;
use answer_fills::answer_fills;
use convert_floats::convert_floats;
use decide_checks::decide_checks;
use explain_loops::explain_loops;
pub(crate) use group_iterations::CLOSE_LOOPS;
use group_iterations::group_iterations;
use hoist_loads::hoist_loads;
pub(crate) use join_checks::TIDY_COPIES;
use join_checks::{join_checks, make_checks_ahead};
use join_iterations::join_iterations;
use load_early::load_early;
use load_nearby::load_nearby;
use make_private_atomics_plain::make_private_atomics_plain;
use narrow_counters::narrow_counters;
use narrow_divisions::narrow_divisions;
use narrow_indices::narrow_indices;
use narrow_words::{multiply_words, narrow_words};
use prove_checks::{prove_checks, split_levels};
pub(crate) use rejoin_panics::rejoin_panics;
use reuse_loads::reuse_loads;
use split_cold_ends::split_cold_ends;
use split_iterators::split_iterators;
use step_addresses::step_addresses;
use unroll_checked_loops::{hold_back_unrolling, keep_unrolled_loops, unroll_checked_loops};
use unroll_known_loops::unroll_known_loops;
pub(crate) use unroll_remainders::UNROLL_REMAINDERS;
use unroll_remainders::unroll_remainders;
use version_loops::Loops;
pub(crate) use version_loops::{DROP_CHECKS, MAKE_COPIES};
use weaken_loads::weaken_loads;

/// The passes that bring tests and their causes into one function. Instructions are combined first: a
/// branch that is folded later would lose what `#[unroll]` noted on it.
pub(crate) const INLINE: &str = "cgscc(inline,function(sroa,early-cse<memssa>,\
     instcombine<no-verify-fixpoint>,simplifycfg<no-speculate-blocks>))";
/// The pass that makes registers of the variables that `split_iterators` has split.
pub(crate) const SPLIT_VARIABLES: &str = "function(sroa)";
/// Now, while loops still begin with their condition, and before what `explain_loops` says is dropped
/// as trivially true.
pub(crate) const USE_BOUNDS: &str = "function(constraint-elimination)";
/// The passes that bring loops into the form in which `version_loops` finds how often they run: with their condition
/// at the end.
pub(crate) const ROTATE: &str = "function(lower-expect,loop(loop-rotate),instsimplify)";
pub(crate) const SIMPLIFY: &str = "default<O1>";
pub(crate) const THREAD: &str = "function(jump-threading)";
pub(crate) const OPTIMISE: &str = "default<O3>";
/// The passes that fold the conversions that `narrow_words` leaves.
pub(crate) const TIDY: &str = "function(instsimplify,dce)";
/// The passes that inline the functions that `lower::guard_private_atomics` and `widen_narrow_atomics` made.
pub(crate) const TAKE_GUARDS_IN: &str = TAKE_IN_AND_DROP;

/// Optimises a lowered module. The result has a module for each level of what the host can prove of a launch (`prove_checks/`),
/// in their order; the given one becomes that for launches of which none holds. What LLVM needs to emit PTX at all, and what
/// preserves the meaning, is not optional.
pub(crate) fn optimise<'c>(
    module: &mut Module<'c>,
    target: &Target,
    options: &Options,
) -> Result<Vec<Module<'c>>, LlvmError> {
    optimise_together(module, target, options)?;
    let mut proved = Vec::new();
    if options.passes.run(Pass::Prove) && prove_checks(module) {
        proved = split_levels(module);
        for one in iter::once(&mut *module).chain(&mut proved) {
            one.run_passes(DROP_CHECKS, target)?;
        }
    }
    for one in iter::once(module).chain(&mut proved) {
        optimise_alone(one, target, options)?;
    }
    Ok(proved)
}

/// Runs a pass, unless it is switched off.
fn optional(options: &Options, pass: Pass, run: fn(&Module<'_>), module: &Module<'_>) {
    if options.passes.run(pass) {
        run(module);
    }
}

/// The passes before a kernel's checks are proved.
fn optimise_together(
    module: &mut Module<'_>,
    target: &Target,
    options: &Options,
) -> Result<(), LlvmError> {
    let runs = |pass| options.passes.run(pass);
    let optional = |pass, run, module: &Module<'_>| optional(options, pass, run, module);
    if options.fma {
        optional(Pass::Contraction, allow_contraction, module);
    }
    module.run_passes(INLINE, target)?;
    if runs(Pass::Iterations) {
        if split_iterators(module) {
            module.run_passes(SPLIT_VARIABLES, target)?;
        }
        join_iterations(module);
    }
    optional(Pass::Indices, narrow_indices, module);
    // Before paths are copied.
    answer_fills(module, runs(Pass::Fills));
    if runs(Pass::Threading) {
        module.run_passes_without_target(THREAD, target)?;
    }
    optional(Pass::Loops, explain_loops, module);
    if runs(Pass::Bounds) {
        module.run_passes(USE_BOUNDS, target)?;
    }
    if runs(Pass::Version) && rotate_to_version(module, target)? {
        version_loops(module, target, Loops::Constant)?;
    }
    optional(Pass::Steps, step_addresses, module);
    optional(Pass::Unroll, unroll_known_loops, module);
    hold_back_unrolling(module);
    module.run_passes(SIMPLIFY, target)?;
    optional(Pass::Weaken, weaken_loads, module);
    Ok(())
}

/// The passes after that, for one level.
fn optimise_alone(
    module: &mut Module<'_>,
    target: &Target,
    options: &Options,
) -> Result<(), LlvmError> {
    let runs = |pass| options.passes.run(pass);
    let optional = |pass, run, module: &Module<'_>| optional(options, pass, run, module);
    if runs(Pass::Version) {
        version_loops(module, target, Loops::All)?;
    }
    optional(Pass::Steps, step_addresses, module);
    if runs(Pass::Unroll) && group_iterations::finds_any(module) {
        module.run_passes(CLOSE_LOOPS, target)?;
        group_iterations(module);
    }
    unroll_checked_loops(module, runs(Pass::Unroll));
    // Now, so that variables become registers; and again later, for what is inlined only then.
    optional(Pass::Private, make_private_atomics_plain, module);
    if runs(Pass::Threading) {
        module.run_passes_without_target(THREAD, target)?;
    }
    module.run_passes(OPTIMISE, target)?;
    if runs(Pass::Remainders) {
        unroll_remainders(module, target)?;
    }
    optional(Pass::Private, make_private_atomics_plain, module);
    let guarded = guard_private_atomics(module)?;
    // After it, since it knows narrow ones.
    if widen_narrow_atomics(module) | guarded {
        module.run_passes(TAKE_GUARDS_IN, target)?;
    }
    optional(Pass::Reuse, reuse_loads, module);
    optional(Pass::Prove, hoist_loads, module);
    optional(Pass::Nearby, load_nearby, module);
    widen_to_system(module);
    hide_square_roots(module)?;
    if runs(Pass::Decide) && decide_checks(module) {
        module.run_passes(DROP_CHECKS, target)?;
    }
    if runs(Pass::Divisions) {
        narrow_divisions(module);
    }
    if runs(Pass::Narrow) {
        narrow_words(module);
        module.run_passes(TIDY, target)?;
    }
    optional(Pass::Cold, split_cold_ends, module);
    optional(Pass::KeepUnrolled, keep_unrolled_loops, module);
    optional(Pass::Version, agree_on_copies, module);
    if runs(Pass::Checks) {
        if make_checks_ahead(module, runs(Pass::Stores), runs(Pass::Lift)) {
            module.run_passes_without_target(TIDY_COPIES, target)?;
            optional(Pass::Cold, split_cold_ends, module);
        }
        join_checks(module);
    }
    optional(Pass::Early, load_early, module);
    optional(Pass::Narrow, narrow_counters, module);
    optional(Pass::Narrow, multiply_words, module);
    optional(Pass::Conversions, convert_floats, module);
    Ok(())
}

/// Brings loops into the form that [`version_loops`] understands, if that is of use: other passes may profit from the
/// loops' first form.
fn rotate_to_version(module: &mut Module<'_>, target: &Target) -> Result<bool, LlvmError> {
    if !version_loops::has_checks(module) {
        return Ok(false);
    }
    let mut trial = module.copy();
    trial.run_passes(ROTATE, target)?;
    let is_of_use = version_loops::finds_any(&trial);
    if is_of_use {
        module.run_passes(ROTATE, target)?;
    }
    Ok(is_of_use)
}

/// Makes copies of loops without their checks.
fn version_loops(module: &mut Module<'_>, target: &Target, which: Loops) -> Result<(), LlvmError> {
    if version_loops::ask_before(module, which) {
        // For targets whose threads may diverge, LLVM makes no copies: both might have to run. They do if threads of
        // a warp disagree, and then one of them panics, or has an end of its own.
        module.run_passes_without_target(MAKE_COPIES, target)?;
        version_loops::keep_small(module);
        module.run_passes(DROP_CHECKS, target)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{self, BASE_PTX, Context};
    use crate::lower::mark_convergent;
    use crate::options::PASSES;
    use crate::rust::Toolchain;
    use ptyx_image::Arch;

    /// A minimal case of what the guards of barriers in `tests/tests/codegen` test: a
    /// helper with a barrier, between two branches on one condition.
    const BRANCHES: &str = r#"
        declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

        define internal void @helper(ptr %p) noinline {
          call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
          store volatile i32 1, ptr %p
          ret void
        }

        define ptx_kernel void @kernel(i32 %n, ptr %p) {
          %c = icmp ugt i32 %n, 7
          br i1 %c, label %more, label %barrier
        more:
          store volatile i32 2, ptr %p
          br label %barrier
        barrier:
          call void @helper(ptr %p)
          br i1 %c, label %again, label %end
        again:
          store volatile i32 3, ptr %p
          br label %end
        end:
          ret void
        }
    "#;

    /// Two checks in a row, of which the second needs nothing from memory.
    const CHECKS: &str = r#"
        declare void @panic(i64) noreturn

        define ptx_kernel void @kernel(i64 %i, i64 %n, i64 %m, ptr %p) {
          %first = icmp ult i64 %i, %n
          br i1 %first, label %more, label %fail
        more:
          %at = getelementptr inbounds i32, ptr %p, i64 %i
          %value = load i32, ptr %at
          %second = icmp ult i64 %i, %m
          br i1 %second, label %done, label %fail.m
        done:
          %to = getelementptr inbounds i32, ptr %p, i64 %m
          store i32 %value, ptr %to
          ret void
        fail:
          call void @panic(i64 %n)
          unreachable
        fail.m:
          call void @panic(i64 %m)
          unreachable
        }
    "#;

    /// The optimised module of `text`, where these passes are switched.
    fn optimised<T>(
        text: &str,
        convergent: bool,
        passes: &str,
        look: impl FnOnce(&Module<'_>) -> T,
    ) -> T {
        let toolchain = Toolchain::for_test();
        llvm::load(&toolchain.libllvm).unwrap();
        let context = Context::new();
        let mut module = Module::parse_text(&context, text).unwrap();
        let target = Target::new(Arch::BASE, BASE_PTX).unwrap();
        module.set_target(&target);
        if convergent {
            mark_convergent(&module);
        }
        let mut options = Options::default();
        options.passes.switch(passes).unwrap();
        optimise(&mut module, &target, &options).unwrap();
        module.verify().unwrap();
        look(&module)
    }

    /// Calls of the helper in the optimised kernel.
    fn calls(convergent: bool) -> usize {
        optimised(BRANCHES, convergent, "", |module| {
            let kernel = module.function("kernel").unwrap();
            let helper = module.function("helper").unwrap();
            let is_helper = |i: &llvm::Value<'_>| i.is_call() && i.callee() == helper;
            kernel.instructions().iter().filter(|i| is_helper(i)).count()
        })
    }

    /// A switch leaves its pass out and nothing else.
    #[test]
    fn switches_change_what_their_pass_does_alone() {
        let print = |text, passes: &str| optimised(text, true, passes, |module| module.print());
        let is_joined = |text: &str| text.contains("mov.pred");
        let all = print(CHECKS, "");
        assert!(is_joined(&all), "{all}");
        for (name, _) in PASSES {
            let without = print(CHECKS, &format!("-{name}"));
            match name {
                "checks" => assert!(!is_joined(&without), "{without}"),
                // LLVM has nothing to thread and no loop here, and neither have the other passes.
                _ => assert_eq!(without, all, "-{name}"),
            }
        }
    }

    /// The guards can fail: without the mark, the pipeline duplicates the barrier.
    #[test]
    fn barriers_stay_single_because_everything_is_convergent() {
        assert_eq!(calls(true), 1);
        assert_eq!(calls(false), 2);
    }
}
