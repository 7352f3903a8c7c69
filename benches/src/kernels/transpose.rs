//! A matrix transposed through tiles of 32x32 in shared memory, by blocks of 32x8 threads.

use crate::{Error, Run};
use ptyx::prelude::*;

/// `output[x, y] = input[y, x]`; both sides are multiples of 32, and the grid covers them.
#[kernel]
pub fn transpose(width: u32, height: u32, input: &[f32], output: SliceMut<f32>) {
    // One column more, so that a column's elements lie in different banks.
    let tile = shared!([[f32; 33]; 32]);
    let (tx, ty) = (thread::x(), thread::y());
    let (x, y) = (block::x() * 32 + tx, block::y() * 32 + ty);
    for j in 0..4 {
        let row = ty + j * 8;
        let index = (y + j * 8) * width + x;
        // SAFETY: each thread writes its own elements, before the barrier.
        unsafe { tile.at(row as usize).at(tx as usize).write(input[index as usize]) }
    }
    block::sync();
    let (x, y) = (block::y() * 32 + tx, block::x() * 32 + ty);
    for j in 0..4 {
        let row = ty + j * 8;
        let index = (y + j * 8) * height + x;
        // SAFETY: read behind the barrier; each thread writes its own elements.
        unsafe { output.write(index as usize, tile.at(tx as usize).at(row as usize).read()) }
    }
}

/// 16384 x 8192.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let side = run.size(1 << 14, 128);
    let (width, height) = (side, side / 2);
    let x = run.rng.vec_f32(width * height);
    let input = DeviceBuffer::from_slice(&x)?;
    let mut output = DeviceBuffer::filled(width * height, f32::NAN)?;
    let (blocks, w, h) = ((width / 32, height / 32), width as u32, height as u32);
    launch!(transpose<<<blocks, (32, 8)>>>(w, h, &input, &mut output))?;
    let got = output.to_vec()?;
    for y in 0..height {
        for x_at in 0..width {
            if got[x_at * height + y].to_bits() != x[y * width + x_at].to_bits() {
                return Err(format!("element {x_at}, {y} differs").into());
            }
        }
    }
    run.time("transpose", x.len(), 8.0 * x.len() as f64, "GB/s", &mut || {
        launch!(transpose<<<blocks, (32, 8)>>>(w, h, &input, &mut output))
    })
}
