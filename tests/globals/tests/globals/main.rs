//! Constants and globals of the device, and linked PTX: every kernel of every crate sees one value, in the order in which the
//! host sets it and launches.
//!
//! The tests share statics, so each takes the lock of those that it changes.

mod code;
mod linked;
mod order;
mod values;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by tests that change the library's statics.
fn library() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}
