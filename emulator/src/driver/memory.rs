//! Memory management (CUDA driver API, section 6.13).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, answer, put};
use super::state::{
    Current, Handle, HostMemory, Leftover, State, context_of, current, memory, memory_of,
    show_output,
};
use super::work::Queue;
use crate::memory::relaxed::{self, Element};
use crate::memory::{Kind, Memory, Span, TOTAL};
use crate::settings::settings;
use std::alloc::Layout;
use std::ffi::{c_int, c_uint, c_void};

super::functions!(
    cuMemAlloc_v2,
    cuMemFree_v2,
    cuMemGetInfo_v2,
    cuMemcpyHtoD_v2,
    cuMemcpyDtoH_v2,
    cuMemcpyDtoD_v2,
    cuMemcpy,
    cuMemcpyHtoDAsync_v2,
    cuMemcpyDtoHAsync_v2,
    cuMemcpyDtoDAsync_v2,
    cuMemcpyAsync,
    cuMemsetD8_v2,
    cuMemsetD16_v2,
    cuMemsetD32_v2,
    cuMemsetD8Async,
    cuMemsetD16Async,
    cuMemsetD32Async,
    cuMemAllocHost_v2,
    cuMemHostAlloc,
    cuMemFreeHost,
    cuMemHostGetDevicePointer_v2,
    cuMemHostGetFlags,
    cuPointerGetAttribute,
    cuMemGetAddressRange_v2,
);

/// Alignment of host memory: a page.
const PAGE: usize = 4096;

extern "C" fn cuMemAlloc_v2(pointer: *mut u64, size: usize) -> Code {
    answer(|| {
        let state = current()?;
        if size == 0 || pointer.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let address = state.memory().allocate(size as u64, Kind::Device);
        // SAFETY: the caller's pointer, as the driver's function demands; so below.
        unsafe { put(pointer, address.ok_or(Code::OUT_OF_MEMORY)?) }
    })
}

/// Frees memory of any device, also that of a pool.
pub(super) fn free(state: &mut State, address: u64) -> Outcome {
    if address == 0 {
        return Ok(());
    }
    let memory = memory_of(address).ok_or(Code::INVALID_VALUE)?;
    let ours = memory.read().at(address).is_some_and(|allocation| allocation.kind == Kind::Device);
    if !ours || !memory.free(address) {
        return Err(Code::INVALID_VALUE);
    }
    state.give_back(address);
    Ok(())
}

extern "C" fn cuMemFree_v2(address: u64) -> Code {
    answer(|| {
        let mut state = current()?;
        free(&mut state, address)?;
        drop(state);
        show_output();
        Ok(())
    })
}

extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    answer(|| {
        let used = current()?.memory().read().used().min(TOTAL);
        // SAFETY: as above.
        unsafe { put(free, (TOTAL - used) as usize).and_then(|()| put(total, TOTAL as usize)) }
    })
}

extern "C" fn cuMemGetAddressRange_v2(base: *mut u64, size: *mut usize, address: u64) -> Code {
    answer(|| {
        let _state = current()?;
        let span = span_at(address).ok_or(Code::NOT_FOUND)?;
        // SAFETY: as above.
        unsafe {
            if !base.is_null() {
                put(base, span.base)?;
            }
            if size.is_null() { Ok(()) } else { put(size, span.size as usize) }
        }
    })
}

/// The allocation of whatever device that holds an address.
fn span_at(address: u64) -> Option<Span> {
    memory_of(address)?.span(address, 1)
}

/// An end of a copy.
#[derive(Clone, Copy)]
enum End {
    Host(*mut c_void),
    Device(u64),
}

impl End {
    /// The bytes on the host that stand for it.
    fn resolve(self, size: usize) -> Result<*mut u8, Code> {
        match self {
            End::Host(pointer) if pointer.is_null() && size > 0 => Err(Code::INVALID_VALUE),
            End::Host(pointer) => Ok(pointer.cast()),
            End::Device(address) => {
                let memory = memory_of(address).ok_or(Code::INVALID_VALUE)?;
                memory.host_pointer(address, size as u64).ok_or(Code::INVALID_VALUE)
            }
        }
    }

    /// For `cuMemcpy`: device addresses are known, all others are the host's.
    fn either(address: u64) -> End {
        match span_at(address) {
            Some(_) => End::Device(address),
            None => End::Host(address as *mut c_void),
        }
    }
}

fn copy(to: End, from: End, size: usize) -> Outcome {
    let (target, source) = (to.resolve(size)?, from.resolve(size)?);
    // SAFETY: device ends were checked, and are only accessed atomically; for host ends the caller promises
    // that many bytes, and that nobody else uses them meanwhile.
    unsafe {
        match (to, from) {
            (End::Device(_), End::Host(_)) => relaxed::copy_in(target, source, size),
            (End::Host(_), End::Device(_)) => relaxed::copy_out(target, source, size),
            (End::Device(_), End::Device(_)) => relaxed::copy(target, source, size),
            (End::Host(_), End::Host(_)) => target.copy_from(source, size),
        }
    }
    Ok(())
}

/// A copy that waits for the device, as those from and to pageable memory do.
fn copy_now(to: End, from: End, size: usize) -> Code {
    answer(|| {
        let state = current()?;
        let queue = Queue::legacy(state.device);
        state.synchronize_queue(queue)?;
        let _state = current()?.turn(queue)?;
        copy(to, from, size)
    })
}

fn copy_on(stream: Handle, to: End, from: End, size: usize) -> Code {
    answer(|| {
        let state = current()?;
        let queue = state.own_queue(stream)?;
        let _state = state.turn(queue)?;
        copy(to, from, size)
    })
}

extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, size: usize) -> Code {
    copy_now(End::Device(to), End::Host(from.cast_mut()), size)
}

extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, size: usize) -> Code {
    copy_now(End::Host(to), End::Device(from), size)
}

extern "C" fn cuMemcpyDtoD_v2(to: u64, from: u64, size: usize) -> Code {
    copy_now(End::Device(to), End::Device(from), size)
}

extern "C" fn cuMemcpy(to: u64, from: u64, size: usize) -> Code {
    copy_now(End::either(to), End::either(from), size)
}

extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    size: usize,
    stream: Handle,
) -> Code {
    copy_on(stream, End::Device(to), End::Host(from.cast_mut()), size)
}

extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    size: usize,
    stream: Handle,
) -> Code {
    copy_on(stream, End::Host(to), End::Device(from), size)
}

extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, size: usize, stream: Handle) -> Code {
    copy_on(stream, End::Device(to), End::Device(from), size)
}

extern "C" fn cuMemcpyAsync(to: u64, from: u64, size: usize, stream: Handle) -> Code {
    copy_on(stream, End::either(to), End::either(from), size)
}

fn fill<T: Element>(to: u64, value: T, count: usize, stream: Handle) -> Code {
    answer(|| {
        let state = current()?;
        let queue = state.own_queue(stream)?;
        let _state = state.turn(queue)?;
        let size = count.checked_mul(size_of::<T>()).ok_or(Code::INVALID_VALUE)?;
        if !to.is_multiple_of(size_of::<T>() as u64) {
            return Err(Code::INVALID_VALUE);
        }
        let pointer = End::Device(to).resolve(size)?;
        // SAFETY: the device's bytes were checked, they are aligned as their address is and only accessed
        // atomically.
        unsafe { relaxed::fill(pointer, value, count) };
        Ok(())
    })
}

extern "C" fn cuMemsetD8_v2(to: u64, value: u8, count: usize) -> Code {
    fill(to, value, count, 0)
}

extern "C" fn cuMemsetD16_v2(to: u64, value: u16, count: usize) -> Code {
    fill(to, value, count, 0)
}

extern "C" fn cuMemsetD32_v2(to: u64, value: c_uint, count: usize) -> Code {
    fill(to, value, count, 0)
}

extern "C" fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) -> Code {
    fill(to, value, count, stream)
}

extern "C" fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) -> Code {
    fill(to, value, count, stream)
}

extern "C" fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle) -> Code {
    fill(to, value, count, stream)
}

extern "C" fn cuMemAllocHost_v2(pointer: *mut *mut c_void, size: usize) -> Code {
    cuMemHostAlloc(pointer, size, 2)
}

extern "C" fn cuMemHostAlloc(pointer: *mut *mut c_void, size: usize, flags: c_uint) -> Code {
    answer(|| {
        let mut state = current()?;
        if size == 0 || flags > 7 || pointer.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let layout = Layout::from_size_align(size, PAGE).map_err(|_| Code::INVALID_VALUE)?;
        // SAFETY: the size is not zero.
        let host = unsafe { std::alloc::alloc_zeroed(layout) };
        if host.is_null() {
            return Err(Code::OUT_OF_MEMORY);
        }
        let devices = 0..settings().devices;
        let mapped = devices.map(|device| memory(device).map_host(host, size as u64)).collect();
        state.host.insert(host as usize, HostMemory { layout, mapped });
        // SAFETY: as above.
        unsafe { put(pointer, host.cast()) }
    })
}

extern "C" fn cuMemFreeHost(pointer: *mut c_void) -> Code {
    answer(|| {
        let mut state = current()?;
        if pointer.is_null() {
            return Ok(());
        }
        let gone = state.host.remove(&(pointer as usize)).ok_or(Code::INVALID_VALUE)?;
        for (device, address) in gone.mapped.into_iter().enumerate() {
            memory(device).free(address);
        }
        state.leftovers.push(Leftover { data: pointer.cast(), layout: gone.layout });
        state.clean_up();
        drop(state);
        show_output();
        Ok(())
    })
}

/// The current device's address of a place in host memory.
fn mapped(state: &Current, pointer: usize) -> Option<u64> {
    state.host.iter().find_map(|(&base, memory)| {
        let offset = pointer.checked_sub(base)?;
        (offset < memory.layout.size()).then_some(memory.mapped[state.device] + offset as u64)
    })
}

extern "C" fn cuMemHostGetDevicePointer_v2(
    device: *mut u64,
    pointer: *mut c_void,
    flags: c_uint,
) -> Code {
    answer(|| {
        let state = current()?;
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        let address = mapped(&state, pointer as usize).ok_or(Code::INVALID_VALUE)?;
        // SAFETY: as above.
        unsafe { put(device, address) }
    })
}

extern "C" fn cuMemHostGetFlags(flags: *mut c_uint, pointer: *mut c_void) -> Code {
    answer(|| {
        let state = current()?;
        mapped(&state, pointer as usize).ok_or(Code::INVALID_VALUE)?;
        // SAFETY: as above.
        unsafe { put(flags, 2) }
    })
}

extern "C" fn cuPointerGetAttribute(data: *mut c_void, attribute: c_int, address: u64) -> Code {
    answer(|| {
        let state = current()?;
        if data.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let span = span_at(address);
        let host = mapped(&state, address as usize);
        let is_host = |memory: &Memory| {
            memory.read().find(address).is_some_and(|allocation| allocation.kind == Kind::Host)
        };
        let on_host = host.is_some() || memory_of(address).is_some_and(is_host);
        let device = if host.is_some() { state.device } else { Memory::device_of(address) };
        if span.is_none() && host.is_none() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's pointer suits the attribute, as the driver's function demands.
        unsafe {
            match attribute {
                1 => put(data.cast::<Handle>(), context_of(device)),
                2 => put(data.cast::<c_uint>(), if on_host { 1 } else { 2 }),
                3 => put(data.cast::<u64>(), host.unwrap_or(address)),
                4 => match (host, span) {
                    (Some(_), _) => put(data.cast::<u64>(), address),
                    (None, Some(span)) if on_host => {
                        put(data.cast::<u64>(), span.data as u64 + (address - span.base))
                    }
                    _ => Err(Code::INVALID_VALUE),
                },
                8 => put(data.cast::<c_uint>(), 0),
                9 => put(data.cast::<c_int>(), device as c_int),
                11 => put(data.cast::<u64>(), span.map_or(address, |span| span.base)),
                12 => put(data.cast::<usize>(), span.map_or(0, |span| span.size as usize)),
                13 => put(data.cast::<c_uint>(), 1),
                _ => Err(Code::NOT_SUPPORTED),
            }
        }
    })
}
