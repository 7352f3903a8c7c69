//! Graphs captured from streams.

use super::{CaptureMode, Graph, next_id};
use crate::context::Context;
use crate::driver::host_function::{Inside, run};
use crate::error::Result;
use crate::stream::{Capture, GraphSlot, Stream};
use core::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

impl Stream {
    /// A graph of the work that the closure submits to this stream, none of which runs
    /// ([`cuStreamBeginCapture`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// The closure gets this stream. Until it returns, all work submitted to the stream goes into the graph: kernels,
    /// copies between buffers, fills, functions of [`Stream::on_host_each`]. Another stream joins the capture when it
    /// [waits](Stream::wait) for an event that was recorded in the capture; the graph waits for its work. Uses of the same
    /// buffer by several of these streams are ordered as usual. All streams must be on one device; copies and kernels can use
    /// memory of other devices that kernels can use outside of a capture. Other threads and streams are not affected. Work without a
    /// stream goes to the thread's default stream: to capture it, capture [`Stream::default`].
    ///
    /// Waiting for the stream is an error, and so is work that can't be repeated: copies
    /// from and to host memory other than a [`StagingBuffer`](crate::StagingBuffer). If the closure fails or panics,
    /// the capture ends without a graph.
    ///
    /// Buffers that are allocated on the stream, by functions such as [`DeviceBuffer::zeroed_on`](crate::DeviceBuffer::zeroed_on),
    /// become the graph's: each launch allocates their memory, and frees it where the buffer was dropped in the closure, at the
    /// latest at the end. Work outside of the capture can't use them ([`Error::Graph`](crate::Error::Graph)). The driver can't
    /// copy such a graph, so it can't be cloned or added to another one, and it has one [`GraphExec`](crate::GraphExec) at a
    /// time: see [`Graph::instantiate`].
    ///
    /// The safety requirements of an unsafe kernel must hold for every launch of the graph.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, side) = (Stream::new()?, Stream::new()?);
    /// let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::<u32>::zeroed(10)?);
    /// let fork = Event::new()?;
    /// let graph = stream.capture(|stream| {
    ///     fork.record(stream)?;
    ///     side.wait(&fork)?;
    ///     a.fill_on(1, stream)?;
    ///     b.fill_on(2, &side) // beside the other fill
    /// })?;
    /// assert_eq!((graph.nodes()?.len(), graph.edges()?.len()), (2, 0));
    /// graph.instantiate()?.launch(&stream)?;
    /// assert_eq!((a.to_vec()?, b.to_vec()?), (vec![1; 10], vec![2; 10]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The closure's; [`Error::Capture`](crate::Error::Capture) if the stream is already captured, or the closure ignored
    /// an error that has invalidated the capture; a driver without graphs.
    #[doc(alias = "cudaStreamBeginCapture")]
    #[doc(alias = "cudaStreamEndCapture")]
    #[doc(alias = "cudaGraphAddMemAllocNode")]
    pub fn capture(&self, work: impl FnOnce(&Stream) -> Result<()>) -> Result<Graph> {
        self.capture_in(CaptureMode::Relaxed, work)
    }

    /// [`Stream::capture`], during which the driver refuses calls of some threads
    /// ([`cuStreamBeginCapture`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)). This finds code, of
    /// other libraries too, that would wait for the stream.
    ///
    /// A refused call spoils the capture. Of Ptyx's calls, these can be refused: those that allocate pinned, managed and
    /// shareable memory, arrays among them, and calls that wait for the device or ask whether it is done, unless they free
    /// memory. Other buffers can be made, code of kernels loaded, and everything dropped.
    ///
    /// ```
    /// use ptyx::{CaptureMode, DeviceBuffer, Error, ManagedBuffer, Stream};
    /// let (stream, mut buffer) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(10)?);
    /// let graph = stream.capture_in(CaptureMode::ThreadLocal, |stream| buffer.fill_on(5, stream))?;
    /// graph.instantiate()?.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [5; 10]);
    /// let refused = stream.capture_in(CaptureMode::ThreadLocal, |_| ManagedBuffer::<u32>::zeroed(10).map(drop));
    /// assert!(matches!(refused, Err(Error::Capture(_))), "{refused:?}");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Stream::capture`]; [`Error::Capture`](crate::Error::Capture) from the refused calls, and at the end
    /// of the capture.
    pub fn capture_in(
        &self,
        mode: CaptureMode,
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<Graph> {
        self.capture_with(None, None, mode, work)
    }

    /// The same for a graph that there is already: panics of kernels are reported where its others are, and its memory
    /// can be used.
    pub(super) fn capture_for(
        &self,
        slot: Option<Arc<GraphSlot>>,
        graph: Option<u64>,
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<Graph> {
        self.capture_with(slot, graph, CaptureMode::Relaxed, work)
    }

    fn capture_with(
        &self,
        slot: Option<Arc<GraphSlot>>,
        graph: Option<u64>,
        mode: CaptureMode,
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<Graph> {
        let capture = self.begin_capture(slot, next_id(), graph, mode.number())?;
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        let ended = self.end(&capture);
        match done {
            Ok(done) => done.and(ended),
            Err(panic) => {
                drop(ended);
                resume_unwind(panic)
            }
        }
    }

    fn end(&self, capture: &Capture) -> Result<Graph> {
        let (graph, collected) = self.end_capture(capture)?;
        let is_single = collected.allocates;
        let graph =
            Graph::numbered(capture.number, self.context(), graph, vec![Arc::new(collected)]);
        Ok(Graph { is_single, ..graph })
    }

    /// Whether the stream is being captured ([`cuStreamIsCapturing`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)
    /// tells the same of captures that others began).
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// stream.capture(|stream| Ok(assert!(stream.is_captured())))?;
    /// assert!(!stream.is_captured());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[doc(alias = "cudaStreamIsCapturing")]
    pub fn is_captured(&self) -> bool {
        self.0.capture().is_some()
    }

    /// Like [`Stream::on_host`], with a function that can be called again: in a capture, each launch of the graph calls
    /// it ([`cuLaunchHostFunc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)). Outside of a
    /// capture it is called once, and the rules of [`Stream::on_host`] for pinned memory apply. In a graph, the function
    /// panics if it uses pinned memory that is being copied.
    ///
    /// ```
    /// use ptyx::Stream;
    /// use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
    /// let (stream, count) = (Stream::new()?, Arc::new(AtomicU32::new(0)));
    /// let shared = count.clone();
    /// let graph = stream.capture(|stream| {
    ///     stream.on_host_each(move || { shared.fetch_add(1, Ordering::Relaxed); })
    /// })?;
    /// let exec = graph.instantiate()?;
    /// exec.launch(&stream)?;
    /// exec.launch(&stream)?;
    /// stream.synchronize()?;
    /// assert_eq!(count.load(Ordering::Relaxed), 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver): the function is not called.
    pub fn on_host_each(&self, function: impl Fn() + Send + Sync + 'static) -> Result<()> {
        let context = self.context();
        context.bind()?;
        let entry = self.enter();
        let Some(capture) = self.0.capture() else {
            drop(entry);
            return self.on_host(function);
        };
        let inside = Inside { stream: self.0.id, number: None };
        let job = Arc::new(Job { context, inside, function: Box::new(function) });
        let data = Arc::as_ptr(&job).cast_mut().cast::<c_void>();
        capture.keep(job);
        // SAFETY: the stream is alive, and its context bound. The graph keeps the job for as long as it can run.
        unsafe { context.driver.cuLaunchHostFunc(self.handle(), Some(call), data) }?;
        Ok(())
    }
}

/// A function that a graph calls.
struct Job {
    context: &'static Context,
    inside: Inside,
    function: Box<dyn Fn() + Send + Sync>,
}

/// What the driver calls. It must not call the driver, nor unwind.
extern "C" fn call(job: *mut c_void) {
    // SAFETY: a graph keeps the job, and itself lives until its launches are done.
    let Job { context, inside, function } = unsafe { &*job.cast_const().cast::<Job>() };
    run(*inside, || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(function)) {
            context.host_panics.add_of(inside.stream, panic);
        }
    });
}
