//! D9: whether an overflow panics is what the profile says, for kernels as for the host.

use super::package::{BUILD, Package};
use ptyx_test_support::part;

/// The host's own addition goes first: both must do the same.
const MAIN: &str = r#"
use ptyx::prelude::*;
use std::hint::black_box;

#[kernel]
fn add(x: &[u8], mut y: Disjoint<u8>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y += x[i.get()];
    }
}

fn main() -> ptyx::Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    match std::panic::catch_unwind(|| black_box(250u8) + black_box(10)) {
        Ok(sum) => println!("host: {sum}"),
        Err(_) => println!("host: overflow"),
    }
    let x = DeviceBuffer::filled(4, 10u8)?;
    let mut y = DeviceBuffer::from_slice(&[1u8, 2, 250, 3])?;
    launch!(add<<<1, 4>>>(&x, &mut y))?;
    match y.to_vec() {
        Ok(y) => println!("device: {y:?}"),
        Err(error) => println!("device: {error}"),
    }
    Ok(())
}
"#;

#[test]
fn the_profile_decides_on_overflow() {
    part!(the_profile_decides_on_overflow);
    // (profile, whether it checks): also a check that is asked for in optimised code.
    for (profile, checked) in [
        ("", true),
        ("[profile.dev.package.overflow-checks]\noverflow-checks = false\n", false),
        ("[profile.dev.package.overflow-checks]\nopt-level = 3\noverflow-checks = true\n", true),
    ] {
        let package = Package::new("overflow-checks", BUILD, MAIN, profile);
        let printed = package.build_and_run(&[]).printed;
        let (host, device) = printed.split_once('\n').expect("two lines");
        if checked {
            assert_eq!(host, "host: overflow", "{profile}");
            let place = format!("src/main.rs:{}:9", line_of("*y += "));
            assert!(device.contains("attempt to add with overflow"), "{profile}: {device}");
            assert!(device.contains(&place), "{profile}: no `{place}` in {device}");
        } else {
            assert_eq!((host, device), ("host: 4", "device: [11, 12, 4, 13]"), "{profile}");
        }
    }
}

/// The line of `MAIN` with `part` in it.
fn line_of(part: &str) -> usize {
    1 + MAIN.lines().position(|line| line.contains(part)).unwrap()
}
