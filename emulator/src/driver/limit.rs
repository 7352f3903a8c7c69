//! Limits of a context (CUDA driver API, `cuCtxSetLimit`).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::state::{Current, current};
use crate::exec::program::Program;
use crate::exec::warp::LOCAL_LIMIT;
use ptyx_driver_api::*;

/// The driver's own value of a limit.
fn default(limit: CUlimit) -> Option<usize> {
    match limit {
        CU_LIMIT_STACK_SIZE => Some(1024),
        // Kept, but printing has all the room that it needs.
        CU_LIMIT_PRINTF_FIFO_SIZE => Some(1 << 20),
        CU_LIMIT_MALLOC_HEAP_SIZE => Some(8 << 20),
        // Kept, but kernels launch no kernels, and there is no L2 cache.
        CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH => Some(2),
        CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT => Some(2048),
        CU_LIMIT_MAX_L2_FETCH_GRANULARITY => Some(64),
        CU_LIMIT_PERSISTING_L2_CACHE_SIZE => Some(0),
        _ => None,
    }
}

impl Current {
    /// The current value of a limit; 0 for one that the device does not have.
    pub(super) fn limit(&mut self, limit: CUlimit) -> usize {
        let set = self.context().limits.get(&limit).copied();
        set.or_else(|| default(limit)).unwrap_or(0)
    }
}

/// A kernel of the program is launched: limits of what it may use are fixed from now on.
pub(super) fn fix_limits(state: &mut Current, program: &Program) {
    for (function, limit) in
        [("vprintf", CU_LIMIT_PRINTF_FIFO_SIZE), ("malloc", CU_LIMIT_MALLOC_HEAP_SIZE)]
    {
        let mut external = program.functions.iter().filter(|known| known.external);
        let fixed = &mut state.context().fixed_limits;
        if external.any(|known| known.name == function) && !fixed.contains(&limit) {
            fixed.push(limit);
        }
    }
}

pub(super) fn cuCtxGetLimit(value: *mut usize, limit: CUlimit) -> Outcome {
    let mut state = current()?;
    default(limit).ok_or(Code::UNSUPPORTED_LIMIT)?;
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(value, state.limit(limit)) }
}

pub(super) fn cuCtxSetLimit(limit: CUlimit, value: usize) -> Outcome {
    let mut state = current()?;
    default(limit).ok_or(Code::UNSUPPORTED_LIMIT)?;
    let most = match limit {
        CU_LIMIT_STACK_SIZE => LOCAL_LIMIT as usize,
        CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH => 24,
        CU_LIMIT_MAX_L2_FETCH_GRANULARITY => 128,
        _ => usize::MAX,
    };
    if value > most || state.context().fixed_limits.contains(&limit) {
        return Err(Code::INVALID_VALUE);
    }
    // The device has no L2 cache of which a part could be kept.
    let value = if limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE { 0 } else { value };
    state.context().limits.insert(limit, value);
    Ok(())
}
