//! Functions of the host in streams (CUDA driver API, `cuLaunchHostFunc`).
#![allow(non_snake_case)]

use super::code::{Code, Outcome};
use super::graphs::Op;
use super::handle::Handle;
use super::later;
use super::running::Running;
use super::state::{call_back, current, lock};
use super::work::Data;
use crate::settings::settings;
use ptyx_driver_api::CUhostFn;
use std::ffi::c_void;

/// Calls back as work of the stream: on this thread, or on the thread of what is put off. If earlier work has failed,
/// nothing is called: the failure is left for those that wait.
pub(super) fn cuLaunchHostFunc(
    stream: Handle,
    function: Option<CUhostFn>,
    data: *mut c_void,
) -> Outcome {
    let mut state = current()?;
    let function = function.ok_or(Code::INVALID_VALUE)?;
    let data = Data(data);
    if state.capture(stream, || Op::Host(function, data))? {
        return Ok(());
    }
    if settings().asynchronous {
        let queue = state.queue(stream)?;
        let (before, running) = later::begin(&mut state, queue);
        let (id, of_stream) = (running.id(), before.clone());
        let job = move || {
            let _running = running;
            let failed = lock().work.failure(&of_stream).is_some();
            if !failed {
                call_back(|| function(data.pointer()));
            }
        };
        later::put_off(state, id, before, true, Box::new(job));
        return Ok(());
    }
    let queue = state.own_queue(stream)?;
    let mut state = state.turn(queue)?;
    let before = state.work.note(queue);
    if state.work.failure(&before).is_some() {
        return Ok(());
    }
    // Other threads that wait for the stream wait for the function. It is not called while the state is locked.
    let running = Running::begin(&mut state, queue);
    drop(state);
    call_back(|| function(data.pointer()));
    drop(running);
    Ok(())
}
