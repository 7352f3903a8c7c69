//! Exclusive access to a buffer, shared out by thread.

use super::{ThreadIndex, non_null};
use crate::thread::Index1;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

/// A buffer in which each thread of a launch owns the elements at its own indices.
///
/// Element `i` is reached with an [`Index1`] of value `i`, which only one thread can have, so
/// writing through this view is safe. The host passes `&mut DeviceBuffer<T>` for it.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn square(mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::index_1d()) {
///         *x *= *x;
///     }
/// }
/// ```
///
/// # Why it is sound
/// - *Between threads.* Two threads never hold equal values of `Index1` (see there). All
///   threads of a launch have the same view: it can only be made by a launch, is neither `Copy`
///   nor `Clone`, and has no sub-views, in which an index could mean another thread's element.
/// - *Within a thread.* `get_mut` borrows the view for as long as the element: asking twice for the
///   same index, in a loop or not, never gives two live references:
///   ```compile_fail,E0499
///   use ptyx_device::{Disjoint, thread::Index1};
///   fn twice(mut view: Disjoint<f32>, i: Index1) {
///       let (a, b) = (view.get_mut(i), view.get_mut(i));
///       drop((a, b));
///   }
///   ```
/// - *Against other arguments.* The host borrows the buffer mutably for the call of `launch!`, so no
///   other argument of the launch covers the same memory, and orders other launches around it.
#[repr(C)]
pub struct Disjoint<'a, T> {
    pointer: NonNull<T>,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T> Disjoint<'a, T> {
    /// The view that a launch passes.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for reads and writes of `len` elements for `'a`, every
    /// thread of the launch must get the same view, and nothing else may access them meanwhile.
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
    /// fn fill(value: f32, mut x: Disjoint<f32>) {
    ///     for i in thread::grid_stride(x.len()) {
    ///         x[i] = value;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The distance between samples of a curve from 0 to 1.
    /// fn step(samples: &Disjoint<f32>) -> f32 {
    ///     if samples.is_empty() { 0.0 } else { 1.0 / samples.len() as f32 }
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// This thread's element at `index`, or `None` past the end.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn count_positive(x: Disjoint<f32>, count: Atomics<u32>) {
    ///     if x.get(thread::index_1d()).is_some_and(|&x| x > 0.0) {
    ///         count[0].fetch_add(1);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get(&self, index: Index1) -> Option<&T> {
        if index.get() < self.len {
            // SAFETY: in bounds, and this thread's own (see the type).
            Some(unsafe { self.pointer.add(index.get()).as_ref() })
        } else {
            None
        }
    }

    /// This thread's element at `index` for writing, or `None` past the end.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn increment(mut x: Disjoint<u32>) {
    ///     if let Some(x) = x.get_mut(thread::index_1d()) {
    ///         *x += 1; // threads past the end do nothing
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get_mut(&mut self, index: Index1) -> Option<&mut T> {
        if index.get() < self.len {
            // SAFETY: in bounds, this thread's own (see the type), and borrowed with the view.
            Some(unsafe { self.pointer.add(index.get()).as_mut() })
        } else {
            None
        }
    }

    /// The first element, for pointer arithmetic; using it is unsafe.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// `i` is below the length, and no other thread uses element `i`.
    /// unsafe fn clear(mut x: Disjoint<f32>, i: usize) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { x.as_mut_ptr().add(i).write(0.0) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer.as_ptr()
    }
}

impl<T, I: ThreadIndex<1>> Index<I> for Disjoint<'_, T> {
    type Output = T;

    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        let [index] = index.place();
        super::check_bounds(index, self.len);
        // SAFETY: in bounds, and this thread's own (see the type).
        unsafe { self.pointer.add(index).as_ref() }
    }
}

impl<T, I: ThreadIndex<1>> IndexMut<I> for Disjoint<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        let [index] = index.place();
        super::check_bounds(index, self.len);
        // SAFETY: in bounds, this thread's own (see the type), and borrowed with the view.
        unsafe { self.pointer.add(index).as_mut() }
    }
}

impl<T> fmt::Debug for Disjoint<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Disjoint({:p}, {})", self.pointer, self.len)
    }
}
