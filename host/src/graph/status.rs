//! Whether a stream is being captured, as the driver tells it.

use crate::driver::captures::InCapture;
use crate::driver::types::*;
use crate::error::Result;
use crate::stream::Stream;

/// Whether a stream is being captured ([`CUstreamCaptureStatus`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
///
/// ```
/// use ptyx::{CaptureStatus, Event, Stream};
/// let (stream, other) = (Stream::new()?, Stream::new()?);
/// let (fork, join) = (Event::new()?, Event::new()?);
/// stream.capture(|stream| {
///     fork.record(stream)?;
///     other.wait(&fork)?; // now the other stream takes part in the capture
///     let CaptureStatus::Active { id } = stream.capture_status()? else { panic!() };
///     assert_eq!(other.capture_status()?, CaptureStatus::Active { id });
///     join.record(&other)?;
///     stream.wait(&join)
/// })?;
/// assert_eq!(other.capture_status()?, CaptureStatus::None);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureStatus {
    /// It is not.
    None,
    /// It is, in the capture with this number, which is unique in the process.
    Active {
        /// The capture's number.
        id: u64,
    },
    /// It is, but something was done that a capture does not allow: it will end with an error.
    Invalidated,
}

impl Stream {
    /// Whether the stream is being captured, and in which capture, also if another library began it
    /// ([`cuStreamGetCaptureInfo`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{CaptureStatus, Stream};
    /// let stream = Stream::new()?;
    /// assert_eq!(stream.capture_status()?, CaptureStatus::None);
    /// stream.capture(|stream| {
    ///     assert!(matches!(stream.capture_status()?, CaptureStatus::Active { .. }));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaStreamIsCapturing", "cudaStreamGetCaptureInfo", "cuStreamGetCaptureInfo"))]
    pub fn capture_status(&self) -> Result<CaptureStatus> {
        let context = self.context();
        context.bind()?;
        let (mut status, mut id) = (CU_STREAM_CAPTURE_STATUS_NONE, 0);
        let (graph, after, count) =
            (core::ptr::null_mut(), core::ptr::null_mut(), core::ptr::null_mut());
        let _turn = InCapture::new();
        // SAFETY: valid places, or none where the driver takes none; the stream is alive.
        unsafe {
            context.driver.cuStreamGetCaptureInfo(
                self.handle(),
                &mut status,
                &mut id,
                graph,
                after,
                count,
            )
        }?;
        Ok(match status {
            CU_STREAM_CAPTURE_STATUS_NONE => CaptureStatus::None,
            CU_STREAM_CAPTURE_STATUS_ACTIVE => CaptureStatus::Active { id },
            _ => CaptureStatus::Invalidated,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceBuffer, Error, Event};

    #[test]
    fn captures_have_numbers_of_their_own() {
        let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
        let mut buffer = DeviceBuffer::<u32>::zeroed(10).unwrap();
        let mut ids = Vec::new();
        for _ in 0..3 {
            let (fork, join) = (Event::new().unwrap(), Event::new().unwrap());
            let graph = stream.capture(|stream| {
                assert_eq!(other.capture_status()?, CaptureStatus::None);
                buffer.fill_on(1, stream)?;
                fork.record(stream)?;
                other.wait(&fork)?;
                let status = stream.capture_status()?;
                let CaptureStatus::Active { id } = status else { panic!("{status:?}") };
                assert_eq!(other.capture_status()?, status, "both are of one capture");
                ids.push(id);
                join.record(&other)?;
                stream.wait(&join)
            });
            graph.unwrap();
            assert_eq!(stream.capture_status().unwrap(), CaptureStatus::None);
            assert_eq!(other.capture_status().unwrap(), CaptureStatus::None);
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 3);
    }

    /// What Ptyx does not let happen, other code can do: wait for a stream while it is captured.
    #[test]
    fn what_is_not_allowed_invalidates_the_capture() {
        let stream = Stream::new().unwrap();
        let captured = stream.capture(|stream| {
            // SAFETY: the stream is alive.
            let waited = unsafe { stream.context().driver.cuStreamSynchronize(stream.handle()) };
            assert_eq!(waited.unwrap_err().code, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
            assert_eq!(stream.capture_status()?, CaptureStatus::Invalidated);
            Ok(())
        });
        assert!(matches!(captured, Err(Error::Capture(_))), "{captured:?}");
        assert_eq!(stream.capture_status().unwrap(), CaptureStatus::None);
        stream.synchronize().unwrap();
    }
}
