//! A step of the wave equation in two dimensions, with differences of the fourth order: tiles of 16x16 in shared memory
//! with a halo of two elements, which the block's threads load in turn.

use crate::prelude::*;

forms! {
    /// Blocks of 16x16 threads; outside of the field it is 0.
    #[kernel]
    pub fn wave_halo(
        width: i32,
        height: i32,
        courant: f32,
        now: &[f32],
        before: &[f32],
        mut next: DisjointArray<f32, 2>,
    ) {
        let tile = cells!([[f32; 20]; 20], 0.0);
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let x0 = (block::x() * 16) as i32 - 2;
        let y0 = (block::y() * 16) as i32 - 2;
        let mut k = ty * 16 + tx;
        while k < 400 {
            let (x, y) = (x0 + k % 20, y0 + k / 20);
            let inside = x >= 0 && x < width && y >= 0 && y < height;
            set!(tile, k / 20, k % 20, if inside { at!(now, y * width + x) } else { 0.0 });
            k += 256;
        }
        block::sync();
        let own = thread::index_2d();
        let (x, y) = (own.x() as i32, own.y() as i32);
        if x >= width || y >= height {
            return;
        }
        let (i, j) = (ty + 2, tx + 2);
        let near = get!(tile, i - 1, j) + get!(tile, i + 1, j) + get!(tile, i, j - 1) + get!(tile, i, j + 1);
        let far = get!(tile, i - 2, j) + get!(tile, i + 2, j) + get!(tile, i, j - 2) + get!(tile, i, j + 2);
        let here = get!(tile, i, j);
        let laplacian = (16.0 * near - far - 60.0 * here) / 12.0;
        own!(next, own) = 2.0 * here - at!(before, y * width + x) + courant * laplacian;
    }
}

/// 6000x6000.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(6000, 55), run.size(6000, 39));
    let courant = 0.2f32;
    let (now, before) = (run.floats(w * h), run.floats(w * h));
    let weights = [-1.0 / 12.0, 4.0 / 3.0, -2.5, 4.0 / 3.0, -1.0 / 12.0];
    let want = (0..w * h).map(|i| {
        let mut laplacian = 0.0f64;
        for (k, weight) in weights.iter().enumerate() {
            let of = |at: usize, len: usize| (at + k).checked_sub(2).filter(|at| *at < len);
            let along = of(i % w, w).map_or(0.0, |x| now[i / w * w + x]);
            let down = of(i / w, h).map_or(0.0, |y| now[y * w + i % w]);
            laplacian += weight * (f64::from(along) + f64::from(down));
        }
        (2.0 * f64::from(now[i]) - f64::from(before[i]) + f64::from(courant) * laplacian) as f32
    });
    let next = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-5);
    let (now, before) = (DeviceBuffer::from_slice(&now)?, DeviceBuffer::from_slice(&before)?);
    compare!(
        run,
        [&next],
        wave_halo,
        (w.div_ceil(16), h.div_ceil(16)),
        (16, 16),
        (
            w as i32,
            h as i32,
            courant,
            &now,
            &before,
            next.buffer().view_mut([h, w]) => next.address()
        )
    )
}
