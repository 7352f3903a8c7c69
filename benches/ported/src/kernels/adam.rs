//! Steps of the optimiser Adam (Kingma, Ba 2014), after HeCBench: the corrections of the bias are powers.

use crate::prelude::*;

forms! {
    /// `steps` steps with the same gradient. One thread a parameter.
    #[kernel]
    pub fn adam(
        n: i32,
        steps: i32,
        rate: f32,
        beta1: f32,
        beta2: f32,
        gradient: &[f32],
        mut mean: Disjoint<f32>,
        mut square: Disjoint<f32>,
        mut parameter: Disjoint<f32>,
    ) {
        let i = thread::index_1d();
        if i.get() as i32 >= n {
            return;
        }
        let g = at!(gradient, i.get());
        let (mut m, mut v, mut p) = (own!(mean, i), own!(square, i), own!(parameter, i));
        for t in 1..=steps {
            m = beta1 * m + (1.0 - beta1) * g;
            v = beta2 * v + (1.0 - beta2) * g * g;
            let m_corrected = m / (1.0 - beta1.powf(t as f32));
            let v_corrected = v / (1.0 - beta2.powf(t as f32));
            p -= rate * m_corrected / (v_corrected.sqrt() + 1e-8);
        }
        own!(mean, i) = m;
        own!(square, i) = v;
        own!(parameter, i) = p;
    }
}

/// 2^22 parameters, 10 steps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, steps) = (run.size(1 << 22, 1000), 10);
    let (rate, beta1, beta2) = (1e-3f32, 0.9f32, 0.999f32);
    let (gradient, parameter) = (run.between(0.5, 1.0, n), run.floats(n));
    let (mean, square) = (run.floats(n), run.between(0.5, 1.0, n));
    let mut want = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..n {
        let [g, mut m, mut v, mut p] =
            [gradient[i], mean[i], square[i], parameter[i]].map(f64::from);
        let [rate, beta1, beta2] = [rate, beta1, beta2].map(f64::from);
        for t in 1..=steps {
            m = beta1 * m + (1.0 - beta1) * g;
            v = beta2 * v + (1.0 - beta2) * g * g;
            p -= rate * (m / (1.0 - beta1.powi(t))) / ((v / (1.0 - beta2.powi(t))).sqrt() + 1e-8);
        }
        for (want, x) in want.iter_mut().zip([m, v, p]) {
            want.push(x as f32);
        }
    }
    let [m, v, p] = want;
    let mean = Output::new(&mean, m)?.within(1e-4);
    let square = Output::new(&square, v)?.within(1e-4);
    let parameter = Output::new(&parameter, p)?.within(1e-4);
    let gradient = DeviceBuffer::from_slice(&gradient)?;
    compare!(
        run,
        [&mean, &square, &parameter],
        adam,
        n.div_ceil(256),
        256,
        (
            n as i32,
            steps,
            rate,
            beta1,
            beta2,
            &gradient,
            &mut *mean.buffer(),
            &mut *square.buffer(),
            &mut *parameter.buffer()
        )
    )
}
