//! Prices of European options (Black and Scholes, 1973): exponential, logarithm, square root.

use crate::{Error, Run, close};
use ptyx::prelude::*;

const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

/// The normal distribution's integral, by a polynomial (Abramowitz and Stegun, 26.2.17).
fn cnd(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let tail = 0.398_942_3
        * (-0.5 * d * d).exp()
        * (k * (0.319_381_54
            + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_255_9 + k * 1.330_274_4)))));
    if d > 0.0 { 1.0 - tail } else { tail }
}

/// Prices of a call and a put for each stock price, strike and number of years.
#[kernel]
pub fn black_scholes(
    stock: &[f32],
    strike: &[f32],
    years: &[f32],
    mut call: Disjoint<f32>,
    mut put: Disjoint<f32>,
) {
    let i = thread::index_1d();
    if let (Some(call), Some(put)) = (call.get_mut(i), put.get_mut(i)) {
        let (s, x, t) = (stock[i.get()], strike[i.get()], years[i.get()]);
        let root = t.sqrt();
        let d1 = ((s / x).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
        let d2 = d1 - VOLATILITY * root;
        let (c1, c2) = (cnd(d1), cnd(d2));
        let discounted = x * (-RATE * t).exp();
        *call = s * c1 - discounted * c2;
        *put = discounted * (1.0 - c2) - s * (1.0 - c1);
    }
}

/// 2^26 options.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(1 << 26, 3000);
    let between = |low: f32, high: f32, run: &mut Run| -> Vec<f32> {
        (0..n).map(|_| low + (high - low) * (0.5 + 0.5 * run.rng.next_f32())).collect()
    };
    let stock = between(5.0, 30.0, run);
    let strike = between(1.0, 100.0, run);
    let years = between(0.25, 10.0, run);
    let ds = DeviceBuffer::from_slice(&stock)?;
    let dx = DeviceBuffer::from_slice(&strike)?;
    let dt = DeviceBuffer::from_slice(&years)?;
    let (mut call, mut put) = (DeviceBuffer::zeroed(n)?, DeviceBuffer::zeroed(n)?);
    let blocks = n.div_ceil(256);
    launch!(black_scholes<<<blocks, 256>>>(&ds, &dx, &dt, &mut call, &mut put))?;
    let got: Vec<f32> = call.to_vec()?.into_iter().zip(put.to_vec()?).map(|(c, p)| c - p).collect();
    // Parity: whatever the distribution, the difference of both prices is that of stock and strike.
    let want = (0..n).map(|i| {
        f64::from(stock[i])
            - f64::from(strike[i]) * (-f64::from(RATE) * f64::from(years[i])).exp()
    });
    crate::expect_close(&got, want, 1e-4)?;
    for (i, &call) in call.to_vec()?.iter().enumerate().step_by(n / 1000) {
        let (s, x, t) = (f64::from(stock[i]), f64::from(strike[i]), f64::from(years[i]));
        let (r, v) = (f64::from(RATE), f64::from(VOLATILITY));
        let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * t.sqrt());
        let want = s * normal(d1) - x * (-r * t).exp() * normal(d1 - v * t.sqrt());
        if !close(f64::from(call), want, 1e-4) {
            return Err(format!("call {i} costs {call}, not {want}").into());
        }
    }
    run.time("black_scholes", n, 20.0 * n as f64, "GB/s", &mut || {
        launch!(black_scholes<<<blocks, 256>>>(&ds, &dx, &dt, &mut call, &mut put))
    })
}

/// The normal distribution's integral, by Simpson's rule.
fn normal(d: f64) -> f64 {
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let (steps, d) = (400, d.clamp(-8.0, 8.0));
    let h = d / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = match i {
                0 => 1.0,
                _ if i == steps => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * density(f64::from(i) * h)
        })
        .sum();
    0.5 + sum * h / 3.0
}
