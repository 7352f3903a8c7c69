//! D17 in a build with fused multiplication and addition, which random numbers do without: they are the host's,
//! bit by bit. `tests/crates` has the others.

use ptyx::device::random::{Philox4x32, Random};
use ptyx::prelude::*;
use ptyx_tests::rng;

/// One number of each kind that takes floats to compute.
fn draw(rng: &mut Philox4x32, mean: f64) -> [u64; 7] {
    let [a, b] = rng.normal2::<f32>();
    [
        rng.normal::<f64>().to_bits(),
        u64::from(a.to_bits()) << 32 | u64::from(b.to_bits()),
        rng.log_normal(0.5f64, 0.25).to_bits(),
        rng.log_normal(0.5f32, 0.25).to_bits().into(),
        rng.exponential(2.0f64).to_bits(),
        rng.poisson(mean).into(),
        rng.poisson(mean * 20.0 + 10.0).into(),
    ]
}

#[kernel]
fn draw_all(seed: u64, mut drawn: Disjoint<[u64; 7]>) {
    let i = thread::index_1d();
    if let Some(drawn) = drawn.get_mut(i) {
        *drawn = draw(&mut Philox4x32::for_thread(seed), i.get() as f64 / 100.0);
    }
}

#[test]
fn fused_builds_draw_the_same() -> ptyx::Result<()> {
    let seed = rng().next_u64();
    let mut drawn = DeviceBuffer::zeroed(1000)?;
    launch!(draw_all<<<8, 128>>>(seed, &mut drawn))?;
    for (i, drawn) in (0..).zip(drawn.to_vec()?) {
        let mean = i as f64 / 100.0;
        assert_eq!(drawn, draw(&mut Philox4x32::at(seed, i, 0), mean), "thread {i}");
    }
    Ok(())
}
