//! A matrix transposed through tiles of 32x32 in shared memory, by blocks of 32x8 threads.

use crate::{Error, Run};
use ptyx::device::shared::Phase;
use ptyx::prelude::*;

/// `output[x, y] = input[y, x]`; both sides are multiples of 32, and the grid covers them.
#[kernel]
pub fn transpose(width: u32, input: &[f32], mut output: Parts<f32, Tiles, 2>, mut writing: Phase) {
    // One column more, so that a column's elements lie in different banks.
    let tile = phased!([[f32; 33]; 32]);
    let (tx, ty) = (thread::x(), thread::y());
    let (x, y) = (block::x() * 32 + tx, block::y() * 32 + ty);
    for j in 0..4 {
        let index = (y + j * 8) * width + x;
        tile.set(&mut writing, [j as usize, 0], input[index as usize]);
    }
    let reading = writing.sync();
    let (tile, mut own) = (tile.as_ref(&reading), output.part());
    for j in 0..4 {
        own[[j, 0]] = tile[tx as usize][ty as usize + j * 8];
    }
}

/// The tile of 32x32 at `(y, x)` for the block at `(x, y)`.
type Tiles = by::SwapBlocks<(
    by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
    by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
)>;

/// 16384 x 8192.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let side = run.size(1 << 14, 128);
    let (width, height) = (side, side / 2);
    let x = run.rng.vec_f32(width * height);
    let input = DeviceBuffer::from_slice(&x)?;
    let mut output = DeviceBuffer::filled(width * height, f32::NAN)?;
    let (blocks, w, shape) = ((width / 32, height / 32), width as u32, [width, height]);
    launch!(transpose<<<blocks, (32, 8)>>>(w, &input, output.view_mut(shape), shared::PHASES))?;
    let got = output.to_vec()?;
    for y in 0..height {
        for x_at in 0..width {
            if got[x_at * height + y].to_bits() != x[y * width + x_at].to_bits() {
                return Err(format!("element {x_at}, {y} differs").into());
            }
        }
    }
    run.time("transpose", x.len(), 8.0 * x.len() as f64, "GB/s", &mut || {
        launch!(transpose<<<blocks, (32, 8)>>>(w, &input, output.view_mut(shape), shared::PHASES))
    })
}
