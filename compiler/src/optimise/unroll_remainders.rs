//! Unrolls the remainder loops that LLVM's unrolling leaves.
//!
//! When LLVM unrolls a loop with a run-time trip count, it puts a remainder loop before or behind it, for the iterations that do not
//! fill the unrolled body. Loops over the neighbours of a node, the elements of a sparse row or a small window have few
//! iterations, so most of them run there, one after the other: each waits for what it loads. But a remainder loop has fewer
//! iterations than the unrolled body holds. So it is unrolled as well, with a test after each iteration, and the loads of several
//! can be in flight at once. `nvcc` does the same.

use crate::llvm::{LlvmError, Module, Target};
use crate::lower::LOOP_METADATA;

/// How LLVM names the conditions of remainder loops (`UnrollLoopRuntimeRemainder`).
const REMAINDERS: [&str; 2] = ["prol.iter.cmp", "epil.iter.cmp"];

/// The passes that unroll loops fully whose trip count has a small upper bound.
pub(crate) const UNROLL_REMAINDERS: &str = "function(loop-unroll<O3;no-partial;no-runtime;upperbound>,instsimplify,\
     simplifycfg<no-speculate-blocks>)";

/// Unrolls the remainder loops of all functions.
///
/// # Errors
/// If LLVM lacks a pass.
pub(super) fn unroll_remainders(module: &mut Module<'_>, target: &Target) -> Result<(), LlvmError> {
    let kind = module.context().metadata_kind(LOOP_METADATA);
    let mut any = false;
    for block in module.functions().into_iter().flat_map(|function| function.blocks()) {
        let Some(jump) = block.terminator() else { continue };
        let Some(condition) = jump.condition() else { continue };
        let name = condition.name();
        if REMAINDERS.iter().any(|start| name.starts_with(start)) {
            // LLVM has marked it as not to be unrolled.
            jump.clear_metadata(kind);
            any = true;
        }
    }
    match any {
        true => module.run_passes(UNROLL_REMAINDERS, target),
        false => Ok(()),
    }
}
