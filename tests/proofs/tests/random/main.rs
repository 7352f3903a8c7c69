//! Kernels in the styles in which people calculate indices, launched with arguments near the edges.
//!
//! The body of each kernel is a function that the host can run, too, with all its checks: so the test knows of each launch whether
//! some thread must panic, and what it writes otherwise. A check that is left out wrongly is a fault of the emulated device, or a
//! launch that does not panic.

mod harness;
mod images;
mod layouts;
mod loops;

use harness::proved_kernels;

/// Kernels of this program that have a copy without checks, at least: without them, there would be nothing to be tested.
const LEAST_PROVED: usize = 24;

#[test]
fn many_kernels_are_proved() {
    let proved = proved_kernels();
    assert!(proved.len() >= LEAST_PROVED, "{} kernels are proved: {proved:?}", proved.len());
}
