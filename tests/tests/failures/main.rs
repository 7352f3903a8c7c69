//! D8 and D9: what kernels print, and kernels that panic. One test at a time: a panic is reported
//! at the next synchronisation of the device, whoever asks.

mod bounds;
mod loops;
mod messages;
mod order;
mod panics;
mod printing;
mod search;
mod warps;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by each test while its kernels run.
fn alone() -> MutexGuard<'static, ()> {
    static DEVICE: Mutex<()> = Mutex::new(());
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}
