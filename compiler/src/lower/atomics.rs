//! Keeps the ordering of atomic read-modify-writes.
//!
//! LLVM 22 prints every `atomicrmw` for PTX as relaxed. The order that Rust asked for is made with
//! fences around it, which the backend does print (PTX ISA 8.7, "Release and acquire patterns").

use crate::llvm::{Builder, Module, opcode, ordering};

/// Surrounds ordered `atomicrmw`s with fences and makes them relaxed.
pub(super) fn order(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        let instructions = function.instructions();
        for pair in instructions.windows(2) {
            let [instruction, next] = [pair[0], pair[1]];
            if instruction.opcode() != opcode::ATOMIC_RMW {
                continue;
            }
            let wanted = instruction.memory_ordering();
            if wanted <= ordering::MONOTONIC {
                continue;
            }
            let system = "";
            if wanted != ordering::ACQUIRE {
                let before = wanted.max(ordering::RELEASE);
                Builder::before(context, instruction).fence(before, system);
            }
            if wanted != ordering::RELEASE {
                Builder::before(context, next).fence(ordering::ACQUIRE, system);
            }
            instruction.set_memory_ordering(ordering::MONOTONIC);
        }
    }
}
