//! Advice on faults.

use crate::driver::types::*;
use core::sync::atomic::{AtomicBool, Ordering};

/// Whether this process has kernels whose stack size is unknown.
static UNKNOWN_STACK: AtomicBool = AtomicBool::new(false);

/// Notes that the process has a kernel whose stack size is unknown: from now on an illegal address may be a stack overflow.
pub(crate) fn note_unknown_stack() {
    UNKNOWN_STACK.store(true, Ordering::Relaxed);
}

/// What to do about a fault that may be a stack overflow.
///
/// `explained`: whether there is a report of what was accessed.
pub(super) fn advice(code: CUresult, explained: bool) -> Option<&'static str> {
    match code {
        CUDA_ERROR_HARDWARE_STACK_ERROR => Some(
            "give threads more stack before the launch: `Device::current()?.set_stack_limit(bytes)?`",
        ),
        CUDA_ERROR_ILLEGAL_ADDRESS if !explained && UNKNOWN_STACK.load(Ordering::Relaxed) => Some(
            "if a kernel recursed deeply, this may be a stack overflow: \
             `Device::current()?.set_stack_limit(bytes)?` gives threads more",
        ),
        CUDA_ERROR_ILLEGAL_ADDRESS if !explained => Some(
            "if an argument passed by value (a struct, a closure's captures) holds a reference or a pointer \
             to host memory, put that data into a `DeviceBuffer`, and pass it as an argument of its own",
        ),
        CUDA_ERROR_INVALID_PC if !explained => Some(
            "a host function pointer can't be called on a device: pass the function itself, to a \
             kernel that is generic over `F: Fn(..)`",
        ),
        _ => None,
    }
}
