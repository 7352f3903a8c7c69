//! Rings of stages, against sums and products of the host. Numbers are small integers, so every sum is exact.

use half::{bf16, f16};
use ptyx::device::mma::Layout;
use ptyx::device::tma::{self, Producer, Ring, TensorMap, Tile};
use ptyx::device::wgmma::{Accumulator, B64, B128, KMajor, SharedTile};
use ptyx::prelude::*;
use ptyx::{Error, TensorMap as Map};
use ptyx_tensor_memory_tests::{Rng, alone, device_has_them, rng};

type Rows = [[f32; 64]; 8];
type Words = [u32; 64];

/// The sum of each column, and of each word times its column's number, by threads that take turns in reading.
#[kernel]
fn column_sums(
    x: TensorMap<Rows>,
    words: TensorMap<Words>,
    tiles: usize,
    mut sums: Disjoint<f32>,
    ring: Ring<(Tile<Rows>, Tile<Words>), 3>,
) {
    let place = thread::x() as usize;
    let mut sum = 0.0;
    ring.run(
        |producer| {
            for tile in 0..tiles {
                producer.fill(|stage| {
                    stage.part::<0>().load(&x, [8 * tile as i32, 64 * block::x() as i32]);
                    stage.part::<1>().load(&words, [64 * tile as i32]);
                });
            }
        },
        |consumer| {
            let (group, own) = (consumer.warpgroup(), place % 64);
            for tile in 0..tiles {
                let stage = consumer.next();
                // Not all threads have work at each stage.
                if tile % (place / 64 + 1) == group % 2 {
                    for row in 0..8 {
                        sum += stage.part::<0>().at([row, own]);
                    }
                    sum += stage.part::<1>().at([own]) as f32;
                }
            }
        },
    );
    if let Some(to) = sums.get_mut(thread::index_1d()) {
        *to = sum;
    }
}

fn small(rng: &mut Rng, len: usize) -> Vec<f32> {
    rng.vec(len, |rng| rng.below(17) as f32 - 8.0)
}

#[test]
fn consumers_see_what_was_loaded() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for threads in [256, 384] {
        // Fewer tiles than stages, and many more.
        for tiles in [0, 1, 2, 3, 4, 7 + rng.below(40)] {
            let blocks = 1 + rng.below(3);
            let (height, width) = (8 * tiles.max(1), 64 * blocks);
            let x = small(&mut rng, height * width);
            let words = rng.vec(height * 8, |rng| rng.below(100) as u32);
            let (dx, dwords) =
                (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&words).unwrap());
            let map = Map::<Rows>::new(&dx, [height, width]).unwrap();
            let word_map = Map::<Words>::new(&dwords, [words.len()]).unwrap();
            let mut sums = DeviceBuffer::filled(blocks * threads, f32::NAN).unwrap();
            launch!(column_sums<<<blocks, threads>>>(&map, &word_map, tiles, &mut sums, tma::RING))
                .unwrap();
            for (i, got) in sums.to_vec().unwrap().into_iter().enumerate() {
                let (block, place) = (i / threads, i % threads);
                let (group, own) = (place / 128, place % 64);
                let mut want = 0.0;
                // The last 128 threads load.
                if place + 128 < threads {
                    for tile in (0..tiles).filter(|tile| tile % (place / 64 + 1) == group % 2) {
                        want += (8 * tile..8 * tile + 8)
                            .map(|row| x[row * width + 64 * block + own])
                            .sum::<f32>();
                        want += words[64 * tile + own] as f32;
                    }
                }
                assert_eq!(got, want, "thread {i} of {threads}, {tiles} tiles");
            }
        }
    }
}

type LeftTile = SharedTile<f16, 128, 64, B128, KMajor>;
type RightTile = SharedTile<f16, 32, 64, B64, KMajor>;

/// `C = A Bt`, of 128 rows and 32 columns, for blocks of 384 threads.
#[kernel]
fn product(
    a: TensorMap<[[f16; 64]; 128], B128>,
    b: TensorMap<[[f16; 32]; 32], B64>,
    steps: usize,
    c: SliceMut<f32>,
    ring: Ring<(LeftTile, RightTile), 2>,
) {
    ring.run(
        |producer: &mut Producer<_, 2>| {
            for step in 0..steps {
                let k = 64 * step as i32;
                producer.fill(|stage| {
                    stage.part::<0>().load_panel(&a, 0, [0, k]);
                    stage.part::<1>().load_panel(&b, 0, [0, k]);
                    stage.part::<1>().load_rows(&b, 1, 0, [0, k + 32]);
                });
            }
        },
        |consumer| {
            let warpgroup = consumer.warpgroup() % 2;
            let mut sums = Accumulator::<f32, 32>::filled(0.0);
            // Twice, so that the ring goes on where it was.
            for count in [steps / 3, steps - steps / 3] {
                consumer.accumulate(&mut sums, count, |products, stage| {
                    products.add(stage.part::<0>().band(warpgroup), stage.part::<1>());
                });
            }
            // SAFETY: each warpgroup has rows of its own.
            unsafe { sums.store(c, Layout::row_major(32).at(64 * warpgroup, 0)) };
        },
    );
}

/// `A Bt` of matrices with `depth` columns.
fn host_product(a: &[f32], b: &[f32], depth: usize) -> Vec<f32> {
    let mut c = Vec::new();
    for row in a.chunks(depth) {
        c.extend(
            b.chunks(depth).map(|column| row.iter().zip(column).map(|(a, b)| a * b).sum::<f32>()),
        );
    }
    c
}

#[test]
fn products_of_stages() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for steps in [1, 2, 5, 9] {
        let depth = 64 * steps;
        let (a, b) = (small(&mut rng, 128 * depth), small(&mut rng, 32 * depth));
        let halves = |x: &[f32]| x.iter().copied().map(f16::from_f32).collect::<Vec<_>>();
        let (da, db) = (
            DeviceBuffer::from_slice(&halves(&a)).unwrap(),
            DeviceBuffer::from_slice(&halves(&b)).unwrap(),
        );
        let map_a = Map::<[[f16; 64]; 128], B128>::new(&da, [128, depth]).unwrap();
        let map_b = Map::<[[f16; 32]; 32], B64>::new(&db, [32, depth]).unwrap();
        let mut c = DeviceBuffer::filled(128 * 32, f32::NAN).unwrap();
        launch!(product<<<1, 384>>>(&map_a, &map_b, steps, &mut c, tma::RING)).unwrap();
        assert_eq!(c.to_vec().unwrap(), host_product(&a, &b, depth), "{steps} steps");
    }
}

type Columns = SharedTile<bf16, 128, 64, B128, KMajor>;

/// Each block of a cluster of two has 64 rows of its own, and half of the columns that both multiply.
#[kernel]
fn product_in_clusters(
    a: TensorMap<[[bf16; 64]; 64], B128>,
    b: TensorMap<[[bf16; 64]; 64], B128>,
    steps: usize,
    c: SliceMut<f32>,
    ring: Ring<(SharedTile<bf16, 64, 64, B128, KMajor>, Columns), 3>,
) {
    let half = 64 * group::cluster().block_rank() as usize;
    let row = 64 * block::x() as usize;
    // SAFETY: both blocks run the ring, and load halves of the same columns.
    unsafe {
        ring.run_in_cluster(
            |producer| {
                for step in 0..steps {
                    let k = 64 * step as i32;
                    producer.fill(|stage| {
                        stage.part::<0>().load_panel(&a, 0, [row as i32, k]);
                        stage.part::<1>().load_rows_to_cluster(&b, 0, half, [half as i32, k]);
                    });
                }
            },
            |consumer| {
                let mut sums = Accumulator::<f32, 128>::filled(0.0);
                consumer.accumulate(&mut sums, steps, |products, stage| {
                    products.add(stage.part::<0>(), stage.part::<1>());
                });
                // SAFETY: each block has rows of its own.
                sums.store(c, Layout::row_major(128).at(row, 0));
            },
        );
    }
}

#[test]
fn blocks_share_what_they_load() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let (steps, blocks) = (1 + rng.below(8), 4);
    let depth = 64 * steps;
    let (a, b) = (small(&mut rng, 64 * blocks * depth), small(&mut rng, 128 * depth));
    let halves = |x: &[f32]| x.iter().copied().map(bf16::from_f32).collect::<Vec<_>>();
    let (da, db) = (
        DeviceBuffer::from_slice(&halves(&a)).unwrap(),
        DeviceBuffer::from_slice(&halves(&b)).unwrap(),
    );
    let map_a = Map::<[[bf16; 64]; 64], B128>::new(&da, [64 * blocks, depth]).unwrap();
    let map_b = Map::<[[bf16; 64]; 64], B128>::new(&db, [128, depth]).unwrap();
    let mut c = DeviceBuffer::filled(64 * blocks * 128, f32::NAN).unwrap();
    launch!(
        product_in_clusters<<<blocks, 256>>>(&map_a, &map_b, steps, &mut c, tma::RING),
        cluster = 2
    )
    .unwrap();
    assert_eq!(c.to_vec().unwrap(), host_product(&a, &b, depth), "{steps} steps");
}

/// Stages that nobody takes.
#[kernel]
fn nobody_takes(x: TensorMap<Rows>, mut done: Disjoint<u32>, ring: Ring<(Tile<Rows>,), 4>) {
    ring.run(
        |producer| {
            for tile in 0..4 {
                producer.fill(|stage| stage.part::<0>().load(&x, [8 * tile, 0]));
            }
        },
        |_| {},
    );
    if let Some(done) = done.get_mut(thread::index_1d()) {
        *done = 1;
    }
}

/// A block does not end before its copies are done: later blocks have the same shared memory.
#[test]
fn copies_end_before_the_block() {
    if !device_has_them() {
        return;
    }
    let x = DeviceBuffer::<f32>::zeroed(32 * 64).unwrap();
    let map = Map::<Rows>::new(&x, [32, 64]).unwrap();
    let mut done = DeviceBuffer::zeroed(8 * 256).unwrap();
    launch!(nobody_takes<<<8, 256>>>(&map, &mut done, tma::RING)).unwrap();
    assert!(done.to_vec().unwrap().into_iter().all(|done| done == 1u32));
}

#[kernel]
fn two_rings(one: Ring<(Tile<Rows>,), 2>, other: (Ring<(Tile<Words>,), 2>, u32)) {
    one.run(|_| {}, |_| {});
    other.0.run(|_| {}, |_| {});
}

/// Threads could be in different rings.
#[test]
fn a_kernel_has_one_ring() {
    let launched = launch!(two_rings<<<1, 256>>>(tma::RING, (tma::RING, 7)));
    assert!(matches!(launched, Err(Error::RingTwice)), "{launched:?}");
}

#[kernel]
fn empty_ring(ring: Ring<(Tile<Rows>,), 2>) {
    ring.run(|_| {}, |_| {});
}

#[test]
fn a_ring_needs_whole_warpgroups() {
    alone("rings::a_ring_needs_whole_warpgroups", || {
        if !device_has_them() {
            return;
        }
        for threads in [128, 200, 257] {
            launch!(empty_ring<<<1, threads>>>(tma::RING)).unwrap();
            let error = Stream::default().unwrap().synchronize().unwrap_err().to_string();
            assert!(error.contains("multiple of 128 threads"), "{threads}: {error}");
        }
        launch!(empty_ring<<<1, 256>>>(tma::RING)).unwrap();
        Stream::default().unwrap().synchronize().unwrap();
    });
}

/// Which threads of a block panic.
const NOBODY: u32 = 0;
const ONE_CONSUMER: u32 = 1;
const ALL_CONSUMERS: u32 = 2;
const PRODUCER: u32 = 3;
/// With a load under way that its barrier does not wait for.
const PRODUCER_IN_A_FILL: u32 = 4;
const EVERYBODY: u32 = 5;

/// The sums of columns, in which threads of the last block panic at some tile.
#[kernel]
fn sums_with_panics(
    x: TensorMap<Rows>,
    tiles: usize,
    who: u32,
    when: usize,
    mut sums: Disjoint<f32>,
    ring: Ring<(Tile<Rows>,), 3>,
) {
    let (block, blocks, place) = (block::x(), grid::dim_x(), thread::x());
    let who = if block + 1 == blocks { who } else { NOBODY };
    let mut sum = 0.0;
    ring.run(
        |producer| {
            for tile in 0..tiles {
                let fails = tile == when;
                if fails && (who == PRODUCER || who == EVERYBODY) {
                    panic!("the producer stops at tile {tile}");
                }
                producer.fill(|stage| {
                    stage.part::<0>().load(&x, [8 * tile as i32, 64 * block as i32]);
                    if fails && who == PRODUCER_IN_A_FILL {
                        panic!("the producer stops in tile {tile}");
                    }
                });
            }
        },
        |consumer| {
            for tile in 0..tiles {
                let stage = consumer.next();
                let is_one = who == ONE_CONSUMER && place == 77;
                if tile == when && (is_one || who == ALL_CONSUMERS || who == EVERYBODY) {
                    panic!("a consumer stops at tile {tile}");
                }
                for row in 0..8 {
                    sum += stage.part::<0>().at([row, place as usize % 64]);
                }
            }
        },
    );
    if let Some(to) = sums.get_mut(thread::index_1d()) {
        *to = sum;
    }
}

/// A thread that panics holds up the others of its block, which end then; the device stays usable.
#[test]
fn a_panic_ends_the_ring() {
    alone("rings::a_panic_ends_the_ring", || {
        if !device_has_them() {
            return;
        }
        let mut rng = rng();
        let (blocks, threads, tiles) = (2, 384, 9);
        let width = 64 * blocks;
        let x = small(&mut rng, 8 * tiles * width);
        let dx = DeviceBuffer::from_slice(&x).unwrap();
        let map = Map::<Rows>::new(&dx, [8 * tiles, width]).unwrap();
        let stream = Stream::default().unwrap();
        let run = |who: u32, when: usize| {
            let mut sums = DeviceBuffer::filled(blocks * threads, f32::NAN).unwrap();
            launch!(sums_with_panics<<<blocks, threads>>>(&map, tiles, who, when, &mut sums, tma::RING))
                .unwrap();
            stream.synchronize().map(|()| sums.to_vec().unwrap())
        };
        for (who, what) in [
            (ONE_CONSUMER, "a consumer stops at tile"),
            (ALL_CONSUMERS, "a consumer stops at tile"),
            (PRODUCER, "the producer stops at tile"),
            (PRODUCER_IN_A_FILL, "the producer stops in tile"),
            (EVERYBODY, "stops at tile"),
        ] {
            // In the first round, and when the ring has gone round.
            for when in [rng.below(3), 4 + rng.below(5)] {
                let error = run(who, when).unwrap_err();
                assert!(matches!(error, Error::KernelPanic(_)), "{what} {when}: {error}");
                assert!(error.to_string().contains(&format!("{what} {when}")), "{when}: {error}");
                let sums = run(NOBODY, 0).unwrap();
                for (i, got) in sums.into_iter().enumerate() {
                    let (block, place) = (i / threads, i % threads);
                    let column = |row: usize| x[row * width + 64 * block + place % 64];
                    let want =
                        if place < 256 { (0..8 * tiles).map(column).sum::<f32>() } else { 0.0 };
                    assert_eq!(got, want, "thread {i} after {what} {when}");
                }
            }
        }
    });
}

/// A product whose producer panics.
#[kernel]
fn product_with_panic(
    a: TensorMap<[[f16; 64]; 128], B128>,
    steps: usize,
    when: usize,
    c: SliceMut<f32>,
    ring: Ring<(LeftTile, SharedTile<f16, 128, 64, B128, KMajor>), 2>,
) {
    ring.run(
        |producer| {
            for step in 0..steps {
                assert_ne!(step, when, "no step {step}");
                let k = 64 * step as i32;
                producer.fill(|stage| {
                    stage.part::<0>().load_panel(&a, 0, [0, k]);
                    stage.part::<1>().load_panel(&a, 0, [0, k]);
                });
            }
        },
        |consumer| {
            let warpgroup = consumer.warpgroup() % 2;
            let mut sums = Accumulator::<f32, 128>::filled(0.0);
            consumer.accumulate(&mut sums, steps, |products, stage| {
                products.add(stage.part::<0>().band(warpgroup), stage.part::<1>());
            });
            // SAFETY: each warpgroup has rows of its own.
            unsafe { sums.store(c, Layout::row_major(128).at(64 * warpgroup, 0)) };
        },
    );
}

#[test]
fn a_panic_ends_products() {
    alone("rings::a_panic_ends_products", || {
        if !device_has_them() {
            return;
        }
        let mut rng = rng();
        let steps = 5;
        let depth = 64 * steps;
        let a = small(&mut rng, 128 * depth);
        let halves: Vec<_> = a.iter().copied().map(f16::from_f32).collect();
        let da = DeviceBuffer::from_slice(&halves).unwrap();
        let map = Map::<[[f16; 64]; 128], B128>::new(&da, [128, depth]).unwrap();
        let stream = Stream::default().unwrap();
        for when in [0, 1 + rng.below(steps - 1), steps] {
            let mut c = DeviceBuffer::filled(128 * 128, f32::NAN).unwrap();
            launch!(product_with_panic<<<1, 384>>>(&map, steps, when, &mut c, tma::RING)).unwrap();
            match stream.synchronize() {
                Ok(()) => {
                    assert_eq!(when, steps);
                    assert_eq!(c.to_vec().unwrap(), host_product(&a, &a, depth));
                }
                Err(error) => {
                    assert!(when < steps && error.to_string().contains("no step"), "{error}");
                }
            }
        }
    });
}
