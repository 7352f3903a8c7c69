//! What the tests share: seeded random input and comparisons.

pub mod images;
mod rng;
mod sample;

pub use rng::{Rng, rng};
pub use sample::sample;

/// Distance of `got` from `want` in units of `want`'s last place in `f32`; 0 for two NaNs.
pub fn ulps_f32(got: f32, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if f64::from(got) == want || got == want as f32 {
        return 0.0;
    }
    let scale = (want as f32).abs().clamp(f32::MIN_POSITIVE, f32::MAX);
    let ulp = f64::from(f32::from_bits(scale.to_bits() + 1)) - f64::from(scale);
    ((f64::from(got) - want) / ulp).abs()
}

/// Distance of `got` from `want` in units of `want`'s last place; 0 for two NaNs.
pub fn ulps_f64(got: f64, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == want {
        return 0.0;
    }
    let scale = want.abs().clamp(f64::MIN_POSITIVE, f64::MAX);
    ((got - want) / (f64::from_bits(scale.to_bits() + 1) - scale)).abs()
}
