//! The eigenvalues of many symmetric 4x4 matrices by Jacobi's rotations, in local arrays. Element `k` of matrix `m` is
//! at `k * matrices + m`.

use crate::prelude::*;

forms! {
    /// One thread a matrix. Eigenvalues are sorted.
    #[kernel]
    pub fn jacobi_eigen(
        matrices: i32,
        sweeps: i32,
        matrix: &[f64],
        mut eigenvalue: Parts<f64, (by::Whole, by::Thread), 2>,
    ) {
        let m = (block::x() * block::dim_x() + thread::x()) as i32;
        if m >= matrices {
            return;
        }
        let mut a = [0.0f64; 16];
        for k in 0..16 {
            put!(a, k, at!(matrix, k * matrices + m));
        }
        for _ in 0..sweeps {
            for p in 0..3 {
                for q in p + 1..4 {
                    let apq = at!(a, p * 4 + q);
                    if apq.abs() < 1e-300 {
                        continue;
                    }
                    let theta = (at!(a, q * 5) - at!(a, p * 5)) / (2.0 * apq);
                    let mut t = 1.0 / (theta.abs() + (theta * theta + 1.0).sqrt());
                    if theta < 0.0 {
                        t = -t;
                    }
                    let c = 1.0 / (t * t + 1.0).sqrt();
                    let s = t * c;
                    for k in 0..4 {
                        let (x, y) = (at!(a, k * 4 + p), at!(a, k * 4 + q));
                        put!(a, k * 4 + p, c * x - s * y);
                        put!(a, k * 4 + q, s * x + c * y);
                    }
                    for k in 0..4 {
                        let (x, y) = (at!(a, p * 4 + k), at!(a, q * 4 + k));
                        put!(a, p * 4 + k, c * x - s * y);
                        put!(a, q * 4 + k, s * x + c * y);
                    }
                }
            }
        }
        let mut sorted = [0.0f64; 4];
        for k in 0..4 {
            let value = at!(a, k * 5);
            let mut place = k;
            while place > 0 && at!(sorted, place - 1) > value {
                put!(sorted, place, at!(sorted, place - 1));
                place -= 1;
            }
            put!(sorted, place, value);
        }
        let mut own = eigenvalue.part();
        for k in 0..4 {
            own!(own, [k as Ix as usize, 0]) = at!(sorted, k);
        }
    }
}

/// 2^19 matrices, made from their eigenvalues by reflections; six sweeps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (matrices, sweeps) = (run.size(1 << 19, 300), 6);
    let (mut matrix, mut want) = (vec![0.0f64; 16 * matrices], vec![0.0f64; 4 * matrices]);
    for m in 0..matrices {
        let mut values = run.rng.vec_f64(4);
        let mut a = [[0.0f64; 4]; 4];
        (0..4).for_each(|k| a[k][k] = values[k]);
        for _ in 0..3 {
            // (1 - 2 n n') a (1 - 2 n n')
            let mut n = run.rng.vec_f64(4);
            n[0] += 0.1;
            let square: f64 = n.iter().map(|x| x * x).sum();
            for _ in 0..2 {
                // Rows, then a transposition, twice.
                let project: [f64; 4] = std::array::from_fn(|j| {
                    (0..4).map(|k| n[k] * a[k][j]).sum::<f64>() * 2.0 / square
                });
                a = std::array::from_fn(|i| std::array::from_fn(|j| a[j][i] - n[j] * project[i]));
            }
        }
        values.sort_by(f64::total_cmp);
        (0..16).for_each(|k| matrix[k * matrices + m] = a[k / 4][k % 4]);
        (0..4).for_each(|k| want[k * matrices + m] = values[k]);
    }
    let eigenvalue = Output::new(&vec![f64::NAN; want.len()], want)?.within(1e-11);
    let matrix = DeviceBuffer::from_slice(&matrix)?;
    compare!(
        run,
        [&eigenvalue],
        jacobi_eigen,
        matrices.div_ceil(128),
        128,
        (
            matrices as i32,
            sweeps,
            &matrix,
            eigenvalue.buffer().view_mut([4, matrices]) => eigenvalue.address()
        )
    )
}
