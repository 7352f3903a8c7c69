//! D9: a panic reports message, place, block, thread, index and length; once a launch; and the
//! device goes on.

// Code that panics is what this is about.
#![allow(clippy::todo, clippy::unnecessary_literal_unwrap)]

use crate::alone;
use ptyx::prelude::*;
use ptyx::{Error, KernelPanic};

/// The panic that a launch ends with.
pub(crate) fn panic_of(launched: ptyx::Result<()>) -> KernelPanic {
    launched.unwrap();
    match ptyx::synchronize() {
        Err(Error::KernelPanic(panic)) => *panic,
        other => panic!("no panic: {other:?}"),
    }
}

/// The line of the panic below.
const OUT_OF_BOUNDS: u32 = line!() + 5;

#[kernel]
fn out_of_bounds(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = x[i.get() + 1];
}

#[test]
fn bounds() {
    let _alone = alone();
    let x = DeviceBuffer::from_slice(&[5u32; 64]).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    let panic = panic_of(launch!(out_of_bounds<<<2, 32>>>(&x, &mut y)));
    assert_eq!((panic.block, panic.thread), ([1, 0, 0], [31, 0, 0]));
    assert_eq!(panic.bounds, Some((64, 64)));
    assert!(panic.file.ends_with("panics.rs"), "{}", panic.file);
    assert_eq!((panic.line, panic.column), (OUT_OF_BOUNDS, 12));
    assert_eq!(panic.message, "index out of bounds: the len is 64 but the index is 64");
    assert!(panic.kernel.contains("out_of_bounds"), "{}", panic.kernel);

    // Reported once, and the device works on.
    ptyx::synchronize().unwrap();
    let y = y.to_vec().unwrap();
    assert_eq!(y[..63], [5; 63]);
}

/// What rustc checks in dev builds; on the host the program would end.
#[cfg(debug_assertions)]
mod values_of_enums {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(u8)]
    enum Colour {
        Red = 1,
        Green = 2,
    }

    const COLOURS: [Colour; 2] = [Colour::Red, Colour::Green];

    #[kernel]
    fn colours(x: &[u8], mut y: Disjoint<u32>) {
        let i = thread::index_1d();
        // SAFETY: the third is no colour. Dev builds check that, and that is the point.
        let colour: Colour = unsafe { core::mem::transmute(x[i.get()]) };
        y[i] = COLOURS.iter().position(|c| *c == colour).map_or(0, |at| at as u32 + 1);
    }

    #[test]
    fn no_value_of_an_enum() {
        let _alone = alone();
        let x = DeviceBuffer::from_slice(&[1u8, 2, 3, 1]).unwrap();
        let mut y = DeviceBuffer::zeroed(4).unwrap();
        let panic = panic_of(launch!(colours<<<1, 4>>>(&x, &mut y)));
        assert!(panic.message.contains("enum from an invalid value 0x3"), "{}", panic.message);
        assert_eq!(panic.thread, [2, 0, 0]);
    }
}

#[kernel]
fn explicit(at: u32) {
    let i = thread::index_1d();
    if i.get() as u32 == at {
        panic!("this thread has had enough");
    }
}

#[test]
fn message_and_place() {
    let _alone = alone();
    let panic = panic_of(launch!(explicit<<<3, 50>>>(117)));
    assert_eq!(panic.message, "this thread has had enough");
    assert_eq!((panic.block, panic.thread, panic.bounds), ([2, 0, 0], [17, 0, 0], None));
    assert_eq!(panic.column, 9);
    let text = Error::KernelPanic(Box::new(panic)).to_string();
    for part in ["explicit", "panics.rs:", "block (2, 0, 0)", "thread (17, 0, 0)", "had enough"] {
        assert!(text.contains(part), "{text}");
    }
    // A launch without a panic after it.
    launch!(explicit<<<3, 50>>>(1000)).unwrap();
    ptyx::synchronize().unwrap();
}

#[test]
fn one_report_a_launch() {
    let _alone = alone();
    #[kernel]
    fn everyone() {
        panic!("all of us");
    }
    let panic = panic_of(launch!(everyone<<<20, 256>>>()));
    assert_eq!(panic.message, "all of us");
    ptyx::synchronize().unwrap();
}

#[kernel]
fn various(kind: u32, zero: u32, x: &[i32], mut y: Disjoint<i32>) {
    let i = thread::index_1d();
    let value = x[i.get()];
    y[i] = match kind {
        0 => value / zero as i32,
        1 => None::<i32>.filter(|_| zero == 0).unwrap(),
        2 => None::<i32>.expect("there is a value"),
        3 => {
            assert!(zero == 1, "zero is not one");
            1
        }
        4 => {
            let found: Result<i32, u32> = Err(zero);
            found.unwrap_or_else(|_| unreachable!())
        }
        5 => x[zero as usize..][10 + zero as usize],
        6 => x[20 + zero as usize..].len() as i32,
        _ => todo!(),
    };
}

#[test]
fn every_kind_of_panic() {
    let _alone = alone();
    let x = DeviceBuffer::from_slice(&[1i32; 8]).unwrap();
    let mut y = DeviceBuffer::zeroed(8).unwrap();
    for (kind, part) in [
        (0, "attempt to divide by zero"),
        (1, "called `Option::unwrap()` on a `None` value"),
        (2, "there is a value"),
        (3, "zero is not one"),
        (4, "entered unreachable code"),
        (5, "index out of bounds: the len is 8 but the index is 10"),
        (7, "not yet implemented"),
    ] {
        let panic = panic_of(launch!(various<<<1, 8>>>(kind, 0, &x, &mut y)));
        assert!(panic.message.contains(part), "kind {kind}: {}", panic.message);
    }
    // The range's numbers are known at run time only: the place must be right all the same.
    let panic = panic_of(launch!(various<<<1, 8>>>(6, 0, &x, &mut y)));
    assert!(panic.file.ends_with("panics.rs"), "{panic:?}");
    assert!(panic.line > 0);
}

struct Unshowable(u32);

impl core::fmt::Display for Unshowable {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        panic!("no text for {}", self.0)
    }
}

#[kernel]
fn shows(value: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = 7;
    assert!(i.get() != 5, "the value is {}", Unshowable(value));
}

/// On the host this would end the process: here the one report has what was said so far.
#[test]
fn panic_while_a_panic_is_formatted() {
    let _alone = alone();
    let mut y = DeviceBuffer::zeroed(8).unwrap();
    let panic = panic_of(launch!(shows<<<1, 8>>>(31, &mut y)));
    assert_eq!(panic.message, "the value is no text for 31");
    assert_eq!((panic.thread, panic.bounds), ([5, 0, 0], None));
    assert_eq!(y.to_vec().unwrap(), [7; 8], "the device works on, and writes before a panic count");
}

/// What threads wrote before the panic is there, and buffers can be used after it.
#[test]
fn reading_a_buffer_reports_the_panic() {
    let _alone = alone();
    let x = DeviceBuffer::from_slice(&[5u32; 4]).unwrap();
    let mut y = DeviceBuffer::zeroed(4).unwrap();
    launch!(out_of_bounds<<<1, 4>>>(&x, &mut y)).unwrap();
    let error = y.to_vec().unwrap_err();
    assert!(matches!(error, Error::KernelPanic(..)), "{error}");
    assert_eq!(y.to_vec().unwrap()[..3], [5; 3]);
}

/// On the emulated device, breaking memory's rules is an error that says where; on a GPU it may go
/// unseen, or end the context.
#[test]
fn faults_of_the_emulated_device() {
    let _alone = alone();
    if !Device::current().unwrap().is_emulated() {
        println!("SKIPPED: not the emulated device");
        return;
    }
    // A process of its own: a fault ends the context.
    let output = child("panics::faulty_child");
    assert!(
        output.contains("invalid write of 4 bytes") && output.contains("panics.rs:"),
        "{output}"
    );
}

#[kernel]
fn past_the_end(y: SliceMut<u32>) {
    // SAFETY: none: the test is about the report.
    unsafe { *y.as_mut_ptr().add(y.len() + 3) = 1 }
}

/// Run by `faults_of_the_emulated_device`.
#[test]
#[ignore = "a part of another test"]
fn faulty_child() {
    let mut y = DeviceBuffer::<u32>::zeroed(10).unwrap();
    launch!(past_the_end<<<1, 1>>>(&mut y)).unwrap();
    println!("{}", ptyx::synchronize().unwrap_err());
}

/// Runs an ignored test of this program in a process of its own; gives what it printed.
pub(crate) fn child(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let output = std::process::Command::new(program)
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
