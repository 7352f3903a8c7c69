//! Kernels that panic: where they report ([`page`]), and what their report says ([`describe`]), by the
//! parts of its message ([`message`]), whose values [`value`] formats.

#[cfg(not(ptyx_device))]
mod describe;
#[cfg(not(ptyx_device))]
mod message;
mod page;
#[cfg(not(ptyx_device))]
mod value;

#[cfg(not(ptyx_device))]
pub(crate) use describe::register;
pub(crate) use page::PanicPage;

/// Nothing of the host runs in the device pass, which does without the image's types.
#[cfg(ptyx_device)]
mod describe {
    pub(super) fn describe(_: &ptyx_device::panic::PanicRecord) -> Option<crate::KernelPanic> {
        None
    }
}
