//! What instructions between two checks do.

use crate::llvm::{Block, Context, Value, opcode, ordering};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Computes a value, without side effects. So does a load that is marked as valid.
    Pure,
    /// Loads from or stores to memory, without an order among several addresses that other threads could rely on: also
    /// relaxed atomic loads, as of shared cells.
    Memory,
    /// Only informs the optimiser, which has already run.
    Remark,
    /// Anything else: calls, atomics, barriers, divisions.
    Other,
}

/// Tells kinds of instructions.
pub(crate) struct Kinds {
    speculatable: u32,
    /// What an intrinsic has that only computes: it returns, and accesses no memory.
    computing: [u32; 3],
    convergent: u32,
    remarks: [u32; 2],
    is_valid: u32,
    /// What is promised of loaded values.
    promises: [u32; 5],
}

/// Marks loads that are valid wherever their address is known, of memory that no thread writes.
const IS_VALID: &str = "ptyx.is_valid";

impl Kinds {
    pub(crate) fn new(context: &Context) -> Kinds {
        Kinds {
            speculatable: context.attribute_kind("speculatable"),
            computing: ["nounwind", "willreturn", "memory"]
                .map(|name| context.attribute_kind(name)),
            convergent: context.attribute_kind("convergent"),
            remarks: ["llvm.assume", "llvm.experimental.noalias.scope.decl"]
                .map(|name| context.intrinsic_id(name)),
            is_valid: context.metadata_kind(IS_VALID),
            promises: ["range", "noundef", "nonnull", "align", "dereferenceable"]
                .map(|name| context.metadata_kind(name)),
        }
    }

    /// Notes of a load that it is valid wherever its address is known, and that no thread writes what it loads.
    pub(super) fn mark_valid<'c>(&self, context: &'c Context, load: Value<'c>) {
        load.set_metadata(self.is_valid, context.metadata_node(&[]));
        self.forget_promises(load);
    }

    /// Removes what is promised of a loaded value: the promise may hold only behind a test of another value.
    pub(crate) fn forget_promises(&self, load: Value<'_>) {
        for kind in self.promises {
            load.clear_metadata(kind);
        }
    }

    pub(crate) fn of(&self, instruction: Value<'_>) -> Kind {
        match instruction.opcode() {
            opcode::LOAD if instruction.metadata(self.is_valid).is_some() => Kind::Pure,
            opcode::LOAD | opcode::STORE => {
                let order = instruction.memory_ordering();
                let is_relaxed_load =
                    order == ordering::MONOTONIC && instruction.opcode() == opcode::LOAD;
                let is_free = order == ordering::NOT_ATOMIC || is_relaxed_load;
                if is_free && !instruction.is_volatile() { Kind::Memory } else { Kind::Other }
            }
            opcode::CALL if super::is_division(instruction) => Kind::Pure,
            opcode::UDIV | opcode::UREM | opcode::SDIV | opcode::SREM => {
                // By what is neither zero nor, with a sign, minus one.
                let bits = instruction.ty().int_bits().unwrap_or(1).min(64);
                match instruction.operand(1).as_int() {
                    Some(divisor @ 1..) if divisor < 1 << (bits - 1) => Kind::Pure,
                    _ => Kind::Other,
                }
            }
            opcode::CALL => {
                let callee = instruction.callee();
                if !callee.is_function() || callee.intrinsic_id() == 0 {
                    Kind::Other
                } else if self.remarks.contains(&callee.intrinsic_id()) {
                    Kind::Remark
                } else if callee.has_function_attribute(self.speculatable) || self.computes(callee)
                {
                    Kind::Pure
                } else {
                    Kind::Other
                }
            }
            other if opcode::PURE.contains(&other) => Kind::Pure,
            // A block with one predecessor has phis of one value.
            opcode::PHI => Kind::Pure,
            _ => Kind::Other,
        }
    }

    /// Whether a block does no more than compute, load and store, before its end.
    pub(crate) fn is_simple(&self, block: Block<'_>) -> bool {
        let mut all = block.instructions();
        all.pop();
        all.iter().all(|one| self.of(*one) != Kind::Other)
    }

    /// Whether an intrinsic of the machine, such as an approximation of `2^x`, only computes. LLVM knows too little of them
    /// to call them so before a check, but the machine has a result for all operands.
    fn computes(&self, callee: Value<'_>) -> bool {
        let [nounwind, willreturn, memory] = self.computing;
        callee.name().starts_with("llvm.nvvm.")
            && callee.has_function_attribute(nounwind)
            && callee.has_function_attribute(willreturn)
            && callee.function_attribute_value(memory) == Some(0)
            && !callee.has_function_attribute(self.convergent)
    }
}
