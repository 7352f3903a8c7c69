//! The text of panics: each case is a function that runs on the host, under `catch_unwind`, and in a
//! kernel. Both must panic with the same message at the same place, or not at all.

// Code that panics is what this is about.
#![allow(
    clippy::todo,
    clippy::unimplemented,
    clippy::unnecessary_literal_unwrap,
    clippy::out_of_bounds_indexing,
    clippy::useless_vec,
    clippy::assertions_on_constants,
    clippy::bool_assert_comparison,
    clippy::eq_op,
    clippy::expect_fun_call,
    clippy::manual_range_contains,
    unconditional_panic,
    arithmetic_overflow
)]

use crate::alone;
use core::cell::RefCell;
use core::fmt;
use ptyx::prelude::*;
use ptyx::{Error, KernelPanic};
use ptyx_tests::{Rng, rng};
use std::panic::{self, Location};
use std::sync::{Arc, Mutex, Once};

/// What the cases work on; drawn anew in each run.
#[derive(Clone, Copy, Debug)]
struct Input {
    /// 0, but the optimiser does not know.
    zero: u32,
    /// Below 1000.
    small: u32,
    a: i32,
    b: u64,
    wide: i128,
    x: f32,
    y: f64,
    c: char,
    flag: bool,
    bytes: [u8; 6],
}

impl Input {
    fn draw(random: &mut Rng) -> Input {
        let character = loop {
            if let Some(c) = char::from_u32(random.below(0x3000) as u32) {
                break c;
            }
        };
        Input {
            zero: 0,
            small: random.below(1000) as u32,
            a: random.next_u64() as i32,
            b: random.next_u64(),
            wide: (i128::from(random.next_u64() as i64) << 64) | i128::from(random.next_u64()),
            x: f32::from_bits(random.next_u32()),
            y: f64::from_bits(random.next_u64()),
            c: character,
            flag: random.next_u64() & 1 == 1,
            bytes: random.next_u64().to_le_bytes()[..6].try_into().unwrap(),
        }
    }

    fn text(&self) -> &'static str {
        ["", "plain", "naïve \"quotes\"\n", "日本語"][self.small as usize % 4]
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flat {
    Red,
    Green,
    Blue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Data {
    Unit,
    Tuple(u32, char),
    Struct { place: Flat, share: f32 },
}

#[derive(Clone, Copy, Debug)]
struct Unit;

#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // read by Debug
struct Nested<T> {
    inner: T,
    list: [u8; 6],
    pair: (i32, bool),
    one: (u8,),
}

#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // read by Debug
struct Seven {
    a: u8,
    b: u16,
    c: u32,
    d: u64,
    e: i8,
    f: f64,
    g: &'static str,
}

/// Formats by hand, with options of its own and those that it is given.
struct ByHand(i32);

impl fmt::Display for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("by ")?;
        write!(f, "hand <{:>5}>", self.0 % 100)?;
        if f.alternate() {
            f.write_str(" with alternate")?;
        }
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByHand").field("value", &self.0).finish_non_exhaustive()
    }
}

/// A map, a set and a list of run-time length.
struct Collections<'a>(&'a [u8]);

impl fmt::Debug for Collections<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|b| (b, b % 3 == 0))).finish()?;
        f.debug_set().entries(self.0).finish()?;
        f.debug_list().entries(&self.0[1..]).entry(&"last").finish()
    }
}

struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 < 2000 {
            panic!("dropped {}", self.0)
        }
    }
}

#[track_caller]
fn tracked(input: &Input) {
    if input.zero == 0 {
        panic!("called with {}", input.small)
    }
}

#[inline(never)]
fn not_inlined<T: fmt::Debug>(value: &T) -> ! {
    panic!("not inlined: {value:?}")
}

#[inline(never)]
fn passes_arguments(arguments: fmt::Arguments<'_>) -> ! {
    panic!("passed on: {arguments}")
}

/// Functions of `(case, &Input)` with a constant that says how many cases there are.
macro_rules! cases {
    ($(fn $name:ident / $count:ident($input:ident) { $($case:block)* })*) => {$(
        const $count: u32 = 0 $(+ { let _ = stringify!($case); 1 })*;

        #[allow(unused_assignments, unreachable_code)]
        fn $name(case: u32, $input: &Input) {
            let mut left = case;
            $(
                if left == 0 {
                    $case;
                    return;
                }
                left = left.wrapping_sub(1);
            )*
        }
    )*};
}

cases! {
    fn from_core / FROM_CORE(i) {
        { let _ = i.bytes[i.small as usize + 6]; }
        { let _ = i.a / i.zero as i32; }
        { let _ = i.b % u64::from(i.zero); }
        { let _ = i32::MIN / (i.zero as i32 - 1); }
        { let _ = i64::MIN % (i64::from(i.zero) - 1); }
        { let _ = (u32::MAX - i.zero) + i.small + 1; }
        { let _ = i.zero - i.small - 1; }
        { let _ = (i64::MAX - 3) * (i64::from(i.small) + 2); }
        { let _ = -(i8::MIN + i.zero as i8); }
        { let _ = 1u32 << (i.small + 32); }
        { let _ = i.a >> (i.small + 32); }
        { let _ = (i32::MIN + i.zero as i32).abs(); }
        { let _ = i.wide / i128::from(i.zero); }
        { let _ = i.wide % i128::from(i.zero); }
        { let _ = (i128::MIN + i128::from(i.zero)) / (i128::from(i.zero) - 1); }
        { let _ = (i128::MAX - 3) + i128::from(i.small) + 4; }
        { let _ = u128::from(i.zero) - u128::from(i.small) - 1; }
        { let _ = (i128::MAX - 3) * (i128::from(i.small) + 2); }
        { let _ = -(i128::MIN + i128::from(i.zero)); }
        { let _ = 1u128 << (i.small + 128); }
        { let _ = i.wide >> (i.small + 128); }
        { let _ = [i.a; 4][4 + i.zero as usize]; }
        { let _ = i.bytes[2 + i.zero as usize..][5]; }
        { let _ = 3u8.pow(i.small + 6); }
        { let _ = None::<u32>.filter(|_| i.flag).unwrap(); }
        { let _ = None::<u32>.filter(|_| i.flag).expect("a constant"); }
        { let _ = None::<u32>.filter(|_| i.flag).expect(i.text()); }
        { let _ = Err::<u32, _>(i.small).unwrap(); }
        { let _ = Err::<u32, _>(Flat::Blue).expect(i.text()); }
        { let _ = Err::<u32, _>(Data::Struct { place: Flat::Green, share: i.x }).unwrap(); }
        { let _ = Ok::<Data, Unit>(Data::Tuple(i.small, i.c)).unwrap_err(); }
        { let _ = Ok::<u8, i8>(i.bytes[0]).expect_err("not ok"); }
        { let _ = u8::try_from(i.small + 256).unwrap(); }
        { let _ = i.text()[..0].parse::<i32>().unwrap(); }
        { let _ = "12x".parse::<u8>().unwrap(); }
        { let _ = "1.5.2".parse::<f32>().unwrap(); }
        { let _ = core::str::from_utf8(&[i.bytes[0] | 0x80, 0xff]).unwrap(); }
        { let _ = char::try_from(i.small + 0x11_0000).unwrap(); }
        { let _ = char::from_digit(i.small % 36, 37 + i.small); }
        { assert!(i.zero == 1); }
        { assert!(i.zero == 1, "a constant"); }
        { assert!(i.zero == 1, "small is {}", i.small); }
        { assert_eq!(i.zero, i.small + 1); }
        { assert_eq!(i.a, i.a.wrapping_add(1), "a constant"); }
        { assert_eq!(Some(i.c), None, "{} and {:?}", i.flag, i.text()); }
        { assert_eq!(&i.bytes[..3], [1, 2].as_slice()); }
        { assert_eq!(i.text(), "another text"); }
        { assert_ne!(i.wide, i.wide); }
        { assert_ne!((i.b, i.flag), (i.b, i.flag), "pairs of {:#x}", i.small); }
        { debug_assert_eq!(i.flag, !i.flag); }
        { assert!(matches!(Flat::Red, Flat::Blue), "{:?}", Flat::Red); }
        { unreachable!(); }
        { unreachable!("with {}", i.small); }
        { todo!(); }
        { todo!("with {}", i.small); }
        { unimplemented!(); }
        { unimplemented!("with {:?}", i.flag); }
        { panic!(); }
        { panic!("a constant"); }
        { panic!("{}", i.text()); }
        { panic!("{{}} {} {{{}}}", i.small, i.small); }
        { let _ = &i.bytes[i.small as usize + 7..]; }
        { let _ = &i.bytes[..i.small as usize + 7]; }
        { let _ = &i.bytes[i.small as usize + 1..i.small as usize]; }
        { let _ = &i.bytes[..=usize::MAX - i.zero as usize]; }
        { let _ = &i.text()[i.text().len() + 1 + i.small as usize..]; }
        { let _ = &"naïve"[i.zero as usize + 3..]; }
        { let _ = &"naïve"[..i.zero as usize + 3]; }
        { let _ = &"naïve"[i.zero as usize + 4..1]; }
        { [0u8; 4].copy_from_slice(&i.bytes[..i.small as usize % 4]); }
        { [0u8; 4].clone_from_slice(&i.bytes[..i.small as usize % 4]); }
        { let _ = i.bytes.split_at(i.small as usize + 7); }
        { let _ = i.bytes.chunks_exact(i.zero as usize); }
        { let _ = i.bytes.windows(i.zero as usize); }
        { let _ = i.bytes.iter().step_by(i.zero as usize); }
        { i.bytes.clone().swap(0, i.small as usize + 6); }
        { i.bytes.clone().rotate_left(i.small as usize + 7); }
        { i.bytes.clone().copy_within(3.., i.small as usize + 6); }
        { let _ = i.x.clamp(1.0, f32::from(i.zero as u8)); }
        { let _ = i.a.clamp(1, i.zero as i32); }
        { let cell = RefCell::new(i.a); let _one = cell.borrow(); let _ = cell.borrow_mut(); }
        { let cell = RefCell::new(i.a); let _one = cell.borrow_mut(); let _ = cell.borrow(); }
        { let cell = RefCell::new(i.a); let _one = cell.borrow(); cell.try_borrow_mut().unwrap(); }
        { let _bomb = Bomb(i.small); }
        { tracked(i); }
        { let _ = Some(i).filter(|_| i.flag).ok_or(ByHand(i.a)).and(Err::<u32, _>(ByHand(i.a))).unwrap(); }
        { let _ = core::num::NonZeroU32::new(i.zero).unwrap(); }
        { let _ = core::alloc::Layout::from_size_align(8, 3 + i.zero as usize).unwrap(); }
        { let _ = core::array::from_fn::<u32, 3, _>(|k| i.small / (k as u32 * i.zero)); }
        { let _ = i.bytes.iter().map(|b| u32::from(*b) / i.zero).sum::<u32>(); }
        { let _ = u32::from_str_radix("1", 37 + i.small); }
        { let _ = core::time::Duration::from_secs_f32(-1.0 - i.small as f32); }
        { let _ = core::time::Duration::from_secs(1) - core::time::Duration::from_secs(2); }
    }

    fn of_values / OF_VALUES(i) {
        { panic!("{} {} {}", i.a, i.b, i.wide); }
        { panic!("{:?} {:?} {:?} {:?}", i.a as i8, i.a as i16, i.b as u8, i.b as u16); }
        { panic!("{:x} {:#X} {:#010b} {:o}", i.a, i.b, i.bytes[0], i.wide); }
        { panic!("{:e} {:E} {:.3e}", i.a, i.b, i.small); }
        { panic!("{} {:?} {:e}", i.x, i.x, i.x); }
        { panic!("{} {:?} {:E}", i.y, i.y, i.y); }
        { panic!("{:.3} {:10.1} {:+e} {:<12?}|", i.x, i.small as f32, i.y, 1.0f64); }
        { panic!("{} {:?} {:>5} {:^7}", i.c, i.c, i.c, i.c); }
        { panic!("{} {:?} {:<7}|{:>7}", i.flag, i.flag, i.flag, i.flag); }
        { panic!("{} {:?} {:_^20} {:.2}", i.text(), i.text(), i.text(), i.text()); }
        { panic!("{:5}|{:<5}|{:^5}|{:>5}|{:*>5}|{:é^9}", i.small, i.small, i.small, i.small, i.small, i.small); }
        { panic!("{:+} {:05} {:+08} {:#06x} {:<08}|", i.small, i.small, i.a, i.small, i.small); }
        { panic!("{:w$} {:.p$} {:>3$} {:.*}|{}", i.small, i.y, i.small, 5, i.x, i.small, w = i.small as usize % 20, p = 3); }
        { panic!("{1} {0} {1:?} {name}", i.small, i.flag, name = i.c); }
        { panic!("{:x?} {:X?} {:#x?} {:#?}", i.small, i.b, i.a, i.a); }
        { let reference = &&i.small; panic!("{reference} {reference:?} {:?}", &&&i.flag); }
        { let mutable = &mut i.small.clone(); panic!("{mutable} {:?}", mutable); }
        { panic!("{:?} {:?} {:?}", Flat::Red, Flat::Green, Flat::Blue); }
        { panic!("{:?} {:?}", Data::Unit, Data::Tuple(i.small, i.c)); }
        { panic!("{:#?}", Data::Struct { place: Flat::Green, share: i.x }); }
        { let data = if i.flag { Data::Tuple(i.small, i.c) } else { Data::Unit }; panic!("{data:?} {data:#?}"); }
        { panic!("{:?} {:?}", Some(i.small), None::<Flat>); }
        { panic!("{:?}", if i.flag { Ok(i.a) } else { Err(Flat::Red) }); }
        { panic!("{:5?} {:#06x?} {:.2?}", Some(i.small), Some(Some(i.small)), (i.small as f32, 0.5)); }
        { panic!("{:?} {:?} {:?}", (), (i.small,), (i.small, i.c, (i.flag, Flat::Blue))); }
        { panic!("{:?} {:#?}", i.bytes, &i.bytes[..i.small as usize % 3]); }
        { let nested = Nested { inner: Data::Unit, list: i.bytes, pair: (i.a, i.flag), one: (7,) }; panic!("{nested:?}"); }
        { let nested = Nested { inner: Some(Flat::Red), list: i.bytes, pair: (i.a, i.flag), one: (7,) }; panic!("{nested:#?}"); }
        { let seven = Seven { a: i.bytes[0], b: i.b as u16, c: i.small, d: i.b, e: i.a as i8, f: i.y, g: i.text() }; panic!("{seven:?} {seven:#?}"); }
        { panic!("{} {:#} {:+} {:?} {:#?}", ByHand(i.a), ByHand(i.a), ByHand(i.a), ByHand(i.a), ByHand(i.a)); }
        { panic!("{:?} {:#?}", Collections(&i.bytes), Collections(&i.bytes[..2])); }
        { panic!("{:?} {:?}", Unit, core::marker::PhantomData::<u32>); }
        { panic!("{}", format_args!("inner {} {}", i.small, format_args!("{:?}", i.c))); }
        { passes_arguments(format_args!("{}-{}", i.small, i.flag)); }
        { not_inlined(&Some(i.small)); }
        { not_inlined(&(i.x, Flat::Red)); }
        { let shown: &dyn fmt::Display = &i.small; panic!("{shown:>6}"); }
        { panic!("{}", Location::caller()); }
        { panic!("{:?} {:?}", 1..i.small, ..=i.a); }
        { panic!("{:?} {:?}", core::cmp::Ordering::Less, i.a.checked_div(i.zero as i32)); }
        { panic!("{:?} {}", core::num::NonZeroU32::new(i.small + 1), core::num::Wrapping(i.a)); }
        { panic!("{:?} {:?}", core::cell::Cell::new(i.a), core::time::Duration::from_millis(i.b >> 20)); }
        { panic!("{:?}", core::sync::atomic::AtomicU32::new(i.small)); }
        { panic!("{:?} {:?}", i.text().chars().rev(), b"bytes\n\xff".escape_ascii().count()); }
        { panic!("{}{}{}{}{}{}{}{}{}", i.small, 1u8, 2i16, i.a, 'x', "y", true, 1.5, i.b); }
    }
}

#[kernel]
fn run_from_core(case: u32, input: Input) {
    from_core(case, &input);
}

#[kernel]
fn run_of_values(case: u32, input: Input) {
    of_values(case, &input);
}

/// A panic, as both sides tell of it.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    message: String,
    file: String,
    line: u32,
    column: u32,
}

/// How `code` panics on the host, if it does.
fn on_host(code: impl FnOnce()) -> Option<Told> {
    thread_local! {
        static TOLD: Arc<Mutex<Option<Told>>> = Arc::default();
        static LISTENS: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !LISTENS.get() {
                return others(info);
            }
            let payload = info.payload();
            let message = payload.downcast_ref::<String>().cloned();
            let message = message
                .or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap();
            let at = info.location().unwrap();
            let told =
                Told { message, file: at.file().into(), line: at.line(), column: at.column() };
            TOLD.with(|cell| *cell.lock().unwrap() = Some(told));
        }));
    });
    LISTENS.set(true);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(code));
    LISTENS.set(false);
    let told = TOLD.with(|cell| cell.lock().unwrap().take());
    assert_eq!(result.is_err(), told.is_some());
    told
}

/// The same of a launch.
fn on_device(launched: ptyx::Result<()>) -> Option<Told> {
    launched.unwrap();
    match ptyx::synchronize() {
        Ok(()) => None,
        Err(Error::KernelPanic(panic)) => {
            let KernelPanic { message, file, line, column, .. } = *panic;
            Some(Told { message, file, line, column })
        }
        Err(other) => panic!("{other}"),
    }
}

/// Inputs for each case.
const DRAWS: usize = 3;

#[test]
fn panics_of_core_read_as_on_the_host() {
    let _alone = alone();
    let mut random = rng();
    for case in 0..FROM_CORE {
        for _ in 0..DRAWS {
            let input = Input::draw(&mut random);
            let host = on_host(|| from_core(case, &input));
            let device = on_device(launch!(run_from_core<<<1, 1>>>(case, input)));
            assert_eq!(device, host, "case {case} of {input:?}");
        }
    }
}

#[test]
fn values_read_as_on_the_host() {
    let _alone = alone();
    let mut random = rng();
    for case in 0..OF_VALUES {
        for _ in 0..DRAWS {
            let input = Input::draw(&mut random);
            let host = on_host(|| of_values(case, &input));
            assert!(host.is_some(), "case {case}");
            let device = on_device(launch!(run_of_values<<<1, 1>>>(case, input)));
            assert_eq!(device, host, "case {case} of {input:?}");
        }
    }
}

/// What the host would end its process for: the checks of unsafe code in dev builds.
#[kernel]
fn unsound(case: u32, zero: usize, x: &[u32]) {
    let words = x.as_ptr();
    // SAFETY: none: the test is about the checks.
    unsafe {
        match case {
            0 => {
                let _ = x.get_unchecked(zero + 100);
            }
            1 => {
                words.byte_add(zero + 1).read_volatile();
            }
            2 => {
                core::hint::black_box(*words.byte_add(zero + 2));
            }
            3 => {
                core::hint::black_box(*core::ptr::null::<u32>().wrapping_byte_add(zero));
            }
            4 => {
                core::hint::assert_unchecked(zero == 1);
            }
            5 => {
                let _ = core::slice::from_raw_parts(words.wrapping_byte_add(zero + 1), 1);
            }
            6 => {
                let _ = char::from_u32_unchecked(zero as u32 + 0xd800);
            }
            _ => core::hint::unreachable_unchecked(),
        }
    }
}

#[test]
fn checks_of_unsafe_code_report() {
    if cfg!(not(debug_assertions)) {
        println!("SKIPPED: release builds have no such checks");
        return;
    }
    let _alone = alone();
    let x = DeviceBuffer::from_slice(&[1u32; 8]).unwrap();
    let violated = "unsafe precondition(s) violated: ";
    let misaligned = "misaligned pointer dereference: address must be a multiple of 0x4 but is 0x";
    for (case, start, part) in [
        (0, violated, "get_unchecked"),
        (1, violated, "read_volatile"),
        (2, misaligned, ""),
        (3, "null pointer dereference occurred", ""),
        (4, violated, "assert_unchecked"),
        (5, violated, "from_raw_parts"),
        (6, violated, "char"),
        (7, violated, "unreachable_unchecked"),
    ] {
        let told = on_device(launch!(unsound<<<1, 1>>>(case, 0, &x)));
        let message = told.unwrap_or_else(|| panic!("case {case}: no panic")).message;
        assert!(message.starts_with(start) && message.contains(part), "case {case}: {message}");
        if case == 2 {
            let (_, address) = message.rsplit_once("0x").unwrap();
            assert_eq!(u64::from_str_radix(address, 16).unwrap() % 4, 2, "{message}");
        }
    }
}

/// A value that may hold others of its kind, without end.
#[derive(Debug)]
#[allow(dead_code)] // read by Debug
struct List<'a> {
    number: u32,
    next: Option<&'a List<'a>>,
}

#[kernel]
fn shows_what_nobody_knows(case: u32, flag: bool) {
    let (number, text) = (case, "text");
    let either: &dyn fmt::Debug = if core::hint::black_box(flag) { &number } else { &text };
    let end = List { number: 2, next: None };
    let list = List { number: 1, next: Some(&end) };
    match case {
        0 => panic!("before {list:?} after {case}"),
        _ => panic!("before {either:?} after {case}"),
    }
}

/// Never a wrong text: what can't be recorded is named.
#[test]
fn what_cannot_be_recorded_is_named() {
    let _alone = alone();
    let told = |case| on_device(launch!(shows_what_nobody_knows<<<1, 1>>>(case, true))).unwrap();
    let message = told(0).message;
    assert!(message.starts_with("before List { number: 1, next: "), "{message}");
    assert!(
        message.contains("<&core::option::Option<&") && message.ends_with(" after 0"),
        "{message}"
    );
    assert_eq!(told(1).message, "before <?> after 1");
}

#[kernel]
fn all_panic(numbers: &[u32]) {
    let i = thread::index_1d().get();
    assert_eq!(numbers[i], i as u32 + 1, "thread {i}");
}

/// However many threads panic, the report is one thread's, whole.
#[test]
fn one_whole_report_of_many_threads() {
    let _alone = alone();
    let numbers: Vec<u32> = (0..20_000).collect();
    let x = DeviceBuffer::from_slice(&numbers).unwrap();
    for _ in 0..3 {
        launch!(all_panic<<<79, 256>>>(&x)).unwrap();
        let error = ptyx::synchronize().unwrap_err();
        let Error::KernelPanic(panic) = error else { panic!("{error}") };
        let i = panic.block[0] * 256 + panic.thread[0];
        let expected = if i < 20_000 {
            format!("assertion `left == right` failed: thread {i}\n  left: {i}\n right: {}", i + 1)
        } else {
            format!("index out of bounds: the len is 20000 but the index is {i}")
        };
        assert_eq!(panic.message, expected);
        ptyx::synchronize().unwrap();
        assert_eq!(x.to_vec().unwrap(), numbers);
    }
}

#[kernel]
fn long_message(n: usize, text: &[u8]) {
    // SAFETY: the host gives ASCII.
    let text = unsafe { core::str::from_utf8_unchecked(&text[..n]) };
    panic!("{text}{text}");
}

/// A message that is too long for the record is cut off and says so.
#[test]
fn long_messages_are_cut_off() {
    let _alone = alone();
    let text = DeviceBuffer::from_slice(&[b'a'; 5000]).unwrap();
    for n in [0, 1, 7, 8, 9, 1000, 1500, 2000, 5000] {
        let told = on_device(launch!(long_message<<<1, 1>>>(n, &text))).unwrap();
        let (shown, cut_off) = match told.message.strip_suffix("...") {
            Some(shown) => (shown, true),
            None => (told.message.as_str(), false),
        };
        assert!(shown.bytes().all(|b| b == b'a'));
        assert_eq!(cut_off, shown.len() < 2 * n, "{n}");
        assert_eq!(cut_off, n > 1500, "{n}: {}", shown.len());
    }
}

type Twelve<T> = (T, T, T, T, T, T, T, T, T, T, T, T);

fn twelve<T>(mut make: impl FnMut() -> T) -> Twelve<T> {
    (make(), make(), make(), make(), make(), make(), make(), make(), make(), make(), make(), make())
}

/// 432 numbers, more than a record has room for. They are shown without a loop, so that nothing but
/// their number keeps them from being the words of one site.
fn many_values(first: u64) -> Twelve<Twelve<(u64, u64, u64)>> {
    let mut next = first;
    let mut number = || {
        next = next.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 7;
        next
    };
    twelve(|| twelve(|| (number(), number(), number())))
}

#[kernel]
fn shows_many_values(first: u64) {
    panic!("{:?}", many_values(first));
}

#[test]
fn more_values_than_a_record_holds_are_cut_off() {
    let _alone = alone();
    let first = rng().next_u64();
    let told = on_device(launch!(shows_many_values<<<1, 1>>>(first))).unwrap();
    let shown = told.message.strip_suffix("...").expect("cut off");
    // The host ends the tuples that are still open.
    let shown = shown.trim_end_matches([',', ' ', ')']);
    let whole = format!("{:?}", many_values(first));
    assert!(shown.len() > 900 && whole.starts_with(shown), "{shown}");
}
