//! Atomics: values that any thread may change at any time.
//!
//! All operations are relaxed and have at least device scope: each is indivisible for all other threads,
//! but does not order other memory accesses. [`fence_device`] and the other fences do, and barriers do
//! within a block. The fences panic on the host, like all functions that only a device has.
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
///
/// PTX [`fence.sc.cta`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar), `__threadfence_block()` of CUDA C.
///
/// ```
/// use ptyx::device::atomic::{Atomic, fence_block};
///
/// /// Hands a value to a thread of the same block that waits for `flag`.
/// fn publish(value: &Atomic<f32>, flag: &Atomic<u32>) {
///     value.store(1.5);
///     fence_block();
///     flag.store(1); // a thread that sees this also sees the value, after a fence of its own
/// }
/// ```
#[doc(alias = "__threadfence_block")]
#[inline(always)]
pub fn fence_block() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_block() }
}

/// Orders this thread's memory accesses before and after it, as all threads of the device see them.
///
/// PTX [`fence.sc.gpu`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar), `__threadfence()` of CUDA C.
///
/// ```
/// use ptyx::device::atomic::fence_device;
/// use ptyx::prelude::*;
///
/// /// The last block to come here gets `true`, and then sees what the others wrote.
/// fn is_last_block(arrived: &Atomic<u32>) -> bool {
///     fence_device();
///     let last = arrived.fetch_add(1) == grid::dim_x() - 1;
///     fence_device();
///     last
/// }
/// ```
#[doc(alias = "__threadfence")]
#[inline(always)]
pub fn fence_device() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_device() }
}

/// Orders this thread's memory accesses before and after it, as other devices and the host see
/// them, too.
///
/// PTX [`fence.sc.sys`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar), `__threadfence_system()` of CUDA C.
///
/// ```
/// use ptyx::device::atomic::{Atomic, fence_system};
///
/// /// Tells the host, or another device, that `value` is there.
/// fn publish(value: &Atomic<u64>, flag: &Atomic<u32>) {
///     value.store(42);
///     fence_system();
///     flag.store(1);
/// }
/// ```
#[doc(alias = "__threadfence_system")]
#[inline(always)]
pub fn fence_system() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::fence_system() }
}
