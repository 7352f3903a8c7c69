//! Boxes of arrays in device memory, for writing.

use super::copy::{self, Place, same_shape};
use super::host::HostView;
use super::pinned::PinnedView;
use super::view::PitchedView;
use crate::error::Result;
use crate::memory::fill::{Element, Pattern};
use crate::memory::slice::same_length;
use crate::memory::tracker::Access;
use crate::memory::view::{DeviceView, DeviceViewMut};
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use ptyx_device::DeviceCopy;

/// An array of `N` dimensions in device memory, or a box of one, borrowed for writing. Its rows need not be contiguous.
///
/// As a kernel argument it is a `DisjointArray<T, N>` or an `ArrayMut<T, N>`.
///
/// ```
/// use ptyx::PitchedBuffer;
/// let mut image = PitchedBuffer::<u8>::zeroed([3, 4])?;
/// image.part_mut([1..3, 1..3])?.fill(1)?;
/// assert_eq!(image.to_vec()?, [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PitchedViewMut<'a, T, const N: usize> {
    pub(super) part: PitchedView<'a, T, N>,
    pub(super) elements: PhantomData<&'a mut [T]>,
}

impl<'a, T: DeviceCopy, const N: usize> PitchedViewMut<'a, T, N> {
    /// The number of elements along each axis, slowest first.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part_mut([0..2, 1..2])?.shape(), [2, 1]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.part.rows.shape
    }

    /// The number of elements.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part_mut([0..2, 1..2])?.len(), 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.part.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert!(image.part_mut([0..0, 0..3])?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.part.is_empty()
    }

    /// The same box, for reading.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.view_mut().as_view().to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_view(&self) -> PitchedView<'_, T, N> {
        self.part
    }

    /// The same box, for the time of the mutable borrow. Only for launches, which pass it to one view.
    pub(crate) fn part(&self) -> PitchedView<'a, T, N> {
        self.part
    }

    /// The same box for a shorter time.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut all = image.view_mut();
    /// all.reborrow().part_mut([0..1, 0..3])?.fill(0)?;
    /// assert_eq!(all.to_vec()?, [0, 0, 0, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn reborrow(&mut self) -> PitchedViewMut<'_, T, N> {
        PitchedViewMut { part: self.part, elements: PhantomData }
    }

    /// A box: a range along each axis.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// image.view_mut().part_mut([1..2, 0..2])?.fill(0)?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 0, 0, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) if it is not within this one.
    pub fn part_mut(self, ranges: [Range<usize>; N]) -> Result<PitchedViewMut<'a, T, N>> {
        Ok(PitchedViewMut { part: self.part.part(ranges)?, elements: PhantomData })
    }

    /// Splits the box along the first axis: the second box begins at `middle`. Different streams may work on the two
    /// concurrently.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::<u8>::zeroed([3, 2])?;
    /// let (mut above, mut below) = image.view_mut().split_at_mut(1)?;
    /// above.fill(1)?;
    /// below.fill(2)?;
    /// assert_eq!(image.to_vec()?, [1, 1, 2, 2, 2, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) if `middle` is out of bounds.
    pub fn split_at_mut(
        self,
        middle: usize,
    ) -> Result<(PitchedViewMut<'a, T, N>, PitchedViewMut<'a, T, N>)> {
        let ranges = |along: Range<usize>| {
            let mut ranges = self.part.rows.shape.map(|extent| 0..extent);
            ranges[0] = along;
            ranges
        };
        let part = |along| {
            let part = self.part.part(ranges(along))?;
            Ok::<_, crate::Error>(PitchedViewMut { part, elements: PhantomData })
        };
        Ok((part(0..middle)?, part(middle..self.part.rows.shape[0])?))
    }

    /// Copies the elements to the host: [`PitchedView::to_vec`].
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part_mut([0..2, 2..3])?.to_vec()?, [3, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.part.to_vec()
    }

    /// Copies from a slice of the same length, row after row, after all work that uses the elements.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::<i32>::zeroed([2, 3])?;
    /// image.view_mut().part_mut([0..2, 0..2])?.copy_from_slice(&[1, 2, 3, 4])?;
    /// assert_eq!(image.to_vec()?, [1, 2, 0, 3, 4, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`](crate::Error::Length); [`Error::KernelPanic`](crate::Error::KernelPanic) and
    /// [`Error::Fault`](crate::Error::Fault) of kernels that ran.
    pub fn copy_from_slice(&mut self, host: &[T]) -> Result<()> {
        same_length("copying a host slice to a pitched array", self.len(), host.len())?;
        self.copy_from_host(HostView::new(host, self.shape())?)
    }

    /// Copies from a host box of the same shape, after all work that uses the elements
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// use ptyx::{Error, HostView, PitchedBuffer};
    /// let mut image = PitchedBuffer::<u8>::zeroed([2, 3])?;
    /// let column = HostView::new(&[7, 8], [2, 1])?;
    /// image.part_mut([0..2, 1..2])?.copy_from_host(column)?;
    /// assert_eq!(image.to_vec()?, [0, 7, 0, 0, 8, 0]);
    /// assert!(matches!(image.view_mut().copy_from_host(column), Err(Error::Shapes { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shapes`](crate::Error::Shapes); [`Error::KernelPanic`](crate::Error::KernelPanic) and
    /// [`Error::Fault`](crate::Error::Fault) of kernels that ran.
    pub fn copy_from_host(&mut self, host: HostView<'_, T, N>) -> Result<()> {
        same_shape("copying host memory to a device", self.shape(), host.shape())?;
        let end = (host.pointer(), &host.rows());
        // SAFETY: the host's box is borrowed, and this one mutably.
        unsafe { copy::upload(self.part.allocation, &self.part.rows, end) }
    }

    /// Copies from pinned memory of the same shape, on the default stream: see
    /// [`PitchedViewMut::copy_from_pinned_on`].
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer};
    /// let row = PinnedBuffer::from_slice(&[7u8, 8, 9])?;
    /// let mut image = PitchedBuffer::<u8>::zeroed([2, 3])?;
    /// image.part_mut([1..2, 0..3])?.copy_from_pinned(row.view([1, 3])?)?;
    /// assert_eq!(image.to_vec()?, [0, 0, 0, 7, 8, 9]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::copy_from_pinned_on`].
    pub fn copy_from_pinned(&mut self, host: PinnedView<'_, T, N>) -> Result<()> {
        self.copy_from_pinned_on(host, self.part.allocation.context.default_stream()?)
    }

    /// Copies from pinned memory of the same shape, on `stream`
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; writing to
    /// the pinned memory waits for the copy.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut host = PinnedBuffer::from_slice(&[1u8, 2, 3, 4])?;
    /// let mut image = PitchedBuffer::<u8>::zeroed([2, 2])?;
    /// image.view_mut().copy_from_pinned_on(host.view([2, 2])?, &stream)?;
    /// host[0] = 9; // waits for the copy
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shapes`](crate::Error::Shapes); [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on
    /// another device.
    pub fn copy_from_pinned_on(
        &mut self,
        host: PinnedView<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        same_shape("copying pinned memory to a device", self.shape(), host.shape())?;
        let (context, from_rows) = (stream.context(), host.rows());
        let entry = stream.enter();
        host.order(&entry, Access::Read)?;
        self.part.order(&entry, Access::Write)?;
        context.bind()?;
        let from = Place::Host(host.buffer.as_device_copy_source().cast_mut());
        let to = (Place::Device(self.part.allocation), &self.part.rows);
        // SAFETY: both trackers know of the use, so that neither side is freed or touched too early.
        unsafe { copy::submit(context, to, (from, &from_rows), stream) }
    }

    /// Copies from device memory of the same shape, on the default stream: see [`PitchedViewMut::copy_from_view_on`].
    ///
    /// ```
    /// let from = ptyx::PitchedBuffer::from_slice(&[7, 8, 9], [1, 3])?;
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// image.part_mut([1..2, 0..3])?.copy_from_view(&from)?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 7, 8, 9]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::copy_from_view_on`].
    pub fn copy_from_view<'b>(&mut self, from: impl Into<PitchedView<'b, T, N>>) -> Result<()>
    where
        T: 'b,
    {
        self.copy_from_view_on(from, self.part.allocation.context.default_stream()?)
    }

    /// Copies from device memory of the same shape, possibly on another device, on `stream`, which is on this one's device
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html), `cuMemcpy3DPeerAsync`). The host
    /// does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// let mut image = PitchedBuffer::<i32>::zeroed_on([2, 2], &stream)?;
    /// let left = buffer.view([2, 3]).part([0..2, 0..2])?;
    /// image.view_mut().copy_from_view_on(left, &stream)?;
    /// assert_eq!(image.to_vec()?, [1, 2, 4, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shapes`](crate::Error::Shapes); [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on
    /// another device than this one.
    pub fn copy_from_view_on<'b>(
        &mut self,
        from: impl Into<PitchedView<'b, T, N>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'b,
    {
        let from = from.into();
        same_shape("copying between arrays in device memory", self.shape(), from.rows.shape)?;
        let (to, source) = (&self.part, &from);
        let ends = ((to.allocation, &to.rows), (source.allocation, &source.rows));
        copy::device_to_device(ends.0, ends.1, stream)
    }

    /// Sets every element to `value`, on the default stream: see [`PitchedViewMut::fill_on`].
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// image.part_mut([0..2, 0..1])?.fill(0)?;
    /// assert_eq!(image.to_vec()?, [0, 2, 3, 0, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::fill_on`].
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.fill_on(value, self.part.allocation.context.default_stream()?)
    }

    /// Sets every element to `value`, on `stream` ([`cuMemsetD2D32Async`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)
    /// and its variants for other sizes). The host does not wait if `T` is a number, `bool` or `char`.
    ///
    /// ```
    /// use ptyx::{PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut image = PitchedBuffer::<f64>::zeroed([2, 3])?;
    /// image.part_mut([0..2, 2..3])?.fill_on(0.5, &stream)?;
    /// assert_eq!(image.to_vec()?, [0.0, 0.0, 0.5, 0.0, 0.0, 0.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on another device; if the host waits,
    /// [`Error::KernelPanic`](crate::Error::KernelPanic) and [`Error::Fault`](crate::Error::Fault) of kernels that ran.
    pub fn fill_on(&mut self, value: T, stream: &Stream) -> Result<()> {
        let PitchedView { allocation, rows, .. } = self.part;
        match Pattern::of(value) {
            None | Some(Pattern::Words(_)) if self.is_empty() || size_of::<T>() == 0 => {
                stream.expect_on(allocation.context)
            }
            Some(pattern) => copy::fill(allocation, &rows, &pattern, stream),
            None => {
                let row = vec![value; rows.shape[N - 1]];
                // SAFETY: the row has as many values; the box is borrowed mutably.
                unsafe { copy::repeat(allocation, &rows, row.as_ptr().cast(), stream) }
            }
        }
    }

    /// Sets every byte to 0, on the default stream: see [`PitchedViewMut::zero_on`].
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// image.view_mut().zero()?;
    /// assert_eq!(image.to_vec()?, [0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::zero_on`].
    pub fn zero(&mut self) -> Result<()> {
        self.zero_on(self.part.allocation.context.default_stream()?)
    }

    /// Sets every byte to 0, on `stream` ([`cuMemsetD2D8Async`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    /// The host does not wait. This is a compile error for types that can't be all zeros, such as `NonZero`.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let mut image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// image.part_mut([0..1, 0..3])?.zero_on(&stream)?;
    /// assert_eq!(image.to_vec()?, [0, 0, 0, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on another device.
    pub fn zero_on(&mut self, stream: &Stream) -> Result<()> {
        const { ptyx_device::must_be_zeroable::<T>() };
        copy::fill(self.part.allocation, &self.part.rows, &Pattern::One(Element::D8(0)), stream)
    }
}

impl<'a, T: DeviceCopy, const N: usize> From<PitchedViewMut<'a, T, N>> for PitchedView<'a, T, N> {
    fn from(view: PitchedViewMut<'a, T, N>) -> Self {
        view.part
    }
}

impl<'a, T: DeviceCopy, const N: usize> DeviceViewMut<'a, T, N> {
    /// The same elements as a view whose boxes can be copied and filled.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(6)?;
    /// let (_, mut below) = buffer.view_mut([3, 2]).pitched_mut()?.split_at_mut(2)?;
    /// below.fill(4)?;
    /// assert_eq!(buffer.to_vec()?, [0, 0, 0, 0, 4, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceView::pitched`].
    pub fn pitched_mut(self) -> Result<PitchedViewMut<'a, T, N>> {
        let part = DeviceView { part: self.part.part(), shape: self.shape };
        Ok(PitchedViewMut { part: part.pitched()?, elements: PhantomData })
    }

    /// A box: a range along each axis.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(6)?;
    /// buffer.view_mut([2, 3]).part_mut([0..2, 0..1])?.fill(4)?;
    /// assert_eq!(buffer.to_vec()?, [4, 0, 0, 4, 0, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceView::part`].
    pub fn part_mut(self, ranges: [Range<usize>; N]) -> Result<PitchedViewMut<'a, T, N>> {
        self.pitched_mut()?.part_mut(ranges)
    }
}

impl<T, const N: usize> fmt::Debug for PitchedViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PitchedViewMut({:?} elements)", self.part.rows.shape)
    }
}
