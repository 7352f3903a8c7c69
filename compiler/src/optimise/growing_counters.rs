//! Counters that grow in some iterations of a loop, up to a limit.
//!
//! ```text
//! while i < end { if .. { i += 1 } }
//! ```
//!
//! How often such a loop runs is not known before it, but its counter never leaves what is between its first value and the limit.

use super::flow::Flow;
use crate::llvm::{Block, Loop, Value, opcode, predicate};

/// The most by which a counter may grow in one iteration.
const MAX_GROWTH: u64 = 1 << 16;

/// How many operations from one iteration to the next are looked through.
const MAX_DEPTH: usize = 8;

/// A counter that grows.
pub(super) struct Growing<'c> {
    pub(super) first: Value<'c>,
    /// Wherever the counter is used, it is less, as numbers with a sign: if that is true of `first`, and neither `first` nor
    /// the limit is negative.
    pub(super) limit: Value<'c>,
    /// The most by which it grows in an iteration. The limit and this must not wrap around.
    pub(super) most: u64,
    /// Whether a branch before the loop asks whether `first` is less than the limit. Threads for which it is not do not come to
    /// the loop.
    pub(super) is_asked: bool,
}

/// How a variable of a loop grows, if it does. It must not be used in the loop's first block.
pub(super) fn growing<'c>(
    flow: &Flow<'c>,
    around: &Loop<Block<'c>>,
    variable: Value<'c>,
) -> Option<Growing<'c>> {
    let is_variable = variable.is_instruction()
        && variable.opcode() == opcode::PHI
        && variable.parent_block() == around.start;
    let [latch] = around.latches[..] else { return None };
    if !is_variable {
        return None;
    }
    let first = variable.incoming(flow.entry(around)?)?;
    let next = variable.incoming(latch)?;
    let most = growth(around, variable, next, MAX_DEPTH)?;
    // Known of the next value where the loop goes on, or of this one from its first branch on.
    let again = flow.edge_condition(latch, around.start).into_iter().chain(flow.guards(latch));
    let of_next = again.into_iter().find_map(|says| limit_of(around, next, says));
    let stays = around.start.successors().into_iter().filter(|next| around.body.contains(next));
    let mut stays = stays.filter_map(|next| flow.edge_condition(around.start, next));
    let of_this = || match (stays.next(), stays.next()) {
        (Some(says), None) => limit_of(around, variable, says),
        _ => None,
    };
    let limit = of_next.or_else(of_this)?;
    let entry = flow.entry(around)?;
    let mut before = flow.edge_condition(entry, around.start).into_iter().chain(flow.guards(entry));
    let is_asked = before.any(|says| limit_of(around, first, says) == Some(limit));
    Some(Growing { first, limit, most, is_asked })
}

/// What a value is less than, if a condition that holds, or does not hold, says so.
fn limit_of<'c>(
    around: &Loop<Block<'c>>,
    value: Value<'c>,
    (condition, holds): (Value<'c>, bool),
) -> Option<Value<'c>> {
    if !condition.is_instruction() {
        return None;
    }
    let both = |condition: Value<'c>| {
        let of = |index| limit_of(around, value, (condition.operand(index), holds));
        of(0).or_else(|| of(1))
    };
    match (condition.opcode(), holds) {
        (opcode::AND, true) | (opcode::OR, false) => return both(condition),
        // What short-circuits.
        (opcode::SELECT, true) if condition.operand(2).as_int() == Some(0) => {
            return both(condition);
        }
        (opcode::INTEGER_COMPARISON, _) => {}
        _ => return None,
    }
    let says = condition.predicate();
    let says = if holds { says } else { predicate::inverse(says) };
    let (left, right) = (condition.operand(0), condition.operand(1));
    let (says, limit) = match (left == value, right == value) {
        (true, false) => (says, right),
        (false, true) => (predicate::swapped(says), left),
        _ => return None,
    };
    let changes = limit.is_instruction() && around.body.contains(&limit.parent_block());
    let is_less = [predicate::SIGNED_LESS, predicate::UNSIGNED_LESS].contains(&says);
    (is_less && !changes).then_some(limit)
}

/// The most by which `value` is greater than the counter in this iteration; `None` if it may be less.
fn growth<'c>(
    around: &Loop<Block<'c>>,
    counter: Value<'c>,
    value: Value<'c>,
    depth: usize,
) -> Option<u64> {
    if value == counter {
        return Some(0);
    }
    let is_inside = value.is_instruction() && around.body.contains(&value.parent_block());
    if depth == 0 || !is_inside {
        return None;
    }
    let of = |value| growth(around, counter, value, depth - 1);
    let all = match value.opcode() {
        opcode::ADD => {
            let (a, b) = (value.operand(0), value.operand(1));
            let sum = |a, b| Some(of(a)? + number(b)?);
            sum(a, b).or_else(|| sum(b, a))
        }
        opcode::SELECT => Some(of(value.operand(1))?.max(of(value.operand(2))?)),
        opcode::PHI if value.parent_block() != around.start => {
            let edges = value.incoming_edges().into_iter();
            edges.map(|(value, _)| of(value)).try_fold(0, |most, one| Some(one?.max(most)))
        }
        _ => None,
    };
    all.filter(|all| *all <= MAX_GROWTH)
}

/// The largest number that a value can be, if that is a small one.
fn number(value: Value<'_>) -> Option<u64> {
    if let Some(number) = value.as_int() {
        return (number <= MAX_GROWTH).then_some(number);
    }
    if !value.is_instruction() {
        return None;
    }
    match value.opcode() {
        opcode::ZERO_EXTEND if value.operand(0).ty().int_bits() == Some(1) => Some(1),
        opcode::SELECT => Some(number(value.operand(1))?.max(number(value.operand(2))?)),
        _ => None,
    }
}
