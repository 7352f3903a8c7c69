//! D14: barriers in shared memory.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::{async_copy, barrier};
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Whether the device has at least this compute capability, times ten; if not, says that a test is skipped.
fn device_has(least: u32) -> bool {
    let (major, minor) = Device::current().unwrap().compute_capability();
    let has = major * 10 + minor >= least;
    if !has {
        println!("SKIPPED: compute capability {major}.{minor} is less than {least} / 10");
    }
    has
}

/// Rounds in which each thread adds its neighbour's value, with work between arrival and wait.
#[kernel]
fn neighbours(x: &[u32], rounds: u32, mut out: Disjoint<u32>) {
    let cells = shared!([[u32; 1024]; 2]).cells(0);
    let barrier = Barrier::of_block(shared!(State));
    let (t, threads) = (thread::x() as usize, block::threads() as usize);
    let mut value = x[thread::index_1d().get()];
    for round in 0..rounds {
        let row = cells.at(round as usize % 2);
        row.set(t, value);
        let token = barrier.arrive();
        let own = value.wrapping_mul(3);
        barrier.wait(token);
        value = own.wrapping_add(row.get((t + 1) % threads));
    }
    out[thread::index_1d()] = value;
}

#[test]
fn phases_separate_rounds() {
    if !device_has(80) {
        return;
    }
    let mut rng = rng();
    for threads in [1usize, 32, 33, 256, 1024] {
        let x = rng.vec(2 * threads, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(neighbours<<<2, threads>>>(&device_x, 7, &mut out)).unwrap();
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

/// One warp writes numbers, the others add them up: a ring of two buffers with a barrier for each state.
#[kernel]
fn ring(x: &[u32], sums: Atomics<u32>) {
    let cells = shared!([[u32; 32]; 2]).cells(0);
    let states = shared!([State; 4]);
    let readers = block::threads() - 32;
    let full = [Barrier::new(states.at(0), 1), Barrier::new(states.at(1), 1)];
    let free = [Barrier::new(states.at(2), readers), Barrier::new(states.at(3), readers)];
    let (lane, mut phase, mut sum) = (warp::lane() as usize, Phase::FIRST, 0u32);
    for (round, tile) in x.chunks_exact(32).enumerate() {
        let stage = round % 2;
        if warp::id() == 0 {
            free[stage].wait_phase(phase.previous());
            cells.at(stage).set(lane, tile[lane]);
            warp::sync(warp::FULL);
            if lane == 0 {
                full[stage].arrive().forget();
            }
        } else {
            full[stage].wait_phase(phase);
            sum = sum.wrapping_add(cells.at(stage).get(31 - lane));
            free[stage].arrive().forget();
        }
        if stage == 1 {
            phase = phase.next();
        }
    }
    if warp::id() != 0 {
        sums[lane].fetch_add(sum);
    }
}

#[test]
fn a_ring_with_phases() {
    if !device_has(80) {
        return;
    }
    let x = rng().vec(32 * 13, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(32).unwrap();
    launch!(ring<<<3, 128>>>(&device_x, &mut sums)).unwrap();
    let column =
        |lane: usize| x.chunks(32).fold(0u32, |sum, tile| sum.wrapping_add(tile[31 - lane]));
    let want: Vec<u32> = (0..32).map(|lane| column(lane).wrapping_mul(9)).collect();
    assert_eq!(sums.to_vec().unwrap(), want);
}

/// Counts of arrivals: by warps, with threads that leave, and the number still missing.
#[kernel]
fn counts(mut out: Disjoint<[u32; 4]>) {
    let states = shared!([State; 2]);
    let by_warps = Barrier::of_block(states.at(0));
    let counter = shared!([u32; 1]).atomics(0);
    let mut result = [0; 4];
    counter[0].fetch_add(1);
    warp::sync(warp::FULL);
    if warp::lane() == 0 {
        by_warps.arrive_many(warp::SIZE).forget();
    }
    by_warps.wait_phase(Phase::FIRST);
    result[0] = counter[0].load();

    let leaving = Barrier::of_block(states.at(1));
    if thread::x() % 2 == 1 {
        leaving.arrive_and_drop();
    } else {
        leaving.arrive_and_wait();
        counter[0].fetch_add(1);
        let token = leaving.arrive();
        result[1] = u32::from(token.pending_count() >= 1 && token.pending_count() <= 32);
        while !leaving.is_complete(&token) {}
        result[2] = counter[0].load();
    }
    result[3] = u32::from(by_warps.is_phase_complete(Phase::FIRST));
    out[thread::index_1d()] = result;
}

#[test]
fn arrivals_are_counted() {
    if !device_has(80) {
        return;
    }
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(counts<<<1, 64>>>(&mut out)).unwrap();
    let want: Vec<[u32; 4]> =
        (0..64).map(|t| if t % 2 == 1 { [64, 0, 0, 1] } else { [64, 1, 96, 1] }).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

/// The copies of all threads arrive at a barrier.
#[kernel]
fn after_copies(x: &[u64], mut out: Disjoint<u64>) {
    let place = shared!([u64; 256]);
    let barrier = Barrier::of_block(shared!(State));
    let t = thread::x() as usize;
    // SAFETY: `x` is in global memory; the places are read after the phase.
    unsafe {
        async_copy::memcpy_async(place.at(t), &x[thread::index_1d().get()]);
        barrier.arrive_after_copies();
        barrier.wait_phase(Phase::FIRST);
        out[thread::index_1d()] = place.at(255 - t).read();
    }
}

#[test]
fn copies_arrive() {
    if !device_has(80) {
        return;
    }
    let x = rng().vec(512, |rng| rng.next_u64());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut out = DeviceBuffer::zeroed(512).unwrap();
    launch!(after_copies<<<2, 256>>>(&device_x, &mut out)).unwrap();
    let want: Vec<u64> = (0..512).map(|i| x[i / 256 * 256 + 255 - i % 256]).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

/// Bytes that are expected and come, in any order, and an arrival by way of the cluster; then the barrier's memory is
/// used again.
#[kernel]
fn transactions(mut out: Disjoint<u32>) {
    let state = shared!(State);
    let barrier = Barrier::new(state, 2);
    let mut result = 0;
    if thread::x() == 0 {
        let token = barrier.arrive_expect_tx(48);
        barrier.expect_tx(16);
        barrier.complete_tx(60);
        // SAFETY: this block is the only one of its cluster.
        unsafe { barrier.arrive_remote(0) };
        result = u32::from(!barrier.is_complete(&token));
        barrier.complete_tx(4);
        barrier.wait(token);
    }
    barrier.wait_phase(Phase::FIRST);
    block::sync();
    if thread::x() == 0 {
        // SAFETY: nobody uses the barrier any more.
        unsafe { barrier.invalidate() };
    }
    block::sync();
    Barrier::of_block(state).arrive_and_wait();
    out[thread::index_1d()] = result + 1;
}

#[test]
fn expected_bytes_complete_a_phase() {
    if !device_has(90) {
        return;
    }
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(transactions<<<1, 64>>>(&mut out)).unwrap();
    let want: Vec<u32> = (0..64).map(|t| if t == 0 { 2 } else { 1 }).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

/// A barrier that waits for one thread more than there are.
#[kernel]
fn one_too_few(out: Atomics<u32>) {
    Barrier::new(shared!(State), block::threads() + 1).arrive_and_wait();
    out[0].store(1);
}

#[kernel]
fn wrong_count(out: Atomics<u32>) {
    Barrier::new(shared!(State), out[0].load());
}

#[test]
fn a_wait_without_end_is_reported_by_the_emulated_device() {
    ptyx_tests::alone("barriers::a_wait_without_end_is_reported_by_the_emulated_device", || {
        if !Device::current().unwrap().is_emulated() {
            println!("SKIPPED: a GPU hangs");
            return;
        }
        if !device_has(90) {
            return;
        }
        let mut out = DeviceBuffer::zeroed(1).unwrap();
        let outcome = launch!(one_too_few<<<1, 64>>>(&mut out));
        let error = outcome.and_then(|_| out.to_vec()).unwrap_err().to_string();
        assert!(error.contains("deadlock") && error.contains("64 threads wait at"), "{error}");
    });
}

#[test]
fn a_count_out_of_range_is_a_panic() {
    ptyx_tests::alone("barriers::a_count_out_of_range_is_a_panic", || {
        if !device_has(80) {
            return;
        }
        for count in [0, barrier::MAX_COUNT + 1] {
            let mut out = DeviceBuffer::from_slice(&[count]).unwrap();
            let outcome = launch!(wrong_count<<<1, 1>>>(&mut out));
            let error = outcome.and_then(|_| out.to_vec()).unwrap_err().to_string();
            assert!(error.contains("a barrier waits for 1 to 1048575 arrivals"), "{error}");
        }
    });
}
