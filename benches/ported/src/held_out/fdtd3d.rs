//! A stencil of radius 4 in three dimensions, after the CUDA samples' FDTD3d: a thread walks along z with a column of
//! nine elements in a local array, and a plane's tile is in shared memory.

use crate::prelude::*;

forms! {
    /// Blocks of 32x8 threads, one column each. The field has a border of four elements on each side; `width` and
    /// `height` are without it.
    #[kernel]
    pub fn fdtd3d(
        width: i32,
        height: i32,
        depth: i32,
        weight: &[f32],
        input: &[f32],
        mut output: Parts<f32, (by::Whole, by::ThreadY, by::ThreadX), 3>,
    ) {
        let tile = cells!([[f32; 40]; 16], 0.0);
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        let row = width + 8;
        let plane = row * (height + 8);
        let valid = x < width && y < height;
        let mut own = output.part();
        let mut index = (y + 4) * row + x + 4;
        let mut column = [0.0f32; 9];
        if valid {
            for k in 0..8 {
                put!(column, k + 1, at!(input, index + k * plane));
            }
        }
        index += 4 * plane;
        for z in 0..depth {
            for k in 0..8 {
                put!(column, k, at!(column, k + 1));
            }
            if valid {
                put!(column, 8, at!(input, index + 4 * plane));
            }
            block::sync();
            if valid {
                set!(tile, ty + 4, tx + 4, at!(column, 4));
                if ty < 4 {
                    set!(tile, ty, tx + 4, at!(input, index - 4 * row));
                }
                if tx < 4 {
                    set!(tile, ty + 4, tx, at!(input, index - 4));
                }
                if ty >= 4 || y + 4 >= height {
                    set!(tile, ty + 8, tx + 4, at!(input, index + 4 * row));
                }
                if tx >= 28 || x + 4 >= width {
                    set!(tile, ty + 4, tx + 8, at!(input, index + 4));
                }
            }
            block::sync();
            if valid {
                let mut sum = at!(weight, 0) * at!(column, 4);
                for k in 1..=4 {
                    let along = at!(column, 4 - k) + at!(column, 4 + k);
                    let down = get!(tile, ty + 4 - k, tx + 4) + get!(tile, ty + 4 + k, tx + 4);
                    let across = get!(tile, ty + 4, tx + 4 - k) + get!(tile, ty + 4, tx + 4 + k);
                    sum += at!(weight, k) * (along + down + across);
                }
                own!(own, [z as Ix as usize, 0, 0]) = sum;
            }
            index += plane;
        }
    }
}

/// 384x384x384.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h, d) = (run.size(384, 45), run.size(384, 21), run.size(384, 7));
    let weight = run.floats(5);
    let (row, plane) = (w + 8, (w + 8) * (h + 8));
    let input = run.floats(plane * (d + 8));
    let mut want = Vec::with_capacity(w * h * d);
    for i in 0..w * h * d {
        let place = (i / (w * h) + 4) * plane + (i / w % h + 4) * row + i % w + 4;
        let mut sum = f64::from(weight[0]) * f64::from(input[place]);
        for (k, weight) in weight.iter().enumerate().skip(1) {
            for step in [1, row, plane] {
                let pair = f64::from(input[place - k * step]) + f64::from(input[place + k * step]);
                sum += f64::from(*weight) * pair;
            }
        }
        want.push(sum as f32);
    }
    let output = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-5);
    let (weight, input) = (DeviceBuffer::from_slice(&weight)?, DeviceBuffer::from_slice(&input)?);
    compare!(
        run,
        [&output],
        fdtd3d,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            w as i32,
            h as i32,
            d as i32,
            &weight,
            &input,
            output.buffer().view_mut([d, h, w]) => output.address()
        )
    )
}
