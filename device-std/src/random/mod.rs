//! Random numbers, the same on host and device.
//!
//! The generators are counter-based (J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel Random
//! Numbers: As Easy as 1, 2, 3", SC'11): number `n` of a sequence is a function of the seed and `n`. So every
//! thread can have its own sequence at the cost of computing its index, nothing has to be stored between launches,
//! and skipping any number of values costs the same as skipping one.
//!
//! ```
//! use ptyx::device::random::{Philox4x32, Random};
//! use ptyx::prelude::*;
//!
//! /// Each thread throws `throws` darts at a square, and counts those in the circle.
//! #[kernel]
//! fn throw_darts(seed: u64, throws: u32, mut hits: Disjoint<u32>) {
//!     let mut rng = Philox4x32::for_thread(seed);
//!     if let Some(hits) = hits.get_mut(thread::index_1d()) {
//!         for _ in 0..throws {
//!             let [x, y]: [f32; 2] = [rng.uniform(), rng.uniform()];
//!             *hits += u32::from(x * x + y * y < 1.0);
//!         }
//!     }
//! }
//!
//! // The sequence of thread 5, on the host.
//! let mut rng = Philox4x32::at(42, 5, 0);
//! assert!(rng.uniform::<f32>() < 1.0);
//! ```
//!
//! | generator | cost | use it |
//! |---|---|---|
//! | [`Philox4x32`] | 20 wide multiplications for four words | by default |
//! | [`Threefry4x32`] | 40 additions, rotations and exclusive ors for four words | to check that a result does not depend on Philox |
//! | [`Threefry2x64`] | half as many, of 64 bits | to reproduce the numbers of another library's Threefry |
//!
//! None of them is suitable for cryptography.
//!
//! # Numbers
//! The same calls give the same bits on host and device: logarithms and sines are Rust code, not NVIDIA's
//! libdevice, and no multiplication is fused with an addition. `docs/random-numbers.md` in the repository
//! describes the methods and the tests.

#[cfg(feature = "rand_core")]
mod crates;
mod float;
mod generator;
mod integer;
mod permutation;
mod poisson;
mod source;
#[cfg(test)]
mod tests;

pub use float::RandomFloat;
pub use generator::{Generator, Philox4x32, Threefry2x64, Threefry4x32};
pub use integer::RandomInteger;
pub use permutation::{
    Permutation, Philox, Threefry32, Threefry64, philox4x32, threefry2x64, threefry4x32,
};
pub use source::Random;
