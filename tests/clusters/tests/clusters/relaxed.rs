//! What orders nothing: relaxed arrivals and waits. Whose shared memory a place is in.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::{bulk, space};
use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, images};

/// For each thread: the ranks of places that are mapped to all blocks, and which of them are in shared memory.
#[kernel]
fn ranks(mut out: Disjoint<[u32; 12]>) {
    let (cluster, place) = (group::cluster(), shared!([u32; 8]));
    cluster.arrive_relaxed().wait();
    let mut found = [0; 12];
    for rank in 0..cluster.blocks() {
        let theirs = cluster.map_shared_rank(place, rank);
        let address = theirs.as_mut_ptr().cast_const();
        let at = 3 * rank as usize;
        found[at] = cluster.query_shared_rank(theirs);
        found[at + 1] = space::is_shared(address).into();
        found[at + 2] = space::is_cluster_shared(address).into();
    }
    out[thread::index_1d()] = found;
    cluster.arrive_relaxed().wait();
}

#[test]
fn places_know_their_block() {
    if !device_has_clusters() {
        return;
    }
    let mut out = DeviceBuffer::zeroed(8 * 32).unwrap();
    launch!(ranks<<<8, 32>>>(&mut out), cluster = 4).unwrap();
    for (thread, found) in out.to_vec().unwrap().into_iter().enumerate() {
        let own = thread / 32 % 4;
        for rank in 0..4 {
            let want = [rank as u32, u32::from(rank == own), 1];
            assert_eq!(found[3 * rank..3 * rank + 3], want, "thread {thread}, block {rank}");
        }
    }
    assert!(images::entry("relaxed::ranks").contains("barrier.cluster.arrive.relaxed;"));
}

const ROUNDS: u32 = 20;

/// One thread fills a tile by bulk copies, all threads read it and give it back. Relaxed arrivals, which pass nothing on, count
/// the rounds.
#[kernel]
fn ring(x: &[[u32; 64]], mut out: Disjoint<u32>) {
    let tile = shared!([u32; 64]);
    let full = Barrier::new(shared!(State), 1);
    let free = Barrier::of_block(shared!(State));
    let counted = Barrier::of_block(shared!(State));
    let (t, mut phase, mut sum) = (thread::rank() as usize, Phase::FIRST, 0u32);
    for round in 0..ROUNDS {
        if t == 0 {
            if round > 0 {
                free.wait_phase(phase.previous());
            }
            full.arrive_expect_tx_relaxed(256).forget();
            // SAFETY: all threads have read the tile, and read it again after the phase.
            unsafe { bulk::global_to_shared(tile.as_slice(), &x[round as usize], full) };
        }
        full.wait_phase(phase);
        // SAFETY: nobody writes it before all have arrived.
        sum = sum.wrapping_mul(3).wrapping_add(unsafe { tile.at(t).read() });
        free.arrive().forget();
        let token = counted.arrive_relaxed();
        match round % 2 {
            0 => while !counted.try_wait_phase_relaxed(phase) {},
            _ => while !counted.try_wait_relaxed(&token) {},
        }
        phase = phase.next();
    }
    bulk::fence_global();
    out[thread::index_1d()] = sum;
}

#[test]
fn relaxed_arrivals_and_waits() {
    if !device_has_clusters() {
        return;
    }
    let x: Vec<[u32; 64]> = (0..ROUNDS)
        .map(|round| core::array::from_fn(|i| (round * 64 + i as u32).wrapping_mul(2_654_435_761)))
        .collect();
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(ring<<<1, 64>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut out)).unwrap();
    let want: Vec<u32> = (0..64)
        .map(|t| x.iter().fold(0u32, |sum, row| sum.wrapping_mul(3).wrapping_add(row[t])))
        .collect();
    assert_eq!(out.to_vec().unwrap(), want);
    let ptx = images::entry("relaxed::ring");
    for text in [
        "mbarrier.arrive.relaxed.cta.shared::cta.b64",
        "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64",
        "mbarrier.try_wait.relaxed.cta.shared::cta.b64",
        "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64",
        "fence.proxy.async.global;",
    ] {
        assert!(ptx.contains(text), "{text}: {ptx}");
    }
}
