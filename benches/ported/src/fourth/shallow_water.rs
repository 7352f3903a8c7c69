//! A step of the shallow-water equations by the Lax-Friedrichs scheme, with reflecting walls.

use crate::prelude::*;

/// Depth, and momentum along x and y.
type State = (f32, f32, f32);

/// The flux along x.
#[inline(always)]
fn flow_x(s: State, gravity: f32) -> State {
    let u = s.1 / s.0;
    (s.1, s.1 * u + 0.5 * gravity * s.0 * s.0, s.2 * u)
}

/// The flux along y.
#[inline(always)]
fn flow_y(s: State, gravity: f32) -> State {
    let v = s.2 / s.0;
    (s.2, s.1 * v, s.2 * v + 0.5 * gravity * s.0 * s.0)
}

forms! {
    /// One thread per cell; `ratio` is the time step divided by the grid spacing.
    #[kernel]
    pub fn shallow_water(
        width: i32,
        height: i32,
        gravity: f32,
        ratio: f32,
        depth: Array<f32, 2>,
        momentum_x: Array<f32, 2>,
        momentum_y: Array<f32, 2>,
        mut next_depth: DisjointArray<f32, 2>,
        mut next_x: DisjointArray<f32, 2>,
        mut next_y: DisjointArray<f32, 2>,
    ) {
        let own = thread::index_2d();
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= width || y >= height {
            return;
        }
        let state = |y: i32, x: i32| -> State {
            (pick!(depth, y, x), pick!(momentum_x, y, x), pick!(momentum_y, y, x))
        };
        let mut west = state(y, (x - 1).max(0));
        let mut east = state(y, (x + 1).min(width - 1));
        let mut north = state((y - 1).max(0), x);
        let mut south = state((y + 1).min(height - 1), x);
        if x == 0 {
            west.1 = -west.1;
        }
        if x == width - 1 {
            east.1 = -east.1;
        }
        if y == 0 {
            north.2 = -north.2;
        }
        if y == height - 1 {
            south.2 = -south.2;
        }
        let (fw, fe) = (flow_x(west, gravity), flow_x(east, gravity));
        let (fn_, fs) = (flow_y(north, gravity), flow_y(south, gravity));
        let half = 0.5 * ratio;
        own!(next_depth, own) = 0.25 * (west.0 + east.0 + north.0 + south.0)
            - half * (fe.0 - fw.0)
            - half * (fs.0 - fn_.0);
        own!(next_x, own) = 0.25 * (west.1 + east.1 + north.1 + south.1)
            - half * (fe.1 - fw.1)
            - half * (fs.1 - fn_.1);
        own!(next_y, own) = 0.25 * (west.2 + east.2 + north.2 + south.2)
            - half * (fe.2 - fw.2)
            - half * (fs.2 - fn_.2);
    }
}

/// 4096x3072.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(4096, 45), run.size(3072, 27));
    let (gravity, ratio) = (9.81f32, 0.05f32);
    let fields = [run.between(1.0, 2.0, w * h), run.floats(w * h), run.floats(w * h)];
    let mut want = [const { Vec::new() }; 3];
    for y in 0..h {
        for x in 0..w {
            // From each side: the state there, mirrored behind a wall, and its flux.
            let mut sums = [0.0f64; 3];
            for (axis, step) in [(0, -1i64), (0, 1), (1, -1), (1, 1)] {
                let mut place = [x as i64, y as i64];
                place[axis] += step;
                let wall = place[axis] < 0 || place[axis] == [w, h][axis] as i64;
                if wall {
                    place[axis] -= step;
                }
                let at = place[1] as usize * w + place[0] as usize;
                let mut state = fields.each_ref().map(|field| f64::from(field[at]));
                if wall {
                    state[1 + axis] = -state[1 + axis];
                }
                let speed = state[1 + axis] / state[0];
                let mut flow = state.map(|x| x * speed);
                flow[1 + axis] += f64::from(gravity) / 2.0 * state[0].powi(2);
                for k in 0..3 {
                    sums[k] += state[k] / 4.0 - 0.5 * f64::from(ratio) * step as f64 * flow[k];
                }
            }
            want.iter_mut().zip(sums).for_each(|(want, sum)| want.push(sum as f32));
        }
    }
    let [depth, x, y] = want.map(|want| Output::new(&vec![f32::NAN; w * h], want));
    let (next_depth, next_x, next_y) = (depth?.within(1e-5), x?.within(1e-5), y?.within(1e-5));
    let depth = DeviceBuffer::from_slice(&fields[0])?;
    let momentum_x = DeviceBuffer::from_slice(&fields[1])?;
    let momentum_y = DeviceBuffer::from_slice(&fields[2])?;
    compare!(
        run,
        [&next_depth, &next_x, &next_y],
        shallow_water,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            w as i32,
            h as i32,
            gravity,
            ratio,
            depth.view([h, w]) => depth,
            momentum_x.view([h, w]) => momentum_x,
            momentum_y.view([h, w]) => momentum_y,
            next_depth.buffer().view_mut([h, w]) => next_depth.address(),
            next_x.buffer().view_mut([h, w]) => next_x.address(),
            next_y.buffer().view_mut([h, w]) => next_y.address()
        )
    )
}
