//! Every property of a device that the driver reports, as a table.

use super::Device;
use crate::driver::types::*;
use crate::error::Result;

macro_rules! properties {
    ($($name:ident = $attribute:ident, $field:literal, $what:literal;)*) => {
        /// A property of a device, for [`Device::property`]: every field of the runtime API's
        /// [`cudaDeviceProp`](https://docs.nvidia.com/cuda/cuda-runtime-api/structcudaDeviceProp.html) for which the driver
        /// has an attribute. 1 means yes and 0 means no; clocks are in kHz. Fields that are arrays have a variant for each
        /// element.
        ///
        /// [`Device::name`], [`Device::uuid`] and [`Device::total_memory`] give the rest.
        ///
        /// ```
        /// use ptyx::{Device, DeviceProperty};
        /// let device = Device::current()?;
        /// let warps = device.property(DeviceProperty::MaxThreadsPerBlock)?
        ///     / device.property(DeviceProperty::WarpSize)?;
        /// assert_eq!(warps, 32);
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[doc(alias = "cudaDeviceProp")]
        pub enum DeviceProperty {
            $(
                #[doc = $what]
                #[doc = concat!("(`", $field, "`)")]
                $name,
            )*
        }

        impl DeviceProperty {
            /// Every property.
            ///
            /// ```
            /// assert!(ptyx::DeviceProperty::ALL.contains(&ptyx::DeviceProperty::WarpSize));
            /// ```
            pub const ALL: &'static [DeviceProperty] = &[$(DeviceProperty::$name),*];

            /// The driver's number ([`CUdevice_attribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)),
            /// for [`Device::attribute`].
            ///
            /// ```
            /// assert_eq!(ptyx::DeviceProperty::WarpSize.attribute(), 10);
            /// ```
            pub const fn attribute(self) -> i32 {
                match self {
                    $(DeviceProperty::$name => $attribute,)*
                }
            }

            /// The field of `cudaDeviceProp`.
            ///
            /// ```
            /// assert_eq!(ptyx::DeviceProperty::WarpSize.field(), "warpSize");
            /// ```
            pub const fn field(self) -> &'static str {
                match self {
                    $(DeviceProperty::$name => $field,)*
                }
            }
        }
    };
}

properties! {
    SharedMemPerBlock = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, "sharedMemPerBlock", "Bytes of shared memory of a block that does not ask for more.";
    RegsPerBlock = CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, "regsPerBlock", "The maximum number of 32-bit registers per block.";
    WarpSize = CU_DEVICE_ATTRIBUTE_WARP_SIZE, "warpSize", "Threads of a warp.";
    MemPitch = CU_DEVICE_ATTRIBUTE_MAX_PITCH, "memPitch", "The largest pitch of a copy, in bytes.";
    MaxThreadsPerBlock = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "maxThreadsPerBlock", "The maximum number of threads per block.";
    MaxThreadsDimX = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, "maxThreadsDim[0]", "The maximum number of threads per block along x.";
    MaxThreadsDimY = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, "maxThreadsDim[1]", "The maximum number of threads per block along y.";
    MaxThreadsDimZ = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, "maxThreadsDim[2]", "The maximum number of threads per block along z.";
    MaxGridSizeX = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, "maxGridSize[0]", "The maximum number of blocks of a grid along x.";
    MaxGridSizeY = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, "maxGridSize[1]", "The maximum number of blocks of a grid along y.";
    MaxGridSizeZ = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, "maxGridSize[2]", "The maximum number of blocks of a grid along z.";
    ClockRate = CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "clockRate", "The clock, in kHz.";
    TotalConstMem = CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, "totalConstMem", "Bytes of constant memory.";
    Major = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "major", "The compute capability's first number.";
    Minor = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "minor", "The compute capability's second number.";
    TextureAlignment = CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, "textureAlignment", "The alignment of textures, in bytes.";
    TexturePitchAlignment = CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, "texturePitchAlignment", "The alignment of rows of textures in device memory, in bytes.";
    DeviceOverlap = CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, "deviceOverlap", "Whether copies and kernels overlap.";
    MultiProcessorCount = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "multiProcessorCount", "Multiprocessors.";
    KernelExecTimeoutEnabled = CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, "kernelExecTimeoutEnabled", "Whether kernels have a time limit.";
    Integrated = CU_DEVICE_ATTRIBUTE_INTEGRATED, "integrated", "Whether the memory is the host's.";
    CanMapHostMemory = CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, "canMapHostMemory", "Whether host memory can be mapped.";
    ComputeMode = CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, "computeMode", "Who may use the device; 0 means everybody.";
    MaxTexture1d = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, "maxTexture1D", "The maximum width of a 1-D texture, in texels.";
    MaxTexture1dMipmap = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, "maxTexture1DMipmap", "The maximum width of a 1-D mipmap, in texels.";
    MaxTexture1dLinear = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, "maxTexture1DLinear", "The maximum width of a texture of device memory, in texels.";
    MaxTexture2dWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, "maxTexture2D[0]", "The maximum width of a 2-D texture, in texels.";
    MaxTexture2dHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, "maxTexture2D[1]", "The maximum height of a 2-D texture, in texels.";
    MaxTexture2dMipmapWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, "maxTexture2DMipmap[0]", "The maximum width of a 2-D mipmap, in texels.";
    MaxTexture2dMipmapHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, "maxTexture2DMipmap[1]", "The maximum height of a 2-D mipmap, in texels.";
    MaxTexture2dLinearWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, "maxTexture2DLinear[0]", "The maximum width of a texture of device memory, in texels.";
    MaxTexture2dLinearHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, "maxTexture2DLinear[1]", "The maximum height of a texture of device memory, in texels.";
    MaxTexture2dLinearPitch = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, "maxTexture2DLinear[2]", "The maximum pitch of a texture of device memory, in bytes.";
    MaxTexture2dGatherWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, "maxTexture2DGather[0]", "The maximum width of a texture that can be gathered, in texels.";
    MaxTexture2dGatherHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, "maxTexture2DGather[1]", "The maximum height of a texture that can be gathered, in texels.";
    MaxTexture3dWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, "maxTexture3D[0]", "The maximum width of a 3-D texture, in texels.";
    MaxTexture3dHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, "maxTexture3D[1]", "The maximum height of a 3-D texture, in texels.";
    MaxTexture3dDepth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, "maxTexture3D[2]", "The maximum depth of a 3-D texture, in texels.";
    MaxTexture3dAltWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, "maxTexture3DAlt[0]", "An alternative maximum width of a 3-D texture, in texels.";
    MaxTexture3dAltHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, "maxTexture3DAlt[1]", "The maximum height with the alternative width, in texels.";
    MaxTexture3dAltDepth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, "maxTexture3DAlt[2]", "The maximum depth with the alternative width, in texels.";
    MaxTextureCubemap = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, "maxTextureCubemap", "The maximum side of a cube, in texels.";
    MaxTexture1dLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, "maxTexture1DLayered[0]", "The maximum width of a 1-D layer, in texels.";
    MaxTexture1dLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, "maxTexture1DLayered[1]", "The maximum number of layers of a 1-D layered texture.";
    MaxTexture2dLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, "maxTexture2DLayered[0]", "The maximum width of a layer, in texels.";
    MaxTexture2dLayeredHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, "maxTexture2DLayered[1]", "The maximum height of a layer, in texels.";
    MaxTexture2dLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, "maxTexture2DLayered[2]", "The maximum number of layers of a 2-D layered texture.";
    MaxTextureCubemapLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, "maxTextureCubemapLayered[0]", "The maximum side of layered cubes, in texels.";
    MaxTextureCubemapLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, "maxTextureCubemapLayered[1]", "The maximum number of faces of layered cubes.";
    MaxSurface1d = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, "maxSurface1D", "The maximum width of a 1-D surface, in texels.";
    MaxSurface2dWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, "maxSurface2D[0]", "The maximum width of a 2-D surface, in texels.";
    MaxSurface2dHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, "maxSurface2D[1]", "The maximum height of a 2-D surface, in texels.";
    MaxSurface3dWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, "maxSurface3D[0]", "The maximum width of a 3-D surface, in texels.";
    MaxSurface3dHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, "maxSurface3D[1]", "The maximum height of a 3-D surface, in texels.";
    MaxSurface3dDepth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, "maxSurface3D[2]", "The maximum depth of a 3-D surface, in texels.";
    MaxSurface1dLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, "maxSurface1DLayered[0]", "The maximum width of a 1-D layer of a surface, in texels.";
    MaxSurface1dLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, "maxSurface1DLayered[1]", "The maximum number of layers of a 1-D layered surface.";
    MaxSurface2dLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, "maxSurface2DLayered[0]", "The maximum width of a layer of a surface, in texels.";
    MaxSurface2dLayeredHeight = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, "maxSurface2DLayered[1]", "The maximum height of a layer of a surface, in texels.";
    MaxSurface2dLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, "maxSurface2DLayered[2]", "The maximum number of layers of a 2-D layered surface.";
    MaxSurfaceCubemap = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, "maxSurfaceCubemap", "The maximum side of a cube of a surface, in texels.";
    MaxSurfaceCubemapLayeredWidth = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, "maxSurfaceCubemapLayered[0]", "The maximum side of layered cubes of a surface, in texels.";
    MaxSurfaceCubemapLayeredLayers = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, "maxSurfaceCubemapLayered[1]", "The maximum number of faces of layered cubes of a surface.";
    SurfaceAlignment = CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, "surfaceAlignment", "The alignment of surfaces, in bytes.";
    ConcurrentKernels = CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, "concurrentKernels", "Whether kernels overlap.";
    EccEnabled = CU_DEVICE_ATTRIBUTE_ECC_ENABLED, "ECCEnabled", "Whether memory errors are corrected.";
    PciBusId = CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, "pciBusID", "The number of the PCI bus.";
    PciDeviceId = CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, "pciDeviceID", "The number of the device on the PCI bus.";
    PciDomainId = CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, "pciDomainID", "The number of the PCI domain.";
    TccDriver = CU_DEVICE_ATTRIBUTE_TCC_DRIVER, "tccDriver", "Whether the device uses the TCC driver, for computing only (Windows).";
    AsyncEngineCount = CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, "asyncEngineCount", "Engines for asynchronous copies.";
    UnifiedAddressing = CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, "unifiedAddressing", "Whether host and device share addresses.";
    MemoryClockRate = CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, "memoryClockRate", "The memory's clock, in kHz.";
    MemoryBusWidth = CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, "memoryBusWidth", "The width of the memory bus, in bits.";
    L2CacheSize = CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "l2CacheSize", "Bytes of the L2 cache.";
    PersistingL2CacheMaxSize = CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, "persistingL2CacheMaxSize", "The maximum number of bytes of the L2 cache that can be set aside for persisting accesses.";
    MaxThreadsPerMultiProcessor = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, "maxThreadsPerMultiProcessor", "The maximum number of threads per multiprocessor.";
    StreamPrioritiesSupported = CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, "streamPrioritiesSupported", "Whether streams have priorities.";
    GlobalL1CacheSupported = CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, "globalL1CacheSupported", "Whether L1 caches global memory.";
    LocalL1CacheSupported = CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, "localL1CacheSupported", "Whether L1 caches local memory.";
    SharedMemPerMultiprocessor = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, "sharedMemPerMultiprocessor", "Bytes of shared memory of a multiprocessor.";
    RegsPerMultiprocessor = CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, "regsPerMultiprocessor", "32-bit registers of a multiprocessor.";
    ManagedMemory = CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, "managedMemory", "Whether there is managed memory.";
    IsMultiGpuBoard = CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, "isMultiGpuBoard", "Whether the board has several GPUs.";
    MultiGpuBoardGroupId = CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID, "multiGpuBoardGroupID", "A number that the GPUs of one board share.";
    HostNativeAtomicSupported = CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, "hostNativeAtomicSupported", "Whether atomic operations on host memory are native over the link.";
    SingleToDoublePrecisionPerfRatio = CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, "singleToDoublePrecisionPerfRatio", "How many times faster single precision is than double precision.";
    PageableMemoryAccess = CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, "pageableMemoryAccess", "Whether kernels can use all of the host's memory.";
    ConcurrentManagedAccess = CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, "concurrentManagedAccess", "Whether the host can use managed memory while kernels run.";
    ComputePreemptionSupported = CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, "computePreemptionSupported", "Whether kernels can be interrupted.";
    CanUseHostPointerForRegisteredMem = CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, "canUseHostPointerForRegisteredMem", "Whether registered host memory has the same address on the device.";
    CooperativeLaunch = CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, "cooperativeLaunch", "Whether all blocks of a grid can wait for each other.";
    CooperativeMultiDeviceLaunch = CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, "cooperativeMultiDeviceLaunch", "Whether a cooperative launch can span several devices (deprecated).";
    SharedMemPerBlockOptin = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, "sharedMemPerBlockOptin", "Bytes of shared memory that a block may ask for.";
    PageableMemoryAccessUsesHostPageTables = CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, "pageableMemoryAccessUsesHostPageTables", "Whether kernels use the host's memory through the host's page tables.";
    DirectManagedMemAccessFromHost = CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, "directManagedMemAccessFromHost", "Whether the host can access managed memory on the device in place, without migrating it.";
    MaxBlocksPerMultiProcessor = CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, "maxBlocksPerMultiProcessor", "The maximum number of blocks per multiprocessor.";
    AccessPolicyMaxWindowSize = CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, "accessPolicyMaxWindowSize", "The maximum number of bytes that an access policy can cover.";
    ReservedSharedMemPerBlock = CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, "reservedSharedMemPerBlock", "Bytes of shared memory per block that the driver reserves.";
    HostRegisterSupported = CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, "hostRegisterSupported", "Whether host memory can be pinned after it was allocated.";
    SparseCudaArraySupported = CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, "sparseCudaArraySupported", "Whether CUDA arrays can be sparse.";
    HostRegisterReadOnlySupported = CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, "hostRegisterReadOnlySupported", "Whether host memory that is only read can be pinned.";
    TimelineSemaphoreInteropSupported = CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, "timelineSemaphoreInteropSupported", "Whether timeline semaphores of other libraries can be imported.";
    MemoryPoolsSupported = CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, "memoryPoolsSupported", "Whether memory is allocated in stream order.";
    GpuDirectRdmaSupported = CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED, "gpuDirectRDMASupported", "Whether other devices on the bus can use the memory.";
    GpuDirectRdmaFlushWritesOptions = CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, "gpuDirectRDMAFlushWritesOptions", "How writes of other devices on the bus are flushed, as bits.";
    GpuDirectRdmaWritesOrdering = CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING, "gpuDirectRDMAWritesOrdering", "For whom writes of other devices on the bus need no flush.";
    MemoryPoolSupportedHandleTypes = CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, "memoryPoolSupportedHandleTypes", "How pools can be given to other processes, as bits.";
    DeferredMappingCudaArraySupported = CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, "deferredMappingCudaArraySupported", "Whether CUDA arrays can get their memory later.";
    IpcEventSupported = CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, "ipcEventSupported", "Whether other processes can wait for events.";
    ClusterLaunch = CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, "clusterLaunch", "Whether launches can have clusters.";
    UnifiedFunctionPointers = CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, "unifiedFunctionPointers", "Whether host and device share addresses of functions.";
}

impl Device {
    /// A property of the device ([`cuDeviceGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceProperty};
    /// let device = Device::current()?;
    /// assert_eq!(device.property(DeviceProperty::WarpSize)?, 32);
    /// // A table like that of `deviceQuery`.
    /// for &property in DeviceProperty::ALL {
    ///     println!("{}: {}", property.field(), device.property(property)?);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if the driver is older than the attribute.
    #[doc(alias = "cudaGetDeviceProperties")]
    pub fn property(&self, property: DeviceProperty) -> Result<i32> {
        self.attribute(property.attribute())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_is_what_the_driver_tells() {
        let device = Device::current().unwrap();
        let (mut numbers, mut fields) = (HashSet::new(), HashSet::new());
        for &property in DeviceProperty::ALL {
            assert!(numbers.insert(property.attribute()), "{property:?}");
            assert!(fields.insert(property.field()), "{property:?}");
            let value = device.property(property).unwrap();
            assert_eq!(value, device.attribute(property.attribute()).unwrap(), "{property:?}");
        }
        // With other ways to ask.
        let get = |property| device.property(property).unwrap().unsigned_abs();
        let attributes = device.attributes().unwrap();
        assert_eq!(get(DeviceProperty::MaxThreadsPerBlock), attributes.max_threads_per_block);
        assert_eq!(get(DeviceProperty::MaxThreadsDimZ), attributes.max_block[2]);
        assert_eq!(get(DeviceProperty::MaxGridSizeX), attributes.max_grid[0]);
        assert_eq!(get(DeviceProperty::MultiProcessorCount), attributes.multiprocessors);
        assert_eq!(get(DeviceProperty::L2CacheSize), attributes.l2_cache);
        assert_eq!(get(DeviceProperty::ClusterLaunch) != 0, attributes.cluster_launch);
        let capability = (get(DeviceProperty::Major), get(DeviceProperty::Minor));
        assert_eq!(capability, device.compute_capability());
    }

    /// The runtime API's names of fields, so that somebody who knows one finds it.
    #[test]
    fn fields_are_those_of_the_runtime_api() {
        for (field, number) in
            [("maxTexture2DLinear[2]", 72), ("pciBusID", 33), ("accessPolicyMaxWindowSize", 109)]
        {
            let found = DeviceProperty::ALL.iter().find(|property| property.field() == field);
            assert_eq!(found.map(|property| property.attribute()), Some(number), "{field}");
        }
        assert!(DeviceProperty::ALL.len() > 100);
    }
}
