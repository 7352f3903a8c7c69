//! Deposits the charges of particles on a grid, as particle-in-cell codes do: each goes to the four nodes around it.

use crate::prelude::*;

/// A particle of a plasma.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Particle {
    x: f32,
    y: f32,
    charge: f32,
}

forms! {
    /// A grid-stride loop over particles, whose places are in units of cells. The grid wraps around.
    #[kernel]
    pub fn pic_deposit(
        n: i32,
        width: i32,
        height: i32,
        particle: &[Particle],
        density: Atomics<f32>,
    ) {
        let mut i = (block::x() * block::dim_x() + thread::x()) as i32;
        let stride = (block::dim_x() * grid::dim_x()) as i32;
        while i < n {
            let p = at!(particle, i);
            let x0 = p.x as i32;
            let y0 = p.y as i32;
            let fx = p.x - x0 as f32;
            let fy = p.y - y0 as f32;
            let x1 = (x0 + 1) % width;
            let y1 = (y0 + 1) % height;
            bump!(density, y0 * width + x0, p.charge * (1.0 - fx) * (1.0 - fy));
            bump!(density, y0 * width + x1, p.charge * fx * (1.0 - fy));
            bump!(density, y1 * width + x0, p.charge * (1.0 - fx) * fy);
            bump!(density, y1 * width + x1, p.charge * fx * fy);
            i += stride;
        }
    }
}

/// 2^23 particles on 1024x768 nodes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, width, height) = (run.size(1 << 23, 3000), run.size(1024, 21), run.size(768, 17));
    let blocks = run.size(2112, 4);
    // A number just below the width may be rounded up to it.
    let edge = |x: f32, end: usize| if x < end as f32 { x } else { 0.0 };
    let x = run.between(0.0, width as f32, n);
    let y = run.between(0.0, height as f32, n);
    let charge = run.floats(n);
    let particle: Vec<Particle> = (0..n)
        .map(|i| Particle { x: edge(x[i], width), y: edge(y[i], height), charge: charge[i] })
        .collect();
    let mut sums = vec![0.0f64; width * height];
    for p in &particle {
        let (x, y) = (f64::from(p.x), f64::from(p.y));
        for corner in 0..4 {
            let (column, row) = (x.floor() + f64::from(corner % 2), y.floor() + f64::from(corner / 2));
            let weight = (1.0 - (x - column).abs()) * (1.0 - (y - row).abs());
            let node = row as usize % height * width + column as usize % width;
            sums[node] += f64::from(p.charge) * weight;
        }
    }
    let want = sums.into_iter().map(|x| x as f32).collect();
    let density = Output::new(&vec![0.0f32; width * height], want)?.within(1e-3);
    let particle = DeviceBuffer::from_slice(&particle)?;
    compare!(
        run,
        [&density],
        pic_deposit,
        blocks,
        256,
        (n as i32, width as i32, height as i32, &particle, &mut *density.buffer())
    )
}
