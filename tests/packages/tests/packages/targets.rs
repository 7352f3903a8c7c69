//! A mistake in one target of a package does not keep the others from being built, and is reported
//! where it is.

use super::package::{BUILD, Package};
use ptyx_test_support::part;

const GOOD: &str = r#"
use ptyx::prelude::*;

#[kernel]
fn good(mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y += 1;
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::filled(32, 1u32)?;
    launch!(good<<<1, 32>>>(&mut y))?;
    println!("good {:?}", y.to_vec()?[31]);
    Ok(())
}

#[test]
fn unit_test() {
    main().unwrap();
}
"#;

const BAD: &str = r#"
use ptyx::prelude::*;

#[kernel]
fn bad(mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = std::process::id();
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::filled(32, 1u32)?;
    launch!(bad<<<1, 32>>>(&mut y))
}
"#;

const MESSAGE: &str = "can't use `std::process::id`: it needs an operating system";

#[test]
fn a_bad_kernel_stops_its_target_alone() {
    part!(a_bad_kernel_stops_its_target_alone);
    let package = Package::new("several-targets", BUILD, GOOD, "");
    package.write("src/bin/bad.rs", BAD);
    package.write("examples/bad.rs", BAD);
    package.write("examples/good.rs", GOOD);
    package.write("src/lib.rs", "pub fn f() {}");
    for arguments in [
        &["run", "--bin", "several-targets"][..],
        &["run", "--example", "good"],
        &["test", "--lib"],
        &["test", "--bin", "several-targets"],
    ] {
        let (works, text) = package.cargo(arguments, &[]);
        assert!(works, "{arguments:?}: {text}");
    }
    for (arguments, place) in [
        (["build", "--bin", "bad"], "src/bin/bad.rs:7:14"),
        (["build", "--example", "bad"], "examples/bad.rs:7:14"),
    ] {
        let (works, text) = package.cargo(&arguments, &[]);
        assert!(!works, "{arguments:?}: {text}");
        assert_eq!(text.matches(MESSAGE).count(), 1, "{text}");
        assert!(text.contains(place), "{text}");
    }
    // Mended, it works at once.
    package.write("src/bin/bad.rs", GOOD);
    let (works, text) = package.cargo(&["run", "--bin", "bad"], &[]);
    assert!(works && text.contains("good 2"), "{text}");
}

/// Each bad kernel is reported at its own launch, the kernels of other crates, too.
#[test]
fn bad_kernels_are_reported_where_they_are_launched() {
    part!(bad_kernels_are_reported_where_they_are_launched);
    const LIBRARY: &str = r#"
        use ptyx::prelude::*;
        #[kernel]
        pub fn bad(mut y: Disjoint<u32>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y = std::process::id();
            }
        }
    "#;
    const PROGRAM: &str = r#"
        mod other;
        use ptyx::prelude::*;
        #[kernel]
        fn good(mut y: Disjoint<u32>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y += 1;
            }
        }
        fn main() -> ptyx::Result<()> {
            let mut y = DeviceBuffer::filled(32, 1u32)?;
            launch!(good<<<1, 32>>>(&mut y))?;
            other::twice(&mut y)
        }
    "#;
    const OTHER: &str = r#"
        use ptyx::prelude::*;
        #[kernel]
        fn worse(mut y: Disjoint<u32>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y = std::env::args().count() as u32;
            }
        }
        pub(crate) fn twice(y: &mut DeviceBuffer<u32>) -> ptyx::Result<()> {
            launch!(
                // the library's
                reported::bad<<<1, 32>>>(&mut *y)
            )?;
            cuda!(threads = 32, worse(y))
        }
    "#;
    let package = Package::new("reported", BUILD, GOOD, "");
    package.write("src/lib.rs", LIBRARY);
    package.write("src/bin/apart/main.rs", PROGRAM);
    package.write("src/bin/apart/other.rs", OTHER);
    let (works, text) = package.cargo(&["build", "--bin", "apart"], &[]);
    assert!(!works, "{text}");
    assert_eq!(text.matches(MESSAGE).count(), 1, "{text}");
    let launch = |line: &str| {
        let number = OTHER.lines().position(|other| other.contains(line)).unwrap() + 1;
        format!("--> src/bin/apart/other.rs:{number}:13")
    };
    assert!(text.contains(&launch("launch!(")) && text.contains(&launch("cuda!")), "{text}");
    assert!(!text.contains("apart/main.rs:"), "{text}");
}

/// A program that has no macro of its own is stopped by the linker, with the same words.
#[test]
fn a_bad_instance_of_a_library_s_kernel() {
    part!(a_bad_instance_of_a_library_s_kernel);
    const LIBRARY: &str = r#"
        use ptyx::prelude::*;
        #[kernel]
        fn apply<F: Fn() -> u32>(f: F, mut y: Disjoint<u32>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y = f();
            }
        }
        pub fn run<F: Fn() -> u32 + Copy + Send + 'static>(f: F) -> ptyx::Result<u32> {
            let mut y = DeviceBuffer::filled(32, 1u32)?;
            launch!(apply<<<1, 32>>>(f, &mut y))?;
            Ok(y.to_vec()?[31])
        }
    "#;
    let main =
        |f: &str| format!("fn main() {{ println!(\"{{}}\", instances::run(|| {f}).unwrap()) }}");
    let package = Package::new("instances", BUILD, &main("7"), "");
    package.write("src/lib.rs", LIBRARY);
    package.write("src/bin/bad.rs", &main("std::process::id()"));
    let (works, text) = package.cargo(&["run", "--bin", "instances"], &[]);
    assert!(works && text.contains('7'), "{text}");
    let (works, text) = package.cargo(&["build", "--bin", "bad"], &[]);
    assert!(!works && text.contains(MESSAGE), "{text}");
}

#[test]
fn a_package_without_the_build_script() {
    part!(a_package_without_the_build_script);
    let package = Package::new("no-build-script", BUILD, GOOD, "");
    package.remove("build.rs");
    let (works, text) = package.cargo(&["build"], &[]);
    assert!(
        !works && text.matches("no build script that compiles its kernels").count() == 1,
        "{text}"
    );
    assert!(text.contains("src/main.rs:13:5") && text.contains("ptyx_compiler::build()"), "{text}");
}
