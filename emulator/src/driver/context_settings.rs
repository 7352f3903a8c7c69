//! What a context prefers, and the profiler (CUDA driver API, sections 6.8 and 6.38). All is kept and changes nothing:
//! the device has no caches, and nobody profiles it.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::state::current;
use ptyx_driver_api::*;
use std::ffi::c_int;

pub(super) fn cuCtxGetCacheConfig(config: *mut c_int) -> Outcome {
    let mut state = current()?;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(config, state.context().cache_config) }
}

pub(super) fn cuCtxSetCacheConfig(config: c_int) -> Outcome {
    let mut state = current()?;
    if !(CU_FUNC_CACHE_PREFER_NONE..=CU_FUNC_CACHE_PREFER_EQUAL).contains(&config) {
        return Err(Code::INVALID_VALUE);
    }
    state.context().cache_config = config;
    Ok(())
}

/// The banks of shared memory have 4 bytes, whatever was asked for, as on every GPU since Maxwell.
pub(super) fn cuCtxGetSharedMemConfig(config: *mut c_int) -> Outcome {
    current()?;
    // SAFETY: as above.
    unsafe { put(config, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE) }
}

pub(super) fn cuCtxSetSharedMemConfig(config: c_int) -> Outcome {
    current()?;
    let known = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE..=CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
    if known.contains(&config) { Ok(()) } else { Err(Code::INVALID_VALUE) }
}

pub(super) fn cuCtxResetPersistingL2Cache() -> Outcome {
    current().map(|_| ())
}

pub(super) fn cuProfilerStart() -> Outcome {
    current().map(|_| ())
}

pub(super) fn cuProfilerStop() -> Outcome {
    current().map(|_| ())
}
