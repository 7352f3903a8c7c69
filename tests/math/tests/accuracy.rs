//! Checks every function of `docs/math.md` against the error given there.
//!
//! The table is the bound, so a function that gets worse fails here and after one gets better,
//! `scripts/math-table` should be run. There are two references: values by mpmath (`reference.txt`), and on
//! fresh inputs, for `f32`, the host's `f64` functions. The table's own errors were found on other
//! arguments, so half as much again and half a ulp are allowed; on a GPU 2 ulp more for libdevice in `f32`,
//! which uses the hardware's approximations.

use ptyx_math_tests::{Function, Metric, functions, rng, uses_libdevice};
use std::collections::HashMap;

const TABLE: &str = include_str!("../../../docs/math.md");
const REFERENCE: &str = include_str!("../reference.txt");

/// Whether this is the package for libdevice.
const FOR_LIBDEVICE: bool = cfg!(ptyx_libdevice_tests);

/// The table's errors of this form of each function: in `f32` and in `f64`.
fn bounds() -> HashMap<&'static str, [f64; 2]> {
    let (_, table) = TABLE.split_once("<!-- begin errors -->").expect("the table");
    let (table, _) = table.split_once("<!-- end errors -->").expect("the table's end");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.map(|row| {
        let (name, row) = row.split_once('`').expect("a name in backticks");
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        let number = |at: usize| columns[at].parse().unwrap_or_else(|_| panic!("{name}: {row}"));
        let first = if FOR_LIBDEVICE { 2 } else { 3 };
        (name, [number(first), number(first + 2)])
    });
    rows.collect()
}

/// The bound of a function, `wide` for `f64`.
fn bound(bounds: &HashMap<&str, [f64; 2]>, function: &Function, wide: bool) -> f64 {
    let of_table = bounds.get(function.name).unwrap_or_else(|| {
        panic!("docs/math.md lacks `{}`: run scripts/math-table", function.name)
    });
    let emulated = ptyx::Device::current().is_ok_and(|device| device.is_emulated());
    let hardware = if FOR_LIBDEVICE && !emulated && !wide { 2.0 } else { 0.0 };
    of_table[usize::from(wide)] * 1.5 + 0.5 + hardware
}

/// Whether to go on; without libdevice the package for it says that it does nothing.
fn ready() -> bool {
    if FOR_LIBDEVICE && !uses_libdevice() {
        println!("SKIPPED: the build found no libdevice");
        return false;
    }
    assert_eq!(
        FOR_LIBDEVICE,
        uses_libdevice(),
        "is PTYX_LIBDEVICE set? It goes over the build script"
    );
    true
}

/// The error of `got` against `high + low`, in units of the last place of a type with `bits` bits of
/// precision whose least exponent is `least`.
fn error(metric: Metric, got: f64, (high, low): (f64, f64), bits: i32, least: i32) -> f64 {
    if got.is_nan() || high.is_nan() {
        return if got.is_nan() && high.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == high {
        return 0.0;
    }
    let exponent = if high == 0.0 { least } else { high.abs().log2().floor() as i32 };
    let ulp = |exponent: i32| f64::from(exponent.max(least) - bits + 1).exp2();
    let unit = match metric {
        Metric::Ulp => ulp(exponent),
        Metric::Unit => ulp(exponent.max(0)),
    };
    ((got - high) - low).abs() / unit
}

fn error_single(metric: Metric, got: f32, want: (f64, f64)) -> f64 {
    // What rounds to an infinity is one.
    let want = if (want.0 as f32).is_infinite() { (f64::from(want.0 as f32), 0.0) } else { want };
    error(metric, got.into(), want, 24, -126)
}

fn error_double(metric: Metric, got: f64, want: (f64, f64)) -> f64 {
    error(metric, got, want, 53, -1022)
}

fn bits(word: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(word, 16).expect("sixteen hexadecimal digits"))
}

#[test]
fn exact_values_of_mpmath() {
    if !ready() {
        return;
    }
    let bounds = bounds();
    for function in functions() {
        let (mut single, mut double) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for line in REFERENCE.lines() {
            let Some((left, right)) = line.split_once(" = ") else { continue };
            let mut left = left.split(' ');
            if left.next() != Some(function.name) {
                continue;
            }
            let (high, low) = right.split_once(' ').expect("two numbers");
            let want = (bits(high), bits(low));
            if left.next() == Some("f32") {
                let word = |w| f32::from_bits(u32::from_str_radix(w, 16).expect("eight digits"));
                single.0.extend(left.map(word));
                single.1.push(want);
            } else {
                double.0.extend(left.map(bits));
                double.1.push(want);
            }
        }
        let (name, metric) = (function.name, function.metric);
        assert!(single.1.len() >= 5 && double.1.len() >= 5, "no values of `{name}`");
        let most = bound(&bounds, function, false);
        let got = (function.single.device)(&single.0);
        for ((got, want), x) in got.iter().zip(single.1).zip(single.0.chunks(function.arity)) {
            let ulp = error_single(metric, *got, want);
            assert!(ulp <= most, "f32 {name}{x:?}: {got:e}, not {:e}: {ulp} ulp of {most}", want.0);
        }
        let most = bound(&bounds, function, true);
        let got = (function.double.device)(&double.0);
        for ((got, want), x) in got.iter().zip(double.1).zip(double.0.chunks(function.arity)) {
            let ulp = error_double(metric, *got, want);
            assert!(ulp <= most, "f64 {name}{x:?}: {got:e}, not {:e}: {ulp} ulp of {most}", want.0);
        }
    }
}

/// What fresh arguments can be tried on: std's own formulas lose digits without a bound towards 1
/// (`acosh`) and -1 (`atanh`).
fn bounded() -> impl Iterator<Item = &'static Function> {
    functions().filter(|function| !function.name.starts_with("std_"))
}

/// Arguments within a range, as `scripts/math-table` has them: half of them even, half of any size.
fn arguments(count: usize, (low, high): (f64, f64), least: f64) -> Vec<f64> {
    let mut rng = rng();
    let most = low.abs().max(high.abs()).log2();
    let even = rng.vec(count, |rng| low + (high - low) * (rng.next_f64() + 1.0) / 2.0);
    let mut any = rng.vec(count, |rng| {
        let size = (least + (most - least) * (rng.next_f64() + 1.0) / 2.0).exp2();
        if rng.next_u32() % 2 == 0 { size } else { -size }
    });
    any.retain(|x| (low..=high).contains(x));
    [even, any].concat()
}

/// In `f32`, seen from the host's `f64` function, which for what std has not is the one in Rust.
#[test]
fn fresh_arguments_f32() {
    if !ready() {
        return;
    }
    let bounds = bounds();
    for function in bounded() {
        let mut x: Vec<f32> = arguments(300 * function.arity, function.single.range, -30.0)
            .iter()
            .map(|&x| x as f32)
            .collect();
        x.truncate(x.len() / function.arity * function.arity);
        let most = bound(&bounds, function, false);
        let got = (function.single.device)(&x);
        for (got, x) in got.into_iter().zip(x.chunks(function.arity)) {
            let wide: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
            let want = (function.double.host)(&wide);
            let ulp = error_single(function.metric, got, (want, 0.0));
            assert!(ulp <= most, "f32 {}{x:?}: {got:e}, not {want:e}: {ulp} ulp", function.name);
        }
    }
}

/// In `f64`, against the host's: C's library for std's functions, those in Rust for the others (where
/// this is the form in Rust, too, only the device is tested). Both may be off.
#[test]
fn fresh_arguments_f64() {
    if !ready() {
        return;
    }
    let bounds = bounds();
    for function in bounded() {
        let mut x = arguments(300 * function.arity, function.double.range, -60.0);
        x.truncate(x.len() / function.arity * function.arity);
        // The host's form in Rust may be off by 8 ulp (`tgamma`), C's by less.
        let most = bound(&bounds, function, true) + 8.0;
        let got = (function.double.device)(&x);
        for (got, x) in got.into_iter().zip(x.chunks(function.arity)) {
            let want = (function.double.host)(x);
            let ulp = error_double(function.metric, got, (want, 0.0));
            assert!(ulp <= most, "f64 {}{x:?}: {got:e}, not {want:e}: {ulp} ulp", function.name);
        }
    }
}
