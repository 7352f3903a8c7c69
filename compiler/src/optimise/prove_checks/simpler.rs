//! What a copy calculates in fewer instructions, because what is calculated is small in every launch that runs the copy.
//!
//! - Sums and products that saturate become plain ones where they fit. Views calculate the places of elements in this way.
//! - Divisions of 64 bits whose operands fit into 32 are told so, and become divisions of 32 bits (`narrow_words.rs`).

use super::levels::{Proof, Subject};
use super::prover::{MAX_WIDE, Prover};
use super::sum::Sum;
use crate::llvm::{Block, Builder, Context, Opcode, Value, opcode, predicate};

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
    if let Some(name) = super::registers::intrinsic_of(value) {
        let operands = value.arguments();
        let is_sum = name.starts_with("llvm.uadd.sat.");
        return is_sum.then(|| {
            Some(Saturating { operation: opcode::ADD, operands: [operands[0], operands[1]] })
        })?;
    }
    let is = |value: Value<'_>, opcode| value.is_instruction() && value.opcode() == opcode;
    if !is(value, opcode::SELECT) || value.operand(1).as_int() != Some(u64::MAX) {
        return None;
    }
    let (overflows, result) = (value.operand(0), value.operand(2));
    if is(overflows, opcode::EXTRACT_VALUE) && is(result, opcode::EXTRACT_VALUE) {
        let both = overflows.operand(0);
        let name = super::registers::intrinsic_of(both).filter(|_| both == result.operand(0))?;
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

impl<'c> Prover<'_, 'c> {
    /// Proves that a sum or product that saturates fits.
    pub(super) fn never_saturates(&mut self, parts: &Saturating<'c>, at: Block<'c>) -> Option<()> {
        let [a, b] = parts.operands;
        let (a, b) = (self.most_value(a, at)?, self.most_value(b, at)?);
        self.need(Sum::number(MAX_WIDE).plus(&parts.combine([&a, &b])?, -1)?)
    }
}

/// Proves of a kernel's operations what makes them simpler.
pub(super) fn simpler<'c>(prover: &mut Prover<'_, 'c>) -> Vec<Proof<'c>> {
    let blocks = prover.flow.blocks.clone();
    let mut proofs = Vec::new();
    for block in blocks {
        for value in block.instructions() {
            prover.forget();
            let subject = if let Some(parts) = saturating(value) {
                prover.never_saturates(&parts, block).map(|()| Subject::Saturates(value))
            } else if is_wide_division(value) {
                are_words(prover, value, block).map(|()| Subject::Divides(value))
            } else {
                None
            };
            if let Some(subject) = subject {
                let needs = std::mem::take(&mut prover.needs);
                proofs.push(Proof { subject, block, needs, exact: Vec::new() });
            }
        }
    }
    proofs
}

fn is_wide_division(value: Value<'_>) -> bool {
    matches!(value.opcode(), opcode::UDIV | opcode::UREM)
        && value.ty().int_bits() == Some(64)
        && !value.operands().into_iter().all(is_word)
}

/// Whether LLVM can see that a value fits into 32 bits.
fn is_word(value: Value<'_>) -> bool {
    match value.as_int() {
        Some(number) => u32::try_from(number).is_ok(),
        None => {
            value.is_instruction()
                && value.opcode() == opcode::ZERO_EXTEND
                && value.operand(0).ty().int_bits().is_some_and(|bits| bits <= 32)
        }
    }
}

/// Proves that the operands of a division fit into 32 bits.
fn are_words<'c>(prover: &mut Prover<'_, 'c>, value: Value<'c>, at: Block<'c>) -> Option<()> {
    let wide = value.operands().into_iter().filter(|operand| !is_word(*operand));
    for operand in wide {
        let most = prover.most_value(operand, at)?;
        prover.need(Sum::number(u32::MAX.into()).plus(&most, -1)?)?;
    }
    Some(())
}

/// Makes an operation of a copy simpler, of which that was proved.
pub(super) fn simplify<'c>(context: &'c Context, subject: Subject<'c>, copy: Value<'c>) {
    let builder = Builder::before(context, copy);
    match subject {
        Subject::Check => {}
        Subject::Saturates(_) => {
            let plain = match copy.opcode() {
                opcode::SELECT => copy.operand(2),
                _ => {
                    let operands = copy.arguments();
                    builder.binary(opcode::ADD, operands[0], operands[1])
                }
            };
            copy.replace_all_uses_with(plain);
            copy.erase();
        }
        Subject::Divides(_) => {
            for (index, operand) in (0..).zip(copy.operands()) {
                if !is_word(operand) {
                    let low = builder.cast(opcode::TRUNCATE, operand, context.int(32));
                    copy.set_operand(index, builder.cast(opcode::ZERO_EXTEND, low, operand.ty()));
                }
            }
        }
    }
}
