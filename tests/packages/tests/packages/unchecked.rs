//! `#[kernel(unsafe(unchecked))]`: release builds have a second form of the kernel, for GPUs.

use super::package::{BUILD, Package};
use ptyx_test_support::part;

/// An index, a range, a sum and a quotient are checked; the assertion is the kernel's own.
const MAIN: &str = r#"
use ptyx::prelude::*;

#[kernel(unsafe(unchecked))]
fn quotients(x: &[u32], from: usize, by: &[u32], mut y: Disjoint<u32>) {
    assert!(by.len() != 77, "a length of 77");
    let i = thread::index_1d();
    let part = &x[from..];
    y[i] = (part[i.get()] + 1) / by[i.get() % by.len()];
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::from_slice(&[9, 1, 3, 5, 7u32])?;
    let mut y = DeviceBuffer::zeroed(4)?;
    launch!(quotients<<<1, 4>>>(&x, 1, &DeviceBuffer::from_slice(&[2u32])?, &mut y))?;
    println!("{:?}", y.to_vec()?);
    launch!(quotients<<<1, 4>>>(&x, 2, &DeviceBuffer::from_slice(&[2u32])?, &mut y))?;
    match y.to_vec() {
        Ok(y) => println!("{y:?}"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
"#;

#[test]
fn release_builds_leave_checks_out_on_gpus() {
    part!(release_builds_leave_checks_out_on_gpus);
    let checks = "[profile.dev.package.unchecked]\ndebug-assertions = ";
    for (debug, has_form) in [("true", false), ("false\noverflow-checks = true", true)] {
        let package = Package::new("unchecked", BUILD, MAIN, &format!("{checks}{debug}\n"));
        let built = package.build_and_run(&[]);
        // The emulated device keeps the checks.
        let (first, second) = built.printed.split_once('\n').expect("two lines");
        assert_eq!(first, "[1, 2, 3, 4]", "{debug}");
        assert!(
            second.contains("index out of bounds: the len is 3 but the index is 3"),
            "{second}"
        );
        assert_eq!(built.unchecked.is_some(), has_form, "{debug}");
        // An index three times, a range, a sum, a quotient: the assertion's comparison is left.
        let comparisons = |ptx: &str| ptx.matches("setp").count();
        if let Some(unchecked) = built.unchecked {
            assert!(unchecked.contains(", 77;"), "{unchecked}");
            let (with, without) = (comparisons(&built.ptx), comparisons(&unchecked));
            assert!(with >= without + 6, "{with}, {without}: {unchecked}");
            assert!(unchecked.contains("div.u32"), "{unchecked}");
        }
    }
}

/// A kernel that calls an unchecked one as a function, in a release build.
const CALLER: &str = r#"
use ptyx::prelude::*;

#[kernel(unsafe(unchecked))]
fn doubled(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = 2 * x[i.get()];
}

#[kernel]
fn checked(x: &[u32], y: Disjoint<u32>) {
    if x[x[0] as usize] != 77 {
        doubled(x, y);
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(2)?;
    launch!(checked<<<1, 2>>>(&DeviceBuffer::from_slice(&[1, 2])?, &mut y))?;
    println!("{:?}", y.to_vec()?);
    launch!(checked<<<1, 2>>>(&DeviceBuffer::from_slice(&[5, 2])?, &mut y))?;
    println!("{}", y.to_vec().unwrap_err());
    Ok(())
}
"#;

#[test]
fn a_kernel_keeps_its_checks_whatever_it_calls() {
    part!(a_kernel_keeps_its_checks_whatever_it_calls);
    let release = "[profile.dev.package.caller]\ndebug-assertions = false\n";
    let built = Package::new("caller", BUILD, CALLER, release).build_and_run(&[]);
    assert!(built.printed.starts_with("[2, 4]\n"), "{}", built.printed);
    assert!(built.printed.contains("the len is 2 but the index is 5"), "{}", built.printed);
    assert!(built.unchecked.is_none());
}
