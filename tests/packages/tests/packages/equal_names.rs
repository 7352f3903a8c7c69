//! Crates of one name in one program: a package's library, program, example and tests, two versions
//! of a package, two packages whose libraries are called the same. All launch a kernel of the same
//! path from the same line and column, and each must run its own, with its own constant of one name.

use super::package::Package;
use ptyx_package_tests::cargo::cargo;
use ptyx_package_tests::target::Target;
use ptyx_test_support::part;
use std::fs;
use std::path::Path;

/// A crate that launches `app::k` or `dep::k`; what stands behind the first lines differs.
fn source(value: &str, behind: &str) -> String {
    format!(
        "use ptyx::prelude::*; #[device_static] static VALUE: ptyx::Constant<u32> = ptyx::Constant::new({value});\n\
         #[kernel]\n\
         fn k(mut y: Disjoint<u32>) {{\n\
             if let Some(y) = y.get_mut(thread::index_1d()) {{ *y = *VALUE; }}\n\
         }}\n\
         pub fn value() -> u32 {{\n\
             let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();\n\
             launch!(k<<<1, 1>>>(&mut y)).unwrap();\n\
             y.to_vec().unwrap()[0]\n\
         }}\n\
         {behind}"
    )
}

/// A generic launch, and a closure under a name that the program has, too.
const GENERIC: &str = r#"
#[kernel]
fn apply<F: Fn(u32) -> u32>(f: F, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) { *y = f(*y); }
}
pub fn run<F: Fn(u32) -> u32 + Copy + Send + Sync + 'static>(f: F) -> ptyx::Result<u32> {
    let mut y = DeviceBuffer::<u32>::zeroed(1)?;
    launch!(apply<<<1, 1>>>(f, &mut y))?;
    Ok(y.to_vec()?[0])
}
#[track_caller]
pub fn run_tracked<F: Fn(u32) -> u32 + Copy + Send + Sync + 'static>(f: F) -> ptyx::Result<u32> {
    let mut y = DeviceBuffer::<u32>::zeroed(1)?;
    launch!(apply<<<1, 1>>>(f, &mut y))?;
    Ok(y.to_vec()?[0])
}
pub fn own() -> ptyx::Result<u32> { run(|x| x + 1) }
pub fn own_tracked() -> ptyx::Result<u32> { run_tracked(|x| x + 1) }
"#;

const MAIN: &str = r#"
/// Types that a `cfg` makes other ones for the device.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Longer { a: u32, #[cfg(ptyx_device)] b: u32 }
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Swapped { #[cfg(ptyx_device)] a: f32, b: u32, #[cfg(not(ptyx_device))] a: f32 }
#[derive(Clone, Copy, DeviceCopy)]
struct Holds<T: DeviceCopy>(u8, [T; 2]);
#[kernel]
fn read<T: DeviceCopy>(x: &[T], mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) { *y = x.len() as u32; }
}
#[kernel]
fn take<T: DeviceCopy>(_: T, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) { *y = 1; }
}
fn differ() {
    let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
    let longer = DeviceBuffer::<Longer>::zeroed(1).unwrap();
    println!("differs: {}", launch!(read<<<1, 1>>>(&longer, &mut y)).unwrap_err());
    let holds = DeviceBuffer::<Holds<Swapped>>::zeroed(1).unwrap();
    println!("differs: {}", launch!(read<<<1, 1>>>(&holds, &mut y)).unwrap_err());
    let swapped = Swapped { a: 1.0, b: 2 };
    println!("differs: {}", launch!(take<<<1, 1>>>(swapped, &mut y)).unwrap_err());
    let longer = Longer { a: 1, #[cfg(ptyx_device)] b: 2 };
    println!("differs: {}", launch!(take<<<1, 1>>>(longer, &mut y)).unwrap_err());
}
fn own() -> ptyx::Result<u32> { app::run(|x| x + 2) }
fn own_tracked() -> ptyx::Result<u32> { app::run_tracked(|x| x + 2) }
fn main() {
    println!("values: {} {} {} {} {} {}",
        value(), app::value(), one::value(), two::value(), red::value(), blue::value());
    println!("tracked: {:?} {:?}", own_tracked().ok(), app::own_tracked().ok());
    // Nothing that both passes know tells these closures apart.
    println!("refused: {}", own().unwrap_err());
    println!("refused: {}", app::own().unwrap_err());
    differ();
}
"#;

/// Packages of one name are no members of one workspace.
const EXCLUDE: &str = "[workspace]\nexclude = [\"dep-1\", \"dep-2\", \"same-1\", \"same-2\"]\n";

/// A library without dependencies but Ptyx.
fn library(folder: &Path, package: &str, version: &str, name: &str, value: u32) {
    let lib = format!("[lib]\nname = \"{name}\"\n");
    Package::write_manifest(folder, package, version, &lib, "ptyx_compiler::build()", "");
    fs::write(folder.join("src/lib.rs"), source(&value.to_string(), "")).unwrap();
}

#[test]
fn each_crate_runs_its_own_kernel() {
    part!(each_crate_runs_its_own_kernel);
    let folder = Package::folder("names");
    let in_it = |name: &str| folder.join(name);
    library(&in_it("dep-1"), "dep", "1.0.0", "dep", 101);
    library(&in_it("dep-2"), "dep", "2.0.0", "dep", 102);
    library(&in_it("same-1"), "same-1", "1.0.0", "same", 111);
    library(&in_it("same-2"), "same-2", "1.0.0", "same", 112);
    let dependencies = "one = { package = \"dep\", path = \"dep-1\" }\n\
                        two = { package = \"dep\", path = \"dep-2\" }\n\
                        red = { package = \"same-1\", path = \"same-1\" }\n\
                        blue = { package = \"same-2\", path = \"same-2\" }\n";
    Package::write_manifest(
        &folder,
        "app",
        "1.0.0",
        EXCLUDE,
        "ptyx_compiler::build()",
        dependencies,
    );
    let _ = fs::remove_dir_all(in_it("examples"));
    for sub in ["examples", "tests", "benches"] {
        fs::create_dir_all(in_it(sub)).unwrap();
    }
    let unit_test = "\n#[test]\nfn unit_test() { assert_eq!(value(), 12); }\n";
    let for_tests = "if cfg!(test) { 12 } else { 2 }";
    let lib = format!("{GENERIC}{unit_test}");
    fs::write(in_it("src/lib.rs"), source(for_tests, &lib)).unwrap();
    let main = source("if cfg!(test) { 12 } else { 3 }", &format!("{MAIN}{unit_test}"));
    fs::write(in_it("src/main.rs"), main).unwrap();
    let example = "fn main() { println!(\"values: {} {}\", value(), app::value()); }\n";
    fs::write(in_it("examples/app.rs"), source("4", example)).unwrap();
    let test = "#[test]\nfn integration() { assert_eq!((value(), app::value()), (5, 2)); }\n";
    fs::write(in_it("tests/app.rs"), source("5", test)).unwrap();
    let test = test.replace('5', "6");
    fs::write(in_it("benches/app.rs"), source("6", &test)).unwrap();

    let target = Target::take();
    let cargo = |arguments: &[&str]| {
        let output = cargo(&folder, &target.path).args(arguments).output().expect("cargo starts");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
        printed
    };
    let printed = cargo(&["run", "--quiet"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "values: 3 2 101 102 111 112");
    assert_eq!(lines[1], "tracked: Some(2) Some(1)");
    for line in &lines[2..4] {
        assert!(line.contains("refused: ") && line.contains("one of two kernels"), "{line}");
        assert!(line.contains("lib of package app") && line.contains("targets of"), "{line}");
    }
    // The elements' own layout, and those in them; arguments by value.
    let types =
        ["[app::Longer]`", "[app::Holds<app::Swapped>]`", "`app::Swapped`", "`app::Longer`"];
    for (line, name) in lines[4..].iter().zip(types) {
        assert!(line.contains("differs: ") && line.contains(name), "{name}: {line}");
        assert!(line.contains("main.rs:") && line.contains("`cfg(ptyx_device)`"), "{line}");
    }
    assert_eq!(lines.len(), 8, "{printed}");
    assert_eq!(cargo(&["run", "--quiet", "--example", "app"]).trim(), "values: 4 2");
    let tests = cargo(&["test"]);
    assert_eq!(tests.matches("1 passed").count(), 3, "{tests}");
    let benches = cargo(&["test", "--bench", "app"]);
    assert_eq!(benches.matches("1 passed").count(), 1, "{benches}");
}
