//! Types of other crates in shared memory: as cells, and in tiles that asynchronous copies fill.

use half::{bf16, f16};
use num_complex::Complex;
use ptyx::device::async_copy::{Pipeline, Tile};
use ptyx::device::float16::{Bf16x2, Bf16x4, F16x2, F16x4};
use ptyx::device::shared::CellValue;
use ptyx::prelude::*;
use ptyx_test_support::{Rng, rng};
use std::fmt::Debug;

/// Each thread's value by way of a cell, and another one by way of a tile that begins anywhere in `x`.
#[kernel]
fn by_way_of_cells<T: CellValue>(x: &[T], first: usize, mut out: Disjoint<[T; 2]>) {
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let cells = shared!([T; 64]).cells(x[0]);
    let mut pipeline = Pipeline::new(shared!([Tile<T, 64>; 2]));
    let mut stage = pipeline.producer_acquire();
    stage.memcpy_async(0, &x[first..][..64]);
    stage.commit();
    // The last cell keeps what it began with.
    if t < 63 {
        cells.set(t, x[t + 1]);
    }
    let tile = pipeline.consumer_wait();
    out[i] = [cells.get(63 - t), tile.get(63 - t)];
    tile.release();
}

fn check<T: CellValue + Send + PartialEq + Debug>(make: impl Fn(&mut Rng) -> T) {
    let mut rng = rng();
    let x = rng.vec(128, make);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    for first in [0, 1, 2, 8, rng.below(64)] {
        let mut out = DeviceBuffer::filled(64, [x[0]; 2]).unwrap();
        launch!(by_way_of_cells<<<1, 64>>>(&device_x, first, &mut out)).unwrap();
        let want: Vec<[T; 2]> =
            (0..64).map(|t| [if t == 0 { x[0] } else { x[64 - t] }, x[first + 63 - t]]).collect();
        assert_eq!(out.to_vec().unwrap(), want, "{}, {first}", std::any::type_name::<T>());
    }
}

/// Small whole numbers, which every type here has.
fn number(rng: &mut Rng) -> f32 {
    rng.below(200) as f32 - 100.0
}

#[test]
fn halves_and_complex_numbers() {
    check(|rng| f16::from_f32(number(rng)));
    check(|rng| bf16::from_f32(number(rng)));
    check(|rng| F16x2::from_f32(number(rng), number(rng)));
    check(|rng| Bf16x2::from_f32(number(rng), number(rng)));
    check(|rng| F16x4::from_f32([0; 4].map(|_| number(rng))));
    check(|rng| Bf16x4::from_f32([0; 4].map(|_| number(rng))));
    check(|rng| Complex::new(number(rng), number(rng)));
    check(|rng| Complex::new(f64::from(number(rng)), 0.5));
    check(|rng| Complex::new(f16::from_f32(number(rng)), f16::from_f32(number(rng))));
}
