//! What a device static can hold.

use crate::DeviceCopy;
use crate::atomic::{Atomic, AtomicValue};

/// A type that a `ptyx::Global` can hold: any [`DeviceCopy`] type, and [`Atomic`]s and arrays of them.
///
/// ```
/// use ptyx::Global;
/// use ptyx::prelude::*;
///
/// #[device_static]
/// static HITS: Global<[Atomic<u32>; 64]> = Global::zeroed();
///
/// /// Counts what falls into each of 64 parts.
/// #[kernel]
/// fn count(values: &[f32]) {
///     for i in thread::grid_stride(values.len()) {
///         HITS[(values[i.get()] * 64.0) as usize % 64].fetch_add(1);
///     }
/// }
///
/// /// The type on the host is that of the numbers.
/// fn most_hit() -> ptyx::Result<u32> {
///     let hits: [u32; 64] = HITS.get()?;
///     Ok(hits.into_iter().max().unwrap_or(0))
/// }
/// ```
///
/// # Safety
/// `Value` has the same layout, and its values are the values of the type.
#[diagnostic::on_unimplemented(
    message = "a `Global` can't hold `{Self}`",
    label = "neither `DeviceCopy` nor made of `Atomic`s",
    note = "a `Global` holds numbers, structs with `#[derive(Clone, Copy, DeviceCopy)]`, arrays of these, `Atomic<T>`, `[Atomic<T>; N]` and `[[Atomic<T>; N]; M]`"
)]
pub unsafe trait GlobalValue: 'static {
    /// The same value on the host.
    type Value: DeviceCopy;
}

// SAFETY: the same type.
unsafe impl<T: DeviceCopy> GlobalValue for T {
    type Value = T;
}

// SAFETY: an atomic is transparent.
unsafe impl<T: AtomicValue> GlobalValue for Atomic<T> {
    type Value = T;
}

// SAFETY: as above, element by element.
unsafe impl<T: AtomicValue, const N: usize> GlobalValue for [Atomic<T>; N] {
    type Value = [T; N];
}

// SAFETY: as above, element by element.
unsafe impl<T: AtomicValue, const N: usize, const M: usize> GlobalValue for [[Atomic<T>; N]; M] {
    type Value = [[T; N]; M];
}
