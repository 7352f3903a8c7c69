//! Loops over `(a..b).step_by(s)` whose indices have a sign and at most 32 bits, such as `i32`: core has no case of its own for them.
//!
//! Core adds `s - 1` to what comes behind the last index, except at first, and asks two questions: whether that has wrapped around,
//! and whether it is below `b`. LLVM finds no trip count in that, and so does not unroll the loop. Of ranges of `usize`, core finds the
//! number of rounds before the loop; here the same is done:
//!
//! ```text
//! loop:  take = phi [0, entry], [s - 1, latch]           entry: rounds = a < b ? (b - 1 - a) / s + 1 : 0
//!        from = phi [a, entry], [i + 1, latch]           loop:  i = phi [a, entry], [i + s, latch]
//!        i = from + take                                        left = phi [rounds, entry], [left - 1, latch]
//!        i < from ? end : test                                  left == 0 ? end : body
//! test:  i < b ? body : end                              test:  assume(i < b)
//! ```

use super::{Flow, is, sum};
use crate::llvm::{Block, Builder, Module, Value, opcode, predicate};
use crate::optimise::ranges::Ranges;

/// Changes such a loop, if one starts with this block.
pub(super) fn count<'c>(module: &Module<'c>, flow: &Flow<'c>, start: Block<'c>) {
    let context = module.context();
    if let Some(steps) = Steps::at(&mut Ranges::new(context), flow, start) {
        steps.count(module);
    }
}

/// A loop that takes steps.
struct Steps<'c> {
    /// Where each iteration starts, and where core asks its second question.
    start: Block<'c>,
    test: Block<'c>,
    /// The jump into the loop, and the one back.
    entry: Block<'c>,
    latch: Block<'c>,
    index: Value<'c>,
    first: Value<'c>,
    end: Value<'c>,
    /// One less than a step.
    skipped: Value<'c>,
    /// Whether no index is used behind the loop, where it may have wrapped around.
    stays: bool,
}

impl<'c> Steps<'c> {
    fn at(ranges: &mut Ranges<'c>, flow: &Flow<'c>, start: Block<'c>) -> Option<Steps<'c>> {
        let wrapped = start.terminator()?.condition()?;
        let [over, test] = start.successors()[..] else { return None };
        let below = test.terminator()?.condition()?;
        let [body, end_of_all] = test.successors()[..] else { return None };
        let is_less = |value: Value<'c>| {
            is(value, opcode::INTEGER_COMPARISON) && value.predicate() == predicate::SIGNED_LESS
        };
        if !is_less(wrapped)
            || !is_less(below)
            || over != end_of_all
            || body == over
            || flow.only_predecessor(test) != Some(start)
        {
            return None;
        }
        let index = wrapped.operand(0);
        let (from, end) = (wrapped.operand(1), below.operand(1));
        let (a, b) = sum(index)?;
        let take = if a == from { b } else { a };
        let is_own = |phi: Value<'c>| is(phi, opcode::PHI) && phi.parent_block() == start;
        if below.operand(0) != index || ![a, b].contains(&from) || !is_own(from) || !is_own(take) {
            return None;
        }
        let edges = take.incoming_edges();
        let [(_, entry), (skipped, latch)] = match edges[..] {
            [one, other] if one.0.as_int() == Some(0) => [one, other],
            [one, other] if other.0.as_int() == Some(0) => [other, one],
            _ => return None,
        };
        let (first, behind) = (from.incoming(entry)?, from.incoming(latch)?);
        let latches = [latch];
        // Neither the end nor the step changes in the loop, and both are known before it.
        let is_fixed = |value: Value<'c>| {
            !value.is_instruction() || {
                let block = value.parent_block();
                block != start && !flow.reaches(block, &latches, start)
            }
        };
        let bits = index.ty().int_bits()?;
        let is_small = ranges.of(skipped).is_some_and(|range| range.fits(bits - 2));
        let fits = (8..=32).contains(&bits) && is_small && is_one_more(behind, index);
        let ends = ends_alike(start, test, over);
        let is_inside = |block: Block<'c>| {
            [start, test].contains(&block) || flow.reaches(block, &latches, start)
        };
        let stays = index.users().into_iter().all(|user| is_inside(user.parent_block()));
        let is_loop = is_inside(body);
        (fits && ends && is_loop && is_fixed(end) && is_fixed(skipped)).then_some(Steps {
            start,
            test,
            entry,
            latch,
            index,
            first,
            end,
            skipped,
            stays,
        })
    }

    fn count(self, module: &Module<'c>) {
        let context = module.context();
        let (Some(enters), Some(repeats)) = (self.entry.terminator(), self.latch.terminator())
        else {
            return;
        };
        let Some(head) = self.start.instructions().into_iter().next() else { return };
        let ty = self.index.ty();
        let bits = ty.int_bits().unwrap_or(32);
        let before = Builder::before(context, enters);
        // Rounded up. Where the range is not empty, its length fits the same type without a sign.
        let one = ty.constant(1);
        let step = before.binary(opcode::ADD, self.skipped, one);
        let enters = before.compare(predicate::SIGNED_LESS, self.first, self.end);
        let last = before.binary(opcode::SUB, self.end, one);
        let last = before.binary(opcode::SUB, last, self.first);
        let rounds = before.binary(opcode::UDIV, last, step);
        let rounds = before.binary(opcode::ADD, rounds, one);
        let rounds = before.select(enters, rounds, ty.constant(0));
        // Else LLVM finds it too expensive to unroll the loop.
        let rounds = before.freeze(rounds);
        let index = Builder::before(context, head).phi(ty, &[(self.first, self.entry)]);
        let left = Builder::before(context, head).phi(ty, &[(rounds, self.entry)]);
        let after = Builder::before(context, repeats);
        // Where it would wrap around, there is no next iteration.
        let next = after.binary(opcode::ADD, index, step);
        if self.stays && next.is_instruction() {
            next.promise_no_signed_wrap();
        }
        index.add_incoming(next, self.latch);
        let fewer = after.binary(opcode::ADD, left, ty.constant(u64::MAX >> (64 - bits)));
        left.add_incoming(fewer, self.latch);
        self.index.replace_all_uses_with(index);
        if let (Some(first), Some(second)) = (self.start.terminator(), self.test.terminator()) {
            // Its first way is the end.
            let ends =
                Builder::before(context, first).compare(predicate::EQUAL, left, ty.constant(0));
            first.set_condition(ends);
            second.set_condition(context.int(1).constant(1));
            // What the second question has told.
            if let Some((assume, ty)) = module.intrinsic("llvm.assume") {
                let at = Builder::before(context, second);
                let below = at.compare(predicate::SIGNED_LESS, index, self.end);
                at.call(ty, assume, &[below]);
            }
        }
    }
}

/// Whether a value is `index + 1`, in either of the ways of core.
fn is_one_more<'c>(value: Value<'c>, index: Value<'c>) -> bool {
    if is(value, opcode::ADD) {
        return value.operand(0) == index && value.operand(1).as_int() == Some(1);
    }
    // The sum of an addition that also says whether it has wrapped around.
    let of = |call: Value<'c>| {
        call.is_instruction()
            && call.is_call()
            && call.callee().is_function()
            && call.callee().name().starts_with("llvm.sadd.with.overflow.")
            && call.arguments().first() == Some(&index)
            && call.arguments().get(1).and_then(|one| one.as_int()) == Some(1)
    };
    is(value, opcode::EXTRACT_VALUE) && of(value.operand(0)) && value.ty() == index.ty()
}

/// Whether `end` gets the same values from both blocks.
fn ends_alike<'c>(one: Block<'c>, other: Block<'c>, end: Block<'c>) -> bool {
    let mut phis = end.instructions();
    phis.retain(|phi| phi.opcode() == opcode::PHI);
    phis.into_iter().all(|phi| phi.incoming(one) == phi.incoming(other))
}
