//! What one instruction does to several adjacent numbers.

use super::number::Atomic;
#[cfg(ptyx_device)]
use super::order::How;
use super::order::{Order, Scope, orders::Relaxed, scopes::Gpu};
use super::types::AtomicNumber;
#[cfg(ptyx_device)]
use super::types::sealed::Operation;

/// Does it to all numbers by one instruction, where there is one: `false` if not, and then to none.
#[cfg(ptyx_device)]
#[inline(always)]
fn change_at_once<H: How, T: AtomicNumber, const N: usize>(
    operation: Operation,
    numbers: &[Atomic<T>; N],
    values: &mut [T; N],
) -> bool {
    if !T::has_vectors(operation, N) || !crate::arch_at_least!(90) {
        return false;
    }
    let place = numbers.as_ptr().cast_mut().cast::<T>();
    let is_aligned = place.addr().is_multiple_of(const { size_of::<[T; N]>() });
    if !is_aligned || !crate::global::is_global(place) {
        return false;
    }
    // SAFETY: as many live atomics as values, in global memory, aligned.
    unsafe { T::change_vector::<H>(operation, place, values.as_mut_ptr(), N) };
    true
}

/// Adds to each of several adjacent numbers and returns the previous values.
///
/// Each addition is atomic, relaxed and of device scope, like [`Atomic::fetch_add`], but the additions together
/// are not atomic. From `sm_90` on, one instruction adds to 2 or 4 `f32`, `F16x2` or `Bf16x2`, or to 2, 4 or 8
/// `f16` or `bf16`, if they are in global memory and aligned to their total size. Otherwise the numbers are added
/// one by one, which costs an additional test of the address.
///
/// PTX [`atom.add.v4.f32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) and similar; `red` if the result is not used.
///
/// ```
/// use ptyx::device::atomic::fetch_add_each;
/// use ptyx::prelude::*;
///
/// /// Adds each row to the row of sums with its index; several indices may be equal.
/// #[kernel]
/// fn scatter_add(rows: &[[f32; 4]], indices: &[u32], sums: Atomics<f32>) {
///     let (sums, _) = sums.as_slice().as_chunks();
///     for i in thread::grid_stride(rows.len()) {
///         fetch_add_each(&sums[indices[i.get()] as usize], rows[i.get()]);
///     }
/// }
/// # let sums = [0.0f32, 1.0, 2.0, 3.0].map(Atomic::new);
/// # assert_eq!(fetch_add_each(&sums, [1.5; 4]), [0.0, 1.0, 2.0, 3.0]);
/// # assert_eq!(sums.map(|sum| sum.load()), [1.5, 2.5, 3.5, 4.5]);
/// ```
#[doc(alias = "atomicAdd")]
#[inline(always)]
pub fn fetch_add_each<T: AtomicNumber, const N: usize>(
    numbers: &[Atomic<T>; N],
    values: [T; N],
) -> [T; N] {
    fetch_add_each_with(numbers, values, Relaxed, Gpu)
}

/// [`fetch_add_each`] with another order and scope, which each of the additions has.
///
/// ```
/// use ptyx::device::atomic::{Atomic, fetch_add_each_with, orders::Relaxed, scopes::Block};
///
/// /// Adds to sums that only this block's threads use.
/// fn add(sums: &[Atomic<f32>; 4], values: [f32; 4]) {
///     fetch_add_each_with(sums, values, Relaxed, Block);
/// }
/// # let sums = [0.0f32, 1.0, 2.0, 3.0].map(Atomic::new);
/// # add(&sums, [1.5; 4]);
/// # assert_eq!(sums.map(|sum| sum.load()), [1.5, 2.5, 3.5, 4.5]);
/// ```
#[inline(always)]
pub fn fetch_add_each_with<T: AtomicNumber, const N: usize, O: Order, S: Scope>(
    numbers: &[Atomic<T>; N],
    values: [T; N],
    order: O,
    scope: S,
) -> [T; N] {
    let mut results = values;
    #[cfg(ptyx_device)]
    if change_at_once::<(O, S), T, N>(Operation::Add, numbers, &mut results) {
        return results;
    }
    let mut i = 0;
    while i < N {
        results[i] = numbers[i].with(order, scope).fetch_add(values[i]);
        i += 1;
    }
    results
}

/// Functions for minimum and maximum: name, operation, method, documentation.
macro_rules! extremes {
    ($($(#[$attribute:meta])* fn $name:ident, $with:ident = $operation:ident $method:ident;)*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        pub fn $name<T: AtomicNumber, const N: usize>(
            numbers: &[Atomic<T>; N],
            values: [T; N],
        ) -> [T; N] {
            $with(numbers, values, Relaxed, Gpu)
        }

        #[doc = concat!("[`", stringify!($name), "`] with another order and scope, which each of the operations has.")]
        ///
        /// ```
        #[doc = concat!("use ptyx::device::atomic::{Atomic, ", stringify!($with), ", orders::Relaxed, scopes::System};")]
        ///
        /// /// Changes numbers that the host reads while the kernel runs.
        /// fn change(numbers: &[Atomic<f32>; 2], values: [f32; 2]) -> [f32; 2] {
        #[doc = concat!("    ", stringify!($with), "(numbers, values, Relaxed, System)")]
        /// }
        /// # assert_eq!(change(&[1.0, 2.0].map(Atomic::new), [1.5; 2]), [1.0, 2.0]);
        /// ```
        #[inline(always)]
        pub fn $with<T: AtomicNumber, const N: usize, O: Order, S: Scope>(
            numbers: &[Atomic<T>; N],
            values: [T; N],
            order: O,
            scope: S,
        ) -> [T; N] {
            let mut results = values;
            #[cfg(ptyx_device)]
            if !values.iter().any(|value| value.is_special(*value))
                && change_at_once::<(O, S), T, N>(Operation::$operation, numbers, &mut results)
            {
                // Where the instruction may have done something else, this does what is left.
                let mut i = 0;
                while i < N {
                    if results[i].is_special(values[i]) {
                        numbers[i].with(order, scope).$method(values[i]);
                    }
                    i += 1;
                }
                return results;
            }
            let mut i = 0;
            while i < N {
                results[i] = numbers[i].with(order, scope).$method(values[i]);
                i += 1;
            }
            results
        }
    )*};
}

extremes! {
    /// Sets each of several adjacent numbers to the lesser of it and another and returns the previous values.
    ///
    /// Each minimum is atomic, relaxed and of device scope, and compares floats like [`Atomic::fetch_min`], but the
    /// minima together are not atomic. From `sm_90` on, one instruction changes 2, 4 or 8 `f16` or `bf16`, or 2 or 4
    /// `F16x2` or `Bf16x2`, if they are in global memory and aligned to their total size and no value is NaN.
    /// Otherwise the numbers are changed one by one.
    ///
    /// PTX [`atom.min.noftz.v4.f16`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) and similar.
    ///
    /// ```
    /// use ptyx::device::atomic::fetch_min_each;
    /// use ptyx::prelude::*;
    ///
    /// /// The least values of each column.
    /// #[kernel]
    /// fn column_minima(rows: &[[f32; 4]], least: Atomics<f32>) {
    ///     let (least, _) = least.as_slice().as_chunks();
    ///     for i in thread::grid_stride(rows.len()) {
    ///         fetch_min_each(&least[0], rows[i.get()]);
    ///     }
    /// }
    /// # let least = [0.0f32, 1.0, 2.0, 3.0].map(Atomic::new);
    /// # assert_eq!(fetch_min_each(&least, [1.5; 4]), [0.0, 1.0, 2.0, 3.0]);
    /// # assert_eq!(least.map(|least| least.load()), [0.0, 1.0, 1.5, 1.5]);
    /// ```
    #[doc(alias = "atomicMin")]
    fn fetch_min_each, fetch_min_each_with = Min fetch_min;

    /// Sets each of several adjacent numbers to the greater of it and another and returns the previous values.
    ///
    /// Each maximum is atomic, relaxed and of device scope, and compares floats like [`Atomic::fetch_max`], but the
    /// maxima together are not atomic. From `sm_90` on, one instruction changes 2, 4 or 8 `f16` or `bf16`, or 2 or 4
    /// `F16x2` or `Bf16x2`, if they are in global memory and aligned to their total size and no value is NaN.
    /// Otherwise the numbers are changed one by one.
    ///
    /// PTX [`atom.max.noftz.v4.f16`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) and similar.
    ///
    /// ```
    /// use ptyx::device::atomic::fetch_max_each;
    /// use ptyx::prelude::*;
    ///
    /// /// The greatest values of each column.
    /// #[kernel]
    /// fn column_maxima(rows: &[[f32; 4]], greatest: Atomics<f32>) {
    ///     let (greatest, _) = greatest.as_slice().as_chunks();
    ///     for i in thread::grid_stride(rows.len()) {
    ///         fetch_max_each(&greatest[0], rows[i.get()]);
    ///     }
    /// }
    /// # let greatest = [0.0f32, 1.0, 2.0, 3.0].map(Atomic::new);
    /// # assert_eq!(fetch_max_each(&greatest, [1.5; 4]), [0.0, 1.0, 2.0, 3.0]);
    /// # assert_eq!(greatest.map(|greatest| greatest.load()), [1.5, 1.5, 2.0, 3.0]);
    /// ```
    #[doc(alias = "atomicMax")]
    fn fetch_max_each, fetch_max_each_with = Max fetch_max;
}
