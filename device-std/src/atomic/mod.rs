//! Atomics: values that any thread may change at any time.
//!
//! All operations are relaxed and of device scope at least: each is one step that no other thread
//! sees half of, but orders nothing else. [`fence_device`] and its kin order; barriers do within a block.
//! `core::sync::atomic` works in kernels, too, with its orderings, at system scope.

mod number;
mod operators;
mod ops;
#[cfg(test)]
mod tests;
mod types;
mod view;

pub use number::Atomic;
pub use types::{AtomicInteger, AtomicNumber};
pub use view::Atomics;

use crate::intrinsics;

/// Orders this thread's memory accesses before and after it, as threads of its block see them.
#[doc(alias = "__threadfence_block")]
#[inline(always)]
pub fn fence_block() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_block() }
}

/// Orders this thread's memory accesses before and after it, as all threads of the device see them.
#[doc(alias = "__threadfence")]
#[inline(always)]
pub fn fence_device() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_device() }
}

/// Orders this thread's memory accesses before and after it, as other devices and the host see
/// them, too.
#[doc(alias = "__threadfence_system")]
#[inline(always)]
pub fn fence_system() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_system() }
}
