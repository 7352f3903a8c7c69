//! The patches of an image as columns of a matrix, after Caffe's im2col.

use crate::prelude::*;

/// A thread owns the elements of one channel that belong to one place of the result.
type Columns = by::Unravel<by::Thread, (by::Digit, by::Whole, by::Digit)>;

forms! {
    /// One thread a channel and a place. The matrix has `side * side` rows for each channel.
    #[kernel]
    pub fn im2col(
        total: i32,
        height: i32,
        width: i32,
        side: i32,
        padding: i32,
        stride: i32,
        out_height: i32,
        out_width: i32,
        image: &[f32],
        mut columns: Parts<f32, Columns, 3>,
    ) {
        let mut index = (block::x() * block::dim_x() + thread::x()) as i32;
        for mut own in columns.rounds() {
            if index >= total {
                break;
            }
            let out_x = index % out_width;
            let out_y = index / out_width % out_height;
            let channel = index / out_width / out_height;
            let x0 = out_x * stride - padding;
            let y0 = out_y * stride - padding;
            for i in 0..side {
                for j in 0..side {
                    let (y, x) = (y0 + i, x0 + j);
                    let inside = y >= 0 && x >= 0 && y < height && x < width;
                    own!(own, [0, (i * side + j) as Ix as usize, 0]) = if inside {
                        at!(image, (channel * height + y) * width + x)
                    } else {
                        0.0
                    };
                }
            }
            index += (block::dim_x() * grid::dim_x()) as i32;
        }
    }
}

/// 64 channels of 224x224, 3x3.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (channels, h, w) = (run.size(64, 3), run.size(224, 15), run.size(224, 19));
    let (side, padding, stride) = (3, 1, 1);
    let (oh, ow) = ((h + 2 * padding - side) / stride + 1, (w + 2 * padding - side) / stride + 1);
    let image = run.floats(channels * h * w);
    let mut want = Vec::with_capacity(channels * side * side * oh * ow);
    for (row, place) in
        (0..channels * side * side).flat_map(|row| (0..oh * ow).map(move |place| (row, place)))
    {
        let y = (place / ow * stride + row / side % side).checked_sub(padding).filter(|y| *y < h);
        let x = (place % ow * stride + row % side).checked_sub(padding).filter(|x| *x < w);
        let value = y.zip(x).map(|(y, x)| image[(row / (side * side) * h + y) * w + x]);
        want.push(value.unwrap_or(0.0));
    }
    let columns = Output::new(&vec![f32::NAN; want.len()], want)?;
    let image = DeviceBuffer::from_slice(&image)?;
    let total = channels * oh * ow;
    compare!(
        run,
        [&columns],
        im2col,
        total.div_ceil(512),
        512,
        (
            total as i32,
            h as i32,
            w as i32,
            side as i32,
            padding as i32,
            stride as i32,
            oh as i32,
            ow as i32,
            &image,
            columns.buffer().view_mut([channels, side * side, oh * ow]) => columns.address()
        )
    )
}
