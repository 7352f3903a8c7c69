//! D13, D14: clusters of blocks, their shared memory, and programmatic dependent launches.

#![cfg_attr(
    not(all(part = "0", part = "1", part = "2")),
    allow(dead_code, reason = "other parts use it")
)]

// In the parts that `.ci/run` takes turns with (`tests/parts.rs`).
#[cfg(part = "0")]
mod reductions;

#[cfg(part = "1")]
mod arrivals;
#[cfg(part = "1")]
mod elect;
#[cfg(part = "1")]
mod launch_control;
#[cfg(part = "1")]
mod litmus;

#[cfg(part = "2")]
mod launching;
#[cfg(part = "2")]
mod memory;
#[cfg(part = "2")]
mod order;
#[cfg(part = "2")]
mod relaxed;

/// Runs a test in a process of its own, whose emulated device is newer than 9.0.
fn alone_on_newer(name: &str, seed: &str, body: impl FnOnce()) {
    let variables = [
        ("PTYX_DEVICE", "emulator"),
        ("PTYX_EMULATOR_CAPABILITY", "12.0"),
        ("PTYX_EMULATOR_SEED", seed),
    ];
    ptyx_cluster_tests::alone_with(name, &variables, body);
}

#[test]
fn the_assembler_takes_the_modules() {
    use ptyx_cluster_tests::images;
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules >= 5, "{modules} modules: the images are missing");
}
