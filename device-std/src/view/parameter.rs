//! What launches promise about the memory of a kernel's parameters, for the optimiser.
//!
//! The kernel's entry makes these promises about values that it loads from its arguments; anywhere else they have no
//! effect. The compiler turns each into attributes of the entry's parameter.
#![doc(hidden)]

use crate::intrinsics;

/// The memory behind `pointer`, which is not null, is not written during the launch. Loads through
/// it may take the read-only path (`ld.global.nc`).
///
/// # Safety
/// The pointer is not null, and nothing writes the memory during the launch.
#[inline(always)]
pub unsafe fn read_only<T>(pointer: *const T) {
    // SAFETY: the caller's promise; lowered to nothing.
    unsafe { intrinsics::__ptyx_param_read_only(pointer.cast()) }
}

/// What this thread writes behind `pointer`, which is not null, no other thread and no other argument reaches during
/// the launch, and what it reads there, nothing else writes.
///
/// # Safety
/// The pointer is not null. What this thread writes through it, nothing else accesses during the launch, and what it
/// reads through it, nothing else writes.
#[inline(always)]
pub unsafe fn exclusive<T>(pointer: *mut T) {
    // SAFETY: the caller's promise; lowered to nothing.
    unsafe { intrinsics::__ptyx_param_exclusive(pointer.cast()) }
}

/// `pointer` is not null. Other threads may write the memory behind it, so nothing else is known.
///
/// # Safety
/// The pointer is not null.
#[inline(always)]
pub unsafe fn valid<T>(pointer: *mut T) {
    // SAFETY: the caller's promise; lowered to nothing.
    unsafe { intrinsics::__ptyx_param_valid(pointer.cast()) }
}

/// There are `length` elements at `pointer`, aligned as their type asks, all of which can be read during the launch.
///
/// # Safety
/// The elements are there and can be read during the launch.
#[inline(always)]
pub unsafe fn slice<T>(pointer: *const T, length: usize) {
    // SAFETY: the caller's promise; lowered to nothing.
    unsafe {
        intrinsics::__ptyx_param_slice(pointer.cast(), length, size_of::<T>(), align_of::<T>())
    }
}
