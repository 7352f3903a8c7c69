//! Arrivals at barriers of other blocks, and what they pass on.

use ptyx::device::async_copy::Tile;
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, rng};

const ROUNDS: usize = 100;
const LANES: usize = 32;

/// A message has a number in global memory and one in the other block's shared memory.
type Slots = [u32; ROUNDS];

/// Message passing: two blocks send numbers to and fro. They are written and read by plain accesses, ordered by an arrival
/// at the other block's barrier and a wait in the scope of the cluster. Numbers in global memory that are read one after
/// the other share cache lines, so that a reader that keeps old lines reads old numbers.
#[kernel]
fn messages(x: &[u32], slots: SliceMut<Slots>, mut y: Disjoint<u32>) {
    let (cluster, lane) = (group::cluster(), thread::x() as usize);
    let (own, other) = (cluster.block_rank() as usize, 1 - cluster.block_rank());
    let inbox = shared!([u32; LANES]);
    let arrived = Barrier::array(shared!([State; LANES]), 1).at(lane);
    let outbox = cluster.map_shared_rank(inbox, other).at(lane);
    let slot = |from: usize| {
        let pair = block::x() as usize / 2 * 2;
        slots.as_mut_ptr().wrapping_add((pair + from) * LANES + lane).cast::<u32>()
    };
    let (mut value, mut phase) = (x[thread::index_1d().get()], Phase::FIRST);
    cluster.sync();
    for round in 0..2 * ROUNDS {
        if round % 2 == own {
            // SAFETY: the other block reads both after it has waited; it has read the message before, since it has
            // answered. The blocks end together.
            unsafe {
                slot(own).add(round / 2).write(value);
                outbox.write(value.rotate_left(7));
                arrived.arrive_remote(other);
            }
        } else {
            // Both ways to wait.
            if round % 4 < 2 {
                phase = arrived.wait_phase_cluster(phase);
            } else {
                while !arrived.try_wait_phase_cluster(phase) {}
                phase = phase.next();
            }
            // SAFETY: as above.
            let (a, b) = unsafe { (slot(1 - own).add(round / 2).read(), inbox.at(lane).read()) };
            value = value.wrapping_mul(5).wrapping_add(a ^ b);
        }
    }
    cluster.sync();
    y[thread::index_1d()] = value;
}

#[test]
fn an_arrival_passes_ordinary_data_to_another_block() {
    if !device_has_clusters() {
        return;
    }
    let blocks = 16;
    let mut rng = rng();
    let x = rng.vec(blocks * LANES, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut slots = DeviceBuffer::filled(blocks * LANES, [0; ROUNDS]).unwrap();
    let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(messages<<<blocks, LANES>>>(&device_x, &mut slots, &mut y), cluster = 2).unwrap();
    let mut want = x;
    for pair in want.chunks_mut(2 * LANES) {
        let (first, second) = pair.split_at_mut(LANES);
        let hear = |value: &mut u32, said: u32| {
            *value = value.wrapping_mul(5).wrapping_add(said ^ said.rotate_left(7));
        };
        for _ in 0..ROUNDS {
            for (a, b) in first.iter_mut().zip(second.iter_mut()) {
                hear(b, *a);
                hear(a, *b);
            }
        }
    }
    assert_eq!(y.to_vec().unwrap(), want);
}

/// All blocks send rows to the cluster's first block, and announce the bytes at its barrier. In the second phase, all but
/// the first leave; in later ones, its own arrivals are enough.
#[kernel]
fn announced(x: &[u32], mut y: Disjoint<u32>) {
    let cluster = group::cluster();
    let (rank, t) = (cluster.block_rank() as usize, thread::x() as usize);
    let rows = shared!([Tile<u32, 32>; 8]);
    let own = shared!(Tile<u32, 32>).elements();
    // Each block arrives twice, and the first one once more.
    let barrier = Barrier::new(shared!(State), 2 * cluster.blocks() + 1);
    // SAFETY: each thread writes its own element.
    unsafe { own.at(t).write(x[thread::index_1d().get()]) };
    bulk::fence_shared(own.as_slice());
    cluster.sync();
    if t == 0 {
        let row = rows.at(rank).elements().as_slice();
        // SAFETY: all blocks have their barriers, and none ends before the last `sync`; the row is read after the phase.
        unsafe {
            barrier.expect_tx_remote(0, 100);
            barrier.arrive_expect_tx_remote(0, 128);
            bulk::shared_to_cluster(row, own.as_slice(), barrier, 0);
            barrier.complete_tx_remote(0, 100);
            barrier.arrive_many_remote(0, if rank == 0 { 2 } else { 1 });
        }
    }
    let (mut sum, mut phase) = (0u32, Phase::FIRST);
    if rank == 0 {
        phase = barrier.wait_phase_cluster(phase);
        // SAFETY: the phase is complete.
        let element = |from: u32| unsafe { rows.at(from as usize).elements().at(t).read() };
        sum = (0..cluster.blocks()).map(element).fold(0, u32::wrapping_add);
    }
    cluster.sync();
    if rank != 0 && t == 0 {
        // SAFETY: as above.
        unsafe {
            barrier.arrive_and_drop_remote(0);
            barrier.arrive_expect_tx_and_drop_remote(0, 0);
        }
    }
    if rank == 0 && t == 0 {
        barrier.arrive_many(3).forget();
        phase = barrier.wait_phase_cluster(phase);
        // The third one waits for three arrivals, and bytes.
        barrier.arrive_and_drop_many(1);
        barrier.arrive().forget();
        let token = barrier.arrive_expect_tx(8);
        let is_early = barrier.try_wait_for(&token, 1000) || barrier.try_wait_phase_for(phase, 500);
        barrier.complete_tx(8);
        barrier.wait_cluster(token);
        // The fourth for two, the fifth for one.
        barrier.arrive().forget();
        let token = barrier.arrive_expect_tx_and_drop(0);
        while !barrier.try_wait_cluster(&token) {}
        let token = barrier.arrive();
        while !barrier.try_wait_for(&token, 1000) {}
        sum = sum.wrapping_add(u32::from(is_early));
    }
    cluster.sync();
    y[thread::index_1d()] = sum;
}

#[test]
fn other_blocks_announce_bytes_and_leave() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    for blocks in [1usize, 2, 3, 8] {
        let x = rng.vec(32 * blocks, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(32 * blocks, 1u32).unwrap();
        launch!(announced<<<blocks, 32>>>(&device_x, &mut y), cluster = blocks).unwrap();
        let mut want = vec![0u32; 32 * blocks];
        for (i, x) in x.iter().enumerate() {
            want[i % 32] = want[i % 32].wrapping_add(*x);
        }
        assert_eq!(y.to_vec().unwrap(), want, "{blocks} blocks");
    }
}

/// Warps pass a number from one to the next, each with a barrier of its own, in several rounds; the waits may end early.
#[kernel]
fn relay(rounds: u32, mut y: Disjoint<u32>) {
    let (warps, own) = (block::threads() / 32, warp::id());
    let arrived = Barrier::array(shared!([State; 4]), 1);
    let number = shared!(u32);
    let mut phase = Phase::FIRST;
    let mut last = 0;
    if thread::rank() == 0 {
        // SAFETY: nobody else uses it before the first arrival.
        unsafe { number.write(1) };
        arrived.at(0).arrive().forget();
    }
    for _ in 0..rounds {
        while !arrived.at(own as usize).try_wait_phase(phase) {}
        phase = phase.next();
        warp::sync(warp::FULL);
        // SAFETY: it is this warp's turn, and within the warp all read before one writes.
        last = unsafe { number.read() };
        warp::sync(warp::FULL);
        if warp::lane() == 0 {
            // SAFETY: as above.
            unsafe { number.write(last.wrapping_mul(3).wrapping_add(own)) };
            arrived.at(((own + 1) % warps) as usize).arrive().forget();
        }
    }
    y[thread::index_1d()] = last;
}

#[test]
fn waits_that_may_end_early_are_made_again() {
    if ptyx::Device::current().unwrap().compute_capability() < (8, 0) {
        println!("skipped: the device has no barriers in shared memory");
        return;
    }
    let (rounds, warps) = (25, 4);
    let mut y = DeviceBuffer::zeroed(32 * warps as usize).unwrap();
    launch!(relay<<<1, 32 * warps>>>(rounds, &mut y)).unwrap();
    let (mut number, mut last) = (1u32, [0; 4]);
    for turn in 0..rounds * warps {
        last[(turn % warps) as usize] = number;
        number = number.wrapping_mul(3).wrapping_add(turn % warps);
    }
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!(got, last[i / 32], "thread {i}");
    }
}
