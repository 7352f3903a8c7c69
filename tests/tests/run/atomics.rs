//! D6: atomics on global and shared memory.

use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use ptyx::device::atomic::{
    AtomicInteger, AtomicNumber, Scope, fetch_add_each, orders::*, scopes::*,
};
use ptyx::device::shared::SharedAtomics;
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
    check_integers!(rng, u8 i8 u16 i16 u32 i32 u64 i64 usize isize);
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

/// Adds a value to the counts of one warp.
fn count(own: SharedAtomics<u32>, value: u8) {
    own[usize::from(value % 16)].fetch_add(1);
}

/// The same with counts of each of four warps, row by row.
#[kernel]
fn counts_of_warps(x: &[u8], bins: Atomics<u32>) {
    let counts = shared!([[u32; 16]; 4]).atomics(0);
    for i in thread::grid_stride(x.len()) {
        count(counts.at(warp::id() as usize), x[i.get()]);
    }
    block::sync();
    let t = thread::x() as usize;
    if t < 16 {
        let of_row = |row: usize| counts[row][t].load();
        bins[t].fetch_add((0..4).map(of_row).sum());
    }
}

#[test]
fn rows_of_atomics_in_shared_memory() {
    let x = rng().vec(2000, |rng| rng.next_u32() as u8);
    let mut bins = DeviceBuffer::<u32>::zeroed(16).unwrap();
    launch!(counts_of_warps<<<3, 128>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut bins))
        .unwrap();
    let mut want = vec![0; 16];
    x.iter().for_each(|x| want[usize::from(x % 16)] += 1);
    assert_eq!(bins.to_vec().unwrap(), want);
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

/// All operations with each order; the threads' order among each other does not matter to what is left.
fn operations_of_each_order<S: Scope + Default>(bins: &[Atomic<u32>], x: u32) {
    let scope = S::default();
    bins[0].with(Relaxed, scope).fetch_add(x);
    bins[0].with(Acquire, scope).fetch_add(1);
    bins[0].with(Release, scope).fetch_sub(x / 2);
    bins[0].with(AcqRel, scope).fetch_sub(3);
    bins[1].with(Acquire, scope).fetch_max(x);
    bins[1].with(Release, scope).fetch_max(x ^ 1);
    bins[2].with(AcqRel, scope).fetch_min(x);
    bins[2].with(Relaxed, scope).fetch_min(x ^ 1);
    bins[3].with(Acquire, scope).fetch_xor(x);
    bins[3].with(AcqRel, scope).fetch_xor(x << 3);
    bins[4].with(Release, scope).fetch_or(1 << (x % 32));
    bins[4].with(Relaxed, scope).fetch_or(1 << (x / 32 % 32));
    bins[5].with(AcqRel, scope).fetch_and(!(1 << (x % 32)));
    bins[5].with(Acquire, scope).fetch_and(!(1 << (x / 32 % 32)));
    bins[6].with(Acquire, scope).fetch_update(|value| value.wrapping_add(x));
    bins[6].with(Release, scope).fetch_update(|value| value.wrapping_sub(7));
    bins[6].with(AcqRel, scope).try_update(|value| Some(value ^ 1 << 31)).unwrap();
    bins[6].with(Relaxed, scope).try_update(|_| None).unwrap_err();
    bins[7].with(AcqRel, scope).fetch_inc(99);
    bins[8].with(Release, scope).fetch_dec(99);
    let mut seen = bins[9].with(Acquire, scope).load();
    while let Err(now) =
        bins[9].with(AcqRel, scope).compare_exchange_weak(seen, seen.wrapping_mul(5))
    {
        seen = now;
    }
    // An exchange that gives back what it took, unless another thread was there between.
    bins[10].with(Release, scope).swap(x);
    bins[10].with(AcqRel, scope).swap(12);
    bins[11].with(Release, scope).store(34);
}

const BINS: usize = 12;

#[kernel]
fn each_order<S: Scope + Default>(x: &[u32], global: Atomics<u32>, of_shared: Atomics<u32>) {
    let own = shared!([u32; BINS]).atomics(0);
    let i = thread::index_1d();
    if thread::x() < BINS as u32 {
        own[thread::x() as usize].store(global[BINS + thread::x() as usize].load());
    }
    block::sync();
    operations_of_each_order::<S>(&global[..BINS], x[i.get()]);
    operations_of_each_order::<S>(&own, x[i.get()]);
    block::sync();
    if thread::x() < BINS as u32 {
        of_shared[thread::x() as usize].store(own[thread::x() as usize].load());
    }
}

/// In one block, for which every scope is wide enough.
fn check_each_order<S: Scope + Default>(rng: &mut ptyx_tests::Rng) {
    let x = rng.vec(256, |rng| rng.next_u32());
    let start: [u32; BINS] = [1 << 30, 0, u32::MAX, 0, 0, !0, 0, 0, 0, 3, 0, 0];
    let mut want = start;
    for &x in &x {
        want[0] = want[0].wrapping_add(x).wrapping_add(1).wrapping_sub(x / 2).wrapping_sub(3);
        want[1] = want[1].max(x).max(x ^ 1);
        want[2] = want[2].min(x).min(x ^ 1);
        want[3] ^= x ^ x << 3;
        want[4] |= 1 << (x % 32) | 1 << (x / 32 % 32);
        want[5] &= !(1 << (x % 32) | 1 << (x / 32 % 32));
        want[6] = want[6].wrapping_add(x).wrapping_sub(7) ^ 1 << 31;
        want[9] = want[9].wrapping_mul(5);
    }
    want[7] = 256 % 100;
    want[8] = (-256i32).rem_euclid(100) as u32;
    (want[10], want[11]) = (12, 34);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut global = DeviceBuffer::from_slice(&[start, start].concat()).unwrap();
    let mut of_shared = DeviceBuffer::zeroed(BINS).unwrap();
    launch!(each_order::<S><<<1, 256>>>(&device_x, &mut global, &mut of_shared)).unwrap();
    let (mut global, mut of_shared) = (global.to_vec().unwrap(), of_shared.to_vec().unwrap());
    for left in [&mut global, &mut of_shared] {
        // The last to come may have put `x` there between another's two exchanges.
        left[10] = if x.contains(&left[10]) { 12 } else { left[10] };
        assert_eq!(left[..BINS], want);
    }
}

#[test]
fn orders_and_scopes() {
    let mut rng = rng();
    check_each_order::<Block>(&mut rng);
    check_each_order::<Cluster>(&mut rng);
    check_each_order::<Gpu>(&mut rng);
    check_each_order::<System>(&mut rng);
}

/// `core`'s atomics on global and on shared memory.
#[kernel]
fn atomics_of_core(x: &[u32], global: Atomics<u32>, bytes: Atomics<u8>, out: Atomics<u64>) {
    let place = shared!([u64; 2]);
    // SAFETY: aligned memory of the block, which all threads access atomically only.
    let [sum, most] = [0, 1].map(|i| unsafe { AtomicU64::from_ptr(place.at(i).as_mut_ptr()) });
    sum.store(0, Ordering::Relaxed);
    most.store(0, Ordering::Relaxed);
    block::sync();
    let x = x[thread::index_1d().get()];
    sum.fetch_add(x.into(), Ordering::AcqRel);
    most.fetch_max(x.into(), Ordering::Relaxed);
    let (word, byte): (&AtomicU32, &AtomicU8) = (global[0].as_core(), bytes[2].as_core());
    word.fetch_xor(x, Ordering::SeqCst);
    byte.fetch_add(x as u8, Ordering::Release);
    block::sync();
    if thread::x() == 0 {
        out[0].fetch_add(sum.load(Ordering::Acquire));
        out[1].fetch_max(most.load(Ordering::Acquire));
    }
}

#[test]
fn types_of_core() {
    let mut rng = rng();
    let x = rng.vec(512, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut word = DeviceBuffer::zeroed(1).unwrap();
    let mut bytes = DeviceBuffer::from_slice(&[7u8, 8, 9]).unwrap();
    let mut out = DeviceBuffer::zeroed(2).unwrap();
    launch!(atomics_of_core<<<4, 128>>>(&device_x, &mut word, &mut bytes, &mut out)).unwrap();
    assert_eq!(word.to_vec().unwrap(), [x.iter().fold(0, |bits, x| bits ^ x)]);
    let byte = x.iter().fold(9u8, |sum, &x| sum.wrapping_add(x as u8));
    assert_eq!(bytes.to_vec().unwrap(), [7, 8, byte]);
    let sum = x.iter().map(|&x| u64::from(x)).sum();
    assert_eq!(out.to_vec().unwrap(), [sum, (*x.iter().max().unwrap()).into()]);
}

/// Bytes and half words next to each other in shared memory, up to the last: others must stay as they are.
#[kernel]
fn narrow_neighbours(x: &[u8], out: Atomics<u8>, halves: Atomics<i16>) {
    let bytes = shared!([u8; 7]).atomics(100);
    let t = thread::rank() as usize;
    let x = x[t];
    bytes[t % 7].fetch_add(x);
    bytes[t % 7].with(AcqRel, Block).fetch_xor(0);
    halves[t % 3].fetch_min(-i16::from(x));
    halves[t % 3 + 3].fetch_max(-i16::from(x));
    let count = &halves[6];
    let mut seen = count.load();
    while let Err(now) = count.with(AcqRel, Gpu).compare_exchange_weak(seen, seen.wrapping_add(300))
    {
        seen = now;
    }
    block::sync();
    if t < 7 {
        out[t].store(bytes[t].load());
        out[t].compare_exchange(bytes[t].load(), !bytes[t].load()).unwrap();
    }
}

#[test]
fn narrow_integers_side_by_side() {
    let mut rng = rng();
    let x = rng.vec(200, |rng| rng.next_u32() as u8);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut out = DeviceBuffer::zeroed(7).unwrap();
    let mut halves = DeviceBuffer::from_slice(&[i16::MAX, 0, -5, i16::MIN, -300, -5, 77]).unwrap();
    launch!(narrow_neighbours<<<1, 200>>>(&device_x, &mut out, &mut halves)).unwrap();
    let (mut want, mut want_halves) = ([100u8; 7], [i16::MAX, 0, -5, i16::MIN, -300, -5, 77]);
    for (t, &x) in x.iter().enumerate() {
        want[t % 7] = want[t % 7].wrapping_add(x);
        want_halves[t % 3] = want_halves[t % 3].min(-i16::from(x));
        want_halves[t % 3 + 3] = want_halves[t % 3 + 3].max(-i16::from(x));
    }
    for _ in &x {
        want_halves[6] = want_halves[6].wrapping_add(300);
    }
    assert_eq!(out.to_vec().unwrap(), want.map(|byte| !byte));
    assert_eq!(halves.to_vec().unwrap(), want_halves);
}

/// Whether the device has atomics of 128 bits; if not, says that a test is skipped.
pub(super) fn has_128_bits() -> bool {
    let (major, minor) = Device::current().unwrap().compute_capability();
    if major < 9 {
        println!("SKIPPED: compute capability {major}.{minor} is less than 9.0");
    }
    major >= 9
}

/// Sums of 128 bits and a chain of exchanges, in global and in shared memory.
#[kernel]
fn wide(x: &[u128], global: Atomics<u128>, of_shared: Atomics<u128>) {
    let own = shared!([u128; 2]).atomics(0);
    let x = x[thread::index_1d().get()];
    for sums in [global.as_slice(), &own[..]] {
        sums[0].with(AcqRel, Gpu).fetch_update(|sum| sum.wrapping_add(x));
        let before = sums[1].swap(x);
        assert!(sums[0].compare_exchange(!sums[0].load(), 1).is_err());
        sums[0].fetch_update(|sum| sum.wrapping_sub(before));
    }
    block::sync();
    if thread::x() < 2 {
        let sum = own[thread::x() as usize].with(Acquire, Block).load();
        let place = &of_shared[(block::x() * 2 + thread::x()) as usize];
        place.with(Release, System).store(sum);
    }
}

#[test]
fn integers_of_128_bits() {
    if !has_128_bits() {
        return;
    }
    let mut rng = rng();
    let x = rng.vec(3 * 64, |rng| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut global = DeviceBuffer::from_slice(&[5u128, 0, 7]).unwrap();
    let mut of_shared = DeviceBuffer::zeroed(6).unwrap();
    launch!(wide<<<3, 64>>>(&device_x, &mut global, &mut of_shared)).unwrap();
    // What was put in was taken out again by the next, but for the last.
    let global = global.to_vec().unwrap();
    assert!(x.contains(&global[1]));
    assert_eq!((global[0], global[2]), (global[1].wrapping_add(5), 7));
    let of_shared = of_shared.to_vec().unwrap();
    for (left, x) in of_shared.chunks(2).zip(x.chunks(64)) {
        assert!(left[0] == left[1] && x.contains(&left[0]));
    }
}

/// Adds rows of `N` numbers to rows of sums, of which the first begins at element `skip`. The greatest sum that
/// an addition made is the last one.
#[kernel]
fn add_rows<T: AtomicNumber + PartialOrd + core::ops::Add<Output = T>, const N: usize>(
    x: &[[T; N]],
    skip: usize,
    sums: Atomics<T>,
    greatest: Atomics<T>,
) {
    let (rows, _) = sums[skip..].as_chunks::<N>();
    for i in thread::grid_stride(x.len()) {
        let (i, x) = (i.get(), x[i.get()]);
        let before = fetch_add_each(&rows[i % 2], x);
        for element in 0..N {
            let sum = before[element] + x[element];
            greatest[i % 2 * N + element].fetch_update(|old| if old < sum { sum } else { old });
        }
    }
}

/// The same in shared memory.
#[kernel]
fn add_rows_in_shared(x: &[[f32; 4]], sums: Atomics<f32>) {
    let own = shared!([f32; 8]).atomics(0.0);
    let (rows, _) = own.as_chunks::<4>();
    for i in thread::grid_stride(x.len()) {
        fetch_add_each(&rows[i.get() % 2], x[i.get()]);
    }
    block::sync();
    if thread::x() < 8 {
        sums[thread::x() as usize].fetch_add(own[thread::x() as usize].load());
    }
}

macro_rules! check_rows {
    ($rng:expr, $($type:ident, $count:literal;)*) => {$({
        // Whole numbers, whose sums are exact in any order.
        let x = $rng.vec(400, |rng| [0; $count].map(|_: i32| 1.0 + rng.below(50) as $type));
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut want = [[0.0; $count]; 2];
        for (i, x) in x.iter().enumerate() {
            (0..$count).for_each(|element| want[i % 2][element] += x[element]);
        }
        for skip in [0usize, 1] {
            let mut sums = DeviceBuffer::filled(2 * $count + 2, 0.0 as $type).unwrap();
            let mut greatest = DeviceBuffer::zeroed(2 * $count).unwrap();
            launch!(add_rows::<$type, $count><<<3, 64>>>(&device_x, skip, &mut sums, &mut greatest))
                .unwrap();
            let sums = sums.to_vec().unwrap();
            assert_eq!(sums[skip..][..2 * $count], *want.as_flattened(), "{skip}");
            assert!(sums[..skip].iter().chain(&sums[skip + 2 * $count..]).all(|&sum| sum == 0.0));
            assert_eq!(greatest.to_vec().unwrap(), *want.as_flattened(), "{skip}");
        }
    })*};
}

#[test]
fn several_numbers_at_once() {
    let mut rng = rng();
    check_rows!(rng, f32, 2; f32, 3; f32, 4; f64, 2;);
    let x = rng.vec(300, |rng| [0; 4].map(|_: i32| rng.below(50) as f32));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(8).unwrap();
    launch!(add_rows_in_shared<<<2, 64>>>(&device_x, &mut sums)).unwrap();
    let mut want = [0.0; 8];
    for (i, x) in x.iter().enumerate() {
        (0..4).for_each(|element| want[i % 2 * 4 + element] += x[element]);
    }
    assert_eq!(sums.to_vec().unwrap(), want);
}
