//! What is known of a kernel before it is compiled.

use super::extract::{definition_of_kernel, shown_name, unpacking_function};
use super::goals::goals;
use super::names::entry_name;
use crate::link::KernelRoot;
use crate::llvm::{Module, Place};
use crate::lower::{Goal, Marks};
use crate::options::Options;
use crate::report::Diagnostic;

/// A kernel, and what is to be made of it.
pub(super) struct Description {
    /// The entry's name.
    pub(super) name: String,
    /// The name in messages.
    pub(super) shown_name: String,
    /// Where the kernel is defined.
    pub(super) definition: Place,
    /// The forms in which it is compiled: whether its checks are left out.
    pub(super) unchecked: &'static [bool],
    /// What each form is compiled for.
    pub(super) goals: Vec<Goal>,
}

/// Describes the kernel that `root` unpacks arguments for, by a module of it and all that it reaches.
pub(super) fn describe(
    module: &Module<'_>,
    root: &KernelRoot,
    options: &Options,
) -> Result<Description, Diagnostic> {
    let unpack = unpacking_function(module, root)?;
    let definition = definition_of_kernel(module.context(), unpack);
    let shown_name = shown_name(&root.type_name, &definition);
    let is_taken = |name: &str| module.function(name).is_some() || module.global(name).is_some();
    let is_unchecked = Marks::of(module, unpack).unchecked;
    Ok(Description {
        name: entry_name(&shown_name, is_taken),
        shown_name,
        definition,
        unchecked: if is_unchecked { &[false, true] } else { &[false] },
        goals: goals(module, options)?,
    })
}
