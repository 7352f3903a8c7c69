//! Steers LLVM's unrolling of loops with several exits, of which it would unroll all or none.

use super::flow::Flow;
use super::join_checks::{Kind, Kinds, is_relaxed_write};
use super::loop_properties::{held_back, hold_back, is_held_back};
use super::prove_checks::MAX_SIZE;
use super::unroll_known_loops::{iterations_of, unrolled};
use super::version_loops::has_checks_in;
use crate::llvm::{Block, Loop, Module, Value, loops_of, opcode};
use crate::lower::{LOOP_METADATA, NEVER_UNROLL, unroll_properties};

/// Keeps the optimiser from unrolling loops with run-time trip counts until [`unroll_checked_loops`], unless the source
/// says how to unroll them: it would unroll every short one with several exits, and the others before their addresses
/// step. Where known loops would make a kernel too large for [`super::prove_checks`], they wait, too.
pub(crate) fn hold_back_unrolling(module: &Module<'_>) {
    let context = module.context();
    let kind = context.metadata_kind(LOOP_METADATA);
    for function in module.functions() {
        let (size, jumps) = unrolled(function);
        if size > MAX_SIZE && has_checks_in(function) {
            jumps.into_iter().for_each(|jump| hold_back(context, jump));
        }
    }
    for found in module.functions().into_iter().flat_map(loops_of) {
        let jumps = found.latches.iter().filter_map(|latch| latch.terminator());
        for jump in jumps {
            if jump.metadata(kind).is_none() {
                jump.set_metadata(kind, context.loop_metadata(&held_back(context)));
            }
        }
    }
}

/// How many iterations of a loop with checks are unrolled into one.
const ROUNDS: u64 = 4;
/// The largest body, in instructions, of a loop that is unrolled although it has checks.
const MAX_BODY: usize = 48;

/// Asks for unrolling of short loops that count by one and whose other exits are checks. As the checks
/// of an unrolled iteration are joined (`join_checks`), the loads of all its copies are in flight at
/// once. Without `checked`, only the loops with one exit are released.
pub(crate) fn unroll_checked_loops(module: &Module<'_>, checked: bool) {
    let context = module.context();
    let kind = context.metadata_kind(LOOP_METADATA);
    let kinds = Kinds::new(context);
    for function in module.functions() {
        let flow = Flow::of(function);
        let all = loops_of(function);
        for found in &all {
            let jumps: Vec<Value<'_>> =
                found.latches.iter().filter_map(|l| l.terminator()).collect();
            if !jumps.iter().any(|jump| is_held_back(*jump, kind)) {
                continue;
            }
            let is_innermost = !all.iter().any(|other| is_inside(other, found));
            let properties = match found.latches[..] {
                // Between two variables, LLVM takes the number of iterations for expensive.
                [latch]
                    if checked
                        && exits(found).len() < 2
                        && is_innermost
                        && counts_by_one(found, latch) == Some(Counts::BeforeItGrows)
                        && is_short(&kinds, found) =>
                {
                    unroll_properties(context, ROUNDS)
                }
                // What an outer loop does besides its inner ones is little, and would be there twice.
                _ if !is_innermost && exits(found).len() < 2 => held_back(context),
                // How often it runs may be known only now.
                [latch]
                    if checked
                        && is_innermost
                        && leaves_by_checks(found, latch)
                        && is_known_and_short(&kinds, &flow, found) =>
                {
                    Vec::new()
                }
                // It has no checks, or none any more.
                _ if exits(found).len() < 2 => Vec::new(),
                [latch]
                    if checked
                        && is_innermost
                        && counts_by_one(found, latch).is_some()
                        && leaves_by_checks(found, latch)
                        && is_short(&kinds, found) =>
                {
                    unroll_properties(context, ROUNDS)
                }
                _ => continue,
            };
            let node = context.loop_metadata(&properties);
            jumps.into_iter().for_each(|jump| jump.set_metadata(kind, node));
        }
    }
}

fn is_inside(inner: &Loop<Block<'_>>, outer: &Loop<Block<'_>>) -> bool {
    inner.start != outer.start && inner.body.is_subset(&outer.body)
}

/// The jumps out of a loop, as pairs of blocks.
fn exits<'c>(found: &Loop<Block<'c>>) -> Vec<(Block<'c>, Block<'c>)> {
    let jumps = found
        .body
        .iter()
        .flat_map(|&block| block.successors().into_iter().map(move |next| (block, next)));
    jumps.filter(|(_, next)| !found.body.contains(next)).collect()
}

/// Whether a loop's exits, except the one at its last jump back, end the thread.
fn leaves_by_checks<'c>(found: &Loop<Block<'c>>, latch: Block<'c>) -> bool {
    let ends = |block: Block<'c>| {
        block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
    };
    let (last, checks): (Vec<_>, Vec<_>) =
        exits(found).into_iter().partition(|(from, _)| *from == latch);
    last.len() == 1 && !ends(last[0].1) && !checks.is_empty() && checks.iter().all(|c| ends(c.1))
}

/// Which value of its counter a loop compares at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// That of this iteration, as a loop over `a..=b` does.
    BeforeItGrows,
    /// That of the next one.
    AfterIt,
}

/// How a loop ends when a counter that grows by one reaches a run-time value, or one that shrinks by one reaches zero, if it ends
/// so.
fn counts_by_one<'c>(found: &Loop<Block<'c>>, latch: Block<'c>) -> Option<Counts> {
    let condition = latch.terminator().and_then(Value::condition)?;
    if !condition.is_instruction() || condition.opcode() != opcode::INTEGER_COMPARISON {
        return None;
    }
    let is_phi = |value: Value<'c>| {
        value.is_instruction()
            && value.opcode() == opcode::PHI
            && value.parent_block() == found.start
    };
    let steps_by = |value: Value<'c>, step: i64| {
        value.is_instruction()
            && value.opcode() == opcode::ADD
            && value.operand(1) == value.ty().constant(step as u64)
            && is_phi(value.operand(0))
    };
    let is_next = |value: Value<'c>| steps_by(value, 1);
    let (left, right) = (condition.operand(0), condition.operand(1));
    // `step_by` counts down how many iterations are left.
    if steps_by(left, -1) && right.as_int() == Some(0) {
        let mut first = left.operand(0).incoming_edges().into_iter();
        let is_known = first.any(|(value, from)| from != latch && value.is_constant());
        return (!is_known).then_some(Counts::AfterIt);
    }
    let counter = |value: Value<'c>| match () {
        () if is_next(value) => Some(Counts::AfterIt),
        () if is_phi(value) && value.incoming(latch).is_some_and(is_next) => {
            Some(Counts::BeforeItGrows)
        }
        () => None,
    };
    let is_bound = |value: Value<'c>| {
        let changes = value.is_instruction() && found.body.contains(&value.parent_block());
        !value.is_constant() && !changes
    };
    counter(left).filter(|_| is_bound(right)).or_else(|| counter(right).filter(|_| is_bound(left)))
}

/// Whether a loop is short, and all its iterations together are no larger than the unrolled ones of other loops may be.
fn is_known_and_short<'c>(kinds: &Kinds, flow: &Flow<'c>, found: &Loop<Block<'c>>) -> bool {
    let size: usize = found.body.iter().map(|block| block.instructions().len()).sum();
    let most = MAX_BODY * ROUNDS as usize;
    is_short(kinds, found) && iterations_of(flow, found).is_some_and(|count| count * size <= most)
}

/// Whether an iteration has few instructions, and none that must not be moved.
fn is_short(kinds: &Kinds, found: &Loop<Block<'_>>) -> bool {
    let all: Vec<Value<'_>> = found.body.iter().flat_map(|block| block.instructions()).collect();
    let branches = |i: &Value<'_>| i.opcode() == opcode::BRANCH;
    // Iterations stay in their order, so relaxed writes may be repeated.
    let is_fine =
        |i: &Value<'_>| branches(i) || kinds.of(*i) != Kind::Other || is_relaxed_write(*i);
    all.len() <= MAX_BODY && all.iter().all(is_fine)
}

/// How LLVM names the condition of a loop that it has unrolled by a run-time trip count
/// (`UnrollLoopRuntimeRemainder`).
const UNROLLED_CONDITION: &str = "niter.ncmp";

/// Marks the loops that the optimiser has unrolled, except their remainders: NVIDIA's assembler unrolls
/// again what has no `.pragma "nounroll"` (PTX ISA 12.1), to sixteen copies instead of four.
pub(crate) fn keep_unrolled_loops(module: &Module<'_>) {
    let context = module.context();
    let kind = context.metadata_kind(LOOP_METADATA);
    for function in module.functions() {
        for jump in function.blocks().into_iter().filter_map(|block| block.terminator()) {
            let Some(condition) = jump.condition() else { continue };
            if condition.name().starts_with(UNROLLED_CONDITION) {
                jump.set_metadata(
                    kind,
                    context.loop_metadata(&unroll_properties(context, NEVER_UNROLL)),
                );
            }
        }
    }
}
