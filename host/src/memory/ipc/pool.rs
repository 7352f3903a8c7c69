//! Pools that several processes share.

use super::{Close, Opened, as_pointer};
use crate::device_api::Device;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::buffer::{DeviceBuffer, bytes_of};
use crate::memory::pool::{EXPORT, MemoryPool, Pool, duplicate};
use crate::memory::tracker::Access;
use crate::stream::Stream;
use core::fmt;
use ptyx_device::DeviceCopy;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;

/// A handle to an allocation of a [shareable](MemoryPool::shareable) pool, for processes that have the pool as an [`ImportedPool`]
/// ([`cuMemPoolExportPointer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
///
/// ```
/// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool, PoolHandle, Stream};
/// let pool = MemoryPool::shareable(&Device::current()?, MemoryLimit::None)?;
/// let buffer = DeviceBuffer::<u32>::zeroed_in(100, &pool, &Stream::new()?)?;
/// let handle: PoolHandle = buffer.share_in_pool()?;
/// // The other process makes the same handle of the bytes that it receives.
/// assert_eq!(PoolHandle::from_bytes(handle.to_bytes()), handle);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("cudaMemPoolPtrExportData", "CUmemPoolPtrExportData"))]
pub struct PoolHandle(CUmemPoolPtrExportData);

impl PoolHandle {
    /// The bytes to send: those of the driver's `CUmemPoolPtrExportData`.
    ///
    /// ```
    /// use ptyx::PoolHandle;
    /// let handle = PoolHandle::from_bytes([7; 64]); // as another process has sent it
    /// assert_eq!(handle.to_bytes(), [7; 64]);
    /// ```
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0.bytes
    }

    /// A handle from its bytes.
    ///
    /// ```
    /// use ptyx::PoolHandle;
    /// let sent = [7; 64];
    /// assert_eq!(PoolHandle::from_bytes(sent).to_bytes(), sent);
    /// ```
    pub const fn from_bytes(bytes: [u8; 64]) -> PoolHandle {
        PoolHandle(CUmemPoolPtrExportData { bytes })
    }
}

impl fmt::Debug for PoolHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PoolHandle(..)")
    }
}

impl MemoryPool {
    /// Lets another process import the pool, which must be a [shareable](MemoryPool::shareable) one
    /// ([`cuMemPoolExportToShareableHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    /// The file descriptor can be sent over a Unix socket, or given to a child process, for example as its standard input. It
    /// is a new one at each call, of the one export that the driver makes with the pool.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::shareable(&Device::current()?, MemoryLimit::None)?;
    /// let file = pool.export()?; // to be given to another process
    /// let not_shareable = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// assert!(not_shareable.export().is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] with `CUDA_ERROR_INVALID_VALUE` for a pool that is not shareable, with `CUDA_ERROR_OPERATING_SYSTEM` if the
    /// file descriptor can't be duplicated.
    #[doc(alias("cudaMemPoolExportToShareableHandle", "cuMemPoolExportToShareableHandle"))]
    pub fn export(&self) -> Result<OwnedFd> {
        let not_shareable = Failure { call: EXPORT, code: CUDA_ERROR_INVALID_VALUE };
        duplicate(self.pool().file.as_ref().ok_or(not_shareable)?.as_fd(), EXPORT)
    }
}

/// A pool of another process, whose allocations can be opened. Nothing can be allocated from it here. A clone is the same
/// pool.
///
/// ```no_run
/// use ptyx::{Device, DeviceBuffer, ImportedPool, PoolHandle, Stream};
/// use std::os::fd::AsFd;
/// # fn received() -> [u8; 64] { [0; 64] }
/// let stream = Stream::new()?;
/// // The other process has started this one, with its pool as the standard input.
/// let pool = ImportedPool::import(std::io::stdin().as_fd(), &Device::current()?)?;
/// let handle = PoolHandle::from_bytes(received());
/// // SAFETY: the other process has sent the handle of a buffer of 1000 numbers, and waits for an answer.
/// let shared = unsafe { DeviceBuffer::<f32>::open_in(&pool, &handle, 1000, &stream)? };
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct ImportedPool(pub(in crate::memory) Arc<Pool>);

impl ImportedPool {
    /// Imports a pool that another process has [exported](MemoryPool::export), on the device that has the pool
    /// ([`cuMemPoolImportFromShareableHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```no_run
    /// use ptyx::{Device, ImportedPool};
    /// use std::os::fd::AsFd;
    /// // The other process has passed what `MemoryPool::export` returned as this one's standard input.
    /// let pool = ImportedPool::import(std::io::stdin().as_fd(), &Device::current()?)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] if the file descriptor is not that of a pool.
    #[doc(alias("cudaMemPoolImportFromShareableHandle", "cuMemPoolImportFromShareableHandle"))]
    pub fn import(file: impl AsFd, device: &Device) -> Result<ImportedPool> {
        let context = device.0;
        context.bind()?;
        let mut pool = CUmemoryPool::NULL;
        // The driver takes the number 0 for no file. A copy has another one.
        let file = duplicate(file.as_fd(), "cuMemPoolImportFromShareableHandle")?;
        let handle = as_pointer(file.as_raw_fd());
        let kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        // SAFETY: a valid place, and a file that is open.
        unsafe { context.driver.cuMemPoolImportFromShareableHandle(&mut pool, handle, kind, 0) }?;
        Ok(ImportedPool(Arc::new(Pool::imported(context, pool))))
    }

    /// The index of the device that it was imported on.
    ///
    /// ```no_run
    /// use ptyx::{Device, ImportedPool};
    /// use std::os::fd::AsFd;
    /// let device = Device::current()?;
    /// let pool = ImportedPool::import(std::io::stdin().as_fd(), &device)?;
    /// assert_eq!(pool.device_index(), device.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.0.context().ordinal
    }
}

impl fmt::Debug for ImportedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ImportedPool(device {})", self.device_index())
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// Lets processes that have imported the buffer's pool open the buffer
    /// ([`cuMemPoolExportPointer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)). What
    /// [`DeviceBuffer::share`] says holds here, too.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool, Stream};
    /// let stream = Stream::new()?;
    /// let pool = MemoryPool::shareable(&Device::current()?, MemoryLimit::None)?;
    /// let shared = DeviceBuffer::<f32>::zeroed_in(1000, &pool, &stream)?;
    /// let file = pool.export()?; // once, to be given to another process
    /// let bytes = shared.share_in_pool()?.to_bytes(); // for each buffer, to be sent to it
    /// let own = DeviceBuffer::<f32>::zeroed(1000)?;
    /// assert!(own.share_in_pool().is_err()); // not in that pool
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] with `CUDA_ERROR_INVALID_VALUE` if the buffer is not in a shareable pool;
    /// [`Error::NotShareable`] if it has no memory.
    ///
    /// # Panics
    /// As [`DeviceBuffer::share`].
    #[doc(alias("cudaMemPoolExportPointer", "cuMemPoolExportPointer"))]
    pub fn share_in_pool(&self) -> Result<PoolHandle> {
        let allocation = self.allocation();
        if allocation.bytes == 0 {
            return Err(Error::NotShareable);
        }
        allocation.finish_on_host(Access::Read);
        let context = allocation.context;
        context.bind()?;
        let mut data = CUmemPoolPtrExportData { bytes: [0; 64] };
        // SAFETY: a valid place, and memory that is alive.
        unsafe { context.driver.cuMemPoolExportPointer(&mut data, allocation.address(0)) }?;
        Ok(PoolHandle(data))
    }

    /// Opens a buffer in another process's pool
    /// ([`cuMemPoolImportPointer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)). When the
    /// buffer is dropped, the host waits for all work that uses it, and the memory is closed.
    ///
    /// ```no_run
    /// use ptyx::{Device, DeviceBuffer, ImportedPool, PoolHandle, Stream};
    /// use std::os::fd::AsFd;
    /// # fn received() -> [u8; 64] { [0; 64] }
    /// let stream = Stream::new()?;
    /// let pool = ImportedPool::import(std::io::stdin().as_fd(), &Device::current()?)?;
    /// let handle = PoolHandle::from_bytes(received());
    /// // SAFETY: the other process has sent the handle of a buffer of 1000 numbers, and waits for an answer.
    /// let mut shared = unsafe { DeviceBuffer::<f32>::open_in(&pool, &handle, 1000, &stream)? };
    /// shared.fill_on(0.5, &stream)?;
    /// stream.synchronize()?; // before the answer
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// As [`DeviceBuffer::open_on`].
    ///
    /// # Errors
    /// [`Error::Length`] if the memory is smaller; [`Error::WrongDevice`] if the stream is not on the pool's device;
    /// [`Error::Driver`] if the handle is of another pool.
    #[doc(alias("cudaMemPoolImportPointer", "cuMemPoolImportPointer"))]
    pub unsafe fn open_in(
        pool: &ImportedPool,
        handle: &PoolHandle,
        len: usize,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        bytes_of::<T>(len)?;
        stream.0.refuse_capture("DeviceBuffer::open_in")?;
        let context = pool.0.context();
        stream.context().expect("an imported pool", context)?;
        context.bind()?;
        let (mut address, mut data) = (0, handle.0);
        // SAFETY: valid places, and a pool that is alive.
        unsafe { context.driver.cuMemPoolImportPointer(&mut address, pool.0.handle, &mut data) }?;
        let close = Close::Free(Box::new(pool.clone()));
        let owner = Opened { address, stream: stream.clone(), close };
        owner.expect::<T>(len)?;
        // SAFETY: the caller's promise; the memory is there until the owner is dropped.
        unsafe { DeviceBuffer::from_raw_on(address, len, stream, owner) }
    }
}
