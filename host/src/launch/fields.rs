//! What the expansion of `derive(KernelArg)` calls: each field of a struct is an argument of its own.
#![doc(hidden)]

use super::args::{ArgContext, KernelArg};
use super::unpack::Unpack;
use crate::error::Result;
use core::mem::MaybeUninit;
use ptyx_device::layout_hash;

/// Lowers a field of the host's struct to its place in the kernel's.
///
/// # Safety
/// `to` must be valid for writes.
///
/// # Errors
/// Those of [`KernelArg::lower`].
#[inline]
pub unsafe fn lower_field<D, H: KernelArg<D>>(
    to: *mut D,
    from: H,
    cx: &mut ArgContext<'_>,
) -> Result<()> {
    let field = from.lower(cx)?;
    // SAFETY: the caller's promise; only the field's bytes are written.
    unsafe { to.cast::<MaybeUninit<D>>().write(field) };
    Ok(())
}

/// Combines `hash` with the fingerprint of a field's argument. The functions are never called; they give the
/// field's types in the kernel's struct and in the host's.
pub const fn field_fingerprint<T, D, F, H: KernelArg<D>>(
    hash: u64,
    _: &impl Fn(*const T) -> *const D,
    _: &impl Fn(F) -> H,
) -> u64 {
    layout_hash(hash, <H::Unpack as Unpack<D>>::FINGERPRINT)
}

/// Reads a field of the kernel's struct. The function is never called; it gives the type that the host
/// passed.
///
/// # Safety
/// `from` must point to what [`lower_field`] wrote for the launch that this thread belongs to.
#[inline(always)]
pub unsafe fn unpack_field<D, F, H: KernelArg<D>>(_: impl FnOnce(F) -> H, from: *const D) -> D {
    // SAFETY: the caller's promise.
    unsafe { <H::Unpack as Unpack<D>>::unpack(from) }
}
