//! Proves that integers are below others, under conditions that are the same for all threads.

use std::collections::BTreeMap;

use super::super::dominators::Dominators;
use super::super::flow::{Flow, ends};
use super::answers::{Answer, Answers, Asked, Question};
use super::facts::Facts;
use super::is_negative;
use super::registers::intrinsic_of;
use super::saturating::saturating;
use super::sum::Sum;
use super::terms::{Term, Terms, end_of_float, is_uniform, positive_of, remainder_of, widened_of};
use crate::llvm::{Block, Loop, Module, Value, loops_of, opcode};

/// How deep bounds are looked for in each other.
const MAX_DEPTH: usize = 40;

/// How deep a value's uniformity is looked into.
pub(super) const MAX_UNIFORM: usize = 12;

/// The longest buffer that a kernel might need whatever its parameters are, in elements.
pub(super) const MAX_FIXED: i64 = 1 << 24;

/// The most threads of a block.
const MAX_THREADS: i64 = 1024;

/// How many bounds are looked for in a function.
const MAX_STEPS: usize = 60_000;

/// The largest index of 64 bits. It leaves room below the largest count of a sum (`sum.rs`), for what is added to it or subtracted.
pub(super) const MAX_WIDE: i64 = (1 << 60) - (1 << 40);

/// What is known of the integers of a function.
pub(super) struct Prover<'a, 'c> {
    pub(super) kernel: Value<'c>,
    pub(super) flow: &'a Flow<'c>,
    dominators: Dominators<'c>,
    pub(super) loops: Vec<Loop<Block<'c>>>,
    pub(super) terms: Terms<'c>,
    pub(super) facts: BTreeMap<Block<'c>, Facts<'c>>,
    /// What else is assumed to hold, where one of two values is chosen.
    pub(super) assumed: Vec<Facts<'c>>,
    /// What variables of loops are supposed to be at most, in the iterations before the one for which that is to be shown.
    pub(super) supposed: Vec<(Value<'c>, Sum)>,
    range: u32,
    /// What must not be negative for what was proved so far.
    pub(super) needs: Vec<Sum>,
    /// Extensions in what was proved so far that are exact where it was.
    pub(super) extended: Vec<Value<'c>>,
    /// What is being looked for, so that nothing is proved by itself.
    open: Vec<Asked<'c>>,
    /// The place of the first of these that came up again: what has been answered since depends on its being open.
    first_met: usize,
    pub(super) answers: Answers<'c>,
    pub(super) steps: usize,
    /// How often the size of a type was taken for a bound, and how often a dividend was taken for a quotient's.
    bounds_by_type: usize,
    pub(super) bounds_by_dividend: usize,
}

/// How much has been proved before something is tried.
#[derive(Clone, Copy)]
pub(super) struct SoFar {
    needs: usize,
    extended: usize,
    loose: (usize, usize),
}

impl<'a, 'c> Prover<'a, 'c> {
    pub(super) fn new(module: &Module<'c>, flow: &'a Flow<'c>, function: Value<'c>) -> Self {
        let mut prover = Prover {
            kernel: function,
            flow,
            dominators: Dominators::of(flow),
            loops: loops_of(function),
            terms: Terms::default(),
            facts: BTreeMap::new(),
            assumed: Vec::new(),
            supposed: Vec::new(),
            range: module.context().metadata_kind("range"),
            needs: Vec::new(),
            extended: Vec::new(),
            open: Vec::new(),
            first_met: usize::MAX,
            answers: Answers::default(),
            steps: 0,
            bounds_by_type: 0,
            bounds_by_dividend: 0,
        };
        prover.terms.frozen = prover.frozen();
        prover.note_compared();
        prover.note_below_zero();
        prover
    }

    /// Whether each iteration that comes to an instruction, of the smallest loop around it, comes to a block, too, unless it
    /// panics. The last one leaves the loop, possibly between the two.
    fn is_in_each_iteration(&self, instruction: Value<'c>, block: Block<'c>) -> bool {
        let own = instruction.parent_block();
        let Some(around) = self.loops.iter().find(|around| around.body.contains(&own)) else {
            return false;
        };
        let is_exit = |next: Block<'c>| !around.body.contains(&next) && !ends(next);
        let leaves = |from: &Block<'c>| from.successors().into_iter().any(is_exit);
        let before = self.above(own);
        let comes_first = |exit: &Block<'c>| *exit != own && before.contains(exit);
        let ends_behind = |from: Block<'c>| self.above(from).contains(&block);
        around.body.contains(&block)
            && around.latches.iter().all(|latch| ends_behind(*latch))
            && around
                .body
                .iter()
                .all(|from| !leaves(from) || comes_first(from) || ends_behind(*from))
    }

    /// The block and those that every path to it leads through, the nearest first.
    pub(super) fn above(&self, block: Block<'c>) -> Vec<Block<'c>> {
        self.dominators.above(block).collect()
    }

    /// Notes what branches compare.
    fn note_compared(&mut self) {
        let mut all = Facts::default();
        for block in &self.flow.blocks {
            if block.successors().into_iter().any(ends) {
                continue;
            }
            if let Some(condition) = block.terminator().and_then(Value::condition) {
                all.add(condition, true);
                all.add(condition, false);
            }
        }
        let compared = all.less.iter().flat_map(|less| [less.left, less.right]);
        let differ = all.differ.iter().flatten().copied();
        let all: Vec<Value<'c>> = compared.chain(differ).collect();
        for value in all {
            let (value, base) = (moved_from(value, false), moved_from(value, true));
            if base.is_instruction() && !is_uniform(base, MAX_UNIFORM) {
                self.terms.note_compared(value, base);
            }
        }
    }

    /// Switches between two choices of variables.
    pub(super) fn change_variables(&mut self) {
        self.terms.change_variables();
        self.answers = Answers::default();
    }

    /// Forgets what was needed so far.
    pub(super) fn forget(&mut self) {
        self.needs.clear();
        self.extended.clear();
    }

    /// Asks that a sum of what all threads have in common is not negative.
    pub(super) fn need(&mut self, sum: Sum) -> Option<()> {
        let sum = sum.reduced();
        if let Some(number) = sum.as_number() {
            return (number >= 0).then_some(());
        }
        if sum.is_positive() {
            return Some(());
        }
        // Only the host divides.
        let divides = |index: &usize| matches!(self.terms.all[*index], Term::Quotient(_));
        if sum.products().any(|(factors, _)| factors.iter().any(divides))
            && self.terms.for_host(self.kernel, &sum).is_none()
        {
            return None;
        }
        if !self.is_plausible(&sum) {
            return None;
        }
        self.needs.push(sum);
        Some(())
    }

    /// Whether launches are likely to meet a need. One that none meets would keep all from running the copy without checks.
    fn is_plausible(&self, sum: &Sum) -> bool {
        if sum.constant() < -MAX_FIXED {
            return false;
        }
        let is_shape = |index: &usize| matches!(self.terms.all[*index], Term::Register(_));
        // The greatest factor of each product of parameters: a launch has at least one block and one thread.
        let mut counts: BTreeMap<Vec<usize>, Option<i64>> = BTreeMap::from([(Vec::new(), Some(0))]);
        for (factors, count) in sum.products() {
            let (shape, others): (Vec<usize>, Vec<usize>) =
                factors.iter().partition(|i| is_shape(i));
            let total = counts.entry(others).or_insert(Some(0));
            let is_endless = count > 0 && !shape.is_empty();
            *total = total.filter(|_| !is_endless).and_then(|total| total.checked_add(count));
        }
        let Some(Some(constant)) = counts.remove(&[][..]) else { return true };
        if counts.values().any(|count| count.is_none_or(|count| count > 0)) {
            return true;
        }
        // Most parameters are larger than one.
        let is_one = |count: i64| count < 0 && constant / -count < 2;
        if constant < 0 || counts.values().flatten().any(|count| is_one(*count)) {
            return false;
        }
        // No kernel is meant for blocks of at most 15 or 31 threads along an axis: it would be 16 or 32.
        let mut varies = sum.products().filter(|(factors, _)| !factors.is_empty());
        match (varies.next(), varies.next()) {
            (Some((&[only], count)), None) if is_shape(&only) && count < 0 => {
                let most = sum.constant() / -count;
                most <= 1 || most >= MAX_THREADS || (most + 1) & most != 0
            }
            _ => true,
        }
    }

    /// Tries something, and forgets what it needs, and what holds only then, if it fails.
    pub(super) fn attempt<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.so_far();
        let found = run(self);
        if found.is_none() {
            self.go_back(before);
        }
        found
    }

    /// What was needed so far, and how loose bounds are.
    pub(super) fn so_far(&self) -> SoFar {
        let loose = (self.bounds_by_type, self.bounds_by_dividend);
        SoFar { needs: self.needs.len(), extended: self.extended.len(), loose }
    }

    /// Forgets what has been needed since then.
    pub(super) fn go_back(&mut self, before: SoFar) {
        self.needs.truncate(before.needs);
        self.extended.truncate(before.extended);
        (self.bounds_by_type, self.bounds_by_dividend) = before.loose;
    }

    /// Answers a question that is not being asked already.
    fn ask(
        &mut self,
        question: Asked<'c>,
        run: impl FnOnce(&mut Self) -> Option<Sum>,
    ) -> Option<Sum> {
        if let Some(answer) = self.answers.get(&question).cloned() {
            self.needs.extend(answer.needs);
            self.extended.extend(answer.extended);
            self.bounds_by_type += answer.loose.0;
            self.bounds_by_dividend += answer.loose.1;
            return answer.found;
        }
        self.steps += 1;
        if self.is_open(&question) {
            return None;
        }
        if self.open.len() > MAX_DEPTH || self.steps > MAX_STEPS {
            self.first_met = 0;
            return None;
        }
        let before = self.so_far();
        let loose = before.loose;
        let own = self.open.len();
        let met = std::mem::replace(&mut self.first_met, usize::MAX);
        self.open.push(question);
        let found = self.attempt(run);
        self.open.pop();
        // That something fits is proved or not, however close the bound is, and what is least is not bounded by a type.
        if matches!(question.0, Question::Small | Question::Exact | Question::Least) {
            (self.bounds_by_type, self.bounds_by_dividend) = loose;
        }
        // Each once: otherwise, the needs of answers that are made of answers would double each time.
        keep_first(&mut self.needs, before.needs);
        keep_first(&mut self.extended, before.extended);
        // If not, the answer might be another one if something else were not being asked.
        if self.first_met >= own {
            let answer = Answer {
                found: found.clone(),
                needs: self.needs[before.needs..].to_vec(),
                extended: self.extended[before.extended..].to_vec(),
                loose: (self.bounds_by_type - loose.0, self.bounds_by_dividend - loose.1),
            };
            self.answers.note(question, answer);
            self.first_met = met;
        } else {
            self.first_met = met.min(self.first_met);
        }
        found
    }

    /// Whether something is being asked already.
    fn is_open(&mut self, question: &Asked<'c>) -> bool {
        let place = self.open.iter().position(|one| one == question);
        if let Some(place) = place {
            self.first_met = self.first_met.min(place);
        }
        place.is_some()
    }

    /// Proves something that is not being asked already.
    fn ask_whether(
        &mut self,
        question: Asked<'c>,
        run: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.ask(question, |this| run(this).map(|()| Sum::default())).map(|_| ())
    }

    /// Proves that one integer is less than another in a block, as numbers without sign.
    pub(super) fn prove_less(
        &mut self,
        (left, right): (Value<'c>, Value<'c>),
        or_equal: bool,
        at: Block<'c>,
    ) -> Option<()> {
        let by_bounds = self.attempt(|this| this.prove_less_by_bounds((left, right), or_equal, at));
        by_bounds
            .or_else(|| self.attempt(|this| this.is_less_than_chosen((left, right), or_equal, at)))
    }

    fn prove_less_by_bounds(
        &mut self,
        (left, right): (Value<'c>, Value<'c>),
        or_equal: bool,
        at: Block<'c>,
    ) -> Option<()> {
        self.attempt(|this| {
            let (a, b) = (this.terms.form(left), this.terms.form(right));
            let extended = [a.extended, b.extended].concat();
            this.are_exact(&extended, at)?;
            this.is_exact(right, at)?;
            let distance =
                b.sum.plus(&a.sum, -1)?.plus(&Sum::number(i64::from(or_equal) - 1), 1)?;
            if this.is_positive_by_branch(&distance, at).is_none() {
                let least = this
                    .without_quotient(&distance, at)
                    .or_else(|| this.least_behind_branch(&distance, at));
                let least = match least {
                    Some(least) => least,
                    None => this.least_distance(&distance, at)?,
                };
                this.need(least)?;
            }
            // What wraps around below zero is large. That it is not too large has just been proved.
            let least = this.least_of(&a.sum, at)?;
            this.need(least)?;
            for one in extended {
                this.note_exact(one, at);
            }
            Some(())
        })
    }

    /// The least value of a difference, if it is close.
    pub(super) fn least_distance(&mut self, distance: &Sum, at: Block<'c>) -> Option<Sum> {
        let (by_type, by_dividend) = (self.bounds_by_type, self.bounds_by_dividend);
        let least = self.least_of(distance, at)?;
        // A table of 256 elements has one for each value of a byte. But the last row of a table need not be that long.
        let is_part = || least.products().any(|(factors, count)| !factors.is_empty() && count < 0);
        let is_close = self.bounds_by_dividend == by_dividend
            && (self.bounds_by_type == by_type || !is_part());
        is_close.then_some(least)
    }

    /// Notes that an extension, which is exact in a block, is so in each iteration of its loop, and that both kinds of extension are the
    /// same there. What is assumed of a chosen value need not hold in each.
    fn note_exact(&mut self, extension: Value<'c>, at: Block<'c>) {
        let is_known = is_extension(extension)
            && self.assumed.is_empty()
            && self.is_in_each_iteration(extension, at)
            && self.attempt(|this| this.prove_small(extension.operand(0), at)).is_some();
        if is_known {
            self.extended.push(extension);
        }
    }

    /// Proves that an integer differs from a constant below zero, taken as numbers with sign.
    pub(super) fn prove_sign_differs(
        &mut self,
        value: Value<'c>,
        constant: Value<'c>,
        at: Block<'c>,
    ) -> Option<()> {
        let bits = constant.ty().int_bits()?;
        let is_negative = constant.as_int().is_some_and(|number| number >> (bits - 1) == 1);
        is_negative.then(|| self.prove_small(value, at))?
    }

    /// Proves that an integer is not zero.
    pub(super) fn prove_not_zero(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        self.attempt(|this| {
            let form = this.terms.form(value);
            this.are_exact(&form.extended, at)?;
            this.is_exact(value, at)?;
            let least = this.least_of(&form.sum, at)?.plus(&Sum::number(1), -1)?;
            this.need(least)
        })
    }

    /// A sum's greatest value in a block, as a sum of what all threads have in common.
    pub(super) fn most_of(&mut self, sum: &Sum, at: Block<'c>) -> Option<Sum> {
        match self.most_with_quotient(sum, at) {
            Some(most) => Some(most),
            None => self.replaced(sum, at, true),
        }
    }

    /// Its least value.
    pub(super) fn least_of(&mut self, sum: &Sum, at: Block<'c>) -> Option<Sum> {
        self.replaced(sum, at, false)
    }

    fn replaced(&mut self, sum: &Sum, at: Block<'c>, most: bool) -> Option<Sum> {
        let products: Vec<(Vec<usize>, i64)> =
            sum.products().map(|(factors, count)| (factors.to_vec(), count)).collect();
        let mut all = Sum::default();
        for (factors, count) in products {
            let mut product = Sum::number(1);
            for factor in factors {
                let bound = match (count > 0) == most {
                    true => self.most(factor, at)?,
                    false => self.least(factor, at),
                };
                product = product.times(&bound)?;
            }
            all = all.plus(&product, count)?;
        }
        Some(all)
    }

    /// The value that a variable stands for, if threads differ in it.
    pub(super) fn differs(&self, index: usize) -> Option<Value<'c>> {
        match self.terms.all[index] {
            Term::Value(value) if !is_uniform(value, MAX_UNIFORM) => Some(value),
            Term::Above(counter) => Some(counter),
            _ => None,
        }
    }

    /// The least value of a variable. It is no negative number.
    pub(super) fn least(&mut self, index: usize, at: Block<'c>) -> Sum {
        let Some(value) = self.differs(index) else { return Sum::variable(index) };
        let found = self.ask((Question::Least, value, at), |this| {
            if let Term::Value(_) = this.terms.all[index]
                && let Some(least) = this.least_of_parts(value, at)
            {
                return Some(least);
            }
            let bounds = this.lower_bounds(at);
            let of_branches =
                bounds.into_iter().filter(|(of, _)| *of == index).map(|(_, number)| number).max();
            let calculated = match this.terms.all[index] {
                Term::Above(_) => None,
                _ => this.attempt(|this| this.least_calculated(value, at)),
            };
            let calculated = calculated.filter(Sum::is_positive);
            let number = calculated.as_ref().and_then(Sum::as_number);
            let found = match (of_branches, calculated) {
                (Some(least), Some(_)) if number.is_some_and(|number| number >= least) => {
                    number.map(Sum::number)
                }
                (Some(least), _) if least > 0 => Some(Sum::number(least)),
                (_, calculated) => calculated,
            };
            let found = found.filter(|least| least.as_number() != Some(0));
            found.or_else(|| this.least_by_branch(index, at))
        });
        found.unwrap_or_default()
    }

    /// The greatest value of a variable.
    fn most(&mut self, index: usize, at: Block<'c>) -> Option<Sum> {
        let Some(value) = self.differs(index) else { return Some(Sum::variable(index)) };
        // A branch is believed only if what it compares has not wrapped around. That must not rely on the branch.
        if self.is_open(&(Question::Most, value, at)) {
            if let Some(supposed) = self.supposed(value) {
                return Some(supposed);
            }
            let question = (Question::Calculated, value, at);
            return self.ask(question, |this| this.most_calculated(value, at));
        }
        self.ask((Question::Most, value, at), |this| {
            let is_above = matches!(this.terms.all[index], Term::Above(_));
            if !is_above && let Some(most) = this.most_of_parts(value, at) {
                return Some(most);
            }
            for bound in this.upper_bounds(at) {
                if bound.variable != index {
                    continue;
                }
                let found = this.attempt(|this| {
                    if let Some(small) = bound.small {
                        this.prove_small(small, at)?;
                    }
                    this.are_exact(&bound.exact, at)?;
                    this.most_of(&bound.sum, at)
                });
                if found.is_some() {
                    return found;
                }
            }
            match is_above {
                true => this.most_above(value, at),
                false => this.most_calculated(value, at),
            }
        })
    }

    /// Proves that values are what their sums say.
    pub(super) fn are_exact(&mut self, values: &[Value<'c>], at: Block<'c>) -> Option<()> {
        values.iter().try_for_each(|value| self.is_exact(*value, at))
    }

    /// Proves that a value is what its sum says, and no negative number, if it is calculated. What is compared, and what all
    /// threads have in common without calculating it, are what they are.
    pub(super) fn is_exact(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        if self.is_itself(value) || self.cannot_wrap(value, 0) {
            return Some(());
        }
        if value.is_instruction() && value.opcode() == opcode::SIGN_EXTEND {
            self.prove_small(value.operand(0), at)?;
            return self.is_exact(value.operand(0), at);
        }
        if value.is_instruction() && value.opcode() == opcode::ZERO_EXTEND {
            return self.is_exact(value.operand(0), at);
        }
        if let Some(narrow) = widened_of(value) {
            self.prove_small(narrow, at)?;
            return self.is_exact(narrow, at);
        }
        if let Some(number) = positive_of(value) {
            self.is_exact(number, at)?;
            let least = self.terms.form(number).sum.plus(&Sum::number(1), -1)?;
            return self.need(least);
        }
        if let Some(parts) = saturating(value) {
            let question = (Question::Exact, value, at);
            return self.ask_whether(question, |this| this.never_saturates(&parts, at));
        }
        let form = self.terms.form(value);
        self.ask_whether((Question::Exact, value, at), |this| {
            if this.attempt(|this| this.is_exact_distance(value, at)).is_some() {
                return Some(());
            }
            this.are_exact(&form.extended, at)?;
            if this.attempt(|this| this.fits_as_not_negative(value, &form.sum, at)).is_some() {
                return Some(());
            }
            let least = this.least_of(&form.sum, at)?;
            this.need(least)?;
            if this.attempt(|this| this.is_exact_difference(value, at)).is_some() {
                return Some(());
            }
            let most = this.most_of(&form.sum, at)?;
            this.need_to_fit(value, &most)
        })
    }

    /// Proves that a value has not wrapped around: a branch says that it is not negative, taken as a number with sign, and
    /// neither what is added nor what is subtracted is too large.
    fn fits_as_not_negative(&mut self, value: Value<'c>, sum: &Sum, at: Block<'c>) -> Option<()> {
        self.facts(at).small.contains(&value).then_some(())?;
        for side in sum.sides() {
            let most = self.most_of(&side, at)?;
            self.need_to_fit(value, &most)?;
        }
        Some(())
    }

    /// Asks that a sum is a positive number of a value's type, the sign included.
    pub(super) fn need_to_fit(&mut self, value: Value<'c>, most: &Sum) -> Option<()> {
        self.need(largest(value)?.plus(most, -1)?)
    }

    /// Whether a constant is subtracted from what is exact, so that the difference is, too, if it is no negative number: LLVM knows that
    /// it does not wrap around, as numbers with sign.
    fn is_exact_difference(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        let is_difference = value.is_instruction()
            && value.opcode() == opcode::ADD
            && value.cannot_wrap_signed()
            && is_negative(value.operand(1));
        is_difference.then_some(())?;
        self.is_exact(value.operand(0), at)
    }

    /// Proves that a subtraction does not wrap around, because a branch says that what is subtracted is no greater.
    fn is_exact_distance(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        (value.is_instruction() && value.opcode() == opcode::SUB).then_some(())?;
        let (more, less) = (value.operand(0), value.operand(1));
        self.is_at_most(less, more, at).then_some(())?;
        self.is_exact(more, at)?;
        self.is_exact(less, at)
    }

    /// Whether LLVM knows that a value is calculated without wrapping around, as numbers without sign, from what is what its sum says:
    /// if it did, it would be poison, and a branch on it undefined.
    fn cannot_wrap(&mut self, value: Value<'c>, depth: usize) -> bool {
        if value.as_int().is_some() {
            return self.is_small(value, 0);
        }
        if depth > 0 && self.is_itself(value) {
            return true;
        }
        if !value.is_instruction() || depth == MAX_DEPTH {
            return false;
        }
        match value.opcode() {
            opcode::ADD | opcode::SUB | opcode::MUL | opcode::SHL => {
                let operands = value.operands();
                value.cannot_wrap_unsigned()
                    && operands.into_iter().all(|operand| self.cannot_wrap(operand, depth + 1))
            }
            opcode::ZERO_EXTEND => self.cannot_wrap(value.operand(0), depth + 1),
            _ => false,
        }
    }

    /// Whether two values are equal, whatever their terms are.
    pub(super) fn is_same(&mut self, a: Value<'c>, b: Value<'c>) -> bool {
        let (first, second) = (self.terms.form(a), self.terms.form(b));
        a == b
            || a.ty() == b.ty()
                && first.sum == second.sum
                && first.extended.is_empty()
                && second.extended.is_empty()
    }

    /// Whether a value's sum is the value.
    fn is_itself(&mut self, value: Value<'c>) -> bool {
        let index = self.terms.index_of(value);
        self.terms.form(value).sum.as_moved() == Some((index, 0))
    }

    /// Proves that a value is not negative, taken as a number with sign.
    pub(super) fn prove_small(&mut self, value: Value<'c>, at: Block<'c>) -> Option<()> {
        if self.is_small(value, 0) || self.facts(at).small.contains(&value) {
            return Some(());
        }
        if self.terms.frozen.contains(&value) {
            return self.prove_small(value.operand(0), at);
        }
        if let Some(end) = end_of_float(value) {
            return self.most_of_float(end, at).map(|_| ());
        }
        self.ask_whether((Question::Small, value, at), |this| {
            if this.attempt(|this| this.grows_from_small(value)).is_some()
                || this.attempt(|this| this.chooses_small(value, at)).is_some()
                || this.is_small_by_branch(value, at).is_some()
            {
                return Some(());
            }
            this.is_exact(value, at)?;
            // What branches say is known only of what is not negative.
            let is_common = is_uniform(value, MAX_UNIFORM);
            let most = match this.is_itself(value) && !is_common {
                true => this.most_calculated(value, at)?,
                false => this.most_value(value, at)?,
            };
            this.need_to_fit(value, &most)
        })
    }

    /// Whether a value is not negative, taken as a number with sign, whatever the parameters are.
    pub(super) fn is_small(&self, value: Value<'c>, depth: usize) -> bool {
        let Some(bits) = value.ty().int_bits().filter(|bits| *bits <= 64 && depth < MAX_DEPTH)
        else {
            return false;
        };
        if let Some(number) = value.as_int() {
            return number >> (bits - 1) == 0;
        }
        if !value.is_instruction() {
            return false;
        }
        let of = |index| self.is_small(value.operand(index), depth + 1);
        match value.opcode() {
            opcode::ZERO_EXTEND => true,
            opcode::SIGN_EXTEND | opcode::UREM | opcode::ASHR => of(0),
            opcode::LSHR => of(0) || value.operand(1).as_int().is_some_and(|by| by > 0),
            opcode::UDIV => of(0) || value.operand(1).as_int().is_some_and(|by| by > 1),
            opcode::AND => of(0) || of(1),
            opcode::OR | opcode::XOR => of(0) && of(1),
            opcode::ADD | opcode::MUL => {
                value.cannot_wrap_unsigned() && value.cannot_wrap_signed() && of(0) && of(1)
            }
            opcode::SUB => value.cannot_wrap_unsigned() && of(0),
            opcode::SHL => value.cannot_wrap_signed() && of(0),
            opcode::SELECT => of(1) && of(2),
            opcode::CALL => match intrinsic_of(value).unwrap_or_default() {
                name if name.starts_with("llvm.smax.") => of(0) || of(1),
                name if name.starts_with("llvm.smin.") => of(0) && of(1),
                name if name.starts_with("llvm.umin.") => of(0) || of(1),
                _ => self.range_end(value).is_some_and(|end| end <= 1 << (bits - 1)),
            },
            _ => false,
        }
    }

    /// The end of the range that LLVM is told of a register.
    pub(super) fn range_end(&self, call: Value<'c>) -> Option<u64> {
        let [least, end] = call.metadata(self.range)?.node_operands()[..] else { return None };
        let (least, end) = (least.as_int()?, end.as_int()?);
        (least < end).then_some(end)
    }

    /// The greatest value that a value can have by what it is calculated from.
    fn most_calculated(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        if !value.is_instruction() || value.ty().int_bits().is_none_or(|bits| bits > 64) {
            return None;
        }
        let operand = |index| value.operand(index);
        if let Some((x, y)) = remainder_of(value) {
            // Taken as numbers with sign, a remainder is as negative as what is divided.
            let is_signed = value.opcode() != opcode::UREM;
            return self.attempt(|this| {
                if is_signed {
                    this.prove_small(x, at)?;
                    this.prove_small(y, at)?;
                }
                this.most_value(y, at)?.plus(&Sum::number(1), -1)
            });
        }
        match value.opcode() {
            opcode::AND => {
                let number = operand(1).as_int().and_then(|number| i64::try_from(number).ok());
                number.map(Sum::number).or_else(|| self.most_value(operand(0), at))
            }
            opcode::LSHR | opcode::ASHR => {
                let by = operand(1).as_int().filter(|by| *by < 32)?;
                if value.opcode() == opcode::ASHR {
                    self.prove_small(operand(0), at)?;
                }
                let most = self.most_value(operand(0), at)?;
                Some(self.quotient(most, &Sum::number(1 << by)))
            }
            opcode::UDIV | opcode::SDIV => {
                if value.opcode() == opcode::SDIV {
                    self.prove_small(operand(0), at)?;
                    self.prove_small(operand(1), at)?;
                }
                let most = self.most_value(operand(0), at)?;
                let by = self.terms.form(operand(1));
                self.are_exact(&by.extended, at)?;
                self.is_exact(operand(1), at)?;
                Some(self.quotient(most, &by.sum))
            }
            opcode::ZERO_EXTEND => {
                let bits = operand(0).ty().int_bits().filter(|bits| *bits <= 16)?;
                self.bounds_by_type += 1;
                Some(Sum::number((1 << bits) - 1))
            }
            opcode::SELECT => self.most_of_select(value, at),
            opcode::PHI => self.most_of_phi(value, at),
            opcode::CALL => self.most_of_call(value, at),
            _ => {
                let form = self.terms.calculated(value, 0)?;
                self.are_exact(&form.extended, at)?;
                let is_exact = self.cannot_wrap(value, 0)
                    || self
                        .attempt(|this| this.fits_as_not_negative(value, &form.sum, at))
                        .is_some();
                if !is_exact {
                    let least = self.least_of(&form.sum, at)?;
                    self.need(least)?;
                    let most = self.most_of(&form.sum, at)?;
                    self.need_to_fit(value, &most)?;
                }
                self.most_of(&form.sum, at)
            }
        }
    }

    /// The greatest value of a value, which must be what its sum says.
    pub(super) fn most_value(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        self.is_exact(value, at)?;
        let form = self.terms.form(value);
        self.are_exact(&form.extended, at)?;
        self.most_of(&form.sum, at)
    }

    /// The least value that a value can have by what it is calculated from.
    fn least_calculated(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        match value.opcode() {
            opcode::PHI => self.least_of_phi(value),
            opcode::UDIV | opcode::SDIV | opcode::LSHR | opcode::ASHR => {
                self.least_quotient(value, at)
            }
            opcode::CALL => {
                let name = intrinsic_of(value)?;
                let is_greatest = ["llvm.umax.", "llvm.smax."].iter().any(|n| name.starts_with(n));
                let constants = is_greatest.then(|| value.arguments())?.into_iter();
                let constant =
                    constants.filter_map(|one| self.is_small(one, 0).then(|| one.as_int())?);
                i64::try_from(constant.max()?).ok().map(Sum::number)
            }
            opcode::ADD | opcode::SUB | opcode::MUL | opcode::OR | opcode::SHL => {
                let form = self.terms.calculated(value, 0)?;
                self.are_exact(&form.extended, at)?;
                let least = self.least_of(&form.sum, at).filter(Sum::is_positive)?;
                if !self.cannot_wrap(value, 0) {
                    let most = self.most_of(&form.sum, at)?;
                    self.need_to_fit(value, &most)?;
                }
                Some(least)
            }
            _ => None,
        }
    }
}

/// Leaves out what is there a second time, from a place on.
fn keep_first<T: PartialEq>(all: &mut Vec<T>, from: usize) {
    for one in all.split_off(from) {
        if !all[from..].contains(&one) {
            all.push(one);
        }
    }
}

fn is_extension(value: Value<'_>) -> bool {
    [opcode::ZERO_EXTEND, opcode::SIGN_EXTEND].contains(&value.opcode())
}

/// The value that is extended, and that constants are added to, if it is to be found `through` them.
fn moved_from(value: Value<'_>, through: bool) -> Value<'_> {
    let mut base = value;
    while base.is_instruction() {
        base = match base.opcode() {
            opcode::ZERO_EXTEND | opcode::SIGN_EXTEND
                if base.operand(0).ty().int_bits().is_some_and(|bits| bits > 16) =>
            {
                base.operand(0)
            }
            opcode::ADD if through && base.operand(1).as_int().is_some() => base.operand(0),
            opcode::OR if through && base.is_disjoint() && base.operand(1).as_int().is_some() => {
                base.operand(0)
            }
            _ => break,
        };
    }
    base
}

/// The largest number that is positive in a value's type.
pub(super) fn largest(value: Value<'_>) -> Option<Sum> {
    let bits = value.ty().int_bits()?;
    Some(Sum::number(if bits > 60 { MAX_WIDE } else { (1 << (bits - 1)) - 1 }))
}
