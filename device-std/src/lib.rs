//! What CUDA kernels written in Rust call: indices, shared memory, shuffles, atomics, printing.
//!
//! `ptyx` re-exports this crate as `ptyx::device`. It type-checks on the host, too, where the same
//! source is compiled a second time; there, whatever only a device can do panics when called.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod atomic;
pub mod block;
mod device_copy;
mod dim3;
pub mod grid;
mod intrinsics;
#[doc(hidden)]
pub mod marker;
#[cfg(any(ptyx_device, test))]
#[cfg_attr(ptyx_device, allow(dead_code))]
mod math;
#[cfg(ptyx_device)]
mod memory;
mod num;
pub mod panic;
pub mod print;
pub mod shared;
pub mod thread;
pub mod view;
pub mod warp;
#[cfg(any(ptyx_device, test))]
#[cfg_attr(ptyx_device, allow(dead_code))]
mod wide;

pub use atomic::{Atomic, Atomics};
pub use device_copy::DeviceCopy;
pub use dim3::Dim3;
pub use num::Num;
pub use view::{Array, ArrayMut, Disjoint, DisjointArray, SliceMut};
