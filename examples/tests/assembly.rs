//! Every kernel of the examples, by the vendor's assembler where one is found.

#[path = "../../tests/src/images.rs"]
#[allow(dead_code, unreachable_pub)]
mod images;

#[test]
fn the_assembler_takes_every_module() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_everything(&ptxas);
    println!("{modules} modules");
    assert!(modules >= 12, "{modules} modules: the images are missing");
}
