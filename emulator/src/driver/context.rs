//! The primary context and the threads' current ones (CUDA driver API, sections 6.7 and 6.8).
#![allow(non_snake_case)]

use super::code::{Code, answer, put};
use super::device::check;
use super::state::{Handle, MEMORY, PRIMARY, current, initialized, lock, with_contexts};
use std::ffi::{c_int, c_uint};

super::functions!(
    cuDevicePrimaryCtxRetain,
    cuDevicePrimaryCtxRelease_v2,
    cuDevicePrimaryCtxReset_v2,
    cuDevicePrimaryCtxGetState,
    cuDevicePrimaryCtxSetFlags_v2,
    cuCtxSetCurrent,
    cuCtxGetCurrent,
    cuCtxPushCurrent_v2,
    cuCtxPopCurrent_v2,
    cuCtxGetDevice,
    cuCtxSynchronize,
    cuCtxGetApiVersion,
    cuCtxGetStreamPriorityRange,
    cuCtxGetFlags,
);

extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> Code {
    answer(|| {
        check(device)?;
        // SAFETY: the caller's pointer, as the driver's function demands; so below.
        unsafe { put(context, PRIMARY)? };
        lock().retained += 1;
        Ok(())
    })
}

/// Frees everything that belongs to the context.
fn reset() {
    let mut state = lock();
    let modules = std::mem::take(&mut state.modules);
    for module in modules.values() {
        for (address, _) in module.program.variables.values() {
            MEMORY.free(*address);
        }
    }
    state.kernels.clear();
    state.streams.clear();
    state.events.clear();
    state.pending = None;
    state.limits.clear();
    let bases: Vec<u64> = MEMORY.read().device_allocations();
    for base in bases {
        MEMORY.free(base);
    }
}

extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Code {
    answer(|| {
        check(device)?;
        let mut state = lock();
        state.retained = state.retained.checked_sub(1).ok_or(Code::INVALID_CONTEXT)?;
        let last = state.retained == 0;
        drop(state);
        if last {
            reset();
        }
        Ok(())
    })
}

extern "C" fn cuDevicePrimaryCtxReset_v2(device: c_int) -> Code {
    answer(|| {
        check(device)?;
        reset();
        Ok(())
    })
}

extern "C" fn cuDevicePrimaryCtxGetState(
    device: c_int,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Code {
    answer(|| {
        check(device)?;
        let state = lock();
        // SAFETY: as above.
        unsafe {
            put(flags, state.flags).and_then(|()| put(active, c_int::from(state.retained > 0)))
        }
    })
}

extern "C" fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> Code {
    answer(|| {
        check(device)?;
        lock().flags = flags;
        Ok(())
    })
}

fn known(context: Handle) -> Result<(), Code> {
    let state = initialized()?;
    let good = context == PRIMARY && state.retained > 0;
    if good { Ok(()) } else { Err(Code::INVALID_CONTEXT) }
}

extern "C" fn cuCtxSetCurrent(context: Handle) -> Code {
    answer(|| {
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
    })
}

extern "C" fn cuCtxGetCurrent(context: *mut Handle) -> Code {
    answer(|| {
        initialized()?;
        let current = with_contexts(|stack| stack.last().copied().unwrap_or(0));
        // SAFETY: as above.
        unsafe { put(context, current) }
    })
}

extern "C" fn cuCtxPushCurrent_v2(context: Handle) -> Code {
    answer(|| {
        known(context)?;
        with_contexts(|stack| stack.push(context));
        Ok(())
    })
}

extern "C" fn cuCtxPopCurrent_v2(context: *mut Handle) -> Code {
    answer(|| {
        initialized()?;
        let popped = with_contexts(|stack| stack.pop()).ok_or(Code::INVALID_CONTEXT)?;
        if context.is_null() {
            return Ok(());
        }
        // SAFETY: as above.
        unsafe { put(context, popped) }
    })
}

extern "C" fn cuCtxGetDevice(device: *mut c_int) -> Code {
    answer(|| {
        current()?;
        // SAFETY: as above.
        unsafe { put(device, 0) }
    })
}

extern "C" fn cuCtxGetFlags(flags: *mut c_uint) -> Code {
    answer(|| {
        let state = current()?;
        // SAFETY: as above.
        unsafe { put(flags, state.flags) }
    })
}

extern "C" fn cuCtxGetApiVersion(_context: Handle, version: *mut c_uint) -> Code {
    answer(|| {
        initialized()?;
        // SAFETY: as above.
        unsafe { put(version, 13000) }
    })
}

extern "C" fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code {
    answer(|| {
        current()?;
        for (to, value) in [(least, 0), (greatest, -5)] {
            if !to.is_null() {
                // SAFETY: as above.
                unsafe { put(to, value)? };
            }
        }
        Ok(())
    })
}

extern "C" fn cuCtxSynchronize() -> Code {
    answer(|| current()?.synchronize())
}
