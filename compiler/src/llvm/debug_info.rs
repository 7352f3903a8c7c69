//! Source places of instructions and functions.

use std::ffi::{c_char, c_uint};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::context::copy_bytes;
use super::table::MetadataRef;
use super::{Context, Value, api};

/// A place in the source, and the function that it stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The linkage name of the function, empty if unknown.
    pub(crate) function: String,
    /// The file, as rustc was given it.
    pub(crate) file: String,
    /// Where rustc ran: the file's path starts there.
    pub(crate) directory: String,
    /// The line, from 1; 0 if unknown.
    pub(crate) line: u32,
    /// The column, from 1; 0 if unknown.
    pub(crate) column: u32,
}

impl Place {
    /// The file's whole path.
    pub(crate) fn path(&self) -> PathBuf {
        Path::new(&self.directory).join(&self.file)
    }
}

/// A `DILocation`: instructions with equal ones come from one place, inlined through the same calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Location<'c>(MetadataRef, PhantomData<&'c ()>);

impl<'c> Location<'c> {
    fn optional(raw: MetadataRef) -> Option<Location<'c>> {
        (!raw.is_null()).then_some(Location(raw, PhantomData))
    }

    /// Where it is, whatever it was inlined through.
    pub(crate) fn place(self, context: &'c Context) -> Place {
        // SAFETY: live handles.
        unsafe {
            let scope = (api().LLVMDILocationGetScope)(self.0);
            let (directory, file) = file_of(scope);
            Place {
                function: subprogram_of(context, scope)
                    .map_or_else(String::new, |s| name(context, s)),
                file,
                directory,
                line: (api().LLVMDILocationGetLine)(self.0),
                column: (api().LLVMDILocationGetColumn)(self.0),
            }
        }
    }

    /// The innermost call that it was inlined through, if there is any.
    pub(crate) fn caller(self) -> Option<Location<'c>> {
        // SAFETY: live handle.
        Location::optional(unsafe { (api().LLVMDILocationGetInlinedAt)(self.0) })
    }
}

/// `DISubprogram`'s metadata kind in LLVM-C (`LLVMMetadataKind`).
const KIND_SUBPROGRAM: u32 = 17;
/// `DILexicalBlock`
const KIND_LEXICAL_BLOCK: u32 = 18;
/// `DILexicalBlockFile`
const KIND_LEXICAL_BLOCK_FILE: u32 = 19;

impl<'c> Value<'c> {
    /// What LLVM knows of where an instruction comes from, if anything.
    pub(crate) fn location(self) -> Option<Location<'c>> {
        // SAFETY: live handle of an instruction.
        Location::optional(unsafe { (api().LLVMInstructionGetDebugLoc)(self.raw()) })
    }

    /// Where an instruction comes from: itself first, then the calls that were inlined.
    pub(crate) fn places(self, context: &'c Context) -> Vec<Place> {
        let locations = std::iter::successors(self.location(), |location| location.caller());
        locations.map(|location| location.place(context)).collect()
    }

    /// Gives an instruction's place another column.
    pub(crate) fn set_column(self, context: &'c Context, column: u32) {
        // SAFETY: live handles, the location checked for null.
        unsafe {
            let location = (api().LLVMInstructionGetDebugLoc)(self.raw());
            if location.is_null() {
                return;
            }
            let changed = (api().LLVMDIBuilderCreateDebugLocation)(
                context.raw(),
                (api().LLVMDILocationGetLine)(location),
                column,
                (api().LLVMDILocationGetScope)(location),
                (api().LLVMDILocationGetInlinedAt)(location),
            );
            (api().LLVMInstructionSetDebugLoc)(self.raw(), changed);
        }
    }

    /// Forgets where an instruction comes from.
    pub(crate) fn clear_place(self) {
        // SAFETY: live handle of an instruction; null clears it.
        unsafe { (api().LLVMInstructionSetDebugLoc)(self.raw(), std::ptr::null_mut()) }
    }

    /// Where a function is defined.
    pub(crate) fn definition(self, context: &'c Context) -> Option<Place> {
        // SAFETY: live handles, checked for null.
        unsafe {
            let subprogram = (api().LLVMGetSubprogram)(self.raw());
            if subprogram.is_null() {
                return None;
            }
            let (directory, file) = file_of(subprogram);
            Some(Place {
                function: name(context, subprogram),
                file,
                directory,
                line: (api().LLVMDISubprogramGetLine)(subprogram),
                column: 0,
            })
        }
    }
}

/// The directory and the name of a scope's file.
///
/// # Safety
/// `scope` is a live scope.
unsafe fn file_of(scope: MetadataRef) -> (String, String) {
    // SAFETY: live handles, checked for null; pointer and length belong together.
    unsafe {
        let file = (api().LLVMDIScopeGetFile)(scope);
        if file.is_null() {
            return Default::default();
        }
        let text = |get: unsafe extern "C" fn(_, *mut c_uint) -> *const c_char| {
            let mut len = 0;
            let text = get(file, &mut len);
            String::from_utf8_lossy(&copy_bytes(text, len as usize)).into_owned()
        };
        (text(api().LLVMDIFileGetDirectory), text(api().LLVMDIFileGetFilename))
    }
}

/// The subprogram around a scope.
///
/// # Safety
/// `scope` is a live scope.
unsafe fn subprogram_of(context: &Context, scope: MetadataRef) -> Option<MetadataRef> {
    let mut scope = scope;
    // SAFETY: live handles; operand 1 of a lexical block is its scope.
    unsafe {
        loop {
            match (api().LLVMGetMetadataKind)(scope) {
                KIND_SUBPROGRAM => return Some(scope),
                KIND_LEXICAL_BLOCK | KIND_LEXICAL_BLOCK_FILE => {
                    let parent = *operands(context, scope).get(1)?;
                    if parent.is_null() {
                        return None;
                    }
                    scope = (api().LLVMValueAsMetadata)(parent);
                }
                _ => return None,
            }
        }
    }
}

/// A subprogram's linkage name, or its plain name.
///
/// # Safety
/// `subprogram` is a live `DISubprogram`.
unsafe fn name(context: &Context, subprogram: MetadataRef) -> String {
    // Operands of a DISubprogram: file, scope, name, linkage name, type, unit, ...
    const NAME: usize = 2;
    const LINKAGE_NAME: usize = 3;
    // SAFETY: live handles, checked for null.
    let operands = unsafe { operands(context, subprogram) };
    [LINKAGE_NAME, NAME]
        .into_iter()
        .filter_map(|i| operands.get(i).copied().filter(|o| !o.is_null()))
        .find_map(|o| Value::new(o).metadata_string())
        .unwrap_or_default()
}

/// # Safety
/// `node` is a live metadata node.
unsafe fn operands(context: &Context, node: MetadataRef) -> Vec<super::table::ValueRef> {
    // SAFETY: live handles; the array has room for all.
    unsafe {
        let value = (api().LLVMMetadataAsValue)(context.raw(), node);
        let mut raw = vec![std::ptr::null_mut(); (api().LLVMGetMDNodeNumOperands)(value) as usize];
        (api().LLVMGetMDNodeOperands)(value, raw.as_mut_ptr());
        raw
    }
}
