//! Between which numbers an integer lies, as far as its instructions say.
//!
//! Ranges are of numbers without sign, ends included. They come from constants, from the special registers' ranges
//! (`!range`), from extensions, and from what is computed from these. No branch and no promise of LLVM's (`nuw` and the
//! like) is relied on: a range holds wherever the value is computed, also on paths where a check has failed or is yet to be
//! made. Divisions may come before the test of their divisor, so their ranges are those of PTX's, which also divide by
//! zero. Only of a value that is poison it says nothing, so what `freeze` returns has no range.

use std::collections::BTreeMap;

use crate::llvm::{Context, Value, opcode, predicate};

/// How deep an expression is looked into.
const MAX_DEPTH: usize = 24;

/// The least and the greatest number that a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Range {
    /// All numbers of so many bits.
    fn all(bits: u32) -> Range {
        Range { least: 0, most: u64::MAX.checked_shr(64 - bits).unwrap_or(0) }
    }

    /// Whether all its numbers have at most so many bits.
    pub(super) fn fits(self, bits: u32) -> bool {
        self.most <= Range::all(bits).most
    }

    /// The range of results, modulo 2^bits, between two that are calculated exactly; `None` if they wrap around differently.
    fn wrapped(least: u128, most: u128, bits: u32) -> Option<Range> {
        let rest = |wide: u128| (wide & ((1 << bits) - 1)) as u64;
        (least <= most && least >> bits == most >> bits)
            .then(|| Range { least: rest(least), most: rest(most) })
    }

    /// The numbers of both.
    fn or(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The numbers that are in both ranges. If there are none, nothing can be said: the value is never computed.
    fn and(self, other: Range) -> Range {
        let both = Range { least: self.least.max(other.least), most: self.most.min(other.most) };
        if both.least <= both.most { both } else { self }
    }

    /// Whether all numbers of this range compare so with all of the other one; unsigned comparisons only.
    pub(super) fn always(self, comparison: i32, other: Range) -> bool {
        match comparison {
            predicate::UNSIGNED_LESS => self.most < other.least,
            predicate::UNSIGNED_LESS_EQUAL => self.most <= other.least,
            predicate::UNSIGNED_GREATER => self.least > other.most,
            predicate::UNSIGNED_GREATER_EQUAL => self.least >= other.most,
            predicate::NOT_EQUAL => self.most < other.least || self.least > other.most,
            predicate::EQUAL => {
                self.least == self.most && other.least == other.most && self.least == other.least
            }
            _ => false,
        }
    }

    /// The range of a value that compares so with one of another range; unsigned comparisons only.
    fn that_compares(comparison: i32, other: Range) -> Option<Range> {
        let Range { least, most } = other;
        Some(match comparison {
            predicate::UNSIGNED_LESS => Range { least: 0, most: most.checked_sub(1)? },
            predicate::UNSIGNED_LESS_EQUAL => Range { least: 0, most },
            predicate::UNSIGNED_GREATER => Range { least: least.checked_add(1)?, most: u64::MAX },
            predicate::UNSIGNED_GREATER_EQUAL => Range { least, most: u64::MAX },
            predicate::EQUAL => other,
            _ => return None,
        })
    }
}

/// The ranges of a function's values.
pub(super) struct Ranges<'c> {
    range: u32,
    known: BTreeMap<Value<'c>, Range>,
}

impl<'c> Ranges<'c> {
    pub(super) fn new(context: &Context) -> Ranges<'c> {
        Ranges { range: context.metadata_kind("range"), known: BTreeMap::new() }
    }

    /// The range of an integer of at most 64 bits; `None` for other values.
    pub(super) fn of(&mut self, value: Value<'c>) -> Option<Range> {
        self.at(value, 0)
    }

    /// What a comparison says as one of numbers without sign: it is one, or neither operand can be negative.
    pub(super) fn unsigned(&mut self, comparison: Value<'c>) -> Option<i32> {
        let is_signed = matches!(
            comparison.predicate(),
            predicate::SIGNED_LESS
                | predicate::SIGNED_LESS_EQUAL
                | predicate::SIGNED_GREATER
                | predicate::SIGNED_GREATER_EQUAL
        );
        let mut is_positive = |index: u32| {
            let value = comparison.operand(index);
            let bits = value.ty().int_bits().unwrap_or(0);
            bits > 0 && self.of(value).is_some_and(|range| range.fits(bits - 1))
        };
        let is_unsigned = !is_signed || is_positive(0) && is_positive(1);
        is_unsigned.then(|| predicate::unsigned(comparison.predicate()))
    }

    /// Forgets a value that is erased: another may get its address.
    pub(super) fn forget(&mut self, value: Value<'c>) {
        self.known.remove(&value);
    }

    fn at(&mut self, value: Value<'c>, depth: usize) -> Option<Range> {
        let bits = value.ty().int_bits().filter(|bits| *bits <= 64)?;
        if let Some(number) = value.as_int() {
            return Some(Range { least: number, most: number });
        }
        if !value.is_instruction() || depth == MAX_DEPTH {
            return Some(Range::all(bits));
        }
        if let Some(range) = self.known.get(&value) {
            return Some(*range);
        }
        // Meanwhile, for a phi of which it is a part.
        self.known.insert(value, Range::all(bits));
        let mut of = |operand: Value<'c>| self.at(operand, depth + 1);
        let range = match value.opcode() {
            opcode::CALL => of_register(self.range, value, bits),
            opcode::PHI => {
                let ranges: Option<Vec<Range>> = value.operands().into_iter().map(of).collect();
                ranges.and_then(|all| all.into_iter().reduce(Range::or))
            }
            _ => computed(value, bits, &mut of),
        };
        let range = range.unwrap_or(Range::all(bits));
        self.known.insert(value, range);
        Some(range)
    }
}

/// The range of what an operation that is no phi computes, by those of its operands.
fn computed<'c>(
    value: Value<'c>,
    bits: u32,
    range_of: &mut dyn FnMut(Value<'c>) -> Option<Range>,
) -> Option<Range> {
    let mut of = |index: u32| range_of(value.operand(index));
    let shift = || value.operand(1).as_int().filter(|by| *by < u64::from(bits));
    match value.opcode() {
        opcode::ZERO_EXTEND => of(0),
        opcode::SIGN_EXTEND => {
            let from = value.operand(0).ty().int_bits()?;
            of(0).filter(|range| range.fits(from - 1))
        }
        opcode::TRUNCATE => of(0).filter(|range| range.fits(bits)),
        opcode::AND => {
            let (a, b) = (of(0)?, of(1)?);
            let mask = value.operand(1).as_int().filter(|mask| keeps_upper_bits(*mask, a));
            let least = mask.map_or(0, |mask| a.least & mask);
            Some(Range { least, most: a.most.min(b.most) })
        }
        opcode::OR | opcode::XOR => {
            let (a, b) = (of(0)?, of(1)?);
            let ones = (a.most | b.most).checked_ilog2().map_or(0, |bit| u64::MAX >> (63 - bit));
            let least = if value.opcode() == opcode::OR { a.least.max(b.least) } else { 0 };
            Some(Range { least, most: ones })
        }
        opcode::ADD => {
            let (a, b) = (of(0)?, of(1)?);
            let sum = |a: u64, b: u64| u128::from(a) + u128::from(b);
            Range::wrapped(sum(a.least, b.least), sum(a.most, b.most), bits)
        }
        opcode::SUB => {
            let (a, b) = (of(0)?, of(1)?);
            // What is left of the division whose product is subtracted.
            if let Some(quotient) = quotient_of(value.operand(1))
                && quotient.operand(0) == value.operand(0)
            {
                return Some(remainder(a, range_of(quotient.operand(1))?));
            }
            let least = a.least.checked_sub(b.most)?;
            Some(Range { least, most: a.most - b.least })
        }
        opcode::MUL => {
            let (a, b) = (of(0)?, of(1)?);
            // A quotient times its divisor is no more than what was divided.
            if let Some(quotient) = quotient_of(value) {
                return Some(Range { least: 0, most: range_of(quotient.operand(0))?.most });
            }
            let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
            Range::wrapped(product(a.least, b.least), product(a.most, b.most), bits)
        }
        opcode::SHL => {
            let (a, by) = (of(0)?, shift()?);
            Range::wrapped(u128::from(a.least) << by, u128::from(a.most) << by, bits)
        }
        opcode::LSHR => match (of(0)?, shift()) {
            (a, Some(by)) => Some(Range { least: a.least >> by, most: a.most >> by }),
            (a, None) => Some(Range { least: 0, ..a }),
        },
        opcode::UDIV => {
            let (a, b) = (of(0)?, of(1)?);
            Some(match a.most.checked_div(b.least) {
                Some(most) => Range { least: a.least / b.most, most },
                // By zero, all bits are set; `narrow_words.rs` makes it a division of 32 bits where numbers fit.
                None if a.fits(32) && b.fits(32) => Range { least: 0, ..Range::all(32) },
                None => Range::all(bits),
            })
        }
        opcode::UREM => Some(remainder(of(0)?, of(1)?)),
        opcode::SELECT => Some(of(1)?.or(of(2)?)),
        _ => None,
    }
}

/// Whether a mask clears the lowest bits of all numbers of a range, and no others.
fn keeps_upper_bits(mask: u64, range: Range) -> bool {
    let ones = mask | mask.wrapping_sub(1);
    mask != 0 && ones & ones.wrapping_add(1) == 0 && range.most <= ones
}

/// What is left of a division. By zero, it is what was divided.
fn remainder(divided: Range, divisor: Range) -> Range {
    let below = if divisor.least == 0 { u64::MAX } else { divisor.most - 1 };
    Range { least: 0, most: divided.most.min(below) }
}

/// The division whose quotient a product multiplies with its divisor.
fn quotient_of(product: Value<'_>) -> Option<Value<'_>> {
    if !product.is_instruction() || product.opcode() != opcode::MUL {
        return None;
    }
    let (a, b) = (product.operand(0), product.operand(1));
    let divides = |quotient: Value<'_>, by| {
        quotient.is_instruction() && quotient.opcode() == opcode::UDIV && quotient.operand(1) == by
    };
    match (divides(a, b), divides(b, a)) {
        (true, _) => Some(a),
        (_, true) => Some(b),
        _ => None,
    }
}

/// Whether a value is a quotient's product with its divisor, or what that leaves of what was divided.
pub(super) fn is_of_division(value: Value<'_>) -> bool {
    let leaves = || quotient_of(value.operand(1)).map(|quotient| quotient.operand(0));
    match value.opcode() {
        opcode::MUL => quotient_of(value).is_some(),
        opcode::SUB => leaves() == Some(value.operand(0)),
        _ => false,
    }
}

/// The range that a special register has.
fn of_register(kind: u32, call: Value<'_>, bits: u32) -> Option<Range> {
    let [least, end] = call.metadata(kind)?.node_operands()[..] else { return None };
    let (least, end) = (least.as_int()?, end.as_int()?);
    (least < end && Range::all(bits).most >= end - 1).then(|| Range { least, most: end - 1 })
}

/// Ranges where conditions hold, which are those of branches on the way there.
pub(super) struct Behind<'r, 'c> {
    anywhere: &'r mut Ranges<'c>,
    facts: BTreeMap<Value<'c>, Range>,
    known: BTreeMap<Value<'c>, Range>,
}

impl<'r, 'c> Behind<'r, 'c> {
    pub(super) fn new(anywhere: &'r mut Ranges<'c>) -> Self {
        Behind { anywhere, facts: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// Adds a condition that holds there, or does not. All must be added before the first question.
    pub(super) fn add(&mut self, condition: Value<'c>, holds: bool) {
        if !condition.is_instruction() {
            return;
        }
        match (condition.opcode(), holds) {
            (opcode::INTEGER_COMPARISON, _) => _ = self.add_comparison(condition, holds),
            // Both hold.
            (opcode::AND, true) => {
                condition.operands().into_iter().for_each(|part| self.add(part, true));
            }
            (opcode::SELECT, true) if condition.operand(2).as_int() == Some(0) => {
                condition.operands().into_iter().take(2).for_each(|part| self.add(part, true));
            }
            _ => {}
        }
    }

    fn add_comparison(&mut self, comparison: Value<'c>, holds: bool) -> Option<()> {
        let says = self.anywhere.unsigned(comparison)?;
        let says = if holds { says } else { predicate::inverse(says) };
        let (a, b) = (comparison.operand(0), comparison.operand(1));
        for (value, says, other) in [(a, says, b), (b, predicate::swapped(says), a)] {
            let own = self.anywhere.of(value)?;
            let fact = Range::that_compares(says, self.anywhere.of(other)?);
            if let Some(fact) = fact.filter(|_| !value.is_constant()) {
                let known = self.facts.get(&value).copied().unwrap_or(own);
                self.facts.insert(value, known.and(fact));
            }
        }
        Some(())
    }

    /// The range of an integer there.
    pub(super) fn of(&mut self, value: Value<'c>) -> Option<Range> {
        self.at(value, 0)
    }

    fn at(&mut self, value: Value<'c>, depth: usize) -> Option<Range> {
        let anywhere = self.anywhere.of(value)?;
        if self.facts.is_empty() || value.is_constant() {
            return Some(anywhere);
        }
        if let Some(range) = self.known.get(&value) {
            return Some(*range);
        }
        let bits = value.ty().int_bits()?;
        let mut range = anywhere;
        // What a phi is made from may be a value of an earlier time: of the iteration before, in which the conditions need not
        // have held.
        let is_apart = value.is_instruction()
            && depth < MAX_DEPTH
            && !matches!(value.opcode(), opcode::PHI | opcode::CALL);
        if is_apart {
            let computed = computed(value, bits, &mut |operand| self.at(operand, depth + 1));
            range = computed.map_or(range, |computed| range.and(computed));
        }
        if let Some(fact) = self.facts.get(&value) {
            range = range.and(*fact);
        }
        self.known.insert(value, range);
        Some(range)
    }
}
