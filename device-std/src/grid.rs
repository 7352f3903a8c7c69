//! The grid: all blocks of a launch. Its sizes are special registers (PTX ISA,
//! [`%nctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid), `sm_70`).
//!
//! # Panics
//! On the host, like all functions that only a device has.

use crate::{Dim3, block, intrinsics};

/// Blocks in the grid along each dimension.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn record(output: Atomics<u32>) {
///     let Dim3 { x, y, z } = grid::dim();
///     for (output, extent) in output.iter().zip([x, y, z]) {
///         output.store(extent);
///     }
/// }
/// ```
#[doc(alias = "gridDim")]
#[inline(always)]
#[track_caller]
pub fn dim() -> Dim3 {
    Dim3 { x: dim_x(), y: dim_y(), z: dim_z() }
}

/// Blocks in the grid along x, at most 2^31 - 1 ([`%nctaid.x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn finish(finished: Atomics<u32>) {
///     if finished[0].fetch_inc(grid::dim_x() - 1) == grid::dim_x() - 1 {
///         // The last thread of a grid of one-thread blocks.
///         finished[1].store(1);
///     }
/// }
/// ```
#[doc(alias = "gridDim.x")]
#[inline(always)]
#[track_caller]
pub fn dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_x() }
}

/// Blocks in the grid along y, at most 65535 ([`%nctaid.y`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn last_row(rows: Atomics<u32>) {
///     if block::y() == grid::dim_y() - 1 {
///         rows[block::x() as usize].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "gridDim.y")]
#[inline(always)]
#[track_caller]
pub fn dim_y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_y() }
}

/// Blocks in the grid along z, at most 65535 ([`%nctaid.z`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn last_layer(layers: Atomics<u32>) {
///     if block::z() == grid::dim_z() - 1 {
///         layers[block::x() as usize].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "gridDim.z")]
#[inline(always)]
#[track_caller]
pub fn dim_z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nctaid_z() }
}

/// Blocks in the grid, over all dimensions.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn share(values: &[f32], sums: Atomics<f32>) {
///     // Each block adds up a part of equal length.
///     let len = values.len() / grid::blocks() as usize;
///     let start = block::rank() as usize * len;
///     if thread::rank() == 0 {
///         sums[block::rank() as usize].store(values[start..start + len].iter().sum());
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn blocks() -> u64 {
    u64::from(dim_x()) * u64::from(dim_y()) * u64::from(dim_z())
}

/// Threads in the grid, over all dimensions and blocks.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn every(values: &[f32], sum: Atomics<f32>) {
///     // What `thread::grid_stride` does.
///     let step = grid::threads() as usize;
///     let own = values.iter().skip(thread::index_1d().get()).step_by(step);
///     sum[0].fetch_add(own.sum());
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn threads() -> u64 {
    blocks() * u64::from(block::threads())
}

/// Lets the next kernel of the stream start, if its launch is
/// [`programmatic`](https://docs.nvidia.com/cuda/cuda-programming-guide/04-special-topics/programmatic-dependent-launch.html):
/// it may start once all blocks of this kernel have called this function or exited. Other launches wait for the
/// end of this kernel in any case.
///
/// The next kernel does not see what this one writes until it has called [`wait_for_earlier`].
///
/// PTX [`griddepcontrol.launch_dependents`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-griddepcontrol) (`sm_90`), `cudaTriggerProgrammaticLaunchCompletion()` of CUDA C++.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn first(mut x: Disjoint<f32>) {
///     grid::launch_dependents(); // the next kernel may begin its preparations
///     for i in thread::grid_stride(x.len()) {
///         x[i] *= 2.0;
///     }
/// }
/// ```
#[doc(alias = "cudaTriggerProgrammaticLaunchCompletion")]
#[inline(always)]
#[track_caller]
pub fn launch_dependents() {
    // SAFETY: others wait for this kernel's end before they use what it writes.
    unsafe { intrinsics::griddepcontrol_launch_dependents(core::ptr::null_mut()) }
}

/// Waits until the kernels that were launched before this one in the stream have ended and what they wrote is
/// visible. Only a `programmatic` launch needs it; in other launches it returns at once.
///
/// PTX [`griddepcontrol.wait`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-griddepcontrol) (`sm_90`), `cudaGridDependencySynchronize()` of CUDA C++.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Launched as `launch!(unsafe second<<<8, 256>>>(&x, &mut y), programmatic)`.
/// #[kernel]
/// fn second(x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d(); // work that needs no memory comes first
///     grid::wait_for_earlier();
///     y[i] += x[i.get()];
/// }
/// ```
#[doc(alias = "cudaGridDependencySynchronize")]
#[inline(always)]
#[track_caller]
pub fn wait_for_earlier() {
    // SAFETY: only waits.
    unsafe { intrinsics::griddepcontrol_wait(core::ptr::null_mut()) }
}
