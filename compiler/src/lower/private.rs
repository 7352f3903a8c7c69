//! Atomic instructions on a thread's own variables, to ordinary ones.
//!
//! PTX has no `atom` for local memory (PTX ISA, `atom`: "global, shared or generic"), and nobody
//! else can see an atomic that lives on the stack of a thread. This runs once functions are inlined,
//! when it shows which pointers those are.

use std::collections::HashSet;

use crate::llvm::{Builder, Module, Value, opcode, predicate};

/// LLVM-C's number of `xchg`, which has no arithmetic.
const EXCHANGE: i32 = 0;

/// Replaces `atomicrmw` and `cmpxchg` on variables of the thread.
pub(crate) fn make_plain(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            match instruction.opcode() {
                opcode::ATOMIC_RMW if is_private(instruction.operand(0)) => {
                    update(module, instruction);
                }
                opcode::CMPXCHG if is_private(instruction.operand(0)) => {
                    compare_exchange(module, instruction);
                }
                _ => {}
            }
        }
    }
}

/// Whether a pointer points to a variable of the thread, on every path.
fn is_private(pointer: Value<'_>) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![pointer];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if !value.is_instruction() {
            return false;
        }
        match value.opcode() {
            opcode::ALLOCA => {}
            opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST => open.push(value.operand(0)),
            opcode::SELECT => open.extend([value.operand(1), value.operand(2)]),
            opcode::PHI => open.extend(value.operands()),
            _ => return false,
        }
    }
    true
}

/// `atomicrmw`, as load, operation and store.
fn update<'c>(module: &Module<'c>, instruction: Value<'c>) {
    let builder = Builder::before(module.context(), instruction);
    let (pointer, value) = (instruction.operand(0), instruction.operand(1));
    let operation = instruction.atomic_operation();
    let old = builder.load(value.ty(), pointer);
    let Some(new) = result(&builder, operation, old, value) else { return };
    builder.store(new, pointer);
    instruction.replace_all_uses_with(old);
    instruction.erase();
}

/// What an `atomicrmw` stores; `None` for operations that Rust has no function for.
fn result<'c>(
    builder: &Builder<'c>,
    operation: i32,
    old: Value<'c>,
    value: Value<'c>,
) -> Option<Value<'c>> {
    let pick = |predicate| builder.select(builder.compare(predicate, old, value), old, value);
    Some(match operation {
        EXCHANGE => value,
        1 => builder.binary(opcode::ADD, old, value),
        2 => builder.binary(opcode::SUB, old, value),
        3 => builder.and(old, value),
        4 => builder.binary(opcode::XOR, builder.and(old, value), old.ty().constant(u64::MAX)),
        5 => builder.or(old, value),
        6 => builder.binary(opcode::XOR, old, value),
        7 => pick(predicate::SIGNED_GREATER),
        8 => pick(predicate::SIGNED_LESS),
        9 => pick(predicate::UNSIGNED_GREATER),
        10 => pick(predicate::UNSIGNED_LESS),
        11 => builder.binary(opcode::FADD, old, value),
        12 => builder.binary(opcode::FSUB, old, value),
        _ => return None,
    })
}

/// `cmpxchg`, as load, comparison and store; its result is the pair (old value, success).
fn compare_exchange<'c>(module: &Module<'c>, instruction: Value<'c>) {
    let builder = Builder::before(module.context(), instruction);
    let [pointer, expected, new] = [0, 1, 2].map(|i| instruction.operand(i));
    let old = builder.load(expected.ty(), pointer);
    let same = builder.compare(predicate::EQUAL, old, expected);
    builder.store(builder.select(same, new, old), pointer);
    let pair = builder.insert(instruction.ty().undefined(), old, 0);
    instruction.replace_all_uses_with(builder.insert(pair, same, 1));
    instruction.erase();
}
