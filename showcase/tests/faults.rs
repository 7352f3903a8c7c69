//! Calls of the driver fail in each example: see [`ptyx_test_support::faults`].
#![cfg(not(ptyx_device))]

use ptyx_test_support::faults::{Example, not_swept, sweep};

const EXAMPLES: [Example<'_>; 6] = [
    ("cluster_histogram", &["--size", "2000"]),
    ("gemm", &["--size", "256"]),
    ("image_warp", &["--width", "32", "--height", "16", "--out", "TMP/w.png"]),
    ("monte_carlo", &["--size", "20000"]),
    ("poisson", &["--size", "8"]),
    ("tensor_matmul", &["--size", "64"]),
];

#[test]
fn every_example_is_swept() {
    let missing = not_swept(env!("CARGO_MANIFEST_DIR"), &EXAMPLES, &[]);
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn failing_calls_end_examples_with_errors() {
    sweep(None, &EXAMPLES, 12);
}
