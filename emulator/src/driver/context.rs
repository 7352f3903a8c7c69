//! The primary context and the threads' current ones (CUDA driver API, sections 6.7 and 6.8).
#![allow(non_snake_case)]

use super::code::{Code, answer, put};
use super::device::check;
use super::state::{
    Handle, context_of, current, initialized, lock, memory, retained_device, with_contexts,
};
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
        let device = check(device)?;
        // SAFETY: the caller's pointer, as the driver's function demands; so below.
        unsafe { put(context, context_of(device))? };
        lock().contexts[device].retained += 1;
        Ok(())
    })
}

/// Frees everything that belongs to a device's context. A loss after a fault stays.
fn reset(device: usize) {
    let mut state = lock();
    let memory = memory(device);
    for module in state.modules.values().filter(|module| module.device == device) {
        for (address, _) in module.program.variables.values() {
            memory.free(*address);
        }
    }
    state.modules.retain(|_, module| module.device != device);
    state.kernels.retain(|_, kernel| kernel.device != device);
    state.streams.retain(|_, stream| stream.device != device);
    state.events.retain(|_, event| event.device != device);
    state.work.reset(device);
    state.contexts[device].limits.clear();
    state.reset_pools(device);
    let bases: Vec<u64> = memory.read().device_allocations();
    for base in bases {
        memory.free(base);
    }
}

extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Code {
    answer(|| {
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
    })
}

extern "C" fn cuDevicePrimaryCtxReset_v2(device: c_int) -> Code {
    answer(|| {
        reset(check(device)?);
        Ok(())
    })
}

extern "C" fn cuDevicePrimaryCtxGetState(
    device: c_int,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Code {
    answer(|| {
        let device = check(device)?;
        let state = lock();
        let context = &state.contexts[device];
        let active_now = c_int::from(context.retained > 0);
        // SAFETY: as above.
        unsafe { put(flags, context.flags).and_then(|()| put(active, active_now)) }
    })
}

extern "C" fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> Code {
    answer(|| {
        let device = check(device)?;
        lock().contexts[device].flags = flags;
        Ok(())
    })
}

fn known(context: Handle) -> Result<(), Code> {
    retained_device(&*initialized()?, context).map(|_| ())
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
        let state = current()?;
        // SAFETY: as above.
        unsafe { put(device, state.device as c_int) }
    })
}

extern "C" fn cuCtxGetFlags(flags: *mut c_uint) -> Code {
    answer(|| {
        let mut state = current()?;
        // SAFETY: as above.
        unsafe { put(flags, state.context().flags) }
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
    answer(|| {
        let state = current()?;
        let launches = state.work.of_device(state.device);
        state.synchronize(&launches)
    })
}
