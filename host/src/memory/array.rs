//! Arrays of several dimensions that own their memory.

use super::buffer::DeviceBuffer;
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::view::{DeviceView, DeviceViewMut, IntoShape, checked};
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::fmt;
use ptyx_device::DeviceCopy;

/// An array of `N` dimensions in device memory, its elements side by side: a [`DeviceBuffer`] that knows its shape.
///
/// `&array` is the kernel argument `Array<T, N>`; `&mut array` is `DisjointArray<T, N>`, `Parts<T, D, N>` or `ArrayMut<T, N>`. The
/// extents are slowest first: rows, then columns. If rows are to begin at aligned addresses, use a
/// [`PitchedBuffer`](crate::PitchedBuffer).
///
/// ```no_run
/// use ptyx::DeviceArray;
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn transpose(from: Array<f32, 2>, mut to: DisjointArray<f32, 2>) {
///     let place = thread::index_2d();
///     if let Some(to) = to.get_mut(place) {
///         *to = from[[place.x(), place.y()]];
///     }
/// }
///
/// let from = DeviceArray::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
/// let mut to = DeviceArray::<f32, 2>::zeroed([3, 2])?;
/// launch!(transpose<<<1, (8, 8)>>>(&from, &mut to))?;
/// assert_eq!(to.to_vec()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// To fill or copy it, use [`as_slice`](DeviceArray::as_slice) and [`as_slice_mut`](DeviceArray::as_slice_mut); for boxes of
/// it, [`view`](DeviceArray::view) and [`view_mut`](DeviceArray::view_mut).
pub struct DeviceArray<T, const N: usize> {
    buffer: DeviceBuffer<T>,
    shape: [usize; N],
}

/// How many elements a shape has.
fn elements<T, const N: usize>(shape: [usize; N]) -> Result<usize> {
    // Strides must fit, too, where an extent of 0 hides the others.
    let all = shape.iter().try_fold(1usize, |all, &extent| all.checked_mul(extent.max(1)));
    let len = shape.iter().fold(1usize, |all, &extent| all.saturating_mul(extent));
    all.map(|_| len).ok_or(Error::TooLarge { len, size: size_of::<T>() })
}

impl<T: DeviceCopy, const N: usize> DeviceArray<T, N> {
    /// An array whose bytes are all 0, on the thread's device. This is a compile error for types that can't be all zeros.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::<f32, 2>::zeroed([2, 3])?;
    /// assert_eq!((matrix.shape(), matrix.to_vec()?), ([2, 3], vec![0.0; 6]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::TooLarge`]; no usable device.
    pub fn zeroed(shape: impl IntoShape<N>) -> Result<DeviceArray<T, N>> {
        DeviceArray::zeroed_on(shape, current()?.default_stream()?)
    }

    /// An array whose bytes are all 0, made on `stream`. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let matrix = ptyx::DeviceArray::<u8, 2>::zeroed_on((2, 3), &stream)?;
    /// assert_eq!(matrix.to_vec()?, [0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceArray::zeroed`].
    pub fn zeroed_on(shape: impl IntoShape<N>, stream: &Stream) -> Result<DeviceArray<T, N>> {
        let shape = shape.into_shape();
        let buffer = DeviceBuffer::zeroed_on(elements::<T, N>(shape)?, stream)?;
        Ok(DeviceArray { buffer, shape })
    }

    /// An array of elements that are `value`, on the thread's device.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::filled([2, 3], 1.5f32)?;
    /// assert_eq!(matrix.to_vec()?, [1.5; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceArray::zeroed`].
    pub fn filled(shape: impl IntoShape<N>, value: T) -> Result<DeviceArray<T, N>> {
        DeviceArray::filled_on(shape, value, current()?.default_stream()?)
    }

    /// An array of elements that are `value`, made on `stream`. [`DeviceSliceMut::fill_on`] says for which types the host does
    /// not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let cube = ptyx::DeviceArray::filled_on((2, 2, 2), 7u32, &stream)?;
    /// assert_eq!(cube.to_vec()?, [7; 8]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceArray::zeroed`].
    pub fn filled_on(
        shape: impl IntoShape<N>,
        value: T,
        stream: &Stream,
    ) -> Result<DeviceArray<T, N>> {
        let shape = shape.into_shape();
        let buffer = DeviceBuffer::filled_on(elements::<T, N>(shape)?, value, stream)?;
        Ok(DeviceArray { buffer, shape })
    }

    /// An array with the elements of a slice, the last index fastest, on the thread's device.
    ///
    /// ```
    /// use ptyx::{DeviceArray, Error};
    /// let matrix = DeviceArray::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(matrix.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// assert!(matches!(DeviceArray::from_slice(&[1, 2], [2, 3]), Err(Error::Shape { len: 2, .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the slice's length is not the shape's number of elements; those of [`DeviceArray::zeroed`].
    pub fn from_slice(from: &[T], shape: impl IntoShape<N>) -> Result<DeviceArray<T, N>> {
        let shape = checked(shape.into_shape(), from.len())?;
        Ok(DeviceArray { buffer: DeviceBuffer::from_slice(from)?, shape })
    }

    /// An array with the elements of a slice, on the device of `stream`, in its order. The host waits until the slice has been
    /// read.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let matrix = ptyx::DeviceArray::from_slice_on(&[1, 2, 3, 4], [2, 2], &stream)?;
    /// assert_eq!(matrix.device_index(), stream.device_index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceArray::from_slice`]; [`Error::Capture`] if the stream is captured.
    pub fn from_slice_on(
        from: &[T],
        shape: impl IntoShape<N>,
        stream: &Stream,
    ) -> Result<DeviceArray<T, N>> {
        let shape = checked(shape.into_shape(), from.len())?;
        Ok(DeviceArray { buffer: DeviceBuffer::from_slice_on(from, stream)?, shape })
    }

    /// The elements of a buffer as an array. Nothing is copied.
    ///
    /// ```
    /// use ptyx::{DeviceArray, DeviceBuffer};
    /// let matrix = DeviceArray::of_buffer(DeviceBuffer::filled(6, 2u8)?, [2, 3])?;
    /// assert_eq!(matrix.shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the buffer's length is not the shape's number of elements. The buffer is then dropped.
    pub fn of_buffer(buffer: DeviceBuffer<T>, shape: impl IntoShape<N>) -> Result<Self> {
        let shape = checked(shape.into_shape(), buffer.len())?;
        Ok(DeviceArray { buffer, shape })
    }

    /// The elements, one after the other, as a buffer. Nothing is copied.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(matrix.into_buffer().to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn into_buffer(self) -> DeviceBuffer<T> {
        self.buffer
    }

    /// The same elements in another shape. Nothing is copied.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let matrix = matrix.reshape([3, 2])?; // the second row is `[3, 4]`
    /// assert_eq!(matrix.reshape(6)?.shape(), [6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the shape has another number of elements. The array is then dropped.
    pub fn reshape<const M: usize>(self, shape: impl IntoShape<M>) -> Result<DeviceArray<T, M>> {
        DeviceArray::of_buffer(self.buffer, shape)
    }

    /// The extents, slowest first.
    ///
    /// ```
    /// assert_eq!(ptyx::DeviceArray::<u8, 3>::zeroed((2, 3, 4))?.shape(), [2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The number of elements.
    ///
    /// ```
    /// assert_eq!(ptyx::DeviceArray::<u8, 2>::zeroed([2, 3])?.len(), 6);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// assert!(ptyx::DeviceArray::<u8, 2>::zeroed([0, 3])?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of the array's device.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::<u8, 2>::zeroed([2, 3])?;
    /// assert_eq!(matrix.device_index(), ptyx::Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.buffer.device_index()
    }

    /// All elements, one after the other, for copies.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(matrix.as_slice().slice(2..).to_vec()?, [3, 4]); // the second row
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        self.buffer.as_slice()
    }

    /// All elements, one after the other, for fills and copies that write them.
    ///
    /// ```
    /// let mut matrix = ptyx::DeviceArray::<u32, 2>::zeroed([2, 2])?;
    /// matrix.as_slice_mut().slice_mut(..2).fill(7)?; // the first row
    /// assert_eq!(matrix.to_vec()?, [7, 7, 0, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        self.buffer.as_slice_mut()
    }

    /// A view of the array, of its shape.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(matrix.view().part([0..2, 1..2])?.to_vec()?, [2, 5]); // a column
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view(&self) -> DeviceView<'_, T, N> {
        self.buffer.view(self.shape)
    }

    /// A view of the array for writing, of its shape.
    ///
    /// ```
    /// let mut matrix = ptyx::DeviceArray::<u32, 2>::zeroed([2, 3])?;
    /// matrix.view_mut().part_mut([0..2, 1..2])?.fill(7)?; // a column
    /// assert_eq!(matrix.to_vec()?, [0, 7, 0, 0, 7, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> DeviceViewMut<'_, T, N> {
        self.buffer.view_mut(self.shape)
    }

    /// A copy of all elements on the host, the last index fastest. Waits for all work that writes them.
    ///
    /// ```
    /// assert_eq!(ptyx::DeviceArray::filled([2, 2], 3u8)?.to_vec()?, [3; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of earlier kernels.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.buffer.to_vec()
    }

    /// A copy of the array on the same device. The host does not wait.
    ///
    /// ```
    /// let matrix = ptyx::DeviceArray::filled([2, 2], 3u8)?;
    /// let copy = matrix.try_clone()?;
    /// assert_eq!((copy.shape(), copy.to_vec()?), ([2, 2], vec![3; 4]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_clone(&self) -> Result<DeviceArray<T, N>> {
        Ok(DeviceArray { buffer: self.buffer.try_clone()?, shape: self.shape })
    }

    /// A copy of the array on the same device, made on `stream`. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let matrix = ptyx::DeviceArray::filled([2, 2], 3u8)?;
    /// assert_eq!(matrix.try_clone_on(&stream)?.to_vec()?, [3; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::WrongDevice`] if the stream is on another device.
    pub fn try_clone_on(&self, stream: &Stream) -> Result<DeviceArray<T, N>> {
        Ok(DeviceArray { buffer: self.buffer.try_clone_on(stream)?, shape: self.shape })
    }

    /// What a launch takes.
    pub(crate) fn parts(&self) -> Result<(DeviceSlice<'_, T>, [usize; N])> {
        Ok((self.buffer.as_slice(), self.shape))
    }
}

impl<T, const N: usize> fmt::Debug for DeviceArray<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceArray({:?} elements)", self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_checked() {
        let numbers: Vec<u32> = (0..24).collect();
        let cube = DeviceArray::from_slice(&numbers, (2, 3, 4)).unwrap();
        assert_eq!((cube.shape(), cube.len(), cube.is_empty()), ([2, 3, 4], 24, false));
        assert_eq!(cube.to_vec().unwrap(), numbers);
        let plane = cube.view().part([1..2, 0..3, 3..4]).unwrap().to_vec().unwrap();
        assert_eq!(plane, [15, 19, 23]);
        let matrix = cube.reshape([4, 6]).unwrap();
        assert_eq!(matrix.view().part([1..2, 0..6]).unwrap().to_vec().unwrap(), numbers[6..12]);
        let wrong = matrix.reshape([5, 5]);
        assert!(matches!(wrong, Err(Error::Shape { len: 24, .. })), "{wrong:?}");
        let wrong = DeviceArray::from_slice(&numbers, [5, 5]);
        assert!(matches!(wrong, Err(Error::Shape { len: 24, .. })), "{wrong:?}");
        for shape in [[usize::MAX, 2], [usize::MAX, usize::MAX], [0, usize::MAX]] {
            let all = DeviceArray::<u32, 2>::zeroed(shape);
            let is_none = shape[0] == 0 && all.as_ref().is_ok_and(DeviceArray::is_empty);
            assert!(is_none || matches!(all, Err(Error::TooLarge { .. })), "{all:?}");
        }
        let none = DeviceArray::<u32, 2>::filled([0, 5], 1).unwrap();
        assert_eq!((none.to_vec().unwrap(), none.shape()), (vec![], [0, 5]));
        assert!(DeviceArray::<u32, 3>::zeroed([0, usize::MAX, 2]).is_err());
        assert_eq!(format!("{none:?}"), "DeviceArray([0, 5] elements)");
        let point = DeviceArray::<u32, 0>::filled([], 3).unwrap();
        assert_eq!(point.into_buffer().to_vec().unwrap(), [3]);
    }
}
