//! Functions of the host that streams call: their panics, and what can't be done inside them.

use crate::driver::host_function;
use crate::error::{Error, Result};
use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Panics that have not been reported yet, each with its stream's id.
#[derive(Default)]
pub(crate) struct HostPanics(Mutex<Vec<(u64, String)>>);

impl HostPanics {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a panic.
    fn add(&self, stream: u64, message: String) {
        self.lock().push((stream, message));
    }

    /// Notes what a function has thrown, and drops it.
    pub(crate) fn add_of(&self, stream: u64, panic: Box<dyn Any + Send>) {
        self.add(stream, message(&*panic));
        // Dropping what was thrown may panic, too.
        if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(panic))) {
            core::mem::forget(again);
        }
    }

    /// The error of the first panic on a stream, or on any stream. It is returned once.
    pub(crate) fn report(&self, stream: Option<u64>) -> Result<()> {
        let mut panics = self.lock();
        let at = panics.iter().position(|&(id, _)| stream.is_none_or(|stream| stream == id));
        match at {
            Some(at) => Err(Error::HostPanic { message: panics.remove(at).1 }),
            None => Ok(()),
        }
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "(the panic's payload is not a string)".to_owned())
}

/// Work for the thread that frees what host functions drop.
type Work = Box<dyn FnOnce() + Send>;

/// Does `work`, which calls the driver: at once, or, in a function that a stream calls, on a thread of Ptyx.
pub(crate) fn after_host_function(work: impl FnOnce() + Send + 'static) {
    if host_function::inside().is_none() {
        return work();
    }
    static THREAD: OnceLock<Option<Sender<Work>>> = OnceLock::new();
    let start = || {
        let (sender, receiver) = channel::<Work>();
        let work_off = move || receiver.into_iter().for_each(|work| work());
        std::thread::Builder::new().name("ptyx-drops".into()).spawn(work_off).ok().map(|_| sender)
    };
    // Without the thread, what was to be freed lives as long as the process.
    if let Some(sender) = THREAD.get_or_init(start) {
        let _ = sender.send(Box::new(work));
    }
}
