//! Copies that the threads of a group share.

use super::{CopyOptions, commit, memcpy_async_with, wait_prior};
use crate::DeviceCopy;
use crate::group::CopyGroup;
use crate::shared::Shared;

/// Starts a copy from global to shared memory that the threads of a group share, and commits it. All threads of the group
/// call it, with the same arguments; [`group_wait`] or [`group_wait_prior`] waits for it.
///
/// [`Pipeline::of_group`](super::Pipeline::of_group) does the same safely. The elements may have any size. Copies are of
/// 16, 8 or 4 bytes, as the addresses allow; what is left over, and anything between addresses that are not multiples of
/// 4, is copied at once, byte by byte.
///
/// PTX [`cp.async`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async) (`sm_80`; loads and stores on older devices), `cooperative_groups::memcpy_async()` of CUDA C++.
///
/// ```
/// use ptyx::device::async_copy;
/// use ptyx::prelude::*;
///
/// /// The sum of a row of 64 numbers, which a tile of eight lanes copies together.
/// fn row_sum(row: &[f32; 64]) -> f32 {
///     let tile = group::tile::<8>();
///     let place = shared!([[f32; 64]; 32]).at(tile.meta_rank() as usize).as_slice();
///     // SAFETY: `row` is in global memory and does not change; only the tile uses the place, after the wait.
///     unsafe {
///         async_copy::group_memcpy_async(tile, place, row.as_slice());
///         async_copy::group_wait(tile);
///         (0..64).map(|i| place.at(i).read()).sum()
///     }
/// }
/// ```
///
/// # Panics
/// If the slices have different lengths.
///
/// # Safety
/// - `from` points to global memory that stays allocated, and that no thread writes until the copy has been
///   waited for.
/// - No thread accesses `to` until the group has waited for the copy; threads outside of the group need a barrier
///   after that.
#[doc(alias = "cooperative_groups::memcpy_async")]
#[inline(always)]
#[track_caller]
pub unsafe fn group_memcpy_async<T: DeviceCopy>(
    group: impl CopyGroup,
    to: Shared<[T]>,
    from: *const [T],
) {
    assert!(to.len() == from.len(), "a copy from and to slices of different lengths");
    let bytes = from.len().wrapping_mul(size_of::<T>());
    // SAFETY: as the caller's.
    unsafe { share(group, to.as_mut_ptr().cast(), from.cast(), bytes) };
    commit();
}

/// Waits until all copies of this thread are done, and for the other threads of the group: what
/// [`group_memcpy_async`] has copied for the group is then visible to all of its threads.
///
/// PTX [`cp.async.wait_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-wait-group) (`sm_80`), `cooperative_groups::wait()` of CUDA C++.
///
/// ```
/// use ptyx::device::{async_copy, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Copies a tile by all threads of the block.
/// ///
/// /// # Safety
/// /// As [`async_copy::group_memcpy_async`].
/// unsafe fn load(tile: Shared<[f64]>, from: &[f64]) {
///     // SAFETY: as the caller's.
///     unsafe { async_copy::group_memcpy_async(group::block(), tile, from) };
///     async_copy::group_wait(group::block());
/// }
/// ```
#[doc(alias = "cooperative_groups::wait")]
#[inline(always)]
#[track_caller]
pub fn group_wait(group: impl CopyGroup) {
    group_wait_prior::<0>(group);
}

/// [`group_wait`], but the latest `REST` calls of [`group_memcpy_async`] (or [`commit`]) may go on.
///
/// PTX [`cp.async.wait_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-wait-group) (`sm_80`), `cooperative_groups::wait_prior<N>()` of CUDA C++.
///
/// ```
/// use ptyx::device::{async_copy, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Starts to copy the next tile, and waits for the one before.
/// ///
/// /// # Safety
/// /// As [`async_copy::group_memcpy_async`].
/// unsafe fn advance(next: Shared<[f64]>, from: &[f64]) {
///     // SAFETY: as the caller's.
///     unsafe { async_copy::group_memcpy_async(group::block(), next, from) };
///     async_copy::group_wait_prior::<1>(group::block());
/// }
/// ```
#[doc(alias = "cooperative_groups::wait_prior")]
#[inline(always)]
#[track_caller]
pub fn group_wait_prior<const REST: u32>(group: impl CopyGroup) {
    wait_prior::<REST>();
    group.meet();
}

/// This thread's part of a copy that a group shares.
///
/// # Safety
/// As [`group_memcpy_async`].
#[inline(always)]
pub(super) unsafe fn share(group: impl CopyGroup, to: *mut u8, from: *const u8, bytes: usize) {
    let (first, step) = (group.member() as usize, group.members() as usize);
    let places = to.addr() | from.addr();
    let mut done = 0usize;
    macro_rules! units {
        ($unit:ty, $bypass_l1:literal) => {
            let size = size_of::<$unit>();
            let end = bytes / size * size;
            if places.is_multiple_of(size) {
                let mut at = done.wrapping_add(first.wrapping_mul(size));
                while at < end {
                    let options = CopyOptions { bypass_l1: $bypass_l1, ..CopyOptions::default() };
                    // SAFETY: within both places, and aligned.
                    unsafe {
                        let place = Shared::new(to.wrapping_add(at).cast::<$unit>());
                        memcpy_async_with(place, from.wrapping_add(at).cast(), options);
                    }
                    at = at.wrapping_add(step.wrapping_mul(size));
                }
                done = end;
            }
        };
    }
    units!([u64; 2], true);
    units!(u64, false);
    units!(u32, false);
    let mut at = done.wrapping_add(first);
    while at < bytes {
        // SAFETY: as above.
        unsafe { to.wrapping_add(at).write(from.wrapping_add(at).read()) };
        at = at.wrapping_add(step);
    }
}
