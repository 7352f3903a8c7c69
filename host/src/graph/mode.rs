//! What captures forbid.

use crate::driver::types::*;
use crate::error::Result;
use crate::runtime::runtime;

/// Whose calls a capture refuses that may wait for the captured stream, such as allocations of managed memory: see
/// [`Stream::capture_in`](crate::Stream::capture_in)
/// ([`CUstreamCaptureMode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
///
/// ```
/// use ptyx::{CaptureMode, ManagedBuffer, Stream};
/// let stream = Stream::new()?;
/// // In the other modes, this call is refused.
/// stream.capture_in(CaptureMode::Relaxed, |_| ManagedBuffer::<u32>::zeroed(10).map(drop))?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CaptureMode {
    /// Those of all threads, but of threads that have made their own mode relaxed or thread-local
    /// ([`cuThreadExchangeStreamCaptureMode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    Global,
    /// Those of the thread that captures.
    ThreadLocal,
    /// None.
    #[default]
    Relaxed,
}

impl CaptureMode {
    /// Runs the closure with this mode as the thread's: the mode decides which captures forbid the thread calls that
    /// may wait for a captured stream
    /// ([`cuThreadExchangeStreamCaptureMode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    /// Afterwards, the thread has its previous mode again, even if the closure panics. A new thread's mode is
    /// [`CaptureMode::Global`].
    ///
    /// | the thread's mode | its calls are refused by |
    /// |---|---|
    /// | [`Global`](CaptureMode::Global) | captures in mode `Global` of any thread, captures in mode `ThreadLocal` of this one |
    /// | [`ThreadLocal`](CaptureMode::ThreadLocal) | captures in these two modes of this thread |
    /// | [`Relaxed`](CaptureMode::Relaxed) | none |
    ///
    /// In mode `Relaxed`, a thread that waits for no captured stream, such as one that allocates for a cache, can work
    /// beside captures of other libraries without spoiling them.
    ///
    /// ```
    /// use ptyx::{CaptureMode, ManagedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// stream.capture_in(CaptureMode::Global, |_| {
    ///     // Without this, the allocation would be refused, and would spoil the capture.
    ///     CaptureMode::Relaxed.with(|| ManagedBuffer::<u32>::zeroed(10).map(drop))?
    /// })?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device; [`Error::Driver`](crate::Error::Driver) from a driver that has no graphs. The closure is not called
    /// then.
    #[doc(alias("cudaThreadExchangeStreamCaptureMode", "cuThreadExchangeStreamCaptureMode"))]
    pub fn with<R>(self, work: impl FnOnce() -> R) -> Result<R> {
        let _mode = runtime()?.driver.thread_mode(self.number())?;
        Ok(work())
    }

    pub(super) fn number(self) -> CUstreamCaptureMode {
        match self {
            CaptureMode::Global => CU_STREAM_CAPTURE_MODE_GLOBAL,
            CaptureMode::ThreadLocal => CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
            CaptureMode::Relaxed => CU_STREAM_CAPTURE_MODE_RELAXED,
        }
    }
}
