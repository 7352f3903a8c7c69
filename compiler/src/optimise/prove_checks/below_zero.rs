//! Counters that begin below zero, as in `for dx in -1..=1`.
//!
//! All variables of a sum are numbers without sign, so such a counter can't be one. Instead, it is the sum of its first value and
//! how far it is above that: a number that is never negative, since LLVM knows that the counter does not wrap around as a number
//! with sign.

use super::phis::Counter;
use super::prover::Prover;
use super::sum::Sum;
use super::terms::signed;
use crate::llvm::{Block, Value, opcode};

/// The least first value.
const MIN_FIRST: i64 = -(1 << 20);

impl<'c> Prover<'_, 'c> {
    /// Notes the counters that begin with a constant below zero.
    pub(super) fn note_below_zero(&mut self) {
        for start in self.loops.iter().map(|around| around.start).collect::<Vec<_>>() {
            let phis = start.instructions().into_iter();
            for phi in phis.take_while(|one| one.opcode() == opcode::PHI) {
                if let Some(first) = self.first_below_zero(phi) {
                    self.terms.note_below_zero(phi, first);
                }
            }
        }
    }

    fn first_below_zero(&self, phi: Value<'c>) -> Option<i64> {
        let counter = self.counter(phi)??;
        let bits = phi.ty().int_bits().filter(|bits| (8..=64).contains(bits))?;
        let first = signed(counter.first.as_int()?, bits);
        let step = signed(counter.added()?.as_int()?, bits);
        let is_it =
            (MIN_FIRST..0).contains(&first) && step > 0 && counter.next.cannot_wrap_signed();
        is_it.then_some(first)
    }

    /// How far above its first value such a counter is at most.
    pub(super) fn most_above(&mut self, phi: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let counter = self.counter(phi)??;
        self.in_any_iteration(|this| {
            let by_exit = this.above_by_exit(&counter, at);
            by_exit.or_else(|| this.most_steps(&counter, &Sum::default(), at))
        })
    }

    fn above_by_exit(&mut self, counter: &Counter<'c>, at: Block<'c>) -> Option<Sum> {
        let first = Sum::number(self.terms.begins_below_zero(counter.phi)?);
        let step = self.step(counter)?;
        let facts = self.facts_of_latch(counter);
        for less in facts.less.iter().filter(|less| less.signed) {
            let Some(added) = added_after(counter, less.left, &step) else { continue };
            let found = self.attempt(|this| {
                let end = this.most_value(less.right, counter.latch)?;
                let last = end.plus(&Sum::number(i64::from(!less.or_equal)), -1)?;
                let last = last.plus(&added, 1)?.plus(&first, -1)?;
                this.greater(last, Sum::default())
            });
            if found.is_some() {
                return found;
            }
        }
        // With steps of one, it meets each number.
        if step.as_number() != Some(1) {
            return None;
        }
        for [a, b] in &facts.differ {
            for (value, end) in [(*a, *b), (*b, *a)] {
                let Some(added) = added_after(counter, value, &step) else { continue };
                if self.is_changed(counter, end) {
                    continue;
                }
                let found = self.attempt(|this| {
                    let last = this.most_value(end, at)?.plus(&Sum::number(1), -1)?;
                    last.plus(&added, 1)?.plus(&first, -1)
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

/// What is added to a value of an iteration so that it is the counter of the next one.
fn added_after<'c>(counter: &Counter<'c>, value: Value<'c>, step: &Sum) -> Option<Sum> {
    match () {
        () if value == counter.next => Some(Sum::default()),
        () if value == counter.phi => Some(step.clone()),
        () => None,
    }
}
