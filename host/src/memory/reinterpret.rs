//! The same bytes as elements of another type.

use super::DeviceBuffer;
use super::slice::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use core::marker::PhantomData;
use ptyx_device::DeviceCopy;
use ptyx_device::shared::AnyBits;

impl<'a, T: DeviceCopy> DeviceSlice<'a, T> {
    /// The same bytes as elements of another type `U`, of which every bit pattern must be a value ([`AnyBits`]): numbers,
    /// vectors, complex numbers, and arrays of these.
    ///
    /// Numbers as vectors: a kernel loads four at once.
    ///
    /// ```
    /// use ptyx::device::vector::F32x4;
    /// let numbers = ptyx::DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let vectors = numbers.slice(..4).reinterpret::<F32x4>()?;
    /// assert_eq!(vectors.to_vec()?, [F32x4::new([1.0, 2.0, 3.0, 4.0])]);
    /// // The second number's address is not a multiple of 16.
    /// assert!(numbers.slice(1..5).reinterpret::<F32x4>().is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// ```
    /// let pairs = ptyx::DeviceBuffer::from_slice(&[[1.0f32, 2.0], [3.0, 4.0]])?;
    /// let numbers = pairs.as_slice().reinterpret::<f32>()?;
    /// assert_eq!(numbers.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    /// let bits = numbers.slice(1..).reinterpret::<u32>()?;
    /// assert_eq!(bits.to_vec()?[0], 2.0f32.to_bits());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Reinterpret`] if the bytes are not a whole number of elements `U`, or not aligned for them.
    pub fn reinterpret<U: AnyBits>(self) -> Result<DeviceSlice<'a, U>> {
        let bytes = self.bytes();
        // Not of the offset: memory of others need not be aligned to more than its elements.
        let address = self.allocation.address(bytes.start);
        let is_aligned = address.is_multiple_of(align_of::<U>() as u64);
        match bytes.len().checked_rem(size_of::<U>()) {
            Some(0) if is_aligned => Ok(DeviceSlice {
                allocation: self.allocation,
                start: bytes.start,
                len: bytes.len() / size_of::<U>(),
                elements: PhantomData,
            }),
            _ => Err(Error::Reinterpret {
                bytes: bytes.len(),
                start: bytes.start,
                address,
                element: core::any::type_name::<U>(),
                size: size_of::<U>(),
                align: align_of::<U>(),
            }),
        }
    }
}

impl<'a, T: AnyBits> DeviceSliceMut<'a, T> {
    /// As [`DeviceSlice::reinterpret`], but mutable. So every bit pattern must also be a value of `T`.
    ///
    /// A kernel that loads and stores numbers four at a time:
    ///
    /// ```no_run
    /// use ptyx::device::vector::F32x4;
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn scale(by: f32, mut x: Disjoint<F32x4>) {
    ///     if let Some(x) = x.get_mut(thread::index_1d()) {
    ///         *x *= by;
    ///     }
    /// }
    ///
    /// let mut numbers = DeviceBuffer::filled(1024, 1.5f32)?;
    /// launch!(scale<<<1, 256>>>(2.0, numbers.reinterpret_mut::<F32x4>()?))?;
    /// assert_eq!(numbers.to_vec()?, [3.0; 1024]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// ```
    /// let mut bits = ptyx::DeviceBuffer::<u32>::zeroed(4)?;
    /// bits.slice_mut(2..).reinterpret_mut::<f32>()?.fill(1.0)?;
    /// assert_eq!(bits.to_vec()?, [0, 0, 1.0f32.to_bits(), 1.0f32.to_bits()]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::reinterpret`].
    pub fn reinterpret_mut<U: AnyBits>(self) -> Result<DeviceSliceMut<'a, U>> {
        Ok(DeviceSliceMut { part: self.part.reinterpret()?, elements: PhantomData })
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// All bytes of the buffer as elements of another type: [`DeviceSlice::reinterpret`].
    ///
    /// ```
    /// let floats = ptyx::DeviceBuffer::from_slice(&[1.0f32, -1.0])?;
    /// assert_eq!(floats.reinterpret::<u32>()?.to_vec()?, [0x3f80_0000, 0xbf80_0000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::reinterpret`].
    pub fn reinterpret<U: AnyBits>(&self) -> Result<DeviceSlice<'_, U>> {
        self.as_slice().reinterpret()
    }
}

impl<T: AnyBits> DeviceBuffer<T> {
    /// All bytes of the buffer as mutable elements of another type: [`DeviceSliceMut::reinterpret_mut`].
    ///
    /// ```
    /// let mut bytes = ptyx::DeviceBuffer::<u8>::zeroed(16)?;
    /// bytes.reinterpret_mut::<u64>()?.fill(0x0102_0304_0506_0708)?;
    /// assert_eq!(bytes.to_vec()?[..3], [8, 7, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::reinterpret`].
    pub fn reinterpret_mut<U: AnyBits>(&mut self) -> Result<DeviceSliceMut<'_, U>> {
        self.as_slice_mut().reinterpret_mut()
    }
}
