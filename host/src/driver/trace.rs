//! How arguments of driver calls look in the trace log (`PTYX_TRACE=1`).

use super::types::*;
use core::ffi::{CStr, c_char, c_void};
use std::time::Duration;

/// An argument that the trace log can print.
///
/// Pointers that the driver writes through show the value behind them once the call has
/// succeeded.
pub(super) trait Show {
    /// The argument as text; `done` says that the call succeeded.
    fn show(&self, done: bool) -> String;
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
show_values!(u8, u16, u32, i32, usize, CUcontext, CUstream, CUevent, CUmodule, CUfunction);
show_values!(CUmemoryPool, *const c_void, *mut c_void, *mut *mut c_void, *mut *const c_char);
show_values!(
    *mut u32,
    *mut [u8; 16],
    CUlinkState,
    Option<SharedForThreads>,
    Option<CUstreamCallback>,
    Option<CUhostFn>,
    *mut CUstreamAttrValue,
    *const CUstreamAttrValue
);
show_values!(*const u64, *const u32, *const i32, *mut CUtensorMap);
show_values!(CUarray, CUmipmappedArray, *const CUarray3DDescriptor, *const CUmemcpy3D);
show_values!(CUgraph, CUgraphExec, CUgraphNode, *const CUgraphNode, *mut *const CUgraphNode);
show_values!(*mut CUgraphNode, *mut CUgraphExecUpdateResultInfo);
show_values!(*const CUmemAccessDesc, *mut CUmemLocation);
show_values!(*const CUresourceDescriptor, *const CUtextureDescriptor);

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

/// Writes the line of one call to stderr.
pub(super) fn line(name: &str, args: &[(&str, String)], result: &str, time: Duration) {
    let args: Vec<String> = args.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let micros = time.as_nanos() as f64 / 1000.0;
    eprintln!("ptyx: {name}({}) = {result} [{micros:.1} us]", args.join(", "));
}
