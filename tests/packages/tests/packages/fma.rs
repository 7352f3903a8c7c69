//! The switch of fused multiply-add: `PTYX_FMA` and `Build::fma`.

use super::package::{BUILD, Package};
use ptyx_test_support::images;
use ptyx_test_support::part;

/// Exactly, `a * b + c` is 2^-24; with the product rounded first, it is 0. `mul_add` is always exact.
const MAIN: &str = r#"
use ptyx::prelude::*;

#[kernel]
fn product_and_sum(a: f32, b: f32, c: f32, mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    y[i] = if i.get() == 0 { a * b + c } else { a.mul_add(b, c) };
}

fn main() -> ptyx::Result<()> {
    let near_one = 1.0 + 2.0f32.powi(-12);
    let mut y = DeviceBuffer::zeroed(2)?;
    launch!(product_and_sum<<<1, 2>>>(near_one, near_one, -1.0 - 2.0f32.powi(-11), &mut y))?;
    println!("{:?}", y.to_vec()?.iter().map(|y| y * 2.0f32.powi(24)).collect::<Vec<_>>());
    Ok(())
}
"#;

/// The kernel's PTX and what the program prints.
fn built(build: &str, variable: Option<&str>) -> (String, String) {
    let package = Package::new("fma", build, MAIN, "");
    let variables: Vec<_> = variable.map(|value| ("PTYX_FMA", value)).into_iter().collect();
    let built = package.build_and_run(&variables);
    (built.ptx, built.printed)
}

const OFF: &str = "ptyx_compiler::Build::new().fma(false).run()";

#[test]
fn both_switches_turn_contraction_off() {
    part!(both_switches_turn_contraction_off);
    // The variable goes over the build script.
    for (build, variable, fused) in
        [(BUILD, None, true), (BUILD, Some("0"), false), (OFF, None, false), (OFF, Some("1"), true)]
    {
        let (ptx, printed) = built(build, variable);
        let case = format!("{build}, PTYX_FMA={variable:?}");
        assert_eq!(printed, if fused { "[1.0, 1.0]" } else { "[0.0, 1.0]" }, "{case}");
        let count = |start| images::count(&ptx, start);
        // `.rn`, since the assembler fuses what has no rounding.
        let apart = (count("mul.rn.f32"), count("add.rn.f32"));
        assert_eq!(apart, if fused { (0, 0) } else { (1, 1) }, "{case}: {ptx}");
        assert!(count("fma.rn.f32") >= 1, "{case}: {ptx}");
        let (Some(ptxas), Some(nvdisasm)) = (images::assembler(), images::disassembler()) else {
            continue;
        };
        let code = images::disassemble(&ptxas, &nvdisasm, &ptx, 90);
        let apart = code.starting("FMUL").len() + code.starting("FADD").len();
        assert_eq!(apart, if fused { 0 } else { 2 }, "{case}: {code}");
        assert!(!code.starting("FFMA").is_empty(), "{case}: {code}");
    }
}
