//! Copies between the host and CUDA arrays for which the host converts the texels.

use super::array::CudaArray;
use crate::error::Result;
use crate::memory::ConvertTo;
use crate::stream::Stream;
use ptyx_device::texture::{Dimension, Texel};

impl<T: Texel, D: Dimension> CudaArray<T, D> {
    /// Like [`CudaArray::from_slice`]; the host first converts the texels.
    ///
    /// ```
    /// let array = ptyx::CudaArray::<f32>::from_slice_as(&[1u8, 2, 3, 4], [2, 2])?;
    /// assert_eq!(array.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::from_slice`].
    pub fn from_slice_as<U: ConvertTo<T>>(
        texels: &[U],
        shape: D::Shape,
    ) -> Result<CudaArray<T, D>> {
        let texels: Vec<T> = texels.iter().map(|&texel| texel.convert()).collect();
        CudaArray::from_slice(&texels, shape)
    }

    /// Like [`CudaArray::from_slice_on`]; the host first converts the texels.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let array = ptyx::CudaArray::<f32>::from_slice_as_on(&[1u8, 2, 3, 4], [2, 2], &stream)?;
    /// assert_eq!(array.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::from_slice_on`].
    pub fn from_slice_as_on<U: ConvertTo<T>>(
        texels: &[U],
        shape: D::Shape,
        stream: &Stream,
    ) -> Result<CudaArray<T, D>> {
        let texels: Vec<T> = texels.iter().map(|&texel| texel.convert()).collect();
        CudaArray::from_slice_on(&texels, shape, stream)
    }

    /// Like [`CudaArray::copy_from_slice`]; the host first converts the texels.
    ///
    /// ```
    /// let mut array = ptyx::CudaArray::<u8>::zeroed([2, 2])?;
    /// array.copy_from_slice_as(&[1.5f32, 300.0, -1.0, 4.0])?;
    /// assert_eq!(array.to_vec()?, [1, 255, 0, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::copy_from_slice`].
    pub fn copy_from_slice_as<U: ConvertTo<T>>(&mut self, texels: &[U]) -> Result<()> {
        let texels: Vec<T> = texels.iter().map(|&texel| texel.convert()).collect();
        self.copy_from_slice(&texels)
    }

    /// Like [`CudaArray::to_vec`]; the host then converts the texels.
    ///
    /// ```
    /// let array = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(array.to_vec_as::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::to_vec`].
    pub fn to_vec_as<U>(&self) -> Result<Vec<U>>
    where
        T: ConvertTo<U>,
    {
        Ok(self.to_vec()?.into_iter().map(ConvertTo::convert).collect())
    }
}
