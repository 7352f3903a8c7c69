//! The largest element of each window of an image, and where it is, as deep-learning frameworks keep it for the
//! backward pass.

use crate::prelude::*;

forms! {
    /// One thread an element of the result, channels along z. An index counts the elements of its channel.
    #[kernel]
    pub fn maxpool_indices(
        height: i32,
        width: i32,
        out_height: i32,
        out_width: i32,
        side: i32,
        stride: i32,
        padding: i32,
        image: &[f32],
        mut largest: DisjointArray<f32, 3>,
        mut index: DisjointArray<i64, 3>,
    ) {
        let own = thread::index_3d();
        let (x, y, channel) = (own.x() as i32, own.y() as i32, own.z() as i32);
        if x >= out_width || y >= out_height {
            return;
        }
        let (first_y, first_x) = (y * stride - padding, x * stride - padding);
        let (end_y, end_x) = ((first_y + side).min(height), (first_x + side).min(width));
        let (first_y, first_x) = (first_y.max(0), first_x.max(0));
        let base = channel * height * width;
        let mut best = f32::MIN;
        let mut place = -1;
        for iy in first_y..end_y {
            for ix in first_x..end_x {
                let value = at!(image, base + iy * width + ix);
                if value > best {
                    best = value;
                    place = iy * width + ix;
                }
            }
        }
        own!(largest, own) = best;
        own!(index, own) = place as i64;
    }
}

/// 4096 channels of 112x112; windows of 3x3, two apart.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (channels, h, w) = (run.size(4096, 3), run.size(112, 31), run.size(112, 46));
    let (side, stride, padding) = (3usize, 2usize, 1usize);
    let (oh, ow) = ((h + 2 * padding - side) / stride + 1, (w + 2 * padding - side) / stride + 1);
    // Few values, so that some are equal: the first one counts.
    let image: Vec<f32> =
        run.below(64, channels * h * w).into_iter().map(|x| x as f32 - 32.0).collect();
    let len = channels * oh * ow;
    let (mut largest, mut index) = (vec![f32::NEG_INFINITY; len], vec![-1i64; len]);
    // Each element goes to the windows that it lies in.
    for (i, &value) in image.iter().enumerate() {
        let (channel, y, x) = (i / (h * w), i / w % h, i % w);
        let windows = |at: usize, len: usize| {
            let first = (at + padding + 1).saturating_sub(side).div_ceil(stride);
            first..((at + padding) / stride + 1).min(len)
        };
        for (oy, ox) in windows(y, oh).flat_map(|oy| windows(x, ow).map(move |ox| (oy, ox))) {
            let out = (channel * oh + oy) * ow + ox;
            if value > largest[out] {
                (largest[out], index[out]) = (value, (y * w + x) as i64);
            }
        }
    }
    let largest = Output::new(&vec![f32::NAN; len], largest)?;
    let index = Output::new(&vec![-2; len], index)?;
    let image = DeviceBuffer::from_slice(&image)?;
    compare!(
        run,
        [&largest, &index],
        maxpool_indices,
        (ow.div_ceil(32), oh.div_ceil(8), channels),
        (32, 8),
        (
            h as i32,
            w as i32,
            oh as i32,
            ow as i32,
            side as i32,
            stride as i32,
            padding as i32,
            &image,
            largest.buffer().view_mut([channels, oh, ow]) => largest.address(),
            index.buffer().view_mut([channels, oh, ow]) => index.address()
        )
    )
}
