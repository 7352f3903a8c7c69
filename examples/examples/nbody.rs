//! Gravity between all pairs of many bodies, step by step. A block brings a tile of bodies into
//! shared memory, and each of its threads sums their pull on its own body.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// Bodies in a tile, and threads in a block.
const TILE: usize = 256;
/// Keeps the pull of close bodies finite.
const SOFTENING: f32 = 0.05;
const TIME_STEP: f32 = 0.001;

/// Position and mass of a body.
#[derive(Clone, Copy, Debug, Default, DeviceCopy)]
#[repr(C, align(16))]
struct Body {
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
}

/// One step for all bodies, from `old` to `new` positions.
#[kernel]
fn step(
    old: &[Body],
    mut new: Disjoint<Body>,
    mut velocities: Disjoint<[f32; 3]>,
    mut phase: Phase,
) {
    let tile = phased!([Body; TILE]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    let n = old.len();
    let me = if i.get() < n { old[i.get()] } else { Body::default() };

    let mut pull = [0.0f32; 3];
    for start in (0..n).step_by(TILE) {
        let body = if start + t < n { old[start + t] } else { Body::default() };
        tile.set_own(&mut phase, body);
        phase.read(|reading| {
            for k in 0..TILE {
                let other = tile.get(reading, [k]);
                let (dx, dy, dz) = (other.x - me.x, other.y - me.y, other.z - me.z);
                let square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
                let inverse = 1.0 / square.sqrt();
                let weight = other.mass * inverse * inverse * inverse;
                pull[0] += weight * dx;
                pull[1] += weight * dy;
                pull[2] += weight * dz;
            }
        });
    }

    if let (Some(body), Some(v)) = (new.get_mut(i), velocities.get_mut(i)) {
        for axis in 0..3 {
            v[axis] += pull[axis] * TIME_STEP;
        }
        *body = Body {
            x: me.x + v[0] * TIME_STEP,
            y: me.y + v[1] * TIME_STEP,
            z: me.z + v[2] * TIME_STEP,
            mass: me.mass,
        };
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of bodies (default: 3000)"),
        Opt::value("steps", "N", "number of steps (default: 4)"),
        Opt::flag("bench", "measure, 100000 bodies unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("Gravity between many bodies, on the device.", &[], &options)?;
    let seed = args.seed()?;
    let benchmark = args.flag("bench");
    let n = args.size("size", if benchmark { 100_000 } else { 3_000 })?;
    let steps = args.size("steps", 4)?;
    print_device()?;
    println!("seed: {seed}");

    let mut rng = Rng::new(seed);
    let bodies: Vec<Body> = (0..n)
        .map(|_| Body {
            x: rng.next_f32(),
            y: rng.next_f32(),
            z: rng.next_f32(),
            mass: (1.0 + 0.5 * rng.next_f32()) / n as f32,
        })
        .collect();
    let mut old = DeviceBuffer::from_slice(&bodies)?;
    let mut new = DeviceBuffer::zeroed(n)?;
    let mut velocities = DeviceBuffer::zeroed(n)?;
    let one_step = |old: &DeviceBuffer<_>, new: &mut DeviceBuffer<_>, v: &mut DeviceBuffer<_>| launch!(step<<<n.div_ceil(TILE), TILE>>>(old, new, v, shared::PHASES));
    // The first launch assembles the kernel.
    one_step(&old, &mut new, &mut DeviceBuffer::zeroed(n)?)?;
    let mut launch = || {
        one_step(&old, &mut new, &mut velocities)?;
        std::mem::swap(&mut old, &mut new);
        Ok(())
    };
    // 20 operations a pair, as is customary for this kernel.
    let flop = 20.0 * (n as f64).powi(2);
    if benchmark {
        let times = bench::time_launches(&mut launch)?;
        bench::report("nbody_f32", n, times, flop, "GFLOP/s");
        return Ok(());
    }

    let ms = bench::time_once(|| (0..steps).try_for_each(|_| launch()))?;
    let got = old.to_vec()?;
    let want = simulate(&bodies, steps);
    let mut worst = 0.0f64;
    for (got, want) in got.iter().zip(&want) {
        for (got, want) in [got.x, got.y, got.z].into_iter().zip(want) {
            let error = (f64::from(got) - want).abs();
            if error.is_nan() || error > 1e-5 {
                return Err(format!("a coordinate is {got}, not {want}").into());
            }
            worst = worst.max(error);
        }
    }
    println!(
        "nbody: {n} bodies, {steps} steps in {ms:.3} ms, {:.1} GFLOP/s; equal to the host's result \
         (f64) within {worst:.1e}",
        flop * steps as f64 * 1e-6 / ms
    );
    Ok(())
}

/// The same in f64, pair by pair; gives positions.
fn simulate(bodies: &[Body], steps: usize) -> Vec<[f64; 3]> {
    let masses: Vec<f64> = bodies.iter().map(|body| f64::from(body.mass)).collect();
    let mut positions: Vec<[f64; 3]> =
        bodies.iter().map(|body| [body.x, body.y, body.z].map(f64::from)).collect();
    let mut velocities = vec![[0.0; 3]; bodies.len()];
    for _ in 0..steps {
        for (position, velocity) in positions.iter().zip(&mut velocities) {
            let mut pull = [0.0; 3];
            for (other, mass) in positions.iter().zip(&masses) {
                let d: [f64; 3] = std::array::from_fn(|axis| other[axis] - position[axis]);
                let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING).powi(2);
                let weight = mass / (square * square.sqrt());
                for axis in 0..3 {
                    pull[axis] += weight * d[axis];
                }
            }
            for axis in 0..3 {
                velocity[axis] += pull[axis] * f64::from(TIME_STEP);
            }
        }
        for (position, velocity) in positions.iter_mut().zip(&velocities) {
            for axis in 0..3 {
                position[axis] += velocity[axis] * f64::from(TIME_STEP);
            }
        }
    }
    positions
}
