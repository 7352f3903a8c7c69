//! Accelerations of bodies that attract each other, all pairs, after GPU Gems 3: tiles of bodies in shared memory.

use crate::prelude::*;
use ptyx::device::math;

/// A body's place and mass.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Body {
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
}

forms! {
    /// 256 threads a block, one thread a body; `n` is any number.
    #[kernel]
    pub fn nbody(
        n: i32,
        softening: f32,
        body: &[Body],
        mut ax: Disjoint<f32>,
        mut ay: Disjoint<f32>,
        mut az: Disjoint<f32>,
        phase: Phase,
    ) {
        let tile = phased!([Body; 256]);
        let mut writing = phase;
        let own = thread::index_1d();
        let i = own.get() as i32;
        let nothing = Body { x: 0.0, y: 0.0, z: 0.0, mass: 0.0 };
        let here = if i < n { at!(body, i) } else { nothing };
        let (mut fx, mut fy, mut fz) = (0.0f32, 0.0f32, 0.0f32);
        let mut first = 0;
        while first < n {
            let j = first + thread::x() as i32;
            tile.set(&mut writing, [0], if j < n { at!(body, j) } else { nothing });
            let reading = writing.sync();
            for k in 0..256 {
                let there = tile.get(&reading, [k]);
                let dx = there.x - here.x;
                let dy = there.y - here.y;
                let dz = there.z - here.z;
                let inverse = math::rsqrt(dx * dx + dy * dy + dz * dz + softening);
                let s = there.mass * inverse * inverse * inverse;
                fx += dx * s;
                fy += dy * s;
                fz += dz * s;
            }
            writing = reading.sync();
            first += 256;
        }
        if i < n {
            own!(ax, own) = fx;
            own!(ay, own) = fy;
            own!(az, own) = fz;
        }
    }
}

/// 30000 bodies.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(30_000, 700);
    let (places, mass) = (run.floats(3 * n), run.between(0.0, 0.01, n));
    let body: Vec<Body> = places
        .chunks(3)
        .zip(mass)
        .map(|(at, mass)| Body { x: at[0], y: at[1], z: at[2], mass })
        .collect();
    let softening = 0.01f32;
    let mut want = [const { Vec::new() }; 3];
    for here in &body {
        let mut sum = [0.0f32; 3];
        for there in &body {
            let d = [there.x - here.x, there.y - here.y, there.z - here.z];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening;
            let s = there.mass / (square * square.sqrt());
            (0..3).for_each(|c| sum[c] += d[c] * s);
        }
        (0..3).for_each(|c| want[c].push(sum[c]));
    }
    let [ax, ay, az] = want.map(|want| Output::new(&vec![f32::NAN; n], want));
    let (ax, ay, az) = (ax?.within(2e-3), ay?.within(2e-3), az?.within(2e-3));
    let body = DeviceBuffer::from_slice(&body)?;
    compare!(
        run,
        [&ax, &ay, &az],
        nbody,
        n.div_ceil(256),
        256,
        (
            n as i32,
            softening,
            &body,
            &mut *ax.buffer(),
            &mut *ay.buffer(),
            &mut *az.buffer(),
            shared::PHASES
        )
    )
}
