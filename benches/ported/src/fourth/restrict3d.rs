//! The restriction of a multigrid solver: a coarse grid gets weighted means of 27 points of the fine one.

use crate::prelude::*;

/// The weights of a point and of those beside it, along each axis.
const WEIGHT: [f64; 3] = [0.25, 0.5, 0.25];

forms! {
    /// One thread per coarse point. Coarse point `i` lies on fine point `2 i + 1`.
    #[kernel]
    pub fn restrict3d(coarse: i32, fine: i32, residual: &[f64], mut right: DisjointArray<f64, 3>) {
        let own = thread::index_3d();
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        let z = (block::z() * block::dim_z() + thread::z()) as i32;
        if x >= coarse || y >= coarse || z >= coarse {
            return;
        }
        let mut sum = 0.0f64;
        for dz in -1..=1 {
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let weight = at!(WEIGHT, dz + 1) * at!(WEIGHT, dy + 1) * at!(WEIGHT, dx + 1);
                    let row = ((2 * z + 1 + dz) * fine + 2 * y + 1 + dy) * fine;
                    sum += weight * at!(residual, row + 2 * x + 1 + dx);
                }
            }
        }
        own!(right, own) = sum;
    }
}

/// 191^3 points from 383^3.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let coarse = run.size(191, 9);
    let fine = 2 * coarse + 1;
    let residual = run.rng.vec_f64(fine * fine * fine);
    // One axis after the other: the last, the middle and the first.
    let halve = |x: &[f64], outer: usize, inner: usize| -> Vec<f64> {
        let mut means = Vec::with_capacity(outer * coarse * inner);
        for slab in x.chunks(fine * inner) {
            for i in 0..coarse {
                let at = |k: usize, j: usize| slab[(2 * i + k) * inner + j];
                means.extend((0..inner).map(|j| (at(0, j) + 2.0 * at(1, j) + at(2, j)) / 4.0));
            }
        }
        means
    };
    let want = halve(&residual, fine * fine, 1);
    let want = halve(&want, fine, coarse);
    let want = halve(&want, 1, coarse * coarse);
    let right = Output::new(&vec![f64::NAN; want.len()], want)?.within(1e-12);
    let residual = DeviceBuffer::from_slice(&residual)?;
    compare!(
        run,
        [&right],
        restrict3d,
        (coarse.div_ceil(32), coarse.div_ceil(4), coarse.div_ceil(2)),
        (32, 4, 2),
        (
            coarse as i32,
            fine as i32,
            &residual,
            right.buffer().view_mut([coarse, coarse, coarse]) => right.address()
        )
    )
}
