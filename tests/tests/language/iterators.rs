//! Iterator chains of `core`.

use crate::harness::{edgy, same};
use core::iter;

/// Numbers, and a length that only the running program knows.
type Input = ([i32; 24], usize);

fn input(rng: &mut ptyx_tests::Rng) -> Input {
    let mut numbers = [0; 24];
    numbers.fill_with(|| edgy(rng) as i32 >> rng.below(32));
    (numbers, rng.below(25))
}

/// A checksum of a sequence, in which order counts.
fn mix(items: impl IntoIterator<Item = i32>) -> i64 {
    items.into_iter().fold(17, |state: i64, x| state.wrapping_mul(31).wrapping_add(x.into()))
}

fn adapters((x, n): &Input) -> [i64; 20] {
    let n = *n;
    let y = &x[..n];
    [
        mix(y.iter().zip(x.iter().rev()).map(|(a, b)| a ^ b)),
        mix(y.iter().step_by(1 + n % 5).copied()),
        mix(x.chunks_exact(1 + n / 4).map(|c| c.iter().fold(0, |a, b| a ^ b))),
        mix(x.windows(1 + n % 7).map(|w| w[0].wrapping_sub(w[w.len() - 1]))),
        mix(x.iter().take(n).rev().cloned()),
        mix(x.iter().enumerate().skip(n).map(|(i, x)| x.wrapping_mul(i as i32))),
        mix(y.iter().scan(0i32, |sum, x| {
            *sum = sum.wrapping_add(*x);
            (*sum != 0).then_some(*sum)
        })),
        mix(y.iter().flat_map(|x| (0..x & 3).map(move |i| x.wrapping_add(i)))),
        mix(x.iter().filter_map(|x| x.checked_mul(3).filter(|x| x % 2 == 0))),
        mix(x.iter().skip_while(|x| **x > 0).take_while(|x| **x != 7).copied()),
        mix(y.iter().chain(&x[n..]).chain(iter::once(&9)).copied()),
        mix(x.iter().cycle().skip(n).take(2 * n + 3).copied()),
        mix(x.iter().map_while(|x| x.checked_add(i32::MAX / 2))),
        mix(x.iter().inspect(|_| ()).filter(|x| **x < 0).copied()),
        mix(x.chunks(5).flatten().copied().step_by(2)),
        mix(x.rchunks(7).flat_map(|c| c.iter().rev()).copied()),
        mix(x.chunk_by(|a, b| a <= b).map(|run| run.len() as i32)),
        mix(x.as_chunks::<4>().0.iter().map(|[a, b, c, d]| a ^ b ^ c ^ d)),
        mix(x.split(|x| x % 3 == 0).map(|part| part.len() as i32)),
        mix(x.iter().copied().rev().enumerate().filter(|(i, _)| i % 3 == 1).map(|(_, x)| x)),
    ]
}

#[test]
fn adapters_are_lazy_and_compose() {
    same(adapters, input);
}

fn consumers((x, n): &Input) -> [i64; 22] {
    let y = &x[..*n];
    let index = |found: Option<usize>| found.map_or(-1, |i| i as i64);
    let value = |found: Option<&i32>| found.map_or(i64::MIN, |&x| x.into());
    let wrapping = |a: i32, b: &i32| a.wrapping_add(*b);
    let (even, odd) = y.iter().fold((0, 0), |(even, odd), x| match x % 2 {
        0 => (even + 1, odd),
        _ => (even, odd + 1),
    });
    let smallest = y.iter().min_by(|a, b| a.unsigned_abs().cmp(&b.unsigned_abs()));
    [
        y.iter().map(|&x| i64::from(x)).sum(),
        y.iter().map(|&x| i64::from(x % 5)).product(),
        y.iter().fold(0, wrapping).into(),
        y.iter().rfold(1i32, |a, b| a.wrapping_mul(*b | 1)).into(),
        y.iter().copied().reduce(|a, b| a ^ b).map_or(-1, i64::from),
        value(y.iter().min()),
        value(y.iter().max()),
        value(smallest),
        value(y.iter().max_by_key(|x| x.rotate_left(7))),
        index(y.iter().position(|x| x % 4 == 1)),
        index(y.iter().rposition(|x| x % 4 == 1)),
        value(y.iter().find(|x| x.count_ones() == 16)),
        i64::from(y.iter().any(|x| *x == 0)) + 2 * i64::from(y.iter().all(|x| *x != 1)),
        y.iter().filter(|x| **x > 0).count() as i64,
        value(y.iter().last()),
        value(y.iter().nth(*n / 2)),
        value(y.iter().nth_back(*n / 3)),
        y.iter().cmp(x[1..].iter()) as i64,
        i64::from(y.iter().lt(x[3..].iter())) + 2 * i64::from(y.iter().eq(x.iter().take(*n))),
        i64::from(y.is_sorted()) + 2 * i64::from(y.iter().is_sorted_by_key(|x| x.signum())),
        even * 100 + odd,
        y.iter().try_fold(0i32, |a, b| a.checked_add(*b)).map_or(-9, i64::from),
    ]
}

#[test]
fn consumers_agree() {
    same(consumers, input);
}

/// Iterators that look ahead, are used in parts, run from both ends, or are written by hand.
fn by_hand((x, n): &Input) -> [i64; 10] {
    let mut runs = [0; 24];
    let mut used = 0;
    let mut peekable = x.iter().peekable();
    while let Some(x) = peekable.next() {
        runs[used] = 1;
        while peekable.next_if(|y| y.signum() == x.signum()).is_some() {
            runs[used] += 1;
        }
        used += 1;
    }

    let mut ends = x.iter();
    let mut meet = 0i32;
    while let (Some(a), Some(b)) = (ends.next(), ends.next_back()) {
        meet = meet.wrapping_mul(3).wrapping_add(a ^ b);
    }

    let mut all = x.iter();
    let head = mix(all.by_ref().take(*n).copied());
    let tail = mix(all.copied());

    struct Collatz(u64);
    impl Iterator for Collatz {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            if self.0 <= 1 {
                return None;
            }
            self.0 = if self.0.is_multiple_of(2) { self.0 / 2 } else { 3 * self.0 + 1 };
            Some(self.0)
        }
    }
    let start = x[0].unsigned_abs() % 1000 + 1;
    let (length, peak) = Collatz(start.into()).fold((0, 0), |(n, peak), x| (n + 1, x.max(peak)));

    let powers = iter::successors(Some(1i32), |x| x.checked_mul(3 + (*n as i32 & 3)));
    let mut state = x[1];
    let generated = iter::from_fn(|| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (state & 0xf0 != 0).then_some(state >> 16)
    });
    let repeated = iter::repeat_n(x[2], *n).zip(iter::repeat(3)).map(|(a, b)| a.wrapping_mul(b));
    let (low, high): (i64, i64) = x
        .iter()
        .map(|&x| (i64::from(x) & 0xff, i64::from(x) >> 8))
        .fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    [
        mix(runs[..used].iter().copied()),
        meet.into(),
        head,
        tail,
        length,
        peak as i64,
        mix(powers),
        mix(generated.take(30)),
        mix(repeated),
        low ^ high,
    ]
}

#[test]
fn iterators_by_hand() {
    same(by_hand, input);
}

fn ranges((x, n): &Input) -> [i64; 9] {
    let (a, b) = (x[0] % 40, x[1] % 40);
    let hint = (a..b).step_by(3).size_hint();
    [
        mix(a..b),
        mix(a..=b),
        mix((a..=b).rev().step_by(1 + n % 4)),
        mix((0..*n).rev().map(|i| x[i])),
        (a..b).len() as i64 + hint.0 as i64 * 100,
        i64::from((a..b).contains(&x[2])) + 2 * i64::from((..=b).contains(&x[3])),
        mix(('a'..='z').step_by(1 + n % 5).map(|c| c as i32)),
        mix((i8::MIN..=i8::MAX).rev().skip(*n).step_by(7).map(i32::from)),
        (u64::MAX - *n as u64..=u64::MAX).map(|x| x as i64).sum(),
    ]
}

#[test]
fn ranges_of_all_kinds() {
    same(ranges, input);
}
