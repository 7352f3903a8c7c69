//! Calls that may touch a graph that is being captured: the driver gets one of them at a time.
//!
//! All streams of a capture add to one graph, and the driver does not synchronise access to a graph
//! ([graph object thread safety](https://docs.nvidia.com/cuda/cuda-driver-api/graphs-thread-safety.html)): it failed when
//! threads gave work to streams of one capture at once (580.159.04 on an H200: 18 of 18 runs, in which no calls took turns, or
//! only those of graphs, captures and events; 0 of 12 runs, in which all calls did, or all but those that wait). So a thread says
//! when its calls may touch such a graph, and then each of them takes one lock. Only the call itself holds the lock, so it can't be
//! part of a deadlock.

use super::host_function;
use core::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While it lives, the driver calls of this thread take turns with those of other threads that have one.
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

/// Whether a call adds to no graph, and may take long: it waits for a device, loads or links a module, or concerns a context.
fn is_long(name: &str) -> bool {
    let mut starts = ["cuModule", "cuLink", "cuCtx"].into_iter();
    starts.any(|start| name.starts_with(start)) || name.contains("Synchronize")
}

/// If this call may touch a captured graph, waits until no other such call runs, and holds the turn.
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
