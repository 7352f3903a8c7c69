//! The assembler's options (CUDA driver API, `CUjit_option`): what a caller gives beside code.

use super::code::Code;
use super::registers::registers;
use crate::exec::program::Program;
use ptyx_driver_api::*;
use std::ffi::{c_uint, c_void};

/// The options of the two logs: the buffer, and its size.
const LOGS: [(CUjit_option, CUjit_option); 2] = [
    (CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES),
    (CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES),
];
const ERRORS: usize = 0;
const INFOS: usize = 1;

/// The caller's options, and a value for each.
///
/// The caller's arrays and buffers live as long as the value: for the linker's, until its state is destroyed.
pub(super) struct Options {
    options: *const CUjit_option,
    values: *mut *mut c_void,
    count: usize,
    /// Bytes of the buffers of errors and of information: the driver replaces these values by the logs' lengths.
    rooms: [usize; 2],
}

// SAFETY: the driver's functions may use them from every thread, one at a time: the state is locked.
unsafe impl Send for Options {}

impl Options {
    /// Those of a call.
    ///
    /// # Errors
    /// There are some, but no arrays; a value that does not exist.
    pub(super) fn of(
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
    ) -> Result<Options, Code> {
        if count > 0 && (options.is_null() || values.is_null()) {
            return Err(Code::INVALID_VALUE);
        }
        let mut options = Options { options, values, count: count as usize, rooms: [0; 2] };
        options.rooms = LOGS.map(|(_, size)| options.number(size).unwrap_or(0) as usize);
        match options.number(CU_JIT_OPTIMIZATION_LEVEL) {
            Some(5..) => Err(Code::INVALID_VALUE),
            _ => Ok(options),
        }
    }

    fn position(&self, option: CUjit_option) -> Option<usize> {
        // SAFETY: the caller gives `count` options.
        (0..self.count).find(|&index| unsafe { self.options.add(index).read() } == option)
    }

    /// The value of an option that is a number.
    fn number(&self, option: CUjit_option) -> Option<u32> {
        let index = self.position(option)?;
        // SAFETY: the caller gives as many values as options. A number is passed in the pointer's own bits.
        Some(unsafe { self.values.add(index).read() }.addr() as u32)
    }

    /// The most registers that a thread may use.
    pub(super) fn max_registers(&self) -> Option<u32> {
        self.number(CU_JIT_MAX_REGISTERS).filter(|&registers| registers > 0)
    }

    /// Writes a log into the buffer of one option. Another option gives the buffer's size, and receives
    /// the log's.
    fn write_log(&self, log: usize, text: &str) {
        let ((buffer, size), room) = (LOGS[log], self.rooms[log]);
        let (Some(buffer), Some(size)) = (self.position(buffer), self.position(size)) else {
            return;
        };
        // SAFETY: the caller gives as many values as options.
        let to = unsafe { self.values.add(buffer).read() };
        if to.is_null() || room == 0 {
            return;
        }
        let count = text.len().min(room - 1);
        // SAFETY: the caller's buffer has as many bytes as the size option said.
        unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), count);
            to.cast::<u8>().add(count).write(0);
            if count > 0 {
                self.values.add(size).write(count as *mut c_void);
            }
        }
    }

    /// Writes the log of errors.
    pub(super) fn write_errors(&self, text: &str) {
        self.write_log(ERRORS, text);
    }

    /// Empties both logs.
    pub(super) fn clear_logs(&self) {
        self.write_log(INFOS, "");
        self.write_errors("");
    }

    /// Applies what concerns a program's code, and tells about its kernels if the caller wants to know.
    pub(super) fn apply(&self, program: &mut Program, max_registers: Option<u32>) {
        let limit = self.max_registers().or(max_registers);
        for function in program.functions.iter_mut().filter(|function| function.entry) {
            let limits = &mut function.limits;
            limits.max_registers = limits.max_registers.or(limit);
        }
        if self.number(CU_JIT_LOG_VERBOSE).is_some_and(|verbose| verbose != 0) {
            let entries = program.functions.iter().filter(|function| function.entry);
            let lines = entries.map(|function| {
                let (name, local) = (&function.name, function.local_size);
                let (registers, shared) = (registers(function), function.static_shared);
                format!(
                    "info: entry `{name}`: {registers} registers, {local} bytes of local memory, {shared} of \
                     shared memory\n"
                )
            });
            let text = lines.collect::<String>();
            self.write_log(INFOS, &text);
        }
    }

    /// Refuses machine code, and writes why into the log.
    pub(super) fn refuse_code<T>(&self, reason: &str) -> Result<T, Code> {
        self.write_errors(&format!("{reason}\n"));
        Err(Code::NO_BINARY_FOR_GPU)
    }

    /// Writes an error into the log, and answers with its code.
    pub(super) fn refuse<T>(&self, error: &crate::error::Error) -> Result<T, Code> {
        self.write_errors(&format!("{error}\n"));
        Err(match error {
            crate::error::Error::Ptx(_) => Code::INVALID_PTX,
            crate::error::Error::OutOfMemory { .. } => Code::OUT_OF_MEMORY,
        })
    }
}
