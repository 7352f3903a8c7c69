//! Devices as they were at the start of the process.

use super::Device;
use crate::error::Result;
use crate::runtime::runtime;

impl Device {
    /// Destroys everything that the process has on the device (memory, streams, modules), and returns the device to the state
    /// in which it is at the start of a process
    /// ([`cuDevicePrimaryCtxReset`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html)). It first waits
    /// for the work on the device; errors of that work that have not been reported yet are lost.
    ///
    /// Threads whose current device it is go on with the new one. What was made before, this `Device` included, returns
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_CONTEXT_IS_DESTROYED` when it is used.
    ///
    /// ```no_run
    /// use ptyx::{Device, DeviceBuffer};
    /// let old = DeviceBuffer::<f32>::zeroed(100)?;
    /// // SAFETY: this is the only thread, and what was made before is only dropped.
    /// let device = unsafe { Device::current()?.reset()? };
    /// drop(old);
    /// assert_eq!(device, Device::current()?);
    /// assert_eq!(DeviceBuffer::filled(2, 1.5f32)?.to_vec()?, [1.5; 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// No other thread uses the device during the call, through Ptyx or another library. What was made on it before, through
    /// either, is only dropped afterwards: [`PinnedBuffer`](crate::PinnedBuffer) and
    /// [`ManagedBuffer`](crate::ManagedBuffer) must not be read, and no kernel may use an address from before.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if the driver refuses. Then the device is
    /// as if it had been reset, but has less memory.
    #[doc(alias("cudaDeviceReset", "cuDevicePrimaryCtxReset"))]
    pub unsafe fn reset(self) -> Result<Device> {
        // It may have been reset before.
        let context = match self.0.is_destroyed() {
            true => runtime()?.context(self.0.ordinal)?,
            false => self.0,
        };
        // Whatever went wrong, it is over.
        let _ = context.synchronize();
        // SAFETY: the caller's promise.
        unsafe { context.destroy() }?;
        runtime()?.context(context.ordinal).map(Device)
    }
}
