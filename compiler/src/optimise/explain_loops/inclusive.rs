//! Makes loops over `a..=b` count.
//!
//! `RangeInclusive` has a flag beside its counter, because the counter can't step past the last number of
//! its type. An iteration tests the flag and the counter, and LLVM finds no trip count. Here, the counter
//! steps past the end instead, where that is possible, and the loop ends there:
//!
//! - if the end is a constant, and not the type's last number, the comparison that is there is enough;
//! - if the start is a constant, and not the type's first number, the counter may wrap around to the first
//!   number, at which the loop does not run otherwise;
//! - else a wider counter decides. Nothing is wider than 64 bits.

use super::super::affine::operands_of_sum;
use super::{Flow, is};
use crate::llvm::{Block, Builder, Context, Loop, Module, Value, loops_of, opcode, predicate};

/// A loop over an inclusive range.
struct Inclusive<'c> {
    /// The block that every iteration begins with, and the one that leads to it from outside.
    header: Block<'c>,
    entry: Block<'c>,
    latches: Vec<Block<'c>>,
    /// The counter, and its first value.
    counter: Value<'c>,
    start: Value<'c>,
    /// The last value.
    end: Value<'c>,
    /// The branch of the header: out of the loop if the range is exhausted.
    is_exhausted: Value<'c>,
    /// Whether the counter is past the end, which ends the loop, too.
    past: Value<'c>,
    /// Where an iteration's code begins.
    body: Block<'c>,
}

/// Replaces the flags of inclusive ranges.
pub(crate) fn count(module: &Module<'_>, function: Value<'_>, flow: &Flow<'_>) {
    for around in loops_of(function) {
        if let Some(range) = find(flow, &around) {
            range.rewrite(module);
        }
    }
}

fn find<'c>(flow: &Flow<'c>, around: &Loop<Block<'c>>) -> Option<Inclusive<'c>> {
    let header = around.start;
    let inside = |block: &Block<'c>| around.body.contains(block);
    let mut outside = flow.predecessors.get(&header)?.iter().filter(|from| !inside(from));
    let (&entry, None) = (outside.next()?, outside.next()) else { return None };

    // The header only asks whether the range is exhausted, the next block whether the counter is past the end.
    let is_exhausted = header.terminator()?;
    let flag = is_exhausted.condition().filter(|flag| is(*flag, opcode::PHI))?;
    let [exit, test] = header.successors()[..] else { return None };
    let [other_exit, body] = test.successors()[..] else { return None };
    let past = test.terminator()?.condition().filter(|c| is(*c, opcode::INTEGER_COMPARISON))?;
    let alone = |block: Block<'c>| flow.only_predecessor(block).is_some();
    if inside(&exit) || !inside(&test) || !inside(&body) {
        return None;
    }
    // A loop that ended in one of the two ways will end in the other.
    if exit != other_exit || tells_apart(exit, header, test) {
        return None;
    }
    if flag.parent_block() != header || !alone(test) || !alone(body) {
        return None;
    }
    let greater = [predicate::SIGNED_GREATER, predicate::UNSIGNED_GREATER];
    if !greater.contains(&past.predicate()) || past.parent_block() != test {
        return None;
    }
    let (counter, end) = (past.operand(0), past.operand(1));
    if !is(counter, opcode::PHI) || counter.parent_block() != header {
        return None;
    }
    if end.is_instruction() && inside(&end.parent_block()) {
        return None;
    }

    // The first iteration is not exhausted; a later one is if the counter was at the end in the one before, and
    // has a counter that is larger by one if it is not.
    if flag.incoming(entry)?.as_int() != Some(0) {
        return None;
    }
    for &latch in &around.latches {
        let (flag, next) = (flag.incoming(latch)?, counter.incoming(latch)?);
        if !is_step(flow, past, (flag, next), (latch, header), MAX_PHIS) {
            return None;
        }
    }
    let range = Inclusive {
        header,
        entry,
        latches: around.latches.clone(),
        counter,
        start: counter.incoming(entry)?,
        end,
        is_exhausted,
        past,
        body,
    };
    range.is_used_in_body_only(around, test).then_some(range)
}

/// Whether anything depends on which of two blocks `block` is entered from.
fn tells_apart<'c>(block: Block<'c>, one: Block<'c>, other: Block<'c>) -> bool {
    let mut phis = block.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
    phis.any(|phi| phi.incoming(one) != phi.incoming(other) && !phi.users().is_empty())
}

/// How many phis a value is followed through.
const MAX_PHIS: usize = 8;

/// Whether, where control goes from one block to another, `flag` is whether the counter was at the end, and `next`
/// larger than the counter by one if it was not. `past` is the comparison of the two, and was false: so the counter was
/// either at the end or below it.
///
/// The two come from core as phis behind the comparison. Jump threading may have copied a part of the iteration for its
/// last one, in which checks of the counter are known to hold: then the phis are further behind.
fn is_step<'c>(
    flow: &Flow<'c>,
    past: Value<'c>,
    (flag, next): (Value<'c>, Value<'c>),
    (from, to): (Block<'c>, Block<'c>),
    depth: usize,
) -> bool {
    let (counter, end) = (past.operand(0), past.operand(1));
    if let Some(flag) = flag.as_int() {
        let at_end = flag != 0;
        let below = predicate::swapped(past.predicate());
        let not_below = predicate::inverse(below);
        let tells = |(condition, holds): (Value<'c>, bool)| {
            is(condition, opcode::INTEGER_COMPARISON)
                && (condition.operand(0), condition.operand(1)) == (counter, end)
                && match condition.predicate() {
                    predicate::EQUAL => holds == at_end,
                    predicate::NOT_EQUAL => holds != at_end,
                    other if other == below => holds != at_end,
                    other if other == not_below => holds == at_end,
                    _ => false,
                }
        };
        let guards = || flow.all_guards(from);
        return (at_end || is_successor(counter, next))
            && flow.edge_condition(from, to).into_iter().chain(guards()).any(tells);
    }
    if depth == 0 || !is(flag, opcode::PHI) {
        return false;
    }
    let to = flag.parent_block();
    let next_from = |from| match is(next, opcode::PHI) && next.parent_block() == to {
        true => next.incoming(from),
        false => Some(next),
    };
    flag.incoming_edges().into_iter().all(|(flag, from)| {
        next_from(from).is_some_and(|next| is_step(flow, past, (flag, next), (from, to), depth - 1))
    })
}

/// Whether `next` is `counter + 1`.
fn is_successor<'c>(counter: Value<'c>, next: Value<'c>) -> bool {
    operands_of_sum(next).is_some_and(|(a, b)| a == counter && b.as_int() == Some(1))
}

impl<'c> Inclusive<'c> {
    /// Whether the counter's value is used only in iterations that run: after the last one it will be another.
    fn is_used_in_body_only(&self, around: &Loop<Block<'c>>, test: Block<'c>) -> bool {
        let runs = |block: Block<'c>| {
            block != self.header && block != test && around.body.contains(&block)
        };
        self.counter.users().into_iter().all(|user| {
            user == self.past
                || user.users().is_empty() && is(user, opcode::PHI)
                || match is(user, opcode::PHI) {
                    true => user
                        .incoming_edges()
                        .into_iter()
                        .all(|(value, from)| value != self.counter || runs(from)),
                    false => runs(user.parent_block()),
                }
        })
    }

    fn rewrite(&self, module: &Module<'c>) {
        let context = module.context();
        let ty = self.counter.ty();
        let Some(bits) = ty.int_bits().filter(|bits| *bits <= 64) else { return };
        let ones = u64::MAX >> (64 - bits);
        let signed = self.past.predicate() == predicate::SIGNED_GREATER;
        let (first, last) = if signed { (1 << (bits - 1), ones >> 1) } else { (0, ones) };
        let bool = context.int(1);
        let before = self.entry.terminator().expect("a block that leads to another");
        let exhausted = if self.end.as_int().is_some_and(|end| end != last) {
            bool.constant(0)
        } else {
            let wide = match self.start.as_int() {
                Some(start) if start != first => ty,
                _ if bits < 64 => context.int(64),
                _ => return,
            };
            // From outside of the loop: where it ends, which is where it begins if there is no iteration.
            let builder = Builder::before(context, before);
            let cast = if signed { opcode::SIGN_EXTEND } else { opcode::ZERO_EXTEND };
            let widen = |builder: &Builder<'c>, value| match wide == ty {
                true => value,
                false => builder.cast(cast, value, wide),
            };
            let none = builder.compare(self.past.predicate(), self.start, self.end);
            let start = widen(&builder, self.start);
            let behind = builder.binary(opcode::ADD, widen(&builder, self.end), wide.constant(1));
            let stop = builder.select(none, start, behind);
            let counter = match wide == ty {
                true => self.counter,
                false => self.wider(context, start),
            };
            self.past.replace_all_uses_with(bool.constant(0));
            Builder::before(context, self.is_exhausted).compare(predicate::EQUAL, counter, stop)
        };
        self.is_exhausted.set_condition(exhausted);
        let next = self.successor(context, self.counter);
        for (index, (_, from)) in (0..).zip(self.counter.incoming_edges()) {
            if from != self.entry {
                self.counter.set_operand(index, next);
            }
        }
    }

    /// A counter from `start`, beside the range's.
    fn wider(&self, context: &'c Context, start: Value<'c>) -> Value<'c> {
        let builder = Builder::before(context, self.counter);
        let counter = builder.phi(start.ty(), &[(start, self.entry)]);
        let next = self.successor(context, counter);
        self.latches.iter().for_each(|latch| counter.add_incoming(next, *latch));
        counter
    }

    /// The counter's value in the next iteration.
    fn successor(&self, context: &'c Context, counter: Value<'c>) -> Value<'c> {
        let end = self.body.terminator().expect("a block of a loop");
        Builder::before(context, end).binary(opcode::ADD, counter, counter.ty().constant(1))
    }
}
