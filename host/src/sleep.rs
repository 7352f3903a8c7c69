//! Work that only takes time, for tests and demonstrations of what overlaps.

use crate::context::OwnKernel;
use crate::error::Result;
use crate::stream::Stream;
use core::ffi::c_void;
use core::time::Duration;

/// One thread, which looks at the device's clock until the time is over. It runs on every device that Ptyx supports.
const PTX: &core::ffi::CStr = c"
.version 6.3
.target sm_70
.address_size 64
.visible .entry ptyx_sleep(.param .u64 nanoseconds)
{
    .reg .pred %over;
    .reg .b64 %start, %now, %length;
    ld.param.u64 %length, [nanoseconds];
    mov.u64 %start, %globaltimer;
WAIT:
    nanosleep.u32 500;
    mov.u64 %now, %globaltimer;
    sub.u64 %now, %now, %start;
    setp.ge.u64 %over, %now, %length;
    @!%over bra WAIT;
    ret;
}
";

impl Stream {
    /// Keeps the stream busy for a time, with a kernel of one thread, which leaves the rest of the device to others. The
    /// host does not wait.
    ///
    /// It takes at least the time given, by the clock of the device, and mostly about a microsecond more. A GPU that
    /// drives a display ends kernels that take seconds. By default, the emulated device does the work when
    /// it is submitted.
    ///
    /// ```
    /// use ptyx::{Event, Stream};
    /// use std::time::Duration;
    /// let stream = Stream::new()?;
    /// let (start, end) = (Event::new()?, Event::new()?);
    /// start.record(&stream)?;
    /// stream.sleep(Duration::from_millis(2))?;
    /// end.record(&stream)?;
    /// assert!(Event::elapsed(&start, &end)? >= Duration::from_micros(1900));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver); [`Error::Fault`](crate::Error::Fault) of an earlier kernel.
    pub fn sleep(&self, time: Duration) -> Result<()> {
        let context = self.context();
        static SLEEP: OwnKernel = OwnKernel::new(PTX, c"ptyx_sleep");
        let kernel = SLEEP.of(context)?;
        let mut nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let mut params = [(&raw mut nanoseconds).cast::<c_void>()];
        context.bind()?;
        // SAFETY: the kernel takes one number of 64 bits, which is read during the call, and touches no memory.
        unsafe {
            context.driver.cuLaunchKernel(
                kernel,
                1,
                1,
                1,
                1,
                1,
                1,
                0,
                self.handle(),
                params.as_mut_ptr(),
                core::ptr::null_mut(),
            )
        }?;
        Ok(())
    }
}
