//! Closures: captures, returned and nested ones, and all three call traits.

use crate::harness::{edgy, same};

fn apply<T, R>(
    times: usize,
    mut f: impl FnMut(usize, T) -> R,
    mut next: impl FnMut(R) -> T,
    start: T,
) -> T {
    (0..times).fold(start, |value, i| next(f(i, value)))
}

fn adder(by: u64) -> impl Fn(u64) -> u64 + Copy {
    move |x| x.wrapping_add(by)
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn curried(a: u64) -> impl Fn(u64) -> (u64, [u64; 2]) {
    let squares = [a.wrapping_mul(a), a ^ 1];
    move |b| (a.wrapping_sub(b), squares)
}

/// A closure that keeps an array by value, and the iterator that it drives.
fn table(values: [u64; 8]) -> impl Fn(usize) -> Option<u64> + Copy {
    move |i| values.get(i).copied()
}

fn captures(&[a, b, c]: &[u64; 3]) -> [u64; 8] {
    let both = compose(adder(a), adder(b));
    let thrice = compose(&both, compose(&both, &both));
    let lookup = table(core::array::from_fn(|i| a.rotate_left(i as u32) ^ b));
    let (first, squares) = curried(c)(a);

    let mut log = [0u64; 4];
    let mut count = 0;
    let mut record = |x: u64| {
        log[count % 4] ^= x;
        count += 1;
        count
    };
    record(a);
    record(b);
    for i in 0..c % 7 {
        record(i);
    }

    let owned = [a, b, c];
    let consume = move || owned.into_iter().fold(0, |x: u64, y| x.wrapping_mul(3) ^ y);
    let once: u64 = call_once(consume);
    let pairs = apply(
        (b % 6) as usize,
        |i, (x, y): (u64, u64)| (y, x.wrapping_add(i as u64), c),
        |(x, y, z)| (x ^ z, y),
        (a, b),
    );
    let deep = |x: u64| move |y: u64| move |z: u64| x.wrapping_mul(y) ^ z;
    [
        thrice(c),
        lookup(c as usize % 10).unwrap_or(5),
        first ^ squares[0] ^ squares[1],
        log.iter().fold(count as u64, |x, y| x.rotate_left(9) ^ y),
        once,
        pairs.0,
        pairs.1,
        deep(a)(b)(c),
    ]
}

fn call_once<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[test]
fn captured_and_returned() {
    same(captures, |rng| core::array::from_fn(|_| edgy(rng)));
}

/// The kernel's argument is itself a closure that holds closures.
#[test]
fn closures_with_captures_as_arguments() {
    let (scale, offset) = (3u64, [7u64, 11, 13]);
    fn affine(
        scale: u64,
        offset: [u64; 3],
    ) -> impl Fn(&(u64, usize)) -> u64 + Copy + Send + 'static {
        let inner = move |x: u64| x.wrapping_mul(scale);
        let pick = move |i: usize| offset[i % 3];
        move |&(x, i)| inner(x).wrapping_add(pick(i))
    }
    same(affine(scale, offset), |rng| (edgy(rng), rng.below(100)));
}

/// Closures in structures with generic fields, and a visitor that borrows what it changes.
struct Pipeline<F, G> {
    map: F,
    keep: G,
}

impl<F: Fn(i64) -> i64, G: Fn(&i64) -> bool> Pipeline<F, G> {
    fn run<'a>(&'a self, x: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
        x.iter().map(|&x| (self.map)(x)).filter(|x| (self.keep)(x))
    }

    fn then<H: Fn(i64) -> i64>(self, next: H) -> Pipeline<impl Fn(i64) -> i64, G> {
        let map = self.map;
        Pipeline { map: move |x| next(map(x)), keep: self.keep }
    }
}

fn pipelines(x: &[i64; 8]) -> [i64; 3] {
    let limit = x[0];
    let pipeline = Pipeline { map: |x: i64| x.wrapping_mul(5), keep: move |x: &i64| *x > limit };
    let first = pipeline.run(x).fold(0, i64::wrapping_add);
    let pipeline = pipeline.then(|x| x ^ 0xff).then(move |x| x.wrapping_sub(limit));
    let second = pipeline.run(&x[2..]).fold(0, i64::wrapping_add);
    [first, second, pipeline.run(x).count() as i64]
}

#[test]
fn closures_in_structures() {
    same(pipelines, |rng| core::array::from_fn(|_| edgy(rng).cast_signed()));
}
