//! Features of regions of an image, as two-stage detectors pool them: means of interpolated samples.

use crate::prelude::*;

/// A region of an image, in pixels of the image.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Region {
    image: i32,
    x1: f32,
    y1: f32,
    x2: f32,
    y2: f32,
}

forms! {
    /// The features, interpolated between their pixels; 0 far outside.
    #[inline(always)]
    fn sample(features: &[f32], plane: i32, height: i32, width: i32, y: f32, x: f32) -> f32 {
        if y < -1.0 || y > height as f32 || x < -1.0 || x > width as f32 {
            return 0.0;
        }
        let (mut y, mut x) = (y.max(0.0), x.max(0.0));
        let (mut top, mut left) = (y as i32, x as i32);
        let (bottom, right);
        if top >= height - 1 {
            top = height - 1;
            bottom = top;
            y = top as f32;
        } else {
            bottom = top + 1;
        }
        if left >= width - 1 {
            left = width - 1;
            right = left;
            x = left as f32;
        } else {
            right = left + 1;
        }
        let (fy, fx) = (y - top as f32, x - left as f32);
        let a = at!(features, (plane + top) * width + left);
        let b = at!(features, (plane + top) * width + right);
        let c = at!(features, (plane + bottom) * width + left);
        let d = at!(features, (plane + bottom) * width + right);
        (1.0 - fy) * ((1.0 - fx) * a + fx * b) + fy * ((1.0 - fx) * c + fx * d)
    }

    /// One thread per result `[region][channel][row][column]`, a mean of 2x2 samples.
    #[kernel]
    pub fn roi_align(
        total: i32,
        channels: i32,
        height: i32,
        width: i32,
        side: i32,
        scale: f32,
        features: &[f32],
        region: &[Region],
        mut pooled: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= total {
            return;
        }
        let column = i % side;
        let row = i / side % side;
        let channel = i / side / side % channels;
        let roi = at!(region, i / side / side / channels);
        let x1 = roi.x1 * scale;
        let y1 = roi.y1 * scale;
        let bin_width = (roi.x2 * scale - x1).max(1.0) / side as f32;
        let bin_height = (roi.y2 * scale - y1).max(1.0) / side as f32;
        let plane = (roi.image * channels + channel) * height;
        let mut sum = 0.0f32;
        for sy in 0..2 {
            let y = y1 + row as f32 * bin_height + (sy as f32 + 0.5) * bin_height / 2.0;
            for sx in 0..2 {
                let x = x1 + column as f32 * bin_width + (sx as f32 + 0.5) * bin_width / 2.0;
                sum += sample(features, plane, height, width, y, x);
            }
        }
        own!(pooled, own) = sum / 4.0;
    }
}

/// 512 regions of 4 images of 128 channels of 160x200, pooled to 8x8.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (regions, images, channels) = (run.size(512, 9), run.size(4, 2), run.size(128, 5));
    let (height, width, side) = (run.size(160, 20), run.size(200, 27), 8);
    let scale = 0.25f32;
    let features = run.floats(images * channels * height * width);
    let image = run.below(images, regions);
    // Integers and powers of two make all places exact.
    let (x, y) = (run.below(4 * width, regions), run.below(4 * height, regions));
    let (w, h) = (run.below(3 * width, regions), run.below(3 * height, regions));
    // One in four is smaller than a pixel of the features, in one direction at least.
    let small = |i: usize, x: i32| if i.is_multiple_of(4) { x % 4 } else { x };
    let region: Vec<Region> = (0..regions)
        .map(|i| Region {
            image: image[i],
            x1: x[i] as f32 - 16.0,
            y1: y[i] as f32 - 16.0,
            x2: (x[i] + small(i, w[i])) as f32 - 16.0,
            y2: (y[i] + h[i]) as f32 - 16.0,
        })
        .collect();
    // The weights of pixels in a sample, along an axis: at most two.
    let shares = |at: f64, extent: usize| -> Vec<(usize, f64)> {
        if at < -1.0 || at > extent as f64 {
            return Vec::new();
        }
        let at = at.clamp(0.0, extent as f64 - 1.0);
        let pixels = [at.floor() as usize, at.floor() as usize + 1];
        let share = |pixel: usize| (pixel, 1.0 - (at - pixel as f64).abs());
        pixels.into_iter().filter(|pixel| *pixel < extent).map(share).collect()
    };
    let mut want = Vec::with_capacity(regions * channels * side * side);
    for region in &region {
        let axis = |low: f32, high: f32, extent: usize| -> Vec<Vec<(usize, f64)>> {
            let (low, high) = (f64::from(low * scale), f64::from(high * scale));
            let bin = (high - low).max(1.0) / side as f64;
            (0..2 * side).map(|k| shares(low + (k as f64 + 0.5) * bin / 2.0, extent)).collect()
        };
        let rows = axis(region.y1, region.y2, height);
        let columns = axis(region.x1, region.x2, width);
        for channel in 0..channels {
            let plane = &features[(region.image as usize * channels + channel) * height * width..];
            for k in 0..side * side {
                let mut sum = 0.0;
                for s in 0..4 {
                    for (y, a) in &rows[k / side * 2 + s / 2] {
                        for (x, b) in &columns[k % side * 2 + s % 2] {
                            sum += a * b * f64::from(plane[y * width + x]);
                        }
                    }
                }
                want.push((sum / 4.0) as f32);
            }
        }
    }
    let total = want.len();
    let pooled = Output::new(&vec![f32::NAN; total], want)?.within(1e-4);
    let features = DeviceBuffer::from_slice(&features)?;
    let region = DeviceBuffer::from_slice(&region)?;
    compare!(
        run,
        [&pooled],
        roi_align,
        total.div_ceil(256),
        256,
        (
            total as i32,
            channels as i32,
            height as i32,
            width as i32,
            side as i32,
            scale,
            &features,
            &region,
            &mut *pooled.buffer()
        )
    )
}
