//! The types of atomic numbers, and what the hardware does to each.

use crate::device_copy::DeviceCopy;

/// A number that the hardware changes atomically: `u32`, `i32`, `u64`, `i64`, `usize`, `f32`, `f64`.
///
/// The methods are the operations of [`Atomic`](super::Atomic), on pointers.
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
    message = "the hardware has no atomic operations on `{Self}`",
    label = "not an atomic number type",
    note = "`T` of `Atomics<T>` and `Atomic<T>` is `u32`, `i32`, `u64`, `i64`, `usize`, `f32` or `f64`",
    note = "store smaller values in a `u32`: one in each, or several packed with `fetch_or`, `fetch_and` and `fetch_update`"
)]
pub unsafe trait AtomicNumber: DeviceCopy + PartialEq + sealed::Number {}

/// An integer that the hardware changes atomically: `u32`, `i32`, `u64`, `i64`, `usize`.
///
/// ```
/// use ptyx::device::atomic::AtomicInteger;
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn greatest<T: AtomicInteger>(values: &[T], result: Atomics<T>) {
///     for i in thread::grid_stride(values.len()) {
///         result[0].fetch_max(values[i.get()]);
///     }
/// }
/// ```
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
