//! The gradient of a layer normalisation with respect to its input, from the statistics that the forward pass left:
//! two sums of a row at once, as pairs in shared memory.

use crate::prelude::*;

forms! {
    /// One block of 256 threads a row.
    #[kernel]
    pub fn layernorm_backward(
        cols: i32,
        x: &[f32],
        upstream: &[f32],
        gamma: &[f32],
        mean: &[f32],
        inverse: &[f32],
        mut gradient: Parts<f32, (by::BlockX, by::ThreadInBlockX), 2>,
        phase: Phase,
    ) {
        let pairs = phased!([(f32, f32); 256]);
        let mut writing = phase;
        let t = thread::x() as i32;
        let row = block::x() as i32;
        let (mean, inverse) = (at!(mean, row), at!(inverse, row));
        let (mut sum, mut product) = (0.0f32, 0.0f32);
        for c in (t..cols).step_by(256) {
            let g = at!(upstream, row * cols + c) * at!(gamma, c);
            sum += g;
            product += g * (at!(x, row * cols + c) - mean) * inverse;
        }
        let mut half = 128;
        while half > 0 {
            pairs.set(&mut writing, [0], (sum, product));
            let reading = writing.sync();
            if t < half {
                let other = pairs.get(&reading, [(t + half) as Ix as usize]);
                sum += other.0;
                product += other.1;
            }
            writing = reading.sync();
            half /= 2;
        }
        pairs.set(&mut writing, [0], (sum, product));
        let reading = writing.sync();
        let (sum, product) = pairs.get(&reading, [0]);
        let (sum, product) = (sum / cols as f32, product / cols as f32);
        let mut own = gradient.part();
        for (round, c) in (t..cols).step_by(256).enumerate() {
            let g = at!(upstream, row * cols + c) * at!(gamma, c);
            let normal = (at!(x, row * cols + c) - mean) * inverse;
            own!(own, [0, round]) = inverse * (g - sum - normal * product);
        }
    }
}

/// 16384 rows of 2048.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, cols) = (run.size(16384, 7), run.size(2048, 700));
    let (x, upstream) = (run.floats(rows * cols), run.floats(rows * cols));
    let gamma = run.between(0.5, 1.5, cols);
    let (mut mean, mut inverse, mut want) = (Vec::new(), Vec::new(), Vec::new());
    for (x, upstream) in x.chunks(cols).zip(upstream.chunks(cols)) {
        let of = |term: &dyn Fn(usize) -> f64| (0..cols).map(term).sum::<f64>() / cols as f64;
        let middle = of(&|c| f64::from(x[c]));
        let spread = (of(&|c| (f64::from(x[c]) - middle).powi(2)) + 1e-5).sqrt();
        let normal = |c: usize| (f64::from(x[c]) - middle) / spread;
        let g = |c: usize| f64::from(upstream[c]) * f64::from(gamma[c]);
        let (sum, product) = (of(&g), of(&|c| g(c) * normal(c)));
        want.extend((0..cols).map(|c| ((g(c) - sum - normal(c) * product) / spread) as f32));
        mean.push(middle as f32);
        inverse.push(spread.recip() as f32);
    }
    let gradient = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-5);
    let (x, upstream) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&upstream)?);
    let (gamma, mean) = (DeviceBuffer::from_slice(&gamma)?, DeviceBuffer::from_slice(&mean)?);
    let inverse = DeviceBuffer::from_slice(&inverse)?;
    compare!(
        run,
        [&gradient],
        layernorm_backward,
        rows,
        256,
        (
            cols as i32,
            &x,
            &upstream,
            &gamma,
            &mean,
            &inverse,
            gradient.buffer().view_mut([rows, cols]) => gradient.address(),
            shared::PHASES
        )
    )
}
