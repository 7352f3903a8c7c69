//! Cholesky factors of many matrices of 8x8, in a local array.

use crate::prelude::*;

forms! {
    /// One thread a matrix: element `[i, j]` of matrix `m` is `(i * 8 + j) * count + m`. Only the lower triangles are
    /// read and written.
    #[kernel]
    pub fn cholesky_batch(
        count: i32,
        a: &[f32],
        mut factor: Parts<f32, (by::Whole, by::Thread), 2>,
    ) {
        let m = (block::x() * block::dim_x() + thread::x()) as i32;
        if m >= count {
            return;
        }
        let mut l = [0.0f32; 64];
        for i in 0..8 {
            for j in 0..=i {
                put!(l, i * 8 + j, at!(a, (i * 8 + j) * count + m));
            }
        }
        for j in 0..8 {
            let mut square = at!(l, j * 8 + j);
            for k in 0..j {
                square -= at!(l, j * 8 + k) * at!(l, j * 8 + k);
            }
            let diagonal = square.sqrt();
            put!(l, j * 8 + j, diagonal);
            for i in j + 1..8 {
                let mut sum = at!(l, i * 8 + j);
                for k in 0..j {
                    sum -= at!(l, i * 8 + k) * at!(l, j * 8 + k);
                }
                put!(l, i * 8 + j, sum / diagonal);
            }
        }
        let mut own = factor.part();
        for i in 0..8 {
            for j in 0..=i {
                own!(own, [i as usize * 8 + j as usize, 0]) = at!(l, i * 8 + j);
            }
        }
    }
}

/// 2^19 matrices.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 19, 300);
    // The factors are chosen, and the matrices are their products.
    let mut factor = vec![0.0f32; 64 * n];
    for (i, j) in (0..8).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let numbers = if i == j { run.between(2.0, 4.0, n) } else { run.floats(n) };
        factor[(i * 8 + j) * n..][..n].copy_from_slice(&numbers);
    }
    let mut a = vec![f32::NAN; 64 * n];
    for (i, j) in (0..8).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        for m in 0..n {
            let of = |i: usize, k: usize| f64::from(factor[(i * 8 + k) * n + m]);
            a[(i * 8 + j) * n + m] = (0..=j).map(|k| of(i, k) * of(j, k)).sum::<f64>() as f32;
        }
    }
    let factor = Output::new(&vec![0.0; factor.len()], factor)?.within(1e-4);
    let a = DeviceBuffer::from_slice(&a)?;
    compare!(
        run,
        [&factor],
        cholesky_batch,
        n.div_ceil(128),
        128,
        (n as i32, &a, factor.buffer().view_mut([64, n]) => factor.address())
    )
}
