//! Copies of CUDA arrays for which the host converts the texels.

use super::array::CudaArray;
use super::boxes::TexelBox;
use crate::error::Result;
use crate::memory::convert::between::sealed::{Read, Write};
use crate::memory::{ConvertTo, HostView, HostViewMut};
use crate::stream::Stream;
use core::ops::Range;
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

impl<T: Texel, D: Dimension<Shape = [usize; N]>, const N: usize> Read<T, N> for &CudaArray<T, D> {
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn read(&self, part: [Range<usize>; N]) -> Result<Vec<T>> {
        self.part_to_vec(part.into())
    }
}

impl<T: Texel, D: Dimension<Shape = [usize; N]>, const N: usize> Write<T, N>
    for &mut CudaArray<T, D>
{
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn write(self, elements: &[T]) -> Result<()> {
        self.copy_part_from_host([0; N], HostView::new(elements, self.shape())?)
    }
}

/// A box of an array.
impl<T, D, B, const N: usize> Read<T, N> for (&CudaArray<T, D>, B)
where
    T: Texel,
    D: Dimension<Shape = [usize; N]>,
    B: Clone + Into<TexelBox<N>>,
{
    fn extents(&self) -> Result<[usize; N]> {
        self.0.extents_of(&self.1.clone().into())
    }

    fn read(&self, part: [Range<usize>; N]) -> Result<Vec<T>> {
        self.0.part_to_vec(self.1.clone().into().part(part))
    }
}

impl<T, D, B, const N: usize> Write<T, N> for (&mut CudaArray<T, D>, B)
where
    T: Texel,
    D: Dimension<Shape = [usize; N]>,
    B: Clone + Into<TexelBox<N>>,
{
    fn extents(&self) -> Result<[usize; N]> {
        self.0.extents_of(&self.1.clone().into())
    }

    fn write(self, elements: &[T]) -> Result<()> {
        let part: TexelBox<N> = self.1.into();
        let shape = self.0.extents_of(&part)?;
        self.0.copy_part_from_host(part.place(), HostView::new(elements, shape)?)
    }
}

impl<T: Texel, D: Dimension<Shape = [usize; N]>, const N: usize> CudaArray<T, D> {
    /// The extents of a box that is within its level.
    fn extents_of(&self, part: &TexelBox<N>) -> Result<[usize; N]> {
        let shape = part.shape();
        self.end_at(part.place(), shape)?;
        Ok(shape)
    }

    /// The texels of a box.
    fn part_to_vec(&self, part: TexelBox<N>) -> Result<Vec<T>> {
        let shape = self.extents_of(&part)?;
        // SAFETY: texels are numbers, for which zeros are a value.
        let mut texels = vec![unsafe { core::mem::zeroed::<T>() }; shape.iter().product()];
        self.copy_part_to_host(part.place(), HostViewMut::new(&mut texels, shape)?)?;
        Ok(texels)
    }
}
