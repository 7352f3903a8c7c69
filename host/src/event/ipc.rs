//! Events that several processes share.

use super::{Event, EventInner, EventOptions};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use core::fmt;
use std::sync::{Arc, Mutex};

/// A handle to an event, for other processes on the same machine
/// ([`cuIpcGetEventHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)): bytes that can be sent to
/// them in any way. [`Event::share`] makes one, [`Event::open`] opens it.
///
/// ```
/// use ptyx::{Event, EventHandle, EventOptions};
/// let event = Event::with(&EventOptions::new().interprocess(true))?;
/// let handle: EventHandle = event.share()?;
/// // The other process makes the same handle of the bytes that it receives.
/// assert_eq!(EventHandle::from_bytes(handle.to_bytes()), handle);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("cudaIpcEventHandle_t", "CUipcEventHandle"))]
pub struct EventHandle(CUipcEventHandle);

impl EventHandle {
    /// The bytes to send: those of the driver's `CUipcEventHandle`.
    ///
    /// ```
    /// use ptyx::EventHandle;
    /// let handle = EventHandle::from_bytes([7; 64]); // as another process has sent it
    /// assert_eq!(handle.to_bytes(), [7; 64]);
    /// ```
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0.bytes
    }

    /// A handle from its bytes.
    ///
    /// ```
    /// use ptyx::EventHandle;
    /// let sent: Vec<u8> = vec![7; 64]; // read from a pipe
    /// let bytes: [u8; 64] = sent.try_into().expect("64 bytes");
    /// assert_eq!(EventHandle::from_bytes(bytes).to_bytes(), bytes);
    /// ```
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
    /// Lets other processes wait for the event, and record it. It must be an
    /// [interprocess](EventOptions::interprocess) event.
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
    /// [`Error::NotShareable`] for another event; [`Error::Driver`] with `CUDA_ERROR_NOT_SUPPORTED` on systems that
    /// can't share events.
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

    /// Opens an event of another process, on the thread's device. A wait is for the latest recording at the time of the call,
    /// whichever process made it. Panics of kernels are reported in their own process.
    ///
    /// ```no_run
    /// use ptyx::{Event, EventHandle, Stream};
    /// # fn received() -> [u8; 64] { [0; 64] }
    /// let ready = Event::open(&EventHandle::from_bytes(received()))?;
    /// let stream = Stream::new()?;
    /// stream.wait(&ready)?; // later work of the stream comes after the other process's
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`]: `CUDA_ERROR_INVALID_CONTEXT` if this process made the handle; another code if the bytes are not a
    /// handle, or the process that made it has ended.
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
