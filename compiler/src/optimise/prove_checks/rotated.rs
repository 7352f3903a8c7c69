//! What holds where each iteration of a loop begins if LLVM has moved the loop's condition to its end.
//!
//! ```text
//! if low < high { loop { ..; if !(next_low < next_high) { break } } }
//! ```
//!
//! A branch before the loop asks the condition of the variables' first values, and one at the end of each iteration asks it of
//! their next ones. So it holds of the variables.

use super::facts::{Facts, Less};
use super::phis::facts_of_jump;
use super::prover::Prover;
use super::terms::signed;
use crate::llvm::{Block, Value, opcode};

/// Which values a loop's variables have in its first iteration, and in the next one.
struct Variables<'c> {
    all: Vec<Variable<'c>>,
}

struct Variable<'c> {
    phi: Value<'c>,
    first: Value<'c>,
    next: Value<'c>,
}

impl<'c> Prover<'_, 'c> {
    /// What holds where each iteration of a loop begins, if a loop begins with a block.
    pub(super) fn facts_of_start(&mut self, start: Block<'c>) -> Facts<'c> {
        let mut found = Facts::default();
        let Some(place) = self.loops.iter().position(|around| around.start == start) else {
            return found;
        };
        let around = &self.loops[place];
        let (&[latch], Some(entry)) = (&around.latches[..], self.flow.entry(around)) else {
            return found;
        };
        let (asked, before) = (facts_of_jump(latch, start), facts_of_jump(entry, start));
        let mut known = Facts::default();
        if !asked.less.is_empty() {
            known = self.facts_of_branches(entry);
            known.extend(&before);
        }
        let variables = Variables::of(start, entry, latch);
        let body = &self.loops[place].body;
        let is_outside =
            |value: Value<'c>| !value.is_instruction() || !body.contains(&value.parent_block());
        // What the branch into the loop says of other values holds as long as the loop runs.
        let stays = |a: &Value<'c>, b: &Value<'c>| is_outside(*a) && is_outside(*b);
        found.less.extend(before.less.iter().filter(|less| stays(&less.left, &less.right)));
        found.differ.extend(before.differ.iter().filter(|[a, b]| stays(a, b)));
        for less in &asked.less {
            let is_strict = lessened(less).is_some();
            let left = lessened(less).unwrap_or(less.left);
            let own = |value: Value<'c>| match is_outside(value) {
                true => Some((value, value)),
                false => variables.of_next(value),
            };
            let (Some(left), Some(right)) = (own(left), own(less.right)) else { continue };
            let or_equal = less.or_equal && !is_strict;
            let of = |left, right| Less { left, right, or_equal, ..*less };
            let changes = left.0 != left.1 || right.0 != right.1;
            if changes && is_known(&known, &of(left.1, right.1)) {
                found.less.push(of(left.0, right.0));
            }
        }
        found
    }
}

impl<'c> Variables<'c> {
    fn of(start: Block<'c>, entry: Block<'c>, latch: Block<'c>) -> Variables<'c> {
        let phis = start.instructions().into_iter();
        let phis = phis.take_while(|one| one.opcode() == opcode::PHI);
        let all = phis.filter_map(|phi| {
            Some(Variable { phi, first: phi.incoming(entry)?, next: phi.incoming(latch)? })
        });
        Variables { all: all.collect() }
    }

    /// The variable with a next value, and its first one.
    fn of_next(&self, next: Value<'c>) -> Option<(Value<'c>, Value<'c>)> {
        self.all.iter().find(|one| one.next == next).map(|one| (one.phi, one.first))
    }
}

/// The `x` of `x + 1 < y`, or `<=`, where the sum does not wrap around: it is less than `y`, too.
fn lessened<'c>(less: &Less<'c>) -> Option<Value<'c>> {
    let sum = less.left;
    let is_sum = sum.is_instruction() && sum.opcode() == opcode::ADD;
    let added = is_sum.then(|| sum.operand(1))?;
    let bits = sum.ty().int_bits().filter(|bits| (1..=64).contains(bits))?;
    let is_more = signed(added.as_int()?, bits) > 0;
    let cannot_wrap =
        if less.signed { sum.cannot_wrap_signed() } else { sum.cannot_wrap_unsigned() };
    (is_more && cannot_wrap).then(|| sum.operand(0))
}

/// Whether facts say that one value is less than another, or constants show it.
fn is_known(facts: &Facts<'_>, asked: &Less<'_>) -> bool {
    let number = |value: Value<'_>| {
        let bits = value.ty().int_bits().filter(|bits| (1..=64).contains(bits))?;
        let number = value.as_int()?;
        Some(if asked.signed { i128::from(signed(number, bits)) } else { i128::from(number) })
    };
    // That `a` is at most `b`.
    let at_most = |a: Value<'_>, b: Value<'_>| match (number(a), number(b)) {
        (Some(a), Some(b)) => a <= b,
        _ => a == b,
    };
    let is_strict = !asked.or_equal;
    match (number(asked.left), number(asked.right)) {
        (Some(left), Some(right)) if left < right || left == right && !is_strict => return true,
        // As LLVM asks whether a number without sign is greater than zero.
        (Some(0), None) if !asked.signed => {
            let is_zero = |value: Value<'_>| number(value) == Some(0);
            let differs = |[a, b]: &[Value<'_>; 2]| {
                *a == asked.right && is_zero(*b) || *b == asked.right && is_zero(*a)
            };
            if facts.differ.iter().any(differs) {
                return true;
            }
        }
        _ => {}
    }
    facts.less.iter().any(|less| {
        less.signed == asked.signed
            && at_most(asked.left, less.left)
            && at_most(less.right, asked.right)
            && (!less.or_equal || !is_strict)
    })
}
