//! [`Context`]: owner of types, attributes and metadata.

use std::cell::RefCell;
use std::ffi::c_void;

use super::known::is_attribute;
use super::table::{self, AttributeRef, ContextRef};
use super::{Type, Value, api, give_up};

/// An LLVM context, with the error messages that LLVM reported in it.
pub(crate) struct Context {
    raw: ContextRef,
    /// Boxed, because LLVM keeps a pointer to it.
    messages: Box<RefCell<Vec<String>>>,
}

/// An attribute of a function, parameter or call.
#[derive(Clone, Copy)]
pub(crate) struct Attribute(pub(super) AttributeRef);

/// LLVM's severity of an error.
const SEVERITY_ERROR: i32 = 0;

unsafe extern "C" fn keep_message(info: table::DiagnosticRef, messages: *mut c_void) {
    // SAFETY: `info` is alive during the call, and `messages` is the context's own cell.
    unsafe {
        if (api().LLVMGetDiagInfoSeverity)(info) == SEVERITY_ERROR {
            let text = super::take_message((api().LLVMGetDiagInfoDescription)(info));
            (*messages.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
        }
    }
}

impl Context {
    pub(crate) fn new() -> Context {
        let messages = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler gets a pointer to the boxed cell, which lives as long as the context.
        let raw = unsafe {
            let raw = (api().LLVMContextCreate)();
            let cell: *const RefCell<Vec<String>> = &*messages;
            (api().LLVMContextSetDiagnosticHandler)(raw, keep_message, cell.cast_mut().cast());
            raw
        };
        Context { raw, messages }
    }

    pub(super) fn raw(&self) -> ContextRef {
        self.raw
    }

    /// The errors that LLVM reported since the last call.
    pub(crate) fn take_messages(&self) -> Vec<String> {
        self.messages.take()
    }

    pub(crate) fn int(&self, bits: u32) -> Type<'_> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMIntTypeInContext)(self.raw, bits) })
    }

    /// The 16-bit float of IEEE 754.
    pub(crate) fn half(&self) -> Type<'_> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMHalfTypeInContext)(self.raw) })
    }

    /// The 16-bit float that is the upper half of an `f32`.
    pub(crate) fn bfloat(&self) -> Type<'_> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMBFloatTypeInContext)(self.raw) })
    }

    pub(crate) fn void(&self) -> Type<'_> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMVoidTypeInContext)(self.raw) })
    }

    pub(crate) fn pointer(&self, address_space: u32) -> Type<'_> {
        // SAFETY: live handle.
        Type::new(unsafe { (api().LLVMPointerTypeInContext)(self.raw, address_space) })
    }

    pub(crate) fn function<'c>(&'c self, result: Type<'c>, params: &[Type<'c>]) -> Type<'c> {
        let mut raw: Vec<_> = params.iter().map(|p| p.raw()).collect();
        // SAFETY: live handles; LLVM copies the array.
        Type::new(unsafe {
            (api().LLVMFunctionType)(result.raw(), raw.as_mut_ptr(), raw.len() as u32, 0)
        })
    }

    /// A struct type with these members.
    pub(crate) fn struct_of<'c>(&'c self, members: &[Type<'c>]) -> Type<'c> {
        let mut raw: Vec<_> = members.iter().map(|ty| ty.raw()).collect();
        // SAFETY: live handles; LLVM copies the array.
        Type::new(unsafe {
            (api().LLVMStructTypeInContext)(self.raw, raw.as_mut_ptr(), raw.len() as u32, 0)
        })
    }

    /// A constant array of bytes.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Value<'_> {
        // SAFETY: live handle; LLVM copies the bytes.
        Value::new(unsafe {
            (api().LLVMConstStringInContext2)(self.raw, bytes.as_ptr().cast(), bytes.len(), 1)
        })
    }

    /// A constant struct of these fields.
    pub(crate) fn structure<'c>(&'c self, fields: &[Value<'c>]) -> Value<'c> {
        let mut raw: Vec<_> = fields.iter().map(|f| f.raw()).collect();
        // SAFETY: live handles; LLVM copies the array.
        Value::new(unsafe {
            (api().LLVMConstStructInContext)(self.raw, raw.as_mut_ptr(), raw.len() as u32, 0)
        })
    }

    /// The number of an attribute kind. Without one, this ends the worker: 0, LLVM's answer to names that
    /// it does not know, is no attribute, and asking for it would go wrong later and elsewhere.
    pub(crate) fn attribute_kind(&self, name: &str) -> u32 {
        debug_assert!(is_attribute(name), "`{name}` is not in the list of attributes");
        self.find_attribute_kind(name)
            .unwrap_or_else(|| give_up(&format!("this LLVM does not know the attribute `{name}`")))
    }

    /// The number of an attribute kind, if this LLVM has one of this name.
    pub(crate) fn find_attribute_kind(&self, name: &str) -> Option<u32> {
        // SAFETY: a pointer and its length.
        let kind =
            unsafe { (api().LLVMGetEnumAttributeKindForName)(name.as_ptr().cast(), name.len()) };
        (kind != 0).then_some(kind)
    }

    pub(crate) fn attribute(&self, name: &str, value: u64) -> Attribute {
        // SAFETY: live handle.
        Attribute(unsafe {
            (api().LLVMCreateEnumAttribute)(self.raw, self.attribute_kind(name), value)
        })
    }

    /// An attribute that is a name without a value, for one target's passes.
    pub(crate) fn named_attribute(&self, name: &str) -> Attribute {
        self.string_attribute(name, "")
    }

    /// An attribute that is a name with a value, for one target's passes or ours.
    pub(crate) fn string_attribute(&self, name: &str, value: &str) -> Attribute {
        // SAFETY: live handle, pointers and their lengths.
        Attribute(unsafe {
            let (name, value) = (name.as_bytes(), value.as_bytes());
            (api().LLVMCreateStringAttribute)(
                self.raw,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            )
        })
    }

    pub(crate) fn type_attribute(&self, name: &str, ty: Type<'_>) -> Attribute {
        // SAFETY: live handles.
        Attribute(unsafe {
            (api().LLVMCreateTypeAttribute)(self.raw, self.attribute_kind(name), ty.raw())
        })
    }

    pub(crate) fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: live handle, a pointer and its length.
        unsafe {
            (api().LLVMGetMDKindIDInContext)(self.raw, name.as_ptr().cast(), name.len() as u32)
        }
    }

    /// A metadata node of constants, as `!range` and the like take it.
    pub(crate) fn metadata_node<'c>(&'c self, operands: &[Value<'c>]) -> Value<'c> {
        // SAFETY: live handles; LLVM copies the array.
        Value::new(unsafe {
            let mut raw: Vec<_> =
                operands.iter().map(|v| (api().LLVMValueAsMetadata)(v.raw())).collect();
            let node = (api().LLVMMDNodeInContext2)(self.raw, raw.as_mut_ptr(), raw.len());
            (api().LLVMMetadataAsValue)(self.raw, node)
        })
    }

    /// A string as metadata.
    pub(crate) fn metadata_string(&self, text: &str) -> Value<'_> {
        // SAFETY: live handle, a pointer and its length.
        Value::new(unsafe {
            let string = (api().LLVMMDStringInContext2)(self.raw, text.as_ptr().cast(), text.len());
            (api().LLVMMetadataAsValue)(self.raw, string)
        })
    }

    /// What `!llvm.loop` takes: a node of its own, whose first operand is itself (LLVM Language
    /// Reference, "llvm.loop").
    pub(crate) fn loop_metadata<'c>(&'c self, properties: &[Value<'c>]) -> Value<'c> {
        // SAFETY: live handles; LLVM copies the array, and the temporary node dies when it is
        // replaced.
        Value::new(unsafe {
            let own = (api().LLVMTemporaryMDNode)(self.raw, std::ptr::null_mut(), 0);
            let mut raw = vec![own];
            raw.extend(properties.iter().map(|v| (api().LLVMValueAsMetadata)(v.raw())));
            let node = (api().LLVMMDNodeInContext2)(self.raw, raw.as_mut_ptr(), raw.len());
            (api().LLVMMetadataReplaceAllUsesWith)(own, node);
            (api().LLVMMetadataAsValue)(self.raw, node)
        })
    }

    /// The number of a synchronisation scope; the empty name is the system.
    pub(crate) fn sync_scope(&self, name: &str) -> u32 {
        // SAFETY: live handle, a pointer and its length.
        unsafe { (api().LLVMGetSyncScopeID)(self.raw, name.as_ptr().cast(), name.len()) }
    }

    /// Inline PTX: convergent calls of it are made by the caller. AT&T dialect, side effects.
    pub(crate) fn inline_asm<'c>(
        &'c self,
        ty: Type<'c>,
        template: &str,
        constraints: &str,
        side_effects: bool,
    ) -> Value<'c> {
        // SAFETY: live handles, pointers and their lengths.
        Value::new(unsafe {
            (api().LLVMGetInlineAsm)(
                ty.raw(),
                template.as_ptr().cast(),
                template.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                side_effects.into(),
                0,
                0,
                0,
            )
        })
    }

    /// An intrinsic's number, 0 if there is none of that name.
    pub(crate) fn intrinsic_id(&self, name: &str) -> u32 {
        // SAFETY: a pointer and its length.
        unsafe { (api().LLVMLookupIntrinsicID)(name.as_ptr().cast(), name.len()) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every type that borrows the context is gone.
        unsafe { (api().LLVMContextDispose)(self.raw) }
    }
}

impl Attribute {
    /// The enum kind, `None` for string and type attributes.
    pub(crate) fn enum_kind(self) -> Option<u32> {
        // SAFETY: live handle.
        unsafe {
            ((api().LLVMIsEnumAttribute)(self.0) != 0)
                .then(|| (api().LLVMGetEnumAttributeKind)(self.0))
        }
    }

    /// The number of an enum attribute such as `align`.
    pub(crate) fn enum_value(self) -> Option<u64> {
        self.enum_kind()?;
        // SAFETY: live handle of an enum attribute.
        Some(unsafe { (api().LLVMGetEnumAttributeValue)(self.0) })
    }
}

/// A copy of a string that LLVM owns.
///
/// # Safety
/// `text` is null or points to `len` bytes.
pub(super) unsafe fn copy_bytes(text: *const std::ffi::c_char, len: usize) -> Vec<u8> {
    if text.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) }.to_vec()
}
