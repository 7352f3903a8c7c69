//! Events: marks in streams, to wait for and to measure time between.

use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::Result;
use crate::panic::Place;
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mark in a stream ([`cuEventCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html), with a time stamp).
///
/// ```
/// use ptyx::{DeviceBuffer, Event, Stream};
/// let stream = Stream::new()?;
/// let (start, end) = (Event::new()?, Event::new()?);
/// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
/// start.record(&stream)?;
/// buffer.fill_on(1, &stream)?;
/// end.record(&stream)?;
/// println!("{:?}", Event::elapsed(&start, &end)?);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Event {
    handle: CUevent,
    context: &'static Context,
    /// The work before the point where it was recorded.
    places: Mutex<Vec<Place>>,
}

impl Event {
    /// A new event on the thread's device, recorded nowhere yet.
    ///
    /// ```
    /// let event = ptyx::Event::new()?;
    /// assert!(event.is_done()?); // never recorded: there is nothing to wait for
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or the driver can't create another event.
    pub fn new() -> Result<Event> {
        Event::of(current()?)
    }

    /// A new event of a device.
    pub(crate) fn of(context: &'static Context) -> Result<Event> {
        context.bind()?;
        let mut handle = CUevent::NULL;
        // SAFETY: `handle` is a valid place, and the context is bound.
        unsafe { context.driver.cuEventCreate(&mut handle, 0) }?;
        Ok(Event { handle, context, places: Mutex::default() })
    }

    /// Marks the point after all work that `stream` has been given so far ([`cuEventRecord`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)).
    /// An event that was recorded before moves to the new place.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, filled) = (Stream::new()?, Event::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill_on(7, &stream)?;
    /// filled.record(&stream)?; // after the fill
    /// filled.synchronize()?;
    /// assert_eq!(buffer.to_vec()?, [7; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::WrongDevice`].
    pub fn record(&self, stream: &Stream) -> Result<()> {
        stream.expect_on(self.context)?;
        self.context.bind()?;
        // SAFETY: event and stream are alive and of one context.
        unsafe { self.context.driver.cuEventRecord(self.handle, stream.handle()) }?;
        *self.lock() = stream.0.places();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work before the point where it was recorded.
    pub(crate) fn places(&self) -> Vec<Place> {
        self.lock().clone()
    }

    /// Waits until the event's place is reached ([`cuEventSynchronize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)). An event that was never
    /// recorded counts as reached.
    ///
    /// ```
    /// use ptyx::{Event, Stream};
    /// let (stream, event) = (Stream::new()?, Event::new()?);
    /// event.record(&stream)?;
    /// event.synchronize()?;
    /// assert!(event.is_done()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::KernelPanic`] and [`crate::Error::Fault`] of kernels that ran.
    pub fn synchronize(&self) -> Result<()> {
        let places = self.places();
        self.context.bind()?;
        let Context { driver, prints, .. } = self.context;
        // SAFETY: the event is alive.
        let wait = || unsafe { driver.cuEventSynchronize(self.handle) };
        // SAFETY: as above.
        let is_done = || unsafe { driver.cuEventQuery(self.handle) };
        prints.wait(driver, wait, Some(&is_done))?;
        match places.iter().find_map(|place| place.slot.take(place.last)) {
            Some(panic) => Err(self.context.panicked(panic)),
            None => Ok(()),
        }
    }

    /// Whether the event's place is reached ([`cuEventQuery`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, event) = (Stream::new()?, Event::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill_on(1, &stream)?;
    /// event.record(&stream)?;
    /// while !event.is_done()? {
    ///     std::thread::yield_now();
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Fault`] of a kernel that ran.
    pub fn is_done(&self) -> Result<bool> {
        self.context.bind()?;
        // SAFETY: the event is alive.
        match unsafe { self.context.driver.cuEventQuery(self.handle) } {
            Ok(()) => Ok(true),
            Err(Failure { code: CUDA_ERROR_NOT_READY, .. }) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }

    /// The time between two recorded events, after waiting for `end`
    /// ([`cuEventElapsedTime`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)). Zero if
    /// `end` was reached first.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let stream = Stream::new()?;
    /// let (start, end) = (Event::new()?, Event::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
    /// start.record(&stream)?;
    /// buffer.fill_on(1, &stream)?;
    /// end.record(&stream)?;
    /// let time = Event::elapsed(&start, &end)?;
    /// println!("{} GB/s", 4e-9 * 1000.0 / time.as_secs_f64());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`] if an event was never recorded; [`crate::Error::KernelPanic`] and
    /// [`crate::Error::Fault`] of kernels that ran.
    pub fn elapsed(start: &Event, end: &Event) -> Result<Duration> {
        end.synchronize()?;
        let mut milliseconds = 0.0;
        // SAFETY: the place is valid and both events are alive.
        unsafe {
            end.context.driver.cuEventElapsedTime(&mut milliseconds, start.handle, end.handle)
        }?;
        // Negative if the events were recorded in the other order.
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) * 1e-3).unwrap_or_default())
    }

    /// Runs `work`, then waits for the default stream of the thread's device. Returns the result of `work`,
    /// and the time that the device took for the work in that stream.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event};
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
    /// let ((), time) = Event::time(|| buffer.fill(1))?;
    /// println!("filled in {time:?}");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error of `work`; those of [`Event::new`], [`Event::record`] and [`Event::synchronize`].
    pub fn time<R>(work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
        let (start, end) = (Event::new()?, Event::new()?);
        let stream = start.context.default_stream()?;
        start.record(stream)?;
        let result = work()?;
        end.record(stream)?;
        Ok((result, Event::elapsed(&start, &end)?))
    }

    pub(crate) fn handle(&self) -> CUevent {
        self.handle
    }
}

impl Stream {
    /// Makes later work in this stream wait for `event` ([`cuStreamWaitEvent`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)). The host does
    /// not wait. An event that was never recorded is already done.
    ///
    /// ```
    /// use ptyx::{Event, Stream};
    /// let (producer, consumer, ready) = (Stream::new()?, Stream::new()?, Event::new()?);
    /// // ... work for the producer ...
    /// ready.record(&producer)?;
    /// consumer.wait(&ready)?;
    /// // Work given to the consumer from here on starts after the producer's.
    /// consumer.synchronize()?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.0.context.bind()?;
        // SAFETY: stream and event are alive.
        unsafe { self.0.context.driver.cuStreamWaitEvent(self.0.handle, event.handle(), 0) }?;
        self.0.follow(&event.places());
        Ok(())
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: this was the last handle; the driver keeps what pending work needs.
            let _ = unsafe { self.context.driver.cuEventDestroy(self.handle) };
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(device {}, {:?})", self.context.ordinal, self.handle)
    }
}
