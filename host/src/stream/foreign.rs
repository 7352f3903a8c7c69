//! Streams that other libraries own.

use super::{Stream, StreamInner, all_streams};
use crate::driver::types::CUstream;
use crate::error::Result;
use crate::runtime::current;
use core::any::Any;
use core::ffi::c_void;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// What keeps a stream of others alive.
pub(super) struct Owner(#[allow(dead_code)] Box<dyn Any + Send>);

// SAFETY: nothing is done with a shared reference.
unsafe impl Sync for Owner {}
// As above: nobody sees what a panic has left there.
impl UnwindSafe for Owner {}
impl RefUnwindSafe for Owner {}

impl Stream {
    /// A stream of another library (`CUstream`, `cudaStream_t`) in the primary context of the thread's device. Ptyx does
    /// not destroy it. Pass as `owner` a value that keeps the stream alive, if its library has one. It is dropped when the
    /// last clone is gone and no buffer tracks the stream.
    ///
    /// Work that both sides submit to the stream runs in the order of submission. Buffers track only the work that was
    /// submitted through this value. A null pointer is the driver's default stream.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let theirs = Stream::new()?;
    /// // SAFETY: the stream is alive as long as its owner, a clone of it.
    /// let stream = unsafe { Stream::from_raw(theirs.raw(), theirs.clone())? };
    /// let zeros = DeviceBuffer::<f32>::zeroed_on(10, &stream)?;
    /// assert_eq!(stream.raw(), theirs.raw());
    /// # assert_eq!(zeros.to_vec()?, [0.0; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// `raw` is a stream of that context, and alive until `owner` is dropped. Nobody else captures it while Ptyx uses it.
    /// `owner` may be dropped on any thread.
    ///
    /// # Errors
    /// No usable device.
    pub unsafe fn from_raw(raw: *mut c_void, owner: impl Send + 'static) -> Result<Stream> {
        let context = current()?;
        context.bind()?;
        let owner = Some(Owner(Box::new(owner)));
        let inner = Arc::new(StreamInner::of_handle(context, CUstream(raw), owner));
        all_streams(context).add(&inner);
        Ok(Stream(inner))
    }
}
