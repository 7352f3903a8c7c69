//! Indices that iterators count, where the compiler may conclude that they are in bounds: here they
//! often are not, and `get` must find that out.

use crate::harness::{edgy, same};

/// Bounds at both ends of their type, and a step that may be too large for it.
type Range<T> = (T, T, u64, [i32; 20]);

/// `(start..end).step_by(step)`, as far as twenty steps go: what is at each index, and the indices.
macro_rules! ranges {
    ($($name:ident: $int:ty, $test:ident;)*) => {$(
        fn $name((start, end, step, x): &Range<$int>) -> [i64; 6] {
            let (start, end) = (*start, *end);
            let mut sums = [0i64; 6];
            let mut add = |to: usize, i: $int, len: usize| {
                let at = x[..len].get(i as usize).map_or(-1, |x| i64::from(*x));
                sums[to] = sums[to].wrapping_mul(31).wrapping_add(at).wrapping_add(i as i64);
            };
            // A step of run time.
            let mut rounds = 0;
            for i in (start..end).step_by(*step as usize) {
                add(0, i, 20);
                rounds += 1;
                if rounds == 20 {
                    break;
                }
            }
            // Steps that are known, a power of two and another number.
            for i in (start..end).step_by(8).take(20) {
                add(1, i, 20);
            }
            rounds = 0;
            for i in (start..end).step_by(7) {
                add(2, i, 20);
                rounds += 1;
                if rounds == 20 {
                    break;
                }
            }
            // Counted up, and to fewer than all.
            if end as i128 - start as i128 <= 200 {
                (start..end).step_by(3).for_each(|i| add(4, i, 20));
            }
            for i in (start..end).step_by(*step as usize).take(*step as usize % 7) {
                add(5, i, 19);
            }
            // The end of another slice than the indices'.
            for i in (start % 25..20).step_by(3) {
                add(3, i, end as usize % 21);
            }
            sums
        }

        #[test]
        fn $test() {
            same($name, |rng| {
                let mut x = [0; 20];
                x.fill_with(|| edgy(rng) as i32);
                let mut bound = || match rng.below(3) {
                    0 => rng.below(40) as $int,
                    1 => <$int>::MAX - rng.below(40) as $int,
                    _ => edgy(rng) as $int,
                };
                let (start, end) = (bound(), bound());
                let step = match rng.below(3) {
                    0 => 1 + rng.below(9) as u64,
                    1 => u64::MAX - rng.below(9) as u64,
                    _ => edgy(rng).max(1),
                };
                (start, end, step, x)
            });
        }
    )*};
}

ranges! {
    bytes: u8, a_step_of_bytes;
    shorts: u16, a_step_of_16_bits;
    words: u32, a_step_of_32_bits;
    longs: u64, a_step_of_64_bits;
    sizes: usize, a_step_of_indices;
    signed_bytes: i8, a_step_of_signed_bytes;
    signed_shorts: i16, a_step_of_16_bits_with_a_sign;
    signed_words: i32, a_step_of_32_bits_with_a_sign;
    signed_longs: i64, a_step_of_64_bits_with_a_sign;
}

/// Two slices, the shorter one inside the longer.
type Slices = ([i32; 24], usize, usize);

fn enumerated((x, a, b): &Slices) -> [i64; 15] {
    let (a, b) = (*a.min(b), *a.max(b));
    let part = &x[a..b];
    let other = &x[..a];
    let mut sums = [0i64; 15];
    let mut add = |to: usize, value: i32, found: Option<&i32>| {
        let found = found.map_or(-3, |x| i64::from(*x));
        sums[to] = sums[to].wrapping_mul(31).wrapping_add(i64::from(value)) ^ found;
    };
    for (i, x) in part.iter().enumerate() {
        add(0, *x, part.get(i));
    }
    for (i, x) in part.iter().enumerate() {
        add(1, *x, other.get(i));
    }
    for (i, x) in part.iter().enumerate().skip(2) {
        add(2, *x, part.get(i + 1));
    }
    for (i, x) in part.iter().rev().enumerate() {
        add(3, *x, part.get(part.len() - 1 - i));
    }
    for (i, x) in part.iter().enumerate().rev() {
        add(4, *x, part.get(i + 1));
    }
    for (i, (x, y)) in part.iter().zip(other).enumerate() {
        add(5, x ^ y, other.get(i + 1));
    }
    for (i, pair) in part.chunks_exact(2).enumerate() {
        add(6, pair[0], part.get(2 * i + 2));
    }
    for (x, i) in part.iter().zip(1..) {
        if x % 3 == 0 {
            continue;
        }
        add(7, *x, part.get(i));
    }
    let mut i = 0;
    for x in part {
        add(8, *x, other.get(i));
        i += 2;
    }
    for (i, x) in part.iter().enumerate().filter(|(i, x)| (**x as usize ^ i) % 3 != 0) {
        add(9, *x, other.get(i));
    }
    let mut rest = part.iter().enumerate();
    while let Some((i, x)) = rest.next() {
        add(10, *x, part.get(i + 1));
        // What is behind the end is asked for, too.
        if x % 2 == 0 {
            rest.next();
        }
    }
    for (i, x) in part.iter().enumerate().skip_while(|(_, x)| **x > 0).step_by(2) {
        add(11, *x, part.get(i + 2));
    }
    // What is behind the last index, which a bound that is one too low would call in bounds.
    for i in (0..part.len()).step_by(3) {
        add(12, i as i32, part.get(i + 1));
    }
    for i in (a..part.len()).step_by(b + 1) {
        add(13, i as i32, part.get(i + 1));
    }
    for (i, x) in part.iter().enumerate() {
        add(14, *x, part.get(i + 1));
    }
    sums
}

#[test]
fn slices_are_enumerated() {
    same(enumerated, |rng| {
        let mut x = [0; 24];
        x.fill_with(|| edgy(rng) as i32);
        (x, rng.below(25), rng.below(25))
    });
}
