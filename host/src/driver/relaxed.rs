//! Calls that captures of other streams forbid, though they do no harm.

use super::Driver;
use super::types::*;

/// While it lives, no capture forbids this thread anything. A capture in another mode than *relaxed*, which may be another
/// library's, otherwise refuses calls that might wait for its stream, and is spoilt by them: waits and questions, allocations
/// and frees (also in the order of another stream), what makes or destroys a graph that can be launched (an H200's driver,
/// 2026-11-27). Ptyx makes such calls where they wait for no captured stream: when it gives memory back, and for places of
/// its own.
pub(crate) struct Relaxed<'a> {
    driver: &'a Driver,
    /// The thread's mode before; none if it could not be changed.
    before: Option<CUstreamCaptureMode>,
}

impl Driver {
    /// Makes the thread's mode *relaxed* for a while
    /// ([`cuThreadExchangeStreamCaptureMode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    pub(crate) fn relaxed(&self) -> Relaxed<'_> {
        let mut mode = CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: a valid place. Without the function, there are no captures.
        let exchanged = unsafe { self.cuThreadExchangeStreamCaptureMode(&mut mode) };
        Relaxed { driver: self, before: exchanged.ok().map(|()| mode) }
    }
}

impl Drop for Relaxed<'_> {
    fn drop(&mut self) {
        if let Some(mut mode) = self.before {
            // SAFETY: as above. Should it fail, the thread's own calls are forbidden less.
            let _ = unsafe { self.driver.cuThreadExchangeStreamCaptureMode(&mut mode) };
        }
    }
}
