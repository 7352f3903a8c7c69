//! Kernels whose checks must not be proved: each launch panics, and reads nothing out of bounds. One has a proof, and must read
//! what it was written to read.

use ptyx::prelude::*;
use ptyx_proof_tests::alone;

/// Asserts that a launch ends with a panic for an index out of bounds. It runs in a process of its own, which a fault would end.
fn panics(test: &str, launch: impl FnOnce() -> ptyx::Result<()>) {
    alone(test, || {
        launch().unwrap();
        match ptyx::synchronize() {
            Err(ptyx::Error::KernelPanic(panic)) => assert!(panic.bounds.is_some(), "{panic:?}"),
            Err(other) => panic!("no panic: {other}"),
            Ok(()) => panic!("no panic"),
        }
    });
}

/// `first < end`, and `end` is bounded at the latch only.
#[kernel]
fn bound_at_latch_only(
    firsts: &[u32],
    ends: &[u32],
    data: &[u32],
    out: Atomics<u32>,
    mut y: Disjoint<u32>,
) {
    let i = thread::index_1d();
    let (first, end) = (firsts[i.get()], ends[i.get()]);
    let mut sum = 0u32;
    if first < end {
        let mut j = first;
        loop {
            let value = data[j as usize];
            sum = sum.wrapping_add(value);
            out[0].store(sum);
            if end >= value & 255 {
                break;
            }
            out[0].store(sum ^ 5);
            j = j.wrapping_add(1);
            if j >= end {
                break;
            }
        }
    }
    y[i] = sum;
}

/// A step below zero.
#[kernel]
fn step_below_zero(step: i8, data: &[u32], out: Atomics<u32>, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = 0u32;
    let step = i32::from(step);
    let mut j = 10i32;
    while j < 1000 {
        out[0].store(sum);
        if j <= -1000 {
            break;
        }
        out[0].store(sum ^ 5);
        sum = sum.wrapping_add(data[j as usize]);
        j = j.wrapping_add(step);
    }
    y[i] = sum;
}

/// The first value of a counter is `x + 5` in 64 bits, what a branch has asked in 32.
#[kernel]
fn first_in_other_width(xs: &[u32], n: usize, data: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let x = xs[i.get()];
    let mut sum = 0u32;
    if (x.wrapping_add(5) as usize) < n {
        let mut j = x as usize + 5;
        loop {
            sum = sum.wrapping_add(data[j]);
            j += 1;
            if j >= n {
                break;
            }
        }
    }
    y[i] = sum;
}

/// Constants of 16 bits.
#[kernel]
fn constant_of_16_bits(zs: &[u16], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let table = shared!([u32; 1000]).cells(0);
    let mut sum = 0u32;
    for z in zs {
        let by = (thread::x() as u16 & 255).wrapping_add(40000);
        sum = sum.wrapping_add(table.get((z % by) as usize));
    }
    y[i] = sum;
}

/// A difference whose sign branches ask together with another's.
#[kernel]
fn sign_of_both(w: i32, k: i32, limits: &[i32], data: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let t = i.get();
    let mut sum = 0u32;
    let x = w.wrapping_sub(k);
    let other = limits[0];
    if x >= 0 && other >= 0 {
        let mut j = t;
        while j < x as usize {
            sum = sum.wrapping_add(data[j]);
            j += 3;
        }
    }
    y[i] = sum;
}

/// The same without a loop to its end.
#[kernel]
fn sign_of_both_once(w: i32, k: i32, limits: &[i32], data: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let t = i.get();
    let mut sum = 0u32;
    for &other in limits {
        let x = w.wrapping_sub(k);
        if x >= 0 && other >= 0 && t < x as usize {
            sum = sum.wrapping_add(data[t]);
        }
    }
    y[i] = sum;
}

/// The same of a product.
#[kernel]
fn sign_of_both_of_product(w: i32, k: i32, limits: &[i32], data: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let t = i.get();
    let mut sum = 0u32;
    let x = 5i32.wrapping_sub(w.wrapping_mul(k));
    for &other in limits {
        if (x | other) >= 0 && t < x as usize {
            sum = sum.wrapping_add(data[t]);
        }
    }
    y[i] = sum;
}

/// A quotient that is asked to be below 2^60, and then is multiplied.
#[kernel]
fn asked_below_two_powers(
    w: usize,
    n: usize,
    h: usize,
    ones: &[u32],
    data: &[u32],
    mut y: Disjoint<u32>,
) {
    let i = thread::index_1d();
    let t = i.get();
    let mut sum = 0u32;
    let q = w / 3;
    if t < n.wrapping_sub(q) {
        sum = ones[t];
        for k in 0..t {
            if k < h {
                sum = sum.wrapping_add(data[k.wrapping_mul(q)]);
            }
        }
    }
    y[i] = sum;
}

/// Indices of 32 bits without a sign beyond 2^31, with a step that is a parameter: their extensions don't wrap around, but are no
/// numbers with a sign, as which addresses would step.
#[kernel]
fn beyond_half(start: u32, end: u32, step: u32, data: &[u8], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = 0u32;
    let mut j = start;
    while j < end {
        sum = sum.wrapping_add(data[j as usize].into());
        j = j.wrapping_add(step);
    }
    y[i] = sum;
}

/// It takes 2 GiB of memory.
#[test]
fn beyond_half_is_read() {
    alone("beyond_half_is_read", || {
        const HALF: u32 = 1 << 31;
        let data = DeviceBuffer::filled(HALF as usize + 16, 3u8).unwrap();
        let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
        launch!(beyond_half<<<1, 1>>>(HALF, HALF + 16, 5, &data, &mut y)).unwrap();
        assert_eq!(y.to_vec().unwrap(), [4 * 3]);
    });
}

#[test]
fn bound_at_latch_only_panics() {
    panics("bound_at_latch_only_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 300])?;
        let first = DeviceBuffer::from_slice(&[5000u32])?;
        let end = DeviceBuffer::from_slice(&[6000u32])?;
        let mut out = DeviceBuffer::<u32>::zeroed(2)?;
        let mut y = DeviceBuffer::<u32>::zeroed(1)?;
        launch!(bound_at_latch_only<<<1, 1>>>(&first, &end, &data, &mut out, &mut y))
    });
}

#[test]
fn step_below_zero_panics() {
    panics("step_below_zero_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 1000])?;
        let mut out = DeviceBuffer::<u32>::zeroed(2)?;
        let mut y = DeviceBuffer::<u32>::zeroed(1)?;
        launch!(step_below_zero<<<1, 1>>>(-1, &data, &mut out, &mut y))
    });
}

#[test]
fn first_in_other_width_panics() {
    panics("first_in_other_width_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 20])?;
        let xs = DeviceBuffer::from_slice(&[u32::MAX - 2])?;
        let mut y = DeviceBuffer::<u32>::zeroed(1)?;
        launch!(first_in_other_width<<<1, 1>>>(&xs, 20, &data, &mut y))
    });
}

#[test]
fn constant_of_16_bits_panics() {
    panics("constant_of_16_bits_panics", || {
        let zs = DeviceBuffer::from_slice(&[30000u16; 4])?;
        let mut y = DeviceBuffer::<u32>::zeroed(1)?;
        launch!(constant_of_16_bits<<<1, 1>>>(&zs, &mut y))
    });
}

#[test]
fn sign_of_both_panics() {
    panics("sign_of_both_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 12])?;
        let limits = DeviceBuffer::from_slice(&[3i32])?;
        let mut y = DeviceBuffer::<u32>::zeroed(1)?;
        launch!(sign_of_both<<<1, 1>>>(10, -10, &limits, &data, &mut y))
    });
}

#[test]
fn sign_of_both_once_panics() {
    panics("sign_of_both_once_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 12])?;
        let limits = DeviceBuffer::from_slice(&[3i32])?;
        let mut y = DeviceBuffer::<u32>::zeroed(16)?;
        launch!(sign_of_both_once<<<1, 16>>>(10, -10, &limits, &data, &mut y))
    });
}

#[test]
fn sign_of_both_of_product_panics() {
    panics("sign_of_both_of_product_panics", || {
        let data = DeviceBuffer::from_slice(&[255u32; 12])?;
        let limits = DeviceBuffer::from_slice(&[3i32])?;
        let mut y = DeviceBuffer::<u32>::zeroed(16)?;
        launch!(sign_of_both_of_product<<<1, 16>>>(-10, 1, &limits, &data, &mut y))
    });
}

#[test]
fn asked_below_two_powers_panics() {
    panics("asked_below_two_powers_panics", || {
        let ones = DeviceBuffer::from_slice(&[255u32; 12])?;
        let data = DeviceBuffer::from_slice(&[255u32; 12])?;
        let mut y = DeviceBuffer::<u32>::zeroed(5)?;
        let q = 1usize << 40;
        let (w, n, h) = (3 * q, q + 5, 1 << 24);
        launch!(asked_below_two_powers<<<1, 5>>>(w, n, h, &ones, &data, &mut y))
    });
}
