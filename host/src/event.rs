//! Events: marks in streams, for waiting and for measuring time.

mod each;
mod ipc;
#[cfg(test)]
mod tests;

pub use ipc::EventHandle;

use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::captures::InCapture;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::panic::Place;
use crate::runtime::current;
use crate::stream::{Capture, Stream};
use core::ffi::c_void;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
///
/// A clone is the same event, equal to the original. `(&event).await` waits without blocking the thread:
/// [`Event::finished`].
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

/// A driver event and its context.
struct EventInner {
    handle: CUevent,
    context: &'static Context,
    options: EventOptions,
    /// The work before the point where it was recorded, if it was.
    places: Mutex<Option<Vec<Place>>>,
    /// The capture in which it was recorded last.
    captured: Mutex<Option<Arc<Capture>>>,
}

/// Options for [`Event::with`].
///
/// ```
/// use ptyx::{Event, EventOptions, Stream};
/// // An event that only orders work costs less without a time stamp.
/// let ready = Event::with(&EventOptions::new().timing(false))?;
/// ready.record(&Stream::new()?)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventOptions {
    timing: bool,
    blocking_sync: bool,
    interprocess: bool,
}

impl Default for EventOptions {
    fn default() -> EventOptions {
        EventOptions::new()
    }
}

impl EventOptions {
    /// With a time stamp, for this process only. The host waits according to the device's flags.
    ///
    /// ```
    /// assert_eq!(ptyx::EventOptions::new(), ptyx::EventOptions::default());
    /// ```
    pub const fn new() -> EventOptions {
        EventOptions { timing: true, blocking_sync: false, interprocess: false }
    }

    /// Whether the event has a time stamp, for [`Event::elapsed`].
    ///
    /// ```
    /// use ptyx::{Error, Event, EventOptions, Stream};
    /// let (start, end) = (Event::new()?, Event::with(&EventOptions::new().timing(false))?);
    /// let stream = Stream::new()?;
    /// start.record(&stream)?;
    /// end.record(&stream)?;
    /// assert!(matches!(Event::elapsed(&start, &end), Err(Error::EventTime { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn timing(mut self, timing: bool) -> EventOptions {
        self.timing = timing;
        self
    }

    /// Whether a thread that waits for the event sleeps instead of spinning.
    ///
    /// ```
    /// use ptyx::{Event, EventOptions, Stream};
    /// let end = Event::with(&EventOptions::new().blocking_sync(true))?;
    /// end.record(&Stream::new()?)?;
    /// end.synchronize()?; // asleep
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn blocking_sync(mut self, blocking: bool) -> EventOptions {
        self.blocking_sync = blocking;
        self
    }

    /// Whether other processes can wait for the event. Such an event has no time stamp.
    ///
    /// ```
    /// use ptyx::{Event, EventOptions};
    /// let shared = Event::with(&EventOptions::new().interprocess(true))?;
    /// assert!(shared.is_done()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn interprocess(mut self, interprocess: bool) -> EventOptions {
        self.interprocess = interprocess;
        self
    }

    /// Whether there is a time stamp.
    fn is_timed(&self) -> bool {
        self.timing && !self.interprocess
    }

    fn flags(&self) -> u32 {
        let each = [
            (!self.is_timed(), CU_EVENT_DISABLE_TIMING),
            (self.blocking_sync, CU_EVENT_BLOCKING_SYNC),
            (self.interprocess, CU_EVENT_INTERPROCESS),
        ];
        each.iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, flag)| flags | flag)
    }
}

impl Event {
    /// A new event on the thread's device, not recorded yet.
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
        Event::with(&EventOptions::new())
    }

    /// A new event on the thread's device, with options
    /// ([`cuEventCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)).
    ///
    /// ```
    /// use ptyx::{Event, EventOptions};
    /// let event = Event::with(&EventOptions::new().timing(false).blocking_sync(true))?;
    /// assert!(event.is_done()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or the driver can't create another event.
    pub fn with(options: &EventOptions) -> Result<Event> {
        Event::of(current()?, options)
    }

    /// A new event of a device.
    pub(crate) fn of(context: &'static Context, options: &EventOptions) -> Result<Event> {
        context.bind()?;
        let mut handle = CUevent::NULL;
        // SAFETY: `handle` is a valid place, and the context is bound.
        unsafe { context.driver.cuEventCreate(&mut handle, options.flags()) }?;
        let (options, places) = (options.clone(), Mutex::default());
        let captured = Mutex::default();
        Ok(Event(Arc::new(EventInner { handle, context, options, places, captured })))
    }

    /// Marks the point after all work submitted to `stream` so far ([`cuEventRecord`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)).
    /// An event that was already recorded moves to the new point.
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
        let EventInner { handle, context, .. } = *self.0;
        context.expect("the event", stream.context())?;
        context.bind()?;
        // Locked, so that threads that record the event at once leave the places of the last one.
        let mut places = self.lock();
        let mut captured = self.captured();
        // See `Capture::members`.
        let own = stream.0.capture();
        let is_other =
            |known: &&Arc<Capture>| !own.as_ref().is_some_and(|own| Arc::ptr_eq(own, known));
        let before = captured.as_ref().filter(is_other).cloned();
        let _members = before.as_ref().map(|capture| (capture.members(), InCapture::new()));
        // With the event locked, as in `Stream::wait`.
        let _entry = stream.enter();
        // SAFETY: event and stream are alive and of one context.
        unsafe { context.driver.cuEventRecord(handle, stream.handle()) }?;
        *captured = stream.0.capture();
        *places = Some(stream.0.places());
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Place>>> {
        self.0.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The capture in which it was recorded last.
    fn captured(&self) -> MutexGuard<'_, Option<Arc<Capture>>> {
        self.0.captured.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error if it was recorded in a capture, where nothing runs.
    fn refuse_captured(&self, call: &'static str) -> Result<(), Failure> {
        match *self.captured() {
            Some(_) => Err(Failure { call, code: CUDA_ERROR_CAPTURED_EVENT }),
            None => Ok(()),
        }
    }

    /// The work before the point where it was recorded.
    pub(crate) fn places(&self) -> Vec<Place> {
        self.lock().clone().unwrap_or_default()
    }

    /// Whether the event has been recorded.
    ///
    /// ```
    /// use ptyx::{Event, Stream};
    /// let event = Event::new()?;
    /// assert!(!event.is_recorded());
    /// event.record(&Stream::new()?)?;
    /// assert!(event.is_recorded());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_recorded(&self) -> bool {
        self.lock().is_some()
    }

    /// Waits until the work before the event is done ([`cuEventSynchronize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)). An event that was never
    /// recorded is already done.
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
        self.refuse_captured("Event::synchronize")?;
        let places = self.places();
        let EventInner { handle, context, .. } = *self.0;
        context.bind()?;
        let Context { driver, prints, .. } = context;
        // SAFETY: the event is alive.
        let wait = || unsafe { driver.cuEventSynchronize(handle) };
        // SAFETY: as above.
        let is_done = || unsafe { driver.cuEventQuery(handle) };
        prints.wait(driver, wait, Some(&is_done))?;
        match places.iter().find_map(|place| place.slot.take(place.last)) {
            Some(panic) => Err(context.panicked(panic)),
            None => Ok(()),
        }
    }

    /// Whether the work before the event is done ([`cuEventQuery`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)).
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
        self.refuse_captured("Event::is_done")?;
        self.0.context.bind()?;
        // SAFETY: the event is alive.
        match unsafe { self.0.context.driver.cuEventQuery(self.0.handle) } {
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
    /// [`Error::EventTime`] if an event was never recorded, has no time stamp, or has not been reached, or if they
    /// belong to different devices; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn elapsed(start: &Event, end: &Event) -> Result<Duration> {
        let no_time = |reason| Err(Error::EventTime { reason });
        if !start.is_recorded() || !end.is_recorded() {
            return no_time("one of them was never recorded: call `Event::record` first");
        }
        if !start.0.options.is_timed() || !end.0.options.is_timed() {
            return no_time(
                "one of them was made without a time stamp: see `EventOptions::timing`",
            );
        }
        start.refuse_captured("Event::elapsed")?;
        if !core::ptr::eq(start.0.context, end.0.context) {
            return no_time("they belong to different devices, whose clocks differ");
        }
        end.synchronize()?;
        let mut milliseconds = 0.0;
        let (driver, first, last) = (end.0.context.driver, start.0.handle, end.0.handle);
        // SAFETY: the place is valid and both events are alive.
        match unsafe { driver.cuEventElapsedTime(&mut milliseconds, first, last) } {
            Err(Failure { code: CUDA_ERROR_NOT_READY, .. }) => {
                return no_time(
                    "the first one has not been reached: the work before it in its stream is not done; \
                     wait for it with `Event::synchronize` first",
                );
            }
            other => other?,
        }
        // Negative if the events were recorded in the other order.
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) * 1e-3).unwrap_or_default())
    }

    /// Runs `work`, then waits for the default stream of the thread's device. Returns the result of `work`
    /// and the time that the device took for the work in that stream.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event};
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
    /// let (copy, time) = Event::time(|| {
    ///     buffer.fill(1)?;
    ///     buffer.try_clone()
    /// })?;
    /// println!("filled and copied in {time:?}");
    /// assert_eq!(copy.to_vec()?, [1; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error of `work`; those of [`Event::new`], [`Event::record`] and [`Event::synchronize`].
    pub fn time<R>(work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
        let (start, end) = (Event::new()?, Event::new()?);
        let stream = start.0.context.default_stream()?;
        start.record(stream)?;
        let result = work()?;
        end.record(stream)?;
        Ok((result, Event::elapsed(&start, &end)?))
    }

    /// The driver's handle (`CUevent`), for other libraries. It is valid as long as a clone of the event lives.
    ///
    /// ```
    /// let event = ptyx::Event::new()?;
    /// assert!(!event.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut c_void {
        self.0.handle.0
    }

    /// The index of the event's device.
    ///
    /// ```
    /// use ptyx::{Device, Event};
    /// assert_eq!(Event::new()?.device_index(), Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    pub(crate) fn handle(&self) -> CUevent {
        self.0.handle
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.0.context
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
        // Locked, so that nobody records the event elsewhere meanwhile; in the same order as in `Event::record`.
        let places = event.lock();
        let captured = event.captured();
        match &*captured {
            Some(capture) if !capture.is_open() => {
                let code = CUDA_ERROR_CAPTURED_EVENT;
                return Err(Failure { call: "Stream::wait", code }.into());
            }
            Some(capture) if self.0.capture().is_none() => {
                return self.join(capture, event.handle());
            }
            _ => {}
        }
        let _entry = self.enter();
        match (self.0.capture(), &*captured) {
            (None, None) => {}
            (Some(own), Some(other)) if Arc::ptr_eq(&own, other) => {}
            // What was never recorded is done.
            (Some(_), None) if places.is_none() => return Ok(()),
            (Some(_), None) => {
                let code = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
                return Err(Failure { call: "Stream::wait", code }.into());
            }
            _ => {
                let code = CUDA_ERROR_STREAM_CAPTURE_MERGE;
                return Err(Failure { call: "Stream::wait", code }.into());
            }
        }
        // SAFETY: stream and event are alive.
        unsafe { self.0.context.driver.cuStreamWaitEvent(self.0.handle, event.handle(), 0) }?;
        self.0.follow(places.as_deref().unwrap_or_default());
        Ok(())
    }
}

impl Drop for EventInner {
    fn drop(&mut self) {
        let EventInner { handle, context, .. } = *self;
        let captured = self.captured.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        after_host_function(move || {
            // See `Capture::members`.
            let _members = captured.as_ref().map(|capture| (capture.members(), InCapture::new()));
            if context.bind().is_ok() {
                // SAFETY: this was the last handle; the driver keeps what pending work needs.
                let _ = unsafe { context.driver.cuEventDestroy(handle) };
            }
        });
    }
}

/// Two events are equal if one is a clone of the other.
impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Event {}

impl Hash for Event {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(device {}, {:?})", self.0.context.ordinal, self.0.handle)
    }
}
