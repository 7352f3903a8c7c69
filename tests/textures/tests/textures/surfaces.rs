//! Surfaces: every size of texels, all dimensions, and what lies outside.

use half::f16;
use ptyx::device::texture::{
    D1, D1Layered, D2Layered, D3, Surface1D, Surface1DLayered, Surface2D, Surface2DLayered,
    Surface3D, Texel, Texture2D,
};
use ptyx::prelude::*;
use ptyx::{CudaArray, Surface, Texture};
use ptyx_texture_tests::{Rng, rng};

/// Moves each texel to the place opposite, and notes it; threads outside change nothing and find zeros.
#[kernel]
fn turn_2d<T: Texel>(from: Surface2D<T>, to: Surface2D<T>, mut out: DisjointArray<T, 2>) {
    let (x, y) = (thread::x(), thread::y());
    let texel = from.read(x, y);
    if let Some(out) = out.get_mut(thread::index_2d()) {
        *out = texel;
    }
    to.write(
        to.width().wrapping_sub(x).wrapping_sub(1),
        to.height().wrapping_sub(y).wrapping_sub(1),
        texel,
    );
}

fn random<T: Texel>(rng: &mut Rng, len: usize) -> Vec<T> {
    rng.vec(len, |rng| {
        let bits = [rng.next_u64(), rng.next_u64()];
        // SAFETY: texels are at most 16 bytes of numbers, of which every bit pattern is a value.
        unsafe { (&raw const bits).cast::<T>().read() }
    })
}

/// The bytes of texels, which may be NaN.
fn bytes<T: Texel>(texels: &[T]) -> Vec<u8> {
    let (first, len) = (texels.as_ptr().cast::<u8>(), size_of_val(texels));
    // SAFETY: numbers have no padding.
    unsafe { core::slice::from_raw_parts(first, len) }.to_vec()
}

fn turn<T: Texel>(rng: &mut Rng) -> ptyx::Result<()> {
    let [rows, columns] = [1 + rng.below(12), 1 + rng.below(12)];
    let texels = random::<T>(rng, rows * columns);
    let mut from = CudaArray::<T>::from_slice(&texels, [rows, columns])?;
    let mut to = CudaArray::<T>::zeroed([rows, columns])?;
    let mut out = DeviceBuffer::<T>::zeroed(16 * 16)?;
    let (mut x, mut y) = (Surface::new(&mut from)?, Surface::new(&mut to)?);
    launch!(turn_2d::<T><<<1, (16, 16)>>>(&mut x, &mut y, out.view_mut([16, 16])))?;
    drop((x, y));
    let turned: Vec<T> = texels.iter().rev().copied().collect();
    assert_eq!(bytes(&to.to_vec()?), bytes(&turned));
    assert_eq!(bytes(&from.to_vec()?), bytes(&texels));
    let out = out.to_vec()?;
    for (row, found) in out.chunks(16).enumerate() {
        let inside = if row < rows { columns } else { 0 };
        let wanted = &texels[row.min(rows - 1) * columns..][..inside];
        assert_eq!(bytes(&found[..inside]), bytes(wanted), "row {row}");
        assert!(bytes(&found[inside..]).iter().all(|&byte| byte == 0), "row {row}");
    }
    Ok(())
}

#[test]
fn texels_of_every_size() -> ptyx::Result<()> {
    let mut rng = rng();
    turn::<u8>(&mut rng)?;
    turn::<[i8; 2]>(&mut rng)?;
    turn::<[u8; 4]>(&mut rng)?;
    turn::<f16>(&mut rng)?;
    turn::<[u16; 4]>(&mut rng)?;
    turn::<f32>(&mut rng)?;
    turn::<[i32; 2]>(&mut rng)?;
    turn::<[f32; 4]>(&mut rng)
}

/// Places as far outside as can be: whatever a number of bytes wraps around to, nothing is there.
#[kernel]
fn write_far<T: Texel>(to: Surface2D<T>, far: &[[u32; 2]], texel: T, mut out: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x, y] = far[i.get()];
        to.write(x, y, texel);
        *out = to.read(x, y);
    }
}

#[test]
fn far_outside_is_nothing() -> ptyx::Result<()> {
    let mut rng = rng();
    let mut far = vec![[u32::MAX, 0], [0, u32::MAX], [1 << 31, 0], [0, 1 << 31], [8, 0], [0, 8]];
    far.extend((26..32).map(|bit| [1 << bit, 0]));
    far.extend((26..32).map(|bit| [(1u32 << bit).wrapping_add(rng.below(8) as u32), 0]));
    let places = DeviceBuffer::from_slice(&far)?;
    let mut array = CudaArray::<[u32; 4]>::zeroed([8, 8])?;
    let mut out = DeviceBuffer::filled(far.len(), [1u32; 4])?;
    let mut surface = Surface::new(&mut array)?;
    launch!(write_far::<[u32; 4]><<<1, 32>>>(&mut surface, &places, [7u32; 4], &mut out))?;
    drop(surface);
    assert!(array.to_vec()?.iter().all(|texel| *texel == [0; 4]));
    assert!(out.to_vec()?.iter().all(|texel| *texel == [0; 4]));
    Ok(())
}

#[kernel]
fn number_1d(x: Surface1D<u32>) {
    x.write(thread::x(), 1 + thread::x());
}

#[kernel]
fn number_3d(x: Surface3D<u32>) {
    let i = thread::idx();
    x.write(i.x, i.y, i.z, 1 + i.x + 10 * i.y + 100 * i.z + 1000 * x.depth());
}

#[kernel]
fn number_layers_1d(x: Surface1DLayered<u32>) {
    let i = thread::idx();
    if i.y < x.layers() {
        x.write(i.x, i.y, 1 + i.x + 10 * i.y);
    }
}

#[kernel]
fn number_layers_2d(x: Surface2DLayered<u32>) {
    let i = thread::idx();
    if i.z < x.layers() {
        x.write(i.x, i.y, i.z, 1 + i.x + 10 * i.y + 100 * i.z);
    }
}

/// All indices of a shape, the last runs fastest.
fn numbered(shape: [usize; 3]) -> Vec<u32> {
    let [depth, rows, columns] = shape.map(|side| side as u32);
    let mut all = Vec::new();
    for z in 0..depth {
        for y in 0..rows {
            all.extend((0..columns).map(|x| 1 + x + 10 * y + 100 * z));
        }
    }
    all
}

#[test]
fn all_dimensions() -> ptyx::Result<()> {
    let mut rng = rng();
    let shape = [1 + rng.below(6), 1 + rng.below(6), 1 + rng.below(6)];
    let [depth, rows, columns] = shape;
    let mut array = CudaArray::<u32, D1>::zeroed([columns])?;
    launch!(number_1d<<<1, 8>>>(&mut Surface::new(&mut array)?))?;
    assert_eq!(array.to_vec()?, numbered([1, 1, columns]));
    let mut array = CudaArray::<u32, D3>::zeroed(shape)?;
    launch!(number_3d<<<1, (8, 8, 8)>>>(&mut Surface::new(&mut array)?))?;
    let deep = 1000 * depth as u32;
    let wanted: Vec<u32> = numbered(shape).iter().map(|number| number + deep).collect();
    assert_eq!(array.to_vec()?, wanted);
    let mut array = CudaArray::<u32, D1Layered>::zeroed([rows, columns])?;
    launch!(number_layers_1d<<<1, (8, 8)>>>(&mut Surface::new(&mut array)?))?;
    assert_eq!(array.to_vec()?, numbered([1, rows, columns]));
    let mut array = CudaArray::<u32, D2Layered>::zeroed(shape)?;
    launch!(number_layers_2d<<<1, (8, 8, 8)>>>(&mut Surface::new(&mut array)?))?;
    assert_eq!(array.to_vec()?, numbered(shape));
    Ok(())
}

#[kernel]
fn add_one(x: Surface2D<u32>) {
    let (column, row) = (thread::x(), block::x());
    x.write(column, row, x.read(column, row) + 1);
}

#[kernel]
fn copy_texels(x: Texture2D<u32>, mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = x.fetch(thread::x() as f32 + 0.5, block::x() as f32 + 0.5);
    }
}

#[test]
fn streams_wait_for_each_other() -> ptyx::Result<()> {
    let mut rng = rng();
    let texels = rng.vec(64 * 64, |rng| rng.next_u32() >> 1);
    let mut array = CudaArray::<u32>::from_slice(&texels, [64, 64])?;
    let streams = [Stream::new()?, Stream::new()?, Stream::new()?];
    let mut out = DeviceBuffer::<u32>::zeroed(64 * 64)?;
    for round in 1..=6 {
        let [first, second, third] = &streams;
        let stream = [first, second][round % 2];
        launch!(add_one<<<64, 64, 0, stream>>>(&mut Surface::new(&mut array)?))?;
        let texture = Texture::<u32>::new(&array)?;
        launch!(copy_texels<<<64, 64, 0, third>>>(&texture, &mut out))?;
        drop(texture);
        let wanted: Vec<u32> = texels.iter().map(|texel| texel + round as u32).collect();
        assert_eq!(out.to_vec()?, wanted, "round {round}");
        array.copy_to_buffer_on(&mut out, second)?;
        assert_eq!(out.to_vec()?, wanted, "round {round}");
    }
    Ok(())
}
