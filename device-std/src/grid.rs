//! The grid: all blocks of a launch.

use crate::{Dim3, block, intrinsics};

/// Blocks in the grid along each dimension.
#[inline(always)]
#[track_caller]
pub fn dim() -> Dim3 {
    Dim3 { x: dim_x(), y: dim_y(), z: dim_z() }
}

/// Blocks in the grid along x, at most 2^31 - 1 (`%nctaid.x`).
#[inline(always)]
#[track_caller]
pub fn dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_x() }
}

/// Blocks in the grid along y, at most 65535 (`%nctaid.y`).
#[inline(always)]
#[track_caller]
pub fn dim_y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_y() }
}

/// Blocks in the grid along z, at most 65535 (`%nctaid.z`).
#[inline(always)]
#[track_caller]
pub fn dim_z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_z() }
}

/// Blocks in the grid, over all dimensions.
#[inline(always)]
#[track_caller]
pub fn blocks() -> u64 {
    u64::from(dim_x()) * u64::from(dim_y()) * u64::from(dim_z())
}

/// Threads in the grid, over all dimensions and blocks.
#[inline(always)]
#[track_caller]
pub fn threads() -> u64 {
    blocks() * u64::from(block::threads())
}
