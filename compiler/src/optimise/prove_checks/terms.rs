//! Integers of a function as sums of products, and which of their parts all threads have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::registers::{intrinsic_of, register_number, shape_register};
use super::saturating::saturating;
use super::sum::Sum;
use crate::llvm::{TypeKind, Value, opcode, predicate};
use crate::lower::{Known, Need, number_of_parameter};

/// How deep an expression is looked into.
const MAX_DEPTH: usize = 16;

/// A number that sums are made of, as one without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term<'c> {
    /// A value of the function.
    Value(Value<'c>),
    /// How far a counter that begins below zero is above its first value.
    Above(Value<'c>),
    /// A special register that the function may not read.
    Register(&'static str),
    /// A quotient that the host calculates, by its index.
    Quotient(usize),
}

/// An integer as a sum: equal to it modulo 2^bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Form<'c> {
    pub(super) sum: Sum,
    /// Extensions of integers that the sum takes for what they are without wrapping around.
    pub(super) extended: Vec<Value<'c>>,
}

impl<'c> Form<'c> {
    /// Notes an extension. The order is that of the code: that of handles differs from run to run.
    fn extend(&mut self, value: Value<'c>) {
        if !self.extended.contains(&value) {
            self.extended.push(value);
        }
    }
}

/// The sums of a function's integers.
#[derive(Default)]
pub(super) struct Terms<'c> {
    pub(super) all: Vec<Term<'c>>,
    known: BTreeMap<Term<'c>, usize>,
    /// Values that branches compare, but for constants that are added: sums are not made of what these are calculated from.
    compared: BTreeSet<Value<'c>>,
    /// The same with what is added, for the second attempt to prove something.
    others: BTreeSet<Value<'c>>,
    /// Counters that begin below zero and never wrap around, with their first values.
    below_zero: BTreeMap<Value<'c>, i64>,
    /// Results of LLVM's `freeze` that are the value itself.
    pub(super) frozen: BTreeSet<Value<'c>>,
    forms: BTreeMap<Value<'c>, Form<'c>>,
    /// What is divided, and by what.
    pub(super) quotients: Vec<(Sum, Sum)>,
}

impl<'c> Terms<'c> {
    /// The number of a term.
    pub(super) fn index(&mut self, term: Term<'c>) -> usize {
        let next = self.all.len();
        let index = *self.known.entry(term).or_insert(next);
        if index == next {
            self.all.push(term);
        }
        index
    }

    /// How many bits a term has.
    pub(super) fn bits(&self, index: usize) -> Option<u32> {
        match self.all[index] {
            Term::Value(value) | Term::Above(value) => value.ty().int_bits(),
            Term::Register(_) => Some(32),
            Term::Quotient(_) => Some(64),
        }
    }

    /// The number of the term that a value is. Each read of a register of the launch's shape is the same.
    pub(super) fn index_of(&mut self, value: Value<'c>) -> usize {
        let register = intrinsic_of(value).and_then(|name| shape_register(&name));
        self.index(register.map_or(Term::Value(value), |(name, _)| Term::Register(name)))
    }

    /// Notes that a branch compares a value, which is another one, but for a constant that is added.
    pub(super) fn note_compared(&mut self, value: Value<'c>, base: Value<'c>) {
        self.compared.insert(base);
        self.others.insert(value);
    }

    /// Notes a counter that begins with a number below zero, and never wraps around.
    pub(super) fn note_below_zero(&mut self, phi: Value<'c>, first: i64) {
        self.below_zero.insert(phi, first);
    }

    /// The first value of such a counter.
    pub(super) fn begins_below_zero(&self, value: Value<'c>) -> Option<i64> {
        self.below_zero.get(&value).copied()
    }

    /// Switches between two choices of variables: what a constant is added to, or the result of the addition. Of
    /// `x - 1 >= 0 && x - 1 < n`, the first says more, as `x` may be below zero; of `x + 1 < n`, that `x` is one less.
    pub(super) fn change_variables(&mut self) {
        std::mem::swap(&mut self.compared, &mut self.others);
        self.forms.clear();
    }

    /// The quotient of two sums of numbers that the host knows, rounded down.
    pub(super) fn quotient(&mut self, dividend: Sum, divisor: Sum) -> Sum {
        let parts = (dividend, divisor);
        let known = self.quotients.iter().position(|one| *one == parts);
        let index = known.unwrap_or_else(|| {
            self.quotients.push(parts);
            self.quotients.len() - 1
        });
        Sum::variable(self.index(Term::Quotient(index)))
    }

    /// The number that a term is for the host, which launches `kernel`.
    pub(super) fn known(&self, kernel: Value<'c>, index: usize) -> Option<Known> {
        match self.all[index] {
            Term::Register(name) => register_number(name),
            Term::Value(value) => number_of_parameter(kernel, value),
            Term::Quotient(index) => Some(Known::Quotient(index)),
            Term::Above(_) => None,
        }
    }

    /// A sum for the host, if it knows all of its numbers.
    pub(super) fn for_host(&self, kernel: Value<'c>, sum: &Sum) -> Option<Need> {
        let product = |(factors, count): (&[usize], i64)| {
            let factors = factors.iter().map(|factor| self.known(kernel, *factor));
            Some((count, factors.collect::<Option<Vec<Known>>>()?))
        };
        sum.products().map(product).collect()
    }

    pub(super) fn variable(&mut self, value: Value<'c>) -> Sum {
        Sum::variable(self.index_of(value))
    }

    /// An integer as a sum.
    pub(super) fn form(&mut self, value: Value<'c>) -> Form<'c> {
        self.form_at(value, 0)
    }

    fn form_at(&mut self, value: Value<'c>, depth: usize) -> Form<'c> {
        if let Some(form) = self.forms.get(&value) {
            return form.clone();
        }
        let made = match (self.begins_below_zero(value), self.compared.contains(&value)) {
            (Some(first), _) => self.above(value, first),
            (None, true) => None,
            (None, false) => self.calculated(value, depth),
        };
        let form = made.unwrap_or_else(|| Form { sum: self.variable(value), extended: Vec::new() });
        if depth < MAX_DEPTH / 2 {
            self.forms.insert(value, form.clone());
        }
        form
    }

    fn above(&mut self, phi: Value<'c>, first: i64) -> Option<Form<'c>> {
        let above = self.index(Term::Above(phi));
        let sum = Sum::variable(above).plus(&Sum::number(first), 1)?;
        Some(Form { sum, extended: Vec::new() })
    }

    /// The sum that an integer is calculated as, be it compared or not.
    pub(super) fn calculated(&mut self, value: Value<'c>, depth: usize) -> Option<Form<'c>> {
        let bits = value.ty().int_bits().filter(|bits| *bits <= 64)?;
        if let Some(number) = value.as_int() {
            return Some(Form { sum: Sum::number(signed(number, bits)), extended: Vec::new() });
        }
        if !value.is_instruction() || depth == MAX_DEPTH || remainder_of(value).is_some() {
            return None;
        }
        let operand = |index| value.operand(index);
        let is_frozen = self.frozen.contains(&value);
        let begins_below_zero = self.begins_below_zero(operand(0)).is_some();
        let mut of = |value| self.form_at(value, depth + 1);
        if let Some(parts) = saturating(value) {
            let [a, b] = parts.operands.map(&mut of);
            let mut form = Form { sum: parts.combine([&a.sum, &b.sum])?, ..a };
            b.extended.into_iter().for_each(|one| form.extend(one));
            form.extend(value);
            return Some(form);
        }
        let (mut form, other) = match value.opcode() {
            opcode::ADD => (of(operand(0)), Some((of(operand(1)), 1))),
            opcode::OR if value.is_disjoint() => (of(operand(0)), Some((of(operand(1)), 1))),
            opcode::SUB => (of(operand(0)), Some((of(operand(1)), -1))),
            opcode::MUL => {
                let (a, b) = (of(operand(0)), of(operand(1)));
                let sum = a.sum.times(&b.sum)?;
                (Form { sum, ..a }, Some((Form { sum: Sum::default(), ..b }, 1)))
            }
            opcode::SHL => {
                let by = operand(1).as_int().filter(|by| *by < u64::from(bits.min(32)))?;
                let a = of(operand(0));
                let sum = a.sum.times(&Sum::number(1 << by))?;
                (Form { sum, ..a }, None)
            }
            opcode::TRUNCATE => (of(operand(0)), None),
            // With its sign, it is what it was.
            opcode::SIGN_EXTEND if begins_below_zero => (of(operand(0)), None),
            opcode::ZERO_EXTEND | opcode::SIGN_EXTEND if operand(0).ty().int_bits()? > 16 => {
                let mut a = of(operand(0));
                a.extend(value);
                (a, None)
            }
            opcode::SELECT => {
                let mut a = of(widened_of(value)?);
                a.extend(value);
                (a, None)
            }
            opcode::CALL => {
                let mut a = of(positive_of(value)?);
                a.extend(value);
                (a, None)
            }
            opcode::FREEZE if is_frozen => (of(operand(0)), None),
            _ => return None,
        };
        if let Some((other, times)) = other {
            form.sum = form.sum.plus(&other.sum, times)?;
            for one in other.extended {
                form.extend(one);
            }
        }
        Some(form)
    }
}

/// The arguments of a call of an intrinsic whose name begins with one of these.
fn call<'c>(value: Value<'c>, names: &[&str]) -> Option<Vec<Value<'c>>> {
    let name = intrinsic_of(value)?;
    names.iter().any(|one| name.starts_with(one)).then(|| value.arguments())
}

/// Of `min(max(x, 0.0), end as f32 - 1.0) as i32`, the end.
pub(super) fn end_of_float(value: Value<'_>) -> Option<Value<'_>> {
    let clamped = *call(value, &["llvm.fptosi.sat.", "llvm.fptoui.sat."])?.first()?;
    let is_single = |value: Value<'_>| value.ty().kind() == TypeKind::F32;
    let &[a, b] = &call(clamped, &["llvm.minnum."])?[..] else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(low, high)| {
        let arguments = call(low, &["llvm.maxnum."])?;
        let is_sum = high.is_instruction() && high.opcode() == opcode::FADD && is_single(high);
        let (integer, less) = is_sum.then(|| (high.operand(0), high.operand(1)))?;
        let from = integer.is_instruction()
            && (integer.opcode() == opcode::SI_TO_FP || integer.opcode() == opcode::UI_TO_FP);
        let zero = arguments.iter().any(|one| one.as_float() == Some(0.0));
        (from && zero && less.as_float() == Some(-1.0)).then(|| integer.operand(0))
    })
}

/// Of `n as usize as u64` as loops write it, `n`: `if n < 0 { HUGE } else { n as u64 }`.
pub(super) fn widened_of(value: Value<'_>) -> Option<Value<'_>> {
    let is = |value: Value<'_>, opcode| value.is_instruction() && value.opcode() == opcode;
    if !is(value, opcode::SELECT) {
        return None;
    }
    let (condition, huge, wide) = (value.operand(0), value.operand(1), value.operand(2));
    let n = is(wide, opcode::ZERO_EXTEND).then(|| wide.operand(0))?;
    let asks = is(condition, opcode::INTEGER_COMPARISON)
        && condition.predicate() == predicate::SIGNED_LESS
        && condition.operand(0) == n
        && condition.operand(1).as_int() == Some(0);
    (asks && huge.as_int().is_some()).then_some(n)
}

/// Of `max(n, 1)`, a divisor, `n`.
pub(super) fn positive_of(value: Value<'_>) -> Option<Value<'_>> {
    intrinsic_of(value).filter(|name| name.starts_with("llvm.umax."))?;
    let arguments = value.arguments();
    let &[n, one] = &arguments[..] else { return None };
    (one.as_int() == Some(1) && is_uniform(n, 1)).then_some(n)
}

/// A constant of so many bits as a signed number.
pub(super) fn signed(number: u64, bits: u32) -> i64 {
    ((number << (64 - bits)) as i64) >> (64 - bits)
}

/// Of `x - x / y * y`, `x` and `y`: what is left of a division.
pub(super) fn remainder_of(value: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let is = |value: Value<'_>, opcode| value.is_instruction() && value.opcode() == opcode;
    match value.opcode() {
        opcode::UREM | opcode::SREM => Some((value.operand(0), value.operand(1))),
        opcode::SUB if is(value.operand(1), opcode::MUL) => {
            let (x, product) = (value.operand(0), value.operand(1));
            let (a, b) = (product.operand(0), product.operand(1));
            let divides = |quotient: Value<'_>, by: Value<'_>| {
                (is(quotient, opcode::UDIV) || is(quotient, opcode::SDIV))
                    && quotient.operand(0) == x
                    && quotient.operand(1) == by
            };
            let by = [(a, b), (b, a)].into_iter().find(|(q, by)| divides(*q, *by))?.1;
            Some((x, by))
        }
        _ => None,
    }
}

/// Whether all threads of a grid calculate the same, from the kernel's parameters and the launch's shape alone, and the kernel's
/// first instructions could do it: nothing that fails for some operands.
pub(super) fn is_uniform(value: Value<'_>, depth: usize) -> bool {
    if value.as_int().is_some() || value.parameter_of().is_some() {
        return value.ty().int_bits().is_some_and(|bits| bits <= 64);
    }
    if !value.is_instruction() || depth == 0 || value.ty().int_bits().is_none_or(|bits| bits > 64) {
        return false;
    }
    if value.is_call() {
        return intrinsic_of(value).and_then(|name| shape_register(&name)).is_some();
    }
    let all = || value.operands().into_iter().all(|operand| is_uniform(operand, depth - 1));
    match value.opcode() {
        opcode::ADD
        | opcode::SUB
        | opcode::MUL
        | opcode::AND
        | opcode::OR
        | opcode::XOR
        | opcode::TRUNCATE
        | opcode::ZERO_EXTEND
        | opcode::SIGN_EXTEND
        | opcode::INTEGER_COMPARISON
        | opcode::SELECT => all(),
        opcode::SHL | opcode::LSHR | opcode::UDIV => {
            let by = value.operand(1).as_int();
            let bits = value.ty().int_bits().unwrap_or(0);
            by.is_some_and(|by| by > 0 && (value.opcode() == opcode::UDIV || by < u64::from(bits)))
                && all()
        }
        opcode::FREEZE => value.operand(0).parameter_of().is_some(),
        _ => false,
    }
}
