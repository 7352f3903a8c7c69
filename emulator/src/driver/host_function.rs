//! Functions of the host in streams (CUDA driver API, `cuLaunchHostFunc`).
#![allow(non_snake_case)]

use super::code::{Code, Outcome};
use super::handle::Handle;
use super::running::Running;
use super::state::{call_back, current};
use ptyx_driver_api::CUhostFn;
use std::ffi::c_void;

/// Calls back on this thread, as work of the stream. If earlier work has failed, nothing is called: the failure is
/// left for those that wait.
pub(super) fn cuLaunchHostFunc(
    stream: Handle,
    function: Option<CUhostFn>,
    data: *mut c_void,
) -> Outcome {
    let state = current()?;
    let function = function.ok_or(Code::INVALID_VALUE)?;
    let queue = state.own_queue(stream)?;
    let mut state = state.turn(queue)?;
    let before = state.work.note(queue);
    if state.work.failure(&before).is_some() {
        return Ok(());
    }
    // Other threads that wait for the stream wait for the function. It is not called while the state is locked.
    let running = Running::begin(&mut state, queue);
    drop(state);
    call_back(|| function(data));
    drop(running);
    Ok(())
}
