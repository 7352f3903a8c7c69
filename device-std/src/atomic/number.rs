//! One atomic number, and what can be done to it.

use crate::DeviceCopy;
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

/// A number that the hardware changes atomically: `u32`, `i32`, `u64`, `i64`, `usize`, `f32`, `f64`.
///
/// The methods are the operations of [`Atomic`], on pointers.
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "the hardware has no atomic operations on `{Self}`",
    label = "not an atomic number type",
    note = "`T` of `Atomics<T>` and `Atomic<T>` is `u32`, `i32`, `u64`, `i64`, `usize`, `f32` or `f64`",
    note = "store smaller values in a `u32`: one in each, or several packed with `fetch_or`, `fetch_and` and `fetch_update`"
)]
pub unsafe trait AtomicNumber: DeviceCopy + PartialEq + sealed::Number {}

/// An integer that the hardware changes atomically: `u32`, `i32`, `u64`, `i64`, `usize`.
///
/// # Safety
/// Implemented here only.
pub unsafe trait AtomicInteger: AtomicNumber + sealed::Integer {}

pub(super) mod sealed {
    /// Each operation takes a pointer valid for atomic access and returns the value from before.
    #[allow(clippy::missing_safety_doc)]
    pub trait Number: Sized {
        unsafe fn load(this: *mut Self) -> Self;
        unsafe fn store(this: *mut Self, value: Self);
        unsafe fn swap(this: *mut Self, value: Self) -> Self;
        unsafe fn compare_exchange(this: *mut Self, current: Self, new: Self) -> Self;
        unsafe fn add(this: *mut Self, value: Self) -> Self;
        unsafe fn sub(this: *mut Self, value: Self) -> Self;
        fn same_bits(self, other: Self) -> bool;
    }

    /// As [`Number`], for what only integers have.
    #[allow(clippy::missing_safety_doc)]
    pub trait Integer: Number {
        unsafe fn and(this: *mut Self, value: Self) -> Self;
        unsafe fn or(this: *mut Self, value: Self) -> Self;
        unsafe fn xor(this: *mut Self, value: Self) -> Self;
        unsafe fn min(this: *mut Self, value: Self) -> Self;
        unsafe fn max(this: *mut Self, value: Self) -> Self;
    }
}

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
        unsafe { super::ops::inc(self.as_ptr(), limit) }
    }

    /// Counts down to 0, then starts at `limit` again: sets `if value == 0 || value > limit { limit }
    /// else { value - 1 }` and returns the value before.
    #[doc(alias = "atomicDec")]
    #[inline(always)]
    pub fn fetch_dec(&self, limit: u32) -> u32 {
        // SAFETY: the pointer of a live atomic.
        unsafe { super::ops::dec(self.as_ptr(), limit) }
    }
}

impl<T: AtomicNumber + fmt::Debug> fmt::Debug for Atomic<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(formatter)
    }
}
