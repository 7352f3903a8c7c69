//! [`Type`].

use std::marker::PhantomData;

use super::table::TypeRef;
use super::{Context, Value, api, take_message};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'c>(TypeRef, PhantomData<&'c Context>);

/// What Ptyx asks of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeKind {
    /// No value.
    Void,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// An integer of this many bits.
    Int(u32),
    /// A pointer.
    Pointer,
    /// Anything else.
    Other,
}

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

    /// The width of an integer type.
    pub(crate) fn int_bits(self) -> Option<u32> {
        match self.kind() {
            TypeKind::Int(bits) => Some(bits),
            _ => None,
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

    /// A struct type's members.
    pub(crate) fn members(self) -> Vec<Type<'c>> {
        // SAFETY: live handle of a struct type; the indices are below the count.
        unsafe {
            let count = (api().LLVMCountStructElementTypes)(self.0);
            (0..count).map(|at| Type::new((api().LLVMStructGetTypeAtIndex)(self.0, at))).collect()
        }
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
