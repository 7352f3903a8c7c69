//! Thin edges, a step of Canny's detector (1986): a pixel stays if its gradient is the largest across the edge, whose
//! direction is one of four.

use crate::prelude::*;

forms! {
    #[inline(always)]
    fn magnitude(dx: &[i16], dy: &[i16], i: i32) -> i32 {
        (at!(dx, i) as i32).abs() + (at!(dy, i) as i32).abs()
    }

    /// One thread a pixel: 2 above the high threshold, 1 above the low one, else 0. The border is 0.
    #[kernel]
    pub fn canny_nms(
        width: i32,
        height: i32,
        low: i32,
        high: i32,
        dx: &[i16],
        dy: &[i16],
        mut edge: Disjoint<u8>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= width * height {
            return;
        }
        let (x, y) = (i % width, i / width);
        let mut class = 0u8;
        if x > 0 && x < width - 1 && y > 0 && y < height - 1 {
            let (gx, gy) = (at!(dx, i) as i32, at!(dy, i) as i32);
            let strength = magnitude(dx, dy, i);
            // The tangent of 22.5 degrees in 15 bits; that of 67.5 degrees is larger by 2.
            let (ax, ay) = (gx.abs(), gy.abs() << 15);
            let tangent = ax * 13573;
            let step = if ay < tangent {
                1
            } else if ay > tangent + (ax << 16) {
                width
            } else if (gx ^ gy) < 0 {
                width - 1
            } else {
                width + 1
            };
            let before = magnitude(dx, dy, i - step);
            let after = magnitude(dx, dy, i + step);
            if strength > low && strength > before && strength >= after {
                class = if strength > high { 2 } else { 1 };
            }
        }
        own!(edge, own) = class;
    }
}

/// 8192x6000 pixels.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 70), run.size(6000, 45));
    let (low, high) = (150, 400);
    let mut gradient =
        || run.below(1021, w * h).into_iter().map(|x| x as i16 - 510).collect::<Vec<i16>>();
    let (dx, dy) = (gradient(), gradient());
    let strength: Vec<u16> =
        dx.iter().zip(&dy).map(|(x, y)| x.unsigned_abs() + y.unsigned_abs()).collect();
    let mut want = vec![0u8; w * h];
    for (x, y) in (1..h - 1).flat_map(|y| (1..w - 1).map(move |x| (x, y))) {
        let i = y * w + x;
        let (gx, gy) = (f64::from(dx[i]), f64::from(dy[i]));
        // The angle in eighths of a half-turn, from the tangents of 15 bits that kernels have.
        let flat = gy.abs() * 32768.0 < gx.abs() * 13573.0;
        let steep = gy.abs() * 32768.0 > gx.abs() * (13573.0 + 65536.0);
        let (across, down) = match (flat, steep) {
            (true, _) => (1, 0),
            (_, true) => (0, 1),
            _ if (gx < 0.0) == (gy < 0.0) => (1, 1),
            _ => (-1, 1),
        };
        let of = |sign: isize| {
            let x = x.wrapping_add_signed(sign * across);
            strength[y.wrapping_add_signed(sign * down) * w + x]
        };
        let largest = strength[i] > of(-1) && strength[i] >= of(1);
        want[i] = match strength[i] {
            s if largest && s > high => 2,
            s if largest && s > low => 1,
            _ => 0,
        };
    }
    let edge = Output::new(&vec![9; w * h], want)?;
    let (dx, dy) = (DeviceBuffer::from_slice(&dx)?, DeviceBuffer::from_slice(&dy)?);
    compare!(
        run,
        [&edge],
        canny_nms,
        (w * h).div_ceil(256),
        256,
        (w as i32, h as i32, i32::from(low), i32::from(high), &dx, &dy, &mut *edge.buffer())
    )
}
