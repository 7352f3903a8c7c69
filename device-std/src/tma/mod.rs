//! Tiles of tensors (the Tensor Memory Accelerator, TMA): one thread starts a copy of a box of up to five dimensions, and
//! the hardware computes the addresses, fills elements outside of the tensor, and arranges the elements in shared memory
//! (PTX ISA,
//! [cp.async.bulk.tensor](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor)).
//!
//! The host describes the tensor in a `ptyx::TensorMap` and passes it to the kernel. Types describe the tile: a
//! `TensorMap<[[f32; 64]; 16], B128>` copies tiles of 16 rows of 64 elements, arranged by the swizzle
//! [`B128`](crate::wgmma::B128), to and from a [`Tile`] of the same parameters. Coordinates are those of the tile's
//! first element, rows first like indices of arrays. They may be beyond the end: loads fill elements outside of the
//! tensor with zeros (or NaN), stores skip them. Coordinates of loads may be negative. Along the innermost dimension they
//! must be multiples of 16 bytes. Others are illegal instructions, which end all work of the process on the device.
//!
//! ```
//! use ptyx::device::barrier::{Barrier, Phase, State};
//! use ptyx::device::tma::{TensorMap, Tile};
//! use ptyx::prelude::*;
//!
//! /// The sum of each tile of 8 rows of 32 elements.
//! #[kernel]
//! fn tile_sums(x: TensorMap<[[f32; 32]; 8]>, sums: Atomics<f32>) {
//!     let tile = shared!(Tile<[[f32; 32]; 8]>);
//!     let arrived = Barrier::new(shared!(State), 1);
//!     if thread::rank() == 0 {
//!         arrived.arrive_expect_tx(Tile::<[[f32; 32]; 8]>::BYTES).forget();
//!         // SAFETY: nothing uses the tile before the phase is complete.
//!         unsafe { x.load(tile, [8 * block::y() as i32, 32 * block::x() as i32], arrived) };
//!     }
//!     arrived.wait_phase(Phase::FIRST);
//!     let (row, column) = (thread::y() as usize, thread::x() as usize);
//!     // SAFETY: the tile is there, and nothing writes it.
//!     sums[0].fetch_add(unsafe { tile.at([row, column]).read() });
//! }
//! ```
//!
//! Tensors whose channels lie in slices of 16 or 32 bytes have the layout [`Interleaved16`] or [`Interleaved32`] in place of a
//! swizzle. The second of their sizes and coordinates counts slices, and a tile has one slice. It may begin at any row and column.
//!
//! An [`Im2colMap`] loads pixels of images as convolutions need them, an [`Im2colMapMut`] stores their results.
//!
//! These copies use the async proxy, as those of [`bulk`](crate::bulk) do: [`Shared::fence`](crate::shared::Shared) of a
//! tile makes what threads have written visible to a store, and a completed phase of the barrier is enough after a load.
//!
//! All of it needs `sm_90`. The project's `docs/tensor-memory.md` has more.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod draft;
mod im2col;
mod instructions;
mod interleave;
mod load;
mod map;
mod reduction;
pub mod ring;
mod shape;
mod store;
mod sums;
mod tile;

pub use crate::bulk::{Add, And, Dec, Inc, Max, Min, Or, Xor};
pub use draft::{MapDraft, MapMemory};
pub use im2col::{Im2colMap, Im2colMapMut};
pub use interleave::{Interleaved16, Interleaved32};
pub use map::{TensorMap, TensorMapMut};
pub use reduction::Reduction;
pub use ring::{Consumer, Filling, Producer, RING, Ring, RingArg, Stage};
pub use shape::{Element, TileShape};
#[doc(hidden)]
pub use shape::{element_type, is_float, sides};
#[doc(hidden)]
pub use tile::Layout;
pub use tile::{FilledFrom, Placed, Tile};
