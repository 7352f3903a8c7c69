//! The patches of a deformable convolution: each tap reads its image at a place that the network has learned.

use crate::prelude::*;

forms! {
    /// The image, interpolated between its pixels; 0 outside.
    #[inline(always)]
    fn interpolate(image: &[f32], base: i32, height: i32, width: i32, y: f32, x: f32) -> f32 {
        if y <= -1.0 || y >= height as f32 || x <= -1.0 || x >= width as f32 {
            return 0.0;
        }
        let y0 = y.floor() as i32;
        let x0 = x.floor() as i32;
        let fy = y - y0 as f32;
        let fx = x - x0 as f32;
        let mut a = 0.0f32;
        if y0 >= 0 && x0 >= 0 {
            a = at!(image, base + y0 * width + x0);
        }
        let mut b = 0.0f32;
        if y0 >= 0 && x0 + 1 < width {
            b = at!(image, base + y0 * width + x0 + 1);
        }
        let mut c = 0.0f32;
        if y0 + 1 < height && x0 >= 0 {
            c = at!(image, base + (y0 + 1) * width + x0);
        }
        let mut d = 0.0f32;
        if y0 + 1 < height && x0 + 1 < width {
            d = at!(image, base + (y0 + 1) * width + x0 + 1);
        }
        (1.0 - fy) * (1.0 - fx) * a + (1.0 - fy) * fx * b + fy * (1.0 - fx) * c + fy * fx * d
    }

    /// Pixels along x, channels along y. Each thread has all taps of a 3x3 kernel; `offset` has two planes for each tap.
    #[kernel]
    pub fn deform_im2col(
        height: i32,
        width: i32,
        image: &[f32],
        offset: &[f32],
        mut patches: Parts<f32, (by::BlockY, by::Whole, by::ThreadX), 3>,
    ) {
        let pixel = (block::x() * block::dim_x() + thread::x()) as i32;
        let pixels = height * width;
        if pixel >= pixels {
            return;
        }
        let channel = block::y() as i32;
        let (y, x) = (pixel / width, pixel % width);
        let mut own = patches.part();
        for i in 0..3 {
            for j in 0..3 {
                let tap = i * 3 + j;
                let dy = at!(offset, 2 * tap * pixels + pixel);
                let dx = at!(offset, (2 * tap + 1) * pixels + pixel);
                let sy = (y + i - 1) as f32 + dy;
                let sx = (x + j - 1) as f32 + dx;
                let value = interpolate(image, channel * pixels, height, width, sy, sx);
                own!(own, [0, tap as usize, 0]) = value;
            }
        }
    }
}

/// 64 channels of 256x192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (channels, height, width) = (run.size(64, 3), run.size(256, 19), run.size(192, 23));
    let pixels = height * width;
    let image = run.floats(channels * pixels);
    let offset = run.between(-3.0, 3.0, 18 * pixels);
    let mut want = vec![0.0f32; channels * 9 * pixels];
    for tap in 0..9 {
        for pixel in 0..pixels {
            let [dy, dx] = [0, 1].map(|axis| offset[(2 * tap + axis) * pixels + pixel]);
            // In `f32`, as in the kernel: which neighbours a place has depends on rounding.
            let y = f64::from((pixel / width + tap / 3) as f32 - 1.0 + dy);
            let x = f64::from((pixel % width + tap % 3) as f32 - 1.0 + dx);
            for corner in 0..4 {
                let row = y.floor() as i64 + corner / 2;
                let column = x.floor() as i64 + corner % 2;
                let inside = |at: i64, extent: usize| (0..extent as i64).contains(&at);
                if inside(row, height) && inside(column, width) {
                    let weight = (1.0 - (y - row as f64).abs()) * (1.0 - (x - column as f64).abs());
                    for channel in 0..channels {
                        let source = channel * pixels + row as usize * width + column as usize;
                        want[(channel * 9 + tap) * pixels + pixel] +=
                            weight as f32 * image[source];
                    }
                }
            }
        }
    }
    let patches = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-4);
    let (image, offset) = (DeviceBuffer::from_slice(&image)?, DeviceBuffer::from_slice(&offset)?);
    compare!(
        run,
        [&patches],
        deform_im2col,
        (pixels.div_ceil(256), channels),
        256,
        (
            height as i32,
            width as i32,
            &image,
            &offset,
            patches.buffer().view_mut([channels, 9, pixels]) => patches.address()
        )
    )
}
