//! Occupancy (CUDA driver API, section 6.27), for a multiprocessor of compute capability 9.0.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::properties::{
    BLOCKS_PER_MULTIPROCESSOR, SHARED_OPTIN, SHARED_PER_MULTIPROCESSOR, SHARED_RESERVED,
    THREADS_PER_MULTIPROCESSOR,
};
use super::registers::{fits, max_threads, resident_warps};
use super::state::{Kernel, current};
use crate::exec::ops::special::MULTIPROCESSORS;
use std::ffi::{c_int, c_uint};

/// Blocks of a kernel that one multiprocessor holds.
pub(super) fn active_blocks(kernel: &Kernel, threads: u32, dynamic_shared: u64) -> u32 {
    let function = &kernel.program.functions[kernel.index as usize];
    if threads == 0 || threads > max_threads(function) || !fits(function, threads) {
        return 0;
    }
    // More than launches may ask for at present (seen on an H200).
    if dynamic_shared > u64::from(kernel.dynamic_limit) {
        return 0;
    }
    let warps = threads.div_ceil(32);
    let by_threads = THREADS_PER_MULTIPROCESSOR / 32 / warps;
    let by_registers = resident_warps(function) / warps;
    let shared = u64::from(function.static_shared) + dynamic_shared + u64::from(SHARED_RESERVED);
    let by_shared = u64::from(SHARED_PER_MULTIPROCESSOR) / shared;
    let by_shared = u32::try_from(by_shared).unwrap_or(u32::MAX);
    by_threads.min(by_registers).min(by_shared).min(BLOCKS_PER_MULTIPROCESSOR)
}

pub(super) fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    blocks: *mut c_int,
    kernel: Handle,
    threads: c_int,
    dynamic_shared: usize,
) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let threads = u32::try_from(threads).map_err(|_| Code::INVALID_VALUE)?;
    let count = active_blocks(kernel, threads, dynamic_shared as u64);
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(blocks, count as c_int) }
}

/// There is one flag (`CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE`), which changes nothing here.
fn known(flags: c_uint) -> Outcome {
    if flags <= 1 { Ok(()) } else { Err(Code::INVALID_VALUE) }
}

pub(super) fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    blocks: *mut c_int,
    kernel: Handle,
    threads: c_int,
    dynamic_shared: usize,
    flags: c_uint,
) -> Outcome {
    known(flags)?;
    cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_shared)
}

pub(super) fn cuOccupancyAvailableDynamicSMemPerBlock(
    bytes: *mut usize,
    kernel: Handle,
    blocks: c_int,
    threads: c_int,
) -> Outcome {
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let [blocks, threads] = [blocks, threads].map(|number| u32::try_from(number).unwrap_or(0));
    // Other limits than that of shared memory must allow as many.
    if blocks == 0 || active_blocks(kernel, threads, 0) < blocks {
        return Err(Code::INVALID_VALUE);
    }
    let fixed = kernel.program.functions[kernel.index as usize].static_shared;
    let each = SHARED_PER_MULTIPROCESSOR / blocks - SHARED_RESERVED;
    let most = each.min(SHARED_OPTIN).saturating_sub(fixed);
    // SAFETY: as above.
    unsafe { put(bytes, most as usize) }
}

/// The dynamic shared memory that a block of this many threads needs.
type SharedForThreads = extern "C" fn(c_int) -> usize;

pub(super) fn cuOccupancyMaxPotentialBlockSize(
    grid: *mut c_int,
    block: *mut c_int,
    kernel: Handle,
    shared_for: Option<SharedForThreads>,
    dynamic_shared: usize,
    limit: c_int,
) -> Outcome {
    // The caller's function may call back into the driver, so the state is not locked meanwhile.
    let kernel = current()?.kernels.get(&kernel).cloned().ok_or(Code::INVALID_HANDLE)?;
    let function = &kernel.program.functions[kernel.index as usize];
    let most = max_threads(function);
    let most = if limit > 0 { most.min(limit as u32) } else { most };
    let (mut best, mut best_threads, mut best_blocks) = (0, 0, 0);
    let mut threads = most;
    while threads > 0 {
        let shared = shared_for.map_or(dynamic_shared, |f| f(threads as c_int));
        let blocks = active_blocks(&kernel, threads, shared as u64);
        if blocks * threads > best {
            (best, best_threads, best_blocks) = (blocks * threads, threads, blocks);
        }
        threads = (threads - 1) / 32 * 32;
    }
    // SAFETY: as above.
    unsafe {
        put(grid, (best_blocks * MULTIPROCESSORS) as c_int)?;
        put(block, best_threads as c_int)
    }
}

pub(super) fn cuOccupancyMaxPotentialBlockSizeWithFlags(
    grid: *mut c_int,
    block: *mut c_int,
    kernel: Handle,
    shared_for: Option<SharedForThreads>,
    dynamic_shared: usize,
    limit: c_int,
    flags: c_uint,
) -> Outcome {
    known(flags)?;
    cuOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_for, dynamic_shared, limit)
}
