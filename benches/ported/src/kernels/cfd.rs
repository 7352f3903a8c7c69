//! Fluxes between the cells of an unstructured grid, after Rodinia's cfd: five variables, each an array of its own
//! within one buffer.

use crate::prelude::*;

forms! {
    /// What a cell with these variables sends in each direction, and its pressure, speed and speed of sound.
    #[inline(always)]
    fn state(variables: &[f32], n: Ix, i: Ix) -> ([f32; 5], [f32; 3], f32, f32) {
        let density = at!(variables, i);
        let momentum =
            [at!(variables, i + n), at!(variables, i + 2 * n), at!(variables, i + 3 * n)];
        let energy = at!(variables, i + 4 * n);
        let velocity = [momentum[0] / density, momentum[1] / density, momentum[2] / density];
        let mut square = 0.0;
        for k in 0..3 {
            square += velocity[k] * velocity[k];
        }
        let pressure = 0.4 * (energy - 0.5 * density * square);
        let speed = square.sqrt() + (1.4 * pressure / density).sqrt();
        ([density, momentum[0], momentum[1], momentum[2], energy], velocity, pressure, speed)
    }

    /// One thread a cell with four neighbours; a negative one is a wall.
    #[kernel]
    pub fn cfd(
        cells: i32,
        neighbour: &[i32],
        normal: &[f32],
        variables: &[f32],
        mut fluxes: Parts<f32, (by::Whole, by::Thread), 2>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as Ix;
        let n = cells as Ix;
        if i >= n {
            return;
        }
        let (own, velocity, pressure, speed) = state(variables, n, i);
        let mut flux = [0.0f32; 5];
        for j in 0..4 {
            let other = at!(neighbour, i + j * n);
            let mut direction = [0.0f32; 3];
            for k in 0..3 {
                direction[k] = at!(normal, i + (j + k as Ix * 4) * n);
            }
            if other >= 0 {
                let (theirs, v, p, s) = state(variables, n, other as Ix);
                let factor = 0.5 * (speed + s);
                for k in 0..5 {
                    flux[k] += factor * 0.2 * (own[k] - theirs[k]);
                }
                for k in 0..3 {
                    let half = 0.5 * direction[k];
                    flux[0] += half * (own[k + 1] + theirs[k + 1]);
                    flux[4] += half * (velocity[k] * (own[4] + pressure) + v[k] * (theirs[4] + p));
                    flux[k + 1] += half * (pressure + p);
                    for l in 0..3 {
                        flux[l + 1] += half * (own[l + 1] * velocity[k] + theirs[l + 1] * v[k]);
                    }
                }
            } else {
                for k in 0..3 {
                    flux[k + 1] += direction[k] * pressure;
                }
            }
        }
        let mut fluxes = fluxes.part();
        for k in 0..5 {
            own!(fluxes, [k, 0]) = flux[k];
        }
    }
}

/// Variables, velocity, pressure, speeds of a cell.
fn state(variables: &[f32], n: usize, i: usize) -> ([f64; 5], [f64; 3], f64, f64) {
    let own: [f64; 5] = std::array::from_fn(|k| variables[k * n + i].into());
    let velocity = [own[1], own[2], own[3]].map(|m| m / own[0]);
    let square: f64 = velocity.iter().map(|v| v * v).sum();
    let pressure = 0.4 * (own[4] - 0.5 * own[0] * square);
    (own, velocity, pressure, square.sqrt() + (1.4 * pressure / own[0]).sqrt())
}

/// 2^20 cells.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 20, 900);
    let mut variables = run.between(1.0, 2.0, n);
    variables.extend(run.floats(3 * n));
    variables.extend(run.between(5.0, 6.0, n));
    let normal = run.floats(12 * n);
    let neighbour: Vec<i32> = run.below(n + n / 8, 4 * n);
    let neighbour: Vec<i32> =
        neighbour.into_iter().map(|i| if i < n as i32 { i } else { -1 }).collect();
    let mut want = vec![0.0f32; 5 * n];
    for i in 0..n {
        let (own, velocity, pressure, speed) = state(&variables, n, i);
        let mut flux = [0.0f64; 5];
        for j in 0..4 {
            let direction: [f64; 3] = std::array::from_fn(|k| normal[(j + 4 * k) * n + i].into());
            let other = neighbour[j * n + i];
            if other < 0 {
                (0..3).for_each(|k| flux[k + 1] += direction[k] * pressure);
                continue;
            }
            let (theirs, v, p, s) = state(&variables, n, other as usize);
            (0..5).for_each(|k| flux[k] += 0.1 * (speed + s) * (own[k] - theirs[k]));
            for k in 0..3 {
                let half = 0.5 * direction[k];
                flux[0] += half * (own[k + 1] + theirs[k + 1]);
                flux[4] += half * (velocity[k] * (own[4] + pressure) + v[k] * (theirs[4] + p));
                flux[k + 1] += half * (pressure + p);
                (0..3).for_each(|l| {
                    flux[l + 1] += half * (own[l + 1] * velocity[k] + theirs[l + 1] * v[k]);
                });
            }
        }
        (0..5).for_each(|k| want[k * n + i] = flux[k] as f32);
    }
    let fluxes = Output::new(&vec![f32::NAN; 5 * n], want)?.within(1e-4);
    let (neighbour, normal) =
        (DeviceBuffer::from_slice(&neighbour)?, DeviceBuffer::from_slice(&normal)?);
    let variables = DeviceBuffer::from_slice(&variables)?;
    compare!(
        run,
        [&fluxes],
        cfd,
        n.div_ceil(192),
        192,
        (n as i32, &neighbour, &normal, &variables, fluxes.buffer().view_mut([5, n]) => fluxes.address())
    )
}
