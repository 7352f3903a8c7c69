//! Stores of single values to other blocks of a cluster, which complete transactions of a barrier there.

use super::{ClusterReduction, check_rank};
use crate::DeviceCopy;
use crate::barrier::Barrier;
use crate::shared::Shared;

/// A value that [`store_async`] stores: a number of 32 or 64 bits, or a vector of up to 16 bytes.
///
/// ```
/// fn is_one<T: ptyx::device::bulk::AsyncValue>() {}
/// is_one::<f32>();
/// is_one::<[u32; 4]>();
/// is_one::<[f64; 2]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "no instruction stores a `{Self}` asynchronously",
    note = "it stores `u32`, `i32`, `f32`, `u64`, `i64`, `f64`, and arrays of two or four of them, of up to 16 bytes"
)]
pub trait AsyncValue: DeviceCopy + sealed::Value {}

mod sealed {
    pub trait Value {
        /// The instruction.
        ///
        /// # Safety
        /// As that of [`store_async`](super::store_async).
        unsafe fn store(self, to: *mut u8, at: *mut u64, rank: u32);
    }
}

macro_rules! values {
    ($($type:ty: $kind:literal $value:literal, $($register:ident = $part:tt)*;)*) => {$(
        impl AsyncValue for $type {}

        impl sealed::Value for $type {
            #[inline(always)]
            #[track_caller]
            unsafe fn store(self, to: *mut u8, at: *mut u64, rank: u32) {
                crate::__ptx! {
                    device {
                        // SAFETY: as the caller's.
                        unsafe {
                            core::arch::asm!(
                                "//__ptyx_ptx arch=sm_90 ptx=8.1",
                                "{{ .reg .b64 %to, %at; cvta.to.shared.u64 %to, {to}; mapa.shared::cluster.u64 %to, %to, {rank};",
                                "cvta.to.shared.u64 %at, {at}; mapa.shared::cluster.u64 %at, %at, {rank};",
                                concat!(
                                    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.", $kind,
                                    " [%to], ", $value, ", [%at]; }}"
                                ),
                                to = in(reg) to, at = in(reg) at, rank = in(reg) rank,
                                $($register = in(reg) part!(self $part),)*
                                options(nostack, preserves_flags),
                            );
                        }
                    }
                    host {
                        let _ = (to, at, rank);
                        crate::intrinsics::on_the_host()
                    }
                }
            }
        }
    )*};
}

/// A number, or an element of a vector.
#[cfg(ptyx_device)]
macro_rules! part {
    ($value:ident all) => {
        $value
    };
    ($value:ident $index:literal) => {
        $value[$index]
    };
}

values! {
    u32: "b32" "{a}", a = all;
    i32: "b32" "{a}", a = all;
    f32: "f32" "{a}", a = all;
    u64: "b64" "{a}", a = all;
    i64: "b64" "{a}", a = all;
    f64: "f64" "{a}", a = all;
    [u32; 2]: "v2.b32" "{{{a}, {b}}}", a = 0 b = 1;
    [i32; 2]: "v2.b32" "{{{a}, {b}}}", a = 0 b = 1;
    [f32; 2]: "v2.f32" "{{{a}, {b}}}", a = 0 b = 1;
    [u64; 2]: "v2.b64" "{{{a}, {b}}}", a = 0 b = 1;
    [i64; 2]: "v2.b64" "{{{a}, {b}}}", a = 0 b = 1;
    [f64; 2]: "v2.f64" "{{{a}, {b}}}", a = 0 b = 1;
    [u32; 4]: "v4.b32" "{{{a}, {b}, {c}, {d}}}", a = 0 b = 1 c = 2 d = 3;
    [i32; 4]: "v4.b32" "{{{a}, {b}, {c}, {d}}}", a = 0 b = 1 c = 2 d = 3;
    [f32; 4]: "v4.f32" "{{{a}, {b}, {c}, {d}}}", a = 0 b = 1 c = 2 d = 3;
}

/// Starts to store a value in the shared memory of block `rank` of the cluster, at the location that `to` has in this
/// block. Its bytes complete transactions of that block's barrier. Returns the number of bytes.
///
/// Storing and signalling are one instruction, so that block need not wait for a barrier of the whole cluster.
///
/// PTX [`st.async.weak.shared::cluster.mbarrier::complete_tx::bytes`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st-async) (`sm_90`, PTX 8.1), in a launch with clusters.
///
/// ```
/// use ptyx::device::barrier::{Barrier, Phase};
/// use ptyx::device::{bulk, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Each block's first thread sends its number to block 0, which adds them up.
/// ///
/// /// # Safety
/// /// The inbox has a place for each block, and the barrier in block 0 waits for its first arrival. All blocks have
/// /// passed `cluster.sync()` since, and pass another one before they end.
/// unsafe fn total(inbox: Shared<[f32; 8]>, arrived: Barrier, own: f32) -> f32 {
///     let cluster = group::cluster();
///     if thread::rank() == 0 {
///         // SAFETY: each block has its own place, which block 0 reads after the phase.
///         unsafe { bulk::store_async(inbox.at(cluster.rank() as usize), own, arrived, 0) };
///     }
///     if cluster.rank() > 0 {
///         return 0.0;
///     }
///     if thread::rank() == 0 {
///         arrived.arrive_expect_tx(4 * cluster.blocks()).forget();
///     }
///     arrived.wait_phase(Phase::FIRST);
///     // SAFETY: the phase is complete.
///     (0..cluster.blocks() as usize).map(|rank| unsafe { inbox.at(rank).read() }).sum()
/// }
/// ```
///
/// # Panics
/// If the cluster has no block of that rank, or the address of a vector is not a multiple of its size.
///
/// # Safety
/// - No thread of that block accesses its `to` until it has waited for the barrier's phase, and no other store is under
///   way there.
/// - That block has initialised the barrier, and does not end before.
#[inline(always)]
#[track_caller]
pub unsafe fn store_async<T: AsyncValue>(
    to: Shared<T>,
    value: T,
    barrier: Barrier,
    rank: u32,
) -> u32 {
    check_rank(rank);
    let to = to.as_mut_ptr().cast::<u8>();
    assert!(
        to.addr().is_multiple_of(size_of::<T>()),
        "an asynchronous store of a vector is to a multiple of its size"
    );
    // SAFETY: as the caller's; aligned.
    unsafe { value.store(to, barrier.as_mut_ptr(), rank) };
    size_of::<T>() as u32
}

/// Starts to combine a value in the shared memory of block `rank` of the cluster, at the location that `to` has in this
/// block, with another value, by the operation `R`. It changes atomically. Its bytes complete transactions of that
/// block's barrier. Returns the number of bytes.
///
/// PTX [`red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-red-async) (`sm_90`, PTX 8.1), in a launch with clusters.
///
/// ```
/// use ptyx::device::{barrier::Barrier, bulk, shared::Shared};
///
/// /// Adds to the total of block 0, whose barrier expects 4 bytes of each thread that does.
/// ///
/// /// # Safety
/// /// As [`bulk::reduce_async`].
/// unsafe fn add(total: Shared<u32>, own: u32, arrived: Barrier) {
///     // SAFETY: as the caller's.
///     unsafe { bulk::reduce_async::<bulk::Add, _>(total, own, arrived, 0) };
/// }
/// ```
///
/// # Panics
/// If the cluster has no block of that rank.
///
/// # Safety
/// - No thread of that block accesses its `to`, other than by atomic operations and reductions, until it has waited for
///   the barrier's phase.
/// - That block has initialised the barrier, and does not end before.
#[inline(always)]
#[track_caller]
pub unsafe fn reduce_async<R: ClusterReduction<T>, T: DeviceCopy>(
    to: Shared<T>,
    value: T,
    barrier: Barrier,
    rank: u32,
) -> u32 {
    check_rank(rank);
    let (to, at) = (to.as_mut_ptr(), barrier.as_mut_ptr());
    crate::__ptx! {
        device {
            let value = bits(value);
            /// One instruction, for values of 32 or of 64 bits.
            macro_rules! reduce {
                ($value:expr) => {
                    // SAFETY: as the caller's.
                    unsafe {
                        core::arch::asm!(
                            "//__ptyx_ptx arch=sm_90 ptx=8.1",
                            "{{ .reg .b64 %to, %at; cvta.to.shared.u64 %to, {to}; mapa.shared::cluster.u64 %to, %to, {rank};",
                            "cvta.to.shared.u64 %at, {at}; mapa.shared::cluster.u64 %at, %at, {rank};",
                            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.__ptyx_word_{name}_ [%to], {value}, [%at]; }}",
                            to = in(reg) to, at = in(reg) at, rank = in(reg) rank, value = in(reg) $value,
                            name = const R::WORD,
                            options(nostack, preserves_flags),
                        )
                    }
                };
            }
            if size_of::<T>() == 4 {
                reduce!(value as u32);
            } else {
                reduce!(value);
            }
            size_of::<T>() as u32
        }
        host {
            let _ = (to, at, value);
            crate::intrinsics::on_the_host()
        }
    }
}

/// The bits of an integer of 32 or 64 bits, the only types of such reductions.
#[cfg(ptyx_device)]
#[inline(always)]
fn bits<T: DeviceCopy>(value: T) -> u64 {
    const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
    // SAFETY: an integer of that size.
    unsafe {
        match size_of::<T>() {
            4 => (&raw const value).cast::<u32>().read().into(),
            _ => (&raw const value).cast::<u64>().read(),
        }
    }
}
