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
