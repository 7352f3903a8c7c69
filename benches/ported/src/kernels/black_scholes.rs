//! Prices of European options by the formula of Black and Scholes, after the CUDA samples: any number of options by
//! any grid.

use crate::prelude::*;

forms! {
    /// The normal distribution, as a polynomial (Hull).
    #[inline(always)]
    fn normal(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let sum = k * (0.31938153
            + k * (-0.35656378 + k * (1.7814779 + k * (-1.8212559 + k * 1.3302745))));
        let tail = 0.3989423 * (-0.5 * d * d).exp() * sum;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    /// A grid of any size.
    #[kernel]
    pub fn black_scholes(
        n: i32,
        rate: f32,
        volatility: f32,
        price: &[f32],
        strike: &[f32],
        years: &[f32],
        mut call: Disjoint<f32>,
        mut put: Disjoint<f32>,
    ) {
        for own in thread::grid_stride(n as usize) {
            let i = own.get() as Ix;
            let (s, x, t) = (at!(price, i), at!(strike, i), at!(years, i));
            let root = t.sqrt();
            let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * t)
                / (volatility * root);
            let d2 = d1 - volatility * root;
            let (n1, n2) = (normal(d1), normal(d2));
            let discounted = x * (-rate * t).exp();
            own!(call, own) = s * n1 - discounted * n2;
            own!(put, own) = discounted * (1.0 - n2) - s * (1.0 - n1);
        }
    }
}

/// The normal distribution, summed by Simpson's rule.
fn table() -> Vec<f64> {
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let step = 1.0 / 1024.0;
    let mut sum = 0.5;
    (0..12 * 1024)
        .map(|i| {
            let (x, now) = (f64::from(i) * step, sum);
            sum += step / 6.0 * (density(x) + 4.0 * density(x + 0.5 * step) + density(x + step));
            now
        })
        .collect()
}

/// 2^25 options.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, blocks) = (run.size(1 << 25, 5000), run.size(1056, 7));
    let (price, strike) = (run.between(5.0, 30.0, n), run.between(1.0, 100.0, n));
    let years = run.between(0.25, 10.0, n);
    let (rate, volatility) = (0.02f32, 0.30f32);
    let table = table();
    let normal = |d: f64| {
        let place = d.abs().min(11.0) * 1024.0;
        let (low, part) = (place as usize, place.fract());
        let above = table[low] + part * (table[low + 1] - table[low]);
        if d > 0.0 { above } else { 1.0 - above }
    };
    let [mut calls, mut puts] = [const { Vec::new() }; 2];
    for ((s, x), t) in price.iter().zip(&strike).zip(&years) {
        let [s, x, t, r, v] = [*s, *x, *t, rate, volatility].map(f64::from);
        let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * t.sqrt());
        let d2 = d1 - v * t.sqrt();
        let discounted = x * (-r * t).exp();
        calls.push((s * normal(d1) - discounted * normal(d2)) as f32);
        puts.push((discounted * normal(-d2) - s * normal(-d1)) as f32);
    }
    let call = Output::new(&vec![f32::NAN; n], calls)?.within(3e-4);
    let put = Output::new(&vec![f32::NAN; n], puts)?.within(3e-4);
    let [price, strike, years] = [price, strike, years].map(|of| DeviceBuffer::from_slice(&of));
    let (price, strike, years) = (price?, strike?, years?);
    compare!(
        run,
        [&call, &put],
        black_scholes,
        blocks,
        256,
        (
            n as i32,
            rate,
            volatility,
            &price,
            &strike,
            &years,
            &mut *call.buffer(),
            &mut *put.buffer()
        )
    )
}
