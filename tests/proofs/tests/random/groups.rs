//! Loops that run in groups of iterations, loads that are moved before loops, and loops of which some checks stay.

// The checks of indices are what is tested.
#![allow(clippy::needless_range_loop)]

use ptyx::prelude::*;
use ptyx_proof_tests::{Rng, alone, rng};

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

/// The most iterations of a loop with random ends.
const MAX_ITERATIONS: usize = 400;

/// Loops over a type that begin, end and step anywhere, as long as they end.
macro_rules! near_limits {
    ($($name:ident: $ty:ident, $goes_on:tt;)*) => {kernels! {$(
        /// The first iteration is always made. Values swap, and what is used behind the loop is of the last iteration.
        fn $name(at, out, (first: $ty, end: $ty, step: $ty), [a]) {
            let mut i = first;
            let (mut x, mut y, mut before, mut sum) = (1u32, a[0], end, at.x());
            loop {
                sum = sum.wrapping_mul(3) ^ (i as u32) ^ x;
                (x, y) = (y, x);
                before ^= i;
                i = i.wrapping_add(step);
                if !(i $goes_on end) {
                    break;
                }
            }
            out.add(at.x() as usize, sum ^ x ^ (before as u32).wrapping_mul(7) ^ (i as u32));
        }
        |rng| {
            let mut any = || {
                const EDGES: [$ty; 9] = [
                    0, 1, 2, $ty::MAX, $ty::MAX - 1, $ty::MIN, $ty::MIN + 1, $ty::MAX / 3, $ty::MAX / 8 + 1
                ];
                let near = (rng.below(24) as $ty).wrapping_sub(8);
                match rng.below(4) {
                    0 => EDGES[rng.below(EDGES.len())],
                    1 => EDGES[rng.below(EDGES.len())].wrapping_add(near),
                    2 => near,
                    _ => rng.next_u32() as $ty,
                }
            };
            let params = loop {
                let (first, end, step) = (any(), any(), any());
                let all = std::iter::successors(Some(first), |i| {
                    Some(i.wrapping_add(step)).filter(|next| next $goes_on &end)
                });
                if all.take(MAX_ITERATIONS).count() < MAX_ITERATIONS {
                    break (first, end, step);
                }
            };
            let (len, out) = (fits(rng, 1), fits(rng, 24));
            Launch::new(rng, 1, params, [len], out)
        };
    )*}};
}
near_limits! {
    less_of_u8: u8, <;
    at_most_of_u8: u8, <=;
    less_of_i8: i8, <;
    at_most_of_i8: i8, <=;
    less_of_i16: i16, <;
    less_of_u32: u32, <;
    at_most_of_u32: u32, <=;
    less_of_i32: i32, <;
    at_most_of_i32: i32, <=;
    less_of_u64: u64, <;
    at_most_of_u64: u64, <=;
    less_of_i64: i64, <;
    at_most_of_i64: i64, <=;
}

kernels! {
    /// The second loop begins where the first one ends, and is the smaller one.
    fn one_after_the_other(at, out, (n: u32, step: u32), [a]) {
        let (step, mut sum) = (step.clamp(1, 64), a[0]);
        let n = n.min(1000);
        if n > 0 {
            let mut i = 0;
            loop {
                sum = sum.wrapping_mul(5) ^ i;
                if sum & 1 == 0 {
                    sum = sum.wrapping_add(at.x()).rotate_left(3);
                }
                i += step;
                if i >= n {
                    break;
                }
            }
            let mut j = 0;
            loop {
                sum = sum.wrapping_mul(3) ^ j;
                j += step;
                if j >= n {
                    break;
                }
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let params = (small(rng, 40) as u32, small(rng, 6) as u32);
        let (len, out) = (fits(rng, 1), fits(rng, 24));
        Launch::new(rng, 1, params, [len], out)
    };

    /// A counter of 128 bits.
    fn of_u128(at, out, (n: u64, step: u64), [a]) {
        let (mut i, mut sum) = (u128::from(at.x()) << 62, a[0]);
        let end = u128::from(n) << 62;
        while i < end {
            sum = sum.wrapping_mul(3) ^ (i >> 60) as u32;
            i += u128::from(step) << 61;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let params = (rng.below(40) as u64, 1 + rng.below(5) as u64);
        let (len, out) = (fits(rng, 1), fits(rng, 24));
        Launch::new(rng, 1, params, [len], out)
    };

    /// A loop in a loop, whose beginning changes.
    @proved fn nested(at, out, (n: u32, m: u32, step: u32), [a]) {
        let (step, mut sum) = (step.max(1), 0u32);
        let m = m.min(60);
        for k in 0..m {
            let mut i = k;
            while i < n {
                sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
                i = i.saturating_add(step);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, m) = (small(rng, 50), small(rng, 5));
        let params = (n as u32, m as u32, small(rng, 4) as u32);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, params, [len], out)
    };

    /// A table of which only some iterations need an element, and only some launches have it.
    @proved fn table_behind_guards(at, out, (n: usize), [a, table]) {
        let mut sum = at.x();
        for i in 0..n {
            let x = a[i];
            if x & 1 == 0 {
                sum = sum.wrapping_mul(3).wrapping_add(table[2] ^ table[7]);
            }
            if x & 6 == 2 {
                sum ^= table[11];
            }
            sum = sum.wrapping_add(x);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = wide_size(rng);
        let lens = [fits(rng, n.min(5000) as i128), fits(rng, 12)];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n,), lens, out)
    };

    /// The same where the elements are those of a slice that a loop reads, too.
    @proved fn first_beside_all(at, out, (n: i32), [a]) {
        let mut sum = at.x();
        for i in 0..n {
            let x = a[i as usize];
            sum = sum.wrapping_mul(3).wrapping_add(if x & 3 == 0 { a[0] } else { a[3] ^ x });
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, i128::from(n).max(4)), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// What is loaded is an index: its check stays, others need not.
    fn indirect(at, out, (n: i32, by: i32), [a, b]) {
        let mut sum = at.x();
        for i in 0..n {
            let x = b[(i * by) as usize];
            sum = sum.wrapping_mul(3).wrapping_add(a[(x & 31) as usize + (i as usize & 1)]);
            sum ^= a[(x >> 30) as usize];
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, by) = (size(rng).min(1000), if rng.below(4) == 0 { size(rng) } else { small(rng, 3) });
        let needed = (i128::from(n) - 1) * i128::from(by) + 1;
        let lens = [fits(rng, 33), fits(rng, needed)];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n, by), lens, out)
    };

    /// Indices that only some iterations use, of which some don't change, some are extended and some go down.
    fn some_iterations(at, out, (n: i32, first: i32, fixed: u32), [a, b]) {
        let mut sum = at.x();
        for i in 0..n {
            let x = a[(first + i) as usize];
            if x & 3 == 1 {
                sum = sum.wrapping_mul(3).wrapping_add(b[(first + i) as usize]);
            }
            if x & 12 == 4 {
                sum ^= b[fixed as usize];
            }
            if x & 48 == 16 {
                sum ^= b[(n - i) as usize] ^ a[(x & 15) as usize];
            }
            if sum & 255 == 9 {
                break;
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let first = if rng.below(4) == 0 { size(rng) } else { small(rng, 2) };
        let fixed = if rng.below(4) == 0 { size(rng) as u32 } else { small(rng, 3) as u32 };
        let needed = i128::from(n) + i128::from(first);
        let lens = [fits(rng, needed.max(16)), fits(rng, (needed + 1).max(4))];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n, first, fixed), lens, out)
    };

    /// A check whose index is loaded is between two that change.
    fn between(at, out, (n: u32), [a, b, c]) {
        let mut sum = at.x();
        for i in 0..n {
            let j = a[i as usize] % 19;
            let x = b[j as usize];
            sum = sum.wrapping_mul(3).wrapping_add(x ^ c[i as usize]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = if rng.below(6) == 0 { size(rng) } else { small(rng, 30) } as u32;
        let needed = i128::from(n).min(5000);
        let lens = [fits(rng, needed), fits(rng, 19), fits(rng, needed)];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n,), lens, out)
    };
}

/// Threads of a warp in a block.
const LANES: usize = 32;

/// All threads of a block come to the same iterations: first, end and step are its.
#[kernel]
fn exchanges(x: &[u32], first: u32, end: u32, step: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = x[i.get()];
    let mut k = first.wrapping_add(block::x());
    while k < end {
        let other = warp::shuffle_xor(warp::FULL, sum, k & 31);
        sum = sum.wrapping_mul(3).wrapping_add(other ^ k);
        k = k.wrapping_add(step);
    }
    y[i] = sum;
}

/// Warps come to different iterations.
#[kernel]
fn warps_differ(x: &[u32], first: u32, end: u32, step: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = x[i.get()];
    let mut k = first.wrapping_add(block::x()).wrapping_add(thread::x() / 32);
    while k < end {
        let other = warp::shuffle_xor(warp::FULL, sum, k & 31);
        sum = sum.wrapping_mul(3).wrapping_add(other ^ k);
        k = k.wrapping_add(step);
    }
    y[i] = sum;
}

/// What both do to the elements of a warp.
fn exchanged(x: &[u32], first: u32, end: u32, step: u32) -> Vec<u32> {
    let mut sums = x.to_vec();
    let mut k = first;
    while k < end {
        let others: Vec<u32> = (0..LANES).map(|lane| sums[lane ^ (k as usize & 31)]).collect();
        for (sum, other) in sums.iter_mut().zip(others) {
            *sum = sum.wrapping_mul(3).wrapping_add(other ^ k);
        }
        k = k.wrapping_add(step);
    }
    sums
}

/// A beginning, an end and a step of a loop that ends.
fn range(rng: &mut Rng) -> (u32, u32, u32) {
    // Blocks and warps begin up to four later.
    let first = match rng.below(4) {
        0 => u32::MAX - 4 - rng.below(70) as u32,
        _ => rng.below(9) as u32,
    };
    let step = if rng.below(6) == 0 {
        u32::MAX / 8 + rng.below(3) as u32
    } else {
        1 + rng.below(5) as u32
    };
    // Behind it, no step wraps around.
    let end = first.saturating_add(rng.below(50) as u32);
    (first, end.min(u32::MAX - step), step)
}

#[test]
fn threads_exchange_values() {
    alone("groups::threads_exchange_values", || {
        let mut rng = rng();
        for _ in 0..60 {
            let (blocks, threads) = (1 + rng.below(3), LANES * (1 + rng.below(3)));
            let x = rng.vec(blocks * threads, |rng| rng.next_u32());
            let (first, end, step) = range(&mut rng);
            let input = DeviceBuffer::from_slice(&x).unwrap();
            for differ in [false, true] {
                let mut out = DeviceBuffer::zeroed(x.len()).unwrap();
                let launched = match differ {
                    false => {
                        launch!(exchanges<<<blocks, threads>>>(&input, first, end, step, &mut out))
                    }
                    true => {
                        launch!(warps_differ<<<blocks, threads>>>(&input, first, end, step, &mut out))
                    }
                };
                launched.unwrap();
                let of_warp = |(warp, x): (usize, &[u32])| {
                    let (block, warp) = (warp / (threads / LANES), warp % (threads / LANES));
                    let more = block + if differ { warp } else { 0 };
                    exchanged(x, first.wrapping_add(more as u32), end, step)
                };
                let expected: Vec<u32> = x.chunks(LANES).enumerate().flat_map(of_warp).collect();
                assert_eq!(out.to_vec().unwrap(), expected, "{first} {end} {step} {differ}");
            }
        }
    });
}

/// Each iteration stores what the next one loads, through references that don't alias in one iteration.
#[kernel]
unsafe fn passes_on(p: *mut u32, n: usize, step: usize) {
    #[inline(always)]
    fn pass(to: &mut u32, from: &u32) {
        *to = to.wrapping_add(from.wrapping_mul(3));
        *to ^= *from;
    }
    // SAFETY: there are `n + step` elements, and the step is not zero.
    unsafe {
        let mut i = 0;
        while i < n {
            pass(&mut *p.add(i + step), &*p.add(i));
            i += step;
        }
    }
}

#[test]
fn an_iteration_loads_what_the_last_one_stored() {
    alone("groups::an_iteration_loads_what_the_last_one_stored", || {
        let mut rng = rng();
        for _ in 0..40 {
            let (n, step) = (rng.below(60), 1 + rng.below(4));
            let mut expected = rng.vec(n + step, |rng| rng.next_u32());
            let data = DeviceBuffer::from_slice(&expected).unwrap();
            // SAFETY: it reads and writes the elements that there are.
            launch!(unsafe passes_on<<<1, 1>>>(data.device_address() as *mut u32, n, step))
                .unwrap();
            for i in (0..n).step_by(step) {
                let from = expected[i];
                let to = &mut expected[i + step];
                *to = to.wrapping_add(from.wrapping_mul(3)) ^ from;
            }
            assert_eq!(data.to_vec().unwrap(), expected, "{n} {step}");
        }
    });
}

/// An element of a table, of which a byte is valid for one variant only.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(u8)]
enum Entry {
    Flag(bool),
    Number(u8),
}

/// Each iteration asks for what the entry is.
#[kernel]
fn entries(table: &[Entry], n: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = 0u32;
    for k in 0..n {
        let x = x[k as usize];
        let value = match table[3] {
            Entry::Flag(flag) if x & 1 == 0 => u32::from(flag) + 1,
            Entry::Flag(_) => 7,
            Entry::Number(number) if number > 1 => u32::from(number) * 5,
            Entry::Number(number) => u32::from(number) + 100,
        };
        sum = sum.wrapping_mul(3).wrapping_add(value ^ x);
    }
    y[i] = sum;
}

#[test]
fn entries_of_a_table() {
    alone("groups::entries_of_a_table", || {
        let mut rng = rng();
        for _ in 0..40 {
            let len = 4 + rng.below(3);
            let table = rng.vec(len, |rng| match rng.below(3) {
                0 => Entry::Flag(rng.below(2) == 1),
                _ => Entry::Number(rng.below(9) as u8),
            });
            let n = rng.below(20);
            let x = rng.vec(n, |rng| rng.next_u32());
            let expected = x.iter().fold(0u32, |sum, &x| {
                let value = match table[3] {
                    Entry::Flag(flag) if x & 1 == 0 => u32::from(flag) + 1,
                    Entry::Flag(_) => 7,
                    Entry::Number(number) if number > 1 => u32::from(number) * 5,
                    Entry::Number(number) => u32::from(number) + 100,
                };
                sum.wrapping_mul(3).wrapping_add(value ^ x)
            });
            let on_device = DeviceBuffer::from_slice(&table).unwrap();
            let x = DeviceBuffer::from_slice(&x).unwrap();
            let mut out = DeviceBuffer::zeroed(32).unwrap();
            launch!(entries<<<1, 32>>>(&on_device, n as u32, &x, &mut out)).unwrap();
            assert_eq!(out.to_vec().unwrap(), [expected; 32], "{table:?}");
        }
    });
}
