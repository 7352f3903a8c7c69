//! Everything that Ptyx relies on in rustc, std, cargo and LLVM holds in the toolchains that it is tested with.
//!
//! LLVM is loaded once per process, so each toolchain is checked by another run of this program.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Says which rustc the started program is to check.
const CHILD: &str = "PTYX_TEST_CONTRACT";

/// What the child prints in front of what has moved.
const MOVED: &str = "moved: ";

/// Fewer rows than this mean that lists have been lost.
const MIN_ROWS: usize = 600;

/// No test of its own: what [`check`] starts.
#[test]
fn child() {
    let Some(rustc) = std::env::var_os(CHILD) else { return };
    let name = format!("contract-{}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (moved, held) = ptyx_compiler::check_contract(Path::new(&rustc), &dir).unwrap();
    let _ = std::fs::remove_dir_all(&dir);
    for line in &moved {
        println!("{MOVED}{line}");
    }
    assert!(moved.len() + held.len() >= MIN_ROWS, "only {} rows hold", held.len());
}

/// What has moved in the toolchain of `rustc`; a row of this name is made to fail.
fn check(rustc: &Path, row: Option<&str>) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env(CHILD, rustc)
        .env("PTYX_TEST_MOVED_ROW", row.unwrap_or_default())
        .output()
        .expect("the test starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // The test harness may begin the line.
    let line = |line: &str| Some(line.split_once(MOVED)?.1.to_owned());
    text.lines().filter_map(line).collect()
}

/// The rustc that this test was compiled with.
fn own() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

/// The rustc of a toolchain of rustup, if it is installed.
fn of_rustup(toolchain: &str) -> Option<PathBuf> {
    let output =
        Command::new("rustup").args(["which", "--toolchain", toolchain, "rustc"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(path.trim_end()))
}

#[test]
fn it_holds_in_the_toolchain_of_this_test() {
    assert_eq!(check(&own(), None), [""; 0]);
}

#[test]
fn it_holds_in_the_nightly_toolchain() {
    match of_rustup("nightly") {
        Some(rustc) => assert_eq!(check(&rustc, None), [""; 0]),
        None => eprintln!("rustup has no nightly toolchain here: SKIPPED"),
    }
}

/// A row that does not hold is named, with what relies on it.
#[test]
fn what_has_moved_is_named() {
    let moved = check(&own(), Some("intrinsic `llvm.assume`"));
    let [line] = &moved[..] else { panic!("{moved:?}") };
    assert!(line.starts_with("intrinsic `llvm.assume`: "), "{line}");
    assert!(line.contains("used by optimise/explain_loops/"), "{line}");
    let moved = check(&own(), Some("function of `half` `half::bfloat::convert::f32_to_bf16`"));
    assert!(moved.len() == 1 && moved[0].contains("lower/redirect_half.rs"), "{moved:?}");
}
