//! The CUDA driver's functions, served by the emulated device.
//!
//! [`symbol`] gives functions with the C ABI, the exact names (such as `cuMemAlloc_v2`) and signatures
//! of `libcuda.so`, and its result codes. Where the device differs from a GPU:
//!
//! - Work runs inside the call that submits it, in order, and its stream is idle afterwards. Calls of other
//!   host threads run concurrently; those that need the same stream wait. With `PTYX_EMULATOR_ASYNC=1`, work is put
//!   off instead: see `later`.
//! - A kernel's fault is kept. The next call that waits for that kernel, or launches after it, returns the
//!   fault, once. Then the context is usable again, where a GPU's would be lost. With
//!   `PTYX_EMULATOR_STICKY_ERRORS=1` it is lost here, too: every later call returns the same error.
//! - A kernel that runs endlessly is ended: see `PTYX_EMULATOR_STEPS`.
//! - Device pointers are invented addresses that differ from all host addresses, even for mapped host memory; managed memory
//!   has the host's own addresses.
//!   Each of several devices (`PTYX_EMULATOR_DEVICES`) has its own; a kernel can access another's with peer access only.
//! - The register count of a kernel is an estimate: see `registers`.
//! - Addresses are never reused, and newly allocated memory holds zeros.
//! - Kernels' printed text appears at the next call that synchronises.

mod architecture;
mod array;
mod capturing;
mod code;
mod context;
mod context_settings;
mod copy;
mod device;
mod fatbin;
mod graph;
mod graphs;
mod handle;
mod host_function;
mod injected;
mod ipc;
mod jit;
mod later;
mod launch;
mod limit;
mod link;
mod managed;
mod memory;
mod module;
mod object;
mod occupancy;
mod peer;
mod pointer;
mod pool;
mod pools;
mod properties;
mod ranges;
mod registers;
mod running;
mod semaphore;
mod sparse;
mod state;
mod stream;
mod stream_attributes;
mod tensor;
mod texture;
mod virtual_memory;
mod work;

use ptyx_driver_api::for_each_driver_function;
use std::ffi::c_void;

/// The types of the list of functions. A handle is a number here, with the layout of the driver's pointer.
mod abi {
    pub(super) use super::code::Code as CUresult;
    pub(super) use super::handle::Handle as CUcontext;
    pub(super) use CUcontext as CUarray;
    pub(super) use CUcontext as CUevent;
    pub(super) use CUcontext as CUexternalMemory;
    pub(super) use CUcontext as CUexternalSemaphore;
    pub(super) use CUcontext as CUfunction;
    pub(super) use CUcontext as CUgraph;
    pub(super) use CUcontext as CUgraphExec;
    pub(super) use CUcontext as CUgraphNode;
    pub(super) use CUcontext as CUlinkState;
    pub(super) use CUcontext as CUmemoryPool;
    pub(super) use CUcontext as CUmipmappedArray;
    pub(super) use CUcontext as CUmodule;
    pub(super) use CUcontext as CUstream;
    pub(super) use ptyx_driver_api::{
        CUarray_format, CUarray3DDescriptor, CUarrayDescriptor, CUarrayMapInfo,
        CUarrayMemoryRequirements, CUarraySparseProperties, CUdevice, CUdevice_P2PAttribute,
        CUdevice_attribute, CUdeviceptr, CUexternalMemoryBufferDesc, CUexternalMemoryHandleDesc,
        CUexternalMemoryMipmappedArrayDesc, CUexternalSemaphoreHandleDesc,
        CUexternalSemaphoreParams, CUflushGPUDirectRDMAWritesScope,
        CUflushGPUDirectRDMAWritesTarget, CUfunction_attribute, CUgraphExecUpdateResultInfo,
        CUgraphNodeParams, CUgraphNodeType, CUhostFn, CUhostNodeParams, CUipcEventHandle,
        CUipcMemHandle, CUjit_option, CUkernelNodeParams, CUlaunchAttributeID, CUlaunchConfig,
        CUlimit, CUmem_advise, CUmem_range_attribute, CUmemAccess_flags, CUmemAccessDesc,
        CUmemAllocationGranularity_flags, CUmemAllocationHandleType, CUmemAllocationProp,
        CUmemGenericAllocationHandle, CUmemLocation, CUmemPool_attribute, CUmemPoolPtrExportData,
        CUmemcpy2D, CUmemcpy3D, CUmemsetNodeParams, CUpointer_attribute, CUresourceDescriptor,
        CUstreamAttrValue, CUstreamCallback, CUstreamCaptureMode, CUstreamCaptureStatus,
        CUsurfObject, CUtensorMap, CUtensorMapDataType, CUtensorMapFloatOOBfill,
        CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle, CUtexObject,
        CUtextureDescriptor, SharedForThreads,
    };
    pub(super) use std::ffi::{c_char, c_int, c_uint, c_void};
}

/// What the functions do: each under its symbol, in Rust.
mod bodies {
    pub(super) use super::{
        array::*, code::*, context::*, context_settings::*, copy::*, device::*, graph::*,
        host_function::*, ipc::*, launch::*, limit::*, link::*, managed::*, memory::*, module::*,
        occupancy::*, peer::*, pointer::*, pool::*, semaphore::*, sparse::*, stream::*,
        stream_attributes::*, tensor::*, texture::*, virtual_memory::*,
    };
}

macro_rules! define_entries {
    (
        required { $($rname:ident: $rsymbol:ident($($rarg:ident: $rty:ty),*);)* }
        optional { $($oname:ident: $osymbol:ident($($oarg:ident: $oty:ty),*);)* }
        only_cuda { $($cuda:tt)* }
        only_emulated { $($ename:ident: $esymbol:ident($($earg:ident: $ety:ty),*);)* }
    ) => {
        define_entries! {
            $($rsymbol($($rarg: $rty),*);)*
            $($osymbol($($oarg: $oty),*);)*
            $($esymbol($($earg: $ety),*);)*
        }
    };
    ($($symbol:ident($($arg:ident: $ty:ty),*);)*) => {
        /// The entry points: each has the C ABI, and calls its body.
        // The driver's functions have their names, and as many arguments.
        #[allow(non_snake_case, clippy::too_many_arguments)]
        mod entries {
            use super::abi::*;

            $(pub(super) extern "C" fn $symbol($($arg: $ty),*) -> CUresult {
                super::injected::call(stringify!($symbol), &|| super::bodies::$symbol($($arg),*))
            })*
        }

        /// Every entry point by its name.
        static FUNCTIONS: &[(&str, Function)] = &[
            $((stringify!($symbol), Function(entries::$symbol as *const c_void))),*
        ];
    };
}
for_each_driver_function!(define_entries);

/// The driver function of that name, as `dlsym` on `libcuda.so.1` would give it; `None` if the emulated
/// device lacks it.
pub fn symbol(name: &str) -> Option<*const c_void> {
    let found = FUNCTIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, Function(pointer))| *pointer)
}

/// The report on the last failure that a function returned to this thread, or if there is none, to any
/// thread. Each report is returned once. It has what happened, the address, the nearest allocation, kernel,
/// block, thread, PTX instruction and source line.
pub fn take_fault() -> Option<String> {
    state::take_report()
}

pub use crate::settings::{BadSetting, check_settings};
pub use injected::{Live, calls_made, during_fork, fail_calls, live};

/// A function's address.
#[derive(Clone, Copy)]
struct Function(*const c_void);

// SAFETY: it points at code, which may be called from every thread.
unsafe impl Sync for Function {}
