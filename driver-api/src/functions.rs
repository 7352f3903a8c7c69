//! The list of driver functions.

/// Calls the macro `$expand` with every function of the CUDA driver that Ptyx calls or serves.
///
/// A row is `name: symbol(arguments);` as `cuda.h` declares it. The symbol has the version suffix that the
/// header hides behind a macro. Everything else about a function is generated from its row: the host library's
/// table, checked method and trace line, the emulated device's entry point. The types in a row are whatever
/// these names mean where the macro is called.
///
/// There are four groups:
/// - `required`: the host library calls them, and refuses a driver that lacks one;
/// - `optional`: it calls them where the driver has them;
/// - `only_cuda`: the same, but the emulated device lacks them;
/// - `only_emulated`: the emulated device serves them for others.
#[macro_export]
macro_rules! for_each_driver_function {
    ($expand:ident) => {
        $expand! {
            required {
                // Error handling
                cuGetErrorName: cuGetErrorName(error: CUresult, name: *mut *const c_char);
                cuGetErrorString: cuGetErrorString(error: CUresult, text: *mut *const c_char);

                // Devices
                cuInit: cuInit(flags: c_uint);
                cuDriverGetVersion: cuDriverGetVersion(version: *mut c_int);
                cuDeviceGetCount: cuDeviceGetCount(count: *mut c_int);
                cuDeviceGet: cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
                cuDeviceGetName: cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
                cuDeviceGetAttribute: cuDeviceGetAttribute(
                    value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
                cuDeviceTotalMem: cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);

                // Contexts
                cuDevicePrimaryCtxRetain: cuDevicePrimaryCtxRetain(
                    context: *mut CUcontext, device: CUdevice);
                cuCtxSetCurrent: cuCtxSetCurrent(context: CUcontext);
                cuCtxSynchronize: cuCtxSynchronize();

                // Limits
                cuCtxGetLimit: cuCtxGetLimit(value: *mut usize, limit: CUlimit);
                cuCtxSetLimit: cuCtxSetLimit(limit: CUlimit, value: usize);

                // Memory
                cuMemAlloc: cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
                cuMemFree: cuMemFree_v2(address: CUdeviceptr);
                cuMemGetInfo: cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
                cuMemcpyHtoDAsync: cuMemcpyHtoDAsync_v2(
                    to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream);
                cuMemcpyDtoHAsync: cuMemcpyDtoHAsync_v2(
                    to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemcpyDtoDAsync: cuMemcpyDtoDAsync_v2(
                    to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemsetD8Async: cuMemsetD8Async(
                    to: CUdeviceptr, value: u8, count: usize, stream: CUstream);
                cuMemsetD16Async: cuMemsetD16Async(
                    to: CUdeviceptr, value: u16, count: usize, stream: CUstream);
                cuMemsetD32Async: cuMemsetD32Async(
                    to: CUdeviceptr, value: u32, count: usize, stream: CUstream);
                cuMemHostAlloc: cuMemHostAlloc(host: *mut *mut c_void, bytes: usize, flags: c_uint);
                cuMemFreeHost: cuMemFreeHost(host: *mut c_void);
                cuMemHostGetDevicePointer: cuMemHostGetDevicePointer_v2(
                    address: *mut CUdeviceptr, host: *mut c_void, flags: c_uint);

                // Streams and events
                cuStreamCreate: cuStreamCreate(stream: *mut CUstream, flags: c_uint);
                cuStreamDestroy: cuStreamDestroy_v2(stream: CUstream);
                cuStreamSynchronize: cuStreamSynchronize(stream: CUstream);
                cuStreamQuery: cuStreamQuery(stream: CUstream);
                cuStreamWaitEvent: cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
                cuStreamAddCallback: cuStreamAddCallback(
                    stream: CUstream, callback: Option<CUstreamCallback>, data: *mut c_void, flags: c_uint);
                cuEventCreate: cuEventCreate(event: *mut CUevent, flags: c_uint);
                cuEventRecord: cuEventRecord(event: CUevent, stream: CUstream);
                cuEventSynchronize: cuEventSynchronize(event: CUevent);
                cuEventQuery: cuEventQuery(event: CUevent);
                cuEventElapsedTime: cuEventElapsedTime(
                    milliseconds: *mut f32, start: CUevent, end: CUevent);
                cuEventDestroy: cuEventDestroy_v2(event: CUevent);

                // Modules and functions
                cuModuleLoadDataEx: cuModuleLoadDataEx(
                    module: *mut CUmodule, image: *const c_void, count: c_uint,
                    options: *mut CUjit_option, values: *mut *mut c_void);
                cuModuleUnload: cuModuleUnload(module: CUmodule);
                cuModuleGetFunction: cuModuleGetFunction(
                    function: *mut CUfunction, module: CUmodule, name: *const c_char);
                cuModuleGetGlobal: cuModuleGetGlobal_v2(
                    address: *mut CUdeviceptr, bytes: *mut usize, module: CUmodule,
                    name: *const c_char);
                cuFuncGetAttribute: cuFuncGetAttribute(
                    value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
                cuFuncSetAttribute: cuFuncSetAttribute(
                    function: CUfunction, attribute: CUfunction_attribute, value: c_int);

                // Launching
                cuLaunchKernel: cuLaunchKernel(
                    function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
                    block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint,
                    stream: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void);
            }
            optional {
                // Contexts
                cuCtxGetCurrent: cuCtxGetCurrent(context: *mut CUcontext);

                // Launching
                cuLaunchKernelEx: cuLaunchKernelEx(
                    config: *const CUlaunchConfig, function: CUfunction, params: *mut *mut c_void,
                    extra: *mut *mut c_void);

                // Devices
                cuDeviceGetUuid: cuDeviceGetUuid_v2(uuid: *mut [u8; 16], device: CUdevice);
                cuDeviceGetPCIBusId: cuDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: CUdevice);

                cuDeviceGetNvSciSyncAttributes: cuDeviceGetNvSciSyncAttributes(
                    attributes: *mut c_void, device: CUdevice, flags: c_int);
                cuDeviceGetLuid: cuDeviceGetLuid(luid: *mut [u8; 8], mask: *mut c_uint, device: CUdevice);
                cuDeviceGetByPCIBusId: cuDeviceGetByPCIBusId(device: *mut CUdevice, id: *const c_char);
                cuDeviceGetP2PAttribute: cuDeviceGetP2PAttribute(
                    value: *mut c_int, attribute: CUdevice_P2PAttribute, device: CUdevice, peer: CUdevice);

                // Contexts
                cuDevicePrimaryCtxGetState: cuDevicePrimaryCtxGetState(
                    device: CUdevice, flags: *mut c_uint, active: *mut c_int);
                cuDevicePrimaryCtxSetFlags: cuDevicePrimaryCtxSetFlags_v2(device: CUdevice, flags: c_uint);
                cuDevicePrimaryCtxReset: cuDevicePrimaryCtxReset_v2(device: CUdevice);
                cuCtxGetStreamPriorityRange: cuCtxGetStreamPriorityRange(
                    least: *mut c_int, greatest: *mut c_int);
                cuCtxGetCacheConfig: cuCtxGetCacheConfig(config: *mut c_int);
                cuCtxSetCacheConfig: cuCtxSetCacheConfig(config: c_int);
                cuCtxGetSharedMemConfig: cuCtxGetSharedMemConfig(config: *mut c_int);
                cuCtxSetSharedMemConfig: cuCtxSetSharedMemConfig(config: c_int);
                cuCtxResetPersistingL2Cache: cuCtxResetPersistingL2Cache();
                cuProfilerStart: cuProfilerStart();
                cuProfilerStop: cuProfilerStop();

                // Streams
                cuStreamCreateWithPriority: cuStreamCreateWithPriority(
                    stream: *mut CUstream, flags: c_uint, priority: c_int);
                cuStreamGetPriority: cuStreamGetPriority(stream: CUstream, priority: *mut c_int);
                cuStreamGetFlags: cuStreamGetFlags(stream: CUstream, flags: *mut c_uint);
                cuStreamGetAttribute: cuStreamGetAttribute(
                    stream: CUstream, attribute: CUlaunchAttributeID, value: *mut CUstreamAttrValue);
                cuStreamSetAttribute: cuStreamSetAttribute(
                    stream: CUstream, attribute: CUlaunchAttributeID, value: *const CUstreamAttrValue);
                cuStreamCopyAttributes: cuStreamCopyAttributes(to: CUstream, from: CUstream);
                cuLaunchHostFunc: cuLaunchHostFunc(
                    stream: CUstream, function: Option<CUhostFn>, data: *mut c_void);

                // Graphs
                cuEventRecordWithFlags: cuEventRecordWithFlags(
                    event: CUevent, stream: CUstream, flags: c_uint);
                cuStreamBeginCapture: cuStreamBeginCapture_v2(stream: CUstream, mode: CUstreamCaptureMode);
                cuThreadExchangeStreamCaptureMode: cuThreadExchangeStreamCaptureMode(
                    mode: *mut CUstreamCaptureMode);
                cuStreamEndCapture: cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
                cuStreamGetCaptureInfo: cuStreamGetCaptureInfo_v2(
                    stream: CUstream, status: *mut CUstreamCaptureStatus, id: *mut u64, graph: *mut CUgraph,
                    after: *mut *const CUgraphNode, count: *mut usize);
                cuStreamUpdateCaptureDependencies: cuStreamUpdateCaptureDependencies(
                    stream: CUstream, after: *mut CUgraphNode, count: usize, flags: c_uint);
                cuStreamIsCapturing: cuStreamIsCapturing(
                    stream: CUstream, status: *mut CUstreamCaptureStatus);
                cuGraphCreate: cuGraphCreate(graph: *mut CUgraph, flags: c_uint);
                cuGraphDestroy: cuGraphDestroy(graph: CUgraph);
                cuGraphClone: cuGraphClone(clone: *mut CUgraph, graph: CUgraph);
                cuGraphGetNodes: cuGraphGetNodes(
                    graph: CUgraph, nodes: *mut CUgraphNode, count: *mut usize);
                cuGraphGetEdges: cuGraphGetEdges(
                    graph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, count: *mut usize);
                cuGraphNodeGetType: cuGraphNodeGetType(node: CUgraphNode, kind: *mut CUgraphNodeType);
                cuGraphAddEmptyNode: cuGraphAddEmptyNode(
                    node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize);
                cuGraphAddChildGraphNode: cuGraphAddChildGraphNode(
                    node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
                    child: CUgraph);
                cuGraphInstantiate: cuGraphInstantiateWithFlags(
                    exec: *mut CUgraphExec, graph: CUgraph, flags: u64);
                cuGraphExecUpdate: cuGraphExecUpdate_v2(
                    exec: CUgraphExec, graph: CUgraph, info: *mut CUgraphExecUpdateResultInfo);
                cuGraphNodeSetEnabled: cuGraphNodeSetEnabled(
                    exec: CUgraphExec, node: CUgraphNode, enabled: c_uint);
                cuGraphNodeGetEnabled: cuGraphNodeGetEnabled(
                    exec: CUgraphExec, node: CUgraphNode, enabled: *mut c_uint);
                cuGraphAddNode: cuGraphAddNode(
                    node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
                    params: *mut CUgraphNodeParams);
                cuGraphExecNodeSetParams: cuGraphExecNodeSetParams(
                    exec: CUgraphExec, node: CUgraphNode, params: *mut CUgraphNodeParams);
                cuGraphKernelNodeGetParams: cuGraphKernelNodeGetParams_v2(
                    node: CUgraphNode, params: *mut CUkernelNodeParams);
                cuGraphKernelNodeCopyAttributes: cuGraphKernelNodeCopyAttributes(
                    to: CUgraphNode, from: CUgraphNode);
                cuGraphKernelNodeGetAttribute: cuGraphKernelNodeGetAttribute(
                    node: CUgraphNode, attribute: CUlaunchAttributeID, value: *mut CUstreamAttrValue);
                cuGraphMemcpyNodeGetParams: cuGraphMemcpyNodeGetParams(
                    node: CUgraphNode, params: *mut CUmemcpy3D);
                cuGraphMemsetNodeGetParams: cuGraphMemsetNodeGetParams(
                    node: CUgraphNode, params: *mut CUmemsetNodeParams);
                cuGraphHostNodeGetParams: cuGraphHostNodeGetParams(
                    node: CUgraphNode, params: *mut CUhostNodeParams);
                cuGraphEventRecordNodeGetEvent: cuGraphEventRecordNodeGetEvent(
                    node: CUgraphNode, event: *mut CUevent);
                cuGraphEventWaitNodeGetEvent: cuGraphEventWaitNodeGetEvent(
                    node: CUgraphNode, event: *mut CUevent);
                cuGraphAddDependencies: cuGraphAddDependencies(
                    graph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, count: usize);
                cuGraphConditionalHandleCreate: cuGraphConditionalHandleCreate(
                    condition: *mut u64, graph: CUgraph, context: CUcontext, value: c_uint,
                    flags: c_uint);
                cuGraphUpload: cuGraphUpload(exec: CUgraphExec, stream: CUstream);
                cuGraphLaunch: cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
                cuGraphExecDestroy: cuGraphExecDestroy(exec: CUgraphExec);

                // Host memory
                cuMemHostGetFlags: cuMemHostGetFlags(flags: *mut c_uint, host: *mut c_void);
                cuMemHostRegister: cuMemHostRegister_v2(host: *mut c_void, bytes: usize, flags: c_uint);
                cuMemHostUnregister: cuMemHostUnregister(host: *mut c_void);

                // Managed memory
                cuMemAllocManaged: cuMemAllocManaged(
                    address: *mut CUdeviceptr, bytes: usize, flags: c_uint);
                cuMemPrefetchAsync: cuMemPrefetchAsync(
                    address: CUdeviceptr, count: usize, device: CUdevice, stream: CUstream);
                cuMemAdvise: cuMemAdvise(
                    address: CUdeviceptr, count: usize, advice: CUmem_advise, device: CUdevice);
                cuMemRangeGetAttributes: cuMemRangeGetAttributes(
                    data: *mut *mut c_void, sizes: *mut usize, attributes: *mut CUmem_range_attribute,
                    number: usize, address: CUdeviceptr, count: usize);
                cuStreamAttachMemAsync: cuStreamAttachMemAsync(
                    stream: CUstream, address: CUdeviceptr, length: usize, flags: c_uint);
                cuPointerGetAttributes: cuPointerGetAttributes(
                    count: c_uint, attributes: *mut CUpointer_attribute, data: *mut *mut c_void,
                    address: CUdeviceptr);

                // Stream-ordered memory
                cuDeviceGetDefaultMemPool: cuDeviceGetDefaultMemPool(
                    pool: *mut CUmemoryPool, device: CUdevice);
                cuMemPoolSetAttribute: cuMemPoolSetAttribute(
                    pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
                cuMemAllocAsync: cuMemAllocAsync(address: *mut CUdeviceptr, bytes: usize, stream: CUstream);
                cuMemFreeAsync: cuMemFreeAsync(address: CUdeviceptr, stream: CUstream);
                cuDeviceGetMemPool: cuDeviceGetMemPool(pool: *mut CUmemoryPool, device: CUdevice);
                cuDeviceSetMemPool: cuDeviceSetMemPool(device: CUdevice, pool: CUmemoryPool);
                cuMemPoolCreate: cuMemPoolCreate(pool: *mut CUmemoryPool, properties: *const c_void);
                cuMemPoolGetAttribute: cuMemPoolGetAttribute(
                    pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
                cuMemPoolTrimTo: cuMemPoolTrimTo(pool: CUmemoryPool, least: usize);
                cuMemAllocFromPoolAsync: cuMemAllocFromPoolAsync(
                    pointer: *mut CUdeviceptr, size: usize, pool: CUmemoryPool, stream: CUstream);

                // Virtual memory
                cuMemGetAllocationGranularity: cuMemGetAllocationGranularity(
                    granularity: *mut usize, properties: *const CUmemAllocationProp,
                    option: CUmemAllocationGranularity_flags);
                cuMemAddressReserve: cuMemAddressReserve(
                    address: *mut CUdeviceptr, reserved: usize, alignment: usize, wish: CUdeviceptr,
                    flags: u64);
                cuMemAddressFree: cuMemAddressFree(address: CUdeviceptr, reserved: usize);
                cuMemCreate: cuMemCreate(
                    memory: *mut CUmemGenericAllocationHandle, bytes: usize,
                    properties: *const CUmemAllocationProp, flags: u64);
                cuMemRelease: cuMemRelease(memory: CUmemGenericAllocationHandle);
                cuMemRetainAllocationHandle: cuMemRetainAllocationHandle(
                    memory: *mut CUmemGenericAllocationHandle, address: *mut c_void);
                cuMemMap: cuMemMap(
                    address: CUdeviceptr, bytes: usize, offset: usize,
                    memory: CUmemGenericAllocationHandle, flags: u64);
                cuMemUnmap: cuMemUnmap(address: CUdeviceptr, bytes: usize);
                cuMemSetAccess: cuMemSetAccess(
                    address: CUdeviceptr, bytes: usize, accesses: *const CUmemAccessDesc, count: usize);

                // Other processes
                cuIpcGetMemHandle: cuIpcGetMemHandle(handle: *mut CUipcMemHandle, address: CUdeviceptr);
                cuIpcOpenMemHandle: cuIpcOpenMemHandle_v2(
                    address: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint);
                cuIpcCloseMemHandle: cuIpcCloseMemHandle(address: CUdeviceptr);
                cuIpcGetEventHandle: cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: CUevent);
                cuIpcOpenEventHandle: cuIpcOpenEventHandle(
                    event: *mut CUevent, handle: CUipcEventHandle);
                cuMemExportToShareableHandle: cuMemExportToShareableHandle(
                    handle: *mut c_void, memory: CUmemGenericAllocationHandle,
                    kind: CUmemAllocationHandleType, flags: u64);
                cuMemImportFromShareableHandle: cuMemImportFromShareableHandle(
                    memory: *mut CUmemGenericAllocationHandle, handle: *mut c_void,
                    kind: CUmemAllocationHandleType);
                cuMemPoolExportToShareableHandle: cuMemPoolExportToShareableHandle(
                    handle: *mut c_void, pool: CUmemoryPool, kind: CUmemAllocationHandleType,
                    flags: u64);
                cuMemPoolImportFromShareableHandle: cuMemPoolImportFromShareableHandle(
                    pool: *mut CUmemoryPool, handle: *mut c_void, kind: CUmemAllocationHandleType,
                    flags: u64);
                cuMemPoolExportPointer: cuMemPoolExportPointer(
                    data: *mut CUmemPoolPtrExportData, address: CUdeviceptr);
                cuMemPoolImportPointer: cuMemPoolImportPointer(
                    address: *mut CUdeviceptr, pool: CUmemoryPool, data: *mut CUmemPoolPtrExportData);
                cuMemGetAddressRange: cuMemGetAddressRange_v2(
                    base: *mut CUdeviceptr, bytes: *mut usize, address: CUdeviceptr);
                cuFlushGPUDirectRDMAWrites: cuFlushGPUDirectRDMAWrites(
                    target: CUflushGPUDirectRDMAWritesTarget, scope: CUflushGPUDirectRDMAWritesScope);

                // Other libraries
                cuImportExternalMemory: cuImportExternalMemory(
                    memory: *mut CUexternalMemory, descriptor: *const CUexternalMemoryHandleDesc);
                cuExternalMemoryGetMappedBuffer: cuExternalMemoryGetMappedBuffer(
                    address: *mut CUdeviceptr, external: CUexternalMemory,
                    descriptor: *const CUexternalMemoryBufferDesc);
                cuExternalMemoryGetMappedMipmappedArray: cuExternalMemoryGetMappedMipmappedArray(
                    array: *mut CUmipmappedArray, external: CUexternalMemory,
                    descriptor: *const CUexternalMemoryMipmappedArrayDesc);
                cuDestroyExternalMemory: cuDestroyExternalMemory(external: CUexternalMemory);
                cuImportExternalSemaphore: cuImportExternalSemaphore(
                    semaphore: *mut CUexternalSemaphore,
                    descriptor: *const CUexternalSemaphoreHandleDesc);
                cuSignalExternalSemaphoresAsync: cuSignalExternalSemaphoresAsync(
                    semaphores: *const CUexternalSemaphore, parameters: *const CUexternalSemaphoreParams,
                    count: c_uint, stream: CUstream);
                cuWaitExternalSemaphoresAsync: cuWaitExternalSemaphoresAsync(
                    semaphores: *const CUexternalSemaphore, parameters: *const CUexternalSemaphoreParams,
                    count: c_uint, stream: CUstream);
                cuDestroyExternalSemaphore: cuDestroyExternalSemaphore(semaphore: CUexternalSemaphore);

                // Tensor maps
                cuTensorMapEncodeTiled: cuTensorMapEncodeTiled(
                    map: *mut CUtensorMap, element: CUtensorMapDataType, rank: c_uint,
                    address: *mut c_void, sizes: *const u64, strides: *const u64,
                    sides: *const c_uint, steps: *const c_uint,
                    interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle,
                    promotion: CUtensorMapL2promotion, fill: CUtensorMapFloatOOBfill);
                cuTensorMapEncodeIm2col: cuTensorMapEncodeIm2col(
                    map: *mut CUtensorMap, element: CUtensorMapDataType, rank: c_uint,
                    address: *mut c_void, sizes: *const u64, strides: *const u64,
                    lower: *const c_int, upper: *const c_int, channels: c_uint, pixels: c_uint,
                    steps: *const c_uint, interleave: CUtensorMapInterleave,
                    swizzle: CUtensorMapSwizzle, promotion: CUtensorMapL2promotion,
                    fill: CUtensorMapFloatOOBfill);

                // Arrays, textures and surfaces
                cuArray3DCreate: cuArray3DCreate_v2(
                    array: *mut CUarray, descriptor: *const CUarray3DDescriptor);
                cuArrayDestroy: cuArrayDestroy(array: CUarray);
                cuMipmappedArrayCreate: cuMipmappedArrayCreate(
                    array: *mut CUmipmappedArray, descriptor: *const CUarray3DDescriptor,
                    levels: c_uint);
                cuMipmappedArrayGetLevel: cuMipmappedArrayGetLevel(
                    level: *mut CUarray, array: CUmipmappedArray, index: c_uint);
                cuMipmappedArrayDestroy: cuMipmappedArrayDestroy(array: CUmipmappedArray);
                cuMemcpy3DAsync: cuMemcpy3DAsync_v2(copy: *const CUmemcpy3D, stream: CUstream);
                cuMemcpy3DPeerAsync: cuMemcpy3DPeerAsync(copy: *const CUmemcpy3D, stream: CUstream);
                cuMemsetD2D8Async: cuMemsetD2D8Async(
                    to: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream);
                cuMemsetD2D16Async: cuMemsetD2D16Async(
                    to: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream);
                cuMemsetD2D32Async: cuMemsetD2D32Async(
                    to: CUdeviceptr, pitch: usize, value: u32, width: usize, height: usize, stream: CUstream);
                cuTexObjectCreate: cuTexObjectCreate(
                    texture: *mut CUtexObject, resource: *const CUresourceDescriptor,
                    sampling: *const CUtextureDescriptor, view: *const c_void);
                cuTexObjectDestroy: cuTexObjectDestroy(texture: CUtexObject);
                cuSurfObjectCreate: cuSurfObjectCreate(
                    surface: *mut CUsurfObject, resource: *const CUresourceDescriptor);
                cuSurfObjectDestroy: cuSurfObjectDestroy(surface: CUsurfObject);

                cuArray3DGetDescriptor: cuArray3DGetDescriptor_v2(
                    descriptor: *mut CUarray3DDescriptor, array: CUarray);
                cuArrayGetPlane: cuArrayGetPlane(plane: *mut CUarray, array: CUarray, index: c_uint);
                cuArrayGetMemoryRequirements: cuArrayGetMemoryRequirements(
                    requirements: *mut CUarrayMemoryRequirements, array: CUarray, device: CUdevice);
                cuMipmappedArrayGetMemoryRequirements: cuMipmappedArrayGetMemoryRequirements(
                    requirements: *mut CUarrayMemoryRequirements, array: CUmipmappedArray,
                    device: CUdevice);
                cuArrayGetSparseProperties: cuArrayGetSparseProperties(
                    properties: *mut CUarraySparseProperties, array: CUarray);
                cuMipmappedArrayGetSparseProperties: cuMipmappedArrayGetSparseProperties(
                    properties: *mut CUarraySparseProperties, array: CUmipmappedArray);
                cuMemMapArrayAsync: cuMemMapArrayAsync(
                    parts: *mut CUarrayMapInfo, count: c_uint, stream: CUstream);
                cuDeviceGetTexture1DLinearMaxWidth: cuDeviceGetTexture1DLinearMaxWidth(
                    most: *mut usize, format: CUarray_format, channels: c_uint, device: CUdevice);

                // Occupancy
                cuOccupancyAvailableDynamicSMemPerBlock: cuOccupancyAvailableDynamicSMemPerBlock(
                    bytes: *mut usize, function: CUfunction, blocks: c_int, threads: c_int);
                cuOccupancyMaxActiveBlocksPerMultiprocessor: cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    blocks: *mut c_int, function: CUfunction, threads: c_int, shared: usize);
                cuOccupancyMaxPotentialBlockSize: cuOccupancyMaxPotentialBlockSize(
                    blocks: *mut c_int, threads: *mut c_int, function: CUfunction,
                    shared_for: Option<SharedForThreads>, shared: usize, most: c_int);
                cuOccupancyMaxActiveClusters: cuOccupancyMaxActiveClusters(
                    clusters: *mut c_int, function: CUfunction, config: *const CUlaunchConfig);

                // Modules and functions
                cuFuncSetCacheConfig: cuFuncSetCacheConfig(function: CUfunction, config: c_int);
                cuFuncSetSharedMemConfig: cuFuncSetSharedMemConfig(
                    function: CUfunction, config: c_int);
                cuFuncGetParamInfo: cuFuncGetParamInfo(
                    function: CUfunction, index: usize, offset: *mut usize, size: *mut usize);
                cuModuleGetFunctionCount: cuModuleGetFunctionCount(
                    count: *mut c_uint, module: CUmodule);
                cuModuleEnumerateFunctions: cuModuleEnumerateFunctions(
                    functions: *mut CUfunction, count: c_uint, module: CUmodule);
                cuFuncGetName: cuFuncGetName(name: *mut *const c_char, function: CUfunction);

                // Other devices' memory
                cuDeviceCanAccessPeer: cuDeviceCanAccessPeer(
                    can: *mut c_int, device: CUdevice, peer: CUdevice);
                cuCtxEnablePeerAccess: cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint);
                cuCtxDisablePeerAccess: cuCtxDisablePeerAccess(peer: CUcontext);
                cuMemcpyPeerAsync: cuMemcpyPeerAsync(
                    to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr,
                    from_context: CUcontext, bytes: usize, stream: CUstream);
                cuMemPoolSetAccess: cuMemPoolSetAccess(
                    pool: CUmemoryPool, accesses: *const CUmemAccessDesc, count: usize);
                cuMemPoolGetAccess: cuMemPoolGetAccess(
                    flags: *mut CUmemAccess_flags, pool: CUmemoryPool, location: *mut CUmemLocation);

                // Linking
                cuLinkCreate: cuLinkCreate_v2(
                    count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void,
                    state: *mut CUlinkState);
                cuLinkAddData: cuLinkAddData_v2(
                    state: CUlinkState, kind: c_uint, data: *mut c_void, bytes: usize,
                    name: *const c_char, count: c_uint, options: *mut CUjit_option,
                    values: *mut *mut c_void);
                cuLinkAddFile: cuLinkAddFile_v2(
                    state: CUlinkState, kind: c_uint, path: *const c_char, count: c_uint,
                    options: *mut CUjit_option, values: *mut *mut c_void);
                cuLinkComplete: cuLinkComplete(
                    state: CUlinkState, cubin: *mut *mut c_void, bytes: *mut usize);
                cuLinkDestroy: cuLinkDestroy(state: CUlinkState);
            }
            only_cuda {
            }
            only_emulated {
                // Devices
                cuDeviceGetUuid: cuDeviceGetUuid(uuid: *mut [u8; 16], device: CUdevice);
                cuDeviceComputeCapability: cuDeviceComputeCapability(
                    major: *mut c_int, minor: *mut c_int, device: CUdevice);

                // Contexts
                cuDevicePrimaryCtxRelease: cuDevicePrimaryCtxRelease_v2(device: CUdevice);
                cuCtxPushCurrent: cuCtxPushCurrent_v2(context: CUcontext);
                cuCtxPopCurrent: cuCtxPopCurrent_v2(context: *mut CUcontext);
                cuCtxGetDevice: cuCtxGetDevice(device: *mut CUdevice);
                cuCtxGetApiVersion: cuCtxGetApiVersion(context: CUcontext, version: *mut c_uint);
                cuCtxGetFlags: cuCtxGetFlags(flags: *mut c_uint);

                // Memory
                cuMemcpyHtoD: cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, size: usize);
                cuMemcpyDtoH: cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, size: usize);
                cuMemcpyDtoD: cuMemcpyDtoD_v2(to: CUdeviceptr, from: CUdeviceptr, size: usize);
                cuMemcpy: cuMemcpy(to: CUdeviceptr, from: CUdeviceptr, size: usize);
                cuMemcpyAsync: cuMemcpyAsync(
                    to: CUdeviceptr, from: CUdeviceptr, size: usize, stream: CUstream);
                cuMemsetD8: cuMemsetD8_v2(to: CUdeviceptr, value: u8, count: usize);
                cuMemsetD16: cuMemsetD16_v2(to: CUdeviceptr, value: u16, count: usize);
                cuMemsetD32: cuMemsetD32_v2(to: CUdeviceptr, value: c_uint, count: usize);
                cuMemAllocPitch: cuMemAllocPitch_v2(
                    pointer: *mut CUdeviceptr, pitch: *mut usize, width: usize, height: usize, element: c_uint);
                cuMemsetD2D8: cuMemsetD2D8_v2(
                    to: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize);
                cuMemsetD2D16: cuMemsetD2D16_v2(
                    to: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize);
                cuMemsetD2D32: cuMemsetD2D32_v2(
                    to: CUdeviceptr, pitch: usize, value: u32, width: usize, height: usize);
                cuMemAllocHost: cuMemAllocHost_v2(pointer: *mut *mut c_void, size: usize);
                cuPointerGetAttribute: cuPointerGetAttribute(
                    data: *mut c_void, attribute: CUpointer_attribute, address: CUdeviceptr);
                cuMemRangeGetAttribute: cuMemRangeGetAttribute(
                    data: *mut c_void, size: usize, attribute: CUmem_range_attribute,
                    address: CUdeviceptr, count: usize);

                cuMemGetAccess: cuMemGetAccess(
                    flags: *mut u64, location: *const CUmemLocation, address: CUdeviceptr);

                // Stream-ordered memory. Not for the host library: the driver 580 crashes if a pool is destroyed while
                // other threads wait.
                cuMemPoolDestroy: cuMemPoolDestroy(pool: CUmemoryPool);

                // Other devices' memory
                cuMemcpyPeer: cuMemcpyPeer(
                    to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr,
                    from_context: CUcontext, bytes: usize);
                // Graphs
                cuStreamBeginCaptureToGraph: cuStreamBeginCaptureToGraph(
                    stream: CUstream, graph: CUgraph, after: *const CUgraphNode, kinds: *const c_void,
                    count: usize, mode: CUstreamCaptureMode);
                cuGraphGetRootNodes: cuGraphGetRootNodes(
                    graph: CUgraph, nodes: *mut CUgraphNode, count: *mut usize);
                cuGraphDestroyNode: cuGraphDestroyNode(node: CUgraphNode);

                // Events
                cuEventElapsedTime: cuEventElapsedTime_v2(
                    milliseconds: *mut f32, start: CUevent, end: CUevent);

                // Modules and functions
                cuModuleLoadData: cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
                cuModuleGetLoadingMode: cuModuleGetLoadingMode(mode: *mut c_int);

                // Launching
                cuLaunchCooperativeKernel: cuLaunchCooperativeKernel(
                    function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
                    block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint,
                    stream: CUstream, params: *mut *mut c_void);

                // Arrays, textures and surfaces
                cuArrayCreate: cuArrayCreate_v2(
                    array: *mut CUarray, descriptor: *const CUarrayDescriptor);
                cuArrayGetDescriptor: cuArrayGetDescriptor_v2(
                    descriptor: *mut CUarrayDescriptor, array: CUarray);
                cuMemcpy2D: cuMemcpy2D_v2(copy: *const CUmemcpy2D);
                cuMemcpy2DUnaligned: cuMemcpy2DUnaligned_v2(copy: *const CUmemcpy2D);
                cuMemcpy2DAsync: cuMemcpy2DAsync_v2(copy: *const CUmemcpy2D, stream: CUstream);
                cuMemcpy3D: cuMemcpy3D_v2(copy: *const CUmemcpy3D);
                cuMemcpy3DPeer: cuMemcpy3DPeer(copy: *const CUmemcpy3D);
                cuMemcpyHtoA: cuMemcpyHtoA_v2(
                    to: CUarray, offset: usize, from: *const c_void, bytes: usize);
                cuMemcpyAtoH: cuMemcpyAtoH_v2(
                    to: *mut c_void, from: CUarray, offset: usize, bytes: usize);
                cuTexObjectGetResourceDesc: cuTexObjectGetResourceDesc(
                    resource: *mut CUresourceDescriptor, texture: CUtexObject);
                cuTexObjectGetTextureDesc: cuTexObjectGetTextureDesc(
                    sampling: *mut CUtextureDescriptor, texture: CUtexObject);
                cuSurfObjectGetResourceDesc: cuSurfObjectGetResourceDesc(
                    resource: *mut CUresourceDescriptor, surface: CUsurfObject);

                // Occupancy
                cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                    blocks: *mut c_int, function: CUfunction, threads: c_int, dynamic_shared: usize,
                    flags: c_uint);
                cuOccupancyMaxPotentialClusterSize: cuOccupancyMaxPotentialClusterSize(
                    size: *mut c_int, function: CUfunction, config: *const CUlaunchConfig);
                cuOccupancyMaxPotentialBlockSizeWithFlags: cuOccupancyMaxPotentialBlockSizeWithFlags(
                    grid: *mut c_int, block: *mut c_int, function: CUfunction,
                    shared_for: Option<SharedForThreads>, dynamic_shared: usize, limit: c_int,
                    flags: c_uint);
            }
        }
    };
}
