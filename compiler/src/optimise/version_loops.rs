//! Makes the checks of a loop once, before it, where that is possible.
//!
//! An index that grows by the same amount in each iteration is in bounds throughout if it is in the first and in the
//! last one. Where all such checks of a loop succeed, the loop runs without them, so that LLVM may unroll it and move
//! code out of it. Else it runs with them, in a second copy: perhaps it ends early, or the panic must say where. Checks
//! that can't be made before the loop, such as those of an index that is loaded, stay in both copies; if each iteration
//! makes one of them, the loop is left as it is.
//!
//! The two copies are made by LLVM's loop unswitching: [`ask_before`] calculates before the loop whether all checks that can be
//! made there will succeed, and lets each of them ask that first. [`keep_small`] looks at what has become of it: it keeps
//! the copy with the checks from being unrolled, or takes the question out again where LLVM made no copies, such as
//! for a loop with a barrier.

use super::affine::{Affine, Before, EXACT};
use super::agree_on_copies::agreed;
use super::flow::Flow;
use super::loop_properties::{KEEPS_CHECKS, hold_back, keeps_checks};
pub(super) use crate::llvm::{
    Block, Builder, Context, Loop, Module, Value, loops_of, opcode, predicate,
};
use crate::lower::{LOOP_METADATA, NEVER_UNROLL, unroll_properties};

/// Makes copies of loops without the checks that [`ask_before`] has found.
pub(crate) const MAKE_COPIES: &str = "function(loop-mssa(simple-loop-unswitch<nontrivial>))";

/// Removes the checks that need not be made in the copies.
pub(crate) const DROP_CHECKS: &str = "function(instsimplify,simplifycfg<no-speculate-blocks>)";

/// Marks a check that asks first what was calculated before the loop. No pass of LLVM knows it.
const MARK: &str = "ptyx.asks";

/// The largest loop, in instructions, of which a copy is made.
const MAX_BODY: usize = 100;

/// The least number of iterations after the first one of a loop whose trip count is known: the checks of a shorter loop cost
/// no more than the question.
const MIN_MORE: u64 = 7;

/// Which loops are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// Those with a known number of iterations, before they are unrolled. The others are not to be unrolled yet.
    Constant,
    /// All, once it is known what the optimiser finds out by itself: checks that always succeed are gone.
    All,
}

/// What [`ask_before`] has done to a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// Its checks ask first.
    Now,
    /// They will, if they are still there.
    Later,
}

/// Lets checks in loops ask a condition that is calculated before the loop, in every function. Returns whether there
/// are any.
pub(crate) fn ask_before(module: &Module<'_>, which: Loops) -> bool {
    asked(module, which).contains(&Asked::Now)
}

/// Whether [`ask_before`] would find any loop, now or later.
pub(crate) fn finds_any(module: &Module<'_>) -> bool {
    !asked(module, Loops::Constant).is_empty()
}

/// Whether a loop has a check at all: without one, [`finds_any`] finds none, in whatever form the loop is.
pub(crate) fn has_checks(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(has_checks_in)
}

/// Whether a loop of a function has checks.
pub(super) fn has_checks_in(function: Value<'_>) -> bool {
    let has = |one: &Loop<Block<'_>>| one.body.iter().any(|&block| leads_to_panic(one, block));
    loops_of(function).iter().any(has)
}

fn asked(module: &Module<'_>, which: Loops) -> Vec<Asked> {
    let mut found = Vec::new();
    for function in module.functions() {
        let flow = Flow::of(function);
        let all = loops_of(function);
        found.extend(all.iter().filter_map(|one| ask(module.context(), &flow, &all, one, which)));
    }
    found
}

/// A loop that ends when a number is reached.
struct Ends<'c> {
    /// What is compared in each iteration, and with what.
    counter: Value<'c>,
    limit: Value<'c>,
    /// The comparison with which the loop goes on.
    goes_on: i32,
}

/// A branch out of a loop to a panic.
struct Check<'c> {
    branch: Value<'c>,
    /// The comparisons with which there is no panic: all of them.
    parts: Vec<Part<'c>>,
    goes_on: Block<'c>,
    panics: Block<'c>,
    /// Whether every iteration comes to it.
    is_always_made: bool,
}

/// What must hold so that a check succeeds.
struct Part<'c> {
    predicate: i32,
    left: Value<'c>,
    right: Value<'c>,
}

/// Changes those checks of one loop that can be made before it.
fn ask<'c>(
    context: &'c Context,
    flow: &Flow<'c>,
    all: &[Loop<Block<'c>>],
    around: &Loop<Block<'c>>,
    which: Loops,
) -> Option<Asked> {
    let &[latch] = &around.latches[..] else { return None };
    let blocks = flow.blocks_of(around);
    let size: usize = blocks.iter().map(|block| block.instructions().len()).sum();
    let mut instructions = blocks.iter().flat_map(|block| block.instructions());
    if keeps_checks(context, around) || size > MAX_BODY || instructions.any(indexes_variable) {
        return None;
    }
    let is_check = |block: &&Block<'c>| leads_to_panic(around, **block);
    let checks: Option<Vec<Check<'c>>> =
        blocks.iter().filter(is_check).map(|block| check(flow, all, around, *block)).collect();
    let checks = checks.filter(|checks| !checks.is_empty())?;
    let mut before = Before::new(context, flow, around)?;
    before.more = more(&mut before, latch)?;
    let known = before.more.as_int();
    let Succeeds { checks, changes, stay } = that_succeed(&mut before, checks);
    // If a check that each iteration makes stays, it is best joined with the others of its iteration (`join_checks`).
    let is_joined = stay.iter().any(|check| check.is_always_made);
    let is_simple = changes && which == Loops::All && known.is_none();
    if !stay.is_empty() && (is_joined || !is_simple) {
        return None;
    }
    // Checks of what does not change are made once anyway in a loop that is unrolled.
    let is_short = known.is_some_and(|more| more < MIN_MORE || !changes);
    if is_short {
        return None;
    }
    if which == Loops::Constant && known.is_none() {
        hold_back(context, latch.terminator()?);
        return Some(Asked::Later);
    }

    let builder = &before.builder;
    // A condition of what the loop never comes to may be poison, and must not make those before it so.
    let conditions = before.conditions.iter().map(|condition| builder.freeze(*condition));
    let all = conditions.reduce(|a, b| builder.and(a, b))?;
    let all = agreed(context, builder, all);
    let [mark, exact] = [MARK, EXACT].map(|name| context.metadata_kind(name));
    let node = context.metadata_node(&[]);
    before.extensions.iter().for_each(|extension| extension.set_metadata(exact, node));
    for check in checks {
        let builder = Builder::before(context, check.branch);
        let compare = |part: &Part<'c>| builder.compare(part.predicate, part.left, part.right);
        // A later part may be poison if an earlier one does not hold.
        let no = context.int(1).null();
        let both = |a, b| builder.select(a, b, no);
        let holds = check.parts.iter().map(compare).reduce(both)?;
        let asks = builder.or(all, holds);
        builder.branch(asks, check.goes_on, check.panics).set_metadata(mark, node);
        check.branch.erase();
    }
    Some(Asked::Now)
}

/// Checks that can be made before a loop, and those that can't.
struct Succeeds<'c> {
    checks: Vec<Check<'c>>,
    /// Whether the index of one of them changes.
    changes: bool,
    stay: Vec<Check<'c>>,
}

/// Sorts checks by whether there are conditions under which they succeed in all iterations, and notes these conditions. A check
/// that only some iterations come to stays, unless each of its comparisons has an operand in common with a check that does not:
/// it would be likely to fail in the other iterations.
fn that_succeed<'c>(before: &mut Before<'_, 'c>, checks: Vec<Check<'c>>) -> Succeeds<'c> {
    let mut found = Succeeds { checks: Vec::new(), changes: false, stay: Vec::new() };
    let (always, sometimes): (Vec<_>, Vec<_>) =
        checks.into_iter().partition(|check| check.is_always_made);
    for check in always.into_iter().chain(sometimes) {
        let is_known = |part: &Part<'c>| {
            let is_same = |one: &Part<'c>| one.left == part.left || one.right == part.right;
            found.checks.iter().flat_map(|check| &check.parts).any(is_same)
        };
        let noted = (before.conditions.len(), before.extensions.len());
        let all: Option<Vec<bool>> = match check.is_always_made || check.parts.iter().all(is_known)
        {
            true => check.parts.iter().map(|part| succeeds(before, part)).collect(),
            false => None,
        };
        match all {
            Some(changes) => {
                found.changes |= changes.contains(&true);
                found.checks.push(check);
            }
            None => {
                before.conditions.truncate(noted.0);
                before.extensions.truncate(noted.1);
                found.stay.push(check);
            }
        }
    }
    found
}

/// Whether an instruction is the address of an element of a local array, which becomes registers if all loops that
/// use it are unrolled.
pub(super) fn indexes_variable(instruction: Value<'_>) -> bool {
    if instruction.opcode() != opcode::GET_ELEMENT_PTR {
        return false;
    }
    let base = instruction.base_address();
    let constant = instruction.operands().iter().skip(1).all(|index| index.as_int().is_some());
    !constant && base.is_instruction() && base.opcode() == opcode::ALLOCA
}

/// Whether a block of a loop ends with a branch to a panic.
pub(super) fn leads_to_panic<'c>(around: &Loop<Block<'c>>, block: Block<'c>) -> bool {
    let asks = block.terminator().and_then(Value::condition).is_some_and(|c| !c.is_constant());
    asks && block.successors().into_iter().any(|next| is_panic(around, next))
}

pub(super) fn is_panic<'c>(around: &Loop<Block<'c>>, block: Block<'c>) -> bool {
    !around.body.contains(&block)
        && block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
}

/// The check that a block of a loop ends with.
fn check<'c>(
    flow: &Flow<'c>,
    all: &[Loop<Block<'c>>],
    around: &Loop<Block<'c>>,
    block: Block<'c>,
) -> Option<Check<'c>> {
    let branch = block.terminator()?;
    let condition = branch.condition()?;
    let [yes, no] = block.successors()[..] else { return None };
    let succeeds = match (is_panic(around, yes), is_panic(around, no)) {
        (false, true) => true,
        (true, false) => false,
        _ => return None,
    };
    // Smaller loops come first.
    let innermost = all.iter().find(|other| other.body.contains(&block))?;
    if innermost.start != around.start || around.latches.contains(&block) {
        return None;
    }
    let is_always_made =
        block == around.start || !flow.reaches(around.start, &around.latches, block);
    let mut parts = Vec::new();
    split(condition, succeeds, &mut parts)?;
    let (goes_on, panics) = if succeeds { (yes, no) } else { (no, yes) };
    Some(Check { branch, parts, goes_on, panics, is_always_made })
}

/// The most comparisons of a check.
const MAX_PARTS: usize = 4;

/// Splits a condition into the comparisons that must hold so that it is as `wanted`.
fn split<'c>(condition: Value<'c>, wanted: bool, parts: &mut Vec<Part<'c>>) -> Option<()> {
    if !condition.is_instruction() || parts.len() == MAX_PARTS {
        return None;
    }
    let operand = |i| condition.operand(i);
    match (condition.opcode(), wanted) {
        (opcode::INTEGER_COMPARISON, _) => {
            let predicate = match wanted {
                true => condition.predicate(),
                false => predicate::inverse(condition.predicate()),
            };
            parts.push(Part { predicate, left: operand(0), right: operand(1) });
            Some(())
        }
        (opcode::AND, true) | (opcode::OR, false) => {
            split(operand(0), wanted, parts)?;
            split(operand(1), wanted, parts)
        }
        // What short-circuits: the condition decides if it is not as wanted.
        (opcode::SELECT, _) => {
            let (decided, other) =
                if wanted { (operand(2), operand(1)) } else { (operand(1), operand(2)) };
            (decided.as_int() == Some((!wanted).into())).then_some(())?;
            split(operand(0), wanted, parts)?;
            split(other, wanted, parts)
        }
        _ => None,
    }
}

/// How many iterations with checks come at most after the first one.
fn more<'c>(before: &mut Before<'_, 'c>, latch: Block<'c>) -> Option<Value<'c>> {
    let around = before.around;
    if let Some(more) = ends(around, latch).and_then(|ends| passes(before, &ends)) {
        return Some(more);
    }
    // It may also end where an iteration starts. The checks of the iteration come after that.
    before.conditions.clear();
    let ends = ends(around, around.start).filter(|_| around.start != latch)?;
    let all = passes(before, &ends)?;
    let builder = &before.builder;
    let (none, one) = (all.ty().null(), all.ty().constant(1));
    let any = builder.compare(predicate::NOT_EQUAL, all, none);
    Some(builder.select(any, builder.binary(opcode::SUB, all, one), none))
}

/// How a loop ends at the branch of one of its blocks.
fn ends<'c>(around: &Loop<Block<'c>>, block: Block<'c>) -> Option<Ends<'c>> {
    let condition = block.terminator()?.condition()?;
    let is_comparison =
        condition.is_instruction() && condition.opcode() == opcode::INTEGER_COMPARISON;
    // What is to be proved does not end it.
    if !is_comparison || leads_to_panic(around, block) {
        return None;
    }
    let [yes, no] = block.successors()[..] else { return None };
    let stays = |to: Block<'c>| around.body.contains(&to);
    let goes_on = match (stays(yes), stays(no)) {
        (true, false) => condition.predicate(),
        (false, true) => predicate::inverse(condition.predicate()),
        _ => return None,
    };
    let (left, right) = (condition.operand(0), condition.operand(1));
    let changes = |x: Value<'c>| x.is_instruction() && around.body.contains(&x.parent_block());
    match (changes(left), changes(right)) {
        (true, false) => Some(Ends { counter: left, limit: right, goes_on }),
        (false, true) => {
            Some(Ends { counter: right, limit: left, goes_on: predicate::swapped(goes_on) })
        }
        _ => None,
    }
}

/// How often a loop that ends as `ends` says goes on: 64 bits wide. Notes conditions under which that is right, and it
/// is small enough to be multiplied.
fn passes<'c>(before: &mut Before<'_, 'c>, ends: &Ends<'c>) -> Option<Value<'c>> {
    let Affine { first, step } = before.affine(ends.counter, 0)?;
    let step = step?.as_int()?;
    let (ty, word) = (first.ty(), before.more.ty());
    let bits = ty.int_bits().filter(|bits| *bits <= 64)?;
    // What follows would depend on the number of iterations itself.
    if !before.conditions.is_empty() {
        return None;
    }
    let builder = &before.builder;
    let mask = u64::MAX >> (64 - bits);
    let mut conditions = Vec::new();
    let more = match ends.goes_on {
        predicate::NOT_EQUAL if step == 1 => builder.binary(opcode::SUB, ends.limit, first),
        predicate::NOT_EQUAL if step == mask => builder.binary(opcode::SUB, first, ends.limit),
        predicate::UNSIGNED_LESS | predicate::SIGNED_LESS if step > 0 && step <= mask >> 2 => {
            let signed = ends.goes_on == predicate::SIGNED_LESS;
            let largest = if signed { mask >> 1 } else { mask };
            if step > 1 {
                // Else the counter might step over the largest number of its type.
                let limit = ty.constant(largest - step);
                conditions.push(builder.compare(ends.goes_on, ends.limit, limit));
            }
            let distance = builder.binary(opcode::SUB, ends.limit, first);
            let full = builder.binary(opcode::ADD, distance, ty.constant(step - 1));
            let count = match step {
                1 => full,
                _ => builder.binary(opcode::UDIV, full, ty.constant(step)),
            };
            let any = builder.compare(ends.goes_on, first, ends.limit);
            builder.select(any, count, ty.null())
        }
        _ => return None,
    };
    let more = if bits < 64 { builder.cast(opcode::ZERO_EXTEND, more, word) } else { more };
    before.conditions.extend(conditions);
    before.is_small(more, 32);
    Some(more)
}

/// Notes the conditions under which a part of a check holds in all iterations. Returns whether its index changes.
fn succeeds<'c>(before: &mut Before<'_, 'c>, part: &Part<'c>) -> Option<bool> {
    let (predicate, left, right) = match before.is_invariant(part.right) {
        true => (part.predicate, part.left, part.right),
        false => (predicate::swapped(part.predicate), part.right, part.left),
    };
    if !before.is_invariant(right) {
        return None;
    }
    if let Some(largest) = largest(left).filter(|_| !before.is_invariant(left)) {
        return match predicate {
            predicate::UNSIGNED_LESS | predicate::UNSIGNED_LESS_EQUAL => {
                let condition =
                    before.builder.compare(predicate, left.ty().constant(largest), right);
                before.conditions.push(condition);
                Some(false)
            }
            _ => None,
        };
    }
    let index = before.affine(left, 0)?;
    if index.step.is_none() {
        let condition = before.builder.compare(predicate, index.first, right);
        before.conditions.push(condition);
        return Some(false);
    }
    let predicate = match predicate {
        // LLVM makes `!=` of `<` where the index grows by one.
        predicate::NOT_EQUAL => predicate::UNSIGNED_LESS,
        predicate::UNSIGNED_LESS | predicate::UNSIGNED_LESS_EQUAL => predicate,
        _ => return None,
    };
    let bits = left.ty().int_bits().filter(|bits| *bits == 64 || *bits <= 32)?;
    let last = before.last(index)?;
    let first = before.wide(index.first);
    let word = last.ty();
    let limit = match bits {
        64 => right,
        _ => before.builder.cast(opcode::ZERO_EXTEND, right, word),
    };
    if right.as_int().is_none_or(|limit| limit > 1 << (bits - 1)) {
        // What is not negative as a signed number is exact.
        before.is_small(first, bits);
        before.is_small(last, bits);
    }
    for end in [first, last] {
        let condition = before.builder.compare(predicate, end, limit);
        before.conditions.push(condition);
    }
    Some(true)
}

/// The largest number that a value can be, if its last instruction says so.
fn largest(value: Value<'_>) -> Option<u64> {
    if !value.is_instruction() {
        return None;
    }
    match value.opcode() {
        opcode::ZERO_EXTEND => {
            let bits = value.operand(0).ty().int_bits()?;
            (bits <= 16).then(|| (1 << bits) - 1)
        }
        opcode::AND => value.operand(1).as_int(),
        _ => None,
    }
}

/// Looks at the checks that [`ask_before`] changed, after LLVM has made copies of loops.
pub(crate) fn keep_small(module: &Module<'_>) {
    let context = module.context();
    let [mark, exact, kind] = [MARK, EXACT, LOOP_METADATA].map(|name| context.metadata_kind(name));
    for function in module.functions() {
        let all = loops_of(function);
        for block in function.blocks() {
            let Some(branch) = block.terminator().filter(|end| end.metadata(mark).is_some()) else {
                continue;
            };
            branch.clear_metadata(mark);
            // What was asked is the first operand. In copies it is constant.
            let asks =
                branch.condition().filter(|c| c.is_instruction() && c.opcode() == opcode::OR);
            let answer = asks.map(|asks| asks.operand(0).as_int());
            if answer == Some(Some(1)) {
                continue;
            }
            if let Some(asks) = asks {
                branch.set_condition(asks.operand(1));
            }
            // Smaller loops come first.
            let Some(around) = all.iter().find(|around| around.body.contains(&block)) else {
                continue;
            };
            for instruction in around.body.iter().flat_map(|block| block.instructions()) {
                if [opcode::SIGN_EXTEND, opcode::ZERO_EXTEND].contains(&instruction.opcode()) {
                    instruction.clear_metadata(exact);
                }
            }
            if answer != Some(None) {
                let mut properties = unroll_properties(context, NEVER_UNROLL);
                properties.push(context.metadata_node(&[context.metadata_string(KEEPS_CHECKS)]));
                let never = context.loop_metadata(&properties);
                let jumps = around.latches.iter().filter_map(|latch| latch.terminator());
                jumps.for_each(|jump| jump.set_metadata(kind, never));
            }
        }
    }
}
