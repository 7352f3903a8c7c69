//! Hopper's tensor cores: four warps together compute products of large matrices, asynchronously (PTX ISA,
//! [`wgmma`](https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions)).
//!
//! A *warpgroup* is four warps, 128 threads, whose first one has a rank divisible by 128. It multiplies 64 rows of A
//! by N columns of B. B is in shared memory, A in shared memory or in registers. The sums are an [`Accumulator`]
//! in the registers of the 128 threads.
//!
//! Matrices in shared memory are [`SharedTile`]s. Their type determines their layout, and everything that
//! the instructions need is derived from it and checked when the kernel is compiled.
//!
//! ```
//! use ptyx::device::mma::Layout;
//! use ptyx::device::wgmma::{Accumulator, B128, KMajor, SharedTile};
//! use ptyx::prelude::*;
//!
//! /// `c = a * b`: 64x128 times 128x64 elements, for a block of 128 threads. `b` lies column after column.
//! #[kernel]
//! fn product(a: &[u8], b: &[u8], c: SliceMut<i32>) {
//!     let rows = shared!(SharedTile<u8, 64, 128, B128, KMajor>);
//!     let columns = shared!(SharedTile<u8, 64, 128, B128, KMajor>);
//!     // SAFETY: all threads of the block fill the tiles, and nobody reads them before the barrier.
//!     unsafe {
//!         rows.fill(|row, k| a[row * 128 + k]);
//!         columns.fill(|column, k| b[column * 128 + k]);
//!     }
//!     block::sync();
//!     let mut sums = Accumulator::<i32, 64>::filled(0);
//!     // SAFETY: the tiles are filled, and stay as they are.
//!     sums.accumulate(|running| unsafe { running.add(rows, columns) });
//!     // SAFETY: there is only one block, with one warpgroup.
//!     unsafe { sums.store(c, Layout::row_major(64)) };
//! }
//! ```
//!
//! | elements of A and B | sums | K of an instruction | N |
//! |---|---|---|---|
//! | `f16` (of the crate `half`) | `f32`, `f16` | 16 | multiples of 8 up to 256 |
//! | `bf16` (of the crate `half`) | `f32` | 16 | multiples of 8 up to 256 |
//! | [`Tf32`](crate::mma::Tf32) | `f32` | 8 | multiples of 8 up to 256 |
//! | [`E4m3`](crate::mma::E4m3), [`E5m2`](crate::mma::E5m2), also mixed | `f32`, `f16` | 32 | multiples of 8 up to 256 |
//! | `i8`, `u8`, also mixed | `i32` | 32 | 8, 16, 24, 32, and multiples of 16 up to 256 |
//!
//! All of these need `sm_90a`: they exist only on compute capability 9.0, and not on later devices. For other
//! devices, keep another implementation: `if arch_is!("sm_90a") { .. } else { .. }`
//! ([`arch_is!`](crate::arch_is!)). The project's `docs/tensor-cores.md` has the layouts and what is known about
//! rounding.
//!
//! # All threads of the warpgroup take part
//! All 128 threads must call these functions with the same tiles, and reach the call together, as for
//! [`mma`](crate::mma). If some threads are missing, the result is undefined; the emulated device reports it.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod accumulator;
mod instructions;
mod left;
mod products;
mod registers;
mod running;
mod swizzle;
mod tile;

pub use accumulator::{Accumulator, Width};
pub use left::Left;
pub use products::{Factor, Product};
pub use registers::{decrease_registers, increase_registers};
pub use running::Running;
pub use swizzle::{B32, B64, B128, KMajor, Major, MnMajor, Swizzle, Swizzled, Unswizzled};
pub(crate) use tile::shared_address;
pub use tile::{Band, SharedTile};
