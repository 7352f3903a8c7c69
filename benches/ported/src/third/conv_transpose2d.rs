//! A transposed convolution, as decoders use it to enlarge images: each element of the result gathers those of the
//! input that reach it.

use crate::prelude::*;

forms! {
    /// One thread an element of the result, `[image][channel][row][column]`. Weights are
    /// `[input channel][channel][row][column]`.
    #[kernel]
    pub fn conv_transpose2d(
        total: i32,
        in_channels: i32,
        channels: i32,
        in_side: i32,
        out_side: i32,
        taps: i32,
        stride: i32,
        padding: i32,
        input: &[f32],
        weight: &[f32],
        bias: &[f32],
        mut output: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= total {
            return;
        }
        let x = i % out_side;
        let y = i / out_side % out_side;
        let channel = i / (out_side * out_side) % channels;
        let image = i / (out_side * out_side) / channels;
        let mut sum = at!(bias, channel);
        for c in 0..in_channels {
            let base = (image * in_channels + c) * in_side;
            for ky in 0..taps {
                let sy = y + padding - ky;
                if sy < 0 || sy % stride != 0 || sy / stride >= in_side {
                    continue;
                }
                for kx in 0..taps {
                    let sx = x + padding - kx;
                    if sx < 0 || sx % stride != 0 || sx / stride >= in_side {
                        continue;
                    }
                    sum += at!(input, (base + sy / stride) * in_side + sx / stride)
                        * at!(weight, ((c * channels + channel) * taps + ky) * taps + kx);
                }
            }
        }
        own!(output, own) = sum;
    }
}

/// 8 images: 32 channels of 64x64 to 16 of 128x128, by 4x4 taps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (images, in_channels, channels) = (run.size(8, 2), run.size(32, 3), run.size(16, 2));
    let (in_side, taps, stride, padding) = (run.size(64, 9), 4, 2, 1);
    let out_side = (in_side - 1) * stride + taps - 2 * padding;
    let input = run.floats(images * in_channels * in_side * in_side);
    let weight = run.floats(in_channels * channels * taps * taps);
    let bias = run.floats(channels);
    let len = images * channels * out_side * out_side;
    let mut want: Vec<f32> = (0..len).map(|i| bias[i / (out_side * out_side) % channels]).collect();
    // Each element of the input adds to those of the result that it reaches.
    for (i, value) in input.iter().enumerate() {
        let (x, y) = (i % in_side, i / in_side % in_side);
        let (c, image) =
            (i / (in_side * in_side) % in_channels, i / (in_side * in_side) / in_channels);
        for k in 0..channels * taps * taps {
            let (channel, ky, kx) = (k / (taps * taps), k / taps % taps, k % taps);
            let inside = |at: usize| at.checked_sub(padding).filter(|at| *at < out_side);
            if let Some((oy, ox)) = inside(y * stride + ky).zip(inside(x * stride + kx)) {
                want[((image * channels + channel) * out_side + oy) * out_side + ox] +=
                    value * weight[c * channels * taps * taps + k];
            }
        }
    }
    let output = Output::new(&vec![f32::NAN; len], want)?.within(1e-4);
    let (input, weight) = (DeviceBuffer::from_slice(&input)?, DeviceBuffer::from_slice(&weight)?);
    let bias = DeviceBuffer::from_slice(&bias)?;
    compare!(
        run,
        [&output],
        conv_transpose2d,
        len.div_ceil(256),
        256,
        (
            len as i32,
            in_channels as i32,
            channels as i32,
            in_side as i32,
            out_side as i32,
            taps as i32,
            stride as i32,
            padding as i32,
            &input,
            &weight,
            &bias,
            &mut *output.buffer()
        )
    )
}
