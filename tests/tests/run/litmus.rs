//! D6: litmus tests of orders and scopes. Two threads access two places; an order forbids one of the outcomes
//! that they may see, which must not occur in any of many runs. PTX ISA, "Memory Consistency Model".
//!
//! Each pair of threads has places of its own in each round, so that nothing is ever reset.

use ptyx::device::atomic::{
    Scope, fence, fence_block, fence_device, fence_system, orders::*, scopes::*,
};
use ptyx::prelude::*;
use ptyx_tests::images::{count, entry};
use ptyx_tests::rng;

const ROUNDS: usize = 200;
const PAIRS: usize = 8;
const THREADS: usize = 64;
const SLOTS: usize = ROUNDS * PAIRS * THREADS;

/// What a reader writes down where the flag was not set.
const NOT_YET: u32 = u32::MAX;

/// How the message's flag is set and read.
const STORE_AND_LOAD: u32 = 0;
const FENCES: u32 = 1;
const UPDATES: u32 = 2;
const EXCHANGES: u32 = 3;

/// The thread's role, and its place in a round. Partners are blocks next to each other or, for the scopes of
/// a block, warps.
fn role(within_block: bool, round: usize) -> (bool, usize) {
    let (block, t) = (block::x() as usize, thread::x() as usize);
    match within_block {
        false => (block % 2 == 0, (round * PAIRS + block / 2) * THREADS + t),
        true => {
            let warp = t / 32;
            let place = warp / 2 * 32 + t % 32;
            (warp % 2 == 0, (round * PAIRS + block) * THREADS + place)
        }
    }
}

/// Message passing: the data is written by plain stores; whoever sees the flag sees the data. Every other reader
/// waits for the flag.
#[kernel]
fn message_passing<S: Scope + Default>(
    within_block: bool,
    variant: u32,
    delays: &[u8],
    data: SliceMut<[u32; 3]>,
    flags: Atomics<u32>,
    seen: SliceMut<u32>,
) {
    let scope = S::default();
    for round in 0..ROUNDS {
        let (writes, slot) = role(within_block, round);
        let flag = &flags[slot];
        wait(delays[slot] >> if writes { 4 } else { 0 });
        if writes {
            let value = slot as u32 + 1;
            // SAFETY: the other thread reads it only once it has seen the flag.
            unsafe { data.write(slot, [value; 3]) };
            match variant {
                STORE_AND_LOAD => flag.with(Release, scope).store(1),
                FENCES => {
                    fence(Release, scope);
                    flag.with(Relaxed, scope).store(1);
                }
                UPDATES => _ = flag.with(AcqRel, scope).fetch_add(1),
                _ => _ = flag.with(Release, scope).compare_exchange(0, 1),
            }
        } else {
            let look = || match variant {
                STORE_AND_LOAD => flag.with(Acquire, scope).load(),
                FENCES => {
                    let is_set = flag.with(Relaxed, scope).load();
                    fence(Acquire, scope);
                    is_set
                }
                UPDATES => flag.with(Acquire, scope).fetch_or(0),
                _ => flag.with(Acquire, scope).compare_exchange(1, 1).unwrap_or_else(|now| now),
            };
            let mut is_set = look();
            while is_set == 0 && waits_for_message(slot) {
                is_set = look();
            }
            let saw = if is_set == 0 {
                NOT_YET
            } else {
                // SAFETY: the writer is done with it.
                let [a, b, c] = unsafe { data.read(slot) };
                if a == b && b == c { a } else { 0 }
            };
            // SAFETY: this thread's own.
            unsafe { seen.write(slot, saw) };
        }
    }
}

/// Whether the reader of this slot waits for the message.
fn waits_for_message(slot: usize) -> bool {
    slot % 2 == 1
}

/// Passes some time, so that one of the two is ahead now and then.
fn wait(steps: u8) {
    for _ in 0..steps & 15 {
        core::hint::black_box(steps);
    }
}

fn pass_messages<S: Scope + Default>(within_block: bool, variant: u32) {
    let mut rng = rng();
    let delays = rng.vec(SLOTS, |rng| rng.next_u32() as u8);
    let delays = DeviceBuffer::from_slice(&delays).unwrap();
    let mut data = DeviceBuffer::filled(SLOTS, [0u32; 3]).unwrap();
    let mut flags = DeviceBuffer::zeroed(SLOTS).unwrap();
    let mut seen = DeviceBuffer::zeroed(SLOTS).unwrap();
    let (blocks, threads) = if within_block { (PAIRS, 2 * THREADS) } else { (2 * PAIRS, THREADS) };
    launch!(message_passing::<S><<<blocks, threads>>>(
        within_block, variant, &delays, &mut data, &mut flags, &mut seen
    ), cooperative)
    .unwrap();
    for (slot, &saw) in seen.to_vec().unwrap().iter().enumerate() {
        // Only who does not wait may come before the message.
        let early = saw == NOT_YET && !waits_for_message(slot);
        assert!(early || saw == slot as u32 + 1, "variant {variant}: slot {slot}, {saw}");
    }
}

#[test]
fn messages_between_blocks() {
    for variant in [STORE_AND_LOAD, FENCES, UPDATES, EXCHANGES] {
        pass_messages::<Gpu>(false, variant);
    }
}

#[test]
fn messages_in_the_scope_of_the_system() {
    for variant in [STORE_AND_LOAD, FENCES, UPDATES, EXCHANGES] {
        pass_messages::<System>(false, variant);
    }
}

#[test]
fn messages_within_a_block() {
    for variant in [STORE_AND_LOAD, FENCES, UPDATES, EXCHANGES] {
        pass_messages::<Block>(true, variant);
        pass_messages::<Cluster>(true, variant);
    }
}

/// Store buffering: each stores to one place, then loads the other. With sequentially consistent fences
/// between, at least one sees the other's store.
#[kernel]
fn store_buffering<S: Scope + Default>(
    within_block: bool,
    x: Atomics<u32>,
    y: Atomics<u32>,
    seen_first: SliceMut<u32>,
    seen_second: SliceMut<u32>,
) {
    let scope = S::default();
    for round in 0..ROUNDS {
        let (first, slot) = role(within_block, round);
        let (own, other, seen) = if first { (x, y, seen_first) } else { (y, x, seen_second) };
        own[slot].with(Relaxed, scope).store(1);
        fence(SeqCst, scope);
        let saw = other[slot].with(Relaxed, scope).load();
        // SAFETY: this thread's own.
        unsafe { seen.write(slot, saw) };
    }
}

/// The scope whose fence has a name of its own.
trait Named: Scope + Default {
    fn fence();
}

impl Named for Block {
    fn fence() {
        fence_block();
    }
}

impl Named for Gpu {
    fn fence() {
        fence_device();
    }
}

impl Named for System {
    fn fence() {
        fence_system();
    }
}

/// Store buffering with the fences that have names.
#[kernel]
fn store_buffering_by_name<S: Named>(
    within_block: bool,
    x: Atomics<u32>,
    y: Atomics<u32>,
    seen_first: SliceMut<u32>,
    seen_second: SliceMut<u32>,
) {
    let scope = S::default();
    for round in 0..ROUNDS {
        let (first, slot) = role(within_block, round);
        let (own, other, seen) = if first { (x, y, seen_first) } else { (y, x, seen_second) };
        own[slot].with(Relaxed, scope).store(1);
        S::fence();
        let saw = other[slot].with(Relaxed, scope).load();
        // SAFETY: this thread's own.
        unsafe { seen.write(slot, saw) };
    }
}

/// Load buffering: each loads one place, then stores to the other. With acquire loads and release stores,
/// not both see a store that comes after a load.
#[kernel]
fn load_buffering<S: Scope + Default>(
    within_block: bool,
    x: Atomics<u32>,
    y: Atomics<u32>,
    seen_first: SliceMut<u32>,
    seen_second: SliceMut<u32>,
) {
    let scope = S::default();
    for round in 0..ROUNDS {
        let (first, slot) = role(within_block, round);
        let (own, other, seen) = if first { (x, y, seen_first) } else { (y, x, seen_second) };
        let saw = own[slot].with(Acquire, scope).load();
        other[slot].with(Release, scope).store(1);
        // SAFETY: this thread's own.
        unsafe { seen.write(slot, saw) };
    }
}

/// Runs one of the two and counts how often both, one or none of a pair saw a store.
macro_rules! outcomes {
    ($kernel:ident, $scope:ty, $within_block:expr) => {{
        let [mut x, mut y] = [0; 2].map(|_| DeviceBuffer::<u32>::zeroed(SLOTS).unwrap());
        let [mut a, mut b] = [0; 2].map(|_| DeviceBuffer::filled(SLOTS, 9u32).unwrap());
        let (blocks, threads) =
            if $within_block { (PAIRS, 2 * THREADS) } else { (2 * PAIRS, THREADS) };
        launch!($kernel::<$scope><<<blocks, threads>>>(
            $within_block, &mut x, &mut y, &mut a, &mut b
        ))
        .unwrap();
        let mut counts = [0; 3];
        for (a, b) in a.to_vec().unwrap().iter().zip(b.to_vec().unwrap()) {
            counts[(a + b) as usize] += 1;
        }
        println!("{}: {counts:?}", stringify!($kernel));
        counts
    }};
}

#[test]
fn a_store_is_seen_in_store_buffering() {
    assert_eq!(outcomes!(store_buffering, Gpu, false)[0], 0);
    assert_eq!(outcomes!(store_buffering, System, false)[0], 0);
    assert_eq!(outcomes!(store_buffering, Block, true)[0], 0);
    assert_eq!(outcomes!(store_buffering, Cluster, true)[0], 0);
}

#[test]
fn a_store_is_seen_behind_fences_with_names() {
    assert_eq!(outcomes!(store_buffering_by_name, Gpu, false)[0], 0);
    assert_eq!(outcomes!(store_buffering_by_name, System, false)[0], 0);
    assert_eq!(outcomes!(store_buffering_by_name, Block, true)[0], 0);
}

/// The emulated device orders everything; what the hardware is told is in the PTX.
#[test]
fn fences_with_names_have_their_scopes() {
    for (scope, fence) in
        [("Block", "fence.sc.cta"), ("Gpu", "fence.sc.gpu"), ("System", "fence.sc.sys")]
    {
        let name = format!("store_buffering_by_name<ptyx_device::atomic::order::scopes::{scope}>");
        let ptx = entry(&name);
        // A copy in each part of an unrolled loop, and no other.
        assert!(count(&ptx, fence) > 0, "{name}: {ptx}");
        assert_eq!(count(&ptx, "fence"), count(&ptx, fence), "{name}: {ptx}");
    }
}

#[test]
fn no_store_is_seen_too_early_in_load_buffering() {
    assert_eq!(outcomes!(load_buffering, Gpu, false)[2], 0);
    assert_eq!(outcomes!(load_buffering, System, false)[2], 0);
    assert_eq!(outcomes!(load_buffering, Block, true)[2], 0);
    assert_eq!(outcomes!(load_buffering, Cluster, true)[2], 0);
}
