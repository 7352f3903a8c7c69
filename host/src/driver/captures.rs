//! Calls that may touch a graph that is being captured, of which the driver takes one at a time.
//!
//! All streams of a capture add to one graph, and the driver does not synchronise access to a graph
//! ([graph object thread safety](https://docs.nvidia.com/cuda/cuda-driver-api/graphs-thread-safety.html)): it crashed when
//! threads gave work to streams of one capture at once (580.159.04 on an H200, 18 of 18 runs; none of 12 with all calls in
//! turn). So a thread says when its calls may be such ones, and then each takes one lock. It is held by nothing but the
//! call itself, so it can't be part of a deadlock.

use super::host_function;
use core::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While it lives, this thread's calls are done one at a time with those of others that have one.
pub(crate) struct InCapture(PhantomData<*const ()>);

impl InCapture {
    #[cold]
    pub(crate) fn new() -> InCapture {
        host_function::in_captures(1);
        InCapture(PhantomData)
    }
}

impl Drop for InCapture {
    fn drop(&mut self) {
        host_function::in_captures(-1);
    }
}

/// Whether a call waits for a device, or for long for something else, and adds to no graph.
fn is_long(name: &str) -> bool {
    let mut starts = ["cuModule", "cuLink", "cuCtx"].into_iter();
    starts.any(|start| name.starts_with(start)) || name.contains("Synchronize")
}

/// Lets nobody else do such a call meanwhile, if this is one.
pub(super) fn alone(name: &str) -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    let is_one = host_function::is_in_captures() && !is_long(name);
    is_one.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_take_no_turn() {
        for name in ["cuModuleLoadDataEx", "cuStreamSynchronize", "cuCtxSetCurrent", "cuLinkCreate"]
        {
            assert!(is_long(name), "{name}");
        }
        for name in ["cuLaunchKernelEx", "cuEventRecord", "cuStreamEndCapture", "Sync"] {
            assert!(!is_long(name), "{name}");
        }
    }
}
