//! Bounds of what is one of several values: of selects, minima, maxima and clamps.

use super::facts::Facts;
use super::prover::{MAX_UNIFORM, Prover, largest};
use super::registers::{end_of, intrinsic_of};
use super::sum::Sum;
use super::terms::{Term, end_of_float, is_uniform};
use crate::llvm::{Block, Value, opcode};

impl<'c> Prover<'_, 'c> {
    /// Proves that neither of two values is negative where it is chosen.
    pub(super) fn chooses_small(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        (value.is_instruction() && value.opcode() == opcode::SELECT).then_some(())?;
        for (place, holds) in [(1, true), (2, false)] {
            let chosen = value.operand(place);
            if self.differ(value, chosen, at) {
                continue;
            }
            let mut facts = Facts::default();
            facts.add(value.operand(0), holds);
            self.where_chosen(&facts, |this| this.prove_small(chosen, at))?;
        }
        Some(())
    }

    /// Proves that an integer is less than whichever of two others a select chooses.
    pub(super) fn is_less_than_chosen(
        &mut self,
        (left, right): (Value<'c>, Value<'c>),
        or_equal: bool,
        at: Block<'c>,
    ) -> Option<()> {
        (right.is_instruction() && right.opcode() == opcode::SELECT).then_some(())?;
        for (place, holds) in [(1, true), (2, false)] {
            let chosen = right.operand(place);
            if self.differ(right, chosen, at) {
                continue;
            }
            let mut facts = Facts::default();
            facts.add(right.operand(0), holds);
            self.where_chosen(&facts, |this| this.prove_less((left, chosen), or_equal, at))?;
        }
        Some(())
    }

    /// One of two values.
    pub(super) fn most_of_select(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let (condition, yes, no) = (value.operand(0), value.operand(1), value.operand(2));
        let is_small = self.facts(at).small.contains(&value);
        let mut most = [None, None];
        for (place, (chosen, holds)) in most.iter_mut().zip([(yes, true), (no, false)]) {
            if self.differ(value, chosen, at) {
                continue;
            }
            let mut facts = Facts::default();
            facts.add(condition, holds);
            if is_small {
                facts.small.push(chosen);
            }
            let bound = self.where_chosen(&facts, |this| this.most_value(chosen, at))?;
            // `if x + 1 == n { .. } else { x + 1 }`: what is at most `n`, and is not `n`, is less.
            let mut is_less = false;
            for [a, b] in facts.differ {
                for (a, b) in [(a, b), (b, a)] {
                    let other = self.terms.form(b);
                    is_less |= self.is_same(a, chosen)
                        && other.sum == bound
                        && self.are_exact(&other.extended, at).is_some();
                }
            }
            *place = Some(bound.plus(&Sum::number(i64::from(is_less)), -1)?);
        }
        match most {
            [Some(a), Some(b)] => self.greater(a, b),
            [one, other] => one.or(other),
        }
    }

    /// Answers something about one of two values under the assumption that it is chosen.
    pub(super) fn where_chosen<T>(
        &mut self,
        facts: &Facts<'c>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.assumed.push(facts.clone());
        self.answers.assume();
        let found = run(self);
        self.answers.assume_no_more();
        self.assumed.pop();
        found
    }

    /// The greater of two sums, if it is the same whatever the variables are; else the first that is no number, which then must be the
    /// greater one.
    pub(super) fn greater(&mut self, a: Sum, b: Sum) -> Option<Sum> {
        if a.as_number().is_some() && b.as_number().is_none() {
            return self.greater(b, a);
        }
        let more = a.plus(&b, -1)?;
        if b.plus(&a, -1)?.is_positive() {
            return Some(b);
        }
        self.need(more)?;
        Some(a)
    }

    /// The greatest value of a float between 0 and one less than an integer, converted back. Floats are exact up to 2^24.
    pub(super) fn most_of_float(&mut self, end: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let last = self.most_value(end, at)?.plus(&Sum::number(1), -1)?;
        self.need(Sum::number(1 << 24).plus(&last, -1)?)?;
        let form = self.terms.form(end);
        let least = self.least_of(&form.sum, at)?.plus(&Sum::number(1), -1)?;
        self.need(least)?;
        Some(last)
    }

    /// The greatest value of `max(min(x, end), 0)`, of which this is the minimum.
    fn most_of_clamp(&mut self, minimum: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let is_minimum = intrinsic_of(minimum).is_some_and(|name| name.starts_with("llvm.smin."));
        let [a, b] = is_minimum.then(|| minimum.arguments())?[..] else { return None };
        // A bound that all threads have in common is likely to be the one that is meant.
        let (a, b) = if is_uniform(a, MAX_UNIFORM) { (a, b) } else { (b, a) };
        [a, b].into_iter().find_map(|end| {
            self.attempt(|this| {
                this.prove_small(end, at)?;
                this.most_value(end, at)
            })
        })
    }

    /// The greatest absolute value of a difference, if neither side of it is too large.
    fn most_of_absolute(&mut self, number: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let form = self.terms.form(number);
        self.are_exact(&form.extended, at)?;
        let [more, less] = form.sum.sides();
        let (more, less) = (self.most_of(&more, at)?, self.most_of(&less, at)?);
        self.need_to_fit(number, &more)?;
        self.need_to_fit(number, &less)?;
        self.greater(more, less)
    }

    pub(super) fn most_of_call(&mut self, call: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let name = intrinsic_of(call)?;
        if let Some(end) = end_of_float(call) {
            return self.most_of_float(end, at);
        }
        if let Some(end) = end_of(&name) {
            let index = self.terms.index(Term::Register(end));
            return Sum::variable(index).plus(&Sum::number(1), -1);
        }
        let arguments = call.arguments();
        if let [number, _] = arguments[..]
            && name.starts_with("llvm.abs.")
        {
            return self.most_of_absolute(number, at);
        }
        if let [a, b] = arguments[..] {
            // The first that is known will do.
            let either = |this: &mut Self| {
                let known =
                    |this: &mut Self, value| this.attempt(|this| this.most_value(value, at));
                // A bound that all threads have in common is likely to be the one that is meant.
                let (a, b) = if is_uniform(a, MAX_UNIFORM) { (a, b) } else { (b, a) };
                known(this, a).or_else(|| known(this, b))
            };
            match name.split('.').nth(1)? {
                "umin" => return either(self),
                // `x.saturating_sub(y)`
                "usub" if name.starts_with("llvm.usub.sat.") => return self.most_value(a, at),
                "smin" => {
                    // If the result is not negative, neither is any of the two.
                    if !self.facts(at).small.contains(&call) {
                        self.prove_small(a, at)?;
                        self.prove_small(b, at)?;
                    }
                    return either(self);
                }
                "umax" => {
                    let (a, b) = (self.most_value(a, at)?, self.most_value(b, at)?);
                    return self.greater(a, b);
                }
                "smax" => {
                    let (a, number) = if a.as_int().is_some() { (b, a) } else { (a, b) };
                    let number = i64::try_from(number.as_int()?).ok()?;
                    // `x.clamp(0, end)`: at most `end`, whatever `x` is, if `end` is not negative.
                    if number == 0
                        && let Some(most) = self.attempt(|this| this.most_of_clamp(a, at))
                    {
                        return Some(most);
                    }
                    self.prove_small(call, at)?;
                    let form = self.terms.form(a);
                    self.are_exact(&form.extended, at)?;
                    let most = self.most_of(&form.sum, at)?;
                    // In its own width, it must not wrap around in any direction.
                    self.need_to_fit(a, &most)?;
                    let least = self.least_of(&form.sum, at)?;
                    self.need(least.plus(&largest(a)?, 1)?)?;
                    return self.greater(most, Sum::number(number));
                }
                _ => {}
            }
        }
        let end = self.range_end(call)?;
        Some(Sum::number(i64::try_from(end).ok()? - 1))
    }
}
