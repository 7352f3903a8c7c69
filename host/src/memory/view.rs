//! Buffers seen as arrays of several dimensions.

use super::slice::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use core::fmt;
use ptyx_device::DeviceCopy;

/// The extents of `N` dimensions, slowest first: rows, then columns.
///
/// ```
/// use ptyx::IntoShape;
/// fn elements<const N: usize>(shape: impl IntoShape<N>) -> usize {
///     shape.into_shape().iter().product()
/// }
/// assert_eq!(elements(7), 7);
/// assert_eq!(elements((480, 640)), elements([480, 640]));
/// ```
pub trait IntoShape<const N: usize> {
    /// The extents.
    fn into_shape(self) -> [usize; N];
}

impl<const N: usize> IntoShape<N> for [usize; N] {
    fn into_shape(self) -> [usize; N] {
        self
    }
}

impl IntoShape<1> for usize {
    fn into_shape(self) -> [usize; 1] {
        [self]
    }
}

impl IntoShape<2> for (usize, usize) {
    fn into_shape(self) -> [usize; 2] {
        [self.0, self.1]
    }
}

impl IntoShape<3> for (usize, usize, usize) {
    fn into_shape(self) -> [usize; 3] {
        [self.0, self.1, self.2]
    }
}

/// A buffer, or a part of one, as an array of `N` dimensions: the kernel argument `Array<T, N>`.
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
/// let matrix = DeviceBuffer::filled(3 * 4, 0.5f32)?;
/// let mut sums = DeviceBuffer::<f32>::zeroed(3)?;
/// launch!(row_sums<<<1, 32>>>(matrix.view((3, 4)), &mut sums))?;
/// assert_eq!(sums.to_vec()?, [2.0; 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceView<'a, T, const N: usize> {
    pub(super) part: DeviceSlice<'a, T>,
    pub(super) shape: [usize; N],
}

/// A buffer, or a part of one, as a writable array of `N` dimensions: the kernel argument
/// `DisjointArray<T, N>`, `Parts<T, D, N>` or `ArrayMut<T, N>`.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn checkerboard(mut board: DisjointArray<u8, 2>) {
///     let place = thread::index_2d();
///     if let Some(square) = board.get_mut(place) {
///         *square = ((place.x() + place.y()) % 2) as u8;
///     }
/// }
///
/// let mut board = DeviceBuffer::<u8>::zeroed(2 * 3)?;
/// launch!(checkerboard<<<1, (8, 8)>>>(board.view_mut((2, 3))))?;
/// assert_eq!(board.to_vec()?, [0, 1, 0, 1, 0, 1]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceViewMut<'a, T, const N: usize> {
    pub(super) part: DeviceSliceMut<'a, T>,
    pub(super) shape: [usize; N],
}

impl<T, const N: usize> Clone for DeviceView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for DeviceView<'_, T, N> {}

/// The shape, if its product is the length.
fn checked<const N: usize>(shape: [usize; N], len: usize) -> Result<[usize; N]> {
    // Strides must fit, too, where an extent of 0 hides the others.
    let strides_fit = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent.max(1)));
    if strides_fit.is_some() && shape.iter().product::<usize>() == len {
        Ok(shape)
    } else {
        Err(Error::Shape { shape: shape.to_vec(), len })
    }
}

impl<'a, T: DeviceCopy, const N: usize> DeviceView<'a, T, N> {
    /// The extents, slowest first.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::zeroed(480 * 640)?;
    /// assert_eq!(buffer.view((480, 640)).shape(), [480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The elements and the shape, if they fit.
    pub(crate) fn parts(&self) -> Result<(DeviceSlice<'a, T>, [usize; N])> {
        Ok((self.part, checked(self.shape, self.part.len)?))
    }
}

impl<T: DeviceCopy, const N: usize> DeviceViewMut<'_, T, N> {
    /// The extents, slowest first.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(3 * 480 * 640)?;
    /// assert_eq!(buffer.view_mut((3, 480, 640)).shape(), [3, 480, 640]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The elements and the shape, if they fit.
    pub(crate) fn parts(&self) -> Result<(DeviceSlice<'_, T>, [usize; N])> {
        Ok((self.part.as_slice(), checked(self.shape, self.part.len())?))
    }
}

impl<T, const N: usize> fmt::Debug for DeviceView<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceView({:?} elements)", self.shape)
    }
}

impl<T, const N: usize> fmt::Debug for DeviceViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceViewMut({:?} elements)", self.shape)
    }
}
