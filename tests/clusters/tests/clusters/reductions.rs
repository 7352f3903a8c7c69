//! Reductions, scans and votes of clusters and of the grid, against what the host computes.

use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, rng};

/// A function `x -> a * x + b`, modulo 2^64: an operation that is associative but not commutative, on a type with padding.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Affine {
    a: u64,
    kind: u8,
    b: u64,
}

const IDENTITY: Affine = Affine { a: 1, kind: 0, b: 0 };

/// First `self`, then the other.
fn then(first: Affine, second: Affine) -> Affine {
    Affine {
        a: first.a.wrapping_mul(second.a),
        kind: first.kind ^ second.kind,
        b: second.a.wrapping_mul(first.b).wrapping_add(second.b),
    }
}

/// What each thread finds out.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Found {
    all: Affine,
    up_to: Affine,
    before: Affine,
    sum: u64,
    least: i32,
    greatest: f32,
    votes: [u64; 3],
}

/// What a group of threads with these values finds out, the thread of this rank.
fn expected(values: &[u32], rank: usize) -> Found {
    let fold = |values: &[u32]| values.iter().map(|&x| affine(x)).fold(IDENTITY, then);
    let odd = values.iter().filter(|&&x| x % 2 == 1).count() as u64;
    Found {
        all: fold(values),
        up_to: fold(&values[..=rank]),
        before: then(START, fold(&values[..rank])),
        sum: values.iter().map(|&x| u64::from(x)).sum(),
        least: values.iter().map(|&x| x as i32).min().unwrap(),
        greatest: values.iter().map(|&x| x as f32).fold(f32::MIN, f32::max),
        votes: [u64::from(odd == values.len() as u64), u64::from(odd > 0), odd],
    }
}

const START: Affine = Affine { a: 3, kind: 7, b: 11 };

fn affine(x: u32) -> Affine {
    Affine { a: u64::from(x) << 20 | 1, kind: (x >> 8) as u8, b: x.into() }
}

#[kernel]
fn of_cluster(x: &[u32], mut y: Disjoint<Found>) {
    let (i, cluster) = (thread::index_1d(), group::cluster());
    let x = x[i.get()];
    let odd = x % 2 == 1;
    y[i] = Found {
        all: cluster.reduce(affine(x), then),
        up_to: cluster.inclusive_scan(affine(x), then),
        before: cluster.exclusive_scan(START, affine(x), then),
        sum: cluster.reduce_add(u64::from(x)),
        least: cluster.reduce_min(x as i32),
        greatest: cluster.reduce_max(x as f32),
        votes: [cluster.all(odd).into(), cluster.any(odd).into(), cluster.count(odd).into()],
    };
}

// A kernel with all of these operations takes twice as long to compile as three.

#[kernel]
fn grid_combines(x: &[u32], scratch: Atomics<u32>, mut y: Disjoint<Found>) {
    let (i, grid) = (thread::index_1d(), group::grid());
    let x = affine(x[i.get()]);
    let found = &mut y[i];
    found.all = grid.reduce(scratch, x, then);
    found.up_to = grid.inclusive_scan(scratch, x, then);
    found.before = grid.exclusive_scan(scratch, START, x, then);
}

#[kernel]
fn grid_reduces_numbers(x: &[u32], scratch: Atomics<u32>, mut y: Disjoint<Found>) {
    let (i, grid) = (thread::index_1d(), group::grid());
    let x = x[i.get()];
    let found = &mut y[i];
    found.sum = grid.reduce_add(scratch, u64::from(x));
    found.least = grid.reduce_min(scratch, x as i32);
    found.greatest = grid.reduce_max(scratch, x as f32);
}

#[kernel]
fn grid_votes(x: &[u32], scratch: Atomics<u32>, mut y: Disjoint<Found>) {
    let (i, grid) = (thread::index_1d(), group::grid());
    let odd = x[i.get()] % 2 == 1;
    y[i].votes =
        [grid.all(scratch, odd).into(), grid.any(scratch, odd).into(), grid.count(scratch, odd)];
}

const NOTHING: Found = Found {
    all: IDENTITY,
    up_to: IDENTITY,
    before: IDENTITY,
    sum: 0,
    least: 0,
    greatest: 0.0,
    votes: [0; 3],
};

/// Values of groups of `size` threads: random, or all odd, or all even, so that votes differ.
fn values(groups: usize, size: usize) -> Vec<u32> {
    let mut rng = rng();
    let mut all = Vec::new();
    for group in 0..groups {
        all.extend((0..size).map(|_| match group % 3 {
            0 => rng.next_u32(),
            1 => rng.next_u32() | 1,
            _ => rng.next_u32() & !1,
        }));
    }
    all
}

/// Compares with the host, group by group.
fn check(x: &[u32], size: usize, y: &DeviceBuffer<Found>) {
    for (group, (x, y)) in x.chunks(size).zip(y.to_vec().unwrap().chunks(size)).enumerate() {
        for (rank, got) in y.iter().enumerate() {
            assert_eq!(*got, expected(x, rank), "group {group} of {size} threads, thread {rank}");
        }
    }
}

#[test]
fn clusters_reduce_and_scan() {
    if !device_has_clusters() {
        return;
    }
    for (blocks, threads, clusters) in [(1, 40, 3), (2, 128, 4), (3, 33, 3), (4, 64, 3), (8, 7, 3)]
    {
        let x = values(clusters, blocks * threads);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(x.len(), NOTHING).unwrap();
        launch!(of_cluster<<<blocks * clusters, threads>>>(&device_x, &mut y), cluster = blocks)
            .unwrap();
        check(&x, blocks * threads, &y);
    }
}

#[test]
fn the_grid_reduces_and_scans() {
    for (blocks, threads) in [(1usize, 50usize), (5, 32), (7, 1), (13, 96), (40, 33)] {
        let x = values(1, blocks * threads);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(x.len(), NOTHING).unwrap();
        // Anything may be in it.
        let len = group::Grid::scratch_len::<Affine>(blocks);
        let mut scratch = DeviceBuffer::filled(len, u32::MAX).unwrap();
        launch!(grid_combines<<<blocks, threads>>>(&device_x, &mut scratch, &mut y), cooperative)
            .unwrap();
        launch!(grid_reduces_numbers<<<blocks, threads>>>(&device_x, &mut scratch, &mut y), cooperative)
            .unwrap();
        launch!(grid_votes<<<blocks, threads>>>(&device_x, &mut scratch, &mut y), cooperative)
            .unwrap();
        check(&x, blocks * threads, &y);
    }
    let mut y = DeviceBuffer::filled(64, NOTHING).unwrap();
    let x = DeviceBuffer::zeroed(64).unwrap();
    let mut short = DeviceBuffer::zeroed(group::Grid::scratch_len::<Affine>(2) - 1).unwrap();
    let outcome = launch!(grid_combines<<<2, 32>>>(&x, &mut short, &mut y), cooperative);
    let error = outcome.and_then(|()| y.to_vec()).unwrap_err().to_string();
    assert!(error.contains("Grid::scratch_len"), "{error}");
}

/// Passes values to the next block, and sums up something of its own before it waits.
#[kernel]
fn split(rounds: u32, values: Atomics<u32>, mut y: Disjoint<u32>) {
    let (i, grid) = (thread::index_1d(), group::grid());
    let size = grid.size() as usize;
    let mut sum = 0u32;
    for round in 0..rounds {
        let from = (round % 2) as usize * size;
        values[from + i.get()].store(sum.wrapping_mul(31).wrapping_add(i.get() as u32));
        let arrival = grid.arrive();
        sum = sum.wrapping_add(round);
        // A token that is dropped waits as well.
        if round % 2 == 0 {
            arrival.wait()
        } else {
            drop(arrival)
        }
        let next = (i.get() + block::threads() as usize) % size;
        sum = sum.wrapping_add(values[from + next].load());
    }
    y[i] = sum;
}

#[test]
fn a_grid_arrives_and_waits_later() {
    let (blocks, threads, rounds) = (6usize, 48usize, 9u32);
    let size = blocks * threads;
    let mut values = DeviceBuffer::zeroed(2 * size).unwrap();
    let mut y = DeviceBuffer::zeroed(size).unwrap();
    launch!(split<<<blocks, threads>>>(rounds, &mut values, &mut y), cooperative).unwrap();
    let mut want = vec![0u32; size];
    for round in 0..rounds {
        let stored = |i: usize| want[i].wrapping_mul(31).wrapping_add(i as u32);
        want = (0..size)
            .map(|i| want[i].wrapping_add(round).wrapping_add(stored((i + threads) % size)))
            .collect();
    }
    assert_eq!(y.to_vec().unwrap(), want);
}
