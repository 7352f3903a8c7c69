//! Prices of European options by binomial trees (Cox, Ross, Rubinstein 1979), one option a block: the tree's leaves
//! in shared memory are folded step by step.

use crate::prelude::*;

forms! {
    /// 256 threads a block, at most 255 steps.
    #[kernel]
    pub fn binomial(
        steps: i32,
        rate: f32,
        volatility: f32,
        price: &[f32],
        strike: &[f32],
        years: &[f32],
        mut call: Parts<f32, by::BlockLeader>,
        phase: Phase,
    ) {
        let tree = phased!([f32; 256]);
        let mut writing = phase;
        let t = thread::x() as i32;
        let option = block::x();
        let (s, x) = (at!(price, option), at!(strike, option));
        let dt = at!(years, option) / steps as f32;
        let up = (volatility * dt.sqrt()).exp();
        let growth = (rate * dt).exp();
        let chance = (growth - 1.0 / up) / (up - 1.0 / up);
        let (pu, pd) = (chance / growth, (1.0 - chance) / growth);
        let end = s * (volatility * dt.sqrt() * (2 * t - steps) as f32).exp() - x;
        let mut value = if end > 0.0 { end } else { 0.0 };
        let mut i = steps;
        while i > 0 {
            tree.set(&mut writing, [0], value);
            let reading = writing.sync();
            if t < i {
                let tree = tree.as_ref(&reading);
                value = pu * at!(tree, t + 1) + pd * at!(tree, t);
            }
            writing = reading.sync();
            i -= 1;
        }
        if let Some(call) = call.own() {
            *call = value;
        }
    }
}

/// 4096 options, 255 steps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, steps) = (run.size(4096, 5), run.size(255, 50));
    let (price, strike) = (run.between(5.0, 30.0, n), run.between(1.0, 50.0, n));
    let years = run.between(0.25, 5.0, n);
    let (rate, volatility) = (0.06f32, 0.10f32);
    let want = (0..n).map(|i| {
        let [s, x, years, r, v] = [price[i], strike[i], years[i], rate, volatility].map(f64::from);
        let dt = years / steps as f64;
        let up = (v * dt.sqrt()).exp();
        let chance = ((r * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let end = |k: usize| s * up.powi(2 * k as i32 - steps as i32) - x;
        let mut tree: Vec<f64> = (0..=steps).map(|k| end(k).max(0.0)).collect();
        for i in (0..steps).rev() {
            for k in 0..=i {
                tree[k] = (-r * dt).exp() * (chance * tree[k + 1] + (1.0 - chance) * tree[k]);
            }
        }
        tree[0] as f32
    });
    let call = Output::new(&vec![f32::NAN; n], want.collect())?.within(1e-3);
    let [price, strike, years] = [price, strike, years].map(|of| DeviceBuffer::from_slice(&of));
    let (price, strike, years) = (price?, strike?, years?);
    compare!(
        run,
        [&call],
        binomial,
        n,
        256,
        (
            steps as i32,
            rate,
            volatility,
            &price,
            &strike,
            &years,
            &mut *call.buffer(),
            shared::PHASES
        )
    )
}
