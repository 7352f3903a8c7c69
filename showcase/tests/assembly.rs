//! Assembles the kernels of these programs with NVIDIA's assembler where one is found.
#![cfg(not(ptyx_device))]

use ptyx_test_support::images;

#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    println!("{modules} modules");
    assert!(modules >= 10, "{modules} modules: the images are missing");
}

/// The sums of `gemm` stay in registers, and its products follow each other.
#[test]
fn products_on_tensor_cores_are_not_held_up() {
    let ptx = images::entry("gemm::gemm");
    assert_eq!(images::count(&ptx, "wgmma.mma_async"), 4, "{ptx}");
    // In builds with debug assertions, what reports a panic calls functions with memory of
    // their own, and the assembler waits after each product.
    if cfg!(debug_assertions) {
        return;
    }
    assert!(!ptx.contains(".local ."), "{ptx}");
    let Some(code) = images::machine_code("gemm::gemm", 90) else { return };
    assert_eq!(code.starting("LDL").len() + code.starting("STL").len(), 0, "{code}");
    let product = "HGMMA.64x256x16.F32.BF16";
    let of_interest = |opcode: &&str| *opcode == product || opcode.starts_with("WARPGROUP.DEP");
    let order: Vec<&str> = code.starting("").into_iter().filter(of_interest).collect();
    assert_eq!(order[..4], [product; 4], "{code}");
    assert!(!order[4..].contains(&product), "{code}");
}
