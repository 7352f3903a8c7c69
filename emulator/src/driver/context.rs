//! The primary context and the threads' current ones (CUDA driver API, sections 6.7 and 6.8).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::handle::{Handle, context_of};
use super::memory::free;
use super::state::{
    Array, Current, current, initialized, lock, memory, retained_device, with_contexts,
};
use crate::exec::texture;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint};

pub(super) fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> Outcome {
    let device = check(device)?;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(context, context_of(device))? };
    lock().contexts[device].retained += 1;
    Ok(())
}

/// Frees everything that belongs to a device's context. A device that was lost after a fault stays
/// lost.
fn reset(device: usize) {
    let mut state = Current::of(device).drain();
    let memory = memory(device);
    for module in state.modules.values().filter(|module| module.device == device) {
        for (address, _) in module.program.variables.values() {
            memory.free(*address);
        }
    }
    state.modules.retain(|_, module| module.device != device);
    state.linkers.retain(|_, linker| linker.device != device);
    state.kernels.retain(|_, kernel| kernel.device != device);
    state.streams.retain(|_, stream| stream.device != device);
    state.events.retain(|_, event| event.device != device);
    let is_here = |(_, array): &(&Handle, &Array)| array.device == device;
    let gone: Vec<Handle> = state.arrays.iter().filter(is_here).map(|(&array, _)| array).collect();
    for array in gone {
        state.give_back_tiles(array);
        state.arrays.remove(&array);
    }
    state.objects.retain(|_, object| object.device != device);
    state.external.retain(|_, external| external.device != device);
    state.semaphores.retain(|_, semaphore| semaphore.device != device);
    texture::remove_all(device);
    state.work.reset(device);
    state.contexts[device].limits.clear();
    state.contexts[device].fixed_limits.clear();
    state.contexts[device].cache_config = 0;
    state.pools.reset(device);
    state.contexts[device].pool = 0;
    state.contexts[device].peers = 0;
    // Managed memory may be another device's.
    let mut bases: Vec<u64> = memory.read().device_allocations();
    bases.retain(|base| !state.managed.contains_key(base));
    for base in bases {
        memory.free(base);
    }
    let of_device = state.managed.iter().filter(|(_, managed)| managed.device == device);
    let managed: Vec<u64> = of_device.map(|(&address, _)| address).collect();
    for address in managed {
        // It is there.
        let _ = free(&mut state, address);
    }
}

pub(super) fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Outcome {
    let device = check(device)?;
    let mut state = lock();
    let retained = &mut state.contexts[device].retained;
    *retained = retained.checked_sub(1).ok_or(Code::INVALID_CONTEXT)?;
    let last = *retained == 0;
    drop(state);
    if last {
        reset(device);
    }
    Ok(())
}

pub(super) fn cuDevicePrimaryCtxReset_v2(device: c_int) -> Outcome {
    reset(check(device)?);
    Ok(())
}

pub(super) fn cuDevicePrimaryCtxGetState(
    device: c_int,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Outcome {
    let device = check(device)?;
    let state = lock();
    let context = &state.contexts[device];
    let active_now = c_int::from(context.retained > 0);
    // SAFETY: as above.
    unsafe { put(flags, context.flags).and_then(|()| put(active, active_now)) }
}

pub(super) fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> Outcome {
    let device = check(device)?;
    let ways = (flags & CU_CTX_SCHED_MASK).count_ones();
    let known = CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX;
    if flags & !known != 0 || ways > 1 {
        return Err(Code::INVALID_VALUE);
    }
    lock().contexts[device].flags = flags;
    Ok(())
}

fn known(context: Handle) -> Result<(), Code> {
    retained_device(&*initialized()?, context).map(|_| ())
}

pub(super) fn cuCtxSetCurrent(context: Handle) -> Outcome {
    if context == 0 {
        initialized()?;
        with_contexts(|stack| stack.pop());
        return Ok(());
    }
    known(context)?;
    with_contexts(|stack| {
        stack.pop();
        stack.push(context);
    });
    Ok(())
}

pub(super) fn cuCtxGetCurrent(context: *mut Handle) -> Outcome {
    initialized()?;
    let current = with_contexts(|stack| stack.last().copied().unwrap_or(0));
    // SAFETY: as above.
    unsafe { put(context, current) }
}

pub(super) fn cuCtxPushCurrent_v2(context: Handle) -> Outcome {
    known(context)?;
    with_contexts(|stack| stack.push(context));
    Ok(())
}

pub(super) fn cuCtxPopCurrent_v2(context: *mut Handle) -> Outcome {
    initialized()?;
    let popped = with_contexts(|stack| stack.pop()).ok_or(Code::INVALID_CONTEXT)?;
    if context.is_null() {
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { put(context, popped) }
}

pub(super) fn cuCtxGetDevice(device: *mut c_int) -> Outcome {
    let state = current()?;
    // SAFETY: as above.
    unsafe { put(device, state.device as c_int) }
}

pub(super) fn cuCtxGetFlags(flags: *mut c_uint) -> Outcome {
    let mut state = current()?;
    // SAFETY: as above.
    unsafe { put(flags, state.context().flags) }
}

/// What contexts can do has not changed since CUDA 3.2: this is not the driver's version.
const API_VERSION: c_uint = 3020;

pub(super) fn cuCtxGetApiVersion(context: Handle, version: *mut c_uint) -> Outcome {
    match context {
        // That of the current one.
        0 => drop(current()?),
        _ => known(context)?,
    }
    // SAFETY: as above.
    unsafe { put(version, API_VERSION) }
}

pub(super) fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Outcome {
    current()?;
    for (to, value) in [(least, 0), (greatest, -5)] {
        if !to.is_null() {
            // SAFETY: as above.
            unsafe { put(to, value)? };
        }
    }
    Ok(())
}

pub(super) fn cuCtxSynchronize() -> Outcome {
    let mut state = current()?;
    state.refuse_captures()?;
    state.refuse_unsafe()?;
    let launches = state.work.of_device(state.device);
    state.work.overtake_nothing_at_all();
    state.synchronize(&launches)
}
