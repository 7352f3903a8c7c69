//! What `ptyx::ptx!` expands to: the types of its operands, and its stand-in on the host.

use core::mem::MaybeUninit;

/// A type whose values are operands of `ptyx::ptx!`: each has a register of PTX.
///
/// ```
/// use ptyx::{device::ptx::Operand, ptx};
///
/// /// The bits of a value as a number: a `mov` changes the register's type.
/// fn bits<T: Operand>(value: T) -> u32 {
///     let bits: u32;
///     // SAFETY: the caller has types of 32 bits in mind; the instruction only copies.
///     unsafe { ptx!("mov.b32 {}, {};", out(reg) bits, in(reg) value, options(pure, nomem)) };
///     bits
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an operand of `ptx!`",
    label = "no register of PTX holds this type",
    note = "operands are integers and floats of 16, 32 or 64 bits and raw pointers; `bool`s are operands \
            of the kind `in(pred)`"
)]
pub trait Operand: Copy + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
    pub trait Number {}
}

macro_rules! operands {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}
        impl Operand for $type {}
        impl sealed::Sealed for MaybeUninit<$type> {}
        impl Operand for MaybeUninit<$type> {}
    )*};
}
operands! { u16 i16 u32 i32 f32 u64 i64 f64 usize isize }

impl<T> sealed::Sealed for *const T {}
impl<T> Operand for *const T {}
impl<T> sealed::Sealed for *mut T {}
impl<T> Operand for *mut T {}

/// A type whose values are constants in the text of `ptyx::ptx!`.
///
/// ```
/// use ptyx::ptx;
///
/// /// `x` with bit `N` flipped.
/// fn flipped<const N: u32>(x: u32) -> u32 {
///     let result: u32;
///     // SAFETY: the instruction only computes.
///     unsafe {
///         ptx!("xor.b32 {}, {}, {};", out(reg) result, in(reg) x, const 1u32 << N, options(pure, nomem))
///     };
///     result
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a constant of `ptx!`",
    label = "only integers can stand in the text of instructions"
)]
pub trait Constant: sealed::Number {}

macro_rules! constants {
    ($($type:ty)*) => {$(
        impl sealed::Number for $type {}
        impl Constant for $type {}
    )*};
}
constants! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize }

/// An input.
#[doc(hidden)]
#[inline(always)]
pub fn input<T: Operand>(value: T) -> T {
    value
}

/// An input that is a predicate.
#[doc(hidden)]
#[inline(always)]
pub fn predicate(value: bool) -> u32 {
    value as u32
}

/// Checks a constant's type.
#[doc(hidden)]
pub fn constant<T: Constant>(_: T) {}

/// An output, never made: [`call`] comes first.
#[doc(hidden)]
#[track_caller]
pub fn output<T: Operand>() -> T {
    never()
}

/// An output that is a predicate, as [`output`].
#[doc(hidden)]
#[track_caller]
pub fn predicate_output() -> bool {
    never()
}

/// An output that starts as an input's value, as [`output`].
#[doc(hidden)]
#[track_caller]
pub fn through<T: Operand>(_: T) -> T {
    never()
}

/// A predicate that is both, as [`output`].
#[doc(hidden)]
#[track_caller]
pub fn predicate_through(_: bool) -> bool {
    never()
}

/// What stands for the instructions on the host, which has none of them.
///
/// # Safety
/// None is needed; the instructions in its place need some.
#[doc(hidden)]
#[track_caller]
pub unsafe fn call() {
    never()
}

/// The end of instructions that don't return.
#[doc(hidden)]
#[track_caller]
pub fn never() -> ! {
    panic!("inline PTX was called on the host: `ptx!` works only in a kernel, which `launch!` runs")
}

/// Up to 16 characters as a number, the first in the lowest bits: the compiler puts them in the place of
/// `__ptyx_word_{number}_` in the text of an instruction.
pub(crate) const fn word(text: &[u8]) -> u128 {
    assert!(text.len() <= 16);
    let (mut bits, mut at) = (0, 0);
    while at < text.len() {
        bits |= (text[at] as u128) << (8 * at);
        at += 1;
    }
    bits
}

/// Chooses what `ptyx::ptx!` means in this pass.
#[cfg(ptyx_device)]
#[doc(hidden)]
#[macro_export]
macro_rules! __ptx {
    (device { $($device:tt)* } host { $($host:tt)* }) => {{ $($device)* }};
}

/// Chooses what `ptyx::ptx!` means in this pass.
#[cfg(not(ptyx_device))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ptx {
    (device { $($device:tt)* } host { $($host:tt)* }) => {{ $($host)* }};
}
