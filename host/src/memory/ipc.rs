//! Device memory that several processes share.

mod pool;

pub use pool::{ImportedPool, PoolHandle};

use super::allocation::Allocation;
use super::buffer::{DeviceBuffer, bytes_of};
use super::tracker::Access;
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::ffi::c_void;
use core::fmt;
use ptyx_device::DeviceCopy;

/// A handle to memory, for other processes on the same machine
/// ([`cuIpcGetMemHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)): bytes that can be sent to them
/// in any way. [`DeviceBuffer::share`] makes one, [`DeviceBuffer::open_on`] opens it.
///
/// ```
/// use ptyx::{DeviceBuffer, MemoryHandle};
/// let shared = DeviceBuffer::<f32>::zeroed_shareable(1000)?;
/// let handle: MemoryHandle = shared.share()?;
/// // The other process makes the same handle of the bytes that it receives.
/// assert_eq!(MemoryHandle::from_bytes(handle.to_bytes()), handle);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("cudaIpcMemHandle_t", "CUipcMemHandle"))]
pub struct MemoryHandle(CUipcMemHandle);

impl MemoryHandle {
    /// The bytes to send: those of the driver's `CUipcMemHandle`.
    ///
    /// ```
    /// use ptyx::MemoryHandle;
    /// let handle = MemoryHandle::from_bytes([7; 64]); // as another process has sent it
    /// assert_eq!(handle.to_bytes(), [7; 64]);
    /// ```
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0.bytes
    }

    /// A handle from its bytes.
    ///
    /// ```
    /// use ptyx::MemoryHandle;
    /// let sent: Vec<u8> = vec![7; 64]; // read from a pipe
    /// let bytes: [u8; 64] = sent.try_into().expect("64 bytes");
    /// assert_eq!(MemoryHandle::from_bytes(bytes).to_bytes(), bytes);
    /// ```
    pub const fn from_bytes(bytes: [u8; 64]) -> MemoryHandle {
        MemoryHandle(CUipcMemHandle { bytes })
    }
}

impl fmt::Debug for MemoryHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryHandle(..)")
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// `len` elements whose bytes are all 0, on the thread's device, in memory that can be [shared](DeviceBuffer::share) with
    /// other processes. It does not come from a pool
    /// ([`cuMemAlloc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)), so allocating and freeing it takes longer, and freeing it
    /// waits for all work that uses it.
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let mut shared = DeviceBuffer::<f32>::zeroed_shareable(1000)?;
    /// shared.slice_mut(..10).fill(0.5)?;
    /// let handle = shared.share()?; // waits for the fill
    /// assert_eq!(shared.to_vec()?[8..12], [0.5, 0.5, 0.0, 0.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn zeroed_shareable(len: usize) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::zeroed_shareable_on(len, current()?.transfer_stream()?)
    }

    /// Like [`zeroed_shareable`](Self::zeroed_shareable), but on the device of `stream`, and filled in its order.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let shared = DeviceBuffer::<u32>::zeroed_shareable_on(100, &stream)?;
    /// assert_eq!(shared.device_index(), stream.device_index());
    /// assert!(shared.share().is_ok());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed_shareable`]; [`Error::Capture`] if the stream is captured.
    pub fn zeroed_shareable_on(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        // Not captured before it is zeroed.
        let _entry = stream.enter();
        stream.0.refuse_capture("DeviceBuffer::zeroed_shareable_on")?;
        let allocation = Allocation::shareable(stream.context(), bytes_of::<T>(len)?)?;
        let mut buffer = DeviceBuffer::of(allocation, len);
        buffer.as_slice_mut().zero_on(stream)?;
        Ok(buffer)
    }

    /// Lets other processes open the buffer's memory
    /// ([`cuIpcGetMemHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host waits for what
    /// was written so far.
    ///
    /// What these processes do must be ordered with what this one does, by [events](crate::Event::share) or by messages:
    /// they promise that when they call [`DeviceBuffer::open_on`]. The memory must not be freed before they have closed it.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error};
    /// let shared = DeviceBuffer::<f32>::zeroed_shareable(1000)?;
    /// let handle = shared.share()?.to_bytes(); // to be sent to another process
    /// # let _ = handle;
    /// let own = DeviceBuffer::<f32>::zeroed(1000)?;
    /// assert!(matches!(own.share(), Err(Error::NotShareable)));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotShareable`] for memory that was not made by [`DeviceBuffer::zeroed_shareable`]; [`Error::Driver`] with
    /// `CUDA_ERROR_NOT_SUPPORTED` on systems that can't share memory.
    ///
    /// # Panics
    /// In a function that was given to [`Stream::on_host`], if it would have to wait.
    #[doc(alias("cudaIpcGetMemHandle", "cuIpcGetMemHandle"))]
    pub fn share(&self) -> Result<MemoryHandle> {
        let allocation = self.allocation();
        if !allocation.is_shareable() {
            return Err(Error::NotShareable);
        }
        allocation.finish_on_host(Access::Read);
        let context = allocation.context;
        context.bind()?;
        let mut handle = CUipcMemHandle { bytes: [0; 64] };
        // SAFETY: a valid place, and memory that is alive.
        unsafe { context.driver.cuIpcGetMemHandle(&mut handle, allocation.address(0)) }?;
        Ok(MemoryHandle(handle))
    }

    /// Opens memory of another process, on the device of `stream`, which must be the memory's or have access to it
    /// ([`cuIpcOpenMemHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). When the buffer is
    /// dropped, the host waits for all work that uses it, and the memory is closed.
    ///
    /// ```no_run
    /// use ptyx::{DeviceBuffer, MemoryHandle, Stream};
    /// # fn received() -> [u8; 64] { [0; 64] }
    /// let (stream, handle) = (Stream::new()?, MemoryHandle::from_bytes(received()));
    /// // SAFETY: the other process has sent the handle of a buffer of 1000 numbers, and waits for an answer.
    /// let shared = unsafe { DeviceBuffer::<f32>::open_on(&handle, 1000, &stream)? };
    /// println!("{:?}", shared.to_vec()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// The first `len` values of `T` there were written before; until the buffer is dropped, the other process keeps the
    /// memory, and no other process writes what this one uses, or uses what this one writes, at the same time. Two buffers of
    /// the same memory are not ordered with each other either.
    ///
    /// # Errors
    /// [`Error::Length`] if the driver knows that the memory is smaller. [`Error::Driver`]: `CUDA_ERROR_INVALID_CONTEXT` if this
    /// process made the handle; `CUDA_ERROR_INVALID_VALUE` or `CUDA_ERROR_INVALID_HANDLE` if the bytes are not a handle, or
    /// the process that made it has ended; `CUDA_ERROR_NOT_SUPPORTED`.
    #[doc(alias(
        "cudaIpcOpenMemHandle",
        "cuIpcOpenMemHandle",
        "cudaIpcCloseMemHandle",
        "cuIpcCloseMemHandle"
    ))]
    pub unsafe fn open_on(
        handle: &MemoryHandle,
        len: usize,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        bytes_of::<T>(len)?;
        stream.0.refuse_capture("DeviceBuffer::open_on")?;
        let context = stream.context();
        context.bind()?;
        let mut address = 0;
        let flags = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;
        // SAFETY: a valid place; the driver checks the handle.
        unsafe { context.driver.cuIpcOpenMemHandle(&mut address, handle.0, flags) }?;
        let owner = Opened { address, stream: stream.clone(), close: Close::Ipc };
        owner.expect::<T>(len)?;
        // SAFETY: the caller's promise; the memory is there until the owner is dropped.
        unsafe { DeviceBuffer::from_raw_on(address, len, stream, owner) }
    }
}

/// Memory of another process or library that this one has opened.
pub(crate) struct Opened {
    pub(crate) address: CUdeviceptr,
    /// What waits for all uses of it.
    pub(crate) stream: Stream,
    pub(crate) close: Close,
}

/// How it is closed.
pub(crate) enum Close {
    /// By `cuIpcCloseMemHandle`.
    Ipc,
    /// By `cuMemFree`; then something is dropped from which it came.
    Free(#[allow(dead_code)] Box<dyn core::any::Any + Send>),
}

impl Opened {
    fn context(&self) -> &'static Context {
        self.stream.context()
    }

    /// An error if the driver knows that the memory is too small for that many elements.
    fn expect<T>(&self, len: usize) -> Result<()> {
        let (mut base, mut bytes, driver) = (0, 0, self.context().driver);
        // SAFETY: valid places.
        let known = unsafe { driver.cuMemGetAddressRange(&mut base, &mut bytes, self.address) };
        let before = self.address.saturating_sub(base) as usize;
        let bytes = if known.is_ok() { bytes.saturating_sub(before) } else { usize::MAX };
        let found = bytes.checked_div(size_of::<T>());
        match found.filter(|&found| found < len) {
            None => Ok(()),
            Some(found) => {
                let what = "opening memory of another process";
                Err(Error::Length { what, expected: len, found })
            }
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // Closing waits for nothing.
        if !self.stream.0.settle() {
            // A stream may still use it, so that what it came from stays, too.
            core::mem::forget(core::mem::replace(&mut self.close, Close::Ipc));
            return;
        }
        if self.context().bind().is_err() {
            return;
        }
        let driver = self.context().driver;
        let _relaxed = driver.relaxed();
        // SAFETY: nothing uses the memory any more: `stream` has waited for all uses.
        let _ = unsafe {
            match self.close {
                Close::Ipc => driver.cuIpcCloseMemHandle(self.address),
                Close::Free(_) => driver.cuMemFree(self.address),
            }
        };
    }
}

/// A file's number as the driver wants it in the place of a pointer.
fn as_pointer(file: i32) -> *mut c_void {
    core::ptr::without_provenance_mut(file.unsigned_abs() as usize)
}
