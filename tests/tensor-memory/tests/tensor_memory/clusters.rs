//! Tiles that go to several blocks of a cluster.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::cache::Policy;
use ptyx::device::tma::{TensorMap, Tile};
use ptyx::prelude::*;
use ptyx_tensor_memory_tests::{device_has_them, rng};

type Shape = [[u32; 32]; 4];

/// Each block loads a tile for all blocks whose rank has the same parity as its own; what came is written.
#[kernel]
fn share(x: TensorMap<Shape>, mut y: Disjoint<u32>) {
    let tiles = shared!([Tile<Shape>; 8]);
    let arrived = Barrier::new(shared!(State), 1);
    let cluster = group::cluster();
    let (rank, blocks) = (cluster.block_rank(), cluster.blocks());
    let t = thread::rank() as usize;
    let of_same_parity = (0..blocks).filter(|other| other % 2 == rank % 2);
    let ranks = of_same_parity.clone().fold(0u16, |ranks, other| ranks | 1 << other);
    if t == 0 {
        let bytes = Tile::<Shape>::BYTES * of_same_parity.clone().count() as u32;
        arrived.arrive_expect_tx(bytes).forget();
    }
    cluster.sync(); // all barriers are initialised
    if t == 0 {
        let to = tiles.at(rank as usize);
        let at = [4 * rank as i32 - 1, 8];
        // SAFETY: the tiles are read after the phase, and no block ends before the next `sync`.
        unsafe {
            match rank {
                0 => x.load_to_cluster(to, at, arrived, ranks),
                _ => x.load_to_cluster_with(to, at, arrived, ranks, Policy::evict_last()),
            }
        };
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    let sum = of_same_parity.fold(0u32, |sum, other| unsafe {
        let value = tiles.at(other as usize).at([t / 32, t % 32]).read();
        sum.wrapping_mul(3).wrapping_add(value)
    });
    y[thread::index_1d()] = sum;
    cluster.sync();
}

#[test]
fn tiles_for_several_blocks() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for size in [1usize, 2, 5, 8] {
        let (rows, columns) = (4 * size, 36);
        let x = rng.vec(rows * columns, |rng| rng.next_u32());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let map = ptyx::TensorMap::<Shape>::new(&device_x, [rows, columns]).unwrap();
        let mut y = DeviceBuffer::zeroed(size * 128).unwrap();
        launch!(share<<<size, 128>>>(&map, &mut y), cluster = size).unwrap();
        for (at, got) in y.to_vec().unwrap().into_iter().enumerate() {
            let (rank, t) = (at / 128, at % 128);
            let want = (rank % 2..size).step_by(2).fold(0u32, |sum, other| {
                let (row, column) = ((4 * other + t / 32).wrapping_sub(1), 8 + t % 32);
                let is_inside = row < rows && column < columns;
                let value = if is_inside { x[row * columns + column] } else { 0 };
                sum.wrapping_mul(3).wrapping_add(value)
            });
            assert_eq!(got, want, "cluster of {size}, block {rank}, thread {t}");
        }
    }
}
