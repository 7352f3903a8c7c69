//! Tridiagonal systems by parallel cyclic reduction in shared memory, one system a block (Zhang, Cohen, Owens 2010).

use crate::prelude::*;

forms! {
    /// Systems of 256 equations `a[i] x[i - 1] + b[i] x[i] + c[i] x[i + 1] = d[i]`, one thread an equation.
    #[kernel]
    pub fn tridiagonal(
        a: &[f32],
        b: &[f32],
        c: &[f32],
        d: &[f32],
        mut x: Disjoint<f32>,
        phase: Phase,
    ) {
        let (sa, sb) = (phased!([f32; 256]), phased!([f32; 256]));
        let (sc, sd) = (phased!([f32; 256]), phased!([f32; 256]));
        let mut writing = phase;
        let t = thread::x() as i32;
        let own = thread::index_1d();
        let i = own.get() as i32;
        let (mut na, mut nb) = (at!(a, i), at!(b, i));
        let (mut nc, mut nd) = (at!(c, i), at!(d, i));
        let mut stride = 1;
        while stride < 256 {
            sa.set(&mut writing, [0], na);
            sb.set(&mut writing, [0], nb);
            sc.set(&mut writing, [0], nc);
            sd.set(&mut writing, [0], nd);
            let reading = writing.sync();
            let (ra, rb) = (sa.as_ref(&reading), sb.as_ref(&reading));
            let (rc, rd) = (sc.as_ref(&reading), sd.as_ref(&reading));
            let left = if t < stride { 0 } else { t - stride };
            let right = if t + stride > 255 { 255 } else { t + stride };
            let k1 = at!(ra, t) / at!(rb, left);
            let k2 = at!(rc, t) / at!(rb, right);
            nb = at!(rb, t) - at!(rc, left) * k1 - at!(ra, right) * k2;
            nd = at!(rd, t) - at!(rd, left) * k1 - at!(rd, right) * k2;
            na = -at!(ra, left) * k1;
            nc = -at!(rc, right) * k2;
            writing = reading.sync();
            stride *= 2;
        }
        own!(x, own) = nd / nb;
    }
}

/// 2^14 systems.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let systems = run.size(1 << 14, 5);
    let n = systems * 256;
    let (mut a, b, mut c, d) =
        (run.floats(n), run.between(4.0, 5.0, n), run.floats(n), run.floats(n));
    let mut want = vec![0.0f32; n];
    for first in (0..n).step_by(256) {
        (a[first], c[first + 255]) = (0.0, 0.0);
        // The Thomas algorithm.
        let (mut upper, mut right) = ([0.0f64; 256], [0.0f64; 256]);
        for i in 0..256 {
            let [a, b, c, d] = [&a, &b, &c, &d].map(|of| f64::from(of[first + i]));
            let (u, r) = if i > 0 { (upper[i - 1], right[i - 1]) } else { (0.0, 0.0) };
            let pivot = b - a * u;
            (upper[i], right[i]) = (c / pivot, (d - a * r) / pivot);
        }
        let mut x = 0.0;
        for i in (0..256).rev() {
            x = right[i] - upper[i] * x;
            want[first + i] = x as f32;
        }
    }
    let x = Output::new(&vec![f32::NAN; n], want)?.within(1e-4);
    let [a, b, c, d] = [a, b, c, d].map(|of| DeviceBuffer::from_slice(&of));
    let (a, b, c, d) = (a?, b?, c?, d?);
    compare!(
        run,
        [&x],
        tridiagonal,
        systems,
        256,
        (&a, &b, &c, &d, &mut *x.buffer(), shared::PHASES)
    )
}
