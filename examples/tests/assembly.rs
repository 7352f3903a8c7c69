//! Assembles the kernels of the examples with NVIDIA's assembler where one is found.
#![cfg(not(ptyx_device))]

use ptyx_test_support::images;

#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    println!("{modules} modules");
    assert!(modules >= 13, "{modules} modules: the images are missing");
}
