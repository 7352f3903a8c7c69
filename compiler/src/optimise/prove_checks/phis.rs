//! Bounds of what changes in loops, by induction.

use super::super::flow::ends;
use super::facts::Facts;
use super::prover::Prover;
use super::sum::Sum;
use super::terms::{Form, signed};
use crate::llvm::{Block, Value, opcode};

/// A variable of a loop, whose first value is known before it, and whose next one is calculated in each iteration.
pub(super) struct Counter<'c> {
    pub(super) phi: Value<'c>,
    entry: Block<'c>,
    pub(super) first: Value<'c>,
    pub(super) latch: Block<'c>,
    pub(super) next: Value<'c>,
}

impl<'c> Counter<'c> {
    /// What the next value is the sum of, besides the value itself.
    pub(super) fn added(&self) -> Option<Value<'c>> {
        let is_sum = self.next.is_instruction() && self.next.opcode() == opcode::ADD;
        let operands = is_sum.then(|| (self.next.operand(0), self.next.operand(1)))?;
        match operands {
            (phi, added) | (added, phi) if phi == self.phi => Some(added),
            _ => None,
        }
    }

    /// The constant that is subtracted from it in each iteration.
    fn subtracted(&self) -> Option<i64> {
        let added = self.added()?;
        let number = signed(added.as_int()?, added.ty().int_bits().filter(|bits| *bits <= 64)?);
        (number < 0).then(|| number.checked_neg())?
    }
}

impl<'c> Prover<'_, 'c> {
    /// How a phi changes in the loop that begins with it, if that is known; the outer `None` if it is a phi of branches that meet.
    pub(super) fn counter(&self, phi: Value<'c>) -> Option<Option<Counter<'c>>> {
        let block = phi.parent_block();
        let around = self.loops.iter().find(|around| around.start == block)?;
        let edges = phi.incoming_edges();
        let counter = match (&around.latches[..], self.flow.entry(around)) {
            (&[latch], Some(entry)) => {
                let of = |from| edges.iter().find(|(_, at)| *at == from).map(|(value, _)| *value);
                of(entry).zip(of(latch)).map(|(first, next)| Counter {
                    phi,
                    entry,
                    first,
                    latch,
                    next,
                })
            }
            _ => None,
        };
        Some(counter)
    }

    /// What holds where a loop goes on.
    pub(super) fn facts_of_latch(&mut self, counter: &Counter<'c>) -> Facts<'c> {
        let mut facts = self.facts(counter.latch);
        facts.extend(&facts_of_jump(counter.latch, counter.phi.parent_block()));
        facts.find_small();
        facts
    }

    /// Answers something about a value with which a loop begins.
    fn at_entry<T>(&mut self, counter: &Counter<'c>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.on_jump(counter.entry, counter.phi.parent_block(), run)
    }

    fn first_most(&mut self, counter: &Counter<'c>) -> Option<Sum> {
        self.at_entry(counter, |this| this.most_value(counter.first, counter.entry))
    }

    fn first_is_small(&mut self, counter: &Counter<'c>) -> Option<()> {
        self.at_entry(counter, |this| this.prove_small(counter.first, counter.entry))
    }

    /// Answers something about a value at the end of a block, after which another one runs.
    pub(super) fn on_jump<T>(
        &mut self,
        from: Block<'c>,
        to: Block<'c>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.where_chosen(&facts_of_jump(from, to), run)
    }

    /// Answers something about a variable of a loop that holds in each iteration, so without the assumptions about a chosen value:
    /// those hold in a single iteration.
    pub(super) fn in_any_iteration<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        if self.assumed.is_empty() {
            return run(self);
        }
        let assumed = std::mem::take(&mut self.assumed);
        let answers = std::mem::take(&mut self.answers);
        let found = run(self);
        (self.assumed, self.answers) = (assumed, answers);
        found
    }

    pub(super) fn most_of_phi(&mut self, phi: Value<'c>, at: Block<'c>) -> Option<Sum> {
        if let Some(supposed) = self.supposed(phi) {
            return Some(supposed);
        }
        let Some(counter) = self.counter(phi) else {
            // Each is what it is at the end of its block.
            let mut edges = phi.incoming_edges().into_iter();
            let to = phi.parent_block();
            let of = |this: &mut Self, (value, from)| {
                this.on_jump(from, to, |this| this.most_value(value, from))
            };
            let first = edges.next()?;
            let mut most = of(self, first)?;
            for edge in edges {
                let other = of(self, edge)?;
                most = self.greater(most, other)?;
            }
            return Some(most);
        };
        self.in_any_iteration(|this| {
            let counted =
                counter.and_then(|counter| this.attempt(|this| this.most_of_counter(&counter, at)));
            counted.or_else(|| this.most_by_induction(phi))
        })
    }

    fn most_of_counter(&mut self, counter: &Counter<'c>, at: Block<'c>) -> Option<Sum> {
        if self.only_falls(counter) || self.counts_down(counter).is_some() {
            return self.first_most(counter);
        }
        self.most_by_exit(counter, at)
            .or_else(|| self.most_after_steps(counter, at))
            .or_else(|| self.most_before_step(counter))
    }

    /// The greatest value of a counter of which each iteration asks whether it is below something, before a step is added.
    fn most_before_step(&mut self, counter: &Counter<'c>) -> Option<Sum> {
        let facts = self.facts_of_latch(counter);
        facts.less.iter().filter(|less| less.left == counter.phi).find_map(|less| {
            self.attempt(|this| {
                let end = this.most_value(less.right, counter.latch)?;
                let step = this.step(counter)?;
                let step = this.most_of(&step, counter.latch)?;
                let below = Sum::number(i64::from(!less.or_equal));
                let last = end.plus(&below, -1)?.plus(&step, 1)?;
                let first = this.first_most(counter)?;
                let most = this.greater(last, first)?;
                if less.signed {
                    this.first_is_small(counter)?;
                }
                this.need_to_fit(counter.phi, &most)?;
                Some(most)
            })
        })
    }

    /// The greatest value of a counter with which the loop goes on.
    fn most_by_exit(&mut self, counter: &Counter<'c>, at: Block<'c>) -> Option<Sum> {
        let facts = self.facts_of_latch(counter);
        // `next < end`, where the loop goes on.
        for less in facts.less.iter().filter(|less| less.left == counter.next) {
            let found = self.attempt(|this| {
                let below = i64::from(!less.or_equal);
                let is_known = below == 1 && this.begins_below(counter, less.right, false);
                let most = match is_known && !this.is_changed(counter, less.right) {
                    // Not as it is bounded at the latch, to which the first iteration need not come.
                    true => {
                        let end = this
                            .at_entry(counter, |this| this.most_value(less.right, counter.entry));
                        end?.plus(&Sum::number(1), -1)?
                    }
                    false => {
                        let last = this.most_value(less.right, counter.latch)?;
                        let last = last.plus(&Sum::number(below), -1)?;
                        let first = this.first_most(counter)?;
                        this.greater(last, first)?
                    }
                };
                // With signs, it may wrap around to a negative number, which is less.
                if less.signed {
                    this.first_is_small(counter)?;
                    let step = this.step(counter)?;
                    if !this.never_wraps(counter) {
                        let step = this.most_of(&step, counter.latch)?;
                        this.need_to_fit(counter.phi, &most.plus(&step, 1)?)?;
                    }
                }
                Some(most)
            });
            if found.is_some() {
                return found;
            }
        }
        // `next != end`, where each step is one, or `counter != end`, as in a loop over `a..=b`.
        for [a, b] in &facts.differ {
            for (value, end) in [(*a, *b), (*b, *a)] {
                let (is_next, is_own) = (value == counter.next, value == counter.phi);
                if !is_next && !is_own || self.is_changed(counter, end) {
                    continue;
                }
                let found = self.attempt(|this| {
                    if this.step(counter)?.as_number() != Some(1) {
                        return None;
                    }
                    match is_next {
                        true => this.begins_below(counter, end, true).then_some(())?,
                        false => this.at_entry(counter, |this| {
                            this.prove_less((counter.first, end), true, counter.entry)
                        })?,
                    }
                    let is_less = is_next || this.differ(value, end, at);
                    this.most_value(end, at)?.plus(&Sum::number(i64::from(is_less)), -1)
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The greatest value of a counter that grows along with another one, which counts iterations.
    fn most_after_steps(&mut self, counter: &Counter<'c>, at: Block<'c>) -> Option<Sum> {
        let first = self.first_most(counter)?;
        self.attempt(|this| {
            let most = this.most_steps(counter, &first, at)?;
            this.need_to_fit(counter.phi, &most)?;
            Some(most)
        })
    }

    /// The same, of what begins with `first`.
    pub(super) fn most_steps(
        &mut self,
        counter: &Counter<'c>,
        first: &Sum,
        at: Block<'c>,
    ) -> Option<Sum> {
        let step = self.step(counter)?;
        let phis = counter.phi.parent_block().instructions().into_iter();
        let phis = phis.take_while(|one| one.opcode() == opcode::PHI);
        for phi in phis.filter(|phi| *phi != counter.phi) {
            let found = self.attempt(|this| {
                let counted = this.counter(phi)??;
                let last = this.steps_before(&counted, at)?;
                let step = this.most_of(&step, counter.latch)?;
                first.plus(&step.times(&last)?, 1)
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// How many iterations there are at most before one of a loop, as a counter that changes by one says.
    fn steps_before(&mut self, counted: &Counter<'c>, at: Block<'c>) -> Option<Sum> {
        if counted.subtracted() == Some(1) {
            let least = self.counts_down(counted)?;
            return self.first_most(counted)?.plus(&Sum::number(least), -1);
        }
        (self.step(counted)?.as_number() == Some(1)).then_some(())?;
        let before = i64::try_from(counted.first.as_int()?).ok()?;
        // What branches in the loop say of it does not count: it may have wrapped around.
        let most = self.most_by_exit(counted, at)?;
        // With `<=`, a counter may wrap around at the greatest number of its type, and the loop goes on.
        self.need_to_fit(counted.next, &most.plus(&Sum::number(1), 1)?)?;
        most.plus(&Sum::number(before), -1)
    }

    pub(super) fn least_of_phi(&mut self, phi: Value<'c>) -> Option<Sum> {
        let counter = self.counter(phi)??;
        self.in_any_iteration(|this| this.least_of_counter(&counter))
    }

    fn least_of_counter(&mut self, counter: &Counter<'c>) -> Option<Sum> {
        if counter.subtracted().is_some() {
            return self.counts_down(counter).map(Sum::number);
        }
        let step = self.step(counter)?;
        let next = counter.next;
        let form = self.terms.form(counter.first);
        let least = self.at_entry(counter, |this| {
            this.are_exact(&form.extended, counter.entry)?;
            this.is_exact(counter.first, counter.entry)?;
            this.least_of(&form.sum, counter.entry)
        })?;
        let never_wraps = self.never_wraps(counter) && self.first_is_small(counter).is_some()
            || counter.added().is_some() && next.cannot_wrap_unsigned();
        if !never_wraps {
            let most = self.most_value(counter.phi, counter.latch)?;
            let step = self.most_of(&step, counter.latch)?;
            self.need_to_fit(counter.phi, &most.plus(&step, 1)?)?;
        }
        Some(least)
    }

    /// The least value of a counter from which each iteration subtracts a constant, if it never wraps around: then its first value is
    /// its greatest. Where the loop goes on,
    ///
    /// - the counter is at least what is subtracted; or
    /// - what is left is at least what is subtracted next time, and so is the first value; or
    /// - what is left is not negative, taken as a number with sign, and neither is the first value.
    fn counts_down(&mut self, counter: &Counter<'c>) -> Option<i64> {
        let subtracted = counter.subtracted()?;
        let facts = self.facts_of_latch(counter);
        let phi = self.terms.index_of(counter.phi);
        let bounds = self.lower_bounds_by(&facts).into_iter();
        let of_phi = bounds.filter(|(of, _)| *of == phi).map(|(_, least)| least).max();
        let of_next = self.least_left(&facts, counter.next);
        if let Some(left) = of_phi.map(|least| least - subtracted).filter(|left| *left >= 0) {
            let least = of_next.map_or(left, |least| least.max(left));
            return Some(if self.begins_with(counter, least) { least } else { 0 });
        }
        if let Some(least) = of_next.filter(|least| *least >= subtracted)
            && self.begins_with(counter, least)
        {
            return Some(least);
        }
        let stays = facts.small.contains(&counter.next);
        (stays && self.first_is_small(counter).is_some()).then_some(0)
    }

    /// The least value of a calculated value that some facts allow.
    fn least_left(&mut self, facts: &Facts<'c>, value: Value<'c>) -> Option<i64> {
        let less = facts.less.iter().filter(|less| less.right == value);
        let bounds = less.filter_map(|less| {
            let Form { sum, extended } = self.terms.form(less.left);
            let number = sum.as_number().filter(|number| *number >= 0 && extended.is_empty())?;
            Some(number + i64::from(!less.or_equal))
        });
        let is_zero = |one: &Value<'c>| one.as_int() == Some(0);
        let differs =
            facts.differ.iter().any(|both| both.contains(&value) && both.iter().any(is_zero));
        bounds.max().max(differs.then_some(1))
    }

    /// Whether the first value of a counter is at least a number.
    fn begins_with(&mut self, counter: &Counter<'c>, least: i64) -> bool {
        self.at_entry(counter, |this| this.begins_with_at(counter, least))
    }

    fn begins_with_at(&mut self, counter: &Counter<'c>, least: i64) -> bool {
        let (first, entry) = (counter.first, counter.entry);
        let form = self.terms.form(first);
        // What a branch says of a wider value says nothing of its lower bits.
        let has_width = |this: &Self, of| this.terms.bits(of) == first.ty().int_bits();
        let is_known = least == 0
            || form.extended.is_empty()
                && form.sum.as_moved().is_some_and(|(variable, moved)| {
                    let mut bounds = self.lower_bounds(entry).into_iter();
                    moved == 0
                        && has_width(self, variable)
                        && bounds.any(|(of, known)| of == variable && known >= least)
                });
        let proved = |this: &mut Self| {
            this.are_exact(&form.extended, entry)?;
            this.is_exact(first, entry)?;
            let known = this.least_of(&form.sum, entry)?;
            this.need(known.plus(&Sum::number(least), -1)?)
        };
        is_known || self.attempt(proved).is_some()
    }

    /// Proves that a counter is not negative, as it is not at first, grows, and LLVM knows that it does not wrap around.
    pub(super) fn grows_from_small(&mut self, value: Value<'c>) -> Option<()> {
        if !value.is_instruction() || value.opcode() != opcode::PHI {
            return None;
        }
        let counter = self.counter(value)??;
        self.in_any_iteration(|this| {
            this.step(&counter)?;
            this.never_wraps(&counter).then_some(())?;
            this.first_is_small(&counter)
        })
    }

    /// Whether a counter that is not negative at first never is, as a number with sign: LLVM knows that it does not wrap around, or a
    /// branch asks.
    fn never_wraps(&mut self, counter: &Counter<'c>) -> bool {
        let is_asked = |facts: Facts<'c>| {
            let mut less = facts.less.iter().filter(|less| less.signed);
            less.any(|less| less.left == counter.phi && less.right == counter.next)
        };
        let knows = counter.added().is_some_and(|added| {
            counter.next.cannot_wrap_signed() && self.prove_small(added, counter.latch).is_some()
        });
        knows || is_asked(self.facts_of_latch(counter))
    }

    /// Whether each next value of a counter is no greater than the one before it.
    fn only_falls(&mut self, counter: &Counter<'c>) -> bool {
        let next = counter.next;
        if !next.is_instruction() {
            return false;
        }
        let is_of = |index| next.operand(index) == counter.phi;
        match next.opcode() {
            opcode::LSHR | opcode::UDIV | opcode::UREM => is_of(0),
            opcode::AND => is_of(0) || is_of(1),
            _ => false,
        }
    }

    /// What is added to a counter in each iteration, if that is no negative number.
    pub(super) fn step(&mut self, counter: &Counter<'c>) -> Option<Sum> {
        let phi = self.terms.form(counter.phi);
        let next = self.terms.form(counter.next);
        self.are_exact(&next.extended, counter.latch)?;
        let step = next.sum.plus(&phi.sum, -1).filter(Sum::is_positive)?;
        (counter.phi.ty() == counter.next.ty()).then_some(step)
    }

    /// Whether the first value of a counter is less than `end`: since a branch says so, or, where that is to be `proved`, under
    /// conditions.
    fn begins_below(&mut self, counter: &Counter<'c>, end: Value<'c>, proved: bool) -> bool {
        let (first, entry) = (counter.first, counter.entry);
        self.at_entry(counter, |this| this.is_below(first, end, entry, proved))
    }

    fn is_below(
        &mut self,
        first: Value<'c>,
        end: Value<'c>,
        entry: Block<'c>,
        proved: bool,
    ) -> bool {
        let facts = self.facts(entry);
        let is_known = facts.less.iter().any(|less| {
            self.is_same(less.left, first)
                && less.right == end
                && !less.or_equal
                && (!less.signed || facts.small.contains(&first) || self.is_small(first, 0))
        });
        is_known || proved && self.prove_less((first, end), false, entry).is_some()
    }

    /// Whether a value is not the same in all iterations.
    pub(super) fn is_changed(&self, counter: &Counter<'c>, value: Value<'c>) -> bool {
        let start = counter.phi.parent_block();
        let around = self.loops.iter().find(|around| around.start == start);
        value.is_instruction()
            && around.is_none_or(|around| around.body.contains(&value.parent_block()))
    }
}

/// What a branch at the end of a block says if another block runs next. Not what a check says, as in [`Prover::facts`].
pub(super) fn facts_of_jump<'c>(from: Block<'c>, to: Block<'c>) -> Facts<'c> {
    let mut facts = Facts::default();
    if let Some(condition) = from.terminator().and_then(Value::condition) {
        let next = from.successors();
        if next.first() != next.last() && !next.iter().any(|next| ends(*next)) {
            facts.add(condition, next.first() == Some(&to));
        }
    }
    facts
}
