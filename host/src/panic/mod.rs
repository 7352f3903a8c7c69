//! Kernels that panic: where they report ([`page`]), and what their report says ([`message`],
//! whose values [`value`] formats).

#[cfg(not(ptyx_device))]
mod message;
mod page;
#[cfg(not(ptyx_device))]
mod value;

pub(crate) use page::{PanicPage, register_kernel};

/// Nothing of the host runs in the device pass, which does without the image's types.
#[cfg(ptyx_device)]
mod message {
    pub(super) fn text(_: &[u64], _: bool) -> String {
        String::new()
    }
}
