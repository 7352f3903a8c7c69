//! Joins consecutive checks: fewer branches, and loads that do not wait for them.
//!
//! A check, such as that of an index, goes on or ends its thread. Rust makes one before nearly every
//! load, and each is a branch that no later load may pass, so a thread waits for one load after
//! another. If there is nothing but computations, loads and stores between consecutive checks (a
//! *chain*), they need not each have a branch:
//!
//! - Checks whose values are known at the chain's start are made there, all with one branch
//!   ([`Chain::join_first`]).
//! - Stores after a later one take effect only if all checks so far have passed; there is one branch at the end. A load
//!   also waits for all of them, unless the check of its index is all that makes it valid: then it waits for that check,
//!   and for the loads that its address needs. Each gets a condition for that, and the rest is computed in any case
//!   ([`Chain::guard_rest`]). NVIDIA's assembler turns these conditions into predicates of the
//!   instructions, not into branches.
//!
//! Checks of indices are made with 32 bits where that is as good (`bounds.rs`), and left out where others of the branch imply
//! them (`spans.rs`). One comparison is enough for a value and several constants (`below.rs`), and for divisions by one
//! parameter (`divisors.rs`).
//!
//! A thread that fails repeats the checks after the branch, one by one, and so finds the first that
//! fails: it panics as if nothing had changed, with the same stores done. If none fails, because the branch
//! asked for more than they do, it goes on.
//!
//! This comes after the optimiser, which would split the branches again. Only between the two steps, LLVM tidies the copies
//! that the first makes ([`make_checks_ahead`]): without checks, they are like other code.

mod ahead;
mod below;
mod bounds;
mod chain;
mod divisors;
mod kind;
mod lift;
mod spans;
mod zero_halves;

use std::collections::{BTreeMap, BTreeSet};

use super::flow;
use super::loop_properties::keeps_checks;
use crate::llvm::{Block, Builder, Context, Module, TypeKind, Value, in_order, loops_of, opcode};
use ahead::check_ahead;
pub(super) use ahead::{is_relaxed_store, is_relaxed_write};
use bounds::{Bound, Bounds};
use chain::Chain;
pub(super) use chain::collect;
pub(crate) use kind::{Kind, Kinds};
use lift::lift_checks;
pub(super) use spans::forget_promises;
use zero_halves::extend_with_zeros;

/// The most checks in a chain: the values that each one tests are kept until its end.
const MAX_CHECKS: usize = 16;

/// The predecessors of each block, once for each jump.
pub(super) type Entries<'c> = BTreeMap<Block<'c>, Vec<Block<'c>>>;

/// A branch that goes on or ends the thread.
#[derive(Clone, Copy)]
struct Check<'c> {
    block: Block<'c>,
    /// Its condition.
    condition: Value<'c>,
    /// The condition's value if it goes on.
    passes: bool,
    /// Where it goes on.
    next: Block<'c>,
    /// Whether that block has no other predecessors.
    is_only_way: bool,
    /// Where the thread ends.
    end: Block<'c>,
}

impl<'c> Check<'c> {
    /// The check at the end of a block.
    fn at_end_of(block: Block<'c>, entries: &Entries<'c>) -> Option<Check<'c>> {
        let condition = block.terminator()?.condition()?;
        let [yes, no] = block.successors()[..] else { return None };
        let (passes, next, end) = match (is_plain_end(yes), is_plain_end(no)) {
            (false, true) => (true, yes, no),
            (true, false) => (false, no, yes),
            _ => return None,
        };
        let is_only_way = entries.get(&next).is_some_and(|from| from.len() == 1);
        Some(Check { block, condition, passes, next, is_only_way, end })
    }
}

/// Whether a block ends its thread in the same way wherever the thread comes from.
fn is_plain_end(block: Block<'_>) -> bool {
    let is_phi = |i: Value<'_>| i.opcode() == opcode::PHI;
    flow::ends(block) && !block.instructions().first().is_some_and(|first| is_phi(*first))
}

/// Marks the ends of blocks that only those threads come to that may fail.
const MAY_FAIL: &str = "ptyx.may_fail";

/// What LLVM makes of the copies without checks: that branches ask the same, and loads load the same.
pub(crate) const TIDY_COPIES: &str = "function(simplifycfg<no-speculate-blocks>,jump-threading,\
     simplifycfg<no-speculate-blocks>)";

/// Makes checks ahead in every function ([`ahead`]), and tells whether there are any. `passes_stores` says whether checks
/// behind relaxed stores are made ahead of these stores; `lifts`, whether checks in branches are first made before these
/// branches ([`lift`]).
pub(crate) fn make_checks_ahead(module: &Module<'_>, passes_stores: bool, lifts: bool) -> bool {
    let context = module.context();
    let kinds = Kinds::new(context);
    let mark = context.metadata_kind(MAY_FAIL);
    let mut any = false;
    for function in module.functions() {
        let mut kept = kept_blocks(context, function);
        if lifts {
            lift_checks(module, &kinds, function, &kept);
        }
        let (entries, checks) = checks_of(function, &kept);
        let ends: BTreeSet<Block<'_>> = checks.iter().map(|check| check.block).collect();
        let follow = |check: &&Check<'_>| check.is_only_way && ends.contains(&check.next);
        for check in checks.iter().filter(follow) {
            compute_divisions(context, check.next);
        }
        let before = kept.len();
        check_ahead(module, &kinds, function, (entries, checks), &mut kept, passes_stores);
        any |= kept.len() > before;
        for end in kept.iter().filter_map(|block| block.terminator()) {
            end.set_metadata(mark, context.metadata_node(&[]));
        }
    }
    any
}

/// Joins the checks of every function.
pub(crate) fn join_checks(module: &Module<'_>) {
    let context = module.context();
    let kinds = Kinds::new(context);
    for function in module.functions() {
        let (_, checks) = checks_of(function, &kept_blocks(context, function));
        let bounds = Bounds::of(module, function, &checks);
        for chain in chains(&kinds, &checks) {
            match chain[..] {
                [single] => check_alone(context, &bounds, &single),
                _ => Chain::new(context, &kinds, &bounds, chain).join(),
            }
        }
    }
    extend_with_zeros(module);
}

/// The blocks whose checks stay as they are: those of threads that may fail, and of loops that run only if their other copy,
/// without checks, can't. Their registers would be those of the kernel.
pub(super) fn kept_blocks<'c>(context: &Context, function: Value<'c>) -> BTreeSet<Block<'c>> {
    let mark = context.metadata_kind(MAY_FAIL);
    let is_marked =
        |block: &Block<'c>| block.terminator().is_some_and(|end| end.metadata(mark).is_some());
    let loops = loops_of(function).into_iter().filter(|around| keeps_checks(context, around));
    let in_loops = loops.flat_map(|around| around.body);
    function.blocks().into_iter().filter(is_marked).chain(in_loops).collect()
}

/// The predecessors of each block, once for each jump.
pub(super) fn entries_of<'c>(function: Value<'c>) -> Entries<'c> {
    let mut entries = Entries::new();
    for block in function.blocks() {
        for next in block.successors() {
            entries.entry(next).or_default().push(block);
        }
    }
    entries
}

/// Whether a block has one predecessor.
pub(super) fn is_entered_once<'c>(entries: &Entries<'c>, block: Block<'c>) -> bool {
    entries.get(&block).is_some_and(|from| from.len() == 1)
}

/// The blocks between `block` and the one in which all ways from it meet again, at most about `most`, and that one; each
/// before those that it leads to. `ways` says where a block leads to, `may` whether a block may stand between.
fn between<'c>(
    entries: &Entries<'c>,
    block: Block<'c>,
    most: usize,
    ways: impl Fn(Block<'c>) -> Option<Vec<Block<'c>>>,
    may: impl Fn(Block<'c>) -> bool,
) -> Option<(Vec<Block<'c>>, Block<'c>)> {
    let mut arms: Vec<Block<'c>> = Vec::new();
    // Where ways from here go on.
    let mut open = ways(block)?;
    while arms.len() <= most {
        if let [join] = open[..] {
            return (join != block).then_some((arms, join));
        }
        let place = open
            .iter()
            .position(|next| *next != block && is_behind(entries, block, &arms, *next))?;
        let arm = open.remove(place);
        if !may(arm) {
            return None;
        }
        arms.push(arm);
        for next in ways(arm)? {
            if !open.contains(&next) {
                open.push(next);
            }
        }
    }
    None
}

/// Whether all predecessors of `next` are `block` and `arms`.
fn is_behind<'c>(
    entries: &Entries<'c>,
    block: Block<'c>,
    arms: &[Block<'c>],
    next: Block<'c>,
) -> bool {
    let from_here = |from: &Block<'c>| *from == block || arms.contains(from);
    entries.get(&next).is_some_and(|from| from.iter().all(from_here))
}

/// The predecessors of each block, once for each jump, and the checks of a function that are not in `kept`, in the order of
/// control flow.
fn checks_of<'c>(function: Value<'c>, kept: &BTreeSet<Block<'c>>) -> (Entries<'c>, Vec<Check<'c>>) {
    let entries = entries_of(function);
    let blocks = in_order(function).into_iter().filter(|block| !kept.contains(block));
    let checks = blocks.filter_map(|block| Check::at_end_of(block, &entries)).collect();
    (entries, checks)
}

/// Makes 32-bit divisions by variables into assembly that only computes, as the machine does: a division by zero has some
/// result there, while for LLVM it must not happen, so that the checks before it would have to stay before it.
fn compute_divisions<'c>(context: &'c Context, block: Block<'c>) {
    let word = context.int(32);
    let ty = context.function(word, &[word, word]);
    for division in block.instructions() {
        let Some((_, template)) = DIVISIONS.iter().find(|(opcode, _)| *opcode == division.opcode())
        else {
            continue;
        };
        if division.ty() != word || division.operand(1).is_constant() {
            continue;
        }
        let builder = Builder::before(context, division);
        let assembly = context.inline_asm(ty, template, "=r,r,r", false);
        let call = builder.call(ty, assembly, &division.operands());
        for attribute in ["memory", "nounwind", "willreturn"] {
            call.add_call_attribute(context.attribute(attribute, 0));
        }
        division.replace_all_uses_with(call);
        division.erase();
    }
}

/// PTX ISA 9.7.1, `div` and `rem`.
const DIVISIONS: [(i32, &str); 4] = [
    (opcode::UDIV, "div.u32 $0, $1, $2;"),
    (opcode::SDIV, "div.s32 $0, $1, $2;"),
    (opcode::UREM, "rem.u32 $0, $1, $2;"),
    (opcode::SREM, "rem.s32 $0, $1, $2;"),
];

/// Whether a value is what [`compute_divisions`] makes.
fn is_division(value: Value<'_>) -> bool {
    value.callee().is_inline_asm()
        && DIVISIONS.iter().any(|(_, template)| value.callee().asm_template() == *template)
}

/// Makes a check that is joined with no other in 32 bits, if that is equivalent.
fn check_alone<'c>(context: &'c Context, bounds: &Bounds<'_, 'c>, check: &Check<'c>) {
    let Some(branch) = check.block.terminator().filter(|_| bounds.is_narrow(check)) else { return };
    let builder = Builder::before(context, branch);
    let conditions = bounds.conditions(&builder, check).unwrap_or_default();
    let all = conditions.into_iter().map(|one| hidden(context, &builder, one));
    let Some(passed) = all.reduce(|all, one| builder.and(all, one)) else { return };
    branch.set_condition(if check.passes { passed } else { not(context, &builder, passed) });
}

/// The chains of a function's checks; most have one only.
fn chains<'c>(kinds: &Kinds, all: &[Check<'c>]) -> Vec<Vec<Check<'c>>> {
    let checks: BTreeMap<Block<'c>, Check<'c>> =
        all.iter().map(|check| (check.block, *check)).collect();
    // The check that follows another one, with nothing in between that can't be predicated.
    let follower = |check: &Check<'c>| {
        let next = *checks.get(&check.next)?;
        let between = next.block.instructions();
        let waits = between.iter().rev().skip(1).all(|i| kinds.of(*i) != Kind::Other);
        (check.is_only_way && waits).then_some(next)
    };
    let mut before: BTreeMap<Block<'c>, Block<'c>> = BTreeMap::new();
    for check in all {
        if let Some(next) = follower(check) {
            before.insert(next.block, check.block);
        }
    }
    let mut found = Vec::new();
    for start in all.iter().filter(|check| !before.contains_key(&check.block)) {
        let chain: Vec<Check<'c>> = std::iter::successors(Some(*start), follower).collect();
        found.extend(chain.chunks(MAX_CHECKS).map(<[_]>::to_vec));
    }
    found
}

/// Whether a value can be copied so that the assembler can't see that it is a copy.
fn is_word(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::Int(32 | 64))
}

/// The assembly that copies a word, and its constraints, for words of 32 and of 64 bits.
const COPIES: [(&str, &str); 2] = [("mov.b32 $0, $1;", "=r,r"), ("mov.b64 $0, $1;", "=l,l")];

/// Whether a call of assembly is a copy, as [`copy`] returns it.
pub(super) fn is_copy(call: Value<'_>) -> bool {
    let template = call.callee().asm_template();
    COPIES.iter().any(|(copy, _)| *copy == template)
}

/// A copy of a word that stays where it is, and with it what is computed from it. Without it, all
/// threads would compute, or keep in a predicate, what only failing threads need.
fn copy<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let [short, long] = COPIES;
    let (template, constraints) = match value.ty().kind() {
        TypeKind::Int(32) => short,
        _ => long,
    };
    let function = context.function(value.ty(), &[value.ty()]);
    builder.call(function, context.inline_asm(function, template, constraints, true), &[value])
}

/// The conditions that must hold for a check to pass.
fn conditions<'c>(
    context: &'c Context,
    bounds: &Bounds<'_, 'c>,
    builder: &Builder<'c>,
    check: &Check<'c>,
) -> Vec<Value<'c>> {
    if let Some(conditions) = bounds.conditions(builder, check) {
        return conditions;
    }
    // What was moved since the check was found is another value for the branch.
    let now = check.block.terminator().and_then(Value::condition);
    let passed = now.unwrap_or(check.condition);
    vec![if check.passes { passed } else { not(context, builder, passed) }]
}

const HIDES: &str = "mov.pred $0, $1;";

/// Whether a value is a check's condition, as [`hidden`] returns it.
pub(super) fn is_hidden(value: Value<'_>) -> bool {
    value.is_call() && value.callee().is_inline_asm() && value.callee().asm_template() == HIDES
}

/// The same Boolean, opaque to LLVM's code generator. It would merge two comparisons of one index into
/// one with the minimum of both lengths, and a 64-bit minimum is longer; or it would repeat a
/// comparison wherever its result is used.
pub(crate) fn hidden<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    value: Value<'c>,
) -> Value<'c> {
    let bit = context.int(1);
    let function = context.function(bit, &[bit]);
    let asm = context.inline_asm(function, HIDES, "=b,b", false);
    builder.call(function, asm, &[value])
}

fn not<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    builder.binary(opcode::XOR, value, context.int(1).constant(1))
}

/// Replaces the phis of a block with one predecessor by their values.
pub(super) fn drop_phis(block: Block<'_>) {
    for phi in block.instructions() {
        if phi.opcode() != opcode::PHI {
            break;
        }
        phi.replace_all_uses_with(phi.operand(0));
        phi.erase();
    }
}
