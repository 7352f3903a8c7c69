//! D13, D14: clusters of blocks, their shared memory, and programmatic dependent launches.

mod arrivals;
mod elect;
mod launching;
mod litmus;
mod memory;
mod order;
mod reductions;
mod relaxed;

#[test]
fn the_assembler_takes_the_modules() {
    use ptyx_cluster_tests::images;
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules >= 5, "{modules} modules: the images are missing");
}
