// Operations of a cluster, on matrices and of a part of a warp that some lanes leave out, and others that look like it.

use ptyx::device::group::LaneGroup;
use ptyx::device::mma::{A, Accumulator, B, Fragment, mma};
use ptyx::prelude::*;

type Sums = Fragment<Accumulator, i32, 16, 8>;

fn product(x: i8, sums: Sums) -> Sums {
    mma(Fragment::<A, i8, 16, 32>::filled(x), Fragment::<B, i8, 32, 8>::filled(1), sums)
}

fn total(sums: Sums) -> i32 {
    let mut total = 0i32;
    sums.for_each(|_, _, sum| total = total.wrapping_add(sum));
    total
}

#[kernel]
fn one_thread_waits_for_the_cluster(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if thread::x() == 0 {
        group::cluster().sync();
    }
    y[i] = 1;
    group::cluster().sync();
}

#[kernel]
fn half_a_warp_multiplies(x: i8, mut y: Disjoint<i32>) {
    let i = thread::index_1d();
    let mut sums = Sums::filled(0);
    if warp::lane() < 16 {
        sums = product(x, sums);
    }
    y[i] = total(sums);
}

#[kernel]
fn three_of_eight(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let eight = group::tile::<8>();
    if eight.rank() < 3 {
        y[i] = eight.reduce(y[i], |a, b| a ^ b);
    }
    y[i] += eight.reduce(y[i], |a, b| a ^ b);
}

/// Not refused: whole warps multiply, whole parts of a warp come, and lanes that need no others.
#[kernel]
fn fine(x: i8, mut y: Disjoint<i32>) {
    let i = thread::index_1d();
    let mut sums = Sums::filled(0);
    if thread::x() / 32 == 1 {
        sums = product(x, sums);
    }
    y[i] = total(sums);
    let four = group::tile::<4>();
    if warp::lane() % 8 < 4 {
        y[i] += four.reduce(y[i], |a, b| a ^ b);
    }
    if warp::lane() == 0 {
        y[i] += group::coalesced().reduce(y[i], |a, b| a ^ b);
    }
    y[i] += four.reduce(y[i], |a, b| a ^ b);
}

fn main() {
    let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
    let mut sums = DeviceBuffer::<i32>::zeroed(64).unwrap();
    launch!(one_thread_waits_for_the_cluster<<<1, 64>>>(&mut y)).unwrap();
    launch!(half_a_warp_multiplies<<<1, 64>>>(1, &mut sums)).unwrap();
    launch!(three_of_eight<<<1, 64>>>(&mut y)).unwrap();
    launch!(fine<<<1, 64>>>(1, &mut sums)).unwrap();
}
