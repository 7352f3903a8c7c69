//! The device library for CUDA kernels in Rust: indices, shared memory, shuffles, atomics, printing.
//!
//! `ptyx` re-exports this crate as `ptyx::device`. The same source is compiled for the host, too. There,
//! functions that only a device has panic; everything else (views, atomics, numbers, mathematics) works,
//! so that it can be tested.
//!
//! | for | see | CUDA C |
//! |---|---|---|
//! | a thread's position | [`thread`], [`block`], [`grid`] | `threadIdx`, `blockIdx`, `blockDim`, `gridDim` |
//! | elements of its own | [`thread::index_1d`], [`thread::grid_stride`], [`Disjoint`], [`DisjointArray`] | |
//! | buffers | `&[T]`, [`Array`], [`SliceMut`], [`ArrayMut`] | pointers |
//! | shared memory | [`shared!`], [`shared::dynamic`] | `__shared__`, `extern __shared__` |
//! | asynchronous copies | [`async_copy`] | `cuda::pipeline`, `__pipeline_memcpy_async` |
//! | copies of whole tiles by the hardware | [`bulk`] | `cp.async.bulk`, `cuda::memcpy_async` |
//! | hints to the caches | [`cache`] | `__ldcg`, `__stcs`, … |
//! | waiting | [`block::sync`], [`block::NamedBarrier`], [`warp::sync`] | `__syncthreads`, `__syncwarp` |
//! | arriving first, waiting later | [`barrier`] | `cuda::barrier`, `__mbarrier_arrive` |
//! | the warp | [`warp`] | `__shfl_sync`, `__ballot_sync`, `__reduce_add_sync`, … |
//! | groups of threads | [`group`] | `cooperative_groups` |
//! | the work of blocks that have not started | [`launch_control`] | `cuda::for_each_canceled_block` |
//! | constant memory, variables of the device | `ptyx::Constant`, `ptyx::Global` | `__constant__`, `__device__` |
//! | shared counters | [`Atomics`], [`Atomic`], [`atomic`] | `atomicAdd`, …, `__threadfence` |
//! | tensor cores | [`mma`]; for four warps together, [`wgmma`] | `wmma::mma_sync`, `ldmatrix`, `wgmma` |
//! | images with filters, and surfaces | [`texture`] | `tex2D`, `surf2Dwrite`, … |
//! | code for newer devices | [`arch_at_least!`], [`arch_is!`] | `#if __CUDA_ARCH__ >= 800` |
//! | printing | `ptyx::gpu_println!` | `printf` |
//! | instructions that have no function here | `ptyx::ptx!` | `asm` |
//! | two or four numbers in one access | [`vector`] | `float4` |
//! | half precision, 8-bit floats, `tf32` | `float16` (feature `half`), [`float8`] | `__half2`, `__nv_fp8_e4m3` |
//! | clocks, pauses, multiprocessors | [`clock`] | `clock64`, `__nanosleep` |
//! | random numbers | [`random`] | `curand_init`, `curand_normal`, … |
//! | numbers | [`Num`], the methods of `f32` and `f64`, [`math`] | `math.h` |
//! | more by its name in CUDA C++ | [`cuda_names`] | |
//!
//! A panic (a bound, an overflow, `unwrap`, `assert!`) ends the thread and reaches the host as an
//! error: [`mod@panic`] has the record.
//!
//! # Safety
//! Safe functions are memory-safe, whatever other threads do. Where only the kernel's author can know that
//! threads don't collide, the function is `unsafe`, and its documentation says what the author must ensure.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod arch;
pub mod async_copy;
pub mod atomic;
pub mod barrier;
pub mod block;
pub mod bulk;
pub mod cache;
pub mod clock;
pub mod cuda_names;
mod device_copy;
mod dim3;
#[cfg(feature = "half")]
pub mod float16;
pub mod float8;
mod format;
mod global;
pub mod grid;
pub mod group;
#[cfg(ptyx_device)]
mod half_runtime;
#[cfg(ptyx_device)]
mod heap;
mod intrinsics;
pub mod launch_control;
mod layout;
#[doc(hidden)]
pub mod marker;
pub mod math;
#[cfg(ptyx_device)]
mod memory;
pub mod mma;
mod named_barrier;
mod num;
pub mod panic;
pub mod print;
pub mod ptx;
pub mod random;
pub mod shared;
pub mod space;
mod statics;
pub mod texture;
pub mod thread;
pub mod tma;
#[doc(hidden)]
pub mod unroll;
pub mod vector;
pub mod view;
pub mod warp;
pub mod wgmma;
#[cfg(any(ptyx_device, test))]
#[cfg_attr(ptyx_device, allow(dead_code))]
mod wide;
#[cfg(all(ptyx_device, target_arch = "x86_64"))]
mod x86;

pub use atomic::{Atomic, Atomics};
pub use device_copy::DeviceCopy;
#[cfg(feature = "bytemuck")]
pub use device_copy::Pod;
#[doc(hidden)]
pub use device_copy::{derived, must_be_zeroable};
pub use dim3::Dim3;
#[doc(hidden)]
pub use layout::{layout_field, layout_hash, layout_name, layout_of};
pub use num::Num;
pub use statics::GlobalValue;
pub use view::{Array, ArrayMut, Disjoint, DisjointArray, Parts, SliceMut, by};
