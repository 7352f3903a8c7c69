//! Trait objects and function pointers.

use crate::harness::{edgy, same};
use core::any::{Any, TypeId};
use core::fmt::Debug;

trait Named {
    fn name(&self) -> &'static str;
}

trait Shape: Named {
    fn area(&self) -> u64;
    fn scaled_area(&self, by: u64) -> u64 {
        self.area().wrapping_mul(by).wrapping_mul(by)
    }
    fn grow(&mut self, by: u64);
}

struct Square(u64);
struct Rectangle {
    width: u64,
    height: u64,
}
struct Nothing;

impl Named for Square {
    fn name(&self) -> &'static str {
        "square"
    }
}
impl Shape for Square {
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.0)
    }
    fn grow(&mut self, by: u64) {
        self.0 = self.0.wrapping_add(by);
    }
}
impl Named for Rectangle {
    fn name(&self) -> &'static str {
        "rectangle"
    }
}
impl Shape for Rectangle {
    fn area(&self) -> u64 {
        self.width.wrapping_mul(self.height)
    }
    fn grow(&mut self, by: u64) {
        self.width = self.width.wrapping_add(by);
        self.height ^= by;
    }
}
impl Named for Nothing {
    fn name(&self) -> &'static str {
        ""
    }
}
impl Shape for Nothing {
    fn area(&self) -> u64 {
        0
    }
    fn scaled_area(&self, by: u64) -> u64 {
        by
    }
    fn grow(&mut self, _: u64) {}
}

fn shapes(&[a, b, pick]: &[u64; 3]) -> [u64; 5] {
    let (mut square, mut rectangle, mut nothing) =
        (Square(a), Rectangle { width: a, height: b }, Nothing);
    let all: [&mut dyn Shape; 3] = [&mut square, &mut rectangle, &mut nothing];
    let mut names = 0;
    for (i, shape) in all.into_iter().enumerate() {
        if pick >> i & 1 == 1 {
            shape.grow(b);
        }
        names += shape.name().len() as u64;
    }
    let all: [&dyn Shape; 3] = [&square, &rectangle, &nothing];
    let one = all[pick as usize % 3];
    let named: &dyn Named = one;
    let sum = all.iter().fold(0u64, |sum, shape| sum.wrapping_add(shape.scaled_area(a)));
    [sum, one.area(), named.name().len() as u64, names, size_of_val(one) as u64]
}

#[test]
fn trait_objects() {
    same(shapes, |rng| core::array::from_fn(|_| edgy(rng)));
}

fn downcasts(&[a, b]: &[u64; 2]) -> [u64; 3] {
    let (small, large) = (a as u16, (a, b));
    let values: [&dyn Any; 3] = [&small, &large, &"text"];
    let value = values[b as usize % 3];
    let found = if let Some(small) = value.downcast_ref::<u16>() {
        u64::from(*small)
    } else if let Some((x, y)) = value.downcast_ref::<(u64, u64)>() {
        x ^ y
    } else {
        value.downcast_ref::<&str>().map_or(99, |text| text.len() as u64)
    };
    let same = value.type_id() == TypeId::of::<u16>();
    [found, same.into(), value.is::<&str>().into()]
}

#[test]
fn any_and_downcasts() {
    same(downcasts, |rng| [edgy(rng), edgy(rng)]);
}

type Operation = fn(u64, u64) -> u64;

fn minimum<T: Ord + Debug>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// A table of plain functions, methods of core, generic instances and a closure.
static OPERATIONS: [Operation; 6] = [
    u64::wrapping_add,
    u64::wrapping_mul,
    minimum::<u64>,
    |a, b| a.rotate_left(b as u32 % 64),
    <u64 as core::ops::BitXor>::bitxor,
    u64::abs_diff,
];

fn select(which: u64) -> Option<Operation> {
    OPERATIONS.get(which as usize % 8).copied()
}

fn compose(f: Operation, g: Operation, a: u64, b: u64) -> u64 {
    g(f(a, b), f(b, a))
}

fn calls(&[a, b, which]: &[u64; 3]) -> [u64; 3] {
    let chosen = select(which).map_or(u64::MAX, |operation| operation(a, b));
    let composed = match (select(which >> 8), select(which >> 16)) {
        (Some(f), Some(g)) => compose(f, g, a, b),
        (Some(_), None) => 1,
        (None, Some(_)) => 2,
        (None, None) => 3,
    };
    let folded = OPERATIONS.iter().rev().fold(a, |state, operation| operation(state, b));
    [chosen, composed, folded]
}

#[test]
fn function_pointers() {
    same(calls, |rng| core::array::from_fn(|_| edgy(rng)));
}

/// A structure with behaviour given as data, and a trait object of a closure.
struct Machine<'a> {
    step: &'a dyn Fn(u64) -> u64,
    stop: fn(u64) -> bool,
    trace: &'a mut dyn FnMut(u64),
}

impl Machine<'_> {
    fn run(&mut self, mut state: u64) -> u64 {
        for _ in 0..20 {
            if (self.stop)(state) {
                break;
            }
            state = (self.step)(state);
            (self.trace)(state);
        }
        state
    }
}

fn machines(&[a, b]: &[u64; 2]) -> [u64; 3] {
    let (mut count, mut last) = (0u64, 0);
    let mut trace = |state| {
        count += 1;
        last = state;
    };
    let step =
        move |state: u64| if state % 2 == 0 { state / 2 } else { (3 * (state & 0xffff)) ^ b };
    let end = Machine { step: &step, stop: |state| state <= 1, trace: &mut trace }.run(a);
    [end, count, last]
}

#[test]
fn closures_as_trait_objects() {
    same(machines, |rng| [edgy(rng), edgy(rng)]);
}
