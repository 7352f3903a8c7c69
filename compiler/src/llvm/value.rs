//! [`Value`], [`Type`] and [`Block`]: handles that live as long as their context.

use std::marker::PhantomData;

use super::context::copy_bytes;
use super::table::{BlockRef, TypeRef, ValueRef};
use super::{Attribute, Context, api, take_message};

/// A constant, global, function, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Value<'c>(ValueRef, PhantomData<&'c Context>);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'c>(TypeRef, PhantomData<&'c Context>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Block<'c>(BlockRef, PhantomData<&'c Context>);

/// LLVM-C's instruction numbers (`LLVMOpcode`), those that Ptyx asks for.
pub(crate) mod opcode {
    /// The type of an instruction number.
    pub(crate) type Opcode = i32;
    pub(crate) const INVOKE: Opcode = 5;
    pub(crate) const BRANCH: Opcode = 2;
    pub(crate) const UNREACHABLE: Opcode = 7;
    pub(crate) const ADD: Opcode = 8;
    pub(crate) const FADD: Opcode = 9;
    pub(crate) const SUB: Opcode = 10;
    pub(crate) const FSUB: Opcode = 11;
    pub(crate) const UDIV: Opcode = 14;
    pub(crate) const SDIV: Opcode = 15;
    pub(crate) const UREM: Opcode = 17;
    pub(crate) const SREM: Opcode = 18;
    pub(crate) const FREM: Opcode = 19;
    pub(crate) const XOR: Opcode = 25;
    pub(crate) const ALLOCA: Opcode = 26;
    pub(crate) const LOAD: Opcode = 27;
    pub(crate) const STORE: Opcode = 28;
    pub(crate) const GET_ELEMENT_PTR: Opcode = 29;
    pub(crate) const ZERO_EXTEND: Opcode = 31;
    pub(crate) const FP_TO_UI: Opcode = 33;
    pub(crate) const FP_TO_SI: Opcode = 34;
    pub(crate) const UI_TO_FP: Opcode = 35;
    pub(crate) const SI_TO_FP: Opcode = 36;
    pub(crate) const INT_TO_PTR: Opcode = 40;
    pub(crate) const PHI: Opcode = 44;
    pub(crate) const CALL: Opcode = 45;
    pub(crate) const SELECT: Opcode = 46;
    pub(crate) const FENCE: Opcode = 55;
    pub(crate) const CMPXCHG: Opcode = 56;
    pub(crate) const ATOMIC_RMW: Opcode = 57;
    pub(crate) const RESUME: Opcode = 58;
    pub(crate) const LANDING_PAD: Opcode = 59;
    pub(crate) const ADDRESS_SPACE_CAST: Opcode = 60;
}
pub(crate) use opcode::Opcode;

/// LLVM-C's memory orderings (`LLVMAtomicOrdering`).
pub(crate) mod ordering {
    pub(crate) const NOT_ATOMIC: i32 = 0;
    pub(crate) const MONOTONIC: i32 = 2;
    pub(crate) const ACQUIRE: i32 = 4;
    pub(crate) const RELEASE: i32 = 5;
    pub(crate) const SEQUENTIALLY_CONSISTENT: i32 = 7;
}

/// LLVM-C's comparisons of integers (`LLVMIntPredicate`).
pub(crate) mod predicate {
    pub(crate) const EQUAL: i32 = 32;
    pub(crate) const NOT_EQUAL: i32 = 33;
    pub(crate) const UNSIGNED_GREATER: i32 = 34;
    pub(crate) const UNSIGNED_LESS: i32 = 36;
    pub(crate) const SIGNED_GREATER: i32 = 38;
    pub(crate) const SIGNED_LESS: i32 = 40;
}

/// What Ptyx asks of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeKind {
    /// No value.
    Void,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// An integer of so many bits.
    Int(u32),
    /// A pointer.
    Pointer,
    /// Anything else.
    Other,
}

/// `LLVMLinkage`, the kinds that Ptyx sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    External = 0,
    LinkOnceOdr = 3,
    /// Another module might have another definition, so nothing is concluded from this one.
    Weak = 5,
    Internal = 8,
}

/// `LLVMInlineAsmValueKind`
const KIND_INLINE_ASM: i32 = 23;
/// `LLVMFunctionValueKind`
const KIND_FUNCTION: i32 = 5;
/// `LLVMGlobalVariableValueKind`
const KIND_GLOBAL_VARIABLE: i32 = 8;
/// `LLVMConstantExprValueKind`
const KIND_CONSTANT_EXPR: i32 = 10;
/// `LLVMConstantIntValueKind`
const KIND_CONSTANT_INT: i32 = 18;

/// An attribute's place: the function itself.
const AT_FUNCTION: u32 = u32::MAX;

impl<'c> Type<'c> {
    pub(super) fn new(raw: TypeRef) -> Self {
        Type(raw, PhantomData)
    }

    pub(super) fn raw(self) -> TypeRef {
        self.0
    }

    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: live handle.
        match unsafe { (api().LLVMGetTypeKind)(self.0) } {
            0 => TypeKind::Void,
            2 => TypeKind::F32,
            3 => TypeKind::F64,
            // SAFETY: live handle of an integer type.
            8 => TypeKind::Int(unsafe { (api().LLVMGetIntTypeWidth)(self.0) }),
            12 => TypeKind::Pointer,
            _ => TypeKind::Other,
        }
    }

    /// The number of a pointer type's address space; 0 is the generic one.
    pub(crate) fn address_space(self) -> u32 {
        // SAFETY: live handle of a pointer type.
        unsafe { (api().LLVMGetPointerAddressSpace)(self.0) }
    }

    /// A constant of this integer type.
    pub(crate) fn constant(self, value: u64) -> Value<'c> {
        // SAFETY: live handle of an integer type.
        Value::new(unsafe { (api().LLVMConstInt)(self.0, value, 0) })
    }

    /// Zero or null.
    pub(crate) fn null(self) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMConstNull)(self.0) })
    }

    pub(crate) fn undefined(self) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMGetUndef)(self.0) })
    }

    pub(crate) fn array(self, count: u64) -> Type<'c> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMArrayType2)(self.0, count) })
    }

    pub(crate) fn print(self) -> String {
        // SAFETY: live handle; the message is ours.
        unsafe { take_message((api().LLVMPrintTypeToString)(self.0)) }
    }

    /// A function type's result.
    pub(crate) fn result(self) -> Type<'c> {
        // SAFETY: live handle of a function type.
        Type::new(unsafe { (api().LLVMGetReturnType)(self.0) })
    }

    /// A function type's parameters.
    pub(crate) fn params(self) -> Vec<Type<'c>> {
        // SAFETY: live handle of a function type; the array has room for all.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); (api().LLVMCountParamTypes)(self.0) as usize];
            (api().LLVMGetParamTypes)(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }
}

impl<'c> Block<'c> {
    pub(super) fn raw(self) -> BlockRef {
        self.0
    }

    /// The block's last instruction.
    pub(crate) fn terminator(self) -> Option<Value<'c>> {
        // SAFETY: live handle.
        Value::optional(unsafe { (api().LLVMGetBasicBlockTerminator)(self.0) })
    }

    /// The blocks that may run next.
    pub(crate) fn successors(self) -> Vec<Block<'c>> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        // SAFETY: live handle of a terminator, indices in range.
        unsafe {
            (0..(api().LLVMGetNumSuccessors)(terminator.0))
                .map(|i| Block((api().LLVMGetSuccessor)(terminator.0, i), PhantomData))
                .collect()
        }
    }

    /// Lets the block's end lead to `new` wherever it leads to `old`, whose phis are not changed.
    pub(crate) fn redirect(self, old: Block<'c>, new: Block<'c>) {
        let Some(terminator) = self.terminator() else { return };
        for (i, successor) in (0..).zip(self.successors()) {
            if successor == old {
                // SAFETY: live handles, an index in range.
                unsafe { (api().LLVMSetSuccessor)(terminator.0, i, new.0) };
            }
        }
    }

    /// The block's instructions.
    pub(crate) fn instructions(self) -> Vec<Value<'c>> {
        // SAFETY: live handle; null for an empty block.
        let first = Value::optional(unsafe { (api().LLVMGetFirstInstruction)(self.0) });
        std::iter::successors(first, |instruction| instruction.next_instruction()).collect()
    }

    /// Removes the block, to which nothing leads and whose values nobody uses.
    pub(crate) fn delete(self) {
        // SAFETY: live handle; not used again.
        unsafe { (api().LLVMDeleteBasicBlock)(self.0) }
    }

    /// The function that holds the block.
    pub(crate) fn function(self) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMGetBasicBlockParent)(self.0) })
    }
}

/// Any value.
impl<'c> Value<'c> {
    pub(super) fn new(raw: ValueRef) -> Self {
        Value(raw, PhantomData)
    }

    pub(super) fn optional(raw: ValueRef) -> Option<Self> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub(super) fn raw(self) -> ValueRef {
        self.0
    }

    fn value_kind(self) -> i32 {
        // SAFETY: live handle.
        unsafe { (api().LLVMGetValueKind)(self.0) }
    }

    pub(crate) fn ty(self) -> Type<'c> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMTypeOf)(self.0) })
    }

    pub(crate) fn name(self) -> String {
        let mut len = 0;
        // SAFETY: live handle; pointer and length belong together.
        let bytes = unsafe {
            let text = (api().LLVMGetValueName2)(self.0, &mut len);
            copy_bytes(text, len)
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: live handle, a pointer and its length.
        unsafe { (api().LLVMSetValueName2)(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn print(self) -> String {
        // SAFETY: live handle; the message is ours.
        unsafe { take_message((api().LLVMPrintValueToString)(self.0)) }
    }

    pub(crate) fn replace_all_uses_with(self, other: Value<'c>) {
        // SAFETY: live handles of one type.
        unsafe { (api().LLVMReplaceAllUsesWith)(self.0, other.0) }
    }

    /// The instructions and constants that use this value, one entry a use.
    pub(crate) fn users(self) -> Vec<Value<'c>> {
        let mut users = Vec::new();
        // SAFETY: live handles; nothing changes during the walk.
        unsafe {
            let mut current = (api().LLVMGetFirstUse)(self.0);
            while !current.is_null() {
                users.push(Value::new((api().LLVMGetUser)(current)));
                current = (api().LLVMGetNextUse)(current);
            }
        }
        users
    }

    pub(crate) fn operands(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a user, indices in range. A null operand is skipped.
        unsafe {
            (0..(api().LLVMGetNumOperands)(self.0) as u32)
                .filter_map(|i| Value::optional((api().LLVMGetOperand)(self.0, i)))
                .collect()
        }
    }

    pub(crate) fn operand(self, index: u32) -> Value<'c> {
        // SAFETY: live handle; the caller keeps to the operand count.
        Value::new(unsafe { (api().LLVMGetOperand)(self.0, index) })
    }

    pub(crate) fn set_operand(self, index: u32, value: Value<'c>) {
        // SAFETY: live handles; the caller gives an index in range and a value of the operand's type.
        unsafe { (api().LLVMSetOperand)(self.0, index, value.0) }
    }

    pub(crate) fn is_function(self) -> bool {
        self.value_kind() == KIND_FUNCTION
    }

    pub(crate) fn is_global_variable(self) -> bool {
        self.value_kind() == KIND_GLOBAL_VARIABLE
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: live handle.
        unsafe { (api().LLVMIsConstant)(self.0) != 0 }
    }

    pub(crate) fn is_instruction(self) -> bool {
        // SAFETY: live handle.
        unsafe { !(api().LLVMIsAInstruction)(self.0).is_null() }
    }
}

/// Constants.
impl<'c> Value<'c> {
    /// The value of a constant integer.
    pub(crate) fn as_int(self) -> Option<u64> {
        if self.value_kind() != KIND_CONSTANT_INT {
            return None;
        }
        // SAFETY: live handle of a constant integer.
        Some(unsafe { (api().LLVMConstIntGetZExtValue)(self.0) })
    }

    /// The operation of a constant expression.
    pub(crate) fn constant_opcode(self) -> Option<Opcode> {
        if self.value_kind() != KIND_CONSTANT_EXPR {
            return None;
        }
        // SAFETY: live handle of a constant expression.
        Some(unsafe { (api().LLVMGetConstOpcode)(self.0) })
    }

    /// The bytes of a constant global that holds plain bytes, directly or as a struct's one field.
    pub(crate) fn constant_bytes(self) -> Option<Vec<u8>> {
        let initializer = self.constant_initializer()?;
        initializer.byte_array().or_else(|| match initializer.operands()[..] {
            [only] => only.byte_array(),
            _ => None,
        })
    }

    /// What a constant global holds.
    pub(crate) fn constant_initializer(self) -> Option<Value<'c>> {
        if !self.is_global_variable() || !self.is_constant_global() {
            return None;
        }
        self.initializer()
    }

    /// What a global variable holds at first; `None` for declarations.
    pub(crate) fn initializer(self) -> Option<Value<'c>> {
        // SAFETY: live handle of a global variable.
        Value::optional(unsafe { (api().LLVMGetInitializer)(self.0) })
    }

    /// The bytes of a constant array of bytes.
    pub(crate) fn byte_array(self) -> Option<Vec<u8>> {
        // SAFETY: live handles; a constant string gives pointer and length.
        unsafe {
            if (api().LLVMIsConstantString)(self.0) == 0 {
                return None;
            }
            let mut len = 0;
            let text = (api().LLVMGetAsString)(self.0, &mut len);
            Some(copy_bytes(text, len))
        }
    }

    pub(crate) fn address_space_cast(self, ty: Type<'c>) -> Value<'c> {
        // SAFETY: live handles of a constant pointer and a pointer type.
        Value::new(unsafe { (api().LLVMConstAddrSpaceCast)(self.0, ty.raw()) })
    }
}

/// Globals: functions, variables and aliases.
impl<'c> Value<'c> {
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMIsDeclaration)(self.0) != 0 }
    }

    /// Whether other modules see it under its name.
    pub(crate) fn is_external(self) -> bool {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMGetLinkage)(self.0) == Linkage::External as i32 }
    }

    /// Whether no other module can name this global.
    pub(crate) fn is_local(self) -> bool {
        const PRIVATE: i32 = 9;
        // SAFETY: live handle of a global.
        let linkage = unsafe { (api().LLVMGetLinkage)(self.0) };
        linkage == Linkage::Internal as i32 || linkage == PRIVATE
    }

    pub(crate) fn set_linkage(self, linkage: Linkage) {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMSetLinkage)(self.0, linkage as i32) }
    }

    /// Drops what the host's linker would need to know: visibility, section, comdat.
    pub(crate) fn clear_link_properties(self) {
        // SAFETY: live handle of a global; null comdat and empty section are allowed.
        unsafe {
            (api().LLVMSetVisibility)(self.0, 0);
            let section = (api().LLVMGetSection)(self.0);
            if !section.is_null() && *section != 0 {
                (api().LLVMSetSection)(self.0, c"".as_ptr());
            }
            (api().LLVMSetComdat)(self.0, std::ptr::null_mut());
        }
    }

    pub(crate) fn value_type(self) -> Type<'c> {
        // SAFETY: live handle of a global.
        Type::new(unsafe { (api().LLVMGlobalGetValueType)(self.0) })
    }

    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMIsGlobalConstant)(self.0) != 0 }
    }

    pub(crate) fn set_constant_global(self, is_constant: bool) {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMSetGlobalConstant)(self.0, is_constant.into()) }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMIsThreadLocal)(self.0) != 0 }
    }

    pub(crate) fn set_initializer(self, value: Value<'c>) {
        // SAFETY: live handles of a global variable and a constant.
        unsafe { (api().LLVMSetInitializer)(self.0, value.0) }
    }

    /// The alignment of a global or memory instruction.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: live handle of a global or memory instruction.
        unsafe { (api().LLVMGetAlignment)(self.0) }
    }

    pub(crate) fn set_alignment(self, bytes: u32) {
        // SAFETY: live handle of a global or memory instruction.
        unsafe { (api().LLVMSetAlignment)(self.0, bytes) }
    }

    /// Says that the address does not matter, so that equal constants may be merged.
    pub(crate) fn set_unnamed_address(self) {
        const GLOBAL: i32 = 2;
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMSetUnnamedAddress)(self.0, GLOBAL) }
    }

    /// Erases a global variable without uses.
    pub(crate) fn delete_global(self) {
        // SAFETY: live handle of a global variable; not used again.
        unsafe { (api().LLVMDeleteGlobal)(self.0) }
    }
}

/// Functions.
impl<'c> Value<'c> {
    /// An LLVM intrinsic's number, 0 for other functions.
    pub(crate) fn intrinsic_id(self) -> u32 {
        // SAFETY: live handle of a function.
        unsafe { (api().LLVMGetIntrinsicID)(self.0) }
    }

    pub(crate) fn set_calling_convention(self, convention: u32) {
        // SAFETY: live handle of a function.
        unsafe { (api().LLVMSetFunctionCallConv)(self.0, convention) }
    }

    pub(crate) fn clear_personality(self) {
        // SAFETY: live handle of a function; null clears it.
        unsafe {
            if (api().LLVMHasPersonalityFn)(self.0) != 0 {
                (api().LLVMSetPersonalityFn)(self.0, std::ptr::null_mut());
            }
        }
    }

    /// Takes over the debug information of `other`, which has none afterwards.
    pub(crate) fn take_subprogram(self, other: Value<'c>) {
        // SAFETY: live handles of functions; null is allowed.
        unsafe {
            let subprogram = (api().LLVMGetSubprogram)(other.raw());
            (api().LLVMSetSubprogram)(other.raw(), std::ptr::null_mut());
            (api().LLVMSetSubprogram)(self.0, subprogram);
        }
    }

    pub(crate) fn params(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a function, indices in range.
        unsafe {
            (0..(api().LLVMCountParams)(self.0))
                .map(|i| Value::new((api().LLVMGetParam)(self.0, i)))
                .collect()
        }
    }

    /// The function that this is a parameter of, and its index there.
    pub(crate) fn parameter_of(self) -> Option<(Value<'c>, u32)> {
        // SAFETY: live handle; the parent is asked of a parameter only.
        let function = unsafe {
            if (api().LLVMIsAArgument)(self.0).is_null() {
                return None;
            }
            Value::new((api().LLVMGetParamParent)(self.0))
        };
        let index = function.params().iter().position(|param| *param == self)?;
        Some((function, index as u32))
    }

    pub(crate) fn append_block(self, context: &'c Context) -> Block<'c> {
        // SAFETY: live handles, C string.
        Block(
            unsafe {
                (api().LLVMAppendBasicBlockInContext)(context.raw(), self.0, c"start".as_ptr())
            },
            PhantomData,
        )
    }

    /// The first instruction of a function that has a body.
    pub(crate) fn first_instruction(self) -> Option<Value<'c>> {
        // SAFETY: live handles; the first block of a body is never empty.
        unsafe {
            let block = (api().LLVMGetFirstBasicBlock)(self.0);
            (!block.is_null()).then(|| Value::new((api().LLVMGetFirstInstruction)(block)))
        }
    }

    /// The blocks of a function, its entry first.
    pub(crate) fn blocks(self) -> Vec<Block<'c>> {
        let mut all = Vec::new();
        // SAFETY: live handles; nothing changes during the walk.
        unsafe {
            let mut block = (api().LLVMGetFirstBasicBlock)(self.0);
            while !block.is_null() {
                all.push(Block(block, PhantomData));
                block = (api().LLVMGetNextBasicBlock)(block);
            }
        }
        all
    }

    /// The instructions of a function, in layout order.
    pub(crate) fn instructions(self) -> Vec<Value<'c>> {
        let mut all = Vec::new();
        // SAFETY: live handles; nothing changes during the walk.
        unsafe {
            let mut block = (api().LLVMGetFirstBasicBlock)(self.0);
            while !block.is_null() {
                let mut instruction = (api().LLVMGetFirstInstruction)(block);
                while !instruction.is_null() {
                    all.push(Value::new(instruction));
                    instruction = (api().LLVMGetNextInstruction)(instruction);
                }
                block = (api().LLVMGetNextBasicBlock)(block);
            }
        }
        all
    }

    /// Adds an attribute of the function itself.
    pub(crate) fn add_function_attribute(self, attribute: Attribute) {
        // SAFETY: live handles.
        unsafe { (api().LLVMAddAttributeAtIndex)(self.0, AT_FUNCTION, attribute.0) }
    }

    /// Whether the function has an attribute of this kind.
    pub(crate) fn has_function_attribute(self, kind: u32) -> bool {
        // SAFETY: live handle; null if it is not there.
        unsafe { !(api().LLVMGetEnumAttributeAtIndex)(self.0, AT_FUNCTION, kind).is_null() }
    }

    pub(crate) fn remove_function_attribute(self, kind: u32) {
        // SAFETY: live handle.
        unsafe { (api().LLVMRemoveEnumAttributeAtIndex)(self.0, AT_FUNCTION, kind) }
    }

    pub(crate) fn remove_function_string_attribute(self, key: &str) {
        // SAFETY: live handle, a pointer and its length.
        unsafe {
            (api().LLVMRemoveStringAttributeAtIndex)(
                self.0,
                AT_FUNCTION,
                key.as_ptr().cast(),
                key.len() as u32,
            )
        }
    }

    /// The value of a string attribute of the function itself.
    pub(crate) fn string_attribute(self, key: &str) -> Option<String> {
        // SAFETY: live handle, a pointer and its length; the attribute's text belongs to LLVM.
        let bytes = unsafe {
            let (text, len) = (key.as_ptr().cast(), key.len() as u32);
            let attribute = (api().LLVMGetStringAttributeAtIndex)(self.0, AT_FUNCTION, text, len);
            if attribute.is_null() {
                return None;
            }
            let mut len = 0;
            let value = (api().LLVMGetStringAttributeValue)(attribute, &mut len);
            copy_bytes(value, len as usize)
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Gives the function all attributes that `other` has: its own, its result's, its parameters'.
    pub(crate) fn copy_function_attributes(self, other: Value<'c>) {
        let params = other.value_type().params().len() as u32;
        // Index 0 is the result, the parameters follow.
        for index in (0..=params).chain([AT_FUNCTION]) {
            // SAFETY: live handles of functions; the array has room for all.
            unsafe {
                let count = (api().LLVMGetAttributeCountAtIndex)(other.0, index) as usize;
                let mut raw = vec![std::ptr::null_mut(); count];
                (api().LLVMGetAttributesAtIndex)(other.0, index, raw.as_mut_ptr());
                for attribute in raw {
                    (api().LLVMAddAttributeAtIndex)(self.0, index, attribute);
                }
            }
        }
    }

    /// Adds an attribute of parameter `index`.
    pub(crate) fn add_param_attribute(self, index: u32, attribute: Attribute) {
        // SAFETY: live handles; attribute index 0 is the result.
        unsafe { (api().LLVMAddAttributeAtIndex)(self.0, index + 1, attribute.0) }
    }
}

/// Instructions.
impl<'c> Value<'c> {
    pub(crate) fn opcode(self) -> Opcode {
        // SAFETY: live handle of an instruction.
        unsafe { (api().LLVMGetInstructionOpcode)(self.0) }
    }

    pub(crate) fn is_call(self) -> bool {
        self.is_instruction() && self.opcode() == opcode::CALL
    }

    /// The instruction behind this one in its block.
    pub(crate) fn next_instruction(self) -> Option<Value<'c>> {
        // SAFETY: live handle of an instruction; null at the end.
        Value::optional(unsafe { (api().LLVMGetNextInstruction)(self.0) })
    }

    /// What a branch decides by; `None` for other instructions and branches that go one way only.
    pub(crate) fn condition(self) -> Option<Value<'c>> {
        let branches = self.opcode() == opcode::BRANCH;
        // SAFETY: live handle of a branch.
        (branches && unsafe { (api().LLVMIsConditional)(self.0) } != 0)
            .then(|| Value::new(unsafe { (api().LLVMGetCondition)(self.0) }))
    }

    /// What a phi is if its block is entered from `from`.
    pub(crate) fn incoming(self, from: Block<'c>) -> Option<Value<'c>> {
        // SAFETY: live handle of a phi, whose operands are its values.
        let of = |i| unsafe { (api().LLVMGetIncomingBlock)(self.0, i) };
        (0..).zip(self.operands()).find(|(i, _)| of(*i) == from.0).map(|(_, value)| value)
    }

    /// A copy, not in a block yet, with the same operands.
    pub(crate) fn copy(self) -> Value<'c> {
        // SAFETY: live handle of an instruction.
        Value::new(unsafe { (api().LLVMInstructionClone)(self.0) })
    }

    /// The function that holds the instruction.
    pub(crate) fn parent_function(self) -> Value<'c> {
        self.parent_block().function()
    }

    /// The block that holds the instruction.
    pub(crate) fn parent_block(self) -> Block<'c> {
        // SAFETY: live handle of an instruction.
        Block(unsafe { (api().LLVMGetInstructionParent)(self.0) }, PhantomData)
    }

    pub(crate) fn erase(self) {
        // SAFETY: live handle of an instruction; not used again.
        unsafe { (api().LLVMInstructionEraseFromParent)(self.0) }
    }

    /// What a call calls: a function, inline assembly or a pointer.
    pub(crate) fn callee(self) -> Value<'c> {
        // SAFETY: live handle of a call or invoke.
        Value::new(unsafe { (api().LLVMGetCalledValue)(self.0) })
    }

    pub(crate) fn called_type(self) -> Type<'c> {
        // SAFETY: live handle of a call or invoke.
        Type::new(unsafe { (api().LLVMGetCalledFunctionType)(self.0) })
    }

    pub(crate) fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a call or invoke; arguments come first among the operands.
        let count = unsafe { (api().LLVMGetNumArgOperands)(self.0) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn is_inline_asm(self) -> bool {
        self.value_kind() == KIND_INLINE_ASM
    }

    /// The template of inline assembly.
    pub(crate) fn asm_template(self) -> String {
        let mut len = 0;
        // SAFETY: live handle of inline assembly; pointer and length belong together.
        let bytes = unsafe {
            let text = (api().LLVMGetInlineAsmAsmString)(self.0, &mut len);
            copy_bytes(text, len)
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether inline assembly is written in Intel's dialect, rustc's default on x86.
    pub(crate) fn is_intel_assembly(self) -> bool {
        /// `LLVMInlineAsmDialectIntel`
        const INTEL: std::ffi::c_int = 1;
        // SAFETY: live handle of inline assembly.
        unsafe { (api().LLVMGetInlineAsmDialect)(self.0) == INTEL }
    }

    /// The constraints of inline assembly: results, arguments, clobbers.
    pub(crate) fn asm_constraints(self) -> String {
        let mut len = 0;
        // SAFETY: live handle of inline assembly; pointer and length belong together.
        let bytes = unsafe {
            let text = (api().LLVMGetInlineAsmConstraintString)(self.0, &mut len);
            copy_bytes(text, len)
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn set_call_convention(self, convention: u32) {
        // SAFETY: live handle of a call.
        unsafe { (api().LLVMSetInstructionCallConv)(self.0, convention) }
    }

    pub(crate) fn clear_tail_call(self) {
        // SAFETY: live handle of a call.
        unsafe { (api().LLVMSetTailCall)(self.0, 0) }
    }

    /// Adds an attribute of the call itself.
    pub(crate) fn add_call_attribute(self, attribute: Attribute) {
        // SAFETY: live handles.
        unsafe { (api().LLVMAddCallSiteAttribute)(self.0, AT_FUNCTION, attribute.0) }
    }

    /// Has the pass `always-inline` inline this call, whatever the function says of itself.
    pub(crate) fn inline_always(self, context: &Context) {
        self.remove_call_attribute(context.attribute_kind("noinline"));
        self.add_call_attribute(context.attribute("alwaysinline", 0));
    }

    pub(crate) fn remove_call_attribute(self, kind: u32) {
        // SAFETY: live handle.
        unsafe { (api().LLVMRemoveCallSiteEnumAttribute)(self.0, AT_FUNCTION, kind) }
    }

    /// The attributes of argument `index` at a call.
    pub(crate) fn argument_attributes(self, index: u32) -> Vec<Attribute> {
        // SAFETY: live handle; the array has room for all.
        unsafe {
            let count = (api().LLVMGetCallSiteAttributeCount)(self.0, index + 1) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            (api().LLVMGetCallSiteAttributes)(self.0, index + 1, raw.as_mut_ptr());
            raw.into_iter().map(Attribute).collect()
        }
    }

    pub(crate) fn memory_ordering(self) -> i32 {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMGetOrdering)(self.0) }
    }

    pub(crate) fn set_memory_ordering(self, ordering: i32) {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMSetOrdering)(self.0, ordering) }
    }

    /// LLVM-C's number of an `atomicrmw`'s operation (`LLVMAtomicRMWBinOp`).
    pub(crate) fn atomic_operation(self) -> i32 {
        // SAFETY: live handle of an `atomicrmw`.
        unsafe { (api().LLVMGetAtomicRMWBinOp)(self.0) }
    }

    /// The number of an atomic instruction's synchronisation scope.
    pub(crate) fn sync_scope(self) -> u32 {
        // SAFETY: live handle of an atomic instruction.
        unsafe { (api().LLVMGetAtomicSyncScopeID)(self.0) }
    }

    /// Lets the optimiser contract this float operation with others (`fma`), if it is one.
    pub(crate) fn allow_contraction(self) {
        const ALLOW_CONTRACT: u32 = 1 << 5;
        // SAFETY: live handle; flags are read and set on values that can have them.
        unsafe {
            if (api().LLVMCanValueUseFastMathFlags)(self.0) != 0 {
                let flags = (api().LLVMGetFastMathFlags)(self.0);
                (api().LLVMSetFastMathFlags)(self.0, flags | ALLOW_CONTRACT);
            }
        }
    }

    /// The type that the indices of an address count in.
    pub(crate) fn element_type(self) -> Type<'c> {
        // SAFETY: live handle of a `getelementptr`.
        Type::new(unsafe { (api().LLVMGetGEPSourceElementType)(self.0) })
    }

    pub(crate) fn set_metadata(self, kind: u32, node: Value<'c>) {
        // SAFETY: live handles.
        unsafe { (api().LLVMSetMetadata)(self.0, kind, node.0) }
    }

    /// The string that a metadata value holds.
    pub(super) fn metadata_string(self) -> Option<String> {
        let mut len = 0;
        // SAFETY: live handle of metadata; null if it is no string.
        let bytes = unsafe {
            let text = (api().LLVMGetMDString)(self.0, &mut len);
            if text.is_null() {
                return None;
            }
            copy_bytes(text, len as usize)
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print())
    }
}
