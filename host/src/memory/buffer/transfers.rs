//! Copies from and to buffers, and filling them: those of their slices.

use super::DeviceBuffer;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use crate::memory::pitched::{PinnedView, PinnedViewMut};
use crate::memory::slice::DeviceSlice;
#[cfg(doc)]
use crate::memory::slice::DeviceSliceMut;
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// Copies the elements to the host, after all work that writes them
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::filled(3, 'x')?;
    /// assert_eq!(buffer.to_vec()?, ['x', 'x', 'x']);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.as_slice().to_vec()
    }

    /// Copies the elements to a slice of the same length, after all work that writes them.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut host = [0; 3];
    /// buffer.copy_to_slice(&mut host)?;
    /// assert_eq!(host, [1, 2, 3]);
    /// assert!(buffer.copy_to_slice(&mut [0; 2]).is_err()); // another length
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_to_slice(&self, host: &mut [T]) -> Result<()> {
        self.as_slice().copy_to_slice(host)
    }

    /// Copies the elements to pinned memory of the same length, on the default stream: see
    /// [`DeviceBuffer::copy_to_pinned_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut host = PinnedBuffer::<i32>::zeroed(3)?;
    /// buffer.copy_to_pinned(&mut host)?;
    /// assert_eq!(*host, [1, 2, 3]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn copy_to_pinned<'b>(&self, host: impl Into<PinnedViewMut<'b, T, 1>>) -> Result<()>
    where
        T: 'b,
    {
        self.as_slice().copy_to_pinned(host)
    }

    /// Copies the elements to pinned memory of the same length, on `stream`
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; reading the pinned memory does.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut host = PinnedBuffer::<i32>::zeroed(3)?;
    /// buffer.copy_to_pinned_on(&mut host, &stream)?;
    /// // ... other work ...
    /// assert_eq!(*host, [1, 2, 3]); // waits for the copy
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
        self.as_slice().copy_to_pinned_on(host, stream)
    }

    /// Copies a host slice of the same length here, after all work that uses the buffer.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u8>::zeroed(5)?;
    /// buffer.copy_from_slice(b"hello")?;
    /// assert_eq!(buffer.to_vec()?, b"hello");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_from_slice(&mut self, host: &[T]) -> Result<()> {
        self.as_slice_mut().copy_from_slice(host)
    }

    /// Copies pinned memory of the same length here, on the default stream: see
    /// [`DeviceBuffer::copy_from_pinned_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let host = PinnedBuffer::from_slice(&[1.0f32, 2.0])?;
    /// let mut buffer = DeviceBuffer::<f32>::zeroed(2)?;
    /// buffer.copy_from_pinned(&host)?;
    /// assert_eq!(buffer.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn copy_from_pinned<'b>(&mut self, host: impl Into<PinnedView<'b, T, 1>>) -> Result<()>
    where
        T: 'b,
    {
        self.as_slice_mut().copy_from_pinned(host)
    }

    /// Copies pinned memory of the same length here, on `stream`
    /// ([`cuMemcpyHtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; writing
    /// to the pinned memory does.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let host = PinnedBuffer::from_slice(&[1.0f32, 2.0])?;
    /// let mut buffer = DeviceBuffer::<f32>::zeroed(2)?;
    /// buffer.copy_from_pinned_on(&host, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [1.0, 2.0]);
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
        self.as_slice_mut().copy_from_pinned_on(host, stream)
    }

    /// Copies a buffer of the same length and device here, on the default stream. The host does
    /// not wait.
    ///
    /// ```
    /// let source = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let mut target = ptyx::DeviceBuffer::<i32>::zeroed(2)?;
    /// target.copy_from_buffer(source.slice(2..))?;
    /// assert_eq!(target.to_vec()?, [3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`].
    pub fn copy_from_buffer<'b>(&mut self, from: impl Into<DeviceSlice<'b, T>>) -> Result<()> {
        self.as_slice_mut().copy_from_buffer(from)
    }

    /// Copies a buffer of the same length and device here, on `stream`
    /// ([`cuMemcpyDtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let source = DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let mut target = DeviceBuffer::<i32>::zeroed(4)?;
    /// target.copy_from_buffer_on(&source, &stream)?;
    /// assert_eq!(target.to_vec()?, [1, 2, 3, 4]); // waits for the copy
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
        self.as_slice_mut().copy_from_buffer_on(from, stream)
    }

    /// Sets every byte to 0, on the default stream: see [`DeviceBuffer::zero_on`].
    ///
    /// ```
    /// let mut histogram = ptyx::DeviceBuffer::filled(256, 9u32)?;
    /// histogram.zero()?;
    /// assert_eq!(histogram.to_vec()?, [0; 256]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn zero(&mut self) -> Result<()> {
        self.as_slice_mut().zero()
    }

    /// Sets every byte to 0, on `stream` ([`cuMemsetD8Async`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut histogram = DeviceBuffer::filled(256, 9u32)?;
    /// histogram.zero_on(&stream)?;
    /// assert_eq!(histogram.to_vec()?, [0; 256]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`] if the stream is on another device.
    pub fn zero_on(&mut self, stream: &Stream) -> Result<()> {
        self.as_slice_mut().zero_on(stream)
    }

    /// Sets every element to `value`, on the default stream.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f64>::zeroed(3)?;
    /// buffer.fill(0.5)?;
    /// assert_eq!(buffer.to_vec()?, [0.5; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.as_slice_mut().fill(value)
    }

    /// Sets every element to `value`, on `stream`; see [`DeviceSliceMut::fill_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut distances = DeviceBuffer::<u32>::zeroed(100)?;
    /// distances.fill_on(u32::MAX, &stream)?;
    /// assert_eq!(distances.to_vec()?, [u32::MAX; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`] if the stream is on another device; if the host waits, [`Error::KernelPanic`] and
    /// [`Error::Fault`] of kernels that ran.
    pub fn fill_on(&mut self, value: T, stream: &Stream) -> Result<()> {
        self.as_slice_mut().fill_on(value, stream)
    }
}
