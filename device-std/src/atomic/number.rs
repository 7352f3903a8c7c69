//! One atomic number, and what can be done to it.

use super::ops;
use super::types::{AtomicInteger, AtomicNumber};
use core::cell::UnsafeCell;
use core::fmt;

/// A number in device or shared memory that threads change by atomic steps.
///
/// A kernel gets them from [`Atomics`](crate::Atomics) or
/// [`Shared::atomics`](crate::shared::Shared::atomics).
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: all access through a shared reference is atomic.
unsafe impl<T: AtomicNumber> Sync for Atomic<T> {}

impl<T: AtomicNumber> Atomic<T> {
    /// A number of its own, for the host's tests.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The number as a pointer.
    #[inline(always)]
    pub const fn as_ptr(&self) -> *mut T {
        self.0.get()
    }

    /// The value now.
    #[inline(always)]
    pub fn load(&self) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::load(self.as_ptr()) }
    }

    /// Sets the value.
    #[inline(always)]
    pub fn store(&self, value: T) {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::store(self.as_ptr(), value) }
    }

    /// Sets the value and returns the one before.
    #[doc(alias = "atomicExch")]
    #[inline(always)]
    pub fn swap(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::swap(self.as_ptr(), value) }
    }

    /// Sets the value to `new` if it is `current`, bit for bit; returns the value before, as `Ok` if
    /// it was set.
    ///
    /// # Errors
    /// The value, where it was another.
    #[doc(alias = "atomicCAS")]
    #[inline(always)]
    pub fn compare_exchange(&self, current: T, new: T) -> Result<T, T> {
        // SAFETY: the pointer of a live atomic.
        let before = unsafe { T::compare_exchange(self.as_ptr(), current, new) };
        if before.same_bits(current) { Ok(before) } else { Err(before) }
    }

    /// Adds, wrapping in integers, and returns the value before.
    #[doc(alias = "atomicAdd")]
    #[inline(always)]
    pub fn fetch_add(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::add(self.as_ptr(), value) }
    }

    /// Subtracts, wrapping in integers, and returns the value before.
    #[doc(alias = "atomicSub")]
    #[inline(always)]
    pub fn fetch_sub(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::sub(self.as_ptr(), value) }
    }

    /// Sets the value to what `change` makes of it, trying again where another thread was faster;
    /// returns the value before.
    #[inline(always)]
    pub fn fetch_update(&self, mut change: impl FnMut(T) -> T) -> T {
        let mut current = self.load();
        loop {
            match self.compare_exchange(current, change(current)) {
                Ok(before) => return before,
                Err(other) => current = other,
            }
        }
    }
}

impl<T: AtomicInteger> Atomic<T> {
    /// Sets the value to its bitwise AND with another and returns the one before.
    #[doc(alias = "atomicAnd")]
    #[inline(always)]
    pub fn fetch_and(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::and(self.as_ptr(), value) }
    }

    /// Sets the value to its bitwise OR with another and returns the one before.
    #[doc(alias = "atomicOr")]
    #[inline(always)]
    pub fn fetch_or(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::or(self.as_ptr(), value) }
    }

    /// Sets the value to its bitwise exclusive OR with another and returns the one before.
    #[doc(alias = "atomicXor")]
    #[inline(always)]
    pub fn fetch_xor(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::xor(self.as_ptr(), value) }
    }

    /// Sets the value to the lesser of it and another and returns the one before.
    #[doc(alias = "atomicMin")]
    #[inline(always)]
    pub fn fetch_min(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::min(self.as_ptr(), value) }
    }

    /// Sets the value to the greater of it and another and returns the one before.
    #[doc(alias = "atomicMax")]
    #[inline(always)]
    pub fn fetch_max(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::max(self.as_ptr(), value) }
    }
}

impl Atomic<u32> {
    /// Counts up to `limit`, then starts at 0 again: sets `if value >= limit { 0 } else { value + 1 }`
    /// and returns the value before.
    #[doc(alias = "atomicInc")]
    #[inline(always)]
    pub fn fetch_inc(&self, limit: u32) -> u32 {
        // SAFETY: the pointer of a live atomic.
        unsafe { ops::inc(self.as_ptr(), limit) }
    }

    /// Counts down to 0, then starts at `limit` again: sets `if value == 0 || value > limit { limit }
    /// else { value - 1 }` and returns the value before.
    #[doc(alias = "atomicDec")]
    #[inline(always)]
    pub fn fetch_dec(&self, limit: u32) -> u32 {
        // SAFETY: the pointer of a live atomic.
        unsafe { ops::dec(self.as_ptr(), limit) }
    }
}

impl<T: AtomicNumber + fmt::Debug> fmt::Debug for Atomic<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(formatter)
    }
}
