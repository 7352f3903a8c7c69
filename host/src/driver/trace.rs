//! How arguments of driver calls look in the trace log (`PTYX_TRACE=1`), and what they mean to a profile.

use super::types::*;
use core::ffi::{CStr, c_char, c_void};
use std::time::Duration;

/// An argument that the trace log can print.
///
/// Pointers that the driver writes through show the value behind them once the call has
/// succeeded.
pub(crate) trait Show {
    /// The argument as text; `done` says that the call succeeded.
    fn show(&self, done: bool) -> String;

    /// What a profile needs to know of it.
    fn value(&self) -> Value {
        Value::Other
    }
}

/// An argument of a call that submits work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Number(u64),
    Stream(CUstream),
    Function(CUfunction),
    Graph(CUgraphExec),
    Launch(CUlaunchConfig),
    Copy3D(CUmemcpy3D),
    Other,
}

macro_rules! show_values {
    ($($ty:ty),*) => {$(
        impl Show for $ty {
            fn show(&self, _done: bool) -> String {
                format!("{self:?}")
            }
        }
    )*};
}
show_values!(u8, u16, i32, CUcontext, CUevent, CUmodule);
show_values!(CUmemoryPool, *const c_void, *mut c_void, *mut *mut c_void, *mut *const c_char);
show_values!(
    *mut u32,
    *mut [u8; 16],
    *mut [u8; 8],
    CUlinkState,
    Option<SharedForThreads>,
    Option<CUstreamCallback>,
    Option<CUhostFn>,
    *mut CUstreamAttrValue,
    *const CUstreamAttrValue
);
show_values!(*const u64, *const u32, *const i32, *mut CUtensorMap);
show_values!(CUarray, CUmipmappedArray, *const CUarray3DDescriptor, *mut CUarray3DDescriptor);
show_values!(CUgraph, CUgraphNode, *const CUgraphNode, *mut *const CUgraphNode);
show_values!(*mut CUgraphNode, *mut CUgraphExecUpdateResultInfo, *mut CUgraphNodeParams);
show_values!(*mut CUkernelNodeParams, *mut CUmemcpy3D, *mut CUmemsetNodeParams);
show_values!(*mut CUhostNodeParams);
show_values!(*const CUmemAccessDesc, *mut CUmemLocation);
show_values!(*const CUmemAllocationProp, *mut CUmemPoolPtrExportData);
show_values!(*mut CUipcMemHandle, CUipcMemHandle, *mut CUipcEventHandle, CUipcEventHandle);
show_values!(CUexternalMemory, CUexternalSemaphore, *const CUexternalSemaphore);
show_values!(*const CUexternalMemoryHandleDesc, *const CUexternalMemoryBufferDesc);
show_values!(*const CUexternalMemoryMipmappedArrayDesc, *const CUexternalSemaphoreHandleDesc);
show_values!(*const CUexternalSemaphoreParams);
show_values!(*mut CUarrayMemoryRequirements, *mut CUarraySparseProperties);
show_values!(*mut CUarrayMapInfo);
show_values!(*const CUresourceDescriptor, *const CUtextureDescriptor);

macro_rules! show_with_value {
    ($($ty:ty => |$argument:ident| $value:expr;)*) => {$(
        impl Show for $ty {
            fn show(&self, _done: bool) -> String {
                format!("{self:?}")
            }

            fn value(&self) -> Value {
                let $argument = *self;
                $value
            }
        }
    )*};
}
show_with_value! {
    u32 => |number| Value::Number(number.into());
    usize => |number| Value::Number(number as u64);
    CUstream => |stream| Value::Stream(stream);
    CUfunction => |function| Value::Function(function);
    CUgraphExec => |graph| Value::Graph(graph);
    // SAFETY: every argument of this type in the function list points to a structure.
    *const CUmemcpy3D => |copy| Value::Copy3D(unsafe { *copy });
}

impl Show for *const CUlaunchConfig {
    fn show(&self, _done: bool) -> String {
        // SAFETY: every argument of this type in the function list points to a structure with its attributes.
        unsafe {
            let CUlaunchConfig { grid, block, shared, stream, attributes, count } = **self;
            let attributes = match count {
                0 => &[][..],
                _ => core::slice::from_raw_parts(attributes, count as usize),
            };
            let shown = attributes.iter().map(|attribute| {
                let [first, second, third, ..] = attribute.value;
                format!("{}: {first} {second} {third}", attribute.id)
            });
            let shown = shown.collect::<Vec<_>>().join(", ");
            format!(
                "{{grid={grid:?}, block={block:?}, shared={shared}, stream={stream:?}, attributes=[{shown}]}}"
            )
        }
    }

    fn value(&self) -> Value {
        // SAFETY: as above.
        Value::Launch(unsafe { **self })
    }
}

impl Show for CUdeviceptr {
    fn show(&self, _done: bool) -> String {
        format!("{self:#x}")
    }
}

macro_rules! show_results {
    ($($ty:ty),*) => {$(
        impl Show for *mut $ty {
            fn show(&self, done: bool) -> String {
                if done && !self.is_null() {
                    // SAFETY: every argument of this type in the function list points to one
                    // value that the driver has just written, and its owner waits for the call.
                    format!("-> {}", unsafe { **self }.show(done))
                } else {
                    "-> ?".to_owned()
                }
            }
        }
    )*};
}
show_results!(i32, usize, f32, CUdeviceptr, CUcontext, CUstream, CUevent, CUmodule, CUfunction);
show_results!(CUgraph, CUgraphExec);
show_results!(CUmemoryPool, CUlinkState, CUarray, CUmipmappedArray);
show_results!(CUexternalMemory, CUexternalSemaphore);

impl Show for *const c_char {
    fn show(&self, _done: bool) -> String {
        // SAFETY: every argument of this type in the function list is a name that ends with NUL.
        format!("{:?}", unsafe { CStr::from_ptr(*self) })
    }
}

impl Show for *mut c_char {
    fn show(&self, done: bool) -> String {
        if done { format!("-> {}", self.cast_const().show(done)) } else { "-> ?".to_owned() }
    }
}

impl Show for f32 {
    fn show(&self, _done: bool) -> String {
        self.to_string()
    }
}

/// How a call is reported: a line on stderr, an event for `tracing`.
pub(super) struct Record<'a> {
    pub(super) name: &'static str,
    pub(super) args: &'a [(&'static str, &'a dyn Show)],
    pub(super) code: CUresult,
    /// The name of the code.
    pub(super) result: String,
    pub(super) time: Duration,
}

impl Record<'_> {
    /// The arguments as text.
    fn args(&self) -> String {
        let done = self.code == CUDA_SUCCESS;
        let shown = self.args.iter().map(|(name, arg)| format!("{name}={}", arg.show(done)));
        shown.collect::<Vec<_>>().join(", ")
    }

    fn micros(&self) -> f64 {
        self.time.as_nanos() as f64 / 1000.0
    }

    /// Tells it in these ways.
    pub(super) fn tell(&self, on_stderr: bool, as_event: bool) {
        let (Record { name, result, .. }, args) = (self, self.args());
        if on_stderr {
            eprintln!("ptyx: {name}({args}) = {result} [{:.1} us]", self.micros());
        }
        #[cfg(feature = "tracing")]
        if as_event {
            tracing::trace!(
                target: "ptyx::driver",
                function = name,
                arguments = %args,
                result = %result,
                duration_us = self.micros(),
            );
        }
        let _ = as_event;
    }
}
