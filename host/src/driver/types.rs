//! The driver's types and constants, as `cuda.h` has them; only what Ptyx uses.

use core::ffi::{c_int, c_void};
use core::fmt;

/// How much dynamic shared memory a block of so many threads needs.
pub(crate) type SharedForThreads = extern "C" fn(c_int) -> usize;

/// A driver result code; 0 is success.
pub(crate) type CUresult = u32;
/// A device's ordinal.
pub(crate) type CUdevice = c_int;
/// An address in device memory.
pub(crate) type CUdeviceptr = u64;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub(crate) struct $name(pub(crate) *mut c_void);

        impl $name {
            /// No object; as a stream, the default one.
            pub(crate) const NULL: $name = $name(core::ptr::null_mut());
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:p}", self.0)
            }
        }

        // SAFETY: the handle is only passed back to the driver, which may be called from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )*};
}

handles! {
    /// A context.
    CUcontext;
    /// A stream.
    CUstream;
    /// An event.
    CUevent;
    /// A loaded module.
    CUmodule;
    /// An entry of a loaded module.
    CUfunction;
    /// A linker's state.
    CUlinkState;
    /// A pool of stream-ordered memory.
    CUmemoryPool;
}

/// Success.
pub(crate) const CUDA_SUCCESS: CUresult = 0;
/// There is no device.
pub(crate) const CUDA_ERROR_NO_DEVICE: CUresult = 100;
/// An argument is out of range.
pub(crate) const CUDA_ERROR_INVALID_VALUE: CUresult = 1;
/// Memory is exhausted.
pub(crate) const CUDA_ERROR_OUT_OF_MEMORY: CUresult = 2;
/// The assembler refused PTX.
pub(crate) const CUDA_ERROR_INVALID_PTX: CUresult = 218;
/// The driver does not know the PTX version.
pub(crate) const CUDA_ERROR_UNSUPPORTED_PTX_VERSION: CUresult = 222;
/// A symbol was not found in a module.
pub(crate) const CUDA_ERROR_NOT_FOUND: CUresult = 500;
/// Work is still pending: no error.
pub(crate) const CUDA_ERROR_NOT_READY: CUresult = 600;
/// A launch asks for more than the device has.
pub(crate) const CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: CUresult = 701;
/// The function does not exist in this driver or on this device.
pub(crate) const CUDA_ERROR_NOT_SUPPORTED: CUresult = 801;

/// A load or store of a kernel outside of all memory.
pub(crate) const CUDA_ERROR_ILLEGAL_ADDRESS: CUresult = 700;
/// A thread's stack overflowed, or was damaged.
pub(crate) const CUDA_ERROR_HARDWARE_STACK_ERROR: CUresult = 714;
/// A jump or a call to where no code is.
pub(crate) const CUDA_ERROR_INVALID_PC: CUresult = 718;

/// Results that mean that a kernel went wrong after its launch had succeeded.
pub(crate) fn is_fault(code: CUresult) -> bool {
    matches!(code, 214 | 700 | 702 | 710 | 714..=719)
}

/// `cuCtxGetLimit`: bytes of stack of each thread.
pub(crate) const CU_LIMIT_STACK_SIZE: u32 = 0;
/// `cuCtxGetLimit`: bytes of the heap of kernels.
pub(crate) const CU_LIMIT_MALLOC_HEAP_SIZE: u32 = 2;

/// `cuStreamCreate`: no implicit synchronisation with the default stream.
pub(crate) const CU_STREAM_NON_BLOCKING: u32 = 1;
/// `cuEventCreate`: no time stamp, cheaper.
pub(crate) const CU_EVENT_DISABLE_TIMING: u32 = 2;
/// `cuMemHostAlloc`: pinned for every context.
pub(crate) const CU_MEMHOSTALLOC_PORTABLE: u32 = 1;
/// `cuMemHostAlloc`: mapped into the device's address space.
pub(crate) const CU_MEMHOSTALLOC_DEVICEMAP: u32 = 2;
/// `cuMemPoolSetAttribute`: bytes that a pool keeps when a synchronisation finds them free.
pub(crate) const CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: u32 = 4;

/// `cuModuleLoadDataEx`: the buffer of the information log.
pub(crate) const CU_JIT_INFO_LOG_BUFFER: u32 = 3;
/// `cuModuleLoadDataEx`: the size of that buffer.
pub(crate) const CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: u32 = 4;
/// `cuModuleLoadDataEx`: the buffer of the error log.
pub(crate) const CU_JIT_ERROR_LOG_BUFFER: u32 = 5;
/// `cuModuleLoadDataEx`: the size of that buffer.
pub(crate) const CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: u32 = 6;
/// `cuModuleLoadDataEx`: keep all debug information, and do not optimise.
pub(crate) const CU_JIT_GENERATE_DEBUG_INFO: u32 = 11;
/// `cuModuleLoadDataEx`: keep the source lines.
pub(crate) const CU_JIT_GENERATE_LINE_INFO: u32 = 13;

/// `cuFuncGetAttribute`: the largest block that the function can be launched with.
pub(crate) const CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: u32 = 0;
/// Bytes of static shared memory.
pub(crate) const CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: u32 = 1;
/// Bytes of constant memory.
pub(crate) const CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: u32 = 2;
/// Bytes of local memory of each thread.
pub(crate) const CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: u32 = 3;
/// Registers of each thread.
pub(crate) const CU_FUNC_ATTRIBUTE_NUM_REGS: u32 = 4;
/// PTX version, times ten.
pub(crate) const CU_FUNC_ATTRIBUTE_PTX_VERSION: u32 = 5;
/// Architecture of the machine code, times ten.
pub(crate) const CU_FUNC_ATTRIBUTE_BINARY_VERSION: u32 = 6;
/// Bytes of dynamic shared memory that a launch may ask for.
pub(crate) const CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: u32 = 8;
