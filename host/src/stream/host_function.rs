//! Host functions as work of a stream.

use super::{Stream, StreamInner};
use crate::context::{Job, await_call, take_job};
use crate::driver::host_function::{Inside, run};
use crate::error::Result;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::time::Instant;

/// How long a call waits for others that are about to give work to the stream.
const PATIENCE: Duration = Duration::from_millis(500);

impl StreamInner {
    /// How many host functions the stream has been given. A use of memory that is noted with this number comes
    /// before the functions with this or a higher number.
    #[inline]
    pub(crate) fn host_functions(&self) -> u64 {
        self.functions.load(Ordering::SeqCst)
    }

    /// The counter of calls that begin when the stream has been given this many host functions, and the other one.
    #[inline]
    pub(super) fn counters(&self, functions: u64) -> (&AtomicU32, &AtomicU32) {
        let [even, odd] = &self.entered;
        if functions.is_multiple_of(2) { (even, odd) } else { (odd, even) }
    }

    /// The number of the next function, once the work of every use that was noted with this or a lower number is in
    /// the stream. `None` if a call takes too long to give its work to the stream.
    ///
    /// Calls that begin from now on count on the other counter, so this waits for no more than those that are there.
    pub(super) fn next_host_function(&self) -> Option<u64> {
        let mut overdue = self.numbering.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.functions.fetch_add(1, Ordering::SeqCst);
        let (earlier, later) = self.counters(number);
        let is_zero = |counter: &AtomicU32| counter.load(Ordering::SeqCst) == 0;
        let start = Instant::now();
        // If an earlier function did not wait to the end, its calls are among the later ones.
        while !(is_zero(earlier) && (!*overdue || is_zero(later))) {
            if start.elapsed() > PATIENCE {
                *overdue = true;
                return None;
            }
            std::thread::yield_now();
        }
        *overdue = false;
        Some(number)
    }
}

impl Stream {
    /// Calls `function` on the host when the stream has done all work submitted to it so far
    /// ([`cuLaunchHostFunc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)). Later work of the
    /// stream waits until it returns. The call itself does not wait.
    ///
    /// A thread of the driver calls it; keep it short, because other streams may wait for that thread. In it, functions
    /// of Ptyx that need the driver return [`Error::InHostFunction`](crate::Error::InHostFunction).
    /// It may use pinned memory if all pending copies of that memory are earlier work of this stream, or work that the
    /// stream has waited for; otherwise the use panics. Device memory, streams and events may be dropped in it.
    ///
    /// If it panics, the next [`Stream::synchronize`] or [`Device::synchronize`](crate::Device::synchronize) returns
    /// [`Error::HostPanic`](crate::Error::HostPanic). After a
    /// fault of a kernel, the driver does not call it; a thread of Ptyx drops it when the fault is reported to a call that
    /// waits for the stream or the device.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// use std::sync::mpsc;
    /// let stream = Stream::new()?;
    /// let numbers = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut host = PinnedBuffer::<u32>::zeroed(3)?;
    /// numbers.copy_to_pinned_on(&mut host, &stream)?;
    /// let (sender, receiver) = mpsc::channel();
    /// stream.on_host(move || sender.send(host.iter().sum::<u32>()).unwrap())?;
    /// assert_eq!(receiver.recv().unwrap(), 6);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver): the function is dropped, not called.
    #[doc(alias = "cudaLaunchHostFunc")]
    #[doc(alias = "cudaStreamAddCallback")]
    pub fn on_host(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        let context = self.0.context;
        context.bind()?;
        let refuse = || {
            let call = "Stream::on_host, whose function runs once: `Stream::on_host_each`";
            self.0.refuse_capture(call)
        };
        refuse()?;
        let inside = Inside { stream: self.0.id, number: self.0.next_host_function() };
        // Not before: the function's number waits for those who have entered. The stream may be captured by now.
        let _entry = self.enter();
        refuse()?;
        let number = await_call(Job { context, inside, function: Box::new(function) });
        let data = core::ptr::without_provenance_mut(number as usize);
        // SAFETY: the stream is alive, and its context bound. The function takes the job, if it is called.
        let given = unsafe { context.driver.cuLaunchHostFunc(self.0.handle, Some(call), data) };
        if let Err(failure) = given {
            drop(take_job(number));
            return Err(failure.into());
        }
        Ok(())
    }
}

/// What the driver calls, with the job's number. It must not call the driver, nor unwind.
extern "C" fn call(number: *mut c_void) {
    // It may have been dropped, if it was behind a fault.
    let Some(Job { context, inside, function }) = take_job(number.addr() as u64) else { return };
    run(inside, || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(function)) {
            context.host_panics.add_of(inside.stream, panic);
        }
    });
}
