//! Modules and functions (CUDA driver API, sections 6.10 and 6.22).
#![allow(non_snake_case)]

use super::architecture;
use super::code::{Code, Outcome, put};
use super::fatbin;
use super::handle::Handle;
use super::jit::Options;
use super::object::Object;
use super::properties::{SHARED_DEFAULT, SHARED_OPTIN};
use super::registers::{max_threads, registers};
use super::state::{Current, Kernel, Module, current, memory};
use crate::error::{Diagnostic, Error};
use ptyx_driver_api::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::Arc;

pub(super) fn cuModuleLoadData(module: *mut Handle, image: *const c_void) -> Outcome {
    let (options, values) = (std::ptr::null_mut(), std::ptr::null_mut());
    cuModuleLoadDataEx(module, image, 0, options, values)
}

pub(super) fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Outcome {
    let mut state = current()?;
    if module.is_null() || image.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let options = Options::of(count, options, values)?;
    options.clear_logs();
    // SAFETY: the caller's image has at least a few bytes, and PTX ends with a zero byte; machine code is as long
    // as its header says.
    let object = unsafe {
        let of_text =
            |text| Object { capability: architecture::capability(), max_registers: None, text };
        match kind_of(image.cast()) {
            Binary::Elf => Object::read(image.cast()).or_else(|code| match code {
                Code::NO_BINARY_FOR_GPU => options.refuse_code(
                    "the emulated device runs PTX, and not the machine code of GPUs: compile with `nvcc -ptx`, or with \
                     `nvcc -fatbin` and PTX in it",
                ),
                _ => Err(code),
            })?,
            Binary::Fat => {
                let bytes = fatbin::bytes_of(image.cast()).ok_or(Code::INVALID_IMAGE)?;
                let text = fatbin::ptx(bytes, architecture::capability());
                of_text(text.or_else(|reason| options.refuse_code(&reason))?)
            }
            Binary::None => {
                of_text(CStr::from_ptr(image.cast()).to_string_lossy().into_owned())
            }
        }
    };
    if object.capability != architecture::capability() {
        return Err(Code::NO_BINARY_FOR_GPU);
    }
    let checked = check_target(&object.text).map_err(Error::Ptx);
    let loaded = checked.and_then(|()| crate::lower::load(&object.text, memory(state.device)));
    let mut program = loaded.or_else(|error| options.refuse(&error))?;
    options.apply(&mut program, object.max_registers);
    let handle = state.handle();
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(module, handle)? };
    let device = state.device;
    let module = Module { device, program: Arc::new(program), functions: HashMap::new() };
    state.modules.insert(handle, module);
    Ok(())
}

/// Refuses PTX for architectures that the device is not.
pub(super) fn check_target(source: &str) -> Result<(), Vec<Diagnostic>> {
    let targets = source.lines().zip(1..).filter_map(|(line, number)| {
        let rest = line.trim().strip_prefix(".target")?.trim_start();
        Some((rest.split([' ', ',', '\t']).next()?, number))
    });
    for (target, line) in targets {
        if let Some(message) = architecture::refusal(target, architecture::capability()) {
            return Err(vec![Diagnostic { line, text: String::new(), message }]);
        }
    }
    Ok(())
}

/// Whether code starts as machine code does.
pub(super) fn starts_binary(data: &[u8]) -> bool {
    data.starts_with(ELF) || data.starts_with(FAT)
}

const ELF: &[u8; 4] = b"\x7fELF";
const FAT: &[u8; 4] = b"\x50\xed\x55\xba";

/// What kind of machine code an image is.
enum Binary {
    None,
    Elf,
    /// Several of different architectures.
    Fat,
}

/// What kind of machine code an image is.
///
/// # Safety
/// `image` has four bytes, or a zero byte before.
unsafe fn kind_of(image: *const u8) -> Binary {
    let starts = |magic: &[u8; 4]| {
        // SAFETY: comparing stops at the first difference, so no byte behind a zero byte is read: no
        // magic number holds one.
        magic.iter().enumerate().all(|(index, byte)| unsafe { image.add(index).read() } == *byte)
    };
    if starts(ELF) {
        Binary::Elf
    } else if starts(FAT) {
        Binary::Fat
    } else {
        Binary::None
    }
}

pub(super) fn cuModuleUnload(module: Handle) -> Outcome {
    let mut state = current()?.drain();
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
    let name = unsafe { CStr::from_ptr(name) };
    let handle = kernel_of(&mut state, module, name)?;
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(function, handle) }
}

/// The handle of a module's kernel, made when it is first asked for.
fn kernel_of(state: &mut Current, module: Handle, name: &CStr) -> Result<Handle, Code> {
    let key = name.to_string_lossy().into_owned();
    let found = state.modules.get(&module).ok_or(Code::INVALID_HANDLE)?;
    if let Some(&handle) = found.functions.get(&key) {
        return Ok(handle);
    }
    let (program, device) = (found.program.clone(), found.device);
    let index = *program.by_name.get(&key).ok_or(Code::NOT_FOUND)?;
    if !program.functions[index as usize].entry {
        return Err(Code::NOT_FOUND);
    }
    let (handle, name) = (state.handle(), name.to_owned());
    let fixed = program.functions[index as usize].static_shared;
    let dynamic_limit = SHARED_DEFAULT.saturating_sub(fixed);
    let known_stack = program.has_known_stack(index);
    let (large_clusters, carveout) = (false, -1);
    let kernel = Kernel {
        device,
        program,
        index,
        name,
        known_stack,
        dynamic_limit,
        large_clusters,
        carveout,
    };
    state.kernels.insert(handle, kernel);
    if let Some(module) = state.modules.get_mut(&module) {
        module.functions.insert(key, handle);
    }
    Ok(handle)
}

/// The names of a module's kernels, in the order of its text.
fn kernel_names(state: &Current, module: Handle) -> Result<Vec<CString>, Code> {
    let module = state.modules.get(&module).ok_or(Code::INVALID_HANDLE)?;
    let entries = module.program.functions.iter().filter(|function| function.entry);
    Ok(entries.filter_map(|function| CString::new(function.name.as_str()).ok()).collect())
}

pub(super) fn cuModuleGetFunctionCount(count: *mut c_uint, module: Handle) -> Outcome {
    let names = kernel_names(&current()?, module)?;
    // SAFETY: as above; so below.
    unsafe { put(count, names.len() as c_uint) }
}

pub(super) fn cuModuleEnumerateFunctions(
    functions: *mut Handle,
    count: c_uint,
    module: Handle,
) -> Outcome {
    let mut state = current()?;
    let names = kernel_names(&state, module)?;
    if functions.is_null() || count == 0 {
        return Err(Code::INVALID_VALUE);
    }
    for (index, name) in names.iter().take(count as usize).enumerate() {
        let handle = kernel_of(&mut state, module, name)?;
        // SAFETY: the caller's array has `count` elements.
        unsafe { functions.add(index).write(handle) };
    }
    Ok(())
}

pub(super) fn cuFuncGetParamInfo(
    kernel: Handle,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let params = &kernel.program.functions[kernel.index as usize].params;
    let &(at, bytes) = params.get(index).ok_or(Code::INVALID_VALUE)?;
    // SAFETY: as above.
    unsafe {
        put(offset, at as usize)?;
        if size.is_null() { Ok(()) } else { put(size, bytes as usize) }
    }
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
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => {
            return put_int(value, kernel.carveout);
        }
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
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => {
            kernel.carveout = value;
            Ok(())
        }
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED if (0..=1).contains(&value) => {
            kernel.large_clusters = value == 1;
            Ok(())
        }
        _ => Err(Code::INVALID_VALUE),
    }
}

pub(super) fn cuFuncSetCacheConfig(kernel: Handle, config: CUfunc_cache) -> Outcome {
    if !(CU_FUNC_CACHE_PREFER_NONE..=CU_FUNC_CACHE_PREFER_EQUAL).contains(&config) {
        return Err(Code::INVALID_VALUE);
    }
    current()?.kernels.get(&kernel).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}

/// It changes nothing, as on every GPU since Maxwell.
pub(super) fn cuFuncSetSharedMemConfig(kernel: Handle, config: CUsharedconfig) -> Outcome {
    let known = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE..=CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
    if !known.contains(&config) {
        return Err(Code::INVALID_VALUE);
    }
    current()?.kernels.get(&kernel).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}

pub(super) fn cuFuncGetName(name: *mut *const c_char, kernel: Handle) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    // SAFETY: as above; the name lives as long as the module is loaded.
    unsafe { put(name, kernel.name.as_ptr()) }
}
