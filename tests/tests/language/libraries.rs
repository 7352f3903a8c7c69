//! Kernels of a library: launched by it, by this program, by both; its code in this crate's kernels.

use crate::harness::{Rng, rng, same};
use ptyx::prelude::*;
use ptyx_test_library as library;
use ptyx_test_library::{Length, Point};

fn numbers(rng: &mut Rng) -> Vec<u64> {
    let len = 1 + rng.below(500);
    rng.vec(len, Rng::next_u64)
}

#[test]
fn a_kernel_is_launched_by_both() {
    let mut rng = rng();
    let x = numbers(&mut rng);
    let coefficients: [u64; 3] = core::array::from_fn(|_| rng.next_u64());
    let want: Vec<u64> = x.iter().map(|&x| library::horner(&coefficients, x)).collect();

    let mut by_library = DeviceBuffer::from_slice(&x).unwrap();
    library::evaluate_cubic(coefficients, &mut by_library).unwrap();
    assert_eq!(by_library.to_vec().unwrap(), want);

    let mut from_here = DeviceBuffer::from_slice(&x).unwrap();
    launch!(library::evaluate<<<8, 64>>>(coefficients, &mut from_here)).unwrap();
    assert_eq!(from_here.to_vec().unwrap(), want);

    // An instance that the library knows nothing of.
    let longer: [u64; 7] = core::array::from_fn(|_| rng.next_u64());
    launch!(library::evaluate<<<8, 64>>>(longer, &mut from_here)).unwrap();
    let want: Vec<u64> = want.iter().map(|&x| library::horner(&longer, x)).collect();
    assert_eq!(from_here.to_vec().unwrap(), want);
}

#[test]
fn a_generic_launch_of_the_library_takes_our_functions() {
    let mut rng = rng();
    let x = numbers(&mut rng);
    let by = rng.next_u64() | 1;
    let mut y = DeviceBuffer::from_slice(&x).unwrap();
    library::transform_with(move |x: u64| x.wrapping_mul(by), &mut y).unwrap();
    library::transform_with(u64::swap_bytes, &mut y).unwrap();
    launch!(library::transform<<<8, 64>>>(|x: u64| x ^ 0xff, &mut y)).unwrap();
    let want: Vec<u64> = x.iter().map(|x| x.wrapping_mul(by).swap_bytes() ^ 0xff).collect();
    assert_eq!(y.to_vec().unwrap(), want);

    let points = rng.vec(100, |rng| Point { x: rng.next_u32(), y: rng.next_u32() });
    let mut on_device = DeviceBuffer::from_slice(&points).unwrap();
    let mirror = |Point { x, y }: Point| Point { x: y, y: x };
    library::transform_with(mirror, &mut on_device).unwrap();
    assert_eq!(on_device.to_vec().unwrap(), points.into_iter().map(mirror).collect::<Vec<_>>());
}

/// A type of this crate with a trait of the library's, beside the library's own.
struct Segment(u64);

impl Length for Segment {
    fn squared(&self) -> u64 {
        self.0.wrapping_mul(self.0)
    }
}

fn lengths(&(point, x): &(Point, u64)) -> [u64; 4] {
    let segment = Segment(x);
    let all: [&dyn Length; 2] = [&point, &segment];
    let polynomial = library::horner(&[x, u64::from(point.x)], x);
    [all[x as usize % 2].tag(), segment.tag(), polynomial, library::SEED]
}

#[test]
fn functions_statics_and_traits_of_the_library() {
    same(lengths, |rng| (Point { x: rng.next_u32(), y: rng.next_u32() }, rng.next_u64()));
}
