//! Asynchronous copies from global to shared memory, which run while the threads compute (PTX ISA,
//! [Asynchronous copy](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-asynchronous-copy)).
//!
//! [`Pipeline`] is the safe way: a ring of tiles that can't be read before the copies into them have been
//! waited for; in [`with_roles`], some threads copy and the others read. The functions here are the instructions that it consists of. Each thread has its own sequence of
//! copies: [`commit`] closes a group of them, and [`wait_prior`] waits until all but the latest groups are
//! done. After that, the thread itself sees what its copies wrote; other threads see it after a barrier.
//! [`group_memcpy_async`] shares a copy among the threads of a group, and [`group_wait`] waits for all of them.
//!
//! The instructions exist from `sm_80` on. Code for older devices copies at once, with loads and stores.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod fill;
mod pipeline;
mod roles;
mod tile;
mod together;

pub use crate::global::Prefetch;
pub use pipeline::{Pipeline, Ready, Stage};
pub use roles::{Acquired, Consumer, Filled, Producer, Role, with_roles};
pub use tile::Tile;
pub use together::{group_memcpy_async, group_wait, group_wait_prior};

use crate::cache::Policy;
use crate::shared::Shared;
use crate::{DeviceCopy, arch_at_least, intrinsics};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How [`memcpy_async_with`] copies.
///
/// ```
/// use ptyx::device::async_copy::{CopyOptions, Prefetch};
/// let rest = CopyOptions { source_bytes: Some(4), prefetch: Prefetch::Bytes128, ..CopyOptions::default() };
/// assert!(!rest.bypass_l1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyOptions {
    /// How many bytes are read; zeros take the place of the others. `None` for all bytes. More than the
    /// type's size count as its size. With `Some(0)` nothing is read: the assembler makes the same instruction of it
    /// as of PTX's operand `ignore-src`.
    pub source_bytes: Option<u32>,
    /// Only the L2 cache keeps the source (`.cg`; otherwise L1 does, too, `.ca`). For copies of 16 bytes;
    /// smaller ones ignore it.
    pub bypass_l1: bool,
    /// How much the L2 cache loads around the source.
    pub prefetch: Prefetch,
    /// How long the L2 cache keeps the source (`.L2::cache_hint`); `None` for its usual policy.
    pub policy: Option<Policy>,
}

/// Starts a copy of a value of 4, 8 or 16 bytes from global to shared memory.
///
/// PTX [`cp.async.ca`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async) (`sm_80`), `__pipeline_memcpy_async()` of CUDA C.
///
/// ```
/// use ptyx::device::async_copy;
/// use ptyx::prelude::*;
///
/// /// Every thread's own element of `x`, by way of shared memory.
/// fn own(x: &[f32]) -> f32 {
///     let place = shared!([f32; 1024]).at(thread::rank() as usize);
///     // SAFETY: `x` is in global memory and does not change; only this thread uses the place, after the wait.
///     unsafe {
///         async_copy::memcpy_async(place, &x[thread::rank() as usize]);
///         async_copy::commit();
///         async_copy::wait_prior::<0>();
///         place.read()
///     }
/// }
/// ```
///
/// # Safety
/// - `from` points to global memory that stays allocated, and that no thread writes until the copy has been
///   waited for.
/// - No thread accesses `to` until the copying thread has waited for the copy; other threads need a
///   barrier after that.
/// - Both addresses are multiples of the type's size.
#[doc(alias = "__pipeline_memcpy_async")]
#[inline(always)]
pub unsafe fn memcpy_async<T: DeviceCopy>(to: Shared<T>, from: *const T) {
    // SAFETY: as the caller's.
    unsafe { memcpy_async_with(to, from, CopyOptions::default()) }
}

/// [`memcpy_async`] that may fill with zeros, bypass L1, or prefetch into L2.
///
/// PTX [`cp.async`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async) (`sm_80`), `__pipeline_memcpy_async()` with `zfill` of CUDA C.
///
/// ```
/// use ptyx::device::async_copy::{self, CopyOptions, Prefetch};
/// use ptyx::device::{shared::Shared, vector::F32x4};
///
/// /// Starts to copy the first `count` numbers of a vector; zeros take the place of the others.
/// ///
/// /// # Safety
/// /// As [`async_copy::memcpy_async`].
/// unsafe fn copy_some(to: Shared<F32x4>, from: &F32x4, count: u32) {
///     let (source_bytes, prefetch) = (Some(4 * count), Prefetch::Bytes128);
///     let options = CopyOptions { source_bytes, prefetch, bypass_l1: true, policy: None };
///     // SAFETY: as the caller's.
///     unsafe { async_copy::memcpy_async_with(to, from, options) }
/// }
/// ```
///
/// # Safety
/// As [`memcpy_async`], but bytes that are not read need not exist.
#[doc(alias = "__pipeline_memcpy_async")]
#[inline(always)]
pub unsafe fn memcpy_async_with<T: DeviceCopy>(
    to: Shared<T>,
    from: *const T,
    options: CopyOptions,
) {
    const {
        assert!(
            matches!(size_of::<T>(), 4 | 8 | 16),
            "asynchronous copies of one thread have 4, 8 or 16 bytes"
        );
    }
    let size = size_of::<T>() as u32;
    let read = match options.source_bytes {
        Some(bytes) if bytes < size => bytes,
        _ => size,
    };
    let (to, from) = (to.as_mut_ptr().cast::<u8>(), from.cast::<u8>());
    if !arch_at_least!(80) {
        // SAFETY: as the caller's.
        return unsafe { copy_now(to, from, size, read) };
    }
    macro_rules! by_prefetch {
        ($none:ident $l2_64:ident $l2_128:ident $l2_256:ident $($policy:expr)?) => {
            // SAFETY: as the caller's; the size is that of the instruction.
            unsafe {
                match options.prefetch {
                    Prefetch::None => intrinsics::$none(to, from, read $(, $policy)?),
                    Prefetch::Bytes64 => intrinsics::$l2_64(to, from, read $(, $policy)?),
                    Prefetch::Bytes128 => intrinsics::$l2_128(to, from, read $(, $policy)?),
                    Prefetch::Bytes256 => intrinsics::$l2_256(to, from, read $(, $policy)?),
                }
            }
        };
    }
    if let Some(policy) = options.policy {
        return match (size_of::<T>(), options.bypass_l1) {
            (4, _) => {
                by_prefetch!(cp_async_ca_4_policy cp_async_ca_4_l2_64_policy cp_async_ca_4_l2_128_policy cp_async_ca_4_l2_256_policy policy.bits())
            }
            (8, _) => {
                by_prefetch!(cp_async_ca_8_policy cp_async_ca_8_l2_64_policy cp_async_ca_8_l2_128_policy cp_async_ca_8_l2_256_policy policy.bits())
            }
            (_, false) => {
                by_prefetch!(cp_async_ca_16_policy cp_async_ca_16_l2_64_policy cp_async_ca_16_l2_128_policy cp_async_ca_16_l2_256_policy policy.bits())
            }
            (_, true) => {
                by_prefetch!(cp_async_cg_16_policy cp_async_cg_16_l2_64_policy cp_async_cg_16_l2_128_policy cp_async_cg_16_l2_256_policy policy.bits())
            }
        };
    }
    match (size_of::<T>(), options.bypass_l1) {
        (4, _) => {
            by_prefetch!(cp_async_ca_4 cp_async_ca_4_l2_64 cp_async_ca_4_l2_128 cp_async_ca_4_l2_256)
        }
        (8, _) => {
            by_prefetch!(cp_async_ca_8 cp_async_ca_8_l2_64 cp_async_ca_8_l2_128 cp_async_ca_8_l2_256)
        }
        (_, false) => {
            by_prefetch!(cp_async_ca_16 cp_async_ca_16_l2_64 cp_async_ca_16_l2_128 cp_async_ca_16_l2_256)
        }
        (_, true) => {
            by_prefetch!(cp_async_cg_16 cp_async_cg_16_l2_64 cp_async_cg_16_l2_128 cp_async_cg_16_l2_256)
        }
    }
}

/// The same with loads and stores.
///
/// # Safety
/// As [`memcpy_async_with`].
#[inline(always)]
unsafe fn copy_now(to: *mut u8, from: *const u8, size: u32, read: u32) {
    if read == size {
        let mut at = 0;
        while at < size as usize {
            // SAFETY: within the value; both places are aligned for words. The store is atomic, as a pipeline needs it.
            unsafe {
                let word = from.add(at).cast::<u32>().read();
                AtomicU32::from_ptr(to.add(at).cast()).store(word, Relaxed);
            }
            at = at.wrapping_add(4);
        }
        return;
    }
    let mut at = 0;
    while at < size as usize {
        // SAFETY: within the value; only bytes that exist are read.
        unsafe { to.add(at).write(if at < read as usize { from.add(at).read() } else { 0 }) };
        at = at.wrapping_add(1);
    }
}

/// Makes a group of the copies that this thread has started since the last one.
///
/// PTX [`cp.async.commit_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-commit-group) (`sm_80`), `__pipeline_commit()` of CUDA C.
///
/// ```
/// use ptyx::device::async_copy;
///
/// /// After the copies of a tile: waits for the tile before it.
/// fn next_tile() {
///     async_copy::commit();
///     async_copy::wait_prior::<1>();
/// }
/// ```
#[doc(alias = "__pipeline_commit")]
#[inline(always)]
#[track_caller]
pub fn commit() {
    if arch_at_least!(80) {
        #[cfg(ptyx_device)]
        // SAFETY: only counts.
        unsafe {
            core::arch::asm!(
                "//__ptyx_ptx arch=sm_80 ptx=70",
                "cp.async.commit_group;",
                options(nostack, preserves_flags)
            );
        }
    }
}

/// Waits until all groups of this thread's copies are done, except the latest `REST` groups.
///
/// What those copies wrote is then visible to this thread, and after a barrier to others.
///
/// PTX [`cp.async.wait_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-wait-group) (`sm_80`), `__pipeline_wait_prior()` of CUDA C.
///
/// ```
/// use ptyx::device::async_copy;
/// use ptyx::prelude::*;
///
/// /// Makes everything that the block's threads have committed visible to all of them.
/// fn finish_all() {
///     async_copy::wait_prior::<0>();
///     block::sync();
/// }
/// ```
#[doc(alias = "__pipeline_wait_prior")]
#[inline(always)]
#[track_caller]
pub fn wait_prior<const REST: u32>() {
    if arch_at_least!(80) {
        #[cfg(ptyx_device)]
        // SAFETY: only waits.
        unsafe {
            core::arch::asm!(
                "//__ptyx_ptx arch=sm_80 ptx=70",
                "cp.async.wait_group {};",
                const REST,
                options(nostack, preserves_flags)
            );
        }
    }
}

/// Waits until all copies that this thread has started are done, whether they were committed or not.
///
/// PTX [`cp.async.wait_all`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-wait-all) (`sm_80`).
///
/// ```
/// use ptyx::device::async_copy;
/// use ptyx::prelude::*;
///
/// /// Makes everything that the block's threads have copied visible to all of them.
/// fn finish_all() {
///     async_copy::wait_all();
///     block::sync();
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn wait_all() {
    if arch_at_least!(80) {
        #[cfg(ptyx_device)]
        // SAFETY: only waits.
        unsafe {
            core::arch::asm!(
                "//__ptyx_ptx arch=sm_80 ptx=70",
                "cp.async.wait_all;",
                options(nostack, preserves_flags)
            );
        }
    }
}
