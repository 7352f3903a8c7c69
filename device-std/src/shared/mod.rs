//! Shared memory, which the threads of a block share (PTX ISA,
//! [Shared State Space](https://docs.nvidia.com/cuda/parallel-thread-execution/#shared-state-space); all of it from `sm_70` on, unless an item says otherwise).
//!
//! Each use of [`shared!`](crate::shared!) in the source is an array of its own, as large as the device has
//! room for (beyond 48 KiB, it becomes dynamic shared memory, which each launch requests by itself); [`dynamic`] returns
//! typed views of the dynamic shared memory that the launch requests.
//!
//! Shared memory is not initialised, and other threads write it: plain access through [`Shared`] is
//! `unsafe`, and needs barriers. The safe ways are [`Shared::atomics`], [`Shared::cells`] for numbers that are only
//! loaded and stored, and [`phased!`](crate::phased!) for arrays in which threads write their own elements
//! before all threads read them.
//!
//! # Panics
//! On the host, [`shared!`](crate::shared!), [`dynamic`] and [`dynamic_bytes`] panic, like all functions that
//! only a device has.

mod any_bits;
pub(crate) mod cell;
mod cluster;
mod fill;
pub mod phases;
mod place;
mod safe;

pub use any_bits::AnyBits;
pub(crate) use any_bits::any_bits;
pub use cell::{CellContent, CellElement, CellValue};
pub use cluster::ClusterShared;
pub use phases::{Even, Odd, PHASES, Parity, Phase, Phased, PhasesArg, TileArray};
pub use place::Shared;
pub use safe::{AtomicElement, SharedAtomics, SharedCells};

use crate::{DeviceCopy, intrinsics};

/// Static shared memory of a type: `shared!([f32; 256])` is a [`Shared<[f32; 256]>`](Shared).
///
/// Each place in the source (and, in generic functions, each instance) is memory of its own, the
/// same for all threads of a block and for every execution of that place.
///
/// ```no_run
/// use ptyx_device::{block, shared, thread};
/// fn reversed(value: f32) -> f32 {
///     let tile = shared!([f32; 256]);
///     let i = thread::x() as usize;
///     // SAFETY: each thread writes its own element, and reads another's after the barrier.
///     unsafe {
///         tile.at(i).write(value);
///         block::sync();
///         tile.at(255 - i).read()
///     }
/// }
/// ```
#[macro_export]
macro_rules! shared {
    ($type:ty) => {
        $crate::shared::alloc::<$type, _>(|| ())
    };
}

/// The memory of [`shared!`]: `identity` is a closure whose type names the place in the source.
#[doc(hidden)]
#[inline(always)]
pub fn alloc<T: DeviceCopy, F: FnOnce()>(identity: F) -> Shared<T> {
    let _ = identity;
    alloc_named::<T, F>()
}

/// Memory for each `F` and `T`.
#[inline(always)]
pub(crate) fn alloc_named<T: DeviceCopy, F>() -> Shared<T> {
    // SAFETY: the compiler gives memory of that size and alignment for the name, in every block.
    unsafe {
        let pointer = intrinsics::__ptyx_shared_static(
            place_of::<T, F> as fn() as *const (),
            size_of::<T>(),
            align_of::<T>(),
        );
        Shared::new(pointer.cast())
    }
}

/// A function for each `F` and `T`, whose address names a place in the source and its type.
fn place_of<T, F>() {
    let _ = (size_of::<T>(), size_of::<F>());
}

/// Bytes of dynamic shared memory that this launch has ([`%dynamic_smem_size`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-dynamic-smem-size)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// How many numbers fit into the dynamic shared memory of this launch.
/// fn room() -> usize {
///     shared::dynamic_bytes() / size_of::<f32>()
/// }
/// ```
#[inline(always)]
pub fn dynamic_bytes() -> usize {
    // SAFETY: reads a special register.
    unsafe { intrinsics::dynamic_smem_size() as usize }
}

/// Bytes of shared memory that the block has: static and dynamic, rounded up to the unit in which the hardware allocates
/// it, without what the system reserves ([`%total_smem_size`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-total-smem-size), `sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Static shared memory, with what rounding adds.
/// fn not_dynamic() -> usize {
///     shared::total_bytes() - shared::dynamic_bytes()
/// }
/// ```
#[doc(alias = "total_smem_size")]
#[inline(always)]
pub fn total_bytes() -> usize {
    // SAFETY: reads a special register.
    unsafe { intrinsics::total_smem_size() as usize }
}

/// A view of the launch's dynamic shared memory: `len` elements from byte `offset` (`extern __shared__` of
/// CUDA C).
///
/// Several views, of several types, may cover the same bytes.
///
/// PTX [`%dynamic_smem_size`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-dynamic-smem-size) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn reverse_blocks(mut x: Disjoint<f32>) {
///     // Launched with `<<<blocks, threads, 4 * threads>>>`.
///     let threads = block::threads() as usize;
///     let tile = shared::dynamic::<f32>(0, threads).cells(0.0);
///     let (i, own) = (thread::index_1d(), thread::x() as usize);
///     tile.set(own, x[i]);
///     block::sync();
///     x[i] = tile.get(threads - 1 - own);
/// }
/// ```
///
/// # Panics
/// If the launch has less dynamic shared memory, or `offset` is not a multiple of `T`'s alignment. (An
/// alignment of more than 16 is a compile error.)
#[inline(always)]
#[track_caller]
pub fn dynamic<T: DeviceCopy>(offset: usize, len: usize) -> Shared<[T]> {
    const { assert!(align_of::<T>() <= 16, "dynamic shared memory is aligned to 16 bytes") };
    let fits = match len.checked_mul(size_of::<T>()) {
        Some(bytes) => offset <= dynamic_bytes() && bytes <= dynamic_bytes() - offset,
        None => false,
    };
    assert!(fits, "the launch has less dynamic shared memory than the kernel uses");
    assert!(
        offset.is_multiple_of(align_of::<T>()),
        "a view of shared memory is not aligned for its type"
    );
    // SAFETY: checked to lie inside the dynamic shared memory, and aligned.
    unsafe {
        let first = intrinsics::__ptyx_shared_dynamic().add(offset).cast();
        Shared::new(core::ptr::slice_from_raw_parts_mut(first, len))
    }
}
