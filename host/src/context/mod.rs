//! A device's primary context: what every call of the driver needs.
//!
//! What later modules keep for each context is [`attached`] to it.

mod attached;
mod host_functions;
mod limits;
mod own_kernel;
mod settings;

pub(crate) use attached::Attached;
pub(crate) use host_functions::{
    HostPanics, Job, abandon_jobs, after_host_function, await_call, jobs_given, take_job,
};
pub(crate) use own_kernel::OwnKernel;

use crate::driver::types::*;
use crate::driver::{Driver, Failure, text_of};
use crate::error::{Error, KernelPanic, Result};
use crate::panic::{Slot, Slots};
use crate::print::Prints;
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use limits::StackOwner;
use std::sync::{Mutex, PoisonError, RwLock};

/// A device's primary context. It is retained at first use and lives as long as the process.
pub(crate) struct Context {
    pub(crate) driver: &'static Driver,
    /// Unique among the contexts of this process.
    id: u64,
    /// The device's number.
    pub(crate) ordinal: u32,
    pub(crate) device: CUdevice,
    pub(crate) name: String,
    /// Compute capability, times ten.
    pub(crate) capability: u32,
    handle: CUcontext,
    /// The device was reset: there is another context now.
    is_destroyed: AtomicBool,
    /// The pool that the device has from the start, if memory can be allocated and freed in stream order.
    pub(crate) default_pool: Option<CUmemoryPool>,
    /// An event that is recorded and waited for under this lock, then free for the next pair.
    scratch: Mutex<Option<CUevent>>,
    /// Where kernels report panics.
    pub(crate) panics: Slots,
    /// What kernels print.
    pub(crate) prints: Prints,
    /// Panics of the host's functions in streams.
    pub(crate) host_panics: HostPanics,
    /// The code of a fault in a stream that has been dropped, which has not been reported yet; 0 for none.
    untold: AtomicU32,
    /// Captures of its streams: meanwhile nothing may wait for the whole context.
    captures: RwLock<Captures>,
    /// Who has set the stack of threads; locked while it is changed.
    pub(crate) stack: Mutex<StackOwner>,
}

/// Waits for all streams of a device that Ptyx has made.
type FinishStreams = fn(&'static Context) -> Result<(), Failure>;

/// Captures of a device's streams.
#[derive(Default)]
struct Captures {
    count: u32,
    finish_streams: Option<FinishStreams>,
}

thread_local! {
    /// The context that the driver has as this thread's. None while `PTYX_DEBUG` is on, so that [`Context::bind`] asks
    /// each time.
    static BOUND: Cell<Option<&'static Context>> = const { Cell::new(None) };
    /// The context that this crate made the thread's last.
    static LAST: Cell<Option<&'static Context>> = const { Cell::new(None) };
}

impl Context {
    /// Retains the primary context of a device.
    pub(crate) fn new(driver: &'static Driver, ordinal: u32) -> Result<Context> {
        let mut device = 0;
        let mut handle = CUcontext::NULL;
        let mut name = [0; 256];
        // SAFETY: each place is valid for what the driver writes there.
        unsafe {
            driver.cuDeviceGet(&mut device, ordinal.cast_signed())?;
            driver.cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device)?;
            driver.cuDevicePrimaryCtxRetain(&mut handle, device)?;
        }
        let attribute = |id| device_attribute(driver, device, id);
        let capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? * 10
            + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let default_pool = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
            .is_ok_and(|supported| supported != 0)
            .then(|| default_pool(driver, device).ok())
            .flatten();
        static CONTEXTS: AtomicU64 = AtomicU64::new(0);
        Ok(Context {
            driver,
            id: CONTEXTS.fetch_add(1, Ordering::Relaxed),
            ordinal,
            device,
            name: text_of(&name),
            capability: capability.unsigned_abs(),
            handle,
            is_destroyed: AtomicBool::new(false),
            default_pool,
            scratch: Mutex::new(None),
            panics: Slots::default(),
            prints: Prints::default(),
            host_panics: HostPanics::default(),
            untold: AtomicU32::default(),
            captures: RwLock::default(),
            stack: Mutex::default(),
        })
    }

    /// Makes this the driver's context for the calling thread.
    #[inline]
    pub(crate) fn bind(&'static self) -> Result<(), Failure> {
        // `try_with` is inlined where `get` is not.
        match BOUND.try_with(Cell::get) {
            Ok(Some(bound)) if core::ptr::eq(bound, self) && !self.is_destroyed() => Ok(()),
            _ => self.bind_now(),
        }
    }

    #[cold]
    fn bind_now(&'static self) -> Result<(), Failure> {
        let is_last = LAST.get().is_some_and(|last| core::ptr::eq(last, self));
        match is_last && !self.is_destroyed() && self.driver.checks() {
            true => self.bind_checked(),
            false => self.bind_again(),
        }
    }

    /// The calling thread has no context any more.
    #[cfg(not(ptyx_device))]
    pub(crate) fn unbind() {
        BOUND.set(None);
    }

    /// The context that is bound to the calling thread.
    pub(crate) fn bound() -> Option<&'static Context> {
        LAST.get()
    }

    /// Like [`Context::bind`], also when foreign code has changed the thread's context.
    pub(crate) fn bind_again(&'static self) -> Result<(), Failure> {
        if self.is_destroyed() {
            return Err(Failure { call: "cuCtxSetCurrent", code: CUDA_ERROR_CONTEXT_IS_DESTROYED });
        }
        // SAFETY: the primary context is never released, and this one was not reset.
        unsafe { self.driver.cuCtxSetCurrent(self.handle) }?;
        BOUND.set((!self.driver.checks()).then_some(self));
        LAST.set(Some(self));
        Ok(())
    }

    /// Like [`Context::bind`], where `PTYX_DEBUG` asks whether the driver's context is still the thread's.
    #[cold]
    fn bind_checked(&'static self) -> Result<(), Failure> {
        let mut current = CUcontext::NULL;
        // SAFETY: the place is valid.
        unsafe { self.driver.cuCtxGetCurrent(&mut current) }?;
        if current == self.handle {
            return Ok(());
        }
        eprintln!(
            "ptyx: PTYX_DEBUG: other code has made another CUDA context current on this thread; device {}'s is \
             current again, but without PTYX_DEBUG it would not be: call `Device::make_current` after such code",
            self.ordinal
        );
        self.bind_again()
    }

    /// Whether the device was reset since. Then nothing of this context may be given to the driver.
    #[inline]
    pub(crate) fn is_destroyed(&self) -> bool {
        self.is_destroyed.load(Ordering::Acquire)
    }

    /// Destroys all that the context has
    /// ([`cuDevicePrimaryCtxReset`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html)).
    ///
    /// # Safety
    /// No other thread uses the device meanwhile, and what was made there is only dropped from now on.
    pub(crate) unsafe fn destroy(&'static self) -> Result<(), Failure> {
        self.is_destroyed.store(true, Ordering::Release);
        let given = jobs_given();
        // SAFETY: the caller's promise.
        let reset = unsafe { self.driver.cuDevicePrimaryCtxReset(self.device) };
        abandon_jobs(given, |job| core::ptr::eq(job.context, self));
        reset
    }

    /// Tells the context from all others of the process.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The driver's handle.
    pub(crate) fn raw(&self) -> CUcontext {
        self.handle
    }

    /// An attribute of the device, by its number in `cuda.h`.
    pub(crate) fn attribute(&self, id: i32) -> Result<i32, Failure> {
        device_attribute(self.driver, self.device, id)
    }

    /// Makes `later`, which is not captured, wait for everything submitted to `earlier` so far.
    pub(crate) fn order(&'static self, earlier: CUstream, later: CUstream) -> Result<(), Failure> {
        self.order_by(&self.scratch, earlier, later)
    }

    /// The same by an event of the caller, which is made if there is none yet.
    pub(crate) fn order_by(
        &'static self,
        event: &Mutex<Option<CUevent>>,
        earlier: CUstream,
        later: CUstream,
    ) -> Result<(), Failure> {
        self.bind()?;
        let mut known = event.lock().unwrap_or_else(PoisonError::into_inner);
        let event = match *known {
            Some(event) => event,
            None => {
                let mut event = CUevent::NULL;
                // SAFETY: `event` is a valid place, and the context is bound.
                unsafe { self.driver.cuEventCreate(&mut event, CU_EVENT_DISABLE_TIMING) }?;
                *known.insert(event)
            }
        };
        // SAFETY: event and streams are alive. The wait takes the event's state now, so the lock's
        // next owner may record it again.
        unsafe {
            self.driver.cuEventRecord(event, earlier)?;
            self.driver.cuStreamWaitEvent(later, event, 0)
        }
    }

    /// A slot for the panics of a new stream.
    pub(crate) fn take_panic_slot(&'static self) -> Result<&'static Slot> {
        self.bind()?;
        self.panics.take(self.driver)
    }

    /// The error of a kernel that has panicked.
    pub(crate) fn panicked(&'static self, mut panic: KernelPanic) -> Error {
        self.explain_heap(&mut panic.message);
        Error::KernelPanic(Box::new(panic))
    }

    /// Waits for everything submitted to the device, and reports what failed.
    pub(crate) fn synchronize(&'static self) -> Result<()> {
        self.bind()?;
        let wait = || {
            self.bind()?;
            self.finish()
        };
        let given = jobs_given();
        let waited = self.prints.wait(self.driver, wait, None);
        if waited.is_err_and(|failure| is_fault(failure.code)) {
            abandon_jobs(given, |job| core::ptr::eq(job.context, self));
        }
        waited?;
        match self.untold.swap(0, Ordering::AcqRel) {
            0 => {}
            code => return Err(Failure { call: "cuCtxSynchronize", code }.into()),
        }
        match self.panics.take_report() {
            Some(panic) => Err(self.panicked(panic)),
            None => self.host_panics.report(None),
        }
    }

    /// Keeps a fault in a stream that is being dropped for the next synchronisation of the device.
    pub(crate) fn keep_untold(&self, failure: Failure) {
        self.untold.store(failure.code, Ordering::Release);
    }

    /// Waits for everything submitted to the device; while streams are captured, for each of Ptyx's streams.
    pub(crate) fn finish(&'static self) -> Result<(), Failure> {
        // Locked until the end: no capture begins meanwhile.
        let captures = self.captures.read().unwrap_or_else(PoisonError::into_inner);
        match captures.finish_streams.filter(|_| captures.count > 0) {
            // SAFETY: no precondition.
            None => unsafe { self.driver.cuCtxSynchronize() },
            Some(finish_streams) => {
                drop(captures);
                finish_streams(self)
            }
        }
    }

    /// A capture begins. What waits for the device calls `finish_streams` instead of the driver's function, until it ends.
    pub(crate) fn begin_capture(&self, finish_streams: FinishStreams) {
        let mut captures = self.captures.write().unwrap_or_else(PoisonError::into_inner);
        captures.count += 1;
        captures.finish_streams = Some(finish_streams);
    }

    /// Whether a stream is captured.
    pub(crate) fn has_captures(&self) -> bool {
        self.captures.read().unwrap_or_else(PoisonError::into_inner).count > 0
    }

    /// A capture has ended.
    pub(crate) fn end_capture(&self) {
        self.captures.write().unwrap_or_else(PoisonError::into_inner).count -= 1;
    }

    /// Free and total bytes of the device's memory.
    pub(crate) fn memory(&'static self) -> Result<(usize, usize)> {
        self.bind()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both places are valid.
        unsafe { self.driver.cuMemGetInfo(&mut free, &mut total) }?;
        Ok((free, total))
    }

    /// An error unless `other` is this context.
    #[inline]
    pub(crate) fn expect(&self, what: &'static str, other: &Context) -> Result<()> {
        if core::ptr::eq(self, other) {
            return Ok(());
        }
        Err(Error::WrongDevice { what, expected: self.ordinal, found: other.ordinal })
    }
}

fn device_attribute(driver: &Driver, device: CUdevice, id: i32) -> Result<i32, Failure> {
    let mut value = 0;
    // SAFETY: `value` is a valid place.
    unsafe { driver.cuDeviceGetAttribute(&mut value, id, device) }?;
    Ok(value)
}

/// The default pool. It keeps freed memory across synchronisations from now on, so that the next allocation is
/// cheap.
fn default_pool(driver: &Driver, device: CUdevice) -> Result<CUmemoryPool, Failure> {
    let mut pool = CUmemoryPool::NULL;
    let mut threshold = u64::MAX;
    // SAFETY: the places are valid, and the attribute is a 64-bit number.
    unsafe {
        driver.cuDeviceGetDefaultMemPool(&mut pool, device)?;
        driver.cuMemPoolSetAttribute(
            pool,
            CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
            (&raw mut threshold).cast(),
        )?;
    }
    Ok(pool)
}
