//! Kernels that fail take the context of a GPU with them, so each has a process of its own.

use super::*;
use crate::device::{is_child, on_gpu, run_child};

/// Results of the driver.
const ILLEGAL_ADDRESS: i32 = 700;
const ASSERT: i32 = 710;
const MISALIGNED: i32 = 716;
const LAUNCH_FAILED: i32 = 719;

/// Runs a kernel in a process of its own: its result, and what is printed; on the emulated device a report has
/// each of these parts.
fn fails(
    test: &str,
    kernel: &str,
    threads: u32,
    args: fn() -> Vec<Vec<u8>>,
    codes: &[i32],
    parts: &[&str],
) {
    if is_child() {
        let module = module!("fail");
        let code = module.try_run(kernel, (1, threads, 0), &mut args());
        println!("the result is {code}.");
        if !on_gpu() {
            println!("{}", ptyx_emulator::driver::take_fault().unwrap_or_default());
        }
        return;
    }
    let printed = run_child(&format!("fail::{test}"), &[]);
    let right = codes.iter().any(|code| printed.contains(&format!("the result is {code}.")));
    assert!(right, "{printed}");
    if !on_gpu() {
        for part in parts {
            assert!(printed.contains(part), "`{part}`: {printed}");
        }
    }
}

#[test]
fn assertions() {
    let args = || {
        let values = Buffer::new(&[1i32, 2, 3, 9, 5]);
        let bytes = Vec::from(args![values, 6i32]);
        std::mem::forget(values);
        bytes
    };
    let parts = [
        "fail.cu:5: void asserts(const int *, int): assertion `in[threadIdx.x] < limit && \"below the limit\"` failed",
        "thread (3, 0, 0)",
    ];
    fails("assertions", "asserts", 5, args, &[ASSERT], &parts);
}

#[test]
fn traps() {
    let parts = ["trap", "thread (5, 0, 0)"];
    fails("traps", "traps", 8, || Vec::from(args![5i32]), &[LAUNCH_FAILED], &parts);
}

#[test]
fn writes_nowhere() {
    let parts = ["invalid write of 4 bytes"];
    fails(
        "writes_nowhere",
        "writes_nowhere",
        1,
        || Vec::from(args![16u64]),
        &[ILLEGAL_ADDRESS],
        &parts,
    );
}

#[test]
fn misaligned() {
    let args = || {
        let values = Buffer::new(&[0i32; 4]);
        let bytes = Vec::from(args![values]);
        std::mem::forget(values);
        bytes
    };
    fails("misaligned", "misaligned", 1, args, &[MISALIGNED], &["misaligned"]);
}

/// Which error it is depends on what lies there.
#[test]
fn calls_nowhere() {
    let args = || {
        let values = Buffer::new(&[0i32]);
        let bytes = Vec::from(args![8u64, values]);
        std::mem::forget(values);
        bytes
    };
    let codes = [ILLEGAL_ADDRESS, 714, 715, 717, 718, LAUNCH_FAILED];
    fails("calls_nowhere", "calls_nowhere", 1, args, &codes, &["call"]);
}
