//! Litmus tests of the cluster's scope between two blocks of a cluster: messages that one passes to the other through global
//! memory and through the reader's shared memory. PTX ISA, "Memory Consistency Model".

use ptyx::device::atomic::{Atomic, fence, orders::*, scopes::Cluster};
use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, rng};

const ROUNDS: usize = 24;
const THREADS: usize = 64;
/// Slots of a cluster: a thread of each block shares one in each round, so that nothing is ever reset.
const SLOTS: usize = ROUNDS * THREADS;
const CLUSTERS: usize = 12;

/// What a reader writes down where the flag was not set.
const NOT_YET: u32 = u32::MAX;

/// How the message's flag is set and read.
const STORE_AND_LOAD: u32 = 0;
const FENCES: u32 = 1;
const UPDATES: u32 = 2;
const EXCHANGES: u32 = 3;

/// Sets the flag, after everything that this thread wrote before.
fn set(flag: &Atomic<u32>, variant: u32) {
    match variant {
        STORE_AND_LOAD => flag.with(Release, Cluster).store(1),
        FENCES => {
            fence(Release, Cluster);
            flag.with(Relaxed, Cluster).store(1);
        }
        UPDATES => _ = flag.with(AcqRel, Cluster).fetch_add(1),
        _ => _ = flag.with(Release, Cluster).compare_exchange(0, 1),
    }
}

/// Whether the flag is set; what was written before is then visible.
fn is_set(flag: &Atomic<u32>, variant: u32) -> bool {
    let value = match variant {
        STORE_AND_LOAD => flag.with(Acquire, Cluster).load(),
        FENCES => {
            let value = flag.with(Relaxed, Cluster).load();
            fence(Acquire, Cluster);
            value
        }
        UPDATES => flag.with(Acquire, Cluster).fetch_or(0),
        _ => flag.with(Acquire, Cluster).compare_exchange(1, 1).unwrap_or_else(|now| now),
    };
    value != 0
}

/// Whether the reader of this slot waits for the message.
fn waits_for_message(slot: usize) -> bool {
    slot % 2 == 1
}

/// Passes some time, so that one of the two is ahead now and then.
fn delay(steps: u8) {
    for _ in 0..steps & 15 {
        core::hint::black_box(steps);
    }
}

/// What the reader of a message notes: it is the same word twice, or there is none yet.
fn noted(slot: usize, flag: &Atomic<u32>, variant: u32, message: impl FnOnce() -> [u32; 2]) -> u32 {
    let mut is_there = is_set(flag, variant);
    while !is_there && waits_for_message(slot) {
        is_there = is_set(flag, variant);
    }
    if !is_there {
        return NOT_YET;
    }
    let [a, b] = message();
    if a == b { a } else { 0 }
}

/// Block 0 of each cluster passes messages to block 1: plain stores, then a flag, all in global memory.
#[kernel]
fn through_global_memory(
    variant: u32,
    delays: &[u8],
    data: SliceMut<[u32; 2]>,
    flags: Atomics<u32>,
    seen: SliceMut<u32>,
) {
    let reads = group::cluster().block_rank() == 1;
    for round in 0..ROUNDS {
        let slot = (block::x() as usize / 2 * ROUNDS + round) * THREADS + thread::x() as usize;
        delay(delays[slot] >> if reads { 4 } else { 0 });
        if reads {
            // SAFETY: the writer is done with it once the flag is set; the note is this thread's own.
            unsafe { seen.write(slot, noted(slot, &flags[slot], variant, || data.read(slot))) };
        } else {
            // SAFETY: the other thread reads it only once it has seen the flag.
            unsafe { data.write(slot, [slot as u32 + 1; 2]) };
            set(&flags[slot], variant);
        }
    }
}

/// The same through the shared memory of block 1.
#[kernel]
fn through_shared_memory(variant: u32, delays: &[u8], seen: SliceMut<u32>) {
    let cluster = group::cluster();
    let reads = cluster.block_rank() == 1;
    let data = shared!([[u32; 2]; SLOTS]);
    let flags = shared!([u32; SLOTS]).atomics(0);
    cluster.with_peers(flags, |peers| {
        let (flags, data) = (peers.of(1), cluster.map_shared_rank(data, 1));
        for round in 0..ROUNDS {
            let own = round * THREADS + thread::x() as usize;
            let slot = block::x() as usize / 2 * SLOTS + own;
            delay(delays[slot] >> if reads { 4 } else { 0 });
            if reads {
                // SAFETY: as above; the block's memory exists until all are done.
                unsafe {
                    let message = || data.at(own).read();
                    seen.write(slot, noted(slot, &flags[own], variant, message));
                }
            } else {
                // SAFETY: as above.
                unsafe { data.at(own).write([slot as u32 + 1; 2]) };
                set(&flags[own], variant);
            }
        }
    });
}

/// Who sees the flag sees the message, and who waits for it gets it.
fn check(place: &str, variant: u32, seen: &DeviceBuffer<u32>) {
    for (slot, &saw) in seen.to_vec().unwrap().iter().enumerate() {
        let early = saw == NOT_YET && !waits_for_message(slot);
        assert!(early || saw == slot as u32 + 1, "{place}, variant {variant}: slot {slot}, {saw}");
    }
}

#[test]
fn messages_between_blocks_of_a_cluster() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    const ALL: usize = CLUSTERS * SLOTS;
    let blocks = 2 * CLUSTERS;
    for variant in [STORE_AND_LOAD, FENCES, UPDATES, EXCHANGES] {
        let delays = rng.vec(ALL, |rng| rng.next_u32() as u8);
        let delays = DeviceBuffer::from_slice(&delays).unwrap();
        let mut data = DeviceBuffer::filled(ALL, [0u32; 2]).unwrap();
        let mut flags = DeviceBuffer::zeroed(ALL).unwrap();
        let mut seen = DeviceBuffer::zeroed(ALL).unwrap();
        launch!(
            through_global_memory<<<blocks, THREADS>>>(
                variant, &delays, &mut data, &mut flags, &mut seen
            ),
            cluster = 2
        )
        .unwrap();
        check("global", variant, &seen);
        let mut seen = DeviceBuffer::zeroed(ALL).unwrap();
        launch!(through_shared_memory<<<blocks, THREADS>>>(variant, &delays, &mut seen), cluster = 2)
            .unwrap();
        check("shared", variant, &seen);
    }
}
