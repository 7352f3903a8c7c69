//! How registers limit blocks, on a multiprocessor of compute capability 9.0 (NVIDIA's `cuda_occupancy.h`).
//!
//! Registers are handed out to whole warps, in units of 256, in four partitions of equal size; a launch is
//! checked as if its warps filled all four evenly. The registers of a kernel are an estimate: see
//! `lower::pressure`.

use super::properties::{MAX_THREADS, REGISTERS, THREADS_PER_MULTIPROCESSOR};
use crate::exec::program::Function;

/// Registers are handed out to a warp in units of this many.
const UNIT: u32 = 256;
/// Partitions of a multiprocessor, each with its own registers.
const PARTITIONS: u32 = 4;
/// The smallest limit that an assembler can be given, and the most that a thread can have.
const RANGE: std::ops::RangeInclusive<u32> = 16..=255;

/// Registers of a thread. An assembler makes do with fewer (it keeps values in local memory) where the
/// kernel says how large its blocks may be, how many should fit a multiprocessor, or its limit.
pub(super) fn registers(function: &Function) -> u32 {
    let limits = &function.limits;
    let stated = limits.max_registers.unwrap_or(u32::MAX);
    let by_blocks = match limits.required_threads.or(limits.max_threads) {
        Some(_) => {
            let warps = padded_warps(stated_threads(function));
            let warps = warps.saturating_mul(limits.min_blocks.unwrap_or(1).max(1));
            REGISTERS / warps / UNIT * UNIT / 32
        }
        None => u32::MAX,
    };
    let limit = stated.min(by_blocks).clamp(*RANGE.start(), *RANGE.end());
    function.registers.clamp(8, limit)
}

/// Warps of a block as a launch counts them.
fn padded_warps(threads: u32) -> u32 {
    threads.div_ceil(32).next_multiple_of(PARTITIONS)
}

/// Registers that a warp takes.
fn of_warp(function: &Function) -> u32 {
    (registers(function) * 32).next_multiple_of(UNIT)
}

/// Whether there are enough registers for a block of this many threads.
pub(super) fn fits(function: &Function, threads: u32) -> bool {
    padded_warps(threads) * of_warp(function) <= REGISTERS
}

/// How many warps a multiprocessor's registers suffice for.
pub(super) fn resident_warps(function: &Function) -> u32 {
    let warps = REGISTERS / PARTITIONS / of_warp(function) * PARTITIONS;
    warps.min(THREADS_PER_MULTIPROCESSOR / 32)
}

/// Threads of the largest block that the kernel's directives allow.
pub(super) fn stated_threads(function: &Function) -> u32 {
    let shape = function.limits.required_threads.or(function.limits.max_threads);
    let stated = shape.map_or(MAX_THREADS, |shape| {
        shape.iter().fold(1, |product: u32, &size| product.saturating_mul(size))
    });
    stated.clamp(1, MAX_THREADS)
}

/// Threads of the largest block that can be launched.
pub(super) fn max_threads(function: &Function) -> u32 {
    stated_threads(function).min(resident_warps(function) * 32)
}
