//! All limits of a device.

use super::Device;
use crate::driver::types::*;
use crate::error::Result;

/// A limit of a device, for [`Device::limit`] and [`Device::set_limit`] ([`CUlimit`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
///
/// ```
/// use ptyx::{Device, Limit};
/// let device = Device::current()?;
/// device.set_limit(Limit::PrintfBuffer, 4 << 20)?; // the kernels print much
/// assert!(device.limit(Limit::PrintfBuffer)? >= 4 << 20);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Bytes of stack that each thread of a kernel has: see [`Device::set_stack_limit`].
    Stack,
    /// Bytes for what kernels print with C's `printf`. (What they print with
    /// [`gpu_println!`](crate::gpu_println) goes to [`Device::print_buffer`].)
    PrintfBuffer,
    /// Bytes of the heap of kernels: see [`Device::set_heap_limit`].
    Heap,
    /// The nesting depth down to which a kernel can wait for kernels that it has launched.
    SyncDepth,
    /// How many launches by kernels can be pending at a time.
    PendingLaunches,
    /// Bytes that the L2 cache fetches at a time, from 0 to 128: a hint.
    L2FetchGranularity,
    /// Bytes of the L2 cache that are set aside for persisting accesses: a hint.
    PersistingL2Cache,
}

impl Limit {
    /// The driver's number.
    fn number(self) -> CUlimit {
        match self {
            Limit::Stack => CU_LIMIT_STACK_SIZE,
            Limit::PrintfBuffer => CU_LIMIT_PRINTF_FIFO_SIZE,
            Limit::Heap => CU_LIMIT_MALLOC_HEAP_SIZE,
            Limit::SyncDepth => CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH,
            Limit::PendingLaunches => CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
            Limit::L2FetchGranularity => CU_LIMIT_MAX_L2_FETCH_GRANULARITY,
            Limit::PersistingL2Cache => CU_LIMIT_PERSISTING_L2_CACHE_SIZE,
        }
    }
}

impl Device {
    /// A limit of the device ([`cuCtxGetLimit`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// use ptyx::{Device, Limit};
    /// let device = Device::current()?;
    /// assert_eq!(device.limit(Limit::Stack)?, device.stack_limit()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if the device does not have it.
    #[doc(alias = "cudaDeviceGetLimit")]
    pub fn limit(&self, limit: Limit) -> Result<usize> {
        self.0.limit(limit.number())
    }

    /// Sets a limit of the device ([`cuCtxSetLimit`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)). The driver may take another value: read it back.
    ///
    /// ```
    /// use ptyx::{Device, Limit};
    /// let device = Device::current()?;
    /// device.set_limit(Limit::L2FetchGranularity, 128)?;
    /// let bytes = device.limit(Limit::L2FetchGranularity)?;
    /// println!("the L2 cache loads {bytes} bytes at once");
    /// assert!(bytes <= 128);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if the device does not have the limit, can't provide that much, or if it
    /// is too late: a kernel already uses the heap, or has printed.
    #[doc(alias = "cudaDeviceSetLimit")]
    pub fn set_limit(&self, limit: Limit, value: usize) -> Result<()> {
        match limit {
            // Then Ptyx does not change it by itself.
            Limit::Stack => self.0.set_stack(value),
            _ => self.0.set_limit(limit.number(), value),
        }
    }
}
