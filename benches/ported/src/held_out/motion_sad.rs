//! Where each block of 16x16 pixels was in the frame before, by the sum of absolute differences at all places up to
//! eight pixels away: an exhaustive search, as in Parboil's sad.

use crate::prelude::*;

forms! {
    /// One block of 16x16 threads a block of pixels, one thread a displacement.
    #[kernel]
    pub fn motion_sad(
        width: i32,
        height: i32,
        frame: &[u8],
        before: Array<u8, 2>,
        mut best: Parts<u32, by::BlockLeader>,
    ) {
        let tile = cells!([[i32; 16]; 16], 0);
        let least = shared!([u32; 1]).atomics(u32::MAX);
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let x0 = block::x() as i32 * 16;
        let y0 = block::y() as i32 * 16;
        let (px, py) = ((x0 + tx).min(width - 1), (y0 + ty).min(height - 1));
        set!(tile, ty, tx, at!(frame, py * width + px) as i32);
        block::sync();
        let mut sum = 0;
        for y in 0..16 {
            let sy = (y0 + y + ty - 8).clamp(0, height - 1);
            for x in 0..16 {
                let sx = (x0 + x + tx - 8).clamp(0, width - 1);
                sum += (get!(tile, y, x) - pick!(before, sy, sx) as i32).abs();
            }
        }
        // The displacement in the low bits, so that of equal sums the first one is found.
        atom!(least, 0).fetch_min((sum as u32) << 8 | (ty * 16 + tx) as u32);
        block::sync();
        if let Some(best) = best.own() {
            *best = value!(least, 0);
        }
    }
}

/// Frames of 3840x2160.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(3840, 70), run.size(2160, 41));
    let before: Vec<u8> = run.below(256, w * h).into_iter().map(|x| x as u8).collect();
    // The picture moved by (3, -2), with some noise.
    let clamped = |x: usize, y: usize, dx: isize, dy: isize| {
        let at = |at: usize, by: isize, len: usize| (at as isize + by).clamp(0, len as isize - 1);
        before[at(y, dy, h) as usize * w + at(x, dx, w) as usize]
    };
    let noise = run.below(8, w * h);
    let frame: Vec<u8> =
        (0..w * h).map(|i| clamped(i % w, i / w, 3, -2).saturating_add(noise[i] as u8)).collect();
    let (columns, rows) = (w.div_ceil(16), h.div_ceil(16));
    let mut want = Vec::with_capacity(columns * rows);
    for block in 0..columns * rows {
        let (x0, y0) = (block % columns * 16, block / columns * 16);
        let pixels: Vec<(usize, usize, u8)> = (0..256)
            .map(|i| {
                let (x, y) = (x0 + i % 16, y0 + i / 16);
                (x, y, frame[y.min(h - 1) * w + x.min(w - 1)])
            })
            .collect();
        let sums = (0..256isize).map(|place| {
            let (dx, dy) = (place % 16 - 8, place / 16 - 8);
            let differences =
                pixels.iter().map(|&(x, y, pixel)| u32::from(pixel.abs_diff(clamped(x, y, dx, dy))));
            (differences.sum::<u32>(), place as u32)
        });
        want.push(sums.min().map_or(0, |(sum, place)| sum * 256 + place));
    }
    let best = Output::new(&vec![0; want.len()], want)?;
    let (frame, before) = (DeviceBuffer::from_slice(&frame)?, DeviceBuffer::from_slice(&before)?);
    compare!(
        run,
        [&best],
        motion_sad,
        (columns, rows),
        (16, 16),
        (w as i32, h as i32, &frame, before.view([h, w]) => &before, &mut *best.buffer())
    )
}
