//! Stream-ordered memory (CUDA driver API, sections 6.14 and 6.15).
//!
//! A pool here only keeps accounts: memory comes from the device and is returned at once. Addresses are never
//! reused, so every use after free is found. What a GPU's pool would keep for the next allocation counts as
//! reserved, but stays available elsewhere: a driver that runs short takes it back.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, answer, put};
use super::device::check;
use super::memory::free;
use super::state::{Handle, State, current, initialized};
use crate::memory::Kind;
use crate::settings::settings;
use std::ffi::{c_int, c_void};

super::functions!(
    cuDeviceGetDefaultMemPool,
    cuDeviceGetMemPool,
    cuDeviceSetMemPool,
    cuMemPoolCreate,
    cuMemPoolDestroy,
    cuMemPoolSetAttribute,
    cuMemPoolGetAttribute,
    cuMemPoolTrimTo,
    cuMemAllocAsync,
    cuMemAllocFromPoolAsync,
    cuMemFreeAsync,
);

/// A pool takes memory from the device in pieces of this size.
const PIECE: u64 = 32 << 20;
/// `CU_MEM_ALLOCATION_TYPE_PINNED`, `CU_MEM_LOCATION_TYPE_DEVICE`: what a pool can consist of.
const PINNED: c_int = 1;
const DEVICE: c_int = 1;

/// A memory pool.
pub(super) struct Pool {
    device: usize,
    /// The device's own, which stays.
    default: bool,
    /// It goes when its last allocation does.
    destroyed: bool,
    /// `CU_MEMPOOL_ATTR_REUSE_*`: kept, nothing is ever used again.
    reuse: [c_int; 3],
    /// Reserved bytes that a synchronisation leaves.
    threshold: u64,
    reserved: u64,
    reserved_high: u64,
    used: u64,
    used_high: u64,
}

impl Pool {
    fn new(device: usize, default: bool) -> Pool {
        Pool {
            device,
            default,
            destroyed: false,
            reuse: [1; 3],
            threshold: 0,
            reserved: 0,
            reserved_high: 0,
            used: 0,
            used_high: 0,
        }
    }

    fn take(&mut self, size: u64) {
        self.used += size;
        self.used_high = self.used_high.max(self.used);
        self.reserved = self.reserved.max(self.used.next_multiple_of(PIECE));
        self.reserved_high = self.reserved_high.max(self.reserved);
    }

    /// Reserves no more than `bytes` and what is used.
    fn trim(&mut self, bytes: u64) {
        let bytes = bytes.checked_next_multiple_of(PIECE).unwrap_or(u64::MAX);
        self.reserved = self.reserved.min(bytes.max(self.used.next_multiple_of(PIECE)));
    }
}

/// `CUmemPoolProps`, as far as it counts here.
#[repr(C)]
struct Properties {
    kind: c_int,
    handle_types: c_int,
    location_type: c_int,
    location: c_int,
}

/// The handle of a device's default pool: no other handle is so small.
fn default_pool(device: usize) -> Handle {
    0x100 + device
}

impl State {
    pub(super) fn make_default_pools(&mut self) {
        for device in 0..settings().devices {
            self.pools.insert(default_pool(device), Pool::new(device, true));
        }
    }

    /// Forgets the pools of a device and what they gave.
    pub(super) fn reset_pools(&mut self, device: usize) {
        self.pools.retain(|_, pool| pool.device != device);
        self.pools.insert(default_pool(device), Pool::new(device, true));
        let pools = &self.pools;
        self.pooled
            .retain(|_, (pool, _)| pools.get(pool).is_some_and(|pool| pool.device != device));
        self.contexts[device].pool = 0;
    }

    /// The pool that a device's stream-ordered allocations come from.
    fn pool_of(&self, device: usize) -> Handle {
        match self.contexts[device].pool {
            0 => default_pool(device),
            chosen => chosen,
        }
    }

    /// A pool that was not destroyed.
    fn pool(&mut self, pool: Handle) -> Result<&mut Pool, Code> {
        let found = self.pools.get_mut(&pool).filter(|pool| !pool.destroyed);
        found.ok_or(Code::INVALID_VALUE)
    }

    /// Memory was freed: it is a pool's no more.
    pub(super) fn give_back(&mut self, address: u64) {
        let Some((handle, size)) = self.pooled.remove(&address) else { return };
        let Some(pool) = self.pools.get_mut(&handle) else { return };
        pool.used = pool.used.saturating_sub(size);
        if pool.destroyed && pool.used == 0 {
            self.pools.remove(&handle);
        }
    }

    /// A synchronisation with a device: its pools give back what they need not keep.
    pub(super) fn release_pools(&mut self, device: usize) {
        for pool in self.pools.values_mut().filter(|pool| pool.device == device) {
            pool.trim(pool.threshold);
        }
    }
}

extern "C" fn cuDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) -> Code {
    answer(|| {
        let device = check(device)?;
        // SAFETY: the caller's pointer, as the driver's function demands; so below.
        unsafe { put(pool, default_pool(device)) }
    })
}

extern "C" fn cuDeviceGetMemPool(pool: *mut Handle, device: c_int) -> Code {
    answer(|| {
        let device = check(device)?;
        let found = initialized()?.pool_of(device);
        // SAFETY: as above.
        unsafe { put(pool, found) }
    })
}

extern "C" fn cuDeviceSetMemPool(device: c_int, pool: Handle) -> Code {
    answer(|| {
        let device = check(device)?;
        let mut state = initialized()?;
        if state.pool(pool)?.device != device {
            return Err(Code::INVALID_VALUE);
        }
        state.contexts[device].pool = pool;
        Ok(())
    })
}

extern "C" fn cuMemPoolCreate(pool: *mut Handle, properties: *const c_void) -> Code {
    answer(|| {
        let mut state = initialized()?;
        if pool.is_null() || properties.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's structure begins like this.
        let wanted = unsafe { properties.cast::<Properties>().read() };
        if wanted.kind != PINNED || wanted.location_type != DEVICE {
            return Err(Code::INVALID_VALUE);
        }
        if wanted.handle_types != 0 {
            return Err(Code::NOT_SUPPORTED);
        }
        let device = usize::try_from(wanted.location).map_err(|_| Code::INVALID_VALUE)?;
        if device >= settings().devices {
            return Err(Code::INVALID_VALUE);
        }
        let handle = state.handle();
        state.pools.insert(handle, Pool::new(device, false));
        // SAFETY: as above.
        unsafe { put(pool, handle) }
    })
}

extern "C" fn cuMemPoolDestroy(pool: Handle) -> Code {
    answer(|| {
        let mut state = initialized()?;
        let found = state.pool(pool)?;
        if found.default {
            return Err(Code::INVALID_VALUE);
        }
        found.destroyed = true;
        let (device, empty) = (found.device, found.used == 0);
        if state.contexts[device].pool == pool {
            state.contexts[device].pool = 0;
        }
        if empty {
            state.pools.remove(&pool);
        }
        Ok(())
    })
}

/// The attributes that are flags, by their number in `cuda.h`.
const REUSE: std::ops::RangeInclusive<c_int> = 1..=3;

extern "C" fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code {
    answer(|| {
        let mut state = initialized()?;
        let pool = state.pool(pool)?;
        if value.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        if REUSE.contains(&attribute) {
            // SAFETY: these attributes are of this type.
            pool.reuse[attribute as usize - 1] = unsafe { value.cast::<c_int>().read() };
            return Ok(());
        }
        // SAFETY: the others are of this type.
        let value = unsafe { value.cast::<u64>().read() };
        match attribute {
            4 => pool.threshold = value,
            6 if value == 0 => pool.reserved_high = pool.reserved,
            8 if value == 0 => pool.used_high = pool.used,
            _ => return Err(Code::INVALID_VALUE),
        }
        Ok(())
    })
}

extern "C" fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code {
    answer(|| {
        let mut state = initialized()?;
        let pool = state.pool(pool)?;
        if REUSE.contains(&attribute) {
            // SAFETY: as above.
            return unsafe { put(value.cast::<c_int>(), pool.reuse[attribute as usize - 1]) };
        }
        let found = match attribute {
            4 => pool.threshold,
            5 => pool.reserved,
            6 => pool.reserved_high,
            7 => pool.used,
            8 => pool.used_high,
            _ => return Err(Code::INVALID_VALUE),
        };
        // SAFETY: as above.
        unsafe { put(value.cast::<u64>(), found) }
    })
}

extern "C" fn cuMemPoolTrimTo(pool: Handle, least: usize) -> Code {
    answer(|| {
        initialized()?.pool(pool)?.trim(least as u64);
        Ok(())
    })
}

/// Allocates in stream order, from the current device's pool or from one that is named.
fn allocate(pointer: *mut u64, size: usize, pool: Option<Handle>, stream: Handle) -> Outcome {
    let state = current()?;
    let queue = state.queue(stream)?;
    if size == 0 || pointer.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let mut state = state.turn(queue)?;
    let handle = pool.unwrap_or_else(|| state.pool_of(queue.device));
    let device = state.pool(handle)?.device;
    let memory = super::state::memory(device);
    let address = memory.allocate(size as u64, Kind::Device).ok_or(Code::OUT_OF_MEMORY)?;
    state.pool(handle)?.take(size as u64);
    state.pooled.insert(address, (handle, size as u64));
    // SAFETY: as above.
    unsafe { put(pointer, address) }
}

extern "C" fn cuMemAllocAsync(pointer: *mut u64, size: usize, stream: Handle) -> Code {
    answer(|| allocate(pointer, size, None, stream))
}

extern "C" fn cuMemAllocFromPoolAsync(
    pointer: *mut u64,
    size: usize,
    pool: Handle,
    stream: Handle,
) -> Code {
    answer(|| allocate(pointer, size, Some(pool), stream))
}

extern "C" fn cuMemFreeAsync(address: u64, stream: Handle) -> Code {
    answer(|| {
        let state = current()?;
        let queue = state.queue(stream)?;
        free(&mut *state.turn(queue)?, address)
    })
}
