//! Result codes (`CUresult`).

use core::ffi::CStr;

/// What a driver function returns; 0 is success.
pub type CUresult = u32;

macro_rules! results {
    ($($name:ident $value:literal $text:literal;)*) => {
        $(
            #[doc = concat!("The driver's \"", $text, "\".")]
            pub const $name: CUresult = $value;
        )*

        /// The name and the description of a result code.
        pub const fn describe(code: CUresult) -> Option<(&'static CStr, &'static CStr)> {
            match code {
                $($value => Some((c_text(concat!(stringify!($name), "\0")), c_text(concat!($text, "\0")))),)*
                _ => None,
            }
        }
    };
}

const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        // The macro ends each text with its only zero byte.
        Err(_) => c"",
    }
}

results! {
    CUDA_SUCCESS 0 "no error";
    CUDA_ERROR_INVALID_VALUE 1 "invalid argument";
    CUDA_ERROR_OUT_OF_MEMORY 2 "out of memory";
    CUDA_ERROR_NOT_INITIALIZED 3 "initialization error";
    CUDA_ERROR_DEINITIALIZED 4 "driver shutting down";
    CUDA_ERROR_NO_DEVICE 100 "no CUDA-capable device is detected";
    CUDA_ERROR_INVALID_DEVICE 101 "invalid device ordinal";
    CUDA_ERROR_INVALID_IMAGE 200 "device kernel image is invalid";
    CUDA_ERROR_INVALID_CONTEXT 201 "invalid device context";
    CUDA_ERROR_NO_BINARY_FOR_GPU 209 "no kernel image is available for execution on the device";
    CUDA_ERROR_ECC_UNCORRECTABLE 214 "uncorrectable ECC error encountered";
    CUDA_ERROR_UNSUPPORTED_LIMIT 215 "limit is not supported on this architecture";
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED 217 "peer access is not supported between these two devices";
    CUDA_ERROR_INVALID_PTX 218 "a PTX JIT compilation failed";
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222 "the provided PTX was compiled with an unsupported toolchain.";
    CUDA_ERROR_FILE_NOT_FOUND 301 "file not found";
    CUDA_ERROR_OPERATING_SYSTEM 304 "OS call failed or operation not supported on this OS";
    CUDA_ERROR_INVALID_HANDLE 400 "invalid resource handle";
    CUDA_ERROR_ILLEGAL_STATE 401 "the operation cannot be performed in the present state";
    CUDA_ERROR_NOT_FOUND 500 "named symbol not found";
    CUDA_ERROR_NOT_READY 600 "device not ready";
    CUDA_ERROR_ILLEGAL_ADDRESS 700 "an illegal memory access was encountered";
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES 701 "too many resources requested for launch";
    CUDA_ERROR_LAUNCH_TIMEOUT 702 "the launch timed out and was terminated";
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED 704 "peer access is already enabled";
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED 705 "peer access has not been enabled";
    CUDA_ERROR_CONTEXT_IS_DESTROYED 709 "context is destroyed";
    CUDA_ERROR_ASSERT 710 "device-side assert triggered";
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED 712 "part or all of the requested memory range is already mapped";
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED 713 "pointer does not correspond to a registered memory region";
    CUDA_ERROR_HARDWARE_STACK_ERROR 714 "hardware stack error";
    CUDA_ERROR_ILLEGAL_INSTRUCTION 715 "an illegal instruction was encountered";
    CUDA_ERROR_MISALIGNED_ADDRESS 716 "misaligned address";
    CUDA_ERROR_INVALID_ADDRESS_SPACE 717 "operation not supported on global/shared address space";
    CUDA_ERROR_INVALID_PC 718 "invalid program counter";
    CUDA_ERROR_LAUNCH_FAILED 719 "unspecified launch failure";
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE 720 "too many blocks in cooperative launch";
    CUDA_ERROR_NOT_PERMITTED 800 "operation not permitted";
    CUDA_ERROR_NOT_SUPPORTED 801 "operation not supported";
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED 900 "operation not permitted when stream is capturing";
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED 901 "operation failed due to a previous error during capture";
    CUDA_ERROR_STREAM_CAPTURE_MERGE 902 "operation would result in a merge of separate capture sequences";
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED 903 "capture was not ended in the same stream as it began";
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED 904 "capturing stream has unjoined work";
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION 905 "dependency created on uncaptured work in another stream";
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT 906 "operation would make the legacy stream depend on a capturing blocking stream";
    CUDA_ERROR_CAPTURED_EVENT 907 "operation not permitted on an event last recorded in a capturing stream";
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD 908 "attempt to terminate a thread-local capture sequence from another thread";
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE 910 "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    CUDA_ERROR_INVALID_CLUSTER_SIZE 912 "invalid cluster size";
    CUDA_ERROR_UNKNOWN 999 "unknown error";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts() {
        let found = describe(CUDA_ERROR_OUT_OF_MEMORY).unwrap();
        assert_eq!(found, (c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"));
        assert_eq!(describe(12345), None);
    }
}
