//! Unusual profiles and flags: both passes must agree on every `cfg`, and the build must work. Only
//! those that broke before; `scripts/unusual-builds` tries all of them.

use super::package::{BUILD, Package};

/// A program whose kernel is given a struct with a field for each `cfg`.
const MAIN: &str = r#"
use ptyx::prelude::*;

#[derive(Clone, Copy, Default)]
struct Configured {
    #[cfg(target_feature = "avx2")]
    avx2: [u64; 16],
    #[cfg(panic = "unwind")]
    unwind: [u64; 8],
    #[cfg(my_flag)]
    flag: [u64; 4],
    #[cfg(debug_assertions)]
    assertions: [u64; 2],
    always: u8,
}

#[kernel]
fn size(_: Configured, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = size_of::<Configured>() as u32;
    }
}

fn on_device() -> ptyx::Result<u32> {
    let mut y = DeviceBuffer::filled(1, 0u32)?;
    launch!(size<<<1, 1>>>(Configured::default(), &mut y))?;
    Ok(y.to_vec()?[0])
}

fn main() {
    println!("size {} {}", on_device().unwrap(), size_of::<Configured>());
}

#[test]
fn sizes() {
    println!("size {} {}", on_device().unwrap(), size_of::<Configured>());
}
"#;

const LINTS: &str = "[lints.rust]\nunexpected_cfgs = \"allow\"\n";

/// The sizes that a program prints: the device's and the host's.
fn sizes(text: &str) -> (u32, u32) {
    let line = text.lines().find_map(|line| line.split_once("size ")).expect(text).1;
    let mut numbers = line.split(' ').map(|number| number.parse().expect(text));
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// Cargo compiles all crates twice then: tests always unwind. That was `symbol multiply defined`, and
/// the device's crates never unwound.
#[test]
fn panics_that_abort() {
    let profile = format!("{LINTS}[profile.dev]\npanic = \"abort\"\n");
    let package = Package::new("configured-abort", BUILD, MAIN, &profile);
    for (verb, expected) in [("run", 24), ("test", 88)] {
        let (works, text) = package.cargo(&[verb], &[("RUST_TEST_NOCAPTURE", "1")]);
        assert!(works, "{text}");
        assert_eq!(sizes(&text), (expected, expected), "{verb}: {text}");
    }
}

/// One of those that compile everything again, a minute each: all of them with `PTYX_TEST_ALL=1`.
#[test]
fn flags_and_settings() {
    let all: Vec<fn()> =
        vec![flags_a_wrapper_coverage_and_link_time_optimisation, settings_of_the_command_line];
    for configuration in ptyx_tests::sample(all, 1) {
        configuration();
    }
}

fn flags_a_wrapper_coverage_and_link_time_optimisation() {
    let profile = format!("{LINTS}[profile.dev]\nlto = \"fat\"\ncodegen-units = 1\nstrip = true\n");
    let package = Package::new("configured-flags", BUILD, MAIN, &profile);
    let flags = "-Cinstrument-coverage -Ctarget-feature=+avx2 --cfg my_flag -C debug-assertions=no";
    let profiles = Package::folder("configured-flags").join("%p.profraw");
    let variables = [
        ("RUSTFLAGS", flags),
        ("RUSTC_WRAPPER", "/usr/bin/env"),
        ("LLVM_PROFILE_FILE", profiles.to_str().unwrap()),
    ];
    let (works, text) = package.cargo(&["run"], &variables);
    assert!(works, "{text}");
    let expected = 8 * (16 + 8 + 4) + 8;
    assert_eq!(sizes(&text), (expected, expected), "{text}");
}

/// What is said on cargo's command line reaches the device pass, too.
fn settings_of_the_command_line() {
    let package = Package::new("configured-line", BUILD, MAIN, LINTS);
    let settings =
        ["--config", "profile.dev.panic='abort'", "--config=profile.dev.debug-assertions=false"];
    let (works, text) = package.cargo(&[&["run"][..], &settings].concat(), &[]);
    assert!(works, "{text}");
    assert_eq!(sizes(&text), (1, 1), "{text}");
}
