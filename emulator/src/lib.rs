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
//! | `settings` | the environment variables |
//!
//! | environment variable | means |
//! |---|---|
//! | `PTYX_EMULATOR_THREADS` | threads that run blocks; one for each core if not set |
//! | `PTYX_EMULATOR_CAPABILITY` | the compute capability that the device claims, such as `8.6`; 9.0 if not set |
//! | `PTYX_EMULATOR_STEPS` | how many instructions the warps of one block may run in total, to find endless loops: a number, or `unlimited`; 10^10 if not set, 10^8 if this crate is not optimised |
//! | `PTYX_EMULATOR_DEVICES` | how many devices there are, up to 64; 1 if not set |
//! | `PTYX_EMULATOR_PEER_ACCESS` | `0`: no device can be given access to another's memory; `1` or not set: each can |
//! | `PTYX_EMULATOR_ASYNC` | `1`: work runs late, and streams overtake each other where CUDA allows it |
//! | `PTYX_EMULATOR_FAIL` | calls that fail, such as `cuMemAlloc:3=CUDA_ERROR_OUT_OF_MEMORY` (the third), `cuMemAlloc=..` (all), `*:20=..` (the 20th of any function) |
//! | `PTYX_EMULATOR_SEED` | when asynchronous copies take place, and work that runs late, which is chance: another number gives another order; 0 if not set |
//! | `PTYX_EMULATOR_STICKY_ERRORS` | `1`: after a fault, every call in the device's context returns its error, as on a GPU; `0` or not set: the context stays usable |
//! | `PTYX_EMULATOR_VECTORS` | the widest vectors that are used, in bits: 128, 256 or 512, if the host has them; if not set, the host's widest, but 256 on processors that run at a lower clock rate with 512. Results do not depend on it, except for which of two `f64` NaNs is passed on |
//!
//! They are read once. A value that makes no sense is an error, see [`driver::check_settings`].
//!
//! Invariants: the emulator knows PTX, not Rust. A mistake that a program makes while it runs is a fault with
//! a report, a mistake in its text an [`Error`]; no program makes the emulator panic. Loading collects all
//! errors. The same launch of a program without races gives the same results, the same output and the same
//! fault, however many threads run it.

pub mod driver;
mod error;
mod exec;
mod host;
mod inject;
mod isa;
mod lower;
mod memory;
mod ptx;
mod settings;

pub use error::{Diagnostic, Error};
