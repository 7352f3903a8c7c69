//! Kernels on the device, against results computed on the host. `PTYX_DEVICE` chooses the device.

// In the parts that `.ci/run` takes turns with (`tests/parts.rs`).
#[cfg(part = "0")]
mod arguments;
#[cfg(part = "0")]
mod atomic_types;
#[cfg(part = "0")]
mod atomics;
#[cfg(part = "0")]
mod bits;
#[cfg(part = "0")]
mod caches;
#[cfg(part = "0")]
mod clocks;
#[cfg(part = "0")]
mod cooperative;
#[cfg(part = "0")]
mod graphs;
#[cfg(part = "0")]
mod groups;
#[cfg(part = "0")]
mod hostile;
#[cfg(part = "0")]
mod launching;
#[cfg(part = "0")]
mod roles;

#[cfg(part = "1")]
mod async_copies;
#[cfg(part = "1")]
mod barriers;
#[cfg(part = "1")]
mod bulk_copies;
#[cfg(part = "1")]
mod litmus;
#[cfg(part = "1")]
mod litmus_more;
#[cfg(part = "1")]
mod names;
#[cfg(part = "1")]
mod random_numbers;
#[cfg(part = "1")]
mod shared_memory;
#[cfg(part = "1")]
mod shared_views;
#[cfg(part = "1")]
mod state_spaces;
#[cfg(part = "1")]
mod streams;
#[cfg(part = "1")]
mod structs;

#[cfg(part = "2")]
mod architectures;
#[cfg(part = "2")]
mod arrays;
#[cfg(part = "2")]
mod buffers;
#[cfg(part = "2")]
mod element_types;
#[cfg(part = "2")]
mod indexing;
#[cfg(part = "2")]
mod llvm_bugs;
#[cfg(part = "2")]
mod math;
#[cfg(part = "2")]
mod math_library;
#[cfg(part = "2")]
mod partial_warps;
#[cfg(part = "2")]
mod reflection;
#[cfg(part = "2")]
mod sync;
#[cfg(part = "2")]
mod warp_functions;
