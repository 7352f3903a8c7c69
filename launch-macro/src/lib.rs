//! The macros of Ptyx: `#[kernel]`, `launch!`, `cuda!`, `compile!`, `derive(DeviceCopy)` and kernel printing.
//!
//! They are re-exported by `ptyx`, with `ptyx::prelude::*` bringing them all; their expansions name
//! items of `ptyx`, so that crate must be a dependency under that name.
//!
//! All of them are pure transformations of tokens: they look at nothing but their input, run in
//! microseconds, and when they report an error they report every one they find, each at its place.
//! Types are checked by rustc itself on what they expand to, with the user's own spans.

mod derive;
mod format;
mod kernel;
mod launch;
mod tokens;
mod unroll;

use proc_macro::TokenStream;

/// Marks a function as a kernel, which `launch!` can run on a device.
///
/// The function stays as written; calls of it and generics work as for any other. Its parameters
/// are what the launch passes: primitives, `&[T]`, views such as `Disjoint<T>`, closures, structs.
///
/// `#[kernel(heap)]` lets it use `Box`, `Vec`, `String` and the rest of `alloc`. They take their
/// memory from the device's heap, which all threads share: slow compared with everything else that
/// a kernel does, and 8 MiB large unless the host calls `Device::set_heap_limit`.
///
/// An `unsafe fn` can be a kernel, too; its launch says `unsafe`: `launch!(unsafe k<<<1, 32>>>(x))`.
///
/// # Loops
/// Loops of constant length are unrolled as far as LLVM's cost model allows. Attributes in the
/// kernel's body steer that: `#[unroll]` before a `for`, `while` or `loop` unrolls all of it,
/// `#[unroll(4)]` repeats the body four times, `#[unroll(never)]` leaves the loop alone. In other
/// functions, [`unroll!`] does the same.
///
/// # Errors
/// A kernel returns nothing and is a free function: another return type, `async`, `const`, `extern`,
/// a `self` parameter and variadic parameters are compile errors.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute, item)
}

/// A loop to be unrolled: `unroll!(for i in 0..8 { .. })` in full, `unroll!(4, for ..)` four times,
/// `unroll!(never, for ..)` not at all. Loops inside may have `#[unroll]` attributes, as in a
/// `#[kernel]`. On the host it is the plain loop.
///
/// A full unrolling needs a length that is known when the kernel is compiled; a loop of any length
/// can be unrolled a number of times, unless it has a barrier or another operation of the whole warp
/// and its length is no known multiple.
#[proc_macro]
pub fn unroll(input: TokenStream) -> TokenStream {
    unroll::expand(input)
}

/// Launches a kernel: `launch!(kernel<<<blocks, threads, shared_bytes, stream>>>(arguments))`.
///
/// Every field between the brackets may be left out from the right: one block, one thread, no
/// dynamic shared memory, the default stream. Shapes are integers or tuples of one to three. The
/// knobs `minthreads`, `maxthreads`, `blocks_per_sm`, `maxregs` and `alias` follow the call:
/// `launch!(f<<<64, 256>>>(&x, &mut y), maxregs = 32, alias = "first")`.
///
/// `launch!(unsafe kernel<<<..>>>(..))` launches an `unsafe fn`: whoever writes it promises what the
/// kernel's `# Safety` section asks for, for every thread and until the kernel has ended.
///
/// The result is a `ptyx::Result<()>`; the kernel runs asynchronously.
///
/// A generic function may launch a kernel with a closure that it was given. If two closures of one
/// function, with captures of the same layout, come to such a launch, write `#[track_caller]` above
/// the generic function: the place of its call tells which closure it is. Without it that is a
/// compile error, because Rust gives the closures of one function one name.
#[proc_macro]
pub fn launch(input: TokenStream) -> TokenStream {
    launch::expand_launch(input)
}

/// Launches a kernel with keywords: `cuda!(threads = 256, blocks = 64, kernel(arguments))`.
///
/// `threads`, `blocks`, `shmem` and `stream` default as in [`launch!`], which is the same thing in
/// other clothes; the knobs of `launch!` are keywords here, before or after the call.
#[proc_macro]
pub fn cuda(input: TokenStream) -> TokenStream {
    launch::expand_cuda(input)
}

/// Assembles a kernel without launching it: `compile!(kernel(arguments), maxregs = 32)`.
///
/// The result is a `ptyx::Result` of a prepared kernel, which tells registers, memory, occupancy, PTX
/// and machine code, and is launched, with a shape that may follow from these, by its `launch`
/// method. The keywords are the knobs of [`launch!`] and `stream`.
#[proc_macro]
pub fn compile(input: TokenStream) -> TokenStream {
    launch::expand_compile(input)
}

/// Makes a struct of `DeviceCopy` fields `DeviceCopy`, so that buffers, shared memory and shuffles
/// take it. It must be `Copy`, too.
///
/// Generic parameters are required to be `DeviceCopy`. Enums and unions are compile errors: their
/// authors must say which bytes are values.
#[proc_macro_derive(DeviceCopy)]
pub fn derive_device_copy(item: TokenStream) -> TokenStream {
    derive::expand(item)
}

/// Prints from a kernel, as std's `print!` does from a program.
///
/// The text appears on the host's standard output after a synchronisation, each call's in one piece,
/// those of different threads in any order. One call takes up to 32 values: integers of up to 64
/// bits, floats, `bool`, `char`, `&str` and raw pointers.
///
/// The format is read at compile time and printed by C's `printf` on the device, so some of it is
/// different from std's:
/// - floats print as `%g` does, in at most 6 digits, unless a precision is given: `{:.9}`;
/// - a `&str` is cut off after 127 bytes, widths of text count bytes, and `{:?}` puts quotes around
///   text but escapes nothing;
/// - `{:#6x}` (with a width, without `0`) prints 0 without `0x`;
/// - no binary, no fill characters, no centring, no width or precision from arguments: compile
///   errors.
#[proc_macro]
pub fn print(input: TokenStream) -> TokenStream {
    format::expand(input, false)
}

/// Prints a line from a kernel: [`print!`] with the end of the line.
#[proc_macro]
pub fn println(input: TokenStream) -> TokenStream {
    format::expand(input, true)
}
