//! Memory management (CUDA driver API, section 6.13).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::graphs::Op;
use super::handle::Handle;
use super::later;
use super::state::{
    Current, HostMemory, Leftover, Managed, State, current, memory, memory_of, show_output,
};
use super::work::Queue;
use crate::memory::relaxed::{self, Element};
use crate::memory::{Kind, Span, TOTAL, WORD};
use crate::settings::settings;
use ptyx_driver_api::*;
use std::alloc::Layout;
use std::ffi::{c_uint, c_void};

/// Alignment of host memory: a page.
const PAGE: usize = 4096;
/// As the host's address is aligned up to here, so is the device's: the largest access of an instruction.
const MAPPED_ALIGNMENT: usize = 16;

pub(super) fn cuMemAlloc_v2(pointer: *mut u64, size: usize) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    if size == 0 || pointer.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // In pages, so that other processes can open it; if the system gives none, like other memory.
    let (memory, size) = (state.memory(), size as u64);
    let in_pages = memory.allocate_pages(size, Kind::Device);
    let address = in_pages.or_else(|| memory.allocate(size, Kind::Device));
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(pointer, address.ok_or(Code::OUT_OF_MEMORY)?) }
}

/// Whether `cuMemFree` and `cuMemFreeAsync` free it.
fn is_freed_by_program(kind: &Kind) -> bool {
    matches!(kind, Kind::Device | Kind::Pooled(_) | Kind::Managed | Kind::Imported)
}

/// Frees memory of any device, also that of a pool.
pub(super) fn free(state: &mut State, address: u64) -> Outcome {
    if address == 0 {
        return Ok(());
    }
    let memory = memory_of(address).ok_or(Code::INVALID_VALUE)?;
    let ours = memory.read().at(address).is_some_and(|found| is_freed_by_program(&found.kind));
    if !ours || !memory.free(address) {
        return Err(Code::INVALID_VALUE);
    }
    state.pools.give_back(address);
    if let Some(Managed { layout, .. }) = state.managed.remove(&address) {
        let data = std::ptr::with_exposed_provenance_mut(address as usize);
        state.leftovers.push(Leftover { data, layout });
        state.clean_up();
    }
    Ok(())
}

pub(super) fn cuMemFree_v2(address: u64) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    let mut state = state.drain();
    free(&mut state, address)?;
    drop(state);
    show_output();
    Ok(())
}

pub(super) fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Outcome {
    let used = current()?.memory().read().used().min(TOTAL);
    // SAFETY: as above.
    unsafe { put(free, (TOTAL - used) as usize).and_then(|()| put(total, TOTAL as usize)) }
}

pub(super) fn cuMemGetAddressRange_v2(base: *mut u64, size: *mut usize, address: u64) -> Outcome {
    let _state = current()?;
    let span = span_at(address).ok_or(Code::NOT_FOUND)?;
    // SAFETY: as above.
    unsafe {
        if !base.is_null() {
            put(base, span.base)?;
        }
        if size.is_null() { Ok(()) } else { put(size, span.size as usize) }
    }
}

/// The allocation, on any device, that holds an address.
pub(super) fn span_at(address: u64) -> Option<Span> {
    memory_of(address)?.span(address, 1)
}

/// An end of a copy.
#[derive(Clone, Copy)]
pub(super) enum End {
    Host(*mut c_void),
    Device(u64),
    /// A place in an array, which was checked.
    Array(*mut u8),
}

// SAFETY: a copy may be made by any thread; the caller keeps the host's bytes until it has waited for it.
unsafe impl Send for End {}
// SAFETY: as above.
unsafe impl Sync for End {}

impl End {
    /// The bytes on the host that stand for it.
    pub(super) fn resolve(self, size: usize) -> Result<*mut u8, Code> {
        match self {
            End::Host(pointer) if pointer.is_null() && size > 0 => Err(Code::INVALID_VALUE),
            End::Host(pointer) => Ok(pointer.cast()),
            End::Array(pointer) => Ok(pointer),
            End::Device(address) => {
                let memory = memory_of(address).ok_or(Code::INVALID_VALUE)?;
                memory.host_pointer(address, size as u64).ok_or(Code::INVALID_VALUE)
            }
        }
    }

    /// For `cuMemcpy`: device addresses are known, all others are the host's.
    pub(super) fn either(address: u64) -> End {
        match span_at(address) {
            Some(_) => End::Device(address),
            None => End::Host(address as *mut c_void),
        }
    }

    /// So many bytes behind it.
    pub(super) fn after(self, bytes: usize) -> End {
        match self {
            End::Host(pointer) => End::Host(pointer.wrapping_byte_add(bytes)),
            End::Device(address) => End::Device(address.wrapping_add(bytes as u64)),
            End::Array(pointer) => End::Array(pointer.wrapping_add(bytes)),
        }
    }
}

pub(super) fn copy(to: End, from: End, size: usize) -> Outcome {
    let (target, source) = (to.resolve(size)?, from.resolve(size)?);
    // SAFETY: device ends were checked, and are only accessed atomically; for host ends the caller promises
    // that many bytes, and that nobody else uses them meanwhile.
    unsafe {
        match (to, from) {
            (End::Host(_), End::Host(_)) => target.copy_from(source, size),
            (_, End::Host(_)) => relaxed::copy_in(target, source, size),
            (End::Host(_), _) => relaxed::copy_out(target, source, size),
            _ => relaxed::copy(target, source, size),
        }
    }
    Ok(())
}

/// A copy that waits for the device, as those from and to pageable memory do.
pub(super) fn copy_now(to: End, from: End, size: usize) -> Outcome {
    let state = current()?;
    let queue = Queue::legacy(state.device);
    state.synchronize_queue(queue)?;
    let _state = current()?.turn(queue)?;
    copy(to, from, size)
}

/// A copy of one row, as one of three dimensions.
fn linear(to: End, from: End, bytes: usize) -> CUmemcpy3D {
    let null = std::ptr::null_mut();
    let blank = CUmemcpyEnd3D {
        x: 0,
        y: 0,
        z: 0,
        level: 0,
        kind: CU_MEMORYTYPE_HOST,
        host: null,
        device: 0,
        array: CUarray::NULL,
        reserved: null,
        pitch: 0,
        height: 0,
    };
    let end = |end: End| match end {
        End::Host(host) => CUmemcpyEnd3D { host, ..blank },
        End::Array(host) => CUmemcpyEnd3D { host: host.cast(), ..blank },
        End::Device(device) => CUmemcpyEnd3D { kind: CU_MEMORYTYPE_DEVICE, device, ..blank },
    };
    CUmemcpy3D { from: end(from), to: end(to), width: bytes, height: 1, depth: 1 }
}

pub(super) fn copy_on(stream: Handle, to: End, from: End, size: usize) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    if size > 0
        && state
            .capture(stream, || Op::copy(linear(to, from, size), move || copy(to, from, size)))?
    {
        return Ok(());
    }
    if !settings().asynchronous {
        return later::submit(state, queue, move |_| copy(to, from, size));
    }
    to.resolve(size)?;
    from.resolve(size)?;
    if size == 0 {
        return Ok(());
    }
    if is_pageable(&state, to) {
        // It waits for such a copy.
        let _state = state.turn(queue)?;
        return copy(to, from, size);
    }
    let snapshot = match from {
        End::Host(pointer) if is_pageable(&state, from) => {
            // SAFETY: the caller's bytes, which it may change when this call returns.
            Some(unsafe { core::slice::from_raw_parts(pointer.cast::<u8>(), size) }.to_vec())
        }
        _ => None,
    };
    later::submit(state, queue, move |_| match snapshot {
        Some(mut bytes) => copy(to, End::Host(bytes.as_mut_ptr().cast()), size),
        None => copy(to, from, size),
    })
}

pub(super) fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, size: usize) -> Outcome {
    copy_now(End::Device(to), End::Host(from.cast_mut()), size)
}

pub(super) fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, size: usize) -> Outcome {
    copy_now(End::Host(to), End::Device(from), size)
}

pub(super) fn cuMemcpyDtoD_v2(to: u64, from: u64, size: usize) -> Outcome {
    copy_now(End::Device(to), End::Device(from), size)
}

pub(super) fn cuMemcpy(to: u64, from: u64, size: usize) -> Outcome {
    copy_now(End::either(to), End::either(from), size)
}

pub(super) fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    size: usize,
    stream: Handle,
) -> Outcome {
    copy_on(stream, End::Device(to), End::Host(from.cast_mut()), size)
}

pub(super) fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    size: usize,
    stream: Handle,
) -> Outcome {
    copy_on(stream, End::Host(to), End::Device(from), size)
}

pub(super) fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, size: usize, stream: Handle) -> Outcome {
    copy_on(stream, End::Device(to), End::Device(from), size)
}

pub(super) fn cuMemcpyAsync(to: u64, from: u64, size: usize, stream: Handle) -> Outcome {
    copy_on(stream, End::either(to), End::either(from), size)
}

/// What fills `width` elements of each row.
pub(super) fn filling<T: Element + Copy + Send + Sync + 'static>(
    to: u64,
    pitch: usize,
    value: T,
    [width, height]: [usize; 2],
) -> Result<impl Fn() -> Outcome + Copy + Send + Sync + 'static, Code> {
    let row = width.checked_mul(size_of::<T>()).ok_or(Code::INVALID_VALUE)?;
    let aligned = |number: u64| number.is_multiple_of(size_of::<T>() as u64);
    if !aligned(to) || height > 1 && (pitch < row || !aligned(pitch as u64)) {
        return Err(Code::INVALID_VALUE);
    }
    let rows = if row == 0 { 0 } else { height };
    if rows > 0 {
        let whole = (rows - 1).checked_mul(pitch).and_then(|first| first.checked_add(row));
        let whole = whole.ok_or(Code::INVALID_VALUE)?;
        End::Device(to).resolve(whole)?;
    }
    Ok(move || {
        for y in 0..rows {
            let pointer = End::Device(to).after(y * pitch).resolve(row)?;
            // SAFETY: the device's bytes were checked, they are aligned as their address is and only accessed
            // atomically.
            unsafe { relaxed::fill(pointer, value, width) };
        }
        Ok(())
    })
}

/// The parameters of a node that fills `width` elements of each row.
pub(super) fn fill_params<T: Into<u32>>(
    to: u64,
    pitch: usize,
    value: T,
    [width, height]: [usize; 2],
) -> CUmemsetNodeParams {
    let (element, value) = (size_of::<T>() as u32, value.into());
    CUmemsetNodeParams { to, pitch, value, element, width, height, context: CUcontext::NULL }
}

fn fill<T: Element + Copy + Send + Sync + Into<u32> + 'static>(
    to: u64,
    value: T,
    count: usize,
    stream: Handle,
) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    let work = filling(to, 0, value, [count, 1])?;
    let params = fill_params(to, 0, value, [count, 1]);
    if state.capture(stream, || Op::fill(params, work))? {
        return Ok(());
    }
    later::submit(state, queue, move |_| work())
}

pub(super) fn cuMemsetD8_v2(to: u64, value: u8, count: usize) -> Outcome {
    fill(to, value, count, 0)
}

pub(super) fn cuMemsetD16_v2(to: u64, value: u16, count: usize) -> Outcome {
    fill(to, value, count, 0)
}

pub(super) fn cuMemsetD32_v2(to: u64, value: c_uint, count: usize) -> Outcome {
    fill(to, value, count, 0)
}

pub(super) fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) -> Outcome {
    fill(to, value, count, stream)
}

pub(super) fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) -> Outcome {
    fill(to, value, count, stream)
}

pub(super) fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle) -> Outcome {
    fill(to, value, count, stream)
}

pub(super) fn cuMemAllocHost_v2(pointer: *mut *mut c_void, size: usize) -> Outcome {
    cuMemHostAlloc(pointer, size, CU_MEMHOSTALLOC_DEVICEMAP)
}

const HOST_ALLOC_FLAGS: CUmemhostalloc_flags =
    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;

pub(super) fn cuMemHostAlloc(pointer: *mut *mut c_void, size: usize, flags: c_uint) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    if size == 0 || flags & !HOST_ALLOC_FLAGS != 0 || pointer.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // Whole words, as `map_host` wants them.
    let whole = size.next_multiple_of(WORD as usize);
    let layout = Layout::from_size_align(whole, PAGE).map_err(|_| Code::INVALID_VALUE)?;
    // SAFETY: the size is not zero.
    let host = unsafe { std::alloc::alloc_zeroed(layout) };
    if host.is_null() {
        return Err(Code::OUT_OF_MEMORY);
    }
    insert_host(&mut state, host, size, flags, Some(layout));
    // SAFETY: as above.
    unsafe { put(pointer, host.cast()) }
}

/// Notes host memory, and gives it an address on each device.
fn insert_host(
    state: &mut State,
    host: *mut u8,
    bytes: usize,
    flags: c_uint,
    layout: Option<Layout>,
) {
    // Whole words, and addresses that are aligned as the host's are.
    let before = host.addr() % MAPPED_ALIGNMENT;
    let size = match layout {
        Some(_) => bytes,
        None => (before + bytes).next_multiple_of(WORD as usize),
    };
    let devices = 0..settings().devices;
    let map = |device| memory(device).map_host(host.wrapping_sub(before), size as u64);
    let mapped = devices.map(map).map(|base| base + before as u64).collect();
    let before = before as u64;
    state.host.insert(host as usize, HostMemory { bytes, layout, flags, mapped, before });
}

/// Forgets host memory.
fn remove_host(state: &mut State, pointer: usize) -> Option<HostMemory> {
    let gone = state.host.remove(&pointer)?;
    for (device, address) in gone.mapped.iter().enumerate() {
        memory(device).free(address - gone.before);
    }
    Some(gone)
}

pub(super) fn cuMemFreeHost(pointer: *mut c_void) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    let mut state = state.drain();
    if pointer.is_null() {
        return Ok(());
    }
    let known = state.host.get(&pointer.addr()).and_then(|memory| memory.layout);
    let layout = known.ok_or(Code::INVALID_VALUE)?;
    remove_host(&mut state, pointer.addr());
    state.leftovers.push(Leftover { data: pointer.cast(), layout });
    state.clean_up();
    drop(state);
    show_output();
    Ok(())
}

const HOST_REGISTER_FLAGS: CUmemhostregister_flags =
    CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;

pub(super) fn cuMemHostRegister_v2(host: *mut c_void, bytes: usize, flags: c_uint) -> Outcome {
    let mut state = current()?;
    if host.is_null() || bytes == 0 || host.addr().checked_add(bytes).is_none() {
        return Err(Code::INVALID_VALUE);
    }
    if flags & !HOST_REGISTER_FLAGS != 0 {
        return Err(Code::NOT_SUPPORTED);
    }
    let overlaps = |(&base, memory): (&usize, &HostMemory)| {
        base < host.addr() + bytes && host.addr() < base + memory.bytes
    };
    if state.host.iter().any(overlaps) {
        return Err(Code::HOST_MEMORY_ALREADY_REGISTERED);
    }
    insert_host(&mut state, host.cast(), bytes, flags, None);
    Ok(())
}

pub(super) fn cuMemHostUnregister(host: *mut c_void) -> Outcome {
    let mut state = current()?.drain();
    let is_within = |(&base, memory): (&usize, &HostMemory)| {
        (base + 1..base + memory.bytes).contains(&host.addr())
    };
    if state.host.iter().any(is_within) {
        return Err(Code::INVALID_VALUE);
    }
    let known = state.host.get(&host.addr());
    if known.is_none_or(|memory| memory.layout.is_some()) {
        return Err(Code::HOST_MEMORY_NOT_REGISTERED);
    }
    remove_host(&mut state, host.addr());
    drop(state);
    show_output();
    Ok(())
}

/// Whether an end is host memory that the driver does not know.
pub(super) fn is_pageable(state: &Current, end: End) -> bool {
    matches!(end, End::Host(pointer) if mapped(state, pointer.addr()).is_none())
}

/// The current device's address of a place in host memory.
pub(super) fn mapped(state: &Current, pointer: usize) -> Option<u64> {
    state.host.iter().find_map(|(&base, memory)| {
        let offset = pointer.checked_sub(base)?;
        (offset < memory.bytes).then_some(memory.mapped[state.device] + offset as u64)
    })
}

pub(super) fn cuMemHostGetDevicePointer_v2(
    device: *mut u64,
    pointer: *mut c_void,
    flags: c_uint,
) -> Outcome {
    let state = current()?;
    if flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let address = mapped(&state, pointer as usize).ok_or(Code::INVALID_VALUE)?;
    // SAFETY: as above.
    unsafe { put(device, address) }
}

pub(super) fn cuMemHostGetFlags(flags: *mut c_uint, pointer: *mut c_void) -> Outcome {
    let state = current()?;
    let holds = |(base, memory): &(&usize, &HostMemory)| {
        pointer.addr().checked_sub(**base).is_some_and(|offset| offset < memory.bytes)
    };
    let found = state.host.iter().find(holds).map(|(_, memory)| memory.flags);
    // SAFETY: as above.
    unsafe { put(flags, found.ok_or(Code::INVALID_VALUE)?) }
}
