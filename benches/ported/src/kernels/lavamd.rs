//! Forces between particles in neighbouring boxes, after Rodinia's lavaMD: a block works on a box, and takes the
//! particles of one neighbour after another into shared memory.

use crate::prelude::*;

/// A box: where its particles begin, and its neighbours, itself first.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Cube {
    offset: i32,
    neighbours: i32,
    neighbour: [i32; 27],
}

/// A particle's place and the square of its distance from the origin.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Particle {
    v: f32,
    x: f32,
    y: f32,
    z: f32,
}

forms! {
    /// 64 particles a box, 64 threads a block. The forces on the particles of box `i` are in row `i` of `force`.
    #[kernel]
    pub fn lavamd(
        alpha: f32,
        boxes: &[Cube],
        particle: &[Particle],
        charge: &[f32],
        mut force: Parts<f32, (by::BlockX, by::ThreadInBlockX, by::Whole), 3>,
        phase: Phase,
    ) {
        let places = phased!([Particle; 64]);
        let charges = phased!([f32; 64]);
        let mut writing = phase;
        let home = &at!(boxes, block::x());
        let t = thread::x() as i32;
        let own = at!(particle, home.offset + t);
        let mut sum = [0.0f32; 4];
        for k in 0..home.neighbours {
            let other = at!(home.neighbour, k);
            let first = at!(boxes, other).offset;
            let (place, q) = (at!(particle, first + t), at!(charge, first + t));
            places.set(&mut writing, [0], place);
            charges.set(&mut writing, [0], q);
            let reading = writing.sync();
            for j in 0..64 {
                let theirs = places.get(&reading, [j]);
                let product = own.x * theirs.x + own.y * theirs.y + own.z * theirs.z;
                let u = alpha * (own.v + theirs.v - product);
                let vij = (-u).exp();
                let fs = 2.0 * vij;
                let q = at!(charges.as_ref(&reading), j);
                sum[0] += q * vij;
                sum[1] += q * (fs * (own.x - theirs.x));
                sum[2] += q * (fs * (own.y - theirs.y));
                sum[3] += q * (fs * (own.z - theirs.z));
            }
            writing = reading.sync();
        }
        let mut own = force.part();
        for c in 0..4 {
            own!(own, [0, 0, c]) = sum[c];
        }
    }
}

/// 16x16x16 boxes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let side = run.size(16, 3) as i32;
    let count = side.pow(3) as usize;
    let inside = |x: i32| (0..side).contains(&x);
    let boxes: Vec<Cube> = (0..count as i32)
        .map(|i| {
            let (x, y, z) = (i % side, i / side % side, i / side / side);
            let mut own = Cube { offset: 64 * i, neighbours: 1, neighbour: [i; 27] };
            for d in (0..27).filter(|d| *d != 13) {
                let (x, y, z) = (x + d % 3 - 1, y + d / 3 % 3 - 1, z + d / 9 - 1);
                if inside(x) && inside(y) && inside(z) {
                    own.neighbour[own.neighbours as usize] = x + side * (y + side * z);
                    own.neighbours += 1;
                }
            }
            own
        })
        .collect();
    let numbers = run.floats(4 * 64 * count);
    let particle: Vec<Particle> = numbers
        .as_chunks::<3>()
        .0
        .iter()
        .take(64 * count)
        .map(|&[x, y, z]| Particle { v: x * x + y * y + z * z, x, y, z })
        .collect();
    let charge = run.floats(64 * count);
    let alpha = 0.5f32;
    let mut want = Vec::new();
    for own in &boxes {
        for i in own.offset as usize..own.offset as usize + 64 {
            let mut sum = [0.0f32; 4];
            let here = particle[i];
            for k in 0..own.neighbours as usize {
                let first = boxes[own.neighbour[k] as usize].offset as usize;
                for (at, q) in particle[first..first + 64].iter().zip(&charge[first..]) {
                    let product = here.x * at.x + here.y * at.y + here.z * at.z;
                    let v = (-alpha * (here.v + at.v - product)).exp();
                    let d = [here.x - at.x, here.y - at.y, here.z - at.z];
                    sum[0] += q * v;
                    (0..3).for_each(|c| sum[c + 1] += 2.0 * q * v * d[c]);
                }
            }
            want.extend(sum);
        }
    }
    let force = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-3);
    let (boxes, particle) =
        (DeviceBuffer::from_slice(&boxes)?, DeviceBuffer::from_slice(&particle)?);
    let charge = DeviceBuffer::from_slice(&charge)?;
    compare!(
        run,
        [&force],
        lavamd,
        count,
        64,
        (
            alpha,
            &boxes,
            &particle,
            &charge,
            force.buffer().view_mut([count, 64, 4]) => force.address(),
            shared::PHASES
        )
    )
}
