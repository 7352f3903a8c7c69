//! Shared memory of other blocks, against what the host computes.

use ptyx::device::async_copy::Tile;
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::cache::Policy;
use ptyx::prelude::*;
use ptyx_cluster_tests::{alone, device_has_clusters, rng};

const BINS: usize = 96;

/// Counts in bins that lie in the blocks of a cluster, `BINS` in each; plain values go round the cluster, one step in
/// each round.
#[kernel]
fn exchange(x: &[u32], rounds: u32, counts: Atomics<u32>, mut y: Disjoint<u32>) {
    let cluster = group::cluster();
    let own = shared!([u32; BINS]).atomics(0);
    let values = shared!([[u32; 128]; 2]);
    let (i, t) = (thread::index_1d(), thread::rank() as usize);
    let bins = BINS as u32 * cluster.blocks();
    cluster.with_peers(own, |peers| {
        let bin = x[i.get()] % bins;
        peers.of(bin / BINS as u32)[bin as usize % BINS].fetch_add(cluster.rank() + 1);
    });
    for bin in (t..BINS).step_by(block::threads() as usize) {
        counts[block::rank() as usize * BINS + bin].store(own[bin].load());
    }

    let next = (cluster.block_rank() + 1) % cluster.blocks();
    // SAFETY: each thread writes and reads an element of its own in each round, in one of two arrays; a `sync` of all lies
    // between the rounds, and behind the last one.
    unsafe {
        values.at(0).at(t).write(x[i.get()]);
        for round in 0..rounds as usize {
            let arrival = cluster.arrive();
            arrival.wait();
            let from = cluster.map_shared_rank(values, next).at(round % 2).at(t);
            values.at((round + 1) % 2).at(t).write(from.read() ^ round as u32);
        }
        cluster.sync();
        y[i] = values.at(rounds as usize % 2).at(t).read();
    }
}

#[test]
fn blocks_reach_each_others_memory() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    for (size, clusters) in [(1usize, 3usize), (2, 5), (3, 2), (4, 9), (7, 1), (8, 4)] {
        let threads = 1 + rng.below(128);
        let (blocks, rounds) = (size * clusters, rng.below(6));
        let x = rng.vec(blocks * threads, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut counts = DeviceBuffer::filled(blocks * BINS, 77u32).unwrap();
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(
            exchange<<<blocks, threads>>>(&device_x, rounds as u32, &mut counts, &mut y),
            cluster = size
        )
        .unwrap();
        let in_cluster = size * threads;
        let mut want = vec![0; blocks * BINS];
        for (i, x) in x.iter().enumerate() {
            let (cluster, rank) = (i / in_cluster, i % in_cluster);
            want[cluster * size * BINS + *x as usize % (size * BINS)] += rank as u32 + 1;
        }
        assert_eq!(counts.to_vec().unwrap(), want, "{clusters} clusters of {size}");
        let want: Vec<u32> = (0..x.len())
            .map(|i| {
                let (cluster, rank) = (i / in_cluster, i % in_cluster);
                let from = (rank + rounds * threads) % in_cluster;
                (0..rounds as u32).fold(x[cluster * in_cluster + from], |x, round| x ^ round)
            })
            .collect();
        assert_eq!(y.to_vec().unwrap(), want, "{clusters} clusters of {size}, {rounds} rounds");
    }
}

/// What each block knows of its place.
#[kernel]
fn places(y: Atomics<u32>) {
    let (cluster, grid) = (group::cluster(), group::grid());
    let (at, dim) = (cluster.block_index(), cluster.dim_blocks());
    let (index, clusters) = (grid.cluster_index(), grid.dim_clusters());
    let all = [
        at.x,
        at.y,
        at.z,
        dim.x,
        dim.y,
        dim.z,
        index.x,
        index.y,
        index.z,
        clusters.x,
        clusters.y,
        clusters.z,
        cluster.block_rank(),
        cluster.blocks(),
        cluster.rank(),
        cluster.size(),
    ];
    for (k, value) in all.into_iter().enumerate() {
        y[block::rank() as usize * 16 + k].store(value);
    }
}

#[test]
fn every_block_knows_its_place() {
    if !device_has_clusters() {
        return;
    }
    let (clusters, dim) = ([3usize, 2, 2], [2usize, 1, 2]);
    let grid = [0, 1, 2].map(|k| clusters[k] * dim[k]);
    let blocks: usize = grid.iter().product();
    let mut y = DeviceBuffer::filled(blocks * 16, 0u32).unwrap();
    launch!(places<<<(grid[0], grid[1], grid[2]), 1>>>(&mut y), cluster = (dim[0], dim[1], dim[2]))
        .unwrap();
    for (b, got) in y.to_vec().unwrap().chunks(16).enumerate() {
        let index = [b % grid[0], b / grid[0] % grid[1], b / (grid[0] * grid[1])];
        let at = [0, 1, 2].map(|k| index[k] % dim[k]);
        let rank = at[0] + dim[0] * (at[1] + dim[1] * at[2]);
        let cluster = [0, 1, 2].map(|k| index[k] / dim[k]);
        let rest = [rank, 4, rank, 4];
        let want = [&at[..], &dim, &cluster, &clusters, &rest].concat();
        let got: Vec<usize> = got.iter().map(|&x| x as usize).collect();
        assert_eq!(got, want, "block {b}");
    }
}

/// A rank that the cluster does not have.
#[kernel]
fn beyond(rank: u32, mut y: Disjoint<u32>) {
    let own = shared!(u32);
    let place = group::cluster().map_shared_rank(own, rank);
    y[thread::index_1d()] = place.as_mut_ptr().addr() as u32;
}

#[test]
fn a_rank_that_is_not_there_is_a_panic() {
    alone("memory::a_rank_that_is_not_there_is_a_panic", || {
        if !device_has_clusters() {
            return;
        }
        let mut y = DeviceBuffer::zeroed(4).unwrap();
        launch!(beyond<<<4, 1>>>(1, &mut y), cluster = 2).unwrap();
        y.to_vec().unwrap();
        let outcome = launch!(beyond<<<4, 1>>>(2, &mut y), cluster = 2);
        let error = outcome.and_then(|()| y.to_vec()).unwrap_err().to_string();
        assert!(error.contains("the cluster has no block of that rank"), "{error}");
    });
}

/// Each block loads a row of `x` for some blocks of its cluster; every block adds up the rows that it gets. The last arrival at
/// a block's barrier is another block's.
#[kernel]
fn multicast(x: &[u32], ranks: &[u16], mut y: Disjoint<u32>) {
    let cluster = group::cluster();
    let (own, blocks) = (cluster.block_rank() as usize, cluster.blocks() as usize);
    let rows = shared!([Tile<u32, 32>; 8]);
    let barrier = Barrier::new(shared!(State), 2);
    let row = |rank: usize| rows.at(rank).elements().as_slice();
    let t = thread::x() as usize;
    let mine = (0..blocks).filter(|&from| ranks[from] >> own & 1 == 1);
    cluster.sync();
    if t == 0 {
        barrier.arrive_expect_tx(128 * mine.clone().count() as u32).forget();
        // SAFETY: all blocks have their barriers, and none ends before the last `sync`; `x` does not change.
        unsafe {
            let (to, from) = (row(own), &x[32 * own..][..32]);
            match own % 2 {
                0 => bulk::global_to_cluster(to, from, barrier, ranks[own]),
                _ => {
                    let policy = Policy::evict_first();
                    bulk::global_to_cluster_with(to, from, barrier, ranks[own], policy)
                }
            };
            barrier.arrive_remote(((own + 1) % blocks) as u32);
        }
    }
    barrier.wait_phase_cluster(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] =
        mine.map(|from| unsafe { row(from).at(t).read() }).fold(0, u32::wrapping_add);
    cluster.sync();
}

#[test]
fn a_copy_goes_to_several_blocks() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    for blocks in [1usize, 2, 5, 8] {
        let x = rng.vec(32 * blocks, |rng| rng.next_u32());
        let ranks =
            rng.vec(blocks, |rng| 1.max(rng.next_u32() as u16 & ((1 << blocks) - 1) as u16));
        let (device_x, device_ranks) =
            (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&ranks).unwrap());
        let mut y = DeviceBuffer::filled(32 * blocks, 1u32).unwrap();
        launch!(multicast<<<blocks, 32>>>(&device_x, &device_ranks, &mut y), cluster = blocks)
            .unwrap();
        let want = |i: usize| {
            let rows = (0..blocks).filter(|&from| ranks[from] >> (i / 32) & 1 == 1);
            rows.map(|from| x[32 * from + i % 32]).fold(0, u32::wrapping_add)
        };
        let want: Vec<u32> = (0..32 * blocks).map(want).collect();
        assert_eq!(y.to_vec().unwrap(), want, "{blocks} blocks, {ranks:?}");
    }
}

/// In each round, every block reads what all blocks of the cluster have, and tells each of them so; then they write the
/// next values.
#[kernel]
fn give_back(x: &[u32], rounds: u32, mut y: Disjoint<u32>) {
    let cluster = group::cluster();
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let values = shared!([u32; 40]);
    // One arrival of each block.
    let free = Barrier::new(shared!(State), cluster.blocks());
    let mut phase = Phase::FIRST;
    let mut sum = 0u32;
    for round in 0..rounds {
        // SAFETY: each thread writes its own element, after all have read the one before; all read between the `sync`
        // and their arrivals, before which no block goes on or ends.
        unsafe {
            values.at(t + 3).write(x[i.get()].wrapping_mul(round + 1));
            cluster.sync();
            for rank in 0..cluster.blocks() {
                let place = cluster.map_shared_slice(values.as_slice(), rank);
                assert_eq!(place.len(), 40);
                sum = sum.rotate_left(1) ^ place.at((t + 1) % 32 + 3).read();
            }
            warp::sync(u32::MAX);
            if thread::x() < cluster.blocks() {
                free.arrive_remote_relaxed(thread::x());
            }
        }
        phase = free.wait_phase(phase);
    }
    y[i] = sum;
    cluster.sync();
}

#[test]
fn memory_is_given_back_when_all_blocks_have_read_it() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    for (blocks, clusters) in [(1usize, 2usize), (2, 3), (5, 2), (8, 1)] {
        let x = rng.vec(32 * blocks * clusters, |rng| rng.next_u32());
        let rounds = 1 + rng.below(7) as u32;
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(
            give_back<<<blocks * clusters, 32>>>(&device_x, rounds, &mut y),
            cluster = blocks
        )
        .unwrap();
        for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
            let cluster = &x[i / (32 * blocks) * 32 * blocks..][..32 * blocks];
            let mut want = 0u32;
            for round in 1..=rounds {
                for of_block in cluster.chunks(32) {
                    want = want.rotate_left(1) ^ of_block[(i + 1) % 32].wrapping_mul(round);
                }
            }
            assert_eq!(got, want, "{clusters} clusters of {blocks}, {rounds} rounds, thread {i}");
        }
    }
}

#[kernel]
fn slice_of_nobody(rank: u32, mut y: Disjoint<u32>) {
    let values = shared!([u32; 4]).as_slice();
    let place = group::cluster().map_shared_slice(values, rank);
    y[thread::index_1d()] = place.len() as u32;
}

#[test]
fn a_slice_of_a_block_that_the_cluster_lacks() {
    if !device_has_clusters() {
        return;
    }
    alone("memory::a_slice_of_a_block_that_the_cluster_lacks", || {
        let mut y = DeviceBuffer::zeroed(2).unwrap();
        launch!(slice_of_nobody<<<2, 1>>>(1, &mut y), cluster = 2usize).unwrap();
        assert_eq!(y.to_vec().unwrap(), [4, 4]);
        let outcome = launch!(slice_of_nobody<<<2, 1>>>(2, &mut y), cluster = 2usize);
        let error = outcome.and_then(|()| y.to_vec()).unwrap_err().to_string();
        assert!(error.contains("the cluster has no block of that rank"), "{error}");
    });
}
