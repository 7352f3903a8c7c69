//! `elect.sync`, barriers of the block that lanes come to one by one, and groups that call a function once.

use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, rng};

/// Which lanes of each mask are chosen.
#[kernel]
fn elections(masks: &[u32], mut chosen: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut mine = 0;
    for (bit, &mask) in masks.iter().enumerate() {
        if mask >> warp::lane() & 1 == 1 {
            mine |= u32::from(warp::elect(mask)) << bit;
        }
    }
    chosen[i] = mine;
}

#[test]
fn one_lane_of_each_mask_is_elected() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    let mut masks = rng.vec(30, |rng| rng.next_u32() & rng.next_u32());
    masks.extend([u32::MAX, 1 << 31]);
    masks.iter_mut().for_each(|mask| *mask |= 1 << 17);
    let device_masks = DeviceBuffer::from_slice(&masks).unwrap();
    let mut chosen = DeviceBuffer::zeroed(96).unwrap();
    launch!(elections<<<1, 96>>>(&device_masks, &mut chosen)).unwrap();
    let chosen = chosen.to_vec().unwrap();
    for (bit, &mask) in masks.iter().enumerate() {
        let of_warp = |warp: &[u32]| -> u32 {
            (0..32).map(|lane| (warp[lane] >> bit & 1) << lane).fold(0, |all, lane| all | lane)
        };
        let elected: Vec<u32> = chosen.chunks(32).map(of_warp).collect();
        assert_eq!(elected[0].count_ones(), 1, "{mask:#x}: {elected:x?}");
        assert_eq!(elected[0] & !mask, 0, "{mask:#x}: {elected:x?}");
        assert!(elected.iter().all(|&warp| warp == elected[0]), "{mask:#x}: {elected:x?}");
    }
}

/// One thread prepares what the others use, each side with a barrier of its own.
#[kernel]
fn served(seed: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let shared = shared!([u32; 1]).cells(0);
    if thread::x() == 5 {
        shared.set(0, seed.wrapping_mul(block::x() + 3));
        block::sync_divergent();
    } else {
        block::sync_divergent();
        y[i] = shared.get(0);
    }
}

#[test]
fn lanes_wait_in_different_places() {
    let seed = rng().next_u32();
    let mut y = DeviceBuffer::zeroed(3 * 70).unwrap();
    launch!(served<<<3, 70>>>(seed, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let want = if i % 70 == 5 { 0 } else { seed.wrapping_mul(i as u32 / 70 + 3) };
        assert_eq!(got, want, "thread {i}");
    }
}

/// How often each group calls a function.
#[kernel]
fn once(calls: Atomics<u32>) {
    group::grid().invoke_one(|| calls[0].fetch_add(1));
    group::cluster().invoke_one(|| calls[1].fetch_add(1));
    group::block().invoke_one(|| calls[2].fetch_add(1));
}

#[test]
fn groups_call_a_function_once() {
    if !device_has_clusters() {
        return;
    }
    let mut calls = DeviceBuffer::zeroed(3).unwrap();
    launch!(once<<<12, 48>>>(&mut calls), cluster = 4).unwrap();
    assert_eq!(calls.to_vec().unwrap(), [1, 3, 12]);
}
