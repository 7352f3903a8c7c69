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
                match what {
                    0 => neighbours(x, i, by),
                    1 => gathers(x, indices, i, other),
                    _ => quotients(x, i, by, other),
                }
            }

            #[test]
            fn panic_as_on_the_host() {
                let _alone = alone();
                let mut rng = rng();
                let (mut fine, mut panics) = ([0; 3], [0; 3]);
                for round in 0.. {
                    let what = round % 3;
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
                    let expected = on_host(|| run(what, &x, &indices, &other, i, by));
                    let case = format!("{what} {} {} {indices:?} {i} {by}", x.len(), other.len());
                    let (dx, dother) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&other).unwrap());
                    let dindices = DeviceBuffer::from_slice(&indices).unwrap();
                    let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
                    let launched = launch!(compute<<<1, 1>>>(what, &dx, &dindices, &dother, i, by, &mut y));
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
