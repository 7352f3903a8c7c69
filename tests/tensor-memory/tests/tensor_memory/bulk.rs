//! Copies in bulk that combine, and single values that go to another block, against what the host computes.

use half::{bf16, f16};
use ptyx::device::DeviceCopy;
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk::{
    self, Add, And, AsyncValue, ClusterReduction, Dec, Inc, Max, Min, Or, Reduction, Xor,
};
use ptyx::device::cache::Policy;
use ptyx::device::shared::Shared;
use ptyx::device::tma::{Element, Tile};
use ptyx::prelude::*;
use ptyx_tensor_memory_tests::{Rng, device_has_them, rng};

const LEN: usize = 64;

/// The block's part of `x` in shared memory, for bulk copies.
fn staged<T: Element>(x: &[T]) -> Shared<[T; LEN]> {
    let tile = shared!(Tile<[T; LEN]>).array();
    let t = thread::rank() as usize;
    let values = x[LEN * block::x() as usize..][..LEN].iter();
    for (at, value) in values.enumerate().skip(t).step_by(block::threads() as usize) {
        // SAFETY: each thread writes its own elements.
        unsafe { tile.at(at).write(*value) };
    }
    bulk::fence_shared(tile.as_slice());
    block::sync();
    tile
}

/// Each block combines its part of `x` with all of `y`.
#[kernel]
fn to_global<T: Element, R: Reduction<T>>(x: &[T], y: SliceMut<T>, _by: [R; 0]) {
    let own = staged(x).as_slice();
    if thread::rank() == 0 {
        let to = core::ptr::slice_from_raw_parts_mut(y.as_mut_ptr(), y.len());
        // SAFETY: all blocks combine; nobody writes the tile.
        unsafe {
            match block::x() % 2 {
                0 => bulk::reduce_to_global::<R, T>(to, own),
                _ => bulk::reduce_to_global_with::<R, T>(to, own, Policy::evict_last()),
            }
        }
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// A reduction of values that `value` makes.
fn check<T, R>(rng: &mut Rng, value: impl Fn(&mut Rng) -> T, combined: impl Fn(T, T) -> T)
where
    T: Element + Send + PartialEq + core::fmt::Debug,
    R: Reduction<T> + Copy + Send + 'static,
{
    const BLOCKS: usize = 5;
    let x = rng.vec(BLOCKS * LEN, &value);
    let y = rng.vec(LEN, &value);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    let none: [R; 0] = [];
    launch!(to_global::<T, R><<<BLOCKS, 32>>>(&device_x, &mut device_y, none)).unwrap();
    let want =
        (0..LEN).map(|at| (0..BLOCKS).fold(y[at], |y, block| combined(y, x[block * LEN + at])));
    let what = format!("{} of {}", core::any::type_name::<R>(), core::any::type_name::<T>());
    assert_eq!(device_y.to_vec().unwrap(), want.collect::<Vec<_>>(), "{what}");
}

#[test]
fn reductions_of_global_memory() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    let small = |rng: &mut Rng| rng.below(100) as f32 - 50.0;
    check::<u32, Add>(rng, |rng| rng.next_u32(), u32::wrapping_add);
    check::<i64, Add>(rng, |rng| rng.next_u64() as i64, i64::wrapping_add);
    // Small whole numbers: sums are exact in any order.
    check::<f32, Add>(rng, small, |a, b| a + b);
    check::<f64, Add>(rng, |rng| rng.below(2000) as f64 - 1000.0, |a, b| a + b);
    check::<f16, Add>(rng, |rng| f16::from_f32(small(rng)), |a, b| a + b);
    check::<bf16, Add>(rng, |rng| bf16::from_f32((small(rng) / 4.0).round()), |a, b| a + b);
    check::<i32, Min>(rng, |rng| rng.next_u32() as i32, i32::min);
    check::<i64, Min>(rng, |rng| rng.next_u64() as i64, i64::min);
    check::<u64, Max>(rng, |rng| rng.next_u64(), u64::max);
    check::<f16, Max>(rng, |rng| f16::from_f32(small(rng)), f16::max);
    check::<bf16, Min>(rng, |rng| bf16::from_f32(small(rng)), bf16::min);
    check::<u32, And>(rng, |rng| rng.next_u32() | rng.next_u32(), |a, b| a & b);
    check::<i64, Or>(rng, |rng| rng.next_u64() as i64, |a, b| a | b);
    check::<u64, Xor>(rng, |rng| rng.next_u64(), |a, b| a ^ b);
    // The same limit in all blocks: the order does not matter.
    check::<u32, Inc>(rng, |_| 3, |a, b| if a >= b { 0 } else { a + 1 });
    check::<u32, Dec>(rng, |_| 7, |a, b| if a == 0 || a > b { b } else { a - 1 });
}

/// Each block of the cluster combines its part of `x` with that of the next block.
#[kernel]
fn to_next<T: Element, R: ClusterReduction<T>>(x: &[T], mut y: Disjoint<T>, _by: [R; 0]) {
    let sums = staged(x);
    let own = shared!(Tile<[T; LEN]>).array();
    let arrived = Barrier::new(shared!(State), 1);
    let cluster = group::cluster();
    let t = thread::rank() as usize;
    // SAFETY: each thread copies its own elements.
    unsafe {
        for at in (t..LEN).step_by(block::threads() as usize) {
            own.at(at).write(sums.at(at).read());
        }
    }
    bulk::fence_shared(own.as_slice());
    if t == 0 {
        arrived.arrive_expect_tx(size_of::<[T; LEN]>() as u32).forget();
    }
    cluster.sync(); // all barriers are initialised, all tiles are there
    if t == 0 {
        let next = (cluster.block_rank() + 1) % cluster.blocks();
        // SAFETY: the sums are read after the phase, nobody writes `own`, and blocks end after the next `sync`.
        unsafe {
            bulk::reduce_to_cluster::<R, T>(sums.as_slice(), own.as_slice(), arrived, next);
        }
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] = unsafe { sums.at(t).read() };
    cluster.sync();
}

fn check_cluster<T, R>(rng: &mut Rng, value: impl Fn(&mut Rng) -> T, combined: impl Fn(T, T) -> T)
where
    T: Element + Send + PartialEq + core::fmt::Debug + Default,
    R: ClusterReduction<T> + Copy + Send + 'static,
{
    for blocks in [2, 4] {
        let x = rng.vec(blocks * LEN, &value);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::from_slice(&vec![T::default(); x.len()]).unwrap();
        let none: [R; 0] = [];
        launch!(to_next::<T, R><<<blocks, LEN>>>(&device_x, &mut y, none), cluster = blocks)
            .unwrap();
        let from = |at: usize| (at + (blocks - 1) * LEN) % x.len();
        let want = (0..x.len()).map(|at| combined(x[at], x[from(at)]));
        let what = format!("{} of {}", core::any::type_name::<R>(), core::any::type_name::<T>());
        assert_eq!(y.to_vec().unwrap(), want.collect::<Vec<_>>(), "{what}, {blocks} blocks");
    }
}

#[test]
fn reductions_of_other_blocks() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check_cluster::<u32, Add>(rng, |rng| rng.next_u32(), u32::wrapping_add);
    check_cluster::<i64, Add>(rng, |rng| rng.next_u64() as i64, i64::wrapping_add);
    check_cluster::<i32, Max>(rng, |rng| rng.next_u32() as i32, i32::max);
    check_cluster::<u32, Min>(rng, |rng| rng.next_u32(), u32::min);
    check_cluster::<u32, Xor>(rng, |rng| rng.next_u32(), |a, b| a ^ b);
    check_cluster::<u32, Inc>(
        rng,
        |rng| rng.below(5) as u32,
        |a, b| if a >= b { 0 } else { a + 1 },
    );
}

/// Each thread sends its element to the same place in the next block, and adds its index to a sum there.
#[kernel]
fn send<T: AsyncValue>(x: &[T], mut y: Disjoint<T>, mut sums: Disjoint<u32>) {
    let inbox = shared!([T; 32]);
    let total = shared!(u32);
    let arrived = Barrier::new(shared!(State), 1);
    let cluster = group::cluster();
    let t = thread::rank() as usize;
    if t == 0 {
        // SAFETY: before the barrier.
        unsafe { total.write(cluster.block_rank()) };
        arrived.arrive_expect_tx(32 * (size_of::<T>() as u32 + 4)).forget();
    }
    cluster.sync();
    let next = (cluster.block_rank() + 1) % cluster.blocks();
    let value = x[thread::index_1d().get()];
    // SAFETY: each thread has its own place, which is read after the phase; blocks end after the next `sync`.
    unsafe {
        bulk::store_async(inbox.at(t), value, arrived, next);
        bulk::reduce_async::<Add, _>(total, t as u32, arrived, next);
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    unsafe {
        y[thread::index_1d()] = inbox.at(t).read();
        sums[thread::index_1d()] = total.read();
    }
    cluster.sync();
}

fn check_values<T>(rng: &mut Rng, value: impl Fn(&mut Rng) -> T)
where
    T: AsyncValue + DeviceCopy + Send + PartialEq + core::fmt::Debug,
{
    let blocks = 3;
    let x = rng.vec(blocks * 32, value);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(send::<T><<<blocks, 32>>>(&device_x, &mut y, &mut sums), cluster = 3).unwrap();
    let want = (0..x.len()).map(|at| x[(at + 64) % 96]).collect::<Vec<_>>();
    assert_eq!(y.to_vec().unwrap(), want, "{}", core::any::type_name::<T>());
    let want = (0..x.len()).map(|at| (at / 32) as u32 + 31 * 16).collect::<Vec<_>>();
    assert_eq!(sums.to_vec().unwrap(), want);
}

#[test]
fn values_for_other_blocks() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check_values::<u32>(rng, |rng| rng.next_u32());
    check_values::<f32>(rng, |rng| rng.next_f32());
    check_values::<i64>(rng, |rng| rng.next_u64() as i64);
    check_values::<f64>(rng, |rng| rng.next_f64());
}

/// Vectors, to places at multiples of their size.
#[kernel]
fn send_vectors(x: &[u32], mut y: Disjoint<u32>) {
    let fours = shared!(Tile<[[u32; 4]; 4]>).array();
    let twos = shared!(Tile<[[u64; 2]; 4]>).array();
    let arrived = Barrier::new(shared!(State), 1);
    let cluster = group::cluster();
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(128).forget();
    }
    cluster.sync();
    let other = cluster.block_rank() ^ 1;
    let part = |at: usize| x[32 * block::x() as usize + at];
    // SAFETY: as in `send`.
    unsafe {
        if t < 4 {
            let value = core::array::from_fn(|at| part(4 * t + at));
            bulk::store_async(fours.at(t), value, arrived, other);
        } else if t < 8 {
            let low = |at: usize| u64::from(part(4 * t + 2 * at));
            let high = |at: usize| u64::from(part(4 * t + 2 * at + 1));
            let value = core::array::from_fn(|at| low(at) | high(at) << 32);
            bulk::store_async(twos.at(t - 4), value, arrived, other);
        }
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] = unsafe {
        match t {
            0..16 => fours.at(t / 4).read()[t % 4],
            _ => (twos.at(t / 4 - 4).read()[t % 4 / 2] >> (t % 2 * 32)) as u32,
        }
    };
    cluster.sync();
}

#[test]
fn vectors_for_other_blocks() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let x = rng.vec(64, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(send_vectors<<<2, 32>>>(&device_x, &mut y), cluster = 2).unwrap();
    assert_eq!(y.to_vec().unwrap(), [&x[32..], &x[..32]].concat());
}
