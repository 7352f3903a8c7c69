//! Groups of indices of which the lowest and the highest are enough to check.
//!
//! A stencil reads `a[(y - 1) * w + x - 1]`, `a[y * w + x]`, `a[(y + 1) * w + x + 1]` and what lies between them. The
//! highest index less the lowest is `2 * w + 2`, and every other one is the lowest plus a part of that. So if both ends are
//! below the length, and the distance does not wrap around, all of them are. Only the distance must be exact: what the
//! indices are calculated from may wrap around.
//!
//! In detail, for words of `b` bits. Let both ends be below a limit of at most 2^(b-1). Let the distance be a sum of products
//! of values, none with a negative factor, that as a number is below 2^(b-1). The difference of the ends lies between
//! -2^(b-1) and 2^(b-1), and equals that sum modulo 2^b, so it is that sum. An index between the ends is the lowest plus a
//! sum that is no larger, so it is no larger than the highest.
//!
//! Whether the distance is exact (`w` is not negative, or is below some power of two) becomes a condition of its own. Checks
//! may pass where it does not hold: then each is made. It is about parameters of the kernel only, so it holds for all threads
//! or for none: no warp is split where no thread panics. In three dimensions it is also required that sizes are not zero
//! ([`Start::One`]): otherwise a plane might be shorter than one of its rows.

use std::collections::{BTreeMap, BTreeSet};

use super::Check;
use super::bounds::{Bound, Bounds, Form, is_extension};
use super::divisors::Divisors;
use crate::llvm::{Block, Builder, Value, opcode, predicate};

/// The most values that are multiplied with each other in a product.
const MAX_FACTORS: usize = 3;
/// The most products in a sum.
const MAX_PRODUCTS: usize = 8;
/// How deep an expression is looked into.
const MAX_DEPTH: usize = 12;
/// The powers of two that values may be required to be below.
const EXPONENTS: std::ops::RangeInclusive<u32> = 12..=31;

/// What is known of checks that are made together.
#[derive(Default)]
pub(super) struct Spans<'c> {
    /// The blocks of checks that pass if the others do, and the needs are met.
    pub(super) implied: BTreeSet<Block<'c>>,
    /// The blocks of the lowest and highest indices, which must be below half of what their words can hold.
    pub(super) ends: BTreeSet<Block<'c>>,
    needs: Vec<Need<'c>>,
    divisors: Divisors<'c>,
}

/// That a value, less its start, is below a power of two, as a number without sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Need<'c> {
    value: Value<'c>,
    start: Start,
    exponent: u32,
}

/// What the kernel's parameters are at least.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Zero,
    One,
}

impl<'c> Spans<'c> {
    /// Whether checks fail if and only if this says so; else they must be made one by one where it says that they fail.
    pub(super) fn is_exact(&self) -> bool {
        self.needs.is_empty() && self.divisors.is_empty()
    }

    /// The conditions that are not checks.
    pub(super) fn conditions(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        let below = |need: &Need<'c>| {
            let ty = need.value.ty();
            let value = match need.start {
                Start::Zero => need.value,
                Start::One => builder.binary(opcode::ADD, need.value, ty.constant(u64::MAX)),
            };
            builder.compare(predicate::UNSIGNED_LESS, value, ty.constant(1 << need.exponent))
        };
        self.needs.iter().map(below).chain(self.divisors.conditions(builder)).collect()
    }
}

/// Products of values, each with how often it is counted, modulo 2^32 or 2^64. The product of no values is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum(BTreeMap<Vec<usize>, i64>);

impl Sum {
    fn plus(mut self, other: &Sum, times: i64, bits: u32) -> Sum {
        for (product, count) in &other.0 {
            let total = self.0.entry(product.clone()).or_insert(0);
            *total = signed(total.wrapping_add(count.wrapping_mul(times)), bits);
        }
        self.0.retain(|_, count| *count != 0);
        self
    }

    fn times(&self, other: &Sum, bits: u32) -> Sum {
        let mut all = Sum::default();
        for (product, count) in &self.0 {
            let moved = other.0.iter().map(|(more, by)| {
                let mut both = [&product[..], more].concat();
                both.sort_unstable();
                (both, *by)
            });
            all = all.plus(&Sum(moved.collect()), *count, bits);
        }
        all
    }

    fn is_small(&self) -> bool {
        self.0.len() <= MAX_PRODUCTS && self.0.keys().all(|product| product.len() <= MAX_FACTORS)
    }

    /// Whether no product is subtracted.
    fn is_positive(&self) -> bool {
        self.0.values().all(|count| *count > 0)
    }
}

/// Whether an `or` sets bits of a constant that a shift has left empty.
fn fills_low_bits(or: Value<'_>) -> bool {
    let (shifted, low) = (or.operand(0), or.operand(1));
    let by = || shifted.operand(1).as_int().filter(|by| *by < 64);
    shifted.is_instruction()
        && shifted.opcode() == opcode::SHL
        && or.ty().int_bits().is_some_and(|bits| bits <= 64)
        && by().zip(low.as_int()).is_some_and(|(by, low)| low >> by == 0)
}

/// Drops what is promised of a value, unless it is certain by itself.
pub(in crate::optimise) fn forget_promises(value: Value<'_>) {
    value.drop_promises();
    if value.opcode() == opcode::OR && fills_low_bits(value) {
        value.promise_disjoint();
    }
}

/// A word as a number with sign.
fn signed(word: i64, bits: u32) -> i64 {
    if bits == 32 { i64::from(word as i32) } else { word }
}

/// Takes indices apart. Values are numbered as they are found, so that what comes of it does not depend on their addresses.
struct Sums<'a, 'c> {
    /// Where instructions rely on checks before them.
    behind: &'a BTreeSet<Block<'c>>,
    atoms: Vec<Value<'c>>,
    known: BTreeMap<(Value<'c>, u32), Sum>,
}

impl<'c> Sums<'_, 'c> {
    fn of(&mut self, value: Value<'c>, bits: u32, depth: usize) -> Sum {
        let value = value.thawed();
        if let Some(constant) = value.as_int() {
            let sum = Sum(BTreeMap::from([(Vec::new(), signed(constant as i64, bits))]));
            return Sum::default().plus(&sum, 1, bits);
        }
        if let Some(sum) = self.known.get(&(value, bits)) {
            return sum.clone();
        }
        let apart = if depth < MAX_DEPTH { self.apart(value, bits, depth + 1) } else { None };
        let sum = apart.filter(Sum::is_small).unwrap_or_else(|| self.atom(value));
        self.known.insert((value, bits), sum.clone());
        sum
    }

    fn apart(&mut self, value: Value<'c>, bits: u32, depth: usize) -> Option<Sum> {
        if !value.is_instruction() {
            return None;
        }
        // A check may be what makes an `or` a sum, unless the bits are apart by themselves.
        let is_sum = |or: Value<'c>| {
            fills_low_bits(or) || or.is_disjoint() && !self.behind.contains(&or.parent_block())
        };
        let operation = match value.opcode() {
            opcode::OR if is_sum(value) => opcode::ADD,
            other => other,
        };
        let first = value.operands().first().copied()?;
        match operation {
            opcode::TRUNCATE => Some(self.of(first, bits, depth)),
            opcode::SHL => {
                let by = value.operand(1).as_int().filter(|by| *by < u64::from(bits))?;
                Some(Sum::default().plus(&self.of(first, bits, depth), 1 << by, bits))
            }
            opcode::ADD | opcode::SUB | opcode::MUL => {
                let first = self.of(first, bits, depth);
                let second = self.of(value.operand(1), bits, depth);
                Some(match operation {
                    opcode::ADD => first.plus(&second, 1, bits),
                    opcode::SUB => first.plus(&second, -1, bits),
                    _ => first.times(&second, bits),
                })
            }
            _ => None,
        }
    }

    fn atom(&mut self, value: Value<'c>) -> Sum {
        let place = self.atoms.iter().position(|known| *known == value);
        let place = place.unwrap_or_else(|| {
            self.atoms.push(value);
            self.atoms.len() - 1
        });
        Sum(BTreeMap::from([(vec![place], 1)]))
    }

    /// A sum in which each parameter that starts at one is that and a rest.
    fn less_start(&self, sum: Sum, start: Start, bits: u32) -> Sum {
        if start == Start::Zero {
            return sum;
        }
        let one = (Vec::new(), 1);
        let factor = |atom: &usize| {
            let own = (vec![*atom], 1);
            Sum(if self.is_parameter(*atom) { [own, one.clone()].into() } else { [own].into() })
        };
        let products = sum.0.iter().map(|(product, count)| {
            let all = product.iter().map(factor);
            (all.fold(Sum([one.clone()].into()), |all, next| all.times(&next, bits)), *count)
        });
        products.fold(Sum::default(), |sum, (product, count)| sum.plus(&product, count, bits))
    }

    fn is_parameter(&self, atom: usize) -> bool {
        let value = self.atoms[atom];
        let value = if is_extension(value) { value.operand(0) } else { value };
        value.thawed().parameter_of().is_some()
    }

    /// What must hold so that a sum without negative factors is below 2^(bits-1).
    fn needs(&self, sum: &Sum, start: Start, bits: u32) -> Option<Vec<Need<'c>>> {
        let exponent = EXPONENTS.rev().find(|exponent| {
            let products = sum.0.iter().map(|(product, count)| {
                let values =
                    product.iter().map(|atom| 1u128 << self.limit(*atom, start, *exponent).0);
                values.fold(*count as u128, u128::saturating_mul)
            });
            products.fold(0, u128::saturating_add) < 1 << (bits - 1)
        })?;
        let mut needs = Vec::new();
        for atom in sum.0.keys().flatten() {
            let need = self.limit(*atom, start, exponent).1;
            needs.extend(need.filter(|need| !needs.contains(need)));
        }
        let is_of_parameter = |need: &Need<'c>| need.value.thawed().parameter_of().is_some();
        needs.iter().all(is_of_parameter).then_some(needs)
    }

    /// The exponent of a power of two that a value does not exceed, and what must hold for that, if it may ask for
    /// `exponent`.
    fn limit(&self, atom: usize, start: Start, exponent: u32) -> (u32, Option<Need<'c>>) {
        let value = self.atoms[atom];
        let start = if self.is_parameter(atom) { start } else { Start::Zero };
        let need = |value, exponent| (exponent, Some(Need { value, start, exponent }));
        if !is_extension(value) {
            return need(value, exponent);
        }
        match (value.opcode(), start) {
            (opcode::ZERO_EXTEND, Start::Zero) => (32, None),
            // The smallest number with a sign, less one, is positive.
            (opcode::SIGN_EXTEND, Start::One) => need(value.operand(0), exponent.min(30)),
            _ => need(value.operand(0), exponent.min(31)),
        }
    }
}

/// A group's indices, which are compared with one length in the same way.
struct Group<'c> {
    length: Value<'c>,
    form: Form,
    bits: u32,
    members: Vec<(Sum, Block<'c>)>,
}

impl<'c> Bounds<'_, 'c> {
    /// Finds the checks that others imply. What is in the blocks `behind` the first check may rely on checks before it.
    pub(super) fn spans(&self, checks: &[Check<'c>], behind: &BTreeSet<Block<'c>>) -> Spans<'c> {
        let mut sums = Sums { behind, atoms: Vec::new(), known: BTreeMap::new() };
        let mut groups: Vec<Group<'c>> = Vec::new();
        for check in checks {
            let Some(bound) = self.bound(check).or_else(|| Bound::of_constant(check)) else {
                continue;
            };
            let Some((value, bits)) = word_of(&bound) else { continue };
            let Bound { length, form, .. } = bound;
            let member = (sums.of(value, bits, 0), check.block);
            match groups.iter_mut().find(|group| (group.length, group.form) == (length, form)) {
                Some(group) => group.members.push(member),
                None => groups.push(Group { length, form, bits, members: vec![member] }),
            }
        }
        let divisors = Divisors::of(checks);
        let mut spans = Spans { implied: divisors.implied.clone(), divisors, ..Spans::default() };
        for mut group in groups {
            while let Some(span) = widest(&sums, &group, &spans.needs) {
                let is_taken =
                    |block: &Block<'c>| span.implied.contains(block) || span.ends.contains(block);
                group.members.retain(|(_, block)| !is_taken(block));
                spans.needs.extend(span.needs);
                spans.implied.extend(span.implied);
                spans.ends.extend(span.ends);
                // Then an index that is valid is below half of what its word can hold.
                let need = Need { value: group.length, start: Start::Zero, exponent: 31 };
                if group.form == Form::Unsigned && !spans.needs.contains(&need) {
                    spans.needs.push(need);
                }
            }
        }
        spans
    }
}

/// The lowest and the highest of some indices, and those between them.
struct Span<'c> {
    ends: Vec<Block<'c>>,
    implied: Vec<Block<'c>>,
    needs: Vec<Need<'c>>,
}

/// The span that saves the most, if one saves anything; `known` is needed anyway.
fn widest<'c>(sums: &Sums<'_, 'c>, group: &Group<'c>, known: &[Need<'c>]) -> Option<Span<'c>> {
    let Group { bits, members, .. } = group;
    let mut best: Option<(usize, Span<'c>)> = None;
    for start in [Start::Zero, Start::One] {
        let between = |from: &Sum, to: &Sum| {
            let distance = to.clone().plus(from, -1, *bits);
            Some(sums.less_start(distance, start, *bits)).filter(Sum::is_positive)
        };
        for (low, (lowest, first)) in members.iter().enumerate() {
            for (high, (highest, last)) in members.iter().enumerate() {
                let Some(distance) = between(lowest, highest) else { continue };
                let Some(mut needs) = sums.needs(&distance, start, *bits) else { continue };
                // Only parameters of kernels are the same for all threads.
                if group.length.is_constant() && !needs.is_empty() {
                    continue;
                }
                needs.retain(|need| !known.contains(need));
                let implied = members.iter().enumerate().filter(|(index, (sum, _))| {
                    ![low, high].contains(index)
                        && between(lowest, sum).is_some()
                        && between(sum, highest).is_some()
                });
                let implied: Vec<Block<'c>> = implied.map(|(_, (_, block))| *block).collect();
                let saved = implied.len().saturating_sub(needs.len());
                if saved > best.as_ref().map_or(0, |(most, _)| *most) {
                    best = Some((saved, Span { ends: vec![*first, *last], implied, needs }));
                }
            }
        }
    }
    best.map(|(_, span)| span)
}

/// The word that is compared, and its bits: half of what they can hold is at least the limit that it is compared with.
fn word_of<'c>(bound: &Bound<'c>) -> Option<(Value<'c>, u32)> {
    match bound.form {
        Form::Signed | Form::Unsigned => {
            (is_extension(bound.index) && bound.is_of_array()).then(|| (bound.index.operand(0), 32))
        }
        Form::Whole => {
            let bits = bound.index.ty().int_bits().filter(|bits| matches!(bits, 32 | 64))?;
            let is_small = match bound.length.as_int() {
                Some(length) => length <= 1 << (bits - 1),
                None => bits == 64 && bound.is_of_array(),
            };
            is_small.then_some((bound.index, bits))
        }
    }
}
