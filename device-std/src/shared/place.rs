//! A typed place in shared memory.

use crate::DeviceCopy;
use crate::atomic::{Atomic, AtomicNumber};
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

impl<T: AtomicNumber, const N: usize> Shared<[T; N]> {
    /// The elements as atomics.
    ///
    /// # Safety
    /// They have been written, with a barrier since, and as long as the reference lives they are
    /// accessed by atomic operations only.
    #[inline(always)]
    pub const unsafe fn atomics<'a>(self) -> &'a [Atomic<T>; N] {
        // SAFETY: valid, initialised, and `Atomic<T>` has the layout of `T`.
        unsafe { &*self.pointer.cast::<[Atomic<T>; N]>() }
    }
}

impl<T: AtomicNumber> Shared<[T]> {
    /// The elements as atomics.
    ///
    /// # Safety
    /// They have been written, with a barrier since, and as long as the reference lives they are
    /// accessed by atomic operations only.
    #[inline(always)]
    pub const unsafe fn atomics<'a>(self) -> &'a [Atomic<T>] {
        // SAFETY: valid, initialised, and `Atomic<T>` has the layout of `T`.
        unsafe { core::slice::from_raw_parts(self.pointer.cast::<Atomic<T>>(), self.len()) }
    }
}

impl<T: ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Shared({:p})", self.pointer)
    }
}
