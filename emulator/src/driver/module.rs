//! Modules and functions (CUDA driver API, sections 6.10 and 6.22).
#![allow(non_snake_case)]

use super::architecture;
use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::properties::{SHARED_DEFAULT, SHARED_OPTIN};
use super::registers::{max_threads, registers};
use super::state::{Kernel, Module, current, memory};
use crate::error::{Diagnostic, Error};
use ptyx_driver_api::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::Arc;

pub(super) fn cuModuleLoadData(module: *mut Handle, image: *const c_void) -> Outcome {
    let (options, values) = (std::ptr::null_mut(), std::ptr::null_mut());
    cuModuleLoadDataEx(module, image, 0, options, values)
}

/// The caller's option values.
struct Options {
    options: *const CUjit_option,
    values: *mut *mut c_void,
    count: usize,
}

impl Options {
    fn position(&self, option: CUjit_option) -> Option<usize> {
        // SAFETY: the caller gives `count` options.
        (0..self.count).find(|&index| unsafe { self.options.add(index).read() } == option)
    }

    /// Writes a log into the buffer of one option. Another option gives the buffer's size, and receives
    /// the log's.
    fn write_log(&self, buffer: CUjit_option, size: CUjit_option, text: &str) {
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

pub(super) fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Outcome {
    let mut state = current()?;
    if module.is_null() || image.is_null() || (count > 0 && (options.is_null() || values.is_null()))
    {
        return Err(Code::INVALID_VALUE);
    }
    let options = Options { options, values, count: count as usize };
    options.write_log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
    options.write_log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, "");
    // SAFETY: the caller's image has at least a few bytes, and PTX ends with a zero byte.
    let text = unsafe {
        if is_binary(image.cast()) {
            return Err(Code::NO_BINARY_FOR_GPU);
        }
        CStr::from_ptr(image.cast())
    };
    let program = load(&text.to_string_lossy(), state.device).map_err(|error| {
        options.write_log(
            CU_JIT_ERROR_LOG_BUFFER,
            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            &format!("{error}\n"),
        );
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

pub(super) fn cuModuleUnload(module: Handle) -> Outcome {
    let mut state = current()?;
    let gone = state.modules.remove(&module).ok_or(Code::INVALID_HANDLE)?;
    for (address, _) in gone.program.variables.values() {
        memory(gone.device).free(*address);
    }
    for handle in gone.functions.values() {
        state.kernels.remove(handle);
    }
    Ok(())
}

pub(super) fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Outcome {
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
    let large_clusters = false;
    let kernel =
        Kernel { device, program, index, name, known_stack, dynamic_limit, large_clusters };
    state.kernels.insert(handle, kernel);
    if let Some(module) = state.modules.get_mut(&module) {
        module.functions.insert(key, handle);
    }
    Ok(())
}

pub(super) fn cuModuleGetGlobal_v2(
    address: *mut u64,
    size: *mut usize,
    module: Handle,
    name: *const c_char,
) -> Outcome {
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
}

pub(super) fn cuModuleGetLoadingMode(mode: *mut c_int) -> Outcome {
    // SAFETY: as above.
    unsafe { put(mode, CU_MODULE_EAGER_LOADING) }
}

pub(super) fn cuFuncGetAttribute(
    value: *mut c_int,
    attribute: CUfunction_attribute,
    kernel: Handle,
) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let function = &kernel.program.functions[kernel.index as usize];
    let required_cluster = function.limits.required_cluster.unwrap_or_default();
    let found = match attribute {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => max_threads(function),
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => function.static_shared,
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => 0,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => function.local_size,
        CU_FUNC_ATTRIBUTE_NUM_REGS => registers(function),
        CU_FUNC_ATTRIBUTE_PTX_VERSION => kernel.program.target,
        CU_FUNC_ATTRIBUTE_BINARY_VERSION => architecture::capability(),
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA => 0,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => kernel.dynamic_limit,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => return put_int(value, -1),
        CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET => 0,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => required_cluster[0],
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => required_cluster[1],
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => required_cluster[2],
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED => kernel.large_clusters.into(),
        _ => return Err(Code::INVALID_VALUE),
    };
    put_int(value, found as c_int)
}

fn put_int(to: *mut c_int, value: c_int) -> Outcome {
    // SAFETY: as above.
    unsafe { put(to, value) }
}

pub(super) fn cuFuncSetAttribute(
    kernel: Handle,
    attribute: CUfunction_attribute,
    value: c_int,
) -> Outcome {
    let mut state = current()?;
    let kernel = state.kernels.get_mut(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let function = &kernel.program.functions[kernel.index as usize];
    match attribute {
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
            let value = u32::try_from(value).map_err(|_| Code::INVALID_VALUE)?;
            if value + function.static_shared.min(SHARED_OPTIN) > SHARED_OPTIN {
                return Err(Code::INVALID_VALUE);
            }
            kernel.dynamic_limit = value;
            Ok(())
        }
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => Ok(()),
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED if (0..=1).contains(&value) => {
            kernel.large_clusters = value == 1;
            Ok(())
        }
        _ => Err(Code::INVALID_VALUE),
    }
}

pub(super) fn cuFuncSetCacheConfig(kernel: Handle, _config: c_int) -> Outcome {
    current()?.kernels.get(&kernel).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}

pub(super) fn cuFuncGetName(name: *mut *const c_char, kernel: Handle) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    // SAFETY: as above; the name lives as long as the module is loaded.
    unsafe { put(name, kernel.name.as_ptr()) }
}
