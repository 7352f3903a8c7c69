//! A device's primary context, and what Ptyx keeps with it.

use crate::driver::types::*;
use crate::driver::{Driver, Failure, text_of};
use crate::error::{Error, KernelPanic, Result};
use crate::limits::StackOwner;
use crate::memory::untracked::Untracked;
use crate::panic::Slots;
use crate::runtime::runtime;
use crate::stream::{Stream, StreamInner};
use core::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A device's primary context. It is retained at first use and lives as long as the process.
pub(crate) struct Context {
    pub(crate) driver: &'static Driver,
    /// The device's number.
    pub(crate) ordinal: u32,
    pub(crate) device: CUdevice,
    pub(crate) name: String,
    /// Compute capability, times ten.
    pub(crate) capability: u32,
    handle: CUcontext,
    /// Memory is allocated and freed in stream order.
    pub(crate) pools: bool,
    /// The stream of blocking copies, so that they wait for nothing that they do not need.
    transfer: OnceLock<Stream>,
    /// An event that is recorded and waited for under this lock, then free for the next pair.
    scratch: Mutex<Option<CUevent>>,
    /// Work through raw pointers.
    pub(crate) untracked: Untracked,
    /// Where kernels report panics.
    pub(crate) panics: Slots,
    /// Who has set the stack of threads; locked while it is changed.
    pub(crate) stack: Mutex<StackOwner>,
    /// Default streams of threads that have ended.
    spare_defaults: Mutex<Vec<&'static Stream>>,
}

thread_local! {
    /// The thread's device, if it has chosen or used one.
    static CURRENT: Cell<Option<&'static Context>> = const { Cell::new(None) };
    /// The context that the driver has as this thread's.
    static BOUND: Cell<Option<&'static Context>> = const { Cell::new(None) };
    /// The default stream that the thread used last.
    static DEFAULT: Cell<Option<&'static Stream>> = const { Cell::new(None) };
    /// All its default streams: one for each device.
    static DEFAULTS: RefCell<Defaults> = const { RefCell::new(Defaults(Vec::new())) };
}

/// The default streams of a thread. When the thread ends, other threads can reuse them.
struct Defaults(Vec<&'static Stream>);

impl Drop for Defaults {
    fn drop(&mut self) {
        DEFAULT.set(None);
        for stream in self.0.drain(..) {
            stream.context().spares().push(stream);
        }
    }
}

/// The context of the thread's device: device 0 unless it has chosen another.
pub(crate) fn current() -> Result<&'static Context> {
    match CURRENT.get() {
        Some(context) => Ok(context),
        None => {
            let context = runtime()?.context(0)?;
            CURRENT.set(Some(context));
            Ok(context)
        }
    }
}

/// Makes `context` the thread's; what was there before.
pub(crate) fn set_current(context: Option<&'static Context>) -> Option<&'static Context> {
    CURRENT.replace(context)
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
        let capability = attribute(75)? * 10 + attribute(76)?;
        let pools = attribute(115).is_ok_and(|supported| supported != 0)
            && keep_pool_memory(driver, device).is_ok();
        Ok(Context {
            driver,
            ordinal,
            device,
            name: text_of(&name),
            capability: capability.unsigned_abs(),
            handle,
            pools,
            transfer: OnceLock::new(),
            scratch: Mutex::new(None),
            untracked: Untracked::default(),
            panics: Slots::default(),
            stack: Mutex::default(),
            spare_defaults: Mutex::default(),
        })
    }

    /// Makes this the driver's context for the calling thread.
    #[inline]
    pub(crate) fn bind(&'static self) -> Result<(), Failure> {
        if BOUND.get().is_some_and(|bound| core::ptr::eq(bound, self)) {
            return Ok(());
        }
        self.bind_again()
    }

    /// Like [`Context::bind`], also when foreign code has changed the thread's context.
    pub(crate) fn bind_again(&'static self) -> Result<(), Failure> {
        // SAFETY: the primary context is never released.
        unsafe { self.driver.cuCtxSetCurrent(self.handle) }?;
        BOUND.set(Some(self));
        Ok(())
    }

    /// An attribute of the device, by its number in `cuda.h`.
    pub(crate) fn attribute(&self, id: i32) -> Result<i32, Failure> {
        device_attribute(self.driver, self.device, id)
    }

    /// The thread's default stream.
    #[inline]
    pub(crate) fn default_stream(&'static self) -> Result<&'static Stream> {
        match DEFAULT.get() {
            Some(stream) if core::ptr::eq(stream.context(), self) => Ok(stream),
            _ => self.find_default_stream(),
        }
    }

    /// The error of a panicked kernel on the thread's default stream, if it is already known. It is returned
    /// once.
    pub(crate) fn check_default_stream(&'static self) -> Result<()> {
        match DEFAULT.get() {
            Some(stream) if core::ptr::eq(stream.context(), self) => {
                stream.0.check_panics(u64::MAX)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn find_default_stream(&'static self) -> Result<&'static Stream> {
        let is_ours = |stream: &&&'static Stream| core::ptr::eq(stream.context(), self);
        let known = DEFAULTS.try_with(|all| all.borrow().0.iter().find(is_ours).copied());
        let stream = match known.ok().flatten() {
            Some(stream) => stream,
            None => {
                let stream = match self.take_spare() {
                    Some(spare) => spare,
                    None => Box::leak(Box::new(Stream(Arc::new(StreamInner::create(self)?)))),
                };
                // A thread that is ending keeps none: the next one may take it at once.
                if DEFAULTS.try_with(|all| all.borrow_mut().0.push(stream)).is_err() {
                    self.spares().push(stream);
                    return Ok(stream);
                }
                stream
            }
        };
        DEFAULT.set(Some(stream));
        Ok(stream)
    }

    fn spares(&self) -> MutexGuard<'_, Vec<&'static Stream>> {
        self.spare_defaults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The default stream of a thread that has ended, if its work is done, no panic of it is left to
    /// report, and nobody has a handle of it: those would be another thread's.
    fn take_spare(&self) -> Option<&'static Stream> {
        let mut spares = self.spares();
        let is_clear = |stream: &&'static Stream| {
            Arc::strong_count(&stream.0) == 1
                && stream.0.is_idle().unwrap_or(false)
                && !stream.0.has_report()
        };
        let at = spares.iter().position(is_clear)?;
        Some(spares.swap_remove(at))
    }

    /// The stream of blocking copies.
    pub(crate) fn transfer_stream(&'static self) -> Result<&'static Stream> {
        if let Some(stream) = self.transfer.get() {
            return Ok(stream);
        }
        let stream = Stream(Arc::new(StreamInner::create(self)?));
        Ok(self.transfer.get_or_init(|| stream))
    }

    /// Makes `later` wait for everything that `earlier` has been given so far.
    pub(crate) fn order(&'static self, earlier: CUstream, later: CUstream) -> Result<(), Failure> {
        self.bind()?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let event = match *scratch {
            Some(event) => event,
            None => {
                let mut event = CUevent::NULL;
                // SAFETY: `event` is a valid place, and the context is bound.
                unsafe { self.driver.cuEventCreate(&mut event, CU_EVENT_DISABLE_TIMING) }?;
                *scratch.insert(event)
            }
        };
        // SAFETY: event and streams are alive. The wait takes the event's state now, so the lock's
        // next owner may record it again.
        unsafe {
            self.driver.cuEventRecord(event, earlier)?;
            self.driver.cuStreamWaitEvent(later, event, 0)
        }
    }

    /// The error of a kernel that has panicked.
    pub(crate) fn panicked(&'static self, mut panic: KernelPanic) -> Error {
        self.explain_heap(&mut panic.message);
        Error::KernelPanic(Box::new(panic))
    }

    /// Waits for everything that the device has been given, and reports what failed in it.
    pub(crate) fn synchronize(&'static self) -> Result<()> {
        self.bind()?;
        // SAFETY: no precondition.
        unsafe { self.driver.cuCtxSynchronize() }?;
        match self.panics.take_report() {
            Some(panic) => Err(self.panicked(panic)),
            None => Ok(()),
        }
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

/// Lets the default pool keep freed memory over synchronisations, so that the next allocation
/// is cheap.
fn keep_pool_memory(driver: &Driver, device: CUdevice) -> Result<(), Failure> {
    let mut pool = CUmemoryPool::NULL;
    let mut threshold = u64::MAX;
    // SAFETY: the places are valid, and the attribute is a 64-bit number.
    unsafe {
        driver.cuDeviceGetDefaultMemPool(&mut pool, device)?;
        driver.cuMemPoolSetAttribute(
            pool,
            CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
            (&raw mut threshold).cast(),
        )
    }
}
