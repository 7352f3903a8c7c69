//! A step of Jacobi's method with seven points, in columns of blocks: a thread walks along z.

use crate::prelude::*;

forms! {
    /// One thread an inner place in x and y.
    #[kernel]
    pub fn jacobi3d(
        nx: i32,
        ny: i32,
        nz: i32,
        c0: f32,
        c1: f32,
        a: &[f32],
        mut b: Parts<f32, (by::Whole, by::ThreadY, by::ThreadX), 3>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as Ix;
        let j = (block::y() * block::dim_y() + thread::y()) as Ix;
        let (nx, ny, nz) = (nx as Ix, ny as Ix, nz as Ix);
        if i > 0 && j > 0 && i < nx - 1 && j < ny - 1 {
            let mut own = b.part();
            for k in 1..nz - 1 {
                let here = i + nx * (j + ny * k);
                let around = at!(a, i + nx * (j + ny * (k + 1)))
                    + at!(a, i + nx * (j + ny * (k - 1)))
                    + at!(a, i + nx * (j + 1 + ny * k))
                    + at!(a, i + nx * (j - 1 + ny * k))
                    + at!(a, i + 1 + nx * (j + ny * k))
                    + at!(a, i - 1 + nx * (j + ny * k));
                own!(own, [k as usize, 0, 0]) = around * c1 - at!(a, here) * c0;
            }
        }
    }
}

/// 512x512x128.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (nx, ny, nz) = (run.size(512, 37), run.size(512, 18), run.size(128, 9));
    let (c0, c1) = (1.0 / 6.0, 1.0 / 36.0);
    let a = run.floats(nx * ny * nz);
    let mut b = vec![0.5f32; a.len()];
    for k in 1..nz - 1 {
        for j in 1..ny - 1 {
            for i in 1..nx - 1 {
                let here = (k * ny + j) * nx + i;
                let far = [1, nx, nx * ny];
                let around: f32 = far.iter().map(|far| a[here - far] + a[here + far]).sum();
                b[here] = around * c1 - a[here] * c0;
            }
        }
    }
    let b = Output::new(&vec![0.5; b.len()], b)?.within(1e-5);
    let a = DeviceBuffer::from_slice(&a)?;
    compare!(
        run,
        [&b],
        jacobi3d,
        (nx.div_ceil(32), ny.div_ceil(8)),
        (32, 8),
        (nx as i32, ny as i32, nz as i32, c0, c1, &a, b.buffer().view_mut([nz, ny, nx]) => b.address())
    )
}
