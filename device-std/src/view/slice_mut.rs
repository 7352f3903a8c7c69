//! Access to every element of a buffer by every thread, without protection against data races.

use super::non_null;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// A buffer that every thread may read and write anywhere: bounds are checked, races are not, so
/// access is `unsafe`. The host passes `&mut DeviceBuffer<T>` for it.
///
/// Prefer [`Disjoint`](crate::Disjoint) where each thread writes its own elements and
/// [`Atomics`](crate::Atomics) where threads share them.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn swap_pairs(x: SliceMut<f32>) {
///     let i = 2 * thread::index_1d().get();
///     if i + 1 < x.len() {
///         // SAFETY: each thread has a pair of its own.
///         unsafe {
///             let first = x.read(i);
///             x.write(i, x.read(i + 1));
///             x.write(i + 1, first);
///         }
///     }
/// }
/// ```
#[repr(C)]
pub struct SliceMut<'a, T> {
    pointer: NonNull<T>,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T> Clone for SliceMut<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SliceMut<'_, T> {}

impl<'a, T> SliceMut<'a, T> {
    /// The view that a launch passes.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for reads and writes of `len` elements for `'a`.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, len: usize) -> Self {
        Self { pointer: non_null(pointer), len, borrow: PhantomData }
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn reverse(x: SliceMut<f32>) {
    ///     for i in thread::grid_stride(x.len() / 2) {
    ///         let (low, high) = (i.get(), x.len() - 1 - i.get());
    ///         // SAFETY: no two threads have the same pair of elements.
    ///         unsafe {
    ///             let value = x.read(low);
    ///             x.write(low, x.read(high));
    ///             x.write(high, value);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The first element, if there is one.
    /// ///
    /// /// # Safety
    /// /// No thread writes it meanwhile.
    /// unsafe fn first(x: SliceMut<f32>) -> Option<f32> {
    ///     // SAFETY: the caller's promise.
    ///     (!x.is_empty()).then(|| unsafe { x.read(0) })
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The first element.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// There are at least four elements from `i`, and no other thread uses them.
    /// unsafe fn clear_four(x: SliceMut<f32>, i: usize) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { x.as_mut_ptr().add(i).write_bytes(0, 4) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// The element at `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No thread writes the neighbours of `i` meanwhile.
    /// unsafe fn smoothed(x: SliceMut<f32>, i: usize) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { 0.5 * (x.read(i - 1) + x.read(i + 1)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    ///
    /// # Safety
    /// No other thread writes the element meanwhile: barriers or the algorithm must ensure that.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn read(self, index: usize) -> T
    where
        T: Copy,
    {
        super::check_bounds(index, self.len);
        // SAFETY: in bounds; the caller keeps writers away.
        unsafe { self.pointer.add(index).read() }
    }

    /// Sets the element at `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn scatter(places: &[u32], values: &[f32], output: SliceMut<f32>) {
    ///     // The host made sure that all places differ.
    ///     for i in thread::grid_stride(places.len()) {
    ///         // SAFETY: so no other thread writes there.
    ///         unsafe { output.write(places[i.get()] as usize, values[i.get()]) }
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    ///
    /// # Safety
    /// No other thread reads or writes the element meanwhile.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn write(self, index: usize, value: T)
    where
        T: Copy,
    {
        super::check_bounds(index, self.len);
        // SAFETY: in bounds; the caller keeps other accesses away.
        unsafe { self.pointer.add(index).write(value) }
    }

    /// A reference to the element at `index`, or `None` past the end.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn double_even(x: SliceMut<f32>) {
    ///     // SAFETY: each thread has an element of its own.
    ///     if let Some(x) = unsafe { x.get_mut(2 * thread::index_1d().get()) } {
    ///         *x *= 2.0;
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// No thread, this one included, accesses the element otherwise while the reference lives.
    #[inline(always)]
    pub unsafe fn get_mut(self, index: usize) -> Option<&'a mut T> {
        if index < self.len {
            // SAFETY: in bounds; the caller keeps the reference exclusive.
            Some(unsafe { self.pointer.add(index).as_mut() })
        } else {
            None
        }
    }

    /// The element at `index`, without a check.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// `i` is below the length, and no other thread uses element `i`.
    /// unsafe fn double(x: SliceMut<f32>, i: usize) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { *x.get_unchecked_mut(i) *= 2.0 }
    /// }
    /// ```
    ///
    /// # Safety
    /// `index` is below the length, and as for [`SliceMut::get_mut`].
    #[inline(always)]
    pub unsafe fn get_unchecked_mut(self, index: usize) -> &'a mut T {
        // SAFETY: the caller gives an index in bounds and keeps the reference exclusive.
        unsafe { self.pointer.add(index).as_mut() }
    }

    /// The whole as a slice.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No thread writes `x` meanwhile.
    /// unsafe fn sum(x: SliceMut<f32>) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { x.as_slice() }.iter().sum()
    /// }
    /// ```
    ///
    /// # Safety
    /// No thread writes any of it while the slice lives.
    #[inline(always)]
    pub unsafe fn as_slice(self) -> &'a [T] {
        // SAFETY: valid for `'a`; the caller keeps writers away.
        unsafe { core::slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for SliceMut<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SliceMut({:p}, {})", self.pointer, self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_in_bounds() {
        let mut data = [1, 2, 3];
        // SAFETY: one thread, and `data` is not used otherwise meanwhile.
        unsafe {
            let view = SliceMut::from_raw_parts(data.as_mut_ptr(), data.len());
            view.write(1, view.read(0) + 10);
            *view.get_unchecked_mut(2) = 5;
            assert!(view.get_mut(3).is_none());
            assert_eq!(view.as_slice(), [1, 11, 5]);
        }
        assert_eq!(data, [1, 11, 5]);
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 3 but the index is 3"]
    fn checks_bounds() {
        let mut data = [1, 2, 3];
        // SAFETY: one thread.
        unsafe { SliceMut::from_raw_parts(data.as_mut_ptr(), data.len()).read(3) };
    }
}
