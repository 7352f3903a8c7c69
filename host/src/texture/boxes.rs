//! Copies of boxes of CUDA arrays.

use super::array::{CudaArray, EMPTY, WHOLE, end};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::copy::{Tracked, blocking};
use crate::memory::peer;
use crate::memory::tracker::Access;
use crate::memory::{
    HostView, HostViewMut, PinnedView, PinnedViewMut, PitchedView, PitchedViewMut,
};
use crate::stream::{Entry, Stream};
use core::ffi::c_void;
use core::ops::Range;
use ptyx_device::texture::{Dimension, Properties, Texel, properties};

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
        first: [usize; N],
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
    fn end_at(&self, first: [usize; N], shape: [usize; N]) -> Result<CUmemcpyEnd3D> {
        let whole = self.shape();
        let is_inside = (0..N).all(|axis| {
            first[axis].checked_add(shape[axis]).is_some_and(|last| last <= whole[axis])
        });
        if !is_inside {
            let range = |axis: usize| first[axis]..first[axis].saturating_add(shape[axis]);
            let part: Vec<Range<usize>> = (0..N).map(range).collect();
            return Err(Error::OutOfBounds { part, shape: whole.to_vec() });
        }
        let [x, y, z] = along::<D>(&first, 0);
        Ok(CUmemcpyEnd3D { x: x * size_of::<T>(), y, z, ..end(self.level(0)?) })
    }

    /// Runs a copy between the host and the array, and waits for it.
    ///
    /// # Safety
    /// The host's end is valid for the whole copy.
    unsafe fn box_now(&self, copy: &CUmemcpy3D, access: Access) -> Result<()> {
        let (context, tracker) = (self.context, &self.uses);
        let tracked =
            Tracked { context, tracker, is_exposed: false, is_in_graph: false, is_of_graph: false };
        blocking(tracked, WHOLE, access, |stream| {
            // SAFETY: the array's end was checked, the host's is valid (caller), and `blocking` waits.
            unsafe { context.driver.cuMemcpy3DAsync(copy, stream.handle()) }?;
            Ok(())
        })
    }

    /// Replaces the texels of a box that begins at `first` by those of a host box of the same shape. Waits for all
    /// work that uses the array, and for the copy. With a mipmap: texels of level 0.
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
    /// [`Error::OutOfBounds`] if the box is not within the array; errors of earlier kernels.
    #[doc(alias = "cudaMemcpy2DToArray")]
    pub fn copy_part_from_host(
        &mut self,
        first: [usize; N],
        host: HostView<'_, T, N>,
    ) -> Result<()> {
        let (pointer, strides) = host.end();
        let other = CUmemcpyEnd3D { host: pointer.cast_mut(), ..EMPTY };
        let copy = self.box_copy(first, host.shape(), linear::<D>(&strides, other), true)?;
        if host.shape().contains(&0) {
            return Ok(());
        }
        // SAFETY: the host's box is borrowed; it is only read.
        unsafe { self.box_now(&copy, Access::Write) }
    }

    /// Copies the texels of a box that begins at `first` to a host box of the same shape. Waits for all work that
    /// writes the array, and for the copy. With a mipmap: texels of level 0.
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
        first: [usize; N],
        mut host: HostViewMut<'_, T, N>,
    ) -> Result<()> {
        let (pointer, strides): (*mut c_void, _) = host.end();
        let other = CUmemcpyEnd3D { host: pointer, ..EMPTY };
        let copy = self.box_copy(first, host.shape(), linear::<D>(&strides, other), false)?;
        if host.shape().contains(&0) {
            return Ok(());
        }
        // SAFETY: the host's box is borrowed mutably.
        unsafe { self.box_now(&copy, Access::Read) }
    }

    /// Replaces the texels of a box that begins at `first` by those of device memory of the same shape, on `stream`
    /// ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). The
    /// host does not wait. With a mipmap: texels of level 0.
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
    /// [`Error::OutOfBounds`] if the box is not within the array; [`Error::WrongDevice`] if array, memory and stream are not on
    /// the same device.
    pub fn copy_part_from_view_on<'a>(
        &mut self,
        first: [usize; N],
        from: impl Into<PitchedView<'a, T, N>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: 'a,
    {
        let from = from.into();
        let copy = self.box_copy(first, from.shape(), device_end::<T, D, N>(&from), true)?;
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        if from.is_empty() { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Copies the texels of a box that begins at `first` to device memory of the same shape, on `stream`. The host does not
    /// wait. With a mipmap: texels of level 0.
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
        first: [usize; N],
        to: PitchedViewMut<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let to = to.as_view();
        let copy = self.box_copy(first, to.shape(), device_end::<T, D, N>(&to), false)?;
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        to.order(&entry, Access::Write)?;
        if to.is_empty() { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Replaces the texels of a box that begins at `first` by those of pinned memory of the same shape, on `stream`. The host
    /// does not wait; writing to the pinned memory waits for the copy. With a mipmap: texels of level 0.
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
    /// [`Error::OutOfBounds`] if the box is not within the array; [`Error::WrongDevice`] if the stream is not on the array's
    /// device; [`Error::Capture`] if it is captured.
    #[doc(alias = "cudaMemcpy2DToArrayAsync")]
    pub fn copy_part_from_pinned_on(
        &mut self,
        first: [usize; N],
        from: PinnedView<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let (start, strides) = from.place();
        let host = from.buffer.as_device_copy_source().cast_mut().wrapping_byte_add(start);
        let other = CUmemcpyEnd3D { host, ..EMPTY };
        let copy = self.box_copy(first, from.shape(), linear::<D>(&strides, other), true)?;
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        if from.shape().contains(&0) { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Copies the texels of a box that begins at `first` to pinned memory of the same shape, on `stream`. The host does not
    /// wait; reading the pinned memory waits for the copy. With a mipmap: texels of level 0.
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
        first: [usize; N],
        to: PinnedViewMut<'_, T, N>,
        stream: &Stream,
    ) -> Result<()> {
        let (start, strides) = to.place();
        let host = to.buffer.as_device_copy_target().wrapping_byte_add(start);
        let other = CUmemcpyEnd3D { host, ..EMPTY };
        let copy = self.box_copy(first, to.shape(), linear::<D>(&strides, other), false)?;
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        to.order(&entry, Access::Write)?;
        if to.shape().contains(&0) { Ok(()) } else { self.submit(&copy, stream) }
    }

    /// Replaces the texels of a box that begins at `first` by a box of another array, possibly on another device, on
    /// `stream`, which is on this one's device ([`cuMemcpy3DAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html), `cuMemcpy3DPeerAsync`).
    /// The host does not wait. With
    /// mipmaps: texels of level 0.
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
    /// [`Error::OutOfBounds`] if a box is not within its array; [`Error::WrongDevice`] if the stream is not on this array's
    /// device; [`Error::Capture`] if the stream is captured.
    #[doc(alias = "cudaMemcpy2DArrayToArray")]
    pub fn copy_part_from_array_on(
        &mut self,
        first: [usize; N],
        from: &CudaArray<T, D>,
        part: [Range<usize>; N],
        stream: &Stream,
    ) -> Result<()> {
        if part.iter().any(|range| range.start > range.end) {
            return Err(Error::OutOfBounds { part: part.to_vec(), shape: from.shape().to_vec() });
        }
        let shape = part.each_ref().map(|range| range.len());
        let source = from.end_at(part.map(|range| range.start), shape)?;
        let mut copy = self.box_copy(first, shape, source, true)?;
        let is_empty = shape.contains(&0);
        if !core::ptr::eq(self.context, from.context) {
            stream.expect_on(self.context)?;
            if is_empty {
                return Ok(());
            }
            copy.to.reserved = self.context.raw().0;
            copy.from.reserved = from.context.raw().0;
            let read = |reading: &Entry<'_>| from.order(reading, Access::Read);
            let write = |entry: &Entry<'_>| self.order(entry, Access::Write);
            return peer::between(from.context, stream, read, write, || {
                // SAFETY: both boxes are within their arrays, whose trackers know of the use.
                Ok(unsafe { self.context.driver.cuMemcpy3DPeerAsync(&copy, stream.handle()) }?)
            });
        }
        let entry = stream.enter();
        from.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        if is_empty { Ok(()) } else { self.submit(&copy, stream) }
    }
}

fn device_end<T: Texel, D: Dimension, const N: usize>(
    view: &PitchedView<'_, T, N>,
) -> CUmemcpyEnd3D {
    let end = CUmemcpyEnd3D { kind: CU_MEMORYTYPE_DEVICE, device: view.address(), ..EMPTY };
    linear::<D>(&view.byte_strides(), end)
}
