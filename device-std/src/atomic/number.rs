//! One atomic number, and what can be done to it.

use super::ops;
use super::types::{AtomicInteger, AtomicNumber};
use core::cell::UnsafeCell;
use core::fmt;

/// A number in device or shared memory that threads change by atomic operations.
///
/// A kernel gets them from [`Atomics`](crate::Atomics) or
/// [`Shared::atomics`](crate::shared::Shared::atomics).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn sum(values: &[u32], total: Atomics<u32>) {
///     let total: &Atomic<u32> = &total[0];
///     for i in thread::grid_stride(values.len()) {
///         total.fetch_add(values[i.get()]);
///     }
/// }
/// ```
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: all access through a shared reference is atomic.
unsafe impl<T: AtomicNumber> Sync for Atomic<T> {}

impl<T: AtomicNumber> Atomic<T> {
    /// A new number, for tests on the host.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let counter = Atomic::new(5u32);
    /// assert_eq!(counter.load(), 5);
    /// ```
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The number as a pointer.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let counter = Atomic::new(5u32);
    /// // SAFETY: no other thread uses the number.
    /// assert_eq!(unsafe { counter.as_ptr().read() }, 5);
    /// ```
    #[inline(always)]
    pub const fn as_ptr(&self) -> *mut T {
        self.0.get()
    }

    /// The current value.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// assert_eq!(Atomic::new(1.5f32).load(), 1.5);
    /// ```
    #[inline(always)]
    pub fn load(&self) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::load(self.as_ptr()) }
    }

    /// Sets the value.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flag = Atomic::new(0u32);
    /// flag.store(1);
    /// assert_eq!(flag.load(), 1);
    /// ```
    #[inline(always)]
    pub fn store(&self, value: T) {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::store(self.as_ptr(), value) }
    }

    /// Sets the value and returns the previous value.
    ///
    /// PTX [`atom.exch`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let owner = Atomic::new(0u32);
    /// assert_eq!(owner.swap(7), 0);
    /// assert_eq!(owner.load(), 7);
    /// ```
    #[doc(alias = "atomicExch")]
    #[inline(always)]
    pub fn swap(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::swap(self.as_ptr(), value) }
    }

    /// Sets the value to `new` if it is `current`, bit for bit; returns the previous value, as
    /// `Ok` if it was set.
    ///
    /// PTX [`atom.cas`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let owner = Atomic::new(0u32);
    /// assert_eq!(owner.compare_exchange(0, 7), Ok(0)); // it was free, and is 7 now
    /// assert_eq!(owner.compare_exchange(0, 9), Err(7)); // it is taken
    /// ```
    ///
    /// # Errors
    /// The value, if it was not `current`.
    #[doc(alias = "atomicCAS")]
    #[inline(always)]
    pub fn compare_exchange(&self, current: T, new: T) -> Result<T, T> {
        // SAFETY: the pointer of a live atomic.
        let before = unsafe { T::compare_exchange(self.as_ptr(), current, new) };
        if before.same_bits(current) { Ok(before) } else { Err(before) }
    }

    /// Adds, wrapping in integers, and returns the previous value.
    ///
    /// PTX [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let next = Atomic::new(0u32);
    /// assert_eq!(next.fetch_add(4), 0); // places 0 to 3 are this thread's
    /// assert_eq!(next.fetch_add(4), 4);
    /// ```
    #[doc(alias = "atomicAdd")]
    #[inline(always)]
    pub fn fetch_add(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::add(self.as_ptr(), value) }
    }

    /// Subtracts, wrapping in integers, and returns the previous value.
    ///
    /// PTX [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) of the negated value.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let left = Atomic::new(3i32);
    /// assert_eq!(left.fetch_sub(1), 3);
    /// assert_eq!(left.load(), 2);
    /// ```
    #[doc(alias = "atomicSub")]
    #[inline(always)]
    pub fn fetch_sub(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::sub(self.as_ptr(), value) }
    }

    /// Sets the value to what `change` makes of it, retrying if another thread changes it meanwhile;
    /// returns the previous value.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let product = Atomic::new(6.0f32);
    /// assert_eq!(product.fetch_update(|value| value * 1.5), 6.0);
    /// assert_eq!(product.load(), 9.0);
    /// ```
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
    /// Sets the value to its bitwise AND with another and returns the previous value.
    ///
    /// PTX [`atom.and`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b111u32);
    /// assert_eq!(flags.fetch_and(!0b010), 0b111); // clears a bit
    /// assert_eq!(flags.load(), 0b101);
    /// ```
    #[doc(alias = "atomicAnd")]
    #[inline(always)]
    pub fn fetch_and(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::and(self.as_ptr(), value) }
    }

    /// Sets the value to its bitwise OR with another and returns the previous value.
    ///
    /// PTX [`atom.or`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b100u32);
    /// assert_eq!(flags.fetch_or(0b001), 0b100); // sets a bit
    /// assert_eq!(flags.load(), 0b101);
    /// ```
    #[doc(alias = "atomicOr")]
    #[inline(always)]
    pub fn fetch_or(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::or(self.as_ptr(), value) }
    }

    /// Sets the value to its bitwise exclusive OR with another and returns the previous value.
    ///
    /// PTX [`atom.xor`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b100u32);
    /// assert_eq!(flags.fetch_xor(0b101), 0b100); // flips bits
    /// assert_eq!(flags.load(), 0b001);
    /// ```
    #[doc(alias = "atomicXor")]
    #[inline(always)]
    pub fn fetch_xor(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::xor(self.as_ptr(), value) }
    }

    /// Sets the value to the lesser of it and another and returns the previous value.
    ///
    /// PTX [`atom.min`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let least = Atomic::new(i32::MAX);
    /// for value in [3, -7, 5] {
    ///     least.fetch_min(value);
    /// }
    /// assert_eq!(least.load(), -7);
    /// ```
    #[doc(alias = "atomicMin")]
    #[inline(always)]
    pub fn fetch_min(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::min(self.as_ptr(), value) }
    }

    /// Sets the value to the greater of it and another and returns the previous value.
    ///
    /// PTX [`atom.max`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let greatest = Atomic::new(0u64);
    /// for value in [3, 7, 5] {
    ///     greatest.fetch_max(value);
    /// }
    /// assert_eq!(greatest.load(), 7);
    /// ```
    #[doc(alias = "atomicMax")]
    #[inline(always)]
    pub fn fetch_max(&self, value: T) -> T {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::max(self.as_ptr(), value) }
    }
}

impl Atomic<u32> {
    /// Counts up to `limit`, then starts at 0 again: sets `if value >= limit { 0 } else { value + 1 }`
    /// and returns the previous value.
    ///
    /// PTX [`atom.inc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let slot = Atomic::new(0);
    /// let taken: Vec<u32> = (0..5).map(|_| slot.fetch_inc(2)).collect();
    /// assert_eq!(taken, [0, 1, 2, 0, 1]);
    /// ```
    #[doc(alias = "atomicInc")]
    #[inline(always)]
    pub fn fetch_inc(&self, limit: u32) -> u32 {
        // SAFETY: the pointer of a live atomic.
        unsafe { ops::inc(self.as_ptr(), limit) }
    }

    /// Counts down to 0, then starts at `limit` again: sets `if value == 0 || value > limit { limit }
    /// else { value - 1 }` and returns the previous value.
    ///
    /// PTX [`atom.dec`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let slot = Atomic::new(1);
    /// let taken: Vec<u32> = (0..5).map(|_| slot.fetch_dec(2)).collect();
    /// assert_eq!(taken, [1, 0, 2, 1, 0]);
    /// ```
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
