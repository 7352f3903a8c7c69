//! Finds barriers that some lanes of a warp certainly never reach.
//!
//! All threads of a block that have not exited must come to a block's barrier, and the lanes of a warp together: with
//! `.aligned`, "all threads in warp must execute the same barrier instruction" (PTX ISA, "bar, barrier"). The other
//! collective instructions say the same of a cluster, or of the lanes in a mask. In general it
//! is not decidable which threads come; the emulated device reports those that wait in vain. This module refuses only
//! what is wrong whatever the kernel computes and is launched with:
//!
//! 1. the barrier is behind one side of a branch: no path leads to it except over that edge;
//! 2. the branch's condition follows from the lane or the thread's index, and keeps some lanes that the barrier waits for on
//!    the other side, whenever it lets others through ([`lanes`]);
//! 3. those lanes come, on some way without such a barrier, to one where the others come after theirs, so that lanes of
//!    a warp wait at different barriers. Lanes that leave the kernel instead are allowed, since threads that have exited
//!    are not waited for; and the optimiser may have joined what they do last with what the others do.
//!
//! Operations of a warp have a mask. Only the lanes in it count, if it is a constant or follows from the lane, as for a
//! tile. Operations on matrices have none: all lanes of the warp must execute them, and none may have exited (PTX ISA,
//! "mma"), so it is also an error if the others return without one.
//!
//! Named barriers, whole warps that take another way, and sides that have a barrier each are never refused.

mod lanes;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::host_functions::place;
use crate::llvm::{Block, Context, Module, Place, Value, opcode};
use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::symbols::GRID_BARRIER;

/// Threads that an instruction waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    Warp,
    /// All lanes of a warp, or of four warps, for a matrix: none may have exited.
    Matrix,
    Block,
    Cluster,
    Grid,
}

/// Instructions that wait for whole groups, by the names of LLVM's intrinsics. Those of warps have a mask first.
const COLLECTIVE: [(&str, Threads); 15] = [
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
    ("llvm.nvvm.match.any.sync.i32", Threads::Warp),
    ("llvm.nvvm.match.any.sync.i64", Threads::Warp),
];

/// The same in inline PTX, where operations of a warp have the mask last.
const COLLECTIVE_PTX: [(&str, Threads); 12] = [
    ("barrier.cluster.arrive", Threads::Cluster),
    ("match.any.sync", Threads::Warp),
    ("match.all.sync", Threads::Warp),
    ("redux.sync", Threads::Warp),
    ("elect.sync", Threads::Warp),
    ("mma.sync.aligned", Threads::Matrix),
    ("mma.sp.sync.aligned", Threads::Matrix),
    ("mma.sp::ordered_metadata.sync.aligned", Threads::Matrix),
    ("ldmatrix.sync.aligned", Threads::Matrix),
    ("stmatrix.sync.aligned", Threads::Matrix),
    ("movmatrix.sync.aligned", Threads::Matrix),
    ("wgmma.mma_async.sync.aligned", Threads::Matrix),
];

/// The mask of all lanes.
const FULL: u64 = 0xffff_ffff;

/// An instruction that waits for others.
#[derive(Clone, Copy)]
struct Collective<'c> {
    instruction: Value<'c>,
    threads: Threads,
    /// Of an operation of a warp: the lanes in it. `None` for all.
    mask: Option<Value<'c>>,
}

/// A barrier that some lanes of a warp leave out.
pub(crate) struct LeftOut {
    threads: Threads,
    /// Whether it is of some lanes of a warp only.
    is_partial: bool,
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
        Threads::Matrix => (
            "an operation on matrices, of the whole warp,",
            "all lanes of the warp",
            "move it out of the branch",
        ),
        Threads::Warp if found.is_partial => (
            "an operation of a part of the warp",
            "all lanes of the part that have not returned",
            "move it out of the branch, or use a group of the lanes that come there: `group::coalesced()`",
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
    let all: Vec<Collective<'_>> =
        blocks.iter().flat_map(|block| block.instructions()).filter_map(collective).collect();
    if all.is_empty() {
        return None;
    }
    for branch in &blocks {
        let Some(condition) = branch.terminator().and_then(Value::condition) else { continue };
        let [taken, other] = branch.successors()[..] else { continue };
        if taken == other {
            continue;
        }
        for (inside, outside, wanted) in [(taken, other, true), (other, taken, false)] {
            // Few conditions follow from the lane, and this costs less than a walk through the function.
            let Some(edge) = lanes::over_edge(condition, wanted) else { continue };
            let without = reached(blocks[0], |_| true, Some((*branch, inside)));
            let found = all
                .iter()
                .filter(|one| !without.contains(&one.instruction.parent_block()))
                .find(|one| leaves_out(one, &all, &edge, outside, (*branch, inside)).is_some());
            if let Some(one) = found {
                return Some(LeftOut {
                    threads: if is_of_grid(context, one) { Threads::Grid } else { one.threads },
                    is_partial: one.mask.is_some(),
                    barrier: place(context, one.instruction),
                    branch: branch.terminator().map(|branch| place(context, branch)),
                });
            }
        }
    }
    None
}

/// Whether an instruction behind an edge waits for lanes that go `outside` instead, and wait there.
fn leaves_out<'c>(
    one: &Collective<'c>,
    all: &[Collective<'c>],
    edge: &lanes::Edge,
    outside: Block<'c>,
    not_over: (Block<'c>, Block<'c>),
) -> Option<()> {
    let parted = edge.parts(one.mask)?;
    let waits = |block: &Block<'_>| {
        all.iter().any(|other| {
            other.threads == one.threads
                && other.instruction.parent_block() == *block
                && parted.meet_at(other.mask)
        })
    };
    // Paths end at barriers.
    let around = reached(outside, |block| !waits(&block), Some(not_over));
    let after = reached(one.instruction.parent_block(), |_| true, None);
    let wait_later = after.iter().any(|block| around.contains(block) && waits(block));
    let returns =
        |block: &Block<'_>| block.terminator().is_some_and(|end| end.opcode() == opcode::RETURN);
    let only_return =
        one.threads == Threads::Matrix && around.iter().any(returns) && !around.iter().any(waits);
    (wait_later || only_return).then_some(())
}

/// Whether an instruction is part of a barrier of the grid.
fn is_of_grid(context: &Context, one: &Collective<'_>) -> bool {
    let places = one.instruction.places(context);
    places.iter().any(|place| path_of(&place.function) == GRID_BARRIER)
}

/// An instruction that waits for others, if it is one.
fn collective(instruction: Value<'_>) -> Option<Collective<'_>> {
    if !instruction.is_call() {
        return None;
    }
    let callee = instruction.callee();
    let (threads, mask) = if callee.is_inline_asm() {
        let template = callee.asm_template();
        let (at, threads) = COLLECTIVE_PTX
            .iter()
            .find_map(|(name, threads)| Some((find_name(&template, name)?, *threads)))?;
        let mask = match threads {
            Threads::Warp => Some(last_operand(instruction, &template[at..])?),
            _ => None,
        };
        (threads, mask)
    } else {
        if !callee.is_function() {
            return None;
        }
        let name = callee.name();
        let (_, threads) = COLLECTIVE.iter().find(|(known, _)| *known == name)?;
        let mask = match threads {
            Threads::Warp => Some(instruction.arguments().first().copied()?),
            _ => None,
        };
        (*threads, mask)
    };
    let mask = mask.filter(|mask| mask.as_int() != Some(FULL));
    Some(Collective { instruction, threads, mask })
}

/// Where an instruction's name begins in inline PTX: not inside of a longer word.
fn find_name(template: &str, name: &str) -> Option<usize> {
    template.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = template[..*at].chars().next_back();
        before.is_none_or(|before| before.is_whitespace() || "{};".contains(before))
    })
}

/// The value of the last operand of the instruction of inline PTX that `text` begins with, if it is an argument.
fn last_operand<'c>(call: Value<'c>, text: &str) -> Option<Value<'c>> {
    let (instruction, _) = text.split_once(';')?;
    let (_, operand) = instruction.rsplit_once(',')?;
    let number = operand.trim().strip_prefix('$')?;
    let number: usize = number.trim_matches(['{', '}']).parse().ok()?;
    let constraints = call.callee().asm_constraints();
    let results = constraints.split(',').filter(|one| one.starts_with('=')).count();
    call.arguments().get(number.checked_sub(results)?).copied()
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
