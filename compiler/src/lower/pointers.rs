//! Whether a kernel dereferences pointers that a launch can't track.
//!
//! The host orders a launch after earlier uses of the buffers in its arguments. A raw pointer in an
//! argument, an address made from an integer and an address read from memory can point to any buffer.
//! Launches of kernels that dereference these are ordered separately (`ptyx::memory::untracked`). A false
//! positive only costs that ordering.

use super::lower_inline_ptx::touches_memory;
use super::place_statics::is_constant_static;
use crate::llvm::{Attribute, Module, Type, TypeKind, Value, opcode};
use crate::symbols::is_recording;

/// How many steps are followed from an address to the object that it points into.
const MAX_STEPS: usize = 64;

/// Whether the optimised kernel does. `unpromised` lists the entry's parameters that are pointers without
/// any guarantee from the launch.
pub(crate) fn follows_untracked<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
    unpromised: &[u32],
) -> bool {
    let params = entry.params();
    if unpromised.iter().any(|&at| params.get(at as usize).is_some_and(|p| !p.users().is_empty())) {
        return true;
    }
    let by_value = module.context().attribute_kind("byval");
    let has_bytes = (0..params.len() as u32)
        .any(|at| entry.param_attribute(at, by_value).is_some_and(|_: Attribute| true));
    module
        .functions()
        .into_iter()
        .filter(|function| !is_recording(&function.name()))
        .flat_map(Value::instructions)
        .any(|instruction| match instruction.opcode() {
            opcode::INT_TO_PTR => !instruction.operand(0).is_constant(),
            opcode::LOAD | opcode::ATOMIC_RMW | opcode::CMPXCHG
                if holds_pointers(instruction.ty()) =>
            {
                // The loads that produced what a thread has written itself are checked on their own,
                // unless it came as bytes of an argument.
                has_bytes || !is_own(instruction.operand(0))
            }
            // The instructions of a `ptx!` may use numbers as addresses, and return pointers.
            opcode::CALL if touches_memory(instruction) => {
                let mut types = instruction.called_type().params();
                types.retain(|ty| ty.kind() == TypeKind::Int(64));
                !types.is_empty() || holds_pointers(instruction.ty())
            }
            _ => false,
        })
}

/// Whether values of a type are pointers or contain some, as vectors and structs can.
fn holds_pointers(ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::Pointer => true,
        TypeKind::Other => ty.print().contains("ptr"),
        _ => false,
    }
}

/// Whether an address leads into the module's constants, or into the thread's own variables where all
/// that they hold was written as pointers.
fn is_own(mut address: Value<'_>) -> bool {
    for _ in 0..MAX_STEPS {
        let constant = address.is_constant();
        if !constant && !address.is_instruction() {
            return false;
        }
        let opcode = match constant {
            true => address.constant_opcode(),
            false => Some(address.opcode()),
        };
        match opcode {
            Some(opcode::ALLOCA) => return is_written_as_pointers(address, MAX_STEPS),
            Some(opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST) => {
                address = address.operand(0);
            }
            // Not shared memory and not a device static: what is there may have come as bytes.
            _ => {
                return constant
                    && address.constant_initializer().is_some()
                    && !is_constant_static(address);
            }
        }
    }
    false
}

/// Whether everything that is written to a variable is a pointer or a constant. Bytes from a memory
/// copy or a number may be those of an address that was read elsewhere.
fn is_written_as_pointers(place: Value<'_>, steps: usize) -> bool {
    steps > 0
        && place.users().into_iter().all(|user| match user.opcode() {
            opcode::LOAD => true,
            opcode::STORE => {
                let value = user.operand(0);
                value != place && (value.is_constant() || holds_pointers(value.ty()))
            }
            opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST => {
                is_written_as_pointers(user, steps - 1)
            }
            opcode::CALL => {
                let callee = user.callee().name();
                ["llvm.lifetime.", "llvm.memset."].iter().any(|known| callee.starts_with(known))
            }
            _ => false,
        })
}
