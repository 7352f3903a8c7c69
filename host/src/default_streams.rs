//! The streams that Ptyx makes itself: each thread's default streams, and each device's stream for blocking
//! copies.

use crate::context::{Attached, Context};
use crate::error::Result;
use crate::runtime::current;
use crate::stream::{Stream, StreamOptions};
use core::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A device's streams.
#[derive(Default)]
struct Streams {
    /// The stream for blocking copies, so that they wait for no unrelated work.
    transfer: OnceLock<Stream>,
    /// Default streams of threads that have ended.
    spare_defaults: Mutex<Vec<&'static Stream>>,
}

fn streams(context: &Context) -> &'static Streams {
    static STREAMS: Attached<Streams> = Attached::new();
    STREAMS.of(context)
}

impl Streams {
    fn spares(&self) -> MutexGuard<'_, Vec<&'static Stream>> {
        self.spare_defaults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The default stream of a thread that has ended, if its work is done, it has no unreported panic,
    /// and there is no other handle to it, which would then mean another thread's stream.
    fn take_spare(&self) -> Option<&'static Stream> {
        let mut spares = self.spares();
        let is_clear = |stream: &&'static Stream| {
            Arc::strong_count(&stream.0) == 1
                && stream.0.is_idle().unwrap_or(false)
                && !stream.0.has_report()
        };
        let at = spares.iter().position(is_clear)?;
        Some(spares.swap_remove(at))
    }
}

thread_local! {
    /// The default stream that the thread used last.
    static DEFAULT: Cell<Option<&'static Stream>> = const { Cell::new(None) };
    /// All its default streams: one for each device.
    static DEFAULTS: RefCell<Defaults> = const { RefCell::new(Defaults(Vec::new())) };
}

/// The default streams of a thread. When the thread ends, other threads can reuse them.
struct Defaults(Vec<&'static Stream>);

impl Drop for Defaults {
    fn drop(&mut self) {
        DEFAULT.set(None);
        for stream in self.0.drain(..) {
            streams(stream.context()).spares().push(stream);
        }
    }
}

impl Context {
    /// The thread's default stream.
    #[inline]
    pub(crate) fn default_stream(&'static self) -> Result<&'static Stream> {
        // `try_with` is inlined where `get` is not.
        match DEFAULT.try_with(Cell::get) {
            Ok(Some(stream)) if core::ptr::eq(stream.context(), self) => Ok(stream),
            _ => self.find_default_stream(),
        }
    }

    /// The error of a panicked kernel on the thread's default stream, if it is already known. It is returned
    /// once.
    pub(crate) fn check_default_stream(&'static self) -> Result<()> {
        match DEFAULT.get() {
            Some(stream) if core::ptr::eq(stream.context(), self) => {
                stream.0.check_panics(u64::MAX)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn find_default_stream(&'static self) -> Result<&'static Stream> {
        let is_ours = |stream: &&&'static Stream| core::ptr::eq(stream.context(), self);
        let known = DEFAULTS.try_with(|all| all.borrow().0.iter().find(is_ours).copied());
        let stream = match known.ok().flatten() {
            Some(stream) => stream,
            None => {
                let stream = match streams(self).take_spare() {
                    Some(spare) => spare,
                    None => Box::leak(Box::new(Stream::of(self, &StreamOptions::new())?)),
                };
                // A thread that is ending does not keep one: the next thread may take it at once.
                if DEFAULTS.try_with(|all| all.borrow_mut().0.push(stream)).is_err() {
                    streams(self).spares().push(stream);
                    return Ok(stream);
                }
                stream
            }
        };
        DEFAULT.set(Some(stream));
        Ok(stream)
    }

    /// The stream for blocking copies.
    pub(crate) fn transfer_stream(&'static self) -> Result<&'static Stream> {
        if let Some(stream) = streams(self).transfer.get() {
            return Ok(stream);
        }
        let stream = Stream::of(self, &StreamOptions::new())?;
        Ok(streams(self).transfer.get_or_init(|| stream))
    }
}

impl Stream {
    /// The thread's default stream on its device, which takes all work that names no stream. Each
    /// thread has its own, so that threads don't wait for each other or get each other's errors.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill(5)?; // on the default stream
    /// let stream = Stream::default()?;
    /// stream.synchronize()?;
    /// assert!(stream.is_idle()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or the driver can't create another stream.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn default() -> Result<Stream> {
        Ok(current()?.default_stream()?.clone())
    }
}
