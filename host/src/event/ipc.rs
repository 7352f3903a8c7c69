//! Events that several processes share.

use super::{Event, EventInner, EventOptions};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use core::fmt;
use std::sync::{Arc, Mutex};

/// An event of a process, for other processes of the same machine
/// ([`cuIpcGetEventHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)): bytes that can be sent to
/// them in any way. [`Event::share`] makes one, [`Event::open`] opens it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("cudaIpcEventHandle_t", "CUipcEventHandle"))]
pub struct EventHandle(CUipcEventHandle);

impl EventHandle {
    /// The bytes to be sent: those of the driver's `CUipcEventHandle`.
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0.bytes
    }

    /// The handle of which these are the bytes.
    pub const fn from_bytes(bytes: [u8; 64]) -> EventHandle {
        EventHandle(CUipcEventHandle { bytes })
    }
}

impl fmt::Debug for EventHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventHandle(..)")
    }
}

impl Event {
    /// Lets other processes wait for the event, and record it. It must be an [interprocess](EventOptions::interprocess) one.
    ///
    /// ```
    /// use ptyx::{Event, EventOptions};
    /// let ready = Event::with(&EventOptions::new().interprocess(true))?;
    /// let handle = ready.share()?.to_bytes(); // to be sent to another process
    /// # let _ = handle;
    /// assert!(Event::new()?.share().is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotShareable`] for another event; [`Error::Driver`] with `CUDA_ERROR_NOT_SUPPORTED` on systems without.
    #[doc(alias("cudaIpcGetEventHandle", "cuIpcGetEventHandle"))]
    pub fn share(&self) -> Result<EventHandle> {
        let EventInner { handle, context, ref options, .. } = *self.0;
        if !options.interprocess {
            return Err(Error::NotShareable);
        }
        context.bind()?;
        let mut shared = CUipcEventHandle { bytes: [0; 64] };
        // SAFETY: a valid place, and an event that is alive.
        unsafe { context.driver.cuIpcGetEventHandle(&mut shared, handle) }?;
        Ok(EventHandle(shared))
    }

    /// Opens an event of another process, on the thread's device. A wait is for the latest recording at that time,
    /// whichever process made it. Panics of kernels are reported in their own process.
    ///
    /// # Errors
    /// [`Error::Driver`]: `CUDA_ERROR_INVALID_CONTEXT` if the handle is of this process, another one if it is none, or of a
    /// process that has ended.
    #[doc(alias("cudaIpcOpenEventHandle", "cuIpcOpenEventHandle"))]
    pub fn open(handle: &EventHandle) -> Result<Event> {
        let context = current()?;
        context.bind()?;
        let mut event = CUevent::NULL;
        // SAFETY: a valid place; the driver checks the handle.
        unsafe { context.driver.cuIpcOpenEventHandle(&mut event, handle.0) }?;
        let (handle, options) = (event, EventOptions::new().interprocess(true));
        let (places, captured) = (Mutex::default(), Mutex::default());
        Ok(Event(Arc::new(EventInner { handle, context, options, places, captured })))
    }
}
