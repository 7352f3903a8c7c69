//! D14: bulk copies.

use ptyx::device::async_copy::Tile;
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::cache::Policy;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Whether the device has bulk copies; if not, says that a test is skipped.
fn device_has_them() -> bool {
    let (major, minor) = Device::current().unwrap().compute_capability();
    if major < 9 {
        println!("SKIPPED: compute capability {major}.{minor} is less than 9.0");
    }
    major >= 9
}

const LEN: usize = 256;
const STAGES: usize = 3;

/// Doubles and reverses tiles: loads in bulk run ahead through a ring, stores in bulk follow.
#[kernel]
fn reverse_tiles(x: &[u32], out: SliceMut<u32>) {
    let tiles = shared!([Tile<u32, LEN>; STAGES]);
    let result = shared!(Tile<u32, LEN>).elements();
    let states = shared!([State; STAGES]);
    let full: [Barrier; STAGES] = core::array::from_fn(|stage| Barrier::new(states.at(stage), 1));
    let count = x.len() / LEN;
    let t = thread::x() as usize;
    let load = |tile: usize| {
        let (stage, from) = (tile % STAGES, &x[tile * LEN..][..LEN]);
        full[stage].arrive_expect_tx(size_of_val(from) as u32).forget();
        let to = tiles.at(stage).elements().as_slice();
        // SAFETY: `x` does not change; the tile is read after the phase, and loaded again after that.
        unsafe {
            if tile.is_multiple_of(2) {
                bulk::global_to_shared(to, from, full[stage]);
            } else {
                bulk::global_to_shared_with(to, from, full[stage], Policy::evict_first());
            }
        }
    };
    if t == 0 {
        bulk::prefetch_l2(&x[1..]);
        bulk::prefetch_l2_with(x, Policy::evict_last());
        (0..count.min(STAGES)).for_each(load);
    }
    let mut phase = Phase::FIRST;
    for tile in 0..count {
        let stage = tile % STAGES;
        full[stage].wait_phase(phase);
        // SAFETY: the phase is complete; the last store has read the result, which this thread writes a part of.
        unsafe {
            let value = tiles.at(stage).elements().at(LEN - 1 - t).read();
            result.at(t).write(value.wrapping_mul(2));
        }
        bulk::fence_shared(result.as_slice());
        block::sync();
        if t == 0 {
            if tile + STAGES < count {
                load(tile + STAGES);
            }
            // SAFETY: the tile's own part of the output, which nobody else writes.
            unsafe {
                let to = out.as_mut_ptr().add(tile * LEN);
                let to = core::ptr::slice_from_raw_parts_mut(to, LEN);
                if tile.is_multiple_of(2) {
                    bulk::shared_to_global(to, result.as_slice());
                } else {
                    bulk::shared_to_global_with(
                        to,
                        result.as_slice(),
                        Policy::evict_last_fraction(0.5),
                    );
                }
            }
            bulk::commit();
            bulk::wait_read::<0>();
        }
        block::sync();
        if stage == STAGES - 1 {
            phase = phase.next();
        }
    }
    if t == 0 {
        bulk::wait::<0>();
        bulk::fence();
    }
}

#[test]
fn tiles_travel_both_ways() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for tiles in [1, 2, 3, 4, 10] {
        let x = rng.vec(tiles * LEN, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(reverse_tiles<<<1, 256>>>(&device_x, &mut out)).unwrap();
        let reversed =
            |tile: &[u32]| tile.iter().rev().map(|x| x.wrapping_mul(2)).collect::<Vec<_>>();
        let want: Vec<u32> = x.chunks(LEN).flat_map(reversed).collect();
        assert_eq!(out.to_vec().unwrap(), want, "{tiles} tiles");
    }
}

/// Every size from 16 bytes on, and copies to the next block of the cluster.
#[kernel]
fn sizes(x: &[u8], mut out: Disjoint<[u8; 16]>) {
    let first = shared!(Tile<u8, 4096>).elements();
    let second = shared!(Tile<u8, 4096>).elements();
    let states = shared!([State; 2]);
    let (loaded, sent) = (Barrier::new(states.at(0), 1), Barrier::new(states.at(1), 1));
    let (t, cluster) = (thread::x() as usize, group::cluster());
    let next = (cluster.block_rank() + 1) % cluster.blocks();
    cluster.sync(); // the barriers of all blocks are initialised
    if t == 0 {
        let bytes = x.len() as u32;
        loaded.arrive_expect_tx(bytes).forget();
        sent.arrive_expect_tx(bytes).forget();
        let part = shared_part(first, x.len());
        // SAFETY: `x` does not change; the tiles are read after the phases.
        unsafe {
            let loading = bulk::global_to_shared(part, x, loaded);
            assert!(loading == bytes);
            loaded.wait_phase(Phase::FIRST);
            bulk::shared_to_cluster(shared_part(second, x.len()), part, sent, next);
        }
    }
    sent.wait_phase(Phase::FIRST);
    if let Some(out) = out.get_mut(thread::index_1d()).filter(|_| 16 * t < x.len()) {
        // SAFETY: the phase is complete.
        *out = core::array::from_fn(|k| unsafe { second.at(16 * t + k).read() });
    }
    cluster.sync(); // no block ends before its tile has been read
}

fn shared_part(
    tile: ptyx::device::shared::Shared<[u8; 4096]>,
    len: usize,
) -> ptyx::device::shared::Shared<[u8]> {
    tile.as_slice().range(0..len)
}

#[test]
fn every_size_within_the_cluster() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for units in [1usize, 2, 3, 17, 255, 256] {
        let x = rng.vec(16 * units, |rng| rng.next_u32() as u8);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::filled(512, [0u8; 16]).unwrap();
        launch!(sizes<<<2, 256>>>(&device_x, &mut out), cluster = 2).unwrap();
        let out = out.to_vec().unwrap();
        for block in out.chunks(256) {
            assert_eq!(block[..units].as_flattened(), x, "{units} units");
        }
    }
}

/// A copy that the hardware can't make.
#[kernel]
fn wrong(x: &[u8], skip: usize, len: usize, out: Atomics<u32>) {
    let tile = shared!(Tile<u8, 4096>).elements();
    let barrier = Barrier::new(shared!(State), 1);
    // SAFETY: it panics before it copies.
    out[0].store(unsafe {
        bulk::global_to_shared(shared_part(tile, 32), &x[skip..][..len], barrier)
    });
}

#[test]
fn copies_that_do_not_fit_are_panics() {
    ptyx_tests::alone("bulk_copies::copies_that_do_not_fit_are_panics", || {
        if !device_has_them() {
            return;
        }
        let x = DeviceBuffer::from_slice(&[1u8; 256]).unwrap();
        for (skip, len, why) in [
            (0, 48, "slices of different lengths"),
            (1, 32, "addresses that are multiples of 16"),
            (8, 32, "addresses that are multiples of 16"),
        ] {
            let mut out = DeviceBuffer::zeroed(1).unwrap();
            let outcome = launch!(wrong<<<1, 1>>>(&x, skip, len, &mut out));
            let error = outcome.and_then(|_| out.to_vec()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    });
}
