//! Gradients and the diffusion coefficient of speckle-reducing diffusion, after Rodinia's srad: neighbours are looked
//! up in arrays of row and column numbers.

use crate::prelude::*;

forms! {
    /// One thread an element of an image in columns: element `row + rows * column`.
    #[kernel]
    pub fn srad(
        rows: i32,
        elements: i32,
        q0: f32,
        north: &[i32],
        south: &[i32],
        west: &[i32],
        east: &[i32],
        image: &[f32],
        mut d_north: Disjoint<f32>,
        mut d_south: Disjoint<f32>,
        mut d_west: Disjoint<f32>,
        mut d_east: Disjoint<f32>,
        mut coefficient: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= elements {
            return;
        }
        let (row, col) = (i % rows, i / rows);
        let here = at!(image, i);
        let n = at!(image, at!(north, row) + rows * col) - here;
        let s = at!(image, at!(south, row) + rows * col) - here;
        let w = at!(image, row + rows * at!(west, col)) - here;
        let e = at!(image, row + rows * at!(east, col)) - here;
        let gradient = (n * n + s * s + w * w + e * e) / (here * here);
        let laplacian = (n + s + w + e) / here;
        let numerator = 0.5 * gradient - (1.0 / 16.0) * (laplacian * laplacian);
        let denominator = 1.0 + 0.25 * laplacian;
        let q = numerator / (denominator * denominator);
        let c = 1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)));
        own!(d_north, own) = n;
        own!(d_south, own) = s;
        own!(d_west, own) = w;
        own!(d_east, own) = e;
        own!(coefficient, own) = c.clamp(0.0, 1.0);
    }
}

/// 4096x4096.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(4096, 41), run.size(4096, 29));
    let image = run.between(1.0, 2.0, rows * cols);
    let q0 = 0.5f32;
    let before = |n: usize| (0..n).map(|i| i.saturating_sub(1) as i32).collect::<Vec<_>>();
    let after = |n: usize| (0..n).map(|i| (i + 1).min(n - 1) as i32).collect::<Vec<_>>();
    let mut want = [const { Vec::new() }; 5];
    for i in 0..rows * cols {
        let (row, col) = (i % rows, i / rows);
        let at =
            |row: usize, col: usize| f64::from(image[row.min(rows - 1) + rows * col.min(cols - 1)]);
        let here = at(row, col);
        let d = [
            at(row.saturating_sub(1), col),
            at(row + 1, col),
            at(row, col.saturating_sub(1)),
            at(row, col + 1),
        ]
        .map(|x| x - here);
        let gradient = d.iter().map(|d| d * d).sum::<f64>() / (here * here);
        let laplacian = d.iter().sum::<f64>() / here;
        let q = (0.5 * gradient - laplacian * laplacian / 16.0) / (1.0 + 0.25 * laplacian).powi(2);
        let q0 = f64::from(q0);
        let c = 1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)));
        for (want, x) in want.iter_mut().zip(d.into_iter().chain([c.clamp(0.0, 1.0)])) {
            want.push(x as f32);
        }
    }
    let blank = vec![f32::NAN; rows * cols];
    let [n, s, w, e, c] = want.map(|want| Output::new(&blank, want).map(|out| out.within(1e-4)));
    let (n, s, w, e, c) = (n?, s?, w?, e?, c?);
    let image = DeviceBuffer::from_slice(&image)?;
    let (north, south) =
        (DeviceBuffer::from_slice(&before(rows))?, DeviceBuffer::from_slice(&after(rows))?);
    let (west, east) =
        (DeviceBuffer::from_slice(&before(cols))?, DeviceBuffer::from_slice(&after(cols))?);
    compare!(
        run,
        [&n, &s, &w, &e, &c],
        srad,
        (rows * cols).div_ceil(256),
        256,
        (
            rows as i32,
            (rows * cols) as i32,
            q0,
            &north,
            &south,
            &west,
            &east,
            &image,
            &mut *n.buffer(),
            &mut *s.buffer(),
            &mut *w.buffer(),
            &mut *e.buffer(),
            &mut *c.buffer()
        )
    )
}
