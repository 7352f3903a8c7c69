//! The linker (CUDA driver API, section 6.10): PTX texts, and what it has linked before.
#![allow(non_snake_case)]

use super::architecture::capability;
use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::jit::Options;
use super::module::{check_target, starts_binary};
use super::object::Object;
use super::state::{Current, Linker, current, memory};
use crate::error::Error;
use crate::ptx;
use ptyx_driver_api::*;
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;

fn linker(state: &mut Current, handle: Handle) -> Result<&mut Linker, Code> {
    state.linkers.get_mut(&handle).ok_or(Code::INVALID_HANDLE)
}

pub(super) fn cuLinkCreate_v2(
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    to: *mut Handle,
) -> Outcome {
    let mut state = current()?;
    let options = Options::of(count, options, values)?;
    options.clear_logs();
    let (handle, device) = (state.handle(), state.device);
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(to, handle)? };
    let max_registers = options.max_registers();
    let linker = Linker { device, options, texts: Vec::new(), max_registers, linked: Vec::new() };
    state.linkers.insert(handle, linker);
    Ok(())
}

/// Adds code to what is linked.
fn add(handle: Handle, kind: CUjitInputType, data: &[u8], name: &str) -> Outcome {
    let mut state = current()?;
    let linker = linker(&mut state, handle)?;
    if matches!(kind, CU_JIT_INPUT_CUBIN) && starts_binary(data) {
        // SAFETY: it starts as an ELF file does, and is one, as the driver's function demands.
        let object = unsafe { Object::read(data.as_ptr()) }?;
        linker.max_registers = linker.max_registers.or(object.max_registers);
        linker.texts.push(object.text);
        return Ok(());
    }
    match kind {
        CU_JIT_INPUT_PTX if !starts_binary(data) => {}
        CU_JIT_INPUT_PTX => return Err(Code::INVALID_PTX),
        CU_JIT_INPUT_CUBIN..=CU_JIT_INPUT_LIBRARY => return Err(Code::NO_BINARY_FOR_GPU),
        _ => return Err(Code::INVALID_VALUE),
    }
    let text = data.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text).into_owned();
    let checked = check_target(&text).and_then(|()| ptx::parse(&text).map(|_| ()));
    if let Err(errors) = checked {
        linker.options.write_errors(&format!("{name}: {}\n", Error::Ptx(errors)));
        return Err(Code::INVALID_PTX);
    }
    linker.texts.push(text);
    Ok(())
}

fn name_of(name: *const c_char) -> String {
    if name.is_null() {
        return "input".to_owned();
    }
    // SAFETY: the caller's string ends with a zero byte.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

// The driver's function has as many arguments.
#[allow(clippy::too_many_arguments)]
pub(super) fn cuLinkAddData_v2(
    linker: Handle,
    kind: CUjitInputType,
    data: *mut c_void,
    bytes: usize,
    name: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Outcome {
    Options::of(count, options, values)?;
    if data.is_null() || bytes == 0 {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller gives as many bytes.
    let data = unsafe { core::slice::from_raw_parts(data.cast::<u8>(), bytes) };
    add(linker, kind, data, &name_of(name))
}

pub(super) fn cuLinkAddFile_v2(
    linker: Handle,
    kind: CUjitInputType,
    path: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Outcome {
    Options::of(count, options, values)?;
    if path.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's string ends with a zero byte.
    let path = std::ffi::OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes());
    let data = std::fs::read(path).map_err(|_| Code::FILE_NOT_FOUND)?;
    add(linker, kind, &data, &path.to_string_lossy())
}

pub(super) fn cuLinkComplete(
    handle: Handle,
    image: *mut *mut c_void,
    bytes: *mut usize,
) -> Outcome {
    let mut state = current()?;
    let linker = linker(&mut state, handle)?;
    if !linker.linked.is_empty() {
        return Err(Code::INVALID_VALUE);
    }
    let texts: Vec<&str> = linker.texts.iter().map(String::as_str).collect();
    let options = &linker.options;
    let text = ptx::link::link(&texts).map_err(Error::Ptx);
    let text = text.or_else(|error| options.refuse(&error))?;
    // The assembler's errors are the linker's; the variables are placed when a module is loaded.
    let loaded = crate::lower::load(&text, memory(linker.device));
    let mut program = loaded.or_else(|error| options.refuse(&error))?;
    for (address, _) in program.variables.values() {
        memory(linker.device).free(*address);
    }
    linker.options.apply(&mut program, linker.max_registers);
    let max_registers = linker.max_registers;
    linker.linked = Object { capability: capability(), max_registers, text }.to_bytes();
    let (data, size) = (linker.linked.as_mut_ptr().cast(), linker.linked.len());
    // SAFETY: as above.
    unsafe {
        put(image, data)?;
        if bytes.is_null() { Ok(()) } else { put(bytes, size) }
    }
}

pub(super) fn cuLinkDestroy(handle: Handle) -> Outcome {
    current()?.linkers.remove(&handle).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}
