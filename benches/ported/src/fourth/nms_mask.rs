//! Non-maximum suppression of a detector's boxes: which later boxes each box overlaps too much, 64 of them in a word.

use crate::prelude::*;

/// A box.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Rect {
    x1: f32,
    y1: f32,
    x2: f32,
    y2: f32,
}

/// The area of the intersection over that of the union.
#[inline(always)]
fn overlap(a: Rect, b: Rect) -> f32 {
    let left = a.x1.max(b.x1);
    let right = a.x2.min(b.x2);
    let top = a.y1.max(b.y1);
    let bottom = a.y2.min(b.y2);
    let width = (right - left).max(0.0);
    let height = (bottom - top).max(0.0);
    let inner = width * height;
    let area_a = (a.x2 - a.x1) * (a.y2 - a.y1);
    let area_b = (b.x2 - b.x1) * (b.y2 - b.y1);
    inner / (area_a + area_b - inner)
}

forms! {
    /// Blocks of 64 threads, one per box of block row `y`; 64 boxes of block column `x` are in shared memory.
    #[kernel]
    pub fn nms_mask(
        n: i32,
        threshold: f32,
        rect: &[Rect],
        mut mask: Parts<u64, (by::Tile<by::BlockY, 64, by::ThreadInBlockX>, by::BlockX), 2>,
        phase: Phase,
    ) {
        let tile = phased!([Rect; 64]);
        let mut writing = phase;
        let row = block::y() as i32;
        let column = block::x() as i32;
        if row > column {
            return;
        }
        let t = thread::x() as i32;
        let rows = (n - row * 64).min(64);
        let columns = (n - column * 64).min(64);
        if t < columns {
            tile.set(&mut writing, [0], at!(rect, column * 64 + t));
        }
        let reading = writing.sync();
        if t < rows {
            let here = at!(rect, row * 64 + t);
            let mut bits = 0u64;
            let start = if row == column { t + 1 } else { 0 };
            for i in start..columns {
                if overlap(here, tile.get(&reading, [i as Ix as usize])) > threshold {
                    bits |= 1 << i;
                }
            }
            let mut own = mask.part();
            own!(own, [0, 0]) = bits;
        }
    }
}

/// 16000 boxes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(16000, 300);
    let words = n.div_ceil(64);
    let threshold = 0.3f32;
    let (x, y) = (run.below(600, n), run.below(600, n));
    let (w, h) = (run.below(200, n), run.below(200, n));
    // Integers, so that areas are exact.
    let rect: Vec<Rect> = (0..n)
        .map(|i| Rect {
            x1: x[i] as f32,
            y1: y[i] as f32,
            x2: (x[i] + w[i] + 1) as f32,
            y2: (y[i] + h[i] + 1) as f32,
        })
        .collect();
    let mut want = vec![0u64; n * words];
    for i in 0..n {
        for j in i + 1..n {
            let common = |a: i32, b: i32, la: i32, lb: i32| {
                i64::from(((a + la + 1).min(b + lb + 1) - a.max(b)).max(0))
            };
            let inner = common(x[i], x[j], w[i], w[j]) * common(y[i], y[j], h[i], h[j]);
            let area = |k: usize| i64::from(w[k] + 1) * i64::from(h[k] + 1);
            let union = area(i) + area(j) - inner;
            if inner as f32 / union as f32 > threshold {
                want[i * words + j / 64] |= 1 << (j % 64);
            }
        }
    }
    let mask = Output::new(&vec![0; want.len()], want)?;
    let rect = DeviceBuffer::from_slice(&rect)?;
    compare!(
        run,
        [&mask],
        nms_mask,
        (words, words),
        64,
        (
            n as i32,
            threshold,
            &rect,
            mask.buffer().view_mut([n, words]) => mask.address(),
            shared::PHASES
        )
    )
}
