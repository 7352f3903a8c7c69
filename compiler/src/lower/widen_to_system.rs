//! Atomic updates for all devices and the host.
//!
//! LLVM 22 prints `atomicrmw` for PTX without a scope, whatever it has, and PTX takes that for the scope of the
//! device (PTX ISA, `atom`). That is wide enough for all scopes but one: the system's, which is also the scope of
//! `core::sync::atomic`. Those updates become inline PTX.

use crate::llvm::{Builder, Module, TypeKind, Value, opcode, update};

use super::lower_inline_ptx::register;

/// Gives the updates of the system's scope instructions of that scope.
pub(crate) fn widen_to_system(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            if instruction.opcode() == opcode::ATOMIC_RMW
                && instruction.sync_scope() == module.context().sync_scope("")
            {
                widen(module, instruction);
            }
        }
    }
}

fn widen<'c>(module: &Module<'c>, instruction: Value<'c>) {
    let (pointer, mut value) = (instruction.operand(0), instruction.operand(1));
    let Some(operation) = operation(instruction.atomic_operation(), value.ty().kind()) else {
        return;
    };
    let Ok(number) = register(value.ty(), false) else { return };
    let context = module.context();
    let builder = Builder::before(context, instruction);
    if instruction.atomic_operation() == update::SUB {
        value = builder.binary(opcode::SUB, value.ty().constant(0), value);
    }
    let space = match pointer.ty().address_space() {
        1 => ".global",
        3 => ".shared",
        _ => "",
    };
    let template = format!("atom.relaxed.sys{space}.{operation} $0, [$1], $2;");
    let ty = context.function(instruction.ty(), &[pointer.ty(), value.ty()]);
    let constraints = format!("={number},l,{number},~{{memory}}");
    let asm = context.inline_asm(ty, &template, &constraints, true);
    instruction.replace_all_uses_with(builder.call(ty, asm, &[pointer, value]));
    instruction.erase();
}

/// An update in PTX, if there is an instruction for it. What there is none for becomes a loop around `cmpxchg`,
/// whose scope LLVM prints.
fn operation(operation: i32, kind: TypeKind) -> Option<String> {
    let (name, prefix) = match operation {
        update::EXCHANGE => ("exch", 'b'),
        update::ADD | update::SUB => ("add", 'u'),
        update::AND => ("and", 'b'),
        update::OR => ("or", 'b'),
        update::XOR => ("xor", 'b'),
        update::SIGNED_MAX => ("max", 's'),
        update::SIGNED_MIN => ("min", 's'),
        update::UNSIGNED_MAX => ("max", 'u'),
        update::UNSIGNED_MIN => ("min", 'u'),
        update::FLOAT_ADD => ("add", 'f'),
        update::INCREMENT_WRAP => ("inc", 'u'),
        update::DECREMENT_WRAP => ("dec", 'u'),
        _ => return None,
    };
    let bits = match kind {
        TypeKind::Int(bits @ (32 | 64)) if prefix != 'f' => bits,
        TypeKind::F32 if prefix == 'f' => 32,
        TypeKind::F64 if prefix == 'f' => 64,
        _ => return None,
    };
    Some(format!("{name}.{prefix}{bits}"))
}
