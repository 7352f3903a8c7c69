//! Streams and events (CUDA driver API, sections 6.18 and 6.19). Work is done when the call returns, so
//! streams are always idle.
#![allow(non_snake_case)]

use super::code::{Code, answer, put};
use super::state::{Handle, State, current};
use std::ffi::{c_int, c_uint};
use std::time::Instant;

super::functions!(
    cuStreamCreate,
    cuStreamCreateWithPriority,
    cuStreamDestroy_v2,
    cuStreamSynchronize,
    cuStreamQuery,
    cuStreamWaitEvent,
    cuStreamGetPriority,
    cuStreamGetFlags,
    cuEventCreate,
    cuEventRecord,
    cuEventSynchronize,
    cuEventQuery,
    cuEventElapsedTime,
    cuEventElapsedTime_v2,
    cuEventDestroy_v2,
);

/// The default streams' handles: null, `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`.
const DEFAULT: std::ops::RangeInclusive<Handle> = 0..=2;

/// Whether a stream exists.
pub(super) fn known(state: &State, stream: Handle) -> Result<(), Code> {
    let good = DEFAULT.contains(&stream) || state.streams.contains_key(&stream);
    if good { Ok(()) } else { Err(Code::INVALID_HANDLE) }
}

extern "C" fn cuStreamCreate(stream: *mut Handle, flags: c_uint) -> Code {
    cuStreamCreateWithPriority(stream, flags, 0)
}

extern "C" fn cuStreamCreateWithPriority(
    stream: *mut Handle,
    flags: c_uint,
    priority: c_int,
) -> Code {
    answer(|| {
        let mut state = current()?;
        if flags > 1 {
            return Err(Code::INVALID_VALUE);
        }
        let handle = state.handle();
        // SAFETY: the caller's pointer, as the driver's function demands; so below.
        unsafe { put(stream, handle)? };
        state.streams.insert(handle, (flags, priority.clamp(-5, 0)));
        Ok(())
    })
}

extern "C" fn cuStreamDestroy_v2(stream: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        state.streams.remove(&stream).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    })
}

extern "C" fn cuStreamSynchronize(stream: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        known(&state, stream)?;
        state.synchronize()
    })
}

extern "C" fn cuStreamQuery(stream: Handle) -> Code {
    cuStreamSynchronize(stream)
}

extern "C" fn cuStreamGetPriority(stream: Handle, priority: *mut c_int) -> Code {
    answer(|| {
        let state = current()?;
        known(&state, stream)?;
        let found = state.streams.get(&stream).map_or(0, |(_, priority)| *priority);
        // SAFETY: as above.
        unsafe { put(priority, found) }
    })
}

extern "C" fn cuStreamGetFlags(stream: Handle, flags: *mut c_uint) -> Code {
    answer(|| {
        let state = current()?;
        known(&state, stream)?;
        let found = state.streams.get(&stream).map_or(0, |(flags, _)| *flags);
        // SAFETY: as above.
        unsafe { put(flags, found) }
    })
}

extern "C" fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: c_uint) -> Code {
    answer(|| {
        let state = current()?;
        known(&state, stream)?;
        state.events.get(&event).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    })
}

extern "C" fn cuEventCreate(event: *mut Handle, _flags: c_uint) -> Code {
    answer(|| {
        let mut state = current()?;
        let handle = state.handle();
        // SAFETY: as above.
        unsafe { put(event, handle)? };
        state.events.insert(handle, None);
        Ok(())
    })
}

extern "C" fn cuEventRecord(event: Handle, stream: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        known(&state, stream)?;
        let recorded = state.events.get_mut(&event).ok_or(Code::INVALID_HANDLE)?;
        *recorded = Some(Instant::now());
        Ok(())
    })
}

extern "C" fn cuEventSynchronize(event: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        if !state.events.contains_key(&event) {
            return Err(Code::INVALID_HANDLE);
        }
        state.synchronize()
    })
}

extern "C" fn cuEventQuery(event: Handle) -> Code {
    cuEventSynchronize(event)
}

extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) -> Code {
    answer(|| {
        let state = current()?;
        let time = |event: Handle| {
            let recorded = state.events.get(&event).ok_or(Code::INVALID_HANDLE)?;
            recorded.ok_or(Code::INVALID_HANDLE)
        };
        let (start, end) = (time(start)?, time(end)?);
        let seconds = if end >= start {
            end.duration_since(start).as_secs_f32()
        } else {
            -start.duration_since(end).as_secs_f32()
        };
        // SAFETY: as above.
        unsafe { put(milliseconds, seconds * 1e3) }
    })
}

extern "C" fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: Handle, end: Handle) -> Code {
    cuEventElapsedTime(milliseconds, start, end)
}

extern "C" fn cuEventDestroy_v2(event: Handle) -> Code {
    answer(|| {
        let mut state = current()?;
        state.events.remove(&event).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    })
}
