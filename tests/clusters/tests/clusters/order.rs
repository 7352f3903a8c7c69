//! Programmatic dependent launches: a chain of kernels, each of which may start before the one before has ended.

use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, rng};

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
