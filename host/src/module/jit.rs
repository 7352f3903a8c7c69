//! Options for the driver's assembler and linker, and their logs.

use super::options::ModuleOptions;
use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::Error;
use core::ffi::{c_uint, c_void};

/// Options and logs, as the driver takes them. The linker keeps pointers into it.
pub(super) struct Jit {
    options: Vec<CUjit_option>,
    values: Vec<*mut c_void>,
    /// Of errors, and of information. The driver writes there through pointers in `values`.
    logs: [Box<[u8]>; 2],
}

impl Jit {
    /// Those of a caller.
    pub(super) fn new(options: &ModuleOptions) -> Jit {
        let mut logs = [0, 1].map(|_| vec![0u8; options.log_bytes.max(1)].into_boxed_slice());
        let [errors, infos] = &mut logs;
        let bytes = options.log_bytes.max(1);
        // Numbers are passed in the pointer's own bits.
        let number = core::ptr::without_provenance_mut::<c_void>;
        let flag = |flag: bool| number(usize::from(flag));
        let mut all = vec![
            (CU_JIT_ERROR_LOG_BUFFER, errors.as_mut_ptr().cast()),
            (CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number(bytes)),
            (CU_JIT_INFO_LOG_BUFFER, infos.as_mut_ptr().cast()),
            (CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number(bytes)),
        ];
        let limit =
            options.max_registers.map(|limit| (CU_JIT_MAX_REGISTERS, number(limit as usize)));
        let level =
            options.opt_level.map(|level| (CU_JIT_OPTIMIZATION_LEVEL, number(level as usize)));
        let flags = [
            (CU_JIT_GENERATE_DEBUG_INFO, options.debug_info),
            (CU_JIT_GENERATE_LINE_INFO, options.line_info),
            (CU_JIT_LOG_VERBOSE, options.verbose),
        ];
        all.extend(limit.into_iter().chain(level));
        all.extend(flags.into_iter().filter(|(_, on)| *on).map(|(option, on)| (option, flag(on))));
        let (options, values) = all.into_iter().unzip();
        Jit { options, values, logs }
    }

    /// One option to keep debug information, or none; `verbose` asks for a log of each kernel.
    pub(super) fn keeping(keep: Option<CUjit_option>, verbose: bool) -> Jit {
        let mut jit = Jit::new(&ModuleOptions::new().verbose(verbose));
        if let Some(keep) = keep {
            jit.options.push(keep);
            jit.values.push(core::ptr::without_provenance_mut(1));
        }
        jit
    }

    /// What the driver is given.
    pub(super) fn options(&mut self) -> (c_uint, *mut CUjit_option, *mut *mut c_void) {
        let count = self.options.len() as c_uint;
        (count, self.options.as_mut_ptr(), self.values.as_mut_ptr())
    }

    fn log(&self, index: usize) -> String {
        // Through the pointer that the driver wrote through.
        let (start, bytes) =
            (self.values[2 * index].cast::<u8>().cast_const(), self.logs[index].len());
        // SAFETY: the buffer's own bytes.
        let log = unsafe { core::slice::from_raw_parts(start, bytes) };
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(bytes);
        String::from_utf8_lossy(&log[..end]).trim().to_owned()
    }

    /// The log of information.
    pub(super) fn info(&self) -> String {
        self.log(1)
    }

    /// Why the driver refused code: with the logs, if it wrote any.
    pub(super) fn error(&self, context: &Context, failure: Failure, what: &str) -> Error {
        let log = [self.log(0), self.log(1)].join("\n").trim().to_owned();
        let code = failure.code;
        let about_text =
            matches!(code, CUDA_ERROR_INVALID_PTX | CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
        if log.is_empty() && !about_text {
            return failure.into();
        }
        let (name, text) = (context.driver.error_name(code), context.driver.error_string(code));
        Error::Assembler { what: what.to_owned(), name, text, log }
    }
}
