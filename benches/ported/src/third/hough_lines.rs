//! Hough's transform: each edge point of an image votes for the lines through it. A block has one angle, and counts
//! the lines' distances from the origin in shared memory.

use crate::prelude::*;

/// An edge point.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Point {
    x: u16,
    y: u16,
}

forms! {
    /// 256 threads a block. `turn` has the cosine and the sine of the block's angle, times 2^14; distances less than
    /// -`offset` do not occur.
    #[kernel]
    pub fn hough_lines(
        points: i32,
        distances: i32,
        offset: i32,
        turn: &[i32],
        point: &[Point],
        mut votes: Parts<u32, (by::BlockX, by::ThreadInBlockX), 2>,
    ) {
        let count = shared!([u32; 5120]).atomics(0);
        let t = thread::x() as i32;
        let angle = block::x() as i32;
        let (cosine, sine) = (at!(turn, 2 * angle), at!(turn, 2 * angle + 1));
        for i in (t..points).step_by(256) {
            let p = at!(point, i);
            let distance = (p.x as i32 * cosine + p.y as i32 * sine + (1 << 13)) >> 14;
            bump!(count, distance + offset, 1);
        }
        block::sync();
        let mut own = votes.part();
        for (round, k) in (t..distances).step_by(256).enumerate() {
            own!(own, [0, round]) = value!(count, k);
        }
    }
}

/// 2^17 points of an image of 2000x1600 pixels, 720 angles of half a circle.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (points, angles) = (run.size(1 << 17, 500), run.size(720, 12));
    let (w, h) = (run.size(2000, 200), run.size(1600, 150));
    // Half of the points lie on two lines.
    let (xs, ys) = (run.below(w, points), run.below(h, points));
    let point: Vec<Point> = (0..points)
        .map(|i| {
            let (x, y) = (xs[i] as u16, ys[i] as u16);
            match i % 4 {
                0 => Point { x, y: x / 2 },
                1 => Point { x: w as u16 / 2, y },
                _ => Point { x, y },
            }
        })
        .collect();
    let turn: Vec<i32> = (0..angles)
        .flat_map(|k| {
            let (sin, cos) = (k as f64 * std::f64::consts::PI / angles as f64).sin_cos();
            [cos, sin].map(|x| (x * 16384.0).round() as i32)
        })
        .collect();
    let (offset, distances) = (w + 1, w + 2 + w.max(h) * 29 / 20);
    let mut want = vec![0u32; angles * distances];
    for (angle, votes) in want.chunks_mut(distances).enumerate() {
        for p in &point {
            let sum = i64::from(p.x) * i64::from(turn[2 * angle])
                + i64::from(p.y) * i64::from(turn[2 * angle + 1]);
            let distance = (sum + 8192).div_euclid(16384);
            votes[(distance + offset as i64) as usize] += 1;
        }
    }
    let votes = Output::new(&vec![u32::MAX; want.len()], want)?;
    let (turn, point) = (DeviceBuffer::from_slice(&turn)?, DeviceBuffer::from_slice(&point)?);
    compare!(
        run,
        [&votes],
        hough_lines,
        angles,
        256,
        (
            points as i32,
            distances as i32,
            offset as i32,
            &turn,
            &point,
            votes.buffer().view_mut([angles, distances]) => votes.address()
        )
    )
}
