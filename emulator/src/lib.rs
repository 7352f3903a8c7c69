//! An emulated CUDA device: a PTX interpreter that checks what it runs, behind the driver's functions.
//!
//! | module | is about |
//! |---|---|
//! | `ptx` | text to a syntax tree |
//! | `isa` | the instruction table |
//! | `lower` | the syntax tree to an internal form |
//! | `exec` | the warp-wide interpreter |
//! | `memory` | allocations and address windows |
//! | [`driver`] | the CUDA driver's functions on top of it |
//!
//! | environment variable | means |
//! |---|---|
//! | `PTYX_EMULATOR_THREADS` | threads that run blocks; one for each core if not set |
//! | `PTYX_EMULATOR_CAPABILITY` | the compute capability that the device claims, such as `8.6`; 9.0 if not set |
//! | `PTYX_EMULATOR_STEPS` | instructions a block's warps may run together, to find endless loops; no limit if not set |
//!
//! Invariants: the emulator knows PTX, not Rust. A mistake of the program that runs is a fault with a
//! report, a mistake in its text an [`Error`]; neither is a panic, whatever the program. Loading collects all
//! errors. The same launch of a program without races gives the same results, the same output and the
//! same fault, however many threads run it.

pub mod driver;
mod error;
mod exec;
mod host;
mod isa;
mod lower;
mod memory;
mod ptx;

pub use error::{Diagnostic, Error};
