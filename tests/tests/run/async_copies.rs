//! D14: asynchronous copies of threads, and the pipeline of tiles that they fill.

use core::fmt::Debug;
use ptyx::device::async_copy::{self, CopyOptions, Pipeline, Prefetch, Tile};
use ptyx::device::cache::Policy;
use ptyx::device::group::{CopyGroup, LaneGroup};
use ptyx::device::shared::{CellValue, Shared};
use ptyx::device::vector::{F32x2, F64x4, U16x2, U32x4};
use ptyx::prelude::*;
use ptyx_tests::{images, rng};

/// Sums over tiles, each element read by another thread than the one that copied it.
#[kernel]
fn mirrored_sums(x: &[u32], mut sums: Disjoint<u32>) {
    let mut pipeline = Pipeline::new(shared!([Tile<u32, 128>; 3]));
    let own = &x[block::x() as usize * x.len() / 2..][..x.len() / 2];
    let (i, tiles) = (thread::x() as usize, own.len() / 128);
    let (mut copied, mut sum) = (0, 0u32);
    for read in 0..tiles {
        while copied < tiles && pipeline.free_stages() > 0 {
            let mut stage = pipeline.producer_acquire();
            stage.copy(i, &own[128 * copied + i]);
            stage.commit();
            copied += 1;
        }
        let tile = pipeline.consumer_wait();
        sum = sum.wrapping_add(tile.get(127 - i).wrapping_mul(read as u32 + 1));
        tile.release();
    }
    sums[thread::index_1d()] = sum;
}

#[test]
fn a_pipeline_of_single_numbers() {
    let mut rng = rng();
    for tiles in [1usize, 2, 3, 4, 9] {
        let x = rng.vec(2 * 128 * tiles, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut sums = DeviceBuffer::zeroed(256).unwrap();
        launch!(mirrored_sums<<<2, 128>>>(&device_x, &mut sums)).unwrap();
        let want: Vec<u32> = (0..256)
            .map(|t| {
                let own = &x[t / 128 * 128 * tiles..][..128 * tiles];
                let weighted =
                    |(k, tile): (usize, &[u32])| tile[127 - t % 128].wrapping_mul(k as u32 + 1);
                own.chunks(128).enumerate().map(weighted).fold(0, u32::wrapping_add)
            })
            .collect();
        assert_eq!(sums.to_vec().unwrap(), want, "{tiles} tiles");
    }
}

/// Weighted sums over rows that begin anywhere, each of `len` numbers: each group copies the rows together, and reads them
/// together. The lanes of one warp are in several groups.
fn group_sums<G: CopyGroup>(
    group: G,
    number: usize,
    x: &[u32],
    len: usize,
    (t, size): (usize, usize),
) -> u32 {
    let places = shared!([[Tile<u32, 96>; 3]; 8]);
    let mut pipeline = Pipeline::of_group(group, places.at(number));
    let rows = 7;
    let row = |k: usize| &x[number * 100 + k * (len + 1)..][..len];
    let (mut copied, mut sum) = (0, 0u32);
    for read in 0..rows {
        while copied < rows && pipeline.free_stages() > 0 {
            let mut stage = pipeline.producer_acquire();
            // In two parts.
            stage.memcpy_async(0, &row(copied)[..len / 3]);
            stage.memcpy_async(len / 3, &row(copied)[len / 3..]);
            stage.commit();
            copied += 1;
        }
        let tile = pipeline.consumer_wait();
        for i in (t..len).step_by(size) {
            sum = sum.wrapping_add(tile.get(len - 1 - i).wrapping_mul((read * 100 + i) as u32));
        }
        tile.release();
    }
    sum
}

/// By the block, by parts of a warp, and by the lanes of a warp that are left.
#[kernel]
fn copies_of_groups(x: &[u32], len: usize, which: u32, mut sums: Disjoint<u32>) {
    let (block, eight, warp) = (group::block(), group::tile::<8>(), group::tile::<32>());
    let t = thread::x() as usize;
    sums[thread::index_1d()] = match which {
        0 => group_sums(block, 0, x, len, (t, 64)),
        1 => group_sums(eight, eight.meta_rank() as usize, x, len, (t % 8, 8)),
        2 => group_sums(block.sized::<64>(), 0, x, len, (t, 64)),
        _ => {
            let all = warp.partition_if(true);
            group_sums(all, warp.meta_rank() as usize, x, len, (t % 32, 32))
        }
    };
}

#[test]
fn groups_share_copies() {
    let mut rng = rng();
    let x = rng.vec(8 * 100 + 7 * 97, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    for (which, size) in [(0, 64), (1, 8), (2, 64), (3, 32)] {
        for len in [0, 1, 3, 64, 1 + rng.below(96)] {
            let mut sums = DeviceBuffer::filled(64, 1u32).unwrap();
            launch!(copies_of_groups<<<1, 64>>>(&device_x, len, which, &mut sums)).unwrap();
            let sum = |t: usize| {
                let (number, t) = (t / size, t % size);
                (0..7)
                    .flat_map(|read| (t..len).step_by(size).map(move |i| (read, i)))
                    .map(|(read, i)| {
                        x[number * 100 + read * (len + 1) + len - 1 - i]
                            .wrapping_mul((read * 100 + i) as u32)
                    })
                    .fold(0, u32::wrapping_add)
            };
            let want: Vec<u32> = (0..64).map(sum).collect();
            assert_eq!(sums.to_vec().unwrap(), want, "groups of {size}, {len} numbers");
        }
    }
}

/// Elements of 3 bytes from anywhere: whatever does not fit an asynchronous copy is copied at once.
#[kernel]
fn odd_elements(x: &[[u8; 3]], first: usize, len: usize, mut out: Disjoint<[u8; 6]>) {
    let (i, warp) = (thread::x() as usize, group::tile::<32>());
    let places = shared!([[[u8; 3]; 100]; 2]);
    // SAFETY: `x` is in global memory and does not change; the places are read after the waits, and one is not written
    // meanwhile.
    unsafe {
        for k in 0..2 {
            let to = places.at(k).as_slice().range(k..k + len);
            async_copy::group_memcpy_async(warp, to, &raw const x[first + 4 * k..][..len]);
        }
        async_copy::group_wait_prior::<1>(warp);
        let [a, b, c] = places.at(0).at((i + 1) % len).read();
        async_copy::group_wait(warp);
        let [d, e, f] = places.at(1).at(1 + (i + 2) % len).read();
        out[thread::index_1d()] = [a, b, c, d, e, f];
    }
}

#[test]
fn groups_copy_elements_of_any_size() {
    let mut rng = rng();
    let x = rng.vec(200, |rng| [0; 3].map(|_| rng.next_u32() as u8));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    for first in [0, 1, 4, 16] {
        let len = 1 + rng.below(99);
        let mut out = DeviceBuffer::filled(32, [0u8; 6]).unwrap();
        launch!(odd_elements<<<1, 32>>>(&device_x, first, len, &mut out)).unwrap();
        let want: Vec<[u8; 6]> = (0..32)
            .map(|i| {
                let (a, b) = (x[first + (i + 1) % len], x[first + 4 + (i + 2) % len]);
                [a[0], a[1], a[2], b[0], b[1], b[2]]
            })
            .collect();
        assert_eq!(out.to_vec().unwrap(), want, "{len} elements from {first} on");
    }
}

/// Reads what a group has not waited for.
#[kernel]
fn impatient_group(x: &[[u32; 64]], mut out: Disjoint<u32>) {
    let place = shared!([u32; 64]);
    // SAFETY: it is not waited for in time, which the emulated device reports.
    unsafe {
        async_copy::group_memcpy_async(group::block(), place.as_slice(), x[0].as_slice());
        out[thread::index_1d()] = place.at(63 - thread::x() as usize).read();
    }
    async_copy::group_wait(group::block());
}

/// Starts to copy a tile of 32 pairs; zeros stand behind the last one.
fn start<'s, const STAGES: usize>(
    pipeline: &mut Pipeline<'s, f64, 64, STAGES>,
    pairs: &'s [[f64; 2]],
    tile: usize,
) {
    let i = thread::x() as usize;
    let mut stage = pipeline.producer_acquire();
    match pairs.get(32 * tile + i) {
        Some(pair) => stage.copy_array(2 * i, pair),
        None => (0..2).for_each(|k| stage.set(2 * i + k, 0.0)),
    }
    stage.commit();
}

/// A sum of products of the rows of two matrices: tiles of both, copied by vectors, with an edge of zeros.
#[kernel]
fn dot_rows(a: &[[f64; 2]], b: &[[f64; 2]], mut dots: Disjoint<f64>) {
    let mut left = Pipeline::new(shared!([Tile<f64, 64>; 2]));
    let mut right = Pipeline::new(shared!([Tile<f64, 64>; 4]));
    let (i, tiles) = (thread::x() as usize, a.len().div_ceil(32));
    let mut dot = 0.0;
    for tile in 0..tiles {
        start(&mut left, a, tile);
        start(&mut right, b, tile);
        let (x, y) = (left.consumer_wait(), right.consumer_wait());
        for k in 0..64 {
            dot += x.get((k + i) % 64) * y.get((k + i) % 64);
        }
        x.release();
        y.release();
    }
    dots[thread::index_1d()] = dot;
}

#[test]
fn a_pipeline_of_arrays_with_an_edge() {
    let mut rng = rng();
    for pairs in [32usize, 33, 100] {
        let a = rng.vec(pairs, |rng| [0; 2].map(|_| f64::from(rng.next_u32() >> 20)));
        let b = rng.vec(pairs, |rng| [0; 2].map(|_| f64::from(rng.next_u32() >> 20)));
        let want: f64 = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum();
        let (a, b) = (DeviceBuffer::from_slice(&a).unwrap(), DeviceBuffer::from_slice(&b).unwrap());
        let mut dots = DeviceBuffer::zeroed(32).unwrap();
        launch!(dot_rows<<<1, 32>>>(&a, &b, &mut dots)).unwrap();
        assert_eq!(dots.to_vec().unwrap(), [want; 32], "{pairs} pairs");
    }
}

/// Numbers that are not aligned for copies of 16 bytes, and numbers of a thread's own memory.
#[kernel]
fn odd_sources(x: &[f32], mut out: Disjoint<[f32; 4]>) {
    let own = [x[0], x[1] * 2.0, x[2], x[3]];
    let mut pipeline = Pipeline::new(shared!([Tile<f32, 64>; 2]));
    let i = thread::x() as usize;
    let mut stage = pipeline.producer_acquire();
    let shifted: &[f32; 4] = x[2 * i + 1..][..4].try_into().unwrap();
    stage.copy_array(4 * i, shifted);
    stage.commit();
    let mut stage = pipeline.producer_acquire();
    stage.copy_array(4 * i, &own);
    stage.commit();
    let tile = pipeline.consumer_wait();
    let mut sum: [f32; 4] = core::array::from_fn(|k| tile.get(4 * (15 - i) + k));
    tile.release();
    let tile = pipeline.consumer_wait();
    for (k, sum) in sum.iter_mut().enumerate() {
        *sum += tile.get(4 * i + k);
    }
    tile.release();
    out[thread::index_1d()] = sum;
}

#[test]
fn sources_of_any_alignment_and_place() {
    let x = rng().vec(40, |rng| (rng.next_u32() >> 16) as f32);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut out = DeviceBuffer::zeroed(16).unwrap();
    launch!(odd_sources<<<1, 16>>>(&device_x, &mut out)).unwrap();
    let own = [x[0], x[1] * 2.0, x[2], x[3]];
    let want: Vec<[f32; 4]> =
        (0..16).map(|i| std::array::from_fn(|k| x[2 * (15 - i) + 1 + k] + own[k])).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

/// Tiles of any type: 32 numbers that the block copies together, from anywhere, one that each thread copies, and three that
/// each thread copies at once. The results are in another order.
#[kernel]
fn tiles_of<T: CellValue>(x: &[T], first: usize, mut out: Disjoint<[T; 5]>) {
    let mut pipeline = Pipeline::new(shared!([Tile<T, { 32 + 32 + 96 }>; 2]));
    let i = thread::x() as usize;
    for round in 0..2 {
        let x = &x[first + round..];
        let mut stage = pipeline.producer_acquire();
        stage.memcpy_async(0, &x[..32]);
        stage.copy(32 + i, &x[2 * i]);
        stage.copy_array(64 + 3 * i, x[3 * i..].first_chunk::<3>().unwrap());
        stage.commit();
    }
    let tile = pipeline.consumer_wait();
    let (a, b) = (tile.get((i + 1) % 32), tile.get(32 + (i + 2) % 32));
    tile.release();
    let tile = pipeline.consumer_wait();
    let other = (i + 3) % 32;
    out[thread::index_1d()] = [a, b, tile.get(other), tile.get(64 + 3 * i + 2), tile.get(95 - i)];
    tile.release();
}

fn check_tiles<T: CellValue + Send + PartialEq + Debug>(make: impl Fn(u64) -> T) {
    let mut rng = rng();
    let x = rng.vec(160, |rng| make(rng.next_u64()));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    for first in [0, 1, 2, 4, 3 + rng.below(40)] {
        let mut out = DeviceBuffer::filled(32, [x[0]; 5]).unwrap();
        launch!(tiles_of<<<1, 32>>>(&device_x, first, &mut out)).unwrap();
        let (x, y) = (&x[first..], &x[first + 1..]);
        for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
            // Place 95 - i is the element of that number of all that were copied by threes.
            let want =
                [x[(i + 1) % 32], x[2 * ((i + 2) % 32)], y[(i + 3) % 32], y[3 * i + 2], y[31 - i]];
            assert_eq!(got, want, "thread {i}, from {first} on");
        }
    }
}

#[test]
fn tiles_of_numbers_of_every_size() {
    check_tiles(|bits| bits as u8);
    check_tiles(|bits| bits as i16);
    check_tiles(|bits| bits as f32);
    check_tiles(|bits| bits);
    check_tiles(|bits| u128::from(bits) << 64 | u128::from(!bits));
    check_tiles(|bits| U16x2::new([bits as u16, (bits >> 16) as u16]));
    check_tiles(|bits| U32x4::new([bits as u32, (bits >> 8) as u32, (bits >> 16) as u32, 7]));
    check_tiles(|bits| F64x4::new([bits as f64, (bits >> 9) as f64, 0.5, (bits >> 5) as f64]));
}

/// Every size and option; the results of each thread side by side.
#[kernel]
fn options(x: &[u32], pairs: &[F32x2], quads: &[U32x4], mut out: Disjoint<[u32; 16]>) {
    let i = thread::x() as usize;
    let words = shared!([u32; 64]);
    let pair = shared!([F32x2; 64]).at(i);
    let quad: Shared<[U32x4; 128]> = shared!([U32x4; 128]);
    let options = |bytes, bypass_l1, prefetch| CopyOptions {
        source_bytes: Some(bytes),
        bypass_l1,
        prefetch,
        ..CopyOptions::default()
    };
    // SAFETY: the sources are in global memory and don't change; each thread uses places of its own, after it
    // has waited.
    unsafe {
        async_copy::memcpy_async(words.at(i), &x[i]);
        async_copy::memcpy_async_with(pair, &pairs[i], options(8, true, Prefetch::Bytes64));
        async_copy::commit();
        async_copy::memcpy_async_with(
            quad.at(i),
            &quads[i],
            options(99, false, Prefetch::Bytes128),
        );
        async_copy::commit();
        let rest = options(4 * (i as u32 % 4), true, Prefetch::Bytes256);
        async_copy::memcpy_async_with(quad.at(i + 64), &quads[i], rest);
        async_copy::wait_prior::<1>();
        let word = words.at(i).read();
        let first = pair.read().to_array().map(f32::to_bits);
        async_copy::wait_all();
        let (all, some) = (quad.at(i).read().to_array(), quad.at(i + 64).read().to_array());
        let mut result = [0; 16];
        result[0] = word;
        result[1..3].copy_from_slice(&first);
        result[4..8].copy_from_slice(&all);
        result[8..12].copy_from_slice(&some);
        out[thread::index_1d()] = result;
    }
}

/// Every size with a policy.
#[kernel]
fn with_policies(x: &[u32], pairs: &[F32x2], quads: &[U32x4], mut out: Disjoint<[u32; 16]>) {
    let i = thread::x() as usize;
    let word = shared!([u32; 64]).at(i);
    let pair = shared!([F32x2; 64]).at(i);
    let quad: Shared<[U32x4; 128]> = shared!([U32x4; 128]);
    let policy = Some(Policy::evict_first());
    let plain = CopyOptions { policy, ..CopyOptions::default() };
    let prefetch = Prefetch::Bytes128;
    let some = Some(4 * (i as u32 % 4));
    // SAFETY: as in `options`.
    unsafe {
        async_copy::memcpy_async_with(word, &x[i], plain);
        async_copy::memcpy_async_with(pair, &pairs[i], CopyOptions { prefetch, ..plain });
        async_copy::memcpy_async_with(quad.at(i), &quads[i], plain);
        let rest = CopyOptions { source_bytes: some, bypass_l1: true, ..plain };
        async_copy::memcpy_async_with(quad.at(i + 64), &quads[i], rest);
        async_copy::wait_all();
        let mut result = [0; 16];
        result[0] = word.read();
        result[1..3].copy_from_slice(&pair.read().to_array().map(f32::to_bits));
        result[4..8].copy_from_slice(&quad.at(i).read().to_array());
        result[8..12].copy_from_slice(&quad.at(i + 64).read().to_array());
        out[thread::index_1d()] = result;
    }
}

#[test]
fn every_size_and_option() {
    let mut rng = rng();
    let x = rng.vec(64, |rng| rng.next_u32());
    let pairs = rng.vec(64, |rng| F32x2::new([0; 2].map(|_| (rng.next_u32() >> 8) as f32)));
    let quads = rng.vec(64, |rng| U32x4::new([0; 4].map(|_| rng.next_u32())));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let device_pairs = DeviceBuffer::from_slice(&pairs).unwrap();
    let device_quads = DeviceBuffer::from_slice(&quads).unwrap();
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(options<<<1, 64>>>(&device_x, &device_pairs, &device_quads, &mut out)).unwrap();
    let want: Vec<[u32; 16]> = (0..64)
        .map(|i| {
            let mut result = [0; 16];
            result[0] = x[i];
            result[1] = pairs[i][0].to_bits();
            result[2] = pairs[i][1].to_bits();
            result[4..8].copy_from_slice(&*quads[i]);
            result[8..8 + i % 4].copy_from_slice(&quads[i][..i % 4]);
            result
        })
        .collect();
    assert_eq!(out.to_vec().unwrap(), want);
    out = DeviceBuffer::zeroed(64).unwrap();
    launch!(with_policies<<<1, 64>>>(&device_x, &device_pairs, &device_quads, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), want);
    let ptx = images::modules("async_copies::with_policies").concat();
    for form in ["ca.shared.global.L2::cache_hint.L2::128B", "cg.shared.global.L2::cache_hint "] {
        assert!(ptx.contains(form), "{form}: {ptx}");
    }
}

/// Reads without having waited.
#[kernel]
fn impatient(x: &[u32], out: SliceMut<u32>) {
    let (i, place) = (thread::x() as usize, shared!([u32; 32]));
    // SAFETY: a mistake: nothing has waited for the copy.
    unsafe {
        async_copy::memcpy_async(place.at(i), &x[i]);
        async_copy::commit();
        out.write(i, place.at(i).read());
    }
}

#[test]
fn a_forgotten_wait_is_reported_by_the_emulated_device() {
    ptyx_tests::alone("async_copies::a_forgotten_wait_is_reported_by_the_emulated_device", || {
        if !Device::current().unwrap().is_emulated() {
            println!("SKIPPED: a GPU gives wrong numbers, or right ones by chance");
            return;
        }
        if Device::current().unwrap().compute_capability().0 < 8 {
            println!("SKIPPED: this device copies at once");
            return;
        }
        let x = DeviceBuffer::from_slice(&[7; 32]).unwrap();
        let mut out = DeviceBuffer::zeroed(32).unwrap();
        let outcome = launch!(impatient<<<1, 32>>>(&x, &mut out));
        let error = outcome.and_then(|_| out.to_vec()).unwrap_err().to_string();
        assert!(error.contains("which an asynchronous copy still writes"), "{error}");
        assert!(error.contains("cp.async.ca.shared.global"), "{error}");
    });
}

#[test]
fn a_wait_that_a_group_forgot_is_reported_by_the_emulated_device() {
    let name = "async_copies::a_wait_that_a_group_forgot_is_reported_by_the_emulated_device";
    ptyx_tests::alone(name, || {
        if !Device::current().unwrap().is_emulated() {
            println!("SKIPPED: a GPU gives wrong numbers, or right ones by chance");
            return;
        }
        if Device::current().unwrap().compute_capability().0 < 8 {
            println!("SKIPPED: this device copies at once");
            return;
        }
        let x = DeviceBuffer::from_slice(&[[7u32; 64]]).unwrap();
        let mut out = DeviceBuffer::zeroed(64).unwrap();
        let outcome = launch!(impatient_group<<<1, 64>>>(&x, &mut out));
        let error = outcome.and_then(|_| out.to_vec()).unwrap_err().to_string();
        assert!(error.contains("which an asynchronous copy still writes"), "{error}");
    });
}
