//! The density at each particle of a fluid, by smoothed particle hydrodynamics (Mueller, Charypar, Gross 2003):
//! particles are sorted by the cell of a grid, and neighbours lie in 27 cells.

use crate::prelude::*;

/// A particle.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Particle {
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
}

forms! {
    /// One thread a particle. Cells are as wide as the smoothing length `h`; the particles of cell `c` are those from
    /// `start[c]` to `start[c + 1]`.
    #[kernel]
    pub fn sph_density(
        particles: i32,
        cells_x: i32,
        cells_y: i32,
        cells_z: i32,
        h: f32,
        scale: f32,
        start: &[i32],
        particle: &[Particle],
        mut density: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= particles {
            return;
        }
        let p = at!(particle, i);
        let cx = (p.x / h) as i32;
        let cy = (p.y / h) as i32;
        let cz = (p.z / h) as i32;
        let mut sum = 0.0;
        for z in (cz - 1).max(0)..=(cz + 1).min(cells_z - 1) {
            for y in (cy - 1).max(0)..=(cy + 1).min(cells_y - 1) {
                for x in (cx - 1).max(0)..=(cx + 1).min(cells_x - 1) {
                    let cell = (z * cells_y + y) * cells_x + x;
                    for j in at!(start, cell)..at!(start, cell + 1) {
                        let q = at!(particle, j);
                        let (dx, dy, dz) = (p.x - q.x, p.y - q.y, p.z - q.z);
                        let rest = h * h - (dx * dx + dy * dy + dz * dz);
                        if rest > 0.0 {
                            sum += q.mass * rest * rest * rest;
                        }
                    }
                }
            }
        }
        own!(density, own) = scale * sum;
    }
}

/// 2^19 particles in 64x32x32 cells.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 19, 600);
    let cells = [run.size(64, 5), run.size(32, 4), run.size(32, 3)];
    let h = 0.5f32;
    let cell_of = |p: &Particle| {
        let [x, y, z] = [p.x, p.y, p.z].map(|at| (at / h) as usize);
        (z * cells[1] + y) * cells[0] + x
    };
    let places = run.between(0.0, 1.0, 4 * n);
    let mut particle: Vec<Particle> = places
        .as_chunks()
        .0
        .iter()
        .map(|&[x, y, z, mass]| {
            let [x, y, z] = [(x, 0), (y, 1), (z, 2)].map(|(at, axis)| {
                // Rounding could put it beyond the last cell.
                0.999 * at * h * cells[axis] as f32
            });
            Particle { x, y, z, mass: 1.0 + mass }
        })
        .collect();
    particle.sort_by_key(cell_of);
    let mut start = vec![0i32; cells[0] * cells[1] * cells[2] + 1];
    particle.iter().for_each(|p| start[cell_of(p) + 1] += 1);
    for cell in 1..start.len() {
        start[cell] += start[cell - 1];
    }
    let scale = 315.0 / (64.0 * std::f32::consts::PI * h.powi(9));
    // Pairs of cells, in 64 bits.
    let axis = |cell: usize| {
        [cell % cells[0], cell / cells[0] % cells[1], cell / (cells[0] * cells[1])]
    };
    let own = |cell: usize| start[cell] as usize..start[cell + 1] as usize;
    let mut want = vec![0.0f64; n];
    for cell in 0..start.len() - 1 {
        let [x, y, z] = axis(cell).map(|at| at as isize);
        for step in 0..27isize {
            let other = [x + step % 3 - 1, y + step / 3 % 3 - 1, z + step / 9 - 1];
            if (0..3).any(|k| other[k] < 0 || other[k] >= cells[k] as isize) {
                continue;
            }
            let other = other.map(|at| at as usize);
            let other = (other[2] * cells[1] + other[1]) * cells[0] + other[0];
            for (i, j) in own(cell).flat_map(|i| own(other).map(move |j| (i, j))) {
                let (p, q) = (particle[i], particle[j]);
                let square: f64 = [(p.x, q.x), (p.y, q.y), (p.z, q.z)]
                    .map(|(a, b)| (f64::from(a) - f64::from(b)).powi(2))
                    .iter()
                    .sum();
                let rest = (f64::from(h).powi(2) - square).max(0.0);
                want[i] += f64::from(scale) * f64::from(q.mass) * rest.powi(3);
            }
        }
    }
    let want = want.into_iter().map(|x| x as f32).collect();
    let density = Output::new(&vec![f32::NAN; n], want)?.within(1e-4);
    let (start, particle) = (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&particle)?);
    let [x, y, z] = cells.map(|cells| cells as i32);
    compare!(
        run,
        [&density],
        sph_density,
        n.div_ceil(128),
        128,
        (n as i32, x, y, z, h, scale, &start, &particle, &mut *density.buffer())
    )
}
