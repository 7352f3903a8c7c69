//! The rows of a separable convolution, after the CUDA samples: eight results a thread, with a halo of one block's
//! width on each side in shared memory.

use crate::prelude::*;

/// Tiles of 128x4, whose elements a block's threads take in turn.
type Tiles =
    (by::Tile<by::BlockY, 4, by::ThreadInBlockY>, by::Tile<by::BlockX, 128, by::ThreadInBlockX>);

forms! {
    /// Blocks of 16x4 threads write 128x4 elements; `width` is a multiple of 128, `height` of 4.
    #[kernel]
    pub fn convolution(
        width: i32,
        taps: &[f32],
        input: &[f32],
        mut output: Parts<f32, Tiles, 2>,
        phase: Phase,
    ) {
        let tile = phased!([[f32; 160]; 4]);
        let mut writing = phase;
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let base_x = (block::x() as i32 * 8 - 1) * 16 + tx;
        let base_y = block::y() as i32 * 4 + ty;
        for i in 1..9 {
            let x = base_x + i * 16;
            tile.set(&mut writing, [0, i as usize], at!(input, base_y * width + x));
        }
        let left = base_x >= 0;
        let first = if left { at!(input, base_y * width + base_x) } else { 0.0 };
        tile.set(&mut writing, [0, 0], first);
        let right = width - base_x > 9 * 16;
        let last = if right { at!(input, base_y * width + base_x + 9 * 16) } else { 0.0 };
        tile.set(&mut writing, [0, 9], last);
        let reading = writing.sync();
        let tile = tile.as_ref(&reading);
        let mut own = output.part();
        for i in 1..9 {
            let mut sum = 0.0;
            for j in -8i32..=8 {
                sum += at!(taps, 8 - j) * at!(tile, ty, tx + i * 16 + j);
            }
            own!(own, [0, i as usize - 1]) = sum;
        }
    }
}

/// 8192x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 384), run.size(8192, 12));
    let (taps, input) = (run.floats(17), run.floats(w * h));
    let want = (0..w * h).map(|i| {
        let row = &input[i / w * w..][..w];
        let places = (0..17).map(|k| (k, (i % w + 8).wrapping_sub(k)));
        places.filter(|(_, x)| *x < w).map(|(k, x)| taps[k] * row[x]).sum::<f32>()
    });
    let output = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-5);
    let (taps, input) = (DeviceBuffer::from_slice(&taps)?, DeviceBuffer::from_slice(&input)?);
    let blocks = (w / 128, h / 4);
    compare!(
        run,
        [&output],
        convolution,
        blocks,
        (16, 4),
        (w as i32, &taps, &input, output.buffer().view_mut([h, w]) => output.address(), shared::PHASES)
    )
}
