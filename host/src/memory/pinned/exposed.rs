//! Host memory whose device address was taken: see [`crate::memory::untracked`].

use crate::context::Context;
use crate::error::Result;
use crate::memory::tracker::Tracker;
use crate::memory::untracked::{finish_on_host, settle, untracked};
use crate::stream::{Again, Binding, Entry, Stream};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The devices whose kernels may have raw pointers to the memory.
#[derive(Default)]
pub(super) struct Exposed {
    /// Whether there are any.
    is_any: AtomicBool,
    contexts: Mutex<Vec<&'static Context>>,
}

impl Exposed {
    fn lock(&self) -> MutexGuard<'_, Vec<&'static Context>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether kernels of any device may have one.
    pub(super) fn is_any(&self) -> bool {
        self.is_any.load(Ordering::SeqCst)
    }

    /// Kernels of this device may have one from now on.
    pub(super) fn expose(&self, context: &'static Context, tracker: &Tracker) {
        let mut contexts = self.lock();
        if contexts.iter().any(|known| core::ptr::eq(*known, context)) {
            return;
        }
        untracked(context).expose(|_| {
            contexts.push(context);
            self.is_any.store(true, Ordering::SeqCst);
            tracker.users()
        });
    }

    /// A use on a stream, which is noted in the memory's tracker already, waits for such kernels.
    pub(super) fn order(&self, stream: &Stream) -> Result<()> {
        if !self.is_any() {
            return Ok(());
        }
        let contexts = self.lock().clone();
        for context in contexts {
            // Also if the stream is another device's: such kernels wait for it, too.
            untracked(context).use_exposed(stream)?;
        }
        Ok(())
    }

    /// A use that is noted in the memory's tracker already stands for many launches.
    pub(super) fn bind(own: &Arc<Self>, binding: &Binding) {
        if own.is_any() {
            binding.standing().order_each();
        }
        binding.add(UsedAgain(own.clone()));
    }

    /// Waits on the host for such kernels. False if the driver can't say whether they are done.
    ///
    /// # Panics
    /// In a host function that a stream calls, if there are any.
    pub(super) fn finish(&self) -> bool {
        if !self.is_any() {
            return true;
        }
        let done = self.lock().clone().into_iter().map(finish_on_host);
        done.fold(true, |all, one| all & one)
    }

    /// Waits until such kernels are done. False if the driver can't say so: then the memory must stay.
    pub(super) fn settle(&self) -> bool {
        !self.is_any() || self.lock().clone().into_iter().all(settle)
    }
}

/// The memory is used by one more launch of a handle.
struct UsedAgain(Arc<Exposed>);

impl Again for UsedAgain {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        self.0.order(entry.stream())
    }
}
