//! D6: more litmus tests: within a block through shared memory, and independent readers of independent writes. PTX ISA,
//! "Memory Consistency Model". As in `litmus`, nothing is ever reset.

use ptyx::device::atomic::{Atomic, Scope, fence, orders::*, scopes::*};
use ptyx::prelude::*;
use ptyx_tests::rng;

const ROUNDS: usize = 24;
/// Lanes of a warp, each of which has a place of its own in each round.
const LANES: usize = 32;
const BLOCKS: usize = 24;

/// What a reader records if the flag was not set.
const NOT_YET: u32 = u32::MAX;

/// How the message's flag is set and read.
const STORE_AND_LOAD: u32 = 0;
const FENCES: u32 = 1;
const UPDATES: u32 = 2;
const EXCHANGES: u32 = 3;

/// Spends some time, so that now one of the two is ahead, now the other.
fn delay(steps: u8) {
    for _ in 0..steps & 15 {
        core::hint::black_box(steps);
    }
}

/// Whether the reader of this slot waits for the message.
fn waits_for_message(slot: usize) -> bool {
    slot % 2 == 1
}

fn set(flag: &Atomic<u32>, variant: u32) {
    match variant {
        STORE_AND_LOAD => flag.with(Release, Block).store(1),
        FENCES => {
            fence(Release, Block);
            flag.with(Relaxed, Block).store(1);
        }
        UPDATES => _ = flag.with(AcqRel, Block).fetch_add(1),
        _ => _ = flag.with(Release, Block).compare_exchange(0, 1),
    }
}

fn is_set(flag: &Atomic<u32>, variant: u32) -> bool {
    let value = match variant {
        STORE_AND_LOAD => flag.with(Acquire, Block).load(),
        FENCES => {
            let value = flag.with(Relaxed, Block).load();
            fence(Acquire, Block);
            value
        }
        UPDATES => flag.with(Acquire, Block).fetch_or(0),
        _ => flag.with(Acquire, Block).compare_exchange(1, 1).unwrap_or_else(|now| now),
    };
    value != 0
}

/// Message passing between two warps of a block: the first one writes shared memory by plain stores, then sets a flag. A
/// reader that sees the flag sees the data. Every second reader waits for the flag.
#[kernel]
fn messages(variant: u32, delays: &[u8], seen: SliceMut<u32>) {
    const SLOTS: usize = ROUNDS * LANES;
    let data = shared!([[u32; 2]; SLOTS]);
    let flags = shared!([u32; SLOTS]).atomics(0);
    let reads = thread::x() as usize / LANES == 1;
    for round in 0..ROUNDS {
        let own = round * LANES + thread::x() as usize % LANES;
        let slot = block::x() as usize * SLOTS + own;
        let flag = &flags[own];
        delay(delays[slot] >> if reads { 4 } else { 0 });
        if reads {
            let mut is_there = is_set(flag, variant);
            while !is_there && waits_for_message(slot) {
                is_there = is_set(flag, variant);
            }
            let mut saw = NOT_YET;
            if is_there {
                // SAFETY: the writer is done with it.
                let [a, b] = unsafe { data.at(own).read() };
                saw = if a == b { a } else { 0 };
            }
            // SAFETY: this thread's own.
            unsafe { seen.write(slot, saw) };
        } else {
            // SAFETY: the other thread reads it only once it has seen the flag.
            unsafe { data.at(own).write([slot as u32 + 1; 2]) };
            set(flag, variant);
        }
    }
}

#[test]
fn messages_through_shared_memory() {
    let mut rng = rng();
    let slots = BLOCKS * ROUNDS * LANES;
    for variant in [STORE_AND_LOAD, FENCES, UPDATES, EXCHANGES] {
        let delays = rng.vec(slots, |rng| rng.next_u32() as u8);
        let delays = DeviceBuffer::from_slice(&delays).unwrap();
        let mut seen = DeviceBuffer::zeroed(slots).unwrap();
        launch!(messages<<<BLOCKS, 2 * LANES>>>(variant, &delays, &mut seen)).unwrap();
        for (slot, &saw) in seen.to_vec().unwrap().iter().enumerate() {
            let early = saw == NOT_YET && !waits_for_message(slot);
            assert!(early || saw == slot as u32 + 1, "variant {variant}: slot {slot}, {saw}");
        }
    }
}

/// Store buffering between two warps through shared memory, with sequentially consistent fences; load buffering with
/// acquire loads and release stores. Records what each thread saw.
#[kernel]
fn buffering(stores_first: bool, delays: &[u8], seen: SliceMut<u32>) {
    const SLOTS: usize = ROUNDS * LANES;
    let places = shared!([u32; 2 * SLOTS]).atomics(0);
    let number = thread::x() as usize / LANES;
    for round in 0..ROUNDS {
        let own = round * LANES + thread::x() as usize % LANES;
        let (mine, other) = (&places[2 * own + number], &places[2 * own + 1 - number]);
        let slot = 2 * (block::x() as usize * SLOTS + own) + number;
        delay(delays[slot]);
        let saw = if stores_first {
            mine.with(Relaxed, Block).store(1);
            fence(SeqCst, Block);
            other.with(Relaxed, Block).load()
        } else {
            let saw = mine.with(Acquire, Block).load();
            other.with(Release, Block).store(1);
            saw
        };
        // SAFETY: this thread's own.
        unsafe { seen.write(slot, saw) };
    }
}

#[test]
fn buffering_in_shared_memory() {
    let mut rng = rng();
    let slots = 2 * BLOCKS * ROUNDS * LANES;
    // Store buffering: at least one must see the other's store. Load buffering: not both may see the other's store.
    for (stores_first, forbidden) in [(true, 0), (false, 2)] {
        let delays = rng.vec(slots, |rng| rng.next_u32() as u8);
        let delays = DeviceBuffer::from_slice(&delays).unwrap();
        let mut seen = DeviceBuffer::filled(slots, 9u32).unwrap();
        launch!(buffering<<<BLOCKS, 2 * LANES>>>(stores_first, &delays, &mut seen)).unwrap();
        let mut counts = [0; 3];
        for pair in seen.to_vec().unwrap().chunks(2) {
            counts[(pair[0] + pair[1]) as usize] += 1;
        }
        println!("stores first: {stores_first}: {counts:?}");
        assert_eq!(counts[forbidden], 0, "stores first: {stores_first}: {counts:?}");
        assert_eq!(counts.iter().sum::<usize>(), slots / 2);
    }
}

/// One of four threads: two write one place each, two read both, in different orders, with sequentially consistent fences
/// between. Returns what a reader saw, in its order.
fn one_of_four<S: Scope>(number: usize, x: &Atomic<u32>, y: &Atomic<u32>, scope: S) -> [u32; 2] {
    let (first, second) = if number.is_multiple_of(2) { (x, y) } else { (y, x) };
    if number < 2 {
        first.with(Relaxed, scope).store(1);
        return [0; 2];
    }
    let before = first.with(Relaxed, scope).load();
    fence(SeqCst, scope);
    [before, second.with(Relaxed, scope).load()]
}

/// The four are blocks next to each other or warps of a block.
#[kernel]
fn independent_reads<S: Scope + Default>(
    within_block: bool,
    delays: &[u8],
    x: Atomics<u32>,
    y: Atomics<u32>,
    seen: SliceMut<[u32; 2]>,
) {
    let (block, warp) = (block::x() as usize, thread::x() as usize / LANES);
    let (number, group) = if within_block { (warp, block) } else { (block % 4, block / 4) };
    for round in 0..ROUNDS {
        let place = (group * ROUNDS + round) * LANES + thread::x() as usize % LANES;
        delay(delays[4 * place + number]);
        let saw = one_of_four(number, &x[place], &y[place], S::default());
        // SAFETY: this thread's own.
        unsafe { seen.write(4 * place + number, saw) };
    }
}

/// The same through shared memory.
#[kernel]
fn independent_reads_of_shared_memory(delays: &[u8], seen: SliceMut<[u32; 2]>) {
    const SLOTS: usize = ROUNDS * LANES;
    let places = shared!([u32; 2 * SLOTS]).atomics(0);
    let number = thread::x() as usize / LANES;
    for round in 0..ROUNDS {
        let own = round * LANES + thread::x() as usize % LANES;
        let slot = 4 * (block::x() as usize * SLOTS + own) + number;
        delay(delays[slot]);
        let saw = one_of_four(number, &places[2 * own], &places[2 * own + 1], Block);
        // SAFETY: this thread's own.
        unsafe { seen.write(slot, saw) };
    }
}

/// The two readers must not disagree on which write came first.
fn check_order(what: &str, seen: &DeviceBuffer<[u32; 2]>) {
    let seen = seen.to_vec().unwrap();
    let (mut apart, mut half_seen) = (0, 0);
    for four in seen.chunks(4) {
        let only_first = |saw: [u32; 2]| saw == [1, 0];
        half_seen += usize::from(only_first(four[2]) || only_first(four[3]));
        apart += usize::from(only_first(four[2]) && only_first(four[3]));
    }
    println!("{what}: of {}, {half_seen} saw one write without the other", seen.len() / 4);
    assert_eq!(apart, 0, "{what}: of {}", seen.len() / 4);
}

#[test]
fn readers_agree_on_the_order_of_writes() {
    let mut rng = rng();
    let places = BLOCKS * ROUNDS * LANES;
    let delays = rng.vec(4 * places, |rng| rng.next_u32() as u8);
    let delays = DeviceBuffer::from_slice(&delays).unwrap();
    macro_rules! run {
        ($scope:ty, $within_block:expr) => {{
            let [mut x, mut y] = [0; 2].map(|_| DeviceBuffer::<u32>::zeroed(places).unwrap());
            let mut seen = DeviceBuffer::filled(4 * places, [9u32; 2]).unwrap();
            let (blocks, threads) =
                if $within_block { (BLOCKS, 4 * LANES) } else { (4 * BLOCKS, LANES) };
            launch!(independent_reads::<$scope><<<blocks, threads>>>(
                $within_block, &delays, &mut x, &mut y, &mut seen
            ))
            .unwrap();
            check_order(stringify!($scope), &seen);
        }};
    }
    run!(Gpu, false);
    run!(System, false);
    run!(Block, true);
    run!(Cluster, true);
    let mut seen = DeviceBuffer::filled(4 * places, [9u32; 2]).unwrap();
    launch!(independent_reads_of_shared_memory<<<BLOCKS, 4 * LANES>>>(&delays, &mut seen)).unwrap();
    check_order("shared memory", &seen);
}
