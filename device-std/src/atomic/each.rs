//! Additions to several adjacent numbers in one instruction.

use super::number::Atomic;
use super::types::AtomicNumber;

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
    #[cfg(ptyx_device)]
    if T::has_vectors(N) && crate::arch_at_least!(90) {
        let place = numbers.as_ptr().cast_mut().cast::<T>();
        let is_aligned = place.addr().is_multiple_of(const { size_of::<[T; N]>() });
        if is_aligned && crate::global::is_global(place) {
            let mut results = values;
            // SAFETY: as many live atomics as values, in global memory, aligned.
            unsafe { T::add_vector(place, results.as_mut_ptr(), N) };
            return results;
        }
    }
    let mut results = values;
    let mut i = 0;
    while i < N {
        results[i] = numbers[i].fetch_add(values[i]);
        i += 1;
    }
    results
}
