//! Shared memory that is safe to use, because every access is atomic.
//!
//! A data race of plain accesses is undefined behaviour; a race of atomic accesses gives at worst a wrong
//! value. So views whose elements are only accessed atomically need no `unsafe`, provided that the memory
//! is initialised first. Creating the view does that, whichever threads are left: [`fill`] says how.

use super::cell::sealed::Cell;
use super::{CellContent, CellElement, Shared, fill};
use crate::{Atomic, DeviceCopy, atomic::AtomicValue};
use core::ops::Deref;

/// Atomics in shared memory, from [`Shared::atomics`]: a slice of [`Atomic`]s, or of arrays of them (PTX
/// [`atom.shared`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn histogram(values: &[u8], counts: Atomics<u32>) {
///     let own = shared!([u32; 256]).atomics(0); // counts of this block
///     for i in thread::grid_stride(values.len()) {
///         own[usize::from(values[i.get()])].fetch_add(1);
///     }
///     block::sync();
///     let value = thread::x() as usize; // launched with 256 threads
///     counts[value].fetch_add(own[value].load());
/// }
/// ```
#[derive(Debug)]
pub struct SharedAtomics<T> {
    elements: Shared<[T]>,
}

impl<T> Clone for SharedAtomics<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SharedAtomics<T> {}

impl<T, const N: usize> SharedAtomics<[T; N]> {
    /// Row `index` of an array of arrays, as a view of its own. `counts[y][x]` is the same atomic as `counts.at(y)[x]`.
    ///
    /// ```
    /// use ptyx::device::shared::SharedAtomics;
    /// use ptyx::prelude::*;
    ///
    /// /// Adds this thread's value to one of the counts of its warp.
    /// fn count(own: SharedAtomics<u32>, value: u32) {
    ///     own[value as usize % 16].fetch_add(1);
    /// }
    ///
    /// /// A histogram of 16 bins for each of the block's 8 warps.
    /// fn histograms(value: u32) -> SharedAtomics<[u32; 16]> {
    ///     let counts = shared!([[u32; 16]; 8]).atomics(0);
    ///     count(counts.at(warp::id() as usize), value);
    ///     block::sync();
    ///     counts
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> SharedAtomics<T> {
        SharedAtomics { elements: self.elements.at(index).as_slice() }
    }
}

impl<T: AtomicElement> Deref for SharedAtomics<T> {
    type Target = [T::Atomic];

    #[inline(always)]
    fn deref(&self) -> &[T::Atomic] {
        let elements = self.elements.as_mut_ptr();
        // SAFETY: initialised memory of the block, and `Atomic<T>` has the layout of `T`. The
        // borrow ends with the view, which no other block can get hold of.
        unsafe { &*core::ptr::slice_from_raw_parts(elements.cast(), elements.len()) }
    }
}

/// An element of an array that can be used as atomics: a number, or an array of such elements.
///
/// ```
/// use ptyx::device::shared::{AtomicElement, Shared, SharedAtomics};
///
/// /// An array of zeros that the threads of a block share.
/// fn zeros<T: AtomicElement<Value = u32>>(place: Shared<[T]>) -> SharedAtomics<T> {
///     place.atomics(0)
/// }
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "shared memory of `{Self}` can't be used as atomics",
    label = "not an atomic number type",
    note = "`u32`, `i32`, `u64`, `i64`, `usize`, `f32` and `f64` can, and arrays of them: `shared!([u32; 256])`, `shared!([[u32; 16]; 16])`"
)]
pub unsafe trait AtomicElement: DeviceCopy {
    /// The number type.
    type Value: AtomicValue;
    /// The atomic type of the number, or an array of such types.
    type Atomic;
}

// SAFETY: the number itself.
unsafe impl<T: AtomicValue> AtomicElement for T {
    type Value = T;
    type Atomic = Atomic<T>;
}

// SAFETY: as the elements.
unsafe impl<T: AtomicElement, const N: usize> AtomicElement for [T; N] {
    type Value = T::Value;
    type Atomic = [T::Atomic; N];
}

/// Cells in shared memory, from [`Shared::cells`]: each is loaded and stored by atomic accesses (PTX
/// [`ld.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld),
/// [`st.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st)).
///
/// After a barrier, threads load what other threads stored before it. Without one, they load some value
/// that was stored at some time, or, of more than 8 bytes, parts of several ([`CellValue`](super::CellValue)). The accesses are as fast as plain ones, but the optimiser does not combine
/// neighbouring ones.
///
/// ```no_run
/// use ptyx_device::{block, shared, thread};
/// fn reversed(value: f32) -> f32 {
///     let tile = shared!([f32; 256]).cells(0.0);
///     let i = thread::x() as usize;
///     tile.set(i, value);
///     block::sync();
///     tile.get(255 - i)
/// }
/// ```
///
/// Cells of an array of arrays are rows of cells: `tile.at(y).get(x)`. No reference can lead to a cell, so
/// unlike [`SharedAtomics`] they can't be indexed as `tile[y][x]`.
#[derive(Debug)]
pub struct SharedCells<T> {
    elements: Shared<[T]>,
}

impl<T> Clone for SharedCells<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SharedCells<T> {}

impl<T> SharedCells<T> {
    /// The number of cells, or of rows of cells.
    ///
    /// ```
    /// use ptyx::device::shared::SharedCells;
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the thread `distance` before this one, wrapping around. Each thread has a cell.
    /// fn earlier(cells: SharedCells<f32>, distance: usize) -> f32 {
    ///     cells.get((thread::rank() as usize + cells.len() - distance) % cells.len())
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.elements.len()
    }

    /// Where a cell is.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn place(self, index: usize) -> Shared<T> {
        self.elements.at(index)
    }

    /// Whether there are no cells.
    ///
    /// ```
    /// use ptyx::device::shared::SharedCells;
    ///
    /// /// The mean of the values in all cells, or 0 if there are none.
    /// fn mean(cells: SharedCells<f32>) -> f32 {
    ///     if cells.is_empty() {
    ///         return 0.0;
    ///     }
    ///     (0..cells.len()).map(|i| cells.get(i)).sum::<f32>() / cells.len() as f32
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.elements.is_empty()
    }
}

impl<T, const N: usize> SharedCells<[T; N]> {
    /// Row `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the thread at the mirrored place of a 16x16 block.
    /// fn transposed(value: f32) -> f32 {
    ///     let tile = shared!([[f32; 16]; 16]).cells(0.0);
    ///     let (x, y) = (thread::x() as usize, thread::y() as usize);
    ///     tile.at(y).set(x, value);
    ///     block::sync();
    ///     tile.at(x).get(y)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> SharedCells<T> {
        SharedCells { elements: self.elements.at(index).as_slice() }
    }
}

impl<T: CellContent> SharedCells<T> {
    /// The value in cell `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the first thread of the block.
    /// fn first(value: u32) -> u32 {
    ///     let cells = shared!([u32; 1024]).cells(0);
    ///     cells.set(thread::rank() as usize, value);
    ///     block::sync();
    ///     cells.get(0)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn get(self, index: usize) -> T {
        // SAFETY: an element of the block's memory.
        unsafe { Cell::load(self.elements.at(index).as_mut_ptr()) }
    }

    /// Sets the value of cell `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// What one thread of the block decides, for all.
    /// fn decide(choose: impl Fn() -> u32) -> u32 {
    ///     let choice = shared!([u32; 1]).cells(0);
    ///     if thread::rank() == 0 {
    ///         choice.set(0, choose());
    ///     }
    ///     block::sync();
    ///     choice.get(0)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn set(self, index: usize, value: T) {
        // SAFETY: an element of the block's memory.
        unsafe { Cell::store(self.elements.at(index).as_mut_ptr(), value) }
    }
}

impl<T> Shared<[T]> {
    /// The array as atomics, each set to `initial` by the threads of the block together.
    ///
    /// This waits for the block: all threads that have not returned must call it, for the same memory. No
    /// thread can read an uninitialised element, even if other threads have returned. Before calling it
    /// again for the same memory, wait until all threads are done with the first view.
    ///
    /// For more than 256 elements it takes eight more bytes of shared memory, once per kernel.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many threads of the block have a positive value.
    /// fn count_positive(value: f32) -> u32 {
    ///     let count = shared::dynamic::<u32>(0, 1).atomics(0);
    ///     if value > 0.0 {
    ///         count[0].fetch_add(1);
    ///     }
    ///     block::sync();
    ///     count[0].load()
    /// }
    /// ```
    #[inline(always)]
    pub fn atomics(self, initial: T::Value) -> SharedAtomics<T>
    where
        T: AtomicElement,
    {
        // SAFETY: an element of the block's memory.
        fill::fill(self.flattened(), |element: *mut T::Value| unsafe {
            (*element.cast::<Atomic<T::Value>>()).store(initial);
        });
        SharedAtomics { elements: self }
    }

    /// The array as cells, each set to `initial` by the threads of the block together.
    ///
    /// This waits for the block: all threads that have not returned must call it, for the same memory. No
    /// thread can read an uninitialised element, even if other threads have returned. Before calling it
    /// again for the same memory, wait until all threads are done with the first view.
    ///
    /// For more than 256 elements it takes eight more bytes of shared memory, once per kernel.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the mirrored thread of the block.
    /// fn reversed(value: f32) -> f32 {
    ///     let threads = block::threads() as usize;
    ///     let tile = shared::dynamic::<f32>(0, threads).cells(0.0);
    ///     tile.set(thread::rank() as usize, value);
    ///     block::sync();
    ///     tile.get(threads - 1 - thread::rank() as usize)
    /// }
    /// ```
    #[inline(always)]
    pub fn cells(self, initial: T::Value) -> SharedCells<T>
    where
        T: CellElement,
    {
        // SAFETY: an element of the block's memory.
        fill::fill(self.flattened(), |element: *mut T::Value| unsafe {
            Cell::store(element, initial);
        });
        SharedCells { elements: self }
    }

    /// The numbers that the elements consist of.
    #[inline(always)]
    fn flattened<V>(self) -> Shared<[V]> {
        let numbers = const { size_of::<T>() / size_of::<V>() };
        let first = self.as_mut_ptr().cast();
        // SAFETY: the same memory.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(first, self.len() * numbers)) }
    }
}

impl<T, const N: usize> Shared<[T; N]> {
    /// As [`Shared::<[T]>::atomics`].
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum over the block, in every thread.
    /// fn sum(value: f32) -> f32 {
    ///     let total = shared!([f32; 1]).atomics(0.0);
    ///     total[0].fetch_add(value);
    ///     block::sync();
    ///     total[0].load()
    /// }
    /// ```
    #[inline(always)]
    pub fn atomics(self, initial: T::Value) -> SharedAtomics<T>
    where
        T: AtomicElement,
    {
        self.as_slice().atomics(initial)
    }

    /// As [`Shared::<[T]>::cells`].
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the mirrored thread of a block of 256.
    /// fn reversed(value: f32) -> f32 {
    ///     let tile = shared!([f32; 256]).cells(0.0);
    ///     tile.set(thread::x() as usize, value);
    ///     block::sync();
    ///     tile.get(255 - thread::x() as usize)
    /// }
    /// ```
    #[inline(always)]
    pub fn cells(self, initial: T::Value) -> SharedCells<T>
    where
        T: CellElement,
    {
        self.as_slice().cells(initial)
    }
}
