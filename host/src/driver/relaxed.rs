//! Each thread's capture mode, which says whose captures forbid its calls.

use super::types::*;
use super::{Driver, Failure};

/// While it lives, the thread has another mode.
pub(crate) struct ThreadMode<'a> {
    driver: &'a Driver,
    /// The thread's mode before; none if it could not be changed.
    before: Option<CUstreamCaptureMode>,
}

impl Driver {
    /// Gives the thread another mode for a while
    /// ([`cuThreadExchangeStreamCaptureMode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    pub(crate) fn thread_mode(
        &self,
        mut mode: CUstreamCaptureMode,
    ) -> Result<ThreadMode<'_>, Failure> {
        // SAFETY: a valid place.
        unsafe { self.cuThreadExchangeStreamCaptureMode(&mut mode) }?;
        Ok(ThreadMode { driver: self, before: Some(mode) })
    }

    /// While the result lives, no capture forbids this thread anything. Otherwise, a capture in another mode than
    /// *relaxed*, which may be another library's, refuses calls that might wait for its stream, and is spoilt by them:
    /// waits and queries, allocations and frees (also in the order of another stream), and calls that make or destroy
    /// a graph that can be launched (an H200's driver, 2026-11-27). Ptyx makes such calls in this mode where they wait
    /// for no captured stream, for instance when it frees memory or loads a module.
    pub(crate) fn relaxed(&self) -> ThreadMode<'_> {
        // Without the function, there are no captures.
        let exchanged = self.thread_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
        exchanged.unwrap_or(ThreadMode { driver: self, before: None })
    }
}

impl Drop for ThreadMode<'_> {
    fn drop(&mut self) {
        if let Some(mut mode) = self.before {
            // SAFETY: as above. Should it fail, the thread's own calls are forbidden less.
            let _ = unsafe { self.driver.cuThreadExchangeStreamCaptureMode(&mut mode) };
        }
    }
}
