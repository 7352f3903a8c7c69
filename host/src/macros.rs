//! The function-like macros. Each passes `$crate` to the procedural macro of the same name, which can then
//! find this crate wherever the macro is re-exported, and under whatever name.

/// Launches a kernel: `launch!(kernel<<<blocks, threads, shared_bytes, stream>>>(arguments))`.
///
/// Trailing fields in the brackets can be left out. The defaults are one block, one thread, no dynamic
/// shared memory and the default stream. Shapes are integers or tuples of one to three integers. The
/// knobs `minthreads`, `maxthreads`, `blocks_per_sm`, `maxregs` and `alias` follow the call:
/// `launch!(f<<<64, 256>>>(&x, &mut y), maxregs = 32, alias = "first")`. With the word `cooperative` all
/// blocks run at the same time, and can [wait for each other](crate::device::group::Grid::sync).
/// `cluster = (2, 1, 1)` groups blocks into [clusters](crate::LaunchConfig::cluster). An `unsafe` launch can be
/// [`programmatic`](crate::LaunchConfig::programmatic).
///
/// `launch!(unsafe kernel<<<..>>>(..))` launches an `unsafe fn`. The caller must uphold the
/// kernel's `# Safety` section, for every thread and until the kernel has ended.
///
/// The result is a `ptyx::Result<()>`; the kernel runs asynchronously ([`cuLaunchKernel`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
///
/// A generic function can launch a kernel with a closure that was passed to it. If it is called with two
/// closures from the same function whose captures have the same layout, write `#[track_caller]` on the
/// generic function: the location of its call then tells the closures apart. Without the attribute this
/// is a compile error, because Rust gives all closures in one function the same type name.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn scale(a: f32, mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::index_1d()) {
///         *x *= a;
///     }
/// }
///
/// let (n, stream) = (1000usize, Stream::new()?);
/// let mut x = DeviceBuffer::filled(n, 2.0f32)?;
/// launch!(scale<<<n.div_ceil(256), 256>>>(3.0, &mut x))?;
/// launch!(scale<<<n.div_ceil(256), 256, 0, &stream>>>(0.5, &mut x), maxregs = 32)?;
/// assert_eq!(x.to_vec()?, vec![3.0; n]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// - [`Error::Launch`](crate::Error::Launch): the device can't do a launch of this shape or with these knobs.
/// - [`Error::Capability`](crate::Error::Capability), [`Error::Assembler`](crate::Error::Assembler): the kernel
///   does not fit the device.
/// - [`Error::PeerAccess`](crate::Error::PeerAccess), [`Error::WrongDevice`](crate::Error::WrongDevice): an argument is
///   memory of another device, to which this one can't have access, or a texture of another device.
/// - [`Error::Shape`](crate::Error::Shape): an argument has a shape that does not fit.
/// - [`Error::BadName`](crate::Error::BadName): the alias is not a PTX identifier, or is already used.
/// - [`Error::MissingKernel`](crate::Error::MissingKernel),
///   [`Error::AmbiguousKernel`](crate::Error::AmbiguousKernel), [`Error::Image`](crate::Error::Image): the program
///   has no usable code for the launch.
///
/// What goes wrong while the kernel runs is returned by a later call that waits for it.
#[macro_export]
macro_rules! launch {
    ($($input:tt)*) => { $crate::__macros::launch!([$crate] $($input)*) };
}

/// Links PTX from a file to the kernels that call its functions: `link_ptx!("filter.ptx");`
///
/// The file, whose path is relative to the source file as for `include_str!`, holds a module: what `nvcc -ptx` or
/// another compiler made of `extern "C" __device__` functions, or what you wrote yourself. Declare its functions as
/// `extern "C"`, and call them in kernels. A kernel that calls none of them is not affected.
///
/// ```no_run
/// use ptyx::prelude::*;
/// # /*
/// ptyx::link_ptx!("filter.ptx");
/// # */
///
/// unsafe extern "C" {
///     /// `extern "C" __device__ float smooth(const float *x, unsigned n)`
///     fn smooth(x: *const f32, n: u32) -> f32;
/// }
///
/// #[kernel]
/// fn filter(x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let (Some(y), Some(x)) = (y.get_mut(i), x.get(i.get()..i.get() + 8)) {
///         // SAFETY: it reads as many elements as it is told.
///         *y = unsafe { smooth(x.as_ptr(), 8) };
///     }
/// }
/// ```
///
/// # Errors
/// A function that no linked file defines, or that takes other parameters than Rust declares, is an error of the
/// build. Numbers and pointers can be passed and returned. Whether the rest of the file is right, the assembler
/// says when a kernel is loaded. Kernels need at least the architecture and the PTX version in the file's head.
#[cfg(not(ptyx_device))]
#[macro_export]
macro_rules! link_ptx {
    ($path:expr $(,)?) => {
        const _: &[u8] = ::core::include_bytes!($path);
    };
}

/// In the device pass: the compiler finds the text by its section.
#[cfg(ptyx_device)]
#[macro_export]
macro_rules! link_ptx {
    ($path:expr $(,)?) => {
        const _: () = {
            #[used]
            #[unsafe(link_section = "ptyx_linked_ptx")]
            static TEXT: [u8; ::core::include_bytes!($path).len()] = *::core::include_bytes!($path);
        };
    };
}

/// Launches a kernel with keywords: `cuda!(threads = 256, blocks = 64, kernel(arguments))`.
///
/// This is another syntax for [`launch!`]: `threads`, `blocks`, `shmem` and `stream` have the same
/// defaults. The knobs of `launch!` are keywords here, before or after the call.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn scale(a: f32, mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::index_1d()) {
///         *x *= a;
///     }
/// }
///
/// let mut x = DeviceBuffer::filled(1000, 2.0f32)?;
/// cuda!(blocks = 4, threads = 256, maxregs = 32, scale(3.0, &mut x))?;
/// assert_eq!(x.to_vec()?, [6.0; 1000]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// Those of [`launch!`].
#[macro_export]
macro_rules! cuda {
    ($($input:tt)*) => { $crate::__macros::cuda!([$crate] $($input)*) };
}

/// Assembles a kernel without launching it: `compile!(kernel(arguments), maxregs = 32)`.
///
/// The result is a `ptyx::Result` of a prepared kernel, which reports its registers, memory, occupancy,
/// PTX and machine code. Its `launch` method launches it any number of times, with a shape that can
/// depend on these. The arguments of `compile!` only determine types: each launch takes its own, see
/// [`args!`](crate::args!). The keywords are `stream` and the knobs of [`launch!`]. `compile!(unsafe kernel(..))`
/// gives a kernel whose launches are `unsafe`.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn scale(a: f32, mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::index_1d()) {
///         *x *= a;
///     }
/// }
///
/// let mut x = DeviceBuffer::filled(1000, 2.0f32)?;
/// let scale = compile!(scale(0.0, &mut x), maxregs = 32)?;
/// assert!(scale.attributes.registers <= 32);
/// let threads = scale.occupancy(|_threads| 0, None)?.threads;
/// let config = LaunchConfig::new().blocks(1000u32.div_ceil(threads)).threads(threads);
/// scale.launch(config, args!(3.0, &mut x))?;
/// assert_eq!(x.to_vec()?, [6.0; 1000]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// Those of [`launch!`], except for those of shapes and arguments.
#[macro_export]
macro_rules! compile {
    ($($input:tt)*) => { $crate::__macros::compile!([$crate] $($input)*) };
}

/// Arguments for launching a prepared kernel: `kernel.launch(config, args!(2.0, &x, &mut y))`.
///
/// Each argument is passed as in [`launch!`].
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn apply(function: impl Fn(f32) -> f32, mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::index_1d()) {
///         *x = function(*x);
///     }
/// }
///
/// let mut x = DeviceBuffer::filled(100, 2.0f32)?;
/// let half = |x: f32| 0.5 * x;
/// let apply = compile!(apply(half, &mut x))?;
/// apply.launch(LaunchConfig::new().threads(100), args!(half, &mut x))?;
/// assert_eq!(x.to_vec()?, [1.0; 100]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[macro_export]
macro_rules! args {
    ($($input:tt)*) => { $crate::__macros::args!([$crate] $($input)*) };
}

/// Unrolls a loop: `unroll!(for i in 0..8 { .. })` fully, `unroll!(4, for ..)` four times,
/// `unroll!(never, for ..)` not at all. Loops inside it can have `#[unroll]` attributes, as in a
/// `#[kernel]`. On the host it is an ordinary loop.
///
/// To be fully unrolled, a loop must have a length that is known at compile time. A loop of any length
/// can be unrolled a given number of times. If it contains a barrier or another warp-wide operation, its
/// length must be known to be a multiple of that number.
///
/// ```
/// use ptyx::unroll;
/// let mut sum = 0;
/// unroll!(for i in 0..8 {
///     sum += i;
/// });
/// unroll!(4, for i in 0..sum {
///     sum -= i % 2;
/// });
/// assert_eq!(sum, 14);
/// ```
#[macro_export]
macro_rules! unroll {
    ($($input:tt)*) => { $crate::__macros::unroll!([$crate] $($input)*) };
}

/// Inline PTX: instructions of the device ([PTX ISA](https://docs.nvidia.com/cuda/parallel-thread-execution/)), in the syntax of
/// [`asm!`](core::arch::asm).
///
/// ```
/// use ptyx::ptx;
///
/// /// The product's upper half, plus `c` and the carry of the lower half's sum.
/// fn multiply_add(a: u32, b: u32, c: u64) -> u64 {
///     let (low, high): (u32, u32);
///     // SAFETY: the instructions only compute.
///     unsafe {
///         ptx!(
///             "mad.lo.cc.u32 {low}, {a}, {b}, {c_low};",
///             "madc.hi.u32 {high}, {a}, {b}, {c_high};",
///             low = out(reg) low,
///             high = lateout(reg) high,
///             a = in(reg) a,
///             b = in(reg) b,
///             c_low = in(reg) c as u32,
///             c_high = in(reg) (c >> 32) as u32,
///             options(pure, nomem),
///         );
///     }
///     u64::from(high) << 32 | u64::from(low)
/// }
/// ```
///
/// First come the instructions, as one string literal or as several, one for each line. `{name}`, `{0}`
/// and `{}` stand for operands; a brace of PTX itself is written `{{` or `}}`. Then come the operands:
///
/// | operand | is |
/// |---|---|
/// | `in(reg) value` | read |
/// | `out(reg) place` | written, perhaps before all inputs have been read |
/// | `lateout(reg) place` | written when all inputs have been read |
/// | `inout(reg) place`, `inout(reg) value => place` | read and written; also `inlateout` |
/// | `in(pred) flag`, `out(pred) flag`, … | a `bool` in a predicate register |
/// | `const N` | an integer constant, written into the text |
///
/// Operands have the types `u16`, `u32`, `u64`, `usize`, the signed types of these sizes, `f32`, `f64`, or are raw
/// pointers. The type says which register an operand has. `name = ` in front gives it a name.
///
/// Afterwards, in any order:
///
/// - `options(..)`: `nomem` says that the instructions access no memory, `readonly` that they only read it,
///   `pure` that the outputs depend on nothing but the inputs (and the memory, if it is `readonly`) and
///   that nothing else happens, so that the optimiser may move and drop them. `convergent` says that pure
///   instructions involve other threads of the warp. `noreturn` says that they never return. Without
///   options, instructions stay where they are, involve the warp, and read and write any memory.
/// - `arch = 90` or `arch = "sm_90a"`: the architecture that the instructions need, at least. As for the
///   functions of [`device`](crate::device), a kernel's `.target` is the oldest architecture that has all
///   that its code uses.
/// - `ptx = 8.0`: the PTX version that they need, at least.
///
/// Labels and registers that the instructions declare are local to them.
///
/// # Safety
/// As with `asm!`, the compiler does not know what the instructions do. The caller must ensure that they
/// have no undefined behaviour, that operands have the widths that the instructions expect, and that the
/// options are true.
///
/// # Panics
/// On the host, like every function that only a device has.
#[macro_export]
macro_rules! ptx {
    ($($input:tt)*) => { $crate::__macros::ptx!([$crate] $($input)*) };
}

/// Prints from a kernel: std's `print!`, with all of its formats.
///
/// The text appears on the host's standard output while the host waits for the kernel, as if the host
/// printed it. The text of one call stays together, and the calls of one thread stay in order; so do
/// kernels of one stream.
///
/// The host does the formatting; the kernel only hands over the values. Everything that a panic message can
/// show by `Display` or `Debug` can be printed.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn report(values: &[f32]) {
///     let i = thread::x() as usize;
///     gpu_println!("{i:>3}: {:8.3} {:?}", values[i], values.first());
/// }
/// ```
///
/// Text that the host has not read yet takes up to [`Device::set_print_buffer`](crate::Device::set_print_buffer)
/// bytes. Lines that do not fit are lost, and the host reports their number on standard error.
///
/// # Panics
/// On the host, like every function that only a device has.
#[macro_export]
macro_rules! gpu_print {
    ($($format:tt)*) => {
        $crate::device::print::print(::core::format_args!($($format)*), false)
    };
}

/// Prints a line from a kernel: [`gpu_print!`] with a newline.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn report(residual: f32) {
///     if thread::index_1d().get() == 0 {
///         gpu_println!("residual: {residual:.3e}");
///     }
/// }
/// ```
///
/// # Panics
/// On the host, like every function that only a device has.
#[macro_export]
macro_rules! gpu_println {
    () => { $crate::device::print::print(::core::format_args!(""), true) };
    ($($format:tt)*) => {
        $crate::device::print::print(::core::format_args!($($format)*), true)
    };
}

/// Prints an expression with its location and its value, and returns the value: std's `dbg!` for kernels,
/// on standard output.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn middle(x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = gpu_dbg!(x[i.get()] * 0.5); // prints the place, the expression and the value
///     }
/// }
/// ```
///
/// # Panics
/// On the host, like every function that only a device has.
#[macro_export]
macro_rules! gpu_dbg {
    ($value:expr $(,)?) => {
        match $value {
            value => {
                $crate::gpu_println!(
                    "[{}:{}:{}] {} = {:#?}",
                    ::core::file!(), ::core::line!(), ::core::column!(), ::core::stringify!($value), &value
                );
                value
            }
        }
    };
    ($($value:expr),+ $(,)?) => { ($($crate::gpu_dbg!($value)),+,) };
}
