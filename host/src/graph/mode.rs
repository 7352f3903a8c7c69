//! What captures forbid.

use crate::driver::types::*;

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
    pub(super) fn number(self) -> CUstreamCaptureMode {
        match self {
            CaptureMode::Global => CU_STREAM_CAPTURE_MODE_GLOBAL,
            CaptureMode::ThreadLocal => CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
            CaptureMode::Relaxed => CU_STREAM_CAPTURE_MODE_RELAXED,
        }
    }
}
