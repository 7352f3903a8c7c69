//! D6: atomics on global and shared memory.

use ptyx::device::atomic::{AtomicInteger, AtomicNumber};
use ptyx::prelude::*;
use ptyx_tests::rng;

/// What the integer kernel does with each value: one bin for each operation.
const OPERATIONS: usize = 6;

#[kernel]
fn integers<T: AtomicInteger>(x: &[T], bins: Atomics<T>) {
    for i in thread::grid_stride(x.len()) {
        let x = x[i.get()];
        bins[0].fetch_add(x);
        bins[1].fetch_min(x);
        bins[2].fetch_max(x);
        bins[3].fetch_and(x);
        bins[4].fetch_or(x);
        bins[5].fetch_xor(x);
    }
}

macro_rules! check_integers {
    ($rng:expr, $($type:ident)*) => {$({
        let x: Vec<$type> = $rng.vec(3000, |rng| rng.next_u64() as $type);
        let start: [$type; OPERATIONS] = [5, $type::MAX, $type::MIN, !0, 0, 9];
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut bins = DeviceBuffer::from_slice(&start).unwrap();
        launch!(integers::<$type><<<5, 96>>>(&device_x, &mut bins)).unwrap();
        let want = x.iter().fold(start, |[add, min, max, and, or, xor], &x| {
            [add.wrapping_add(x), min.min(x), max.max(x), and & x, or | x, xor ^ x]
        });
        assert_eq!(bins.to_vec().unwrap(), want, stringify!($type));
    })*};
}

#[test]
fn integers_on_global_memory() {
    let mut rng = rng();
    check_integers!(rng, u32 i32 u64 i64);
}

#[kernel]
fn floats<T: Num + AtomicNumber>(x: &[T], sum: Atomics<T>) {
    for i in thread::grid_stride(x.len()) {
        sum[0].fetch_add(x[i.get()]);
        sum[1].fetch_sub(x[i.get()]);
    }
}

#[test]
fn floats_on_global_memory() {
    let mut rng = rng();
    // Multiples of 1/64 below 1: every order of addition gives the same, exact sum.
    let x = rng.vec(2000, |rng| (rng.below(128) as f64 - 64.0) / 64.0);
    let want: f64 = x.iter().sum();

    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sum = DeviceBuffer::from_slice(&[0.5, 0.25]).unwrap();
    launch!(floats::<f64><<<3, 64>>>(&device_x, &mut sum)).unwrap();
    assert_eq!(sum.to_vec().unwrap(), [0.5 + want, 0.25 - want]);

    let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sum = DeviceBuffer::from_slice(&[0.5f32, 0.25]).unwrap();
    launch!(floats::<f32><<<3, 64>>>(&device_x, &mut sum)).unwrap();
    assert_eq!(sum.to_vec().unwrap(), [0.5 + want as f32, 0.25 - want as f32]);
}

/// Each thread takes a ticket, and leaves its number there.
#[kernel]
fn tickets(counter: Atomics<u32>, taken: SliceMut<u32>) {
    let i = thread::index_1d();
    let ticket = counter[0].fetch_add(1);
    // SAFETY: tickets differ.
    unsafe { taken.write(ticket as usize, i.get() as u32) }
}

#[test]
fn old_values_are_unique() {
    let n = 700;
    let mut counter = DeviceBuffer::zeroed(1).unwrap();
    let mut taken = DeviceBuffer::filled(n, u32::MAX).unwrap();
    launch!(tickets<<<7, 100>>>(&mut counter, &mut taken)).unwrap();
    assert_eq!(counter.to_vec().unwrap(), [n as u32]);
    let mut taken = taken.to_vec().unwrap();
    taken.sort_unstable();
    assert_eq!(taken, (0..n as u32).collect::<Vec<_>>());
}

/// A maximum of floats by compare-exchange, and one by `fetch_update`; exchanges form a chain.
#[kernel]
fn exchanges(x: &[f32], most: Atomics<f32>, chain: Atomics<u64>) {
    let i = thread::index_1d();
    let Some(&x) = x.get(i.get()) else { return };
    let mut seen = most[0].load();
    while seen < x {
        match most[0].compare_exchange(seen, x) {
            Ok(_) => break,
            Err(now) => seen = now,
        }
    }
    most[1].fetch_update(|most| if most < x { x } else { most });
    let before = chain[0].swap(i.get() as u64 + 1);
    chain[1].fetch_add(before);
}

#[test]
fn exchange_and_compare_exchange() {
    let mut rng = rng();
    let n = 900;
    let x = rng.vec(n, |rng| rng.next_f32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut most = DeviceBuffer::filled(2, -2.0f32).unwrap();
    let mut chain = DeviceBuffer::zeroed(2).unwrap();
    launch!(exchanges<<<9, 100>>>(&device_x, &mut most, &mut chain)).unwrap();
    let want = x.iter().copied().fold(-2.0, f32::max);
    assert_eq!(most.to_vec().unwrap(), [want, want]);
    // Whatever was put in was taken out by the next, but for the last.
    let chain = chain.to_vec().unwrap();
    let n = n as u64;
    assert_eq!(chain[0] + chain[1], n * (n + 1) / 2);
}

/// Counts in shared memory.
#[kernel]
fn shared_counts(x: &[u8], bins: Atomics<u32>) {
    let counts = shared!([u32; 16]).atomics(0);
    for i in thread::grid_stride(x.len()) {
        counts[usize::from(x[i.get()] % 16)].fetch_add(1);
    }
    block::sync();
    let t = thread::x() as usize;
    if t < 16 {
        bins[t].fetch_add(counts[t].load());
    }
}

#[test]
fn integers_on_shared_memory() {
    let mut rng = rng();
    let x = rng.vec(5000, |rng| rng.next_u64() as u8);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut bins = DeviceBuffer::zeroed(16).unwrap();
    launch!(shared_counts<<<4, 128>>>(&device_x, &mut bins)).unwrap();
    let mut want = [0; 16];
    x.iter().for_each(|x| want[usize::from(x % 16)] += 1);
    assert_eq!(bins.to_vec().unwrap(), want);
}
