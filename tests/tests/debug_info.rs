//! K11: what the PTX of a package says about its source. The package is outside the workspace, and
//! built with each kind of debug information; `tests/diagnostics` has built its dependencies before.

use ptyx_tests::images;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The kernel's `*x.get_unchecked` and `+` become code of core, inlined.
const MAIN: &str = r#"
use ptyx::prelude::*;

#[kernel]
fn shifted(by: usize, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        // SAFETY: none, when `by` is large: that is the point.
        *y += twice(unsafe { *x.as_ptr().add(i.get() + by) });
    }
}

#[inline(never)]
fn twice(x: f32) -> f32 {
    x.mul_add(2.0, 1.0)
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::filled(32, 1.0f32)?;
    let mut y = DeviceBuffer::filled(32, 1.0f32)?;
    launch!(shifted<<<1, 32>>>(0, &x, &mut y))?;
    assert_eq!(y.to_vec()?, [4.0; 32]);
    launch!(shifted<<<1, 32>>>(1 << 30, &x, &mut y))?;
    let text = y.to_vec().unwrap_err().to_string();
    println!("{text}");
    Ok(())
}
"#;

/// The package's folder.
fn package() -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("debug-info");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"debug-info\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nptyx = {{ path = {:?} }}\n\n\
         [build-dependencies]\nptyx-compiler = {{ path = {:?} }}\n\n[workspace]\n",
        workspace.join("host"),
        workspace.join("compiler"),
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::write(package.join("build.rs"), "fn main() {\n    ptyx_compiler::build()\n}\n").unwrap();
    fs::write(package.join("src/main.rs"), MAIN).unwrap();
    fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    package
}

/// The kernel's PTX and what the program prints, built with this kind of debug information.
fn built(package: &Path, kind: &str) -> (String, String) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch/target");
    let dump = package.join(format!("dump-{kind}"));
    let _ = fs::remove_dir_all(&dump);
    let build = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--color=never"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", &target)
        .env("PTYX_DEBUG_INFO", kind)
        .env("PTYX_DUMP", &dump)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo starts");
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let mut files: Vec<PathBuf> = fs::read_dir(&dump).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ptx"));
    let [file] = &files[..] else { panic!("{files:?}") };
    let run = Command::new(target.join("debug/debug-info"))
        .env("PTYX_DEVICE", "emulator")
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    (fs::read_to_string(file).unwrap(), text)
}

/// The instructions: without lines, labels of debug information, sections, and the head, whose PTX
/// version may differ, as may what hangs on that.
fn code(ptx: &str) -> Vec<&str> {
    let body = ptx.split(".section").next().unwrap_or_default();
    let told = [".loc\t", ".file", "$L__tmp", "$L__func_", ".version", ".target", ".noreturn", ";"];
    body.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !told.iter().any(|start| line.starts_with(start)))
        .collect()
}

/// The line of `MAIN` with `part` in it.
fn line_of(part: &str) -> usize {
    1 + MAIN.lines().position(|line| line.contains(part)).unwrap()
}

#[test]
fn it_never_changes_the_code() {
    let package = package();
    let (none, without) = built(&package, "none");
    let (lines, with) = built(&package, "lines");
    let (full, _) = built(&package, "full");

    assert!(code(&none).len() > 30, "{none}");
    assert_eq!(code(&none), code(&lines));
    assert_eq!(code(&none), code(&full));
    for told in [".loc\t", ".file", ".section", ".debug_"] {
        assert!(!none.contains(told), "`{told}` in {none}");
    }
    assert!(full.contains(", debug\n") && full.contains(".debug_info"), "{full}");

    // Rust's lines, of inlined code with the line that it was inlined into.
    let main = package.join("src/main.rs").display().to_string();
    let files = lines.lines().filter_map(|line| line.trim().strip_prefix(".file\t"));
    let number = files.filter(|file| file.contains(&main)).find_map(|f| f.split_once(' '));
    let (number, _) = number.expect("the program's file");
    let has = |text: String| assert!(lines.contains(&text), "no `{text}` in {lines}");
    has(format!(".loc\t{number} {} ", line_of("x.mul_add")));
    has(format!("inlined_at {number} {} ", line_of("*y += ")));
    assert!(!lines.contains(".debug_info"), "{lines}");

    // So the emulated device's report leads to the user's own line.
    let place = format!("src/main.rs:{}", line_of("*y += "));
    assert!(with.contains(&place), "no `{place}` in {with}");
    assert!(!without.contains("main.rs") && without.contains("PTX line"), "{without}");

    if let Some(ptxas) = images::assembler() {
        for ptx in [&none, &lines, &full] {
            assert_eq!(images::assemble(&ptxas, ptx, &[75, 80, 90, 100, 120]), None, "{ptx}");
        }
    }
}
