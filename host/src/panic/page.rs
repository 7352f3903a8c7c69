//! Where kernels report panics: a record in host memory that the device can write, and a lock in
//! device memory that the first panicking thread takes.

#[cfg(not(ptyx_device))]
use super::describe::describe;
use crate::driver::Driver;
use crate::driver::types::*;
use crate::error::{KernelPanic, Result};
use crate::stream::Stream;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};
use ptyx_device::panic::{COMPLETE, IDLE, PanicRecord, PanicRuntime};

/// Set by the host while it reads: nobody else takes the record meanwhile.
const TAKEN: u32 = 3;

/// A context's panic record, in pinned memory mapped into the device's address space. It is never
/// freed, as kernels may write it until the process ends.
pub(crate) struct PanicPage {
    host: *mut PanicRecord,
    /// The record's address on the device.
    device: CUdeviceptr,
    /// The lock: 0, or 1 once a kernel has panicked.
    lock: CUdeviceptr,
}

// SAFETY: the host reads the record only after taking it by an atomic exchange of its state.
unsafe impl Send for PanicPage {}
// SAFETY: as above.
unsafe impl Sync for PanicPage {}

impl PanicPage {
    /// Allocates the record. The context must be bound.
    pub(crate) fn new(driver: &Driver) -> Result<PanicPage> {
        let mut host = ptr::null_mut();
        let (mut device, mut lock) = (0, 0);
        let flags = CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE;
        // SAFETY: the places are valid; the memory is large enough for the record, and zeroes are
        // an idle one.
        unsafe {
            driver.cuMemHostAlloc(&mut host, size_of::<PanicRecord>(), flags)?;
            ptr::write_bytes(host.cast::<u8>(), 0, size_of::<PanicRecord>());
            driver.cuMemHostGetDevicePointer(&mut device, host, 0)?;
            driver.cuMemAlloc(&mut lock, size_of::<u32>())?;
        }
        Ok(PanicPage { host: host.cast(), device, lock })
    }

    /// What a module needs to report its panics here, under a kernel's number.
    pub(crate) fn runtime(&self, kernel: u64) -> PanicRuntime {
        PanicRuntime {
            record: self.device as *mut PanicRecord,
            lock: self.lock as *mut u32,
            kernel,
        }
    }

    /// Lets kernels report again. The context must be bound.
    pub(crate) fn unlock(&self, driver: &Driver, stream: &Stream) -> Result<()> {
        // SAFETY: the lock is never freed; the stream is alive.
        unsafe { driver.cuMemsetD32Async(self.lock, 0, 1, stream.handle()) }?;
        Ok(stream.0.finish()?)
    }

    /// The record of a kernel that has panicked, once. [`PanicPage::unlock`] must follow.
    pub(crate) fn take(&self) -> Option<KernelPanic> {
        // SAFETY: the record is never freed, and its state is only used atomically while kernels
        // may write it.
        let state = unsafe { AtomicU32::from_ptr(&raw mut (*self.host).state) };
        if state.load(Ordering::Relaxed) != COMPLETE {
            return None;
        }
        state.compare_exchange(COMPLETE, TAKEN, Ordering::Acquire, Ordering::Relaxed).ok()?;
        // SAFETY: a complete record is written by no kernel until it is idle again.
        let record = unsafe { self.host.read_volatile() };
        state.store(IDLE, Ordering::Release);
        // Nothing of the host runs in the device pass, which does without the image's types.
        #[cfg(ptyx_device)]
        {
            let _ = record;
            None
        }
        #[cfg(not(ptyx_device))]
        {
            Some(describe(&record))
        }
    }
}
