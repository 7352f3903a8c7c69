//! Types of other crates in shared memory: as cells, and in tiles that asynchronous copies fill.

use half::{bf16, f16};
use num_complex::Complex;
use ptyx::device::async_copy::{Pipeline, Tile};
use ptyx::device::float16::{Bf16x2, Bf16x4, F16x2, F16x4};
use ptyx::device::shared::CellValue;
use ptyx::device::vector::{F32x2, F32x4};
use ptyx::prelude::*;
use ptyx_test_support::images::{count, entry};
use ptyx_test_support::{Rng, rng};
use std::fmt::Debug;

/// Each thread's value by way of a cell, and others by way of a tile that begins anywhere in `x`: copied by the block
/// together, by fours, and one by one.
#[kernel]
fn by_way_of_cells<T: CellValue>(x: &[T], first: usize, mut out: Disjoint<[T; 4]>) {
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let cells = shared!([T; 64]).cells(x[0]);
    let mut pipeline = Pipeline::new(shared!([Tile<T, 192>; 2]));
    let mut stage = pipeline.producer_acquire();
    stage.memcpy_async(0, &x[first..][..64]);
    if t < 16 {
        stage.copy_array(64 + 4 * t, x[first + 4 * t..].first_chunk::<4>().unwrap());
    }
    stage.copy(128 + t, &x[first + t]);
    stage.commit();
    // The last cell keeps what it began with.
    if t < 63 {
        cells.set(t, x[t + 1]);
    }
    let tile = pipeline.consumer_wait();
    let [a, b, c] = [63, 127, 191].map(|last| tile.get(last - t));
    out[i] = [cells.get(63 - t), a, b, c];
    tile.release();
}

fn check<T: CellValue + Send + PartialEq + Debug>(make: impl Fn(&mut Rng) -> T) {
    let mut rng = rng();
    let x = rng.vec(128, make);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    for first in [0, 1, 2, 8, rng.below(64)] {
        let mut out = DeviceBuffer::filled(64, [x[0]; 4]).unwrap();
        launch!(by_way_of_cells<<<1, 64>>>(&device_x, first, &mut out)).unwrap();
        let of_thread = |t: usize| {
            let copied = x[first + 63 - t];
            [if t == 0 { x[0] } else { x[64 - t] }, copied, copied, copied]
        };
        let want: Vec<[T; 4]> = (0..64).map(of_thread).collect();
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
    check(number);
    check(|rng| rng.next_u32() as u8);
    check(|rng| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
    check(|rng| F32x4::new([0; 4].map(|_| number(rng))));
    check(|rng| Complex::new(number(rng), number(rng)));
    check(|rng| Complex::new(f64::from(number(rng)), 0.5));
    check(|rng| Complex::new(f16::from_f32(number(rng)), f16::from_f32(number(rng))));
}

/// Cells of vectors in shared memory.
#[kernel]
fn cells_of_vectors(x: &[F32x4], pairs: &[F32x2], mut out: Disjoint<F32x4>) {
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let tile = shared!([F32x4; 64]).cells(x[0]);
    let other = shared!([F32x2; 64]).cells(pairs[0]);
    tile.set(t, x[i.get()]);
    other.set(t, pairs[i.get()]);
    block::sync();
    let [a, b] = other.get(63 - t).to_array();
    out[i] = tile.get(63 - t) * F32x4::new([a, b, b, a]);
}

/// One instruction for each: of 16 bytes two words side by side, of 8 bytes one. Nobody writes after the barrier, so that of 8 bytes
/// is loaded like an element of a plain array (`weaken_loads`).
#[test]
fn cells_of_vectors_are_single_instructions() {
    let mut rng = rng();
    let x = rng.vec(64, |rng| F32x4::new([0; 4].map(|_| number(rng))));
    let pairs = rng.vec(64, |rng| F32x2::new([0; 2].map(|_| number(rng))));
    let (device_x, device_pairs) =
        (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&pairs).unwrap());
    let mut out = DeviceBuffer::filled(64, F32x4::default()).unwrap();
    launch!(cells_of_vectors<<<1, 64>>>(&device_x, &device_pairs, &mut out)).unwrap();
    let of_thread = |t: usize| {
        let ([a, b], x) = (pairs[63 - t].to_array(), x[63 - t].to_array());
        F32x4::new([a * x[0], b * x[1], b * x[2], a * x[3]])
    };
    assert_eq!(out.to_vec().unwrap(), (0..64).map(of_thread).collect::<Vec<_>>());
    let ptx = entry("cells::cells_of_vectors");
    assert_eq!(count(&ptx, "ld.relaxed.cta.shared.v2.b64"), 1, "{ptx}");
    assert_eq!(count(&ptx, "ld.relaxed"), 1, "{ptx}");
    assert_eq!(count(&ptx, "ld.shared"), 1, "{ptx}");
}
