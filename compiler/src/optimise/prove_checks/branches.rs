//! Bounds of variables, as the branches on the way to a block say.

use std::collections::BTreeSet;

use super::super::flow::ends;
use super::facts::{Facts, Less};
use super::prover::{MAX_UNIFORM, Prover};
use super::sum::Sum;
use super::terms::{Form, Term, is_uniform};
use crate::llvm::{Block, Value};

/// The most branches above a block that are looked at.
const MAX_BRANCHES: usize = 512;

/// A bound of a variable.
#[derive(Clone, Debug)]
pub(super) struct Bound<'c> {
    pub(super) variable: usize,
    /// The variable is at most this, or at least.
    pub(super) sum: Sum,
    /// Values that must be what their sums say.
    pub(super) exact: Vec<Value<'c>>,
    /// A value that must not be negative, taken as a number with sign.
    pub(super) small: Option<Value<'c>>,
}

impl<'c> Prover<'_, 'c> {
    /// What holds in a block.
    pub(super) fn facts(&mut self, block: Block<'c>) -> Facts<'c> {
        let mut facts = self.facts_of_branches(block);
        if !self.assumed.is_empty() {
            self.assumed.iter().for_each(|more| facts.extend(more));
            facts.find_small();
            self.find_greater(&mut facts);
        }
        facts
    }

    pub(super) fn facts_of_branches(&mut self, block: Block<'c>) -> Facts<'c> {
        if let Some(facts) = self.facts.get(&block) {
            return facts.clone();
        }
        let mut facts = Facts::default();
        for above in self.above(block).into_iter().take(MAX_BRANCHES) {
            self.add_assumptions(above, &mut facts);
            facts.extend(&self.facts_of_start(above));
            let Some(from) = self.flow.only_predecessor(above) else { continue };
            // Not what other checks say: they may be made later than where they stand.
            if from.successors().into_iter().any(ends) {
                continue;
            }
            if let Some((condition, holds)) = self.flow.condition_of(above) {
                facts.add(condition, holds);
            }
        }
        facts.find_small();
        self.find_greater(&mut facts);
        self.facts.insert(block, facts.clone());
        facts
    }

    /// Finds the values that are not negative because a value that is no greater is not.
    fn find_greater(&self, facts: &mut Facts<'c>) {
        for less in facts.less.clone().into_iter().filter(|less| less.signed).rev() {
            if facts.small.contains(&less.left) || self.is_small(less.left, 0) {
                facts.small.push(less.right);
            }
        }
    }

    /// Whether the branches on the way to a block, or what is assumed there, say that one integer is at most another, as numbers
    /// without sign.
    pub(super) fn is_at_most(&mut self, a: Value<'c>, b: Value<'c>, at: Block<'c>) -> bool {
        let facts = self.facts(at);
        let is_small = facts.small.contains(&a) || self.is_small(a, 0);
        let mut less = facts.less.iter().filter(|less| less.left == a && less.right == b);
        less.any(|less| !less.signed || is_small)
    }

    /// Whether the branches on the way to a block say that two values differ.
    pub(super) fn differ(&mut self, a: Value<'c>, b: Value<'c>, at: Block<'c>) -> bool {
        self.facts(at).differ.iter().any(|[x, y]| [(*x, *y), (*y, *x)].contains(&(a, b)))
    }

    /// Proves that a difference is not negative, because a branch says so of one that is no greater, possibly between wider or
    /// narrower integers.
    pub(super) fn is_positive_by_branch(&mut self, distance: &Sum, at: Block<'c>) -> Option<()> {
        let facts = self.facts(at);
        for less in &facts.less {
            let (left, right) = (self.terms.form(less.left), self.terms.form(less.right));
            let known = right.sum.plus(&left.sum, -1);
            let known = known.and_then(|known| {
                let strict = i64::from(!less.or_equal);
                distance.plus(&known, -1)?.plus(&Sum::number(strict), 1)
            });
            if known.is_none_or(|more| !more.is_positive()) {
                continue;
            }
            let found = self.attempt(|this| {
                if less.signed && !facts.small.contains(&less.left) {
                    this.prove_small(less.left, at)?;
                }
                this.are_exact(&[left.extended, right.extended].concat(), at)?;
                this.is_exact(less.left, at)?;
                this.is_exact(less.right, at)
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The least value of a difference, calculated as that of what is left once a branch's difference, which is not negative, has
    /// been subtracted, if threads then differ in fewer variables: in those that a branch compares as a sum, as in
    /// `base + thread < n`. Bounded one by one, they would be taken for larger.
    pub(super) fn least_behind_branch(&mut self, distance: &Sum, at: Block<'c>) -> Option<Sum> {
        let facts = self.facts(at);
        let varying = self.varying(distance);
        for less in facts.less.iter().filter(|_| varying > 1) {
            let left = self.terms.calculated(less.left, 0);
            let left = left.unwrap_or_else(|| self.terms.form(less.left));
            let right = self.terms.form(less.right);
            let known = right.sum.plus(&left.sum, -1);
            let rest = known.and_then(|known| {
                let strict = i64::from(!less.or_equal);
                distance.plus(&known, -1)?.plus(&Sum::number(strict), 1)
            });
            let Some(rest) = rest.filter(|rest| self.varying(rest) + 1 < varying) else { continue };
            let found = self.attempt(|this| {
                this.are_exact(&[left.extended, right.extended].concat(), at)?;
                this.is_exact(less.right, at)?;
                // What is compared has not wrapped around.
                let (least, most) = (this.least_of(&left.sum, at)?, this.most_of(&left.sum, at)?);
                this.need(least)?;
                this.need_to_fit(less.left, &most)?;
                this.least_distance(&rest, at)
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// In how many of a sum's variables threads differ.
    fn varying(&self, sum: &Sum) -> usize {
        let indices: BTreeSet<usize> =
            sum.products().flat_map(|(factors, _)| factors.iter().copied()).collect();
        indices.into_iter().filter(|index| self.differs(*index).is_some()).count()
    }

    /// What LLVM is told to assume in a block.
    fn add_assumptions(&self, block: Block<'c>, facts: &mut Facts<'c>) {
        for call in block.instructions().into_iter().filter(|one| one.is_call()) {
            let callee = call.callee();
            if callee.is_function()
                && callee.name() == "llvm.assume"
                && let Some(condition) = call.arguments().first()
            {
                facts.add(*condition, true);
            }
        }
    }

    /// The upper bounds of variables in a block, those of the nearest branches first.
    pub(super) fn upper_bounds(&mut self, block: Block<'c>) -> Vec<Bound<'c>> {
        let facts = self.facts(block);
        let mut found = Vec::new();
        for less in &facts.less {
            // What begins below zero is what its sum says, with its sign.
            let is_small = facts.small.contains(&less.left)
                || self.is_small(less.left, 0)
                || self.terms.begins_below_zero(less.left).is_some();
            let must_be = (less.signed && !is_small).then_some(less.left);
            found.extend(self.upper_bound(less, &facts.small, must_be));
        }
        let closer = self.bounds_that_differ(&facts, &found);
        closer.into_iter().chain(found).collect()
    }

    /// The bounds of values that differ from a bound of theirs: one less.
    fn bounds_that_differ(&mut self, facts: &Facts<'c>, known: &[Bound<'c>]) -> Vec<Bound<'c>> {
        let mut found = Vec::new();
        for [left, right] in &facts.differ {
            for (value, other) in [(left, right), (right, left)] {
                let (value, other_form) = (self.terms.form(*value), self.terms.form(*other));
                let Some((variable, 0)) = value.sum.as_moved() else { continue };
                let is_it =
                    |one: &&Bound<'c>| one.variable == variable && one.sum == other_form.sum;
                for bound in known.iter().filter(is_it) {
                    let Some(sum) = bound.sum.plus(&Sum::number(1), -1) else { continue };
                    let mut exact = bound.exact.clone();
                    exact.extend(value.extended.iter().chain(&other_form.extended));
                    exact.push(*other);
                    found.push(Bound { sum, exact, ..bound.clone() });
                }
            }
        }
        found
    }

    /// What a comparison says of the variable on its left, as numbers without sign.
    fn upper_bound(
        &mut self,
        less: &Less<'c>,
        small: &[Value<'c>],
        must_be_small: Option<Value<'c>>,
    ) -> Option<Bound<'c>> {
        let left = self.terms.form(less.left);
        let (variable, moved) = left.sum.as_moved()?;
        let right = self.terms.form(less.right);
        let is_small = small.contains(&less.right) || self.is_small(less.right, 0);
        // Where something is subtracted on the left, it has not wrapped around if it is small.
        if moved < 0 && !is_small || self.may_wrap_below(variable, moved, less.left) {
            return None;
        }
        let mut exact = left.extended;
        exact.extend(right.extended);
        if moved > 0 || self.terms.bits(variable) > less.left.ty().int_bits() {
            exact.push(less.left);
        }
        match right.sum.as_number() {
            Some(number) if number < 0 => return None,
            Some(_) => {}
            None => exact.push(less.right),
        }
        let end = moved + i64::from(!less.or_equal);
        let sum = right.sum.plus(&Sum::number(end), -1)?;
        Some(Bound { variable, sum, exact, small: must_be_small })
    }

    /// The lower bounds of variables in a block: numbers.
    pub(super) fn lower_bounds(&mut self, block: Block<'c>) -> Vec<(usize, i64)> {
        let facts = self.facts(block);
        self.lower_bounds_by(&facts)
    }

    /// The lower bounds of variables where some facts hold.
    pub(super) fn lower_bounds_by(&mut self, facts: &Facts<'c>) -> Vec<(usize, i64)> {
        let mut found = Vec::new();
        for less in &facts.less {
            let Form { sum, extended } = self.terms.form(less.right);
            let Some((variable, moved)) = sum.as_moved().filter(|_| extended.is_empty()) else {
                continue;
            };
            if self.may_wrap_below(variable, moved, less.right) {
                continue;
            }
            let left = self.terms.form(less.left);
            let Some(number) = left.sum.as_number() else {
                // What is greater than a number that is not negative is at least one.
                let is_small = facts.small.contains(&less.left) || self.is_small(less.left, 0);
                if moved == 0 && !less.or_equal && (!less.signed || is_small) {
                    found.push((variable, 1));
                }
                continue;
            };
            // It is that number only if nothing wraps around before it is extended.
            if !left.extended.is_empty() {
                continue;
            }
            let least = number + i64::from(!less.or_equal);
            // Without sign, a sum that has wrapped around is large, too; and so is a number below zero.
            let holds = match less.signed {
                // What is not negative after a subtraction has not wrapped around.
                true => least >= 0 || self.is_small_here(facts, variable),
                false => moved == 0 && number >= 0,
            };
            if holds && moved <= 0 {
                found.push((variable, least - moved));
            }
        }
        for value in &facts.small {
            let Form { sum, extended } = self.terms.form(*value);
            let Some((variable, moved)) = sum.as_moved().filter(|_| extended.is_empty()) else {
                continue;
            };
            // As above.
            if moved < 0 && !self.may_wrap_below(variable, moved, *value) {
                found.push((variable, -moved));
            }
        }
        for [left, right] in &facts.differ {
            for (value, other) in [(left, right), (right, left)] {
                let Form { sum, extended } = self.terms.form(*value);
                if other.as_int() == Some(0)
                    && extended.is_empty()
                    && let Some((variable, 0)) = sum.as_moved()
                {
                    found.push((variable, 1));
                }
            }
        }
        found
    }

    /// The least value of a variable in a block where a branch says that it is no less than a sum of what all threads have in
    /// common.
    pub(super) fn least_by_branch(&mut self, variable: usize, at: Block<'c>) -> Option<Sum> {
        let facts = self.facts(at);
        facts.less.iter().find_map(|less| {
            let (left, right) = (self.terms.form(less.left), self.terms.form(less.right));
            let (_, moved) = right.sum.as_moved().filter(|(of, _)| *of == variable)?;
            let is_common = |(factors, _): (&[usize], i64)| {
                factors.iter().all(|factor| self.differs(*factor).is_none())
            };
            // What is not negative after a subtraction has not wrapped around.
            let holds = right.extended.is_empty()
                && (moved == 0 || moved < 0 && less.signed)
                && matches!(self.terms.all[variable], Term::Value(_))
                && left.sum.as_number().is_none()
                && left.sum.products().all(is_common);
            holds.then_some(())?;
            self.attempt(|this| {
                if less.signed && !facts.small.contains(&less.left) {
                    this.prove_small(less.left, at)?;
                }
                this.are_exact(&left.extended, at)?;
                this.is_exact(less.left, at)?;
                left.sum.plus(&Sum::number(i64::from(!less.or_equal) - moved), 1)
            })
        })
    }

    /// Proves that a value is not negative, because a branch says that it is no less than something that all threads have in
    /// common.
    pub(super) fn is_small_by_branch(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        let facts = self.facts(at);
        let mut less = facts.less.iter().filter(|less| less.signed && less.right == value);
        less.find_map(|less| {
            is_uniform(less.left, MAX_UNIFORM).then_some(())?;
            self.attempt(|this| this.prove_small(less.left, at))
        })
    }

    /// Whether what is subtracted from a counter that begins below zero may leave a number too small for its type, which wraps
    /// around to a large one. Other variables are not negative, so that does not happen to them.
    fn may_wrap_below(&self, variable: usize, moved: i64, value: Value<'c>) -> bool {
        let bits = value.ty().int_bits().filter(|bits| (1..=64).contains(bits));
        let least = bits.map_or(0, |bits| i64::MIN >> (64 - bits));
        matches!(self.terms.all[variable], Term::Above(_)) && moved < least
    }

    fn is_small_here(&mut self, facts: &Facts<'c>, variable: usize) -> bool {
        match self.terms.all[variable] {
            Term::Value(value) => facts.small.contains(&value) || self.is_small(value, 0),
            Term::Register(_) | Term::Quotient(_) | Term::Above(_) => true,
        }
    }
}
