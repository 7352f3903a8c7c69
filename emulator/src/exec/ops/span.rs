//! Reading and writing elements of a span of memory: atomically where other host threads may reach it.

use crate::exec::context::Lane;
use crate::memory::Span;
use crate::memory::relaxed::Element;

/// Where byte `address` of a span is.
#[inline(always)]
pub(super) fn place(span: &Span, address: u64) -> *mut u8 {
    span.data.wrapping_sub(span.base as usize).wrapping_add(address as usize)
}

/// Reads one element of a span.
///
/// # Safety
/// The element lies in the span, at a multiple of its size.
#[inline(always)]
pub(super) unsafe fn read<T: Lane + Element>(span: &Span, address: u64) -> T {
    let at = place(span, address);
    // SAFETY: promised by the caller. What other host threads reach is only accessed atomically; what
    // they don't reach need not be aligned on the host as it is on the device.
    unsafe { if span.private { at.cast::<T>().read_unaligned() } else { T::read(at) } }
}

/// Writes one element of a span.
///
/// # Safety
/// As [`read`], and the span is writable.
#[inline(always)]
pub(super) unsafe fn write<T: Lane + Element>(span: &Span, address: u64, value: T) {
    let at = place(span, address);
    // SAFETY: as in `read`.
    unsafe { if span.private { at.cast::<T>().write_unaligned(value) } else { value.write(at) } }
}

/// Reads 32 elements that lie side by side into a register, or anything as large.
///
/// # Safety
/// The elements lie in the span, the first at a multiple of their size; `to` is valid for writes.
#[inline(always)]
pub(super) unsafe fn read_row<T: Lane + Element>(span: &Span, address: u64, to: *mut [T; 32]) {
    let from = place(span, address);
    // SAFETY: as in `read`.
    unsafe {
        if span.private {
            to.write(from.cast::<[T; 32]>().read_unaligned());
            return;
        }
        for lane in 0..32 {
            to.cast::<T>().add(lane).write(T::read(from.wrapping_add(lane * size_of::<T>())));
        }
    }
}

/// Writes 32 elements side by side.
///
/// # Safety
/// As [`read_row`], and the span is writable.
#[inline(always)]
pub(super) unsafe fn write_row<T: Lane + Element>(span: &Span, address: u64, values: &[T; 32]) {
    let to = place(span, address);
    // SAFETY: as in `read`.
    unsafe {
        if span.private {
            to.cast::<[T; 32]>().write_unaligned(*values);
            return;
        }
        for (lane, value) in values.iter().enumerate() {
            value.write(to.wrapping_add(lane * size_of::<T>()));
        }
    }
}
