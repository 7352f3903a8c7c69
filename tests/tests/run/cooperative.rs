//! D13: cooperative launches, whose blocks wait for each other.

use ptyx::prelude::*;
use ptyx_tests::rng;

/// In each round every thread reads what a thread of another block wrote in the round before. Threads of
/// `ended` (bits of the rank in the block, modulo 32) return at once.
#[kernel]
fn rounds(a: Atomics<u32>, b: Atomics<u32>, count: u32, stride: u32, ended: u32) {
    let grid = group::grid();
    if ended >> (thread::rank() % 32) & 1 == 1 {
        return;
    }
    let (size, rank) = (grid.size() as usize, grid.rank() as usize);
    let other = (rank + stride as usize) % size;
    for round in 0..count {
        let (from, to) = if round % 2 == 0 { (&a, &b) } else { (&b, &a) };
        let value = from[other].load().wrapping_mul(5).wrapping_add(from[rank].load() ^ round);
        to[rank].store(value);
        grid.sync();
    }
}

#[test]
fn blocks_wait_for_each_other() {
    let mut rng = rng();
    let shapes: [((u32, u32), (u32, u32)); 6] = [
        ((1, 1), (1, 1)),
        ((1, 1), (100, 1)),
        ((2, 1), (32, 1)),
        ((7, 3), (20, 4)),
        ((132, 1), (64, 1)),
        ((60, 2), (256, 1)),
    ];
    for (blocks, threads) in shapes {
        for ended in [0u32, 1, 0xffff, rng.next_u32() | 1] {
            // A block of one thread must not end.
            let per_block = (threads.0 * threads.1) as usize;
            let alive = |i: usize| ended >> (i % per_block % 32) & 1 == 0;
            if !(0..per_block).any(alive) {
                continue;
            }
            let size = (blocks.0 * blocks.1) as usize * per_block;
            let (count, stride) = (1 + rng.below(9) as u32, rng.below(size) as u32);
            let mut want =
                [rng.vec(size, |rng| rng.next_u32()), rng.vec(size, |rng| rng.next_u32())];
            let mut a = DeviceBuffer::from_slice(&want[0]).unwrap();
            let mut b = DeviceBuffer::from_slice(&want[1]).unwrap();
            launch!(rounds<<<blocks, threads>>>(&mut a, &mut b, count, stride, ended), cooperative)
                .unwrap();
            for round in 0..count {
                let from = want[round as usize % 2].clone();
                let to = &mut want[1 - round as usize % 2];
                for i in (0..size).filter(|&i| alive(i)) {
                    let other = from[(i + stride as usize) % size];
                    to[i] = other.wrapping_mul(5).wrapping_add(from[i] ^ round);
                }
            }
            let got = [a.to_vec().unwrap(), b.to_vec().unwrap()];
            assert!(
                got == want,
                "{blocks:?} blocks of {threads:?}, {ended:#x} ended, {count} rounds"
            );
        }
    }
}

/// The sum over the grid of the ranks, for each thread.
#[kernel]
fn ranks(sum: Atomics<u32>, mut y: Disjoint<u32>) {
    let grid = group::grid();
    sum[0].fetch_add(grid.rank() as u32);
    grid.sync();
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = sum[0].load();
    }
}

#[test]
fn every_way_to_launch() {
    let mut y = DeviceBuffer::filled(64, 7).unwrap();
    let mut sum = DeviceBuffer::zeroed(1).unwrap();
    launch!(ranks<<<2, 32>>>(&mut sum, &mut y), cooperative).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2016; 64]);
    cuda!(blocks = 2, threads = 32, cooperative, ranks(&mut sum, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2 * 2016; 64]);
    let prepared = compile!(ranks(&mut sum, &mut y)).unwrap();
    let config = LaunchConfig::new().blocks(2).threads(32);
    prepared.launch(config.cooperative(), args!(&mut sum, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [3 * 2016; 64]);
}

/// Also after a cooperative launch, whose memory for the barrier is still in the registers of a GPU.
#[test]
fn a_barrier_of_the_grid_needs_a_cooperative_launch() {
    ptyx_tests::alone("cooperative::a_barrier_of_the_grid_needs_a_cooperative_launch", || {
        let mut a = DeviceBuffer::<u32>::zeroed(64).unwrap();
        let mut b = DeviceBuffer::<u32>::zeroed(64).unwrap();
        launch!(rounds<<<2, 32>>>(&mut a, &mut b, 1, 1, 0), cooperative).unwrap();
        let outcome = launch!(rounds<<<2, 32>>>(&mut a, &mut b, 1, 1, 0));
        let error = outcome.and_then(|()| a.to_vec()).unwrap_err().to_string();
        assert!(error.contains("write `launch!(.., cooperative)`"), "{error}");
    });
}

#[test]
fn a_cooperative_launch_must_fit_on_the_device() {
    let prepared = {
        let (mut sum, mut y) = (DeviceBuffer::zeroed(1).unwrap(), DeviceBuffer::zeroed(1).unwrap());
        compile!(ranks(&mut sum, &mut y)).unwrap()
    };
    let device = Device::current().unwrap();
    let most = prepared.compiled().active_blocks(1024, 0).unwrap() as usize
        * device.attributes().unwrap().multiprocessors as usize;
    let mut sum = DeviceBuffer::zeroed(1).unwrap();
    let mut y = DeviceBuffer::zeroed(most * 1024).unwrap();
    launch!(ranks<<<most, 1024>>>(&mut sum, &mut y), cooperative).unwrap();
    let want = (0..most as u32 * 1024).fold(0, u32::wrapping_add);
    assert!(y.to_vec().unwrap().iter().all(|&sum| sum == want));
    let error = launch!(ranks<<<most + 1, 1024>>>(&mut sum, &mut y), cooperative).unwrap_err();
    let error = error.to_string();
    assert!(error.contains(&format!("({} > {most})", most + 1)), "{error}");
}
