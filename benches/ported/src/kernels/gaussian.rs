//! A step of Gaussian elimination, after Rodinia's Fan2: rows below the pivot's lose a multiple of it.

use crate::prelude::*;

forms! {
    /// Threads in x are rows, in y columns, both counted from the pivot.
    #[kernel]
    pub fn gaussian(
        size: i32,
        t: i32,
        m: &[f32],
        mut a: Pivoted<f32, (by::ThreadX, by::ThreadY), 2>,
        mut b: Pivoted<f32, by::FirstY<by::ThreadX>>,
    ) {
        let (n, t) = (size as Ix, t as Ix);
        let ([rows, _], mut own) = a.split();
        let Some([row, column]) = own.place([0, 0]) else { return };
        let factor = at!(m, n * row as Ix + t);
        own!(own, [0, 0]) -= factor * pick!(rows, t, column);
        let ([rows], mut own) = b.split();
        if let Some(b) = own.get_mut([0]) {
            *b -= factor * pick!(rows, t);
        }
    }
}

/// 4096x4096, pivot 3.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, t) = (run.size(4096, 45), 3);
    let (m, a, b) = (run.floats(n * n), run.floats(n * n), run.floats(n));
    let (mut want_a, mut want_b) = (a.clone(), b.clone());
    for row in t + 1..n {
        let factor = m[row * n + t];
        for col in t..n {
            want_a[row * n + col] -= factor * a[t * n + col];
        }
        want_b[row] -= factor * b[t];
    }
    let a = Output::new(&a, want_a)?.within(1e-5);
    let b = Output::new(&b, want_b)?.within(1e-5);
    let m = DeviceBuffer::from_slice(&m)?;
    compare!(
        run,
        [&a, &b],
        gaussian,
        (n.div_ceil(16), n.div_ceil(16)),
        (16, 16),
        (
            n as i32,
            t as i32,
            &m,
            a.buffer().view_mut([n, n]).pivot([0..t + 1, 0..t]) => a.address(),
            b.buffer().view_mut(n).pivot(0..t + 1) => b.address()
        )
    )
}
