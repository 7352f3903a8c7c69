//! Arrays of the crate `ndarray`, to and from devices.

use crate::error::{Error, Result};
use crate::memory::{DeviceBuffer, DeviceView};
use crate::stream::Stream;
use ndarray::{Array, ArrayBase, Data, Dimension, IntoDimension};
use ptyx_device::DeviceCopy;

/// The elements in the order of the indices, the last one fastest; copied only if they are not in that order.
fn in_order<T: DeviceCopy, S: Data<Elem = T>, D: Dimension, R>(
    array: &ArrayBase<S, D>,
    work: impl FnOnce(&[T]) -> R,
) -> R {
    match array.as_slice() {
        Some(elements) => work(elements),
        None => work(&array.iter().copied().collect::<Vec<T>>()),
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A copy of an array, on the thread's device. Its elements are in the order of the indices, the last one fastest,
    /// in whatever order the array has them: a view of the array's shape ([`DeviceBuffer::view`]) is the same array.
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use ptyx::DeviceBuffer;
    /// let matrix: Array2<f32> = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    /// let buffer = DeviceBuffer::from_array(&matrix.t())?;
    /// assert_eq!(buffer.to_vec()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// assert_eq!(buffer.view([3, 2]).to_array()?, matrix.t());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice`].
    pub fn from_array<S: Data<Elem = T>, D: Dimension>(
        array: &ArrayBase<S, D>,
    ) -> Result<DeviceBuffer<T>> {
        in_order(array, DeviceBuffer::from_slice)
    }

    /// Like [`from_array`](Self::from_array), but on the device of `stream` and in its order. The host waits until
    /// the array has been read, and so for the earlier work of the stream.
    ///
    /// ```
    /// use ndarray::array;
    /// use ptyx::{DeviceBuffer, Stream};
    /// let buffer = DeviceBuffer::from_array_on(&array![[1u32, 2], [3, 4]].t(), &Stream::new()?)?;
    /// assert_eq!(buffer.to_vec()?, [1, 3, 2, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice_on`].
    pub fn from_array_on<S: Data<Elem = T>, D: Dimension>(
        array: &ArrayBase<S, D>,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        in_order(array, |elements| DeviceBuffer::from_slice_on(elements, stream))
    }

    /// Copies an array of the same number of elements into the buffer, in the order of the indices.
    ///
    /// ```
    /// use ndarray::array;
    /// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// buffer.copy_from_array(&array![[1, 2], [3, 4]])?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::copy_from_slice`].
    pub fn copy_from_array<S: Data<Elem = T>, D: Dimension>(
        &mut self,
        array: &ArrayBase<S, D>,
    ) -> Result<()> {
        in_order(array, |elements| self.copy_from_slice(elements))
    }
}

impl<T: DeviceCopy, const N: usize> DeviceView<'_, T, N> {
    /// A copy of the view on the host, as an array of its shape.
    ///
    /// ```
    /// use ndarray::array;
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(buffer.view([2, 3]).to_array()?, array![[1, 2, 3], [4, 5, 6]]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the shape does not fit the buffer; those of [`DeviceBuffer::to_vec`].
    pub fn to_array<D: Dimension>(&self) -> Result<Array<T, D>>
    where
        [usize; N]: IntoDimension<Dim = D>,
    {
        let (elements, shape) = self.parts()?;
        let len = elements.len();
        // The view has checked the shape.
        Array::from_shape_vec(shape.into_dimension(), elements.to_vec()?)
            .map_err(|_| Error::Shape { shape: shape.to_vec(), len, argument: None })
    }
}
