//! Buffers seen as arrays of several dimensions.

use super::slice::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use core::fmt;
use ptyx_device::DeviceCopy;

/// The extents of `N` dimensions, slowest first: rows, then columns.
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
pub struct DeviceView<'a, T, const N: usize> {
    pub(super) part: DeviceSlice<'a, T>,
    pub(super) shape: [usize; N],
}

/// A buffer, or a part of one, as a writable array of `N` dimensions: the kernel argument
/// `DisjointArray<T, N>` or `ArrayMut<T, N>`.
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
