//! Loops that count steps, while an index grows: `(a..b).step_by(s)`.
//!
//! Core divides once, `(b - a) / s` rounded up, and then counts down, or up in `fold` and what uses it.
//! No index reaches `b`, but LLVM can't see that through the division. [`bound`] tells it. If the
//! division is by a run-time value, which takes some hundred instructions on a GPU, the loop is changed
//! to compare the index with `b` instead, and the division becomes dead.

use super::{Counter, Flow, is};
use crate::llvm::{Block, Builder, Context, Module, Value, opcode, predicate};

/// Recognises such a loop at `start`, and says what is known about its indices.
pub(crate) fn bound<'c>(
    module: &Module<'c>,
    flow: &Flow<'c>,
    start: Block<'c>,
    counters: &[Counter<'c>],
) {
    for rounds in counters.iter().flat_map(|counter| tests(counter)) {
        let latches: Vec<_> = rounds.counter.latches().collect();
        // With nothing left the loop must end; otherwise the counter would wrap and go on from its
        // largest value.
        let ends = rounds.ends != start
            && !flow.reaches(rounds.ends, &latches, start)
            && (rounds.test == start || !flow.reaches(start, &latches, rounds.test));
        // The number of steps must stay what it is.
        let fixed = !rounds.steps.is_instruction() || {
            let block = rounds.steps.parent_block();
            block != start && !flow.reaches(block, &latches, start)
        };
        if !ends || !fixed || flow.only_predecessor(rounds.goes_on) != Some(rounds.test) {
            continue;
        }
        for index in counters {
            if index.phi == rounds.counter.phi || index.phi.ty() != rounds.steps.ty() {
                continue;
            }
            let Some(found) = end_of_range(flow, rounds.steps, index.start, index.step) else {
                continue;
            };
            assume_below(module, rounds.goes_on, index.phi, found.end);
            if found.exact && index.step.as_int().is_none() {
                compare_index(module.context(), &rounds, index, found.end);
            }
            break;
        }
    }
}

/// A branch that ends a loop when a counter has counted all steps.
struct Rounds<'c> {
    counter: Counter<'c>,
    /// How many steps there are.
    steps: Value<'c>,
    /// The block that ends with the branch.
    test: Block<'c>,
    /// Where it goes while there are steps left, and where when there are none.
    goes_on: Block<'c>,
    ends: Block<'c>,
}

/// The tests of whether `counter` has counted down to zero, or from zero up to a number.
fn tests<'c>(counter: &Counter<'c>) -> Vec<Rounds<'c>> {
    let down = counter.grows_by(-1);
    let up = counter.grows_by(1) && counter.start.as_int() == Some(0);
    if !down && !up {
        return Vec::new();
    }
    let zero = counter.phi.ty().null();
    let of = |asked: Value<'c>| -> Option<Vec<Rounds<'c>>> {
        let (predicate, a, b) = comparison(asked)?;
        let (more, end) = match predicate {
            predicate::EQUAL => (false, b),
            predicate::NOT_EQUAL => (true, b),
            predicate::UNSIGNED_GREATER if down => (true, b),
            predicate::UNSIGNED_LESS if up => (true, b),
            _ => return None,
        };
        if a != counter.phi || down && end != zero {
            return None;
        }
        let rounds = |user: Value<'c>| {
            let test = user.is_instruction().then(|| user.parent_block())?;
            if user.condition() != Some(asked) {
                return None;
            }
            let [yes, no] = test.successors()[..] else { return None };
            let (goes_on, ends) = if more { (yes, no) } else { (no, yes) };
            let steps = if down { counter.start } else { end };
            Some(Rounds { counter: *counter, steps, test, goes_on, ends })
        };
        Some(asked.users().into_iter().filter_map(rounds).collect())
    };
    counter.phi.users().into_iter().filter_map(of).flatten().collect()
}

/// Says at the start of `block` that `index` is less than `end`.
fn assume_below<'c>(module: &Module<'c>, block: Block<'c>, index: Value<'c>, end: Value<'c>) {
    let first = block.instructions().into_iter().find(|i| i.opcode() != opcode::PHI);
    let (Some(first), Some((assume, ty))) = (first, module.intrinsic("llvm.assume")) else {
        return;
    };
    let builder = Builder::before(module.context(), first);
    let below = builder.compare(predicate::UNSIGNED_LESS, index, end);
    builder.call(ty, assume, &[below]);
}

/// The end of a range.
struct End<'c> {
    end: Value<'c>,
    /// Whether the number of steps is exactly what the range has, not just at most that.
    exact: bool,
}

/// The `end` in `steps == (end - first) / step`, rounded up.
fn end_of_range<'c>(
    flow: &Flow<'c>,
    steps: Value<'c>,
    first: Value<'c>,
    step: Value<'c>,
) -> Option<End<'c>> {
    // Core does a 64-bit division. Truncated to the width of `end`, the quotient is the same: it is not
    // greater than the length, which was extended from that width if the types are right.
    let wide = if is(steps, opcode::TRUNCATE) { steps.operand(0) } else { steps };
    let (len, exact) = rounded_up_quotient(flow, wide, step)?;
    let (end, exact_len) = end_of_length(flow, without_extension(len), first)?;
    (end.ty() == first.ty()).then_some(End { end, exact: exact && exact_len })
}

/// The `x` in `steps <= x / step`, rounded up; and whether they are equal.
fn rounded_up_quotient<'c>(
    flow: &Flow<'c>,
    steps: Value<'c>,
    step: Value<'c>,
) -> Option<(Value<'c>, bool)> {
    if !is(steps, opcode::PHI) {
        return None;
    }
    let mut of = None;
    // The predecessors for which it is rounded down, and up.
    let (mut down, mut up) = (None, None);
    let incoming = steps.incoming_edges();
    for &(value, from) in &incoming {
        // No step at all is never too many.
        if value.as_int() == Some(0) {
            continue;
        }
        let x = match dividend(value, step) {
            Some(x) => {
                down = Some(from);
                x
            }
            // One more, where there is a remainder.
            None => {
                up = Some(from);
                let x = dividend_of_one_more(value, step)?;
                let (condition, holds) = flow.condition_of(from)?;
                remains(condition, holds, x, step).then_some(x)?
            }
        };
        if *of.get_or_insert(x) != x {
            return None;
        }
    }
    // It is rounded down where it is not rounded up: one block decides.
    let decided = up.and_then(|up| flow.only_predecessor(up));
    Some((of?, incoming.len() == 2 && decided.is_some() && decided == down))
}

/// The `x` of `x / step + 1`.
fn dividend_of_one_more<'c>(value: Value<'c>, step: Value<'c>) -> Option<Value<'c>> {
    let adds = is(value, opcode::ADD) && value.operand(1).as_int() == Some(1);
    dividend(adds.then(|| value.operand(0))?, step)
}

/// The `x` of `x / step`.
fn dividend<'c>(value: Value<'c>, step: Value<'c>) -> Option<Value<'c>> {
    if !value.is_instruction() {
        return None;
    }
    let by = match value.opcode() {
        opcode::UDIV => same(value.operand(1), step),
        opcode::LSHR => {
            let shift = value.operand(1).as_int();
            shift.and_then(|shift| 1u64.checked_shl(shift as u32)) == step.as_int()
                && shift.is_some()
        }
        _ => false,
    };
    by.then(|| value.operand(0))
}

/// Whether `condition`, as it `holds`, says that dividing `x` by `step` leaves a remainder.
fn remains<'c>(condition: Value<'c>, holds: bool, x: Value<'c>, step: Value<'c>) -> bool {
    let Some((predicate, remainder, zero)) = comparison(condition) else { return false };
    let not_zero = match predicate {
        predicate::EQUAL => !holds,
        predicate::NOT_EQUAL | predicate::UNSIGNED_GREATER => holds,
        _ => return false,
    };
    if !not_zero || zero.as_int() != Some(0) || !remainder.is_instruction() {
        return false;
    }
    let by = match remainder.opcode() {
        opcode::UREM => same(remainder.operand(1), step),
        opcode::AND => {
            let mask = remainder.operand(1).as_int();
            mask.is_some() && mask.and_then(|mask| mask.checked_add(1)) == step.as_int()
        }
        _ => false,
    };
    by && remainder.operand(0) == x
}

/// The `end` in `len <= end - first`, where `first <= end`; and whether `len` is that or, where
/// `first` is not below `end`, zero.
fn end_of_length<'c>(
    flow: &Flow<'c>,
    len: Value<'c>,
    first: Value<'c>,
) -> Option<(Value<'c>, bool)> {
    if is(len, opcode::PHI) {
        // `if first < end { end - first } else { 0 }`
        let incoming = len.incoming_edges();
        let [(a, from_a), (b, from_b)] = incoming[..] else { return None };
        let (difference, from, otherwise) = match (a.as_int(), b.as_int()) {
            (None, Some(0)) => (a, from_a, from_b),
            (Some(0), None) => (b, from_b, from_a),
            _ => return None,
        };
        let end = minuend(flow, difference, from, first)?;
        let exact = flow.only_predecessor(from) == Some(otherwise)
            && flow
                .condition_of(from)
                .is_some_and(|(condition, holds)| holds && is_below(condition, first, end));
        return Some((end, exact));
    }
    if first.as_int() == Some(0) {
        return Some((len, true));
    }
    let end = minuend(flow, len, len.is_instruction().then(|| len.parent_block())?, first)?;
    Some((end, true))
}

/// The `end` of `end - first` in `block`, where `first <= end`.
fn minuend<'c>(
    flow: &Flow<'c>,
    difference: Value<'c>,
    block: Block<'c>,
    first: Value<'c>,
) -> Option<Value<'c>> {
    if !difference.is_instruction() {
        return (first.as_int() == Some(0)).then_some(difference);
    }
    let end = difference.operands().first().copied()?;
    let subtracts = match difference.opcode() {
        opcode::SUB => difference.operand(1) == first,
        // Of a constant, the negative is added.
        opcode::ADD => {
            let negative = difference.operand(1).as_int();
            let first = first.as_int();
            negative.zip(first).is_some_and(|(a, b)| {
                let sum = a.wrapping_add(b);
                b != 0
                    && difference
                        .ty()
                        .int_bits()
                        .is_some_and(|bits| bits >= 64 && sum == 0 || bits < 64 && sum == 1 << bits)
            })
        }
        _ => false,
    };
    if !subtracts {
        return (first.as_int() == Some(0)).then_some(difference);
    }
    let sub_fits = difference.opcode() == opcode::SUB && difference.cannot_wrap_unsigned();
    (sub_fits || is_guarded(flow, block, first, end)).then_some(end)
}

/// Whether `block` is reached only where `low < high`.
fn is_guarded<'c>(flow: &Flow<'c>, block: Block<'c>, low: Value<'c>, high: Value<'c>) -> bool {
    flow.guards(block).any(|(condition, holds)| {
        if holds { is_below(condition, low, high) } else { is_not_below(condition, low, high) }
    })
}

/// Whether `condition` says `low < high`.
fn is_below<'c>(condition: Value<'c>, low: Value<'c>, high: Value<'c>) -> bool {
    match comparison(condition) {
        Some((predicate::UNSIGNED_LESS, a, b)) => (a, b) == (low, high),
        Some((predicate::UNSIGNED_GREATER, a, b)) => (b, a) == (low, high),
        _ => false,
    }
}

/// Whether `condition` is true wherever `low < high` is not.
fn is_not_below<'c>(condition: Value<'c>, low: Value<'c>, high: Value<'c>) -> bool {
    match comparison(condition) {
        Some((predicate::UNSIGNED_LESS_EQUAL, a, b)) => (b, a) == (low, high),
        Some((predicate::UNSIGNED_GREATER_EQUAL, a, b)) => (a, b) == (low, high),
        _ => false,
    }
}

/// Ends a loop by comparing `index` with `end`, instead of counting.
///
/// The index after the last iteration may be too large for its type. It then becomes the largest value,
/// which is not below `end`, either.
fn compare_index<'c>(
    context: &'c Context,
    rounds: &Rounds<'c>,
    index: &Counter<'c>,
    end: Value<'c>,
) {
    let Some(terminator) = rounds.test.terminator() else { return };
    let builder = Builder::before(context, terminator);
    let yes_goes_on = rounds.test.successors().first() == Some(&rounds.goes_on);
    let predicate =
        if yes_goes_on { predicate::UNSIGNED_LESS } else { predicate::UNSIGNED_GREATER_EQUAL };
    terminator.set_condition(builder.compare(predicate, index.phi, end));

    let Some(behind) = index.next.next_instruction() else { return };
    let builder = Builder::before(context, behind);
    let wrapped = builder.compare(predicate::UNSIGNED_LESS, index.next, index.phi);
    let bits = index.phi.ty().int_bits().unwrap_or(64);
    let largest = index.phi.ty().constant(u64::MAX >> (64 - bits.min(64)));
    let next = builder.select(wrapped, largest, index.next);
    for (i, (value, _)) in (0..).zip(index.phi.incoming_edges()) {
        if value == index.next {
            index.phi.set_operand(i, next);
        }
    }
}

/// Predicate and operands of a comparison of integers.
fn comparison(value: Value<'_>) -> Option<(i32, Value<'_>, Value<'_>)> {
    is(value, opcode::INTEGER_COMPARISON)
        .then(|| (value.predicate(), value.operand(0), value.operand(1)))
}

/// Whether two values are the same number, one of them possibly extended.
fn same<'c>(a: Value<'c>, b: Value<'c>) -> bool {
    let (a, b) = (without_extension(a), without_extension(b));
    a == b || a.as_int().is_some() && a.as_int() == b.as_int()
}

fn without_extension(value: Value<'_>) -> Value<'_> {
    if is(value, opcode::ZERO_EXTEND) { value.operand(0) } else { value }
}
