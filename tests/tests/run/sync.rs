//! D3: barriers of blocks and warps, fences.

use ptyx::device::block::NamedBarrier;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// An inclusive prefix sum over a block, Hillis and Steele: two barriers a round.
#[kernel]
fn scan(x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 1024]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let n = block::dim_x() as usize;
    // SAFETY: each thread writes its own element; barriers stand between writes and reads.
    unsafe {
        tile.at(t).write(x[i.get()]);
        block::sync();
        let mut distance = 1;
        while distance < n {
            let add = if t >= distance { tile.at(t - distance).read() } else { 0 };
            block::sync();
            tile.at(t).write(tile.at(t).read() + add);
            block::sync();
            distance *= 2;
        }
        y[i] = tile.at(t).read();
    }
}

#[test]
fn barriers_separate_rounds() {
    let mut rng = rng();
    for threads in [1usize, 31, 32, 33, 100, 512, 1024] {
        let x = rng.vec(3 * threads, |rng| rng.next_u32() >> 12);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(scan<<<3, threads>>>(&device_x, &mut y)).unwrap();
        let want: Vec<u32> = x
            .chunks(threads)
            .flat_map(|block| {
                block.iter().scan(0, |sum, &x| {
                    *sum += x;
                    Some(*sum)
                })
            })
            .collect();
        assert_eq!(y.to_vec().unwrap(), want, "{threads} threads");
    }
}

#[kernel]
fn reductions(x: &[u8], mut y: Disjoint<[u32; 3]>) {
    let i = thread::index_1d();
    let odd = x[i.get()] % 2 == 1;
    let count = block::sync_count(odd);
    let and = block::sync_and(odd);
    let or = block::sync_or(odd);
    y[i] = [count, u32::from(and), u32::from(or)];
}

#[test]
fn barriers_that_reduce() {
    let mut rng = rng();
    // Blocks that are all odd, all even, and mixed.
    let x = rng.vec(4 * 100, |rng| rng.next_u64() as u8);
    let x: Vec<u8> = x
        .iter()
        .enumerate()
        .map(|(i, &x)| match i / 100 {
            0 => x | 1,
            1 => x & !1,
            _ => x,
        })
        .collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(reductions<<<4, 100>>>(&device_x, &mut y)).unwrap();
    let want: Vec<[u32; 3]> = x
        .chunks(100)
        .flat_map(|block| {
            let odd = block.iter().filter(|&x| x % 2 == 1).count() as u32;
            std::iter::repeat_n([odd, u32::from(odd == 100), u32::from(odd > 0)], 100)
        })
        .collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// Each warp rotates its values through shared memory, one lane at a time, with warp barriers.
#[kernel]
fn rotate(x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 256]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let mut value = x[i.get()];
    for _ in 0..3 {
        // SAFETY: lanes of a warp exchange within it, with barriers between.
        unsafe {
            tile.at(t).write(value);
            warp::sync(warp::FULL);
            value = tile.at(t / 32 * 32 + (t + 1) % 32).read();
            warp::sync(warp::FULL);
        }
    }
    y[i] = value;
}

#[test]
fn warp_barriers() {
    let mut rng = rng();
    let x = rng.vec(512, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(512).unwrap();
    launch!(rotate<<<2, 256>>>(&device_x, &mut y)).unwrap();
    let want: Vec<u32> = (0..512).map(|i| x[i / 32 * 32 + (i + 3) % 32]).collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// Threads that end early are not waited for.
#[kernel]
fn some_leave(out: SliceMut<u32>) {
    let t = thread::x();
    if t >= 64 {
        return;
    }
    let tile = shared!([u32; 64]);
    // SAFETY: as above.
    unsafe {
        tile.at(t as usize).write(t * t);
        block::sync();
        out.write(t as usize, tile.at(63 - t as usize).read());
    }
}

#[test]
fn ended_threads_are_not_waited_for() {
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(some_leave<<<1, 128>>>(&mut out)).unwrap();
    assert_eq!(
        out.to_vec().unwrap(),
        (0..64).map(|t: u32| (63 - t) * (63 - t)).collect::<Vec<_>>()
    );
}

/// Warps of four: the first two make values, the others take them, in turns with two barriers.
#[kernel]
fn produce_and_consume(rounds: u32, x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 64]).cells(0);
    let (full, empty) = (NamedBarrier::new(4, 128), NamedBarrier::new(15, 128));
    let t = thread::x() as usize % 64;
    let mut sum = 0u32;
    for round in 0..rounds as usize {
        if thread::x() < 64 {
            if round > 0 {
                empty.sync();
            }
            tile.set(t, x[round * 64 + t]);
            full.arrive();
        } else {
            full.sync();
            sum = tile.get(63 - t).wrapping_add(sum.wrapping_mul(3));
            if round + 1 < rounds as usize {
                empty.arrive();
            }
        }
    }
    y[thread::index_1d()] = sum;
}

#[test]
fn named_barriers_hand_values_over() {
    let mut rng = rng();
    for rounds in [1, 2, 17] {
        let x = rng.vec(64 * rounds, |rng| rng.next_u32());
        let x: Vec<u32> = x.iter().map(|x| x % 1000).collect();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(3 * 128, 7u32).unwrap();
        launch!(produce_and_consume<<<3, 128>>>(rounds as u32, &device_x, &mut y)).unwrap();
        let taken = |t: usize| {
            x.chunks(64).fold(0u32, |sum, x| x[63 - t].wrapping_add(sum.wrapping_mul(3)))
        };
        let want: Vec<u32> =
            (0..3 * 128).map(|i| if i % 128 < 64 { 0 } else { taken(i % 64) }).collect();
        assert_eq!(y.to_vec().unwrap(), want, "{rounds} rounds");
    }
}

/// Each part of a block reduces on its own; the parts come at different times.
#[kernel]
fn reductions_of_parts(threads: u32, x: &[u8], mut y: Disjoint<[u32; 3]>) {
    let i = thread::index_1d();
    let part = thread::x() / threads;
    let barrier = NamedBarrier::new(4 + part, threads);
    let odd = x[i.get()] % 2 == 1;
    let mut results = [0; 3];
    for _ in 0..=part {
        let count = barrier.sync_count(odd);
        results = [count, u32::from(barrier.sync_and(odd)), u32::from(barrier.sync_or(odd))];
    }
    y[i] = results;
}

#[test]
fn named_barriers_that_reduce() {
    let mut rng = rng();
    for threads in [32usize, 64, 128] {
        // Parts that are all odd, all even, and mixed.
        let x = rng.vec(2 * 256, |rng| rng.next_u64() as u8);
        let of_part = |(i, x): (usize, &u8)| match i / threads % 4 {
            0 => x | 1,
            1 => x & !1,
            _ => *x,
        };
        let x: Vec<u8> = x.iter().enumerate().map(of_part).collect();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(reductions_of_parts<<<2, 256>>>(threads as u32, &device_x, &mut y)).unwrap();
        let want: Vec<[u32; 3]> = x
            .chunks(threads)
            .flat_map(|part| {
                let odd = part.iter().filter(|&x| x % 2 == 1).count();
                let of_all = [odd as u32, u32::from(odd == threads), u32::from(odd > 0)];
                std::iter::repeat_n(of_all, threads)
            })
            .collect();
        assert_eq!(y.to_vec().unwrap(), want, "{threads} threads");
    }
}
