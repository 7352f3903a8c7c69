//! The first element of a running sum that reaches a number, after Rodinia's particlefilter: a linear search by each
//! thread.

use crate::prelude::*;

forms! {
    /// One thread a particle: its number is `u[i]`.
    #[kernel]
    pub fn particle_search(
        particles: i32,
        x: &[f32],
        y: &[f32],
        sums: &[f32],
        u: &[f32],
        mut new_x: Disjoint<f32>,
        mut new_y: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i < particles {
            let mut index = -1;
            for k in 0..particles {
                if at!(sums, k) >= at!(u, i) {
                    index = k;
                    break;
                }
            }
            if index == -1 {
                index = particles - 1;
            }
            own!(new_x, own) = at!(x, index);
            own!(new_y, own) = at!(y, index);
        }
    }
}

/// 2^15 particles.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 15, 500);
    let (x, y, steps) = (run.floats(n), run.floats(n), run.between(0.0, 1.0, n));
    let mut sum = 0.0;
    let sums: Vec<f32> = steps
        .iter()
        .map(|step| {
            sum += step;
            sum
        })
        .collect();
    // Some numbers lie above all sums.
    let u: Vec<f32> = run.between(0.0, 1.02, n).iter().map(|u| u * sum).collect();
    let found: Vec<usize> =
        u.iter().map(|u| sums.partition_point(|sum| sum < u).min(n - 1)).collect();
    let new = |from: &[f32]| {
        Output::new(&vec![f32::NAN; n], found.iter().map(|found| from[*found]).collect())
    };
    let (new_x, new_y) = (new(&x)?, new(&y)?);
    let [x, y, sums, u] = [x, y, sums, u].map(|of| DeviceBuffer::from_slice(&of));
    let (x, y, sums, u) = (x?, y?, sums?, u?);
    compare!(
        run,
        [&new_x, &new_y],
        particle_search,
        n.div_ceil(128),
        128,
        (n as i32, &x, &y, &sums, &u, &mut *new_x.buffer(), &mut *new_y.buffer())
    )
}
