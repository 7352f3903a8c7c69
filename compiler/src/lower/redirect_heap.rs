//! Sends Rust's allocator to the device library, in kernels that asked for the heap.
//!
//! `Box`, `Vec`, `String` and the rest of `alloc` end in a handful of functions that rustc makes when
//! it links a program: none of them is in the device pass's bitcode, unless the program has a
//! `#[global_allocator]`, which is for the host and ignored. In a kernel marked `#[kernel(heap)]` they
//! become functions of the device library (`device-std/src/heap.rs`). In any other they stay undefined,
//! and `reject` explains.
//!
//! Those functions keep the attributes by which LLVM recognises an allocator: an unused allocation
//! disappears, as on the host.

use std::collections::BTreeSet;

use crate::llvm::{Module, calls_of};
use crate::rust::{path_of, paths};
use crate::symbols::{self, HEAP_MARK};

/// rustc's functions and the device library's.
const FUNCTIONS: [(&str, &str); 5] = [
    (paths::ALLOCATE, symbols::HEAP_ALLOCATE),
    (paths::ALLOCATE_ZEROED, symbols::HEAP_ALLOCATE_ZEROED),
    (paths::DEALLOCATE, symbols::HEAP_FREE),
    (paths::REALLOCATE, symbols::HEAP_REALLOCATE),
    (paths::ALLOCATION_FAILED, symbols::HEAP_EXHAUSTED),
];

/// Names the allocation function that LLVM may use instead of another one. It does not exist here.
const ZEROED_VARIANT: &str = "alloc-variant-zeroed";

/// Whether the kernel asked for the heap.
pub(super) fn is_marked(module: &Module<'_>) -> bool {
    module.function(HEAP_MARK).is_some()
}

/// The functions of the device library that [`redirect_heap`] will call.
pub(crate) fn needed(module: &Module<'_>) -> BTreeSet<String> {
    if !is_marked(module) {
        return BTreeSet::new();
    }
    let runtime = |name: &str| {
        let path = path_of(name);
        FUNCTIONS.iter().find(|(rust, _)| *rust == path).map(|(_, ours)| (*ours).to_owned())
    };
    module.functions().into_iter().filter_map(|function| runtime(&function.name())).collect()
}

/// Redirects the allocator if the kernel is marked, and erases the mark.
pub(super) fn redirect_heap(module: &Module<'_>) {
    let Some(mark) = module.function(HEAP_MARK) else { return };
    for call in calls_of(mark) {
        call.erase();
    }
    for function in module.functions() {
        let path = path_of(&function.name());
        if path.starts_with(paths::ALLOCATOR_SHIM) {
            for call in calls_of(function) {
                call.erase();
            }
        }
        let ours = FUNCTIONS.iter().find(|(rust, _)| *rust == path);
        let Some(ours) = ours.and_then(|(_, name)| module.function(name)) else { continue };
        ours.copy_function_attributes(function);
        ours.remove_function_string_attribute(ZEROED_VARIANT);
        function.replace_all_uses_with(ours);
    }
}
