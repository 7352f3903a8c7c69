//! Futures that wait for a stream's work, or for an event.

use crate::driver::types::*;
use crate::error::Result;
use crate::event::{Event, EventOptions};
use crate::stream::{Stream, StreamOptions};
use core::ffi::c_void;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A future that is ready when all work submitted to a stream is done, or all work before an event:
/// [`Stream::finished`], [`Event::finished`].
///
/// It works with any executor. Dropping it does not cancel the work.
///
/// ```
/// use ptyx::{Finished, Stream};
/// use std::pin::Pin;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::task::{Context, Poll, Waker};
///
/// /// The simplest executor: it polls all the time.
/// fn block_on(mut work: Finished) -> ptyx::Result<()> {
///     let mut context = Context::from_waker(Waker::noop());
///     loop {
///         match Future::poll(Pin::new(&mut work), &mut context) {
///             Poll::Ready(result) => return result,
///             Poll::Pending => std::thread::yield_now(),
///         }
///     }
/// }
///
/// let (stream, called) = (Stream::new()?, Arc::new(AtomicBool::new(false)));
/// let own = called.clone();
/// stream.on_host(move || own.store(true, Ordering::Release))?;
/// block_on(stream.finished())?;
/// assert!(called.load(Ordering::Acquire));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[must_use = "a future does nothing unless it is awaited"]
pub struct Finished {
    /// What waits, or why nothing does.
    state: Option<Result<Waiting>>,
}

struct Waiting {
    event: Event,
    /// Whose functions of the host may have panicked; none if the event was reached from the start.
    stream: Option<Stream>,
    place: Arc<Mutex<Reached>>,
}

/// What the driver's callback and the future share.
enum Reached {
    NotYet(Option<Waker>),
    Done,
}

impl fmt::Debug for Finished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Finished").finish_non_exhaustive()
    }
}

impl Stream {
    /// A future that is ready when all work submitted to this stream so far is done. Its output is what
    /// [`synchronize`](Stream::synchronize) returns. `(&stream).await` does the same.
    ///
    /// The driver calls back when the stream has done that work ([`cuStreamAddCallback`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)), and
    /// a thread of Ptyx wakes the task, so that no code of the executor runs in the driver's callback. (By default, the
    /// emulated device does the work when it is submitted, so the future is ready immediately.) The callback is itself work
    /// of the stream, so [`is_idle`](Stream::is_idle) may return `false` for a moment longer.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// async fn sevens(stream: &Stream) -> ptyx::Result<Vec<u32>> {
    ///     let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    ///     buffer.fill_on(7, stream)?;
    ///     stream.finished().await?; // other tasks run meanwhile
    ///     buffer.to_vec()
    /// }
    /// # let stream = Stream::new()?;
    /// # let mut task = std::pin::pin!(sevens(&stream));
    /// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// # loop {
    /// #     if let std::task::Poll::Ready(all) = std::future::Future::poll(task.as_mut(), &mut context) {
    /// #         assert_eq!(all?, [7; 100]);
    /// #         break;
    /// #     }
    /// # }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The future gives them: those of [`synchronize`](Stream::synchronize) and [`Event::new`].
    pub fn finished(&self) -> Finished {
        Finished { state: Some(self.wait_later()) }
    }

    fn wait_later(&self) -> Result<Waiting> {
        let event = Event::of(self.0.context, &EventOptions::new().timing(false))?;
        // Not captured meanwhile.
        let _entry = self.enter();
        self.0.refuse_capture("Stream::finished")?;
        event.record(self)?;
        let place = Arc::new(Mutex::new(Reached::NotYet(None)));
        let data = Arc::into_raw(place.clone()).cast_mut().cast::<c_void>();
        // SAFETY: the stream is alive, and its context bound by `record`. The callback is called once, and takes the
        // reference that `data` is.
        let added = unsafe {
            self.0.context.driver.cuStreamAddCallback(self.0.handle, Some(reached), data, 0)
        };
        if let Err(failure) = added {
            // SAFETY: the callback was not taken, so the reference is still ours.
            drop(unsafe { Arc::from_raw(data.cast_const().cast::<Mutex<Reached>>()) });
            return Err(failure.into());
        }
        Ok(Waiting { event, stream: Some(self.clone()), place })
    }
}

impl Event {
    /// A future that is ready when the work before the event is done: the work before the point where it is recorded
    /// now, even if it is recorded again meanwhile. Its output is what [`synchronize`](Event::synchronize) returns. An
    /// event that was never recorded is already done. `(&event).await` does the same.
    ///
    /// Unless the event has been reached, a stream of its own waits for it
    /// ([`cuStreamWaitEvent`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)) and calls back as in
    /// [`Stream::finished`]. So later work of the stream in which the event was recorded does not delay the task.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    ///
    /// async fn first_half(stream: &Stream) -> ptyx::Result<()> {
    ///     let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(100)?, DeviceBuffer::<u32>::zeroed(100)?);
    ///     let half = Event::new()?;
    ///     a.fill_on(1, stream)?;
    ///     half.record(stream)?;
    ///     b.fill_on(2, stream)?;
    ///     half.finished().await // the first fill is done; the second one may still run
    /// }
    /// # let stream = Stream::new()?;
    /// # let mut task = std::pin::pin!(first_half(&stream));
    /// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// # loop {
    /// #     if let std::task::Poll::Ready(done) = std::future::Future::poll(task.as_mut(), &mut context) {
    /// #         break done?;
    /// #     }
    /// # }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The future gives them: those of [`synchronize`](Event::synchronize) and [`Stream::new`].
    pub fn finished(&self) -> Finished {
        Finished { state: Some(self.wait_later()) }
    }

    fn wait_later(&self) -> Result<Waiting> {
        if !matches!(self.is_done(), Ok(false)) {
            // Errors, too, are those of a call that waits.
            let place = Arc::new(Mutex::new(Reached::Done));
            return Ok(Waiting { event: self.clone(), stream: None, place });
        }
        // A stream that several events shared would hold up those that are reached first.
        let aside = Stream::of(self.context(), &StreamOptions::new())?;
        aside.wait(self)?;
        aside.wait_later()
    }
}

impl IntoFuture for &Event {
    type Output = Result<()>;
    type IntoFuture = Finished;

    fn into_future(self) -> Finished {
        self.finished()
    }
}

impl IntoFuture for &Stream {
    type Output = Result<()>;
    type IntoFuture = Finished;

    fn into_future(self) -> Finished {
        self.finished()
    }
}

impl Future for Finished {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let state = self.state.take();
        let Some(Ok(waiting)) = state else {
            // After the end there is nothing to wait for.
            return Poll::Ready(state.map_or(Ok(()), |failed| failed.map(|_| ())));
        };
        {
            let mut place = waiting.place.lock().unwrap_or_else(PoisonError::into_inner);
            if let Reached::NotYet(waker) = &mut *place {
                match waker {
                    Some(waker) => waker.clone_from(context.waker()),
                    None => *waker = Some(context.waker().clone()),
                }
                drop(place);
                self.state = Some(Ok(waiting));
                return Poll::Pending;
            }
        }
        // The callback came behind the event, so this does not wait.
        let done = waiting.event.synchronize();
        Poll::Ready(done.and_then(|()| match &waiting.stream {
            Some(Stream(stream)) => stream.context.host_panics.report(Some(stream.id)),
            None => Ok(()),
        }))
    }
}

/// The driver's callback. It must not call the driver, nor unwind.
extern "C" fn reached(_: CUstream, _: CUresult, data: *mut c_void) {
    // SAFETY: the reference that `wait_later` gave to the callback, which is called once.
    let place = unsafe { Arc::from_raw(data.cast_const().cast::<Mutex<Reached>>()) };
    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
    if let Reached::NotYet(Some(waker)) = core::mem::replace(&mut *place, Reached::Done) {
        wake(waker);
    }
}

/// Wakes a task from a thread of ours: an executor may run the task right away, which would call the driver.
fn wake(waker: Waker) {
    static WAKERS: OnceLock<Option<Sender<Waker>>> = OnceLock::new();
    let start = || {
        let (sender, receiver) = channel::<Waker>();
        let wake_all = move || {
            for waker in receiver {
                // A task that panics must not end the thread.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| waker.wake()));
            }
        };
        std::thread::Builder::new().name("ptyx-wakers".into()).spawn(wake_all).ok().map(|_| sender)
    };
    let unsent = match WAKERS.get_or_init(start) {
        Some(sender) => sender.send(waker).err().map(|unsent| unsent.0),
        None => Some(waker),
    };
    if let Some(waker) = unsent {
        waker.wake();
    }
}
