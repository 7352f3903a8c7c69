//! Forces of a Lennard-Jones fluid, as molecular dynamics calculates them: each atom has a list of possible neighbours.

use crate::prelude::*;

/// An atom's place, and its kind.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Atom {
    x: f32,
    y: f32,
    z: f32,
    kind: i32,
}

forms! {
    /// One thread per atom. Neighbour `k` of atom `i` is `neighbour[k * atoms + i]`. `pair` has the two coefficients of
    /// each pair of kinds.
    #[kernel]
    pub fn md_neighbours(
        atoms: i32,
        kinds: i32,
        cutoff: f32,
        atom: &[Atom],
        pair: &[f32],
        neighbours: &[i32],
        neighbour: &[i32],
        mut force: Parts<f32, by::Tile<by::Thread, 3>>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= atoms {
            return;
        }
        let here = at!(atom, i);
        let (mut fx, mut fy, mut fz) = (0.0f32, 0.0f32, 0.0f32);
        let mut k = 0;
        while k < at!(neighbours, i) {
            let j = at!(neighbour, k * atoms + i);
            let other = at!(atom, j);
            let dx = here.x - other.x;
            let dy = here.y - other.y;
            let dz = here.z - other.z;
            let square = dx * dx + dy * dy + dz * dz;
            if square < cutoff * cutoff {
                let inverse = 1.0 / square;
                let sixth = inverse * inverse * inverse;
                let c = (here.kind * kinds + other.kind) * 2;
                let f = inverse * sixth * (at!(pair, c) * sixth - at!(pair, c + 1));
                fx += dx * f;
                fy += dy * f;
                fz += dz * f;
            }
            k += 1;
        }
        let mut own = force.part();
        own!(own, [0]) = fx;
        own!(own, [1]) = fy;
        own!(own, [2]) = fz;
    }
}

/// 2^18 atoms with up to 128 neighbours, of 4 kinds.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (atoms, kinds, most) = (run.size(1 << 18, 600), 4, run.size(128, 20));
    let cutoff = 2.5f32;
    let (x, y, z) = (run.floats(atoms), run.floats(atoms), run.floats(atoms));
    let kind = run.below(kinds, atoms);
    // Atoms are in the order of a jittered grid, so that most neighbours are within the cutoff.
    let atom: Vec<Atom> = (0..atoms)
        .map(|i| Atom {
            x: (i % 64) as f32 * 1.2 + 0.1 * x[i],
            y: (i / 64 % 64) as f32 * 1.2 + 0.1 * y[i],
            z: (i / 4096) as f32 * 1.2 + 0.1 * z[i],
            kind: kind[i],
        })
        .collect();
    let pair = run.between(0.5, 1.5, 2 * kinds * kinds);
    let neighbours: Vec<i32> =
        run.below(most / 2, atoms).into_iter().map(|x| most as i32 - x).collect();
    let mut neighbour = vec![0i32; most * atoms];
    for i in 0..atoms {
        for k in 0..most {
            // Those that follow within a few rows and planes, wrapping around at the end.
            let step = 1 + k % 3 + 64 * (k / 3 % 4) + 4096 * (k / 12);
            neighbour[k * atoms + i] = ((i + step) % atoms) as i32;
        }
    }
    let mut want = Vec::with_capacity(3 * atoms);
    for (i, here) in atom.iter().enumerate() {
        let mut sum = [0.0f64; 3];
        for k in 0..neighbours[i] as usize {
            let other = &atom[neighbour[k * atoms + i] as usize];
            let away = [here.x - other.x, here.y - other.y, here.z - other.z].map(f64::from);
            let distance = away.iter().map(|d| d * d).sum::<f64>().sqrt();
            if distance < f64::from(cutoff) {
                let row = here.kind as usize * kinds + other.kind as usize;
                let (repel, attract) = (f64::from(pair[2 * row]), f64::from(pair[2 * row + 1]));
                let f = repel / distance.powi(14) - attract / distance.powi(8);
                sum.iter_mut().zip(away).for_each(|(sum, d)| *sum += d * f);
            }
        }
        want.extend(sum.map(|x| x as f32));
    }
    let force = Output::new(&vec![f32::NAN; 3 * atoms], want)?.within(1e-3);
    let (atom, pair) = (DeviceBuffer::from_slice(&atom)?, DeviceBuffer::from_slice(&pair)?);
    let neighbours = DeviceBuffer::from_slice(&neighbours)?;
    let neighbour = DeviceBuffer::from_slice(&neighbour)?;
    compare!(
        run,
        [&force],
        md_neighbours,
        atoms.div_ceil(256),
        256,
        (
            atoms as i32,
            kinds as i32,
            cutoff,
            &atom,
            &pair,
            &neighbours,
            &neighbour,
            &mut *force.buffer()
        )
    )
}
