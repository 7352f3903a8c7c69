//! Result codes (`CUresult` of the CUDA driver API).
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_int};

/// What a driver function returns; 0 is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Code(pub(super) c_int);

macro_rules! codes {
    ($($constant:ident $value:literal $name:literal $text:literal;)*) => {
        // Some codes are only named here, for `cuGetErrorName`.
        #[allow(dead_code)]
        impl Code { $(pub(super) const $constant: Code = Code($value);)* }

        fn describe(code: Code) -> Option<(&'static CStr, &'static CStr)> {
            match code.0 { $($value => Some(($name, $text)),)* _ => None }
        }
    };
}

codes! {
    SUCCESS 0 c"CUDA_SUCCESS" c"no error";
    INVALID_VALUE 1 c"CUDA_ERROR_INVALID_VALUE" c"invalid argument";
    OUT_OF_MEMORY 2 c"CUDA_ERROR_OUT_OF_MEMORY" c"out of memory";
    NOT_INITIALIZED 3 c"CUDA_ERROR_NOT_INITIALIZED" c"initialization error";
    INVALID_DEVICE 101 c"CUDA_ERROR_INVALID_DEVICE" c"invalid device ordinal";
    INVALID_IMAGE 200 c"CUDA_ERROR_INVALID_IMAGE" c"device kernel image is invalid";
    INVALID_CONTEXT 201 c"CUDA_ERROR_INVALID_CONTEXT" c"invalid device context";
    NO_BINARY_FOR_GPU 209 c"CUDA_ERROR_NO_BINARY_FOR_GPU" c"no kernel image is available for execution on the device";
    INVALID_PTX 218 c"CUDA_ERROR_INVALID_PTX" c"a PTX JIT compilation failed";
    INVALID_HANDLE 400 c"CUDA_ERROR_INVALID_HANDLE" c"invalid resource handle";
    NOT_FOUND 500 c"CUDA_ERROR_NOT_FOUND" c"named symbol not found";
    NOT_READY 600 c"CUDA_ERROR_NOT_READY" c"device not ready";
    ILLEGAL_ADDRESS 700 c"CUDA_ERROR_ILLEGAL_ADDRESS" c"an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES 701 c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" c"too many resources requested for launch";
    LAUNCH_TIMEOUT 702 c"CUDA_ERROR_LAUNCH_TIMEOUT" c"the launch timed out and was terminated";
    HARDWARE_STACK_ERROR 714 c"CUDA_ERROR_HARDWARE_STACK_ERROR" c"hardware stack error";
    ILLEGAL_INSTRUCTION 715 c"CUDA_ERROR_ILLEGAL_INSTRUCTION" c"an illegal instruction was encountered";
    MISALIGNED_ADDRESS 716 c"CUDA_ERROR_MISALIGNED_ADDRESS" c"misaligned address";
    INVALID_ADDRESS_SPACE 717 c"CUDA_ERROR_INVALID_ADDRESS_SPACE" c"operation not supported on global/shared address space";
    INVALID_PC 718 c"CUDA_ERROR_INVALID_PC" c"invalid program counter";
    LAUNCH_FAILED 719 c"CUDA_ERROR_LAUNCH_FAILED" c"unspecified launch failure";
    NOT_SUPPORTED 801 c"CUDA_ERROR_NOT_SUPPORTED" c"operation not supported";
    UNKNOWN 999 c"CUDA_ERROR_UNKNOWN" c"unknown error";
}

pub(super) type Outcome = Result<(), Code>;

/// Runs a driver function's body; a panic of ours becomes an error code instead of an abort.
pub(super) fn answer(body: impl FnOnce() -> Outcome) -> Code {
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

super::functions!(cuGetErrorName, cuGetErrorString);

extern "C" fn cuGetErrorName(code: Code, name: *mut *const c_char) -> Code {
    answer(|| {
        let (text, _) = describe(code).ok_or(Code::INVALID_VALUE)?;
        // SAFETY: the caller's pointer, as the driver's function demands.
        unsafe { put(name, text.as_ptr()) }
    })
}

extern "C" fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code {
    answer(|| {
        let (_, words) = describe(code).ok_or(Code::INVALID_VALUE)?;
        // SAFETY: as above.
        unsafe { put(text, words.as_ptr()) }
    })
}
