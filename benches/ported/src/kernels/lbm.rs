//! A step of a lattice Boltzmann fluid in two dimensions (D2Q9): a cell gathers what its neighbours send, and
//! collides. Walls send back what they get.

use crate::prelude::*;

/// The directions, where each comes back, and their weights.
const DX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const DY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
const BACK: [i32; 9] = [0, 3, 4, 1, 2, 7, 8, 5, 6];
const WEIGHT: [f32; 9] = [
    4.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
];

forms! {
    /// One thread a cell; direction `q` of cell `i` is element `q * width * height + i`.
    #[kernel]
    pub fn lbm(
        width: i32,
        height: i32,
        omega: f32,
        solid: &[u8],
        old: &[f32],
        mut new: Parts<f32, (by::Whole, by::ThreadY, by::ThreadX), 3>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= width || y >= height {
            return;
        }
        let cells = width * height;
        let i = y * width + x;
        if at!(solid, i) != 0 {
            return;
        }
        let mut f = [0.0f32; 9];
        let (mut density, mut ux, mut uy) = (0.0f32, 0.0f32, 0.0f32);
        for q in 0..9 {
            let (dx, dy) = (at!(DX, q), at!(DY, q));
            let (sx, sy) = (x - dx, y - dy);
            let inside = sx >= 0 && sx < width && sy >= 0 && sy < height;
            let open = inside && at!(solid, sy * width + sx) == 0;
            let from = if open { q * cells + sy * width + sx } else { at!(BACK, q) * cells + i };
            let value = at!(old, from);
            put!(f, q, value);
            density += value;
            ux += value * dx as f32;
            uy += value * dy as f32;
        }
        ux /= density;
        uy /= density;
        let square = 1.5 * (ux * ux + uy * uy);
        let mut own = new.part();
        for q in 0..9 {
            let along = 3.0 * (at!(DX, q) as f32 * ux + at!(DY, q) as f32 * uy);
            let rest = at!(WEIGHT, q) * density * (1.0 + along + 0.5 * along * along - square);
            own!(own, [q as usize, 0, 0]) = at!(f, q) + omega * (rest - at!(f, q));
        }
    }
}

/// 4000x2000.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(4000, 50), run.size(2000, 37));
    let omega = 1.2f32;
    let old = run.between(0.05, 0.15, 9 * w * h);
    let solid: Vec<u8> = run.below(20, w * h).into_iter().map(|x| u8::from(x == 0)).collect();
    let mut want = vec![-1.0f32; 9 * w * h];
    for i in (0..w * h).filter(|i| solid[*i] == 0) {
        let mut f = [0.0f64; 9];
        for q in 0..9 {
            let x = (i % w).checked_add_signed(-DX[q] as isize).filter(|x| *x < w);
            let y = (i / w).checked_add_signed(-DY[q] as isize).filter(|y| *y < h);
            let from = x.zip(y).map(|(x, y)| y * w + x).filter(|from| solid[*from] == 0);
            let from = from.map_or(BACK[q] as usize * w * h + i, |from| q * w * h + from);
            f[q] = f64::from(old[from]);
        }
        let density: f64 = f.iter().sum();
        let along = |d: &[i32; 9]| d.iter().zip(f).map(|(d, f)| f64::from(*d) * f).sum::<f64>();
        let (ux, uy) = (along(&DX) / density, along(&DY) / density);
        for q in 0..9 {
            let e = f64::from(DX[q]) * ux + f64::from(DY[q]) * uy;
            let shape = 1.0 + 3.0 * e + 4.5 * e * e - 1.5 * (ux * ux + uy * uy);
            let rest = f64::from(WEIGHT[q]) * density * shape;
            want[q * w * h + i] = (f[q] + f64::from(omega) * (rest - f[q])) as f32;
        }
    }
    let new = Output::new(&vec![-1.0; want.len()], want)?.within(1e-5);
    let (solid, old) = (DeviceBuffer::from_slice(&solid)?, DeviceBuffer::from_slice(&old)?);
    let blocks = (w.div_ceil(32), h.div_ceil(8));
    compare!(
        run,
        [&new],
        lbm,
        blocks,
        (32, 8),
        (
            w as i32,
            h as i32,
            omega,
            &solid,
            &old,
            new.buffer().view_mut([9, h, w]) => new.address()
        )
    )
}
