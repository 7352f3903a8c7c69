//! The functions that only a device has, as the compiler knows them.
//!
//! A declaration under [`intrinsics!`] says all that there is to know of an intrinsic:
//!
//! | it becomes | |
//! |---|---|
//! | `nvvm("llvm.nvvm...")` | a call of this LLVM intrinsic, whose `i1`s are numbers here |
//! | `atomic(operation)` | an atomic instruction: `load`, `store`, `cmpxchg`, `fence`, or LLVM's name of an `atomicrmw` |
//! | `float(half fadd)` | this LLVM instruction on 16-bit floats (`half`, `bfloat`), here as their bits |
//! | `pure("..")` | inline PTX that only computes: unused ones go away, equal ones become one |
//! | `asm("..")` | inline PTX with effects, convergent: it stays where it stands |
//!
//! The last argument of an atomic instruction, `how`, is a constant that says its memory order and its scope
//! (`atomic/order.rs`); inline PTX has both, too, if it says `.ORDER.SCOPE`.
//!
//! In inline PTX `$0` is the result and the arguments follow it, or `$0` is the first argument where there
//! is no result. Behind it may stand:
//!
//! | | |
//! |---|---|
//! | `needs(sm_80, ptx 7.0)` | what inline PTX asks for beyond what all kernels have (`sm_70`, PTX 6.3) |
//! | `range(0..1024)` | the values of a number, which the optimiser narrows arithmetic with |
//! | `flat(2, 0)` | in a kernel of fewer than 2 dimensions it is 0 |
//! | `unaligned("llvm.nvvm...")` | the same barrier for a warp whose threads don't all reach one instruction |
//!
//! In the device pass all of it is the function's symbol, which `compiler/src/lower/intrinsics.rs` reads.
//! Functions under [`compiler_functions!`] are lowered by code of their own. Arguments and results are
//! scalars and pointers only; a truth value travels as a `u32`, any non-zero value being true.
//!
//! On the host each is a stub that panics: it type-checks, and nothing calls it there but mistakes.
//! The panic is at the place of the mistake: public functions that call these are `track_caller`.

macro_rules! intrinsics {
    ($(
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? =
            $kind:ident $what:tt $(, $property:ident $value:tt)*;
    )*) => {
        compiler_functions! {$(
            #[link_name = concat!(
                "__ptyx_intrinsic ",
                stringify!($name)
                $(, property!($property $value))*,
                meaning!($kind $what)
            )]
            fn $name($($argument: $type),*) $(-> $result)?;
        )*}
    };
}

/// What an intrinsic becomes, as its symbol says it: the last part, which may hold any text.
#[rustfmt::skip]
macro_rules! meaning {
    (nvvm($name:literal)) => { concat!(" nvvm ", $name) };
    (atomic($operation:ident)) => { concat!(" atomic ", stringify!($operation)) };
    (float($format:ident $operation:ident)) => {
        concat!(" float ", stringify!($format), " ", stringify!($operation))
    };
    (pure($template:expr)) => { concat!(" pure ", $template) };
    (asm($template:expr)) => { concat!(" asm ", $template) };
}

/// What else its symbol says: words without spaces.
#[rustfmt::skip]
macro_rules! property {
    (needs($arch:ident, ptx $version:literal)) => {
        concat!(" arch=", stringify!($arch), " ptx=", $version)
    };
    (range($low:literal..$high:literal)) => { concat!(" range=", $low, "..", $high) };
    (flat($dimensions:literal, $value:literal)) => { concat!(" flat=", $dimensions, ":", $value) };
    (unaligned($name:literal)) => { concat!(" unaligned=", $name) };
}

macro_rules! compiler_functions {
    ($(
        $(#[link_name = $symbol:expr])?
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;
    )*) => {
        #[cfg(ptyx_device)]
        unsafe extern "C" {
            $(
                $(#[link_name = $symbol])?
                pub(crate) fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }
        $(
            #[cfg(not(ptyx_device))]
            #[allow(dead_code, unused_variables)]
            #[track_caller]
            pub(crate) unsafe fn $name($($argument: $type),*) $(-> $result)? {
                // A mistake in a declaration is an error on the host, too.
                $(const _: &str = $symbol;)?
                $crate::intrinsics::on_the_host()
            }
        )*
    };
}

mod arithmetic;
mod atomics;
mod barriers;
mod caches;
mod clusters;
mod copies;
mod mbarrier;
mod memory;
mod narrow_floats;
mod registers;
mod rounding;
mod warp;

// Some families have callers only on the device.
#[allow(unused_imports)]
pub(crate) use self::{
    arithmetic::*, atomics::*, barriers::*, caches::*, clusters::*, copies::*, mbarrier::*,
    memory::*, narrow_floats::*, registers::*, rounding::*, warp::*,
};

#[cfg(not(ptyx_device))]
#[cold]
#[track_caller]
pub(crate) fn on_the_host() -> ! {
    panic!(
        "a device function was called on the host: `thread`, `block`, `grid`, `warp` and their like \
         work only in a kernel, which `launch!` runs"
    )
}

/// A 32-bit word of any value, some of whose bytes may be padding.
pub(crate) type Word = core::mem::MaybeUninit<u32>;

compiler_functions! {
    // The mark of a kernel; lowered to nothing.
    fn __ptyx_kernel_marker();
    // The mark of a kernel that uses the heap; lowered to nothing.
    fn __ptyx_heap_marker();
    // The mark of a kernel whose checks are left out; lowered to nothing.
    fn __ptyx_unchecked_marker();
    // A knob of a kernel: which, and its value; lowered to nothing.
    fn __ptyx_kernel_knob(kind: u32, x: u32, y: u32, z: u32);
    // The kernel may be launched with a grid and with blocks of at most so many dimensions; lowered to nothing.
    fn __ptyx_require_dims(grid: u32, block: u32);
    // The innermost loop around the call is to be unrolled: 0 in full, 1 not, else so many times;
    // lowered to metadata.
    fn __ptyx_unroll(count: u32);
    // What launches promise about the memory of a parameter; lowered to attributes.
    fn __ptyx_param_read_only(pointer: *const u8);
    fn __ptyx_param_exclusive(pointer: *mut u8);
    fn __ptyx_param_valid(pointer: *mut u8);
    fn __ptyx_param_slice(pointer: *const u8, length: usize, size: usize, align: usize);
    // The shared memory of one place in the source, named by a function of its own.
    fn __ptyx_shared_static(identity: *const (), size: usize, align: usize) -> *mut u8;
    // Whether all threads of the block certainly come to the call, once and for the same memory of so many bytes:
    // the optimiser's answer.
    fn __ptyx_all_come_here(place: *mut u8, bytes: usize) -> bool;
    // The panic slot of the launch's stream, and the launch's number there: the entry's last
    // parameters.
    fn __ptyx_panic_slot() -> u64;
    fn __ptyx_launch_number() -> u32;
    // The device's queue of printed lines: a parameter behind those.
    fn __ptyx_print_queue() -> u64;
    // Whether the launch is cooperative: the last parameter.
    fn __ptyx_is_cooperative() -> u32;
    // Where the launch's dynamic shared memory begins, aligned to 16 bytes.
    fn __ptyx_shared_dynamic() -> *mut u8;
    // Whether the code is compiled for `sm_<sm>` with these features (0: portable, 1: of the family,
    // 2: of that one only): a constant.
    fn __ptyx_arch_provides(sm: u32, features: u32) -> u32;
    // Ends the calling thread.
    fn __ptyx_exit() -> !;
    // Ends the launch with an error.
    fn __ptyx_trap() -> !;
    // The driver's printf: a C string and its arguments, laid out as C promotes them.
    fn vprintf(format: *const u8, arguments: *const u8) -> i32;
}
