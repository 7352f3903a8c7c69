//! The one list of driver functions that Ptyx calls.
//!
//! A line is `name = "symbol" (arguments)`, as `cuda.h` declares it (the symbol carries the
//! version suffix that the header hides behind a macro). [`super::Driver`] gets a table field, a
//! checked method and its trace line from it. A function under `optional` that the driver lacks
//! answers `CUDA_ERROR_NOT_SUPPORTED`; one under `required` makes the driver too old.

/// Calls the macro `$expand` with the list.
macro_rules! for_each_driver_function {
    ($expand:ident) => {
        $expand! {
            required {
                // Initialisation, version, error handling.
                cuInit = "cuInit" (flags: c_uint);
                cuDriverGetVersion = "cuDriverGetVersion" (version: *mut c_int);
                cuGetErrorName = "cuGetErrorName" (error: CUresult, name: *mut *const c_char);
                cuGetErrorString = "cuGetErrorString" (error: CUresult, text: *mut *const c_char);

                // Devices and contexts.
                cuDeviceGetCount = "cuDeviceGetCount" (count: *mut c_int);
                cuDeviceGet = "cuDeviceGet" (device: *mut CUdevice, ordinal: c_int);
                cuDeviceGetName = "cuDeviceGetName"
                    (name: *mut c_char, len: c_int, device: CUdevice);
                cuDeviceGetAttribute = "cuDeviceGetAttribute"
                    (value: *mut c_int, attribute: c_int, device: CUdevice);
                cuDeviceTotalMem = "cuDeviceTotalMem_v2" (bytes: *mut usize, device: CUdevice);
                cuDevicePrimaryCtxRetain = "cuDevicePrimaryCtxRetain"
                    (context: *mut CUcontext, device: CUdevice);
                cuCtxSetCurrent = "cuCtxSetCurrent" (context: CUcontext);
                cuCtxSynchronize = "cuCtxSynchronize" ();
                cuCtxGetLimit = "cuCtxGetLimit" (value: *mut usize, limit: c_uint);
                cuCtxSetLimit = "cuCtxSetLimit" (limit: c_uint, value: usize);

                // Memory.
                cuMemAlloc = "cuMemAlloc_v2" (address: *mut CUdeviceptr, bytes: usize);
                cuMemFree = "cuMemFree_v2" (address: CUdeviceptr);
                cuMemGetInfo = "cuMemGetInfo_v2" (free: *mut usize, total: *mut usize);
                cuMemHostAlloc = "cuMemHostAlloc"
                    (host: *mut *mut c_void, bytes: usize, flags: c_uint);
                cuMemFreeHost = "cuMemFreeHost" (host: *mut c_void);
                cuMemHostGetDevicePointer = "cuMemHostGetDevicePointer_v2"
                    (address: *mut CUdeviceptr, host: *mut c_void, flags: c_uint);
                cuMemcpyHtoDAsync = "cuMemcpyHtoDAsync_v2"
                    (to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream);
                cuMemcpyDtoHAsync = "cuMemcpyDtoHAsync_v2"
                    (to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemcpyDtoDAsync = "cuMemcpyDtoDAsync_v2"
                    (to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemsetD8Async = "cuMemsetD8Async"
                    (to: CUdeviceptr, value: u8, count: usize, stream: CUstream);
                cuMemsetD16Async = "cuMemsetD16Async"
                    (to: CUdeviceptr, value: u16, count: usize, stream: CUstream);
                cuMemsetD32Async = "cuMemsetD32Async"
                    (to: CUdeviceptr, value: u32, count: usize, stream: CUstream);

                // Streams and events.
                cuStreamCreate = "cuStreamCreate" (stream: *mut CUstream, flags: c_uint);
                cuStreamDestroy = "cuStreamDestroy_v2" (stream: CUstream);
                cuStreamQuery = "cuStreamQuery" (stream: CUstream);
                cuStreamSynchronize = "cuStreamSynchronize" (stream: CUstream);
                cuStreamWaitEvent = "cuStreamWaitEvent"
                    (stream: CUstream, event: CUevent, flags: c_uint);
                cuEventCreate = "cuEventCreate" (event: *mut CUevent, flags: c_uint);
                cuEventDestroy = "cuEventDestroy_v2" (event: CUevent);
                cuEventRecord = "cuEventRecord" (event: CUevent, stream: CUstream);
                cuEventQuery = "cuEventQuery" (event: CUevent);
                cuEventSynchronize = "cuEventSynchronize" (event: CUevent);
                cuEventElapsedTime = "cuEventElapsedTime"
                    (milliseconds: *mut f32, start: CUevent, end: CUevent);

                // Modules, functions, launching.
                cuModuleLoadDataEx = "cuModuleLoadDataEx"
                    (module: *mut CUmodule, image: *const c_void, count: c_uint,
                     options: *mut c_uint, values: *mut *mut c_void);
                cuModuleUnload = "cuModuleUnload" (module: CUmodule);
                cuModuleGetFunction = "cuModuleGetFunction"
                    (function: *mut CUfunction, module: CUmodule, name: *const c_char);
                cuModuleGetGlobal = "cuModuleGetGlobal_v2"
                    (address: *mut CUdeviceptr, bytes: *mut usize, module: CUmodule,
                     name: *const c_char);
                cuFuncGetAttribute = "cuFuncGetAttribute"
                    (value: *mut c_int, attribute: c_uint, function: CUfunction);
                cuFuncSetAttribute = "cuFuncSetAttribute"
                    (function: CUfunction, attribute: c_uint, value: c_int);
                cuLaunchKernel = "cuLaunchKernel"
                    (function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
                     block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint,
                     stream: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void);
            }
            optional {
                cuDeviceGetUuid = "cuDeviceGetUuid_v2" (uuid: *mut [u8; 16], device: CUdevice);
                cuDeviceGetPCIBusId = "cuDeviceGetPCIBusId"
                    (id: *mut c_char, len: c_int, device: CUdevice);
                cuDeviceGetDefaultMemPool = "cuDeviceGetDefaultMemPool"
                    (pool: *mut CUmemoryPool, device: CUdevice);
                cuMemPoolSetAttribute = "cuMemPoolSetAttribute"
                    (pool: CUmemoryPool, attribute: c_uint, value: *mut c_void);
                cuMemAllocAsync = "cuMemAllocAsync"
                    (address: *mut CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemFreeAsync = "cuMemFreeAsync" (address: CUdeviceptr, stream: CUstream);
                cuOccupancyMaxActiveBlocksPerMultiprocessor =
                    "cuOccupancyMaxActiveBlocksPerMultiprocessor"
                    (blocks: *mut c_int, function: CUfunction, threads: c_int, shared: usize);
                cuOccupancyMaxPotentialBlockSize = "cuOccupancyMaxPotentialBlockSize"
                    (blocks: *mut c_int, threads: *mut c_int, function: CUfunction,
                     shared_for: Option<SharedForThreads>, shared: usize, most: c_int);
                cuLinkCreate = "cuLinkCreate_v2"
                    (count: c_uint, options: *mut c_uint, values: *mut *mut c_void,
                     state: *mut CUlinkState);
                cuLinkAddData = "cuLinkAddData_v2"
                    (state: CUlinkState, kind: c_uint, data: *mut c_void, bytes: usize,
                     name: *const c_char, count: c_uint, options: *mut c_uint,
                     values: *mut *mut c_void);
                cuLinkComplete = "cuLinkComplete"
                    (state: CUlinkState, cubin: *mut *mut c_void, bytes: *mut usize);
                cuLinkDestroy = "cuLinkDestroy" (state: CUlinkState);
            }
        }
    };
}

pub(super) use for_each_driver_function;
