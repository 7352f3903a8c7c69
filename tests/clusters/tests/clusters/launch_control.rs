//! Blocks that take over the work of others.

use crate::alone_on_newer;
use ptyx::device::launch_control::{self, Place};
use ptyx::prelude::*;

/// Counts who has worked on each block of a grid of three dimensions, and how many blocks have run.
#[kernel]
fn work(seen: Atomics<u32>, ran: Atomics<u32>) {
    if thread::rank() == 0 {
        ran[0].fetch_add(1);
    }
    launch_control::for_each_block(shared!(Place), |at| {
        let i = (at.z * grid::dim_y() + at.y) * grid::dim_x() + at.x;
        seen[(i * block::threads() + thread::rank()) as usize].fetch_add(1);
    });
}

/// The same with a panic of the first thread in one of them.
#[kernel]
fn fails(at: u32, seen: Atomics<u32>) {
    launch_control::for_each_block(shared!(Place), |block| {
        if thread::rank() == 0 {
            assert!(block.x != at, "block {at}");
        }
        seen[(block.x * block::threads() + thread::rank()) as usize].fetch_add(1);
    });
}

/// Runs them; how many blocks ran.
fn run() -> u32 {
    let shape = (5, 7, 3);
    let mut seen = DeviceBuffer::<u32>::zeroed(5 * 7 * 3 * 70).unwrap();
    let mut ran = DeviceBuffer::<u32>::zeroed(1).unwrap();
    launch!(work<<<shape, (35, 2)>>>(&mut seen, &mut ran)).unwrap();
    assert!(seen.to_vec().unwrap().iter().all(|&times| times == 1));
    let count = ran.to_vec().unwrap()[0];
    let mut seen = DeviceBuffer::<u32>::zeroed(40 * 64).unwrap();
    launch!(fails<<<40, 64>>>(11, &mut seen)).unwrap();
    let failed = seen.to_vec().unwrap_err().to_string();
    assert!(failed.contains("block 11"), "{failed}");
    count
}

#[test]
fn each_index_is_worked_on_once() {
    let count = run();
    assert!((1..=105).contains(&count), "{count}");
}

/// On an architecture that has it.
#[test]
fn blocks_take_over_others() {
    for seed in ["1", "2", "3"] {
        alone_on_newer("launch_control::blocks_take_over_others", seed, || {
            let count = run();
            assert!(count < 105, "no block took over another one");
        });
    }
}

/// With clusters of several blocks, each does its own work.
#[test]
fn clusters_do_their_own_work() {
    alone_on_newer("launch_control::clusters_do_their_own_work", "1", || {
        let mut seen = DeviceBuffer::<u32>::zeroed(8 * 32).unwrap();
        let mut ran = DeviceBuffer::<u32>::zeroed(1).unwrap();
        launch!(work<<<8, 32>>>(&mut seen, &mut ran), cluster = 2).unwrap();
        assert!(seen.to_vec().unwrap().iter().all(|&times| times == 1));
        assert_eq!(ran.to_vec().unwrap(), [8]);
    });
}
