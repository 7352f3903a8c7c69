//! Programmatic dependent launches: a chain of kernels, each of which may start before the one before has ended.

use ptyx::prelude::*;
use ptyx_cluster_tests::{alone, device_has_clusters, rng};

/// Multiplies by an odd number and adds what another thread had.
#[kernel]
fn step(from: &[u32], factor: u32, mut to: Disjoint<u32>) {
    let i = thread::index_1d();
    grid::launch_dependents();
    grid::wait_for_earlier();
    let other = (i.get() * 7 + 3) % from.len();
    to[i] = from[i.get()].wrapping_mul(factor).wrapping_add(from[other]);
}

#[test]
fn a_chain_of_early_launches_keeps_its_order() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    let mut x = rng.vec(64 * 256, |rng| rng.next_u32());
    let mut a = DeviceBuffer::from_slice(&x).unwrap();
    let mut b = DeviceBuffer::zeroed(x.len()).unwrap();
    for round in 0..20 {
        let factor = rng.next_u32() | 1;
        let outcome = match round % 3 {
            0 => launch!(step<<<64, 256>>>(&a, factor, &mut b)),
            1 => {
                // SAFETY: the kernel waits for earlier ones before it uses memory.
                launch!(unsafe step<<<64, 256>>>(&a, factor, &mut b), programmatic)
            }
            _ => {
                let prepared = compile!(step(&a, factor, &mut b)).unwrap();
                // SAFETY: as above.
                let config = unsafe { LaunchConfig::new().programmatic() };
                let config = config.blocks(64).threads(256).cluster(2);
                prepared.launch(config, args!(&a, factor, &mut b))
            }
        };
        outcome.unwrap();
        core::mem::swap(&mut a, &mut b);
        let other = |i: usize| x[(i * 7 + 3) % x.len()];
        x = (0..x.len()).map(|i| x[i].wrapping_mul(factor).wrapping_add(other(i))).collect();
    }
    assert_eq!(a.to_vec().unwrap(), x);
}

/// Adds to each number what another thread had, and lets the next kernel begin; with `waits`, after it has waited.
#[kernel]
fn add_other(from: &[u32], waits: bool, mut to: Disjoint<u32>) {
    let i = thread::index_1d();
    if waits {
        grid::wait_for_earlier();
    }
    grid::launch_dependents();
    to[i] = from[i.get()].wrapping_add(from[(i.get() + 1) % from.len()]);
}

/// Counts numbers by their lowest bits, without waiting for who wrote them.
#[kernel]
fn count_early(from: &[u32], waits: bool, counts: Atomics<u32>) {
    if waits {
        grid::wait_for_earlier();
    }
    counts[from[thread::index_1d().get()] as usize % counts.len()].fetch_add(1);
}

/// Waits in one thread for all of the block, after it has read what nobody writes.
#[kernel]
fn wait_in_one_thread(weights: &[u32], from: &[u32], mut to: Disjoint<u32>) {
    let i = thread::index_1d();
    let weight = weights[i.get()];
    if thread::x() == 0 {
        grid::wait_for_earlier();
    }
    block::sync();
    to[i] = from[i.get()].wrapping_mul(weight);
}

/// What the emulated device says about a launch that does not wait; on a GPU it may well go unnoticed.
fn too_early(name: &str, body: impl FnOnce() -> ptyx::Result<()>, expected: &[&str]) {
    alone(&format!("order::{name}"), || {
        if !Device::current().unwrap().is_emulated() || !device_has_clusters() {
            println!("skipped: a GPU does not report it");
            return;
        }
        let error = body().unwrap_err().to_string();
        for words in expected {
            assert!(error.contains(words), "`{words}` is not in: {error}");
        }
    });
}

#[test]
fn a_read_before_the_wait_is_reported() {
    let body = || {
        let x = DeviceBuffer::from_slice(&[1u32; 256])?;
        let (mut y, mut z) = (DeviceBuffer::<u32>::zeroed(256)?, DeviceBuffer::<u32>::zeroed(256)?);
        launch!(add_other<<<2, 128>>>(&x, true, &mut y))?;
        // SAFETY: the emulated device runs kernels one after another, and finds the mistake.
        launch!(unsafe add_other<<<2, 128>>>(&y, false, &mut z), programmatic)?;
        z.to_vec().map(|_| ())
    };
    let expected = ["read of 4 bytes", "earlier kernel `", "add_other", "writes", "order.rs"];
    too_early("a_read_before_the_wait_is_reported", body, &expected);
}

#[test]
fn a_write_before_the_wait_is_reported() {
    let body = || {
        let mut x = DeviceBuffer::from_slice(&[1u32; 256])?;
        let mut y = DeviceBuffer::<u32>::zeroed(256)?;
        let other = DeviceBuffer::from_slice(&[1u32; 256])?;
        launch!(add_other<<<2, 128>>>(&x, true, &mut y))?;
        // SAFETY: as above.
        launch!(unsafe add_other<<<2, 128>>>(&other, false, &mut x), programmatic)?;
        x.to_vec().map(|_| ())
    };
    let expected = ["write of 4 bytes", "earlier kernel `", "reads"];
    too_early("a_write_before_the_wait_is_reported", body, &expected);
}

#[test]
fn an_atomic_operation_before_the_wait_is_reported() {
    let body = || {
        let x = DeviceBuffer::from_slice(&[1u32; 256])?;
        let mut counts = DeviceBuffer::<u32>::zeroed(256)?;
        launch!(add_other<<<2, 128>>>(&x, true, &mut counts))?;
        // SAFETY: as above.
        launch!(unsafe count_early<<<2, 128>>>(&x, false, &mut counts), programmatic)?;
        counts.to_vec().map(|_| ())
    };
    let expected = ["of 4 bytes", "kernel `count_early", "earlier kernel `add_other"];
    too_early("an_atomic_operation_before_the_wait_is_reported", body, &expected);
}

/// The kernel in the middle lets the third begin before it has waited for the first.
#[test]
fn a_kernel_before_the_last_is_waited_for_too() {
    let body = || {
        let x = DeviceBuffer::from_slice(&[1u32; 256])?;
        let mut buffers = [(); 3].map(|()| DeviceBuffer::<u32>::zeroed(256).unwrap());
        let [a, b, c] = &mut buffers;
        launch!(add_other<<<2, 128>>>(&x, true, &mut *a))?;
        // SAFETY: as above.
        launch!(unsafe add_other<<<2, 128>>>(&x, false, &mut *b), programmatic)?;
        // SAFETY: as above.
        launch!(unsafe add_other<<<2, 128>>>(&*a, false, &mut *c), programmatic)?;
        c.to_vec().map(|_| ())
    };
    let expected = ["read of 4 bytes", "earlier kernel `", "writes"];
    too_early("a_kernel_before_the_last_is_waited_for_too", body, &expected);
}

/// Nothing is wrong with any of these launches.
#[test]
fn what_need_not_wait_is_not_reported() {
    if !device_has_clusters() {
        return;
    }
    let mut rng = rng();
    let x = rng.vec(256, |rng| rng.next_u32());
    let weights = rng.vec(256, |rng| rng.next_u32());
    let (from, factors) =
        (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&weights).unwrap());
    let zeroed = || DeviceBuffer::<u32>::zeroed(256).unwrap();
    let (mut sums, mut products, mut again) = (zeroed(), zeroed(), zeroed());
    let mut counts = DeviceBuffer::<u32>::zeroed(16).unwrap();
    launch!(add_other<<<2, 128>>>(&from, true, &mut sums)).unwrap();
    // SAFETY: it waits before it reads what the first kernel writes.
    launch!(unsafe wait_in_one_thread<<<2, 128>>>(&factors, &sums, &mut products), programmatic)
        .unwrap();
    // Both only read `from`; the counters are atomic in both.
    for _ in 0..2 {
        // SAFETY: nobody writes what it reads, and it writes by atomic operations alone.
        launch!(unsafe count_early<<<2, 128>>>(&from, false, &mut counts), programmatic).unwrap();
    }
    // Who waits for the stream has waited for all kernels.
    Device::current().unwrap().synchronize().unwrap();
    // SAFETY: what it reads was written before.
    launch!(unsafe add_other<<<2, 128>>>(&sums, false, &mut again), programmatic).unwrap();
    let sum = |x: &[u32], i: usize| x[i].wrapping_add(x[(i + 1) % x.len()]);
    let want: Vec<u32> = (0..256).map(|i| sum(&x, i)).collect();
    let scaled: Vec<u32> = (0..256).map(|i| want[i].wrapping_mul(weights[i])).collect();
    assert_eq!(products.to_vec().unwrap(), scaled);
    assert_eq!(again.to_vec().unwrap(), (0..256).map(|i| sum(&want, i)).collect::<Vec<u32>>());
    let mut counted = [0; 16];
    x.iter().for_each(|x| counted[*x as usize % 16] += 2);
    assert_eq!(counts.to_vec().unwrap(), counted);
    assert_eq!(sums.to_vec().unwrap(), want);
}
