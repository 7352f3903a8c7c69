//! Which memory an access goes to.

use crate::llvm::{Context, Value, opcode};

/// LLVM's numbers of address spaces (NVPTX usage, "Address Spaces").
const GENERIC: u32 = 0;
const GLOBAL: u32 = 1;
pub(super) const SHARED: u32 = 3;

/// The most steps from an address to the object that it points into.
const MAX_OFFSETS: usize = 16;

/// Where a memory access goes: this decides which others can't touch the same memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// A slice that no thread writes to.
    Constant,
    Global,
    Shared,
    Unknown,
}

impl Space {
    /// Whether a load from here may be made before an earlier store to `other`.
    pub(super) fn passes(self, other: Space) -> bool {
        match self {
            Space::Constant => true,
            Space::Global => other == Space::Shared,
            Space::Shared => other == Space::Global,
            Space::Unknown => false,
        }
    }

    /// Where an access to this address goes.
    pub(super) fn of<'c>(context: &'c Context, address: Value<'c>) -> Space {
        let mut base = address;
        for _ in 0..MAX_OFFSETS {
            match step_of(base) {
                Some(opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST) => {
                    base = base.operand(0)
                }
                _ => break,
            }
        }
        if let Some((function, index)) = base.parameter_of() {
            let is_narrow = ![GENERIC, GLOBAL].contains(&base.ty().address_space());
            let is_promised = |name: &&str| {
                function.param_attribute(index, context.attribute_kind(name)).is_some()
            };
            return match ["noalias", "readonly"].iter().all(is_promised) {
                true => Space::Constant,
                // An entry point gets its addresses from the host, a device function may get some of any space.
                false if function.users().is_empty() && !is_narrow => Space::Global,
                false => Space::Unknown,
            };
        }
        match (base.is_global_variable(), base.ty().address_space()) {
            (true, SHARED) => Space::Shared,
            (true, GLOBAL) => Space::Global,
            _ => Space::Unknown,
        }
    }
}

/// How an address is made from another, be it by an instruction or a constant expression.
pub(super) fn step_of(address: Value<'_>) -> Option<i32> {
    match address.is_instruction() {
        true => Some(address.opcode()),
        false => address.constant_opcode(),
    }
}
