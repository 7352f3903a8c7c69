//! A buffer of atomics.

use super::number::Atomic;
use super::types::AtomicValue;
use crate::view::non_null;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;

/// A buffer whose elements every thread may change by atomic operations, which makes sharing safe.
///
/// It is a slice of [`Atomic`]s: `histogram[i].fetch_add(1)` checks the bounds and adds. The host
/// passes `&mut DeviceBuffer<T>` for it. (PTX
/// [`atom`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).)
///
/// ```
/// use ptyx_device::Atomics;
/// fn count(values: &[u8], histogram: Atomics<u32>) {
///     for &value in values {
///         histogram[usize::from(value)].fetch_add(1);
///     }
/// }
/// ```
#[repr(C)]
pub struct Atomics<'a, T: AtomicValue> {
    pointer: NonNull<T>,
    len: usize,
    borrow: PhantomData<&'a [Atomic<T>]>,
}

impl<T: AtomicValue> Clone for Atomics<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: AtomicValue> Copy for Atomics<'_, T> {}

impl<T: AtomicValue> Atomics<'_, T> {
    /// The first element.
    ///
    /// ```
    /// use ptyx::device::Atomics;
    ///
    /// /// Reads an element without an atomic instruction.
    /// ///
    /// /// # Safety
    /// /// No thread changes it meanwhile.
    /// unsafe fn settled(counts: Atomics<u32>, i: usize) -> u32 {
    ///     assert!(i < counts.len());
    ///     // SAFETY: in bounds; the caller's promise.
    ///     unsafe { counts.as_mut_ptr().add(i).read() }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut T {
        self.pointer.as_ptr()
    }
}

impl<'a, T: AtomicValue> Atomics<'a, T> {
    /// The view that a launch passes.
    ///
    /// # Safety
    /// `pointer` must be valid for atomic access to `len` elements for `'a`, and nothing may access
    /// them otherwise meanwhile. (On the host, constructing and passing it is always right.)
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, len: usize) -> Self {
        Self { pointer: non_null(pointer), len, borrow: PhantomData }
    }

    /// The elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn count(values: &[u8], counts: Atomics<u32>) {
    ///     let (low, high) = counts.as_slice().split_at(128);
    ///     for i in thread::grid_stride(values.len()) {
    ///         let value = usize::from(values[i.get()]);
    ///         if value < 128 { &low[value] } else { &high[value - 128] }.fetch_add(1);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_slice(self) -> &'a [Atomic<T>] {
        // SAFETY: valid for `'a`, and `Atomic<T>` has the layout of `T`.
        unsafe { &*core::ptr::slice_from_raw_parts(self.pointer.as_ptr().cast(), self.len) }
    }
}

impl<T: AtomicValue> Deref for Atomics<'_, T> {
    type Target = [Atomic<T>];

    #[inline(always)]
    fn deref(&self) -> &[Atomic<T>] {
        self.as_slice()
    }
}

impl<T: AtomicValue> fmt::Debug for Atomics<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Atomics({:p}, {})", self.pointer, self.len)
    }
}
