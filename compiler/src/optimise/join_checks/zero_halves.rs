//! Extends words with zeros where they index bytes.
//!
//! The address of a byte is two instructions if its index is a word that is extended with zeros, or with its sign. But if the
//! extended index is also what a failing check reports, the assembler keeps its upper half for both: one instruction and
//! one register more for each index. LLVM promises of such an address that its index is not negative (`inbounds nuw`),
//! so zeros are as good, and nothing is shared.
//!
//! Indices of larger elements are extended by the multiplication that they need. An index that is a sum with a constant is left
//! alone: the code generator takes it apart, which it does only with the sign.

use crate::llvm::{Builder, Module, TypeKind, Value, opcode};

/// Extends the indices of every function.
pub(super) fn extend_with_zeros(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        for address in function.instructions() {
            let Some(index) = word_of(module, address) else { continue };
            let builder = Builder::before(context, address);
            address.set_operand(1, builder.cast(opcode::ZERO_EXTEND, index, context.int(64)));
        }
    }
}

/// The word that indexes bytes in an address, extended with its sign.
fn word_of<'c>(module: &Module<'c>, address: Value<'c>) -> Option<Value<'c>> {
    if address.opcode() != opcode::GET_ELEMENT_PTR
        || address.operands().len() != 2
        || module.size_of(address.element_type()) != 1
        || !address.is_without_unsigned_wrap()
        || !address.is_in_bounds()
    {
        return None;
    }
    let index = address.operand(1);
    let extends = index.is_instruction() && index.opcode() == opcode::SIGN_EXTEND;
    let word = extends.then(|| index.operand(0))?;
    let is_sum = word.is_instruction()
        && matches!(word.opcode(), opcode::ADD | opcode::OR)
        && word.operand(1).is_constant();
    (word.ty().kind() == TypeKind::Int(32) && !is_sum).then_some(word)
}
