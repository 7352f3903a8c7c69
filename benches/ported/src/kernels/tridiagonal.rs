//! Tridiagonal systems by parallel cyclic reduction in shared memory, one system a block (Zhang, Cohen, Owens 2010).

use crate::prelude::*;

forms! {
    /// Systems of 256 equations `a[i] x[i - 1] + b[i] x[i] + c[i] x[i + 1] = d[i]`, one thread an equation.
    #[kernel]
    pub fn tridiagonal(a: &[f32], b: &[f32], c: &[f32], d: &[f32], x: SliceMut<f32>) {
        let sa = shared!([f32; 256]);
        let sb = shared!([f32; 256]);
        let sc = shared!([f32; 256]);
        let sd = shared!([f32; 256]);
        let t = thread::x() as i32;
        let own = block::x() as i32 * 256 + t;
        st!(sa, t, at!(a, own));
        st!(sb, t, at!(b, own));
        st!(sc, t, at!(c, own));
        st!(sd, t, at!(d, own));
        block::sync();
        let mut stride = 1;
        while stride < 256 {
            let left = if t < stride { 0 } else { t - stride };
            let right = if t + stride > 255 { 255 } else { t + stride };
            let k1 = ld!(sa, t) / ld!(sb, left);
            let k2 = ld!(sc, t) / ld!(sb, right);
            let nb = ld!(sb, t) - ld!(sc, left) * k1 - ld!(sa, right) * k2;
            let nd = ld!(sd, t) - ld!(sd, left) * k1 - ld!(sd, right) * k2;
            let na = -ld!(sa, left) * k1;
            let nc = -ld!(sc, right) * k2;
            block::sync();
            st!(sa, t, na);
            st!(sb, t, nb);
            st!(sc, t, nc);
            st!(sd, t, nd);
            block::sync();
            stride *= 2;
        }
        wr!(x, own, ld!(sd, t) / ld!(sb, t));
    }
}

/// 2^14 systems.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let systems = run.size(1 << 14, 5);
    let n = systems * 256;
    let (mut a, b, mut c, d) = (run.floats(n), run.between(4.0, 5.0, n), run.floats(n), run.floats(n));
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
    compare!(run, [&x], tridiagonal, systems, 256, (&a, &b, &c, &d, &mut *x.buffer()))
}
