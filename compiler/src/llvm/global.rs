//! Globals: functions, variables and aliases.

use super::context::copy_bytes;
use super::{Attribute, Block, Context, Linkage, Type, Value, api};

/// An attribute's place: the function itself.
pub(super) const AT_FUNCTION: u32 = u32::MAX;

/// Globals: functions, variables and aliases.
impl<'c> Value<'c> {
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMIsDeclaration)(self.raw()) != 0 }
    }

    /// Whether other modules see it under its name.
    pub(crate) fn is_external(self) -> bool {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMGetLinkage)(self.raw()) == Linkage::External as i32 }
    }

    /// Whether no other module can name this global.
    pub(crate) fn is_local(self) -> bool {
        const PRIVATE: i32 = 9;
        // SAFETY: live handle of a global.
        let linkage = unsafe { (api().LLVMGetLinkage)(self.raw()) };
        linkage == Linkage::Internal as i32 || linkage == PRIVATE
    }

    pub(crate) fn set_linkage(self, linkage: Linkage) {
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMSetLinkage)(self.raw(), linkage as i32) }
    }

    /// Drops what the host's linker would need to know: visibility, section, comdat.
    pub(crate) fn clear_link_properties(self) {
        // SAFETY: live handle of a global; null comdat and empty section are allowed.
        unsafe {
            (api().LLVMSetVisibility)(self.raw(), 0);
            let section = (api().LLVMGetSection)(self.raw());
            if !section.is_null() && *section != 0 {
                (api().LLVMSetSection)(self.raw(), c"".as_ptr());
            }
            (api().LLVMSetComdat)(self.raw(), std::ptr::null_mut());
        }
    }

    /// The section that it asks for; empty if it does not.
    pub(crate) fn section(self) -> String {
        // SAFETY: live handle of a global; the text belongs to LLVM.
        unsafe {
            let section = (api().LLVMGetSection)(self.raw());
            match section.is_null() {
                true => String::new(),
                false => std::ffi::CStr::from_ptr(section).to_string_lossy().into_owned(),
            }
        }
    }

    pub(crate) fn value_type(self) -> Type<'c> {
        // SAFETY: live handle of a global.
        Type::new(unsafe { (api().LLVMGlobalGetValueType)(self.raw()) })
    }

    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMIsGlobalConstant)(self.raw()) != 0 }
    }

    pub(crate) fn set_constant_global(self, is_constant: bool) {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMSetGlobalConstant)(self.raw(), is_constant.into()) }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMIsThreadLocal)(self.raw()) != 0 }
    }

    pub(crate) fn set_initializer(self, value: Value<'c>) {
        // SAFETY: live handles of a global variable and a constant.
        unsafe { (api().LLVMSetInitializer)(self.raw(), value.raw()) }
    }

    /// Something else may have written the global before the first instruction: what is in it is unknown, but
    /// it is not undefined.
    pub(crate) fn set_externally_initialized(self) {
        // SAFETY: live handle of a global variable.
        unsafe { (api().LLVMSetExternallyInitialized)(self.raw(), 1) }
    }

    /// The alignment of a global or memory instruction.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: live handle of a global or memory instruction.
        unsafe { (api().LLVMGetAlignment)(self.raw()) }
    }

    pub(crate) fn set_alignment(self, bytes: u32) {
        // SAFETY: live handle of a global or memory instruction.
        unsafe { (api().LLVMSetAlignment)(self.raw(), bytes) }
    }

    /// Says that the address does not matter, so that equal constants may be merged.
    pub(crate) fn set_unnamed_address(self) {
        const GLOBAL: i32 = 2;
        // SAFETY: live handle of a global.
        unsafe { (api().LLVMSetUnnamedAddress)(self.raw(), GLOBAL) }
    }

    /// Erases a global variable without uses.
    pub(crate) fn delete_global(self) {
        // SAFETY: live handle of a global variable; not used again.
        unsafe { (api().LLVMDeleteGlobal)(self.raw()) }
    }
}

/// Functions.
impl<'c> Value<'c> {
    /// An LLVM intrinsic's number, 0 for other functions.
    pub(crate) fn intrinsic_id(self) -> u32 {
        // SAFETY: live handle of a function.
        unsafe { (api().LLVMGetIntrinsicID)(self.raw()) }
    }

    pub(crate) fn calling_convention(self) -> u32 {
        // SAFETY: live handle of a function.
        unsafe { (api().LLVMGetFunctionCallConv)(self.raw()) }
    }

    pub(crate) fn set_calling_convention(self, convention: u32) {
        // SAFETY: live handle of a function.
        unsafe { (api().LLVMSetFunctionCallConv)(self.raw(), convention) }
    }

    pub(crate) fn clear_personality(self) {
        // SAFETY: live handle of a function; null clears it.
        unsafe {
            if (api().LLVMHasPersonalityFn)(self.raw()) != 0 {
                (api().LLVMSetPersonalityFn)(self.raw(), std::ptr::null_mut());
            }
        }
    }

    /// Takes over the debug information of `other`, which has none afterwards.
    pub(crate) fn take_subprogram(self, other: Value<'c>) {
        // SAFETY: live handles of functions; null is allowed.
        unsafe {
            let subprogram = (api().LLVMGetSubprogram)(other.raw());
            (api().LLVMSetSubprogram)(other.raw(), std::ptr::null_mut());
            (api().LLVMSetSubprogram)(self.raw(), subprogram);
        }
    }

    pub(crate) fn params(self) -> Vec<Value<'c>> {
        // SAFETY: live handle of a function, indices in range.
        unsafe {
            (0..(api().LLVMCountParams)(self.raw()))
                .map(|i| Value::new((api().LLVMGetParam)(self.raw(), i)))
                .collect()
        }
    }

    /// The function that this is a parameter of, and its index there.
    pub(crate) fn parameter_of(self) -> Option<(Value<'c>, u32)> {
        // SAFETY: live handle; the parent is asked of a parameter only.
        let function = unsafe {
            if (api().LLVMIsAArgument)(self.raw()).is_null() {
                return None;
            }
            Value::new((api().LLVMGetParamParent)(self.raw()))
        };
        let index = function.params().iter().position(|param| *param == self)?;
        Some((function, index as u32))
    }

    pub(crate) fn append_block(self, context: &'c Context) -> Block<'c> {
        // SAFETY: live handles, C string.
        Block::new(unsafe {
            (api().LLVMAppendBasicBlockInContext)(context.raw(), self.raw(), c"start".as_ptr())
        })
    }

    /// The first instruction of a function that has a body.
    pub(crate) fn first_instruction(self) -> Option<Value<'c>> {
        // SAFETY: live handles; the first block of a body is never empty.
        unsafe {
            let block = (api().LLVMGetFirstBasicBlock)(self.raw());
            (!block.is_null()).then(|| Value::new((api().LLVMGetFirstInstruction)(block)))
        }
    }

    /// The blocks of a function, its entry first.
    pub(crate) fn blocks(self) -> Vec<Block<'c>> {
        let mut all = Vec::new();
        // SAFETY: live handles; nothing changes during the walk.
        unsafe {
            let mut block = (api().LLVMGetFirstBasicBlock)(self.raw());
            while !block.is_null() {
                all.push(Block::new(block));
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
            let mut block = (api().LLVMGetFirstBasicBlock)(self.raw());
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
        unsafe { (api().LLVMAddAttributeAtIndex)(self.raw(), AT_FUNCTION, attribute.0) }
    }

    /// Whether the function has an attribute of this kind.
    pub(crate) fn has_function_attribute(self, kind: u32) -> bool {
        // SAFETY: live handle; null if it is not there.
        unsafe { !(api().LLVMGetEnumAttributeAtIndex)(self.raw(), AT_FUNCTION, kind).is_null() }
    }

    /// The value of an attribute of the function itself, as a number.
    pub(crate) fn function_attribute_value(self, kind: u32) -> Option<u64> {
        // SAFETY: live handles; null if it is not there.
        unsafe {
            let raw = (api().LLVMGetEnumAttributeAtIndex)(self.raw(), AT_FUNCTION, kind);
            (!raw.is_null()).then(|| (api().LLVMGetEnumAttributeValue)(raw))
        }
    }

    pub(crate) fn remove_function_attribute(self, kind: u32) {
        // SAFETY: live handle.
        unsafe { (api().LLVMRemoveEnumAttributeAtIndex)(self.raw(), AT_FUNCTION, kind) }
    }

    pub(crate) fn remove_function_string_attribute(self, key: &str) {
        // SAFETY: live handle, a pointer and its length.
        unsafe {
            (api().LLVMRemoveStringAttributeAtIndex)(
                self.raw(),
                AT_FUNCTION,
                key.as_ptr().cast(),
                key.len() as u32,
            )
        }
    }

    /// The value of a string attribute of the function itself.
    pub(crate) fn string_attribute(self, key: &str) -> Option<String> {
        self.string_attribute_at(AT_FUNCTION, key)
    }

    fn string_attribute_at(self, index: u32, key: &str) -> Option<String> {
        // SAFETY: live handle, a pointer and its length; the attribute's text belongs to LLVM.
        let bytes = unsafe {
            let (text, len) = (key.as_ptr().cast(), key.len() as u32);
            let attribute = (api().LLVMGetStringAttributeAtIndex)(self.raw(), index, text, len);
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
                let count = (api().LLVMGetAttributeCountAtIndex)(other.raw(), index) as usize;
                let mut raw = vec![std::ptr::null_mut(); count];
                (api().LLVMGetAttributesAtIndex)(other.raw(), index, raw.as_mut_ptr());
                for attribute in raw {
                    (api().LLVMAddAttributeAtIndex)(self.raw(), index, attribute);
                }
            }
        }
    }

    /// The attribute of this kind of parameter `index`.
    pub(crate) fn param_attribute(self, index: u32, kind: u32) -> Option<Attribute> {
        // SAFETY: live handle; attribute index 0 is the result; null if it is not there.
        let raw = unsafe { (api().LLVMGetEnumAttributeAtIndex)(self.raw(), index + 1, kind) };
        (!raw.is_null()).then_some(Attribute(raw))
    }

    /// The value of a string attribute of parameter `index`.
    pub(crate) fn param_string_attribute(self, index: u32, key: &str) -> Option<String> {
        self.string_attribute_at(index + 1, key)
    }

    /// Adds an attribute of parameter `index`.
    pub(crate) fn add_param_attribute(self, index: u32, attribute: Attribute) {
        // SAFETY: live handles; attribute index 0 is the result.
        unsafe { (api().LLVMAddAttributeAtIndex)(self.raw(), index + 1, attribute.0) }
    }
}
