//! What the driver reports about CUDA arrays that were made in special ways, and about textures.

use super::array::CudaArray;
use super::owned::Handle;
use super::texture_type::Texture;
use crate::device_api::Device;
use crate::driver::types::*;
use crate::error::Result;
use core::ffi::c_void;
use ptyx_device::texture::{Dimension, Fetched, Linear, Texel, format};

/// What the driver says about an array ([`CUDA_ARRAY3D_DESCRIPTOR`](https://docs.nvidia.com/cuda/cuda-driver-api/structCUDA__ARRAY3D__DESCRIPTOR__v2.html)):
/// the result of [`CudaArray::info`].
///
/// ```
/// use ptyx::{ArrayInfo, CudaArray};
/// /// The bytes of all texels.
/// fn bytes(info: &ArrayInfo, texel: usize) -> usize {
///     info.extent.iter().map(|&count| count.max(1)).product::<usize>() * texel
/// }
/// let info = CudaArray::<[u8; 4]>::zeroed([2, 3])?.info()?;
/// assert_eq!((info.channels, bytes(&info, 4)), (4, 24));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayInfo {
    /// Columns, rows, and planes, layers or faces, as the driver counts them: 0 where the array has no such dimension.
    pub extent: [usize; 3],
    /// The type of a channel, as a number (`CU_AD_FORMAT_*`).
    pub format: u32,
    /// Channels of a texel.
    pub channels: u32,
    /// The last dimension counts layers.
    pub is_layered: bool,
    /// It has the faces of cubes.
    pub is_cubemap: bool,
    /// Surfaces can be made of it.
    pub has_surfaces: bool,
    /// Textures of it can gather.
    pub has_gathers: bool,
    /// All flags (`CUDA_ARRAY3D_*`).
    pub flags: u32,
}

/// The memory requirements of an array that has no memory yet.
///
/// ```
/// use ptyx::{ArrayRequirements, CudaArray, Error};
/// /// The bytes in use when an array has been placed behind `used` bytes of other memory.
/// fn bytes_with(used: usize, array: ArrayRequirements) -> usize {
///     used.next_multiple_of(array.alignment) + array.bytes
/// }
/// // This array has its memory already.
/// let needs = CudaArray::<f32>::zeroed([480, 640])?.memory_requirements();
/// assert!(matches!(needs.map(|needs| bytes_with(100, needs)), Err(Error::Driver { .. })));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayRequirements {
    /// The array's size, in bytes.
    pub bytes: usize,
    /// What the address must be a multiple of, in bytes.
    pub alignment: usize,
}

/// How a sparse array is divided into tiles.
///
/// ```
/// use ptyx::{CudaArray, Error, SparseProperties};
/// /// The tiles that cover a layer of this many rows and columns.
/// fn tiles(sparse: SparseProperties, rows: u32, columns: u32) -> u32 {
///     rows.div_ceil(sparse.tile[1]) * columns.div_ceil(sparse.tile[0])
/// }
/// // This array is not sparse.
/// let sparse = CudaArray::<f32>::zeroed([480, 640])?.sparse_properties();
/// assert!(matches!(sparse.map(|sparse| tiles(sparse, 480, 640)), Err(Error::Driver { .. })));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SparseProperties {
    /// The number of texels in a tile: columns, rows, planes.
    pub tile: [u32; 3],
    /// The first of the mipmap's levels that are stored together, as the tail.
    pub tail_level: u32,
    /// The size of the tail, in bytes.
    pub tail_bytes: u64,
    /// Whether all layers share one tail.
    pub has_one_tail: bool,
}

impl<T: Texel, D: Dimension> CudaArray<T, D> {
    /// What the driver says about the array; with a mipmap, about level 0
    /// ([`cuArray3DGetDescriptor`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// use ptyx::device::texture::D2Layered;
    /// let layers = CudaArray::<f32, D2Layered>::zeroed([5, 2, 3])?; // layers, rows, columns
    /// let info = layers.info()?;
    /// assert_eq!((info.extent, info.is_layered, info.has_surfaces), ([3, 2, 5], true, true));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaArrayGetInfo", "cuArray3DGetDescriptor", "cuArrayGetDescriptor"))]
    pub fn info(&self) -> Result<ArrayInfo> {
        let (width, height, depth, format, channels, flags) = (0, 0, 0, 0, 0, 0);
        let mut found = CUarray3DDescriptor { width, height, depth, format, channels, flags };
        self.context.bind()?;
        // SAFETY: a valid place, and an array that is alive.
        unsafe { self.context.driver.cuArray3DGetDescriptor(&mut found, self.levels[0]) }?;
        let CUarray3DDescriptor { width, height, depth, format, channels, flags } = found;
        Ok(ArrayInfo {
            extent: [width, height, depth],
            format,
            channels,
            is_layered: flags & CUDA_ARRAY3D_LAYERED != 0,
            is_cubemap: flags & CUDA_ARRAY3D_CUBEMAP != 0,
            has_surfaces: flags & CUDA_ARRAY3D_SURFACE_LDST != 0,
            has_gathers: flags & CUDA_ARRAY3D_TEXTURE_GATHER != 0,
            flags,
        })
    }

    /// The memory requirements of an array whose memory is mapped later ([`cuArrayGetMemoryRequirements`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html),
    /// [`cuMipmappedArrayGetMemoryRequirements`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    /// See [`CudaArray::deferred`] and [`CudaArray::deferred_with_levels`].
    ///
    /// ```
    /// use ptyx::{CudaArray, Error};
    /// match CudaArray::<f32>::zeroed([480, 640])?.memory_requirements() {
    ///     // It has its memory already.
    ///     Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_INVALID_VALUE"),
    ///     found => panic!("{found:?}"),
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_INVALID_VALUE` for any other array.
    #[doc(alias("cudaArrayGetMemoryRequirements", "cudaMipmappedArrayGetMemoryRequirements"))]
    pub fn memory_requirements(&self) -> Result<ArrayRequirements> {
        let (context, mut found) = (self.context, CUarrayMemoryRequirements::default());
        context.bind()?;
        let (driver, device) = (context.driver, context.device);
        // SAFETY: a valid place, and an array that is alive; so below.
        unsafe {
            match self.handle {
                Handle::Array(array) => {
                    driver.cuArrayGetMemoryRequirements(&mut found, array, device)
                }
                Handle::Mipmapped(array) => {
                    driver.cuMipmappedArrayGetMemoryRequirements(&mut found, array, device)
                }
            }
        }?;
        Ok(ArrayRequirements { bytes: found.size, alignment: found.alignment })
    }

    /// How a sparse array is divided ([`cuArrayGetSparseProperties`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html),
    /// [`cuMipmappedArrayGetSparseProperties`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    /// See [`CudaArray::sparse`] and [`CudaArray::sparse_with_levels`].
    ///
    /// ```
    /// use ptyx::{CudaArray, Error};
    /// match CudaArray::<f32>::zeroed_with_levels([4, 4], 3)?.sparse_properties() {
    ///     // It is not sparse.
    ///     Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_INVALID_VALUE"),
    ///     found => panic!("{found:?}"),
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_INVALID_VALUE` for an array that is not sparse.
    #[doc(alias("cudaArrayGetSparseProperties", "cudaMipmappedArrayGetSparseProperties"))]
    pub fn sparse_properties(&self) -> Result<SparseProperties> {
        let (context, mut found) = (self.context, CUarraySparseProperties::default());
        context.bind()?;
        // SAFETY: as above.
        unsafe {
            match self.handle {
                Handle::Array(array) => {
                    context.driver.cuArrayGetSparseProperties(&mut found, array)
                }
                Handle::Mipmapped(array) => {
                    context.driver.cuMipmappedArrayGetSparseProperties(&mut found, array)
                }
            }
        }?;
        Ok(SparseProperties {
            tile: found.tile,
            tail_level: found.tail_level,
            tail_bytes: found.tail_bytes,
            has_one_tail: found.flags & CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL != 0,
        })
    }

    /// The driver's handle (`CUarray`) of a plane of an array whose format has several, such as NV12, for other libraries
    /// ([`cuArrayGetPlane`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). It is valid as long as the array lives. The arrays that Ptyx makes have one plane.
    ///
    /// ```
    /// use ptyx::{CudaArray, Error};
    /// match CudaArray::<u8>::zeroed([480, 640])?.plane(0) {
    ///     // It has one plane, which is the array itself.
    ///     Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_INVALID_VALUE"),
    ///     found => panic!("{found:?}"),
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_INVALID_VALUE` for an array that has one plane.
    #[doc(alias("cudaArrayGetPlane", "cuArrayGetPlane"))]
    pub fn plane(&self, index: u32) -> Result<*mut c_void> {
        let mut plane = CUarray::NULL;
        self.context.bind()?;
        // SAFETY: as above.
        unsafe { self.context.driver.cuArrayGetPlane(&mut plane, self.level(0)?, index) }?;
        Ok(plane.0)
    }
}

impl<V: Fetched> Texture<'_, V, Linear> {
    /// The maximum number of texels of a texture of a buffer
    /// ([`cuDeviceGetTexture1DLinearMaxWidth`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::device::texture::Linear;
    /// use ptyx::{Device, Texture};
    /// let most = Texture::<f32, Linear>::most_texels::<f32>(&Device::current()?)?;
    /// assert!(most >= 1 << 24);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaDeviceGetTexture1DLinearMaxWidth", "cuDeviceGetTexture1DLinearMaxWidth"))]
    pub fn most_texels<T: Texel>(device: &Device) -> Result<usize> {
        let (context, texel, mut most) = (device.0, format::<T>(), 0);
        context.bind()?;
        // SAFETY: a valid place.
        unsafe {
            context.driver.cuDeviceGetTexture1DLinearMaxWidth(
                &mut most,
                texel.number,
                texel.channels,
                context.device,
            )
        }?;
        Ok(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptyx_device::texture::{Cube, CubeLayered, D1, D1Layered, D2, D2Layered, D3};

    /// What the shapes, texels and dimensions mean to the driver.
    #[test]
    fn arrays_are_described_as_they_were_made() {
        fn of<T: Texel, D: Dimension>(shape: D::Shape) -> ArrayInfo {
            let array = CudaArray::<T, D>::zeroed(shape).unwrap();
            let info = array.info().unwrap();
            assert_eq!(array.similar().unwrap().info().unwrap(), info);
            info
        }
        let found = [
            (of::<f32, D1>([5]), [5, 0, 0], CU_AD_FORMAT_FLOAT, 1, [false, false]),
            (of::<[u8; 4], D2>([2, 3]), [3, 2, 0], CU_AD_FORMAT_UNSIGNED_INT8, 4, [false, false]),
            (of::<i16, D3>([4, 2, 3]), [3, 2, 4], CU_AD_FORMAT_SIGNED_INT16, 1, [false, false]),
            (
                of::<[i8; 2], D1Layered>([4, 3]),
                [3, 0, 4],
                CU_AD_FORMAT_SIGNED_INT8,
                2,
                [true, false],
            ),
            (
                of::<u32, D2Layered>([4, 2, 3]),
                [3, 2, 4],
                CU_AD_FORMAT_UNSIGNED_INT32,
                1,
                [true, false],
            ),
            (of::<u16, Cube>([6, 3, 3]), [3, 3, 6], CU_AD_FORMAT_UNSIGNED_INT16, 1, [false, true]),
            (
                of::<i32, CubeLayered>([12, 3, 3]),
                [3, 3, 12],
                CU_AD_FORMAT_SIGNED_INT32,
                1,
                [true, true],
            ),
        ];
        for (info, extent, format, channels, [is_layered, is_cubemap]) in found {
            assert_eq!((info.extent, info.format, info.channels), (extent, format, channels));
            assert_eq!((info.is_layered, info.is_cubemap), (is_layered, is_cubemap), "{info:?}");
            assert!(info.has_surfaces, "{info:?}");
            let flags = [
                (info.is_layered, CUDA_ARRAY3D_LAYERED),
                (info.is_cubemap, CUDA_ARRAY3D_CUBEMAP),
                (info.has_surfaces, CUDA_ARRAY3D_SURFACE_LDST),
                (info.has_gathers, CUDA_ARRAY3D_TEXTURE_GATHER),
            ];
            let sum: u32 = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum();
            assert_eq!(info.flags, sum);
        }
    }

    /// As many texels at most as the device's property says, or the memory's size allows; fewer of larger ones never.
    #[test]
    fn texels_of_textures_of_buffers() {
        let device = Device::current().unwrap();
        let most = [
            Texture::<f32, Linear>::most_texels::<u8>(&device).unwrap(),
            Texture::<f32, Linear>::most_texels::<f32>(&device).unwrap(),
            Texture::<[f32; 4], Linear>::most_texels::<[f32; 4]>(&device).unwrap(),
        ];
        assert!(most.iter().all(|&most| most >= 1 << 24), "{most:?}");
        assert!(most.is_sorted_by(|fewer, more| fewer >= more), "{most:?}");
    }
}
