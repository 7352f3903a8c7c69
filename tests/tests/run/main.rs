//! Kernels on the device, against results computed on the host. `PTYX_DEVICE` chooses the device.

mod architectures;
mod arguments;
mod arrays;
mod atomics;
mod buffers;
mod clocks;
mod element_types;
mod hostile;
mod indexing;
mod launching;
mod litmus;
mod llvm_bugs;
mod math;
mod math_library;
mod names;
mod partial_warps;
mod reflection;
mod shared_memory;
mod shared_views;
mod streams;
mod structs;
mod sync;
mod warp_functions;
