//! Attributes, limits, flags and options.

use core::ffi::{c_int, c_uint};

macro_rules! constants {
    ($($(#[doc = $doc:literal])* $kind:ident = $ty:ty { $($name:ident = $value:literal, $what:literal;)* })*) => {$(
        $(#[doc = $doc])*
        pub type $kind = $ty;
        $(
            #[doc = $what]
            pub const $name: $kind = $value;
        )*
    )*};
}

constants! {
    /// What `cuDeviceGetAttribute` tells.
    CUdevice_attribute = c_int {
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1, "The maximum number of threads in a block.";
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2, "The maximum size of a block along x, in threads.";
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3, "The maximum size of a block along y, in threads.";
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4, "The maximum size of a block along z, in threads.";
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5, "The maximum size of a grid along x, in blocks.";
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6, "The maximum size of a grid along y, in blocks.";
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7, "The maximum size of a grid along z, in blocks.";
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8, "Shared memory available to a block that does not opt in to more, in bytes.";
        CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9, "Bytes of constant memory.";
        CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10, "Threads of a warp.";
        CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11, "The maximum pitch of a copy, in bytes.";
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12, "The maximum number of 32-bit registers of a block.";
        CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, "The clock, in kHz.";
        CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14, "The alignment of textures, in bytes.";
        CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15, "Whether copies and kernels overlap.";
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16, "Multiprocessors.";
        CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17, "Whether kernels have a time limit.";
        CU_DEVICE_ATTRIBUTE_INTEGRATED = 18, "Whether the memory is the host's.";
        CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19, "Whether host memory can be mapped.";
        CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20, "Which processes may use the device, as a `CUcomputemode`.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21, "The maximum width of a 1-D texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22, "The maximum width of a 2-D texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23, "The maximum height of a 2-D texture, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24, "The maximum width of a 3-D texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25, "The maximum height of a 3-D texture, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26, "The maximum depth of a 3-D texture, in planes.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27, "The maximum width of a 2-D layered texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28, "The maximum height of a 2-D layered texture, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29, "The maximum number of layers of a 2-D layered texture.";
        CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30, "The alignment of surfaces, in bytes.";
        CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31, "Whether kernels overlap.";
        CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32, "Whether memory errors are corrected.";
        CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33, "The number of the PCI bus.";
        CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34, "The number of the device on the PCI bus.";
        CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35, "Whether it is driven for computing only (Windows).";
        CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36, "The memory's clock, in kHz.";
        CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, "The width of the memory bus, in bits.";
        CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38, "Bytes of the L2 cache.";
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39, "The maximum number of threads resident on a multiprocessor.";
        CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40, "Engines for asynchronous copies.";
        CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41, "Whether host and device share addresses.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42, "The maximum width of a 1-D layered texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43, "The maximum number of layers of a 1-D layered texture.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45, "The maximum width of a 2-D texture that supports gathers, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46, "The maximum height of a 2-D texture that supports gathers, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47, "The alternate maximum width of a 3-D texture, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48, "The alternate maximum height of a 3-D texture, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49, "The alternate maximum depth of a 3-D texture, in planes.";
        CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50, "The number of the PCI domain.";
        CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51, "The alignment of rows of textures in device memory, in bytes.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52, "The maximum side of a cube map, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53, "The maximum side of a layered cube map, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54, "The maximum number of layers of a layered cube map; each cube has six, its faces.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55, "The maximum width of a 1-D surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56, "The maximum width of a 2-D surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57, "The maximum height of a 2-D surface, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58, "The maximum width of a 3-D surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59, "The maximum height of a 3-D surface, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60, "The maximum depth of a 3-D surface, in planes.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61, "The maximum width of a 1-D layered surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62, "The maximum number of layers of a 1-D layered surface.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63, "The maximum width of a 2-D layered surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64, "The maximum height of a 2-D layered surface, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65, "The maximum number of layers of a 2-D layered surface.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66, "The maximum side of a cube map of a surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67, "The maximum side of a layered cube map of a surface, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68, "The maximum number of layers of a layered cube map of a surface; each cube has six, its faces.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69, "The maximum width of a 1-D texture in linear device memory, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70, "The maximum width of a 2-D texture in linear device memory, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71, "The maximum height of a 2-D texture in linear device memory, in rows.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72, "The maximum pitch of a 2-D texture in linear device memory, in bytes.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73, "The maximum width of a 2-D mipmap, in texels.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74, "The maximum height of a 2-D mipmap, in rows.";
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75, "The compute capability's first number.";
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76, "The compute capability's second number.";
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77, "The maximum width of a 1-D mipmap, in texels.";
        CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78, "Whether streams have priorities.";
        CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79, "Whether L1 caches global memory.";
        CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80, "Whether L1 caches local memory.";
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81, "Bytes of shared memory of a multiprocessor.";
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82, "32-bit registers of a multiprocessor.";
        CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83, "Whether there is managed memory.";
        CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84, "Whether the board has several GPUs.";
        CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85, "A number that the GPUs of one board share.";
        CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86, "Whether host memory has atomics over the link.";
        CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87, "How much faster single precision is.";
        CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88, "Whether kernels can use all of the host's memory.";
        CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89, "Whether the host can use managed memory while kernels run.";
        CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90, "Whether kernels can be interrupted.";
        CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91, "Whether registered memory of the host has the same address on the device.";
        CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95, "Whether all blocks of a grid can wait for each other.";
        CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96, "Whether a cooperative launch can span several devices (deprecated).";
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97, "Bytes of shared memory that a block may ask for.";
        CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99, "Whether memory of the host can be pinned afterwards.";
        CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100, "Whether kernels use the host's memory through the host's page tables.";
        CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101, "Whether the host can access managed memory on the device in place, without migrating it.";
        CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102, "Whether memory can be mapped at reserved addresses.";
        CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106, "The maximum number of blocks resident on a multiprocessor.";
        CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108, "The maximum part of the L2 cache that can be set aside for persisting accesses, in bytes.";
        CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109, "The maximum size of an access policy's window, in bytes.";
        CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111, "Bytes of shared memory that the driver takes of each block.";
        CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112, "Whether CUDA arrays can be sparse.";
        CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113, "Whether host memory that is only read can be pinned.";
        CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114, "Whether timelines of other libraries can be imported.";
        CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115, "Whether memory is allocated in stream order.";
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116, "Whether other devices on the bus can use the memory.";
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117, "How writes of other devices on the bus are flushed, as bits.";
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118, "For whom writes of other devices on the bus need no flush.";
        CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119, "How pools can be given to other processes, as bits.";
        CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120, "Whether launches can have clusters.";
        CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121, "Whether CUDA arrays can get their memory later.";
        CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125, "Whether other processes can wait for events.";
        CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129, "Whether host and device share addresses of functions.";
        CU_DEVICE_ATTRIBUTE_MAX = 161, "An upper bound of the attributes in this list.";
    }

    /// What `cuDeviceGetNvSciSyncAttributes` is asked for.
    CUnvSciSync_attr = c_int {
        CUDA_NVSCISYNC_ATTR_SIGNAL = 1, "For signals.";
        CUDA_NVSCISYNC_ATTR_WAIT = 2, "For waits.";
    }

    /// Which processes may use a device.
    CUcomputemode = c_uint {
        CU_COMPUTEMODE_DEFAULT = 0, "Any number of them.";
        CU_COMPUTEMODE_PROHIBITED = 2, "None.";
        CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3, "One at a time.";
    }

    /// The keys of `extra`, the packed parameters of `cuLaunchKernel`.
    CUlaunch_param = usize {
        CU_LAUNCH_PARAM_END_AS_INT = 0x00, "The list ends.";
        CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT = 0x01, "A pointer to the parameters, packed as the kernel has them.";
        CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT = 0x02, "A pointer to the number of their bytes.";
    }

    /// What `cuFuncGetAttribute` tells.
    CUfunction_attribute = c_uint {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, "The maximum number of threads in a block with which the function can be launched.";
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1, "Bytes of static shared memory.";
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2, "Bytes of constant memory.";
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3, "Bytes of local memory of each thread.";
        CU_FUNC_ATTRIBUTE_NUM_REGS = 4, "Registers of each thread.";
        CU_FUNC_ATTRIBUTE_PTX_VERSION = 5, "Architecture that the PTX is for, times ten.";
        CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6, "Architecture of the machine code, times ten.";
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7, "Whether it was compiled with `-Xptxas --dlcm=ca`.";
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8, "Bytes of dynamic shared memory that a launch may ask for.";
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9, "How much of L1 is to be shared memory, in percent; -1: the driver's choice.";
        CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10, "Whether a launch must give the size of clusters.";
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11, "The clusters that the kernel requires, along x; 0: any.";
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12, "The same along y.";
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13, "The same along z.";
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14, "Whether clusters may be larger than every device allows.";
    }

    /// What `cuCtxSetLimit` limits.
    CUlimit = c_uint {
        CU_LIMIT_STACK_SIZE = 0, "Bytes of stack of each thread.";
        CU_LIMIT_PRINTF_FIFO_SIZE = 1, "The size of the buffer for what kernels print between synchronisations, in bytes.";
        CU_LIMIT_MALLOC_HEAP_SIZE = 2, "Bytes of the heap of kernels.";
        CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3, "The maximum nesting depth of kernels that wait for kernels that they launched.";
        CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4, "The maximum number of pending launches by kernels.";
        CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5, "The granularity of L2 fetches, in bytes, at most 128.";
        CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6, "Bytes of the L2 cache that are kept for persisting accesses.";
    }

    /// Flags of a context.
    CUctx_flags = c_uint {
        CU_CTX_SCHED_AUTO = 0, "The driver chooses how the host waits.";
        CU_CTX_SCHED_SPIN = 1, "The host waits busily.";
        CU_CTX_SCHED_YIELD = 2, "The host waits busily, and yields to other threads.";
        CU_CTX_SCHED_BLOCKING_SYNC = 4, "The host waits asleep.";
        CU_CTX_SCHED_MASK = 7, "The bits that say how the host waits.";
        CU_CTX_MAP_HOST = 8, "Host memory can be mapped. It always can.";
        CU_CTX_LMEM_RESIZE_TO_MAX = 16, "Local memory is never made smaller again.";
        CU_CTX_FLAGS_MASK = 255, "All bits.";
    }

    /// What a context or a kernel prefers of the memory that L1 and shared memory divide.
    CUfunc_cache = c_int {
        CU_FUNC_CACHE_PREFER_NONE = 0, "Nothing.";
        CU_FUNC_CACHE_PREFER_SHARED = 1, "Shared memory.";
        CU_FUNC_CACHE_PREFER_L1 = 2, "The L1 cache.";
        CU_FUNC_CACHE_PREFER_EQUAL = 3, "As much of each.";
    }

    /// How wide the banks of shared memory are.
    CUsharedconfig = c_int {
        CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0, "As the device has it.";
        CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1, "4 bytes.";
        CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2, "8 bytes.";
    }

    /// What `cuDeviceGetP2PAttribute` tells of a link between two devices.
    CUdevice_P2PAttribute = c_int {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1, "How fast it is: 0 is fastest.";
        CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2, "Whether one can use the other's memory.";
        CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3, "Whether the link has all atomics.";
        CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4, "Whether one can use the other's CUDA arrays.";
    }

    /// How the host waits for a stream.
    CUsynchronizationPolicy = c_uint {
        CU_SYNC_POLICY_AUTO = 1, "As the context's flags say.";
        CU_SYNC_POLICY_SPIN = 2, "Busily.";
        CU_SYNC_POLICY_YIELD = 3, "Busily, and yields to other threads.";
        CU_SYNC_POLICY_BLOCKING_SYNC = 4, "Asleep.";
    }

    /// What the L2 cache does with accesses.
    CUaccessProperty = c_uint {
        CU_ACCESS_PROPERTY_NORMAL = 0, "Nothing special.";
        CU_ACCESS_PROPERTY_STREAMING = 1, "They are evicted first.";
        CU_ACCESS_PROPERTY_PERSISTING = 2, "They are kept longest.";
    }

    /// Flags of `cuStreamCreate`.
    CUstream_flags = c_uint {
        CU_STREAM_NON_BLOCKING = 1, "No implicit synchronisation with the default stream.";
    }

    /// Which calls a thread's captures forbid: `cuStreamBeginCapture`.
    CUstreamCaptureMode = c_uint {
        CU_STREAM_CAPTURE_MODE_GLOBAL = 0, "Calls of any thread that may be unsafe during a capture.";
        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1, "Those of the capturing thread.";
        CU_STREAM_CAPTURE_MODE_RELAXED = 2, "None.";
    }

    /// Flags of `cuEventRecordWithFlags`.
    CUevent_record_flags = c_uint {
        CU_EVENT_RECORD_DEFAULT = 0, "As `cuEventRecord`.";
        CU_EVENT_RECORD_EXTERNAL = 1, "In a capture: each launch of the graph records the event.";
    }

    /// Flags of `cuStreamWaitEvent`.
    CUevent_wait_flags = c_uint {
        CU_EVENT_WAIT_DEFAULT = 0, "In a capture: the event was recorded there.";
        CU_EVENT_WAIT_EXTERNAL = 1, "In a capture: each launch of the graph waits for the event.";
    }

    /// Whether a stream is captured.
    CUstreamCaptureStatus = c_uint {
        CU_STREAM_CAPTURE_STATUS_NONE = 0, "It is not.";
        CU_STREAM_CAPTURE_STATUS_ACTIVE = 1, "It is.";
        CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2, "It is, and an error has invalidated the capture.";
    }

    /// Flags of `cuStreamUpdateCaptureDependencies`.
    CUstreamUpdateCaptureDependencies_flags = c_uint {
        CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0, "The next node comes after these, too.";
        CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1, "The next node comes after these only.";
    }

    /// What a graph's node does.
    CUgraphNodeType = c_uint {
        CU_GRAPH_NODE_TYPE_KERNEL = 0, "A kernel.";
        CU_GRAPH_NODE_TYPE_MEMCPY = 1, "A copy.";
        CU_GRAPH_NODE_TYPE_MEMSET = 2, "A fill.";
        CU_GRAPH_NODE_TYPE_HOST = 3, "A function of the host.";
        CU_GRAPH_NODE_TYPE_GRAPH = 4, "Another graph.";
        CU_GRAPH_NODE_TYPE_EMPTY = 5, "Nothing.";
        CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6, "It waits for an event.";
        CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7, "It records an event.";
        CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10, "It allocates memory.";
        CU_GRAPH_NODE_TYPE_MEM_FREE = 11, "It frees memory.";
        CU_GRAPH_NODE_TYPE_CONDITIONAL = 13, "It runs another graph or not, or again and again.";
    }

    /// What a conditional node does.
    CUgraphConditionalNodeType = c_uint {
        CU_GRAPH_COND_TYPE_IF = 0, "It runs its body if the condition is not 0.";
        CU_GRAPH_COND_TYPE_WHILE = 1, "It runs its body again and again until the condition is 0.";
        CU_GRAPH_COND_TYPE_SWITCH = 2, "It runs the body whose number the condition is, if there is one.";
    }

    /// Why `cuGraphExecUpdate` has changed nothing.
    CUgraphExecUpdateResult = c_uint {
        CU_GRAPH_EXEC_UPDATE_SUCCESS = 0, "It has.";
        CU_GRAPH_EXEC_UPDATE_ERROR = 1, "Another error.";
        CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2, "Other nodes or edges.";
        CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3, "A node does something else.";
        CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4, "A kernel that the driver can't exchange.";
        CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5, "Parameters that can't change.";
        CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6, "The node can't be updated.";
        CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7, "A kernel that can't take the place of the old one.";
        CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8, "Attributes that can't change.";
    }

    /// The type of a tensor's elements.
    CUtensorMapDataType = c_uint {
        CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0, "8 bits.";
        CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1, "16 bits.";
        CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2, "Unsigned, 32 bits.";
        CU_TENSOR_MAP_DATA_TYPE_INT32 = 3, "Signed, 32 bits.";
        CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4, "Unsigned, 64 bits.";
        CU_TENSOR_MAP_DATA_TYPE_INT64 = 5, "Signed, 64 bits.";
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6, "`f16`.";
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7, "`f32`.";
        CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8, "`f64`.";
        CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9, "`bf16`.";
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10, "`f32`, without subnormal numbers.";
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11, "`f32`, rounded to `tf32`.";
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12, "The same without subnormal numbers.";
    }

    /// Whether slices of a tensor's innermost dimension lie apart.
    CUtensorMapInterleave = c_uint {
        CU_TENSOR_MAP_INTERLEAVE_NONE = 0, "They don't.";
        CU_TENSOR_MAP_INTERLEAVE_16B = 1, "Slices of 16 bytes.";
        CU_TENSOR_MAP_INTERLEAVE_32B = 2, "Slices of 32 bytes.";
    }

    /// How units of 16 bytes are permuted in shared memory.
    CUtensorMapSwizzle = c_uint {
        CU_TENSOR_MAP_SWIZZLE_NONE = 0, "They aren't.";
        CU_TENSOR_MAP_SWIZZLE_32B = 1, "In rows of 32 bytes.";
        CU_TENSOR_MAP_SWIZZLE_64B = 2, "In rows of 64 bytes.";
        CU_TENSOR_MAP_SWIZZLE_128B = 3, "In rows of 128 bytes.";
    }

    /// How much the L2 cache loads at once.
    CUtensorMapL2promotion = c_uint {
        CU_TENSOR_MAP_L2_PROMOTION_NONE = 0, "What is needed.";
        CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1, "64 bytes.";
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2, "128 bytes.";
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3, "256 bytes.";
    }

    /// What stands for elements outside of a tensor.
    CUtensorMapFloatOOBfill = c_uint {
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0, "Zero.";
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1, "A NaN, for floats only.";
    }

    /// Flags of `cuEventCreate`.
    CUevent_flags = c_uint {
        CU_EVENT_BLOCKING_SYNC = 1, "The host waits asleep.";
        CU_EVENT_DISABLE_TIMING = 2, "No time stamp, cheaper.";
        CU_EVENT_INTERPROCESS = 4, "Other processes can wait for it.";
    }

    /// Flags of `cuMemHostAlloc`.
    CUmemhostalloc_flags = c_uint {
        CU_MEMHOSTALLOC_PORTABLE = 1, "Pinned for every context.";
        CU_MEMHOSTALLOC_DEVICEMAP = 2, "Mapped into the device's address space.";
        CU_MEMHOSTALLOC_WRITECOMBINED = 4, "Fast to write in order, slow to read.";
    }

    /// Who uses managed memory: `cuMemAllocManaged`, `cuStreamAttachMemAsync`.
    CUmemAttach_flags = c_uint {
        CU_MEM_ATTACH_GLOBAL = 1, "Any stream of any device.";
        CU_MEM_ATTACH_HOST = 2, "No stream.";
        CU_MEM_ATTACH_SINGLE = 4, "One stream.";
    }

    /// A place of managed memory that is no device's number.
    CUdevice_place = c_int {
        CU_DEVICE_CPU = -1, "The host.";
        CU_DEVICE_INVALID = -2, "None, or not everywhere the same.";
    }

    /// What `cuMemAdvise` says of managed memory.
    CUmem_advise = c_uint {
        CU_MEM_ADVISE_SET_READ_MOSTLY = 1, "It is mostly read, so that there can be copies of it.";
        CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2, "It is not.";
        CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3, "It should stay at a place.";
        CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4, "It may be anywhere.";
        CU_MEM_ADVISE_SET_ACCESSED_BY = 5, "A place uses it, and should have it mapped.";
        CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6, "It need not.";
    }

    /// What `cuMemRangeGetAttribute` tells of managed memory.
    CUmem_range_attribute = c_uint {
        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1, "Whether all of it is mostly read.";
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2, "Where all of it should stay.";
        CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3, "Who uses all of it.";
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4, "Where all of it was prefetched to.";
    }

    /// Flags of `cuMemHostRegister`.
    CUmemhostregister_flags = c_uint {
        CU_MEMHOSTREGISTER_PORTABLE = 1, "Pinned for every context.";
        CU_MEMHOSTREGISTER_DEVICEMAP = 2, "Mapped into the device's address space.";
        CU_MEMHOSTREGISTER_IOMEMORY = 4, "Memory of another device.";
        CU_MEMHOSTREGISTER_READ_ONLY = 8, "Devices only read it.";
    }

    /// What `cuMemPoolSetAttribute` sets.
    CUmemPool_attribute = c_uint {
        CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, "Reuse memory that another stream freed before an event.";
        CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2, "Reuse memory whose free happens to be done.";
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, "Reuse memory by waiting for its free.";
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4, "Bytes that a pool keeps when a synchronisation finds them free.";
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5, "Bytes that the pool has of the device.";
        CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6, "The most of these since it was set to 0.";
        CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7, "Bytes that are allocated from the pool.";
        CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8, "The most of these since it was set to 0.";
    }

    /// What `cuPointerGetAttribute` tells.
    CUpointer_attribute = c_uint {
        CU_POINTER_ATTRIBUTE_CONTEXT = 1, "The context of the memory.";
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2, "Whose memory it is.";
        CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3, "The address on the device.";
        CU_POINTER_ATTRIBUTE_HOST_POINTER = 4, "The address on the host.";
        CU_POINTER_ATTRIBUTE_IS_MANAGED = 8, "Whether it is managed memory.";
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9, "The device's number.";
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11, "Where the allocation starts.";
        CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12, "Bytes of the allocation.";
        CU_POINTER_ATTRIBUTE_MAPPED = 13, "Whether a device can use it.";
    }

    /// Whose memory it is.
    CUmemorytype = c_uint {
        CU_MEMORYTYPE_HOST = 1, "The host's.";
        CU_MEMORYTYPE_DEVICE = 2, "A device's.";
        CU_MEMORYTYPE_ARRAY = 3, "A CUDA array's.";
        CU_MEMORYTYPE_UNIFIED = 4, "The host's or a device's, as the address says.";
    }

    /// What a pool consists of.
    CUmemAllocationType = c_int {
        CU_MEM_ALLOCATION_TYPE_PINNED = 1, "Memory that stays where it is.";
    }

    /// Where a pool's memory is.
    CUmemLocationType = c_int {
        CU_MEM_LOCATION_TYPE_DEVICE = 1, "On a device.";
    }

    /// How memory can be given to other processes.
    CUmemAllocationHandleType = c_int {
        CU_MEM_HANDLE_TYPE_NONE = 0, "Not at all.";
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1, "As a file descriptor.";
    }

    /// Flags of `cuIpcOpenMemHandle`.
    CUipcMem_flags = c_uint {
        CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1, "Access to another device's memory is enabled if need be.";
    }

    /// What memory of another library is given as.
    CUexternalMemoryHandleType = c_uint {
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1, "A file descriptor of Vulkan or OpenGL.";
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8, "An `NvSciBufObj`.";
    }

    /// Flags of `cuImportExternalMemory`.
    CUexternalMemory_flags = c_uint {
        CUDA_EXTERNAL_MEMORY_DEDICATED = 1, "The memory is that of one object only.";
    }

    /// What a semaphore of another library is given as.
    CUexternalSemaphoreHandleType = c_uint {
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1, "A file descriptor of a binary semaphore.";
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC = 6, "An `NvSciSyncObj`.";
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9, "A file descriptor of a timeline.";
    }

    /// Of what `cuFlushGPUDirectRDMAWrites` flushes writes.
    CUflushGPUDirectRDMAWritesTarget = c_uint {
        CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0, "Of the current context.";
    }

    /// For whom `cuFlushGPUDirectRDMAWrites` flushes writes.
    CUflushGPUDirectRDMAWritesScope = c_uint {
        CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100, "For the device that has the memory.";
        CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200, "For all devices.";
    }

    /// Which granularity `cuMemGetAllocationGranularity` tells.
    CUmemAllocationGranularity_flags = c_uint {
        CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0, "The smallest that is possible.";
        CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1, "The best for speed.";
    }

    /// What a device may do with memory.
    CUmemAccess_flags = c_uint {
        CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, "Nothing.";
        CU_MEM_ACCESS_FLAGS_PROT_READ = 1, "Read it.";
        CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3, "Read and write it.";
    }

    /// Options of `cuModuleLoadDataEx` and of linking.
    CUjit_option = c_uint {
        CU_JIT_MAX_REGISTERS = 0, "The most registers that a thread may use.";
        CU_JIT_INFO_LOG_BUFFER = 3, "The buffer of the information log.";
        CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4, "The size of that buffer.";
        CU_JIT_ERROR_LOG_BUFFER = 5, "The buffer of the error log.";
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6, "The size of that buffer.";
        CU_JIT_OPTIMIZATION_LEVEL = 7, "From 0 to 4.";
        CU_JIT_GENERATE_DEBUG_INFO = 11, "Keep all debug information, and do not optimise.";
        CU_JIT_LOG_VERBOSE = 12, "Write more into the logs.";
        CU_JIT_GENERATE_LINE_INFO = 13, "Keep the source lines.";
    }

    /// What `cuLinkAddData` takes.
    CUjitInputType = c_uint {
        CU_JIT_INPUT_CUBIN = 0, "Machine code for one architecture.";
        CU_JIT_INPUT_PTX = 1, "PTX text.";
        CU_JIT_INPUT_FATBINARY = 2, "Several of these, of which the best is taken.";
        CU_JIT_INPUT_OBJECT = 3, "A host object that holds device code.";
        CU_JIT_INPUT_LIBRARY = 4, "An archive of such objects.";
    }

    /// When a module's code is loaded.
    CUmoduleLoadingMode = c_int {
        CU_MODULE_EAGER_LOADING = 1, "At once.";
    }

    /// Attributes of `cuLaunchKernelEx`.
    CUlaunchAttributeID = c_int {
        CU_LAUNCH_ATTRIBUTE_IGNORE = 0, "Nothing.";
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1, "What the L2 cache does with accesses to some memory.";
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2, "Whether all blocks must run at the same time.";
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3, "How the host waits.";
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4, "Blocks of a cluster.";
        CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6, "Whether the kernel may start before earlier ones of its stream have ended.";
        CU_LAUNCH_ATTRIBUTE_PRIORITY = 8, "The priority of the launch.";
    }

    /// What a channel of a texel is.
    CUarray_format = c_uint {
        CU_AD_FORMAT_UNSIGNED_INT8 = 1, "`u8`.";
        CU_AD_FORMAT_UNSIGNED_INT16 = 2, "`u16`.";
        CU_AD_FORMAT_UNSIGNED_INT32 = 3, "`u32`.";
        CU_AD_FORMAT_SIGNED_INT8 = 8, "`i8`.";
        CU_AD_FORMAT_SIGNED_INT16 = 9, "`i16`.";
        CU_AD_FORMAT_SIGNED_INT32 = 10, "`i32`.";
        CU_AD_FORMAT_HALF = 16, "`f16`.";
        CU_AD_FORMAT_FLOAT = 32, "`f32`.";
    }

    /// What an array is for.
    CUarray3D_flags = c_uint {
        CUDA_ARRAY3D_LAYERED = 1, "The depth counts layers.";
        CUDA_ARRAY3D_SURFACE_LDST = 2, "Surfaces can be made of it.";
        CUDA_ARRAY3D_CUBEMAP = 4, "The layers are faces of cubes.";
        CUDA_ARRAY3D_TEXTURE_GATHER = 8, "Texels of it can be gathered.";
        CUDA_ARRAY3D_SPARSE = 64, "It has no memory until tiles of it are mapped.";
        CUDA_ARRAY3D_DEFERRED_MAPPING = 128, "It has no memory until all of it is mapped.";
    }

    /// How a sparse array is divided.
    CUarraySparseProperties_flags = c_uint {
        CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL = 1, "All layers have one tail.";
    }

    /// Which part of a sparse array is mapped.
    CUarraySparseSubresourceType = c_uint {
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0, "Tiles of a level.";
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1, "The levels that are smaller than a tile.";
    }

    /// What is done to a part of a sparse array.
    CUmemOperationType = c_uint {
        CU_MEM_OPERATION_TYPE_MAP = 1, "It gets memory.";
        CU_MEM_OPERATION_TYPE_UNMAP = 2, "It loses its memory.";
    }

    /// What memory from `cuMemCreate` is for.
    CUmemCreateUsage = c_uint {
        CU_MEM_CREATE_USAGE_TILE_POOL = 1, "Tiles of sparse arrays.";
    }

    /// What lies outside of a texture.
    CUaddress_mode = c_uint {
        CU_TR_ADDRESS_MODE_WRAP = 0, "The texture again.";
        CU_TR_ADDRESS_MODE_CLAMP = 1, "The texel at the edge.";
        CU_TR_ADDRESS_MODE_MIRROR = 2, "The texture, mirrored.";
        CU_TR_ADDRESS_MODE_BORDER = 3, "A colour.";
    }

    /// Whether texels are blended.
    CUfilter_mode = c_uint {
        CU_TR_FILTER_MODE_POINT = 0, "The nearest one.";
        CU_TR_FILTER_MODE_LINEAR = 1, "The nearest ones, blended.";
    }

    /// How a texture's coordinates and texels are read.
    CUtexture_flags = c_uint {
        CU_TRSF_READ_AS_INTEGER = 1, "Integers stay integers.";
        CU_TRSF_NORMALIZED_COORDINATES = 2, "Coordinates go from 0 to 1.";
        CU_TRSF_SRGB = 16, "Colours are linearised.";
        CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 32, "Levels are blended exactly.";
        CU_TRSF_SEAMLESS_CUBEMAP = 64, "Texels of neighbouring faces are blended.";
    }

    /// What a texture is made of.
    CUresourcetype = c_uint {
        CU_RESOURCE_TYPE_ARRAY = 0, "A CUDA array.";
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1, "A CUDA array with levels.";
        CU_RESOURCE_TYPE_LINEAR = 2, "Device memory.";
        CU_RESOURCE_TYPE_PITCH2D = 3, "Rows in device memory.";
    }
}
