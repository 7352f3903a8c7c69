//! Bulk copies: one thread starts a copy of up to all shared memory, and the hardware does the rest (PTX ISA,
//! [cp.async.bulk](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk)).
//!
//! Copies to shared memory tell a [`Barrier`] how many bytes have arrived; copies from shared to global memory are
//! waited for in groups. Instead of overwriting memory, copies can be combined with it ([`reduce_to_global`],
//! [`reduce_to_cluster`]). Single values are stored to another block in the same way ([`store_async`],
//! [`reduce_async`]). Addresses and sizes of copies must be multiples of 16 bytes.
//!
//! These copies access memory through the *async proxy*. Threads that have written shared
//! memory must call [`fence_shared`] before a copy may read it. The other direction needs no fence: a completed phase of
//! the barrier is enough.
//!
//! All of it needs `sm_90`.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod operation;
mod reduce;
mod single;

pub(crate) use operation::sealed::Operation;
pub use operation::{Add, And, ClusterReduction, Dec, Inc, Max, Min, Or, Reduction, Xor};
pub use reduce::{reduce_to_cluster, reduce_to_global, reduce_to_global_with};
pub use single::{AsyncValue, reduce_async, store_async};

use crate::barrier::{Barrier, MAX_COUNT};
use crate::cache::Policy;
use crate::global::is_global;
use crate::shared::Shared;
use crate::{DeviceCopy, intrinsics};

/// Starts a copy of elements from global to shared memory. Its bytes complete transactions of the barrier, which
/// must [expect](Barrier::arrive_expect_tx) them. Returns the number of bytes.
///
/// PTX [`cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) (`sm_90`), `cuda::memcpy_async` of CUDA C++ with a barrier, `cp_async_bulk_global_to_shared()`.
///
/// ```
/// use ptyx::device::async_copy::Tile;
/// use ptyx::device::barrier::{Barrier, Phase, State};
/// use ptyx::device::{bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// 256 numbers of `x` in shared memory, for all threads of the block.
/// fn load(x: &[f32]) -> Shared<[f32; 256]> {
///     let tile = shared!(Tile<f32, 256>).elements();
///     let barrier = Barrier::new(shared!(State), 1);
///     if thread::rank() == 0 {
///         barrier.arrive_expect_tx(1024).forget();
///         // SAFETY: `x` is in global memory and doesn't change; nothing uses the tile before the phase is complete.
///         unsafe { bulk::global_to_shared(tile.as_slice(), &x[..256], barrier) };
///     }
///     barrier.wait_phase(Phase::FIRST);
///     tile
/// }
/// ```
///
/// # Panics
/// If the numbers of elements differ, the bytes are not a multiple of 16 or more than
/// [`MAX_COUNT`], or an address is not a multiple of 16.
///
/// # Safety
/// - `from` is in global memory; no thread writes it until the barrier's phase is complete.
/// - No thread accesses `to` until it has waited for that phase.
/// - The barrier is not invalidated before.
#[doc(alias = "cp_async_bulk_global_to_shared")]
#[inline(always)]
#[track_caller]
pub unsafe fn global_to_shared<T: DeviceCopy>(
    to: Shared<[T]>,
    from: *const [T],
    barrier: Barrier,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from);
    let (to, from) = (to.as_mut_ptr().cast(), from.cast());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_global_to_shared(to, from, bytes, barrier.as_mut_ptr()) };
    bytes
}

/// [`global_to_shared`] with a policy for the L2 cache.
///
/// PTX [`cp.async.bulk`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) with `.L2::cache_hint` (`sm_90`).
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, cache::Policy, shared::Shared};
///
/// /// Starts to copy what is read only once.
/// ///
/// /// # Safety
/// /// As [`bulk::global_to_shared`].
/// unsafe fn stream(to: Shared<[f32]>, from: &[f32], barrier: Barrier) -> u32 {
///     // SAFETY: as the caller's.
///     unsafe { bulk::global_to_shared_with(to, from, barrier, Policy::evict_first()) }
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`].
///
/// # Safety
/// As [`global_to_shared`].
#[inline(always)]
#[track_caller]
pub unsafe fn global_to_shared_with<T: DeviceCopy>(
    to: Shared<[T]>,
    from: *const [T],
    barrier: Barrier,
    policy: Policy,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from);
    let (to, from, at) = (to.as_mut_ptr().cast(), from.cast(), barrier.as_mut_ptr());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_global_to_shared_hint(to, from, bytes, at, policy.bits()) };
    bytes
}

/// Starts a copy of elements from global memory to the same location in the shared memory of several blocks of the
/// cluster: those whose bits are set in `ranks`. Global memory is read once. The bytes complete transactions at the
/// barrier of each of these blocks.
///
/// PTX [`cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) (`sm_90`; by the PTX ISA optimised for
/// architecture-specific targets such as `sm_90a`, and perhaps much slower on others).
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// One thread of the cluster loads a tile for all of its blocks.
/// ///
/// /// # Safety
/// /// As [`bulk::global_to_cluster`].
/// unsafe fn load(tile: Shared<[f32]>, from: &[f32], arrived: Barrier) {
///     let cluster = group::cluster();
///     if cluster.rank() == 0 {
///         let all = ((1u32 << cluster.blocks()) - 1) as u16;
///         // SAFETY: as the caller's.
///         unsafe { bulk::global_to_cluster(tile, from, arrived, all) };
///     }
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`], and if the cluster has no block for a bit in `ranks`.
///
/// # Safety
/// - `from` is in global memory; no thread writes it until the phase of each block's barrier is complete.
/// - Those blocks have initialised their barriers, and do not exit before that; none of their threads accesses `to`
///   until it has waited for the phase.
#[doc(alias = "cp_async_bulk_multicast")]
#[inline(always)]
#[track_caller]
pub unsafe fn global_to_cluster<T: DeviceCopy>(
    to: Shared<[T]>,
    from: *const [T],
    barrier: Barrier,
    ranks: u16,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from);
    check_ranks(ranks);
    let (to, from) = (to.as_mut_ptr().cast(), from.cast());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_global_to_cluster(to, from, bytes, barrier.as_mut_ptr(), ranks) };
    bytes
}

/// [`global_to_cluster`] with a policy for the L2 cache.
///
/// PTX [`cp.async.bulk`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) with `.L2::cache_hint` (`sm_90`).
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, cache::Policy, shared::Shared};
///
/// /// Loads a tile for the first two blocks of the cluster. It is read only once.
/// ///
/// /// # Safety
/// /// As [`bulk::global_to_cluster`].
/// unsafe fn load(tile: Shared<[f32]>, from: &[f32], arrived: Barrier) -> u32 {
///     // SAFETY: as the caller's.
///     unsafe { bulk::global_to_cluster_with(tile, from, arrived, 0b11, Policy::evict_first()) }
/// }
/// ```
///
/// # Panics
/// As [`global_to_cluster`].
///
/// # Safety
/// As [`global_to_cluster`].
#[inline(always)]
#[track_caller]
pub unsafe fn global_to_cluster_with<T: DeviceCopy>(
    to: Shared<[T]>,
    from: *const [T],
    barrier: Barrier,
    ranks: u16,
    policy: Policy,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from);
    check_ranks(ranks);
    let (to, from, at) = (to.as_mut_ptr().cast(), from.cast(), barrier.as_mut_ptr());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_global_to_cluster_hint(to, from, bytes, at, ranks, policy.bits()) };
    bytes
}

/// Starts a copy of elements from shared to global memory. [`commit`] puts it into a group; [`wait_read`] and
/// [`wait`] wait for the group.
///
/// PTX [`cp.async.bulk.global.shared::cta.bulk_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) (`sm_90`), `cp_async_bulk_shared_to_global()` of CUDA C++.
///
/// ```
/// use ptyx::device::{bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Stores the block's tile.
/// ///
/// /// # Safety
/// /// No other thread accesses `to`.
/// unsafe fn store(to: *mut [f32], tile: Shared<[f32]>) {
///     bulk::fence_shared(tile); // what this thread wrote into the tile
///     block::sync();
///     if thread::rank() == 0 {
///         // SAFETY: nothing writes the tile before the wait is over.
///         unsafe { bulk::shared_to_global(to, tile) };
///         bulk::commit();
///         bulk::wait_read::<0>();
///     }
///     block::sync();
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`].
///
/// # Safety
/// - `to` is global memory that no thread accesses until [`wait`] is over.
/// - No thread writes `from`, and the block does not end, until [`wait_read`] is over.
#[doc(alias = "cp_async_bulk_shared_to_global")]
#[inline(always)]
#[track_caller]
pub unsafe fn shared_to_global<T: DeviceCopy>(to: *mut [T], from: Shared<[T]>) {
    let bytes = check(to, from.as_mut_ptr());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_shared_to_global(to.cast(), from.as_mut_ptr().cast(), bytes) };
}

/// [`shared_to_global`] with a policy for the L2 cache.
///
/// PTX [`cp.async.bulk`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) with `.L2::cache_hint` (`sm_90`).
///
/// ```
/// use ptyx::device::{bulk, cache::Policy, shared::Shared};
///
/// /// Starts to store what the next kernel reads soon.
/// ///
/// /// # Safety
/// /// As [`bulk::shared_to_global`].
/// unsafe fn keep(to: *mut [f32], from: Shared<[f32]>) {
///     // SAFETY: as the caller's.
///     unsafe { bulk::shared_to_global_with(to, from, Policy::evict_last()) }
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`].
///
/// # Safety
/// As [`shared_to_global`].
#[inline(always)]
#[track_caller]
pub unsafe fn shared_to_global_with<T: DeviceCopy>(
    to: *mut [T],
    from: Shared<[T]>,
    policy: Policy,
) {
    let bytes = check(to, from.as_mut_ptr());
    let (to, from) = (to.cast(), from.as_mut_ptr().cast());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_shared_to_global_hint(to, from, bytes, policy.bits()) };
}

/// Starts a copy to the shared memory of block `rank` of the cluster, at the location that `to` has in this block. Its
/// bytes complete transactions of that block's barrier.
///
/// PTX [`cp.async.bulk.shared::cluster.shared::cta`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk) (`sm_90`).
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, shared::Shared};
///
/// /// Sends a tile to the cluster's first block.
/// ///
/// /// # Safety
/// /// As [`bulk::shared_to_cluster`].
/// unsafe fn send(tile: Shared<[f32]>, inbox: Shared<[f32]>, arrived: Barrier) {
///     // SAFETY: as the caller's.
///     unsafe { bulk::shared_to_cluster(inbox, tile, arrived, 0) };
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`], and if the cluster has no block of that rank.
///
/// # Safety
/// - Nobody writes `from`, and neither block ends, until the phase of that block's barrier is complete.
/// - No thread accesses that block's `to` until it has waited for that phase.
#[inline(always)]
#[track_caller]
pub unsafe fn shared_to_cluster<T: DeviceCopy>(
    to: Shared<[T]>,
    from: Shared<[T]>,
    barrier: Barrier,
    rank: u32,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from.as_mut_ptr());
    check_rank(rank);
    let (to, from) = (to.as_mut_ptr().cast(), from.as_mut_ptr().cast());
    // SAFETY: as the caller's; size and alignment are right.
    unsafe { intrinsics::bulk_shared_to_cluster(to, from, bytes, barrier.as_mut_ptr(), rank) };
    bytes
}

/// Prefetches elements of global memory into the L2 cache. This is a hint. Only whole units of 16 bytes inside the slice
/// are loaded.
///
/// PTX [`cp.async.bulk.prefetch.L2`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-prefetch) (`sm_90`).
///
/// ```
/// use ptyx::device::bulk;
/// use ptyx::prelude::*;
///
/// /// One thread asks for the block's next 4096 elements.
/// fn announce(next: &[f32]) {
///     if thread::rank() == 0 {
///         bulk::prefetch_l2(&next[..4096]);
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn prefetch_l2<T>(slice: &[T]) {
    if let Some((first, bytes)) = whole_units(slice) {
        // SAFETY: a hint, about bytes that exist, with the right size and alignment.
        unsafe { intrinsics::bulk_prefetch_l2(first, bytes) };
    }
}

/// [`prefetch_l2`] with a policy for the L2 cache.
///
/// PTX [`cp.async.bulk.prefetch`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-prefetch) with `.L2::cache_hint` (`sm_90`).
///
/// ```
/// use ptyx::device::{bulk, cache::Policy};
/// use ptyx::prelude::*;
///
/// /// One thread asks for a table that all blocks will read.
/// fn announce(table: &[f32]) {
///     if thread::rank() == 0 {
///         bulk::prefetch_l2_with(table, Policy::evict_last());
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn prefetch_l2_with<T>(slice: &[T], policy: Policy) {
    if let Some((first, bytes)) = whole_units(slice) {
        // SAFETY: as above.
        unsafe { intrinsics::bulk_prefetch_l2_hint(first, bytes, policy.bits()) };
    }
}

/// The first unit of 16 bytes of a slice in global memory, and the bytes of all of them.
#[inline(always)]
fn whole_units<T>(slice: &[T]) -> Option<(*const u8, u32)> {
    let first: *const u8 = slice.as_ptr().cast();
    let skipped = first.addr().wrapping_neg() % 16;
    let bytes = size_of_val(slice).saturating_sub(skipped) / 16 * 16;
    (bytes > 0 && bytes <= u32::MAX as usize && is_global(first))
        .then(|| (first.wrapping_add(skipped), bytes as u32))
}

/// Makes what this thread has written to shared memory visible to later bulk copies. `written` is what they may read.
///
/// PTX [`fence.proxy.async.shared::cta`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) (`sm_90`), `fence_proxy_async_shared_cta()` of CUDA C++.
///
/// ```
/// use ptyx::device::{bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Every thread's number, ready for a copy by any of them.
/// fn fill(tile: Shared<[f32; 256]>, value: f32) {
///     // SAFETY: each thread writes its own element.
///     unsafe { tile.at(thread::x() as usize).write(value) };
///     bulk::fence_shared(tile.as_slice());
///     block::sync();
/// }
/// ```
#[doc(alias = "fence_proxy_async_shared_cta")]
#[inline(always)]
#[track_caller]
pub fn fence_shared<T>(written: Shared<[T]>) {
    // SAFETY: only orders accesses.
    unsafe { intrinsics::fence_proxy_async_shared(written.as_mut_ptr().cast()) }
}

/// Orders this thread's accesses to all memory with those of bulk copies, such as loads of what a finished copy has
/// stored to global memory.
///
/// PTX [`fence.proxy.async`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) (`sm_90`), `fence_proxy_async()` of CUDA C++.
///
/// ```
/// use ptyx::device::bulk;
///
/// /// Finishes all bulk stores before what follows.
/// fn finish() {
///     bulk::wait::<0>();
///     bulk::fence();
/// }
/// ```
#[doc(alias = "fence_proxy_async")]
#[inline(always)]
#[track_caller]
pub fn fence() {
    // SAFETY: only orders accesses.
    unsafe { intrinsics::fence_proxy_async(core::ptr::null_mut()) }
}

/// Orders this thread's accesses to global memory with those of bulk copies.
///
/// PTX [`fence.proxy.async.global`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) (`sm_90`), `fence_proxy_async_global()` of CUDA C++.
///
/// ```
/// use ptyx::device::bulk;
///
/// /// After stores to global memory that a bulk copy will read.
/// fn publish() {
///     bulk::fence_global();
/// }
/// ```
#[doc(alias = "fence_proxy_async_global")]
#[inline(always)]
#[track_caller]
pub fn fence_global() {
    // SAFETY: only orders accesses.
    unsafe { intrinsics::fence_proxy_async_global(core::ptr::null_mut()) }
}

/// Makes a group of the copies from shared memory that this thread has started since the last one.
///
/// PTX [`cp.async.bulk.commit_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-commit-group) (`sm_90`), `cp_async_bulk_commit_group()` of CUDA C++.
///
/// ```
/// use ptyx::device::bulk;
///
/// /// Lets one store go on, and waits for those before it.
/// fn next() {
///     bulk::commit();
///     bulk::wait_read::<1>();
/// }
/// ```
#[doc(alias = "cp_async_bulk_commit_group")]
#[inline(always)]
#[track_caller]
pub fn commit() {
    #[cfg(ptyx_device)]
    // SAFETY: only counts.
    unsafe {
        core::arch::asm!(
            "//__ptyx_ptx arch=sm_90 ptx=80",
            "cp.async.bulk.commit_group;",
            options(nostack, preserves_flags)
        );
    }
    #[cfg(not(ptyx_device))]
    intrinsics::on_the_host()
}

/// Waits until all groups of this thread's copies from shared memory are done, except the latest `REST` groups.
///
/// PTX [`cp.async.bulk.wait_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-wait-group) (`sm_90`), `cp_async_bulk_wait_group<N>()` of CUDA C++.
///
/// ```
/// use ptyx::device::bulk;
///
/// fn finish() {
///     bulk::commit();
///     bulk::wait::<0>();
/// }
/// ```
#[doc(alias = "cp_async_bulk_wait_group")]
#[inline(always)]
#[track_caller]
pub fn wait<const REST: u32>() {
    #[cfg(ptyx_device)]
    // SAFETY: only waits.
    unsafe {
        core::arch::asm!(
            "//__ptyx_ptx arch=sm_90 ptx=80",
            "cp.async.bulk.wait_group {};",
            const REST,
            options(nostack, preserves_flags)
        );
    }
    #[cfg(not(ptyx_device))]
    intrinsics::on_the_host()
}

/// Waits until all groups of this thread's copies from shared memory have read their sources, except the latest `REST`
/// groups. Then that memory can be written again.
///
/// PTX [`cp.async.bulk.wait_group.read`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-wait-group) (`sm_90`), `cp_async_bulk_wait_group_read<N>()` of CUDA C++.
///
/// ```
/// use ptyx::device::bulk;
///
/// fn reuse_tile() {
///     bulk::commit();
///     bulk::wait_read::<0>();
/// }
/// ```
#[doc(alias = "cp_async_bulk_wait_group_read")]
#[inline(always)]
#[track_caller]
pub fn wait_read<const REST: u32>() {
    #[cfg(ptyx_device)]
    // SAFETY: only waits.
    unsafe {
        core::arch::asm!(
            "//__ptyx_ptx arch=sm_90 ptx=80",
            "cp.async.bulk.wait_group.read {};",
            const REST,
            options(nostack, preserves_flags)
        );
    }
    #[cfg(not(ptyx_device))]
    intrinsics::on_the_host()
}

/// Panics if the cluster has no block for a bit.
#[inline(always)]
#[track_caller]
fn check_ranks(ranks: u16) {
    // SAFETY: reads a special register.
    let blocks = unsafe { intrinsics::cluster_nctarank() };
    assert!(u32::from(ranks) >> blocks == 0, "the cluster has no block of that rank");
}

/// Panics if the cluster has no such block.
#[inline(always)]
#[track_caller]
fn check_rank(rank: u32) {
    // SAFETY: reads a special register.
    let blocks = unsafe { intrinsics::cluster_nctarank() };
    assert!(rank < blocks, "the cluster has no block of that rank");
}

/// The bytes of a copy.
#[inline(always)]
#[track_caller]
fn check<T>(to: *const [T], from: *const [T]) -> u32 {
    assert!(to.len() == from.len(), "a bulk copy from and to slices of different lengths");
    let bytes = from.len().wrapping_mul(size_of::<T>());
    assert!(
        bytes.is_multiple_of(16) && bytes <= MAX_COUNT as usize,
        "a bulk copy has a multiple of 16 bytes, and at most 1048575"
    );
    assert!(
        (to.cast::<u8>().addr() | from.cast::<u8>().addr()).is_multiple_of(16),
        "a bulk copy is between addresses that are multiples of 16"
    );
    bytes as u32
}
