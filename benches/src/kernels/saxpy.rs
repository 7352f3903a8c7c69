//! `y = a x + y`: one multiply-add for each two loads and a store.

use crate::{Error, Run, expect_close};
use ptyx::prelude::*;

/// One element a thread; the bounds of both slices are checked.
#[kernel]
pub fn saxpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y += a * x[i.get()];
    }
}

/// 2^28 elements.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 28, 5000);
    let (x, y) = (run.rng.vec_f32(n), run.rng.vec_f32(n));
    let dx = DeviceBuffer::from_slice(&x)?;
    let mut dy = DeviceBuffer::from_slice(&y)?;
    let mut launch = || launch!(saxpy<<<n.div_ceil(256), 256>>>(2.5, &dx, &mut dy));
    launch()?;
    let got = dy.to_vec()?;
    expect_close(&got, x.iter().zip(&y).map(|(&x, &y)| 2.5 * f64::from(x) + f64::from(y)), 1e-6)?;
    let mut launch = || launch!(saxpy<<<n.div_ceil(256), 256>>>(2.5, &dx, &mut dy));
    run.time("saxpy", n, 12.0 * n as f64, "GB/s", &mut launch)
}
