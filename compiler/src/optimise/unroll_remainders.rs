//! Unrolls what is left of loops whose iterations run in groups.
//!
//! LLVM unrolls a loop with a run-time trip count by a few iterations, and puts another loop before it, or behind it, for those that
//! are left. Loops over the neighbours of a node, the elements of a sparse row or a small window have few iterations, so most
//! of them run there, one after the other: each waits for what it loads. But it is known how many there are at most.
//! Unrolled, with a test between every two, several are under way at once. `nvcc` does the same.

use crate::llvm::{LlvmError, Module, Target};
use crate::lower::LOOP_METADATA;

/// How LLVM names the conditions of such loops (`UnrollLoopRuntimeRemainder`).
const REMAINDERS: [&str; 2] = ["prol.iter.cmp", "epil.iter.cmp"];

/// The passes that unroll loops up to the most iterations that they can have.
pub(crate) const UNROLL_REMAINDERS: &str = "function(loop-unroll<O3;no-partial;no-runtime;upperbound>,instsimplify,\
     simplifycfg<no-speculate-blocks>)";

/// Unrolls them in all functions.
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
            // LLVM has said that they must not be unrolled.
            jump.clear_metadata(kind);
            any = true;
        }
    }
    match any {
        true => module.run_passes(UNROLL_REMAINDERS, target),
        false => Ok(()),
    }
}
