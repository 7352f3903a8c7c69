//! Keeps the ordering of atomic instructions where the backend would lose it or give up.
//!
//! LLVM 22 prints every `atomicrmw` for PTX as relaxed. The order that Rust asked for is made with
//! fences around it, which the backend does print (PTX ISA 8.7, "Release and acquire patterns").
//!
//! A fence for one thread (`compiler_fence`) has no PTX, and LLVM ends the process when it meets one.
//! It constrains only the compiler, not the device: empty PTX that may touch all memory does the same.

use crate::llvm::known::SINGLE_THREAD;
use crate::llvm::{Builder, Module, Value, opcode, ordering};

/// Rewrites what the backend can't lower.
pub(super) fn order_atomics(module: &Module<'_>) {
    for function in module.functions() {
        let instructions = function.instructions();
        for pair in instructions.windows(2) {
            match pair[0].opcode() {
                opcode::ATOMIC_RMW => order_rmw(module, pair[0], pair[1]),
                opcode::FENCE => lower_compiler_fence(module, pair[0]),
                _ => (),
            }
        }
    }
}

/// Surrounds an ordered `atomicrmw` with fences and makes it relaxed.
fn order_rmw<'c>(module: &Module<'c>, instruction: Value<'c>, next: Value<'c>) {
    let context = module.context();
    let wanted = instruction.memory_ordering();
    if wanted <= ordering::MONOTONIC {
        return;
    }
    let scope = instruction.sync_scope();
    if wanted != ordering::ACQUIRE {
        let before = wanted.max(ordering::RELEASE);
        Builder::before(context, instruction).fence(before, scope);
    }
    if wanted != ordering::RELEASE {
        Builder::before(context, next).fence(ordering::ACQUIRE, scope);
    }
    instruction.set_memory_ordering(ordering::MONOTONIC);
}

fn lower_compiler_fence<'c>(module: &Module<'c>, fence: Value<'c>) {
    let context = module.context();
    if fence.sync_scope() != context.sync_scope(SINGLE_THREAD) {
        return;
    }
    let ty = context.function(context.void(), &[]);
    let empty = context.inline_asm(ty, "", "~{memory}", true);
    Builder::before(context, fence).call(ty, empty, &[]);
    fence.erase();
}
