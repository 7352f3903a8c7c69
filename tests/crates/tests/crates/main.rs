//! Crates from the registry, unmodified, in kernels: what they compute on the device against the
//! host. `docs/crates.md` lists them, and more that were tried.

mod bit_tricks;
mod collections;
mod digests;
mod element_types;
mod fixed_point;
mod geometry;
mod half_floats;
mod hashers;
mod heap;
mod linear_algebra;
mod narrow_floats;
mod numbers;
mod random;
mod random_streams;
mod text;
mod x86;

/// The kernels of this program, by the vendor's assembler where one is found.
#[test]
fn the_assembler_takes_the_modules() {
    use ptyx_crate_tests::images;
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    println!("{modules} modules");
    assert!(modules >= 40, "{modules} modules: the images are missing");
}
