//! Result codes (`CUresult` of the CUDA driver API).
#![allow(non_snake_case)]

use ptyx_driver_api::{self as api, CUresult, describe};
use std::ffi::{CStr, c_char};

/// What a driver function returns; 0 is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Code(pub(super) CUresult);

macro_rules! codes {
    ($($name:ident = $code:ident;)*) => {
        impl Code { $(pub(super) const $name: Code = Code(api::$code);)* }
    };
}

codes! {
    SUCCESS = CUDA_SUCCESS;
    INVALID_VALUE = CUDA_ERROR_INVALID_VALUE;
    OUT_OF_MEMORY = CUDA_ERROR_OUT_OF_MEMORY;
    NOT_INITIALIZED = CUDA_ERROR_NOT_INITIALIZED;
    INVALID_DEVICE = CUDA_ERROR_INVALID_DEVICE;
    INVALID_IMAGE = CUDA_ERROR_INVALID_IMAGE;
    INVALID_CONTEXT = CUDA_ERROR_INVALID_CONTEXT;
    NO_BINARY_FOR_GPU = CUDA_ERROR_NO_BINARY_FOR_GPU;
    INVALID_PTX = CUDA_ERROR_INVALID_PTX;
    FILE_NOT_FOUND = CUDA_ERROR_FILE_NOT_FOUND;
    PEER_ACCESS_UNSUPPORTED = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    PEER_ACCESS_ALREADY_ENABLED = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    PEER_ACCESS_NOT_ENABLED = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    INVALID_HANDLE = CUDA_ERROR_INVALID_HANDLE;
    ILLEGAL_STATE = CUDA_ERROR_ILLEGAL_STATE;
    NOT_FOUND = CUDA_ERROR_NOT_FOUND;
    NOT_READY = CUDA_ERROR_NOT_READY;
    ILLEGAL_ADDRESS = CUDA_ERROR_ILLEGAL_ADDRESS;
    LAUNCH_OUT_OF_RESOURCES = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    LAUNCH_TIMEOUT = CUDA_ERROR_LAUNCH_TIMEOUT;
    ASSERT = CUDA_ERROR_ASSERT;
    HOST_MEMORY_ALREADY_REGISTERED = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    HOST_MEMORY_NOT_REGISTERED = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    HARDWARE_STACK_ERROR = CUDA_ERROR_HARDWARE_STACK_ERROR;
    ILLEGAL_INSTRUCTION = CUDA_ERROR_ILLEGAL_INSTRUCTION;
    MISALIGNED_ADDRESS = CUDA_ERROR_MISALIGNED_ADDRESS;
    INVALID_ADDRESS_SPACE = CUDA_ERROR_INVALID_ADDRESS_SPACE;
    INVALID_PC = CUDA_ERROR_INVALID_PC;
    LAUNCH_FAILED = CUDA_ERROR_LAUNCH_FAILED;
    COOPERATIVE_LAUNCH_TOO_LARGE = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    UNSUPPORTED_LIMIT = CUDA_ERROR_UNSUPPORTED_LIMIT;
    NOT_PERMITTED = CUDA_ERROR_NOT_PERMITTED;
    NOT_SUPPORTED = CUDA_ERROR_NOT_SUPPORTED;
    STREAM_CAPTURE_UNSUPPORTED = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    STREAM_CAPTURE_INVALIDATED = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    STREAM_CAPTURE_MERGE = CUDA_ERROR_STREAM_CAPTURE_MERGE;
    STREAM_CAPTURE_UNMATCHED = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    STREAM_CAPTURE_UNJOINED = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    STREAM_CAPTURE_ISOLATION = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    STREAM_CAPTURE_IMPLICIT = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    CAPTURED_EVENT = CUDA_ERROR_CAPTURED_EVENT;
    STREAM_CAPTURE_WRONG_THREAD = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    GRAPH_EXEC_UPDATE_FAILURE = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    INVALID_CLUSTER_SIZE = CUDA_ERROR_INVALID_CLUSTER_SIZE;
    UNKNOWN = CUDA_ERROR_UNKNOWN;
}

pub(super) type Outcome = Result<(), Code>;

/// Runs a driver function's body; a panic of the emulator becomes an error code instead of an abort.
pub(super) fn answer(body: &dyn Fn() -> Outcome) -> Code {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
        Ok(Ok(())) => Code::SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => Code::UNKNOWN,
    }
}

/// Writes a result through the caller's pointer.
///
/// # Safety
/// `to` is null or may be written.
pub(super) unsafe fn put<T>(to: *mut T, value: T) -> Outcome {
    if to.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: promised by the caller.
    unsafe { to.write(value) };
    Ok(())
}

/// Gives the caller a text; null and an error if there is none.
fn put_text(to: *mut *const c_char, text: Option<&'static CStr>) -> Outcome {
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(to, text.map_or(std::ptr::null(), CStr::as_ptr)) }?;
    text.map(|_| ()).ok_or(Code::INVALID_VALUE)
}

pub(super) fn cuGetErrorName(code: Code, name: *mut *const c_char) -> Outcome {
    put_text(name, describe(code.0).map(|(text, _)| text))
}

pub(super) fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Outcome {
    put_text(text, describe(code.0).map(|(_, words)| words))
}
