//! Functions of the host that are called also after an error of the device.

use super::Stream;
use crate::context::Context;
use crate::driver::host_function::{Inside, run};
use crate::driver::types::*;
use crate::error::{Error, Result};
use core::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The call whose callbacks these are.
const CALL: &str = "cuStreamAddCallback";

/// What a callback runs.
type Function = Box<dyn FnOnce(Result<()>) + Send>;

/// A function that the driver will call.
struct Job {
    context: &'static Context,
    inside: Inside,
    function: Function,
}

impl Stream {
    /// Calls `function` on the host, exactly once, when the stream has done all work submitted to it so far, or when the
    /// device has failed: then with the error
    /// ([`cuStreamAddCallback`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// Apart from that, it is as [`Stream::on_host`], whose function is not called after an error: later work of the stream
    /// waits for it, and it must not call the driver. The error stays for the next call that waits. A kernel's panic is no
    /// error of the device: it is for [`Stream::synchronize`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// use std::sync::mpsc;
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
    /// buffer.fill_on(7, &stream)?;
    /// let (sender, receiver) = mpsc::channel();
    /// stream.on_done(move |done| sender.send(done.is_ok()).unwrap())?;
    /// assert!(receiver.recv().unwrap());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Capture`] in a capture: the function is dropped, not called.
    #[doc(alias("cudaStreamAddCallback", "cuStreamAddCallback"))]
    pub fn on_done(&self, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        let context = self.0.context;
        context.bind()?;
        let refuse = || self.0.refuse_capture("Stream::on_done");
        refuse()?;
        let inside = Inside { stream: self.0.id, number: self.0.next_host_function() };
        // See `Stream::on_host`.
        let _entry = self.enter();
        refuse()?;
        let job = Box::into_raw(Box::new(Job { context, inside, function: Box::new(function) }));
        // SAFETY: the stream is alive, and its context bound. The callback is called once, and takes the job.
        let given =
            unsafe { context.driver.cuStreamAddCallback(self.0.handle, Some(call), job.cast(), 0) };
        if let Err(failure) = given {
            // SAFETY: the driver has not taken the job, so it is still ours.
            drop(unsafe { Box::from_raw(job) });
            return Err(failure.into());
        }
        Ok(())
    }
}

/// What the driver calls. It must not call the driver, nor unwind.
extern "C" fn call(_: CUstream, code: CUresult, job: *mut c_void) {
    // SAFETY: the job that `on_done` gave to the driver, which calls this once.
    let Job { context, inside, function } = *unsafe { Box::from_raw(job.cast::<Job>()) };
    run(inside, || {
        let done = if code == CUDA_SUCCESS { Ok(()) } else { Err(Error::of_status(CALL, code)) };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| function(done))) {
            context.host_panics.add_of(inside.stream, panic);
        }
    });
}
