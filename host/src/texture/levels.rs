//! Copies of whole levels of CUDA arrays, whose texels lie side by side elsewhere.

use super::array::{CudaArray, EMPTY, end};
use super::owned::WHOLE;
use super::shape::{extents, level_shape};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::copy::blocking;
use crate::memory::tracker::Access;
use crate::memory::{DeviceSlice, DeviceSliceMut};
use crate::stream::Stream;
use core::ffi::c_void;
use ptyx_device::texture::{Dimension, Texel};

impl<T: Texel, D: Dimension> CudaArray<T, D> {
    /// The copy of a whole level between two ends, of which the one besides the array has its texels side by side.
    fn copy(&self, level: usize, from: CUmemcpyEnd3D, to: CUmemcpyEnd3D) -> CUmemcpy3D {
        let [columns, height, depth] = extents::<D>(&level_shape::<D>(&self.shape(), level));
        let width = columns * size_of::<T>();
        let packed = |end: CUmemcpyEnd3D| match end.kind {
            CU_MEMORYTYPE_ARRAY => end,
            _ => CUmemcpyEnd3D { pitch: width, height, ..end },
        };
        CUmemcpy3D { from: packed(from), to: packed(to), width, height, depth }
    }

    /// An error unless this is the number of texels of the level.
    fn expect_len(&self, what: &'static str, level: usize, found: usize) -> Result<CUarray> {
        let array = self.level(level)?;
        let expected = self.len_of(level);
        match expected == found {
            true => Ok(array),
            false => Err(Error::Length { what, expected, found }),
        }
    }

    /// Runs a copy between the host and the array, and waits for it.
    ///
    /// # Safety
    /// The host's end is valid for the whole copy.
    pub(super) unsafe fn copy_now(&self, copy: &CUmemcpy3D, access: Access) -> Result<()> {
        blocking(self.owned.tracked(), WHOLE, access, |stream| {
            // SAFETY: the array's end was checked, the host's is valid (caller), and `blocking` waits.
            unsafe { self.context.driver.cuMemcpy3DAsync(copy, stream.handle()) }?;
            Ok(())
        })
    }

    /// Replaces all texels. Waits for all work that uses them, and for the copy. With a mipmap: those of level 0.
    ///
    /// ```
    /// let mut picture = ptyx::CudaArray::<u8>::zeroed([2, 3])?;
    /// picture.copy_from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert!(picture.copy_from_slice(&[1, 2]).is_err());
    /// assert_eq!(picture.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the slice has another length; errors of earlier kernels.
    pub fn copy_from_slice(&mut self, texels: &[T]) -> Result<()> {
        self.copy_level_from_slice(0, texels)
    }

    /// Replaces the texels of a level, as [`copy_from_slice`](Self::copy_from_slice).
    ///
    /// ```
    /// let mut picture = ptyx::CudaArray::<u8>::zeroed_with_levels([4, 4], 2)?;
    /// picture.copy_level_from_slice(1, &[1, 2, 3, 4])?;
    /// assert_eq!(picture.level_to_vec(1)?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_from_slice`](Self::copy_from_slice), and [`Error::Texture`] if there is no such level.
    pub fn copy_level_from_slice(&mut self, level: usize, texels: &[T]) -> Result<()> {
        let array = self.expect_len("copying to an array", level, texels.len())?;
        let host = texels.as_ptr().cast_mut().cast::<c_void>();
        let copy = self.copy(level, CUmemcpyEnd3D { host, ..EMPTY }, end(array));
        // SAFETY: the slice has all texels of the level; it is only read.
        unsafe { self.copy_now(&copy, Access::Write) }
    }

    /// Copies all texels to a slice. Waits for all work that writes them, and for the copy. With a mipmap: those of
    /// level 0.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let mut texels = [0; 4];
    /// picture.copy_to_slice(&mut texels)?;
    /// assert_eq!(texels, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the slice has another length; errors of earlier kernels.
    pub fn copy_to_slice(&self, texels: &mut [T]) -> Result<()> {
        self.copy_level_to_slice(0, texels)
    }

    /// Copies the texels of a level to a slice, as [`copy_to_slice`](Self::copy_to_slice).
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::zeroed_with_levels([4, 4], 2)?;
    /// let mut texels = [7; 4];
    /// picture.copy_level_to_slice(1, &mut texels)?;
    /// assert_eq!(texels, [0; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_to_slice`](Self::copy_to_slice), and [`Error::Texture`] if there is no such level.
    pub fn copy_level_to_slice(&self, level: usize, texels: &mut [T]) -> Result<()> {
        let array = self.expect_len("copying from an array", level, texels.len())?;
        let host = texels.as_mut_ptr().cast::<c_void>();
        let copy = self.copy(level, end(array), CUmemcpyEnd3D { host, ..EMPTY });
        // SAFETY: the slice has room for all texels of the level.
        unsafe { self.copy_now(&copy, Access::Read) }
    }

    /// A copy of all texels on the host. Waits for all work that writes them. With a mipmap: those of level 0.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(picture.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of earlier kernels.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.level_to_vec(0)
    }

    /// A copy of a level's texels on the host, as [`to_vec`](Self::to_vec).
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::zeroed_with_levels([4, 4], 2)?;
    /// assert_eq!(picture.level_to_vec(1)?, [0; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), and [`Error::Texture`] if there is no such level.
    pub fn level_to_vec(&self, level: usize) -> Result<Vec<T>> {
        self.level(level)?;
        let len = self.len_of(level);
        // SAFETY: texels are numbers, for which zeros are a value.
        let mut texels = vec![unsafe { core::mem::zeroed::<T>() }; len];
        self.copy_level_to_slice(level, &mut texels)?;
        Ok(texels)
    }

    /// Replaces all texels by those of a buffer, on the default stream: see
    /// [`copy_from_buffer_on`](Self::copy_from_buffer_on).
    ///
    /// ```
    /// let computed = ptyx::DeviceBuffer::filled(6, 2.5f32)?;
    /// let mut picture = ptyx::CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_from_buffer(&computed)?;
    /// assert_eq!(picture.to_vec()?, [2.5; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_from_buffer_on`](Self::copy_from_buffer_on).
    pub fn copy_from_buffer<'a>(&mut self, texels: impl Into<DeviceSlice<'a, T>>) -> Result<()> {
        self.copy_from_buffer_on(texels, self.context.default_stream()?)
    }

    /// Replaces all texels by those of a buffer, on `stream`. The host does not wait. With a mipmap: those of level 0.
    ///
    /// ```
    /// use ptyx::{CudaArray, DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let computed = DeviceBuffer::filled(6, 2.5f32)?;
    /// let mut picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// picture.copy_from_buffer_on(&computed, &stream)?;
    /// assert_eq!(picture.to_vec()?, [2.5; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the buffer has another length, [`Error::WrongDevice`] if buffer, array and stream are not
    /// on the same device.
    pub fn copy_from_buffer_on<'a>(
        &mut self,
        texels: impl Into<DeviceSlice<'a, T>>,
        stream: &Stream,
    ) -> Result<()> {
        self.copy_level_from_buffer_on(0, texels, stream)
    }

    /// Replaces a level's texels by those of a buffer, on the default stream: see
    /// [`copy_level_from_buffer_on`](Self::copy_level_from_buffer_on).
    ///
    /// ```
    /// let half = ptyx::DeviceBuffer::filled(4, 7u8)?;
    /// let mut picture = ptyx::CudaArray::<u8>::zeroed_with_levels([4, 4], 2)?;
    /// picture.copy_level_from_buffer(1, &half)?;
    /// assert_eq!(picture.level_to_vec(1)?, [7; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_level_from_buffer_on`](Self::copy_level_from_buffer_on).
    pub fn copy_level_from_buffer<'a>(
        &mut self,
        level: usize,
        texels: impl Into<DeviceSlice<'a, T>>,
    ) -> Result<()> {
        self.copy_level_from_buffer_on(level, texels, self.context.default_stream()?)
    }

    /// Replaces a level's texels by those of a buffer, as [`copy_from_buffer_on`](Self::copy_from_buffer_on).
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let half = ptyx::DeviceBuffer::filled(4, 7u8)?;
    /// let mut picture = ptyx::CudaArray::<u8>::zeroed_with_levels([4, 4], 2)?;
    /// picture.copy_level_from_buffer_on(1, &half, &stream)?;
    /// assert_eq!(picture.level_to_vec(1)?, [7; 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_from_buffer_on`](Self::copy_from_buffer_on), and [`Error::Texture`] if there is no such level.
    pub fn copy_level_from_buffer_on<'a>(
        &mut self,
        level: usize,
        texels: impl Into<DeviceSlice<'a, T>>,
        stream: &Stream,
    ) -> Result<()> {
        let texels = texels.into();
        let array = self.expect_len("copying to an array", level, texels.len())?;
        let (kind, device) = (CU_MEMORYTYPE_DEVICE, texels.address());
        let copy = self.copy(level, CUmemcpyEnd3D { kind, device, ..EMPTY }, end(array));
        let entry = stream.enter();
        texels.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        self.submit(&copy, stream)
    }

    /// Copies all texels to a buffer, on the default stream: see [`copy_to_buffer_on`](Self::copy_to_buffer_on).
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let mut texels = ptyx::DeviceBuffer::<u8>::zeroed(4)?;
    /// picture.copy_to_buffer(&mut texels)?;
    /// assert_eq!(texels.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`copy_to_buffer_on`](Self::copy_to_buffer_on).
    pub fn copy_to_buffer<'a>(&self, texels: impl Into<DeviceSliceMut<'a, T>>) -> Result<()> {
        self.copy_to_buffer_on(texels, self.context.default_stream()?)
    }

    /// Copies all texels to a buffer, on `stream`. The host does not wait. With a mipmap: those of level 0.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let picture = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2])?;
    /// let mut texels = ptyx::DeviceBuffer::<u8>::zeroed(4)?;
    /// picture.copy_to_buffer_on(&mut texels, &stream)?;
    /// assert_eq!(texels.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the buffer has another length, [`Error::WrongDevice`] if buffer, array and stream are not
    /// on the same device.
    pub fn copy_to_buffer_on<'a>(
        &self,
        texels: impl Into<DeviceSliceMut<'a, T>>,
        stream: &Stream,
    ) -> Result<()> {
        let texels = texels.into();
        let texels = texels.as_slice();
        let array = self.expect_len("copying from an array", 0, texels.len())?;
        let (kind, device) = (CU_MEMORYTYPE_DEVICE, texels.address());
        let copy = self.copy(0, end(array), CUmemcpyEnd3D { kind, device, ..EMPTY });
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        texels.order(&entry, Access::Write)?;
        self.submit(&copy, stream)
    }
}
