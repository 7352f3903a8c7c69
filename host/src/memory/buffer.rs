//! Buffers in device memory.

mod transfers;

use super::OfGraph;
use super::allocation::{ALIGNMENT, Allocation};
use super::pool::MemoryPool;
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::view::{DeviceView, DeviceViewMut, IntoShape};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;
use ptyx_device::DeviceCopy;
use std::sync::Arc;

/// An array of `T` in the memory of a device. Kernels of other devices can use it, too, where the devices are
/// [peers](crate::Device::can_access_peer): the first launch that is given it enables the access.
///
/// As a kernel argument, `&buffer` is a `&[T]`; `&mut buffer` is a `Disjoint<T>`, a `Parts<T, D>`, a
/// `SliceMut<T>` or an `Atomics<T>`, whichever the kernel takes.
///
/// The calls that start kernels and copies return before these are done. Ptyx keeps track of the streams
/// that use a buffer: a use on another stream waits for the earlier one on the device, reading on the host
/// waits on the host, and dropping a buffer frees the memory once nothing uses it. So Rust's
/// borrow rules are enough, on any number of streams and threads.
///
/// Memory is allocated and freed in stream order ([`cuMemAllocFromPoolAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)),
/// or with [`cuMemAlloc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) if the device
/// has no memory pools.
///
/// The host can't access single elements: each access would be a transfer. Copy a part with
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

/// The bytes of `len` elements, which are aligned as device memory can be.
pub(super) fn bytes_of<T>(len: usize) -> Result<usize> {
    const { assert!(align_of::<T>() <= ALIGNMENT, "device memory is aligned to 256 bytes") };
    let bytes = len.checked_mul(size_of::<T>());
    let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes.ok_or(Error::TooLarge { len, size: size_of::<T>() })
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// Memory that a graph allocates.
    pub(crate) fn of_graph(
        context: &'static Context,
        address: u64,
        len: usize,
        life: Arc<OfGraph>,
    ) -> DeviceBuffer<T> {
        let bytes = len * size_of::<T>();
        DeviceBuffer::of(Allocation::of_graph(context, address, bytes, life), len)
    }

    /// What graphs know its memory by.
    pub(crate) fn key(&self) -> usize {
        self.allocation.key()
    }

    /// A buffer of `len` elements in an allocation of their size.
    pub(super) fn of(allocation: Allocation, len: usize) -> DeviceBuffer<T> {
        DeviceBuffer { allocation, len, elements: PhantomData }
    }

    /// A buffer of `len` elements of unknown content, ready for work on `stream`.
    fn allocate(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::allocate_from(len, stream, None)
    }

    /// Elements of memory that is allocated already.
    pub(super) fn of_allocation(allocation: Allocation, len: usize) -> DeviceBuffer<T> {
        DeviceBuffer { allocation, len, elements: PhantomData }
    }

    /// The same from a pool.
    pub(super) fn allocate_from(
        len: usize,
        stream: &Stream,
        pool: Option<&MemoryPool>,
    ) -> Result<DeviceBuffer<T>> {
        let allocation = Allocation::new(stream, bytes_of::<T>(len)?, pool)?;
        Ok(DeviceBuffer { allocation, len, elements: PhantomData })
    }

    /// `len` elements whose bytes are all 0, on the thread's device. This is a compile error for types
    /// that can't be all zeros, such as `NonZero`: use [`DeviceBuffer::filled`] for them.
    ///
    /// This does not compile:
    ///
    /// ```compile_fail,E0080
    /// let counts = ptyx::DeviceBuffer::<core::num::NonZeroU32>::zeroed(4)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(3)?;
    /// assert_eq!(buffer.to_vec()?, [0.0; 3]);
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
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut sums = DeviceBuffer::<u64>::zeroed_on(1000, &stream)?;
    /// sums.fill_on(1, &stream)?; // after the zeros
    /// assert_eq!(sums.to_vec()?, [1; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn zeroed_on(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::allocate_zeroed(len, stream, None)
    }

    /// Zeros from a pool; without one, from the device's current pool.
    pub(super) fn allocate_zeroed(
        len: usize,
        stream: &Stream,
        pool: Option<&MemoryPool>,
    ) -> Result<DeviceBuffer<T>> {
        let mut buffer = DeviceBuffer::allocate_from(len, stream, pool)?;
        buffer.as_slice_mut().zero_on(stream)?;
        Ok(buffer)
    }

    /// `len` elements that are `value`, on the thread's device.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::filled(3, 2.5f32)?;
    /// assert_eq!(buffer.to_vec()?, [2.5; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn filled(len: usize, value: T) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::filled_on(len, value, current()?.transfer_stream()?)
    }

    /// `len` elements that are `value`, made on `stream` and its device. [`DeviceSliceMut::fill_on`] says for which
    /// types the host does not wait for work in that stream.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let distances = DeviceBuffer::filled_on(100, u32::MAX, &stream)?;
    /// assert_eq!(distances.to_vec()?, [u32::MAX; 100]); // waits for the fill
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn filled_on(len: usize, value: T, stream: &Stream) -> Result<DeviceBuffer<T>> {
        let mut buffer = DeviceBuffer::allocate(len, stream)?;
        buffer.as_slice_mut().fill_on(value, stream)?;
        Ok(buffer)
    }

    /// A copy of a host slice, on the thread's device.
    ///
    /// ```
    /// let host = vec![1, 2, 3];
    /// let buffer = ptyx::DeviceBuffer::from_slice(&host)?;
    /// assert_eq!(buffer.to_vec()?, host);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub fn from_slice(host: &[T]) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::from_slice_on(host, current()?.transfer_stream()?)
    }

    /// A copy of a host slice, allocated in the order of `stream`, on its device. The host waits until the
    /// slice has been read, which is after the earlier work of the stream.
    ///
    /// To copy without waiting, use [`DeviceBuffer::copy_from_pinned_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::from_slice_on(&[1, 2, 3], &stream)?;
    /// assert_eq!(buffer.device_index(), stream.device_index());
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn from_slice_on(host: &[T], stream: &Stream) -> Result<DeviceBuffer<T>> {
        stream.0.refuse_capture("DeviceBuffer::from_slice_on")?;
        let mut buffer = DeviceBuffer::allocate(host.len(), stream)?;
        buffer.as_slice_mut().copy_from_slice(host)?;
        Ok(buffer)
    }

    /// `len` elements of unknown content, on the thread's device.
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let source = DeviceBuffer::filled(1000, 7u32)?;
    /// // SAFETY: the copy writes every element before anything reads one.
    /// let mut copy = unsafe { DeviceBuffer::<u32>::uninitialized(1000)? };
    /// copy.copy_from_buffer(&source)?;
    /// assert_eq!(copy.to_vec()?, [7; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Every element must be written, by a copy or a kernel, before anything reads it.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub unsafe fn uninitialized(len: usize) -> Result<DeviceBuffer<T>> {
        // SAFETY: the caller's promise.
        unsafe { DeviceBuffer::uninitialized_on(len, current()?.transfer_stream()?) }
    }

    /// `len` elements of unknown content, allocated in the order of `stream`, on its device. The host does not
    /// wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// // SAFETY: the fill writes every element before anything reads one.
    /// let mut buffer = unsafe { DeviceBuffer::<u32>::uninitialized_on(1000, &stream)? };
    /// buffer.fill_on(7, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [7; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Every element must be written, by a copy or a kernel, before anything reads it.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed`].
    pub unsafe fn uninitialized_on(len: usize, stream: &Stream) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::allocate(len, stream)
    }

    /// The number of elements.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// assert_eq!(buffer.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// assert!(ptyx::DeviceBuffer::<u8>::zeroed(0)?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The index of the buffer's device.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer};
    /// let buffer = DeviceBuffer::<u8>::zeroed(16)?;
    /// assert_eq!(buffer.device_index(), Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.allocation.context.ordinal
    }

    /// The address of the first element on the device, for use as a raw pointer.
    /// [`DeviceSlice::device_address`] says how kernels that use it are ordered.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(16)?;
    /// let pointer = buffer.device_address() as *const f32; // an argument of an `unsafe` kernel
    /// assert!(pointer.is_aligned() && !pointer.is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_address(&self) -> u64 {
        self.as_slice().device_address()
    }

    /// The whole buffer as a slice.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, DeviceSlice};
    /// fn total(numbers: DeviceSlice<'_, u32>) -> ptyx::Result<u32> {
    ///     Ok(numbers.to_vec()?.iter().sum())
    /// }
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// assert_eq!(total(buffer.as_slice())?, 6);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        let DeviceBuffer { allocation, len, .. } = self;
        DeviceSlice { allocation, start: 0, len: *len, elements: PhantomData }
    }

    /// The whole buffer as a mutable slice.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// let (mut left, mut right) = buffer.as_slice_mut().split_at_mut(2);
    /// left.fill(1)?;
    /// right.fill(2)?;
    /// assert_eq!(buffer.to_vec()?, [1, 1, 2, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut { part: self.as_slice(), elements: PhantomData }
    }

    /// A part of the buffer.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// assert_eq!(buffer.slice(1..3).to_vec()?, [2, 3]);
    /// assert_eq!(buffer.slice(2..).to_vec()?, [3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is out of bounds, as with slices of the host; see [`DeviceSlice::get`].
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceSlice<'_, T> {
        self.as_slice().slice(range)
    }

    /// A part of the buffer, for writing.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// buffer.slice_mut(1..3).copy_from_slice(&[20, 30])?;
    /// assert_eq!(buffer.to_vec()?, [1, 20, 30, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is out of bounds, as with slices of the host; see [`DeviceSliceMut::get_mut`].
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> DeviceSliceMut<'_, T> {
        self.as_slice_mut().slice_mut(range)
    }

    /// A view of `shape`, row-major: the last index runs fastest. As a kernel argument it is an
    /// `Array<T, N>`. A shape whose product is not the length is an error of the launch.
    ///
    /// ```
    /// let image = ptyx::DeviceBuffer::<f32>::zeroed(480 * 640)?;
    /// let view = image.view((480, 640)); // for a kernel that takes an `Array<f32, 2>`
    /// assert_eq!(view.shape(), [480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> DeviceView<'_, T, N> {
        self.as_slice().view(shape)
    }

    /// A view of `shape`, as [`DeviceBuffer::view`], for writing. As a kernel argument it is a
    /// `DisjointArray<T, N>`, a `Parts<T, D, N>` or an `ArrayMut<T, N>`.
    ///
    /// ```
    /// let mut image = ptyx::DeviceBuffer::<f32>::zeroed(480 * 640)?;
    /// let view = image.view_mut([480, 640]); // for a `DisjointArray<f32, 2>`
    /// assert_eq!(view.shape(), [480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> DeviceViewMut<'_, T, N> {
        self.as_slice_mut().view_mut(shape)
    }

    /// A copy of the buffer on the same device. The host does not wait.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let before = buffer.try_clone()?;
    /// buffer.fill(0)?;
    /// assert_eq!(before.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_clone(&self) -> Result<DeviceBuffer<T>> {
        self.try_clone_on(self.allocation.context.default_stream()?)
    }

    /// A copy of the buffer on the same device, made on `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let before = buffer.try_clone_on(&stream)?;
    /// buffer.fill(0)?; // waits for the copy, on the device
    /// assert_eq!(before.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::WrongDevice`] if the stream is on another device.
    pub fn try_clone_on(&self, stream: &Stream) -> Result<DeviceBuffer<T>> {
        stream.expect_on(self.allocation.context)?;
        let mut copy = DeviceBuffer::allocate(self.len, stream)?;
        copy.copy_from_buffer_on(self, stream)?;
        Ok(copy)
    }
}

impl<T> DeviceBuffer<T> {
    /// Changes the number of elements. The caller has made those within the memory, and has them written before anybody
    /// else sees them.
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Its memory.
    pub(super) fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// The number of elements, whatever they are.
    pub(super) fn elements(&self) -> usize {
        self.len
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
