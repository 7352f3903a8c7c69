//! `i < a && i < b` stays two comparisons.
//!
//! LLVM's code generator would merge them into one, with the minimum of `a` and `b`. A 64-bit minimum is
//! four instructions, a comparison two, and the second continues with the predicate of the first.

use super::join_checks::hidden;
use crate::llvm::{Builder, Module, TypeKind, Value, opcode};

/// Hides from the code generator one of two comparisons of words with an operand in common.
pub(crate) fn avoid_minima(module: &Module<'_>) {
    let context = module.context();
    for instruction in module.functions().into_iter().flat_map(|f| f.instructions()) {
        // `and` of both, bitwise or as a select that ignores the second where the first fails; or their
        // `or`.
        let at = match instruction.opcode() {
            opcode::AND | opcode::OR => 1,
            opcode::SELECT if instruction.operand(2).as_int() == Some(0) => 1,
            opcode::SELECT if instruction.operand(1).as_int() == Some(1) => 2,
            _ => continue,
        };
        let (first, second) = (instruction.operand(0), instruction.operand(at));
        if is_comparison(first) && is_comparison(second) && have_side_in_common(first, second) {
            let builder = Builder::before(context, instruction);
            instruction.set_operand(at, hidden(context, &builder, second));
        }
    }
}

/// Whether a value compares words of 64 bits by their order.
fn is_comparison(value: Value<'_>) -> bool {
    value.is_instruction()
        && value.opcode() == opcode::INTEGER_COMPARISON
        && value.operand(0).ty().kind() == TypeKind::Int(64)
        && !value.operands().iter().any(|side| side.is_constant())
}

fn have_side_in_common<'c>(a: Value<'c>, b: Value<'c>) -> bool {
    a.operands().iter().any(|side| b.operands().contains(side))
}
