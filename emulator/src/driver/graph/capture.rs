//! Streams whose work goes into graphs.
#![allow(non_snake_case)]

use super::super::code::{Code, Outcome, put};
use super::super::graphs::{Capture, Captured, Graph, MODE};
use super::super::handle::Handle;
use super::super::state::current;
use super::build::listed;
use ptyx_driver_api::*;
use std::cell::RefCell;
use std::ffi::{c_uint, c_void};

/// Begins a capture into a new graph, or into the caller's, after some of its nodes.
fn begin(
    stream: Handle,
    given: Option<(Handle, Vec<Handle>)>,
    mode: CUstreamCaptureMode,
) -> Outcome {
    let mut state = current()?;
    if mode > CU_STREAM_CAPTURE_MODE_RELAXED {
        return Err(Code::INVALID_VALUE);
    }
    state.own_queue(stream)?;
    let known = state.streams.get(&stream).ok_or(Code::STREAM_CAPTURE_UNSUPPORTED)?;
    if known.captured.is_some() {
        return Err(Code::ILLEGAL_STATE);
    }
    let is_given = given.is_some();
    let (graph, after) = match given {
        Some((graph, after)) => {
            let nodes = &state.graphs.graph(graph)?.nodes;
            if after.iter().any(|node| !nodes.contains_key(node)) {
                return Err(Code::INVALID_VALUE);
            }
            (graph, after)
        }
        None => {
            let graph = state.handle();
            state.graphs.graphs.insert(graph, Graph::default());
            (graph, Vec::new())
        }
    };
    state.graphs.last_capture += 1;
    let (number, thread) = (state.graphs.last_capture, std::thread::current().id());
    let capture = Capture { graph, is_given, origin: stream, mode, thread, is_spoilt: false };
    state.graphs.captures.insert(number, capture);
    if let Some(stream) = state.streams.get_mut(&stream) {
        stream.captured = Some(Captured { capture: number, after });
    }
    Ok(())
}

pub(in super::super) fn cuStreamBeginCapture_v2(
    stream: Handle,
    mode: CUstreamCaptureMode,
) -> Outcome {
    begin(stream, None, mode)
}

pub(in super::super) fn cuStreamBeginCaptureToGraph(
    stream: Handle,
    graph: Handle,
    after: *const Handle,
    _kinds: *const c_void,
    count: usize,
    mode: CUstreamCaptureMode,
) -> Outcome {
    // SAFETY: the caller's list, as the driver's function demands.
    let after = unsafe { listed(after, count)? };
    begin(stream, Some((graph, after)), mode)
}

pub(in super::super) fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) -> Outcome {
    let mut state = current()?;
    state.own_queue(stream)?;
    let captured = state.streams.get(&stream).and_then(|stream| stream.captured.clone());
    let number = captured.ok_or(Code::ILLEGAL_STATE)?.capture;
    let capture = state.graphs.captures.get(&number).ok_or(Code::ILLEGAL_STATE)?;
    if capture.origin != stream {
        state.spoil_capture(number);
        return Err(Code::STREAM_CAPTURE_UNMATCHED);
    }
    let is_other = capture.thread != std::thread::current().id();
    if is_other && capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED {
        return Err(Code::STREAM_CAPTURE_WRONG_THREAD);
    }
    let outcome = if capture.is_spoilt {
        Err(Code::STREAM_CAPTURE_INVALIDATED)
    } else if !state.is_joined(number) {
        Err(Code::STREAM_CAPTURE_UNJOINED)
    } else {
        Ok(())
    };
    let ended = state.end_capture(number).ok_or(Code::ILLEGAL_STATE)?;
    if outcome.is_err() && !ended.is_given {
        state.graphs.graphs.remove(&ended.graph);
    }
    let result = if outcome.is_ok() { ended.graph } else { 0 };
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(graph, result)? };
    outcome
}

pub(in super::super) fn cuStreamIsCapturing(
    stream: Handle,
    status: *mut CUstreamCaptureStatus,
) -> Outcome {
    let mut state = current()?;
    state.queue(stream)?;
    let found = match state.captured(stream) {
        Ok(None) => CU_STREAM_CAPTURE_STATUS_NONE,
        Ok(Some(_)) => CU_STREAM_CAPTURE_STATUS_ACTIVE,
        Err(Code::STREAM_CAPTURE_INVALIDATED) => CU_STREAM_CAPTURE_STATUS_INVALIDATED,
        Err(code) => return Err(code),
    };
    // SAFETY: as above.
    unsafe { put(status, found) }
}

thread_local! {
    /// The nodes that `cuStreamGetCaptureInfo` has given last: the driver's own list is valid until the next call.
    static AFTER: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

pub(in super::super) fn cuStreamGetCaptureInfo_v2(
    stream: Handle,
    status: *mut CUstreamCaptureStatus,
    id: *mut u64,
    graph: *mut Handle,
    after: *mut *const Handle,
    count: *mut usize,
) -> Outcome {
    cuStreamIsCapturing(stream, status)?;
    let mut state = current()?;
    let Ok(Some(captured)) = state.captured(stream) else { return Ok(()) };
    let own = state.graphs.captures.get(&captured.capture).map_or(0, |capture| capture.graph);
    let (length, number) = (captured.after.len(), captured.capture);
    let list = AFTER.with_borrow_mut(|list| {
        *list = captured.after;
        list.as_ptr()
    });
    // SAFETY: as above, if they are not null.
    unsafe {
        if !id.is_null() {
            put(id, number)?;
        }
        if !graph.is_null() {
            put(graph, own)?;
        }
        if !after.is_null() {
            put(after, list)?;
        }
        if !count.is_null() {
            put(count, length)?;
        }
    }
    Ok(())
}

pub(in super::super) fn cuStreamUpdateCaptureDependencies(
    stream: Handle,
    after: *mut Handle,
    count: usize,
    flags: c_uint,
) -> Outcome {
    // SAFETY: the caller's list, as the driver's function demands.
    let given = unsafe { listed(after, count)? };
    let mut state = current()?;
    state.queue(stream)?;
    let Captured { capture, mut after } = state.captured(stream)?.ok_or(Code::ILLEGAL_STATE)?;
    let graph = state.graphs.captures.get(&capture).map_or(0, |capture| capture.graph);
    let nodes = &state.graphs.graph(graph)?.nodes;
    if flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES
        || given.iter().any(|node| !nodes.contains_key(node))
    {
        return Err(Code::INVALID_VALUE);
    }
    if flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES {
        after.clear();
    }
    after.extend(given);
    if let Some(stream) = state.streams.get_mut(&stream) {
        stream.captured = Some(Captured { capture, after });
    }
    Ok(())
}

pub(in super::super) fn cuThreadExchangeStreamCaptureMode(
    mode: *mut CUstreamCaptureMode,
) -> Outcome {
    if mode.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's pointer, as the driver's function demands.
    let wanted = unsafe { mode.read() };
    if wanted > CU_STREAM_CAPTURE_MODE_RELAXED {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { put(mode, MODE.replace(wanted)) }
}
