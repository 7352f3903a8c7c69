//! Columns of pixels (im2col) of images whose channels lie in slices: random ones, against plain loops.
//!
//! By 2026-11-27 no hardware had run them. The emulated device takes the order of dimensions from tiles of interleaved layouts,
//! as an H200 has them: columns, rows, .., slices, images.

use super::probes::Zero;
use super::{ROOM, UNTOUCHED, clear, fill, tell};
use half::{bf16, f16};
use ptyx::device::barrier::{Barrier, State};
use ptyx::device::bulk;
use ptyx::device::tma::{
    Add, Element, Im2colMap, Im2colMapMut, Interleaved16, Interleaved32, Placed, Reduction, Tile,
    TileShape,
};
use ptyx::device::wgmma::{B64, B128};
use ptyx::prelude::*;
use ptyx::{BoundingBox, Error, TensorRule};
use ptyx_tensor_memory_tests::columns::Column;
use ptyx_tensor_memory_tests::{Rng, alone, bytes, device_has_them, elements, rng, swizzled};

/// Loads a column, and writes all the bytes of the room for it, and whether it has arrived.
#[kernel]
fn peek_column<K: TileShape, const D: usize, const N: usize, S: Placed>(
    x: Im2colMap<K, D, S>,
    from: [i32; D],
    offsets: [u16; N],
    out: SliceMut<u8>,
) {
    let room = shared!([Tile<K, S>; ROOM]);
    let arrived = Barrier::new(shared!(State), 1);
    clear(room, out.len() - 1);
    if thread::rank() == 0 {
        x.prefetch_l2(from, offsets);
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(room.at(0), from, offsets, arrived) };
    }
    tell(room, arrived, out);
}

/// Stores a column of these bytes.
#[kernel]
fn push_column<K: TileShape, const D: usize, S: Placed>(
    y: Im2colMapMut<K, D, S>,
    to: [i32; D],
    bytes: &[u8],
) {
    let tile = shared!(Tile<K, S>);
    fill(tile, bytes);
    if thread::rank() == 0 {
        // SAFETY: nobody writes the tile, or uses the images.
        unsafe { y.store(tile, to) };
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// Combines the images with a column of these bytes, in each block.
#[kernel]
fn combine_column<K: TileShape, const D: usize, S: Placed, R: Reduction<K::Element>>(
    y: Im2colMapMut<K, D, S>,
    to: [i32; D],
    bytes: &[u8],
    _by: [R; 0],
) {
    let tile = shared!(Tile<K, S>);
    fill(tile, bytes);
    if thread::rank() == 0 {
        // SAFETY: nobody writes the tile; all blocks combine.
        unsafe { y.reduce::<R>(tile, to) };
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// The box of pixels of a column.
pub(super) fn pixels_of<const N: usize>(column: &Column) -> BoundingBox<N> {
    let corner = |corner: &[i32]| corner.try_into().unwrap();
    BoundingBox::new(corner(&column.lower), corner(&column.upper))
        .steps(column.steps[..].try_into().unwrap())
}

/// What [`peek_column`] found in the room for a tile, and whether its barrier's phase was complete.
pub(super) fn peeked<K: TileShape, const D: usize, const N: usize, S: Placed>(
    map: &ptyx::Im2colMap<'_, K, D, S>,
    column: &Column,
) -> ptyx::Result<(Vec<u8>, bool)> {
    let (from, offsets) = (column.from[..].try_into(), column.offsets[..].try_into());
    let (from, offsets): ([i32; D], [u16; N]) = (from.unwrap(), offsets.unwrap());
    let mut out = DeviceBuffer::filled(ROOM * size_of::<Tile<K, S>>() + 1, 0xeeu8)?;
    launch!(peek_column::<K, D, N, S><<<1, 64>>>(map, from, offsets, &mut out))?;
    let mut found = out.to_vec()?;
    let is_complete = found.pop() == Some(1);
    Ok((found, is_complete))
}

/// Stores a column of these bytes.
pub(super) fn pushed<K: TileShape, const D: usize, const N: usize, S: Placed>(
    map: &mut ptyx::Im2colMapMut<'_, K, D, S>,
    column: &Column,
    tile: &[u8],
) -> ptyx::Result<()> {
    let to: [i32; D] = column.from[..].try_into().unwrap();
    let tile = DeviceBuffer::from_slice(tile)?;
    launch!(push_column::<K, D, S><<<1, 64>>>(map, to, &tile))
}

/// What a column of elements with these bytes is in shared memory.
pub(super) fn loaded<K: TileShape, S: Placed>(column: &Column, x: &[u8]) -> Vec<u8> {
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    let size = size_of::<K::Element>();
    let mut tile = vec![0; channels * pixels * size];
    for (pixel, place) in column.pixels(pixels).into_iter().enumerate() {
        for channel in 0..channels {
            let offset = (pixel * channels + channel) * size;
            let to = &mut tile[swizzled(offset, S::SWIZZLE.width())..][..size];
            if let Some(place) = place {
                to.copy_from_slice(&x[(place + channel) * size..][..size]);
            }
        }
    }
    tile
}

/// Columns of one type, of random images from random pixels on.
fn check<K: TileShape, const D: usize, const N: usize, S: Placed>(rng: &mut Rng) {
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    let (size, name) = (size_of::<K::Element>(), core::any::type_name::<(K, S)>());
    assert_eq!(channels * size, S::SLICE);
    for pixel in 0..pixels {
        for channel in 0..channels {
            let offset = swizzled((pixel * channels + channel) * size, S::SWIZZLE.width());
            assert_eq!(Tile::<K, S>::offset(K::Index::of([pixel, channel])), offset, "{name}");
        }
    }
    for _ in 0..8 {
        let column = Column::random::<N>(rng, channels, false);
        let what = format!("{name} of {column:?}");
        let x = elements::<K::Element>(rng, column.len());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let all: [usize; D] = column.size[..].try_into().unwrap();
        let map = ptyx::Im2colMap::<K, D, S>::new(&device_x, all, &pixels_of::<N>(&column));
        let (found, is_complete) = peeked::<K, D, N, S>(&map.expect(&what), &column).expect(&what);
        assert!(is_complete, "{what}: other bytes came than {}", Tile::<K, S>::BYTES);
        let (tile, rest) = found.split_at(size_of::<K>());
        assert_eq!(tile, loaded::<K, S>(&column, &bytes(&x)), "{what}");
        assert!(rest.iter().all(|&byte| byte == UNTOUCHED), "{what}: bytes behind the tile");

        // The tile's bytes are stored elsewhere.
        let column = Column::random::<N>(rng, channels, true);
        let what = format!("{name} to {column:?}");
        let y = elements::<K::Element>(rng, column.len());
        let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
        let all: [usize; D] = column.size[..].try_into().unwrap();
        let window = pixels_of::<N>(&column);
        let mut map = ptyx::Im2colMapMut::<K, D, S>::new(&mut device_y, all, &window).unwrap();
        pushed::<K, D, N, S>(&mut map, &column, tile).expect(&what);
        let mut want = bytes(&y);
        stored::<K, S>(&column, tile, size, &mut want, |old, new| old.copy_from_slice(new));
        assert_eq!(bytes(&device_y.to_vec().expect(&what)), want, "{what}");
    }
}

/// Combines the elements of images with those of a column, as bytes.
pub(super) fn stored<K: TileShape, S: Placed>(
    column: &Column,
    tile: &[u8],
    size: usize,
    images: &mut [u8],
    mut combine: impl FnMut(&mut [u8], &[u8]),
) {
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    for (pixel, place) in column.pixels(pixels).into_iter().enumerate() {
        let Some(place) = place else { continue };
        for channel in 0..channels {
            let offset = swizzled((pixel * channels + channel) * size, S::SWIZZLE.width());
            let to = &mut images[(place + channel) * size..][..size];
            combine(to, &tile[offset..][..size]);
        }
    }
}

/// An index of two dimensions.
trait Of {
    fn of(index: [usize; 2]) -> Self;
}

impl<T: AsRef<[usize]> + Copy> Of for T {
    fn of(index: [usize; 2]) -> T {
        assert_eq!(size_of::<T>(), size_of_val(&index));
        // SAFETY: a column's index is two numbers.
        unsafe { (&raw const index).cast::<T>().read() }
    }
}

macro_rules! columns {
    ($($name:ident: $shape:ty, $dimensions:literal, $pixels:literal, $layout:ty;)*) => {$(
        #[test]
        fn $name() {
            alone(concat!("interleave::columns::", stringify!($name)), || {
                if device_has_them() {
                    check::<$shape, $dimensions, $pixels, $layout>(&mut rng());
                }
            });
        }
    )*};
}

columns! {
    slices_of_16_bytes_in_3_dimensions: [[u16; 8]; 21], 3, 1, Interleaved16;
    slices_of_16_bytes_in_4_dimensions: [[f16; 8]; 64], 4, 2, Interleaved16;
    slices_of_16_bytes_in_5_dimensions: [[u8; 16]; 150], 5, 3, Interleaved16;
    slices_of_16_bytes_of_f32: [[f32; 4]; 31], 4, 2, Interleaved16;
    slices_of_16_bytes_of_f64: [[f64; 2]; 40], 3, 1, Interleaved16;
    slices_of_16_bytes_with_swizzle_64: [[bf16; 8]; 48], 4, 2, Interleaved16<B64>;
    slices_of_16_bytes_with_swizzle_128: [[i32; 4]; 72], 4, 2, Interleaved16<B128>;
    slices_of_32_bytes_in_3_dimensions: [[u16; 16]; 21], 3, 1, Interleaved32;
    slices_of_32_bytes_in_4_dimensions: [[f16; 16]; 64], 4, 2, Interleaved32;
    slices_of_32_bytes_in_5_dimensions: [[i64; 4]; 50], 5, 3, Interleaved32;
}

const BLOCKS: usize = 3;

/// Adds a column of elements that `value` makes, in several blocks.
fn reduce<K: TileShape, const D: usize, const N: usize, S: Placed>(
    rng: &mut Rng,
    value: impl Fn(&mut Rng) -> K::Element,
    add: impl Fn(K::Element, K::Element) -> K::Element,
) where
    Add: Reduction<K::Element>,
{
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    let size = size_of::<K::Element>();
    let column = Column::random::<N>(rng, channels, true);
    let what = format!("{} to {column:?}", core::any::type_name::<(K, S)>());
    let (x, y) = (rng.vec(channels * pixels, &value), rng.vec(column.len(), &value));
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    let (all, to) = (column.size[..].try_into().unwrap(), column.from[..].try_into().unwrap());
    let (all, to): ([usize; D], [i32; D]) = (all, to);
    let window = pixels_of::<N>(&column);
    let mut map = ptyx::Im2colMapMut::<K, D, S>::new(&mut device_y, all, &window).unwrap();
    let (none, tile): ([Add; 0], _) = ([], DeviceBuffer::from_slice(&bytes(&x)).unwrap());
    launch!(combine_column::<K, D, S, Add><<<BLOCKS, 64>>>(&mut map, to, &tile, none)).unwrap();
    let mut want = bytes(&y);
    stored::<K, S>(&column, &bytes(&x), size, &mut want, |old, new| {
        let element = |bytes: &[u8]| {
            // SAFETY: elements are numbers, all of whose bit patterns are values.
            unsafe { bytes.as_ptr().cast::<K::Element>().read_unaligned() }
        };
        let sum = (0..BLOCKS).fold(element(old), |sum, _| add(sum, element(new)));
        old.copy_from_slice(&bytes(&[sum]));
    });
    assert_eq!(bytes(&device_y.to_vec().expect(&what)), want, "{what}");
}

#[test]
fn reductions_of_columns() {
    alone("interleave::columns::reductions_of_columns", || {
        if !device_has_them() {
            return;
        }
        let rng = &mut rng();
        reduce::<[[u32; 4]; 30], 4, 2, Interleaved16>(rng, Rng::next_u32, u32::wrapping_add);
        reduce::<[[u64; 4]; 30], 3, 1, Interleaved32>(rng, Rng::next_u64, u64::wrapping_add);
        let small = |rng: &mut Rng| f16::from_f32(rng.below(100) as f32 - 50.0);
        reduce::<[[f16; 8]; 64], 5, 3, Interleaved16<B128>>(rng, small, |a, b| a + b);
    });
}

type Pixels<T, const C: usize> = [[T; C]; 16];

/// The rule that images break.
fn broken<T: Element, const C: usize, S: Placed>(
    size: [usize; 4],
    pixels: &BoundingBox<2>,
    from: usize,
) -> TensorRule
where
    Pixels<T, C>: TileShape<Element = T>,
{
    let x = DeviceBuffer::<T>::filled(4096, T::ZERO).unwrap();
    match ptyx::Im2colMap::<Pixels<T, C>, 4, S>::new(x.slice(from..), size, pixels) {
        Err(Error::TensorMap(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_of_columns() {
    if !device_has_them() {
        return;
    }
    let (all, size) = (BoundingBox::new([0, 0], [0, 0]), [2, 3, 4, 5]);
    let b16 = broken::<u16, 8, Interleaved16>;
    let far = |dimension, corner| TensorRule::Corner { dimension, corner, most: 127 };
    for (rule, want) in [
        (b16([2, 3, 9, 10], &all, 0), TensorRule::Length { needed: 4320, len: 4096 }),
        (b16([2, 0, 4, 5], &all, 0), TensorRule::Size { dimension: 1, size: 0 }),
        (b16(size, &BoundingBox::new([-129, 0], [0, 0]), 0), far(2, -129)),
        (b16(size, &BoundingBox::new([0, 0], [0, 128]), 0), far(3, 128)),
        (b16(size, &all.steps([9, 1]), 0), TensorRule::Step { dimension: 2, step: 9 }),
        (b16(size, &all.steps([1, 9]), 0), TensorRule::Step { dimension: 3, step: 9 }),
    ] {
        assert_eq!(rule, want);
    }
    let rule = broken::<u16, 16, Interleaved32>(size, &all, 8);
    assert!(matches!(rule, TensorRule::SliceAddress { address } if address % 32 == 16), "{rule}");

    let mut y = DeviceBuffer::<u16>::zeroed(4096).unwrap();
    let padded = BoundingBox::new([0, -2], [0, 0]);
    type Stored<'a> = ptyx::Im2colMapMut<'a, Pixels<u16, 8>, 4, Interleaved16>;
    let rule = match Stored::new(&mut y, size, &padded) {
        Err(Error::TensorMap(rule)) => rule,
        other => panic!("{other:?}"),
    };
    assert_eq!(rule, TensorRule::StoredPadding { dimension: 3, corner: -2 });
    let map = Stored::new(&mut y, size, &all).unwrap();
    assert_eq!(
        format!("{map:?}"),
        "Im2colMapMut([[u16; 8]; 16] of 4 dimensions, None, slices of 16 bytes)"
    );
}
