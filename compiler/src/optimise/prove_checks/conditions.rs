//! Calculates, when a kernel begins, whether sums are not negative that the host can't calculate.
//!
//! Sums are calculated in 64 bits, so that nothing wraps around: factors are asked to be below 2^30 where there are several, and
//! what is added is below 2^60. Where that does not hold, the answer is no.

use std::collections::BTreeMap;

use super::registers::{intrinsic_of, shape_register};
use super::sum::Sum;
use super::terms::Term;
use crate::llvm::{Builder, Context, Module, Value, opcode, predicate};

/// The bits of factors, and of products.
const FACTOR_BITS: u32 = 30;
const PRODUCT_BITS: u32 = 60;

/// The most products on one side.
const MAX_SIDE: usize = 8;

/// Leaves only those sums that the others do not make superfluous; `None` if there are too many to ask for, or they contradict each
/// other.
pub(super) fn simplified(needs: &[Sum], most: usize) -> Option<Vec<Sum>> {
    let mut least: Vec<Sum> = Vec::new();
    for sum in needs {
        let rest = sum.without_constant();
        match least.iter_mut().find(|one| one.without_constant() == rest) {
            Some(known) if known.constant() <= sum.constant() => {}
            Some(known) => *known = sum.clone(),
            None => least.push(sum.clone()),
        }
    }
    // A sum that is another one and something positive is not negative, either.
    let is_more = |a: &Sum, b: &Sum| a != b && a.plus(b, -1).is_some_and(|more| more.is_positive());
    let all = least.clone();
    least.retain(|one| !all.iter().any(|other| is_more(one, other)));
    // Two that add up to a negative number are never both true.
    let contradict =
        |a: &Sum, b: &Sum| a.plus(b, 1).and_then(|sum| sum.as_number()).is_some_and(|sum| sum < 0);
    let is_false = least.iter().any(|a| least.iter().any(|b| contradict(a, b)));
    (least.len() <= most && !is_false).then_some(least)
}

/// Calculates conditions at the end of a kernel's first block.
pub(super) struct Conditions<'a, 'c> {
    context: &'c Context,
    module: &'a Module<'c>,
    builder: Builder<'c>,
    terms: &'a [Term<'c>],
    /// The values that were calculated there, in their own width, and in 64 bits.
    copies: BTreeMap<Value<'c>, Value<'c>>,
    wide: BTreeMap<usize, (Value<'c>, u32)>,
    found: Vec<Value<'c>>,
    asked: Vec<(Value<'c>, u32)>,
}

impl<'a, 'c> Conditions<'a, 'c> {
    pub(super) fn new(
        module: &'a Module<'c>,
        terms: &'a [Term<'c>],
        before: Value<'c>,
    ) -> Conditions<'a, 'c> {
        let context = module.context();
        Conditions {
            context,
            module,
            builder: Builder::before(context, before),
            terms,
            copies: BTreeMap::new(),
            wide: BTreeMap::new(),
            found: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Whether none of the sums is negative.
    pub(super) fn none_is_negative(mut self, sums: &[Sum]) -> Option<Value<'c>> {
        for sum in sums {
            let (more, less): (Vec<_>, Vec<_>) = sum.products().partition(|(_, count)| *count > 0);
            if more.len() > MAX_SIDE || less.len() > MAX_SIDE {
                return None;
            }
            let more = self.total(&more, true)?;
            let less = self.total(&less, false)?;
            let holds = self.builder.compare(predicate::UNSIGNED_LESS_EQUAL, less, more);
            self.found.push(holds);
        }
        let builder = &self.builder;
        self.found.iter().copied().reduce(|all, one| builder.and(all, one))
    }

    /// The sum of products, each as often as it is counted. Where it is to be `more`, it may be less than it is.
    fn total(&mut self, products: &[(&[usize], i64)], more: bool) -> Option<Value<'c>> {
        let word = self.context.int(64);
        let mut total: Option<Value<'c>> = None;
        for (factors, count) in products {
            let count = count.unsigned_abs();
            if bits_of(count) > FACTOR_BITS && !factors.is_empty() {
                return None;
            }
            let mut product: Option<(Value<'c>, u32)> =
                (count > 1 || factors.is_empty()).then(|| (word.constant(count), bits_of(count)));
            for factor in *factors {
                let next = self.term(*factor)?;
                product = Some(match product {
                    None => next,
                    Some(before) => self.product(before, next),
                });
            }
            let (value, bits) = product?;
            let value = match bits <= PRODUCT_BITS {
                true => value,
                false if more && total.is_none() && products.len() == 1 => value,
                false => {
                    self.ask_below(value, PRODUCT_BITS);
                    value
                }
            };
            total = Some(match total {
                None => value,
                Some(total) => self.builder.binary(opcode::ADD, total, value),
            });
        }
        Some(total.unwrap_or(word.null()))
    }

    fn product(&mut self, a: (Value<'c>, u32), b: (Value<'c>, u32)) -> (Value<'c>, u32) {
        let mut bits = 0;
        for (value, has) in [a, b] {
            bits += if a.1 + b.1 > PRODUCT_BITS && has > FACTOR_BITS {
                self.ask_below(value, FACTOR_BITS);
                FACTOR_BITS
            } else {
                has
            };
        }
        (self.builder.binary(opcode::MUL, a.0, b.0), bits)
    }

    /// Asks that a value of 64 bits is below a power of two.
    fn ask_below(&mut self, value: Value<'c>, bits: u32) {
        let is_asked = |(known, less): &(Value<'c>, u32)| *known == value && *less <= bits;
        if value.as_int().is_none() && !self.asked.iter().any(is_asked) {
            self.asked.push((value, bits));
            let end = value.ty().constant(1 << bits);
            self.found.push(self.builder.compare(predicate::UNSIGNED_LESS, value, end));
        }
    }

    /// A term in 64 bits, and how many of them it needs at most.
    fn term(&mut self, index: usize) -> Option<(Value<'c>, u32)> {
        if let Some(known) = self.wide.get(&index) {
            return Some(*known);
        }
        let (value, bits) = match self.terms[index] {
            Term::Quotient(_) | Term::Above(_) => return None,
            Term::Register(name) => {
                let (function, ty) = self.module.intrinsic(name)?;
                (self.builder.call(ty, function, &[]), shape_register(name)?.1)
            }
            Term::Value(value) => {
                let name = intrinsic_of(value);
                let register = name.and_then(|name| shape_register(&name));
                let bits = register.map_or(value.ty().int_bits()?, |(_, bits)| bits);
                (self.calculated(value), bits)
            }
        };
        let word = self.context.int(64);
        let wide = match value.ty() == word {
            true => value,
            false => self.builder.cast(opcode::ZERO_EXTEND, value, word),
        };
        self.wide.insert(index, (wide, bits));
        Some((wide, bits))
    }

    /// A value that all threads have in common, calculated here.
    fn calculated(&mut self, value: Value<'c>) -> Value<'c> {
        if !value.is_instruction() {
            return value;
        }
        if let Some(copy) = self.copies.get(&value) {
            return *copy;
        }
        if value.opcode() == opcode::FREEZE {
            return value.operand(0);
        }
        let copy = value.copy();
        if !value.is_call() {
            for (index, operand) in (0..).zip(value.operands()) {
                let operand = self.calculated(operand);
                copy.set_operand(index, operand);
            }
            // It is calculated for all threads, also those for which the original is not.
            copy.drop_promises();
        }
        self.builder.insert_copy(copy);
        self.copies.insert(value, copy);
        copy
    }
}

/// How many bits a number needs.
fn bits_of(number: u64) -> u32 {
    64 - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_imply_is_left_out() {
        let of = |factors: &[usize], count, number| {
            Sum::product(factors.to_vec(), count).plus(&Sum::number(number), 1).unwrap()
        };
        let area = |number| of(&[0, 1], -1, number).plus(&Sum::variable(2), 1).unwrap();
        let needs = [area(3), area(0), of(&[0], 1, -1), area(2), of(&[0], 1, -1)];
        assert_eq!(simplified(&needs, 8), Some(vec![area(0), of(&[0], 1, -1)]));
        assert_eq!(simplified(&needs, 1), None);
        // `a >= 1` and `a <= 0`.
        assert_eq!(simplified(&[of(&[0], 1, -1), of(&[0], -1, 0)], 8), None);
        let more = of(&[0], 1, -1).plus(&Sum::variable(5), 2).unwrap();
        assert_eq!(simplified(&[more, of(&[0], 1, -1)], 8), Some(vec![of(&[0], 1, -1)]));
    }
}
