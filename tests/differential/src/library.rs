//! What generated programs call.

use crate::digest::Digest;
use core::cell::Cell;
use core::mem::MaybeUninit;

/// What has happened, in order, as one word.
#[derive(Debug, Default)]
pub struct Trace(Cell<u64>);

impl Trace {
    /// Nothing yet.
    pub const fn new() -> Trace {
        Trace(Cell::new(0))
    }

    /// The word.
    pub fn get(&self) -> u64 {
        self.0.get()
    }
}

/// Notes a value.
pub fn note(trace: &Trace, value: &impl Digest) {
    let mut word = trace.0.get();
    value.digest(&mut word);
    trace.0.set(word);
}

/// Notes a value when it is dropped.
#[derive(Debug)]
pub struct Guard<'a> {
    trace: &'a Trace,
    value: u64,
}

impl<'a> Guard<'a> {
    /// Notes `value` later.
    pub fn new(trace: &'a Trace, value: u64) -> Guard<'a> {
        Guard { trace, value }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        note(self.trace, &self.value);
    }
}

/// A float whose NaNs can be told from each other by nobody.
pub trait Float: Copy {
    /// The one NaN if this is a NaN, else this.
    fn canonical(self) -> Self;
}

impl Float for f32 {
    fn canonical(self) -> f32 {
        if self.is_nan() { f32::from_bits(0x7fc0_0000) } else { self }
    }
}

impl Float for f64 {
    fn canonical(self) -> f64 {
        if self.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { self }
    }
}

/// [`Float::canonical`].
///
/// It is a call on both sides: where LLVM sees the operation before it, it leaves the question out
/// (`is_nan` of a square root, on the host, with optimisation), as for LLVM one NaN is as good as
/// another.
#[inline(never)]
pub fn canonical<T: Float>(x: T) -> T {
    x.canonical()
}

/// Calls a closure.
pub fn call<T, U>(arg: T, closure: impl Fn(T) -> U) -> U {
    closure(arg)
}

/// Calls a closure through a table of functions.
#[inline(never)]
pub fn call_dyn<T, U>(arg: T, closure: &dyn Fn(T) -> U) -> U {
    closure(arg)
}

/// Applies a closure `times` times.
pub fn repeat<T>(times: usize, first: T, closure: impl Fn(T) -> T) -> T {
    (0..times).fold(first, |value, _| closure(value))
}

/// Two values, for traits that are implemented for pairs of types.
#[derive(Clone, Copy, Debug)]
pub struct Both<A, B>(pub A, pub B);

/// One of a few texts.
pub fn text(number: usize) -> &'static str {
    const TEXTS: [&str; 7] =
        ["7", "-12, 40,300,x, 7", "the st\u{e4}tes", "\u{2192} \u{10ffff}e", "Stone", "zz", "+99"];
    TEXTS[number % TEXTS.len()]
}

/// Calls a closure that changes something, once for each element.
#[inline(never)]
pub fn visit<T: Copy>(list: &[T], closure: &mut dyn FnMut(usize, T)) {
    list.iter().enumerate().for_each(|(index, element)| closure(index, *element));
}

/// The one closure behind the other.
pub fn compose<A, B, C>(first: impl Fn(A) -> B, second: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |arg| second(first(arg))
}

/// A type of which every bit pattern is a value, and that has no padding.
///
/// # Safety
/// So it must be.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($type:ty)*) => {
        $(
            // SAFETY: numbers, without padding.
            unsafe impl Plain for $type {}
        )*
    };
}

plain! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 f32 f64 }

// SAFETY: elements follow each other without padding.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Two types in one place.
union Seen<A: Copy, B: Copy> {
    a: A,
    b: B,
}

/// A value's bits as another type of the same size.
pub fn through<A: Plain, B: Plain>(value: A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    let seen = Seen { a: value };
    // SAFETY: as large as what was written, and of any bits.
    unsafe { seen.b }
}

/// A word of which one byte is another.
pub fn patched(word: u64, at: usize, byte: u8) -> u64 {
    let mut seen = Seen::<u64, [u8; 8]> { a: word };
    // SAFETY: both are numbers of eight bytes.
    unsafe {
        seen.b[at % 8] = byte;
        seen.a
    }
}

/// The first elements that a closure keeps, and then `other`, in memory that nothing was in before.
pub fn collected<T: Copy, const N: usize>(
    list: &[T],
    mut keep: impl FnMut(T) -> bool,
    other: T,
) -> [T; N] {
    let mut made = [const { MaybeUninit::<T>::uninit() }; N];
    let mut len = 0;
    for &element in list {
        if len < N && keep(element) {
            made[len].write(element);
            len += 1;
        }
    }
    for place in &mut made[len..] {
        place.write(other);
    }
    // SAFETY: all of them are written.
    made.map(|place| unsafe { place.assume_init() })
}
