//! Lanes that break the rules of what a warp does together, and panics among them.

use super::alone;
use super::panics::child;
use ptyx::Error;
use ptyx::device::warp::Segment;
use ptyx::prelude::*;

/// The upper half asks with a mask that names the lower half only.
#[kernel]
fn foreign(mut y: Disjoint<u32>) {
    let lanes = Segment::of_width(16).among(0x0000_ffff);
    y[thread::index_1d()] = warp::shuffle(lanes, thread::x(), 0);
}

/// On the emulated device, a lane outside of its own mask is an error that says where; a GPU gives any
/// value.
#[test]
fn a_lane_outside_of_its_mask_is_named() {
    let _alone = alone();
    if !Device::current().unwrap().is_emulated() {
        println!("SKIPPED: not the emulated device");
        return;
    }
    // A process of its own: a fault ends the context.
    let output = child("warps::foreign_child");
    let said = output.contains("lane 16") && output.contains("0x0000ffff");
    assert!(said && output.contains("failures/warps.rs:13"), "{output}");
}

/// Run by `a_lane_outside_of_its_mask_is_named`.
#[test]
#[ignore = "a part of another test"]
fn foreign_child() {
    let mut y = DeviceBuffer::<u32>::zeroed(32).unwrap();
    launch!(foreign<<<1, 32>>>(&mut y)).unwrap();
    println!("{}", ptyx::synchronize().unwrap_err());
}

/// The upper half of each warp panics, the lower half goes on together.
#[kernel]
fn half_panics(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let value = x[i.get() % 32];
    let sum = warp::reduce(value, |a, b| a + b);
    y[i] = sum + block::sync_count(true);
}

#[test]
fn lanes_go_on_after_others_panicked() {
    let _alone = alone();
    let x = DeviceBuffer::from_slice(&[1u32; 16]).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(half_panics<<<1, 64>>>(&x, &mut y)).unwrap();
    let error = y.to_vec().unwrap_err();
    assert!(matches!(error, Error::KernelPanic(..)), "{error}");
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!(got, if i % 32 < 16 { 16 + 32 } else { 0 }, "thread {i}");
    }
}

/// Lanes of a tile wait for others that wait for the block.
#[kernel]
fn apart(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let tile = group::tile::<16>();
    if tile.rank() < 5 {
        y[i] = tile.reduce(thread::x(), |a, b| a + b);
    }
    block::sync();
}

/// A block returns while others wait for the grid.
#[kernel]
fn grid_apart(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if block::x() == 2 {
        return;
    }
    group::grid().sync();
    y[i] = 1;
}

/// On the emulated device, groups that wait in vain are errors that say where; a GPU waits for ever.
#[test]
fn groups_that_wait_in_vain_are_reported() {
    let _alone = alone();
    if !Device::current().unwrap().is_emulated() {
        println!("SKIPPED: not the emulated device");
        return;
    }
    let output = child("warps::apart_child");
    let said = output.contains("deadlock: no thread of the block can go on");
    assert!(said && output.contains("failures/warps.rs:68"), "{output}");
    let output = child("warps::grid_apart_child");
    let said = output.contains("deadlock: the grid waits at its barrier for block 2");
    assert!(said && output.contains("failures/warps.rs:80"), "{output}");
}

/// Run by `groups_that_wait_in_vain_are_reported`.
#[test]
#[ignore = "a part of another test"]
fn apart_child() {
    let mut y = DeviceBuffer::<u32>::zeroed(32).unwrap();
    launch!(apart<<<1, 32>>>(&mut y)).unwrap();
    println!("{}", ptyx::synchronize().unwrap_err());
}

/// Run by `groups_that_wait_in_vain_are_reported`.
#[test]
#[ignore = "a part of another test"]
fn grid_apart_child() {
    let mut y = DeviceBuffer::<u32>::zeroed(128).unwrap();
    launch!(grid_apart<<<4, 32>>>(&mut y), cooperative).unwrap();
    println!("{}", ptyx::synchronize().unwrap_err());
}
