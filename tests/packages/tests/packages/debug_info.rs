//! K11: the source information in a package's PTX, for each kind of debug information.

use super::package::{BUILD, Package};
use ptyx_test_support::images;
use ptyx_test_support::part;

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

/// The package, built with this kind of debug information.
fn built(kind: &str) -> (String, String) {
    let package = Package::new("debug-info", BUILD, MAIN, "");
    let built = package.build_and_run(&[("PTYX_DEBUG_INFO", kind)]);
    (built.ptx, built.printed)
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
    part!(it_never_changes_the_code);
    let (none, without) = built("none");
    let (lines, with) = built("lines");
    let (full, _) = built("full");

    assert!(code(&none).len() > 30, "{none}");
    assert_eq!(code(&none), code(&lines));
    assert_eq!(code(&none), code(&full));
    for told in [".loc\t", ".file", ".section", ".debug_"] {
        assert!(!none.contains(told), "`{told}` in {none}");
    }
    assert!(full.contains(", debug\n") && full.contains(".debug_info"), "{full}");

    // Rust's lines, of inlined code with the line that it was inlined into.
    let main = Package::folder("debug-info").join("src/main.rs").display().to_string();
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
    // Only the note that names the launch knows a line.
    let report = without.split("note:").next().unwrap_or_default();
    assert!(!report.contains("main.rs") && report.contains("PTX line"), "{without}");

    if let Some(ptxas) = images::assembler() {
        for ptx in [&none, &lines, &full] {
            assert_eq!(images::assemble(&ptxas, ptx, &[75, 80, 90, 100, 120]), None, "{ptx}");
        }
    }
}
