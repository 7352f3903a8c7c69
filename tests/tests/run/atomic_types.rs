//! Atomics of Booleans, pointers and wide integers, and the orders of operations on several numbers.

use ptyx::device::atomic::{
    AtomicBits, AtomicCount, AtomicNumber, fetch_add_each_with, fetch_max_each_with,
    fetch_min_each_with, orders::*, scopes::*,
};
use ptyx::prelude::*;
use ptyx_test_support::rng;

/// The operations on bits, in global and in shared memory: `all` becomes the intersection and `any` the union, and each
/// change of `odd` flips it.
#[kernel]
fn bits<T: AtomicBits>(
    all: T,
    none: T,
    x: &[T],
    global: Atomics<T>,
    mut of_shared: Disjoint<[T; 3]>,
) {
    let own = shared!([T; 3]);
    let own = own.atomics(none);
    if thread::x() == 0 {
        own[0].store(all);
    }
    block::sync();
    for i in thread::grid_stride(x.len()) {
        for place in [&global[..3], &own[..]] {
            place[0].fetch_and(x[i.get()]);
            place[1].with(AcqRel, Gpu).fetch_or(x[i.get()]);
            place[2].with(Relaxed, System).fetch_xor(x[i.get()]);
        }
    }
    block::sync();
    of_shared[thread::index_1d()] = [own[0].load(), own[1].load(), own[2].load()];
}

/// What the operations on bits make of `x`.
fn folded<T: Copy>(all: T, none: T, x: &[T], f: [fn(T, T) -> T; 3]) -> [T; 3] {
    [(all, f[0]), (none, f[1]), (none, f[2])].map(|(start, f)| x.iter().copied().fold(start, f))
}

macro_rules! check_bits {
    ($all:expr, $none:expr, $x:expr) => {{
        let x = $x;
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut global = DeviceBuffer::from_slice(&[$all, $none, $none]).unwrap();
        let mut of_shared = DeviceBuffer::filled(64, [$none; 3]).unwrap();
        launch!(bits<<<1, 64>>>($all, $none, &device_x, &mut global, &mut of_shared)).unwrap();
        let want = folded($all, $none, &x, [|a, b| a & b, |a, b| a | b, |a, b| a ^ b]);
        assert_eq!(global.to_vec().unwrap(), want);
        assert!(of_shared.to_vec().unwrap().iter().all(|found| *found == want));
    }};
}

#[test]
fn booleans_and_integers_as_bits() {
    let mut rng = rng();
    // Seldom, often and always true, so that each of the results has both values.
    for truth in [1, 99, 100] {
        for count in [0, 1, 77, 1000] {
            check_bits!(true, false, rng.vec(count, |rng| rng.below(100) < truth));
        }
    }
    check_bits!(u8::MAX, 0, rng.vec(300, |rng| rng.next_u32() as u8 | 1));
    check_bits!(-1i64, 0, rng.vec(300, |rng| rng.next_u64() as i64 | 1));
}

/// Each of many threads claims one of the flags, so that as many succeed as there are flags.
#[kernel]
fn claim(wanted: &[u32], flags: Atomics<bool>, winners: Atomics<u32>) {
    for i in thread::grid_stride(wanted.len()) {
        let flag = &flags[wanted[i.get()] as usize];
        let won = flag.with(AcqRel, Gpu).compare_exchange(false, true).is_ok();
        if won {
            winners[wanted[i.get()] as usize].fetch_add(1);
        }
        // Nothing else changes it.
        assert!(flag.swap(true) && flag.load());
    }
}

#[test]
fn flags_have_one_owner() {
    let mut rng = rng();
    let wanted = rng.vec(2000, |rng| rng.below(37) as u32);
    let device_wanted = DeviceBuffer::from_slice(&wanted).unwrap();
    // One more, which nobody wants, and whose byte shares a word with others.
    let mut flags = DeviceBuffer::filled(38, false).unwrap();
    let mut winners = DeviceBuffer::zeroed(38).unwrap();
    launch!(claim<<<4, 128>>>(&device_wanted, &mut flags, &mut winners)).unwrap();
    let is_wanted = |flag: u32| wanted.contains(&flag);
    assert_eq!(flags.to_vec().unwrap(), (0..38).map(is_wanted).collect::<Vec<_>>());
    let want: Vec<u32> = (0..38).map(|flag| is_wanted(flag).into()).collect();
    assert_eq!(winners.to_vec().unwrap(), want);
}

/// A list in device memory: nodes that many threads put before its head.
#[repr(C)]
#[derive(Clone, Copy, DeviceCopy)]
struct Node {
    next: *mut Node,
    value: u64,
}

/// Puts each thread's own node before the head.
///
/// # Safety
/// There are so many nodes, which nothing else uses meanwhile.
#[kernel]
unsafe fn push(nodes: *mut Node, count: usize, head: Atomics<*mut Node>) {
    for i in thread::grid_stride(count) {
        // SAFETY: the caller's promise; each node is one thread's.
        let node = unsafe { &mut *nodes.add(i.get()) };
        head[0].with(AcqRel, Gpu).fetch_update(|first| {
            node.next = first;
            node
        });
    }
}

/// The sum of the list's values, in one thread, and how many there are.
///
/// # Safety
/// The list has live nodes only.
#[kernel]
unsafe fn walk(head: Atomics<*mut Node>, mut found: Disjoint<[u64; 2]>) {
    let mut at = head[0].with(Acquire, Gpu).load();
    let (mut sum, mut count) = (0u64, 0);
    while !at.is_null() {
        // SAFETY: the caller's promise.
        let node = unsafe { &*at };
        sum = sum.wrapping_add(node.value);
        count += 1;
        at = node.next;
    }
    found[thread::index_1d()] = [sum, count];
}

#[test]
fn a_list_of_pointers() {
    let mut rng = rng();
    let values = rng.vec(500, |rng| rng.next_u64());
    let node = |&value: &u64| Node { next: std::ptr::null_mut(), value };
    let nodes: Vec<Node> = values.iter().map(node).collect();
    let nodes = DeviceBuffer::from_slice(&nodes).unwrap();
    let mut head = DeviceBuffer::from_slice(&[std::ptr::null_mut::<Node>()]).unwrap();
    let mut found = DeviceBuffer::zeroed(1).unwrap();
    let (first, count) = (nodes.device_address() as *mut Node, nodes.len());
    // SAFETY: the nodes are live, and no other kernel uses them meanwhile.
    launch!(unsafe push<<<3, 64>>>(first, count, &mut head)).unwrap();
    // SAFETY: the list has nodes of the buffer only, which is live.
    launch!(unsafe walk<<<1, 1>>>(&mut head, &mut found)).unwrap();
    let sum = values.iter().fold(0u64, |sum, value| sum.wrapping_add(*value));
    assert_eq!(found.to_vec().unwrap(), [[sum, 500]]);
}

/// Sums and chains of exchanges of signed integers.
#[kernel]
fn wide(x: &[i128], all: Atomics<i128>) {
    let x = x[thread::index_1d().get()];
    all[0].with(AcqRel, Gpu).fetch_update(|sum| sum.wrapping_add(x));
    let before = all[1].swap(x);
    assert!(all[0].compare_exchange(!all[0].load(), 1).is_err());
    all[0].fetch_update(|sum| sum.wrapping_sub(before));
}

#[test]
fn signed_integers_of_128_bits() {
    if !super::atomics::has_128_bits() {
        return;
    }
    let mut rng = rng();
    let x =
        rng.vec(128, |rng| i128::from(rng.next_u64() as i64) << 64 | i128::from(rng.next_u64()));
    let mut all = DeviceBuffer::from_slice(&[5i128, 0]).unwrap();
    launch!(wide<<<2, 64>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut all)).unwrap();
    let all = all.to_vec().unwrap();
    assert!(x.contains(&all[1]));
    assert_eq!(all[0], all[1].wrapping_add(5));
}

/// Each thread changes a row with every order, then counts itself; the one that counts itself last sees all of it.
#[kernel]
fn ordered_rows(x: &[[f32; 4]], rows: Atomics<f32>, arrived: Atomics<u32>, seen: Atomics<f32>) {
    let (sums, _) = rows.as_slice().as_chunks::<4>();
    let x = x[thread::index_1d().get()];
    fetch_add_each_with(&sums[0], x, Relaxed, System);
    fetch_add_each_with(&sums[0], x, Acquire, Gpu);
    fetch_add_each_with(&sums[0], x, Release, Cluster);
    fetch_add_each_with(&sums[0], x, AcqRel, Gpu);
    fetch_min_each_with(&sums[1], x, AcqRel, Gpu);
    fetch_max_each_with(&sums[2], x, Release, System);
    let threads = block::dim().x * grid::dim().x;
    if arrived[0].with(AcqRel, Gpu).fetch_add(1) == threads - 1 {
        for (place, row) in seen.iter().zip(rows.iter()) {
            place.store(row.load());
        }
    }
}

#[test]
fn orders_of_several_numbers() {
    let mut rng = rng();
    // Whole numbers, whose sums are exact in any order.
    let x = rng.vec(256, |rng| [0; 4].map(|_: i32| rng.below(101) as f32 - 50.0));
    let start: Vec<f32> =
        [0.0, f32::INFINITY, f32::NEG_INFINITY].iter().flat_map(|&x| [x; 4]).collect();
    let mut rows = DeviceBuffer::from_slice(&start).unwrap();
    let mut seen = DeviceBuffer::zeroed(12).unwrap();
    let mut arrived = DeviceBuffer::zeroed(1).unwrap();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    launch!(ordered_rows<<<4, 64>>>(&device_x, &mut rows, &mut arrived, &mut seen)).unwrap();
    let column = |k: usize| x.iter().map(move |x| x[k]);
    let sums = (0..4).map(|k| 4.0 * column(k).sum::<f32>());
    let least = (0..4).map(|k| column(k).fold(f32::INFINITY, f32::min));
    let greatest = (0..4).map(|k| column(k).fold(f32::NEG_INFINITY, f32::max));
    let want: Vec<f32> = sums.chain(least).chain(greatest).collect();
    assert_eq!(rows.to_vec().unwrap(), want);
    assert_eq!(seen.to_vec().unwrap(), want);
}

/// The same order of operations for any number.
#[kernel]
fn ordered<T: AtomicNumber>(x: &[[T; 2]], sums: Atomics<T>) {
    let (sums, _) = sums.as_slice().as_chunks::<2>();
    fetch_add_each_with(&sums[0], x[thread::index_1d().get()], AcqRel, Block);
}

#[test]
fn orders_of_integers() {
    let mut rng = rng();
    let x = rng.vec(64, |rng| [rng.next_u64(), rng.next_u64()]);
    let mut sums = DeviceBuffer::zeroed(2).unwrap();
    launch!(ordered::<u64><<<1, 64>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut sums)).unwrap();
    let sum = |k: usize| x.iter().fold(0u64, |sum, x| sum.wrapping_add(x[k]));
    assert_eq!(sums.to_vec().unwrap(), [sum(0), sum(1)]);
}

/// Counts up and down, in global and in shared memory.
#[kernel]
fn counts<T: AtomicCount>(limit: T, zero: T, global: Atomics<T>, mut of_shared: Disjoint<[T; 2]>) {
    let own = shared!([T; 2]);
    let own = own.atomics(zero);
    for _ in 0..3 {
        for place in [&global[..2], &own[..]] {
            place[0].fetch_inc(limit);
            place[1].with(AcqRel, Gpu).fetch_dec(limit);
        }
    }
    block::sync();
    of_shared[thread::index_1d()] = [own[0].load(), own[1].load()];
}

#[test]
fn counters_of_all_widths() {
    fn check<T: AtomicCount + From<u8> + Send + core::fmt::Debug>() {
        let mut rng = rng();
        for _ in 0..4 {
            // More steps than the limit, so that counters start again.
            let (limit, threads) = (rng.below(200) as u8, 33 + rng.below(96) as u32);
            // Above the limit, too: from there the first step leads to 0 or to the limit.
            let start = [rng.below(256) as u8, rng.below(256) as u8];
            let mut global = DeviceBuffer::from_slice(&start.map(T::from)).unwrap();
            let mut of_shared = DeviceBuffer::filled(threads as usize, [T::from(0); 2]).unwrap();
            launch!(counts<<<1, threads>>>(T::from(limit), T::from(0), &mut global, &mut of_shared))
                .unwrap();
            let want = |[mut up, mut down]: [u8; 2]| {
                for _ in 0..3 * threads {
                    up = if up >= limit { 0 } else { up + 1 };
                    down = if down == 0 || down > limit { limit } else { down - 1 };
                }
                [T::from(up), T::from(down)]
            };
            assert_eq!(global.to_vec().unwrap(), want(start), "{limit}, {threads} threads");
            let found = of_shared.to_vec().unwrap();
            assert!(found.iter().all(|found| *found == want([0; 2])), "{limit}: {found:?}");
        }
    }
    check::<u8>();
    check::<u16>();
    check::<u32>();
    check::<u64>();
    check::<usize>();
}
