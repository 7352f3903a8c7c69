//! Fourier transforms of 512 numbers in shared memory, radix 2, one a block (Cooley, Tukey 1965).

use crate::prelude::*;

forms! {
    /// 256 threads a block; real and imaginary parts alternate. Each thread writes two numbers, 256 places apart.
    #[kernel]
    pub fn fft(
        input: &[f32],
        mut output: Parts<[f32; 2], (by::BlockX, by::ThreadInBlockX), 2>,
    ) {
        let re = cells!([f32; 512], 0.0);
        let im = cells!([f32; 512], 0.0);
        let t = thread::x();
        let first = block::x() as Ix * 1024;
        for k in 0..2 {
            let from = t + 256 * k;
            let to = from.reverse_bits() >> 23;
            set!(re, to, at!(input, first + 2 * from as Ix));
            set!(im, to, at!(input, first + 2 * from as Ix + 1));
        }
        block::sync();
        let mut half = 1;
        while half < 512 {
            let within = t & (half - 1);
            let even = 2 * (t - within) + within;
            let odd = even + half;
            let angle = -core::f32::consts::PI * within as f32 / half as f32;
            let (sin, cos) = angle.sin_cos();
            let (a, b) = (get!(re, odd), get!(im, odd));
            let (x, y) = (cos * a - sin * b, cos * b + sin * a);
            let (u, v) = (get!(re, even), get!(im, even));
            set!(re, even, u + x);
            set!(im, even, v + y);
            set!(re, odd, u - x);
            set!(im, odd, v - y);
            block::sync();
            half *= 2;
        }
        let mut own = output.part();
        for k in 0..2 {
            let i = (t + 256 * k) as Ix;
            own!(own, [0, k as usize]) = [get!(re, i), get!(im, i)];
        }
    }
}

/// The transform, recursively.
fn transform(x: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if x.len() == 1 {
        return x.to_vec();
    }
    let half =
        |first: usize| transform(&x.iter().copied().skip(first).step_by(2).collect::<Vec<_>>());
    let (even, odd) = (half(0), half(1));
    let n = x.len();
    (0..n)
        .map(|k| {
            let (sin, cos) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
            let ((a, b), (u, v)) = (odd[k % (n / 2)], even[k % (n / 2)]);
            (u + cos * a - sin * b, v + cos * b + sin * a)
        })
        .collect()
}

/// 2^14 transforms.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let count = run.size(1 << 14, 3);
    let input = run.floats(count * 1024);
    let mut want = Vec::new();
    for part in input.chunks(1024) {
        let pairs: Vec<(f64, f64)> =
            part.as_chunks().0.iter().map(|&[re, im]| (f64::from(re), f64::from(im))).collect();
        want.extend(transform(&pairs).into_iter().flat_map(|(re, im)| [re as f32, im as f32]));
    }
    let output = Output::new(&vec![f32::NAN; input.len()], want)?.within(1e-3);
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(run, [&output], fft, count, 256, (
        &input, output.buffer().reinterpret_mut::<[f32; 2]>()?.view_mut([count, 512]) => output.address()
    ))
}
