//! The macros of Ptyx: `#[kernel]`, `#[device_static]`, `launch!`, `cuda!`, `compile!`, `derive(DeviceCopy)`.
//!
//! `ptyx` re-exports them, and `ptyx::prelude::*` imports them all. Their expansions name items of `ptyx`;
//! `root` finds out what that crate is called in the user's crate.
//!
//! All of them transform tokens. Besides their input, they read the names of dependencies in the manifest
//! and, for launches and kernels, the errors that the build script recorded (`build`). They run in
//! microseconds. They report every error that they find, each at its place, not only the first. rustc
//! itself checks types in the expansion, which has the user's own spans.

mod build;
mod derive;
mod device_static;
mod kernel;
mod kernel_arg;
mod launch;
mod manifest;
mod output;
mod ptx;
mod root;
mod tokens;
mod unescape;
mod unroll;

use proc_macro::TokenStream;

/// Marks a function as a kernel, which `launch!` can run on a device.
///
/// The function stays as written, and may be generic. Device code can call it; a call on the host panics. Its
/// parameters are what the launch passes: primitives, `&[T]`, views such as `Disjoint<T>`, closures, structs.
///
/// `#[kernel(heap)]` lets it use `Box`, `Vec`, `String` and the rest of `alloc`. They take their
/// memory from the device's heap, which all threads share: slow compared with everything else that
/// a kernel does, and 8 MiB large unless the host calls `Device::set_heap_limit`.
///
/// `#[kernel(unsafe(unchecked))]` leaves checks out of release builds. On a GPU, an index or range out of bounds,
/// a division by zero, and overflow that the build would have checked are then undefined behaviour, in the kernel
/// and in everything that it calls. If the arguments decide whether that can happen, the kernel must be an
/// `unsafe fn`. Assertions, `unwrap` and `expect` stay. Builds with `debug_assertions` and the emulated
/// device check as usual.
///
/// `#[kernel(wide)]` calculates the indices of threads in the grid in 64 bits. Otherwise they have 32 bits, and a launch
/// with 2^31 threads or more in the blocks along an axis is an error. It has an effect only on the kernel that is launched, not on
/// kernels that call it.
///
/// The attribute can also hold knobs. `maxthreads` and `blocks_per_sm` are CUDA's `__launch_bounds__`, `maxregs` is
/// `__maxnreg__`, and `threads` is PTX's `.reqntid`. Values are constants of any integer type. A launch's own `maxregs`
/// and `blocks_per_sm` override the attribute's; a `maxthreads` or `minthreads` that contradicts it is an error, and so
/// is a different `cluster`. A launch without `cluster` has the attribute's.
///
/// | knob | every launch |
/// |---|---|
/// | `threads = (16, 16)`, `threads = 256` | has blocks of this shape; the compiler knows it, so that an index below `block::dim_x()` needs no check in an array of that length |
/// | `maxthreads = 256` | has blocks of at most this many threads, which the compiler knows, too |
/// | `blocks_per_sm = 2` | uses few enough registers for this many blocks on a multiprocessor; needs `threads` or `maxthreads` |
/// | `maxregs = 32` | uses at most this many registers per thread |
/// | `cluster = (2, 1, 1)`, `cluster = 2` | has clusters of this shape, which the compiler knows (`__cluster_dims__` of CUDA C++, PTX's `.reqnctapercluster`); needs `sm_90` |
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// const TILE: usize = 16;
///
/// /// The sum of each thread's column, in tiles of 16 x 16.
/// #[kernel(threads = (TILE, TILE), blocks_per_sm = 2)]
/// fn columns(tiles: &[[[f32; TILE]; TILE]], sums: Atomics<f32>) {
///     let (x, y) = (thread::x() as usize, thread::y() as usize);
///     if let Some(tile) = tiles.get(block::x() as usize) {
///         sums[x].fetch_add(tile[y][x]);
///     }
/// }
///
/// let tiles = DeviceBuffer::from_slice(&[[[0.5f32; TILE]; TILE]; 3])?;
/// let mut sums = DeviceBuffer::<f32>::zeroed(TILE)?;
/// launch!(columns<<<3, (16, 16)>>>(&tiles, &mut sums))?;
/// assert_eq!(sums.to_vec()?, [24.0; TILE]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// An `unsafe fn` can be a kernel, too; its launch says `unsafe`: `launch!(unsafe k<<<1, 32>>>(x))`.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn saxpy<T: Num>(a: T, x: &[T], mut y: Disjoint<T>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = a * x[i.get()] + *y;
///     }
/// }
///
/// #[kernel(heap)]
/// fn sorted_rows(matrix: Array<u32, 2>, mut medians: Disjoint<u32>) {
///     let row = thread::index_1d();
///     if let Some(median) = medians.get_mut(row) {
///         let mut values: Vec<u32> = matrix.at(row.get()).iter().copied().collect();
///         values.sort_unstable();
///         *median = values[values.len() / 2];
///     }
/// }
/// ```
///
/// # Loops
/// Loops of constant length are unrolled as far as LLVM's cost model allows. Attributes in the
/// kernel's body steer that: `#[unroll]` before a `for`, `while` or `loop` unrolls all of it,
/// `#[unroll(4)]` repeats the body four times, `#[unroll(never)]` leaves the loop alone. In other
/// functions, `ptyx::unroll!` does the same.
///
/// # Errors
/// A kernel returns nothing and is a free function: another return type, `async`, `const`, `extern`,
/// a `self` parameter and variadic parameters are compile errors.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    root::of_attribute(attribute, |attribute| {
        let mut output = output::report(&build::refused(None));
        output.extend(kernel::expand(attribute, item));
        output
    })
}

/// Gives a static of the type `ptyx::Constant` or `ptyx::Global` the name by which the host finds it on the
/// device.
///
/// The static can be in any crate, in any module or function, public or not.
///
/// ```
/// use ptyx::prelude::*;
/// use ptyx::{Constant, Global};
///
/// #[device_static]
/// static TABLE: Constant<[f32; 4]> = Constant::new([1.0, 0.5, 0.25, 0.125]);
///
/// #[device_static]
/// pub static STEPS: Global<Atomic<u64>> = Global::zeroed();
///
/// STEPS.set(&1)?;
/// assert_eq!((STEPS.get()?, TABLE.get()?[3]), (1, 0.125));
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// What is not a static, or is `mut`, is a compile error. So is, in the build script, a kernel that uses a
/// `Constant` or a `Global` without this attribute.
#[proc_macro_attribute]
pub fn device_static(attribute: TokenStream, item: TokenStream) -> TokenStream {
    root::of_attribute(attribute, |attribute| device_static::expand(attribute, item))
}

/// The implementation of `ptyx::unroll!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn unroll(input: TokenStream) -> TokenStream {
    root::of_macro(input, unroll::expand)
}

/// The implementation of `ptyx::ptx!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn ptx(input: TokenStream) -> TokenStream {
    root::of_macro(input, ptx::expand)
}

/// The implementation of `ptyx::launch!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn launch(input: TokenStream) -> TokenStream {
    root::of_macro(input, |input| built(input, launch::expand_launch))
}

/// The implementation of `ptyx::cuda!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn cuda(input: TokenStream) -> TokenStream {
    root::of_macro(input, |input| built(input, launch::expand_cuda))
}

/// The implementation of `ptyx::compile!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn compile(input: TokenStream) -> TokenStream {
    root::of_macro(input, |input| built(input, launch::expand_compile))
}

/// The implementation of `ptyx::args!`, which has the documentation.
#[doc(hidden)]
#[proc_macro]
pub fn args(input: TokenStream) -> TokenStream {
    root::of_macro(input, launch::expand_args)
}

/// Implements `DeviceCopy` for a struct or an enum whose fields are `DeviceCopy`, so that it can be used in
/// buffers, arguments, shared memory and shuffles. The type must also be `Copy`.
///
/// Generic parameters are required to be `DeviceCopy`. An enum with data needs `#[repr(u8)]`, another
/// integer `repr` or `#[repr(C)]` to be used in shuffles and in zeroed buffers: without it, Rust does not
/// specify where the variant is stored. Unions are compile errors: only their authors know which bytes are
/// valid values.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
/// struct Particle {
///     position: [f32; 3],
///     charge: Charge,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
/// #[repr(u8)]
/// enum Charge {
///     None,
///     Some(f32),
/// }
///
/// let particles = [Particle { position: [1.0, 2.0, 3.0], charge: Charge::Some(-1.0) }; 100];
/// let buffer = DeviceBuffer::from_slice(&particles)?;
/// assert_eq!(buffer.to_vec()?, particles);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[proc_macro_derive(DeviceCopy, attributes(ptyx))]
pub fn derive_device_copy(item: TokenStream) -> TokenStream {
    root::of_derive(item, derive::expand)
}

/// Makes a host struct usable as an argument. A launch converts it, field by field, into a struct of the
/// kernel. The `#[kernel_arg(..)]` attribute names that struct, whose fields have the same names.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// /// What the kernel takes.
/// struct MeshView<'a> {
///     points: &'a [f32],
///     areas: Disjoint<'a, f32>,
///     scale: f32,
/// }
///
/// /// What the host passes.
/// #[derive(KernelArg)]
/// #[kernel_arg(MeshView<'a>)]
/// struct Mesh<'a> {
///     points: &'a DeviceBuffer<f32>,
///     areas: &'a mut DeviceBuffer<f32>,
///     scale: f32,
/// }
///
/// #[kernel]
/// fn measure(mut mesh: MeshView<'_>) {
///     for i in thread::grid_stride(mesh.areas.len()) {
///         mesh.areas[i] = mesh.scale * mesh.points[i.get()];
///     }
/// }
///
/// let points = DeviceBuffer::filled(1000, 2.0f32)?;
/// let mut areas = DeviceBuffer::<f32>::zeroed(1000)?;
/// launch!(measure<<<4, 256>>>(Mesh { points: &points, areas: &mut areas, scale: 0.5 }))?;
/// assert_eq!(areas.to_vec()?, [1.0; 1000]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// Each field can be anything that a launch takes as an argument, including another such struct, and is
/// converted like that argument. Passing a struct has no disadvantage over passing its fields one by one:
/// work on their memory is ordered in the same way, and slices are still read through the read-only data
/// path. Tuple structs and generics work as well. A struct with several `#[kernel_arg(..)]` attributes can
/// become any of the structs that they name.
#[proc_macro_derive(KernelArg, attributes(kernel_arg, ptyx))]
pub fn derive_kernel_arg(item: TokenStream) -> TokenStream {
    root::of_derive(item, kernel_arg::expand)
}

/// Expands a launch, unless the package's build script is missing or has found errors.
fn built(input: TokenStream, expand: fn(TokenStream) -> TokenStream) -> TokenStream {
    let first = input.clone().into_iter().next();
    let mut problems = build::refused(first.map(|token| token.span()));
    problems.extend(build::missing());
    if problems.is_empty() { expand(input) } else { output::report_expression(&problems) }
}
