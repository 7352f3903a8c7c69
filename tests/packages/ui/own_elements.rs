// Elements that a thread writes are its own: a number is no index for them.

use ptyx::prelude::*;

#[kernel]
fn by_number(mut y: Disjoint<f32>, n: u32) {
    let i = (block::x() * block::dim_x() + thread::x()) as usize;
    if i < n as usize {
        y[i] = 1.0;
    }
}

#[kernel]
fn by_another_shape(mut y: DisjointArray<f32, 2>) {
    y[thread::index_1d()] = 1.0;
}

fn main() {}
