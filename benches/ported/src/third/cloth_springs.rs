//! A step of a cloth: points in a grid, held together by springs to their neighbours, across, and to those two places
//! away (Provot 1995).

use crate::prelude::*;

/// A place or a speed.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Point {
    x: f32,
    y: f32,
    z: f32,
    unused: f32,
}

/// Where a spring's other end is, and its length at rest.
const SPRINGS: [(i32, i32, f32); 12] = [
    (-1, 0, 1.0),
    (1, 0, 1.0),
    (0, -1, 1.0),
    (0, 1, 1.0),
    (-1, -1, std::f32::consts::SQRT_2),
    (1, -1, std::f32::consts::SQRT_2),
    (-1, 1, std::f32::consts::SQRT_2),
    (1, 1, std::f32::consts::SQRT_2),
    (-2, 0, 2.0),
    (2, 0, 2.0),
    (0, -2, 2.0),
    (0, 2, 2.0),
];

/// A thread owns a point's three coordinates.
type Coordinates = (by::ThreadY, by::ThreadX, by::Whole);

forms! {
    /// Blocks of 32x8 threads, one a point. The first row does not move.
    #[kernel]
    pub fn cloth_springs(
        width: i32,
        height: i32,
        dt: f32,
        stiffness: f32,
        damping: f32,
        place: Array<Point, 2>,
        speed: Array<Point, 2>,
        mut next_place: Parts<f32, Coordinates, 3>,
        mut next_speed: Parts<f32, Coordinates, 3>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= width || y >= height {
            return;
        }
        let p = pick!(place, y, x);
        let mut v = pick!(speed, y, x);
        if y > 0 {
            let mut force = [-damping * v.x, -damping * v.y - 9.81, -damping * v.z];
            for (dx, dy, rest) in SPRINGS {
                let (nx, ny) = (x + dx, y + dy);
                if nx < 0 || ny < 0 || nx >= width || ny >= height {
                    continue;
                }
                let q = pick!(place, ny, nx);
                let (ex, ey, ez) = (q.x - p.x, q.y - p.y, q.z - p.z);
                let length = (ex * ex + ey * ey + ez * ez).sqrt();
                let pull = stiffness * (length - rest) / length;
                force[0] += pull * ex;
                force[1] += pull * ey;
                force[2] += pull * ez;
            }
            v.x += dt * force[0];
            v.y += dt * force[1];
            v.z += dt * force[2];
        } else {
            v = Point { x: 0.0, y: 0.0, z: 0.0, unused: 0.0 };
        }
        let mut own = next_speed.part();
        own!(own, [0, 0, 0]) = v.x;
        own!(own, [0, 0, 1]) = v.y;
        own!(own, [0, 0, 2]) = v.z;
        let mut own = next_place.part();
        own!(own, [0, 0, 0]) = p.x + dt * v.x;
        own!(own, [0, 0, 1]) = p.y + dt * v.y;
        own!(own, [0, 0, 2]) = p.z + dt * v.z;
    }
}

/// 4096x2048 points.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(4096, 70), run.size(2048, 37));
    let (dt, stiffness, damping) = (0.01f32, 20.0f32, 0.5f32);
    let noise = run.between(-0.2, 0.2, 3 * w * h);
    let place: Vec<Point> = (0..w * h)
        .map(|i| Point {
            x: (i % w) as f32 + noise[3 * i],
            y: noise[3 * i + 1],
            z: (i / w) as f32 + noise[3 * i + 2],
            unused: 0.0,
        })
        .collect();
    let numbers = run.floats(3 * w * h);
    let speed: Vec<Point> = numbers
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&[x, y, z]| Point { x, y, z, unused: 0.0 })
        .collect();
    let vector = |p: &Point| [p.x, p.y, p.z].map(f64::from);
    let (mut next_place, mut next_speed) = (Vec::new(), Vec::new());
    for i in 0..w * h {
        let (x, y) = (i as i64 % w as i64, i as i64 / w as i64);
        let (here, before) = (vector(&place[i]), vector(&speed[i]));
        let mut force = before.map(|v| -f64::from(damping) * v);
        force[1] -= 9.81;
        // All neighbours whose distance in the grid has a square of 1, 2 or 4.
        for (dy, dx) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dy, dx))) {
            let square = dx * dx + dy * dy;
            let inside = (0..w as i64).contains(&(x + dx)) && (0..h as i64).contains(&(y + dy));
            if !inside || ![1, 2, 4].contains(&square) {
                continue;
            }
            let there = vector(&place[((y + dy) * w as i64 + x + dx) as usize]);
            let length = (0..3).map(|k| (there[k] - here[k]).powi(2)).sum::<f64>().sqrt();
            let stretch = length - (square as f64).sqrt();
            for k in 0..3 {
                force[k] += f64::from(stiffness) * stretch * (there[k] - here[k]) / length;
            }
        }
        for k in 0..3 {
            let v = if y == 0 { 0.0 } else { before[k] + f64::from(dt) * force[k] };
            next_speed.push(v as f32);
            next_place.push((here[k] + f64::from(dt) * v) as f32);
        }
    }
    let next_place = Output::new(&vec![f32::NAN; 3 * w * h], next_place)?.within(1e-5);
    let next_speed = Output::new(&vec![f32::NAN; 3 * w * h], next_speed)?.within(1e-3);
    let (place, speed) = (DeviceBuffer::from_slice(&place)?, DeviceBuffer::from_slice(&speed)?);
    compare!(
        run,
        [&next_place, &next_speed],
        cloth_springs,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            w as i32,
            h as i32,
            dt,
            stiffness,
            damping,
            place.view([h, w]) => &place,
            speed.view([h, w]) => &speed,
            next_place.buffer().view_mut([h, w, 3]) => next_place.address(),
            next_speed.buffer().view_mut([h, w, 3]) => next_speed.address()
        )
    )
}
