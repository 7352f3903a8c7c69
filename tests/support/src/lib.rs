//! What the tests share: seeded random input and comparisons.

pub mod faults;
pub mod images;
mod part;
mod rng;
mod sample;
mod seed;

pub use part::is_in_part;
pub use rng::{Rng, rng};
pub use sample::sample;
pub use seed::seed;

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

/// Runs a test's `body` in a process of its own: what goes wrong on the device there is reported to nobody
/// else. `name` is the test's whole name.
pub fn alone(name: &str, body: impl FnOnce()) {
    alone_with(name, &[], body);
}

/// The same, with these environment variables.
pub fn alone_with(name: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    const VARIABLE: &str = "PTYX_TEST_ALONE";
    if std::env::var(VARIABLE).is_ok_and(|own| own == name) {
        return body();
    }
    let program = std::env::current_exe().expect("the test's program");
    let output = std::process::Command::new(program)
        .args(["--exact", name, "--nocapture"])
        .env(VARIABLE, name)
        .envs(variables.iter().copied())
        .output()
        .expect("the test's program starts");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(text[0].contains("1 passed"), "{}{}", text[0], text[1]);
}
