//! Bulk copies that combine with the elements at their destination.

use super::{ClusterReduction, Reduction, check, check_rank};
use crate::DeviceCopy;
use crate::barrier::Barrier;
use crate::cache::Policy;
use crate::shared::Shared;

/// Starts to combine the elements `to` in global memory with those of `from` in shared memory, by the operation `R`.
/// Each element changes atomically, in no particular order, so several blocks may change the same ones. Completion is
/// waited for in groups, as for [`shared_to_global`](super::shared_to_global).
///
/// [`Add`](super::Add) treats subnormal numbers of type `f32` as zeros.
///
/// PTX [`cp.reduce.async.bulk.global.shared::cta.bulk_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-reduce-async-bulk) (`sm_90`).
///
/// ```
/// use ptyx::device::{bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Adds the block's histogram to that of all blocks.
/// ///
/// /// # Safety
/// /// All other accesses to `all` are atomic.
/// unsafe fn add(all: *mut [u32], own: Shared<[u32]>) {
///     bulk::fence_shared(own); // what this thread wrote there
///     block::sync();
///     if thread::rank() == 0 {
///         // SAFETY: as the caller's; nothing writes `own` before the wait is over.
///         unsafe { bulk::reduce_to_global::<bulk::Add, _>(all, own) };
///         bulk::commit();
///         bulk::wait_read::<0>();
///     }
///     block::sync();
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`](super::global_to_shared).
///
/// # Safety
/// - `to` is global memory that no thread accesses, other than by atomic operations and reductions, until
///   [`wait`](super::wait) is over.
/// - No thread writes `from`, and the block does not end, until [`wait_read`](super::wait_read) is over.
#[doc(alias = "cp_reduce_async_bulk")]
#[inline(always)]
#[track_caller]
pub unsafe fn reduce_to_global<R: Reduction<T>, T: DeviceCopy>(to: *mut [T], from: Shared<[T]>) {
    let bytes = check(to, from.as_mut_ptr());
    let (to, from) = (to.cast::<u8>(), from.as_mut_ptr().cast::<u8>());
    crate::__ptx! {
        device {
            // SAFETY: as the caller's; size and alignment are right.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_90 ptx=8.0",
                    "{{ .reg .b64 %to, %from; cvta.to.global.u64 %to, {to}; cvta.to.shared.u64 %from, {from};",
                    "cp.reduce.async.bulk.global.shared::cta.bulk_group.__ptyx_word_{name}_ [%to], [%from], {bytes}; }}",
                    to = in(reg) to, from = in(reg) from, bytes = in(reg) bytes, name = const R::WORD,
                    options(nostack, preserves_flags),
                );
            }
        }
        host {
            let _ = (to, from, bytes);
            crate::intrinsics::on_the_host()
        }
    }
}

/// [`reduce_to_global`] with a policy for the L2 cache.
///
/// PTX [`cp.reduce.async.bulk`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-reduce-async-bulk) with `.L2::cache_hint` (`sm_90`).
///
/// ```
/// use ptyx::device::{bulk, cache::Policy, shared::Shared};
///
/// /// Starts to add to what other blocks add to soon.
/// ///
/// /// # Safety
/// /// As [`bulk::reduce_to_global`].
/// unsafe fn keep(to: *mut [f32], from: Shared<[f32]>) {
///     // SAFETY: as the caller's.
///     unsafe { bulk::reduce_to_global_with::<bulk::Add, _>(to, from, Policy::evict_last()) }
/// }
/// ```
///
/// # Panics
/// As [`reduce_to_global`].
///
/// # Safety
/// As [`reduce_to_global`].
#[inline(always)]
#[track_caller]
pub unsafe fn reduce_to_global_with<R: Reduction<T>, T: DeviceCopy>(
    to: *mut [T],
    from: Shared<[T]>,
    policy: Policy,
) {
    let bytes = check(to, from.as_mut_ptr());
    let (to, from) = (to.cast::<u8>(), from.as_mut_ptr().cast::<u8>());
    let policy = policy.bits();
    crate::__ptx! {
        device {
            // SAFETY: as the caller's; size and alignment are right.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_90 ptx=8.0",
                    "{{ .reg .b64 %to, %from; cvta.to.global.u64 %to, {to}; cvta.to.shared.u64 %from, {from};",
                    "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.__ptyx_word_{name}_ [%to], [%from], {bytes}, {policy}; }}",
                    to = in(reg) to, from = in(reg) from, bytes = in(reg) bytes, policy = in(reg) policy,
                    name = const R::WORD,
                    options(nostack, preserves_flags),
                );
            }
        }
        host {
            let _ = (to, from, bytes, policy);
            crate::intrinsics::on_the_host()
        }
    }
}

/// Starts to combine elements in the shared memory of block `rank` of the cluster, at the location that `to` has in this
/// block, with those of `from`, by the operation `R`. Each element changes atomically. The bytes complete transactions
/// of that block's barrier. Returns the number of bytes.
///
/// PTX [`cp.reduce.async.bulk.shared::cluster.shared::cta`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-reduce-async-bulk) (`sm_90`), in a launch with clusters.
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, shared::Shared};
///
/// /// Adds counters to those of the cluster's first block.
/// ///
/// /// # Safety
/// /// As [`bulk::reduce_to_cluster`].
/// unsafe fn add(counters: Shared<[u32]>, totals: Shared<[u32]>, arrived: Barrier) {
///     // SAFETY: as the caller's.
///     unsafe { bulk::reduce_to_cluster::<bulk::Add, _>(totals, counters, arrived, 0) };
/// }
/// ```
///
/// # Panics
/// As [`global_to_shared`](super::global_to_shared), and if the cluster has no block of that rank.
///
/// # Safety
/// - Nobody writes `from`, and neither block ends, until the phase of that block's barrier is complete.
/// - No thread accesses that block's `to`, other than by such reductions, until it has waited for that phase.
#[inline(always)]
#[track_caller]
pub unsafe fn reduce_to_cluster<R: ClusterReduction<T>, T: DeviceCopy>(
    to: Shared<[T]>,
    from: Shared<[T]>,
    barrier: Barrier,
    rank: u32,
) -> u32 {
    let bytes = check(to.as_mut_ptr(), from.as_mut_ptr());
    check_rank(rank);
    let (to, from) = (to.as_mut_ptr().cast::<u8>(), from.as_mut_ptr().cast::<u8>());
    let at = barrier.as_mut_ptr();
    crate::__ptx! {
        device {
            // SAFETY: as the caller's; size and alignment are right.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_90 ptx=8.0",
                    "{{ .reg .b64 %to, %from, %at; cvta.to.shared.u64 %to, {to}; mapa.shared::cluster.u64 %to, %to, {rank};",
                    "cvta.to.shared.u64 %from, {from};",
                    "cvta.to.shared.u64 %at, {at}; mapa.shared::cluster.u64 %at, %at, {rank};",
                    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.__ptyx_word_{name}_ [%to], [%from], {bytes}, [%at]; }}",
                    to = in(reg) to, from = in(reg) from, bytes = in(reg) bytes, at = in(reg) at,
                    rank = in(reg) rank, name = const R::WORD,
                    options(nostack, preserves_flags),
                );
            }
            bytes
        }
        host {
            let _ = (to, from, bytes, at);
            crate::intrinsics::on_the_host()
        }
    }
}
