//! The CUDA driver's functions, served by the emulated device.
//!
//! [`symbol`] gives functions with the C ABI, the exact names (such as `cuMemAlloc_v2`) and signatures
//! of `libcuda.so`, and its result codes. Where the device differs from a GPU:
//!
//! - Work runs inside the call that submits it, in order, and its stream is idle afterwards. Calls of other
//!   host threads run concurrently; those that need the same stream wait.
//! - A kernel's fault is kept. The next call that waits for that kernel, or launches after it, returns the
//!   fault, once. Then the context is usable again, where a GPU's would be lost. With
//!   `PTYX_EMULATOR_STICKY_ERRORS=1` it is lost here, too: every later call returns the same error.
//! - A kernel that runs endlessly is ended: see `PTYX_EMULATOR_STEPS`.
//! - Device pointers are invented addresses that differ from all host addresses, even for mapped host memory.
//!   Each of several devices (`PTYX_EMULATOR_DEVICES`) has its own; no device can access another's memory.
//! - The register count of a kernel is an estimate: see `registers`.
//! - Addresses are never reused, and newly allocated memory holds zeros.
//! - Kernels' printed text appears at the next call that synchronises.

mod architecture;
mod code;
mod context;
mod device;
mod launch;
mod limit;
mod memory;
mod module;
mod occupancy;
mod pool;
mod registers;
mod state;
mod stream;
mod work;

use std::ffi::c_void;

/// The driver function of that name, as `dlsym` on `libcuda.so.1` would give it; `None` if the emulated
/// device lacks it.
pub fn symbol(name: &str) -> Option<*const c_void> {
    let tables = [
        code::FUNCTIONS,
        context::FUNCTIONS,
        device::FUNCTIONS,
        launch::FUNCTIONS,
        limit::FUNCTIONS,
        memory::FUNCTIONS,
        module::FUNCTIONS,
        occupancy::FUNCTIONS,
        pool::FUNCTIONS,
        stream::FUNCTIONS,
    ];
    let found = tables.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name);
    found.map(|(_, Function(pointer))| *pointer)
}

/// The report on the last failure that a function returned to this thread, or if there is none, to any
/// thread. Each report is returned once. It has what happened, the address, the nearest allocation, kernel,
/// block, thread, PTX instruction and source line.
pub fn take_fault() -> Option<String> {
    state::take_report()
}

pub use crate::settings::{BadSetting, check_settings};

/// A function's address.
#[derive(Clone, Copy)]
struct Function(*const c_void);

// SAFETY: it points at code, which may be called from every thread.
unsafe impl Sync for Function {}

/// Lists driver functions of a file by name.
macro_rules! functions {
    ($($name:ident),* $(,)?) => {
        pub(super) static FUNCTIONS: &[(&str, crate::driver::Function)] = &[
            $((stringify!($name), crate::driver::Function($name as *const std::ffi::c_void))),*
        ];
    };
}
use functions;
