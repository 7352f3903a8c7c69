//! Products whose factors and sums go through shared memory in phases, and into parts of buffers, without `unsafe`.

use half::f16;
use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
use ptyx::device::shared::Phase;
use ptyx::prelude::*;
use ptyx_tensor_tests::{Rng, alone_with, rng};

/// Each warp has 16 rows, in pairs.
type Rows = (by::Tile<by::Warp, 16, by::Quad>, by::LaneInQuad, by::Whole);
/// The same of a block's memory.
type RowsOfBlock = (by::Tile<by::WarpInBlock, 16, by::Quad>, by::LaneInQuad, by::Whole);

/// `c = a * b` by two warps a block, with steps of 16 along K. `b` lies column after column, 24 of them.
#[kernel]
fn product(a: Array<f16, 2>, b: Array<f16, 2>, mut c: Parts<f32, Rows, 3>, mut writing: Phase) {
    let rows = phased!([[f16; 24]; 32], by::Shape<16, (by::ThreadInBlockY, by::ThreadInBlockX)>);
    let columns = phased!([[f16; 24]; 24], by::Shape<16, (by::ThreadInBlockY, by::ThreadInBlockX)>);
    let first = 32 * block::rank() as usize;
    let k = a.shape()[1];
    let (y, x) = (thread::rank() as usize / 16, thread::rank() as usize % 16);
    let mut sums = [Fragment::<Accumulator, f32, 16, 8>::filled(0.0); 3];
    for from in (0..k).step_by(16) {
        for part in 0..8 {
            let row = first + y + 4 * part;
            let value = a.get([row, from + x]).copied().unwrap_or(f16::ZERO);
            rows.set(&mut writing, [part, 0], value);
        }
        for part in 0..6 {
            columns.set(&mut writing, [part, 0], b[[y + 4 * part, from + x]]);
        }
        let reading = writing.sync();
        let own = Layout::row_major(24).at(16 * warp::id() as usize, 0);
        let left = Fragment::<A, f16, 16, 16>::load_phased(rows, &reading, own);
        for (at, sum) in sums.iter_mut().enumerate() {
            let columns_of_it = Layout::column_major(24).at(0, 8 * at);
            let right = Fragment::<B, f16, 16, 8>::load_phased(columns, &reading, columns_of_it);
            *sum = mma(left, right, *sum);
        }
        writing = reading.sync();
    }
    for (at, sum) in sums.into_iter().enumerate() {
        sum.store_part(&mut c.part(), 0, at);
    }
}

fn integers(rng: &mut Rng, count: usize) -> Vec<f16> {
    rng.vec(count, |rng| f16::from_f64(rng.below(17) as f64 - 8.0))
}

/// Rows beyond the end of the matrix are left out.
#[test]
fn a_product_without_unsafe() {
    let mut rng = rng();
    for rows in [64, 1 + rng.below(90)] {
        let k = 16 * (1 + rng.below(4));
        let (a, b) = (integers(&mut rng, rows * k), integers(&mut rng, 24 * k));
        let device_a = DeviceBuffer::from_slice(&a).unwrap();
        let device_b = DeviceBuffer::from_slice(&b).unwrap();
        let mut c = DeviceBuffer::filled(rows * 24, f32::NAN).unwrap();
        launch!(product<<<rows.div_ceil(32) as u32, 64>>>(
            device_a.view([rows, k]), device_b.view([24, k]), c.view_mut([rows, 12, 2]), shared::PHASES
        ))
        .unwrap();
        for (at, got) in c.to_vec().unwrap().into_iter().enumerate() {
            let (row, column) = (&a[at / 24 * k..][..k], &b[at % 24 * k..][..k]);
            let want: f64 = row.iter().zip(column).map(|(a, b)| a.to_f64() * b.to_f64()).sum();
            assert_eq!(f64::from(got), want, "{rows} rows, K {k}, element {at}");
        }
    }
}

/// Sums in shared memory, which all threads then read: each writes the sum of a column of its block.
#[kernel]
fn column_sums(x: &[i32], mut sums: Parts<i32, (by::Block, by::ThreadInBlock), 2>, phase: Phase) {
    let tile = phased!([[[i32; 2]; 12]; 64], RowsOfBlock);
    let mut writing = phase;
    let first = 64 * block::rank() as usize + 16 * warp::id() as usize;
    for column in 0..3 {
        let own = Layout::row_major(24).at(first, 8 * column);
        let matrix = Fragment::<Accumulator, i32, 16, 8>::load(x, own);
        matrix.store_part(&mut tile.part(&mut writing), 0, column);
    }
    let reading = writing.sync();
    let tile = tile.as_ref(&reading);
    for (_, own) in sums.part() {
        for (column, sum) in own {
            *sum = tile.iter().map(|row| row[column / 2][column % 2]).sum();
        }
    }
}

#[test]
fn sums_in_shared_memory() {
    let mut rng = rng();
    let x: Vec<i32> = rng.vec(2 * 64 * 24, |rng| rng.next_u32() as i32 >> 8);
    let mut sums = DeviceBuffer::filled(2 * 24, 7).unwrap();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    launch!(column_sums<<<2, 128>>>(&device_x, sums.view_mut([2, 24]), shared::PHASES)).unwrap();
    for (at, got) in sums.to_vec().unwrap().into_iter().enumerate() {
        let (block, column) = (&x[at / 24 * 64 * 24..][..64 * 24], at % 24);
        let want: i32 = block.iter().skip(column).step_by(24).sum();
        assert_eq!(got, want, "block {}, column {column}", at / 24);
    }
}

#[kernel]
fn other_division(mut y: Parts<i32, (by::Tile<by::Warp, 16, by::Lane>, by::Whole, by::Whole), 3>) {
    let sums = Fragment::<Accumulator, i32, 16, 8>::filled(1);
    sums.store_part(&mut y.part(), 0, 0);
}

#[test]
fn other_divisions_are_no_places_for_sums() {
    alone_with("owned::other_divisions_are_no_places_for_sums", &[], || {
        let mut y = DeviceBuffer::zeroed(16 * 8).unwrap();
        launch!(other_division<<<1, 32>>>(y.view_mut([16, 4, 2]))).unwrap();
        let error = Stream::default().unwrap().synchronize().unwrap_err().to_string();
        assert!(error.contains("not divided as sums are"), "{error}");
    });
}
