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

pub mod driver;
mod error;
mod exec;
mod isa;
mod lower;
mod memory;
mod ptx;

pub use error::{Diagnostic, Error};
