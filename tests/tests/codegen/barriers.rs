//! A barrier in the source is one barrier in the code, whatever is around it: threads of a block must
//! not wait at different copies. Unrolling copies a barrier for another iteration, which is correct.

use ptyx::device::shared::Shared;
use ptyx::prelude::*;
use ptyx_tests::images::{count, module};

const THREADS: u32 = 64;

/// Gives `value` to the thread at the opposite end of the block, and takes its value.
#[inline(always)]
fn swap(tile: Shared<[u32; 64]>, value: u32) -> u32 {
    let t = thread::x() as usize;
    // SAFETY: each thread writes its own element; the barrier is between. Callers wait again before
    // they come back.
    unsafe {
        tile.at(t).write(value);
        block::sync();
        tile.at(63 - t).read()
    }
}

#[inline(never)]
fn swap_out_of_line(tile: Shared<[u32; 64]>, value: u32) -> u32 {
    swap(tile, value)
}

/// A helper that is not inlined, in the middle of conditions that differ between threads.
#[kernel]
fn behind_a_call(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let value = if x[i.get()] > 30 { x[i.get()] * 3 } else { 7 };
    let other = swap_out_of_line(shared!([u32; 64]), value);
    y[i] = if x[i.get()] > 30 { other } else { other + 1 };
}

/// A `match` on both sides, whose cases a compiler would like to join across the barrier.
#[kernel]
fn between_matches(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let kind = x[i.get()] % 4;
    let value = match kind {
        0 => 10,
        1 => x[i.get()] + 1,
        2 => 30,
        _ => x[i.get()] * 2,
    };
    let other = swap(shared!([u32; 64]), value);
    y[i] = match kind {
        0 => other,
        1 => other + 100,
        2 => other * 2,
        _ => 5,
    };
}

/// A value that may be missing, made before the barrier and looked at behind it.
#[kernel]
fn between_options(n: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let value = (thread::x() < n).then(|| x[i.get()]);
    let other = swap(shared!([u32; 64]), value.unwrap_or(9));
    y[i] = value.map_or(other, |value| value + other);
}

/// A loop of unknown length, with `continue` and an early return in front.
#[kernel]
fn in_a_loop(rounds: u32, x: &[u32], mut y: Disjoint<u32>) {
    if rounds == 0 {
        return;
    }
    let tile = shared!([u32; 64]);
    let i = thread::index_1d();
    let mut value = x[i.get()];
    for round in 0..rounds {
        let other = swap(tile, value);
        block::sync();
        value = other;
        if !value.is_multiple_of(3) {
            continue;
        }
        value += round;
    }
    y[i] = value;
}

/// A closure that goes through functions of core.
#[kernel]
fn in_closures(rounds: u32, x: &[u32], mut y: Disjoint<u32>) {
    let tile = shared!([u32; 64]);
    let i = thread::index_1d();
    y[i] = (0..rounds).fold(x[i.get()], |value, round| {
        let other = swap(tile, value);
        block::sync();
        if other > value { other + round } else { other }
    });
}

/// What the kernels compute, one value a thread.
fn expected(name: &str, n: u32, x: &[u32]) -> Vec<u32> {
    let swapped = |values: Vec<u32>| -> Vec<u32> { values.into_iter().rev().collect() };
    let pairs = |values: Vec<u32>, after: &dyn Fn(u32, u32) -> u32| -> Vec<u32> {
        swapped(values).into_iter().zip(x).map(|(other, &x)| after(x, other)).collect()
    };
    match name {
        "behind_a_call" => {
            let values = x.iter().map(|&x| if x > 30 { x * 3 } else { 7 }).collect();
            pairs(values, &|x, other| if x > 30 { other } else { other + 1 })
        }
        "between_matches" => {
            let values = x.iter().map(|&x| [10, x + 1, 30, x * 2][x as usize % 4]).collect();
            pairs(values, &|x, other| [other, other + 100, other * 2, 5][x as usize % 4])
        }
        "between_options" => {
            let value = |t: usize| ((t as u32) < n).then(|| x[t]);
            let values = (0..x.len()).map(|t| value(t).unwrap_or(9)).collect();
            let others = swapped(values).into_iter().enumerate();
            others.map(|(t, other)| value(t).unwrap_or(0) + other).collect()
        }
        "in_a_loop" => (0..n).fold(x.to_vec(), |values, round| {
            let plus = |value: u32| if value.is_multiple_of(3) { value + round } else { value };
            swapped(values).into_iter().map(plus).collect()
        }),
        _ => (0..n).fold(x.to_vec(), |values, round| {
            let own = values.clone();
            let others = swapped(values).into_iter().zip(own);
            others.map(|(o, own)| if o > own { o + round } else { o }).collect()
        }),
    }
}

#[test]
fn one_barrier_in_the_source_is_one_in_the_code() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(THREADS as usize, |rng| rng.next_u32() % 60);
    let n = 3 + rng.next_u32() % 40;
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let check = |name: &str, barriers: usize, launch: &dyn Fn(&mut DeviceBuffer<u32>)| {
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch(&mut y);
        assert_eq!(y.to_vec().unwrap(), expected(name, n, &x), "{name}");
        let ptx = module(&format!("barriers::{name}"));
        let found = count(&ptx, "bar.") + count(&ptx, "barrier.");
        assert_eq!(found, barriers, "{name}: {ptx}");
    };
    check("behind_a_call", 1, &|y| {
        launch!(behind_a_call<<<1, THREADS>>>(&device_x, y)).unwrap();
    });
    check("between_matches", 1, &|y| {
        launch!(between_matches<<<1, THREADS>>>(&device_x, y)).unwrap();
    });
    check("between_options", 1, &|y| {
        launch!(between_options<<<1, THREADS>>>(n, &device_x, y)).unwrap();
    });
    // Another one keeps the rounds apart.
    check("in_a_loop", 2, &|y| {
        launch!(in_a_loop<<<1, THREADS>>>(n, &device_x, y)).unwrap();
    });
    check("in_closures", 2, &|y| {
        launch!(in_closures<<<1, THREADS>>>(n, &device_x, y)).unwrap();
    });
}

/// Two barriers a round, and as many rounds as the attribute unrolls.
#[kernel]
fn unrolled(x: &[u32], mut y: Disjoint<u32>) {
    let (first, second) = (shared!([u32; 64]), shared!([u32; 64]));
    let i = thread::index_1d();
    let mut value = x[i.get()];
    #[unroll]
    for round in 0..3 {
        value = swap(first, value) + round;
        value = swap(second, value);
    }
    y[i] = value;
}

/// The same, not unrolled.
#[kernel]
fn rolled(x: &[u32], mut y: Disjoint<u32>) {
    let (first, second) = (shared!([u32; 64]), shared!([u32; 64]));
    let i = thread::index_1d();
    let mut value = x[i.get()];
    #[unroll(never)]
    for round in 0..3 {
        value = swap(first, value) + round;
        value = swap(second, value);
    }
    y[i] = value;
}

#[test]
fn unrolling_copies_a_barrier_for_each_round() {
    let x: Vec<u32> = ptyx_tests::rng().vec(THREADS as usize, |rng| rng.next_u32() % 1000);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let want: Vec<u32> = x.iter().map(|x| x + 3).collect();
    let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(unrolled<<<1, THREADS>>>(&device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), want);
    launch!(rolled<<<1, THREADS>>>(&device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), want);
    for (name, barriers) in [("unrolled", 6), ("rolled", 2)] {
        let ptx = module(&format!("barriers::{name}"));
        assert_eq!(count(&ptx, "bar.") + count(&ptx, "barrier."), barriers, "{name}: {ptx}");
    }
}
