//! Limits of a context (CUDA driver API, `cuCtxSetLimit`).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::state::{Current, current};
use crate::exec::warp::LOCAL_LIMIT;
use ptyx_driver_api::*;

/// The driver's own value of a limit, in bytes.
fn default(limit: CUlimit) -> Option<usize> {
    match limit {
        CU_LIMIT_STACK_SIZE => Some(1024),
        // Kept, but printing has all the room that it needs.
        CU_LIMIT_PRINTF_FIFO_SIZE => Some(1 << 20),
        CU_LIMIT_MALLOC_HEAP_SIZE => Some(8 << 20),
        _ => None,
    }
}

impl Current {
    /// The current value of a limit, in bytes; 0 for one that the device does not have.
    pub(super) fn limit(&mut self, limit: CUlimit) -> usize {
        let set = self.context().limits.get(&limit).copied();
        set.or_else(|| default(limit)).unwrap_or(0)
    }
}

pub(super) fn cuCtxGetLimit(value: *mut usize, limit: CUlimit) -> Outcome {
    let mut state = current()?;
    default(limit).ok_or(Code::NOT_SUPPORTED)?;
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(value, state.limit(limit)) }
}

pub(super) fn cuCtxSetLimit(limit: CUlimit, value: usize) -> Outcome {
    let mut state = current()?;
    default(limit).ok_or(Code::NOT_SUPPORTED)?;
    if limit == CU_LIMIT_STACK_SIZE && value > LOCAL_LIMIT as usize {
        return Err(Code::INVALID_VALUE);
    }
    state.context().limits.insert(limit, value);
    Ok(())
}
