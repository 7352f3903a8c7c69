//! [`Builder`]: new instructions.

use super::table::BuilderRef;

use super::{Block, Context, Opcode, Type, Value, api};

/// Makes instructions at one place.
pub(crate) struct Builder<'c> {
    raw: BuilderRef,
    context: &'c Context,
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl<'c> Builder<'c> {
    /// A builder that inserts before `instruction` and uses its debug location.
    pub(crate) fn before(context: &'c Context, instruction: Value<'c>) -> Builder<'c> {
        let builder = Builder::new(context);
        // SAFETY: live handles; a null location is allowed.
        unsafe {
            (api().LLVMPositionBuilderBefore)(builder.raw, instruction.raw());
            (api().LLVMSetCurrentDebugLocation2)(
                builder.raw,
                (api().LLVMInstructionGetDebugLoc)(instruction.raw()),
            );
        }
        builder
    }

    /// A builder that appends to `block`.
    pub(crate) fn at_end(context: &'c Context, block: Block<'c>) -> Builder<'c> {
        let builder = Builder::new(context);
        // SAFETY: live handles.
        unsafe { (api().LLVMPositionBuilderAtEnd)(builder.raw, block.raw()) };
        builder
    }

    /// Inserts an instruction that is in no block, with its own debug location.
    pub(crate) fn insert_copy(&self, instruction: Value<'c>) {
        // SAFETY: live handles.
        unsafe { (api().LLVMInsertIntoBuilder)(self.raw, instruction.raw()) }
    }

    /// Gives the next instructions the debug location of `instruction`.
    pub(crate) fn take_place(&self, instruction: Value<'c>) {
        // SAFETY: live handles; a null location is allowed.
        unsafe {
            (api().LLVMSetCurrentDebugLocation2)(
                self.raw,
                (api().LLVMInstructionGetDebugLoc)(instruction.raw()),
            );
        }
    }

    fn new(context: &'c Context) -> Builder<'c> {
        // SAFETY: live handle.
        Builder { raw: unsafe { (api().LLVMCreateBuilderInContext)(context.raw()) }, context }
    }

    /// Calls `callee`, a function or inline assembly of type `ty`.
    pub(crate) fn call(&self, ty: Type<'c>, callee: Value<'c>, args: &[Value<'c>]) -> Value<'c> {
        let mut raw: Vec<_> = args.iter().map(|a| a.raw()).collect();
        // SAFETY: live handles; the caller passes arguments of the type's parameters.
        Value::new(unsafe {
            (api().LLVMBuildCall2)(
                self.raw,
                ty.raw(),
                callee.raw(),
                raw.as_mut_ptr(),
                raw.len() as u32,
                NO_NAME,
            )
        })
    }

    /// Calls inline assembly of type `ty`, given by a template and constraints, that has no effect but its result.
    pub(crate) fn pure_asm(
        &self,
        ty: Type<'c>,
        (template, constraints): (&str, &str),
        args: &[Value<'c>],
    ) -> Value<'c> {
        let assembly = self.context.inline_asm(ty, template, constraints, false);
        let call = self.call(ty, assembly, args);
        for attribute in ["memory", "nounwind", "willreturn"] {
            call.add_call_attribute(self.context.attribute(attribute, 0));
        }
        call
    }

    pub(crate) fn alloca(&self, ty: Type<'c>, align: u32) -> Value<'c> {
        // SAFETY: live handles.
        unsafe {
            let value = (api().LLVMBuildAlloca)(self.raw, ty.raw(), NO_NAME);
            (api().LLVMSetAlignment)(value, align);
            Value::new(value)
        }
    }

    pub(crate) fn load(&self, ty: Type<'c>, pointer: Value<'c>) -> Value<'c> {
        // SAFETY: live handles.
        Value::new(unsafe { (api().LLVMBuildLoad2)(self.raw, ty.raw(), pointer.raw(), NO_NAME) })
    }

    /// The member `index` of a struct.
    pub(crate) fn extract(&self, all: Value<'c>, index: u32) -> Value<'c> {
        // SAFETY: live handles; the type has such a member.
        Value::new(unsafe { (api().LLVMBuildExtractValue)(self.raw, all.raw(), index, NO_NAME) })
    }

    /// `all` with `value` as its field `index`.
    pub(crate) fn insert(&self, all: Value<'c>, value: Value<'c>, index: u32) -> Value<'c> {
        // SAFETY: live handles of an aggregate and a value of its field's type.
        Value::new(unsafe {
            (api().LLVMBuildInsertValue)(self.raw, all.raw(), value.raw(), index, NO_NAME)
        })
    }

    pub(crate) fn store(&self, value: Value<'c>, pointer: Value<'c>) {
        // SAFETY: live handles.
        unsafe { (api().LLVMBuildStore)(self.raw, value.raw(), pointer.raw()) };
    }

    /// A store that stays where it is.
    pub(crate) fn store_volatile(&self, value: Value<'c>, pointer: Value<'c>) {
        // SAFETY: live handles.
        unsafe {
            let store = (api().LLVMBuildStore)(self.raw, value.raw(), pointer.raw());
            (api().LLVMSetVolatile)(store, 1);
        }
    }

    /// Stores a value to an address that is a multiple of `align`.
    pub(crate) fn store_aligned(
        &self,
        value: Value<'c>,
        pointer: Value<'c>,
        align: u32,
    ) -> Value<'c> {
        // SAFETY: live handles.
        unsafe {
            let store = (api().LLVMBuildStore)(self.raw, value.raw(), pointer.raw());
            (api().LLVMSetAlignment)(store, align);
            Value::new(store)
        }
    }

    /// Loads a value of type `ty` from an address that is a multiple of `align`.
    pub(crate) fn load_aligned(&self, ty: Type<'c>, pointer: Value<'c>, align: u32) -> Value<'c> {
        // SAFETY: live handles.
        unsafe {
            let value = (api().LLVMBuildLoad2)(self.raw, ty.raw(), pointer.raw(), NO_NAME);
            (api().LLVMSetAlignment)(value, align);
            Value::new(value)
        }
    }

    /// `pointer` plus `bytes`.
    pub(crate) fn offset(&self, pointer: Value<'c>, bytes: u64) -> Value<'c> {
        if bytes == 0 {
            return pointer;
        }
        self.offset_by(pointer, self.context.int(64).constant(bytes))
    }

    /// `pointer` plus as many bytes as an integer says.
    pub(crate) fn offset_by(&self, pointer: Value<'c>, bytes: Value<'c>) -> Value<'c> {
        let (byte, mut index) = (self.context.int(8), [bytes.raw()]);
        // SAFETY: live handles.
        Value::new(unsafe {
            (api().LLVMBuildGEP2)(
                self.raw,
                byte.raw(),
                pointer.raw(),
                index.as_mut_ptr(),
                1,
                NO_NAME,
            )
        })
    }

    /// Extends or truncates an integer to `ty`, without sign.
    pub(crate) fn int_cast(&self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        // SAFETY: live handles of integer type.
        Value::new(unsafe {
            (api().LLVMBuildIntCast2)(self.raw, value.raw(), ty.raw(), 0, NO_NAME)
        })
    }

    /// A pointer's address.
    pub(crate) fn address(&self, pointer: Value<'c>) -> Value<'c> {
        let word = self.context.int(64);
        // SAFETY: live handles of a pointer and an integer type.
        Value::new(unsafe {
            (api().LLVMBuildPtrToInt)(self.raw, pointer.raw(), word.raw(), NO_NAME)
        })
    }

    /// The bitwise AND of two integers.
    pub(crate) fn and(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one integer type.
        Value::new(unsafe { (api().LLVMBuildAnd)(self.raw, a.raw(), b.raw(), NO_NAME) })
    }

    /// The bitwise OR of two integers.
    pub(crate) fn or(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one integer type.
        Value::new(unsafe { (api().LLVMBuildOr)(self.raw, a.raw(), b.raw(), NO_NAME) })
    }

    /// An integer shifted to the left.
    pub(crate) fn shift_left(&self, value: Value<'c>, by: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one integer type.
        Value::new(unsafe { (api().LLVMBuildShl)(self.raw, value.raw(), by.raw(), NO_NAME) })
    }

    /// An integer shifted to the right, zeros coming in.
    pub(crate) fn shift_right(&self, value: Value<'c>, by: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one integer type.
        Value::new(unsafe { (api().LLVMBuildLShr)(self.raw, value.raw(), by.raw(), NO_NAME) })
    }

    /// One of two values, by a condition.
    pub(crate) fn select(&self, condition: Value<'c>, yes: Value<'c>, no: Value<'c>) -> Value<'c> {
        // SAFETY: live handles; the values have one type.
        Value::new(unsafe {
            (api().LLVMBuildSelect)(self.raw, condition.raw(), yes.raw(), no.raw(), NO_NAME)
        })
    }

    /// A value that is arbitrary, but the same at each use, where the operand is poison.
    pub(crate) fn freeze(&self, value: Value<'c>) -> Value<'c> {
        // SAFETY: live handles.
        Value::new(unsafe { (api().LLVMBuildFreeze)(self.raw, value.raw(), NO_NAME) })
    }

    /// The result of a binary operation, an opcode with two operands of one type.
    pub(crate) fn binary(&self, operation: Opcode, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one type.
        Value::new(unsafe {
            (api().LLVMBuildBinOp)(self.raw, operation, a.raw(), b.raw(), NO_NAME)
        })
    }

    /// The address of an element of an array, without a promise that there is one.
    pub(crate) fn element(&self, ty: Type<'c>, array: Value<'c>, index: Value<'c>) -> Value<'c> {
        let mut index = index.raw();
        // SAFETY: live handles of a pointer and an integer.
        Value::new(unsafe {
            (api().LLVMBuildGEP2)(self.raw, ty.raw(), array.raw(), &mut index, 1, NO_NAME)
        })
    }

    /// A conversion, by its opcode.
    pub(crate) fn cast(&self, operation: Opcode, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        // SAFETY: live handles; the types are ones that the conversion is for.
        Value::new(unsafe {
            (api().LLVMBuildCast)(self.raw, operation, value.raw(), ty.raw(), NO_NAME)
        })
    }

    /// Compares two floats; `predicate` is one of [`super::float_predicate`].
    pub(crate) fn compare_floats(&self, predicate: i32, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one type.
        Value::new(unsafe { (api().LLVMBuildFCmp)(self.raw, predicate, a.raw(), b.raw(), NO_NAME) })
    }

    /// Compares two integers or pointers; `predicate` is one of [`super::predicate`].
    pub(crate) fn compare(&self, predicate: i32, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: live handles of one type.
        Value::new(unsafe { (api().LLVMBuildICmp)(self.raw, predicate, a.raw(), b.raw(), NO_NAME) })
    }

    /// Whether an integer differs from zero.
    pub(crate) fn is_not_zero(&self, value: Value<'c>) -> Value<'c> {
        self.compare(super::predicate::NOT_EQUAL, value, value.ty().null())
    }

    pub(crate) fn unreachable(&self) {
        // SAFETY: live handle.
        unsafe { (api().LLVMBuildUnreachable)(self.raw) };
    }

    /// Jumps to `block`.
    pub(crate) fn jump(&self, block: Block<'c>) {
        // SAFETY: live handles.
        unsafe { (api().LLVMBuildBr)(self.raw, block.raw()) };
    }

    /// A phi: the value for the predecessor that control came from. The block must hold nothing but
    /// phis; `incoming` has an entry for each predecessor.
    pub(crate) fn phi(&self, ty: Type<'c>, incoming: &[(Value<'c>, Block<'c>)]) -> Value<'c> {
        let mut values: Vec<_> = incoming.iter().map(|(value, _)| value.raw()).collect();
        let mut blocks: Vec<_> = incoming.iter().map(|(_, block)| block.raw()).collect();
        // SAFETY: live handles; both arrays have the same length.
        unsafe {
            let phi = (api().LLVMBuildPhi)(self.raw, ty.raw(), NO_NAME);
            let count = incoming.len() as u32;
            (api().LLVMAddIncoming)(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), count);
            Value::new(phi)
        }
    }

    pub(crate) fn return_void(&self) {
        // SAFETY: live handle.
        unsafe { (api().LLVMBuildRetVoid)(self.raw) };
    }

    /// Returns `value`.
    pub(crate) fn return_value(&self, value: Value<'c>) {
        // SAFETY: live handles; the value has the type of the function's result.
        unsafe { (api().LLVMBuildRet)(self.raw, value.raw()) };
    }

    /// Branches to one of two blocks, by a condition.
    pub(crate) fn branch(&self, condition: Value<'c>, yes: Block<'c>, no: Block<'c>) -> Value<'c> {
        // SAFETY: live handles; the blocks are of the same function.
        Value::new(unsafe {
            (api().LLVMBuildCondBr)(self.raw, condition.raw(), yes.raw(), no.raw())
        })
    }

    /// A fence of this ordering and number of a scope.
    pub(crate) fn fence(&self, ordering: i32, scope: u32) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMBuildFenceSyncScope)(self.raw, ordering, scope, NO_NAME) })
    }

    /// An `atomicrmw` of this ordering and number of a scope; `operation` is LLVM-C's number of it.
    pub(crate) fn atomic_rmw(
        &self,
        operation: i32,
        pointer: Value<'c>,
        value: Value<'c>,
        ordering: i32,
        scope: u32,
    ) -> Value<'c> {
        // SAFETY: live handles.
        Value::new(unsafe {
            (api().LLVMBuildAtomicRMWSyncScope)(
                self.raw,
                operation,
                pointer.raw(),
                value.raw(),
                ordering,
                scope,
            )
        })
    }

    /// A `cmpxchg` of these orderings, on success and on failure, and this number of a scope. Its result
    /// is the pair (old value, success).
    pub(crate) fn compare_exchange(
        &self,
        pointer: Value<'c>,
        [current, new]: [Value<'c>; 2],
        [success, failure]: [i32; 2],
        scope: u32,
    ) -> Value<'c> {
        // SAFETY: live handles; both values have the same type.
        Value::new(unsafe {
            (api().LLVMBuildAtomicCmpXchgSyncScope)(
                self.raw,
                pointer.raw(),
                current.raw(),
                new.raw(),
                success,
                failure,
                scope,
            )
        })
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { (api().LLVMDisposeBuilder)(self.raw) }
    }
}
