//! What a copy calculates in fewer instructions, because the numbers are small in every launch that runs the copy.
//!
//! - Sums and products that saturate become plain ones where they fit. Views calculate the places of elements in this way.
//! - Operands of 64-bit divisions that fit into 32 bits are written as extensions from 32, so that the divisions become 32-bit ones
//!   (`narrow_words.rs`).

use super::prover::{MAX_WIDE, Prover};
use super::registers::intrinsic_of;
use super::saturating::{Saturating, saturating};
use super::sum::Sum;
use crate::llvm::{Block, Builder, Context, Value, opcode};

/// What something is proved of.
#[derive(Clone, Copy)]
pub(super) enum Subject<'c> {
    /// The check at the end of the block: it can't fail.
    Check,
    /// A sum or product that saturates: it fits.
    Saturates(Value<'c>),
    /// A 64-bit division: its operands fit into 32 bits.
    Divides(Value<'c>),
}

impl<'c> Prover<'_, 'c> {
    /// Proves that a sum or product that saturates fits.
    pub(super) fn never_saturates(&mut self, parts: &Saturating<'c>, at: Block<'c>) -> Option<()> {
        let [a, b] = parts.operands;
        let (a, b) = (self.most_value(a, at)?, self.most_value(b, at)?);
        self.need(Sum::number(MAX_WIDE).plus(&parts.combine([&a, &b])?, -1)?)
    }
}

/// Proves what makes operations of a kernel simpler: each with its block, and what must not be negative for that.
pub(super) fn simpler<'c>(prover: &mut Prover<'_, 'c>) -> Vec<(Subject<'c>, Block<'c>, Vec<Sum>)> {
    let blocks = prover.flow.blocks.clone();
    let mut proofs = Vec::new();
    for block in blocks {
        let all = block.instructions();
        for (place, value) in all.iter().copied().enumerate() {
            prover.forget();
            let subject = if let Some(parts) = saturating(value) {
                prover.never_saturates(&parts, block).map(|()| Subject::Saturates(value))
            } else if is_wide_division(value) {
                are_words(prover, value, block).map(|()| Subject::Divides(value))
            } else {
                None
            };
            if let Some(subject) = subject.filter(|_| !is_assumed_of_others(&all[place..])) {
                let needs = std::mem::take(&mut prover.needs);
                proofs.push((subject, block, needs));
            }
        }
    }
    proofs
}

/// Whether something is assumed behind a call that need not return: the facts of a block tell nothing of the threads that stay in
/// the call.
fn is_assumed_of_others(behind: &[Value<'_>]) -> bool {
    let calls = behind.iter().filter(|one| one.is_call());
    let mut calls = calls.skip_while(|one| intrinsic_of(**one).is_some());
    calls.any(|one| intrinsic_of(*one).is_some_and(|name| name == "llvm.assume"))
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

/// Makes an operation of a copy simpler, where that was proved of it.
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
