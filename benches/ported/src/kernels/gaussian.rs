//! A step of Gaussian elimination, after Rodinia's Fan2: rows below the pivot's lose a multiple of it.

use crate::prelude::*;

forms! {
    /// Threads in x are rows, in y columns, both counted from the pivot.
    #[kernel]
    pub fn gaussian(size: i32, t: i32, m: &[f32], a: SliceMut<f32>, b: SliceMut<f32>) {
        let x = block::x() as Ix * block::dim_x() as Ix + thread::x() as Ix;
        let y = block::y() as Ix * block::dim_y() as Ix + thread::y() as Ix;
        let (n, t) = (size as Ix, t as Ix);
        if x >= n - 1 - t || y >= n - t {
            return;
        }
        let factor = at!(m, n * (x + 1 + t) + t);
        let place = n * (x + 1 + t) + (y + t);
        wr!(a, place, rd!(a, place) - factor * rd!(a, n * t + (y + t)));
        if y == 0 {
            wr!(b, x + 1 + t, rd!(b, x + 1 + t) - factor * rd!(b, t));
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
        (n as i32, t as i32, &m, &mut *a.buffer(), &mut *b.buffer())
    )
}
