//! Which instructions kernels become.

use ptyx::prelude::*;
use ptyx_tests::images::{count, entry, module};

#[kernel]
fn saxpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y += a * x[i.get()];
    }
}

/// `a * b + c` is one instruction; a shared slice is read through the read-only path, the other
/// buffer is not.
#[test]
fn fused_arithmetic_and_read_only_loads() {
    let x = DeviceBuffer::from_slice(&[3.0f32; 40]).unwrap();
    let mut y = DeviceBuffer::filled(40, 1.0f32).unwrap();
    launch!(saxpy<<<2, 20>>>(2.0, &x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 40]);

    let ptx = entry("instructions::saxpy");
    assert_eq!(count(&ptx, "fma.rn.f32"), 1, "{ptx}");
    assert_eq!(count(&ptx, "mul.rn.f32") + count(&ptx, "mul.f32"), 0, "{ptx}");
    assert_eq!(count(&ptx, "ld.global.nc"), 1, "{ptx}");
    assert_eq!(count(&ptx, "ld.global"), 2, "{ptx}");
    assert_eq!(count(&ptx, "st.global"), 1, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
    // Parameters: the number, pointer and length of both buffers, a length in 32 bits, with which the thread's index is
    // compared, and where a panic is reported.
    assert_eq!(ptx[..ptx.find('{').unwrap()].matches(".param").count(), 5 + 1 + 2, "{ptx}");
}

/// Two indices that may panic, and an addition whose result nobody uses.
#[kernel]
fn counts(x: &[u32], bins: Atomics<u32>) {
    let i = thread::index_1d();
    bins[x[i.get()] as usize].fetch_add(1);
}

/// The panics' report has no fence: with one, machine code has no reductions (`sass.rs`).
#[test]
fn reports_of_panics_have_no_fence() {
    let x: Vec<u32> = (0..64).map(|i| i % 5).collect();
    let x = DeviceBuffer::from_slice(&x).unwrap();
    let mut bins = DeviceBuffer::zeroed(5).unwrap();
    launch!(counts<<<2, 32>>>(&x, &mut bins)).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [13u32, 13, 13, 13, 12]);

    let ptx = module("instructions::counts");
    assert_eq!(count(&ptx, "st.release.sys"), 1, "{ptx}");
    assert_eq!(count(&ptx, "fence") + count(&ptx, "membar"), 0, "{ptx}");
}

/// Branches on both sides of the barrier, which invite copies of it.
#[kernel]
fn one_barrier(flag: u32, x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 64]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let double = flag > 3 && x[i.get()] > 7;
    let value = if double { x[i.get()] * 2 } else { x[i.get()] };
    // SAFETY: each thread its own element; the barrier is between.
    unsafe { tile.at(t).write(value) }
    block::sync();
    // SAFETY: as above.
    let other = unsafe { tile.at(63 - t).read() };
    y[i] = if double { other + 1 } else { other };
}

/// The same inside a loop whose end differs with a condition known before.
#[kernel]
fn barrier_in_a_loop(flag: bool, n: u32, mut y: Disjoint<u32>) {
    let tile = shared!([u32; 64]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let mut value = if flag { 1 } else { t as u32 };
    for round in 0..n {
        // SAFETY: each thread its own element; barriers are between.
        unsafe {
            tile.at(t).write(value);
            block::sync();
            value = tile.at((t + 1) % 64).read() + if flag { round } else { 2 * round };
            block::sync();
        }
    }
    y[i] = value;
}

/// A barrier in a closure that goes through a library function.
#[kernel]
fn barrier_in_a_closure(x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 64]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let exchange = |value: u32| {
        // SAFETY: each thread its own element; the barrier is between.
        unsafe {
            tile.at(t).write(value);
            block::sync();
            tile.at(63 - t).read()
        }
    };
    y[i] = x.get(i.get()).copied().map(exchange).unwrap_or(0);
}

#[test]
fn barriers_are_not_duplicated() {
    let x = DeviceBuffer::from_slice(&(0..64).collect::<Vec<u32>>()).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(one_barrier<<<1, 64>>>(5, &x, &mut y)).unwrap();
    let value = |i: u32| if i > 7 { 2 * i } else { i };
    let want: Vec<u32> = (0..64).map(|i| value(63 - i) + u32::from(i > 7)).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    launch!(barrier_in_a_loop<<<1, 64>>>(false, 2, &mut y)).unwrap();
    let want: Vec<u32> = (0..64).map(|i| (i + 2) % 64 + 2).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    launch!(barrier_in_a_closure<<<1, 64>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), (0..64).rev().collect::<Vec<u32>>());

    for (name, barriers) in
        [("one_barrier", 1), ("barrier_in_a_loop", 2), ("barrier_in_a_closure", 1)]
    {
        let ptx = entry(&format!("instructions::{name}"));
        let found = count(&ptx, "bar.sync") + count(&ptx, "barrier.");
        assert_eq!(found, barriers, "{ptx}");
    }
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, align(16))]
struct Four([f32; 4]);

#[kernel]
fn scale_four(by: f32, x: &[Four], mut y: Disjoint<Four>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = Four(x[i.get()].0.map(|x| x * by));
    }
}

#[test]
fn aligned_structs_travel_as_vectors() {
    let x = DeviceBuffer::from_slice(&[Four([1.0, 2.0, 3.0, 4.0]); 33]).unwrap();
    let mut y = DeviceBuffer::from_slice(&[Four([0.0; 4]); 33]).unwrap();
    launch!(scale_four<<<2, 32>>>(0.5, &x, &mut y)).unwrap();
    assert!(y.to_vec().unwrap().iter().all(|y| y.0 == [0.5, 1.0, 1.5, 2.0]));

    let ptx = entry("instructions::scale_four");
    assert_eq!(count(&ptx, "ld.global.nc.v4"), 1, "{ptx}");
    assert_eq!(count(&ptx, "st.global.v4"), 1, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
}

/// A register tile: small arrays, loops of known length.
#[kernel]
fn registers(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let mut sums = [[0.0f32; 4]; 4];
    for row in 0..4 {
        for column in 0..4 {
            sums[row][column] += x[row] * x[column + 4];
        }
    }
    if let Some(y) = y.get_mut(i) {
        *y = sums.iter().flatten().sum();
    }
}

/// Jumps to a label that stands before them.
fn backward_jumps(ptx: &str) -> usize {
    let mut labels = Vec::new();
    let jumps = ptx.lines().filter(|line| match line.strip_suffix(':') {
        Some(label) => {
            labels.push(label);
            false
        }
        None => labels.iter().any(|label| {
            line.contains("bra") && line.trim_end_matches(';').ends_with(&format!("\t{label}"))
        }),
    });
    jumps.count()
}

#[test]
fn small_arrays_stay_in_registers() {
    let x: Vec<f32> = (1..=8).map(|x| x as f32).collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(4).unwrap();
    launch!(registers<<<1, 4>>>(&device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [260.0; 4]);
    let ptx = entry("instructions::registers");
    assert!(!ptx.contains(".local"), "{ptx}");
    assert_eq!(backward_jumps(&ptx), 0, "the loops are unrolled: {ptx}");
}

/// The optimiser knows how large the special registers can be.
#[kernel]
fn ranges(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = if thread::x() < 1024 && warp::lane() < 32 && block::dim_x() <= 1024 {
            11
        } else {
            2222
        };
    }
}

#[test]
fn special_registers_have_ranges() {
    let mut y = DeviceBuffer::zeroed(40).unwrap();
    launch!(ranges<<<1, 40>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [11; 40]);
    let ptx = entry("instructions::ranges");
    assert_eq!(count(&ptx, "selp"), 0, "{ptx}");
    assert!(!ptx.contains("%laneid"), "{ptx}");
    assert!(!ptx.contains("2222"), "{ptx}");
}

#[kernel]
fn atomic_kinds(ints: Atomics<u32>, floats: Atomics<f32>) {
    ints[0].fetch_add(1);
    ints[1].fetch_max(thread::x());
    floats[0].fetch_add(0.5);
}

#[test]
fn atomics_are_single_instructions() {
    let mut ints = DeviceBuffer::zeroed(2).unwrap();
    let mut floats = DeviceBuffer::zeroed(1).unwrap();
    launch!(atomic_kinds<<<1, 64>>>(&mut ints, &mut floats)).unwrap();
    assert_eq!(ints.to_vec().unwrap(), [64, 63]);
    assert_eq!(floats.to_vec().unwrap(), [32.0]);
    let ptx = entry("instructions::atomic_kinds");
    assert_eq!(count(&ptx, "atom.") + count(&ptx, "red."), 3, "{ptx}");
    assert!(!ptx.contains("cas"), "{ptx}");
}

/// An ordered read-modify-write of core's atomics.
#[kernel]
fn ordered(out: SliceMut<u32>) {
    use core::sync::atomic::{AtomicU32, Ordering};
    // SAFETY: the first element is only accessed by atomics.
    let counter = unsafe { AtomicU32::from_ptr(out.as_mut_ptr()) };
    counter.fetch_add(1, Ordering::AcqRel);
}

/// LLVM would drop the ordering; fences on both sides keep it.
#[test]
fn ordered_atomics_have_fences() {
    let mut out = DeviceBuffer::<u32>::zeroed(1).unwrap();
    launch!(ordered<<<3, 70>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [210]);
    let ptx = entry("instructions::ordered");
    let atomic = ptx.find("atom.").or_else(|| ptx.find("red.")).expect("an atomic");
    assert!(ptx[..atomic].contains("fence."), "{ptx}");
    assert!(ptx[atomic..].contains("fence."), "{ptx}");
}

#[kernel]
fn tile_product(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    y[i] = group::tile::<16>().reduce(x[i.get()], |a, b| a * b);
}

#[kernel]
fn block_product(x: &[[f32; 2]], mut y: Disjoint<[f32; 2]>) {
    let i = thread::index_1d();
    y[i] = group::block().reduce(x[i.get()], |a, b| [a[0] * b[0], a[1] * b[1]]);
}

#[kernel]
fn waits_for_grid(mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    group::grid().sync();
    y[i] = 1.0;
}

/// A tile reduces by a shuffle for each binary digit of its size, a block waits twice, the grid's barrier is
/// one atomic addition for each block; nothing is put into local memory.
#[test]
fn groups_cost_what_they_must() {
    let x = [2.0f32; 64];
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(tile_product<<<1, 64>>>(&device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [65536.0; 64]);
    let ptx = entry("instructions::tile_product");
    assert_eq!((count(&ptx, "shfl.sync.bfly"), count(&ptx, "shfl")), (4, 4), "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");

    let pairs = DeviceBuffer::from_slice(&[[2.0f32, 0.5]; 64]).unwrap();
    let mut z = DeviceBuffer::filled(64, [0.0f32; 2]).unwrap();
    launch!(block_product<<<1, 64>>>(&pairs, &mut z)).unwrap();
    assert_eq!(z.to_vec().unwrap(), [[2f32.powi(64), 0.5f32.powi(64)]; 64]);
    let ptx = entry("instructions::block_product");
    assert_eq!(count(&ptx, "bar.sync") + count(&ptx, "barrier.sync"), 2, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");

    launch!(waits_for_grid<<<2, 32>>>(&mut y), cooperative).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1.0; 64]);
    let ptx = entry("instructions::waits_for_grid");
    assert_eq!(count(&ptx, "ld.local") + count(&ptx, "st.local"), 0, "{ptx}");
    assert_eq!(count(&ptx, "atom.add.u32"), 1, "{ptx}");
}
