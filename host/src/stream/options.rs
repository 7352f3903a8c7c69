//! Options of streams, and how to read them back.

use super::Stream;
use crate::driver::types::*;
use crate::driver::{Driver, Failure};
use crate::error::Result;

/// Options for [`Stream::with`].
///
/// ```
/// use ptyx::{Stream, StreamOptions};
/// let background = Stream::with(&StreamOptions::new().priority(0))?; // the lowest
/// # let _ = background;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamOptions {
    priority: Option<i32>,
    blocking: bool,
}

impl Default for StreamOptions {
    fn default() -> StreamOptions {
        StreamOptions::new()
    }
}

impl StreamOptions {
    /// The driver's default priority, and not [blocking](Self::blocking()).
    ///
    /// ```
    /// assert_eq!(ptyx::StreamOptions::new(), ptyx::StreamOptions::default());
    /// ```
    pub const fn new() -> StreamOptions {
        StreamOptions { priority: None, blocking: false }
    }

    /// The priority; a lower number is more urgent. Waiting blocks of a stream with a lower number start first.
    /// [`Device::stream_priorities`](crate::Device::stream_priorities) returns the range; the driver clamps other numbers
    /// to it. This is a hint, and affects only kernels.
    ///
    /// ```
    /// use ptyx::{Device, Stream, StreamOptions};
    /// let urgent = Stream::with(&StreamOptions::new().priority(i32::MIN))?;
    /// assert_eq!(urgent.priority()?, *Device::current()?.stream_priorities()?.start());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn priority(mut self, priority: i32) -> StreamOptions {
        self.priority = Some(priority);
        self
    }

    /// Whether the stream and the driver's legacy default stream wait for each other. Ptyx submits no work to that stream,
    /// but other libraries may.
    ///
    /// ```
    /// use ptyx::{Stream, StreamOptions};
    /// assert!(Stream::with(&StreamOptions::new().blocking(true))?.is_blocking()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn blocking(mut self, blocking: bool) -> StreamOptions {
        self.blocking = blocking;
        self
    }

    /// A stream of the thread's context.
    pub(super) fn create(&self, driver: &Driver) -> Result<CUstream, Failure> {
        let flags = if self.blocking { 0 } else { CU_STREAM_NON_BLOCKING };
        let mut handle = CUstream::NULL;
        // SAFETY: `handle` is a valid place, and a context is bound.
        unsafe {
            match self.priority {
                None => driver.cuStreamCreate(&mut handle, flags),
                Some(priority) => driver.cuStreamCreateWithPriority(&mut handle, flags, priority),
            }
        }?;
        Ok(handle)
    }
}

impl Stream {
    /// The stream's priority; a lower number is more urgent
    /// ([`cuStreamGetPriority`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{Device, Stream};
    /// assert!(Device::current()?.stream_priorities()?.contains(&Stream::new()?.priority()?));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn priority(&self) -> Result<i32> {
        self.0.context.bind()?;
        let mut priority = 0;
        // SAFETY: the place is valid, the stream alive.
        unsafe { self.0.context.driver.cuStreamGetPriority(self.0.handle, &mut priority) }?;
        Ok(priority)
    }

    /// The stream's flags, as defined in `cuda.h`
    /// ([`cuStreamGetFlags`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// const CU_STREAM_NON_BLOCKING: u32 = 1;
    /// assert_eq!(ptyx::Stream::new()?.flags()?, CU_STREAM_NON_BLOCKING);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn flags(&self) -> Result<u32> {
        self.0.context.bind()?;
        let mut flags = 0;
        // SAFETY: the place is valid, the stream alive.
        unsafe { self.0.context.driver.cuStreamGetFlags(self.0.handle, &mut flags) }?;
        Ok(flags)
    }

    /// Whether the stream and the driver's legacy default stream wait for each other: see
    /// [`StreamOptions::blocking`].
    ///
    /// ```
    /// assert!(!ptyx::Stream::new()?.is_blocking()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn is_blocking(&self) -> Result<bool> {
        Ok(self.flags()? & CU_STREAM_NON_BLOCKING == 0)
    }
}
