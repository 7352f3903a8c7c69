//! Checks of several divisions by one divisor: that it is neither zero nor minus one is enough.
//!
//! Rust checks each division of numbers with a sign twice: that the divisor is not zero, and that not the least number is
//! divided by minus one. For several divisions, one comparison of their divisor is less than to look for the least number in
//! each. Where the divisor is minus one, each check is made.
//!
//! As for the distances of spans (`spans.rs`), the divisor must be a parameter of the kernel, so that no warp is split where
//! no thread panics.

use std::collections::BTreeSet;

use super::Check;
use super::bounds::comparison;
use crate::llvm::{Block, Builder, Value, opcode, predicate};

/// Divisors that may be neither zero nor minus one.
#[derive(Default)]
pub(super) struct Divisors<'c> {
    values: Vec<Value<'c>>,
    /// The blocks of the checks that pass then.
    pub(super) implied: BTreeSet<Block<'c>>,
}

impl<'c> Divisors<'c> {
    /// Finds those among checks of which at least two need not be made.
    pub(super) fn of(checks: &[Check<'c>]) -> Divisors<'c> {
        let mut found: Vec<(Value<'c>, Vec<Block<'c>>)> = Vec::new();
        for check in checks {
            let Some(divisor) = divisor_of(check) else { continue };
            match found.iter_mut().find(|(known, _)| *known == divisor) {
                Some((_, blocks)) => blocks.push(check.block),
                None => found.push((divisor, vec![check.block])),
            }
        }
        let mut divisors = Divisors::default();
        for (value, blocks) in found.into_iter().filter(|(_, blocks)| blocks.len() > 1) {
            divisors.values.push(value);
            divisors.implied.extend(blocks);
        }
        divisors
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The conditions that take the checks' place.
    pub(super) fn conditions(&self, builder: &Builder<'c>) -> impl Iterator<Item = Value<'c>> {
        self.values.iter().map(|value| {
            let one = value.ty().constant(1);
            builder.compare(
                predicate::UNSIGNED_GREATER,
                builder.binary(opcode::ADD, *value, one),
                one,
            )
        })
    }
}

/// The parameter that a check compares because something is divided by it.
fn divisor_of<'c>(check: &Check<'c>) -> Option<Value<'c>> {
    let divisor = match comparison(check) {
        Some((value, predicate::NOT_EQUAL, zero)) if zero.as_int() == Some(0) => {
            value.ty().int_bits().filter(|bits| *bits <= 64)?;
            value
        }
        Some(_) => return None,
        None => overflowing(check)?,
    };
    divisor.thawed().parameter_of().map(|_| divisor)
}

/// What must not be minus one where the least number is divided by it.
fn overflowing<'c>(check: &Check<'c>) -> Option<Value<'c>> {
    let both = check.block.terminator()?.condition().filter(|one| one.is_instruction())?;
    let is_and = both.opcode() == opcode::AND
        || both.opcode() == opcode::SELECT && both.operand(2).as_int() == Some(0);
    if check.passes || !is_and {
        return None;
    }
    let equals = |part: Value<'c>| {
        let is_equal = part.is_instruction()
            && part.opcode() == opcode::INTEGER_COMPARISON
            && part.predicate() == predicate::EQUAL;
        let bits = || part.operand(0).ty().int_bits().filter(|bits| matches!(bits, 32 | 64));
        let bits = is_equal.then(bits).flatten()?;
        Some((part.operand(0), part.operand(1).as_int()?, bits))
    };
    let parts = [equals(both.operand(0))?, equals(both.operand(1))?];
    let [(_, _, bits), (_, _, other_bits)] = parts;
    if bits != other_bits {
        return None;
    }
    let is_least = |(_, number, _): &(Value<'c>, u64, u32)| *number == 1 << (bits - 1);
    let is_minus_one = |(_, number, _): &(Value<'c>, u64, u32)| *number == u64::MAX >> (64 - bits);
    let divisor = parts.iter().find(|part| is_minus_one(part))?;
    parts.iter().any(is_least).then_some(divisor.0)
}
