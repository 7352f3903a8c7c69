//! Copies from and to parts of buffers, and filling them.

use super::{DeviceSlice, DeviceSliceMut, same_length};
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use crate::memory::copy;
use crate::memory::fill::{self, Pattern};
use crate::memory::pitched::{PinnedView, PinnedViewMut};
use crate::memory::tracker::Access;
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    /// Copies the elements to the host, after all work that writes them
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// assert_eq!(buffer.slice(3..).to_vec()?, [4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut host = Vec::<T>::with_capacity(self.len);
        // SAFETY: the vector has room for the elements, and their bytes on the device are values
        // of a `DeviceCopy` type of the same layout.
        unsafe {
            copy::download(self.allocation, self.bytes(), host.as_mut_ptr().cast())?;
            host.set_len(self.len);
        }
        Ok(host)
    }

    /// Copies the elements to a slice of the same length, after all work that writes them.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let mut host = [0; 4];
    /// buffer.slice(2..).copy_to_slice(&mut host[..2])?;
    /// assert_eq!(host, [3, 4, 0, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_to_slice(&self, host: &mut [T]) -> Result<()> {
        same_length("copying a device buffer to a host slice", self.len, host.len())?;
        // SAFETY: the slice has the length of the part, and every value there is valid for `T`.
        unsafe { copy::download(self.allocation, self.bytes(), host.as_mut_ptr().cast()) }
    }

    /// Copies the elements to pinned memory of the same length, on the default stream: see
    /// [`DeviceSlice::copy_to_pinned_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let mut host = PinnedBuffer::<i32>::zeroed(2)?;
    /// buffer.slice(1..3).copy_to_pinned(&mut host)?;
    /// assert_eq!(*host, [2, 3]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn copy_to_pinned<'b>(&self, host: impl Into<PinnedViewMut<'b, T, 1>>) -> Result<()>
    where
        T: 'b,
    {
        self.copy_to_pinned_on(host, self.allocation.context.default_stream()?)
    }

    /// Copies the elements to pinned memory of the same length, on `stream`
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; reading the pinned memory does.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let mut host = PinnedBuffer::<i32>::zeroed(2)?;
    /// buffer.slice(1..3).copy_to_pinned_on(&mut host, &stream)?;
    /// assert_eq!(*host, [2, 3]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::WrongDevice`] if the stream is on another device.
    pub fn copy_to_pinned_on<'b>(
        &self,
        host: impl Into<PinnedViewMut<'b, T, 1>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'b,
    {
        let host = host.into();
        same_length("copying a device buffer to a pinned buffer", self.len, host.shape()[0])?;
        let bytes = self.bytes();
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        host.order(&entry, Access::Write)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let context = stream.context();
        context.bind()?;
        // SAFETY: both sides have this many bytes; both trackers know of the use, so that neither
        // is freed or touched too early.
        unsafe {
            context.driver.cuMemcpyDtoHAsync(
                host.buffer.as_device_copy_target().wrapping_byte_add(host.rows().start),
                self.allocation.address(bytes.start),
                bytes.len(),
                stream.handle(),
            )
        }?;
        Ok(())
    }
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    /// Copies the elements to the host, after all work that writes them
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// assert_eq!(buffer.slice_mut(1..).to_vec()?, [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.part.to_vec()
    }

    /// Copies a host slice of the same length here, after all work that uses the elements.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u8>::zeroed(5)?;
    /// buffer.slice_mut(3..).copy_from_slice(b"ab")?;
    /// assert_eq!(buffer.to_vec()?, b"\0\0\0ab");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_from_slice(&mut self, host: &[T]) -> Result<()> {
        same_length("copying a host slice to a device buffer", self.len(), host.len())?;
        // SAFETY: the slice has the length of the part, which is borrowed mutably.
        unsafe { copy::upload(self.part.allocation, self.part.bytes(), host.as_ptr().cast()) }
    }

    /// Copies pinned memory of the same length here, on the default stream: see
    /// [`DeviceSliceMut::copy_from_pinned_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let host = PinnedBuffer::from_slice(&[1, 2])?;
    /// let mut buffer = DeviceBuffer::<i32>::zeroed(4)?;
    /// buffer.slice_mut(2..).copy_from_pinned(&host)?;
    /// assert_eq!(buffer.to_vec()?, [0, 0, 1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn copy_from_pinned<'b>(&mut self, host: impl Into<PinnedView<'b, T, 1>>) -> Result<()>
    where
        T: 'b,
    {
        self.copy_from_pinned_on(host, self.part.allocation.context.default_stream()?)
    }

    /// Copies pinned memory of the same length here, on `stream`
    /// ([`cuMemcpyHtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; writing
    /// to the pinned memory does.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let host = PinnedBuffer::from_slice(&[1, 2])?;
    /// let mut buffer = DeviceBuffer::<i32>::zeroed(4)?;
    /// buffer.slice_mut(2..).copy_from_pinned_on(&host, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [0, 0, 1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::WrongDevice`] if the stream is on another device.
    pub fn copy_from_pinned_on<'b>(
        &mut self,
        host: impl Into<PinnedView<'b, T, 1>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'b,
    {
        let host = host.into();
        same_length("copying a pinned buffer to a device buffer", self.len(), host.shape()[0])?;
        let bytes = self.part.bytes();
        let entry = stream.enter();
        host.order(&entry, Access::Read)?;
        self.part.order(&entry, Access::Write)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let context = stream.context();
        context.bind()?;
        // SAFETY: both sides have this many bytes; both trackers know of the use, so that neither
        // is freed or touched too early.
        unsafe {
            context.driver.cuMemcpyHtoDAsync(
                self.part.allocation.address(bytes.start),
                host.buffer.as_device_copy_source().wrapping_byte_add(host.rows().start),
                bytes.len(),
                stream.handle(),
            )
        }?;
        Ok(())
    }

    /// Copies a buffer of the same length and device here, on the default stream. The host does
    /// not wait.
    ///
    /// ```
    /// let source = ptyx::DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut target = ptyx::DeviceBuffer::<i32>::zeroed(4)?;
    /// target.slice_mut(..3).copy_from_buffer(&source)?;
    /// assert_eq!(target.to_vec()?, [1, 2, 3, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`].
    pub fn copy_from_buffer<'b>(&mut self, from: impl Into<DeviceSlice<'b, T>>) -> Result<()> {
        self.copy_from_buffer_on(from, self.part.allocation.context.default_stream()?)
    }

    /// Copies a buffer of the same length and device here, on `stream`
    /// ([`cuMemcpyDtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let source = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut target = DeviceBuffer::<i32>::zeroed(2)?;
    /// target.as_slice_mut().copy_from_buffer_on(source.slice(..2), &stream)?;
    /// assert_eq!(target.to_vec()?, [1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`].
    pub fn copy_from_buffer_on<'b>(
        &mut self,
        from: impl Into<DeviceSlice<'b, T>>,
        stream: &Stream,
    ) -> Result<()> {
        let from = from.into();
        same_length("copying between device buffers", self.len(), from.len())?;
        let (to, source) = (self.part.allocation, from.allocation);
        copy::device_to_device(to, self.part.bytes(), source, from.bytes(), stream)
    }

    /// Sets every element to `value`, on the default stream. The host does not wait for work in that stream
    /// if `T` is a number, `bool` or `char`.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(4)?;
    /// buffer.slice_mut(..2).fill(1.5)?;
    /// assert_eq!(buffer.to_vec()?, [1.5, 1.5, 0.0, 0.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.fill_on(value, self.part.allocation.context.default_stream()?)
    }

    /// Sets every element to `value`, on `stream` ([`cuMemsetD32Async`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) and its like for
    /// other sizes; numbers of 64 and 128 bits take some copies in addition, unless their 32-bit words are equal). The host
    /// does not wait for work in that stream if `T` is a number, `bool` or `char`. Other types, such as structs, may have
    /// padding: for them the host waits, and writes the first element.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<f32>::zeroed(4)?;
    /// buffer.slice_mut(2..).fill_on(1.5, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [0.0, 0.0, 1.5, 1.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`] if the stream is on another device; if the host waits, [`Error::KernelPanic`] and
    /// [`Error::Fault`] of kernels that ran.
    pub fn fill_on(&mut self, value: T, stream: &Stream) -> Result<()> {
        let (allocation, bytes) = (self.part.allocation, self.part.bytes());
        if let Some(pattern) = Pattern::of(value) {
            return fill::fill(allocation, bytes, &pattern, stream);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        stream.expect_on(allocation.context)?;
        stream.0.refuse_capture("a fill with values that the driver does not repeat itself")?;
        // One element from the host, the others from it.
        let first = bytes.start..bytes.start + size_of::<T>();
        // SAFETY: `value` has the element's bytes; the part is borrowed mutably.
        unsafe { copy::upload(allocation, first, (&raw const value).cast()) }?;
        fill::repeat(allocation, bytes, size_of::<T>(), stream)
    }

    /// Sets every byte to 0, on the default stream: see [`DeviceSliceMut::zero_on`].
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::filled(4, 3u32)?;
    /// buffer.slice_mut(1..3).zero()?;
    /// assert_eq!(buffer.to_vec()?, [3, 0, 0, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn zero(&mut self) -> Result<()> {
        self.zero_on(self.part.allocation.context.default_stream()?)
    }

    /// Sets every byte to 0, on `stream` ([`cuMemsetD8Async`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait. This is a compile error for types that
    /// can't be all zeros, such as `NonZero`.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::filled(4, 3u32)?;
    /// buffer.slice_mut(1..3).zero_on(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [3, 0, 0, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`] if the stream is on another device.
    pub fn zero_on(&mut self, stream: &Stream) -> Result<()> {
        const { ptyx_device::must_be_zeroable::<T>() };
        copy::zero(self.part.allocation, self.part.bytes(), stream)
    }
}
