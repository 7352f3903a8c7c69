//! A ring of tiles that some threads of a block fill and the others read; arrivals at the block's barrier.

use ptyx::device::async_copy::{Role, Tile, with_roles};
use ptyx::device::barrier::State;
use ptyx::prelude::*;
use ptyx_tests::rng;

const LEN: usize = 96;

/// The wrapping sum that consumer `number` of `count` finds.
fn own_sum(tile: &[u32], number: usize, count: usize) -> u32 {
    (number..LEN)
        .step_by(count)
        .fold(0, |sum, i| sum.wrapping_mul(31).wrapping_add(tile[LEN - 1 - i]))
}

macro_rules! rings {
    ($($kernel:ident $test:ident: $type:ty, $of:expr, $to:expr, stages $($stages:literal)*;)*) => {$(
        /// Each block reads `tiles` rows of its own. Producers copy a row in one of three ways, and store its last number
        /// themselves; consumers fold the numbers of each tile, each its own, from the end.
        #[kernel]
        fn $kernel<const STAGES: usize>(
            producers: u32,
            tiles: usize,
            rows: &[[$type; LEN]],
            mut out: Disjoint<u32>,
        ) {
            let rows = &rows[block::x() as usize * tiles..][..tiles];
            let (rank, threads) = (thread::rank(), block::threads());
            match with_roles(shared!([Tile<$type, LEN>; STAGES]), shared!([[State; STAGES]; 2]), producers) {
                Role::Producer(mut producer) => {
                    for (index, row) in rows.iter().enumerate() {
                        let mut stage = producer.acquire();
                        let last = LEN - 1;
                        match index % 3 {
                            0 => stage.memcpy_async(0, &row[..last]),
                            1 => (rank as usize..last)
                                .step_by(producers as usize)
                                .for_each(|i| stage.copy(i, &row[i])),
                            _ => (rank as usize..LEN / 8)
                                .step_by(producers as usize)
                                .for_each(|i| stage.copy_array(8 * i, &row.as_chunks::<8>().0[i])),
                        }
                        if rank == producers - 1 && index % 3 < 2 {
                            stage.set(last, row[last]);
                        }
                        stage.commit();
                    }
                }
                Role::Consumer(mut consumer) => {
                    let (number, count) = ((rank - producers) as usize, (threads - producers) as usize);
                    let mut all = 0u32;
                    for _ in 0..tiles {
                        let tile = consumer.wait();
                        let own = (number..LEN).step_by(count).fold(0u32, |sum, i| {
                            sum.wrapping_mul(31).wrapping_add($to(tile.get(LEN - 1 - i)))
                        });
                        tile.release();
                        all = all.wrapping_mul(7).wrapping_add(own);
                    }
                    out[thread::index_1d()] = all;
                }
            }
        }

        #[test]
        fn $test() {
            if !device_has_barriers() {
                return;
            }
            let mut rng = rng();
            for (producers, threads) in [(1usize, 2usize), (32, 64), (1, 33), (40, 168), (96, 100)] {
                let tiles = rng.below(12);
                let numbers = rng.vec(2 * tiles * LEN, |rng| rng.next_u32());
                let rows: Vec<[$type; LEN]> =
                    numbers.chunks(LEN).map(|row| std::array::from_fn(|i| $of(row[i]))).collect();
                let rows_here = DeviceBuffer::from_slice(&rows).unwrap();
                let want: Vec<u32> = (0..2 * threads)
                    .map(|thread| {
                        let (block, thread) = (thread / threads, thread % threads);
                        let Some(number) = thread.checked_sub(producers) else { return 9 };
                        let rows = &rows[block * tiles..][..tiles];
                        rows.iter().fold(0u32, |all, row| {
                            let row = row.map($to);
                            all.wrapping_mul(7).wrapping_add(own_sum(&row, number, threads - producers))
                        })
                    })
                    .collect();
                $({
                    let mut out = DeviceBuffer::filled(2 * threads, 9u32).unwrap();
                    let count = producers as u32;
                    launch!($kernel::<$stages><<<2, threads>>>(count, tiles, &rows_here, &mut out))
                        .unwrap();
                    let got = out.to_vec().unwrap();
                    assert_eq!(got, want, "{} stages, {producers} of {threads}", $stages);
                })*
            }
        }
    )*};
}

// Each number of stages is a kernel, and a large one.
rings! {
    words a_ring_of_words: u32, |x: u32| x, |x: u32| x, stages 1 2 5;
    narrow a_ring_of_narrow_numbers: u16, |x: u32| x as u16, u32::from, stages 2;
    doubles a_ring_of_doubles: f64, f64::from, |x: f64| x as u32, stages 5;
}

/// Whether the device has barriers in shared memory.
fn device_has_barriers() -> bool {
    let (major, minor) = Device::current().unwrap().compute_capability();
    if major < 8 {
        println!("SKIPPED: compute capability {major}.{minor} is less than 8.0");
    }
    major >= 8
}

/// A ring whose producers and consumers are wrong.
#[kernel]
fn roles(producers: u32, mut out: Disjoint<u32>) {
    let role = with_roles(shared!([Tile<u32, 32>; 1]), shared!([[State; 1]; 2]), producers);
    out[thread::index_1d()] = matches!(role, Role::Producer(_)).into();
}

#[test]
fn a_ring_needs_both_sides() {
    if !device_has_barriers() {
        return;
    }
    let mut out = DeviceBuffer::filled(64, 9u32).unwrap();
    launch!(roles<<<1, 64>>>(20, &mut out)).unwrap();
    let want: Vec<u32> = (0..64).map(|thread| u32::from(thread < 20)).collect();
    assert_eq!(out.to_vec().unwrap(), want);
    for producers in [0, 64, 65] {
        launch!(roles<<<1, 64>>>(producers, &mut out)).unwrap();
        let error = out.to_vec().unwrap_err().to_string();
        let text = format!("{producers} of 64 threads are producers");
        assert!(error.contains(&text), "{error}");
    }
}

/// Rounds in which each thread adds its neighbour's value, with work between arrival and wait.
#[kernel]
fn arrivals(x: &[u32], rounds: u32, mut out: Disjoint<u32>) {
    let cells = shared!([[u32; 1024]; 2]).cells(0);
    let (t, threads) = (thread::x() as usize, block::threads() as usize);
    let mut value = x[thread::index_1d().get()];
    for round in 0..rounds {
        let row = cells.at(round as usize % 2);
        row.set(t, value);
        let arrival = group::block().arrive();
        let own = value.wrapping_mul(3);
        arrival.wait();
        value = own.wrapping_add(row.get((t + 1) % threads));
    }
    out[thread::index_1d()] = value;
}

#[test]
fn arriving_and_waiting_separates_rounds() {
    let mut rng = rng();
    for threads in [1usize, 32, 33, 1024] {
        let x = rng.vec(2 * threads, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(arrivals<<<2, threads>>>(&device_x, 7, &mut out)).unwrap();
        let mut want = x.clone();
        for _ in 0..7 {
            let step = |block: &[u32]| -> Vec<u32> {
                let next = |t| block[(t + 1) % threads];
                (0..threads).map(|t| block[t].wrapping_mul(3).wrapping_add(next(t))).collect()
            };
            want = want.chunks(threads).flat_map(step).collect();
        }
        assert_eq!(out.to_vec().unwrap(), want, "{threads} threads");
    }
}
