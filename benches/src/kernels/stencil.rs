//! One step of a five-point stencil on a 2-D array.

use crate::{Error, Run, expect_close};
use ptyx::prelude::*;

/// The weighted mean of each inner element and its four neighbours; the border is copied.
#[kernel]
pub fn stencil(input: Array<f32, 2>, mut output: DisjointArray<f32, 2>) {
    let i = thread::index_2d();
    let (x, y) = (i.x(), i.y());
    let [height, width] = input.shape();
    if let Some(output) = output.get_mut(i) {
        let here = input[[y, x]];
        *output = if x > 0 && y > 0 && x + 1 < width && y + 1 < height {
            let around =
                input[[y - 1, x]] + input[[y + 1, x]] + input[[y, x - 1]] + input[[y, x + 1]];
            0.5 * here + 0.125 * around
        } else {
            here
        };
    }
}

/// 16384 x 16384.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let (height, width) = (run.size(1 << 14, 70), run.size(1 << 14, 90));
    let x = run.rng.vec_f32(width * height);
    let input = DeviceBuffer::from_slice(&x)?;
    let mut output = DeviceBuffer::filled(width * height, f32::NAN)?;
    let shape = [height, width];
    let blocks = (width.div_ceil(32), height.div_ceil(8));
    launch!(stencil<<<blocks, (32, 8)>>>(input.view(shape), output.view_mut(shape)))?;
    let got = output.to_vec()?;
    let want = (0..x.len()).map(|at| {
        let (row, column) = (at / width, at % width);
        let inner = row > 0 && column > 0 && row + 1 < height && column + 1 < width;
        let of = |at: usize| f64::from(x[at]);
        match inner {
            true => {
                0.5 * of(at) + 0.125 * (of(at - width) + of(at + width) + of(at - 1) + of(at + 1))
            }
            false => of(at),
        }
    });
    expect_close(&got, want, 1e-6)?;
    run.time("stencil", x.len(), 8.0 * x.len() as f64, "GB/s", &mut || {
        launch!(stencil<<<blocks, (32, 8)>>>(input.view(shape), output.view_mut(shape)))
    })
}
