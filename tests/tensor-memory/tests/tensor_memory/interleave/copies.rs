//! Loads, stores and reductions of random tiles, against plain loops.

use super::{UNTOUCHED, arrives, combine, peeked, push, sides};
use half::{bf16, f16};
use ptyx::device::barrier::{Barrier, State};
use ptyx::device::float8::F8E4M3;
use ptyx::device::tma::{self, Ring};
use ptyx::device::tma::{
    Add, Element, Interleaved16, Interleaved32, MapMemory, Max, Placed, Reduction, TensorMap, Tile,
    TileShape, Xor,
};
use ptyx::device::wgmma::{B32, B64, B128};
use ptyx::prelude::*;
use ptyx::{Fill, TensorOptions};
use ptyx_tensor_memory_tests::interleaved::{Images, order};
use ptyx_tensor_memory_tests::{
    Rng, alone, bytes, device_has_them, elements, is_nan, rng, swizzled,
};

/// The bytes of random images' elements.
fn random<T: Element>(rng: &mut Rng, images: &Images) -> Vec<u8> {
    bytes(&elements::<T>(rng, images.len()))
}

/// A buffer of elements with these bytes.
fn upload<T: Element>(bytes: &[u8]) -> DeviceBuffer<T> {
    let size = size_of::<T>();
    let all: Vec<T> = bytes
        .chunks(size)
        // SAFETY: elements are numbers, all of whose bit patterns are values.
        .map(|bytes| unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
        .collect();
    DeviceBuffer::from_slice(&all).unwrap()
}

/// Tiles of one type, of random images at random places.
fn check<K: TileShape, S: Placed>(rng: &mut Rng, max_step: usize, fill: Fill)
where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let index = |numbers: &[usize]| K::Index::try_from(numbers).ok().unwrap();
    let place = |numbers: &[i32]| K::Coordinates::try_from(numbers).ok().unwrap();
    let (sides, size) = (sides::<K>(), size_of::<K::Element>());
    let slice = S::SLICE / size;
    for _ in 0..6 {
        let images = Images::random(rng, &sides, slice, max_step);
        let x = random::<K::Element>(rng, &images);
        let device_x = upload::<K::Element>(&x);
        let from = images.starts(rng, &sides);
        let options = TensorOptions::<K>::new()
            .strides(index(&images.strides))
            .steps(index(&images.steps))
            .fill(fill);
        let name = core::any::type_name::<(K, S)>();
        let what = format!("{name} of {images:?} from {from:?}");
        let map =
            ptyx::TensorMap::<K, S>::with(&device_x, index(&images.size), &options).expect(&what);
        let (found, is_complete) = peeked(&map, place(&from)).expect(&what);
        assert!(is_complete, "{what}: other bytes came than {}", Tile::<K, S>::BYTES);
        for (number, at) in order(&sides).iter().enumerate() {
            let offset = swizzled(number * size, S::SWIZZLE.width());
            assert_eq!(offset, Tile::<K, S>::offset(index(at)), "{name}, {at:?}");
            let got = &found[offset..][..size];
            match images.place(&from, at) {
                Some(place) => assert_eq!(got, &x[place * size..][..size], "{what}, {at:?}"),
                None if fill == Fill::Nan => {
                    assert!(is_nan::<K::Element>(got), "{got:?}: {what}, {at:?}");
                }
                None => assert!(got.iter().all(|&byte| byte == 0), "{got:?}: {what}, {at:?}"),
            }
        }
        let rest = &found[size_of::<K>()..];
        assert!(rest.iter().all(|&byte| byte == UNTOUCHED), "{what}: bytes behind the tile");

        // The tile's bytes are stored elsewhere.
        let to: Vec<i32> = images.starts(rng, &sides).iter().map(|at| at.abs()).collect();
        let what = format!("{name} of {images:?} to {to:?}");
        let mut y = random::<K::Element>(rng, &images);
        let mut device_y = upload::<K::Element>(&y);
        let mut map =
            ptyx::TensorMapMut::<K, S>::with(&mut device_y, index(&images.size), &options)
                .expect(&what);
        let tile = &found[..size_of::<K>()];
        let device_tile = DeviceBuffer::from_slice(tile).unwrap();
        launch!(push::<K, S><<<1, 64>>>(&mut map, place(&to), &device_tile)).unwrap();
        for (number, at) in order(&sides).iter().enumerate() {
            let value = &tile[swizzled(number * size, S::SWIZZLE.width())..][..size];
            if let Some(place) = images.place(&to, at) {
                y[place * size..][..size].copy_from_slice(value);
            }
        }
        assert_eq!(bytes(&device_y.to_vec().expect(&what)), y, "{what}");
    }
}

macro_rules! copies {
    ($($name:ident($steps:literal, $fill:ident): $shape:ty, $layout:ty;)*) => {$(
        #[test]
        fn $name() {
            alone(concat!("interleave::copies::", stringify!($name)), || {
                if device_has_them() {
                    check::<$shape, $layout>(&mut rng(), $steps, Fill::$fill);
                }
            });
        }
    )*};
}

copies! {
    slices_of_16_bytes_in_3_dimensions(1, Zero): [[[u16; 8]; 8]; 3], Interleaved16;
    slices_of_16_bytes_in_4_dimensions(1, Zero): [[[[u16; 8]; 3]; 8]; 2], Interleaved16;
    slices_of_16_bytes_in_5_dimensions(1, Zero): [[[[[u16; 8]; 2]; 3]; 8]; 2], Interleaved16;
    slices_of_16_bytes_of_u8(1, Zero): [[[[u8; 16]; 2]; 16]; 1], Interleaved16;
    slices_of_16_bytes_of_i8(1, Zero): [[[i8; 32]; 16]; 1], Interleaved16;
    slices_of_16_bytes_of_i16(1, Zero): [[[[i16; 16]; 3]; 8]; 1], Interleaved16;
    slices_of_16_bytes_of_u32(1, Zero): [[[[u32; 4]; 3]; 4]; 3], Interleaved16;
    slices_of_16_bytes_of_f32(1, Nan): [[[[f32; 4]; 3]; 4]; 2], Interleaved16;
    slices_of_16_bytes_of_f64(1, Nan): [[[f64; 6]; 2]; 3], Interleaved16;
    slices_of_16_bytes_with_steps(3, Zero): [[[[f16; 8]; 3]; 8]; 2], Interleaved16;
    slices_of_16_bytes_with_swizzle_32(1, Zero): [[[[u64; 8]; 5]; 2]; 2], Interleaved16<B32>;
    slices_of_16_bytes_with_swizzle_64(1, Nan): [[[[bf16; 16]; 3]; 8]; 2], Interleaved16<B64>;
    slices_of_16_bytes_with_swizzle_128(1, Zero): [[[[i32; 16]; 3]; 4]; 2], Interleaved16<B128>;
    slices_of_32_bytes_in_3_dimensions(1, Zero): [[[u16; 8]; 16]; 3], Interleaved32;
    slices_of_32_bytes_in_4_dimensions(1, Nan): [[[[f16; 8]; 3]; 16]; 2], Interleaved32;
    slices_of_32_bytes_in_5_dimensions(1, Zero): [[[[[u16; 8]; 2]; 3]; 16]; 2], Interleaved32;
    slices_of_32_bytes_of_f8(1, Zero): [[[[F8E4M3; 16]; 2]; 32]; 2], Interleaved32;
    slices_of_32_bytes_of_f32(2, Nan): [[[[f32; 4]; 3]; 8]; 2], Interleaved32;
    slices_of_32_bytes_of_i64(1, Zero): [[[[i64; 4]; 2]; 4]; 2], Interleaved32;
}

const BLOCKS: usize = 3;

/// Reductions of values that `value` makes.
fn reduce<K: TileShape, S: Placed, R: Reduction<K::Element> + Copy + Send + 'static>(
    rng: &mut Rng,
    value: impl Fn(&mut Rng) -> K::Element,
    combined: impl Fn(K::Element, K::Element) -> K::Element,
) where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let (sides, size) = (sides::<K>(), size_of::<K::Element>());
    let slice = S::SLICE / size;
    let images = Images::random(rng, &sides, slice, 1);
    let index = |numbers: &[usize]| K::Index::try_from(numbers).ok().unwrap();
    let options = TensorOptions::<K>::new().strides(index(&images.strides));
    let (x, mut y) = (rng.vec(size_of::<K>() / size, &value), rng.vec(images.len(), &value));
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    let to: Vec<i32> = images.starts(rng, &sides).iter().map(|at| at.abs()).collect();
    let what = format!("{} of {images:?} to {to:?}", core::any::type_name::<(K, S, R)>());
    let mut map =
        ptyx::TensorMapMut::<K, S>::with(&mut device_y, index(&images.size), &options).unwrap();
    let tile = DeviceBuffer::from_slice(&bytes(&x)).unwrap();
    let (none, at): ([R; 0], _) = ([], K::Coordinates::try_from(&to[..]).ok().unwrap());
    launch!(combine::<K, S, R><<<BLOCKS, 64>>>(&mut map, at, &tile, none)).unwrap();
    for (number, at) in order(&sides).iter().enumerate() {
        let value = x[swizzled(number * size, S::SWIZZLE.width()) / size];
        if let Some(place) = images.place(&to, at) {
            for _ in 0..BLOCKS {
                y[place] = combined(y[place], value);
            }
        }
    }
    assert_eq!(bytes(&device_y.to_vec().expect(&what)), bytes(&y), "{what}");
}

#[test]
fn reductions() {
    alone("interleave::copies::reductions", || {
        if !device_has_them() {
            return;
        }
        let rng = &mut rng();
        type Pixels<T, const C: usize> = [[[[T; 8]; 2]; C]; 2];
        reduce::<Pixels<u32, 4>, Interleaved16, Add>(rng, Rng::next_u32, u32::wrapping_add);
        reduce::<Pixels<u64, 4>, Interleaved32, Xor>(rng, Rng::next_u64, |a, b| a ^ b);
        let small = |rng: &mut Rng| f16::from_f32(rng.below(100) as f32 - 50.0);
        reduce::<Pixels<f16, 8>, Interleaved16<B128>, Add>(rng, small, |a, b| a + b);
        reduce::<Pixels<f16, 16>, Interleaved32, Max>(rng, small, f16::max);
    });
}

type Pixels = [[[[u16; 8]; 2]; 8]; 2];

/// The bytes of a tile, by a map that the block makes of a template, in each block of the cluster.
#[kernel]
fn drafted(
    template: TensorMap<Pixels, Interleaved16>,
    x: &[u16],
    size: [usize; 4],
    strides: [usize; 4],
    at: [i32; 4],
    maps: SliceMut<MapMemory>,
    mut out: Disjoint<[u8; 16]>,
) {
    let tile = shared!(Tile<Pixels, Interleaved16>);
    let arrived = Barrier::new(shared!(State), 1);
    let (cluster, lane) = (group::cluster(), warp::lane());
    if lane == 0 {
        arrived.arrive_expect_tx(Tile::<Pixels, Interleaved16>::BYTES).forget();
    }
    cluster.sync(); // all barriers are initialised
    if cluster.block_rank() == 0 {
        // SAFETY: the block has the memory for its map; the tensor lies in `x`. The tile is read after the phase, and no
        // block ends before the next `sync`.
        unsafe {
            let draft = template.draft(shared!(MapMemory));
            if lane == 0 {
                draft.place(x.as_ptr(), size, strides);
            }
            let map = draft.publish(maps.as_mut_ptr());
            if lane == 0 {
                map.load_to_cluster(tile, at, arrived, 0b11);
            }
        }
    }
    let is_complete = arrives(arrived);
    let i = thread::index_1d();
    out[i] = core::array::from_fn(|byte| match is_complete {
        // SAFETY: the phase is complete, and nobody writes.
        true => unsafe { tile.bytes().at(16 * lane as usize + byte).read() },
        false => UNTOUCHED,
    });
    cluster.sync();
}

#[test]
fn maps_of_templates_and_loads_for_a_cluster() {
    alone("interleave::copies::maps_of_templates_and_loads_for_a_cluster", || {
        if !device_has_them() {
            return;
        }
        let (rng, sides) = (&mut rng(), sides::<Pixels>());
        let other = DeviceBuffer::<u16>::zeroed(2 * 3 * 8 * 8).unwrap();
        let template = ptyx::TensorMap::<Pixels, Interleaved16>::new(&other, [1, 2, 3, 8]).unwrap();
        for _ in 0..4 {
            let images = Images::random(rng, &sides, 8, 1);
            let x = random::<u16>(rng, &images);
            let from = images.starts(rng, &sides);
            let device_x = upload::<u16>(&x);
            let mut maps = DeviceBuffer::filled(1, MapMemory::default()).unwrap();
            let mut out = DeviceBuffer::filled(64, [9; 16]).unwrap();
            let size: [usize; 4] = images.size.clone().try_into().unwrap();
            let strides: [usize; 4] = images.strides.clone().try_into().unwrap();
            let at: [i32; 4] = from.clone().try_into().unwrap();
            launch!(
                drafted<<<2, 32>>>(&template, &device_x, size, strides, at, &mut maps, &mut out),
                cluster = 2
            )
            .unwrap();
            let want: Vec<u8> = order(&sides)
                .iter()
                .flat_map(|index| match images.place(&from, index) {
                    Some(place) => [x[2 * place], x[2 * place + 1]],
                    None => [0; 2],
                })
                .collect();
            for (block, got) in out.to_vec().unwrap().chunks(32).enumerate() {
                assert_eq!(got.as_flattened(), want, "block {block}: {images:?} from {from:?}");
            }
        }
    });
}

/// A slice of 8 channels of 8 x 16 pixels, and what is around them.
type Around = [[[[f32; 20]; 10]; 8]; 1];

/// The sum of each pixel and its eight neighbours over all channels: a block for 8 x 16 pixels of an image.
#[kernel]
fn neighbours(
    x: TensorMap<Around, Interleaved32>,
    slices: usize,
    mut sums: Disjoint<f32>,
    ring: Ring<(Tile<Around, Interleaved32>,), 2>,
) {
    let (image, place, mut sum) = (block::x() as i32, thread::x() as usize, 0.0);
    ring.run(
        |producer| {
            for slice in 0..slices as i32 {
                producer.fill(|stage| stage.part::<0>().load(&x, [image, slice, -1, -1]));
            }
        },
        |consumer| {
            for _ in 0..slices {
                let stage = consumer.next();
                for at in 0..8 * 9 {
                    let (channel, row, column) = (at / 9, at / 3 % 3, at % 3);
                    let index = [0, channel, place / 16 + row, place % 16 + column];
                    sum += stage.part::<0>().at(index);
                }
            }
        },
    );
    if let Some(to) = sums.get_mut(thread::index_1d()) {
        *to = sum;
    }
}

#[test]
fn slices_go_through_a_ring() {
    alone("interleave::copies::slices_go_through_a_ring", || {
        if !device_has_them() {
            return;
        }
        let rng = &mut rng();
        // Rows and columns are fewer than a block's, and more.
        let [slices, rows, columns] = [1 + rng.below(5), 1 + rng.below(12), 1 + rng.below(24)];
        let size = [3, slices, rows, columns];
        let images = Images::new(&size, 8, || 0);
        let x = rng.vec(images.len(), |rng| rng.below(17) as f32 - 8.0);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let map = ptyx::TensorMap::<Around, Interleaved32>::new(&device_x, size).unwrap();
        // A ring has no time limit: whether such tiles come at all.
        let (_, is_complete) = peeked(&map, [0, 0, -1, -1]).unwrap();
        assert!(is_complete, "other bytes came than {}", Tile::<Around, Interleaved32>::BYTES);
        let mut sums = DeviceBuffer::filled(3 * 256, f32::NAN).unwrap();
        launch!(neighbours<<<3, 256>>>(&map, slices, &mut sums, tma::RING)).unwrap();
        for (image, sums) in sums.to_vec().unwrap().chunks(256).enumerate() {
            // The last 128 threads load.
            for (place, got) in sums[..128].iter().enumerate() {
                let mut want = 0.0;
                for at in 0..slices * 8 * 9 {
                    let (slice, channel) = (at / 72, at / 9 % 8);
                    // One more than the pixel's: the border is row and column 0.
                    let (row, column) = (place / 16 + at / 3 % 3, place % 16 + at % 3);
                    if (1..=rows).contains(&row) && (1..=columns).contains(&column) {
                        let pixel =
                            ((image * slices + slice) * rows + row - 1) * columns + column - 1;
                        want += x[pixel * 8 + channel];
                    }
                }
                assert_eq!(*got, want, "{size:?}, image {image}, place {place}");
            }
        }
    });
}
