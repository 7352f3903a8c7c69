//! Loops whose checks are made before them, if they can be: they panic at the same index as on the host, and only
//! there, also where indices wrap around or the loop ends early.

use crate::alone;
use crate::panics::panic_of;
use ptyx::prelude::*;
use ptyx_tests::{Rng, rng};

/// Ends a loop.
const STOP: u32 = u32::MAX;

/// Sums of elements a stride apart, with indices of a type, as kernel and on the host.
macro_rules! walks {
    ($($name:ident: $int:ident;)*) => {
        $(mod $name {
            use super::*;

            /// The sum, the number of elements, and the index that is out of bounds.
            pub(super) fn on_host(x: &[u32], start: $int, stride: $int, n: $int) -> (u32, u32, Option<u64>) {
                let (mut sum, mut count) = (0u32, 0);
                let mut k = 0;
                while k < n {
                    let at = start.wrapping_add(k.wrapping_mul(stride)) as usize;
                    let Some(&x) = x.get(at) else { return (sum, count, Some(at as u64)) };
                    if x == STOP {
                        break;
                    }
                    sum = sum.wrapping_add(x);
                    count += 1;
                    k += 1;
                }
                (sum, count, None)
            }

            #[kernel]
            pub(super) fn walk(x: &[u32], start: $int, stride: $int, n: $int, mut results: Disjoint<u32>) {
                let mut sum = 0u32;
                for k in 0..n {
                    sum = sum.wrapping_add(x[start.wrapping_add(k.wrapping_mul(stride)) as usize]);
                }
                results[thread::index_1d()] = sum;
            }

            #[kernel]
            pub(super) fn walk_to_stop(
                x: &[u32], start: $int, stride: $int, n: $int, mut results: Disjoint<u32>,
            ) {
                let (mut sum, mut count) = (0u32, 0u32);
                for k in 0..n {
                    let x = x[start.wrapping_add(k.wrapping_mul(stride)) as usize];
                    if x == STOP {
                        break;
                    }
                    sum = sum.wrapping_add(x);
                    count = count.wrapping_add(1);
                }
                results[thread::index_1d()] = sum ^ count.rotate_left(16);
            }

            #[test]
            fn panic_where_the_host_does() {
                let _alone = alone();
                let mut rng = rng();
                let (mut fine, mut panics, mut stops) = (0, 0, 0);
                while fine < 40 || panics < 40 || stops < 40 {
                    let len = 1 + rng.below(200);
                    let stops_at = (rng.below(2) == 0).then(|| rng.below(len));
                    let mut x: Vec<u32> = (0..len).map(|_| rng.next_u32() >> 1).collect();
                    if let Some(at) = stops_at {
                        x[at] = STOP;
                    }
                    let (start, stride) = (number(&mut rng, len) as $int, number(&mut rng, len) as $int);
                    let n = rng.below(70) as $int;
                    let (sum, count, out_of_bounds) = on_host(&x, start, stride, n);
                    let buffer = DeviceBuffer::from_slice(&x).unwrap();
                    let mut results = DeviceBuffer::<u32>::zeroed(1).unwrap();
                    let launched = match stops_at {
                        None => launch!(walk<<<1, 1>>>(&buffer, start, stride, n, &mut results)),
                        Some(_) => launch!(walk_to_stop<<<1, 1>>>(&buffer, start, stride, n, &mut results)),
                    };
                    let case = format!("{len} {stops_at:?} {start} {stride} {n}");
                    match out_of_bounds {
                        Some(at) => {
                            assert_eq!(panic_of(launched).bounds, Some((at, len as u64)), "{case}");
                            panics += 1;
                        }
                        None => {
                            launched.unwrap();
                            let want = match stops_at {
                                None => sum,
                                Some(_) => sum ^ count.rotate_left(16),
                            };
                            assert_eq!(results.to_vec().unwrap(), [want], "{case}");
                            *if stops_at.is_some() { &mut stops } else { &mut fine } += 1;
                        }
                    }
                }
            }
        })*
    };
}

walks! {
    with_i32: i32;
    with_u32: u32;
    with_i64: i64;
    with_usize: usize;
    with_u16: u16;
}

/// A start or stride: small, negative, or so large that indices wrap around.
fn number(rng: &mut Rng, len: usize) -> u64 {
    match rng.below(8) {
        0..4 => rng.below(len) as u64,
        4 => rng.below(4) as u64,
        5 => (rng.below(6) as u64).wrapping_neg(),
        6 => 1 << rng.below(64),
        _ => rng.next_u64(),
    }
}
