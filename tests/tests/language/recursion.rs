//! Recursion: direct, mutual, through function pointers and trait objects.

use crate::harness::{digest, edgy, same};

fn ackermann(m: u32, n: u32) -> u32 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

fn is_even(n: u32) -> bool {
    n == 0 || is_odd(n - 1)
}

fn is_odd(n: u32) -> bool {
    n != 0 && is_even(n - 1)
}

fn hanoi(disks: u32, from: u8, to: u8, by: u8, moves: &mut impl FnMut(u8, u8)) {
    if disks > 0 {
        hanoi(disks - 1, from, by, to, moves);
        moves(from, to);
        hanoi(disks - 1, by, to, from, moves);
    }
}

fn direct(&x: &u64) -> [u64; 4] {
    let mut log = 0u64;
    hanoi(x as u32 % 6, 0, 2, 1, &mut |from, to| {
        log = log.wrapping_mul(9).wrapping_add(u64::from(3 * from + to));
    });
    let ackermann = ackermann(x as u32 % 3, (x >> 8) as u32 % 5);
    [log, ackermann.into(), is_even(x as u32 % 30).into(), is_odd(x as u32 % 30).into()]
}

#[test]
fn direct_and_mutual() {
    same(direct, edgy);
}

fn quicksort<T: Copy + PartialOrd>(x: &mut [T]) {
    let [pivot, ..] = *x else { return };
    let (mut less, mut same) = (0, 1);
    for i in 1..x.len() {
        if x[i] < pivot {
            x.swap(i, same);
            x.swap(same, less);
            less += 1;
            same += 1;
        } else if x[i] == pivot {
            x.swap(i, same);
            same += 1;
        }
    }
    quicksort(&mut x[..less]);
    quicksort(&mut x[same..]);
}

/// All orders of the elements, by recursion with a callback.
fn permutations(x: &mut [u8], fixed: usize, visit: &mut dyn FnMut(&[u8])) {
    if fixed == x.len() {
        return visit(x);
    }
    for i in fixed..x.len() {
        x.swap(fixed, i);
        permutations(x, fixed + 1, visit);
        x.swap(fixed, i);
    }
}

fn divide_and_conquer(x: &[u64; 16]) -> [u64; 3] {
    let mut sorted = *x;
    quicksort(&mut sorted);
    let mut letters = [x[0] as u8, x[1] as u8, 3, x[2] as u8];
    let (mut count, mut state) = (0, 0u64);
    permutations(&mut letters, 0, &mut |order| {
        count += 1;
        state = state.rotate_left(3) ^ digest(order);
    });
    [digest(sorted), count, state]
}

#[test]
fn divide_and_conquer_in_place() {
    same(divide_and_conquer, |rng| core::array::from_fn(|_| edgy(rng) >> rng.below(64)));
}

/// An expression of references to expressions, evaluated through trait objects.
trait Expression {
    fn value(&self, x: i64) -> i64;
    fn depth(&self) -> u32;
}

struct Constant(i64);
struct Variable;
struct Binary<'a>(fn(i64, i64) -> i64, &'a dyn Expression, &'a dyn Expression);

impl Expression for Constant {
    fn value(&self, _: i64) -> i64 {
        self.0
    }
    fn depth(&self) -> u32 {
        1
    }
}

impl Expression for Variable {
    fn value(&self, x: i64) -> i64 {
        x
    }
    fn depth(&self) -> u32 {
        1
    }
}

impl Expression for Binary<'_> {
    fn value(&self, x: i64) -> i64 {
        (self.0)(self.1.value(x), self.2.value(x))
    }
    fn depth(&self) -> u32 {
        1 + self.1.depth().max(self.2.depth())
    }
}

/// Sends itself on: recursion that no compiler can see through.
fn countdown(step: fn(u64, &dyn Fn(u64) -> u64) -> u64, x: u64) -> u64 {
    step(x, &|x| countdown(step, x))
}

fn indirect(&[a, b]: &[i64; 2]) -> [i64; 4] {
    let (x, constant) = (Variable, Constant(b));
    let sum = Binary(i64::wrapping_add, &x, &constant);
    let product = Binary(i64::wrapping_mul, &sum, &sum);
    let chosen: &dyn Expression = if a % 2 == 0 { &product } else { &constant };
    let all = Binary(|a, b| a ^ b.rotate_left(9), chosen, &product);
    let down = countdown(|x, on| if x == 0 { 0 } else { 1 + on(x / 2) }, a.unsigned_abs() >> 40);
    let table: [fn(u32) -> bool; 2] = [is_even, is_odd];
    let parity = table[b as usize % 2](a as u32 % 20);
    [all.value(a), all.depth().into(), down as i64, parity.into()]
}

#[test]
fn through_trait_objects_and_function_pointers() {
    same(indirect, |rng| core::array::from_fn(|_| edgy(rng).cast_signed()));
}
