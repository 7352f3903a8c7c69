//! Memory and events of other processes (CUDA driver API, sections 6.13 and 6.17, `cuIpc*`), and pools that processes
//! share (section 6.16).
//!
//! The memory is really shared: a handle says which process has it, and where in which of its files. Whatever records a
//! shared event waits for it at once, so that other processes, which can't see this one's queues, need not wait.
#![allow(non_snake_case)]

use super::array::create_in;
use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::state::{Event, External, current, initialized, memory, memory_of, show_output};
use crate::memory::Kind;
use crate::memory::pages::{PAGE, Pages, arena};
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint, c_void};
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, IntoRawFd};
use std::sync::Arc;

/// What handles of memory begin with, those of events, and those of allocations of pools.
const MEMORY: &[u8; 8] = b"ptyx-mem";
const EVENT: &[u8; 8] = b"ptyx-evt";
const POOLED: &[u8; 8] = b"ptyx-ptr";

/// What is in a handle, in this order of words after the first eight bytes.
struct Fields {
    process: u64,
    file: u64,
    offset: u64,
    size: u64,
}

impl Fields {
    fn write(&self, kind: &[u8; 8]) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(kind);
        let words = [self.process, self.file, self.offset, self.size];
        for (place, word) in bytes[8..40].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Those of a handle of that kind.
    fn read(bytes: &[u8; 64], kind: &[u8; 8]) -> Result<Fields, Code> {
        if !bytes.starts_with(kind) {
            return Err(Code::INVALID_VALUE);
        }
        let word = |index: usize| {
            let start = 8 + 8 * index;
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[start..start + 8]);
            u64::from_le_bytes(word)
        };
        Ok(Fields { process: word(0), file: word(1), offset: word(2), size: word(3) })
    }

    /// An error unless another process, which exists, made it.
    fn check_process(&self) -> Outcome {
        if self.process == u64::from(std::process::id()) {
            // As a GPU's driver has it.
            return Err(Code::INVALID_CONTEXT);
        }
        let exists = std::fs::exists(format!("/proc/{}", self.process)).unwrap_or(false);
        if exists { Ok(()) } else { Err(Code::INVALID_HANDLE) }
    }
}

pub(super) fn cuIpcGetMemHandle(handle: *mut CUipcMemHandle, address: u64) -> Outcome {
    let _state = current()?;
    let (file, offset, size) = memory_of(address)
        .and_then(|memory| memory.pages_at(address))
        .ok_or(Code::INVALID_VALUE)?;
    let fields = Fields { process: std::process::id().into(), file: file as u64, offset, size };
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(handle, CUipcMemHandle { bytes: fields.write(MEMORY) }) }
}

pub(super) fn cuIpcOpenMemHandle_v2(
    address: *mut u64,
    handle: CUipcMemHandle,
    flags: c_uint,
) -> Outcome {
    let mut state = current()?;
    if flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || address.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let fields = Fields::read(&handle.bytes, MEMORY)?;
    fields.check_process()?;
    if let Some((known, count)) = state.opened.get_mut(&handle.bytes) {
        *count += 1;
        let known = *known;
        // SAFETY: as above.
        return unsafe { put(address, known) };
    }
    // Another process of the same user, in which it is a file of the emulated device still.
    let path = format!("/proc/{}/fd/{}", fields.process, fields.file);
    let is_ours = std::fs::read_link(&path)
        .is_ok_and(|target| target.to_string_lossy().starts_with("/memfd:ptyx-device-memory"));
    let file = if is_ours { File::options().read(true).write(true).open(&path).ok() } else { None };
    let file = Arc::new(file.ok_or(Code::INVALID_HANDLE)?);
    let pages = Pages::of(file, fields.offset, fields.size).ok_or(Code::INVALID_HANDLE)?;
    let opened = state.memory().add_pages(pages, fields.size, Kind::Opened);
    let opened = opened.ok_or(Code::OUT_OF_MEMORY)?;
    state.opened.insert(handle.bytes, (opened, 1));
    // SAFETY: as above.
    unsafe { put(address, opened) }
}

pub(super) fn cuIpcCloseMemHandle(address: u64) -> Outcome {
    let mut state = current()?.drain();
    let known = state.opened.iter_mut().find(|(_, (opened, _))| *opened == address);
    let (&handle, (_, count)) = known.ok_or(Code::INVALID_VALUE)?;
    *count -= 1;
    if *count == 0 {
        state.opened.remove(&handle);
        if let Some(memory) = memory_of(address) {
            memory.free(address);
        }
    }
    drop(state);
    show_output();
    Ok(())
}

pub(super) fn cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: Handle) -> Outcome {
    let state = current()?;
    let found = state.events.get(&event).filter(|event| event.shared);
    found.ok_or(Code::INVALID_HANDLE)?;
    let (process, file) = (std::process::id().into(), event as u64);
    let fields = Fields { process, file, offset: 0, size: 0 };
    // SAFETY: as above.
    unsafe { put(handle, CUipcEventHandle { bytes: fields.write(EVENT) }) }
}

pub(super) fn cuIpcOpenEventHandle(event: *mut Handle, handle: CUipcEventHandle) -> Outcome {
    let mut state = current()?;
    Fields::read(&handle.bytes, EVENT)?.check_process()?;
    let new = state.handle();
    // SAFETY: as above.
    unsafe { put(event, new)? };
    let (device, timed, shared) = (state.device, false, true);
    state.events.insert(new, Event { device, timed, shared, recorded: None, captured: None });
    Ok(())
}

pub(super) fn cuMemPoolExportToShareableHandle(
    handle: *mut c_void,
    pool: Handle,
    kind: CUmemAllocationHandleType,
    flags: u64,
) -> Outcome {
    let mut state = initialized()?;
    let pool = state.pools.get(pool)?;
    if !pool.is_shareable || kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    if handle.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let file = arena().and_then(|file| file.try_clone().ok()).ok_or(Code::OUT_OF_MEMORY)?;
    pool.is_exported = true;
    // SAFETY: a place for a file's number, which is the caller's from now on.
    unsafe { put(handle.cast::<c_int>(), file.into_raw_fd()) }
}

/// A copy of a file that the caller keeps.
pub(super) fn duplicate(number: c_int) -> Result<File, Code> {
    if number < 0 {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's file, which is not closed here.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
    file.try_clone().map_err(|_| Code::INVALID_VALUE)
}

pub(super) fn cuMemPoolImportFromShareableHandle(
    pool: *mut Handle,
    handle: *mut c_void,
    kind: CUmemAllocationHandleType,
    flags: u64,
) -> Outcome {
    let mut state = current()?;
    // The driver does not take the file with the number 0.
    let is_given = !pool.is_null() && !handle.is_null();
    if !is_given || kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let number = c_int::try_from(handle.addr()).map_err(|_| Code::INVALID_VALUE)?;
    let file = Arc::new(duplicate(number)?);
    let (new, device) = (state.handle(), state.device);
    state.pools.import(new, device, file);
    // SAFETY: as above.
    unsafe { put(pool, new) }
}

pub(super) fn cuMemPoolExportPointer(data: *mut CUmemPoolPtrExportData, address: u64) -> Outcome {
    // As a GPU's driver has it: its pool was exported before, if perhaps after the allocation.
    if !initialized()?.pools.is_exported(address) {
        return Err(Code::INVALID_VALUE);
    }
    let found = memory_of(address).and_then(|memory| memory.pages_at(address));
    let (_, offset, size) = found.ok_or(Code::INVALID_VALUE)?;
    let fields = Fields { process: std::process::id().into(), file: 0, offset, size };
    // SAFETY: as above.
    unsafe { put(data, CUmemPoolPtrExportData { bytes: fields.write(POOLED) }) }
}

pub(super) fn cuMemPoolImportPointer(
    address: *mut u64,
    pool: Handle,
    data: *mut CUmemPoolPtrExportData,
) -> Outcome {
    let mut state = initialized()?;
    if address.is_null() || data.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let found = state.pools.get(pool)?;
    let (device, file) = (found.device, found.imported.clone().ok_or(Code::INVALID_VALUE)?);
    // SAFETY: as above.
    let fields = Fields::read(&unsafe { data.read() }.bytes, POOLED)?;
    let pages = Pages::of(file, fields.offset, fields.size).ok_or(Code::INVALID_VALUE)?;
    let imported = memory(device).add_pages(pages, fields.size, Kind::Imported);
    // SAFETY: as above.
    unsafe { put(address, imported.ok_or(Code::OUT_OF_MEMORY)?) }
}

pub(super) fn cuImportExternalMemory(
    memory: *mut Handle,
    descriptor: *const CUexternalMemoryHandleDesc,
) -> Outcome {
    let mut state = current()?;
    if memory.is_null() || descriptor.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let wanted = unsafe { descriptor.read() };
    if wanted.kind != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD {
        return Err(Code::NOT_SUPPORTED);
    }
    let file = duplicate(wanted.handle.file())?;
    let has = file.metadata().map_err(|_| Code::INVALID_HANDLE)?.len();
    if wanted.size == 0 || wanted.size > has {
        return Err(Code::INVALID_VALUE);
    }
    let (new, device) = (state.handle(), state.device);
    state.external.insert(new, External { device, file: Arc::new(file), size: wanted.size });
    // SAFETY: as above.
    unsafe { put(memory, new)? };
    // The caller's file is the driver's from now on.
    // SAFETY: the caller must not use it any more.
    drop(unsafe { File::from_raw_fd(wanted.handle.file()) });
    Ok(())
}

pub(super) fn cuExternalMemoryGetMappedBuffer(
    address: *mut u64,
    external: Handle,
    descriptor: *const CUexternalMemoryBufferDesc,
) -> Outcome {
    let state = current()?;
    let external = state.external.get(&external).ok_or(Code::INVALID_HANDLE)?;
    if address.is_null() || descriptor.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let CUexternalMemoryBufferDesc { offset, size, flags, .. } = unsafe { descriptor.read() };
    let end = offset.checked_add(size).filter(|&end| size > 0 && end <= external.size);
    if flags != 0 || end.is_none() {
        return Err(Code::INVALID_VALUE);
    }
    if !offset.is_multiple_of(PAGE) {
        return Err(Code::NOT_SUPPORTED);
    }
    let pages = Pages::of(external.file.clone(), offset, size).ok_or(Code::INVALID_VALUE)?;
    let mapped = memory(external.device).add_pages(pages, size, Kind::Imported);
    // SAFETY: as above.
    unsafe { put(address, mapped.ok_or(Code::OUT_OF_MEMORY)?) }
}

pub(super) fn cuExternalMemoryGetMappedMipmappedArray(
    array: *mut Handle,
    external: Handle,
    descriptor: *const CUexternalMemoryMipmappedArrayDesc,
) -> Outcome {
    let (file, has) = match current()?.external.get(&external) {
        Some(external) => (external.file.clone(), external.size),
        None => return Err(Code::INVALID_HANDLE),
    };
    if array.is_null() || descriptor.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let CUexternalMemoryMipmappedArrayDesc { offset, array: shape, levels, .. } =
        unsafe { descriptor.read() };
    if !offset.is_multiple_of(PAGE) {
        return Err(Code::NOT_SUPPORTED);
    }
    // The emulated device's images have no order of their own: texel after texel, level after level.
    let mut fits = true;
    let created = create_in(&shape, Some(levels), |memory, bytes| {
        fits = offset.checked_add(bytes).is_some_and(|end| end <= has);
        let pages = Pages::of(file, offset, bytes).filter(|_| fits)?;
        memory.add_pages(pages, bytes, Kind::Array)
    });
    match fits {
        // SAFETY: as above.
        true => unsafe { put(array, created?) },
        false => Err(Code::INVALID_VALUE),
    }
}

pub(super) fn cuDestroyExternalMemory(external: Handle) -> Outcome {
    current()?.external.remove(&external).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}

/// There is no other device on a bus that writes.
pub(super) fn cuFlushGPUDirectRDMAWrites(
    _target: CUflushGPUDirectRDMAWritesTarget,
    _scope: CUflushGPUDirectRDMAWritesScope,
) -> Outcome {
    let _state = current()?;
    Err(Code::NOT_SUPPORTED)
}
