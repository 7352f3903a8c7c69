//! Streams and events (CUDA driver API, sections 6.18 and 6.19). Work is done when the call that submits
//! it returns, so a stream is idle unless another host thread's call is busy with it.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::graphs::Op;
use super::handle::Handle;
use super::later;
use super::state::{Current, Event, Stream, current};
use super::work::{Data, Queue, Recorded};
use crate::settings::settings;
use ptyx_driver_api::*;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};

/// The legacy default stream: no handle, or `CU_STREAM_LEGACY`.
const NONE: Handle = 0;
const LEGACY: Handle = 1;
/// `CU_STREAM_PER_THREAD`
const PER_THREAD: Handle = 2;
impl Current {
    /// The queue of a stream, on any device.
    pub(super) fn queue(&self, stream: Handle) -> Result<Queue, Code> {
        match stream {
            NONE | LEGACY => Ok(Queue::legacy(self.device)),
            PER_THREAD => Ok(Queue::of_this_thread(self.device)),
            _ => {
                let found = self.streams.get(&stream).ok_or(Code::INVALID_HANDLE)?;
                Ok(Queue::created(found.device, stream, found.flags & CU_STREAM_NON_BLOCKING == 0))
            }
        }
    }

    /// The queue of a stream of the current device, to which work can be given.
    pub(super) fn own_queue(&self, stream: Handle) -> Result<Queue, Code> {
        let queue = self.queue(stream)?;
        if queue.device == self.device { Ok(queue) } else { Err(Code::INVALID_HANDLE) }
    }
}

pub(super) fn cuStreamCreate(stream: *mut Handle, flags: c_uint) -> Outcome {
    cuStreamCreateWithPriority(stream, flags, 0)
}

pub(super) fn cuStreamCreateWithPriority(
    stream: *mut Handle,
    flags: c_uint,
    priority: c_int,
) -> Outcome {
    let mut state = current()?;
    if flags > CU_STREAM_NON_BLOCKING {
        return Err(Code::INVALID_VALUE);
    }
    let handle = state.handle();
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(stream, handle)? };
    let (device, priority) = (state.device, priority.clamp(-5, 0));
    let attributes = BTreeMap::new();
    state.streams.insert(handle, Stream { device, flags, priority, attributes, captured: None });
    Ok(())
}

pub(super) fn cuStreamDestroy_v2(stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    state.spoil(stream);
    state.streams.remove(&stream).ok_or(Code::INVALID_HANDLE)?;
    state.work.forget(queue);
    Ok(())
}

pub(super) fn cuStreamSynchronize(stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    state.refuse_captured(stream)?;
    state.refuse_unsafe()?;
    state.synchronize_queue(queue)
}

/// Calls back on this thread, or on the thread of what is put off, once the stream's work is done. A failure is left for those that wait.
pub(super) fn cuStreamAddCallback(
    stream: Handle,
    callback: Option<CUstreamCallback>,
    data: *mut c_void,
    flags: c_uint,
) -> Outcome {
    let mut state = current()?;
    let (Some(callback), 0) = (callback, flags) else { return Err(Code::INVALID_VALUE) };
    let queue = state.queue(stream)?;
    state.refuse_captured(stream)?;
    state.work.overtake_nothing(queue);
    let launches = state.work.of_queue(queue);
    let data = Data(data);
    let call = move |state: Current| {
        let failure = state.work.failure(&launches).map(|failure| failure.code);
        // The caller's function is not called while the state is locked.
        drop(state);
        let result = failure.unwrap_or(Code::SUCCESS);
        callback(CUstream(std::ptr::without_provenance_mut(stream)), result.0, data.pointer());
    };
    if settings().asynchronous {
        let mut state = state;
        let (before, running) = later::begin(&mut state, queue);
        let (id, device) = (running.id(), state.device);
        let job = move || {
            let _running = running;
            call(Current::of(device));
        };
        later::put_off(state, id, before, true, Box::new(job));
        return Ok(());
    }
    let launches = state.work.of_queue(queue);
    call(state.wait_for(&launches));
    Ok(())
}

pub(super) fn cuStreamQuery(stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    state.refuse_captured(stream)?;
    state.refuse_unsafe()?;
    let launches = state.work.of_queue(queue);
    if launches.iter().any(|&id| state.work.is_running(id)) {
        return state.not_ready();
    }
    state.work.overtake_none_before(queue);
    state.ask(&launches)
}

pub(super) fn cuStreamGetPriority(stream: Handle, priority: *mut c_int) -> Outcome {
    let state = current()?;
    state.queue(stream)?;
    let found = state.streams.get(&stream).map_or(0, |stream| stream.priority);
    // SAFETY: as above.
    unsafe { put(priority, found) }
}

pub(super) fn cuStreamGetFlags(stream: Handle, flags: *mut c_uint) -> Outcome {
    let state = current()?;
    state.queue(stream)?;
    let found = state.streams.get(&stream).map_or(0, |stream| stream.flags);
    // SAFETY: as above.
    unsafe { put(flags, found) }
}

pub(super) fn cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    if flags == CU_EVENT_WAIT_EXTERNAL {
        if !state.events.contains_key(&event) {
            return Err(Code::INVALID_HANDLE);
        }
        // Only in a capture.
        return match state.capture(stream, || Op::Wait(event))? {
            true => Ok(()),
            false => Err(Code::INVALID_VALUE),
        };
    }
    if flags != CU_EVENT_WAIT_DEFAULT {
        return Err(Code::INVALID_VALUE);
    }
    if state.capture_wait(stream, event)? {
        return Ok(());
    }
    if let Some(recorded) = recorded(&state, event)? {
        state.work.put_behind_event(queue, &recorded);
    }
    Ok(())
}

pub(super) fn cuEventCreate(event: *mut Handle, flags: c_uint) -> Outcome {
    let mut state = current()?;
    let known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    let shared_and_timed = flags & (CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    if flags & !known != 0 || shared_and_timed == CU_EVENT_INTERPROCESS {
        return Err(Code::INVALID_VALUE);
    }
    let handle = state.handle();
    // SAFETY: as above.
    unsafe { put(event, handle)? };
    let (device, timed) = (state.device, flags & CU_EVENT_DISABLE_TIMING == 0);
    let shared = flags & CU_EVENT_INTERPROCESS != 0;
    state.events.insert(handle, Event { device, timed, shared, recorded: None, captured: None });
    Ok(())
}

pub(super) fn cuEventRecord(event: Handle, stream: Handle) -> Outcome {
    cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT)
}

pub(super) fn cuEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint) -> Outcome {
    let mut state = current()?;
    let queue = state.queue(stream)?;
    if state.events.get(&event).is_none_or(|event| event.device != queue.device) {
        return Err(Code::INVALID_HANDLE);
    }
    if flags == CU_EVENT_RECORD_EXTERNAL {
        // Only in a capture.
        return match state.capture(stream, || Op::Record(event))? {
            true => Ok(()),
            false => Err(Code::INVALID_VALUE),
        };
    }
    if flags != CU_EVENT_RECORD_DEFAULT {
        return Err(Code::INVALID_VALUE);
    }
    if let Some(captured) = state.captured(stream)? {
        if let Some(event) = state.events.get_mut(&event) {
            event.captured = Some(captured);
        }
        return Ok(());
    }
    let recorded = state.work.record(queue);
    let mut shared_after = None;
    if let Some(event) = state.events.get_mut(&event) {
        shared_after = event.shared.then(|| recorded.behind.clone());
        event.recorded = Some(recorded);
        event.captured = None;
    }
    if let Some(launches) = shared_after {
        // Other processes can't.
        drop(state.wait_for(&launches));
    }
    Ok(())
}

pub(super) fn cuEventSynchronize(event: Handle) -> Outcome {
    let mut state = current()?;
    let recorded = recorded(&state, event)?;
    state.refuse_unsafe()?;
    let Some(recorded) = recorded else { return state.synchronize(&[]) };
    state.work.overtake_none_of(&recorded.kernels);
    state.synchronize(&recorded.behind)
}

/// When an event was recorded, if it was.
fn recorded(state: &Current, event: Handle) -> Result<Option<Recorded>, Code> {
    let event = state.events.get(&event).ok_or(Code::INVALID_HANDLE)?;
    if event.captured.is_some() {
        return Err(Code::CAPTURED_EVENT);
    }
    Ok(event.recorded.clone())
}

pub(super) fn cuEventQuery(event: Handle) -> Outcome {
    let mut state = current()?;
    let recorded = recorded(&state, event)?;
    state.refuse_unsafe()?;
    let Some(recorded) = recorded else { return state.ask(&[]) };
    if recorded.behind.iter().any(|&id| state.work.is_running(id)) {
        return state.not_ready();
    }
    state.work.overtake_none_of(&recorded.kernels);
    state.ask(&recorded.behind)
}

pub(super) fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) -> Outcome {
    let state = current()?;
    let time = |event: Handle| {
        let event = state.events.get(&event).filter(|event| event.timed);
        if event.is_some_and(|event| event.captured.is_some()) {
            return Err(Code::CAPTURED_EVENT);
        }
        let recorded = event.and_then(|event| event.recorded.as_ref());
        let recorded = recorded.ok_or(Code::INVALID_HANDLE)?;
        if recorded.behind.iter().any(|&id| state.work.is_running(id)) {
            return Err(Code::NOT_READY);
        }
        Ok(recorded.at)
    };
    let (start, end) = (time(start)?, time(end)?);
    let seconds = if end >= start {
        end.duration_since(start).as_secs_f32()
    } else {
        -start.duration_since(end).as_secs_f32()
    };
    // SAFETY: as above.
    unsafe { put(milliseconds, seconds * 1e3) }
}

pub(super) fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: Handle, end: Handle) -> Outcome {
    cuEventElapsedTime(milliseconds, start, end)
}

pub(super) fn cuEventDestroy_v2(event: Handle) -> Outcome {
    let mut state = current()?;
    state.events.remove(&event).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}
