//! Instructions.

use super::context::copy_bytes;
use super::global::AT_FUNCTION;
use super::{Attribute, Block, Context, Opcode, Type, Value, api, opcode};

impl<'c> Value<'c> {
    pub(crate) fn opcode(self) -> Opcode {
        // SAFETY: live handle of an instruction.
        unsafe { (api().LLVMGetInstructionOpcode)(self.raw()) }
    }

    pub(crate) fn is_call(self) -> bool {
        self.is_instruction() && self.opcode() == opcode::CALL
    }

    /// The instruction after this one in its block.
    pub(crate) fn next_instruction(self) -> Option<Value<'c>> {
        // SAFETY: live handle of an instruction; null at the end.
        Value::optional(unsafe { (api().LLVMGetNextInstruction)(self.raw()) })
    }

    /// A branch's condition; `None` for other instructions and unconditional branches.
    pub(crate) fn condition(self) -> Option<Value<'c>> {
        let branches = self.opcode() == opcode::BRANCH;
        // SAFETY: live handle of a branch.
        (branches && unsafe { (api().LLVMIsConditional)(self.raw()) } != 0)
            .then(|| Value::new(unsafe { (api().LLVMGetCondition)(self.raw()) }))
    }

    /// Gives a conditional branch another condition.
    pub(crate) fn set_condition(self, condition: Value<'c>) {
        // SAFETY: live handles of a conditional branch and a value of one bit.
        unsafe { (api().LLVMSetCondition)(self.raw(), condition.raw()) }
    }

    /// The values of a phi, each with its predecessor.
    pub(crate) fn incoming_edges(self) -> Vec<(Value<'c>, Block<'c>)> {
        // SAFETY: live handle of a phi, whose operands are its values.
        let from = |i| Block::new(unsafe { (api().LLVMGetIncomingBlock)(self.raw(), i) });
        (0..).zip(self.operands()).map(|(i, value)| (value, from(i))).collect()
    }

    /// The value of a phi if its block is entered from `from`.
    pub(crate) fn incoming(self, from: Block<'c>) -> Option<Value<'c>> {
        self.incoming_edges().into_iter().find(|(_, edge)| *edge == from).map(|(value, _)| value)
    }

    /// How two integers or pointers are compared, one of [`super::predicate`].
    pub(crate) fn predicate(self) -> i32 {
        // SAFETY: live handle of a comparison of integers.
        unsafe { (api().LLVMGetICmpPredicate)(self.raw()) }
    }

    /// Whether an addition, subtraction, multiplication or left shift is known not to wrap around as
    /// unsigned (`nuw`).
    pub(crate) fn cannot_wrap_unsigned(self) -> bool {
        // SAFETY: live handle of an integer operation.
        unsafe { (api().LLVMGetNUW)(self.raw()) != 0 }
    }

    /// The same, as signed (`nsw`).
    pub(crate) fn cannot_wrap_signed(self) -> bool {
        // SAFETY: live handle of an integer operation.
        unsafe { (api().LLVMGetNSW)(self.raw()) != 0 }
    }

    /// Whether a value that is extended with zeros is known not to be negative (`nneg`).
    pub(crate) fn is_not_negative(self) -> bool {
        // SAFETY: live handle of a `zext`.
        unsafe { (api().LLVMGetNNeg)(self.raw()) != 0 }
    }

    /// Whether no bit is set in both operands of an `or`: then it is a sum.
    pub(crate) fn is_disjoint(self) -> bool {
        // SAFETY: live handle of an `or`.
        unsafe { (api().LLVMGetIsDisjoint)(self.raw()) != 0 }
    }

    /// Whether a division or right shift is known to leave no remainder (`exact`).
    pub(crate) fn has_no_remainder(self) -> bool {
        // SAFETY: live handle of a division or right shift.
        unsafe { (api().LLVMGetExact)(self.raw()) != 0 }
    }

    /// Drops what is promised of an integer operation's operands or result: that it does not wrap around, has no
    /// remainder, is not negative.
    pub(crate) fn drop_promises(self) {
        // SAFETY: live handle of an instruction; each flag is set for instructions that have it.
        unsafe {
            match self.opcode() {
                opcode::ADD | opcode::SUB | opcode::MUL | opcode::SHL | opcode::TRUNCATE => {
                    (api().LLVMSetNUW)(self.raw(), 0);
                    (api().LLVMSetNSW)(self.raw(), 0);
                }
                opcode::UDIV | opcode::SDIV | opcode::LSHR | opcode::ASHR => {
                    (api().LLVMSetExact)(self.raw(), 0);
                }
                opcode::OR => (api().LLVMSetIsDisjoint)(self.raw(), 0),
                opcode::ZERO_EXTEND | opcode::UI_TO_FP => (api().LLVMSetNNeg)(self.raw(), 0),
                opcode::INTEGER_COMPARISON => (api().LLVMSetICmpSameSign)(self.raw(), 0),
                _ => {}
            }
        }
    }

    /// Promises of an addition, subtraction, multiplication or left shift that it does not wrap around as unsigned (`nuw`).
    pub(crate) fn promise_no_unsigned_wrap(self) {
        // SAFETY: live handle of an instruction that has the flag.
        unsafe { (api().LLVMSetNUW)(self.raw(), 1) }
    }

    /// The same, as signed (`nsw`).
    pub(crate) fn promise_no_signed_wrap(self) {
        // SAFETY: live handle of an instruction that has the flag.
        unsafe { (api().LLVMSetNSW)(self.raw(), 1) }
    }

    /// Promises that what a `zext` extends is not negative (`nneg`).
    pub(crate) fn promise_not_negative(self) {
        // SAFETY: live handle of a `zext`.
        unsafe { (api().LLVMSetNNeg)(self.raw(), 1) }
    }

    /// Promises that no bit is set in both operands of an `or`.
    pub(crate) fn promise_disjoint(self) {
        // SAFETY: live handle of an `or`.
        unsafe { (api().LLVMSetIsDisjoint)(self.raw(), 1) }
    }

    /// Whether an address stays within its object, or one past its end (`inbounds`).
    pub(crate) fn is_in_bounds(self) -> bool {
        // SAFETY: live handle of a `getelementptr`.
        unsafe { (api().LLVMIsInBounds)(self.raw()) != 0 }
    }

    /// What this value is that LLVM froze, so that it is the same wherever it is used; any other value is itself.
    pub(crate) fn thawed(self) -> Value<'c> {
        let is_frozen = self.is_instruction() && self.opcode() == opcode::FREEZE;
        if is_frozen { self.operand(0) } else { self }
    }

    /// The address that this one is made from by adding offsets.
    pub(crate) fn base_address(self) -> Value<'c> {
        /// In code that is never reached, an address may be made from itself.
        const MAX_OFFSETS: usize = 1000;
        let before = |address: &Value<'c>| {
            let adds = address.is_instruction() && address.opcode() == opcode::GET_ELEMENT_PTR;
            adds.then(|| address.operand(0))
        };
        std::iter::successors(Some(self), before).take(MAX_OFFSETS).last().unwrap_or(self)
    }

    /// Whether an address is no lower than the one that it is made from, its offset being no number with a sign (`nuw`).
    pub(crate) fn is_without_unsigned_wrap(self) -> bool {
        /// `LLVMGEPFlagNUW` of llvm-c/Core.h.
        const NUW: u32 = 1 << 2;
        // SAFETY: live handle of a `getelementptr`.
        unsafe { (api().LLVMGEPGetNoWrapFlags)(self.raw()) & NUW != 0 }
    }

    /// A copy, not in a block yet, with the same operands.
    pub(crate) fn copy(self) -> Value<'c> {
        // SAFETY: live handle of an instruction.
        Value::new(unsafe { (api().LLVMInstructionClone)(self.raw()) })
    }

    /// The function that holds the instruction.
    pub(crate) fn parent_function(self) -> Value<'c> {
        self.parent_block().function()
    }

    /// The block that holds the instruction.
    pub(crate) fn parent_block(self) -> Block<'c> {
        // SAFETY: live handle of an instruction.
        Block::new(unsafe { (api().LLVMGetInstructionParent)(self.raw()) })
    }

    /// Takes the instruction out of its block, to be inserted into another one.
    pub(crate) fn take_out(self) {
        // SAFETY: live handle of an instruction in a block.
        unsafe { (api().LLVMInstructionRemoveFromParent)(self.raw()) }
    }

    pub(crate) fn erase(self) {
        // SAFETY: live handle of an instruction; not used again.
        unsafe { (api().LLVMInstructionEraseFromParent)(self.raw()) }
    }

    /// What a call calls: a function, inline assembly or a pointer.
    pub(crate) fn callee(self) -> Value<'c> {
        // SAFETY: live handle of a call or invoke.
        Value::new(unsafe { (api().LLVMGetCalledValue)(self.raw()) })
    }

    pub(crate) fn called_type(self) -> Type<'c> {
        // SAFETY: live handle of a call or invoke.
        Type::new(unsafe { (api().LLVMGetCalledFunctionType)(self.raw()) })
    }

    pub(crate) fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a call or invoke; arguments come first among the operands.
        let count = unsafe { (api().LLVMGetNumArgOperands)(self.raw()) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn is_inline_asm(self) -> bool {
        /// `LLVMInlineAsmValueKind`
        const KIND: i32 = 23;
        self.value_kind() == KIND
    }

    /// The template of inline assembly.
    pub(crate) fn asm_template(self) -> String {
        let mut len = 0;
        // SAFETY: live handle of inline assembly; pointer and length belong together.
        let bytes = unsafe {
            let text = (api().LLVMGetInlineAsmAsmString)(self.raw(), &mut len);
            copy_bytes(text, len)
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether inline assembly is written in Intel's dialect, rustc's default on x86.
    pub(crate) fn is_intel_assembly(self) -> bool {
        /// `LLVMInlineAsmDialectIntel`
        const INTEL: std::ffi::c_int = 1;
        // SAFETY: live handle of inline assembly.
        unsafe { (api().LLVMGetInlineAsmDialect)(self.raw()) == INTEL }
    }

    /// Whether inline assembly says that it does more than compute its results.
    pub(crate) fn has_side_effects(self) -> bool {
        // SAFETY: live handle of inline assembly.
        unsafe { (api().LLVMGetInlineAsmHasSideEffects)(self.raw()) != 0 }
    }

    /// The constraints of inline assembly: results, arguments, clobbers.
    pub(crate) fn asm_constraints(self) -> String {
        let mut len = 0;
        // SAFETY: live handle of inline assembly; pointer and length belong together.
        let bytes = unsafe {
            let text = (api().LLVMGetInlineAsmConstraintString)(self.raw(), &mut len);
            copy_bytes(text, len)
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn set_call_convention(self, convention: u32) {
        // SAFETY: live handle of a call.
        unsafe { (api().LLVMSetInstructionCallConv)(self.raw(), convention) }
    }

    pub(crate) fn clear_tail_call(self) {
        // SAFETY: live handle of a call.
        unsafe { (api().LLVMSetTailCall)(self.raw(), 0) }
    }

    /// Adds an attribute of the call itself.
    pub(crate) fn add_call_attribute(self, attribute: Attribute) {
        // SAFETY: live handles.
        unsafe { (api().LLVMAddCallSiteAttribute)(self.raw(), AT_FUNCTION, attribute.0) }
    }

    /// Has the pass `always-inline` inline this call, whatever the function says of itself.
    pub(crate) fn inline_always(self, context: &Context) {
        self.remove_call_attribute(context.attribute_kind("noinline"));
        self.add_call_attribute(context.attribute("alwaysinline", 0));
    }

    /// The attributes of the call itself.
    pub(crate) fn call_attributes(self) -> Vec<Attribute> {
        // SAFETY: live handle; the array has room for all.
        unsafe {
            let count = (api().LLVMGetCallSiteAttributeCount)(self.raw(), AT_FUNCTION) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            (api().LLVMGetCallSiteAttributes)(self.raw(), AT_FUNCTION, raw.as_mut_ptr());
            raw.into_iter().map(Attribute).collect()
        }
    }

    pub(crate) fn remove_call_attribute(self, kind: u32) {
        // SAFETY: live handle.
        unsafe { (api().LLVMRemoveCallSiteEnumAttribute)(self.raw(), AT_FUNCTION, kind) }
    }

    /// The attributes of argument `index` at a call.
    pub(crate) fn argument_attributes(self, index: u32) -> Vec<Attribute> {
        // SAFETY: live handle; the array has room for all.
        unsafe {
            let count = (api().LLVMGetCallSiteAttributeCount)(self.raw(), index + 1) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            (api().LLVMGetCallSiteAttributes)(self.raw(), index + 1, raw.as_mut_ptr());
            raw.into_iter().map(Attribute).collect()
        }
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: live handle of a memory instruction.
        unsafe { (api().LLVMGetVolatile)(self.raw()) != 0 }
    }

    pub(crate) fn memory_ordering(self) -> i32 {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMGetOrdering)(self.raw()) }
    }

    pub(crate) fn set_memory_ordering(self, ordering: i32) {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMSetOrdering)(self.raw(), ordering) }
    }

    /// The orderings of a `cmpxchg`: on success and on failure.
    pub(crate) fn orderings(self) -> [i32; 2] {
        // SAFETY: live handle of a `cmpxchg`.
        unsafe {
            [
                (api().LLVMGetCmpXchgSuccessOrdering)(self.raw()),
                (api().LLVMGetCmpXchgFailureOrdering)(self.raw()),
            ]
        }
    }

    /// Gives a phi the value for one more predecessor.
    pub(crate) fn add_incoming(self, value: Value<'c>, block: Block<'c>) {
        let (mut value, mut block) = (value.raw(), block.raw());
        // SAFETY: live handles, of a phi and a value of its type.
        unsafe { (api().LLVMAddIncoming)(self.raw(), &raw mut value, &raw mut block, 1) }
    }

    /// LLVM-C's number of an `atomicrmw`'s operation (`LLVMAtomicRMWBinOp`).
    pub(crate) fn atomic_operation(self) -> i32 {
        // SAFETY: live handle of an `atomicrmw`.
        unsafe { (api().LLVMGetAtomicRMWBinOp)(self.raw()) }
    }

    /// The number of an atomic instruction's synchronisation scope.
    pub(crate) fn sync_scope(self) -> u32 {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMGetAtomicSyncScopeID)(self.raw()) }
    }

    /// Sets it; [`Context::sync_scope`](super::Context::sync_scope) knows the number.
    pub(crate) fn set_sync_scope(self, scope: u32) {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMSetAtomicSyncScopeID)(self.raw(), scope) }
    }

    /// Lets the optimiser contract this float operation with others (`fma`), if it is one.
    pub(crate) fn allow_contraction(self) {
        const ALLOW_CONTRACT: u32 = 1 << 5;
        // SAFETY: live handle; flags are read and set on values that can have them.
        unsafe {
            if (api().LLVMCanValueUseFastMathFlags)(self.raw()) != 0 {
                let flags = (api().LLVMGetFastMathFlags)(self.raw());
                (api().LLVMSetFastMathFlags)(self.raw(), flags | ALLOW_CONTRACT);
            }
        }
    }

    /// The type that the indices of an address count in.
    pub(crate) fn element_type(self) -> Type<'c> {
        // SAFETY: live handle of a `getelementptr`.
        Type::new(unsafe { (api().LLVMGetGEPSourceElementType)(self.raw()) })
    }

    pub(crate) fn set_metadata(self, kind: u32, node: Value<'c>) {
        // SAFETY: live handles.
        unsafe { (api().LLVMSetMetadata)(self.raw(), kind, node.raw()) }
    }

    pub(crate) fn clear_metadata(self, kind: u32) {
        // SAFETY: live handle; null removes the node.
        unsafe { (api().LLVMSetMetadata)(self.raw(), kind, std::ptr::null_mut()) }
    }

    /// An instruction's metadata of a kind, a node.
    pub(crate) fn metadata(self, kind: u32) -> Option<Value<'c>> {
        // SAFETY: live handle of an instruction; null if there is none.
        Value::optional(unsafe { (api().LLVMGetMetadata)(self.raw(), kind) })
    }

    /// The operands of a metadata node.
    pub(crate) fn node_operands(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a metadata node; the array has room for all.
        let raw = unsafe {
            let count = (api().LLVMGetMDNodeNumOperands)(self.raw()) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            (api().LLVMGetMDNodeOperands)(self.raw(), raw.as_mut_ptr());
            raw
        };
        raw.into_iter().filter_map(Value::optional).collect()
    }

    /// The string that a metadata value holds.
    pub(crate) fn metadata_string(self) -> Option<String> {
        let mut len = 0;
        // SAFETY: live handle of metadata; null if it is no string.
        let bytes = unsafe {
            let text = (api().LLVMGetMDString)(self.raw(), &mut len);
            if text.is_null() {
                return None;
            }
            copy_bytes(text, len as usize)
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
