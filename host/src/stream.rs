//! Streams: queues of work on a device.

use crate::context::{Context, current};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::event::Event;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

/// A queue of work: kernels and copies in one stream run in order, those of different streams may
/// overlap.
///
/// Streams are non-blocking: none waits for another by itself, the default one included. Where two
/// streams use the same memory, Ptyx makes the later use wait for the earlier one.
///
/// A clone is the same stream. A stream may be dropped while work is pending in it; the work goes
/// on.
///
/// ```
/// use ptyx::{DeviceBuffer, Stream};
/// let (first, second) = (Stream::new()?, Stream::new()?);
/// let mut a = DeviceBuffer::<u32>::zeroed(100)?;
/// let mut b = DeviceBuffer::<u32>::zeroed(100)?;
/// a.fill_async(3, &first)?;
/// b.copy_from_buffer_async(&a, &second)?; // runs after the fill
/// second.synchronize()?;
/// assert!(second.is_idle()?);
/// # assert_eq!(b.to_vec()?, [3; 100]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct Stream(pub(crate) Arc<StreamInner>);

/// A driver stream and its context.
pub(crate) struct StreamInner {
    pub(crate) handle: CUstream,
    pub(crate) context: &'static Context,
    /// Calls that have noted a use of memory and not yet given their work to the stream.
    entered: AtomicU32,
}

/// A call that is about to give work to a stream. Notes of memory uses need one, see
/// [`crate::memory::tracker`]; it must live until the work is given.
pub(crate) struct Entry<'a>(&'a Stream);

impl Entry<'_> {
    pub(crate) fn stream(&self) -> &Stream {
        self.0
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.0.0.entered.fetch_sub(1, Ordering::Release);
    }
}

impl StreamInner {
    /// The context's default stream.
    pub(crate) fn default_of(context: &'static Context) -> StreamInner {
        StreamInner { handle: CUstream::NULL, context, entered: AtomicU32::new(0) }
    }

    /// A new stream.
    pub(crate) fn create(context: &'static Context) -> Result<StreamInner, Failure> {
        context.bind()?;
        let mut handle = CUstream::NULL;
        // SAFETY: `handle` is a valid place, and the context is bound.
        unsafe { context.driver.cuStreamCreate(&mut handle, CU_STREAM_NON_BLOCKING) }?;
        Ok(StreamInner { handle, context, entered: AtomicU32::new(0) })
    }

    /// Waits until the stream has done its work. Panics of kernels are left for later.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        self.context.bind()?;
        // SAFETY: the stream is alive.
        unsafe { self.context.driver.cuStreamSynchronize(self.handle) }
    }

    /// Whether the stream has nothing left to do.
    pub(crate) fn is_idle(&self) -> Result<bool, Failure> {
        self.context.bind()?;
        // SAFETY: the stream is alive.
        match unsafe { self.context.driver.cuStreamQuery(self.handle) } {
            Ok(()) => Ok(true),
            Err(Failure { code: CUDA_ERROR_NOT_READY, .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

impl Drop for StreamInner {
    fn drop(&mut self) {
        if self.handle != CUstream::NULL && self.context.bind().is_ok() {
            // SAFETY: this was the last handle. Pending work goes on; an error has no one to go to.
            let _ = unsafe { self.context.driver.cuStreamDestroy(self.handle) };
        }
    }
}

impl Stream {
    /// A new stream on the thread's device (`cuStreamCreate`, non-blocking).
    ///
    /// # Errors
    /// No usable device, or the driver has no room for another stream.
    pub fn new() -> Result<Stream> {
        Ok(Stream(Arc::new(StreamInner::create(current()?)?)))
    }

    /// The default stream of the thread's device: where work goes that names no stream.
    ///
    /// # Errors
    /// No usable device.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn default() -> Result<Stream> {
        Ok(current()?.default_stream().clone())
    }

    /// Waits until everything given to this stream so far is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn synchronize(&self) -> Result<()> {
        self.0.finish()?;
        self.0.context.check_panics()
    }

    /// Whether everything given to this stream is done (`cuStreamQuery`).
    ///
    /// # Errors
    /// [`Error::Fault`] of a kernel that ran.
    pub fn is_idle(&self) -> Result<bool> {
        Ok(self.0.is_idle()?)
    }

    /// Makes what comes later in this stream wait for `event` (`cuStreamWaitEvent`). The host does
    /// not wait. An event that was never recorded is already done.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.0.context.bind()?;
        // SAFETY: stream and event are alive.
        unsafe { self.0.context.driver.cuStreamWaitEvent(self.0.handle, event.handle(), 0) }?;
        Ok(())
    }

    /// The number of the stream's device.
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.0.context
    }

    pub(crate) fn handle(&self) -> CUstream {
        self.0.handle
    }

    /// Announces that work comes.
    #[inline]
    pub(crate) fn enter(&self) -> Entry<'_> {
        self.0.entered.fetch_add(1, Ordering::Relaxed);
        Entry(self)
    }

    /// Whether a call is about to give work to the stream. The count of a call whose note was seen
    /// under its allocation's lock is seen, too.
    pub(crate) fn is_entered(&self) -> bool {
        self.0.entered.load(Ordering::Acquire) != 0
    }

    /// Whether both are the same stream.
    #[inline]
    pub(crate) fn is(&self, other: &Stream) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Makes what comes later in this stream wait for all that `other` has now.
    pub(crate) fn wait_for(&self, other: &Stream) -> Result<(), Failure> {
        if self.is(other) {
            return Ok(());
        }
        other.context().order(other.handle(), self.handle())
    }

    /// An error unless the stream is on `context`'s device.
    #[inline]
    pub(crate) fn expect_on(&self, context: &Context) -> Result<(), Error> {
        context.expect("the stream", self.0.context)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream(device {}, {:?})", self.0.context.ordinal, self.0.handle)
    }
}
