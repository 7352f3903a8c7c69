//! Parts of device buffers.

mod transfers;

use super::allocation::Allocation;
use super::tracker::Access;
use super::view::{DeviceView, DeviceViewMut, IntoShape};
use crate::error::{Error, Result};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Bound, Range, RangeBounds};
use ptyx_device::DeviceCopy;

/// A part of a [`DeviceBuffer`](crate::DeviceBuffer), borrowed for reading.
///
/// As a kernel argument it is a `&[T]`.
///
/// ```
/// use ptyx::{DeviceBuffer, DeviceSlice};
/// let buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4, 5])?;
/// let middle: DeviceSlice<'_, i32> = buffer.slice(1..4);
/// assert_eq!(middle.len(), 3);
/// assert_eq!(middle.slice(1..).to_vec()?, [3, 4]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceSlice<'a, T> {
    pub(super) allocation: &'a Allocation,
    /// The first element's byte offset.
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) elements: PhantomData<&'a [T]>,
}

/// A part of a [`DeviceBuffer`](crate::DeviceBuffer), borrowed for writing.
///
/// As a kernel argument it is a `Disjoint<T>`, `Parts<T, D>`, `SliceMut<T>` or `Atomics<T>`.
///
/// ```
/// use ptyx::{DeviceBuffer, DeviceSliceMut};
/// let mut buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4, 5])?;
/// let mut middle: DeviceSliceMut<'_, i32> = buffer.slice_mut(1..4);
/// middle.fill(0)?;
/// assert_eq!(buffer.to_vec()?, [1, 0, 0, 0, 5]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceSliceMut<'a, T> {
    pub(super) part: DeviceSlice<'a, T>,
    pub(super) elements: PhantomData<&'a mut [T]>,
}

impl<T> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceSlice<'_, T> {}

/// The elements that `range` selects of `len`.
#[track_caller]
fn select(range: impl RangeBounds<usize>, len: usize) -> Range<usize> {
    match checked(range, len) {
        Ok(range) => range,
        Err(range) => panic!(
            "range {}..{} is out of bounds of a device buffer of {len} elements",
            range.start, range.end
        ),
    }
}

fn checked(range: impl RangeBounds<usize>, len: usize) -> Result<Range<usize>, Range<usize>> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&start) => start.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&end) => end.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    if start <= end && end <= len { Ok(start..end) } else { Err(start..end) }
}

/// An error unless both lengths agree.
pub(super) fn same_length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}

impl<'a, T: DeviceCopy> DeviceSlice<'a, T> {
    /// The number of elements.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(10)?;
    /// assert_eq!(buffer.slice(4..).len(), 6);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(10)?;
    /// assert!(buffer.slice(10..).is_empty() && !buffer.slice(9..).is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of the allocation that this part covers.
    #[inline]
    pub(crate) fn bytes(&self) -> Range<usize> {
        self.start..self.start + self.len * size_of::<T>()
    }

    /// The address of the first element on the device, for use as a raw pointer. It is aligned for `T`
    /// even if the slice is empty.
    ///
    /// From this call on, uses of the whole buffer are ordered with kernels that dereference raw pointers
    /// (from arguments, made from integers, or read from memory). Each launch of such a kernel waits for
    /// all earlier uses of buffers whose address was taken. All later uses of these buffers, on any stream
    /// or by the host, wait for the launch. Such launches on different streams do not wait for each other.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(16)?;
    /// let (whole, part) = (buffer.as_slice(), buffer.slice(4..));
    /// assert_eq!(part.device_address() - whole.device_address(), 16);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_address(&self) -> u64 {
        self.allocation.expose();
        self.address()
    }

    /// The address, for uses that are tracked.
    #[inline]
    pub(crate) fn address(&self) -> u64 {
        if self.allocation.bytes == 0 {
            // What an empty slice may point to.
            return align_of::<T>() as u64;
        }
        self.allocation.address(self.start)
    }

    /// The context of its device.
    pub(crate) fn context(&self) -> &'static crate::context::Context {
        self.allocation.context
    }

    /// The driver of its device, whose context becomes the thread's.
    pub(crate) fn driver(&self) -> Result<&'static crate::driver::Driver> {
        self.allocation.context.bind()?;
        Ok(self.allocation.context.driver)
    }

    /// Makes `entry`'s stream wait for what an access conflicts with, and notes it.
    #[inline]
    pub(crate) fn order(&self, entry: &crate::stream::Entry<'_>, access: Access) -> Result<()> {
        self.allocation.order(entry, self.bytes(), access)
    }

    #[cfg(test)]
    pub(crate) fn note_count(&self) -> usize {
        self.allocation.tracker.note_count()
    }

    #[cfg(test)]
    pub(crate) fn has_note_of(&self, stream: &crate::stream::Stream) -> bool {
        self.allocation.tracker.has_note_of(stream)
    }

    #[cfg(test)]
    pub(crate) fn conflicts_of(&self, stream: &crate::stream::Stream, access: Access) -> usize {
        self.allocation.tracker.conflicts_of(stream, self.bytes(), access)
    }

    /// A part of this part.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let tail = buffer.slice(1..);
    /// assert_eq!(tail.slice(..2).to_vec()?, [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is out of bounds, as with slices of the host; see [`DeviceSlice::get`].
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceSlice<'a, T> {
        self.part(select(range, self.len))
    }

    /// A part of this part, or `None` if the range is out of bounds.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let slice = buffer.as_slice();
    /// assert_eq!(slice.get(2..).unwrap().to_vec()?, [3, 4]);
    /// assert!(slice.get(2..5).is_none());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn get(&self, range: impl RangeBounds<usize>) -> Option<DeviceSlice<'a, T>> {
        checked(range, self.len).ok().map(|range| self.part(range))
    }

    /// Two parts, the second starting at `middle`.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4])?;
    /// let (left, right) = buffer.as_slice().split_at(1);
    /// assert_eq!(left.to_vec()?, [1]);
    /// assert_eq!(right.to_vec()?, [2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `middle` is greater than the length.
    #[track_caller]
    pub fn split_at(&self, middle: usize) -> (DeviceSlice<'a, T>, DeviceSlice<'a, T>) {
        (self.slice(..middle), self.slice(middle..))
    }

    fn part(&self, range: Range<usize>) -> DeviceSlice<'a, T> {
        let start = self.start + range.start * size_of::<T>();
        DeviceSlice { start, len: range.len(), ..*self }
    }

    /// A view of `shape`, row-major: the last index runs fastest. A shape whose product is not the
    /// length is an error of the launch that uses it.
    ///
    /// ```
    /// let frames = ptyx::DeviceBuffer::<u8>::zeroed(10 * 480 * 640)?;
    /// let first = frames.slice(..480 * 640).view((480, 640));
    /// assert_eq!(first.shape(), [480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> DeviceView<'a, T, N> {
        DeviceView { part: *self, shape: shape.into_shape() }
    }
}

impl<'a, T: DeviceCopy> DeviceSliceMut<'a, T> {
    /// The number of elements.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(10)?;
    /// let (head, tail) = buffer.as_slice_mut().split_at_mut(4);
    /// assert_eq!((head.len(), tail.len()), (4, 6));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.part.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(10)?;
    /// assert!(buffer.slice_mut(3..3).is_empty() && !buffer.slice_mut(3..4).is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.part.len == 0
    }

    /// The same part, for reading.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// let mut part = buffer.slice_mut(..2);
    /// part.fill(7)?;
    /// assert_eq!(part.as_slice().to_vec()?, [7, 7]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        self.part
    }

    /// The same part, for the time of the mutable borrow. Only for launches, which pass it to one view.
    #[inline]
    pub(crate) fn part(&self) -> DeviceSlice<'a, T> {
        self.part
    }

    /// The same part for a shorter time.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// let mut part = buffer.slice_mut(1..);
    /// part.reborrow().slice_mut(..1).fill(5)?; // `slice_mut` takes the slice; `part` is kept
    /// part.reborrow().slice_mut(2..).fill(6)?;
    /// assert_eq!(part.to_vec()?, [5, 0, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn reborrow(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut { part: self.part, elements: PhantomData }
    }

    /// A part of this part.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// buffer.slice_mut(1..).slice_mut(..2).fill(9)?;
    /// assert_eq!(buffer.to_vec()?, [0, 9, 9, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is out of bounds, as with slices of the host; see [`DeviceSliceMut::get_mut`].
    #[track_caller]
    pub fn slice_mut(self, range: impl RangeBounds<usize>) -> DeviceSliceMut<'a, T> {
        DeviceSliceMut { part: self.part.slice(range), elements: PhantomData }
    }

    /// A part of this part, or `None` if the range is out of bounds.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// if let Some(mut tail) = buffer.as_slice_mut().get_mut(3..) {
    ///     tail.fill(1)?;
    /// }
    /// assert_eq!(buffer.to_vec()?, [0, 0, 0, 1]);
    /// assert!(buffer.as_slice_mut().get_mut(3..5).is_none());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn get_mut(self, range: impl RangeBounds<usize>) -> Option<DeviceSliceMut<'a, T>> {
        Some(DeviceSliceMut { part: self.part.get(range)?, elements: PhantomData })
    }

    /// Two parts, the second starting at `middle`: different streams may work on them at once.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let (first, second) = (Stream::new()?, Stream::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(4)?;
    /// let (mut left, mut right) = buffer.as_slice_mut().split_at_mut(1);
    /// left.fill_on(1, &first)?;
    /// right.fill_on(2, &second)?; // doesn't wait for the first stream
    /// assert_eq!(buffer.to_vec()?, [1, 2, 2, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `middle` is greater than the length.
    #[track_caller]
    pub fn split_at_mut(self, middle: usize) -> (DeviceSliceMut<'a, T>, DeviceSliceMut<'a, T>) {
        let (left, right) = self.part.split_at(middle);
        (
            DeviceSliceMut { part: left, elements: PhantomData },
            DeviceSliceMut { part: right, elements: PhantomData },
        )
    }

    /// Parts of `count` elements each, the last one perhaps shorter.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<usize>::zeroed(5)?;
    /// for (i, mut chunk) in buffer.as_slice_mut().chunks_mut(2).enumerate() {
    ///     chunk.fill(i)?;
    /// }
    /// assert_eq!(buffer.to_vec()?, [0, 0, 1, 1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `count` is 0.
    #[track_caller]
    pub fn chunks_mut(self, count: usize) -> impl Iterator<Item = DeviceSliceMut<'a, T>> {
        assert!(count > 0, "chunks of a device buffer need at least 1 element");
        let part = self.part;
        (0..part.len.div_ceil(count)).map(move |i| {
            let range = i * count..part.len.min((i + 1) * count);
            DeviceSliceMut { part: part.part(range), elements: PhantomData }
        })
    }

    /// A view of `shape`, as [`DeviceSlice::view`], for writing.
    ///
    /// ```
    /// let mut frames = ptyx::DeviceBuffer::<u8>::zeroed(10 * 480 * 640)?;
    /// let last = frames.slice_mut(9 * 480 * 640..).view_mut((480, 640));
    /// assert_eq!(last.shape(), [480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut<const N: usize>(self, shape: impl IntoShape<N>) -> DeviceViewMut<'a, T, N> {
        DeviceViewMut { shape: shape.into_shape(), part: self }
    }
}

impl<'a, T: DeviceCopy> From<DeviceSliceMut<'a, T>> for DeviceSlice<'a, T> {
    fn from(slice: DeviceSliceMut<'a, T>) -> Self {
        slice.part
    }
}

impl<T> fmt::Debug for DeviceSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "DeviceSlice({} elements on device {})",
            self.len, self.allocation.context.ordinal
        )
    }
}

impl<T> fmt::Debug for DeviceSliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceSlice { len, allocation, .. } = self.part;
        write!(f, "DeviceSliceMut({len} elements on device {})", allocation.context.ordinal)
    }
}
