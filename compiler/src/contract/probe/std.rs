//! Code that makes rustc write down everything of std that Ptyx knows by name or by layout. It is compiled
//! to bitcode, and never run: `contract/of_std.rs` looks for the names.

#![allow(dead_code, invalid_value, clippy::all)]

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Debug, Display, Formatter, LowerExp, LowerHex, UpperExp, UpperHex, Write};
use std::hint::black_box;
use std::fmt::{Binary, Octal, Pointer};

// Panics.

#[inline(never)]
pub fn bounds(data: &[u32], at: usize) -> u32 {
    data[at] // the place that is read
}

#[inline(never)]
pub fn range(data: &[u32], from: usize, to: usize) -> &[u32] {
    &data[from..to]
}

/// Every operation that is checked. Each has its own operands, or one check would make another one needless.
#[inline(never)]
pub fn checked(a: [i32; 8], b: [i32; 8]) -> [i32; 8] {
    [
        a[0] + b[0],
        a[1] - b[1],
        a[2] * b[2],
        a[3] / b[3],
        a[4] % b[4],
        -a[5],
        a[6] << b[6],
        a[7] >> b[7],
    ]
}

#[inline(never)]
pub fn asserts(holds: bool) {
    assert!(holds);
}

#[inline(never)]
pub fn zeroed() -> fn() {
    // SAFETY: never runs.
    unsafe { std::mem::zeroed::<fn()>() }
}

#[inline(never)]
pub fn expected(value: Option<u32>) -> u32 {
    value.expect("a value")
}

#[inline(never)]
pub fn literal() {
    panic!("only text");
}

#[inline(never)]
pub fn template(a: u32, b: &str, width: usize) {
    panic!("a is {a}, b is {b:>width$.3} and {a:#06x}");
}

#[inline(never)]
pub fn precondition() {
    // SAFETY: never runs.
    unsafe { std::hint::unreachable_unchecked() }
}

// Formatters of core. Functions are named, not called: those that are short would be inlined.

type Format<T> = fn(&T, &mut Formatter<'_>) -> fmt::Result;
type WriteFmt = fn(&mut Formatter<'static>, fmt::Arguments<'_>) -> fmt::Result;

macro_rules! formatted {
    ($($name:ident $ty:ty: $($format:ident)*;)*) => {$(
        #[inline(never)]
        pub fn $name(value: &$ty, f: &mut Formatter<'_>) {
            $(black_box(<$ty as $format>::fmt as Format<$ty>);)*
            black_box((value, f));
        }
    )*};
}

formatted! {
    of_bool bool: Display Debug;
    of_char char: Display Debug;
    of_str str: Display Debug;
    of_u8 u8: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_u16 u16: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_u32 u32: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_u64 u64: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_usize usize: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_u128 u128: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_i8 i8: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_i16 i16: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_i32 i32: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_i64 i64: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_isize isize: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_i128 i128: Display Debug LowerHex UpperHex Binary Octal LowerExp UpperExp;
    of_f32 f32: Display Debug LowerExp UpperExp;
    of_f64 f64: Display Debug LowerExp UpperExp;
}

#[inline(never)]
pub fn of_pointer(value: &*const u32, f: &mut Formatter<'_>) -> fmt::Result {
    <*const u32 as Pointer>::fmt(value, f)
}

#[inline(never)]
pub fn formatter(f: &mut Formatter<'_>, w: &mut dyn Write) -> fmt::Result {
    black_box(<Formatter<'static>>::write_fmt as WriteFmt);
    black_box(<Formatter<'static> as Write>::write_fmt as WriteFmt);
    f.write_str("a")?;
    f.pad("b")?;
    <Formatter<'_> as Write>::write_str(f, "c")?;
    <Formatter<'_> as Write>::write_char(f, 'd')?;
    fmt::write(w, format_args!("{}", black_box(3)))
}

#[inline(never)]
pub fn builders(f: &mut Formatter<'_>) -> fmt::Result {
    let value: &dyn Debug = &1;
    let mut of_struct = f.debug_struct("A");
    of_struct.field("a", value);
    of_struct.finish()?;
    of_struct.finish_non_exhaustive()?;
    let mut of_tuple = f.debug_tuple("A");
    of_tuple.field(value);
    of_tuple.finish()?;
    of_tuple.finish_non_exhaustive()?;
    let mut of_list = f.debug_list();
    of_list.entry(value);
    of_list.finish()?;
    of_list.finish_non_exhaustive()?;
    let mut of_set = f.debug_set();
    of_set.entry(value);
    of_set.finish()?;
    of_set.finish_non_exhaustive()?;
    let mut of_map = f.debug_map();
    of_map.entry(value, value);
    of_map.key(value);
    of_map.value(value);
    of_map.finish()?;
    of_map.finish_non_exhaustive()
}

#[derive(Debug)]
pub struct One {
    a: u32,
}
#[derive(Debug)]
pub struct Two {
    a: u32,
    b: u32,
}
#[derive(Debug)]
pub struct Three {
    a: u32,
    b: u32,
    c: u32,
}
#[derive(Debug)]
pub struct Four {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
}
#[derive(Debug)]
pub struct Five {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
}
#[derive(Debug)]
pub struct Six {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
}
#[derive(Debug)]
pub struct T1(u32);
#[derive(Debug)]
pub struct T2(u32, u32);
#[derive(Debug)]
pub struct T3(u32, u32, u32);
#[derive(Debug)]
pub struct T4(u32, u32, u32, u32);
#[derive(Debug)]
pub struct T5(u32, u32, u32, u32, u32);
#[derive(Debug)]
pub struct T6(u32, u32, u32, u32, u32, u32);

#[inline(never)]
pub fn derived() -> [&'static dyn Debug; 12] {
    [
        &One { a: 1 },
        &Two { a: 1, b: 2 },
        &Three { a: 1, b: 2, c: 3 },
        &Four { a: 1, b: 2, c: 3, d: 4 },
        &Five { a: 1, b: 2, c: 3, d: 4, e: 5 },
        &Six { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
        &T1(1),
        &T2(1, 2),
        &T3(1, 2, 3),
        &T4(1, 2, 3, 4),
        &T5(1, 2, 3, 4, 5),
        &T6(1, 2, 3, 4, 5, 6),
    ]
}

/// A writer whose vtable shows the order of the methods.
pub struct Sink(Cell<u32>);

impl Write for Sink {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }

    fn write_char(&mut self, _: char) -> fmt::Result {
        Err(fmt::Error)
    }

    fn write_fmt(&mut self, _: fmt::Arguments<'_>) -> fmt::Result {
        self.0.set(1);
        Ok(())
    }
}

#[inline(never)]
pub fn as_writer(sink: &mut Sink) -> &mut dyn Write {
    sink
}

/// The sizes of types whose fields are read or written as bytes.
#[used]
pub static FORMATTER: [u8; size_of::<Formatter<'static>>()] = [1; _];
#[used]
pub static ARGUMENTS: [u8; size_of::<fmt::Arguments<'static>>()] = [1; _];
#[used]
pub static LOCATION: [u8; size_of::<std::panic::Location<'static>>()] = [1; _];

// What drops.

pub struct Dropped(Box<u32>);

impl Drop for Dropped {
    fn drop(&mut self) {
        black_box(&self.0);
    }
}

#[inline(never)]
pub fn drops(value: Dropped) {
    drop(value);
}

// The heap and maps.

#[inline(never)]
pub fn heap() -> (Box<u32>, Vec<u8>) {
    let mut grown = vec![0; black_box(9)];
    grown.reserve(black_box(99));
    (Box::new(black_box(1)), grown)
}

#[inline(never)]
pub fn map() -> HashMap<u32, u32> {
    HashMap::new()
}

// Errors of the operating system.

#[inline(never)]
pub fn system(error: &std::io::Error, f: &mut Formatter<'_>) -> fmt::Result {
    <std::io::Error as Debug>::fmt(error, f)?;
    <std::io::Error as Display>::fmt(error, f)
}

// Calls by reference, and copies of generic functions.

fn called(value: u32) -> u32 {
    black_box(value)
}

#[inline(never)]
pub fn by_reference() -> &'static dyn Fn(u32) -> u32 {
    &called
}

#[inline(never)]
pub fn copied(data: &mut [u32]) {
    data.sort_unstable();
}

// Questions for features of the processor.

#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn asks() -> bool {
    std::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse4.2")]
#[inline(never)]
pub fn guarded(a: u64, b: u64) -> u64 {
    black_box(std::arch::x86_64::_mm_crc32_u64 as unsafe fn(u64, u64) -> u64);
    a + b
}

// Mathematics: whatever functions of C come of it.

macro_rules! mathematics {
    ($($name:ident $ty:ident;)*) => {$(
        #[inline(never)]
        pub fn $name(x: $ty, y: $ty, i: i32) -> $ty {
            let (sin, cos) = x.sin_cos();
            let all = [
                sin, cos, x.tan(), x.asin(), x.acos(), x.atan(), x.atan2(y), x.sinh(), x.cosh(),
                x.tanh(), x.asinh(), x.acosh(), x.atanh(), x.exp(), x.exp2(), x.exp_m1(), x.ln(),
                x.ln_1p(), x.log2(), x.log10(), x.powf(y), x.powi(i), x.cbrt(), x.hypot(y), x % y,
                x.rem_euclid(y),
            ];
            all.iter().sum()
        }
    )*};
}

mathematics! {
    mathematics32 f32;
    mathematics64 f64;
}

#[inline(never)]
pub fn compares(a: &[u8], b: &[u8]) -> bool {
    a == b
}

// Variables of a thread.

thread_local! {
    static OWN: Cell<u32> = const { Cell::new(1) };
}

#[inline(never)]
pub fn own() -> u32 {
    OWN.get()
}
