//! [`Module`]: parsing, linking, passes, printing.

use std::marker::PhantomData;

use super::context::copy_bytes;
use super::table::{MemoryBufferRef, ModuleRef};
use super::{Context, LlvmError, Target, Type, Value, api, c_string, check, take_message};

/// An LLVM module.
pub(crate) struct Module<'c> {
    raw: ModuleRef,
    context: &'c Context,
}

/// A memory buffer that LLVM allocated.
struct Buffer(MemoryBufferRef);

impl Buffer {
    fn copy_of(bytes: &[u8]) -> Buffer {
        // SAFETY: a pointer and its length; LLVM copies, and adds the NUL it wants.
        Buffer(unsafe {
            (api().LLVMCreateMemoryBufferWithMemoryRangeCopy)(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"bitcode".as_ptr(),
            )
        })
    }

    fn to_vec(&self) -> Vec<u8> {
        // SAFETY: live handle; start and size belong together.
        unsafe { copy_bytes((api().LLVMGetBufferStart)(self.0), (api().LLVMGetBufferSize)(self.0)) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { (api().LLVMDisposeMemoryBuffer)(self.0) }
    }
}

/// What LLVM said in this context, or `fallback`.
fn error_in(context: &Context, fallback: &str) -> LlvmError {
    let messages = context.take_messages();
    LlvmError::Message(if messages.is_empty() { fallback.to_owned() } else { messages.join("\n") })
}

impl<'c> Module<'c> {
    pub(crate) fn empty(context: &'c Context, name: &str) -> Module<'c> {
        // SAFETY: live handle, C string.
        let raw = unsafe {
            (api().LLVMModuleCreateWithNameInContext)(c_string(name).as_ptr(), context.raw())
        };
        Module { raw, context }
    }

    /// Reads bitcode, function bodies included.
    pub(crate) fn parse(context: &'c Context, bitcode: &[u8]) -> Result<Module<'c>, LlvmError> {
        let buffer = Buffer::copy_of(bitcode);
        let mut raw = std::ptr::null_mut();
        // SAFETY: live handles; the buffer stays ours.
        let failed =
            unsafe { (api().LLVMParseBitcodeInContext2)(context.raw(), buffer.0, &mut raw) };
        if failed != 0 {
            return Err(error_in(context, "this is not LLVM bitcode"));
        }
        Ok(Module { raw, context })
    }

    /// Reads bitcode, each function body only once linking needs it.
    pub(crate) fn parse_lazily(
        context: &'c Context,
        bitcode: &[u8],
    ) -> Result<Module<'c>, LlvmError> {
        let buffer = Buffer::copy_of(bitcode);
        let mut raw = std::ptr::null_mut();
        // SAFETY: live handles; on success the module owns the buffer, otherwise it stays ours.
        let failed =
            unsafe { (api().LLVMGetBitcodeModuleInContext2)(context.raw(), buffer.0, &mut raw) };
        if failed != 0 {
            return Err(error_in(context, "this is not LLVM bitcode"));
        }
        std::mem::forget(buffer);
        Ok(Module { raw, context })
    }

    /// Reads LLVM's text.
    pub(crate) fn parse_text(context: &'c Context, text: &str) -> Result<Module<'c>, LlvmError> {
        let buffer = Buffer::copy_of(text.as_bytes());
        let (mut raw, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: live handles; LLVM takes over the buffer in any case, the message becomes ours.
        unsafe {
            let failed =
                (api().LLVMParseIRInContext)(context.raw(), buffer.0, &mut raw, &mut message);
            std::mem::forget(buffer);
            if failed != 0 {
                return Err(LlvmError::Message(take_message(message)));
            }
        }
        Ok(Module { raw, context })
    }

    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: live handle; the buffer is ours.
        Buffer(unsafe { (api().LLVMWriteBitcodeToMemoryBuffer)(self.raw) }).to_vec()
    }

    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// Moves what `other` defines into this module: all of it, but `linkonce` definitions only as
    /// far as something refers to them.
    pub(crate) fn link(&mut self, other: Module<'c>) -> Result<(), LlvmError> {
        let source = other.raw;
        // LLVM frees the source module.
        std::mem::forget(other);
        // SAFETY: live handles of one context.
        let failed = unsafe { (api().LLVMLinkModules2)(self.raw, source) };
        if failed != 0 {
            return Err(error_in(self.context, "modules can't be linked"));
        }
        Ok(())
    }

    /// Gives the module the target's triple and data layout.
    pub(crate) fn set_target(&mut self, target: &Target) {
        // SAFETY: live handles; LLVM copies the layout.
        unsafe {
            (api().LLVMSetTarget)(self.raw, Target::TRIPLE.as_ptr());
            (api().LLVMSetModuleDataLayout)(self.raw, target.data_layout());
        }
    }

    /// Runs a pipeline in the syntax of LLVM's `opt -passes=`.
    pub(crate) fn run_passes(&mut self, passes: &str, target: &Target) -> Result<(), LlvmError> {
        // SAFETY: live handles, C string.
        unsafe {
            check((api().LLVMRunPasses)(
                self.raw,
                c_string(passes).as_ptr(),
                target.machine(),
                target.pass_options(),
            ))
        }
    }

    /// Runs a pipeline as if the module had no target; `target` gives the options alone.
    pub(crate) fn run_passes_without_target(
        &mut self,
        passes: &str,
        target: &Target,
    ) -> Result<(), LlvmError> {
        // SAFETY: live handles, C string; a pipeline needs no target machine.
        unsafe {
            check((api().LLVMRunPasses)(
                self.raw,
                c_string(passes).as_ptr(),
                std::ptr::null_mut(),
                target.pass_options(),
            ))
        }
    }

    /// Runs a function pipeline on one function.
    pub(crate) fn run_passes_on(
        &mut self,
        function: Value<'c>,
        passes: &str,
        target: &Target,
    ) -> Result<(), LlvmError> {
        // SAFETY: live handles, C string.
        unsafe {
            check((api().LLVMRunPassesOnFunction)(
                function.raw(),
                c_string(passes).as_ptr(),
                target.machine(),
                target.pass_options(),
            ))
        }
    }

    /// Checks the module's consistency.
    pub(crate) fn verify(&self) -> Result<(), LlvmError> {
        let mut message = std::ptr::null_mut();
        // SAFETY: live handle; action 2 returns the message.
        unsafe {
            let broken = (api().LLVMVerifyModule)(self.raw, 2, &mut message);
            let message = take_message(message);
            if broken != 0 { Err(LlvmError::Message(message)) } else { Ok(()) }
        }
    }

    pub(crate) fn strip_debug_info(&mut self) {
        // SAFETY: live handle.
        unsafe { (api().LLVMStripModuleDebugInfo)(self.raw) };
    }

    /// Drops module-level assembly, which is the host's.
    pub(crate) fn clear_module_asm(&self) {
        // SAFETY: live handle, an empty string.
        unsafe { (api().LLVMSetModuleInlineAsm2)(self.raw, c"".as_ptr(), 0) };
    }

    /// A module with the same content.
    pub(crate) fn copy(&self) -> Module<'c> {
        // SAFETY: live handle; the copy is ours.
        Module { raw: unsafe { (api().LLVMCloneModule)(self.raw) }, context: self.context }
    }

    /// The module as LLVM's text.
    pub(crate) fn print(&self) -> String {
        // SAFETY: live handle; the message is ours.
        unsafe { take_message((api().LLVMPrintModuleToString)(self.raw)) }
    }

    /// The PTX of the module.
    pub(crate) fn emit(&self, target: &Target) -> Result<String, LlvmError> {
        let mut error = std::ptr::null_mut();
        let mut buffer = std::ptr::null_mut();
        const ASSEMBLY: i32 = 0;
        // SAFETY: live handles; message and buffer become ours.
        unsafe {
            let failed = (api().LLVMTargetMachineEmitToMemoryBuffer)(
                target.machine(),
                self.raw,
                ASSEMBLY,
                &mut error,
                &mut buffer,
            );
            if failed != 0 {
                return Err(LlvmError::Message(take_message(error)));
            }
        }
        let text = Buffer(buffer).to_vec();
        let messages = self.context.take_messages();
        if !messages.is_empty() {
            return Err(LlvmError::Message(messages.join("\n")));
        }
        String::from_utf8(text).map_err(|e| LlvmError::Message(e.to_string()))
    }

    /// Every function, defined or declared.
    pub(crate) fn functions(&self) -> Vec<Value<'c>> {
        // SAFETY: live handles.
        unsafe {
            collect((api().LLVMGetFirstFunction)(self.raw), |f| (api().LLVMGetNextFunction)(f))
        }
    }

    /// Every global variable, defined or declared.
    pub(crate) fn globals(&self) -> Vec<Value<'c>> {
        // SAFETY: live handles.
        unsafe { collect((api().LLVMGetFirstGlobal)(self.raw), |g| (api().LLVMGetNextGlobal)(g)) }
    }

    /// Every alias, with what it stands for.
    pub(crate) fn aliases(&self) -> Vec<(Value<'c>, Value<'c>)> {
        // SAFETY: live handles.
        let aliases: Vec<Value<'c>> = unsafe {
            collect((api().LLVMGetFirstGlobalAlias)(self.raw), |a| {
                (api().LLVMGetNextGlobalAlias)(a)
            })
        };
        aliases
            .into_iter()
            // SAFETY: live handle of an alias.
            .map(|a| (a, Value::new(unsafe { (api().LLVMAliasGetAliasee)(a.raw()) })))
            .collect()
    }

    pub(crate) fn function(&self, name: &str) -> Option<Value<'c>> {
        // SAFETY: live handle, C string.
        Value::optional(unsafe { (api().LLVMGetNamedFunction)(self.raw, c_string(name).as_ptr()) })
    }

    pub(crate) fn global(&self, name: &str) -> Option<Value<'c>> {
        // SAFETY: live handle, C string.
        Value::optional(unsafe { (api().LLVMGetNamedGlobal)(self.raw, c_string(name).as_ptr()) })
    }

    /// Adds a function declaration; LLVM renames it if the name is taken.
    pub(crate) fn add_function(&self, name: &str, ty: Type<'c>) -> Value<'c> {
        // SAFETY: live handles, C string.
        Value::new(unsafe { (api().LLVMAddFunction)(self.raw, c_string(name).as_ptr(), ty.raw()) })
    }

    /// The function `name`, declared with `ty` if it is not there.
    pub(crate) fn declare(&self, name: &str, ty: Type<'c>) -> Value<'c> {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }

    pub(crate) fn add_global(&self, name: &str, ty: Type<'c>, address_space: u32) -> Value<'c> {
        // SAFETY: live handles, C string.
        Value::new(unsafe {
            (api().LLVMAddGlobalInAddressSpace)(
                self.raw,
                ty.raw(),
                c_string(name).as_ptr(),
                address_space,
            )
        })
    }

    /// The declaration of an intrinsic that is not overloaded, with its type; `None` if this LLVM
    /// does not have it.
    pub(crate) fn intrinsic(&self, name: &str) -> Option<(Value<'c>, Type<'c>)> {
        let id = self.context.intrinsic_id(name);
        if id == 0 {
            return None;
        }
        // SAFETY: live handles; an intrinsic that is not overloaded takes no types.
        unsafe {
            if (api().LLVMIntrinsicIsOverloaded)(id) != 0 {
                return None;
            }
            let none = std::ptr::null_mut();
            let function = (api().LLVMGetIntrinsicDeclaration)(self.raw, id, none, 0);
            let ty = (api().LLVMIntrinsicGetType)(self.context.raw(), id, none, 0);
            Some((Value::new(function), Type::new(ty)))
        }
    }

    /// Size in bytes of a value of this type in memory.
    pub(crate) fn size_of(&self, ty: Type<'c>) -> u64 {
        // SAFETY: live handles.
        unsafe { (api().LLVMABISizeOfType)((api().LLVMGetModuleDataLayout)(self.raw), ty.raw()) }
    }

    /// Alignment in bytes of this type.
    pub(crate) fn align_of(&self, ty: Type<'c>) -> u32 {
        // SAFETY: live handles.
        unsafe {
            (api().LLVMABIAlignmentOfType)((api().LLVMGetModuleDataLayout)(self.raw), ty.raw())
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, freed once, before its context.
        unsafe { (api().LLVMDisposeModule)(self.raw) }
    }
}

/// Collects one of LLVM's intrusive lists.
///
/// # Safety
/// `first` is null or a live handle, and `next` steps through its list.
unsafe fn collect<'c>(
    first: super::table::ValueRef,
    next: impl Fn(super::table::ValueRef) -> super::table::ValueRef,
) -> Vec<Value<'c>> {
    let _: PhantomData<&'c ()> = PhantomData;
    let mut values = Vec::new();
    let mut current = first;
    while !current.is_null() {
        values.push(Value::new(current));
        current = next(current);
    }
    values
}
