//! The block: threads that share memory and can wait for each other.

use crate::{Dim3, intrinsics};

/// This block's position in the grid.
#[inline(always)]
#[track_caller]
pub fn idx() -> Dim3 {
    Dim3 { x: x(), y: y(), z: z() }
}

/// This block's position in the grid along x (`%ctaid.x`).
#[inline(always)]
#[track_caller]
pub fn x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_x() }
}

/// This block's position in the grid along y (`%ctaid.y`).
#[inline(always)]
#[track_caller]
pub fn y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_y() }
}

/// This block's position in the grid along z (`%ctaid.z`).
#[inline(always)]
#[track_caller]
pub fn z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_z() }
}

/// Threads in a block along each dimension.
#[inline(always)]
#[track_caller]
pub fn dim() -> Dim3 {
    Dim3 { x: dim_x(), y: dim_y(), z: dim_z() }
}

/// Threads in a block along x, at most 1024 (`%ntid.x`).
#[inline(always)]
#[track_caller]
pub fn dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_x() }
}

/// Threads in a block along y, at most 1024 (`%ntid.y`).
#[inline(always)]
#[track_caller]
pub fn dim_y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_y() }
}

/// Threads in a block along z, at most 64 (`%ntid.z`).
#[inline(always)]
#[track_caller]
pub fn dim_z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_z() }
}

/// Threads in a block, over all dimensions; at most 1024.
#[inline(always)]
#[track_caller]
pub fn threads() -> u32 {
    dim().product()
}

/// This block's number in the grid, counting along x, then y, then z.
#[inline(always)]
#[track_caller]
pub fn rank() -> u64 {
    // The grid's sizes are read here, and not by `grid`, whose functions are made of a block's.
    // SAFETY: reads special registers.
    let (grid_x, grid_y) = unsafe { (intrinsics::nctaid_x(), intrinsics::nctaid_y()) };
    (u64::from(z()) * u64::from(grid_y) + u64::from(y())) * u64::from(grid_x) + u64::from(x())
}

/// Barrier 0, which [`sync`] and its reductions use.
const BARRIER: u32 = 0;

/// Waits until every thread of the block is here; what they wrote before is then visible to all.
///
/// Every thread of the block that has not returned must call it, and all of a warp together: a
/// barrier in a branch that only some threads take never completes (the emulated device reports it,
/// a GPU hangs or fails the launch). No safe view relies on this barrier, so the mistake can't
/// break memory safety.
///
/// PTX `barrier.sync.aligned`, `__syncthreads()` of CUDA C.
#[doc(alias = "__syncthreads")]
#[inline(always)]
#[track_caller]
pub fn sync() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::barrier(BARRIER) }
}

/// [`sync`] that also counts the threads whose `predicate` holds.
#[doc(alias = "__syncthreads_count")]
#[inline(always)]
#[track_caller]
pub fn sync_count(predicate: bool) -> u32 {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_count(BARRIER, predicate as u32) }
}

/// [`sync`] that also tells whether the `predicate` of every thread holds.
#[doc(alias = "__syncthreads_and")]
#[inline(always)]
#[track_caller]
pub fn sync_and(predicate: bool) -> bool {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_and(BARRIER, predicate as u32) != 0 }
}

/// [`sync`] that also tells whether the `predicate` of any thread holds.
#[doc(alias = "__syncthreads_or")]
#[inline(always)]
#[track_caller]
pub fn sync_or(predicate: bool) -> bool {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_or(BARRIER, predicate as u32) != 0 }
}
