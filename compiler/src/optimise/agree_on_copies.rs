//! Lets the threads of a warp agree on which copy of a loop they run.
//!
//! `version_loops` has made two copies, and a condition before them says whether a thread needs the one with checks. If it
//! depends on the thread, the assembler must take both copies for loops that a part of a warp may run: what all of its
//! threads share, such as the counter, then takes a register of each thread, and too few are left to have several loads
//! in flight. So the warp votes: if one of its threads needs checks, all of them make checks.

use std::collections::BTreeSet;

use super::flow::Flow;
use super::rejoin_panics::is_different;
use super::version_loops::is_kept;
use crate::llvm::{Block, Builder, Loop, Module, Value, loops_of, opcode};

/// Takes a condition, and returns whether it holds in all threads of the warp that run together, or in any of them. In
/// one piece, so that nothing can come between the two instructions: the first one says which threads have to take part in the
/// second (PTX ISA 9.7.13, `activemask` and `vote.sync`).
const ALL: &str =
    "{ .reg .b32 running; activemask.b32 running; vote.sync.all.pred $0, $1, running; }";
const ANY: &str =
    "{ .reg .b32 running; activemask.b32 running; vote.sync.any.pred $0, $1, running; }";

/// How many blocks before a loop are searched for the branch that chooses it.
const MAX_DISTANCE: usize = 4;

/// Adds votes before the loops that `version_loops` made copies of.
pub(crate) fn agree_on_copies(module: &Module<'_>) {
    for function in module.functions() {
        let all = loops_of(function);
        if !all.iter().any(|one| is_kept(module.context(), one)) {
            continue;
        }
        let flow = Flow::of(function);
        let kept = all.iter().filter(|one| is_kept(module.context(), one));
        let chosen: BTreeSet<(Block<'_>, bool)> =
            kept.filter_map(|one| choice(&flow, one)).collect();
        for (block, checks_if) in chosen {
            vote(module, block, checks_if);
        }
    }
}

/// The block whose branch depends on the thread and decides whether a loop with checks runs, and the condition's value
/// with which it does.
fn choice<'c>(flow: &Flow<'c>, kept: &Loop<Block<'c>>) -> Option<(Block<'c>, bool)> {
    let mut to = kept.start;
    let mut from = flow.entry(kept)?;
    for _ in 0..MAX_DISTANCE {
        let condition = from.terminator()?.condition();
        let next = from.successors();
        if condition.is_some_and(|c| next[0] != next[1] && depends_on_thread(c)) {
            return Some((from, next[0] == to));
        }
        (from, to) = (flow.only_predecessor(from)?, from);
    }
    None
}

/// Whether threads of a warp may have different values, as far as the operations that lead to it say.
fn depends_on_thread(value: Value<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        if is_different(value) {
            return true;
        }
        match value.opcode() {
            opcode::PHI => open.extend(value.incoming_edges().into_iter().map(|(value, _)| value)),
            _ => open.extend(value.operands()),
        }
    }
    false
}

fn vote(module: &Module<'_>, block: Block<'_>, checks_if: bool) {
    let context = module.context();
    let Some(branch) = block.terminator() else { return };
    let Some(condition) = branch.condition() else { return };
    let bit = context.int(1);
    let template = if checks_if { ANY } else { ALL };
    let ty = context.function(bit, &[bit]);
    let builder = Builder::before(context, branch);
    let agreed = builder.call(ty, context.inline_asm(ty, template, "=b,b", true), &[condition]);
    agreed.add_call_attribute(context.attribute("convergent", 0));
    branch.set_condition(agreed);
}
