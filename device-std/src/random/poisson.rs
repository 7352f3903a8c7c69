//! Poisson's distribution.

use super::float::RandomFloat;
use super::source::Random;
use crate::math::elementary::Elementary;
use crate::math::float::Float;

/// The number of events where `mean` are expected, from 0 to 10^9.
pub(super) fn poisson(rng: &mut (impl Random + ?Sized), mean: f64) -> u32 {
    if mean < 10.0 { by_inversion(rng, mean) } else { by_rejection(rng, mean) }
}

/// Counts probabilities up until they exceed one uniform number.
fn by_inversion(rng: &mut (impl Random + ?Sized), mean: f64) -> u32 {
    /// Less likely than 1e-58 with a mean of 10: only rounding leads here.
    const MAX_EVENTS: u32 = 100;
    let mut rest: f64 = rng.uniform();
    let mut probability = Elementary::exp(-mean);
    let mut events = 0u32;
    while rest >= probability && events < MAX_EVENTS {
        rest -= probability;
        events = events.wrapping_add(1);
        probability *= mean / f64::from(events);
    }
    events
}

/// Algorithm PTRS of W. Hörmann, "The transformed rejection method for generating Poisson random variables",
/// 1993, for means of at least 10. It accepts the first of its tries in some 9 of 10 cases, mostly
/// without a logarithm.
fn by_rejection(rng: &mut (impl Random + ?Sized), mean: f64) -> u32 {
    let b = 0.931 + 2.53 * Float::sqrt(mean);
    let a = -0.059 + 0.02483 * b;
    let factor = 1.1239 + 1.1328 / (b - 3.4);
    let surely_accepted = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let [u, v] = f64::bits2(rng);
        let (u, v) = (f64::uniform(u) - 0.5, f64::open_closed(v));
        let distance = 0.5 - u.abs();
        // Minus infinity where the distance is 0.
        let events = (2.0 * a / distance + b) * u + mean + 0.43;
        if events < 0.0 {
            continue;
        }
        let events = events as u32;
        if distance >= 0.07 && v <= surely_accepted {
            return events;
        }
        if distance < 0.013 && v > distance {
            continue;
        }
        let tried = Elementary::ln(v * factor / (a / (distance * distance) + b));
        let count = f64::from(events);
        if tried <= count * Elementary::ln(mean) - mean - ln_factorial(count) {
            return events;
        }
    }
}

/// The logarithm of `n!`: the product itself if it is short, else Stirling's series, within 1e-10.
pub(super) fn ln_factorial(n: f64) -> f64 {
    if n < 10.0 {
        let product = (2..10).map(f64::from).filter(|&i| i <= n).product();
        return Elementary::ln(product);
    }
    let inverse = 1.0 / n;
    let square = inverse * inverse;
    let series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)));
    let ln_root_of_tau = 0.918_938_533_204_672_8;
    (n + 0.5) * Elementary::ln(n) - n + ln_root_of_tau + series
}
