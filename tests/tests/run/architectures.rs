//! Code that depends on the architecture: the device runs the best variant that it can.

use ptyx::prelude::*;

/// Which answers the running code got, as bits.
#[kernel]
fn answers(mut out: Disjoint<u32>) {
    let mut bits = 0;
    for (bit, answer) in [
        arch_at_least!(70),
        arch_at_least!(75),
        arch_at_least!(80),
        arch_at_least!(90),
        arch_at_least!(100),
        arch_is!("sm_90a"),
        arch_is!("sm_100f"),
        arch_is!("sm_120a"),
    ]
    .into_iter()
    .enumerate()
    {
        bits |= u32::from(answer) << bit;
    }
    if let Some(out) = out.get_mut(thread::index_1d()) {
        *out = bits;
    }
}

#[test]
fn the_best_code_for_the_device_runs() {
    let mut out = DeviceBuffer::zeroed(3).unwrap();
    launch!(answers<<<1, 3>>>(&mut out)).unwrap();
    let (major, minor) = Device::current().unwrap().compute_capability();
    let device = major * 10 + minor;
    let mut expected = 0;
    for (bit, least) in [70, 75, 80, 90, 100].into_iter().enumerate() {
        expected |= u32::from(device >= least) << bit;
    }
    expected |= u32::from(device == 90) << 5;
    expected |= u32::from(device == 100 || device == 103) << 6;
    expected |= u32::from(device == 120) << 7;
    assert_eq!(out.to_vec().unwrap(), [expected; 3], "compute capability {major}.{minor}");
}

fn largest(value: u32) -> u32 {
    if arch_at_least!(80) {
        warp::reduce_max(u32::MAX, value)
    } else {
        warp::reduce(value, u32::max)
    }
}

#[kernel]
fn warp_maximum(x: &[u32], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    out[i] = largest(x[i.get()]);
}

#[test]
fn both_branches_mean_the_same() {
    let mut rng = ptyx_tests::rng();
    let host = rng.vec(64, |rng| rng.next_u32());
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(warp_maximum<<<1, 64>>>(&x, &mut out)).unwrap();
    let expected: Vec<u32> =
        host.chunks(32).flat_map(|warp| [*warp.iter().max().unwrap(); 32]).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}
