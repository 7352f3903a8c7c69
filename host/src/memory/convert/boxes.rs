//! Copies of boxes between the host and a device, in which the host converts the elements.

use super::between::{copy_as, copy_as_or};
use super::{ConvertTo, converted};
use crate::error::Result;
use crate::memory::pitched::{HostView, HostViewMut, PitchedBuffer, PitchedView, PitchedViewMut};
use crate::memory::slice::same_length;
use crate::memory::view::IntoShape;
use crate::stream::Stream;
use core::ops::Range;
use ptyx_device::DeviceCopy;

impl<T: DeviceCopy, const N: usize> PitchedView<'_, T, N> {
    /// Like [`PitchedView::to_vec`]; the host then converts the elements.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1.5f32, 2.0, 300.0, -1.0], [2, 2])?;
    /// assert_eq!(image.part([0..2, 0..1])?.to_vec_as::<u8>()?, [1, 255]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::to_vec`].
    pub fn to_vec_as<U>(&self) -> Result<Vec<U>>
    where
        T: ConvertTo<U>,
    {
        Ok(self.to_vec()?.into_iter().map(ConvertTo::convert).collect())
    }

    /// Like [`PitchedView::to_vec_or`]; the host then converts the elements. Elements outside of the array become
    /// `outside`.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::from_slice(&[1u8, 2, 3, 4], [2, 2])?;
    /// let around = image.view().to_vec_as_or([1..3, 0..2], f32::INFINITY)?;
    /// assert_eq!(around, [3.0, 4.0, f32::INFINITY, f32::INFINITY]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::to_vec_or`].
    pub fn to_vec_as_or<U: Copy>(&self, ranges: [Range<isize>; N], outside: U) -> Result<Vec<U>>
    where
        T: ConvertTo<U>,
    {
        let (mut host, shape, first) = PitchedView::<T, N>::host_for(&ranges, outside)?;
        copy_as_or(*self, first, HostViewMut::new(&mut host, shape)?, outside)?;
        Ok(host)
    }

    /// Like [`PitchedView::copy_to_host`]; the host converts the elements.
    ///
    /// ```
    /// use ptyx::{HostViewMut, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1u8, 2, 3, 4], [2, 2])?;
    /// let mut host = [0.5f64; 6];
    /// image.view().copy_to_host_as(HostViewMut::new(&mut host, [2, 3])?.part([0..2, 1..3])?)?;
    /// assert_eq!(host, [0.5, 1.0, 2.0, 0.5, 3.0, 4.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::copy_to_host`]. Nothing is written then.
    pub fn copy_to_host_as<U: Copy>(&self, host: HostViewMut<'_, U, N>) -> Result<()>
    where
        T: ConvertTo<U>,
    {
        copy_as(*self, host)
    }

    /// Like [`PitchedView::copy_to_host_or`]; the host converts the elements. Elements outside of the array become
    /// `outside`.
    ///
    /// ```
    /// use ptyx::{HostViewMut, PitchedBuffer};
    /// let image = PitchedBuffer::from_slice(&[1u8, 2, 3, 4], [2, 2])?;
    /// let mut host = [0i64; 4];
    /// image.view().copy_to_host_as_or(HostViewMut::new(&mut host, [2, 2])?, [-1, 1], -7)?;
    /// assert_eq!(host, [-7, -7, 2, -7]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedView::copy_to_host_or`].
    pub fn copy_to_host_as_or<U: Copy>(
        &self,
        host: HostViewMut<'_, U, N>,
        first: [isize; N],
        outside: U,
    ) -> Result<()>
    where
        T: ConvertTo<U>,
    {
        copy_as_or(*self, first, host, outside)
    }
}

impl<T: DeviceCopy, const N: usize> PitchedViewMut<'_, T, N> {
    /// Like [`PitchedViewMut::copy_from_slice`]; the host first converts the elements.
    ///
    /// ```
    /// let mut image = ptyx::PitchedBuffer::<f32>::zeroed([2, 2])?;
    /// image.part_mut([0..2, 1..2])?.copy_from_slice_as(&[7u8, 8])?;
    /// assert_eq!(image.to_vec()?, [0.0, 7.0, 0.0, 8.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::copy_from_slice`].
    pub fn copy_from_slice_as<U: ConvertTo<T>>(&mut self, host: &[U]) -> Result<()> {
        same_length("copying a host slice to a pitched array", self.len(), host.len())?;
        self.copy_from_host_as(HostView::new(host, self.shape())?)
    }

    /// Like [`PitchedViewMut::copy_from_host`]; the host first converts the elements.
    ///
    /// ```
    /// use ptyx::{HostView, PitchedBuffer};
    /// let mut image = PitchedBuffer::<u8>::zeroed([2, 2])?;
    /// let host = [1.0f32, 2.0, 3.0, 4.0, 5.0, 1e9];
    /// image.view_mut().copy_from_host_as(HostView::new(&host, [2, 3])?.part([0..2, 1..3])?)?;
    /// assert_eq!(image.to_vec()?, [2, 3, 5, 255]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedViewMut::copy_from_host`].
    pub fn copy_from_host_as<U: ConvertTo<T>>(&mut self, host: HostView<'_, U, N>) -> Result<()> {
        copy_as(host, self.reborrow())
    }
}

impl<T: DeviceCopy, const N: usize> PitchedBuffer<T, N> {
    /// Like [`PitchedBuffer::from_slice`]; the host first converts the elements.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::<f32>::from_slice_as(&[1u8, 2, 3, 4], [2, 2])?;
    /// assert_eq!(image.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::from_slice`].
    pub fn from_slice_as<U: ConvertTo<T>>(host: &[U], shape: impl IntoShape<N>) -> Result<Self> {
        PitchedBuffer::from_slice(&converted(host), shape)
    }

    /// Like [`PitchedBuffer::from_slice_on`]; the host first converts the elements.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let image = ptyx::PitchedBuffer::<u8>::from_slice_as_on(&[1.5f32, -1.0], [1, 2], &stream)?;
    /// assert_eq!(image.to_vec()?, [1, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PitchedBuffer::from_slice_on`].
    pub fn from_slice_as_on<U: ConvertTo<T>>(
        host: &[U],
        shape: impl IntoShape<N>,
        stream: &Stream,
    ) -> Result<Self> {
        PitchedBuffer::from_slice_on(&converted(host), shape, stream)
    }
}
