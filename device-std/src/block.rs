//! The block: threads that share memory and can wait for each other.
//!
//! Every device that Ptyx supports has all of it (`sm_70`). PTX ISA,
//! [Special Registers](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers) and
//! [`barrier`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
//!
//! # Panics
//! On the host, like all functions that only a device has.

pub use crate::named_barrier::NamedBarrier;
use crate::{Dim3, intrinsics};

/// This block's position in the grid ([`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn mark(mut tiles: DisjointArray<u32, 2>) {
///     let Dim3 { x, y, .. } = block::idx();
///     if let Some(tile) = tiles.get_mut(thread::index_2d()) {
///         *tile = (x + y) % 2; // a checkerboard of blocks
///     }
/// }
/// ```
#[doc(alias = "blockIdx")]
#[inline(always)]
#[track_caller]
pub fn idx() -> Dim3 {
    Dim3 { x: x(), y: y(), z: z() }
}

/// This block's position in the grid along x ([`%ctaid.x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn count(values: &[u32], sums: Atomics<u32>) {
///     let i = thread::index_1d().get();
///     if i < values.len() {
///         sums[block::x() as usize].fetch_add(values[i]); // a sum for each block
///     }
/// }
/// ```
#[doc(alias = "blockIdx.x")]
#[inline(always)]
#[track_caller]
pub fn x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_x() }
}

/// This block's position in the grid along y ([`%ctaid.y`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn row_sums(image: Array<u32, 2>, sums: Atomics<u32>) {
///     // Blocks of one row: `<<<(columns, rows), threads>>>`.
///     let place = thread::index_2d();
///     if let Some(&pixel) = image.get(place.get()) {
///         sums[block::y() as usize].fetch_add(pixel);
///     }
/// }
/// ```
#[doc(alias = "blockIdx.y")]
#[inline(always)]
#[track_caller]
pub fn y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_y() }
}

/// This block's position in the grid along z ([`%ctaid.z`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn channel(mut colours: DisjointArray<u32, 3>) {
///     // One layer of blocks for each channel.
///     if let Some(colour) = colours.get_mut(thread::index_3d()) {
///         *colour = block::z();
///     }
/// }
/// ```
#[doc(alias = "blockIdx.z")]
#[inline(always)]
#[track_caller]
pub fn z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ctaid_z() }
}

/// Threads in a block along each dimension ([`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn record(output: Atomics<u32>) {
///     let Dim3 { x, y, z } = block::dim();
///     for (output, extent) in output.iter().zip([x, y, z]) {
///         output.store(extent);
///     }
/// }
/// ```
#[doc(alias = "blockDim")]
#[inline(always)]
#[track_caller]
pub fn dim() -> Dim3 {
    Dim3 { x: dim_x(), y: dim_y(), z: dim_z() }
}

/// Threads in a block along x, at most 1024 ([`%ntid.x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn global(mut output: Disjoint<u64>) {
///     let i = u64::from(block::x()) * u64::from(block::dim_x()) + u64::from(thread::x());
///     if let Some(output) = output.get_mut(thread::index_1d()) {
///         *output = i; // the number that `index_1d` has
///     }
/// }
/// ```
#[doc(alias = "blockDim.x")]
#[inline(always)]
#[track_caller]
pub fn dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_x() }
}

/// Threads in a block along y, at most 1024 ([`%ntid.y`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn last_row(rows: Atomics<u32>) {
///     if thread::y() == block::dim_y() - 1 {
///         rows[block::y() as usize].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "blockDim.y")]
#[inline(always)]
#[track_caller]
pub fn dim_y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_y() }
}

/// Threads in a block along z, at most 64 ([`%ntid.z`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn last_layer(layers: Atomics<u32>) {
///     if thread::z() == block::dim_z() - 1 {
///         layers[block::z() as usize].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "blockDim.z")]
#[inline(always)]
#[track_caller]
pub fn dim_z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::ntid_z() }
}

/// Threads in a block, over all dimensions; at most 1024 (the product of [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn mean(values: &[f32], means: Atomics<f32>) {
///     let value = values[thread::index_1d().get()];
///     means[block::x() as usize].fetch_add(value / block::threads() as f32);
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn threads() -> u32 {
    dim().product()
}

/// This block's number in the grid, counting along x, then y, then z (of [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid)
/// and [`%nctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn visit(visits: Atomics<u32>) {
///     visits[block::rank() as usize].fetch_add(1); // for grids of any shape
/// }
/// ```
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

/// Waits until every thread of the block has arrived. What they wrote before is then visible to all of them.
///
/// Every thread of the block that has not returned must call it, and all threads of a warp together: a
/// barrier in a branch that only some threads take never completes (the emulated device reports it,
/// a GPU hangs or fails the launch). If a condition on only the lane or the thread's index keeps some lanes of each
/// warp from calling it, and these continue with other work, it is a compile error; [`sync_divergent`] is not checked. No
/// safe view relies on this barrier, so the mistake can't break memory safety.
///
/// PTX [`barrier.sync.aligned`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), `__syncthreads()` of CUDA C.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn reverse_blocks(mut x: Disjoint<f32>) {
///     let tile = shared!([f32; 256]).cells(0.0);
///     let (i, own) = (thread::index_1d(), thread::x() as usize);
///     tile.set(own, x[i]);
///     block::sync(); // every thread of the block has written its cell
///     x[i] = tile.get(255 - own);
/// }
/// ```
#[doc(alias = "__syncthreads")]
#[inline(always)]
#[track_caller]
pub fn sync() {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::barrier(BARRIER) }
}

/// As [`sync`], but threads may reach it one by one and at several places in the source: the threads of a warp need not
/// be converged. All threads of the block that have not returned must call this function or [`sync`].
///
/// [`sync`] in a branch that some lanes of a warp certainly don't take is a compile error; this function is not.
///
/// PTX [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) without `.aligned`.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// One thread prepares what the others use, each side in code of its own.
/// fn serve(prepare: impl FnOnce(), work: impl FnOnce()) {
///     if thread::rank() == 0 {
///         prepare();
///         block::sync_divergent();
///     } else {
///         block::sync_divergent();
///         work();
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn sync_divergent() {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_of_threads(BARRIER) }
}

/// [`sync`] that also counts the threads whose `predicate` holds.
///
/// PTX [`barrier.red.popc.aligned`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), `__syncthreads_count()` of CUDA C.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn count_negative(x: &[f32], counts: Atomics<u32>) {
///     let count = block::sync_count(x[thread::index_1d().get()] < 0.0);
///     if thread::x() == 0 {
///         counts[block::x() as usize].store(count);
///     }
/// }
/// ```
#[doc(alias = "__syncthreads_count")]
#[inline(always)]
#[track_caller]
pub fn sync_count(predicate: bool) -> u32 {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_count(BARRIER, predicate as u32) }
}

/// [`sync`] that also returns whether the `predicate` of every thread holds.
///
/// PTX [`barrier.red.and.aligned`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), `__syncthreads_and()` of CUDA C.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn all_finite(x: &[f32], finite: Atomics<u32>) {
///     let all = block::sync_and(x[thread::index_1d().get()].is_finite());
///     if thread::x() == 0 {
///         finite[block::x() as usize].store(all.into());
///     }
/// }
/// ```
#[doc(alias = "__syncthreads_and")]
#[inline(always)]
#[track_caller]
pub fn sync_and(predicate: bool) -> bool {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_and(BARRIER, predicate as u32) != 0 }
}

/// [`sync`] that also returns whether the `predicate` of any thread holds.
///
/// PTX [`barrier.red.or.aligned`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), `__syncthreads_or()` of CUDA C.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn relax(mut x: Disjoint<f32>) {
///     let i = thread::index_1d();
///     // All threads of the block stay until none of them has work left.
///     while block::sync_or(x[i] > 1.0) {
///         x[i] *= 0.5;
///     }
/// }
/// ```
#[doc(alias = "__syncthreads_or")]
#[inline(always)]
#[track_caller]
pub fn sync_or(predicate: bool) -> bool {
    // SAFETY: as `sync`.
    unsafe { intrinsics::barrier_or(BARRIER, predicate as u32) != 0 }
}
