//! Streams: queues of work on a device.

mod callback;
mod capture;
mod captured_memory;
mod collected;
mod entry;
mod foreign;
mod gate;
mod host_function;
mod options;
mod policy;
mod standing;
#[cfg(test)]
mod tests;

pub(crate) use capture::{Capture, EXPOSED, open_captures};
pub(crate) use collected::{CapturedMemory, Collected, GraphSlot, Guard, Part};
pub(crate) use entry::{Again, Binding, Bound, Entry};
pub(crate) use gate::{Gates, Shared};
pub use options::StreamOptions;
pub use policy::SyncPolicy;
pub(crate) use standing::{Entered, Standing};

use crate::context::{Attached, Context, Job, abandon_jobs, after_host_function, jobs_given};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::launched::{Launched, Recent, find_by, suspects};
use crate::panic::{Place, Slot, add_place};
use crate::runtime::current;
use core::ffi::c_void;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// A queue of work: kernels and copies in one stream run in order; those in different streams may
/// overlap.
///
/// Streams are non-blocking: no stream implicitly waits for another, not even for a default stream. If
/// two streams use the same memory, Ptyx makes the later use wait for the earlier one.
///
/// When a kernel panics, the first call that waits for it returns the error: a call that waits for its
/// stream, for a stream or an event that waited for it, or for a buffer that it used. Later calls don't
/// repeat the error, with one exception: when another thread copies a buffer that the kernel may have
/// written to the host, that thread gets the error too, once.
///
/// A clone is the same stream, equal to the original. A stream may be dropped while work is pending in it; the work
/// still runs.
///
/// ```
/// use ptyx::{DeviceBuffer, Stream};
/// let (first, second) = (Stream::new()?, Stream::new()?);
/// let mut a = DeviceBuffer::<u32>::zeroed(100)?;
/// let mut b = DeviceBuffer::<u32>::zeroed(100)?;
/// a.fill_on(3, &first)?;
/// b.copy_from_buffer_on(&a, &second)?; // runs after the fill
/// second.synchronize()?;
/// assert!(second.is_idle()?);
/// # assert_eq!(b.to_vec()?, [3; 100]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct Stream(pub(crate) Arc<StreamInner>);

/// A driver stream and its context.
pub(crate) struct StreamInner {
    pub(crate) handle: CUstream,
    pub(crate) context: &'static Context,
    /// Unique among all streams that this process has made.
    pub(crate) id: u64,
    /// Whose it is, if not Ptyx's.
    foreign: Option<foreign::Owner>,
    /// How many host functions it has been given.
    functions: AtomicU64,
    /// Locked while a function's number is taken. Whether calls before an earlier function may still be open.
    numbering: Mutex<bool>,
    /// How many calls have noted a use of memory and not yet submitted their work to the stream: those that began
    /// when `functions` was even, and odd.
    entered: [AtomicU32; 2],
    /// How many launches are about to be submitted whose uses of memory are noted: see [`standing`].
    standing: AtomicU32,
    /// Whether its work goes into a graph.
    membership: capture::Membership,
    /// How many calls are about to ask the driver whether its work is done, or to wait for that: it must not be captured then.
    waiting: AtomicU32,
    /// Where its kernels report panics, from the first launch that may panic.
    slot: OnceLock<StreamSlot>,
    /// Launches that have noted their uses of memory with a number that another thread's launch took.
    overtaken: Mutex<VecDeque<Overtaken>>,
    /// Its last launches.
    pub(crate) recent: Recent,
    /// The code of a fault that was found by a wait which can't return it, such as that of a drop; 0 for none. The emulated
    /// device reports a fault only once.
    untold: AtomicU32,
    /// Places in other streams that it waits for. Waiting for this stream reports their panics, too.
    upstream: Mutex<Vec<Place>>,
}

/// Launches that have noted their uses of memory with numbers of this range, while others took these numbers.
struct Overtaken {
    noted: RangeInclusive<u64>,
    /// The last number that one of them has.
    number: u64,
}

/// How many overtaken launches a stream remembers singly. Of older ones it knows only the last number: then who waits for
/// one of them may be told of another's panic, but of all panics that the wait is for.
const OVERTAKEN: usize = 256;

/// How long a wait for a stream that failed pauses before it is made again.
const PAUSE: Duration = Duration::from_micros(20);

/// How often a wait for a stream is tried again.
const ATTEMPTS: usize = 100;

/// A stream's slot for panics. The stream counts its launches from 1; the slot continues the count of
/// the streams that had it before.
#[derive(Clone, Copy)]
struct StreamSlot {
    slot: &'static Slot,
    /// The number of the last launch of another stream.
    before: u64,
}

impl StreamInner {
    /// A new stream.
    fn create(context: &'static Context, options: &StreamOptions) -> Result<StreamInner, Failure> {
        context.bind()?;
        let handle = options.create(context.driver)?;
        Ok(StreamInner::of_handle(context, handle, None))
    }

    /// A stream of the driver, which belongs to Ptyx if no one else is named.
    fn of_handle(
        context: &'static Context,
        handle: CUstream,
        foreign: Option<foreign::Owner>,
    ) -> StreamInner {
        static STREAMS: AtomicU64 = AtomicU64::new(0);
        StreamInner {
            handle,
            context,
            id: STREAMS.fetch_add(1, Ordering::Relaxed),
            foreign,
            functions: AtomicU64::new(0),
            numbering: Mutex::default(),
            entered: Default::default(),
            standing: AtomicU32::new(0),
            membership: capture::Membership::default(),
            waiting: AtomicU32::new(0),
            slot: OnceLock::new(),
            overtaken: Mutex::default(),
            recent: Recent::default(),
            untold: AtomicU32::default(),
            upstream: Mutex::default(),
        }
    }

    /// The slot's address and the launch's number, for a launch of a kernel that may panic and whose uses of memory are
    /// noted with the number `noted`.
    #[inline]
    pub(crate) fn next_launch(
        &self,
        launched: &'static Launched,
        noted: u64,
    ) -> Result<(CUdeviceptr, u32)> {
        let slot = match self.slot.get() {
            Some(slot) => slot,
            None => {
                let taken = self.context.take_panic_slot()?;
                let fresh = StreamSlot { slot: taken, before: taken.last_launch() };
                let own = self.slot.get_or_init(|| fresh);
                if !core::ptr::eq(own.slot, taken) {
                    // Another thread was faster.
                    self.context.panics.give_back_unused(taken);
                }
                own
            }
        };
        let number = slot.slot.next_launch(launched);
        if number - slot.before != noted {
            self.overtake(noted, number - slot.before);
        }
        // The device knows the lower half: see `Slot`.
        Ok((slot.slot.address(), number as u32))
    }

    /// The same for a launch whose uses of memory are noted for all numbers to come ([`Standing`]).
    #[inline]
    pub(crate) fn next_standing(&self, launched: &'static Launched) -> Result<(CUdeviceptr, u32)> {
        let Some(StreamSlot { slot, .. }) = self.slot.get() else {
            return self.next_launch(launched, 1);
        };
        Ok((slot.address(), slot.next_launch(launched) as u32))
    }

    /// Another thread's launch took the number with which a launch has noted its uses of memory.
    #[cold]
    fn overtake(&self, noted: u64, number: u64) {
        let mut overtaken = self.overtaken.lock().unwrap_or_else(PoisonError::into_inner);
        if overtaken.len() == OVERTAKEN
            && let Some(oldest) = overtaken.pop_front()
            && let Some(next) = overtaken.front_mut()
        {
            let first = *oldest.noted.start().min(next.noted.start());
            let last = *oldest.noted.end().max(next.noted.end());
            *next = Overtaken { noted: first..=last, number: oldest.number.max(next.number) };
        }
        overtaken.push_back(Overtaken { noted: noted..=noted, number });
    }

    /// The number of the last launch among those whose uses were noted with the numbers from `first` to `last`.
    pub(crate) fn last_of(&self, first: u64, last: u64) -> u64 {
        let overtaken = self.overtaken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |of: &&Overtaken| *of.noted.start() <= last && first <= *of.noted.end();
        overtaken.iter().filter(is_meant).map(|of| of.number).fold(last, u64::max)
    }

    /// The number of the last launch that may panic.
    #[inline]
    pub(crate) fn last_launch(&self) -> u64 {
        self.slot.get().map_or(0, |own| own.slot.last_launch() - own.before)
    }

    /// Everything submitted so far, and what it waits for.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = self.upstream().clone();
        if let Some(StreamSlot { slot, .. }) = self.slot.get() {
            add_place(&mut places, Place { slot, last: slot.last_launch() });
        }
        places
    }

    fn upstream(&self) -> MutexGuard<'_, Vec<Place>> {
        self.upstream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the stream waits for these places.
    pub(crate) fn follow(&self, places: &[Place]) {
        if places.is_empty() {
            return;
        }
        let mut upstream = self.upstream();
        for &place in places {
            add_place(&mut upstream, place);
        }
    }

    /// Whether a panic of its own kernels has not been reported yet.
    pub(crate) fn has_report(&self) -> bool {
        self.slot.get().is_some_and(|own| own.slot.has_report())
    }

    /// The error of a panicked launch: one up to number `last`, or one that the stream waited for. It is
    /// returned once. The caller has waited for the stream.
    pub(crate) fn check_panics(&self, last: u64) -> Result<()> {
        let own = self.slot.get().and_then(|own| own.slot.take(own.before.saturating_add(last)));
        let panic = own.or_else(|| {
            let upstream = self.upstream().clone();
            upstream.iter().find_map(|place| place.slot.take(place.last))
        });
        match panic {
            Some(panic) => Err(self.context.panicked(panic)),
            None => Ok(()),
        }
    }

    /// The panic of one of these launches that was reported to another thread, but not to this one. It is
    /// returned once.
    pub(crate) fn told_to_others(&self, launches: RangeInclusive<u64>) -> Result<()> {
        let in_slot = |own: &StreamSlot| {
            own.slot.told_to_others(own.before + launches.start()..=own.before + launches.end())
        };
        match self.slot.get().and_then(in_slot) {
            Some(panic) => Err(self.context.panicked(panic)),
            None => Ok(()),
        }
    }

    /// Waits until the stream has done its work. Panics of kernels are left for later.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let Context { driver, prints, .. } = self.context;
        self.context.bind()?;
        let waiting = self.wait_uncaptured();
        if let Some(past) = self.past() {
            drop(waiting);
            return past.finish();
        }
        let launches = self.recent.count();
        // SAFETY: the stream is alive.
        let wait = || unsafe { driver.cuStreamSynchronize(self.handle) };
        // SAFETY: as above.
        let is_done = || unsafe { driver.cuStreamQuery(self.handle) };
        let given = jobs_given();
        let waited = prints.wait(driver, wait, Some(&is_done));
        if waited.is_err_and(|failure| is_fault(failure.code)) {
            // A GPU is lost then, with all its streams.
            let is_behind = |job: &Job| job.inside.stream == self.id || !driver.is_emulated();
            abandon_jobs(given, |job| core::ptr::eq(job.context, self.context) && is_behind(job));
        }
        waited?;
        self.recent.are_done(launches);
        match self.take_untold() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// The fault that has not been reported yet. It is returned once.
    pub(crate) fn take_untold(&self) -> Option<Failure> {
        match self.untold.load(Ordering::Relaxed) {
            0 => None,
            _ => untold(self.untold.swap(0, Ordering::AcqRel)),
        }
    }

    /// Waits until the stream has done its work. Failures in it are left for the next synchronisation: the
    /// emulated device reports a fault once, to a call that waits, while a query leaves it in place. So a fault that this
    /// wait finds is kept for the stream's or the device's next synchronisation.
    ///
    /// The caller then uses or frees memory, so a failed call is not the end: only a fault, after which nothing runs.
    /// Returns false if the driver can't say whether the stream is done: many calls in a row that wait or ask have failed,
    /// and so does a wait for the whole device. Memory that the stream uses must then stay as it is. Captures on this or
    /// other threads neither forbid it nor are spoilt by it.
    pub(crate) fn settle(&self) -> bool {
        let _relaxed = self.context.driver.relaxed();
        let mut attempts = 0;
        while attempts < ATTEMPTS {
            let asked = self.query();
            match asked {
                Ok(true) => return true,
                Err(failure) if is_over(failure.code) => return true,
                _ => {}
            }
            match self.finish() {
                Ok(()) => return true,
                Err(failure) if is_over(failure.code) => {
                    if is_fault(failure.code) {
                        self.untold.store(failure.code, Ordering::Release);
                    }
                    return true;
                }
                // If a capture of the stream begins meanwhile, the driver refuses; then Ptyx knows of the capture.
                Err(_) => {}
            }
            // As long as the driver says that the stream is busy, it is.
            if asked.is_err() || self.past().is_some() {
                attempts += 1;
            }
            std::thread::sleep(PAUSE);
        }
        // It would spoil all captures on the device.
        if self.context.has_captures() {
            return false;
        }
        // SAFETY: no precondition.
        let waited =
            self.context.bind().and_then(|()| unsafe { self.context.driver.cuCtxSynchronize() });
        waited.is_ok_and(|()| self.past().is_none())
    }

    /// Whether one of these launches has panicked and was reported.
    pub(crate) fn has_told(&self, launches: RangeInclusive<u64>) -> bool {
        self.slot.get().is_some_and(|own| {
            own.slot.has_told(own.before + launches.start()..=own.before + launches.end())
        })
    }

    /// Whether the stream has nothing left to do. Not while it is captured. Captures of this or other threads don't forbid
    /// it: the caller does not wait for the stream.
    pub(crate) fn is_idle(&self) -> Result<bool, Failure> {
        let _relaxed = self.context.driver.relaxed();
        self.query()
    }

    /// The same for the program's own call, which a capture may forbid.
    fn query(&self) -> Result<bool, Failure> {
        let _waiting = self.wait_uncaptured();
        if self.past().is_some() {
            return Ok(false);
        }
        if let Some(failure) = untold(self.untold.load(Ordering::Acquire)) {
            return Err(failure);
        }
        self.context.bind()?;
        let launches = self.recent.count();
        // SAFETY: the stream is alive.
        match unsafe { self.context.driver.cuStreamQuery(self.handle) } {
            Ok(()) => {
                self.recent.are_done(launches);
                Ok(true)
            }
            Err(Failure { code: CUDA_ERROR_NOT_READY, .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Whether nothing runs any more after a result: that of a kernel that has failed, or of a driver or context that is gone.
fn is_over(code: CUresult) -> bool {
    const GONE: [CUresult; 3] =
        [CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_CONTEXT_IS_DESTROYED];
    is_fault(code) || GONE.contains(&code)
}

/// The failure of this code, unless it is 0.
fn untold(code: CUresult) -> Option<Failure> {
    (code != 0).then_some(Failure { call: "cuStreamSynchronize", code })
}

impl Drop for StreamInner {
    fn drop(&mut self) {
        if let Some(failure) = self.take_untold() {
            self.context.keep_untold(failure);
        }
        let (context, handle, own) = (self.context, self.handle, self.slot.get().copied());
        let foreign = self.foreign.take();
        after_host_function(move || {
            if context.bind().is_err() {
                return;
            }
            if let Some(own) = own {
                context.panics.give_back(context.driver, own.slot, handle);
            }
            if let Some(owner) = foreign {
                drop(owner);
                // Its library may have changed the thread's context.
                let _ = context.bind_again();
                return;
            }
            // SAFETY: this was the last handle. Pending work goes on; an error has no one to go to.
            let _ = unsafe { context.driver.cuStreamDestroy(handle) };
        });
    }
}

impl Stream {
    /// A new stream on the thread's device ([`cuStreamCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html), non-blocking).
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let zeros = ptyx::DeviceBuffer::<f32>::zeroed_on(100, &stream)?;
    /// assert_eq!(zeros.to_vec()?, [0.0; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or the driver can't create another stream.
    pub fn new() -> Result<Stream> {
        Stream::with(&StreamOptions::new())
    }

    /// A new stream on the thread's device, with options
    /// ([`cuStreamCreateWithPriority`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{Device, Stream, StreamOptions};
    /// let greatest = *Device::current()?.stream_priorities()?.start();
    /// let urgent = Stream::with(&StreamOptions::new().priority(greatest))?;
    /// assert_eq!(urgent.priority()?, greatest);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or the driver can't create another stream.
    pub fn with(options: &StreamOptions) -> Result<Stream> {
        Ok(Stream::of(current()?, options)?)
    }

    /// A new stream of a device.
    pub(crate) fn of(
        context: &'static Context,
        options: &StreamOptions,
    ) -> Result<Stream, Failure> {
        let inner = Arc::new(StreamInner::create(context, options)?);
        all_streams(context).add(&inner);
        Ok(Stream(inner))
    }

    /// Waits until all work submitted to this stream so far is done ([`cuStreamSynchronize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill_on(3, &stream)?;
    /// stream.synchronize()?; // the buffer is filled
    /// assert!(stream.is_idle()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn synchronize(&self) -> Result<()> {
        self.0.refuse_capture("Stream::synchronize")?;
        let last = self.0.last_launch();
        self.0.finish()?;
        self.0.check_panics(last)?;
        self.0.context.host_panics.report(Some(self.0.id))
    }

    /// Whether all work submitted to this stream is done ([`cuStreamQuery`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill_on(3, &stream)?;
    /// let mut polls = 0;
    /// while !stream.is_idle()? {
    ///     polls += 1; // the host can do something else meanwhile
    /// }
    /// println!("done after {polls} polls");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fault`] of a kernel that ran.
    pub fn is_idle(&self) -> Result<bool> {
        Ok(self.0.query()?)
    }

    /// The index of the stream's device.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// assert_eq!(stream.device_index(), ptyx::Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    /// The driver's handle (`CUstream`), for other libraries. It is valid as long as a clone of the stream lives.
    /// Work that other libraries submit to the stream is ordered with the stream's own, but buffers don't track it.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// assert!(!stream.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut c_void {
        self.0.handle.0
    }

    #[inline]
    pub(crate) fn context(&self) -> &'static Context {
        self.0.context
    }

    #[inline]
    pub(crate) fn handle(&self) -> CUstream {
        self.0.handle
    }

    /// Whether both are the same stream.
    #[inline]
    pub(crate) fn is(&self, other: &Stream) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Makes later work in this stream wait for all work that `other` has been given so far.
    pub(crate) fn wait_for(&self, other: &Stream) -> Result<(), Failure> {
        if self.is(other) {
            return Ok(());
        }
        other.precede(self)?;
        self.0.follow(&other.0.places());
        Ok(())
    }

    /// Makes later work in `later` wait for all work that this stream has been given so far; if the stream is captured
    /// and `later` is not, for what it was given before.
    pub(crate) fn precede(&self, later: &Stream) -> Result<(), Failure> {
        let is_of_later =
            |own: &Arc<Capture>| later.0.capture().is_some_and(|other| Arc::ptr_eq(own, &other));
        if let Some(capture) = self.0.capture().filter(is_of_later) {
            return capture.order(self, later);
        }
        self.precede_handle(later.handle())
    }

    /// The same for a stream of the driver that is not captured.
    pub(crate) fn precede_handle(&self, later: CUstream) -> Result<(), Failure> {
        // So that a capture does not begin before the event is recorded.
        let _entry = self.enter();
        let context = self.context();
        match self.0.past() {
            None => context.order(self.handle(), later),
            Some(past) => {
                context.bind()?;
                // SAFETY: stream and event are alive.
                unsafe { context.driver.cuStreamWaitEvent(later, past.event, 0) }
            }
        }
    }

    /// An error unless the stream is on `context`'s device.
    #[inline]
    pub(crate) fn expect_on(&self, context: &Context) -> Result<(), Error> {
        context.expect("the stream", self.0.context)
    }
}

/// A device's streams.
#[derive(Default)]
pub(crate) struct AllStreams(Mutex<Vec<Weak<StreamInner>>>);

/// The streams of a device that Ptyx has made.
pub(crate) fn all_streams(context: &Context) -> &'static AllStreams {
    static ALL: Attached<AllStreams> = Attached::new();
    ALL.of(context)
}

impl AllStreams {
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<StreamInner>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, stream: &Arc<StreamInner>) {
        find_by(|report| match Context::bound() {
            Some(context) => all_streams(context).suspects(report),
            None => Vec::new(),
        });
        let mut all = self.lock();
        // The list has room for as many again whenever it grows, so tidying costs little.
        if all.len() == all.capacity() {
            all.retain(|stream| stream.strong_count() > 0);
        }
        all.push(Arc::downgrade(stream));
    }

    /// The streams that have launched something, and how much.
    pub(crate) fn launches(&self) -> Vec<(Stream, u64)> {
        let count = |stream: Stream| (stream.0.recent.count(), stream);
        let some = self.alive().into_iter().map(count).filter(|(count, _)| *count > 0);
        some.map(|(count, stream)| (stream, count)).collect()
    }

    /// The launches that a fault of the device may come from.
    fn suspects(&self, report: Option<&str>) -> Vec<String> {
        let alive = self.alive();
        suspects(alive.iter().map(|stream| &stream.0.recent), report)
    }

    /// Those that are alive.
    pub(crate) fn alive(&self) -> Vec<Stream> {
        self.lock().iter().filter_map(Weak::upgrade).map(Stream).collect()
    }
}

/// Two streams are equal if one is a clone of the other.
impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        self.is(other)
    }
}

impl Eq for Stream {}

impl Hash for Stream {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream(device {}, {:?})", self.0.context.ordinal, self.0.handle)
    }
}
