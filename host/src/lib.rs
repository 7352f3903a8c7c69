//! CUDA kernels in ordinary Rust.
//!
//! A kernel is a Rust function; `launch!` runs it on an NVIDIA GPU, or on the emulated device where
//! there is none. One crate, one source, stable Rust, no CUDA toolkit.
//!
//! ```no_run
//! use ptyx::prelude::*;
//!
//! #[kernel]
//! fn saxpy<T: Num>(a: T, x: &[T], mut y: Disjoint<T>) {
//!     let i = thread::index_1d();
//!     if let Some(y) = y.get_mut(i) {
//!         *y = a * x[i.get()] + *y;
//!     }
//! }
//!
//! fn main() -> ptyx::Result<()> {
//!     let x = DeviceBuffer::from_slice(&[1.0f32; 1000])?;
//!     let mut y = DeviceBuffer::filled(1000, 2.0f32)?;
//!     launch!(saxpy<<<1000usize.div_ceil(256), 256>>>(3.0, &x, &mut y))?;
//!     assert_eq!(y.to_vec()?, [5.0; 1000]);
//!     Ok(())
//! }
//! ```
//!
//! The package needs `ptyx` under `[dependencies]`, `ptyx-compiler` under `[build-dependencies]`,
//! and this `build.rs`:
//!
//! ```ignore
//! fn main() {
//!     ptyx_compiler::build();
//! }
//! ```
//!
//! # On the host
//! - [`Device`]: what there is to run on. Each thread has a current device.
//! - [`DeviceBuffer`] is an array in device memory, [`DeviceSlice`] a part of one, [`PinnedBuffer`]
//!   host memory for fast copies.
//! - [`Stream`]s order work, host functions included ([`Stream::on_host`]); [`Event`]s mark places in them and
//!   measure time.
//! - [`profile()`] says how long each kernel and copy took; [`nvtx`] names parts of a program for NVIDIA's profilers.
//! - Several devices: [`Device::with`], copies between them, and [`nccl`] for sums over all of them, also in other processes.
//! - [`launch!`] and its keyword twin [`cuda!`] run kernels. [`launch::KernelArg`] says which host
//!   values can be passed for which parameters.
//!
//! A method that takes a stream ends in `_on`; the same method without it uses the thread's default stream.
//! The project's `docs/conventions.md` says what else names and results mean.
//!
//! Launches and many copies return before the work is done. Buffers keep track of that: reading one
//! waits, and dropping one is always safe. What goes wrong in a kernel is reported by the next call
//! that waits.
//!
//! # In kernels
//! [`device`] holds what kernels call: [`device::thread`], [shared memory](mod@device::shared), [`device::warp`], the
//! views of memory and more. Most of std's methods of numbers, slices, options and iterators work
//! there, too.
//!
//! # Environment variables
//! - `PTYX_DEVICE`: `cuda` for GPUs, `emulator` for the emulated device, `auto` (the default) for a
//!   GPU if there is one.
//! - `PTYX_CACHE`: where machine code of kernels is kept for later processes: `off` or `0`, `auto` or `1`
//!   (`ptyx/kernels` in the user's cache folder, `XDG_CACHE_HOME` or `~/.cache`), or the absolute path of a
//!   folder. The default is `off`: code from the folder is linked by the driver, which some kernels are slower for.
//!   `PTYX_CACHE_SIZE`: how much of it, such as `500MiB`; `1GiB` by default. The least recently used code is removed first.
//! - `PTYX_MEMORY_LIMIT`: the most memory that buffers may have on each device, such as `8GiB` or `50%` of it. It makes a
//!   [`MemoryPool`] with this limit the current one; further allocations are [`Error::OutOfMemory`]. Pinned and managed
//!   memory, CUDA arrays, a [`GrowableBuffer`] and memory that other processes can map do not count.
//! - `PTYX_TRACE=1` writes each driver call to stderr: its arguments, its result, its time.
//! - `PTYX_DEBUG=1` makes each call wait for the work that it submits, so that a fault is the error of the call that caused
//!   it, and checks more.
//!
//! # Processes
//! A process may end at any time, also while kernels run and buffers are in statics. A child of `fork` can use Ptyx if the
//! parent had not used it before; otherwise everything that needs a device is [`Error::Forked`] there, because contexts of
//! CUDA don't survive `fork`. Programs that are started (`std::process::Command`) are not affected.
//!
//! # Features
//! All are off by default.
//! - `tracing`: driver calls as events of the crate [`tracing`](https://docs.rs/tracing), with the target `ptyx::driver` and
//!   the level `TRACE`, and launches as spans, with the target `ptyx` and the level `DEBUG`. A subscriber must not call Ptyx.
//! - `cudarc`: streams and memory of the crate `cudarc`, without copies.
//! - `dlpack`: buffers from and to tensors of other libraries, without copies.
//! - `ndarray`: arrays of the crate `ndarray` to and from devices.
//! - `bytemuck`, `glam`, `half`, `nalgebra`, `num-complex`: their types in device memory. `rand_core`: its traits for the
//!   generators of [`device::random`].

// In the device pass most of this crate is unused.
#![cfg_attr(ptyx_device, allow(dead_code))]

#[cfg(not(target_os = "linux"))]
compile_error!("Ptyx runs on Linux only");

// The macros' expansions name this crate by its name, also in its own tests.
extern crate self as ptyx;

mod access_policy;
#[cfg(not(ptyx_device))]
mod cache;
mod context;
mod default_streams;
mod device_api;
mod device_select;
mod doctor;
mod driver;
mod error;
mod event;
mod finished;
mod graph;
mod info;
mod interop;
pub mod launch;
mod launched;
mod macros;
mod memory;
mod module;
pub mod nccl;
pub mod nvtx;
mod panic;
mod print;
mod profile;
mod runtime;
pub mod runtime_api;
#[cfg(not(ptyx_device))]
mod settings;
mod sleep;
mod spans;
#[doc(hidden)]
pub mod statics;
mod stream;
mod tensor_map;
mod texture;
#[cfg(not(ptyx_device))]
mod tools;

pub use access_policy::{AccessKind, AccessPolicy};
pub use device_api::{
    CachePreference, Device, DeviceAttributes, DeviceFlags, DeviceProperty, FlushScope, HostWait,
    Limit, NvSciSync, PeerAttribute, SharedBanks, driver_version, profiler_start, profiler_stop,
    synchronize,
};
pub use doctor::{Diagnosis, Problem, doctor};
pub use error::{
    Argument, CaptureReason, CaptureRule, Error, GraphUpdateReason, KernelPanic, Result,
    TensorRule, TextureRule,
};
pub use event::{Event, EventHandle, EventOptions};
pub use finished::Finished;
pub use graph::{CaptureMode, CaptureStatus, Graph, GraphExec, GraphNode, GraphNodeKind};
pub use info::info;
#[cfg(feature = "dlpack")]
pub use interop::dlpack;
pub use interop::external::{ExternalMemory, ExternalSemaphore, SemaphoreKind};
pub use launch::{
    BoundKernel, CompiledKernel, Function, LaunchConfig, Occupancy, PreparedKernel,
    UnsafeBoundKernel, UnsafePreparedKernel, compiled_kernels, modules_from_cache,
    variants_compiled,
};
pub use memory::{
    ConvertTo, CopySource, CopyTarget, DeviceArray, DeviceBuffer, DeviceDiagonal, DeviceNumber,
    DevicePivoted, DeviceSlice, DeviceSliceMut, DeviceView, DeviceViewMut, GrowableBuffer,
    GuardedBuffer, GuardedRead, GuardedWrite, HostView, HostViewMut, ImportedPool, IntoPivots,
    IntoShape, ManagedAttributes, ManagedBuffer, ManagedOptions, ManagedUse, MappedPart,
    MemoryAdvice, MemoryHandle, MemoryKind, MemoryLimit, MemoryLocation, MemoryPool, PeerReason,
    PinnedBuffer, PinnedOptions, PinnedSlice, PinnedView, PinnedViewMut, PitchedBuffer,
    PitchedView, PitchedViewMut, PointerAttributes, PoolHandle, PoolReuse, PoolStatistics,
    SharedPart, StagingBuffer, StagingRead, StagingWrite, copy, copy_as, copy_as_or, copy_or,
};
pub use module::{FunctionAttributes, LinkInput, Linker, Module, ModuleGlobal, ModuleOptions};
pub use profile::{Profile, ProfileOptions, ProfileRow, ProfiledWork, WorkKind, profile};
#[doc(no_inline)]
pub use ptyx_device as device;
pub use ptyx_device::{DeviceCopy, GlobalValue, Num, arch_at_least, arch_is};
pub use ptyx_macros::{DeviceCopy, KernelArg, device_static, kernel};
pub use statics::{Constant, Global};
pub use stream::{Stream, StreamOptions, SyncPolicy};
pub use tensor_map::{
    BoundingBox, Conversion, Fill, Im2colMap, Im2colMapMut, Promotion, TensorMap, TensorMapMut,
    TensorOptions,
};
pub use texture::{
    AddressMode, ArrayInfo, ArrayRequirements, ArrayUses, CudaArray, FilterMode, SparseProperties,
    Surface, TexelBox, TexelPlace, Texture, TextureOptions, TilePool,
};

/// What the macros of this crate hand their input to.
#[doc(hidden)]
pub mod __macros {
    pub use ptyx_macros::{args, compile, cuda, launch, ptx, unroll};
}

/// What kernels and the programs around them need.
pub mod prelude {
    pub use crate::{
        Device, DeviceBuffer, DeviceSlice, DeviceSliceMut, Event, LaunchConfig, PinnedBuffer,
        Stream,
    };
    pub use crate::{args, compile, cuda, gpu_dbg, gpu_print, gpu_println, launch, ptx, unroll};
    pub use ptyx_device::{
        Array, ArrayMut, Atomic, Atomics, DeviceCopy, Dim3, Disjoint, DisjointArray, Num, Parts,
        SliceMut, arch_at_least, arch_is, block, by, grid, group, group::LaneGroup, phased, shared,
        shared::Phase, thread, warp,
    };
    pub use ptyx_macros::{DeviceCopy, KernelArg, device_static, kernel};
}
