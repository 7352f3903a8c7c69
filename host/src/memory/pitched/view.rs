//! Boxes of arrays in device memory, for reading.

use super::copy::{self, Place, same_shape};
use super::host::{HostViewMut, filled};
use super::pinned::PinnedViewMut;
use super::rows::{Rows, overlap};
use crate::driver::types::CUdeviceptr;
use crate::error::Result;
use crate::memory::allocation::Allocation;
use crate::memory::slice::same_length;
use crate::memory::tracker::Access;
use crate::memory::view::DeviceView;
use crate::stream::{Entry, Stream};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use ptyx_device::DeviceCopy;

/// An array of `N` dimensions in device memory, or a box of one, borrowed for reading. Its rows need not be contiguous.
///
/// It comes from a [`PitchedBuffer`](crate::PitchedBuffer), or is a part of a [`DeviceView`]. As a kernel argument it
/// is an `Array<T, N>`, whose strides say where the rows are.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn row_sums(matrix: Array<f32, 2>, mut sums: Disjoint<f32>) {
///     let row = thread::index_1d();
///     if let Some(sum) = sums.get_mut(row) {
///         *sum = matrix.at(row.get()).iter().sum();
///     }
/// }
///
/// let matrix = DeviceBuffer::filled(6 * 8, 0.5f32)?;
/// let mut sums = DeviceBuffer::<f32>::zeroed(3)?;
/// let corner = matrix.view([6, 8]).part([0..3, 4..8])?;
/// launch!(row_sums<<<1, 32>>>(corner, &mut sums))?;
/// assert_eq!(sums.to_vec()?, [2.0; 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PitchedView<'a, T, const N: usize> {
    pub(super) allocation: &'a Allocation,
    pub(super) rows: Rows<N>,
    pub(super) elements: PhantomData<&'a [T]>,
}

impl<T, const N: usize> Clone for PitchedView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for PitchedView<'_, T, N> {}

impl<'a, T: DeviceCopy, const N: usize> PitchedView<'a, T, N> {
    /// The number of elements along each axis, slowest first.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part([0..2, 1..2])?.shape(), [2, 1]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.rows.shape
    }

    /// The stride along each axis, in elements.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<u8>::zeroed(24)?;
    /// let part = buffer.view([4, 6]).part([1..3, 2..4])?;
    /// assert_eq!((part.shape(), part.strides()), ([2, 2], [6, 1]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn strides(&self) -> [usize; N] {
        self.rows.strides_of(size_of::<T>())
    }

    /// The number of elements.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.part([0..2, 1..2])?.len(), 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert!(image.part([0..0, 0..3])?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A box: a range along each axis.
    ///
    /// ```
    /// use ptyx::{Error, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.view().part([0..2, 1..2])?.to_vec()?, [2, 5]);
    /// assert!(matches!(image.view().part([0..2, 1..4]), Err(Error::OutOfBounds { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) if it is not within this one.
    pub fn part(&self, ranges: [Range<usize>; N]) -> Result<PitchedView<'a, T, N>> {
        Ok(PitchedView { rows: self.rows.part(&ranges)?, ..*self })
    }

    /// The stride along each axis, in bytes.
    pub(crate) fn byte_strides(&self) -> [usize; N] {
        self.rows.strides
    }

    /// The address of the first element, for tracked uses.
    pub(crate) fn address(&self) -> CUdeviceptr {
        match self.allocation.bytes {
            // What an empty array may point to.
            0 => align_of::<T>() as CUdeviceptr,
            _ => self.allocation.address(self.rows.start),
        }
    }

    /// Makes `entry`'s stream wait for uses that conflict with an access, and notes the access.
    pub(crate) fn order(&self, entry: &Entry<'_>, access: Access) -> Result<()> {
        self.allocation.order(entry, self.rows.range(), access)
    }

    /// Copies the elements to the host, row after row, after all work that writes them
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(buffer.view([3, 2]).part([1..3, 0..1])?.to_vec()?, [3, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KernelPanic`](crate::Error::KernelPanic) and [`Error::Fault`](crate::Error::Fault) of kernels that ran.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let (len, packed) = (self.len(), Rows::packed(self.rows.shape, size_of::<T>())?);
        let mut host = Vec::<T>::with_capacity(len);
        // SAFETY: the vector has room for the elements, and their bytes on the device are values of a `DeviceCopy`
        // type of the same layout.
        unsafe {
            let end = (host.as_mut_ptr().cast(), &packed);
            copy::download(self.allocation, &self.rows, end)?;
            host.set_len(len);
        }
        Ok(host)
    }

    /// Copies the elements of a box that may extend beyond this one, row after row. Elements outside are `outside`.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let around = image.view().to_vec_or([-1..2, 1..3], 0)?;
    /// assert_eq!(around, [0, 0, 2, 0, 4, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::Error::TooLarge) if the box has too many elements for the host, and as
    /// [`PitchedView::to_vec`].
    pub fn to_vec_or(&self, ranges: [Range<isize>; N], outside: T) -> Result<Vec<T>> {
        let (mut host, shape, first) = PitchedView::<T, N>::host_for(&ranges, outside)?;
        self.copy_within(HostViewMut::new(&mut host, shape)?, first)?;
        Ok(host)
    }

    /// Copies the elements to a slice of the same length, row after row, after all work that writes them.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::filled([2, 3], 5u8)?;
    /// let mut host = [0; 6];
    /// image.view().copy_to_slice(&mut host)?;
    /// assert_eq!(host, [5; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`](crate::Error::Length), and as [`PitchedView::to_vec`].
    pub fn copy_to_slice(&self, host: &mut [T]) -> Result<()> {
        same_length("copying a pitched array to a host slice", self.len(), host.len())?;
        self.copy_to_host(HostViewMut::new(host, self.rows.shape)?)
    }

    /// Copies the elements to a host box of the same shape, after all work that writes them
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// use ptyx::{Error, HostViewMut, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let mut host = [0; 6];
    /// image.view().copy_to_host(HostViewMut::new(&mut host, [2, 3])?.part([0..2, 1..3])?)?;
    /// assert_eq!(host, [0, 1, 2, 0, 3, 4]);
    /// let wrong = image.view().copy_to_host(HostViewMut::new(&mut host, [2, 3])?);
    /// assert!(matches!(wrong, Err(Error::Shapes { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shapes`](crate::Error::Shapes), and as [`PitchedView::to_vec`].
    pub fn copy_to_host(&self, mut host: HostViewMut<'_, T, N>) -> Result<()> {
        same_shape("copying device memory to the host", host.shape(), self.rows.shape)?;
        let rows = host.rows();
        // SAFETY: the host's box is borrowed mutably, and every value there is valid for `T`.
        unsafe { copy::download(self.allocation, &self.rows, (host.pointer(), &rows)) }
    }

    /// Copies to the host the elements of a box that begins at `first` and has the shape of `host`. Elements outside of
    /// this box are `outside`.
    ///
    /// ```
    /// use ptyx::{HostViewMut, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let mut host = [0; 6];
    /// image.view().copy_to_host_or(HostViewMut::new(&mut host, [2, 3])?, [1, -1], 9)?;
    /// assert_eq!(host, [9, 3, 4, 9, 9, 9]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::to_vec`].
    pub fn copy_to_host_or(
        &self,
        mut host: HostViewMut<'_, T, N>,
        first: [isize; N],
        outside: T,
    ) -> Result<()> {
        host.fill(outside);
        self.copy_within(host, first)
    }

    /// The same for a host box that is already filled.
    fn copy_within(&self, host: HostViewMut<'_, T, N>, first: [isize; N]) -> Result<()> {
        match overlap(self.shape(), first, host.shape()) {
            Some([here, there]) => self.part(here)?.copy_to_host(host.part(there)?),
            None => Ok(()),
        }
    }

    /// The host's elements for a box that may extend beyond this one, each with the value `outside`; and its shape and
    /// beginning.
    pub(in crate::memory) fn host_for<U: Clone>(
        ranges: &[Range<isize>; N],
        outside: U,
    ) -> Result<(Vec<U>, [usize; N], [isize; N])> {
        let shape = core::array::from_fn(|axis| {
            let Range { start, end } = ranges[axis];
            if end > start { end.abs_diff(start) } else { 0 }
        });
        Ok((filled(shape, outside)?, shape, core::array::from_fn(|axis| ranges[axis].start)))
    }

    /// Copies the elements to pinned memory of the same shape, on the default stream: see
    /// [`PitchedView::copy_to_pinned_on`].
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut column = PinnedBuffer::<i32>::zeroed(2)?;
    /// image.part([0..2, 2..3])?.copy_to_pinned(column.view_mut([2, 1])?)?;
    /// assert_eq!(*column, [3, 6]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::copy_to_pinned_on`].
    pub fn copy_to_pinned(&self, host: PinnedViewMut<'_, T, N>) -> Result<()> {
        self.copy_to_pinned_on(host, self.allocation.context.default_stream()?)
    }

    /// Copies the elements to pinned memory of the same shape, on `stream`
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The host does not wait; reading the
    /// pinned memory waits for the copy.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let image = PitchedBuffer::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut row = PinnedBuffer::<i32>::zeroed(3)?;
    /// image.part([1..2, 0..3])?.copy_to_pinned_on(row.view_mut([1, 3])?, &stream)?;
    /// // ... the host does something else ...
    /// assert_eq!(*row, [4, 5, 6]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shapes`](crate::Error::Shapes); [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on
    /// another device.
    pub fn copy_to_pinned_on(&self, host: PinnedViewMut<'_, T, N>, stream: &Stream) -> Result<()> {
        same_shape("copying device memory to pinned memory", host.shape(), self.rows.shape)?;
        let (context, to_rows) = (stream.context(), host.rows());
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        host.order(&entry, Access::Write)?;
        context.bind()?;
        let to = Place::Host(host.buffer.as_device_copy_target());
        let from = (Place::Device(self.allocation), &self.rows);
        // SAFETY: both trackers know of the use, so that neither side is freed or touched too early.
        unsafe { copy::submit(context, (to, &to_rows), from, stream) }
    }
}

impl<'a, T: DeviceCopy, const N: usize> DeviceView<'a, T, N> {
    /// The same elements as a view whose boxes can be copied.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PitchedBuffer};
    /// let buffer = DeviceBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// let mut image = PitchedBuffer::<i32>::zeroed([2, 3])?;
    /// image.view_mut().copy_from_view(buffer.view([2, 3]).pitched()?)?;
    /// assert_eq!(image.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// assert!(buffer.view([2, 4]).pitched().is_err()); // there are only six elements
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) if the shape does not fit the buffer.
    pub fn pitched(&self) -> Result<PitchedView<'a, T, N>> {
        let (part, shape) = self.parts()?;
        let rows = Rows::of_slice(shape, part.len(), size_of::<T>())?;
        let rows = Rows { start: part.start, ..rows };
        Ok(PitchedView { allocation: part.allocation, rows, elements: PhantomData })
    }

    /// A box: a range along each axis.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(buffer.view([2, 3]).part([0..2, 1..3])?.to_vec()?, [2, 3, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) if it is not within this one, and as [`DeviceView::pitched`].
    pub fn part(&self, ranges: [Range<usize>; N]) -> Result<PitchedView<'a, T, N>> {
        self.pitched()?.part(ranges)
    }
}

impl<T, const N: usize> fmt::Debug for PitchedView<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PitchedView({:?} elements)", self.rows.shape)
    }
}
