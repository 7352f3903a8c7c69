//! Events that each launch of a graph records or waits for.

use super::{Event, EventInner};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::Result;
use crate::stream::Stream;

impl Event {
    /// Like [`Event::record`]; in a capture, each launch of the graph records the event
    /// ([`cuEventRecordWithFlags`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html), `CU_EVENT_RECORD_EXTERNAL`).
    /// So parts of a graph can be timed, and other streams can wait for them.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, start, end) = (Stream::new()?, Event::new()?, Event::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// let graph = stream.capture(|stream| {
    ///     start.record_each(stream)?;
    ///     buffer.fill_on(1, stream)?;
    ///     end.record_each(stream)
    /// })?;
    /// graph.instantiate()?.launch(&stream)?;
    /// println!("{:?}", Event::elapsed(&start, &end)?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// What waits for such an event does not report panics of the graph's kernels; what waits for the stream of the
    /// launch does.
    ///
    /// # Errors
    /// [`crate::Error::WrongDevice`]; [`crate::Error::Driver`] if the driver is older than CUDA 11.1.
    #[doc(alias = "cudaEventRecordWithFlags")]
    pub fn record_each(&self, stream: &Stream) -> Result<()> {
        let EventInner { handle, context, .. } = *self.0;
        context.expect("the event", stream.context())?;
        context.bind()?;
        let mut places = self.lock();
        let mut captured = self.captured();
        let entry = stream.enter();
        let Some(capture) = stream.0.capture() else {
            drop((entry, captured, places));
            return self.record(stream);
        };
        capture.keep(self.clone());
        let flags = CU_EVENT_RECORD_EXTERNAL;
        // SAFETY: event and stream are alive and of one context; the graph keeps the event.
        unsafe { context.driver.cuEventRecordWithFlags(handle, stream.handle(), flags) }?;
        (*places, *captured) = (Some(Vec::new()), None);
        Ok(())
    }
}

impl Stream {
    /// Like [`Stream::wait`]; in a capture, each launch of the graph waits for the event as it was recorded last before
    /// the launch (`cuStreamWaitEvent` with `CU_EVENT_WAIT_EXTERNAL`).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, other, ready) = (Stream::new()?, Stream::new()?, Event::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// let exec = stream
    ///     .capture(|stream| {
    ///         stream.wait_each(&ready)?;
    ///         buffer.fill_on(1, stream)
    ///     })?
    ///     .instantiate()?;
    /// ready.record(&other)?;
    /// exec.launch(&stream)?; // after what `other` was given
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Capture`] if the event was recorded in a capture; [`crate::Error::WrongDevice`].
    pub fn wait_each(&self, event: &Event) -> Result<()> {
        self.0.context.expect("the event", event.0.context)?;
        self.0.context.bind()?;
        let captured = event.captured();
        let entry = self.enter();
        let Some(capture) = self.0.capture() else {
            drop((entry, captured));
            return self.wait(event);
        };
        if captured.is_some() {
            let code = CUDA_ERROR_CAPTURED_EVENT;
            return Err(Failure { call: "Stream::wait_each", code }.into());
        }
        capture.keep(event.clone());
        let (driver, flags) = (self.0.context.driver, CU_EVENT_WAIT_EXTERNAL);
        // SAFETY: stream and event are alive; the graph keeps the event.
        unsafe { driver.cuStreamWaitEvent(self.0.handle, event.handle(), flags) }?;
        Ok(())
    }
}
