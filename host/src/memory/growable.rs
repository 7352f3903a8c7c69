//! Buffers that grow without moving.

mod shared;

pub use shared::SharedPart;

use super::allocation::Allocation;
use super::buffer::{DeviceBuffer, bytes_of};
use super::reserved::Reserved;
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::tracker::Access;
use crate::context::Context;
use crate::device_api::Device;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use core::ops::{Deref, DerefMut};
use ptyx_device::DeviceCopy;

/// A [`DeviceBuffer`] that grows without moving or copying its elements.
///
/// It reserves addresses for its maximum number of elements, which costs no memory, and maps memory there as it grows
/// (CUDA driver API,
/// [Virtual Memory Management](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html)). So addresses that
/// kernels have stored stay valid, and growing needs no room for a second copy. The mapped memory can be spread over several
/// devices.
///
/// It dereferences to a [`DeviceBuffer`], and is passed to kernels like one.
///
/// Memory is mapped in pieces of some megabytes ([`GrowableBuffer::granularity`]). Mapping is done by the host, at once, and
/// takes tens of microseconds; work that uses the buffer goes on meanwhile. The memory does not come from a
/// [`MemoryPool`](crate::MemoryPool), and no limit of a pool counts it.
///
/// ```
/// use ptyx::GrowableBuffer;
/// let mut numbers = GrowableBuffer::<u32>::with_capacity(1 << 30)?;
/// let address = numbers.device_address();
/// numbers.extend_from_slice(&[1, 2, 3])?;
/// numbers.resize(5_000_000, 7)?; // maps more memory
/// assert_eq!(numbers.device_address(), address);
/// assert_eq!(numbers.slice(1..5).to_vec()?, [2, 3, 7, 7]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[doc(alias("cuMemAddressReserve", "cuMemCreate", "cuMemMap", "cuMemSetAccess"))]
pub struct GrowableBuffer<T> {
    /// Mostly one with reserved addresses; somebody may have put another one here through `DerefMut`, which then can't
    /// grow.
    buffer: DeviceBuffer<T>,
}

/// Memory that is mapped at reserved addresses.
///
/// ```
/// use ptyx::{GrowableBuffer, MappedPart};
/// let mut buffer = GrowableBuffer::<u8>::with_capacity(100 << 20)?;
/// buffer.reserve(1000)?;
/// let MappedPart { bytes, device, .. } = buffer.parts()[0];
/// assert!(bytes >= 1000 && device == buffer.device_index());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MappedPart {
    /// The size, in bytes.
    pub bytes: usize,
    /// The index of the device whose memory it is.
    pub device: u32,
}

impl<T: DeviceCopy> GrowableBuffer<T> {
    /// An empty buffer for at least `capacity` elements, on the thread's device. There is no memory yet.
    ///
    /// ```
    /// let buffer = ptyx::GrowableBuffer::<u32>::with_capacity(1 << 30)?;
    /// assert!(buffer.is_empty() && buffer.capacity() >= 1 << 30);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoVirtualMemory`] if the device can't map memory; [`Error::TooLarge`]; [`Error::Driver`] if that
    /// many addresses can't be reserved; no usable device.
    pub fn with_capacity(capacity: usize) -> Result<GrowableBuffer<T>> {
        GrowableBuffer::reserved(capacity, vec![current()?])
    }

    /// An empty buffer that kernels and copies on several devices can use directly. The first device is the buffer's own: its
    /// memory is mapped unless [`GrowableBuffer::reserve_on_device`] chooses another, and operations for which no stream is
    /// given run on it.
    ///
    /// ```
    /// use ptyx::{Device, GrowableBuffer};
    /// let devices = Device::all()?; // each can access the others
    /// let mut shared = GrowableBuffer::<f32>::with_capacity_for(1 << 24, &devices[..1])?;
    /// shared.resize_zeroed(1000)?;
    /// assert_eq!(shared.to_vec()?, [0.0; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GrowableBuffer::with_capacity`]. That a device has no [access](Device::can_access_peer) to the memory of another
    /// one is an error when memory is mapped.
    ///
    /// # Panics
    /// If there is no device.
    pub fn with_capacity_for(capacity: usize, devices: &[Device]) -> Result<GrowableBuffer<T>> {
        assert!(!devices.is_empty(), "a `GrowableBuffer` needs at least one device");
        GrowableBuffer::reserved(capacity, devices.iter().map(|device| device.0).collect())
    }

    fn reserved(capacity: usize, contexts: Vec<&'static Context>) -> Result<GrowableBuffer<T>> {
        let bytes = bytes_of::<T>(capacity)?;
        // One byte at least, so that all devices are asked.
        let reserved = Reserved::new(bytes.max(1), contexts, CU_MEM_HANDLE_TYPE_NONE)?;
        Ok(GrowableBuffer { buffer: DeviceBuffer::of(Allocation::of_reserved(reserved), 0) })
    }

    /// The number of elements for which addresses are reserved.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u32>::with_capacity(1000)?;
    /// assert!(buffer.extend_from_slice(&vec![0; buffer.capacity() + 1]).is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn capacity(&self) -> usize {
        match self.buffer.allocation().reserved() {
            Some(reserved) => reserved.bytes.checked_div(size_of::<T>()).unwrap_or(usize::MAX),
            None => self.buffer.len(),
        }
    }

    /// The number of elements for which memory is mapped: up to that number, the buffer grows without calling the driver.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u32>::with_capacity(1 << 20)?;
    /// assert_eq!(buffer.mapped(), 0);
    /// buffer.extend_from_slice(&[1, 2, 3])?;
    /// assert!(buffer.mapped() >= 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn mapped(&self) -> usize {
        match self.buffer.allocation().reserved() {
            Some(reserved) => reserved.mapped().checked_div(size_of::<T>()).unwrap_or(usize::MAX),
            None => self.buffer.len(),
        }
    }

    /// The memory that is mapped, from the first element on.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u8>::with_capacity(100 << 20)?;
    /// buffer.resize_zeroed(3)?;
    /// let bytes: usize = buffer.parts().iter().map(|part| part.bytes).sum();
    /// assert_eq!(bytes, buffer.mapped());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn parts(&self) -> Vec<MappedPart> {
        self.buffer.allocation().reserved().map_or_else(Vec::new, Reserved::parts)
    }

    /// The granularity of mapping, in bytes: the size of each mapped part is a multiple of it
    /// ([`cuMemGetAllocationGranularity`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html)).
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u8>::with_capacity(100 << 20)?;
    /// buffer.reserve(1)?;
    /// assert_eq!(buffer.mapped() % buffer.granularity(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn granularity(&self) -> usize {
        self.buffer.allocation().reserved().map_or(1, Reserved::granularity)
    }

    /// Maps memory for at least `additional` more elements, so that growing by that many takes no time and can't fail for
    /// lack of memory.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u8>::with_capacity(100 << 20)?;
    /// buffer.reserve(10 << 20)?;
    /// assert!(buffer.is_empty() && buffer.mapped() >= 10 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverCapacity`], [`Error::OutOfMemory`].
    pub fn reserve(&mut self, additional: usize) -> Result<()> {
        self.map(additional, self.buffer.allocation().context)
    }

    /// As [`GrowableBuffer::reserve`], with memory of `device`, to which all devices of the buffer must have access. A buffer
    /// can have parts on several devices.
    ///
    /// ```
    /// use ptyx::{Device, GrowableBuffer};
    /// let device = Device::current()?;
    /// let mut buffer = GrowableBuffer::<u8>::with_capacity(100 << 20)?;
    /// buffer.reserve_on_device(1000, &device)?;
    /// assert_eq!(buffer.parts()[0].device, device.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverCapacity`], [`Error::OutOfMemory`]; [`Error::Driver`] if the devices are not peers.
    pub fn reserve_on_device(&mut self, additional: usize, device: &Device) -> Result<()> {
        self.map(additional, device.0)
    }

    fn map(&mut self, additional: usize, owner: &'static Context) -> Result<()> {
        let (len, capacity) = (self.buffer.len(), self.capacity());
        let wanted = len.saturating_add(additional);
        if wanted > capacity {
            return Err(Error::OverCapacity { len: wanted, capacity });
        }
        match self.buffer.allocation().reserved() {
            Some(reserved) => reserved.map(wanted * size_of::<T>(), owner),
            None => Ok(()),
        }
    }

    /// Grows to `len` elements, of which `write` writes the new ones; on an error the length stays.
    fn grow(
        &mut self,
        len: usize,
        write: impl FnOnce(DeviceSliceMut<'_, T>) -> Result<()>,
    ) -> Result<()> {
        let before = self.buffer.len();
        self.reserve(len - before)?;
        self.buffer.set_len(len);
        let written = write(self.buffer.slice_mut(before..));
        if written.is_err() {
            self.buffer.set_len(before);
        }
        written
    }

    /// Adds the elements of a host slice. The host waits until they are there.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// buffer.extend_from_slice(&[1, 2])?;
    /// buffer.extend_from_slice(&[3])?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverCapacity`], [`Error::OutOfMemory`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn extend_from_slice(&mut self, host: &[T]) -> Result<()> {
        let len = self.buffer.len().saturating_add(host.len());
        self.grow(len, |mut new| new.copy_from_slice(host))
    }

    /// Adds the elements of a buffer, copied on the default stream of this buffer's device: see
    /// [`GrowableBuffer::extend_from_buffer_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, GrowableBuffer};
    /// let found = DeviceBuffer::from_slice(&[4, 5])?;
    /// let mut all = GrowableBuffer::<i32>::with_capacity(1000)?;
    /// all.extend_from_buffer(&found)?;
    /// assert_eq!(all.to_vec()?, [4, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GrowableBuffer::extend_from_buffer_on`].
    pub fn extend_from_buffer<'b>(&mut self, from: impl Into<DeviceSlice<'b, T>>) -> Result<()>
    where
        T: 'b,
    {
        let stream = self.buffer.allocation().context.default_stream()?;
        self.extend_from_buffer_on(from, stream)
    }

    /// Adds the elements of a buffer, copied on `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, GrowableBuffer, Stream};
    /// let (stream, found) = (Stream::new()?, DeviceBuffer::from_slice(&[4, 5])?);
    /// let mut all = GrowableBuffer::<i32>::with_capacity(1000)?;
    /// all.extend_from_buffer_on(&found, &stream)?;
    /// all.extend_from_buffer_on(found.slice(..1), &stream)?;
    /// assert_eq!(all.to_vec()?, [4, 5, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverCapacity`], [`Error::OutOfMemory`], [`Error::WrongDevice`].
    pub fn extend_from_buffer_on<'b>(
        &mut self,
        from: impl Into<DeviceSlice<'b, T>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'b,
    {
        let from = from.into();
        let len = self.buffer.len().saturating_add(from.len());
        self.grow(len, |mut new| new.copy_from_buffer_on(from, stream))
    }

    /// Makes the buffer `len` elements long; new ones are `value`. Memory that is no longer needed stays mapped.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// buffer.resize(3, 2.5f32)?;
    /// buffer.resize(2, 0.0)?;
    /// assert_eq!(buffer.to_vec()?, [2.5, 2.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverCapacity`], [`Error::OutOfMemory`], [`Error::Driver`].
    pub fn resize(&mut self, len: usize, value: T) -> Result<()> {
        self.resize_on(len, value, self.buffer.allocation().context.default_stream()?)
    }

    /// As [`GrowableBuffer::resize`], with the fill on `stream`. [`DeviceSliceMut::fill_on`] says for which types the host
    /// does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let mut buffer = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// buffer.resize_on(3, 7u32, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [7; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there; [`Error::WrongDevice`].
    pub fn resize_on(&mut self, len: usize, value: T, stream: &Stream) -> Result<()> {
        match len <= self.buffer.len() {
            true => self.truncate(len),
            false => self.grow(len, |mut new| new.fill_on(value, stream))?,
        }
        Ok(())
    }

    /// Makes the buffer `len` elements long; the bytes of new ones are 0. This is a compile error for types that can't be
    /// all zeros.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u64>::with_capacity(1000)?;
    /// buffer.resize_zeroed(3)?;
    /// assert_eq!(buffer.to_vec()?, [0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GrowableBuffer::resize`].
    pub fn resize_zeroed(&mut self, len: usize) -> Result<()> {
        let stream = self.buffer.allocation().context.default_stream()?;
        match len <= self.buffer.len() {
            true => self.truncate(len),
            false => self.grow(len, |mut new| new.zero_on(stream))?,
        }
        Ok(())
    }

    /// Shortens the buffer to its first `len` elements. The memory of the others stays mapped.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// buffer.extend_from_slice(&[1, 2, 3])?;
    /// buffer.truncate(1);
    /// assert_eq!(buffer.to_vec()?, [1]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn truncate(&mut self, len: usize) {
        self.buffer.set_len(len.min(self.buffer.len()));
    }

    /// Removes all elements. Their memory stays mapped.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// buffer.extend_from_slice(&[1, 2, 3])?;
    /// buffer.clear();
    /// assert!(buffer.is_empty() && buffer.mapped() >= 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Unmaps the parts that hold no element, and gives their memory back to the devices. The host waits for all work
    /// that uses the buffer. A buffer that a graph has used keeps its memory, as the graph may be launched again.
    ///
    /// ```
    /// let mut buffer = ptyx::GrowableBuffer::<u8>::with_capacity(100 << 20)?;
    /// buffer.resize_zeroed(10 << 20)?;
    /// buffer.clear();
    /// buffer.shrink_to_fit()?;
    /// assert_eq!(buffer.mapped(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    ///
    /// # Panics
    /// In a function that was given to [`Stream::on_host`], if it would have to wait.
    pub fn shrink_to_fit(&mut self) -> Result<()> {
        let bytes = self.buffer.len() * size_of::<T>();
        let allocation = self.buffer.allocation();
        let Some(reserved) = allocation.reserved().filter(|_| !allocation.is_in_graph()) else {
            return Ok(());
        };
        if !allocation.finish_on_host(Access::Write) {
            let (call, code) = ("cuStreamSynchronize", CUDA_ERROR_NOT_READY);
            return Err(Failure { call, code }.into());
        }
        allocation.context.bind()?;
        // SAFETY: all work that was submitted is done, new work needs a borrow, and no graph has the memory.
        Ok(unsafe { reserved.unmap_from(bytes) }?)
    }

    /// The elements as a buffer that can no longer grow. Nothing is copied; all memory that is mapped stays.
    ///
    /// ```
    /// let mut numbers = ptyx::GrowableBuffer::with_capacity(1000)?;
    /// numbers.extend_from_slice(&[1, 2, 3])?;
    /// let numbers: ptyx::DeviceBuffer<i32> = numbers.into_buffer();
    /// assert_eq!(numbers.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn into_buffer(self) -> DeviceBuffer<T> {
        self.buffer
    }
}

impl<T> Deref for GrowableBuffer<T> {
    type Target = DeviceBuffer<T>;

    fn deref(&self) -> &DeviceBuffer<T> {
        &self.buffer
    }
}

impl<T> DerefMut for GrowableBuffer<T> {
    fn deref_mut(&mut self) -> &mut DeviceBuffer<T> {
        &mut self.buffer
    }
}

impl<'a, T: DeviceCopy> From<&'a GrowableBuffer<T>> for DeviceSlice<'a, T> {
    fn from(buffer: &'a GrowableBuffer<T>) -> Self {
        buffer.as_slice()
    }
}

impl<'a, T: DeviceCopy> From<&'a mut GrowableBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(buffer: &'a mut GrowableBuffer<T>) -> Self {
        buffer.as_slice_mut()
    }
}

impl<T> fmt::Debug for GrowableBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buffer = &self.buffer;
        let (len, device) = (buffer.elements(), buffer.allocation().context.ordinal);
        write!(f, "GrowableBuffer({len} elements on device {device})")
    }
}
