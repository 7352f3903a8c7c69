//! Buffers in device memory.

use super::allocation::{ALIGNMENT, Allocation};
use super::pinned::PinnedBuffer;
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::view::{DeviceView, DeviceViewMut, IntoShape};
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;
use ptyx_device::DeviceCopy;

/// An array of `T` in the memory of a device.
///
/// As a kernel argument, `&buffer` is a `&[T]`; `&mut buffer` is a `Disjoint<T>`, a `SliceMut<T>`
/// or an `Atomics<T>`, whichever the kernel asks for.
///
/// Kernels and copies run on after the call that starts them returns. Ptyx notes which streams use
/// a buffer: another stream's use waits for the earlier one on the device, reading on the host
/// waits on the host, and dropping frees the memory when nothing uses it any more. So the borrow
/// rules of Rust are enough, on any number of streams and threads.
///
/// Elements can't be reached one by one from the host: each would be a transfer. Copy a part with
/// `buffer.slice(3..4).to_vec()`, or everything with [`DeviceBuffer::to_vec`].
///
/// ```
/// use ptyx::DeviceBuffer;
/// let mut buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
/// buffer.slice_mut(1..3).fill(7)?;
/// let copy = buffer.try_clone()?;
/// drop(buffer);
/// assert_eq!(copy.to_vec()?, [1, 7, 7, 4]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceBuffer<T> {
    allocation: Allocation,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A buffer of `len` elements of unknown content, ready for work on `stream`.
    fn allocate(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        const { assert!(align_of::<T>() <= ALIGNMENT, "device memory is aligned to 256 bytes") };
        let too_large = Error::TooLarge { len, size: size_of::<T>() };
        let bytes = len
            .checked_mul(size_of::<T>())
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or(too_large)?;
        let allocation = Allocation::new(stream, bytes)?;
        Ok(DeviceBuffer { allocation, len, elements: PhantomData })
    }

    /// `len` elements whose bytes are all 0, on the thread's device. This is a compile error for types
    /// that can't be all zeros, such as `NonZero`: use [`DeviceBuffer::filled`] for them.
    ///
    /// A type without a value of zeroes is a compile error:
    ///
    /// ```compile_fail,E0080
    /// let counts = ptyx::DeviceBuffer::<core::num::NonZeroU32>::zeroed(4)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::TooLarge`]; no usable device.
    pub fn zeroed(len: usize) -> Result<DeviceBuffer<T>> {
        // Not on the default stream: other streams would wait for what runs there.
        DeviceBuffer::zeroed_on(len, current()?.transfer_stream()?)
    }

    /// `len` elements whose bytes are all 0, made on `stream` and its device. The host does not
    /// wait.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn zeroed_on(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        let mut buffer = DeviceBuffer::allocate(len, stream)?;
        buffer.as_slice_mut().zero_async(stream)?;
        Ok(buffer)
    }

    /// `len` elements that are `value`, on the thread's device.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn filled(len: usize, value: T) -> Result<DeviceBuffer<T>> {
        let stream = current()?.transfer_stream()?;
        let mut buffer = DeviceBuffer::allocate(len, stream)?;
        buffer.as_slice_mut().fill_async(value, stream)?;
        Ok(buffer)
    }

    /// A copy of a host slice, on the thread's device.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn from_slice(host: &[T]) -> Result<DeviceBuffer<T>> {
        let mut buffer = DeviceBuffer::allocate(host.len(), current()?.transfer_stream()?)?;
        buffer.as_slice_mut().copy_from_slice(host)?;
        Ok(buffer)
    }

    /// `len` elements of unknown content, on the thread's device.
    ///
    /// # Safety
    /// Every element must be written, by a copy or a kernel, before anything reads it.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub unsafe fn uninitialized(len: usize) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::allocate(len, current()?.transfer_stream()?)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of the device that the buffer is on.
    pub fn device_index(&self) -> u32 {
        self.allocation.context.ordinal
    }

    /// The address of the first element on the device, for use as a raw pointer.
    /// [`DeviceSlice::device_address`] says how kernels that use it are ordered.
    pub fn device_address(&self) -> u64 {
        self.as_slice().device_address()
    }

    /// The whole buffer as a part of itself.
    #[inline]
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        let DeviceBuffer { allocation, len, .. } = self;
        DeviceSlice { allocation, start: 0, len: *len, elements: PhantomData }
    }

    /// The whole buffer as a part of itself, for writing.
    #[inline]
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut { part: self.as_slice(), elements: PhantomData }
    }

    /// A part of the buffer.
    ///
    /// # Panics
    /// The range is out of bounds, as with slices of the host; see [`DeviceSlice::get`].
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceSlice<'_, T> {
        self.as_slice().slice(range)
    }

    /// A part of the buffer, for writing.
    ///
    /// # Panics
    /// The range is out of bounds, as with slices of the host; see [`DeviceSliceMut::get_mut`].
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> DeviceSliceMut<'_, T> {
        self.as_slice_mut().slice_mut(range)
    }

    /// A view of `shape`, row-major: the last index runs fastest. As a kernel argument it is an
    /// `Array<T, N>`. A shape whose product is not the length is an error of the launch.
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> DeviceView<'_, T, N> {
        self.as_slice().view(shape)
    }

    /// A view of `shape`, as [`DeviceBuffer::view`], for writing. As a kernel argument it is a
    /// `DisjointArray<T, N>` or an `ArrayMut<T, N>`.
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> DeviceViewMut<'_, T, N> {
        self.as_slice_mut().view_mut(shape)
    }

    /// Copies the elements to the host, when everything that writes them is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.as_slice().to_vec()
    }

    /// Copies the elements to a slice of the same length, when everything that writes them is done.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_to_slice(&self, host: &mut [T]) -> Result<()> {
        self.as_slice().copy_to_slice(host)
    }

    /// Copies the elements to pinned memory of the same length, on `stream`. The host does not
    /// wait; looking at the pinned memory does.
    ///
    /// # Errors
    /// [`Error::Length`]; the stream is on another device.
    pub fn copy_to_async(&self, host: &mut PinnedBuffer<T>, stream: &Stream) -> Result<()> {
        self.as_slice().copy_to_async(host, stream)
    }

    /// Copies a host slice of the same length here, when everything that uses the buffer is done.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn copy_from_slice(&mut self, host: &[T]) -> Result<()> {
        self.as_slice_mut().copy_from_slice(host)
    }

    /// Copies pinned memory of the same length here, on `stream`. The host does not wait; writing
    /// to the pinned memory does.
    ///
    /// # Errors
    /// [`Error::Length`]; the stream is on another device.
    pub fn copy_from_async(&mut self, host: &PinnedBuffer<T>, stream: &Stream) -> Result<()> {
        self.as_slice_mut().copy_from_async(host, stream)
    }

    /// Copies a buffer of the same length and device here, on the default stream. The host does
    /// not wait.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`].
    pub fn copy_from_buffer<'b>(&mut self, from: impl Into<DeviceSlice<'b, T>>) -> Result<()> {
        self.as_slice_mut().copy_from_buffer(from)
    }

    /// Copies a buffer of the same length and device here, on `stream`. The host does not wait.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`].
    pub fn copy_from_buffer_async<'b>(
        &mut self,
        from: impl Into<DeviceSlice<'b, T>>,
        stream: &Stream,
    ) -> Result<()> {
        self.as_slice_mut().copy_from_buffer_async(from, stream)
    }

    /// Sets every byte to 0, on `stream`. The host does not wait.
    ///
    /// # Errors
    /// The stream is on another device.
    pub fn zero_async(&mut self, stream: &Stream) -> Result<()> {
        self.as_slice_mut().zero_async(stream)
    }

    /// Sets every element to `value`, on the default stream.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.as_slice_mut().fill(value)
    }

    /// Sets every element to `value`, on `stream`; see [`DeviceSliceMut::fill_async`].
    ///
    /// # Errors
    /// The stream is on another device.
    pub fn fill_async(&mut self, value: T, stream: &Stream) -> Result<()> {
        self.as_slice_mut().fill_async(value, stream)
    }

    /// A copy of the buffer on the same device. The host does not wait.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_clone(&self) -> Result<DeviceBuffer<T>> {
        let stream = self.allocation.context.default_stream()?;
        let mut copy = DeviceBuffer::allocate(self.len, stream)?;
        copy.copy_from_buffer_async(self, stream)?;
        Ok(copy)
    }
}

impl<'a, T: DeviceCopy> From<&'a DeviceBuffer<T>> for DeviceSlice<'a, T> {
    fn from(buffer: &'a DeviceBuffer<T>) -> Self {
        buffer.as_slice()
    }
}

impl<'a, T: DeviceCopy> From<&'a mut DeviceBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(buffer: &'a mut DeviceBuffer<T>) -> Self {
        buffer.as_slice_mut()
    }
}

impl<T> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "DeviceBuffer({} elements on device {})",
            self.len, self.allocation.context.ordinal
        )
    }
}
