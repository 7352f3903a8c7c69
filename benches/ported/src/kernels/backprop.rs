//! The forward layer of a network with 16 hidden units, after Rodinia's backprop: a tile of 16x16 weights in shared
//! memory, summed as a tree.

use crate::prelude::*;

forms! {
    /// Blocks of 16x16 threads, one below another; `hidden` has one more row and column than units.
    #[kernel]
    pub fn backprop(units: i32, input: &[f32], weights: SliceMut<f32>, partial: SliceMut<f32>) {
        let node = shared!([f32; 16]);
        let tile = shared!([[f32; 16]; 16]);
        let by = block::y() as Ix;
        let (tx, ty) = (thread::x() as Ix, thread::y() as Ix);
        let units = units as Ix;
        let index = (units + 1) * 16 * by + (units + 1) * ty + tx + 1 + (units + 1);
        if tx == 0 {
            st!(node, ty, at!(input, 16 * by + ty + 1));
        }
        block::sync();
        st!(tile, ty, tx, rd!(weights, index));
        block::sync();
        st!(tile, ty, tx, ld!(tile, ty, tx) * ld!(node, ty));
        block::sync();
        for i in 1..=4 {
            let power = 1 << i;
            if ty % power == 0 {
                st!(tile, ty, tx, ld!(tile, ty, tx) + ld!(tile, ty + power / 2, tx));
            }
            block::sync();
        }
        wr!(weights, index, ld!(tile, ty, tx));
        block::sync();
        if tx == 0 {
            wr!(partial, by * units + ty, ld!(tile, tx, ty));
        }
    }
}

/// 65535 blocks of 16 inputs: no grid has more along y.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, units) = (run.size(65535 * 16, 7 * 16), 16usize);
    let (input, weights) = (run.floats(n + 1), run.floats((n + 1) * (units + 1)));
    let mut want = weights.clone();
    let mut sums = Vec::new();
    for block in 0..n / 16 {
        let place = |y: usize, x: usize| (16 * block + y + 1) * (units + 1) + x + 1;
        for x in 0..16 {
            let mut column: Vec<f32> =
                (0..16).map(|y| weights[place(y, x)] * input[16 * block + y + 1]).collect();
            for half in [1, 2, 4, 8] {
                for y in (0..16).step_by(2 * half) {
                    column[y] += column[y + half];
                }
            }
            sums.push(column[0]);
            for y in 0..16 {
                want[place(y, x)] = column[y];
            }
        }
    }
    let weights = Output::new(&weights, want)?.within(1e-5);
    let partial = Output::new(&vec![f32::NAN; n / 16 * units], sums)?.within(1e-5);
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&weights, &partial],
        backprop,
        (1, n / 16),
        (16, 16),
        (units as i32, &input, &mut *weights.buffer(), &mut *partial.buffer())
    )
}
