//! Kernels that panic: where they report ([`slot`]), and what their report, or a printed line, says
//! ([`describe`]), by the parts of its message ([`message`]), whose values [`value`] formats.

#[cfg(not(ptyx_device))]
mod describe;
#[cfg(not(ptyx_device))]
mod message;
mod slot;
#[cfg(not(ptyx_device))]
mod value;

#[cfg(not(ptyx_device))]
pub(crate) use describe::{line, register};
pub(crate) use slot::{Place, Slot, Slots, add_place, on_own_stream, upload};
