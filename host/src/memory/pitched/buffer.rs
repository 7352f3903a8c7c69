//! Arrays whose rows are aligned.

use super::rows::Rows;
use super::view::PitchedView;
use super::view_mut::PitchedViewMut;
use crate::context::Context;
use crate::driver::types::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT;
use crate::error::{Error, Result};
use crate::memory::allocation::{ALIGNMENT, Allocation};
use crate::memory::copy;
use crate::memory::slice::same_length;
use crate::memory::view::IntoShape;
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use ptyx_device::DeviceCopy;

/// An array of `N` dimensions in device memory, whose rows all begin at aligned addresses.
///
/// Rows may be padded: they begin [`pitch`](PitchedBuffer::pitch) bytes apart. This is the pitch that
/// [`cuMemAllocPitch`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) would choose (on current GPUs a
/// multiple of 512), or a larger one if the elements' alignment needs it. So accesses of warps to any row are coalesced.
/// For very short rows, a [`DeviceBuffer`](crate::DeviceBuffer) takes far less memory.
///
/// The last index varies fastest. Host slices hold the elements in the same order, without padding. As a kernel
/// argument, `buffer.view()` is an `Array<T, N>`; `buffer.view_mut()` is a `DisjointArray<T, N>` or an `ArrayMut<T, N>`.
///
/// Ptyx tracks the streams that use it, as it does for a [`DeviceBuffer`](crate::DeviceBuffer).
///
/// ```
/// use ptyx::PitchedBuffer;
/// let mut image = PitchedBuffer::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
/// image.part_mut([0..2, 1..2])?.fill(0)?;
/// assert_eq!(image.to_vec()?, [1, 0, 3, 4, 0, 6]);
/// assert_eq!(image.part([1..2, 0..3])?.to_vec()?, [4, 0, 6]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[doc(alias("cudaMallocPitch", "cudaMalloc3D", "cuMemAllocPitch"))]
pub struct PitchedBuffer<T, const N: usize = 2> {
    allocation: Allocation,
    rows: Rows<N>,
    elements: PhantomData<T>,
}

/// The smallest number of bytes that is a multiple of both.
fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The number of bytes of which the pitch is a multiple.
fn step(context: &Context, size: usize) -> Result<usize> {
    let alignment = context.attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)?;
    Ok(least_common_multiple(alignment.max(1).unsigned_abs() as usize, size.max(1)))
}

impl<T: DeviceCopy, const N: usize> PitchedBuffer<T, N> {
    /// An uninitialised array, ready for work on `stream`.
    fn allocate(shape: [usize; N], stream: &Stream) -> Result<Self> {
        const { assert!(align_of::<T>() <= ALIGNMENT, "device memory is aligned to 256 bytes") };
        let size = size_of::<T>();
        let rows = Rows::apart(shape, size, step(stream.context(), size)?)?;
        let allocation = Allocation::new(stream, rows.bytes(), None)?;
        Ok(PitchedBuffer { allocation, rows, elements: PhantomData })
    }

    /// An array whose bytes are all 0, on the thread's current device. This is a compile error for types that can't be all zeros,
    /// such as `NonZero`: use [`PitchedBuffer::filled`] for them.
    ///
    /// ```
    /// let volume = ptyx::PitchedBuffer::<f32, 3>::zeroed([2, 3, 4])?;
    /// assert_eq!(volume.to_vec()?, [0.0; 24]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::TooLarge`]; no usable device.
    pub fn zeroed(shape: impl IntoShape<N>) -> Result<Self> {
        Self::zeroed_on(shape, current()?.transfer_stream()?)
    }

    /// An array whose bytes are all 0, on the device of `stream`, in stream order. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let image = ptyx::PitchedBuffer::<u8>::zeroed_on([2, 3], &stream)?;
    /// assert_eq!(image.to_vec()?, [0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::zeroed`].
    pub fn zeroed_on(shape: impl IntoShape<N>, stream: &Stream) -> Result<Self> {
        const { ptyx_device::must_be_zeroable::<T>() };
        let buffer = Self::allocate(shape.into_shape(), stream)?;
        copy::zero(&buffer.allocation, 0..buffer.rows.bytes(), stream)?;
        Ok(buffer)
    }

    /// An array whose elements are `value`, on the thread's current device.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::filled([2, 3], 2.5f32)?;
    /// assert_eq!(image.to_vec()?, [2.5; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::zeroed`].
    pub fn filled(shape: impl IntoShape<N>, value: T) -> Result<Self> {
        Self::filled_on(shape, value, current()?.transfer_stream()?)
    }

    /// An array whose elements are `value`, on the device of `stream`, in stream order. [`PitchedViewMut::fill_on`] says
    /// for which types the host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let image = ptyx::PitchedBuffer::filled_on([2, 3], 7u32, &stream)?;
    /// assert_eq!(image.to_vec()?, [7; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::zeroed`].
    pub fn filled_on(shape: impl IntoShape<N>, value: T, stream: &Stream) -> Result<Self> {
        let mut buffer = Self::allocate(shape.into_shape(), stream)?;
        buffer.view_mut().fill_on(value, stream)?;
        Ok(buffer)
    }

    /// An array with the elements of a slice, row after row, on the thread's current device.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part([0..2, 1..2])?.to_vec()?, [2, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the slice does not have as many elements as the shape, and as [`PitchedBuffer::zeroed`].
    pub fn from_slice(host: &[T], shape: impl IntoShape<N>) -> Result<Self> {
        Self::from_slice_on(host, shape, current()?.transfer_stream()?)
    }

    /// An array with the elements of a slice, on the device of `stream`, allocated in stream order. The host waits until
    /// the slice has been read.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let image = ptyx::PitchedBuffer::from_slice_on(&[1, 2, 3, 4], [2, 2], &stream)?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::from_slice`]; [`Error::KernelPanic`] and [`Error::Fault`] of kernels that ran.
    pub fn from_slice_on(host: &[T], shape: impl IntoShape<N>, stream: &Stream) -> Result<Self> {
        let shape = shape.into_shape();
        let len = shape.iter().try_fold(1usize, |len, &extent| len.checked_mul(extent));
        let len = len.ok_or(Error::TooLarge { len: usize::MAX, size: size_of::<T>() })?;
        same_length("copying a host slice to a pitched array", len, host.len())?;
        stream.0.refuse_capture("PitchedBuffer::from_slice_on")?;
        let mut buffer = Self::allocate(shape, stream)?;
        buffer.view_mut().copy_from_slice(host)?;
        Ok(buffer)
    }

    /// An uninitialised array, on the thread's current device.
    ///
    /// ```
    /// // SAFETY: the copy writes every element.
    /// let mut image = unsafe { ptyx::PitchedBuffer::<i32>::uninitialized([2, 2]) }?;
    /// image.view_mut().copy_from_slice(&[1, 2, 3, 4])?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Every element must be written, by a copy or a kernel, before anything reads it.
    ///
    /// # Errors
    /// As [`PitchedBuffer::zeroed`].
    pub unsafe fn uninitialized(shape: impl IntoShape<N>) -> Result<Self> {
        Self::allocate(shape.into_shape(), current()?.transfer_stream()?)
    }

    /// An uninitialised array, on the device of `stream`, allocated in stream order. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// // SAFETY: the fill writes every element.
    /// let mut image = unsafe { ptyx::PitchedBuffer::<i32>::uninitialized_on([2, 2], &stream) }?;
    /// image.view_mut().fill_on(7, &stream)?;
    /// assert_eq!(image.to_vec()?, [7; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// As [`PitchedBuffer::uninitialized`].
    ///
    /// # Errors
    /// As [`PitchedBuffer::zeroed`].
    pub unsafe fn uninitialized_on(shape: impl IntoShape<N>, stream: &Stream) -> Result<Self> {
        Self::allocate(shape.into_shape(), stream)
    }

    /// The number of elements along each axis, slowest first.
    ///
    /// ```
    /// let volume = ptyx::PitchedBuffer::<f32, 3>::zeroed([2, 3, 4])?;
    /// assert_eq!(volume.shape(), [2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.rows.shape
    }

    /// The number of elements.
    ///
    /// ```
    /// let volume = ptyx::PitchedBuffer::<f32, 3>::zeroed([2, 3, 4])?;
    /// assert_eq!(volume.len(), 24);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// assert!(ptyx::PitchedBuffer::<f32>::zeroed([0, 4])?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes from the beginning of a row to that of the next one; with one dimension, the size of all elements.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::<f32>::zeroed([4, 100])?;
    /// assert!(image.pitch() >= 400 && image.pitch() % 4 == 0);
    /// assert_eq!(image.view().strides(), [image.pitch() / 4, 1]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn pitch(&self) -> usize {
        let Rows { shape, strides, .. } = self.rows;
        if N == 1 { shape[0] * strides[0] } else { strides[N - 2] }
    }

    /// The context of its device.
    pub(in crate::memory) fn context(&self) -> &'static Context {
        self.allocation.context
    }

    /// The index of the array's device.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::<u8>::zeroed([2, 3])?;
    /// assert_eq!(image.device_index(), ptyx::Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.allocation.context.ordinal
    }

    /// The address of the first element on the device, for use as a raw pointer.
    /// [`DeviceSlice::device_address`](crate::DeviceSlice::device_address) says how kernels that use it are ordered.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::<u8>::zeroed([2, 3])?;
    /// assert_eq!(image.device_address() % 256, 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_address(&self) -> u64 {
        self.allocation.expose();
        self.view().address()
    }

    /// A view of all elements, for reading.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(image.view().to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view(&self) -> PitchedView<'_, T, N> {
        let PitchedBuffer { allocation, rows, .. } = self;
        PitchedView { allocation, rows: *rows, elements: PhantomData }
    }

    /// A view of all elements, for writing.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::<u32>::zeroed([2, 2])?;
    /// image.view_mut().fill(5)?;
    /// assert_eq!(image.to_vec()?, [5; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> PitchedViewMut<'_, T, N> {
        PitchedViewMut { part: self.view(), elements: PhantomData }
    }

    /// A box of the array: a range along each axis.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part([1..2, 0..2])?.to_vec()?, [4, 5]);
    /// assert!(image.part([0..3, 0..1]).is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if it is not within the array.
    pub fn part(&self, ranges: [Range<usize>; N]) -> Result<PitchedView<'_, T, N>> {
        self.view().part(ranges)
    }

    /// A box of the array, for writing.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::<u8>::zeroed([2, 3])?;
    /// image.part_mut([0..1, 1..3])?.fill(9)?;
    /// assert_eq!(image.to_vec()?, [0, 9, 9, 0, 0, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::part`].
    pub fn part_mut(&mut self, ranges: [Range<usize>; N]) -> Result<PitchedViewMut<'_, T, N>> {
        self.view_mut().part_mut(ranges)
    }

    /// Copies all elements to the host, row after row: [`PitchedView::to_vec`].
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.view().to_vec()
    }

    /// A copy of the array on the same device. The host does not wait.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let before = image.try_clone()?;
    /// image.view_mut().fill(0)?;
    /// assert_eq!(before.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_clone(&self) -> Result<Self> {
        self.try_clone_on(self.allocation.context.default_stream()?)
    }

    /// A copy of the array on the same device, made on `stream`. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(image.try_clone_on(&stream)?.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::WrongDevice`] if the stream is on another device.
    pub fn try_clone_on(&self, stream: &Stream) -> Result<Self> {
        stream.expect_on(self.allocation.context)?;
        let mut copy = Self::allocate(self.rows.shape, stream)?;
        copy.view_mut().copy_from_view_on(self, stream)?;
        Ok(copy)
    }
}

impl<'a, T: DeviceCopy, const N: usize> From<&'a PitchedBuffer<T, N>> for PitchedView<'a, T, N> {
    fn from(buffer: &'a PitchedBuffer<T, N>) -> Self {
        buffer.view()
    }
}

impl<T, const N: usize> fmt::Debug for PitchedBuffer<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = self.allocation.context.ordinal;
        write!(f, "PitchedBuffer({:?} elements on device {device})", self.rows.shape)
    }
}
