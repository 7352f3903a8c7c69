//! The pull of all bodies on each body, by tiles in shared memory.

use crate::{Error, Run, close};
use ptyx::prelude::*;

const TILE: usize = 256;
const SOFTENING: f32 = 0.05;

/// Position and mass.
#[derive(Clone, Copy, Debug, Default, DeviceCopy)]
#[repr(C, align(16))]
pub struct Body {
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
}

/// The acceleration of each body. Blocks of `TILE`; the number of bodies is a multiple of it.
#[kernel]
pub fn nbody(bodies: &[Body], mut pulls: Disjoint<Body>) {
    let tile = shared!([Body; TILE]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let me = bodies[i.get()];
    let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
    for part in bodies.chunks_exact(TILE) {
        // SAFETY: each thread writes its own element; barriers stand before and after the reads.
        unsafe { tile.at(t).write(part[t]) }
        block::sync();
        #[unroll(8)]
        for k in 0..TILE {
            // SAFETY: written before the barrier.
            let other = unsafe { tile.at(k).read() };
            let (dx, dy, dz) = (other.x - me.x, other.y - me.y, other.z - me.z);
            let square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
            let inverse = 1.0 / square.sqrt();
            let weight = other.mass * inverse * inverse * inverse;
            ax += weight * dx;
            ay += weight * dy;
            az += weight * dz;
        }
        block::sync();
    }
    if let Some(pull) = pulls.get_mut(i) {
        *pull = Body { x: ax, y: ay, z: az, mass: me.mass };
    }
}

/// 2^17 bodies.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 17, 512);
    let bodies: Vec<Body> = (0..n)
        .map(|_| Body {
            x: run.rng.next_f32(),
            y: run.rng.next_f32(),
            z: run.rng.next_f32(),
            mass: 1.5 + run.rng.next_f32(),
        })
        .collect();
    let db = DeviceBuffer::from_slice(&bodies)?;
    let mut pulls = DeviceBuffer::zeroed(n)?;
    launch!(nbody<<<n / TILE, TILE>>>(&db, &mut pulls))?;
    let got = pulls.to_vec()?;
    for _ in 0..200 {
        let at = run.below(n);
        let me = bodies[at];
        let (mut want, mut size) = ([0.0f64; 3], 0.0f64);
        for other in &bodies {
            let d = [other.x - me.x, other.y - me.y, other.z - me.z].map(f64::from);
            let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING).powi(2);
            let weight = f64::from(other.mass) / (square * square.sqrt());
            for (want, d) in want.iter_mut().zip(d) {
                *want += weight * d;
                size += (weight * d).abs();
            }
        }
        for (got, want) in [got[at].x, got[at].y, got[at].z].into_iter().zip(want) {
            if !close(f64::from(got), want, 1e-5 * size) {
                return Err(format!("body {at} is pulled by {got}, not {want}").into());
            }
        }
    }
    run.time("nbody", n, 20.0 * (n as f64).powi(2), "GFLOP/s", &mut || {
        launch!(nbody<<<n / TILE, TILE>>>(&db, &mut pulls))
    })
}
