//! Columns of images, against what the host computes.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::cache::Policy;
use ptyx::device::tma::{Add, Im2colMap, Im2colMapMut, Placed, TensorMap, Tile, TileShape};
use ptyx::device::wgmma::{B64, Unswizzled};
use ptyx::prelude::*;
use ptyx::{BoundingBox, Error, TensorRule};
use ptyx_tensor_memory_tests::{Rng, bytes, device_has_them, elements, rng, swizzled};

/// Loads pixels, and writes the tile's bytes.
#[kernel]
fn columns<K: TileShape, const D: usize, const N: usize, S: Placed>(
    images: Im2colMap<K, D, S>,
    at: [i32; D],
    offsets: [u16; N],
    out: SliceMut<u8>,
) {
    let tile = shared!(Tile<K, S>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { images.load(tile, at, offsets, arrived) };
    }
    arrived.wait_phase(Phase::FIRST);
    for at in (t..out.len()).step_by(block::threads() as usize) {
        // SAFETY: the phase is complete; each thread writes its own bytes.
        unsafe { out.as_mut_ptr().add(at).write(tile.bytes().at(at).read()) };
    }
}

/// Images with `N` dimensions of pixels.
fn check<K: TileShape, const D: usize, const N: usize, S: Placed>(rng: &mut Rng) {
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    let size = size_of::<K::Element>();
    for _ in 0..6 {
        let filter: [usize; N] = core::array::from_fn(|_| 1 + rng.below(3));
        let padding: [usize; N] = core::array::from_fn(|_| rng.below(3));
        let steps: [usize; N] = core::array::from_fn(|_| 1 + rng.below(3));
        let mut all = [0; D];
        all[0] = 1 + rng.below(3);
        all[1..=N].fill_with(|| 3 + rng.below(5));
        all[D - 1] = channels + rng.below(2) * 16 / size;
        let x = elements::<K::Element>(rng, all.iter().product());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::filled(Tile::<K, S>::BYTES as usize, 0x55u8).unwrap();
        let window = BoundingBox::of_filter(filter, padding).steps(steps);
        let map = ptyx::Im2colMap::<K, D, S>::new(&device_x, all, &window).unwrap();

        // The filter's places in the padded image.
        let places: [usize; N] =
            core::array::from_fn(|at| (all[at + 1] + 2 * padding[at] - filter[at]) / steps[at] + 1);
        let first: [usize; N] = core::array::from_fn(|at| rng.below(places[at]));
        let offsets: [u16; N] = core::array::from_fn(|at| rng.below(filter[at]) as u16);
        let mut from = [0; D];
        from[0] = rng.below(all[0]) as i32;
        for at in 0..N {
            from[at + 1] = (first[at] * steps[at]) as i32 - padding[at] as i32;
        }
        from[D - 1] = (rng.below(3) as i32 - 1) * (16 / size) as i32;
        let what = format!(
            "{} of {all:?}, filter {filter:?} at {offsets:?}, padding {padding:?}, steps {steps:?}, from {from:?}",
            core::any::type_name::<K>()
        );
        launch!(columns::<K, D, N, S><<<1, 64>>>(&map, from, offsets, &mut out)).unwrap();

        let (tile, x) = (out.to_vec().unwrap(), bytes(&x));
        let start = (0..N).fold(from[0] as usize, |number, at| number * places[at] + first[at]);
        for pixel in 0..pixels {
            let mut number = start + pixel;
            let mut at = [0i64; D];
            for dimension in (0..N).rev() {
                let along = number % places[dimension] * steps[dimension];
                at[dimension + 1] =
                    along as i64 - padding[dimension] as i64 + i64::from(offsets[dimension]);
                number /= places[dimension];
            }
            at[0] = number as i64;
            for channel in 0..channels {
                at[D - 1] = i64::from(from[D - 1]) + channel as i64;
                let is_inside =
                    at.iter().zip(&all).all(|(at, size)| (0..*size as i64).contains(at));
                let place =
                    at.iter().zip(&all).fold(0, |place, (at, size)| place * *size as i64 + at);
                let offset = swizzled((pixel * channels + channel) * size, S::SWIZZLE.width());
                let got = &tile[offset..][..size];
                let want = match is_inside {
                    true => &x[place as usize * size..][..size],
                    false => &[0; 8][..size],
                };
                assert_eq!(got, want, "{what}, pixel {pixel}, channel {channel}");
            }
        }
    }
}

#[test]
fn pixels_along_one_to_three_dimensions() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[[f32; 8]; 21], 3, 1, Unswizzled>(rng);
    check::<[[u16; 32]; 40], 4, 2, B64>(rng);
    check::<[[u8; 16]; 150], 5, 3, Unswizzled>(rng);
}

type Pixels = [[u32; 16]; 20];

/// Block 0 loads pixels for all blocks of the cluster; each writes what came.
#[kernel]
fn shared_columns(
    images: Im2colMap<Pixels, 4>,
    at: [i32; 4],
    offsets: [u16; 2],
    mut y: Disjoint<u32>,
) {
    let tile = shared!(Tile<Pixels>);
    let arrived = Barrier::new(shared!(State), 1);
    let cluster = group::cluster();
    let (t, rank) = (thread::rank() as usize, cluster.block_rank());
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<Pixels>::BYTES).forget();
        images.prefetch();
        images.prefetch_l2(at, offsets);
    }
    cluster.sync(); // all barriers are initialised
    if t == 0 {
        // SAFETY: the tiles are read after the phase, and no block ends before the next `sync`.
        unsafe {
            match rank {
                0 => images.load_to_cluster(tile, at, offsets, arrived, 0b101),
                1 => images.load_to_cluster_with(
                    tile,
                    at,
                    offsets,
                    arrived,
                    0b010,
                    Policy::evict_first(),
                ),
                2 => 0,
                _ => images.load_with(tile, at, offsets, arrived, Policy::evict_last()),
            };
        }
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] = unsafe { tile.at([t / 16, t % 16]).read() };
    cluster.sync();
}

#[test]
fn pixels_for_several_blocks() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let size = [2, 4, 6, 16];
    let x = rng.vec(size.iter().product(), |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let filter = BoundingBox::of_filter([3, 3], [1, 1]);
    let map = ptyx::Im2colMap::<Pixels, 4>::new(&device_x, size, &filter).unwrap();
    let mut y = DeviceBuffer::zeroed(4 * 320).unwrap();
    // From pixel (1, 2) of the first image on, with the filter's element (2, 0).
    launch!(shared_columns<<<4, 320>>>(&map, [0, 0, 1, 0], [2, 0], &mut y), cluster = 4).unwrap();
    for (at, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let (pixel, channel) = (at % 320 / 16 + 6 + 2, at % 16);
        let (image, row, column) = (pixel / 24, pixel / 6 % 4, pixel % 6);
        let (row, column) = (row as i32 + 1, column as i32 - 1);
        let want = match (0..4).contains(&row) && (0..6).contains(&column) {
            true => x[((image * 4 + row as usize) * 6 + column as usize) * 16 + channel],
            false => 0,
        };
        assert_eq!(got, want, "block {}, pixel {pixel}, channel {channel}", at / 320);
    }
}

/// Block 0 stores a tile at one place, block 1 adds it at another.
#[kernel]
fn store_columns(x: TensorMap<Pixels>, y: Im2colMapMut<Pixels, 4>, to: [[i32; 4]; 4]) {
    let tile = shared!(Tile<Pixels>);
    let arrived = Barrier::new(shared!(State), 1);
    if thread::rank() == 0 {
        arrived.arrive_expect_tx(Tile::<Pixels>::BYTES).forget();
        let rank = block::x() as usize;
        // SAFETY: nobody uses the tile before the phase is complete, and nobody writes it; each block has its own
        // pixels.
        unsafe {
            x.load(tile, [20 * rank as i32, 0], arrived);
            arrived.wait_phase(Phase::FIRST);
            match rank {
                0 => y.store(tile, to[0]),
                1 => y.store_with(tile, to[1], Policy::evict_last()),
                2 => y.reduce::<Add>(tile, to[2]),
                _ => y.reduce_with::<Add>(tile, to[3], Policy::evict_first()),
            }
        }
        bulk::commit();
        bulk::wait::<0>();
    }
}

#[test]
fn pixels_are_stored() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let (images, rows, columns) = (6, 5, 4);
    let x = rng.vec(80 * 16, |rng| rng.next_u32());
    let y = rng.vec(images * rows * columns * 16, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    let map = ptyx::TensorMap::<Pixels>::new(&device_x, [80, 16]).unwrap();
    // Without the last row and the last column.
    let inner = BoundingBox::new([0, 0], [-1, -1]);
    let size = [images, rows, columns, 16];
    let mut map_y = ptyx::Im2colMapMut::<Pixels, 4>::new(&mut device_y, size, &inner).unwrap();
    // 12 pixels of an image: 20 are in two of them, or in three; the last ones are outside.
    let starts = [0, 22, 42, 62];
    let to = starts.map(|first| [first / 12, first % 12 / 3, first % 3, 0]);
    launch!(store_columns<<<4, 32>>>(&map, &mut map_y, to)).unwrap();
    let mut want = y;
    for (pixel, values) in x.chunks(16).enumerate() {
        let number = starts[pixel / 20] as usize + pixel % 20;
        let (image, row, column) = (number / 12, number % 12 / 3, number % 3);
        if image < images {
            let place = ((image * rows + row) * columns + column) * 16;
            for (old, value) in want[place..][..16].iter_mut().zip(values) {
                *old = if pixel < 40 { *value } else { old.wrapping_add(*value) };
            }
        }
    }
    assert_eq!(device_y.to_vec().unwrap(), want);
}

/// An H200 calls a store through such a map an illegal instruction.
#[test]
fn stores_have_no_padding() {
    if !device_has_them() {
        return;
    }
    let mut y = DeviceBuffer::filled(2 * 5 * 6 * 16, 7u32).unwrap();
    for (lower, want) in [([-1, 0], Some((1, -1))), ([0, -2], Some((2, -2))), ([0, 1], None)] {
        let window = BoundingBox::new(lower, [-1, -1]);
        let made = ptyx::Im2colMapMut::<Pixels, 4>::new(&mut y, [2, 5, 6, 16], &window);
        let refused = match made {
            Err(Error::TensorMap(TensorRule::StoredPadding { dimension, corner })) => {
                Some((dimension, corner))
            }
            other => other.map(|_| None).unwrap(),
        };
        assert_eq!(refused, want, "{lower:?}");
    }
}
