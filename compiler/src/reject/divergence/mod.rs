//! Finds barriers that some lanes of a warp certainly never reach.
//!
//! All threads of a block that have not exited must come to a block's barrier, and the lanes of a warp together: with
//! `.aligned`, "all threads in warp must execute the same barrier instruction" (PTX ISA, "bar, barrier"). The other
//! collective instructions say the same of a cluster, or of the lanes in a mask. In general it
//! is not decidable which threads come; the emulated device reports those that wait in vain. This module refuses only
//! what is wrong whatever the kernel computes and is launched with:
//!
//! 1. the barrier is behind one side of a branch: no path leads to it except over that edge;
//! 2. the branch's condition follows from the lane or the thread's index, and keeps some lanes of each warp on the other
//!    side, whenever it lets others through ([`lanes`]);
//! 3. those lanes come, on some way without such a barrier, to one where the others come after theirs, so that lanes of
//!    a warp wait at different barriers. Lanes that leave the kernel instead are allowed, since threads that have exited
//!    are not waited for; and the optimiser may have joined what they do last with what the others do.
//!
//! Named barriers, whole warps that take another way, and sides that have a barrier each are never refused.

mod lanes;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::host_functions::place;
use crate::llvm::{Block, Context, Module, Place, Value};
use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::symbols::GRID_BARRIER;

/// Threads that an instruction waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    Warp,
    Block,
    Cluster,
    Grid,
}

/// Instructions that wait for whole groups, by the names of LLVM's intrinsics. Those of warps have a mask first.
const COLLECTIVE: [(&str, Threads); 13] = [
    ("llvm.nvvm.barrier.cta.sync.aligned.all", Threads::Block),
    ("llvm.nvvm.barrier.cta.red.popc.aligned.all", Threads::Block),
    ("llvm.nvvm.barrier.cta.red.and.aligned.all", Threads::Block),
    ("llvm.nvvm.barrier.cta.red.or.aligned.all", Threads::Block),
    ("llvm.nvvm.bar.warp.sync", Threads::Warp),
    ("llvm.nvvm.shfl.sync.idx.i32", Threads::Warp),
    ("llvm.nvvm.shfl.sync.up.i32", Threads::Warp),
    ("llvm.nvvm.shfl.sync.down.i32", Threads::Warp),
    ("llvm.nvvm.shfl.sync.bfly.i32", Threads::Warp),
    ("llvm.nvvm.vote.all.sync", Threads::Warp),
    ("llvm.nvvm.vote.any.sync", Threads::Warp),
    ("llvm.nvvm.vote.uni.sync", Threads::Warp),
    ("llvm.nvvm.vote.ballot.sync", Threads::Warp),
];

/// The same in inline PTX.
const COLLECTIVE_PTX: [(&str, Threads); 1] = [("barrier.cluster.arrive", Threads::Cluster)];

/// The mask of all lanes.
const FULL: u64 = 0xffff_ffff;

/// A barrier that some lanes of a warp leave out.
pub(crate) struct LeftOut {
    threads: Threads,
    barrier: Place,
    branch: Option<Place>,
}

/// The first one in an optimised module.
pub(crate) fn find(context: &Context, module: &Module<'_>) -> Option<LeftOut> {
    module.functions().into_iter().find_map(|function| in_function(context, function))
}

/// The error for such a barrier.
pub(crate) fn refuse(kernel: &str, found: LeftOut) -> Diagnostic {
    let (what, all, way_out) = match found.threads {
        Threads::Block => (
            "a barrier of the block",
            "all threads of the block that have not returned",
            "wait outside the branch; if the block's other threads wait at another place in the source, use \
             `block::sync_divergent()`",
        ),
        Threads::Grid => (
            "a barrier of the grid",
            "all threads of the grid that have not returned",
            "wait outside the branch",
        ),
        Threads::Cluster => (
            "a barrier of the cluster",
            "all threads of the cluster that have not returned",
            "wait outside the branch",
        ),
        Threads::Warp => (
            "an operation of the whole warp",
            "all lanes of the warp that have not returned",
            "move it out of the branch, or use a group of the lanes that come there: `group::coalesced()`",
        ),
    };
    let branch = found.branch.filter(|branch| branch.line != 0);
    let condition = branch.map_or_else(
        || "a condition that differs between the lanes of a warp".to_owned(),
        |branch| {
            format!(
                "the condition at {}:{}, which differs between the lanes of a warp,",
                branch.file, branch.line
            )
        },
    );
    Diagnostic::of_kernel(kernel, format!(" has {what} that not all of its threads can reach"))
        .at(Some(found.barrier))
        .note(format!("{all} must reach it together, but {condition} keeps some of them away"))
        .help(way_out)
}

fn in_function(context: &Context, function: Value<'_>) -> Option<LeftOut> {
    let blocks = function.blocks();
    let barriers: Vec<(Value<'_>, Threads)> = blocks
        .iter()
        .flat_map(|block| block.instructions())
        .filter_map(|instruction| Some((instruction, waits_for(instruction)?)))
        .collect();
    if barriers.is_empty() {
        return None;
    }
    for branch in &blocks {
        let Some(condition) = branch.terminator().and_then(Value::condition) else { continue };
        let [taken, other] = branch.successors()[..] else { continue };
        if taken == other {
            continue;
        }
        for (inside, outside, wanted) in [(taken, other, true), (other, taken, false)] {
            let without = reached(blocks[0], |_| true, Some((*branch, inside)));
            let mut behind = barriers
                .iter()
                .filter(|(barrier, _)| !without.contains(&barrier.parent_block()))
                .peekable();
            if behind.peek().is_none() || !lanes::excludes_some(condition, wanted) {
                continue;
            }
            for &(barrier, threads) in behind {
                let waits = |block: &Block<'_>| {
                    barriers
                        .iter()
                        .any(|(other, of)| *of == threads && other.parent_block() == *block)
                };
                // Paths end at barriers.
                let around = reached(outside, |block| !waits(&block), Some((*branch, inside)));
                let after = reached(barrier.parent_block(), |_| true, None);
                if after.iter().any(|block| around.contains(block) && waits(block)) {
                    let is_of_grid = barrier
                        .places(context)
                        .iter()
                        .any(|place| path_of(&place.function) == GRID_BARRIER);
                    return Some(LeftOut {
                        threads: if is_of_grid { Threads::Grid } else { threads },
                        barrier: place(context, barrier),
                        branch: branch.terminator().map(|branch| place(context, branch)),
                    });
                }
            }
        }
    }
    None
}

/// The threads that an instruction waits for, if it is collective.
fn waits_for(instruction: Value<'_>) -> Option<Threads> {
    if !instruction.is_call() {
        return None;
    }
    let callee = instruction.callee();
    if callee.is_inline_asm() {
        let template = callee.asm_template();
        return COLLECTIVE_PTX
            .iter()
            .find(|(ptx, _)| template.contains(ptx))
            .map(|(_, threads)| *threads);
    }
    if !callee.is_function() {
        return None;
    }
    let name = callee.name();
    let (_, threads) = COLLECTIVE.iter().find(|(known, _)| *known == name)?;
    let is_whole = *threads != Threads::Warp
        || instruction.arguments().first().and_then(|mask| mask.as_int()) == Some(FULL);
    is_whole.then_some(*threads)
}

/// What can run from `start` on. Paths end with blocks that don't let them `pass`, and never go over `edge`.
fn reached<'c>(
    start: Block<'c>,
    passes: impl Fn(Block<'c>) -> bool,
    edge: Option<(Block<'c>, Block<'c>)>,
) -> HashSet<Block<'c>> {
    let (mut found, mut open) = (HashSet::from([start]), vec![start]);
    while let Some(block) = open.pop() {
        if passes(block) {
            let next = block.successors().into_iter().filter(|next| edge != Some((block, *next)));
            open.extend(next.filter(|next| found.insert(*next)));
        }
    }
    found
}
