//! Copies that the threads of a group share.

use super::{CopyOptions, commit, memcpy_async, memcpy_async_with, wait_prior};
use crate::DeviceCopy;
use crate::group::CopyGroup;
use crate::shared::{CellValue, Shared};
use core::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// Starts a copy from global to shared memory that the threads of a group share, and commits it. All threads of the group
/// call it, with the same arguments; [`group_wait`] or [`group_wait_prior`] waits for it.
///
/// [`Pipeline::of_group`](super::Pipeline::of_group) does the same safely. The elements may have any size. Copies are of
/// 16, 8 or 4 bytes, as the addresses allow; what is left over, and anything between addresses that are not multiples of
/// 4, is copied at once.
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
    unsafe { share(turn(group), to.as_mut_ptr().cast(), from.cast(), bytes, 1) };
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

/// This thread's number in a group, and how many threads it has.
#[inline(always)]
pub(super) fn turn(group: impl CopyGroup) -> (u32, u32) {
    (group.member(), group.members())
}

/// This thread's part of a copy that threads share: of as many pieces as there are threads, it copies every one from its own
/// number on. A single thread has number 0 of 1.
///
/// # Safety
/// As [`group_memcpy_async`]. Both places and the number of bytes are multiples of `align`, a power of two up to 16.
#[inline(always)]
pub(super) unsafe fn share(
    (number, threads): (u32, u32),
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    align: usize,
) {
    let (first, step) = (number as usize, threads as usize);
    let places = to.addr() | from.addr();
    let mut done = 0usize;
    macro_rules! units {
        ($unit:ty, |$to:ident, $from:ident| $copy:expr) => {
            let size = size_of::<$unit>();
            let end = bytes / size * size;
            // After pieces of the elements' own alignment nothing is left.
            if size >= align && places.is_multiple_of(size) {
                let mut at = done.wrapping_add(first.wrapping_mul(size));
                while at < end {
                    let $to = to.wrapping_add(at).cast::<$unit>();
                    let $from = from.wrapping_add(at).cast::<$unit>();
                    // SAFETY: within both places, and aligned.
                    unsafe { $copy };
                    at = at.wrapping_add(step.wrapping_mul(size));
                }
                done = end;
            }
        };
    }
    units!([u64; 2], |to, from| {
        let options = CopyOptions { bypass_l1: true, ..CopyOptions::default() };
        memcpy_async_with(Shared::new(to), from, options);
    });
    units!(u64, |to, from| memcpy_async(Shared::new(to), from));
    units!(u32, |to, from| memcpy_async(Shared::new(to), from));
    // What is left is copied at once. The stores are atomic, as a pipeline needs them.
    units!(u16, |to, from| AtomicU16::from_ptr(to).store(from.read(), Relaxed));
    units!(u8, |to, from| AtomicU8::from_ptr(to).store(from.read(), Relaxed));
    let _ = done;
}

/// Starts to copy one value, by copies as large as its alignment allows.
///
/// # Safety
/// As [`memcpy_async`]; the value is aligned for its type.
#[inline(always)]
pub(super) unsafe fn copy_value<T: CellValue>(to: Shared<T>, from: *const T) {
    macro_rules! copies {
        ($unit:ty) => {{
            let (to, from) = (to.as_mut_ptr().cast::<$unit>(), from.cast::<$unit>());
            let mut at = 0;
            while at < size_of::<T>() / size_of::<$unit>() {
                // SAFETY: a part of the value, aligned as the value is.
                unsafe { memcpy_async(Shared::new(to.wrapping_add(at)), from.wrapping_add(at)) };
                at = at.wrapping_add(1);
            }
        }};
    }
    match align_of::<T>() {
        // SAFETY: the caller's promise. There are no copies of so few bytes.
        1 | 2 => unsafe { T::store(to.as_mut_ptr(), from.read()) },
        4 => copies!(u32),
        8 => copies!(u64),
        _ => copies!([u64; 2]),
    }
}
