//! Arrays whose rows lie apart, in kernels.

use ptyx::PitchedBuffer;
use ptyx::prelude::*;
use ptyx_memory_tests::rng;

#[kernel]
fn add(a: Array<f32, 2>, b: Array<f32, 2>, mut sum: DisjointArray<f32, 2>) {
    let place = thread::index_2d();
    if let Some(sum) = sum.get_mut(place) {
        *sum = a[place.get()] + b[place.get()];
    }
}

#[kernel]
fn mirror(from: Array<u8, 3>, to: ArrayMut<u8, 3>) {
    let [z, y, x] = thread::index_3d().get();
    let [planes, rows, columns] = to.shape();
    if z < planes && y < rows && x < columns {
        // SAFETY: each thread writes an element of its own.
        unsafe { to.write([z, y, x], from[[z, y, columns - 1 - x]]) };
    }
}

#[kernel]
fn rows_of_blocks(from: Array<u32, 2>, mut to: Parts<u32, (by::Block, by::ThreadInBlock), 2>) {
    for (row, own) in to.part() {
        for (column, to) in own {
            *to = from[[row, column]].wrapping_mul(row as u32 + 1);
        }
    }
}

#[kernel]
fn tiles_of_threads(mut to: Parts<u32, (by::Tile<by::ThreadY, 2>, by::ThreadX), 2>) {
    for (row, own) in to.part() {
        for (column, to) in own {
            *to = (1000 * row + column) as u32;
        }
    }
}

/// Parts of arrays whose rows lie side by side and apart.
#[test]
fn threads_own_parts_of_pitched_arrays() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..5 {
        let (rows, columns) = (2 + rng.below(20), 2 + rng.below(60));
        let numbers = rng.vec(rows * columns, |rng| rng.next_u32());
        let from = PitchedBuffer::from_slice(&numbers, [rows, columns])?;
        let expected: Vec<u32> = numbers
            .iter()
            .enumerate()
            .map(|(i, number)| number.wrapping_mul((i / columns) as u32 + 1))
            .collect();
        let mut pitched = PitchedBuffer::<u32>::zeroed([rows, columns])?;
        launch!(rows_of_blocks<<<rows as u32, 32>>>(&from, &mut pitched))?;
        assert_eq!(pitched.to_vec()?, expected);
        let mut packed = DeviceBuffer::<u32>::zeroed(rows * columns)?;
        launch!(rows_of_blocks<<<rows as u32, 32>>>(&from, packed.view_mut([rows, columns])))?;
        assert_eq!(packed.to_vec()?, expected);

        // Only a box.
        let mut boxed = PitchedBuffer::filled([rows, columns], 7u32)?;
        let grid = (columns.div_ceil(8) as u32, rows.div_ceil(8) as u32);
        launch!(tiles_of_threads<<<grid, (8, 4)>>>(boxed.part_mut([1..rows, 0..columns - 1])?))?;
        let expected: Vec<u32> = (0..rows * columns)
            .map(|i| match (i / columns, i % columns) {
                (row, column) if row > 0 && column < columns - 1 => {
                    (1000 * (row - 1) + column) as u32
                }
                _ => 7,
            })
            .collect();
        assert_eq!(boxed.to_vec()?, expected);
    }
    Ok(())
}

/// The same kernel with rows side by side and apart.
#[test]
fn pitched_and_packed_arguments() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..5 {
        let (rows, columns) = (2 + rng.below(20), 2 + rng.below(40));
        let a = rng.vec(rows * columns, |rng| rng.next_f32());
        let b = rng.vec(rows * columns, |rng| rng.next_f32());
        let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let pitched = PitchedBuffer::from_slice(&a, [rows, columns])?;
        let packed = DeviceBuffer::from_slice(&b)?;
        let grid = (columns.div_ceil(16) as u32, rows.div_ceil(8) as u32);
        let mut sum = PitchedBuffer::<f32>::zeroed([rows, columns])?;
        launch!(add<<<grid, (16, 8)>>>(&pitched, packed.view([rows, columns]), &mut sum))?;
        assert_eq!(sum.to_vec()?, expected);
        let mut flat = DeviceBuffer::<f32>::zeroed(rows * columns)?;
        let view = flat.view_mut([rows, columns]);
        launch!(add<<<grid, (16, 8)>>>(packed.view([rows, columns]), pitched.view(), view))?;
        assert_eq!(flat.to_vec()?, expected);

        // Only the box is read and written.
        let inner = [1..rows, 1..columns - 1];
        let mut part = PitchedBuffer::filled([rows, columns], 7.0f32)?;
        let (left, right) = (pitched.part(inner.clone())?, packed.view([rows, columns]));
        let right = right.part(inner.clone())?;
        launch!(add<<<grid, (16, 8)>>>(left, &right, part.part_mut(inner.clone())?))?;
        let expected: Vec<f32> = (0..rows * columns)
            .map(|i| {
                let inside = inner[0].contains(&(i / columns)) && inner[1].contains(&(i % columns));
                if inside { expected[i] } else { 7.0 }
            })
            .collect();
        assert_eq!(part.to_vec()?, expected);
    }
    Ok(())
}

#[test]
fn three_dimensions_in_a_kernel() -> ptyx::Result<()> {
    let mut rng = rng();
    let [planes, rows, columns] = [3, 5, 7];
    let bytes = rng.vec(planes * rows * columns, |rng| rng.next_u32() as u8);
    let from = PitchedBuffer::from_slice(&bytes, [planes, rows, columns])?;
    let mut to = PitchedBuffer::<u8, 3>::zeroed([planes, rows, columns])?;
    launch!(mirror<<<1, (8, 8, 4)>>>(&from, to.view_mut()))?;
    let expected: Vec<u8> =
        bytes.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect();
    assert_eq!(to.to_vec()?, expected);
    Ok(())
}

/// A later use on another stream waits for the kernel.
#[test]
fn kernels_and_copies_on_several_streams() -> ptyx::Result<()> {
    let streams = [Stream::new()?, Stream::new()?];
    let ones = PitchedBuffer::filled([8, 16], 1.0f32)?;
    let mut sum = PitchedBuffer::<f32>::zeroed([8, 16])?;
    let mut before = PitchedBuffer::<f32>::zeroed([8, 16])?;
    for step in 0..20 {
        let stream = &streams[step % 2];
        before.view_mut().copy_from_view_on(&sum, &streams[(step + 1) % 2])?;
        launch!(add<<<1, (16, 8), 0, stream>>>(&ones, &before, &mut sum))?;
    }
    assert_eq!(sum.to_vec()?, [20.0; 128]);
    Ok(())
}
