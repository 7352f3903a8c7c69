//! A 3x3 convolution of each channel with its own weights, with strides and padding, as networks for phones have it
//! (Howard et al. 2017).

use crate::prelude::*;

forms! {
    /// One thread a result, as far as the grid reaches, and then one grid further. Images are one behind another,
    /// channel by channel.
    #[kernel]
    pub fn depthwise_conv3x3(
        total: i32,
        channels: i32,
        in_height: i32,
        in_width: i32,
        out_height: i32,
        out_width: i32,
        stride: i32,
        padding: i32,
        input: &[f32],
        weight: &[f32],
        bias: &[f32],
        mut output: Disjoint<f32>,
    ) {
        for own in thread::grid_stride(total as usize) {
            let index = own.get() as i32;
            let w = index % out_width;
            let h = index / out_width % out_height;
            let c = index / out_width / out_height % channels;
            let n = index / out_width / out_height / channels;
            let mut sum = at!(bias, c);
            for kh in 0..3 {
                for kw in 0..3 {
                    let y = h * stride - padding + kh;
                    let x = w * stride - padding + kw;
                    if y >= 0 && y < in_height && x >= 0 && x < in_width {
                        let value = at!(input, ((n * channels + c) * in_height + y) * in_width + x);
                        sum += value * at!(weight, (c * 3 + kh) * 3 + kw);
                    }
                }
            }
            own!(output, own) = sum;
        }
    }
}

/// 32 images of 112x112 with 96 channels, to 56x56.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, channels) = (run.size(32, 2), run.size(96, 5));
    let (ih, iw, stride, padding) = (run.size(112, 13), run.size(112, 17), 2, 1);
    let (oh, ow) = ((ih + 2 * padding - 3) / stride + 1, (iw + 2 * padding - 3) / stride + 1);
    let input = run.floats(n * channels * ih * iw);
    let (weight, bias) = (run.floats(9 * channels), run.floats(channels));
    let mut want = Vec::with_capacity(n * channels * oh * ow);
    for (image, pixels) in input.chunks(ih * iw).enumerate() {
        let c = image % channels;
        // The image with its padding.
        let wide = iw + 2 * padding;
        let mut padded = vec![0.0f32; wide * (ih + 2 * padding)];
        for (y, row) in pixels.chunks(iw).enumerate() {
            padded[(y + padding) * wide + padding..][..iw].copy_from_slice(row);
        }
        for (y, x) in (0..oh).flat_map(|y| (0..ow).map(move |x| (y, x))) {
            let taps = (0..9).map(|k| {
                let place = (y * stride + k / 3) * wide + x * stride + k % 3;
                f64::from(padded[place]) * f64::from(weight[9 * c + k])
            });
            want.push((f64::from(bias[c]) + taps.sum::<f64>()) as f32);
        }
    }
    let total = want.len();
    let output = Output::new(&vec![f32::NAN; total], want)?.within(1e-5);
    let (input, weight) = (DeviceBuffer::from_slice(&input)?, DeviceBuffer::from_slice(&weight)?);
    let bias = DeviceBuffer::from_slice(&bias)?;
    compare!(
        run,
        [&output],
        depthwise_conv3x3,
        total.div_ceil(256).min(8192),
        256,
        (
            total as i32,
            channels as i32,
            ih as i32,
            iw as i32,
            oh as i32,
            ow as i32,
            stride as i32,
            padding as i32,
            &input,
            &weight,
            &bias,
            &mut *output.buffer()
        )
    )
}
