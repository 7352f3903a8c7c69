//! Lengths that are truncated to 32 bits, as is common in kernels: `let n = x.len() as u32`.
//!
//! What is below the truncated number is below the full one, too. LLVM knows, but the pass that removes
//! bounds checks (`constraint-elimination`) does not look into a truncation.

use crate::llvm::{Builder, Module, Value, opcode, predicate};

/// Tells LLVM, for every truncated number in a function that something is compared with, that it is not
/// greater than the original.
pub(crate) fn bound_truncated<'c>(module: &Module<'c>, function: Value<'c>) {
    let Some((assume, ty)) = module.intrinsic("llvm.assume") else { return };
    for cut in function.instructions() {
        if cut.opcode() != opcode::TRUNCATE || !is_compared(cut) {
            continue;
        }
        let Some(next) = cut.next_instruction() else { continue };
        let whole = cut.operand(0);
        let builder = Builder::before(module.context(), next);
        let extended = builder.int_cast(cut, whole.ty());
        let holds = builder.compare(predicate::UNSIGNED_LESS_EQUAL, extended, whole);
        builder.call(ty, assume, &[holds]);
    }
}

fn is_compared(value: Value<'_>) -> bool {
    value
        .users()
        .iter()
        .any(|user| user.is_instruction() && user.opcode() == opcode::INTEGER_COMPARISON)
}
