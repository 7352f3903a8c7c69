//! Where kernels report panics: a slot for each stream that launches kernels which may panic.
//!
//! A slot is a record in host memory that the device can write, and a word in device memory with which
//! the first panicking thread of a launch claims it ([`ptyx_device::panic`]). A launch is known by its
//! number in the slot, so the host can tell whether it has waited for the launch that panicked.
//!
//! A stream takes a slot at its first such launch and gives it back when it is dropped. Until its work
//! is done and its report read, the slot is set aside; `Device::synchronize` reads it there.

#[cfg(not(ptyx_device))]
use super::describe::describe;
use crate::driver::types::*;
use crate::driver::{Driver, Failure};
use crate::error::{Error, KernelPanic, Result};
use crate::launched::{self, Launched};
use core::mem::offset_of;
use core::ops::RangeInclusive;
use core::panic::Location;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use ptyx_device::panic::{COMPLETE, IDLE, PanicRecord, PanicSlot};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// Set by the host while it reads, so that nothing else takes the record meanwhile.
const TAKEN: u32 = 3;

/// How many slots are made at once.
const CHUNK: usize = 32;

/// How many of a slot's panics are kept for threads to which they have not been reported.
const REMEMBERED: usize = 64;

/// Of how many launches a slot knows the place. A panic is mostly read soon after, but not before the work that follows is done.
const SITES: usize = 128;

/// A stream's slot. It is never freed, because kernels may write it until the process ends.
pub(crate) struct Slot {
    record: *mut PanicRecord,
    /// The slot's address on the device.
    address: CUdeviceptr,
    /// How many launches were given this slot.
    launches: AtomicU64,
    /// The last of these launches, by number.
    sites: [launched::Place; SITES],
    /// How many of the record's `others` have been reported.
    others_told: AtomicU32,
    reported: Mutex<VecDeque<Reported>>,
    /// How many reports were read.
    read: AtomicU64,
    /// Where the graph that has the slot was launched last; null if a stream has it.
    graph: AtomicPtr<Location<'static>>,
}

/// A panic that the host knows of.
struct Reported {
    launch: u64,
    panic: KernelPanic,
    /// The threads to which it was reported.
    to: Vec<ThreadId>,
}

// SAFETY: the host reads the record only after taking it by an atomic exchange of its state.
unsafe impl Send for Slot {}
// SAFETY: as above.
unsafe impl Sync for Slot {}

impl Slot {
    /// The slot's address on the device.
    #[inline]
    pub(crate) fn address(&self) -> CUdeviceptr {
        self.address
    }

    /// The number of the next launch.
    #[inline]
    pub(crate) fn next_launch(&self, launched: &'static Launched) -> u64 {
        let number = self.launches.fetch_add(1, Ordering::Relaxed) + 1;
        self.sites[number as usize % SITES].set(launched);
        number
    }

    /// The place of a launch, unless too many came after it.
    #[cfg(not(ptyx_device))]
    fn site(&self, number: u64) -> Option<String> {
        let launched = self.sites[number as usize % SITES].get();
        // After reading, so that none that came meanwhile is taken for it.
        core::sync::atomic::fence(Ordering::Acquire);
        let is_kept = self.last_launch() - number < SITES as u64;
        launched.filter(|_| is_kept).map(|launched| launched.place.to_string())
    }

    /// The number of the last launch.
    #[inline]
    pub(crate) fn last_launch(&self) -> u64 {
        self.launches.load(Ordering::Relaxed)
    }

    /// The address of the word that has the number of the launch that panicked last.
    pub(crate) fn claim(&self) -> CUdeviceptr {
        self.address + offset_of!(PanicSlot, latest) as CUdeviceptr
    }

    /// Notes where the graph that has the slot is launched; none when it gives the slot back.
    pub(crate) fn set_graph_launch(&self, place: Option<&'static Location<'static>>) {
        let place = place.map_or(null_mut(), |place| core::ptr::from_ref(place).cast_mut());
        self.graph.store(place, Ordering::Release);
    }

    #[cfg(not(ptyx_device))]
    fn graph_launch(&self) -> Option<&'static Location<'static>> {
        // SAFETY: null, or a reference to a static location.
        unsafe { self.graph.load(Ordering::Acquire).as_ref() }
    }

    /// How many reports were read.
    pub(crate) fn times_read(&self) -> u64 {
        self.read.load(Ordering::Acquire)
    }

    fn state(&self) -> &AtomicU32 {
        // SAFETY: the record is never freed, and its state is only used atomically while kernels may
        // write it.
        unsafe { AtomicU32::from_ptr(&raw mut (*self.record).state) }
    }

    /// Launches that panicked while the record was taken.
    fn others(&self) -> u32 {
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(&raw mut (*self.record).others) }.load(Ordering::Relaxed)
    }

    /// Whether a panic has not been reported yet.
    pub(crate) fn has_report(&self) -> bool {
        self.state().load(Ordering::Acquire) != IDLE
            || self.others() != self.others_told.load(Ordering::Relaxed)
    }

    /// The panic of a launch up to number `last`, once; the caller has waited for that launch.
    pub(crate) fn take(&self, last: u64) -> Option<KernelPanic> {
        match self.state().load(Ordering::Acquire) {
            COMPLETE => {}
            // The words of an earlier panic were being read when these launches panicked.
            IDLE if self.others() != self.others_told.load(Ordering::Relaxed) => {
                let others = self.others();
                let count = others.wrapping_sub(self.others_told.swap(others, Ordering::Relaxed));
                return (count > 0).then(|| KernelPanic::lost(count));
            }
            _ => return None,
        }
        // SAFETY: a complete record is written by no kernel until it is idle again.
        let launch = self.number_of(unsafe { (&raw const (*self.record).launch).read_volatile() });
        if launch > last {
            return None;
        }
        self.state()
            .compare_exchange(COMPLETE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            .ok()?;
        // SAFETY: as above.
        let record = unsafe { self.record.read_volatile() };
        let others = record.others;
        let more = others.wrapping_sub(self.others_told.swap(others, Ordering::Relaxed));
        self.state().store(IDLE, Ordering::Release);
        self.read.fetch_add(1, Ordering::AcqRel);
        // Host code never runs in the device pass, which lacks the image's types.
        #[cfg(ptyx_device)]
        {
            let _ = (record, more);
            None
        }
        #[cfg(not(ptyx_device))]
        {
            let graph = self.graph_launch().map(|place| place.to_string());
            let (launch_place, described) = (self.site(launch), describe(&record));
            let panic = KernelPanic { others: more, graph, launch: launch_place, ..described };
            let to = vec![std::thread::current().id()];
            let mut reported = self.reported();
            reported.truncate(REMEMBERED - 1);
            reported.push_front(Reported { launch, panic: panic.clone(), to });
            Some(panic)
        }
    }

    /// The panic of one of `launches` that was reported to another thread, but not to this one; once.
    pub(crate) fn told_to_others(&self, launches: RangeInclusive<u64>) -> Option<KernelPanic> {
        let this = std::thread::current().id();
        let mut reported = self.reported();
        let unknown =
            |known: &&mut Reported| launches.contains(&known.launch) && !known.to.contains(&this);
        let known = reported.iter_mut().find(unknown)?;
        known.to.push(this);
        Some(known.panic.clone())
    }

    /// Whether the panic of one of `launches` was reported to some thread, as far as is remembered.
    pub(crate) fn has_told(&self, launches: RangeInclusive<u64>) -> bool {
        self.reported().iter().any(|known| launches.contains(&known.launch))
    }

    fn reported(&self) -> MutexGuard<'_, VecDeque<Reported>> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The full number of a launch, of which the device knows only 32 bits: no later launch is pending.
    fn number_of(&self, low: u32) -> u64 {
        let last = self.last_launch();
        last - u64::from((last as u32).wrapping_sub(low))
    }
}

/// A place in a stream: everything up to a launch.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) slot: &'static Slot,
    /// The number of the launch.
    pub(crate) last: u64,
}

/// Adds a place to a list, unless the list has it or a later one.
pub(crate) fn add_place(places: &mut Vec<Place>, place: Place) {
    match places.iter_mut().find(|known| core::ptr::eq(known.slot, place.slot)) {
        Some(known) => known.last = known.last.max(place.last),
        None => places.push(place),
    }
}

/// The slots of a device.
#[derive(Default)]
pub(crate) struct Slots(Mutex<Pool>);

#[derive(Default)]
struct Pool {
    all: Vec<&'static Slot>,
    free: Vec<&'static Slot>,
    /// Those of dropped streams, each with an event after the stream's work.
    leaving: Vec<(&'static Slot, Option<CUevent>)>,
}

impl Slots {
    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot that no stream has. The context is bound.
    pub(crate) fn take(&self, driver: &Driver) -> Result<&'static Slot> {
        let mut pool = self.lock();
        pool.collect(driver);
        if pool.free.is_empty() {
            let made = make(driver)?;
            pool.all.extend(&made);
            pool.free = made;
        }
        // It was just filled; but an error is better than a panic.
        pool.free.pop().ok_or(Error::DevicePass)
    }

    /// Takes back the slot of a stream that is dropped. The context is bound.
    pub(crate) fn give_back(&self, driver: &Driver, slot: &'static Slot, stream: CUstream) {
        let mut event = CUevent::NULL;
        // SAFETY: `event` is a valid place, the context bound, and the stream alive.
        let recorded = unsafe {
            driver
                .cuEventCreate(&mut event, CU_EVENT_DISABLE_TIMING)
                .and_then(|()| driver.cuEventRecord(event, stream))
        };
        self.lock().leaving.push((slot, recorded.is_ok().then_some(event)));
    }

    /// Takes back a slot that no launch was given.
    pub(crate) fn give_back_unused(&self, slot: &'static Slot) {
        self.lock().free.push(slot);
    }

    /// A panic that has not been reported yet, after waiting for everything.
    pub(crate) fn take_report(&self) -> Option<KernelPanic> {
        let slots = self.lock().all.clone();
        slots.into_iter().find_map(|slot| slot.take(u64::MAX))
    }
}

impl Pool {
    /// Frees the slots of dropped streams whose work is done and whose reports are read.
    fn collect(&mut self, driver: &Driver) {
        let Pool { free, leaving, .. } = self;
        // No capture forbids it, as nothing waits.
        let _relaxed = (!leaving.is_empty()).then(|| driver.relaxed());
        leaving.retain(|&(slot, event)| {
            // SAFETY: the event is alive until it is destroyed below.
            let is_done = event.is_some_and(|event| unsafe { driver.cuEventQuery(event) }.is_ok());
            if !is_done || slot.has_report() {
                return true;
            }
            if let Some(event) = event {
                // SAFETY: no one else has the event. After an error, it lives until the process ends.
                let _ = unsafe { driver.cuEventDestroy(event) };
            }
            free.push(slot);
            false
        });
    }
}

/// Makes slots. The context is bound.
fn make(driver: &Driver) -> Result<Vec<&'static Slot>> {
    let mut host = core::ptr::null_mut();
    let (mut device, mut first) = (0, 0);
    let flags = CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE;
    let bytes = CHUNK * size_of::<PanicRecord>();
    let _relaxed = driver.relaxed();
    // SAFETY: the places are valid; the memory is large enough for the records, and zeroes are idle
    // ones.
    unsafe {
        driver.cuMemHostAlloc(&mut host, bytes, flags)?;
        host.cast::<u8>().write_bytes(0, bytes);
        driver.cuMemHostGetDevicePointer(&mut device, host, 0)?;
        driver.cuMemAlloc(&mut first, CHUNK * size_of::<PanicSlot>())?;
    }
    let record_on_device = |at: usize| device + (at * size_of::<PanicRecord>()) as CUdeviceptr;
    let slots: Vec<PanicSlot> = (0..CHUNK)
        .map(|at| PanicSlot { record: record_on_device(at) as *mut PanicRecord, latest: 0 })
        .collect();
    upload(driver, first, &slots)?;
    let slot = |at: usize| Slot {
        // SAFETY: one of the records just allocated.
        record: unsafe { host.cast::<PanicRecord>().add(at) },
        address: first + (at * size_of::<PanicSlot>()) as CUdeviceptr,
        launches: AtomicU64::new(0),
        sites: [const { launched::Place::new() }; SITES],
        others_told: AtomicU32::new(0),
        reported: Mutex::default(),
        read: AtomicU64::new(0),
        graph: AtomicPtr::default(),
    };
    Ok((0..CHUNK).map(|at| &*Box::leak(Box::new(slot(at)))).collect())
}

/// Copies the device's part of slots or queues there, which has room for them, and waits. The context is
/// bound.
pub(crate) fn upload<T>(driver: &Driver, to: CUdeviceptr, parts: &[T]) -> Result<(), Failure> {
    // SAFETY: the bytes are there until the copy was waited for.
    on_own_stream(driver, |stream| unsafe {
        driver.cuMemcpyHtoDAsync(to, parts.as_ptr().cast(), size_of_val(parts), stream)
    })
}

/// Submits work to a stream of its own, which waits for no other work, and waits for it. The context is
/// bound.
pub(crate) fn on_own_stream(
    driver: &Driver,
    work: impl FnOnce(CUstream) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (_relaxed, mut stream) = (driver.relaxed(), CUstream::NULL);
    // SAFETY: `stream` is a valid place; nobody else has the stream.
    unsafe {
        driver.cuStreamCreate(&mut stream, CU_STREAM_NON_BLOCKING)?;
        let given = work(stream);
        let done = driver.cuStreamSynchronize(stream);
        driver.cuStreamDestroy(stream)?;
        given.and(done)
    }
}
