// Barriers that some lanes of a warp leave out, and others that look like it.

use ptyx::prelude::*;

#[kernel]
fn one_thread_waits(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if thread::x() == 0 {
        block::sync();
    }
    y[i] = 1;
    block::sync();
}

fn sum_of_half(value: u32) -> u32 {
    if warp::lane() < 16 { group::tile::<32>().reduce(value, |a, b| a + b) } else { 0 }
}

#[kernel]
fn half_a_warp(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = sum_of_half(i.get() as u32);
    y[i] += group::tile::<32>().reduce(y[i], |a, b| a + b);
}

#[kernel]
fn odd_threads_go_on(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let cells = shared!([u32; 64]).cells(0);
    for round in 0..4 {
        if thread::rank() % 2 == 0 && y[i] > round {
            cells.set(thread::x() as usize, round);
            group::grid().sync();
        }
        y[i] += cells.get(0);
    }
    group::grid().sync();
}

/// Not refused: the others return, whole warps come, or it is said that lanes come one by one.
#[kernel]
fn fine(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if thread::x() / 32 == 0 {
        block::sync();
    }
    if warp::lane() == 0 {
        block::sync_divergent();
    } else {
        block::sync_divergent();
    }
    if i.get() >= y.len() {
        return;
    }
    block::sync();
    y[i] = 2;
    if warp::lane() == 3 {
        block::sync();
        y[i] = 3;
    }
    y[i] += 1;
}

fn main() {
    let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
    launch!(one_thread_waits<<<1, 64>>>(&mut y)).unwrap();
    launch!(half_a_warp<<<1, 64>>>(&mut y)).unwrap();
    launch!(odd_threads_go_on<<<1, 64>>>(&mut y)).unwrap();
    launch!(fine<<<1, 64>>>(&mut y)).unwrap();
}
