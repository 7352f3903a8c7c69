//! Cooperative groups: sets of threads that work together, as values.
//!
//! | group | made by | CUDA C++ |
//! |---|---|---|
//! | the grid of a cooperative launch | [`grid`] | `this_grid()` |
//! | the blocks of a cluster | [`cluster`] | `this_cluster()` |
//! | the block | [`block`] | `this_thread_block()` |
//! | 1, 2, 4, .. or 32 neighbouring lanes | [`tile`], [`Block::tiled`], [`Tile::tiled`] | `tiled_partition<32>(..)` |
//! | the lanes that run together here | [`coalesced`] | `coalesced_threads()` |
//! | the members that agree on something | [`LaneGroup::partition_by`], [`LaneGroup::partition_if`] | `labeled_partition`, `binary_partition` |
//!
//! Tiles and coalesced groups lie within a warp: [`LaneGroup`] has the methods of both. A block can
//! [reduce](Block::reduce) and [scan](Block::inclusive_scan), too, with shorter code if its number of threads is a
//! [constant](Block::sized). So can a [cluster](Cluster::reduce), and the [grid](Grid::reduce) of a cooperative launch with
//! some global memory.
//!
//! Groups are made of the instructions of warps, blocks and clusters (PTX ISA,
//! [Parallel Synchronization and Communication Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions)).
//! They exist from `sm_70` on, clusters from `sm_90` on.
//!
//! A function that exchanges values or waits is *collective*: every thread of the group must call it. In
//! divergent code make a smaller group first. If a thread is missing, the others wait forever; the
//! emulated device reports that.
//!
//! ```
//! use ptyx::prelude::*;
//!
//! /// Four lanes add up each row of a matrix of four columns.
//! #[kernel]
//! fn row_sums(matrix: &[f32], sums: Atomics<f32>) {
//!     let i = thread::index_1d().get();
//!     let row = group::tile::<4>();
//!     let sum = row.reduce_add(matrix[i]);
//!     row.invoke_one(|| sums[i / 4].store(sum));
//! }
//!
//! let matrix = DeviceBuffer::from_slice(&[1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0])?;
//! let mut sums = DeviceBuffer::zeroed(2)?;
//! # let run = || -> ptyx::Result<()> {
//! launch!(row_sums<<<1, 8>>>(&matrix, &mut sums))?; // 10 and 100
//! # Ok(()) };
//! # Ok::<(), ptyx::Error>(())
//! ```
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod bits;
mod block;
mod cluster;
mod coalesced;
mod copies;
mod grid;
mod lanes;
mod number;
mod sized;
mod tile;
mod warps;

pub use block::{Block, BlockArrival, block};
pub use cluster::{Arrival, Cluster, Peers, cluster};
pub use coalesced::{Coalesced, coalesced};
pub use copies::CopyGroup;
pub use grid::{Grid, GridArrival, grid};
pub use lanes::LaneGroup;
pub use number::{ReduceBits, ReduceNumber};
pub use sized::SizedBlock;
pub use tile::{Tile, tile};

#[cfg(feature = "half")]
pub(crate) use sealed::Sealed;

mod sealed {
    /// Only the groups of this module are groups, and only its numbers are reduced.
    pub trait Sealed {}
}
