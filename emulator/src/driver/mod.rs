//! The CUDA driver's functions, served by the emulated device.
//!
//! [`symbol`] gives functions with the C ABI, the exact names (such as `cuMemAlloc_v2`) and signatures
//! of `libcuda.so`, and its result codes. Where the device differs from a GPU:
//!
//! - Work runs inside the call that submits it, in order; streams are always idle afterwards.
//! - A fault of a kernel is kept and returned, as a GPU does, by the next call that synchronises or
//!   launches. Afterwards the context is usable again, where a GPU's would be lost.
//! - Device pointers are made-up addresses, never those of the host, also for mapped host memory.
//! - Addresses are never used twice, and fresh memory holds zeros.
//! - What kernels print appears at the next call that synchronises.

mod architecture;
mod code;
mod context;
mod device;
mod launch;
mod limit;
mod memory;
mod module;
mod occupancy;
mod state;
mod stream;

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
        stream::FUNCTIONS,
    ];
    let found = tables.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name);
    found.map(|(_, Function(pointer))| *pointer)
}

/// The report of the last kernel that failed, once: what happened, address, nearest allocation, kernel,
/// block, thread, PTX instruction and source line.
pub fn take_fault() -> Option<String> {
    state::lock().report.take()
}

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
