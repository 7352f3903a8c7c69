//! Sums and products that saturate.

use super::registers::intrinsic_of;
use super::sum::Sum;
use crate::llvm::{Opcode, Value, opcode, predicate};

/// A sum or product that is the greatest number of its type if it does not fit.
pub(super) struct Saturating<'c> {
    operation: Opcode,
    pub(super) operands: [Value<'c>; 2],
}

impl<'c> Saturating<'c> {
    /// What the value is if it fits, given its operands.
    pub(super) fn combine(&self, [a, b]: [&Sum; 2]) -> Option<Sum> {
        match self.operation {
            opcode::ADD => a.plus(b, 1),
            opcode::SHL => a.times(&Sum::number(1 << b.as_number()?)),
            _ => a.times(b),
        }
    }
}

/// A value as a sum or product that saturates: one of LLVM's intrinsics, or a choice by whether it fits.
pub(super) fn saturating(value: Value<'_>) -> Option<Saturating<'_>> {
    if !value.is_instruction() || value.ty().int_bits() != Some(64) {
        return None;
    }
    if let Some(name) = intrinsic_of(value) {
        let operands = value.arguments();
        let is_sum = name.starts_with("llvm.uadd.sat.");
        return is_sum
            .then(|| Saturating { operation: opcode::ADD, operands: [operands[0], operands[1]] });
    }
    let is = |value: Value<'_>, opcode| value.is_instruction() && value.opcode() == opcode;
    if !is(value, opcode::SELECT) || value.operand(1).as_int() != Some(u64::MAX) {
        return None;
    }
    let (overflows, result) = (value.operand(0), value.operand(2));
    if is(overflows, opcode::EXTRACT_VALUE) && is(result, opcode::EXTRACT_VALUE) {
        let both = overflows.operand(0);
        let name = intrinsic_of(both).filter(|_| both == result.operand(0))?;
        let operands = both.arguments();
        let is_product = name.starts_with("llvm.umul.with.overflow.");
        return is_product
            .then(|| Saturating { operation: opcode::MUL, operands: [operands[0], operands[1]] });
    }
    let is_product = is(result, opcode::MUL) || is(result, opcode::SHL);
    let is_asked = is(overflows, opcode::INTEGER_COMPARISON)
        && overflows.predicate() == predicate::UNSIGNED_GREATER;
    if !is_product || !is_asked {
        return None;
    }
    let (factor, by) = (result.operand(0), result.operand(1).as_int()?);
    let most = match result.opcode() {
        opcode::SHL if by < 60 => u64::MAX >> by,
        opcode::MUL => u64::MAX.checked_div(by)?,
        _ => return None,
    };
    (overflows.operand(0) == factor && overflows.operand(1).as_int() == Some(most))
        .then(|| Saturating { operation: result.opcode(), operands: [factor, result.operand(1)] })
}
