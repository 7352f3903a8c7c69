//! Loops, local arrays, bounds and indices: what is known when a kernel is compiled costs nothing
//! when it runs.

use ptyx::prelude::*;
use ptyx_tests::images::{count, entry, panics};

/// How a loop is unrolled, by its number of multiply-adds.
#[kernel]
fn steered<const HOW: u32>(n: usize, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let scale = x[0];
    let mut sum = x[1];
    match HOW {
        0 =>
        {
            #[unroll]
            for _ in 0..40 {
                sum = sum * scale + 1.0;
            }
        }
        1 =>
        {
            #[unroll(never)]
            for _ in 0..4 {
                sum = sum * scale + 1.0;
            }
        }
        2 =>
        {
            #[unroll(5)]
            for _ in 0..40 {
                sum = sum * scale + 1.0;
            }
        }
        3 => {
            let mut round = 0;
            #[unroll(4)]
            while round < n {
                sum = sum * scale + 1.0;
                round += 1;
            }
        }
        _ => sum = in_a_function(sum, scale),
    }
    y[i] = sum;
}

/// The same for functions that are no kernels; it runs on the host, too.
fn in_a_function(mut sum: f32, scale: f32) -> f32 {
    unroll!(
        never,
        for _ in 0..8 {
            sum = sum * scale + 1.0;
        }
    );
    sum
}

#[test]
fn attributes_steer_unrolling() {
    let (scale, start) = (0.75f32, 3.0f32);
    let x = DeviceBuffer::from_slice(&[scale, start]).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    let n = 13usize;
    let mut check = |how: u32, rounds: usize, copies: std::ops::RangeInclusive<usize>| {
        match how {
            0 => launch!(steered::<0><<<1, 1>>>(n, &x, &mut y)),
            1 => launch!(steered::<1><<<1, 1>>>(n, &x, &mut y)),
            2 => launch!(steered::<2><<<1, 1>>>(n, &x, &mut y)),
            3 => launch!(steered::<3><<<1, 1>>>(n, &x, &mut y)),
            _ => launch!(steered::<4><<<1, 1>>>(n, &x, &mut y)),
        }
        .unwrap();
        let want = (0..rounds).fold(start, |sum, _| sum.mul_add(scale, 1.0));
        assert_eq!(y.to_vec().unwrap(), [want], "{how}");
        let ptx = entry(&format!("loops::steered<{how}>"));
        let found = count(&ptx, "fma.rn.f32");
        assert!(copies.contains(&found), "{how}: {found} copies: {ptx}");
    };
    check(0, 40, 40..=40);
    check(1, 4, 1..=1);
    check(2, 40, 5..=5);
    check(3, n, 4..=7);
    check(4, 8, 1..=1);
    let fused = in_a_function(start, scale);
    assert!((fused - (0..8).fold(start, |sum, _| sum * scale + 1.0)).abs() < 1e-5, "on the host");
}

/// Arrays that are iterated by value, indexed by constants, sorted by a network, passed on.
#[kernel]
fn small_arrays(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let start = i.get() * 4;
    let mut four = [0.0f32; 4];
    #[expect(clippy::manual_memcpy, reason = "the loop is what the test is about")]
    for k in 0..4 {
        four[k] = x[start + k];
    }
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (four[a], four[b]) = (four[a].min(four[b]), four[a].max(four[b]));
    }
    let mut sum = 0.0;
    for delta in [16, 8, 4, 2, 1] {
        sum += warp::shuffle_xor(warp::FULL, four[1], delta);
    }
    for (k, value) in four.iter().enumerate() {
        sum += value * k as f32;
    }
    for delta in [1, 2] {
        sum += warp::shuffle_xor(warp::FULL, four[2], delta);
    }
    y[i] = sum;
}

#[test]
fn small_arrays_need_no_local_memory() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(128, |rng| rng.next_f32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(small_arrays<<<1, 32>>>(&dx, &mut y)).unwrap();
    let sorted: Vec<[f32; 4]> = x
        .as_chunks()
        .0
        .iter()
        .map(|&(mut four): &[f32; 4]| {
            four.sort_by(f32::total_cmp);
            four
        })
        .collect();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let others: f32 = [16, 8, 4, 2, 1].map(|delta| sorted[i ^ delta][1]).iter().sum();
        let own: f32 = sorted[i].iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(x, w)| x * w).sum();
        let want = others + own + sorted[i ^ 1][2] + sorted[i ^ 2][2];
        assert!((got - want).abs() < 1e-4, "element {i} is {got}, not {want}");
    }
    let ptx = entry("loops::small_arrays");
    assert!(!ptx.contains(".local"), "{ptx}");
}

/// Every access is proven: by a condition, an iterator, an assertion, a mask.
#[kernel]
fn proven(x: &[u32], table: [u32; 16], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = 0u32;
    if i.get() < x.len() {
        sum = x[i.get()];
    }
    for pair in x.windows(2) {
        sum = sum.wrapping_add(pair[0]).wrapping_add(pair[1].wrapping_mul(2));
    }
    for chunk in x.chunks_exact(4) {
        sum = sum.wrapping_add(chunk[3] ^ chunk[0]);
    }
    #[expect(clippy::needless_range_loop, reason = "the loop is what the test is about")]
    for k in 0..x.len().min(7) {
        sum = sum.wrapping_add(x[k]);
    }
    sum = sum.wrapping_add(table[(sum % 16) as usize]).wrapping_add(table[(sum & 15) as usize]);
    let tile = shared!([u32; 32]);
    // SAFETY: one element, one thread.
    unsafe {
        tile.at(warp::lane() as usize).write(sum);
        sum = tile.at(warp::lane() as usize).read();
    }
    if let Some(y) = y.get_mut(i) {
        *y = sum;
    }
}

#[test]
fn proven_bounds_are_not_checked() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(20, |rng| rng.next_u32() % 1000);
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let table: [u32; 16] = std::array::from_fn(|_| rng.next_u32() % 1000);
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(proven<<<1, 32>>>(&dx, table, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let mut sum = x.get(i).copied().unwrap_or(0);
        sum += x.windows(2).map(|p| p[0] + 2 * p[1]).sum::<u32>();
        sum += x.as_chunks::<4>().0.iter().map(|c| c[3] ^ c[0]).sum::<u32>();
        sum += x[..7].iter().sum::<u32>();
        sum = sum + table[sum as usize % 16] + table[sum as usize % 16];
        assert_eq!(got, sum, "element {i}");
    }
    assert_eq!(panics("loops::proven"), [""; 0]);
}

/// Every index comes from an iterator that keeps it in bounds.
#[kernel]
fn counted(x: &[u32], from: usize, stride: usize, short: u32, mut y: Disjoint<u32>) {
    let mut sum = 0u32;
    let mut add = |value: u32| sum = sum.rotate_left(3) ^ value;
    for (i, value) in x.iter().enumerate() {
        add(value ^ x[i]);
    }
    for (i, value) in x.iter().rev().enumerate() {
        add(value ^ x[i]);
    }
    for (i, (a, b)) in x.iter().zip(x).enumerate() {
        add(a ^ b ^ x[i]);
    }
    for i in (0..x.len()).step_by(3) {
        add(x[i]);
    }
    for i in (warp::lane() as usize..x.len()).step_by(32) {
        add(x[i]);
    }
    for i in (from..x.len()).step_by(stride) {
        add(x[i]);
    }
    let len = x.len() as u32;
    for i in (short..len).step_by(32) {
        add(x[i as usize]);
    }
    if short < len {
        add(x[short as usize]);
    }
    for i in (0..x.len()).step_by(16).take(3) {
        add(x[i]);
    }
    (0..x.len()).step_by(5).for_each(|i| add(x[i]));
    for (i, value) in x.iter().enumerate().filter(|(i, _)| i % 3 == 1) {
        add(value ^ x[i]);
    }
    for i in (0..x.len()).rev() {
        add(x[i]);
    }
    if let Some(i) = x.iter().position(|x| x % 7 == 3) {
        add(x[i]);
    }
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = sum;
    }
}

#[test]
fn indices_of_iterators_are_not_checked() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(77, |rng| rng.next_u32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    let (from, stride, short) = (rng.below(70), 1 + rng.below(9), rng.below(70) as u32);
    launch!(counted<<<1, 32>>>(&dx, from, stride, short, &mut y)).unwrap();
    for (lane, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let short = short as usize;
        let twice = x.iter().map(|_| 0).chain(x.iter().rev().zip(&x).map(|(a, b)| a ^ b));
        let all = twice
            .chain(x.iter().copied())
            .chain(x.iter().step_by(3).copied())
            .chain(x.iter().skip(lane).step_by(32).copied())
            .chain(x.iter().skip(from).step_by(stride).copied())
            .chain(x.iter().skip(short).step_by(32).copied())
            .chain([x[short]])
            .chain(x.iter().step_by(16).take(3).copied())
            .chain(x.iter().step_by(5).copied())
            .chain(x.iter().skip(1).step_by(3).map(|_| 0))
            .chain(x.iter().rev().copied())
            .chain(x.iter().find(|x| **x % 7 == 3).copied());
        let want = all.fold(0u32, |sum, value| sum.rotate_left(3) ^ value);
        assert_eq!(got, want, "thread {lane}");
    }
    // `step_by` refuses a step of 0.
    let mut sites = panics("loops::counted");
    sites.retain(|site| site.contains("Bounds"));
    assert_eq!(sites, [""; 0]);
    // Nor is a step of run time divided by.
    assert_eq!(count(&entry("loops::counted"), "div."), 0);
}

/// Indices of 32 bits: one wide multiplication for an address, no arithmetic of 64 bits before.
#[kernel]
fn narrow(width: u32, x: &[f32], y: SliceMut<f32>) {
    let tile = shared!([[f32; 33]; 32]);
    let (tx, ty) = (thread::x() % 32, thread::y() % 32);
    let column = block::x().wrapping_mul(block::dim_x()).wrapping_add(thread::x());
    let row = block::y().wrapping_mul(block::dim_y()).wrapping_add(thread::y());
    let index = row.wrapping_mul(width).wrapping_add(column);
    if (index as usize) < x.len() && (index as usize) < y.len() {
        // SAFETY: each thread its own elements.
        unsafe {
            tile.at(ty as usize).at(tx as usize).write(x[index as usize]);
            y.write(index as usize, tile.at(ty as usize).at(tx as usize).read() + 1.0);
        }
    }
}

#[test]
fn narrow_indices_stay_narrow() {
    let x: Vec<f32> = ptyx_tests::rng().vec(64, |rng| rng.next_f32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(narrow<<<(2, 2), (4, 4)>>>(8, &dx, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), x.iter().map(|x| x + 1.0).collect::<Vec<_>>());
    let ptx = entry("loops::narrow");
    for wide in ["mul.lo.s64", "mad.lo.s64", "mul.wide.s32", "div.", "rem."] {
        assert_eq!(count(&ptx, wide), 0, "{wide}: {ptx}");
    }
    assert_eq!(panics("loops::narrow"), [""; 0]);
}
