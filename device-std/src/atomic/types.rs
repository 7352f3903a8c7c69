//! The types of atomics, and the operations of each.

use crate::device_copy::DeviceCopy;

/// A value that can be loaded, stored, exchanged, and compared and exchanged, each in one indivisible step.
///
/// These are the [`AtomicNumber`]s, `bool`, pointers and, from `sm_90` on, `u128` and `i128`.
///
/// ```
/// use ptyx::device::atomic::AtomicValue;
/// use ptyx::prelude::*;
///
/// /// The first thread to arrive stores its value.
/// fn claim<T: AtomicValue>(place: &Atomic<T>, empty: T, value: T) -> bool {
///     place.compare_exchange(empty, value).is_ok()
/// }
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "there are no atomic operations on `{Self}`",
    label = "not an atomic type",
    note = "`T` of `Atomics<T>` and `Atomic<T>` is an integer, `bool`, a pointer, `f32`, `f64` or, with the feature `half`, `f16`, `bf16`, `F16x2` or `Bf16x2`",
    note = "store other values in an integer of the same size, by `to_bits` or several packed with `fetch_or`, `fetch_and` and `fetch_update`"
)]
pub unsafe trait AtomicValue: DeviceCopy + sealed::Value {}

/// A number with atomic operations: an integer of 8 to 64 bits, `f32`, `f64` or, with the feature `half`, `f16`,
/// `bf16` or a pair of these.
///
/// ```
/// use ptyx::device::atomic::AtomicNumber;
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn sum<T: AtomicNumber>(values: &[T], total: Atomics<T>) {
///     for i in thread::grid_stride(values.len()) {
///         total[0].fetch_add(values[i.get()]);
///     }
/// }
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "the device has no atomic arithmetic on `{Self}`",
    label = "not an atomic number type",
    note = "integers of 8 to 64 bits, `f32` and `f64` have it, and with the feature `half` also `f16`, `bf16`, `F16x2` and `Bf16x2`"
)]
pub unsafe trait AtomicNumber: AtomicValue + PartialEq + sealed::Number {}

/// Bits that are changed by atomic operations: an integer of 8 to 64 bits, or a `bool`.
///
/// ```
/// use ptyx::device::atomic::AtomicBits;
/// use ptyx::prelude::*;
///
/// /// Whether this thread is the first one to set the bits.
/// fn is_first<T: AtomicBits + PartialEq>(flag: &Atomic<T>, empty: T, bits: T) -> bool {
///     flag.fetch_or(bits) == empty
/// }
/// # let flag = Atomic::new(false);
/// # assert_eq!([(); 2].map(|()| is_first(&flag, false, true)), [true, false]);
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "there are no atomic operations on the bits of `{Self}`",
    label = "not an integer of 8 to 64 bits or `bool`"
)]
pub unsafe trait AtomicBits: AtomicValue + sealed::Bits {}

/// An integer with atomic operations: of 8, 16, 32 or 64 bits, signed or not.
///
/// ```
/// use ptyx::device::atomic::AtomicInteger;
/// use ptyx::prelude::*;
///
/// /// The bits that any of the values has.
/// #[kernel]
/// fn union<T: AtomicInteger>(values: &[T], result: Atomics<T>) {
///     for i in thread::grid_stride(values.len()) {
///         result[0].fetch_or(values[i.get()]);
///     }
/// }
/// ```
///
/// # Safety
/// Implemented here only.
pub unsafe trait AtomicInteger: AtomicNumber + AtomicBits {}

/// An unsigned integer that counts up to a limit, or down from it, and starts again: of 8, 16, 32 or 64 bits.
///
/// ```
/// use ptyx::device::atomic::AtomicCount;
/// use ptyx::prelude::*;
///
/// /// The next slot of a ring, whose last one has the number `last`.
/// fn next<T: AtomicCount>(slot: &Atomic<T>, last: T) -> T {
///     slot.fetch_inc(last)
/// }
/// # let slot = Atomic::new(0u64);
/// # assert_eq!([(); 4].map(|()| next(&slot, 2)), [0, 1, 2, 0]);
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "there are no atomic counters of `{Self}`",
    label = "not an unsigned integer of 8 to 64 bits"
)]
pub unsafe trait AtomicCount: AtomicInteger + sealed::Count {}

pub(super) mod sealed {
    use crate::atomic::order::How;

    /// Each operation takes a pointer valid for atomic access and returns the value from before; `H` is its
    /// order and scope.
    #[allow(clippy::missing_safety_doc)]
    pub trait Value: Sized {
        unsafe fn load<H: How>(this: *mut Self) -> Self;
        unsafe fn store<H: How>(this: *mut Self, value: Self);
        unsafe fn swap<H: How>(this: *mut Self, value: Self) -> Self;
        unsafe fn compare_exchange<H: How>(this: *mut Self, current: Self, new: Self) -> Self;
        fn same_bits(self, other: Self) -> bool;
    }

    /// What an instruction does to several neighbours.
    #[cfg(ptyx_device)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Operation {
        Add,
        Min,
        Max,
    }

    /// As [`Value`], for arithmetic.
    #[allow(clippy::missing_safety_doc)]
    pub trait Number: Value {
        unsafe fn add<H: How>(this: *mut Self, value: Self) -> Self;
        unsafe fn min<H: How>(this: *mut Self, value: Self) -> Self;
        unsafe fn max<H: How>(this: *mut Self, value: Self) -> Self;
        /// Adding it is subtracting `self`.
        fn negated(self) -> Self;

        /// Whether the instructions for several neighbours may not do to these numbers what [`min`](Self::min) and
        /// [`max`](Self::max) do: one is NaN, or both are zeros of different signs.
        #[cfg(ptyx_device)]
        #[inline(always)]
        fn is_special(self, _other: Self) -> bool {
            false
        }

        /// Whether `sm_90` has an instruction that does it to as many neighbours in global memory.
        #[cfg(ptyx_device)]
        #[inline(always)]
        fn has_vectors(_operation: Operation, _count: usize) -> bool {
            false
        }

        /// Does it to so many neighbours, at a multiple of their size, and puts what was there in place of the
        /// values. Only called if `has_vectors` says so.
        #[cfg(ptyx_device)]
        #[inline(always)]
        unsafe fn change_vector<H: How>(
            _operation: Operation,
            _this: *mut Self,
            _values: *mut Self,
            _count: usize,
        ) {
        }
    }

    /// As [`Value`], for what is bits.
    #[allow(clippy::missing_safety_doc)]
    pub trait Bits: Value {
        unsafe fn and<H: How>(this: *mut Self, value: Self) -> Self;
        unsafe fn or<H: How>(this: *mut Self, value: Self) -> Self;
        unsafe fn xor<H: How>(this: *mut Self, value: Self) -> Self;
    }

    /// As [`Value`], for counters.
    #[allow(clippy::missing_safety_doc)]
    pub trait Count: Value {
        unsafe fn inc<H: How>(this: *mut Self, limit: Self) -> Self;
        unsafe fn dec<H: How>(this: *mut Self, limit: Self) -> Self;
    }
}
