//! The CUDA driver's C interface, as far as Ptyx calls it or serves it on the emulated device.
//!
//! | module | is about |
//! |---|---|
//! | `functions` | the list of functions: [`for_each_driver_function`] |
//! | `types` | handles and other types |
//! | `constants` | attributes, limits, flags and options |
//! | `results` | result codes |
//!
//! Names and values are those of `cuda.h`. Nothing here depends on Rust types of Ptyx, or calls anything.
#![no_std]
#![allow(non_camel_case_types)]

mod constants;
mod functions;
mod results;
mod sparse;
mod types;

pub use constants::*;
pub use results::*;
pub use sparse::*;
pub use types::*;
