//! A typed place in shared memory.

use crate::DeviceCopy;
use core::fmt;

/// A value of type `T` in the block's shared memory, or part of one.
///
/// It acts as a pointer: copies refer to the same memory, and `at` safely selects an element. Reading and
/// writing are `unsafe`, since the memory starts uninitialised and all threads of the block share it.
///
/// ```
/// use ptyx::device::shared::Shared;
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn broadcast(x: &[f32], mut y: Disjoint<f32>) {
///     let first: Shared<f32> = shared!(f32);
///     if thread::x() == 0 {
///         // SAFETY: only this thread writes, and the others read after the barrier.
///         unsafe { first.write(x[block::x() as usize]) };
///     }
///     block::sync();
///     if let Some(y) = y.get_mut(thread::index_1d()) {
///         // SAFETY: written before the barrier, and no longer changed.
///         *y = unsafe { first.read() };
///     }
/// }
/// ```
pub struct Shared<T: ?Sized> {
    pointer: *mut T,
}

impl<T: ?Sized> Clone for Shared<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Shared<T> {}

impl<T: ?Sized> Shared<T> {
    /// # Safety
    /// `pointer` is valid for reads and writes for as long as the block runs.
    #[inline(always)]
    pub(crate) const unsafe fn new(pointer: *mut T) -> Self {
        Self { pointer }
    }

    /// The place as a pointer.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// A matrix in shared memory as the address of its first number, for `ptx!`.
    /// fn address() -> *mut f32 {
    ///     shared!([[f32; 16]; 16]).as_mut_ptr().cast()
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut T {
        self.pointer
    }

    /// The value by reference.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of 32 numbers, one from each lane of the block's only warp.
    /// fn sum(value: f32) -> f32 {
    ///     let values = shared!([f32; 32]);
    ///     // SAFETY: each lane writes its own element; after the barrier, all only read.
    ///     unsafe {
    ///         values.at(warp::lane() as usize).write(value);
    ///         block::sync();
    ///         values.as_ref().iter().sum()
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// It has been written, and no thread writes it while the reference lives.
    #[inline(always)]
    pub const unsafe fn as_ref<'a>(self) -> &'a T {
        // SAFETY: valid; the caller keeps writers away.
        unsafe { &*self.pointer }
    }
}

impl<T: DeviceCopy> Shared<T> {
    /// The value.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the next thread of the block; `place` has an element for each thread.
    /// fn next(place: ptyx::device::shared::Shared<[f32]>, value: f32) -> f32 {
    ///     let i = thread::rank() as usize;
    ///     // SAFETY: each thread writes its own element, and reads another's after the barrier.
    ///     unsafe {
    ///         place.at(i).write(value);
    ///         block::sync();
    ///         place.at((i + 1) % place.len()).read()
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// It has been written, and no other thread writes it meanwhile: separate the accesses by a barrier.
    #[inline(always)]
    pub const unsafe fn read(self) -> T {
        // SAFETY: valid and aligned; the caller keeps writers away.
        unsafe { self.pointer.read() }
    }

    /// Sets the value.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// A row of zeros in shared memory, for blocks of 256 threads.
    /// fn zeros() -> ptyx::device::shared::Shared<[f32; 256]> {
    ///     let row = shared!([f32; 256]);
    ///     // SAFETY: each thread writes its own element, and nothing reads before the barrier.
    ///     unsafe { row.at(thread::x() as usize).write(0.0) };
    ///     block::sync();
    ///     row
    /// }
    /// ```
    ///
    /// # Safety
    /// No other thread reads or writes it meanwhile: separate the accesses by a barrier.
    #[inline(always)]
    pub const unsafe fn write(self, value: T) {
        // SAFETY: valid and aligned; the caller keeps other accesses away.
        unsafe { self.pointer.write(value) }
    }
}

impl<T: DeviceCopy> Shared<T> {
    /// The place as numbers, with any padding behind the last whole one left out.
    #[inline(always)]
    pub(crate) const fn numbers<V: crate::shared::CellValue>(self) -> Shared<[V]> {
        const { assert!(align_of::<V>() <= align_of::<T>()) };
        // Each has a power of two bytes, so that the tiles of an array begin at whole numbers.
        const { assert!(size_of::<V>().is_power_of_two()) };
        let count = size_of::<T>() / size_of::<V>();
        // SAFETY: the same memory, aligned for the numbers.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(self.pointer.cast(), count)) }
    }
}

impl<T, const N: usize> Shared<[T; N]> {
    /// Element `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's place in a matrix in shared memory.
    /// fn own() -> ptyx::device::shared::Shared<f32> {
    ///     shared!([[f32; 32]; 8]).at(thread::y() as usize).at(thread::x() as usize)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> Shared<T> {
        crate::view::check_bounds(index, N);
        // SAFETY: in bounds of memory that is valid.
        unsafe { Shared::new(self.pointer.cast::<T>().add(index)) }
    }

    /// The same array with its length as a value.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Static shared memory if it is large enough, else dynamic.
    /// fn room(len: usize) -> ptyx::device::shared::Shared<[f32]> {
    ///     if len <= 256 { shared!([f32; 256]).as_slice() } else { shared::dynamic(0, len) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_slice(self) -> Shared<[T]> {
        Shared { pointer: self.pointer }
    }

    /// The number of elements, `N`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many tiles of the block's shared memory a row of `width` elements takes.
    /// fn tiles(width: usize) -> usize {
    ///     width.div_ceil(shared!([f32; 256]).len())
    /// }
    /// ```
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        N
    }
}

impl<T> Shared<[T]> {
    /// The elements of a range of indices.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This warp's part of shared memory for a block of 256 threads.
    /// fn of_warp() -> ptyx::device::shared::Shared<[f32]> {
    ///     let first = 32 * warp::id() as usize;
    ///     shared!([f32; 256]).as_slice().range(first..first + 32)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the range ends before it starts, or past the last element.
    #[inline(always)]
    #[track_caller]
    pub fn range(self, range: core::ops::Range<usize>) -> Shared<[T]> {
        assert!(
            range.start <= range.end && range.end <= self.len(),
            "a range of shared memory is out of bounds"
        );
        let first = self.pointer.cast::<T>().wrapping_add(range.start);
        let len = range.end.wrapping_sub(range.start);
        // SAFETY: in bounds of memory that is valid.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(first, len)) }
    }

    /// Element `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's place in the launch's dynamic shared memory.
    /// fn own() -> ptyx::device::shared::Shared<u32> {
    ///     shared::dynamic::<u32>(0, block::threads() as usize).at(thread::rank() as usize)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> Shared<T> {
        crate::view::check_bounds(index, self.len());
        // SAFETY: in bounds of memory that is valid.
        unsafe { Shared::new(self.pointer.cast::<T>().add(index)) }
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::prelude::*;
    ///
    /// /// The two halves of a place: one is filled while the other is read.
    /// fn halves(place: Shared<[f32]>) -> [Shared<[f32]>; 2] {
    ///     let middle = place.len() / 2;
    ///     [place.range(0..middle), place.range(middle..place.len())]
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.pointer.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::device::shared::{Shared, SharedCells};
    /// use ptyx::prelude::*;
    ///
    /// /// The launch's dynamic shared memory as cells, or a small static array if the launch has none.
    /// fn room() -> SharedCells<f32> {
    ///     let room: Shared<[f32]> = shared::dynamic(0, shared::dynamic_bytes() / 4);
    ///     if room.is_empty() { shared!([f32; 64]).cells(0.0) } else { room.cells(0.0) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl<T: ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Shared({:p})", self.pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_pointers() {
        let mut grid = [[0u32; 3]; 2];
        // SAFETY: one thread, and `grid` is not used otherwise meanwhile.
        unsafe {
            let place = Shared::new(&raw mut grid);
            place.at(1).at(2).write(5);
            place.at(0).as_slice().at(1).write(place.at(1).at(2).read() + 1);
            assert_eq!((place.len(), place.at(0).as_slice().len()), (2, 3));
            assert_eq!(place.as_ref()[0], [0, 6, 0]);
        }
        assert_eq!(grid, [[0, 6, 0], [0, 0, 5]]);
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 2 but the index is 2"]
    fn checks_bounds() {
        let mut pair = [0u8; 2];
        // SAFETY: the array is alive.
        unsafe { Shared::new(&raw mut pair) }.at(2);
    }
}
