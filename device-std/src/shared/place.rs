//! A typed place in shared memory.

use crate::DeviceCopy;
use core::fmt;

/// A value of type `T` in the block's shared memory, or part of one.
///
/// It is a pointer: copies are the same place, and going to an element with `at` is safe. Reading
/// and writing is not, since the memory starts uninitialised and every thread of the block has it.
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
    pub(super) const unsafe fn new(pointer: *mut T) -> Self {
        Self { pointer }
    }

    /// The place as a pointer.
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut T {
        self.pointer
    }

    /// The value by reference.
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
    /// # Safety
    /// It has been written, and no other thread writes it meanwhile: put a barrier between.
    #[inline(always)]
    pub const unsafe fn read(self) -> T {
        // SAFETY: valid and aligned; the caller keeps writers away.
        unsafe { self.pointer.read() }
    }

    /// Sets the value.
    ///
    /// # Safety
    /// No other thread reads or writes it meanwhile: put a barrier between.
    #[inline(always)]
    pub const unsafe fn write(self, value: T) {
        // SAFETY: valid and aligned; the caller keeps other accesses away.
        unsafe { self.pointer.write(value) }
    }
}

impl<T, const N: usize> Shared<[T; N]> {
    /// Element `index`.
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
    #[inline(always)]
    pub const fn as_slice(self) -> Shared<[T]> {
        Shared { pointer: self.pointer }
    }

    /// The number of elements, `N`.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        N
    }
}

impl<T> Shared<[T]> {
    /// Element `index`.
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
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.pointer.len()
    }

    /// Whether there are none.
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
