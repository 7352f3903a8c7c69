//! Modules and functions (CUDA driver API, sections 6.10 and 6.22).
#![allow(non_snake_case)]

use super::architecture;
use super::code::{Code, Outcome, answer, put};
use super::device::{SHARED_DEFAULT, SHARED_OPTIN};
use super::registers::{max_threads, registers};
use super::state::{Handle, Kernel, Module, current, memory};
use crate::error::{Diagnostic, Error};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::Arc;

super::functions!(
    cuModuleLoadData,
    cuModuleLoadDataEx,
    cuModuleUnload,
    cuModuleGetFunction,
    cuModuleGetGlobal_v2,
    cuFuncGetAttribute,
    cuFuncSetAttribute,
    cuFuncSetCacheConfig,
    cuFuncGetName,
    cuModuleGetLoadingMode,
);

/// Options of `cuModuleLoadDataEx` that are heeded.
const INFO_LOG: c_int = 3;
const INFO_LOG_SIZE: c_int = 4;
const ERROR_LOG: c_int = 5;
const ERROR_LOG_SIZE: c_int = 6;

extern "C" fn cuModuleLoadData(module: *mut Handle, image: *const c_void) -> Code {
    let (options, values) = (std::ptr::null_mut(), std::ptr::null_mut());
    cuModuleLoadDataEx(module, image, 0, options, values)
}

/// The caller's option values.
struct Options {
    options: *const c_int,
    values: *mut *mut c_void,
    count: usize,
}

impl Options {
    fn position(&self, option: c_int) -> Option<usize> {
        // SAFETY: the caller gives `count` options.
        (0..self.count).find(|&index| unsafe { self.options.add(index).read() } == option)
    }

    /// Writes a log into the buffer of one option, whose size another one gives and receives.
    fn write_log(&self, buffer: c_int, size: c_int, text: &str) {
        let (Some(buffer), Some(size)) = (self.position(buffer), self.position(size)) else {
            return;
        };
        // SAFETY: the caller gives as many values as options.
        let (to, room) = unsafe { (self.values.add(buffer).read(), self.values.add(size).read()) };
        let room = room as usize as u32 as usize;
        if to.is_null() || room == 0 {
            return;
        }
        let count = text.len().min(room - 1);
        // SAFETY: the caller's buffer has as many bytes as the size option says.
        unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), count);
            to.cast::<u8>().add(count).write(0);
            if count > 0 {
                self.values.add(size).write(count as *mut c_void);
            }
        }
    }
}

extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *mut c_int,
    values: *mut *mut c_void,
) -> Code {
    answer(|| {
        let mut state = current()?;
        if module.is_null()
            || image.is_null()
            || (count > 0 && (options.is_null() || values.is_null()))
        {
            return Err(Code::INVALID_VALUE);
        }
        let options = Options { options, values, count: count as usize };
        options.write_log(INFO_LOG, INFO_LOG_SIZE, "");
        options.write_log(ERROR_LOG, ERROR_LOG_SIZE, "");
        // SAFETY: the caller's image has at least a few bytes, and PTX ends with a zero byte.
        let text = unsafe {
            if is_binary(image.cast()) {
                return Err(Code::NO_BINARY_FOR_GPU);
            }
            CStr::from_ptr(image.cast())
        };
        let program = load(&text.to_string_lossy(), state.device).map_err(|error| {
            options.write_log(ERROR_LOG, ERROR_LOG_SIZE, &format!("{error}\n"));
            match error {
                Error::Ptx(_) => Code::INVALID_PTX,
                Error::OutOfMemory { .. } => Code::OUT_OF_MEMORY,
            }
        })?;
        let handle = state.handle();
        // SAFETY: the caller's pointer, as the driver's function demands.
        unsafe { put(module, handle)? };
        let device = state.device;
        let module = Module { device, program: Arc::new(program), functions: HashMap::new() };
        state.modules.insert(handle, module);
        Ok(())
    })
}

fn load(source: &str, device: usize) -> Result<crate::exec::program::Program, Error> {
    let targets = source.lines().zip(1..).filter_map(|(line, number)| {
        let rest = line.trim().strip_prefix(".target")?.trim_start();
        Some((rest.split([' ', ',', '\t']).next()?, number))
    });
    for (target, line) in targets {
        if let Some(message) = architecture::refusal(target, architecture::capability()) {
            return Err(Error::Ptx(vec![Diagnostic { line, text: String::new(), message }]));
        }
    }
    crate::lower::load(source, memory(device))
}

/// Whether an image is machine code: ELF, or a fat binary.
///
/// # Safety
/// `image` has four bytes, or a zero byte before.
unsafe fn is_binary(image: *const u8) -> bool {
    let starts = |magic: &[u8; 4]| {
        // SAFETY: comparing stops at the first difference, so no byte behind a zero byte is read: no
        // magic number holds one.
        magic.iter().enumerate().all(|(index, byte)| unsafe { image.add(index).read() } == *byte)
    };
    starts(b"\x7fELF") || starts(b"\x50\xed\x55\xba")
}

extern "C" fn cuModuleUnload(module: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        let gone = state.modules.remove(&module).ok_or(Code::INVALID_HANDLE)?;
        for (address, _) in gone.program.variables.values() {
            memory(gone.device).free(*address);
        }
        for handle in gone.functions.values() {
            state.kernels.remove(handle);
        }
        Ok(())
    })
}

extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Code {
    answer(|| {
        let mut state = current()?;
        if name.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's string ends with a zero byte.
        let name: CString = unsafe { CStr::from_ptr(name) }.to_owned();
        let key = name.to_string_lossy().into_owned();
        let found = state.modules.get(&module).ok_or(Code::INVALID_HANDLE)?;
        if let Some(&handle) = found.functions.get(&key) {
            // SAFETY: the caller's pointer, as the driver's function demands; so below.
            return unsafe { put(function, handle) };
        }
        let (program, device) = (found.program.clone(), found.device);
        let index = *program.by_name.get(&key).ok_or(Code::NOT_FOUND)?;
        if !program.functions[index as usize].entry {
            return Err(Code::NOT_FOUND);
        }
        let handle = state.handle();
        // SAFETY: as above.
        unsafe { put(function, handle)? };
        let fixed = program.functions[index as usize].static_shared;
        let dynamic_limit = SHARED_DEFAULT.saturating_sub(fixed);
        let known_stack = program.has_known_stack(index);
        let kernel = Kernel { device, program, index, name, known_stack, dynamic_limit };
        state.kernels.insert(handle, kernel);
        if let Some(module) = state.modules.get_mut(&module) {
            module.functions.insert(key, handle);
        }
        Ok(())
    })
}

extern "C" fn cuModuleGetGlobal_v2(
    address: *mut u64,
    size: *mut usize,
    module: Handle,
    name: *const c_char,
) -> Code {
    answer(|| {
        let state = current()?;
        if name.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's string ends with a zero byte.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        let module = state.modules.get(&module).ok_or(Code::INVALID_HANDLE)?;
        let &(at, bytes) = module.program.variables.get(&*name).ok_or(Code::NOT_FOUND)?;
        // SAFETY: as above.
        unsafe {
            if !address.is_null() {
                put(address, at)?;
            }
            if size.is_null() { Ok(()) } else { put(size, bytes as usize) }
        }
    })
}

extern "C" fn cuModuleGetLoadingMode(mode: *mut c_int) -> Code {
    // SAFETY: as above. 1 is eager loading.
    answer(|| unsafe { put(mode, 1) })
}

extern "C" fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, kernel: Handle) -> Code {
    answer(|| {
        let state = current()?;
        let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
        let function = &kernel.program.functions[kernel.index as usize];
        let found = match attribute {
            0 => max_threads(function),
            1 => function.static_shared,
            2 => 0,
            3 => function.local_size,
            4 => registers(function),
            5 | 6 => architecture::capability(),
            7 => 0,
            8 => kernel.dynamic_limit,
            9 => return put_int(value, -1),
            _ => return Err(Code::INVALID_VALUE),
        };
        put_int(value, found as c_int)
    })
}

fn put_int(to: *mut c_int, value: c_int) -> Outcome {
    // SAFETY: as above.
    unsafe { put(to, value) }
}

extern "C" fn cuFuncSetAttribute(kernel: Handle, attribute: c_int, value: c_int) -> Code {
    answer(|| {
        let mut state = current()?;
        let kernel = state.kernels.get_mut(&kernel).ok_or(Code::INVALID_HANDLE)?;
        let function = &kernel.program.functions[kernel.index as usize];
        match attribute {
            8 => {
                let value = u32::try_from(value).map_err(|_| Code::INVALID_VALUE)?;
                if value + function.static_shared.min(SHARED_OPTIN) > SHARED_OPTIN {
                    return Err(Code::INVALID_VALUE);
                }
                kernel.dynamic_limit = value;
                Ok(())
            }
            9 if (-1..=100).contains(&value) => Ok(()),
            _ => Err(Code::INVALID_VALUE),
        }
    })
}

extern "C" fn cuFuncSetCacheConfig(kernel: Handle, _config: c_int) -> Code {
    answer(|| current()?.kernels.get(&kernel).map(|_| ()).ok_or(Code::INVALID_HANDLE))
}

extern "C" fn cuFuncGetName(name: *mut *const c_char, kernel: Handle) -> Code {
    answer(|| {
        let state = current()?;
        let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
        // SAFETY: as above; the name lives as long as the module is loaded.
        unsafe { put(name, kernel.name.as_ptr()) }
    })
}
