//! Calls of the driver fail in each example: see [`ptyx_test_support::faults`].
#![cfg(not(ptyx_device))]

use ptyx_test_support::faults::{Example, not_swept, sweep, sweep_reports};

const EXAMPLES: [Example<'_>; 12] = [
    ("all_reduce", &["--size", "50"]),
    ("graph", &["--size", "40", "--steps", "4"]),
    ("histogram", &["--size", "5000"]),
    ("managed", &["--table", "60", "--queries", "40"]),
    ("mandelbrot", &["--width", "32", "--height", "16", "--limit", "20", "--out", "TMP/m.png"]),
    ("matmul", &["--size", "16"]),
    ("nbody", &["--size", "64", "--steps", "2"]),
    ("pool", &["--jobs", "4", "--time", "1"]),
    ("reduce", &["--size", "5000"]),
    ("saxpy", &["--size", "1000"]),
    ("training", &["--rows", "30", "--weights", "7", "--steps", "1"]),
    ("sobel", &["TMP/picture.png", "TMP/edges.png"]),
];

#[test]
fn every_example_is_swept() {
    let missing = not_swept(env!("CARGO_MANIFEST_DIR"), &EXAMPLES, &["doctor"]);
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn failing_calls_end_examples_with_errors() {
    // The picture for `sobel`.
    let picture = ["--width", "24", "--height", "16", "--limit", "9", "--out", "TMP/picture.png"];
    sweep(Some(("mandelbrot", &picture)), &EXAMPLES, 48);
}

/// `doctor` tells what fails, and never fails itself.
#[test]
fn failing_calls_are_problems_that_doctor_tells() {
    sweep_reports(&[("doctor", &[])], 24);
}
