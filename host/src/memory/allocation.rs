//! An allocation of device memory, with the streams that use it.

use super::pool::MemoryPool;
use super::tracker::{Access, Tracker};
use super::untracked::untracked;
use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::host_function::inside;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::stream::{Entry, Stream};
use core::ops::Range;
use core::sync::atomic::{AtomicU8, Ordering};

/// Device memory. It is freed when nothing uses it any more: in stream order where the device has
/// pools, else after waiting for the streams that use it.
pub(crate) struct Allocation {
    pub(crate) context: &'static Context,
    address: CUdeviceptr,
    pub(crate) bytes: usize,
    pub(crate) tracker: Tracker,
    /// Whether its address was taken ([`super::untracked`]): [`HIDDEN`], [`EXPOSING`] or [`EXPOSED`].
    exposed: AtomicU8,
}

/// No raw pointer points there.
const HIDDEN: u8 = 0;
/// Uses note themselves as uses of exposed memory; those before are not noted yet.
const EXPOSING: u8 = 1;
/// All uses are noted: the address can be given away.
const EXPOSED: u8 = 2;

/// Every allocation starts at a multiple of this many bytes.
pub(crate) const ALIGNMENT: usize = 256;

impl Allocation {
    /// Allocates `bytes` bytes of unknown content, ready for work on `stream`, from a pool of its device; without one,
    /// from the device's current pool.
    pub(super) fn new(
        stream: &Stream,
        bytes: usize,
        pool: Option<&MemoryPool>,
    ) -> Result<Allocation> {
        let context = stream.context();
        if bytes == 0 {
            let tracker = Tracker::default();
            return Ok(Allocation { context, address: 0, bytes, tracker, exposed: HIDDEN.into() });
        }
        context.bind()?;
        let mut address = 0;
        // An atomic of the last byte takes its whole word, which `compute-sanitizer` would report. The emulated
        // device knows that, and is to report everything else behind the last byte.
        let asked = if context.driver.is_emulated() { bytes } else { bytes.next_multiple_of(4) };
        let mut allocate = || {
            let (driver, stream) = (context.driver, stream.handle());
            // SAFETY: `address` is a valid place, the context is bound, stream and pool are alive.
            unsafe {
                match pool {
                    Some(pool) => {
                        driver.cuMemAllocFromPoolAsync(&mut address, asked, pool.parts().1, stream)
                    }
                    None if context.pools => driver.cuMemAllocAsync(&mut address, asked, stream),
                    None => driver.cuMemAlloc(&mut address, asked),
                }
            }
        };
        let is_exhausted = |allocated: &Result<(), Failure>| {
            matches!(allocated, Err(Failure { code: CUDA_ERROR_OUT_OF_MEMORY, .. }))
        };
        let mut allocated = allocate();
        if is_exhausted(&allocated) && context.pools {
            context.release_freed();
            allocated = allocate();
        }
        if is_exhausted(&allocated) {
            let limit = pool.and_then(|pool| Some((pool.parts().2?, pool.statistics().ok()?.used)));
            let (free, total) = match limit {
                Some((limit, used)) => (limit.saturating_sub(used as usize), limit),
                None => context.memory().unwrap_or((0, 0)),
            };
            return Err(Error::OutOfMemory { bytes, free, total });
        }
        allocated?;
        let tracker = match context.pools {
            // Other streams must wait until the allocation has happened.
            true => Tracker::written_by(stream, bytes),
            false => Tracker::default(),
        };
        Ok(Allocation { context, address, bytes, tracker, exposed: HIDDEN.into() })
    }

    /// The address of a byte of the allocation.
    pub(crate) fn address(&self, offset: usize) -> CUdeviceptr {
        self.address + offset as CUdeviceptr
    }

    /// Makes `entry`'s stream wait for what an access of `range` conflicts with, and notes it.
    #[inline]
    pub(crate) fn order(
        &self,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        entry.stream().context().expect("a buffer", self.context)?;
        let is_empty = range.is_empty();
        self.tracker.order(entry, range, access)?;
        // After it: whoever exposes the memory meanwhile finds the use in the tracker, or it is exposed here.
        if self.is_exposed() && !is_empty {
            untracked(self.context).use_exposed(entry.stream())?;
        }
        Ok(())
    }

    /// Notes that raw pointers may point here. When this returns, on whatever thread, all uses so far are noted.
    pub(crate) fn expose(&self) {
        if self.bytes > 0 && self.exposed.load(Ordering::SeqCst) != EXPOSED {
            untracked(self.context).expose(|| {
                self.exposed.store(EXPOSING, Ordering::SeqCst);
                self.tracker.streams()
            });
            self.exposed.store(EXPOSED, Ordering::SeqCst);
        }
    }

    /// Whether raw pointers may point here.
    #[inline]
    pub(crate) fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::SeqCst) != HIDDEN
    }

    /// Frees the memory after all work that uses it.
    fn free(&self) -> Result<(), Failure> {
        let driver = self.context.driver;
        self.context.bind()?;
        let mut streams = self.tracker.streams();
        if self.is_exposed() {
            let launching = untracked(self.context).launching().into_iter();
            let new: Vec<_> =
                launching.filter(|stream| !streams.iter().any(|known| known.is(stream))).collect();
            streams.extend(new);
        }
        if !self.context.pools {
            for stream in &streams {
                stream.0.settle();
            }
            // SAFETY: no stream uses the memory any more, and this is its only owner.
            return unsafe { driver.cuMemFree(self.address) };
        }
        let stream = match streams.first() {
            Some(first) => first.handle(),
            // Nothing is pending: any stream will do, and the default one always exists.
            None => CUstream::NULL,
        };
        for other in streams.iter().skip(1) {
            if self.context.order(other.handle(), stream).is_err() {
                // Then the host waits.
                other.0.settle();
                other.0.is_idle()?;
            }
        }
        // SAFETY: on this stream, nothing uses the memory any more, and this is its only owner.
        unsafe { driver.cuMemFreeAsync(self.address, stream) }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        if inside().is_some() {
            let Allocation { context, address, bytes, .. } = *self;
            let tracker = core::mem::take(&mut self.tracker);
            let exposed = self.exposed.load(Ordering::SeqCst).into();
            // Dropped again there, where the driver may be called.
            let moved = Allocation { context, address, bytes, tracker, exposed };
            return after_host_function(move || drop(moved));
        }
        // The driver refuses when a kernel has faulted or the process ends. Either way the
        // memory goes with the context.
        let _ = self.free();
    }
}
