//! Copies of boxes of CUDA arrays, in any level of mipmaps.

use super::array::{CudaArray, EMPTY, end};
use super::owned::WHOLE;
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use crate::memory::peer::{self, Source};
use crate::memory::tracker::Access;
use crate::memory::{
    HostView, HostViewMut, PinnedView, PinnedViewMut, PitchedView, PitchedViewMut,
};
use crate::stream::{Entry, Stream};
use core::ffi::c_void;
use core::ops::Range;
use ptyx_device::texture::{Dimension, Properties, Texel, properties};

/// Where a box of a [`CudaArray`] begins: in which level of a mipmap, and at which texel, with indices in the order of the
/// array's shape. Indices alone are a place in level 0.
///
/// ```
/// use ptyx::{CudaArray, HostView, TexelPlace};
/// let mut picture = CudaArray::<f32>::zeroed_with_levels([4, 6], 2)?;
/// let column = [1.0, 2.0];
/// // The second column of level 1, which has two rows of three.
/// let place = TexelPlace::in_level(1, [0, 1]);
/// picture.copy_part_from_host(place, HostView::new(&column, [2, 1])?)?;
/// assert_eq!(picture.level_to_vec(1)?, [0.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TexelPlace<const N: usize> {
    level: usize,
    first: [usize; N],
}

impl<const N: usize> TexelPlace<N> {
    /// A place in a level.
    ///
    /// ```
    /// use ptyx::TexelPlace;
    /// assert_eq!(TexelPlace::in_level(0, [3, 4]), TexelPlace::from([3, 4]));
    /// ```
    pub const fn in_level(level: usize, first: [usize; N]) -> TexelPlace<N> {
        TexelPlace { level, first }
    }
}

impl<const N: usize> From<[usize; N]> for TexelPlace<N> {
    fn from(first: [usize; N]) -> TexelPlace<N> {
        TexelPlace::in_level(0, first)
    }
}

/// A box of a [`CudaArray`]: in which level of a mipmap, and which texels along each axis. Ranges alone are a box of level 0.
///
/// ```
/// use ptyx::{CudaArray, Stream, TexelBox};
/// let stream = Stream::new()?;
/// let mut levels = CudaArray::<u8>::zeroed_with_levels([4, 6], 2)?;
/// levels.copy_level_from_slice(1, &[1, 2, 3, 4, 5, 6])?;
/// let mut picture = CudaArray::<u8>::zeroed([2, 2])?;
/// let right = TexelBox::in_level(1, [0..2, 1..3]);
/// picture.copy_part_from_array_on([0, 0], &levels, right, &stream)?;
/// assert_eq!(picture.to_vec()?, [2, 3, 5, 6]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TexelBox<const N: usize> {
    level: usize,
    part: [Range<usize>; N],
}

impl<const N: usize> TexelBox<N> {
    /// A box of a level.
    ///
    /// ```
    /// use ptyx::TexelBox;
    /// assert_eq!(TexelBox::in_level(0, [3..4]), TexelBox::from([3..4]));
    /// ```
    pub const fn in_level(level: usize, part: [Range<usize>; N]) -> TexelBox<N> {
        TexelBox { level, part }
    }

    /// Where it begins.
    pub(super) fn place(&self) -> TexelPlace<N> {
        TexelPlace { level: self.level, first: self.part.each_ref().map(|range| range.start) }
    }

    /// The number of texels along each axis.
    pub(super) fn shape(&self) -> [usize; N] {
        self.part.each_ref().map(|range| range.len())
    }

    /// A part of it.
    pub(super) fn part(self, part: [Range<usize>; N]) -> TexelBox<N> {
        let within = |axis: usize| {
            let Range { start, end } = part[axis];
            let first = self.part[axis].start;
            first.saturating_add(start)..first.saturating_add(end)
        };
        TexelBox { level: self.level, part: core::array::from_fn(within) }
    }
}

impl<const N: usize> From<[Range<usize>; N]> for TexelBox<N> {
    fn from(part: [Range<usize>; N]) -> TexelBox<N> {
        TexelBox::in_level(0, part)
    }
}

/// Along x, y and z, from numbers along each axis, and what there is along axes that the dimensions lack.
fn along<D: Dimension>(numbers: &[usize], missing: usize) -> [usize; 3] {
    let Properties { has_rows, has_planes, is_layered, is_cube } = properties::<D>();
    let count = numbers.len();
    let x = numbers.last().copied().unwrap_or(missing);
    let y = if has_rows { numbers[count - 2] } else { missing };
    let has_depth = has_planes || is_layered || is_cube;
    [x, y, if has_depth { numbers[0] } else { missing }]
}

/// The other side of a copy to or from an array: memory whose rows and planes are the given strides apart, in bytes.
fn linear<D: Dimension>(strides: &[usize], end: CUmemcpyEnd3D) -> CUmemcpyEnd3D {
    let [_, pitch, plane] = along::<D>(strides, 0);
    match (pitch, plane) {
        // A single row, or layers of one row each.
        (0, plane) => CUmemcpyEnd3D { pitch: plane, height: 1, ..end },
        (pitch, plane) => CUmemcpyEnd3D { pitch, height: plane / pitch, ..end },
    }
}

impl<T: Texel, D: Dimension<Shape = [usize; N]>, const N: usize> CudaArray<T, D> {
    /// The copy of a box that begins at `first`, between this array and what `other` says; its extents are `shape`.
    fn box_copy(
        &self,
        first: TexelPlace<N>,
        shape: [usize; N],
        other: CUmemcpyEnd3D,
        to_array: bool,
    ) -> Result<CUmemcpy3D> {
        let here = self.end_at(first, shape)?;
        let [columns, height, depth] = along::<D>(&shape, 1);
        let width = columns * size_of::<T>();
        // Where there is one row or one plane, the distance to the next one does not matter.
        let (pitch, high) = (other.pitch.max(width), other.height.max(height));
        let other = CUmemcpyEnd3D { pitch, height: high, ..other };
        let (from, to) = if to_array { (other, here) } else { (here, other) };
        Ok(CUmemcpy3D { from, to, width, height, depth })
    }

    /// A box of this array as the end of a copy, if it is within the array.
    pub(super) fn end_at(&self, place: TexelPlace<N>, shape: [usize; N]) -> Result<CUmemcpyEnd3D> {
        let TexelPlace { level, first } = place;
        let whole = self.level_shape(level)?;
        let is_inside = (0..N).all(|axis| {
            first[axis].checked_add(shape[axis]).is_some_and(|last| last <= whole[axis])
        });
        if !is_inside {
            let range = |axis: usize| first[axis]..first[axis].saturating_add(shape[axis]);
            let part: Vec<Range<usize>> = (0..N).map(range).collect();
            return Err(Error::OutOfBounds { part, shape: whole.to_vec(), argument: None });
        }
        let [x, y, z] = along::<D>(&first, 0);
        Ok(CUmemcpyEnd3D { x: x * size_of::<T>(), y, z, ..end(self.level(level)?) })
    }

    /// Replaces the texels of a box that begins at `first` by those of a host box of the same shape. Waits for all
    /// work that uses the array, and for the copy. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, HostView};
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// let column = [1.0, 2.0];
    /// picture.copy_part_from_host([0, 1], HostView::new(&column, [2, 1])?)?;
    /// assert_eq!(picture.to_vec()?, [0.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if the box is not within the level, [`Error::Texture`] if there is no such level; errors of earlier kernels.
    #[doc(alias = "cudaMemcpy2DToArray")]
    pub fn copy_part_from_host(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        host: HostView<'_, T, N>,
    ) -> Result<()> {
        let (pointer, strides) = host.end();
        let other = CUmemcpyEnd3D { host: pointer.cast_mut(), ..EMPTY };
        let copy = self.box_copy(first.into(), host.shape(), linear::<D>(&strides, other), true)?;
        if host.shape().contains(&0) {
            return Ok(());
        }
        // SAFETY: the host's box is borrowed; it is only read.
        unsafe { self.copy_now(&copy, Access::Write) }
    }

    /// Copies the texels of a box that begins at `first` to a host box of the same shape. Waits for all work that
    /// writes the array, and for the copy. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, HostViewMut};
    /// let picture = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut host = [0; 4];
    /// picture.copy_part_to_host([0, 1], HostViewMut::new(&mut host, [2, 2])?)?;
    /// assert_eq!(host, [2, 3, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_host`](Self::copy_part_from_host).
    #[doc(alias = "cudaMemcpy2DFromArray")]
    pub fn copy_part_to_host(
        &self,
        first: impl Into<TexelPlace<N>>,
        mut host: HostViewMut<'_, T, N>,
    ) -> Result<()> {
        let (pointer, strides): (*mut c_void, _) = host.end();
        let other = CUmemcpyEnd3D { host: pointer, ..EMPTY };
        let copy =
            self.box_copy(first.into(), host.shape(), linear::<D>(&strides, other), false)?;
        if host.shape().contains(&0) {
            return Ok(());
        }
        // SAFETY: the host's box is borrowed mutably.
        unsafe { self.copy_now(&copy, Access::Read) }
    }

    /// Replaces the texels of a box by those of device memory, on the default stream of the array's device: see
    /// [`copy_part_from_view_on`](Self::copy_part_from_view_on).
    ///
    /// ```
    /// use ptyx::{CudaArray, PitchedBuffer};
    /// let rows = PitchedBuffer::filled([1, 3], 2.5f32)?;
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_part_from_view([1, 0], &rows)?;
    /// assert_eq!(picture.to_vec()?, [0.0, 0.0, 0.0, 2.5, 2.5, 2.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_view_on`](Self::copy_part_from_view_on).
    pub fn copy_part_from_view<'a>(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: impl Into<PitchedView<'a, T, N>>,
    ) -> Result<()>
    where
        T: 'a,
    {
        self.copy_part_from_view_on(first, from, self.context.default_stream()?)
    }

    /// Replaces the texels of a box that begins at `first` by those of device memory of the same shape, on `stream`
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The
    /// host does not wait. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let rows = PitchedBuffer::filled([1, 3], 2.5f32)?;
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_part_from_view_on([1, 0], &rows, &stream)?;
    /// assert_eq!(picture.to_vec()?, [0.0, 0.0, 0.0, 2.5, 2.5, 2.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if the box is not within the level, [`Error::Texture`] if there is no such level; [`Error::WrongDevice`] if array, memory and stream are not on
    /// the same device.
    pub fn copy_part_from_view_on<'a>(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: impl Into<PitchedView<'a, T, N>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'a,
    {
        let from = from.into();
        let copy = self.box_copy(first.into(), from.shape(), device_end::<T, D, N>(&from), true)?;
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        if from.is_empty() { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Copies the texels of a box to device memory, on the default stream of the array's device: see
    /// [`copy_part_to_view_on`](Self::copy_part_to_view_on).
    ///
    /// ```
    /// use ptyx::{CudaArray, PitchedBuffer};
    /// let picture = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut column = PitchedBuffer::<u8>::zeroed([2, 1])?;
    /// picture.copy_part_to_view([0, 2], column.view_mut())?;
    /// assert_eq!(column.to_vec()?, [3, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_to_view_on`](Self::copy_part_to_view_on).
    pub fn copy_part_to_view(
        &self,
        first: impl Into<TexelPlace<N>>,
        to: PitchedViewMut<'_, T, N>,
    ) -> Result<()> {
        self.copy_part_to_view_on(first, to, self.context.default_stream()?)
    }

    /// Copies the texels of a box that begins at `first` to device memory of the same shape, on `stream`. The host does not
    /// wait. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, PitchedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let picture = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut column = PitchedBuffer::<u8>::zeroed([2, 1])?;
    /// picture.copy_part_to_view_on([0, 2], column.view_mut(), &stream)?;
    /// assert_eq!(column.to_vec()?, [3, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_view_on`](Self::copy_part_from_view_on).
    pub fn copy_part_to_view_on(
        &self,
        first: impl Into<TexelPlace<N>>,
        to: PitchedViewMut<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let to = to.as_view();
        let copy = self.box_copy(first.into(), to.shape(), device_end::<T, D, N>(&to), false)?;
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        to.order(&entry, Access::Write)?;
        if to.is_empty() { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Replaces the texels of a box by those of pinned memory, on the default stream of the array's device: see
    /// [`copy_part_from_pinned_on`](Self::copy_part_from_pinned_on).
    ///
    /// ```
    /// use ptyx::{CudaArray, PinnedBuffer};
    /// let host = PinnedBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_part_from_pinned([1, 0], host.view([1, 3])?)?;
    /// assert_eq!(picture.to_vec()?, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_pinned_on`](Self::copy_part_from_pinned_on).
    pub fn copy_part_from_pinned(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: PinnedView<'_, T, N>,
    ) -> Result<()> {
        self.copy_part_from_pinned_on(first, from, self.context.default_stream()?)
    }

    /// Replaces the texels of a box that begins at `first` by those of pinned memory of the same shape, on `stream`. The host
    /// does not wait; writing to the pinned memory waits for the copy. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut host = PinnedBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_part_from_pinned_on([1, 0], host.view([1, 3])?, &stream)?;
    /// host[0] = 7.0; // after the copy
    /// assert_eq!(picture.to_vec()?, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if the box is not within the level, [`Error::Texture`] if there is no such level; [`Error::WrongDevice`] if the stream is not on the array's
    /// device; [`Error::Capture`] if it is captured.
    #[doc(alias = "cudaMemcpy2DToArrayAsync")]
    pub fn copy_part_from_pinned_on(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: PinnedView<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let (start, strides) = from.place();
        let host = from.buffer.as_device_copy_source().cast_mut().wrapping_byte_add(start);
        let other = CUmemcpyEnd3D { host, ..EMPTY };
        let copy = self.box_copy(first.into(), from.shape(), linear::<D>(&strides, other), true)?;
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        if from.shape().contains(&0) { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Copies the texels of a box to pinned memory, on the default stream of the array's device: see
    /// [`copy_part_to_pinned_on`](Self::copy_part_to_pinned_on).
    ///
    /// ```
    /// use ptyx::{CudaArray, PinnedBuffer};
    /// let picture = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut row = PinnedBuffer::<u8>::zeroed(3)?;
    /// picture.copy_part_to_pinned([1, 0], row.view_mut([1, 3])?)?;
    /// assert_eq!(*row, [4, 5, 6]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_to_pinned_on`](Self::copy_part_to_pinned_on).
    pub fn copy_part_to_pinned(
        &self,
        first: impl Into<TexelPlace<N>>,
        to: PinnedViewMut<'_, T, N>,
    ) -> Result<()> {
        self.copy_part_to_pinned_on(first, to, self.context.default_stream()?)
    }

    /// Copies the texels of a box that begins at `first` to pinned memory of the same shape, on `stream`. The host does not
    /// wait; reading the pinned memory waits for the copy. With a mipmap: texels of level 0, unless
    /// `first` is a [`TexelPlace`] in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let picture = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut row = PinnedBuffer::<u8>::zeroed(3)?;
    /// picture.copy_part_to_pinned_on([1, 0], row.view_mut([1, 3])?, &stream)?;
    /// assert_eq!(*row, [4, 5, 6]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_pinned_on`](Self::copy_part_from_pinned_on).
    #[doc(alias = "cudaMemcpy2DFromArrayAsync")]
    pub fn copy_part_to_pinned_on(
        &self,
        first: impl Into<TexelPlace<N>>,
        to: PinnedViewMut<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let (start, strides) = to.place();
        let host = to.buffer.as_device_copy_target().wrapping_byte_add(start);
        let other = CUmemcpyEnd3D { host, ..EMPTY };
        let copy = self.box_copy(first.into(), to.shape(), linear::<D>(&strides, other), false)?;
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        to.order(&entry, Access::Write)?;
        if to.shape().contains(&0) { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Replaces the texels of a box by a box of another array, on the default stream of the array's device: see
    /// [`copy_part_from_array_on`](Self::copy_part_from_array_on).
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// let from = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut to = CudaArray::<u8>::zeroed([2, 3])?;
    /// to.copy_part_from_array([0, 0], &from, [0..2, 1..3])?;
    /// assert_eq!(to.to_vec()?, [2, 3, 0, 5, 6, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_part_from_array_on`](Self::copy_part_from_array_on).
    pub fn copy_part_from_array(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: &CudaArray<T, D>,
        part: impl Into<TexelBox<N>>,
    ) -> Result<()> {
        self.copy_part_from_array_on(first, from, part, self.context.default_stream()?)
    }

    /// Replaces the texels of a box that begins at `first` by a box of another array, possibly on another device, on
    /// `stream`, which is on this one's device ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html), `cuMemcpy3DPeerAsync`).
    /// The host does not wait. With
    /// mipmaps: texels of level 0, unless `first` is a [`TexelPlace`], or `part` a [`TexelBox`], in another one.
    ///
    /// ```
    /// use ptyx::{CudaArray, Stream};
    /// let stream = Stream::new()?;
    /// let from = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let mut to = CudaArray::<u8>::zeroed([2, 3])?;
    /// to.copy_part_from_array_on([0, 0], &from, [0..2, 1..3], &stream)?;
    /// assert_eq!(to.to_vec()?, [2, 3, 0, 5, 6, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if a box is not within its level; [`Error::Texture`] if there is no such level, or a sparse array can't
    /// be copied between devices ([`TextureRule::SparsePeer`]); [`Error::WrongDevice`] if the stream is not on this array's device;
    /// [`Error::Capture`] if the stream is captured, and the arrays are on two devices or one of them gets its memory later.
    #[doc(alias = "cudaMemcpy2DArrayToArray")]
    pub fn copy_part_from_array_on(
        &mut self,
        first: impl Into<TexelPlace<N>>,
        from: &CudaArray<T, D>,
        part: impl Into<TexelBox<N>>,
        stream: &Stream,
    ) -> Result<()> {
        let TexelBox { level, part } = part.into();
        let whole = from.level_shape(level)?;
        if part.iter().any(|range| range.start > range.end) {
            return Err(Error::OutOfBounds {
                part: part.to_vec(),
                shape: whole.to_vec(),
                argument: None,
            });
        }
        let shape = part.each_ref().map(|range| range.len());
        let first = first.into();
        let source =
            from.end_at(TexelPlace::in_level(level, part.map(|range| range.start)), shape)?;
        let mut copy = self.box_copy(first, shape, source, true)?;
        let is_empty = shape.contains(&0);
        if !core::ptr::eq(self.context, from.context) {
            stream.expect_on(self.context)?;
            if is_empty {
                return Ok(());
            }
            if from.copies_by_host() || self.copies_by_host() {
                return Err(Error::Texture(TextureRule::SparsePeer));
            }
            copy.to.reserved = self.context.raw().0;
            copy.from.reserved = from.context.raw().0;
            let source = Source {
                context: from.context,
                tracker: from.owned.tracked().tracker,
                range: WHOLE,
                read: |reading: &Entry<'_>| from.order(reading, Access::Read),
            };
            let write = |entry: &Entry<'_>| self.order(entry, Access::Write);
            return peer::between(source, stream, write, || {
                // SAFETY: both boxes are within their arrays, whose trackers know of the use.
                Ok(unsafe { self.context.driver.cuMemcpy3DPeerAsync(&copy, stream.handle()) }?)
            });
        }
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        match (is_empty, from.copies_by_host()) {
            (true, _) => Ok(()),
            (false, true) => self.submit_by_host(&copy, stream),
            (false, false) => self.submit(&copy, stream),
        }
    }
}

fn device_end<T: Texel, D: Dimension, const N: usize>(
    view: &PitchedView<'_, T, N>,
) -> CUmemcpyEnd3D {
    let end = CUmemcpyEnd3D { kind: CU_MEMORYTYPE_DEVICE, device: view.address(), ..EMPTY };
    linear::<D>(&view.byte_strides(), end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PinnedBuffer, PitchedBuffer};
    use ptyx_device::texture::{D2, D3};

    /// A mipmap whose texels are all different, and what is in each level.
    fn mipmap<D: Dimension<Shape = [usize; N]>, const N: usize>(
        shape: [usize; N],
    ) -> (CudaArray<u16, D>, [Vec<u16>; 3]) {
        let mut array = CudaArray::<u16, D>::zeroed_with_levels(shape, 3).unwrap();
        let levels = [0usize, 1, 2].map(|level| {
            let len: usize = array.level_shape(level).unwrap().iter().product();
            let texels: Vec<u16> = (0..len).map(|i| (1000 * level + i) as u16).collect();
            array.copy_level_from_slice(level, &texels).unwrap();
            texels
        });
        (array, levels)
    }

    fn levels_of<D: Dimension>(array: &CudaArray<u16, D>) -> [Vec<u16>; 3] {
        [0, 1, 2].map(|level| array.level_to_vec(level).unwrap())
    }

    #[test]
    fn boxes_of_levels_come_from_and_go_to_all_kinds_of_memory() {
        let stream = Stream::new().unwrap();
        // Levels of 8 × 12, 4 × 6 and 2 × 3 texels.
        let (mut array, mut model) = mipmap::<D2, 2>([8, 12]);
        let place = TexelPlace::in_level(1, [2, 3]);
        // Rows 2 and 3, columns 3 to 5 of level 1.
        let indices = [15, 16, 17, 21, 22, 23];
        let host: [u16; 6] = [7, 8, 9, 10, 11, 12];
        array.copy_part_from_host(place, HostView::new(&host, [2, 3]).unwrap()).unwrap();
        indices.iter().zip(host).for_each(|(&at, value)| model[1][at] = value);
        assert_eq!(levels_of(&array), model);

        let mut back = [0u16; 6];
        array.copy_part_to_host(place, HostViewMut::new(&mut back, [2, 3]).unwrap()).unwrap();
        assert_eq!(back, host);
        let mut rows = PitchedBuffer::<u16>::zeroed([2, 3]).unwrap();
        array.copy_part_to_view_on(place, rows.view_mut(), &stream).unwrap();
        assert_eq!(rows.to_vec().unwrap(), host);
        let corner = TexelPlace::in_level(2, [0, 0]);
        array.copy_part_from_view_on(corner, &rows, &stream).unwrap();
        model[2] = host.to_vec();
        assert_eq!(levels_of(&array), model);

        let mut pinned = PinnedBuffer::<u16>::zeroed(2).unwrap();
        array.copy_part_to_pinned_on(corner, pinned.view_mut([1, 2]).unwrap(), &stream).unwrap();
        assert_eq!(*pinned, [7, 8]);
        let last = TexelPlace::in_level(1, [3, 0]);
        array.copy_part_from_pinned_on(last, pinned.view([1, 2]).unwrap(), &stream).unwrap();
        (model[1][18], model[1][19]) = (7, 8);
        assert_eq!(levels_of(&array), model);

        // From a level to another one of another array.
        let (mut other, mut others) = mipmap::<D2, 2>([8, 12]);
        let part = TexelBox::in_level(2, [0..2, 1..3]);
        other
            .copy_part_from_array_on(TexelPlace::in_level(1, [1, 4]), &array, part, &stream)
            .unwrap();
        for (at, value) in [(10, 8), (11, 9), (16, 11), (17, 12)] {
            others[1][at] = value;
        }
        assert_eq!((levels_of(&other), levels_of(&array)), (others, model));
    }

    #[test]
    fn planes_of_levels_have_their_own_extents() {
        // Levels of 4 × 4 × 6, 2 × 2 × 3 and 1 × 1 × 1 texels.
        let (mut volume, mut model) = mipmap::<D3, 3>([4, 4, 6]);
        let host = [7u16, 8];
        let place = TexelPlace::in_level(1, [0, 1, 2]);
        volume.copy_part_from_host(place, HostView::new(&host, [2, 1, 1]).unwrap()).unwrap();
        (model[1][5], model[1][11]) = (7, 8);
        assert_eq!(levels_of(&volume), model);
    }

    #[test]
    fn boxes_stay_in_their_level() {
        let stream = Stream::new().unwrap();
        let (mut array, model) = mipmap::<D2, 2>([8, 12]);
        let other = CudaArray::<u16>::zeroed([8, 12]).unwrap();
        let texel = [9u16];
        let texel = || HostView::new(&texel, [1, 1]).unwrap();
        // Within level 0, but not within level 1.
        let error = array.copy_part_from_host(TexelPlace::in_level(1, [4, 0]), texel());
        match error {
            Err(Error::OutOfBounds { part, shape, .. }) => {
                assert_eq!((part, shape), (vec![4..5, 0..1], vec![4, 6]));
            }
            other => panic!("{other:?}"),
        }
        let error = array.copy_part_from_host(TexelPlace::in_level(3, [0, 0]), texel());
        let rule = TextureRule::Level { level: 3, levels: 3 };
        assert!(matches!(&error, Err(Error::Texture(found)) if *found == rule), "{error:?}");
        let part = TexelBox::in_level(1, [0..1, 0..1]);
        let error = array.copy_part_from_array_on([0, 0], &other, part, &stream);
        let rule = TextureRule::Level { level: 1, levels: 1 };
        assert!(matches!(&error, Err(Error::Texture(found)) if *found == rule), "{error:?}");
        assert_eq!(levels_of(&array), model);
    }
}
