//! `ldmatrix`, `stmatrix`, `movmatrix`, and element-wise access.

use half::f16;
use ptyx::device::mma::{
    A, Accumulator, B, E4m3, Fragment, Layout, Role, S4, Shape, Tf32, transpose,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Rng, capability, pack, rng};

/// Bytes of shared memory for a matrix with gaps.
const ROOM: usize = 4096;

/// Copies the matrix to shared memory, loads its tiles, and writes each element to its row and column.
#[kernel]
fn load<R: Role, T, const ROWS: usize, const COLUMNS: usize>(
    source: &[T::Unit],
    layout: Layout,
    elements: SliceMut<T::Value>,
) where
    T: Shape<R, ROWS, COLUMNS>,
{
    let lane = warp::lane() as usize;
    let tile = shared::dynamic::<T::Unit>(0, source.len());
    for i in (lane..source.len()).step_by(32) {
        // SAFETY: each lane writes its own elements.
        unsafe { tile.at(i).write(source[i]) };
    }
    block::sync();
    // SAFETY: nobody writes after the barrier.
    let fragment: Fragment<R, T, ROWS, COLUMNS> = unsafe { Fragment::load_tiles(tile, layout) };
    fragment.for_each(|row, column, value| {
        // SAFETY: each element is in one place of one lane.
        unsafe { elements.write(row * COLUMNS + column, value) };
    });
}

/// Loads a matrix element by element, and writes its tiles to shared memory and from there to `to`.
#[kernel]
fn store<R: Role, T, const ROWS: usize, const COLUMNS: usize>(
    source: &[T::Unit],
    from: Layout,
    layout: Layout,
    mut to: Disjoint<T::Unit>,
) where
    T: Shape<R, ROWS, COLUMNS>,
{
    let tile = shared::dynamic::<T::Unit>(0, to.len());
    for i in thread::grid_stride(to.len()) {
        // SAFETY: each lane writes its own elements.
        unsafe { tile.at(i.get()).write(to[i]) };
    }
    block::sync();
    let fragment: Fragment<R, T, ROWS, COLUMNS> = Fragment::load(source, from);
    // SAFETY: the only warp.
    unsafe { fragment.store_tiles(tile, layout) };
    block::sync();
    for i in thread::grid_stride(to.len()) {
        // SAFETY: nobody writes after the barrier.
        to[i] = unsafe { tile.at(i.get()).read() };
    }
}

/// A random place for a matrix whose lines have `minor` elements: lines begin at multiples of 16 bytes.
fn place(rng: &mut Rng, by_rows: bool, minor: usize, bits: usize) -> (Layout, usize, usize) {
    let step = 128 / bits;
    let (start, stride) = (step * rng.below(3), minor.next_multiple_of(step) + step * rng.below(3));
    let layout = if by_rows { Layout::row_major(stride) } else { Layout::column_major(stride) };
    (layout.from(start), start, stride)
}

macro_rules! tiles {
    ($($name:ident: $role:ident $type:ty, $rows:literal x $columns:literal, $by_rows:literal, $value:expr;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < 75 {
                println!("skipped: the device has no such instruction");
                return;
            }
            const BITS: usize = <$type as ptyx::device::mma::Element>::BITS as usize;
            let mut rng = rng();
            let (major, minor) = if $by_rows { ($rows, $columns) } else { ($columns, $rows) };
            let (layout, start, stride) = place(&mut rng, $by_rows, minor, BITS);
            let extent = start + (major - 1) * stride + minor;
            let random = rng.vec(extent, |rng| rng.next_u64() & (u64::MAX >> (64 - BITS)));
            let units = pack::<$type>(&random);
            let at = |row: usize, column: usize| {
                let (major, minor) = if $by_rows { (row, column) } else { (column, row) };
                start + major * stride + minor
            };
            let source = DeviceBuffer::from_slice(&units).unwrap();
            let mut elements = DeviceBuffer::zeroed($rows * $columns).unwrap();
            launch!(load::<$role, $type, $rows, $columns><<<1, 32, ROOM>>>(&source, layout, &mut elements)).unwrap();
            for (index, got) in elements.to_vec().unwrap().into_iter().enumerate() {
                let (row, column) = (index / $columns, index % $columns);
                let bits = random[at(row, column)];
                let got: u64 = $value(got);
                assert_eq!(got & (u64::MAX >> (64 - BITS)), bits, "row {row}, column {column}");
            }

            if capability() < 90 {
                println!("stores skipped: the device has no such instruction");
                return;
            }
            let mut other = DeviceBuffer::from_slice(&pack::<$type>(&vec![0; extent])).unwrap();
            launch!(store::<$role, $type, $rows, $columns><<<1, 32, ROOM>>>(&source, layout, layout, &mut other)).unwrap();
            let mut want = vec![0; extent];
            for row in 0..$rows {
                for column in 0..$columns {
                    want[at(row, column)] = random[at(row, column)];
                }
            }
            let same = |a: &[<$type as ptyx::device::mma::Element>::Unit], b: &[_]| {
                a.iter().zip(b).all(|(a, b)| format!("{a:?}") == format!("{b:?}"))
            };
            let (got, want) = (other.to_vec().unwrap(), pack::<$type>(&want));
            assert!(same(&got, &want), "{got:?}\n{want:?}");
        }
    )*};
}

tiles! {
    rows_of_a: A f16, 16 x 16, true, (|value: f16| value.to_bits().into());
    columns_of_a: A f16, 16 x 16, false, (|value: f16| value.to_bits().into());
    rows_of_a_of_two_tiles: A f16, 16 x 8, true, (|value: f16| value.to_bits().into());
    columns_of_b: B f16, 16 x 8, false, (|value: f16| value.to_bits().into());
    rows_of_b: B f16, 16 x 8, true, (|value: f16| value.to_bits().into());
    rows_of_b_of_one_tile: B f16, 8 x 8, true, (|value: f16| value.to_bits().into());
    rows_of_sums: Accumulator f16, 16 x 8, true, (|value: f16| value.to_bits().into());
    columns_of_sums: Accumulator f16, 16 x 8, false, (|value: f16| value.to_bits().into());
    bytes_of_a: A i8, 16 x 32, true, (|value: i8| value.cast_unsigned().into());
    bytes_of_b: B E4m3, 32 x 8, false, u64::from;
    nibbles_of_a: A S4, 16 x 64, true, (|value: i8| value.cast_unsigned().into());
    words_of_a: A Tf32, 16 x 8, true, (|value: f32| value.to_bits().into());
    words_of_b: B Tf32, 8 x 8, false, (|value: f32| value.to_bits().into());
}

#[kernel]
fn transposed(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = transpose(x[i.get()]);
}

#[test]
fn rows_become_columns() {
    let mut rng = rng();
    let elements = rng.vec(64, |rng| rng.next_u64() & 0xffff);
    let words = |at: &dyn Fn(usize, usize) -> u64| -> Vec<u32> {
        (0..32)
            .map(|lane| {
                let (row, column) = (lane / 4, lane % 4 * 2);
                (at(row, column) | at(row, column + 1) << 16) as u32
            })
            .collect()
    };
    let x = DeviceBuffer::from_slice(&words(&|row, column| elements[8 * row + column])).unwrap();
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(transposed<<<1, 32>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), words(&|row, column| elements[8 * column + row]));
}

/// Fragments made of rows and columns, changed, converted.
#[kernel]
fn elements(to: SliceMut<f32>) {
    let start =
        Fragment::<Accumulator, i32, 16, 8>::from_fn(|row, column| (10 * row + column) as i32);
    let sums = start.map(|row, column, value| if row < column { -value } else { value });
    let sums: Fragment<Accumulator, f32, 16, 8> = sums.convert(|sum| sum as f32 / 2.0);
    // SAFETY: the only warp.
    unsafe { sums.store(to, Layout::column_major(16)) };
}

#[test]
fn elements_have_rows_and_columns() {
    let mut out = DeviceBuffer::zeroed(128).unwrap();
    launch!(elements<<<1, 32>>>(&mut out)).unwrap();
    for (index, got) in out.to_vec().unwrap().into_iter().enumerate() {
        let (row, column) = (index % 16, index / 16);
        let half = (10 * row + column) as f32 / 2.0;
        assert_eq!(got, if row < column { -half } else { half }, "row {row}, column {column}");
    }
}

/// What the caller does wrong.
#[kernel]
fn wrong(source: &[f16], layout: Layout, tiles: bool, mut y: Disjoint<u32>) {
    let fragment = if tiles {
        let room = shared::dynamic::<f16>(0, 1024);
        // SAFETY: nobody writes; the values don't matter.
        unsafe { Fragment::<A, f16, 16, 16>::load_tiles(room, layout) }
    } else {
        Fragment::<A, f16, 16, 16>::load(source, layout)
    };
    let i = thread::index_1d();
    y[i] = fragment.registers()[0];
}

#[test]
fn places_are_checked() {
    let source = DeviceBuffer::from_slice(&[f16::ZERO; 256]).unwrap();
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    let mut run = |layout: Layout, tiles: bool| {
        launch!(wrong<<<1, 32, 2048>>>(&source, layout, tiles, &mut y))
            .and_then(|_| y.to_vec())
            .map_err(|error| error.to_string())
    };
    assert!(run(Layout::row_major(16), false).is_ok());
    for (layout, tiles, text) in [
        (Layout::row_major(16).from(1), false, "the matrix does not lie within the slice"),
        (Layout::row_major(17), false, "the matrix does not lie within the slice"),
        (Layout::column_major(usize::MAX), false, "the matrix does not lie within the slice"),
        (Layout::row_major(68), true, "the matrix does not lie within the slice"),
        (Layout::row_major(20), true, "rows of a tile must begin at multiples of 16 bytes"),
        (Layout::row_major(16).from(4), true, "rows of a tile must begin at multiples of 16 bytes"),
    ] {
        let error = run(layout, tiles).expect_err(text);
        assert!(error.contains(text), "{error}");
    }
    assert!(run(Layout::row_major(64), true).is_ok());
}

/// Loads a matrix from shared memory element by element, and writes each element to its row and column.
#[kernel]
fn load_elements<R: Role, T, const ROWS: usize, const COLUMNS: usize>(
    source: &[T::Unit],
    layout: Layout,
    elements: SliceMut<T::Value>,
) where
    T: Shape<R, ROWS, COLUMNS>,
{
    let place = shared::dynamic::<T::Unit>(0, source.len());
    for i in (warp::lane() as usize..source.len()).step_by(32) {
        // SAFETY: each lane writes its own elements.
        unsafe { place.at(i).write(source[i]) };
    }
    block::sync();
    // SAFETY: nobody writes after the barrier.
    let fragment: Fragment<R, T, ROWS, COLUMNS> = unsafe { Fragment::load_shared(place, layout) };
    fragment.for_each(|row, column, value| {
        // SAFETY: each element is in one place of one lane.
        unsafe { elements.write(row * COLUMNS + column, value) };
    });
}

/// Writes sums into shared memory element by element, and from there to `to`, with what was there before.
#[kernel]
fn store_elements<T, const ROWS: usize, const COLUMNS: usize>(
    source: &[T::Unit],
    layout: Layout,
    mut to: Disjoint<T::Unit>,
) where
    T: Shape<Accumulator, ROWS, COLUMNS>,
{
    let place = shared::dynamic::<T::Unit>(0, to.len());
    for i in thread::grid_stride(to.len()) {
        // SAFETY: each lane writes its own elements.
        unsafe { place.at(i.get()).write(to[i]) };
    }
    block::sync();
    let sums = Fragment::<Accumulator, T, ROWS, COLUMNS>::load(source, Layout::row_major(COLUMNS));
    // SAFETY: the only warp.
    unsafe { sums.store_shared(place, layout) };
    block::sync();
    for i in thread::grid_stride(to.len()) {
        // SAFETY: nobody writes after the barrier.
        to[i] = unsafe { place.at(i.get()).read() };
    }
}

macro_rules! elements_in_shared_memory {
    ($rng:expr, $($role:ident $type:ident $rows:literal x $columns:literal: $make:expr, $bits:expr;)*) => {$(
        for by_rows in [true, false] {
            let (lines, length) = if by_rows { ($rows, $columns) } else { ($columns, $rows) };
            // At any element, with any gaps.
            let (start, stride) = ($rng.below(7), length + $rng.below(5));
            let layout =
                if by_rows { Layout::row_major(stride) } else { Layout::column_major(stride) };
            let layout = layout.from(start);
            let source = $rng.vec(start + stride * (lines - 1) + length, $make);
            let at = |row: usize, column: usize| {
                start + if by_rows { row * stride + column } else { column * stride + row }
            };
            let device_source = DeviceBuffer::from_slice(&source).unwrap();
            let mut elements = DeviceBuffer::zeroed($rows * $columns).unwrap();
            launch!(load_elements::<$role, $type, $rows, $columns><<<1, 32, ROOM>>>(
                &device_source, layout, &mut elements
            ))
            .unwrap();
            for (index, got) in elements.to_vec().unwrap().into_iter().enumerate() {
                let (row, column) = (index / $columns, index % $columns);
                assert_eq!($bits(got), $bits(source[at(row, column)]), "row {row}, column {column}");
            }
        }
    )*};
}

#[test]
fn elements_from_shared_memory() {
    let mut rng = rng();
    elements_in_shared_memory! { rng,
        A f16 16 x 16: |rng| f16::from_bits(rng.next_u32() as u16), f16::to_bits;
        B i8 32 x 8: |rng| rng.next_u32() as i8, i8::cast_unsigned;
        B f64 4 x 8: |rng| rng.next_f64(), f64::to_bits;
        Accumulator i32 16 x 8: |rng| rng.next_u32().cast_signed(), i32::cast_unsigned;
    }
}

macro_rules! sums_in_shared_memory {
    ($rng:expr, $($type:ident $rows:literal x $columns:literal: $make:expr;)*) => {$(
        for by_rows in [true, false] {
            let (lines, length) = if by_rows { ($rows, $columns) } else { ($columns, $rows) };
            let (start, stride) = ($rng.below(7), length + $rng.below(5));
            let layout =
                if by_rows { Layout::row_major(stride) } else { Layout::column_major(stride) };
            let sums = $rng.vec($rows * $columns, $make);
            let before = $rng.vec(start + stride * (lines - 1) + length + 3, $make);
            let mut to = DeviceBuffer::from_slice(&before).unwrap();
            launch!(store_elements::<$type, $rows, $columns><<<1, 32, ROOM>>>(
                &DeviceBuffer::from_slice(&sums).unwrap(), layout.from(start), &mut to
            ))
            .unwrap();
            let mut want = before;
            for row in 0..$rows {
                for column in 0..$columns {
                    let at = if by_rows { row * stride + column } else { column * stride + row };
                    want[start + at] = sums[row * $columns + column];
                }
            }
            assert_eq!(to.to_vec().unwrap(), want, "{} by rows: {by_rows}", stringify!($type));
        }
    )*};
}

#[test]
fn sums_to_shared_memory() {
    let mut rng = rng();
    sums_in_shared_memory! { rng,
        f32 16 x 8: |rng| rng.next_f32();
        i32 16 x 8: |rng| rng.next_u32().cast_signed();
        f64 8 x 8: |rng| rng.next_f64();
    }
}
