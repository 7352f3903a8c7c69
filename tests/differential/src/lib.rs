//! Differential tests: random programs (`ptyx-program-generator`) run on the host and on a device, and
//! must agree bit for bit.
//!
//! A program is one generic function, [`Program::run`], for all sides. What differs between them is its
//! [`World`]: a thread's position, and how threads synchronise. [`device::Device`] calls the device
//! library; on the host, [`host::Host`] runs the threads of a block one at a time, each until it waits
//! for others.
//!
//! `tests/programs.rs` holds the programs, which the build script writes.

pub mod check;
pub mod device;
pub mod digest;
pub mod host;
pub mod library;
pub mod world;

pub use check::{Entry, check_all};
pub use world::{Cells, Out, Program, THREADS, World};
