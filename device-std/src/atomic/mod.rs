//! Atomics: values that any thread may change at any time.
//!
//! The instructions are `ld`, `st`, [`atom`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom),
//! `red` and [`fence`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) of the PTX ISA, with
//! orders and scopes (its [Memory Consistency Model](https://docs.nvidia.com/cuda/parallel-thread-execution/#memory-consistency-model)). All of it exists from `sm_70` on, unless said
//! otherwise.
//!
//! There is one rule: the methods of [`Atomic`] are relaxed and have device scope, loads and stores included.
//! Each is indivisible for all threads of the device, but does not order other memory accesses.
//! [`Atomic::with`] gives the same methods another order and scope, which are both types:
//!
//! ```
//! use ptyx::device::atomic::{fence, orders::*, scopes::*};
//! use ptyx::prelude::*;
//!
//! /// A lock that the threads of the device share: at most one of them holds it.
//! fn locked<R>(lock: &Atomic<u32>, inside: impl FnOnce() -> R) -> R {
//!     while lock.with(Acquire, Gpu).compare_exchange_weak(0, 1).is_err() {}
//!     let result = inside();
//!     lock.with(Release, Gpu).store(0);
//!     result
//! }
//! # assert_eq!(locked(&Atomic::new(0), || 5), 5);
//! ```
//!
//! | here | PTX | CUDA C++ |
//! |---|---|---|
//! | [`Atomic<T>`], [`Atomics<T>`] | `ld.relaxed.gpu`, `st.relaxed.gpu`, `atom.relaxed.gpu` | `atomicAdd(..)`, `cuda::atomic_ref<T, thread_scope_device>` |
//! | `x.with(Acquire, Block).load()` | `ld.acquire.cta` | `x.load(memory_order_acquire)` of `thread_scope_block` |
//! | [`fence(AcqRel, Gpu)`](fence()) | `fence.acq_rel.gpu` | `atomic_thread_fence(.., thread_scope_device)` |
//! | [`fence_device`] | `fence.sc.gpu` | `__threadfence()` |
//!
//! Integers of 8 and 16 bits are changed by a compare-exchange of the aligned word that contains them, because PTX
//! has no instruction for them. The word's other bytes keep their values. (In memory that was not allocated by
//! `ptyx`, and at the end of dynamic shared memory, the last word may extend past the end, which NVIDIA's
//! `compute-sanitizer` reports.) Before `sm_90`, additions to `bf16` are compare-exchange loops, too. Pairs (`F16x2`)
//! are changed half by half: each half is atomic, the pair is not. [`fetch_add_each`], [`fetch_min_each`] and
//! [`fetch_max_each`] change several numbers at once, [`fetch_add_each_with`] and the like with another order and scope.
//! A `bool` has the operations on bits, too. Pointers (`Atomics<*mut T>`) and, from `sm_90` on, `u128` and `i128` can
//! be loaded, stored, exchanged and compared.
//!
//! Additions to `f32` in global memory treat subnormal numbers as zeros, and so do their results (PTX ISA, `atom`).
//!
//! A load at device scope does not use the L1 cache, because other multiprocessors' stores do not reach it. CUDA C++'s plain
//! loads use it. Relaxed loads use it here, too, in kernels where no loop waits for what is loaded and nothing orders memory (docs/passes.md,
//! `nearby`): there, a load may return an old value anyway. A scope that is asked for is kept: `x.with(Relaxed, Gpu).load()` goes to the L2
//! cache in every kernel. Another kernel that often loads what neighbouring threads load, and for which an old value is good enough, can say so:
//! `x.with(Relaxed, Block).load()` may find the value in the L1 cache. If no thread writes the values during the launch, take
//! `&[T]` instead.
//!
//! Fences panic on the host, like all functions that only a device has. `core::sync::atomic` works in kernels, too,
//! with its own orders and at system scope: [`Atomic::as_core`] turns an `&Atomic<u32>` into an `&AtomicU32`.

mod each;
#[cfg(feature = "half")]
mod half_numbers;
mod methods;
mod number;
mod operators;
mod ops;
pub(crate) mod order;
#[cfg(test)]
mod tests;
mod types;
mod view;

pub use each::{
    fetch_add_each, fetch_add_each_with, fetch_max_each, fetch_max_each_with, fetch_min_each,
    fetch_min_each_with,
};
pub use number::{Atomic, Ordered};
pub use order::{FenceOrder, LoadOrder, Order, Scope, StoreOrder, orders, scopes};
pub use types::{AtomicBits, AtomicCount, AtomicInteger, AtomicNumber, AtomicValue};
pub use view::Atomics;

use crate::intrinsics;
use order::How;
use orders::SeqCst;
use scopes::{Block, Gpu, System};

/// Orders this thread's memory accesses before and after it, as the threads of the scope see them.
///
/// A `Release` fence before a relaxed store works like a release store, and an `Acquire` fence after a relaxed
/// load works like an acquire load, for all accesses on that side of the fence. All threads in scope see fences of
/// the order `SeqCst` in one order.
///
/// PTX [`fence.acq_rel`, `fence.sc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar); on architectures without weaker fences, `Acquire` and `Release` become `acq_rel`.
///
/// ```
/// use ptyx::device::atomic::{fence, orders::*, scopes::*};
/// use ptyx::prelude::*;
///
/// /// Hands four values to another block.
/// fn publish(values: &[Atomic<f32>; 4], flag: &Atomic<u32>) {
///     for value in values {
///         value.store(1.5);
///     }
///     fence(Release, Gpu);
///     flag.store(1);
/// }
///
/// /// The sum of the values, once they have arrived.
/// fn sum(values: &[Atomic<f32>; 4], flag: &Atomic<u32>) -> f32 {
///     while flag.load() == 0 {}
///     fence(Acquire, Gpu);
///     values.iter().map(Atomic::load).sum()
/// }
/// ```
#[doc(alias = "atomic_thread_fence")]
#[inline(always)]
#[track_caller]
pub fn fence<O: FenceOrder, S: Scope>(order: O, scope: S) {
    let _ = (order, scope);
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::atomic_fence(<(O, S)>::HOW) }
}

/// Orders this thread's accesses to the same memory through different virtual addresses, as where memory is mapped
/// twice.
///
/// PTX [`fence.proxy.alias`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) (`sm_70`, PTX 7.5), `fence_proxy_alias()` of CUDA C++.
///
/// ```
/// use ptyx::device::atomic::fence_alias;
///
/// /// Writes through one mapping and reads through another.
/// ///
/// /// # Safety
/// /// Both are mappings of the same memory, which only this thread uses.
/// unsafe fn pass(to: *mut u32, other: *const u32) -> u32 {
///     // SAFETY: the caller's promise.
///     unsafe {
///         to.write(1);
///         fence_alias();
///         other.read_volatile()
///     }
/// }
/// ```
#[doc(alias = "fence_proxy_alias")]
#[inline(always)]
#[track_caller]
pub fn fence_alias() {
    // SAFETY: only orders accesses.
    unsafe { intrinsics::fence_proxy_alias(core::ptr::null_mut()) }
}

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
#[track_caller]
pub fn fence_block() {
    fence(SeqCst, Block);
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
#[track_caller]
pub fn fence_device() {
    fence(SeqCst, Gpu);
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
#[track_caller]
pub fn fence_system() {
    fence(SeqCst, System);
}
