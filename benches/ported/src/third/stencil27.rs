//! A stencil of 27 points with a weight for each, as in multigrid smoothers (HPGMG): a thread goes up a column of the
//! field.

use crate::prelude::*;

/// Rows and columns belong to threads, with all planes.
type Columns = (by::Whole, by::ThreadY, by::ThreadX);

forms! {
    /// Blocks of 32x8 threads. The field's border stays as it is.
    #[kernel]
    pub fn stencil27(
        depth: i32,
        height: i32,
        width: i32,
        weight: &[f32],
        field: Array<f32, 3>,
        mut next: Parts<f32, Columns, 3>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x < 1 || y < 1 || x >= width - 1 || y >= height - 1 {
            return;
        }
        let mut own = next.part();
        for z in 1..depth - 1 {
            let mut sum = 0.0;
            for dz in -1..=1 {
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        let w = at!(weight, (dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
                        sum += w * pick!(field, z + dz, y + dy, x + dx);
                    }
                }
            }
            own!(own, [z as Ix as usize, 0, 0]) = sum;
        }
    }
}

/// 400x400x400.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (d, h, w) = (run.size(400, 7), run.size(400, 19), run.size(400, 45));
    let (weight, field) = (run.floats(27), run.floats(d * h * w));
    let mut want = field.clone();
    for (z, y) in (1..d - 1).flat_map(|z| (1..h - 1).map(move |y| (z, y))) {
        // A row of sums, one neighbour after another.
        let mut sums = vec![0.0f32; w - 2];
        for (k, weight) in weight.iter().enumerate() {
            let row = &field[((z + k / 9 - 1) * h + y + k / 3 % 3 - 1) * w + k % 3..];
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
        }
        want[(z * h + y) * w + 1..][..w - 2].copy_from_slice(&sums);
    }
    let next = Output::new(&field, want)?.within(1e-5);
    let (weight, field) = (DeviceBuffer::from_slice(&weight)?, DeviceBuffer::from_slice(&field)?);
    compare!(
        run,
        [&next],
        stencil27,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            d as i32,
            h as i32,
            w as i32,
            &weight,
            field.view([d, h, w]) => &field,
            next.buffer().view_mut([d, h, w]) => next.address()
        )
    )
}
