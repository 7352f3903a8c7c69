//! Group normalisation of images, as diffusion models use it: the channels of a group share a mean and a variance.

use crate::prelude::*;

forms! {
    /// One block of 256 threads per group of an image; `x` is `[image][channel][pixel]`.
    #[kernel]
    pub fn group_norm(
        groups: i32,
        per_group: i32,
        pixels: i32,
        epsilon: f32,
        x: &[f32],
        gamma: &[f32],
        beta: &[f32],
        mut y: Parts<f32, (by::BlockX, by::ThreadInBlockX), 2>,
    ) {
        let sums = cells!([f32; 8], 0.0);
        let squares = cells!([f32; 8], 0.0);
        let t = thread::x() as i32;
        let group = block::x() as i32 % groups;
        let len = per_group * pixels;
        let base = block::x() as i32 * len;
        let (mut sum, mut square) = (0.0f32, 0.0f32);
        let mut i = t;
        while i < len {
            let value = at!(x, base + i);
            sum += value;
            square += value * value;
            i += block::dim_x() as i32;
        }
        for distance in [16, 8, 4, 2, 1] {
            sum += warp::shuffle_down(warp::FULL, sum, distance);
            square += warp::shuffle_down(warp::FULL, square, distance);
        }
        if t % 32 == 0 {
            set!(sums, t / 32, sum);
            set!(squares, t / 32, square);
        }
        block::sync();
        sum = 0.0;
        square = 0.0;
        for w in 0..8 {
            sum += get!(sums, w);
            square += get!(squares, w);
        }
        let mean = sum / len as f32;
        let variance = square / len as f32 - mean * mean;
        let inverse = 1.0 / (variance + epsilon).sqrt();
        let mut own = y.part();
        for (round, i) in (t..len).step_by(block::dim_x() as usize).enumerate() {
            let channel = group * per_group + i / pixels;
            let normal = (at!(x, base + i) - mean) * inverse;
            own!(own, [0, round]) = normal * at!(gamma, channel) + at!(beta, channel);
        }
    }
}

/// 32 images of 256 channels in 32 groups, 64x64 pixels.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (images, groups, per_group) = (run.size(32, 2), run.size(32, 3), run.size(8, 5));
    let pixels = run.size(64 * 64, 13 * 11);
    let channels = groups * per_group;
    let x = run.floats(images * channels * pixels);
    let (gamma, beta) = (run.between(0.5, 1.5, channels), run.floats(channels));
    let mut want = Vec::with_capacity(x.len());
    for (k, group) in x.chunks(per_group * pixels).enumerate() {
        let of = |term: &dyn Fn(f64) -> f64| {
            group.iter().map(|x| term(f64::from(*x))).sum::<f64>() / group.len() as f64
        };
        let mean = of(&|x| x);
        let deviation = (of(&|x| (x - mean).powi(2)) + 1e-5).sqrt();
        for (c, plane) in group.chunks(pixels).enumerate() {
            let channel = k % groups * per_group + c;
            let (gamma, beta) = (f64::from(gamma[channel]), f64::from(beta[channel]));
            let normal = |x: &f32| (gamma * (f64::from(*x) - mean) / deviation + beta) as f32;
            want.extend(plane.iter().map(normal));
        }
    }
    let y = Output::new(&vec![f32::NAN; x.len()], want)?.within(1e-4);
    let (x, gamma) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&gamma)?);
    let beta = DeviceBuffer::from_slice(&beta)?;
    compare!(
        run,
        [&y],
        group_norm,
        images * groups,
        256,
        (
            groups as i32,
            per_group as i32,
            pixels as i32,
            1e-5f32,
            &x,
            &gamma,
            &beta,
            y.buffer().view_mut([images * groups, per_group * pixels]) => y.address()
        )
    )
}
