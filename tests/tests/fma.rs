//! The switch of fused multiply-add: `PTYX_FMA` and `Build::fma`, in a package outside the workspace;
//! `tests/diagnostics` has built its dependencies before.

use ptyx_tests::images;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The package's folder; its build script says `build`.
fn package(build: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fma");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"fma\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nptyx = {{ path = {:?} }}\n\n\
         [build-dependencies]\nptyx-compiler = {{ path = {:?} }}\n\n[workspace]\n",
        workspace.join("host"),
        workspace.join("compiler"),
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::write(package.join("build.rs"), format!("fn main() {{\n    {build}\n}}\n")).unwrap();
    fs::write(package.join("src/main.rs"), MAIN).unwrap();
    fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    package
}

/// The kernel's PTX and what the program prints.
fn built(build: &str, variable: Option<&str>) -> (String, String) {
    let package = package(build);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch/target");
    let dump = package.join("dump");
    let _ = fs::remove_dir_all(&dump);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--offline", "--color=never"])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", &target)
        .env("PTYX_DUMP", &dump)
        .env_remove("PTYX_FMA")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    if let Some(value) = variable {
        cargo.env("PTYX_FMA", value);
    }
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut files: Vec<PathBuf> = fs::read_dir(&dump).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ptx"));
    let [file] = &files[..] else { panic!("{files:?}") };
    let run = Command::new(target.join("debug/fma"))
        .env("PTYX_DEVICE", "emulator")
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&run.stdout).trim().to_owned();
    assert!(run.status.success(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    (fs::read_to_string(file).unwrap(), text)
}

const DEFAULT: &str = "ptyx_compiler::build()";
const OFF: &str = "ptyx_compiler::Build::new().fma(false).run()";

#[test]
fn both_switches_turn_contraction_off() {
    // The variable goes over the build script.
    for (build, variable, fused) in [
        (DEFAULT, None, true),
        (DEFAULT, Some("0"), false),
        (OFF, None, false),
        (OFF, Some("1"), true),
    ] {
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
