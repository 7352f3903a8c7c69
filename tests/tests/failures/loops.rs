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

/// Each thread searches from a start of its own: some need their checks, others don't, and the last ones search
/// nothing.
#[kernel]
fn searches(x: &[u32], starts: &[u32], n: u32, active: u32, mut found: Disjoint<u32>) {
    let own = thread::index_1d();
    if own.get() as u32 >= active {
        return;
    }
    let start = starts[own.get()];
    let mut place = u32::MAX;
    for k in 0..n {
        if x[start.wrapping_add(k) as usize] == STOP {
            place = k;
            break;
        }
    }
    found[own] = place;
}

#[test]
fn threads_of_a_warp_need_checks_or_not() {
    const THREADS: usize = 64;
    let _alone = alone();
    let mut rng = rng();
    let (mut fine, mut panics) = (0, 0);
    while fine < 40 || panics < 40 {
        let len = 1 + rng.below(150);
        let rare = 1 + rng.below(40);
        let x: Vec<u32> = (0..len)
            .map(|_| if rng.below(rare) == 0 { STOP } else { rng.next_u32() >> 1 })
            .collect();
        let last = x.iter().rposition(|x| *x == STOP).unwrap_or(len - 1);
        // So that about half of all cases are without a panic.
        let below = if rng.below(2) == 0 { last + 1 } else { len + 2 };
        let starts: Vec<u32> = (0..THREADS).map(|_| rng.below(below) as u32).collect();
        let (n, active) = (rng.below(60) as u32, rng.below(THREADS + 1) as u32);
        let search = |start: u32| {
            for k in 0..n {
                match x.get((start + k) as usize) {
                    Some(&STOP) => return Ok(k),
                    Some(_) => {}
                    None => return Err((u64::from(start + k), len as u64)),
                }
            }
            Ok(u32::MAX)
        };
        let want: Vec<_> =
            starts.iter().take(active as usize).map(|start| search(*start)).collect();
        let case = format!("{x:?} {starts:?} {n} {active}");
        let x = DeviceBuffer::from_slice(&x).unwrap();
        let starts = DeviceBuffer::from_slice(&starts).unwrap();
        let mut found = DeviceBuffer::filled(THREADS, 7u32).unwrap();
        let launched = launch!(searches<<<1, THREADS>>>(&x, &starts, n, active, &mut found));
        if want.iter().any(Result::is_err) {
            let bounds = panic_of(launched).bounds.unwrap();
            assert!(want.contains(&Err(bounds)), "{bounds:?} {case}");
            panics += 1;
        } else {
            launched.unwrap();
            let mut want: Vec<u32> = want.into_iter().map(Result::unwrap).collect();
            want.resize(THREADS, 7);
            assert_eq!(found.to_vec().unwrap(), want, "{case}");
            fine += 1;
        }
    }
}

/// Each thread writes a column of its own, whose checks have a part for each dimension.
#[kernel]
fn columns(
    a: &[u32],
    from: u32,
    to: u32,
    mut b: Parts<u32, (by::Whole, by::ThreadY, by::ThreadX), 3>,
) {
    let (i, j) = (thread::x() as usize, thread::y() as usize);
    let mut own = b.part();
    for k in from..to {
        own[[k as usize, 0, 0]] = a[(k as usize * 5 + j) * 7 + i] ^ k;
    }
}

#[test]
fn columns_of_an_array() {
    let _alone = alone();
    let mut rng = rng();
    let (mut fine, mut panics) = (0, 0);
    while fine < 20 || panics < 20 {
        let depth = 1 + rng.below(30);
        let a: Vec<u32> =
            (0..35 * (depth + rng.below(3)) - rng.below(3)).map(|_| rng.next_u32()).collect();
        let (from, to) = (rng.below(depth) as u32, rng.below(depth + 3) as u32);
        let (wide, high) = (1 + rng.below(8) as u32, 1 + rng.below(6) as u32);
        let mut want = vec![9u32; depth * 35];
        let mut fails = false;
        for (j, i) in (0..high as usize).flat_map(|j| (0..wide as usize).map(move |i| (j, i))) {
            for k in from..to {
                let place = (k as usize * 5 + j) * 7 + i;
                let is_inside = (k as usize) < depth && j < 5 && i < 7;
                match a.get(place).filter(|_| is_inside) {
                    Some(a) => want[place] = a ^ k,
                    None => fails = true,
                }
            }
        }
        let case = format!("{depth} {} {from} {to} {wide} {high}", a.len());
        let a = DeviceBuffer::from_slice(&a).unwrap();
        let mut b = DeviceBuffer::filled(want.len(), 9u32).unwrap();
        let launched =
            launch!(columns<<<1, (wide, high)>>>(&a, from, to, b.view_mut([depth, 5, 7])));
        if fails {
            panic_of(launched);
            panics += 1;
        } else {
            launched.unwrap();
            assert_eq!(b.to_vec().unwrap(), want, "{case}");
            fine += 1;
        }
    }
}

/// Loops whose counters double or halve, with divisions and remainders by them.
fn doubling(seed: u32) -> u32 {
    let mut hash = seed;
    let mut mix = |x: u32| hash = (hash ^ x).wrapping_mul(0x9E37_79B1).rotate_left(7);
    let mut half = 1u32;
    while half < 512 {
        mix(seed / half + seed % (half + 1));
        half *= 2;
    }
    let mut d = 256i32;
    while d > 0 {
        mix((seed as i32).wrapping_rem(d) as u32);
        d >>= 1;
    }
    let mut third = 2000u64;
    while third != 0 {
        mix((u64::from(seed) * 3 / third) as u32);
        if third == 222 && seed.is_multiple_of(5) {
            break;
        }
        third /= 3;
    }
    let mut small = 3u8;
    while small < 200 {
        mix(seed >> (small & 15));
        small = small.wrapping_mul(3);
    }
    let mut wraps = 1u16;
    loop {
        mix(u32::from(wraps) ^ seed);
        wraps = wraps.wrapping_mul(64);
        if wraps == 0 {
            break;
        }
    }
    hash
}

#[kernel]
fn doubles(seeds: &[u32], mut hashes: Disjoint<u32>) {
    let own = thread::index_1d();
    hashes[own] = doubling(seeds[own.get()]);
}

#[test]
fn counters_that_double() {
    let _alone = alone();
    let mut rng = rng();
    let seeds: Vec<u32> = (0..256).map(|_| rng.next_u32() >> rng.below(32)).collect();
    let want: Vec<u32> = seeds.iter().map(|seed| doubling(*seed)).collect();
    let mut hashes = DeviceBuffer::<u32>::zeroed(seeds.len()).unwrap();
    let seeds = DeviceBuffer::from_slice(&seeds).unwrap();
    launch!(doubles<<<2, 128>>>(&seeds, &mut hashes)).unwrap();
    assert_eq!(hashes.to_vec().unwrap(), want);
}
