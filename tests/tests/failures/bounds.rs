//! Consecutive checks of indices, which are made together, in 32 bits, or not at all if others imply them: kernels panic
//! with the message, the line and the column of the same function on the host, for indices of each type, also at the
//! ends of the type.

use crate::alone;
use crate::panics::panic_of;
use ptyx::prelude::*;
use ptyx_tests::{Rng, rng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// The result, or message, line and column of the panic.
type Ended = Result<u32, (String, u32, u32)>;

/// Runs a function on the host.
fn on_host(function: impl FnOnce() -> u32) -> Ended {
    let caught = Arc::new(Mutex::new(None));
    let (place, before) = (caught.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        let location = info.location().unwrap();
        let message = info.payload_as_str().unwrap().to_owned();
        *place.lock().unwrap() = Some((message, location.line(), location.column()));
    }));
    let ended = catch_unwind(AssertUnwindSafe(function));
    std::panic::set_hook(before);
    ended.map_err(|_| caught.lock().unwrap().take().unwrap())
}

macro_rules! indices {
    ($($name:ident: $int:ident;)*) => {
        $(mod $name {
            use super::*;

            /// Elements with the same distances to each other, in whatever order.
            #[inline(always)]
            fn neighbours(x: &[u32], i: $int, w: $int) -> u32 {
                let at = |by: $int| i.wrapping_add(by) as usize;
                let row = x[at(1)].wrapping_sub(x[at((0 as $int).wrapping_sub(1))]).wrapping_mul(x[at(0)]);
                let rows = x[at(w)].wrapping_add(x[at(w.wrapping_add(2))]) ^ x[at(w.wrapping_add(1))];
                row.wrapping_add(rows).wrapping_add(x[0]).wrapping_add(x[2]) ^ x[1]
            }

            /// Neighbours in three dimensions, at distances that are the same for all threads.
            #[inline(always)]
            fn stencil(x: &[u32], i: $int, w: $int, h: $int) -> u32 {
                let at = |by: $int| i.wrapping_add(by) as usize;
                let back = |by: $int| i.wrapping_sub(by) as usize;
                let plane = w.wrapping_mul(h);
                let planes = x[back(plane)].wrapping_mul(x[at(plane)]);
                let rows = x[back(w)].wrapping_mul(3) ^ x[at(w)];
                let row = x[back(1)].wrapping_sub(x[at(1)]).wrapping_add(x[i as usize]);
                planes.wrapping_add(rows) ^ row.wrapping_mul(5)
            }

            /// Writes between checks of indices that are known before them, some in branches.
            #[inline(always)]
            fn steps(x: &[u32], i: $int, w: $int, other: &[u32], mut write: impl FnMut(usize, u32)) -> u32 {
                let at = |by: $int| i.wrapping_add(by) as usize;
                write(0, x[at(0)]);
                if w as u32 % 2 == 0 {
                    write(1, x[at(0)].wrapping_mul(7));
                }
                let a = x[at(w)];
                if a % 2 == 0 {
                    write(2, a);
                } else {
                    write(3, a);
                }
                let b = other[(a % 16) as usize];
                write(4, b.wrapping_add(x[at(1)]));
                let c = other[at(0)];
                write(5, c);
                a ^ b ^ c ^ x[at(w.wrapping_add(1))]
            }

            /// Elements that other elements say, of which each check has a load before it.
            #[inline(always)]
            fn gathers(x: &[u32], indices: &[$int], i: $int, other: &[u32]) -> u32 {
                let a = x[indices[i as usize] as usize];
                let b = other[indices[i.wrapping_add(1) as usize] as usize];
                let c = x[indices[(i as usize).wrapping_add(2)] as usize];
                a.wrapping_mul(3).wrapping_add(b) ^ x[indices[(c % 4) as usize] as usize]
            }

            /// Quotients and remainders as indices.
            #[inline(always)]
            fn quotients(x: &[u32], i: $int, by: $int, other: &[u32]) -> u32 {
                let (column, row) = (i % by, i / by);
                x[column as usize].wrapping_add(other[row as usize])
                    ^ other[(column.wrapping_add(by) % by) as usize]
                    ^ x[(row.wrapping_sub(1) % by) as usize]
            }

            #[kernel]
            pub(super) fn compute(
                what: u32, x: &[u32], indices: &[$int], other: &[u32], i: $int, by: $int, mut y: Disjoint<u32>,
            ) {
                y[thread::index_1d()] = run(what, x, indices, other, i, by);
            }

            #[inline(always)]
            fn run(what: u32, x: &[u32], indices: &[$int], other: &[u32], i: $int, by: $int) -> u32 {
                match what % 4 {
                    0 => neighbours(x, i, by),
                    1 => gathers(x, indices, i, other),
                    2 => quotients(x, i, by, other),
                    _ => stencil(x, i, by, (what / 4) as $int),
                }
            }

            #[kernel]
            pub(super) fn log_steps(
                x: &[u32], i: $int, w: $int, other: &[u32], log: SliceMut<u32>, mut y: Disjoint<u32>,
            ) {
                // SAFETY: there is one thread.
                y[thread::index_1d()] = steps(x, i, w, other, |place, value| unsafe { log.write(place, value) });
            }

            #[test]
            fn write_before_a_panic_what_the_host_writes() {
                let _alone = alone();
                let mut rng = rng();
                let (mut fine, mut panics) = (0, 0);
                for round in 0u32.. {
                    let mut numbers = |least, most| {
                        let len = least + rng.below(most);
                        (0..len).map(|_| rng.next_u32()).collect::<Vec<u32>>()
                    };
                    let (x, other) = (numbers(2, 40), numbers(14, 20));
                    let i = number(&mut rng, x.len()) as $int;
                    let w = number(&mut rng, 8) as $int;
                    let mut expected_log = [0; 6];
                    let expected = on_host(|| steps(&x, i, w, &other, |place, value| expected_log[place] = value));
                    let case = format!("{} {} {i} {w}", x.len(), other.len());
                    let (dx, dother) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&other).unwrap());
                    let (mut log, mut y) = (DeviceBuffer::<u32>::zeroed(6).unwrap(), DeviceBuffer::<u32>::zeroed(1).unwrap());
                    let launched = launch!(log_steps<<<1, 1>>>(&dx, i, w, &dother, &mut log, &mut y));
                    match expected {
                        Err(expected) => {
                            let panic = panic_of(launched);
                            assert_eq!((panic.message, panic.line, panic.column), expected, "{case}");
                            panics += 1;
                        }
                        Ok(expected) => {
                            launched.unwrap();
                            assert_eq!(y.to_vec().unwrap(), [expected], "{case}");
                            fine += 1;
                        }
                    }
                    assert_eq!(log.to_vec().unwrap(), expected_log, "{case}");
                    if fine >= 40 && panics >= 40 {
                        break;
                    }
                    assert!(round < 20_000, "{fine} {panics}");
                }
            }

            #[test]
            fn panic_as_on_the_host() {
                let _alone = alone();
                let mut rng = rng();
                let (mut fine, mut panics) = ([0; 4], [0; 4]);
                for round in 0u32.. {
                    let what = round % 4;
                    let mut numbers = |most| {
                        let len = 1 + rng.below(most);
                        (0..len).map(|_| rng.next_u32()).collect::<Vec<u32>>()
                    };
                    let (x, other) = (numbers(40), numbers(40));
                    let small = x.len().min(other.len());
                    let indices: Vec<$int> =
                        (0..1 + rng.below(9)).map(|_| number(&mut rng, small) as $int).collect();
                    let i = number(&mut rng, if what == 1 { indices.len() } else { x.len() }) as $int;
                    let by = number(&mut rng, 8) as $int;
                    // The stencil's rows per plane.
                    let rows = if what == 3 { number(&mut rng, 5) as u32 } else { 0 };
                    let call = what.wrapping_add(rows.wrapping_mul(4));
                    let expected = on_host(|| run(call, &x, &indices, &other, i, by));
                    let case = format!("{what} {} {} {indices:?} {i} {by} {rows}", x.len(), other.len());
                    let (dx, dother) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&other).unwrap());
                    let dindices = DeviceBuffer::from_slice(&indices).unwrap();
                    let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
                    let launched = launch!(compute<<<1, 1>>>(call, &dx, &dindices, &dother, i, by, &mut y));
                    match expected {
                        Err(expected) => {
                            let panic = panic_of(launched);
                            assert_eq!((panic.message, panic.line, panic.column), expected, "{case}");
                            panics[what as usize] += 1;
                        }
                        Ok(expected) => {
                            launched.unwrap();
                            assert_eq!(y.to_vec().unwrap(), [expected], "{case}");
                            fine[what as usize] += 1;
                        }
                    }
                    if fine.iter().chain(&panics).all(|count| *count >= 15) {
                        break;
                    }
                    assert!(round < 20_000, "{fine:?} {panics:?}");
                }
            }
        })*
    };
}

indices! {
    with_i32: i32;
    with_u32: u32;
    with_i64: i64;
    with_usize: usize;
    with_i16: i16;
}

/// Relaxed stores between loads whose indices are known before.
#[inline(always)]
fn copies(x: &[u32], at: [usize; 3], mut store: impl FnMut(usize, u32)) -> u32 {
    let a = x[at[0]];
    store(0, a);
    let b = x[at[1]];
    store(1, a ^ b);
    store(2, b);
    let c = x[at[2]];
    store(3, c);
    a.wrapping_mul(b) ^ c ^ x[at[1].wrapping_add(at[2])]
}

#[kernel]
fn log_copies(x: &[u32], at: [usize; 3], log: Atomics<u32>, mut y: Disjoint<u32>) {
    y[thread::index_1d()] = copies(x, at, |place, value| log[place].store(value));
}

#[test]
fn relaxed_stores_before_a_panic_are_those_of_the_host() {
    let _alone = alone();
    let mut rng = rng();
    let (mut fine, mut panics) = (0, 0);
    for round in 0u32.. {
        let x: Vec<u32> = (0..2 + rng.below(40)).map(|_| rng.next_u32()).collect();
        let at = [0; 3].map(|_| number(&mut rng, x.len()) as usize);
        let mut expected_log = [0; 4];
        let expected = on_host(|| copies(&x, at, |place, value| expected_log[place] = value));
        let dx = DeviceBuffer::from_slice(&x).unwrap();
        let mut log = DeviceBuffer::<u32>::zeroed(4).unwrap();
        let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
        let launched = launch!(log_copies<<<1, 1>>>(&dx, at, &mut log, &mut y));
        match expected {
            Err(expected) => {
                let panic = panic_of(launched);
                assert_eq!((panic.message, panic.line, panic.column), expected, "{at:?}");
                panics += 1;
            }
            Ok(expected) => {
                launched.unwrap();
                assert_eq!(y.to_vec().unwrap(), [expected], "{at:?}");
                fine += 1;
            }
        }
        assert_eq!(log.to_vec().unwrap(), expected_log, "{at:?}");
        if fine >= 40 && panics >= 40 {
            break;
        }
        assert!(round < 20_000, "{fine} {panics}");
    }
}

/// Where element `i` of a tree is, so that its levels lie in different banks.
#[inline(always)]
fn padded(i: usize) -> usize {
    i + (i >> 5)
}

/// Sums of 256 numbers by a tree in cells, whose checks the number of active threads decides: one more element than the
/// place of the last number is enough, and one less is a panic.
macro_rules! trees {
    ($($name:ident: $cells:literal;)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub(super) fn tree(x: &[u32], mut y: Disjoint<u32>) {
                let sums = shared!([u32; $cells]).cells(0);
                let t = thread::x() as usize;
                if padded(t) < $cells {
                    sums.set(padded(t), x[t]);
                }
                let (mut offset, mut d) = (1, 128);
                while d > 0 {
                    block::sync();
                    if t < d {
                        let from = padded(offset * (2 * t + 1) - 1);
                        let to = padded(offset * (2 * t + 2) - 1);
                        sums.set(to, sums.get(to).wrapping_add(sums.get(from)));
                    }
                    offset *= 2;
                    d >>= 1;
                }
                block::sync();
                y[thread::index_1d()] = sums.get(padded(t));
            }

            #[test]
            fn ends_as_the_tree_says() {
                let _alone = alone();
                let mut rng = rng();
                let x: Vec<u32> = (0..256).map(|_| rng.next_u32()).collect();
                let dx = DeviceBuffer::from_slice(&x).unwrap();
                let mut y = DeviceBuffer::<u32>::zeroed(256).unwrap();
                let launched = launch!(tree<<<1, 256>>>(&dx, &mut y));
                if $cells > padded(255) {
                    launched.unwrap();
                    let mut sums = x;
                    for step in (0..8).map(|level| 2 << level) {
                        for to in (step - 1..256).step_by(step) {
                            sums[to] = sums[to].wrapping_add(sums[to - step / 2]);
                        }
                    }
                    assert_eq!(y.to_vec().unwrap(), sums);
                } else {
                    let panic = panic_of(launched);
                    // A thread of the first level, at the place of its second number or, by one thread, of its first.
                    let t = panic.thread[0] as usize;
                    let (index, cells) = panic.bounds.unwrap();
                    assert!([padded(2 * t), padded(2 * t + 1)].contains(&(index as usize)), "{index} of {t}");
                    assert!(cells == $cells && index >= cells && t < 128, "{index} of {cells}");
                }
            }
        })*
    };
}

trees! {
    a_tree_that_fits: 263;
    a_tree_in_more: 288;
    a_tree_without_its_last: 262;
    a_tree_without_many: 200;
}

/// An index: mostly a valid one, or one at the ends of an array or of a type.
fn number(rng: &mut Rng, len: usize) -> u64 {
    match rng.below(24) {
        0 => (rng.below(4) as u64).wrapping_neg(),
        1 => len as u64 - 1 + rng.below(3) as u64,
        2 => (1 << rng.below(64)) - rng.below(2) as u64,
        3 => rng.next_u64(),
        _ => rng.below(len) as u64,
    }
}
