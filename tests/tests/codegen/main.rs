//! Tests of the PTX: it has the instructions that a CUDA programmer expects, without duplicates.

mod architectures;
mod atomics;
mod barriers;
mod checks;
mod instructions;
mod kernel_knobs;
mod knobs;
mod loads;
mod loops;
mod panics;
mod pointers;
mod rounds;
mod sass;

use ptyx_tests::images;

/// The kernels of this package's tests, by the vendor's assembler.
#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    println!("{modules} modules");
    assert!(modules > 50, "{modules} modules: the images are missing");
}
