//! What each thread owns: parts of arrays, and shared memory in phases.

mod attacks;
mod code;
mod diagonals;
mod divisions;
mod phases;
mod pivots;

use ptyx_ownership_tests::images;

/// The kernels of these tests, by the vendor's assembler.
#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    println!("{modules} modules");
    assert!(modules > 15, "{modules} modules: the images are missing");
}
