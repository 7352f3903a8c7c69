//! Buffers seen as arrays of several dimensions.

use super::slice::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use core::fmt;
use core::ops::Range;
use ptyx_device::DeviceCopy;
use ptyx_device::view::Tiles;

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

/// The pivots along `N` axes, slowest first: rows, then columns. Of one axis, a range is enough.
///
/// ```
/// use ptyx::IntoPivots;
/// fn pivots<const N: usize>(ranges: impl IntoPivots<N>) -> usize {
///     ranges.into_pivots().iter().map(|range| range.len()).sum()
/// }
/// assert_eq!(pivots(2..5), 3);
/// assert_eq!(pivots([2..5, 0..1]), 4);
/// ```
pub trait IntoPivots<const N: usize> {
    /// The ranges, one for each axis.
    fn into_pivots(self) -> [Range<usize>; N];
}

impl<const N: usize> IntoPivots<N> for [Range<usize>; N] {
    fn into_pivots(self) -> [Range<usize>; N] {
        self
    }
}

impl IntoPivots<1> for Range<usize> {
    fn into_pivots(self) -> [Range<usize>; 1] {
        [self]
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

/// A writable array with some rows and columns that launches do not change: the kernel argument
/// [`Pivoted<T, D, N>`](ptyx_device::view::Pivoted). [`DeviceViewMut::pivot`] makes it.
///
/// ```no_run
/// use ptyx::device::view::Pivoted;
/// use ptyx::prelude::*;
///
/// /// Subtracts the first row from the others.
/// #[kernel]
/// fn subtract_first(mut matrix: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
///     let ([first, _], mut own) = matrix.split();
///     if let Some([_, x]) = own.place([0, 0]) {
///         own[[0, 0]] -= first[[0, x]];
///     }
/// }
///
/// let mut matrix = DeviceBuffer::from_slice(&[1, 2, 3, 11, 22, 33].map(|x| x as f32))?;
/// let rows = matrix.view_mut([2, 3]);
/// launch!(subtract_first<<<1, (32, 8)>>>(rows.pivot([0..1, 0..0])))?;
/// assert_eq!(matrix.to_vec()?, [1.0, 2.0, 3.0, 10.0, 20.0, 30.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DevicePivoted<'a, T, const N: usize> {
    view: DeviceViewMut<'a, T, N>,
    pivots: [Range<usize>; N],
}

/// Matrices of tiles of which a launch writes a diagonal: the kernel argument
/// [`Diagonal<T, D, SIDE>`](ptyx_device::view::Diagonal). [`DeviceViewMut::diagonal`] makes it.
///
/// ```no_run
/// use ptyx::device::view::Diagonal;
/// use ptyx::prelude::*;
///
/// type Owners = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);
///
/// /// Numbers the tiles of a diagonal.
/// #[kernel]
/// fn number(mut table: Diagonal<u32, Owners, 2>) {
///     let (_, mut own) = table.split();
///     if let Some([_, tile, _, _]) = own.place([0, 0, 0, 0]) {
///         own[[0, 0, 0, 0]] = tile as u32 + 1;
///     }
/// }
///
/// let mut table = DeviceBuffer::<u32>::zeroed(4 * 4)?;
/// launch!(number<<<2, (2, 2)>>>(table.view_mut([1, 4, 4]).diagonal(0, 1)))?;
/// assert_eq!(table.to_vec()?[..8], [0, 0, 1, 1, 0, 0, 1, 1]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct DeviceDiagonal<'a, T> {
    view: DeviceViewMut<'a, T, 3>,
    border: usize,
    number: usize,
}

impl<T, const N: usize> Clone for DeviceView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for DeviceView<'_, T, N> {}

/// The shape, if its product is the length.
pub(super) fn checked<const N: usize>(shape: [usize; N], len: usize) -> Result<[usize; N]> {
    // Strides must fit, too, where an extent of 0 hides the others.
    let strides_fit = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent.max(1)));
    if strides_fit.is_some() && shape.iter().product::<usize>() == len {
        Ok(shape)
    } else {
        Err(Error::Shape { shape: shape.to_vec(), len, argument: None })
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

impl<'a, T: DeviceCopy, const N: usize> DeviceViewMut<'a, T, N> {
    /// The same array with pivots: a range of positions along each axis, such as rows and columns, that launches do not
    /// change and all threads may read. An axis with an empty range has none. As a kernel argument it is a
    /// [`Pivoted<T, D, N>`](ptyx_device::view::Pivoted).
    ///
    /// If a range does not lie within the shape, the launch returns [`Error::OutOfBounds`].
    ///
    /// ```
    /// let mut matrix = ptyx::DeviceBuffer::<f32>::zeroed(100 * 100)?;
    /// // Row 3 and column 3.
    /// let step = matrix.view_mut([100, 100]).pivot([3..4, 3..4]);
    /// assert_eq!(step.pivots(), [3..4, 3..4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn pivot(self, pivots: impl IntoPivots<N>) -> DevicePivoted<'a, T, N> {
        DevicePivoted { pivots: pivots.into_pivots(), view: self }
    }
}

impl<'a, T: DeviceCopy> DeviceViewMut<'a, T, 3> {
    /// The same matrices, divided into tiles behind a border of so many rows and columns. A launch writes the tiles of
    /// the diagonal with this number: those whose row and column, counted in tiles from 0, add up to it. As a kernel
    /// argument it is a [`Diagonal<T, D, SIDE>`](ptyx_device::view::Diagonal), whose type says how large tiles are. A
    /// diagonal without tiles is not an error.
    ///
    /// ```
    /// let mut tables = ptyx::DeviceBuffer::<i32>::zeroed(8 * 33 * 33)?;
    /// // Of 8 tables, each with a border of one row and one column.
    /// let step = tables.view_mut([8, 33, 33]).diagonal(1, 0);
    /// assert_eq!(step.shape(), [8, 33, 33]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn diagonal(self, border: usize, number: usize) -> DeviceDiagonal<'a, T> {
        DeviceDiagonal { view: self, border, number }
    }
}

impl<T: DeviceCopy> DeviceDiagonal<'_, T> {
    /// The number of matrices, of their rows and of their columns.
    ///
    /// ```
    /// let mut table = ptyx::DeviceBuffer::<i32>::zeroed(100)?;
    /// assert_eq!(table.view_mut([1, 10, 10]).diagonal(0, 0).shape(), [1, 10, 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; 3] {
        self.view.shape
    }

    /// The elements, and the diagonal as the device takes it.
    pub(crate) fn parts<const SIDE: usize>(&self) -> Result<(DeviceSlice<'_, T>, Tiles<SIDE>)> {
        let (part, shape) = self.view.parts()?;
        Ok((part, Tiles::new(shape, self.border, self.number)))
    }
}

impl<T: DeviceCopy, const N: usize> DevicePivoted<'_, T, N> {
    /// The extents of the whole array, slowest first, pivots included.
    ///
    /// ```
    /// let mut samples = ptyx::DeviceBuffer::<f32>::zeroed(100)?;
    /// assert_eq!(samples.view_mut(100).pivot(0..1).shape(), [100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.view.shape
    }

    /// Which positions along each axis are pivots: of a matrix, which rows and which columns.
    ///
    /// ```
    /// let mut matrix = ptyx::DeviceBuffer::<f32>::zeroed(64 * 80)?;
    /// // The first 16 rows, and no columns.
    /// let [rows, columns] = matrix.view_mut([64, 80]).pivot([0..16, 0..0]).pivots();
    /// assert_eq!((rows.len(), columns.len()), (16, 0));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn pivots(&self) -> [Range<usize>; N] {
        self.pivots.clone()
    }

    /// The elements, the shape, and the pivots as the device takes them, if all fit.
    #[allow(clippy::type_complexity)]
    pub(crate) fn parts(&self) -> Result<(DeviceSlice<'_, T>, [usize; N], [[usize; 2]; N])> {
        let (part, shape) = self.view.parts()?;
        let inside = |(range, &extent): (&Range<usize>, &usize)| {
            range.start <= range.end && range.end <= extent
        };
        if !self.pivots.iter().zip(&shape).all(inside) {
            let (part, shape) = (self.pivots.to_vec(), shape.to_vec());
            return Err(Error::OutOfBounds { part, shape, argument: None });
        }
        // The device goes to the first pivot, if there is one.
        let none = shape.contains(&0);
        let pivots = self.pivots.each_ref().map(|range| match none || range.is_empty() {
            true => [0, 0],
            false => [range.start, range.end],
        });
        Ok((part, shape, pivots))
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

impl<T> fmt::Debug for DeviceDiagonal<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { view, border, number } = self;
        write!(f, "DeviceDiagonal({:?} elements, border {border}, diagonal {number})", view.shape)
    }
}

impl<T, const N: usize> fmt::Debug for DevicePivoted<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DevicePivoted({:?} elements, {:?})", self.view.shape, self.pivots)
    }
}
