//! Values that are no poison, so that LLVM's `freeze` of them is the value itself.

use super::registers::{REGISTERS, intrinsic_of};
use crate::llvm::{Block, Value, opcode};

/// How many values a value is calculated from, one from the other, at most.
const MAX_DEPTH: usize = 12;

/// Intrinsics that return one of their operands.
const EXTREMES: [&str; 4] = ["llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin."];

/// Whether a value is never poison where it is calculated: none of the operations that it is calculated with promises anything about
/// its operands, or a branch asks for it, which is undefined for poison.
pub(super) fn is_defined<'c>(value: Value<'c>) -> bool {
    is_defined_within(value, &mut Vec::new())
}

/// The same; `open` are the values that it is being asked of. Around a loop, poison would have to come from another value.
fn is_defined_within<'c>(value: Value<'c>, open: &mut Vec<Value<'c>>) -> bool {
    if value.as_int().is_some() || value.parameter_of().is_some() || open.contains(&value) {
        return true;
    }
    if !value.is_instruction() || open.len() == MAX_DEPTH {
        return false;
    }
    let is_shift = || value.operand(1).as_int().zip(value.ty().int_bits());
    let promises_nothing = match value.opcode() {
        opcode::FREEZE => return true,
        opcode::CALL => match intrinsic_of(value) {
            Some(name) if name.starts_with(REGISTERS) => return true,
            Some(name) => EXTREMES.iter().any(|one| name.starts_with(one)),
            None => false,
        },
        opcode::PHI | opcode::AND | opcode::SIGN_EXTEND | opcode::UREM | opcode::SREM => true,
        opcode::ADD | opcode::SUB | opcode::MUL | opcode::TRUNCATE => {
            !value.cannot_wrap_unsigned() && !value.cannot_wrap_signed()
        }
        // A shift by too many bits is poison.
        opcode::SHL => {
            !value.cannot_wrap_unsigned()
                && !value.cannot_wrap_signed()
                && is_shift().is_some_and(|(by, bits)| by < u64::from(bits))
        }
        opcode::OR => !value.is_disjoint(),
        opcode::ZERO_EXTEND => !value.is_not_negative(),
        _ => false,
    };
    if !promises_nothing {
        return false;
    }
    open.push(value);
    let all = match value.opcode() {
        opcode::PHI => value
            .incoming_edges()
            .into_iter()
            .all(|(one, from)| is_asked_for(one, from) || is_defined_within(one, open)),
        opcode::CALL => value.arguments().into_iter().all(|one| is_defined_within(one, open)),
        _ => value.operands().into_iter().all(|one| is_defined_within(one, open)),
    };
    open.pop();
    all
}

/// Whether the branch at the end of a block compares a value.
fn is_asked_for<'c>(value: Value<'c>, block: Block<'c>) -> bool {
    let condition = block.terminator().and_then(Value::condition);
    condition.is_some_and(|one| {
        one.is_instruction()
            && one.opcode() == opcode::INTEGER_COMPARISON
            && one.operands().contains(&value)
    })
}
