//! The events by which profiles time work. They exist while any profile does.

use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::types::*;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

/// What the profiles that run at the same time share.
#[derive(Default)]
pub(super) struct Session(Mutex<Vec<OfDevice>>);

/// What there is for a device.
struct OfDevice {
    context: &'static Context,
    /// Events that are free again.
    free: Vec<CUevent>,
    /// An event and when it was, by the host's clock.
    base: Option<(CUevent, Instant)>,
}

/// The session of the profiles that run.
static SESSION: Mutex<Weak<Session>> = Mutex::new(Weak::new());

/// When something ran, by the host's clock, and how long.
pub(super) type Times = (Instant, Duration);

/// Two events around work.
pub(super) struct Timer {
    pub(super) context: &'static Context,
    start: CUevent,
    end: CUevent,
}

impl Session {
    /// The session of the profiles that run, or a new one.
    pub(super) fn join() -> Arc<Session> {
        let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
        session.upgrade().unwrap_or_else(|| {
            let new = Arc::new(Session::default());
            *session = Arc::downgrade(&new);
            new
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<OfDevice>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accesses what there is for a device. `look` must not call the driver.
    fn of<R>(&self, context: &'static Context, look: impl FnOnce(&mut OfDevice) -> R) -> R {
        let mut devices = self.lock();
        let known = devices.iter().position(|known| core::ptr::eq(known.context, context));
        let at = known.unwrap_or_else(|| {
            devices.push(OfDevice { context, free: Vec::new(), base: None });
            devices.len() - 1
        });
        look(&mut devices[at])
    }

    /// An event. The context is bound.
    fn event(&self, context: &'static Context) -> Result<CUevent, Failure> {
        if let Some(event) = self.of(context, |device| device.free.pop()) {
            return Ok(event);
        }
        let mut event = CUevent::NULL;
        // SAFETY: the place is valid, the context bound.
        unsafe { context.driver.cuEventCreate(&mut event, 0) }?;
        Ok(event)
    }

    fn give_back(&self, context: &'static Context, event: CUevent) {
        self.of(context, |device| device.free.push(event));
    }

    /// Relates the device's clock to the host's, the first time. The context is bound.
    fn set_base(&self, context: &'static Context) -> Result<(), Failure> {
        if self.of(context, |device| device.base.is_some()) {
            return Ok(());
        }
        let (driver, mut stream) = (context.driver, CUstream::NULL);
        let event = self.event(context)?;
        let _relaxed = driver.relaxed();
        // In a stream that has nothing else to do, so that the event is reached at once.
        // SAFETY: the place is valid, the context bound; the stream lives until it is destroyed here.
        let recorded = unsafe {
            driver.cuStreamCreate(&mut stream, CU_STREAM_NON_BLOCKING).and_then(|()| {
                let recorded = driver
                    .cuEventRecord(event, stream)
                    .and_then(|()| driver.cuEventSynchronize(event));
                let _ = driver.cuStreamDestroy(stream);
                recorded
            })
        };
        let now = Instant::now();
        // Unless another thread was faster.
        let is_set = recorded.is_ok()
            && self.of(context, |device| match device.base {
                Some(_) => false,
                None => device.base.replace((event, now)).is_none(),
            });
        if !is_set {
            self.give_back(context, event);
        }
        recorded
    }

    /// Marks the beginning of work in a stream. The stream's context is bound.
    pub(super) fn begin(
        &self,
        context: &'static Context,
        stream: CUstream,
    ) -> Result<Timer, Failure> {
        self.set_base(context)?;
        let start = self.event(context)?;
        let begun = self.event(context).and_then(|end| {
            let timer = Timer { context, start, end };
            // SAFETY: event and stream are alive.
            match unsafe { context.driver.cuEventRecord(start, stream) } {
                Ok(()) => Ok(timer),
                Err(failure) => {
                    self.give_back(context, end);
                    Err(failure)
                }
            }
        });
        if begun.is_err() {
            self.give_back(context, start);
        }
        begun
    }

    /// Marks the end of the work.
    pub(super) fn end(&self, timer: &Timer, stream: CUstream) -> Result<(), Failure> {
        // SAFETY: event and stream are alive.
        unsafe { timer.context.driver.cuEventRecord(timer.end, stream) }
    }

    /// Discards a timer.
    pub(super) fn cancel(&self, timer: Timer) {
        self.give_back(timer.context, timer.start);
        self.give_back(timer.context, timer.end);
    }

    /// Whether the work is known to be done. False if the driver returns an error.
    pub(super) fn is_done(&self, timer: &Timer) -> bool {
        let _relaxed = timer.context.driver.relaxed();
        // SAFETY: the event is alive.
        unsafe { timer.context.driver.cuEventQuery(timer.end) }.is_ok()
    }

    /// Waits for the work.
    pub(super) fn wait(&self, timer: &Timer) -> Result<(), Failure> {
        let Context { driver, prints, .. } = timer.context;
        timer.context.bind()?;
        // SAFETY: the event is alive.
        let wait = || unsafe { driver.cuEventSynchronize(timer.end) };
        // SAFETY: as above.
        let is_done = || unsafe { driver.cuEventQuery(timer.end) };
        prints.wait(driver, wait, Some(&is_done))
    }

    /// When the work ran. It is done.
    pub(super) fn times(&self, timer: Timer) -> Option<Times> {
        let base = self.of(timer.context, |device| device.base);
        let between = |from: CUevent, to: CUevent| {
            let mut milliseconds = 0.0;
            // SAFETY: the place is valid, the events are alive.
            unsafe { timer.context.driver.cuEventElapsedTime(&mut milliseconds, from, to) }.ok()?;
            Some(Duration::try_from_secs_f64(f64::from(milliseconds) * 1e-3).unwrap_or_default())
        };
        let times = base.and_then(|(event, at)| {
            Some((at + between(event, timer.start)?, between(timer.start, timer.end)?))
        });
        self.cancel(timer);
        times
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for device in core::mem::take(&mut *self.lock()) {
            let OfDevice { context, free, base } = device;
            let events = free.into_iter().chain(base.map(|(event, _)| event));
            let events: Vec<CUevent> = events.collect();
            after_host_function(move || {
                if context.bind().is_ok() {
                    for event in events {
                        // SAFETY: nobody else has it.
                        let _ = unsafe { context.driver.cuEventDestroy(event) };
                    }
                }
            });
        }
    }
}
