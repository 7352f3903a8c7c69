//! The numbers that identify the driver's objects.

use crate::settings::{MAX_DEVICES, settings};

/// An opaque handle of the driver: a number, never a pointer.
pub(super) type Handle = usize;

/// The handle of device 0's primary context; the others follow.
const PRIMARY: Handle = 0x1000;
/// Distance of handles.
pub(super) const STRIDE: Handle = 16;
/// The first handle that is not a context's.
pub(super) const FIRST: Handle = PRIMARY + (MAX_DEVICES + 1) * STRIDE;

/// The primary context of a device.
pub(super) fn context_of(device: usize) -> Handle {
    PRIMARY + device * STRIDE
}

/// The device of a primary context.
pub(super) fn device_of(context: Handle) -> Option<usize> {
    (0..settings().devices).find(|&device| context_of(device) == context)
}
