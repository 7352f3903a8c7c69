//! From the CUDA runtime API to Ptyx, function by function.
//!
//! For those who know the runtime API: what to use instead of each of its functions. Ptyx itself calls the driver only.
//! What belongs together here is one thing there in most cases: an object that cleans up after itself takes the place of a
//! function that creates something and one that destroys it, a pair of methods with and without a stream that of a function
//! and its `Async` twin.
//!
//! ## Profiler Control
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaProfilerStart` | [`profiler_start`](crate::profiler_start) |
//! | `cudaProfilerStop` | [`profiler_stop`](crate::profiler_stop) |
//!
//! ## Device Management
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaDeviceReset` | [`Device::reset`] |
//! | `cudaDeviceSynchronize` | [`Device::synchronize`] |
//! | `cudaDeviceSetLimit` | [`Device::set_limit`]. Setting the size of the heap or of the `printf` buffer is an error once a kernel that uses it has been launched |
//! | `cudaDeviceGetLimit` | [`Device::limit`] |
//! | `cudaDeviceGetTexture1DLinearMaxWidth` | [`Texture::most_texels`](crate::Texture::most_texels) |
//! | `cudaDeviceGetCacheConfig` | [`Device::cache_preference`] |
//! | `cudaDeviceGetStreamPriorityRange` | [`Device::stream_priorities`] |
//! | `cudaDeviceSetCacheConfig` | [`Device::set_cache_preference`] |
//! | `cudaDeviceGetSharedMemConfig` | [`Device::shared_banks`] |
//! | `cudaDeviceSetSharedMemConfig` | [`Device::set_shared_banks`] |
//! | `cudaDeviceGetByPCIBusId` | [`Device::by_pci_bus_id`] |
//! | `cudaDeviceGetPCIBusId` | [`Device::pci_bus_id`] |
//! | `cudaIpcGetEventHandle` | [`Event::share`] |
//! | `cudaIpcOpenEventHandle` | [`Event::open`] |
//! | `cudaIpcGetMemHandle` | [`DeviceBuffer::share`], of a [`DeviceBuffer::zeroed_shareable`] |
//! | `cudaIpcOpenMemHandle` | [`DeviceBuffer::open_on`] |
//! | `cudaIpcCloseMemHandle` | dropping the buffer of [`DeviceBuffer::open_on`] |
//! | `cudaDeviceFlushGPUDirectRDMAWrites` | [`Device::flush_rdma_writes`] |
//! | `cudaGetDeviceCount` | [`Device::count`] |
//! | `cudaGetDeviceProperties` | [`Device::property`] of each [`DeviceProperty`](crate::DeviceProperty), [`Device::attributes`], [`Device::name`], [`Device::uuid`], [`Device::luid`], [`Device::total_memory`] |
//! | `cudaDeviceGetAttribute` | [`Device::attribute`] |
//! | `cudaDeviceGetDefaultMemPool` | [`MemoryPool::of_device`](crate::MemoryPool::of_device) |
//! | `cudaDeviceSetMemPool` | [`MemoryPool::make_current`](crate::MemoryPool::make_current) |
//! | `cudaDeviceGetMemPool` | [`MemoryPool::is_current`](crate::MemoryPool::is_current) |
//! | `cudaDeviceGetNvSciSyncAttributes` | [`Device::nvsci_sync_attributes`]: for Tegra and Drive; elsewhere the driver does not support it |
//! | `cudaDeviceGetP2PAttribute` | [`Device::peer_attribute`] |
//! | `cudaChooseDevice` | [`Device::choose`] |
//! | `cudaSetDevice` | [`Device::make_current`], [`Device::with`] |
//! | `cudaGetDevice` | [`Device::current`] |
//! | `cudaSetDeviceFlags` | [`Device::set_flags`] |
//! | `cudaGetDeviceFlags` | [`Device::flags`] |
//!
//! ## Error Handling
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaGetLastError` | [`Error`](crate::Error): each call returns its own |
//! | `cudaPeekAtLastError` | [`Error`](crate::Error): each call returns its own |
//! | `cudaGetErrorName` | [`Error::Driver`](crate::Error::Driver), its `name`; of an unknown code, `error` and the code |
//! | `cudaGetErrorString` | [`Error::Driver`](crate::Error::Driver), its `text`; of an unknown code, "unrecognized error code" |
//!
//! ## Stream Management
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaStreamCallback_t` | [`Stream::on_done`] takes any closure |
//! | `cudaStreamCreate` | [`Stream::new`] |
//! | `cudaStreamCreateWithFlags` | [`Stream::with`] |
//! | `cudaStreamCreateWithPriority` | [`Stream::with`] |
//! | `cudaStreamGetPriority` | [`Stream::priority`] |
//! | `cudaStreamGetFlags` | [`Stream::flags`] |
//! | `cudaCtxResetPersistingL2Cache` | [`Device::reset_persisting_l2`] |
//! | `cudaStreamCopyAttributes` | [`Stream::copy_attributes`] |
//! | `cudaStreamGetAttribute` | [`Stream::sync_policy`], [`Stream::access_policy`] |
//! | `cudaStreamSetAttribute` | [`Stream::set_sync_policy`], [`Stream::set_access_policy`] |
//! | `cudaStreamDestroy` | dropping the last clone of a [`Stream`] |
//! | `cudaStreamWaitEvent` | [`Stream::wait`]; with `cudaEventWaitExternal`, [`Stream::wait_each`] |
//! | `cudaStreamAddCallback` | [`Stream::on_done`], which is called after an error, too; [`Stream::finished`] for tasks |
//! | `cudaStreamSynchronize` | [`Stream::synchronize`]; in a task, [`Stream::finished`] |
//! | `cudaStreamQuery` | [`Stream::is_idle`] |
//! | `cudaStreamAttachMemAsync` | [`ManagedBuffer::attach`](crate::ManagedBuffer::attach) |
//! | `cudaStreamBeginCapture` | [`Stream::capture`]; with a mode, [`Stream::capture_in`] |
//! | `cudaThreadExchangeStreamCaptureMode` | [`CaptureMode::with`](crate::CaptureMode::with), while a closure runs; Ptyx makes its own calls *relaxed* where they are harmless |
//! | `cudaStreamEndCapture` | [`Stream::capture`]: the end of the closure |
//! | `cudaStreamIsCapturing` | [`Stream::is_captured`], [`Stream::capture_status`] |
//! | `cudaStreamGetCaptureInfo` | [`Stream::capture_status`] |
//! | `cudaStreamGetCaptureInfo_v2` | [`Stream::capture_status`], [`Stream::capture_dependencies`]; the graph is what [`Stream::capture`] returns |
//! | `cudaStreamUpdateCaptureDependencies` | [`Stream::add_capture_dependencies`]; with the flag to set them, [`Stream::set_capture_dependencies`] |
//!
//! ## Event Management
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaEventCreate` | [`Event::new`] |
//! | `cudaEventCreateWithFlags` | [`Event::with`] |
//! | `cudaEventRecord` | [`Event::record`] |
//! | `cudaEventRecordWithFlags` | [`Event::record`], [`Event::record_each`] |
//! | `cudaEventQuery` | [`Event::is_done`] |
//! | `cudaEventSynchronize` | [`Event::synchronize`]; in a task, [`Event::finished`] |
//! | `cudaEventDestroy` | dropping the last clone of an [`Event`] |
//! | `cudaEventElapsedTime` | [`Event::elapsed`], which waits for the end |
//!
//! ## External Resource Interoperability
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaImportExternalMemory` | [`ExternalMemory::import`](crate::ExternalMemory::import) takes the file by value: the driver closes it or, if the import fails, Ptyx does. For NvSci, which only Tegra and Drive have, [`ExternalMemory::import_nvsci`](crate::ExternalMemory::import_nvsci) |
//! | `cudaExternalMemoryGetMappedBuffer` | [`ExternalMemory::buffer_on`](crate::ExternalMemory::buffer_on) |
//! | `cudaExternalMemoryGetMappedMipmappedArray` | [`ExternalMemory::array`](crate::ExternalMemory::array) |
//! | `cudaDestroyExternalMemory` | dropping an [`ExternalMemory`](crate::ExternalMemory) and what is in it |
//! | `cudaImportExternalSemaphore` | [`ExternalSemaphore::import`](crate::ExternalSemaphore::import); of NvSci, [`ExternalSemaphore::import_nvsci`](crate::ExternalSemaphore::import_nvsci) |
//! | `cudaSignalExternalSemaphoresAsync` | [`Stream::signal_semaphore`] |
//! | `cudaWaitExternalSemaphoresAsync` | [`Stream::wait_semaphore`]. Only a keyed mutex, which Linux does not have, has a timeout |
//! | `cudaDestroyExternalSemaphore` | dropping an [`ExternalSemaphore`](crate::ExternalSemaphore) |
//!
//! ## Execution Control
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaFuncSetCacheConfig` | [`Function::set_cache_preference`]; of kernels in Rust, [`CompiledKernel::set_cache_preference`](crate::CompiledKernel::set_cache_preference) |
//! | `cudaFuncSetSharedMemConfig` | [`Function::set_shared_banks`]; of kernels in Rust, [`CompiledKernel::set_shared_banks`](crate::CompiledKernel::set_shared_banks) |
//! | `cudaFuncGetAttributes` | [`Function::attributes`]; of kernels in Rust, [`CompiledKernel`](crate::CompiledKernel) |
//! | `cudaFuncSetAttribute` | [`Function::set_shared_carveout`]; of kernels in Rust, [`CompiledKernel::set_shared_carveout`](crate::CompiledKernel::set_shared_carveout); launches raise dynamic shared memory by themselves |
//! | `cudaSetDoubleForDevice` | nothing to do: it has no effect since doubles exist |
//! | `cudaSetDoubleForHost` | nothing to do: it has no effect since doubles exist |
//! | `cudaLaunchHostFunc` | [`Stream::on_host`]; in a capture, [`Stream::on_host_each`] |
//!
//! ## Occupancy
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaOccupancyMaxActiveBlocksPerMultiprocessor` | [`CompiledKernel::active_blocks`](crate::CompiledKernel::active_blocks), [`CompiledKernel::occupancy_fraction`](crate::CompiledKernel::occupancy_fraction) |
//! | `cudaOccupancyAvailableDynamicSMemPerBlock` | [`CompiledKernel::available_shared`](crate::CompiledKernel::available_shared), [`Function::available_shared`] |
//! | `cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags` | [`CompiledKernel::active_blocks`](crate::CompiledKernel::active_blocks): the flag changes nothing since compute capability 7.0 |
//!
//! ## Memory Management
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaMallocManaged` | [`ManagedBuffer::zeroed`](crate::ManagedBuffer::zeroed), [`ManagedBuffer::from_slice`](crate::ManagedBuffer::from_slice); with `cudaMemAttachHost`, [`ManagedBuffer::zeroed_with`](crate::ManagedBuffer::zeroed_with) and [`ManagedOptions::host_only`](crate::ManagedOptions::host_only) |
//! | `cudaMalloc` | [`DeviceBuffer::uninitialized`], [`DeviceBuffer::zeroed`], [`DeviceBuffer::similar`]. A buffer may have no elements |
//! | `cudaMallocHost` | [`PinnedBuffer::zeroed`](crate::PinnedBuffer::zeroed) |
//! | `cudaMallocPitch` | [`PitchedBuffer::zeroed`], [`PitchedBuffer::uninitialized`] |
//! | `cudaMallocArray` | [`CudaArray::zeroed`](crate::CudaArray::zeroed) |
//! | `cudaFree` | dropping a [`DeviceBuffer`], a [`PitchedBuffer`] or a [`ManagedBuffer`](crate::ManagedBuffer) |
//! | `cudaFreeHost` | dropping a [`PinnedBuffer`](crate::PinnedBuffer) |
//! | `cudaFreeArray` | dropping a [`CudaArray`](crate::CudaArray) |
//! | `cudaFreeMipmappedArray` | dropping a [`CudaArray`](crate::CudaArray) |
//! | `cudaHostAlloc` | [`PinnedBuffer::zeroed_with`](crate::PinnedBuffer::zeroed_with), [`PinnedOptions`](crate::PinnedOptions) |
//! | `cudaHostRegister` | [`PinnedBuffer::from_vec`](crate::PinnedBuffer::from_vec), [`PinnedBuffer::scope`](crate::PinnedBuffer::scope); with flags, [`PinnedBuffer::from_vec_with`](crate::PinnedBuffer::from_vec_with), [`PinnedBuffer::scope_with`](crate::PinnedBuffer::scope_with), [`PinnedBuffer::scope_read_only`](crate::PinnedBuffer::scope_read_only), [`PinnedBuffer::scope_io`](crate::PinnedBuffer::scope_io) |
//! | `cudaHostUnregister` | [`PinnedBuffer::into_vec`](crate::PinnedBuffer::into_vec), dropping a [`PinnedBuffer`](crate::PinnedBuffer), the end of [`PinnedBuffer::scope`](crate::PinnedBuffer::scope) |
//! | `cudaHostGetDevicePointer` | passing a [`PinnedBuffer`](crate::PinnedBuffer) to a kernel; [`PinnedBuffer::device_address`](crate::PinnedBuffer::device_address) |
//! | `cudaHostGetFlags` | [`PinnedBuffer::options`](crate::PinnedBuffer::options) |
//! | `cudaMalloc3D` | [`PitchedBuffer::zeroed`] with three dimensions |
//! | `cudaMalloc3DArray` | [`CudaArray::zeroed`](crate::CudaArray::zeroed); with `cudaArraySparse`, [`CudaArray::sparse`](crate::CudaArray::sparse), with `cudaArrayDeferredMapping`, [`CudaArray::deferred`](crate::CudaArray::deferred) |
//! | `cudaMallocMipmappedArray` | [`CudaArray::zeroed_with_levels`](crate::CudaArray::zeroed_with_levels). The driver makes fewer levels if there are too many; here that is an error, so that an array has the levels that were asked for |
//! | `cudaGetMipmappedArrayLevel` | the `level` methods of [`CudaArray`](crate::CudaArray), such as [`level_to_vec`](crate::CudaArray::level_to_vec) |
//! | `cudaMemcpy3D` | as `cudaMemcpy2D`, with three dimensions or more: [`PitchedViewMut::copy_from_host`] |
//! | `cudaMemcpy3DPeer` | [`PitchedViewMut::copy_from_view`] from memory of another device |
//! | `cudaMemcpy3DAsync` | as `cudaMemcpy2DAsync`, with three dimensions or more: [`PitchedViewMut::copy_from_view_on`] |
//! | `cudaMemcpy3DPeerAsync` | [`PitchedViewMut::copy_from_view_on`] from memory of another device |
//! | `cudaMemGetInfo` | [`Device::free_memory`], [`Device::total_memory`] |
//! | `cudaArrayGetInfo` | [`CudaArray::info`](crate::CudaArray::info) |
//! | `cudaArrayGetPlane` | [`CudaArray::plane`](crate::CudaArray::plane). Ptyx makes no arrays of several planes (NV12 and the like), so it is `CUDA_ERROR_INVALID_VALUE` for those that it makes |
//! | `cudaArrayGetMemoryRequirements` | [`CudaArray::memory_requirements`](crate::CudaArray::memory_requirements), for arrays from [`CudaArray::deferred`](crate::CudaArray::deferred); for others it is `CUDA_ERROR_INVALID_VALUE` |
//! | `cudaMipmappedArrayGetMemoryRequirements` | [`CudaArray::memory_requirements`](crate::CudaArray::memory_requirements), for arrays from [`CudaArray::deferred_with_levels`](crate::CudaArray::deferred_with_levels); for others it is `CUDA_ERROR_INVALID_VALUE` |
//! | `cudaArrayGetSparseProperties` | [`CudaArray::sparse_properties`](crate::CudaArray::sparse_properties), for arrays from [`CudaArray::sparse`](crate::CudaArray::sparse); for others it is `CUDA_ERROR_INVALID_VALUE` |
//! | `cudaMipmappedArrayGetSparseProperties` | [`CudaArray::sparse_properties`](crate::CudaArray::sparse_properties), for arrays from [`CudaArray::sparse_with_levels`](crate::CudaArray::sparse_with_levels); for others it is `CUDA_ERROR_INVALID_VALUE` |
//! | `cudaMemcpy` | [`DeviceBuffer::copy_from_slice`], [`DeviceBuffer::copy_to_slice`], [`DeviceBuffer::copy_from_buffer`] |
//! | `cudaMemcpyPeer` | [`DeviceBuffer::copy_from_buffer`] from a buffer of another device |
//! | `cudaMemcpy2D` | [`PitchedViewMut::copy_from_host`], [`PitchedView::copy_to_host`], [`PitchedViewMut::copy_from_view`], with boxes of [`PitchedBuffer::part`] and [`DeviceView::part`] |
//! | `cudaMemcpy2DToArray` | [`CudaArray::copy_from_slice`](crate::CudaArray::copy_from_slice), [`CudaArray::copy_part_from_host`](crate::CudaArray::copy_part_from_host) |
//! | `cudaMemcpy2DFromArray` | [`CudaArray::copy_to_slice`](crate::CudaArray::copy_to_slice), [`CudaArray::copy_part_to_host`](crate::CudaArray::copy_part_to_host) |
//! | `cudaMemcpy2DArrayToArray` | [`CudaArray::copy_part_from_array_on`](crate::CudaArray::copy_part_from_array_on) |
//! | `cudaMemcpyAsync` | [`DeviceBuffer::copy_from_pinned_on`], [`DeviceBuffer::copy_to_pinned_on`], [`DeviceBuffer::copy_from_buffer_on`] |
//! | `cudaMemcpyPeerAsync` | [`DeviceBuffer::copy_from_buffer_on`] from a buffer of another device |
//! | `cudaMemcpy2DAsync` | [`PitchedViewMut::copy_from_pinned_on`], [`PitchedView::copy_to_pinned_on`], [`PitchedViewMut::copy_from_view_on`] |
//! | `cudaMemcpy2DToArrayAsync` | [`CudaArray::copy_from_buffer_on`](crate::CudaArray::copy_from_buffer_on), [`CudaArray::copy_part_from_view_on`](crate::CudaArray::copy_part_from_view_on) |
//! | `cudaMemcpy2DFromArrayAsync` | [`CudaArray::copy_to_buffer_on`](crate::CudaArray::copy_to_buffer_on), [`CudaArray::copy_part_to_view_on`](crate::CudaArray::copy_part_to_view_on) |
//! | `cudaMemset` | [`DeviceBuffer::fill`] |
//! | `cudaMemset2D` | [`PitchedViewMut::fill`], [`PitchedViewMut::zero`] |
//! | `cudaMemset3D` | [`PitchedViewMut::fill`], [`PitchedViewMut::zero`] with three dimensions |
//! | `cudaMemsetAsync` | [`DeviceBuffer::fill_on`], [`DeviceBuffer::zero_on`] |
//! | `cudaMemset2DAsync` | [`PitchedViewMut::fill_on`], [`PitchedViewMut::zero_on`] |
//! | `cudaMemset3DAsync` | [`PitchedViewMut::fill_on`], [`PitchedViewMut::zero_on`] with three dimensions |
//! | `cudaMemPrefetchAsync` | [`ManagedBuffer::prefetch_on`](crate::ManagedBuffer::prefetch_on) |
//! | `cudaMemAdvise` | [`ManagedBuffer::advise`](crate::ManagedBuffer::advise) |
//! | `cudaMemRangeGetAttribute` | [`ManagedBuffer::attributes`](crate::ManagedBuffer::attributes) |
//! | `cudaMemRangeGetAttributes` | [`ManagedBuffer::attributes`](crate::ManagedBuffer::attributes) |
//! | `make_cudaPitchedPtr` | nothing to do: no such struct is passed |
//! | `make_cudaPos` | nothing to do: positions are ranges and tuples |
//! | `make_cudaExtent` | nothing to do: shapes are arrays and tuples |
//!
//! ## Stream Ordered Memory Allocator
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaMallocAsync` | [`DeviceBuffer::uninitialized_on`], [`DeviceBuffer::zeroed_on`]; on a captured stream, an allocation node |
//! | `cudaFreeAsync` | dropping a [`DeviceBuffer`]; of a captured stream, a free node |
//! | `cudaMemPoolTrimTo` | [`MemoryPool::trim`](crate::MemoryPool::trim) |
//! | `cudaMemPoolSetAttribute` | [`MemoryPool::set_release_threshold`](crate::MemoryPool::set_release_threshold), [`MemoryPool::reset_peaks`](crate::MemoryPool::reset_peaks), [`MemoryPool::set_reuse`](crate::MemoryPool::set_reuse) |
//! | `cudaMemPoolGetAttribute` | [`MemoryPool::statistics`](crate::MemoryPool::statistics), [`MemoryPool::release_threshold`](crate::MemoryPool::release_threshold), [`MemoryPool::reuse`](crate::MemoryPool::reuse) |
//! | `cudaMemPoolSetAccess` | [`MemoryPool::set_access`](crate::MemoryPool::set_access) |
//! | `cudaMemPoolGetAccess` | [`MemoryPool::access`](crate::MemoryPool::access) |
//! | `cudaMemPoolCreate` | [`MemoryPool::new`](crate::MemoryPool::new) |
//! | `cudaMemPoolDestroy` | dropping the last clone of a [`MemoryPool`](crate::MemoryPool) |
//! | `cudaMallocFromPoolAsync` | [`DeviceBuffer::zeroed_in`] |
//! | `cudaMemPoolExportToShareableHandle` | [`MemoryPool::export`](crate::MemoryPool::export), of a [`MemoryPool::shareable`](crate::MemoryPool::shareable) |
//! | `cudaMemPoolImportFromShareableHandle` | [`ImportedPool::import`](crate::ImportedPool::import) |
//! | `cudaMemPoolExportPointer` | [`DeviceBuffer::share_in_pool`] |
//! | `cudaMemPoolImportPointer` | [`DeviceBuffer::open_in`] |
//!
//! ## Unified Addressing
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaPointerGetAttributes` | [`PointerAttributes::of`](crate::PointerAttributes::of) |
//!
//! ## Peer Device Memory Access
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaDeviceCanAccessPeer` | [`Device::can_access_peer`] |
//! | `cudaDeviceEnablePeerAccess` | [`Device::enable_peer_access`]; the first use of another device's buffer does it, too |
//! | `cudaDeviceDisablePeerAccess` | [`Device::disable_peer_access`] |
//!
//! ## Graph Management
//!
//! From the manual of 12.3, where graphs are complete; of each family of functions, the usual ones.
//!
//! | CUDA runtime API | Ptyx |
//! |---|---|
//! | `cudaGraphCreate` | [`Graph::new`] |
//! | `cudaGraphDestroy` | dropping a [`Graph`] |
//! | `cudaGraphClone` | [`Graph::try_clone`] |
//! | `cudaGraphGetNodes` | [`Graph::nodes`] |
//! | `cudaGraphGetEdges` | [`Graph::edges`] |
//! | `cudaGraphNodeGetType` | [`Graph::kind`] |
//! | `cudaGraphAddNode` | [`Graph::add_node`] |
//! | `cudaGraphAddKernelNode` | [`Graph::add_node`] with a launch |
//! | `cudaGraphAddMemcpyNode` | [`Graph::add_node`] with a copy of a buffer or a box; from and to the host, of a [`StagingBuffer`](crate::StagingBuffer) |
//! | `cudaGraphAddMemsetNode` | [`Graph::add_node`] with a fill |
//! | `cudaGraphAddHostNode` | [`Graph::add_node`] with [`Stream::on_host_each`] |
//! | `cudaGraphAddEventRecordNode` | [`Graph::add_node`] with [`Event::record_each`] |
//! | `cudaGraphAddEventWaitNode` | [`Graph::add_node`] with [`Stream::wait_each`] |
//! | `cudaGraphAddEmptyNode` | [`Graph::add_empty`] |
//! | `cudaGraphAddChildGraphNode` | [`Graph::add`] |
//! | `cudaGraphAddMemAllocNode` | [`Graph::with_scratch`]; in a capture, [`DeviceBuffer::zeroed_on`] |
//! | `cudaGraphAddMemFreeNode` | [`Graph::with_scratch`]: the end of the closure; in a capture, dropping the buffer |
//! | `cudaGraphAddDependencies` | the nodes that [`Graph::add_node`] is to come after |
//! | `cudaGraphConditionalHandleCreate` | [`Graph::add_if`], [`Graph::add_if_else`], [`Graph::add_switch`], [`Graph::add_while`] |
//! | `cudaGraphInstantiate` | [`Graph::instantiate`] |
//! | `cudaGraphExecUpdate` | [`GraphExec::update`](crate::GraphExec::update) |
//! | `cudaGraphExecNodeSetParams` | [`GraphExec::set_node`](crate::GraphExec::set_node) |
//! | `cudaGraphNodeSetEnabled` | [`GraphExec::set_enabled`](crate::GraphExec::set_enabled) |
//! | `cudaGraphNodeGetEnabled` | [`GraphExec::is_enabled`](crate::GraphExec::is_enabled) |
//! | `cudaGraphUpload` | [`GraphExec::upload`](crate::GraphExec::upload) |
//! | `cudaGraphLaunch` | [`GraphExec::launch`](crate::GraphExec::launch) |
//! | `cudaGraphExecDestroy` | dropping a [`GraphExec`](crate::GraphExec) |
//! | `cudaGraphDebugDotPrint` | [`Graph::dot`] |

#[cfg(doc)]
use crate::{
    Device, DeviceBuffer, DeviceView, Event, Function, Graph, PitchedBuffer, PitchedView,
    PitchedViewMut, Stream,
};

#[cfg(test)]
mod tests {
    /// The functions of the runtime API (11.8), in the order of its manual; those about graphs at the end.
    const FUNCTIONS: [&str; 185] = [
        "cudaProfilerStart",
        "cudaProfilerStop",
        "cudaDeviceReset",
        "cudaDeviceSynchronize",
        "cudaDeviceSetLimit",
        "cudaDeviceGetLimit",
        "cudaDeviceGetTexture1DLinearMaxWidth",
        "cudaDeviceGetCacheConfig",
        "cudaDeviceGetStreamPriorityRange",
        "cudaDeviceSetCacheConfig",
        "cudaDeviceGetSharedMemConfig",
        "cudaDeviceSetSharedMemConfig",
        "cudaDeviceGetByPCIBusId",
        "cudaDeviceGetPCIBusId",
        "cudaIpcGetEventHandle",
        "cudaIpcOpenEventHandle",
        "cudaIpcGetMemHandle",
        "cudaIpcOpenMemHandle",
        "cudaIpcCloseMemHandle",
        "cudaDeviceFlushGPUDirectRDMAWrites",
        "cudaGetDeviceCount",
        "cudaGetDeviceProperties",
        "cudaDeviceGetAttribute",
        "cudaDeviceGetDefaultMemPool",
        "cudaDeviceSetMemPool",
        "cudaDeviceGetMemPool",
        "cudaDeviceGetNvSciSyncAttributes",
        "cudaDeviceGetP2PAttribute",
        "cudaChooseDevice",
        "cudaSetDevice",
        "cudaGetDevice",
        "cudaSetDeviceFlags",
        "cudaGetDeviceFlags",
        "cudaGetLastError",
        "cudaPeekAtLastError",
        "cudaGetErrorName",
        "cudaGetErrorString",
        "cudaStreamCallback_t",
        "cudaStreamCreate",
        "cudaStreamCreateWithFlags",
        "cudaStreamCreateWithPriority",
        "cudaStreamGetPriority",
        "cudaStreamGetFlags",
        "cudaCtxResetPersistingL2Cache",
        "cudaStreamCopyAttributes",
        "cudaStreamGetAttribute",
        "cudaStreamSetAttribute",
        "cudaStreamDestroy",
        "cudaStreamWaitEvent",
        "cudaStreamAddCallback",
        "cudaStreamSynchronize",
        "cudaStreamQuery",
        "cudaStreamAttachMemAsync",
        "cudaStreamBeginCapture",
        "cudaThreadExchangeStreamCaptureMode",
        "cudaStreamEndCapture",
        "cudaStreamIsCapturing",
        "cudaStreamGetCaptureInfo",
        "cudaStreamGetCaptureInfo_v2",
        "cudaStreamUpdateCaptureDependencies",
        "cudaEventCreate",
        "cudaEventCreateWithFlags",
        "cudaEventRecord",
        "cudaEventRecordWithFlags",
        "cudaEventQuery",
        "cudaEventSynchronize",
        "cudaEventDestroy",
        "cudaEventElapsedTime",
        "cudaImportExternalMemory",
        "cudaExternalMemoryGetMappedBuffer",
        "cudaExternalMemoryGetMappedMipmappedArray",
        "cudaDestroyExternalMemory",
        "cudaImportExternalSemaphore",
        "cudaSignalExternalSemaphoresAsync",
        "cudaWaitExternalSemaphoresAsync",
        "cudaDestroyExternalSemaphore",
        "cudaFuncSetCacheConfig",
        "cudaFuncSetSharedMemConfig",
        "cudaFuncGetAttributes",
        "cudaFuncSetAttribute",
        "cudaSetDoubleForDevice",
        "cudaSetDoubleForHost",
        "cudaLaunchHostFunc",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        "cudaOccupancyAvailableDynamicSMemPerBlock",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "cudaMallocManaged",
        "cudaMalloc",
        "cudaMallocHost",
        "cudaMallocPitch",
        "cudaMallocArray",
        "cudaFree",
        "cudaFreeHost",
        "cudaFreeArray",
        "cudaFreeMipmappedArray",
        "cudaHostAlloc",
        "cudaHostRegister",
        "cudaHostUnregister",
        "cudaHostGetDevicePointer",
        "cudaHostGetFlags",
        "cudaMalloc3D",
        "cudaMalloc3DArray",
        "cudaMallocMipmappedArray",
        "cudaGetMipmappedArrayLevel",
        "cudaMemcpy3D",
        "cudaMemcpy3DPeer",
        "cudaMemcpy3DAsync",
        "cudaMemcpy3DPeerAsync",
        "cudaMemGetInfo",
        "cudaArrayGetInfo",
        "cudaArrayGetPlane",
        "cudaArrayGetMemoryRequirements",
        "cudaMipmappedArrayGetMemoryRequirements",
        "cudaArrayGetSparseProperties",
        "cudaMipmappedArrayGetSparseProperties",
        "cudaMemcpy",
        "cudaMemcpyPeer",
        "cudaMemcpy2D",
        "cudaMemcpy2DToArray",
        "cudaMemcpy2DFromArray",
        "cudaMemcpy2DArrayToArray",
        "cudaMemcpyAsync",
        "cudaMemcpyPeerAsync",
        "cudaMemcpy2DAsync",
        "cudaMemcpy2DToArrayAsync",
        "cudaMemcpy2DFromArrayAsync",
        "cudaMemset",
        "cudaMemset2D",
        "cudaMemset3D",
        "cudaMemsetAsync",
        "cudaMemset2DAsync",
        "cudaMemset3DAsync",
        "cudaMemPrefetchAsync",
        "cudaMemAdvise",
        "cudaMemRangeGetAttribute",
        "cudaMemRangeGetAttributes",
        "make_cudaPitchedPtr",
        "make_cudaPos",
        "make_cudaExtent",
        "cudaMallocAsync",
        "cudaFreeAsync",
        "cudaMemPoolTrimTo",
        "cudaMemPoolSetAttribute",
        "cudaMemPoolGetAttribute",
        "cudaMemPoolSetAccess",
        "cudaMemPoolGetAccess",
        "cudaMemPoolCreate",
        "cudaMemPoolDestroy",
        "cudaMallocFromPoolAsync",
        "cudaMemPoolExportToShareableHandle",
        "cudaMemPoolImportFromShareableHandle",
        "cudaMemPoolExportPointer",
        "cudaMemPoolImportPointer",
        "cudaPointerGetAttributes",
        "cudaDeviceCanAccessPeer",
        "cudaDeviceEnablePeerAccess",
        "cudaDeviceDisablePeerAccess",
        "cudaGraphCreate",
        "cudaGraphDestroy",
        "cudaGraphClone",
        "cudaGraphGetNodes",
        "cudaGraphGetEdges",
        "cudaGraphNodeGetType",
        "cudaGraphAddNode",
        "cudaGraphAddKernelNode",
        "cudaGraphAddMemcpyNode",
        "cudaGraphAddMemsetNode",
        "cudaGraphAddHostNode",
        "cudaGraphAddEventRecordNode",
        "cudaGraphAddEventWaitNode",
        "cudaGraphAddEmptyNode",
        "cudaGraphAddChildGraphNode",
        "cudaGraphAddMemAllocNode",
        "cudaGraphAddMemFreeNode",
        "cudaGraphAddDependencies",
        "cudaGraphConditionalHandleCreate",
        "cudaGraphInstantiate",
        "cudaGraphExecUpdate",
        "cudaGraphExecNodeSetParams",
        "cudaGraphNodeSetEnabled",
        "cudaGraphNodeGetEnabled",
        "cudaGraphUpload",
        "cudaGraphLaunch",
        "cudaGraphExecDestroy",
        "cudaGraphDebugDotPrint",
    ];

    /// `(function, what to use instead)` of each row.
    fn rows() -> Vec<(&'static str, &'static str)> {
        let rows = include_str!("runtime_api.rs").lines().filter_map(|line| {
            let cells = line.strip_prefix("//! | `")?;
            cells.strip_suffix(" |")?.split_once("` | ")
        });
        rows.collect()
    }

    #[test]
    fn every_function_has_its_row() {
        let names: Vec<&str> = rows().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, FUNCTIONS);
    }

    /// `tests/house/tests/runtime_api.rs` checks that what the links name exists.
    #[test]
    fn every_row_names_what_there_is() {
        for (name, target) in rows() {
            let says_why = target.starts_with("nothing to do: ");
            assert!(says_why || target.contains("[`"), "`{name}`: {target}");
        }
    }
}
