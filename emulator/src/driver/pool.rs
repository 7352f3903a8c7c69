//! Stream-ordered memory (CUDA driver API, sections 6.14 and 6.15).
//!
//! A pool here is only bookkeeping: memory comes from the device and is returned at once. Addresses are never
//! reused, so every use after free is found. What a GPU's pool would keep for the next allocation counts as
//! reserved, but can still be allocated elsewhere: a real driver that runs short takes it back.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::graphs::{GraphMemory, Op};
use super::handle::Handle;
use super::later;
use super::memory::free;
use super::pools::default_pool;
use super::state::{State, current, initialized, memory_of};
use crate::memory::Kind;
use crate::settings::settings;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_void};

impl State {
    /// The pool that a device's stream-ordered allocations come from.
    fn pool_of(&self, device: usize) -> Handle {
        match self.contexts[device].pool {
            0 => default_pool(device),
            chosen => chosen,
        }
    }
}

pub(super) fn cuDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) -> Outcome {
    let device = check(device)?;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(pool, default_pool(device)) }
}

pub(super) fn cuDeviceGetMemPool(pool: *mut Handle, device: c_int) -> Outcome {
    let device = check(device)?;
    let found = initialized()?.pool_of(device);
    // SAFETY: as above.
    unsafe { put(pool, found) }
}

pub(super) fn cuDeviceSetMemPool(device: c_int, pool: Handle) -> Outcome {
    let device = check(device)?;
    let mut state = initialized()?;
    let found = state.pools.get(pool)?;
    if found.device != device || found.imported.is_some() {
        return Err(Code::INVALID_VALUE);
    }
    state.contexts[device].pool = pool;
    Ok(())
}

pub(super) fn cuMemPoolCreate(pool: *mut Handle, properties: *const c_void) -> Outcome {
    let mut state = initialized()?;
    if pool.is_null() || properties.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's structure, as the driver's function demands.
    let wanted = unsafe { properties.cast::<CUmemPoolProps>().read() };
    if wanted.kind != CU_MEM_ALLOCATION_TYPE_PINNED
        || wanted.location.kind != CU_MEM_LOCATION_TYPE_DEVICE
    {
        return Err(Code::INVALID_VALUE);
    }
    let is_shareable = wanted.handle_types == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    if !is_shareable && wanted.handle_types != CU_MEM_HANDLE_TYPE_NONE {
        return Err(Code::NOT_SUPPORTED);
    }
    let device = usize::try_from(wanted.location.id).map_err(|_| Code::INVALID_VALUE)?;
    if device >= settings().devices {
        return Err(Code::INVALID_VALUE);
    }
    let handle = state.handle();
    state.pools.create(handle, device, wanted.max_size as u64, is_shareable);
    // SAFETY: as above.
    unsafe { put(pool, handle) }
}

pub(super) fn cuMemPoolDestroy(pool: Handle) -> Outcome {
    let mut state = initialized()?;
    let found = state.pools.get(pool)?;
    if found.default {
        return Err(Code::INVALID_VALUE);
    }
    found.destroyed = true;
    let (device, empty) = (found.device, found.used == 0);
    if state.contexts[device].pool == pool {
        state.contexts[device].pool = 0;
    }
    if empty {
        state.pools.remove(pool);
    }
    Ok(())
}

/// The attributes that are flags.
const REUSE: [CUmemPool_attribute; 3] = [
    CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
];

pub(super) fn cuMemPoolSetAttribute(
    pool: Handle,
    attribute: CUmemPool_attribute,
    value: *mut c_void,
) -> Outcome {
    let mut state = initialized()?;
    let pool = state.pools.get(pool)?;
    if value.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if let Some(flag) = REUSE.iter().position(|known| *known == attribute) {
        // SAFETY: these attributes are of this type.
        pool.reuse[flag] = unsafe { value.cast::<c_int>().read() };
        return Ok(());
    }
    // SAFETY: the others are of this type.
    let value = unsafe { value.cast::<u64>().read() };
    match attribute {
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => pool.threshold = value,
        CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH if value == 0 => pool.reserved_high = pool.reserved,
        CU_MEMPOOL_ATTR_USED_MEM_HIGH if value == 0 => pool.used_high = pool.used,
        _ => return Err(Code::INVALID_VALUE),
    }
    Ok(())
}

pub(super) fn cuMemPoolGetAttribute(
    pool: Handle,
    attribute: CUmemPool_attribute,
    value: *mut c_void,
) -> Outcome {
    let mut state = initialized()?;
    let pool = state.pools.get(pool)?;
    if let Some(flag) = REUSE.iter().position(|known| *known == attribute) {
        // SAFETY: as above.
        return unsafe { put(value.cast::<c_int>(), pool.reuse[flag]) };
    }
    let found = match attribute {
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => pool.threshold,
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => pool.reserved,
        CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => pool.reserved_high,
        CU_MEMPOOL_ATTR_USED_MEM_CURRENT => pool.used,
        CU_MEMPOOL_ATTR_USED_MEM_HIGH => pool.used_high,
        _ => return Err(Code::INVALID_VALUE),
    };
    // SAFETY: as above.
    unsafe { put(value.cast::<u64>(), found) }
}

pub(super) fn cuMemPoolTrimTo(pool: Handle, least: usize) -> Outcome {
    initialized()?.pools.get(pool)?.trim(least as u64);
    Ok(())
}

/// Allocates in stream order, from the current device's pool or from one that is named.
fn allocate(pointer: *mut u64, size: usize, pool: Option<Handle>, stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    if size == 0 || pointer.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if state.captured(stream)?.is_some() {
        // The graph has it, not the pool, which only says on which device.
        let pool = pool.unwrap_or_else(|| state.pool_of(queue.device));
        let pool = state.pools.get(pool)?;
        // Graphs have no memory for other processes.
        if pool.is_shareable {
            return Err(Code::NOT_SUPPORTED);
        }
        let device = pool.device;
        let (address, op) = GraphMemory::node(super::state::memory(device), size)?;
        state.capture(stream, || op)?;
        // SAFETY: the caller's pointer, as the driver's function demands.
        return unsafe { put(pointer, address) };
    }
    state.refuse_unsafe()?;
    // Not put off: the caller needs the address, and the memory only after its turn.
    let mut state = if settings().asynchronous { state } else { state.turn(queue)? };
    let handle = pool.unwrap_or_else(|| state.pool_of(queue.device));
    let pool = state.pools.get(handle)?;
    if pool.limit.is_some_and(|limit| pool.used.saturating_add(size as u64) > limit) {
        return Err(Code::OUT_OF_MEMORY);
    }
    if pool.imported.is_some() {
        return Err(Code::INVALID_VALUE);
    }
    let (size_wanted, memory) = (size as u64, super::state::memory(pool.device));
    let kind = Kind::Pooled(pool.access.clone());
    let address = match pool.is_shareable {
        true => memory.allocate_pages(size_wanted, kind),
        false => memory.allocate(size_wanted, kind),
    };
    let address = address.ok_or(Code::OUT_OF_MEMORY)?;
    state.pools.give(handle, address, size as u64)?;
    // SAFETY: as above.
    unsafe { put(pointer, address) }
}

pub(super) fn cuMemAllocAsync(pointer: *mut u64, size: usize, stream: Handle) -> Outcome {
    allocate(pointer, size, None, stream)
}

pub(super) fn cuMemAllocFromPoolAsync(
    pointer: *mut u64,
    size: usize,
    pool: Handle,
    stream: Handle,
) -> Outcome {
    allocate(pointer, size, Some(pool), stream)
}

pub(super) fn cuMemFreeAsync(address: u64, stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    if let Some(captured) = state.captured(stream)? {
        let graph = state.graphs.captures.get(&captured.capture).map_or(0, |own| own.graph);
        let memory = state.graphs.graph(graph)?.to_free(address).ok_or(Code::INVALID_VALUE)?;
        return state.capture(stream, || Op::Free(memory)).map(|_| ());
    }
    state.refuse_unsafe()?;
    let is_allocated = memory_of(address).is_some_and(|memory| memory.read().at(address).is_some());
    if address != 0 && !is_allocated {
        return Err(Code::INVALID_VALUE);
    }
    later::submit(state, queue, move |state| free(state, address))
}
