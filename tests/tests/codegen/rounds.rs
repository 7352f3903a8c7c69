//! What the optimiser's pipeline does with the iterations and exits of loops: as much code as is
//! useful, and nothing in the way of a thread that does not panic.

use ptyx::prelude::*;
use ptyx_tests::images::{count, entry};

fn step(v: f32, k: u32) -> f32 {
    (v * 1.25 + k as f32).abs().sqrt() / (v.abs() + 3.0) + v * 0.25 - (v + 1.0) * 0.125
}

/// Rounds that are too many to be written out.
#[kernel]
fn heavy<const ROUNDS: u32>(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let mut v = x[0];
        for k in 0..ROUNDS {
            v = step(v, k);
        }
        *y = v;
    }
}

/// Instructions of a kernel's PTX.
fn instructions(ptx: &str) -> usize {
    ptx.lines().filter(|line| line.starts_with(['\t', '@']) && line.ends_with(';')).count()
}

#[test]
fn long_loops_stay_loops() {
    let x = ptyx_tests::rng().next_f32();
    let dx = DeviceBuffer::from_slice(&[x]).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    for rounds in [100, 1000] {
        match rounds {
            100 => launch!(heavy::<100><<<1, 1>>>(&dx, &mut y)),
            _ => launch!(heavy::<1000><<<1, 1>>>(&dx, &mut y)),
        }
        .unwrap();
        let (got, want) = (y.to_vec().unwrap()[0], (0..rounds).fold(x, step));
        assert!((got - want).abs() < 1e-3, "{rounds}: {got}, not {want}");
        let found = instructions(&entry(&format!("rounds::heavy<{rounds}>")));
        assert!(found < 400, "{rounds} rounds are {found} instructions");
    }
}

/// A loop of unknown length without checks: LLVM makes four rounds of one, and leaves less than four.
#[kernel]
fn products(x: &[f32], z: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let sum = x.iter().zip(z).map(|(x, z)| x * z).sum();
    if let Some(y) = y.get_mut(i) {
        *y = sum;
    }
}

#[test]
fn the_assembler_does_not_unroll_again() {
    let mut rng = ptyx_tests::rng();
    let (x, z) = (rng.vec(27, |rng| rng.next_f32()), rng.vec(30, |rng| rng.next_f32()));
    let (dx, dz) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&z).unwrap());
    let mut y = DeviceBuffer::zeroed(3).unwrap();
    launch!(products<<<1, 3>>>(&dx, &dz, &mut y)).unwrap();
    let want: f32 = x.iter().zip(&z).map(|(x, z)| x * z).sum();
    assert!(y.to_vec().unwrap().iter().all(|y| (y - want).abs() < 1e-4));
    let ptx = entry("rounds::products");
    assert!(count(&ptx, "fma.rn.f32") > 1, "{ptx}");
    // The loop of four rounds. The rest is no loop.
    assert_eq!(count(&ptx, ".pragma \"nounroll\""), 1, "{ptx}");
}

/// Rounds that are written out, each of which may panic.
#[kernel]
fn gathered(at: [u32; 4], x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let mut sum = 0u32;
        for at in at {
            sum = sum.wrapping_mul(3).wrapping_add(x[at as usize]);
        }
        *y = sum;
    }
}

#[test]
fn each_round_has_a_panic_of_its_own() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(20, |rng| rng.next_u32());
    let at: [u32; 4] = std::array::from_fn(|_| rng.next_u32() % 20);
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    launch!(gathered<<<1, 1>>>(at, &dx, &mut y)).unwrap();
    let want = at.iter().fold(0u32, |sum, at| sum.wrapping_mul(3).wrapping_add(x[*at as usize]));
    assert_eq!(y.to_vec().unwrap(), [want]);
    let ptx = entry("rounds::gathered");
    assert_eq!(count(&ptx, "ld.global.nc"), 4, "{ptx}");
    // No copy of an index in front of the jump into a panic: what it shows is made behind the jump.
    let is_copy = |line: &&str| line.contains("mov.b64") && line.matches("%rd").count() == 2;
    let hot = ptx.split("ret;").next().unwrap_or_default();
    assert_eq!(hot.lines().filter(is_copy).count(), 0, "{ptx}");
}

/// Iterators whose next element LLVM would select instead of counting.
#[kernel]
fn weighted(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let mut sum = 0.0;
    for (k, value) in x.iter().enumerate() {
        sum += value * x[k] * k as f32;
    }
    if let Some(y) = y.get_mut(i) {
        *y = sum;
    }
}

#[test]
fn loops_over_iterators_count() {
    let x = ptyx_tests::rng().vec(21, |rng| rng.next_f32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    launch!(weighted<<<1, 1>>>(&dx, &mut y)).unwrap();
    let want: f32 = x.iter().enumerate().map(|(k, x)| x * x * k as f32).sum();
    assert!((y.to_vec().unwrap()[0] - want).abs() < 1e-3);
    let ptx = entry("rounds::weighted");
    assert_eq!(count(&ptx, "selp"), 0, "{ptx}");
}

/// In a kernel of one dimension, a thread's rank is its index along x; and the element of an array of
/// two dimensions is not compared with null.
#[kernel]
fn ranks(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = thread::rank() + 100 * block::threads();
    }
}

#[kernel]
fn elements(mut y: DisjointArray<u32, 2>) {
    let i = thread::index_2d();
    if let Some(y) = y.get_mut(i) {
        *y = (i.x() * 10 + i.y()) as u32;
    }
}

#[test]
fn what_a_launch_can_not_be_is_not_computed() {
    let mut y = DeviceBuffer::zeroed(6).unwrap();
    launch!(ranks<<<2, 3>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [300, 301, 302, 300, 301, 302]);
    let ptx = entry("rounds::ranks");
    assert!(!ptx.contains("tid.y") && !ptx.contains("tid.z"), "{ptx}");

    launch!(elements<<<1, (3, 2)>>>(y.view_mut([2, 3]))).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 10, 20, 1, 11, 21]);
    let ptx = entry("rounds::elements");
    // Two bounds, and nothing else; debug assertions of core check its arithmetic, too.
    if !cfg!(debug_assertions) {
        assert_eq!(count(&ptx, "setp"), 2, "{ptx}");
    }
}
