//! `#[kernel(unsafe(unchecked))]`: release builds have a second form of the kernel, for GPUs.

use super::package::{BUILD, Package};

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
