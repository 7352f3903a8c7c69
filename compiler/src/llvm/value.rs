//! [`Value`]: what all values have, and constants.

use std::marker::PhantomData;

use super::context::copy_bytes;
use super::table::ValueRef;
use super::{Context, Opcode, Type, TypeKind, api, take_message};

/// A constant, global, function, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Value<'c>(ValueRef, PhantomData<&'c Context>);

/// `LLVMFunctionValueKind`
const KIND_FUNCTION: i32 = 5;
/// `LLVMGlobalVariableValueKind`
const KIND_GLOBAL_VARIABLE: i32 = 8;
/// `LLVMConstantExprValueKind`
const KIND_CONSTANT_EXPR: i32 = 10;
/// `LLVMConstantDataArrayValueKind`
const KIND_CONSTANT_DATA_ARRAY: i32 = 16;
/// `LLVMConstantIntValueKind`
const KIND_CONSTANT_INT: i32 = 18;
/// `LLVMConstantFPValueKind`.
const KIND_CONSTANT_FLOAT: i32 = 19;

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

    pub(super) fn value_kind(self) -> i32 {
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
        // Almost every name is UTF-8, and there are many.
        String::from_utf8(bytes)
            .unwrap_or_else(|other| String::from_utf8_lossy(other.as_bytes()).into_owned())
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

    /// The instructions and constants that use this value, one entry per use.
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

    /// The value of a constant of `f32` or `f64`.
    pub(crate) fn as_float(self) -> Option<f64> {
        let is_float = self.value_kind() == KIND_CONSTANT_FLOAT
            && matches!(self.ty().kind(), TypeKind::F32 | TypeKind::F64);
        let mut loses = 0;
        // SAFETY: live handle of a constant float, which fits.
        is_float.then(|| unsafe { (api().LLVMConstRealGetDouble)(self.0, &mut loses) })
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

    /// A global variable's initial value; `None` for declarations.
    pub(crate) fn initializer(self) -> Option<Value<'c>> {
        // SAFETY: live handle of a global variable.
        Value::optional(unsafe { (api().LLVMGetInitializer)(self.0) })
    }

    /// The bytes of a constant array of bytes.
    pub(crate) fn byte_array(self) -> Option<Vec<u8>> {
        // LLVM asks this of no other kind: zeros and undefined values have no bytes to point to.
        if self.value_kind() != KIND_CONSTANT_DATA_ARRAY {
            return None;
        }
        // SAFETY: live handles of an array of data; a constant string gives pointer and length.
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

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print())
    }
}
