//! Growable buffers that several processes share.

use super::super::allocation::Allocation;
use super::super::buffer::{DeviceBuffer, bytes_of};
use super::super::reserved::Reserved;
use super::super::tracker::Access;
use super::GrowableBuffer;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use ptyx_device::DeviceCopy;
use std::os::fd::{AsFd, OwnedFd};

/// A part of a [`GrowableBuffer`] for other processes: see [`GrowableBuffer::export`].
///
/// ```
/// use ptyx::{GrowableBuffer, SharedPart};
/// let mut buffer = GrowableBuffer::<u8>::shareable(100)?;
/// buffer.resize(100, 1)?;
/// let [SharedPart { bytes, .. }] = &buffer.export()?[..] else { panic!() };
/// assert_eq!(*bytes, buffer.mapped());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Debug)]
pub struct SharedPart {
    /// By this the other process maps the memory. It can be sent over a Unix socket, or be inherited. The memory lives as long
    /// as any process has mapped it or has the file.
    pub file: OwnedFd,
    /// The size, in bytes.
    pub bytes: usize,
}

impl<T: DeviceCopy> GrowableBuffer<T> {
    /// An empty buffer like that of [`GrowableBuffer::with_capacity`], whose memory other processes can map, too
    /// (`CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR`).
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u32>::shareable(1000)?;
    /// buffer.extend_from_slice(&[1, 2, 3])?;
    /// assert_eq!(buffer.export()?.len(), 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GrowableBuffer::with_capacity`].
    pub fn shareable(capacity: usize) -> Result<GrowableBuffer<T>> {
        let (bytes, kind) = (bytes_of::<T>(capacity)?, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        let reserved = Reserved::new(bytes.max(1), vec![current()?], kind)?;
        Ok(GrowableBuffer { buffer: DeviceBuffer::of(Allocation::of_reserved(reserved), 0) })
    }

    /// The mapped memory for other processes, in order
    /// ([`cuMemExportToShareableHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html)). The host waits
    /// for work that writes the buffer. What is mapped later is not part of it.
    ///
    /// ```
    /// use ptyx::{Error, GrowableBuffer};
    /// let mut buffer = GrowableBuffer::<u32>::shareable(1000)?;
    /// assert!(buffer.export()?.is_empty()); // nothing is mapped yet
    /// let own = GrowableBuffer::<u32>::with_capacity(1000)?;
    /// assert!(matches!(own.export(), Err(Error::NotShareable)));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotShareable`] for a buffer that was not made by [`GrowableBuffer::shareable`]; [`Error::Driver`].
    ///
    /// # Panics
    /// In a function that was given to [`Stream::on_host`](crate::Stream::on_host), if it would have to wait.
    #[doc(alias("cuMemExportToShareableHandle", "cuMemRetainAllocationHandle"))]
    pub fn export(&self) -> Result<Vec<SharedPart>> {
        let allocation = self.buffer.allocation();
        let reserved = allocation.reserved().ok_or(Error::NotShareable)?;
        allocation.finish_on_host(Access::Read);
        let parts = reserved.export()?.into_iter();
        Ok(parts.map(|(file, bytes)| SharedPart { file, bytes }).collect())
    }

    /// Maps the memory of another process's buffer, of which the first `len` elements are used, on the thread's device
    /// ([`cuMemImportFromShareableHandle`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html)). This buffer can't
    /// grow beyond it.
    ///
    /// ```
    /// use ptyx::GrowableBuffer;
    /// let mut buffer = GrowableBuffer::<u32>::shareable(1000)?;
    /// buffer.extend_from_slice(&[1, 2, 3])?;
    /// // Mostly in another process; this one has the memory twice then.
    /// // SAFETY: one is read only, and the other not written meanwhile.
    /// let same = unsafe { GrowableBuffer::<u32>::import(&buffer.export()?, 3) }?;
    /// assert_eq!(same.to_vec()?, [1, 2, 3]);
    /// assert_ne!(same.device_address(), buffer.device_address());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// The elements are valid values of `T`. The processes don't use an element at the same time unless all only read it.
    ///
    /// # Errors
    /// [`Error::Length`] if the parts have less than `len` elements, or sizes that the device can't map;
    /// [`Error::NoVirtualMemory`]; [`Error::Driver`] for other files.
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import(parts: &[SharedPart], len: usize) -> Result<GrowableBuffer<T>> {
        let bytes = parts.iter().try_fold(0usize, |sum, part| sum.checked_add(part.bytes));
        let bytes = bytes.ok_or(Error::TooLarge { len: usize::MAX, size: 1 })?;
        if bytes_of::<T>(len)? > bytes {
            let (what, found) = ("the parts of another process's buffer, in bytes", bytes);
            return Err(Error::Length { what, expected: bytes_of::<T>(len)?, found });
        }
        let kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        let reserved = Reserved::new(bytes.max(1), vec![current()?], kind)?;
        parts.iter().try_for_each(|part| reserved.import(part.file.as_fd(), part.bytes))?;
        Ok(GrowableBuffer { buffer: DeviceBuffer::of(Allocation::of_reserved(reserved), len) })
    }
}
