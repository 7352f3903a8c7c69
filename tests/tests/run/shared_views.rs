//! A3: a safe view of shared memory never shows an unwritten element, whichever threads make it.
//!
//! The emulated device does not report reads of unwritten shared memory. A block's memory starts with
//! zeros there, so every view here is set to something else.

use ptyx::prelude::*;

/// What a block's threads saw: how many elements were not what the view was set to.
fn wrong(launch: impl FnOnce(&mut DeviceBuffer<u32>) -> ptyx::Result<()>) -> u32 {
    let mut wrong = DeviceBuffer::zeroed(1).unwrap();
    launch(&mut wrong).unwrap();
    wrong.to_vec().unwrap()[0]
}

#[kernel]
fn after_some_returned(first: u32, every: u32, wrong: Atomics<u32>) {
    if warp::id() % every < first {
        return;
    }
    let few = shared!([u32; 100]).cells(7);
    let many = shared!([u64; 700]).atomics(8);
    let dynamic = shared::dynamic::<f32>(0, 300).cells(9.0);
    let few = (0..few.len()).filter(|&i| few.get(i) != 7).count();
    let many = many.iter().filter(|many| many.load() != 8).count();
    let dynamic = (0..dynamic.len()).filter(|&i| dynamic.get(i) != 9.0).count();
    wrong[0].fetch_add((few + many + dynamic) as u32);
}

#[test]
fn threads_that_returned_write_nothing() {
    for (threads, first, every) in [(64, 1, 2), (128, 3, 4), (70, 2, 3), (96, 0, 1), (33, 1, 2)] {
        let wrong =
            wrong(|wrong| launch!(after_some_returned<<<1, threads, 1200>>>(first, every, wrong)));
        assert_eq!(wrong, 0, "of {threads} threads, warps below {first} of {every} returned");
    }
}

/// The warps make views of two places at the same time, at the same barriers.
#[kernel]
fn of_two_places(wrong: Atomics<u32>) {
    let (few, many) = if warp::id() == 0 {
        (shared!([u32; 100]).cells(7), shared!([u32; 700]).cells(8))
    } else {
        (shared!([u32; 100]).cells(7), shared!([u32; 700]).cells(8))
    };
    let few = (0..few.len()).filter(|&i| few.get(i) != 7).count();
    let many = (0..many.len()).filter(|&i| many.get(i) != 8).count();
    wrong[0].fetch_add((few + many) as u32);
}

/// The other warp waits for something else, which is a mistake that safe code can make.
#[kernel]
fn beside_another_barrier(wrong: Atomics<u32>) {
    if warp::id() == 0 {
        block::sync();
        return;
    }
    let few = shared!([u32; 100]).cells(7);
    let few = (0..few.len()).filter(|&i| few.get(i) != 7).count();
    wrong[0].fetch_add(few as u32);
}

#[test]
fn warps_that_do_not_agree() {
    assert_eq!(wrong(|wrong| launch!(of_two_places<<<1, 64>>>(wrong))), 0);
    assert_eq!(wrong(|wrong| launch!(beside_another_barrier<<<1, 64>>>(wrong))), 0);
}

/// The lanes of a warp make views of their own rows, in one call.
#[kernel]
fn of_own_rows(wrong: Atomics<u32>) {
    let few = shared!([[u32; 5]; 64]).at(thread::x() as usize).cells(7);
    let many = shared!([[u8; 300]; 64]).at(thread::x() as usize).cells(8);
    let few = (0..few.len()).filter(|&i| few.get(i) != 7).count();
    let many = (0..many.len()).filter(|&i| many.get(i) != 8).count();
    wrong[0].fetch_add((few + many) as u32);
}

#[test]
fn lanes_with_places_of_their_own() {
    for threads in [1, 7, 32, 50, 64] {
        assert_eq!(wrong(|wrong| launch!(of_own_rows<<<1, threads>>>(wrong))), 0, "{threads}");
    }
}

/// One place of the source, so one place in memory for each type and number.
fn counts<const N: usize>(initial: u32) -> shared::SharedAtomics<u32> {
    shared!([u32; N]).atomics(initial)
}

/// A view is made anew: other values, seen by all, and what was there before is gone.
#[kernel]
fn made_again(wrong: Atomics<u32>) {
    let mut bad = 0;
    for round in 1..4 {
        let (few, many) = (counts::<40>(round), counts::<400>(round + 10));
        bad += few.iter().filter(|count| count.load() != round).count();
        bad += many.iter().filter(|count| count.load() != round + 10).count();
        block::sync();
        few[thread::x() as usize % 40].fetch_add(5);
        many[thread::x() as usize].fetch_add(5);
        block::sync();
    }
    wrong[0].fetch_add(bad as u32);
}

#[test]
fn views_are_made_again() {
    for threads in [20, 64, 96] {
        assert_eq!(wrong(|wrong| launch!(made_again<<<2, threads>>>(wrong))), 0, "{threads}");
    }
}

/// Rows of cells, and rows of atomics; one type more than a view of one dimension.
#[kernel]
fn in_two_dimensions(x: &[f32], mut y: Disjoint<f32>, totals: Atomics<u32>) {
    let tile = shared!([[f32; 8]; 16]).cells(0.5);
    let counts = shared!([[u32; 3]; 5]).atomics(7);
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    if t < 120 {
        tile.at(t / 8).set(t % 8, x[i.get()]);
    }
    counts[t % 5][t % 3].fetch_add(t as u32);
    block::sync();
    y[i] = tile.at(15 - t / 8).get(7 - t % 8);
    if t < 15 {
        totals[t].store(counts[t / 3][t % 3].load());
    }
}

#[test]
fn arrays_of_arrays() {
    let x: Vec<f32> = (0..128).map(|i| i as f32).collect();
    let device = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(128).unwrap();
    let mut totals = DeviceBuffer::zeroed(15).unwrap();
    launch!(in_two_dimensions<<<1, 128>>>(&device, &mut y, &mut totals)).unwrap();
    for (t, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let from = 127 - t;
        assert_eq!(got, if from < 120 { from as f32 } else { 0.5 });
    }
    for (at, got) in totals.to_vec().unwrap().into_iter().enumerate() {
        let sum: u32 = (0..128).filter(|t| (t % 5, t % 3) == (at as u32 / 3, at as u32 % 3)).sum();
        assert_eq!(got, 7 + sum);
    }
}
