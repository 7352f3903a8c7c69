//! The function-like macros. Each passes `$crate` to the procedural macro of the same name, which can then
//! find this crate wherever the macro is re-exported, and under whatever name.

/// Launches a kernel: `launch!(kernel<<<blocks, threads, shared_bytes, stream>>>(arguments))`.
///
/// Trailing fields in the brackets can be left out. The defaults are one block, one thread, no dynamic
/// shared memory and the default stream. Shapes are integers or tuples of one to three integers. The
/// knobs `minthreads`, `maxthreads`, `blocks_per_sm`, `maxregs` and `alias` follow the call:
/// `launch!(f<<<64, 256>>>(&x, &mut y), maxregs = 32, alias = "first")`.
///
/// `launch!(unsafe kernel<<<..>>>(..))` launches an `unsafe fn`. The caller must uphold the
/// kernel's `# Safety` section, for every thread and until the kernel has ended.
///
/// The result is a `ptyx::Result<()>`; the kernel runs asynchronously.
///
/// A generic function can launch a kernel with a closure that was passed to it. If it is called with two
/// closures from the same function whose captures have the same layout, write `#[track_caller]` on the
/// generic function: the location of its call then tells the closures apart. Without the attribute this
/// is a compile error, because Rust gives all closures in one function the same type name.
#[macro_export]
macro_rules! launch {
    ($($input:tt)*) => { $crate::__macros::launch!([$crate] $($input)*) };
}

/// Launches a kernel with keywords: `cuda!(threads = 256, blocks = 64, kernel(arguments))`.
///
/// This is another syntax for [`launch!`]: `threads`, `blocks`, `shmem` and `stream` have the same
/// defaults. The knobs of `launch!` are keywords here, before or after the call.
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
#[macro_export]
macro_rules! compile {
    ($($input:tt)*) => { $crate::__macros::compile!([$crate] $($input)*) };
}

/// Arguments for launching a prepared kernel: `kernel.launch(config, args!(2.0, &x, &mut y))`.
///
/// Each argument is passed as in [`launch!`].
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
#[macro_export]
macro_rules! unroll {
    ($($input:tt)*) => { $crate::__macros::unroll!([$crate] $($input)*) };
}

/// Prints from a kernel, like std's `print!`.
///
/// The text appears on the host's standard output after a synchronisation. The text of one call stays
/// together; calls of different threads appear in any order. One call takes up to 32 values: integers
/// of up to 64 bits, floats, `bool`, `char`, `&str` and raw pointers.
///
/// The format is parsed at compile time and printed by C's `printf` on the device, so it differs from
/// std's in some ways:
/// - floats print digit for digit as std prints them, with a precision of up to 16 digits; with a higher
///   precision (`{:.17}`) they print like C's `%.17f` and `%.17e`;
/// - a `&str` is cut off after 127 bytes, widths of text count bytes, and `{:?}` puts quotes around
///   text but escapes nothing;
/// - `{:#6x}` (with a width, without `0`) prints 0 without `0x`;
/// - binary numbers, fill characters, centring, and width or precision from arguments are compile
///   errors.
#[macro_export]
macro_rules! print {
    ($($input:tt)*) => { $crate::__macros::print!([$crate] $($input)*) };
}

/// Prints a line from a kernel: [`print!`] with a newline.
#[macro_export]
macro_rules! println {
    ($($input:tt)*) => { $crate::__macros::println!([$crate] $($input)*) };
}
