//! Checks that follow each other: fewer branches, and loads that do not wait for them.
//!
//! A check, such as that of an index, goes on or ends its thread. Rust makes one in front of nearly
//! every load, and each is a branch that no load behind it may pass, so that a thread waits for one
//! load after the other. As nothing but loads and stores stands between two checks that follow each
//! other (a *chain*), a branch for each is not needed:
//!
//! - Checks whose values are known at the chain's start are made there, all by one branch
//!   ([`Chain::join_first`]).
//! - What stands behind a later one is only run if all checks so far have passed; there is one branch
//!   at the end. Each load and store gets a condition for that, and the rest is computed in any case
//!   ([`Chain::guard_rest`]). The vendor's assembler makes no branches of these conditions, but
//!   predicates of the instructions.
//!
//! Whoever fails goes through the checks again, one by one, behind the branch, and so finds the first
//! that fails: it panics as if nothing had changed, with the same stores behind it.
//!
//! This comes behind the optimiser, which would thread the branches again.

mod chain;
mod kind;

use std::collections::BTreeMap;

use crate::llvm::{Block, Builder, Context, Module, TypeKind, Value, opcode};
use chain::Chain;
pub(crate) use kind::{Kind, Kinds};

/// The longest chain of checks: the values that each one looks at are kept until its end.
const MAX_CHECKS: usize = 16;

/// A branch that goes on or ends the thread.
#[derive(Clone, Copy)]
struct Check<'c> {
    block: Block<'c>,
    /// What it decides by.
    condition: Value<'c>,
    /// The condition's value if it goes on.
    passes: bool,
    /// Where it goes on.
    next: Block<'c>,
    /// Whether nothing else leads there.
    is_only_way: bool,
    /// Where the thread ends.
    end: Block<'c>,
}

impl<'c> Check<'c> {
    /// The check at the end of a block.
    fn at_end_of(
        block: Block<'c>,
        entries: &BTreeMap<Block<'c>, Vec<Block<'c>>>,
    ) -> Option<Check<'c>> {
        let condition = block.terminator()?.condition()?;
        let [yes, no] = block.successors()[..] else { return None };
        let (passes, next, end) = match (ends(yes), ends(no)) {
            (false, true) => (true, yes, no),
            (true, false) => (false, no, yes),
            _ => return None,
        };
        let is_only_way = entries.get(&next).is_some_and(|from| from.len() == 1);
        Some(Check { block, condition, passes, next, is_only_way, end })
    }
}

/// Whether a block ends its thread, however it is reached.
fn ends(block: Block<'_>) -> bool {
    let is_phi = |i: Value<'_>| i.opcode() == opcode::PHI;
    block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
        && !block.instructions().first().is_some_and(|first| is_phi(*first))
}

/// Joins the checks of every function.
pub(crate) fn join_checks(module: &Module<'_>) {
    let kinds = Kinds::new(module.context());
    for function in module.functions() {
        for chain in chains(&kinds, function) {
            Chain::new(module.context(), &kinds, chain).join();
        }
    }
}

/// Where each block is entered from, once for each jump.
fn entries(function: Value<'_>) -> BTreeMap<Block<'_>, Vec<Block<'_>>> {
    let mut entries: BTreeMap<Block<'_>, Vec<Block<'_>>> = BTreeMap::new();
    for block in function.blocks() {
        for next in block.successors() {
            entries.entry(next).or_default().push(block);
        }
    }
    entries
}

/// The chains of a function, each with two checks at least.
fn chains<'c>(kinds: &Kinds, function: Value<'c>) -> Vec<Vec<Check<'c>>> {
    let blocks = function.blocks();
    let entries = entries(function);
    let checks: BTreeMap<Block<'c>, Check<'c>> = blocks
        .iter()
        .filter_map(|block| Check::at_end_of(*block, &entries))
        .map(|check| (check.block, check))
        .collect();
    // What a check may be followed by: another one, with nothing between that can't wait.
    let follower = |check: &Check<'c>| {
        let next = *checks.get(&check.next)?;
        let between = next.block.instructions();
        let waits = between.iter().rev().skip(1).all(|i| kinds.of(*i) != Kind::Other);
        (check.is_only_way && waits).then_some(next)
    };
    let mut before: BTreeMap<Block<'c>, Block<'c>> = BTreeMap::new();
    for check in checks.values() {
        if let Some(next) = follower(check) {
            before.insert(next.block, check.block);
        }
    }
    let mut found = Vec::new();
    for block in blocks {
        let Some(&start) = checks.get(&block).filter(|_| !before.contains_key(&block)) else {
            continue;
        };
        let all: Vec<Check<'c>> = std::iter::successors(Some(start), follower).collect();
        found.extend(all.chunks(MAX_CHECKS).filter(|chain| chain.len() > 1).map(<[_]>::to_vec));
    }
    found
}

/// Whether a value can be copied so that the assembler can't see that the copy is one.
fn is_word(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::Int(32 | 64))
}

/// A copy of a word that stays where it is, and what is computed from it with it: without it, what is
/// needed only by threads that fail would be computed, or kept in a predicate, by all.
fn copy<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let (template, constraints) = match value.ty().kind() {
        TypeKind::Int(32) => ("mov.b32 $0, $1;", "=r,r"),
        _ => ("mov.b64 $0, $1;", "=l,l"),
    };
    let function = context.function(value.ty(), &[value.ty()]);
    builder.call(function, context.inline_asm(function, template, constraints, true), &[value])
}

/// Whether a check passes.
fn passed<'c>(context: &'c Context, builder: &Builder<'c>, check: &Check<'c>) -> Value<'c> {
    let passed = hidden(context, builder, check.condition);
    if check.passes { passed } else { not(context, builder, passed) }
}

/// The same truth value, of which LLVM's code generator knows nothing: of two comparisons of one index
/// it makes one with the minimum of both lengths, and a minimum of 64 bits is longer; or it makes a
/// comparison again wherever its result is used.
pub(crate) fn hidden<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    value: Value<'c>,
) -> Value<'c> {
    let bit = context.int(1);
    let function = context.function(bit, &[bit]);
    let asm = context.inline_asm(function, "mov.pred $0, $1;", "=b,b", false);
    builder.call(function, asm, &[value])
}

fn not<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    builder.binary(opcode::XOR, value, context.int(1).constant(1))
}

/// Puts the values of a block's phis in their place: it has one predecessor.
fn drop_phis(block: Block<'_>) {
    for phi in block.instructions() {
        if phi.opcode() != opcode::PHI {
            break;
        }
        phi.replace_all_uses_with(phi.operand(0));
        phi.erase();
    }
}
