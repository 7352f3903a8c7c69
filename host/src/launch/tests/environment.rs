//! Devices, and what the environment variables do.

use super::*;
use crate as ptyx;
use crate::launch::call0;
use crate::{Device, Error, PinnedBuffer};

#[test]
fn devices() {
    let device = Device::current().unwrap();
    assert!(device.total_memory().unwrap() >= device.free_memory().unwrap());
    assert_eq!(device.nearest_warpsize(33).unwrap(), 64);
    assert_eq!(device.nearest_warpsize(32).unwrap(), 32);
    let attributes = device.attributes().unwrap();
    assert_eq!(attributes.warp_size, 32);
    assert!(!device.name().is_empty());
    assert!(device.compute_capability() >= (7, 0));
    let count = Device::count().unwrap();
    assert_eq!(Device::all().unwrap().len(), count as usize);
    let text = Device::get(count).unwrap_err().to_string();
    assert!(text.contains(&format!("has {count}")), "{text}");
    let inside = device.with(|| Device::current().unwrap());
    assert_eq!(inside, device);
    let info = ptyx::info().unwrap();
    assert!(info.contains(device.name()) && info.contains("kernels in this program"), "{info}");
}

/// Runs the test of this name in a process of its own, with `PTYX_TEST_CHILD` set; its stderr.
fn child(test: &str, variables: &[(&str, &str)]) -> String {
    child_of("environment", test, variables)
}

/// Runs the test of this name and file in a process of its own, with `PTYX_TEST_CHILD` set; its stderr.
pub(super) fn child_of(file: &str, test: &str, variables: &[(&str, &str)]) -> String {
    child_at(&format!("launch::tests::{file}::{test}"), variables)
}

/// Runs the test of this path in a process of its own, with `PTYX_TEST_CHILD` set; its stderr.
pub(crate) fn child_at(test: &str, variables: &[(&str, &str)]) -> String {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("PTYX_TEST_CHILD", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stdout));
    text
}

pub(crate) fn is_child() -> bool {
    std::env::var_os("PTYX_TEST_CHILD").is_some()
}

/// In a process of its own, as a GPU is lost after a fault.
#[test]
fn a_fault_is_an_error_with_the_report() {
    if !is_child() {
        child("a_fault_is_an_error_with_the_report", &[]);
        return;
    }
    kernels();
    let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    let emulated = Device::current().unwrap().is_emulated();
    let failed = call0(Here, fault, LaunchConfig::new()).and_then(|()| ptyx::synchronize());
    let error = failed.unwrap_err();
    let Error::Fault { report, .. } = &error else { panic!("{error}") };
    assert_eq!(report.is_some(), emulated, "{error}");
    assert_eq!(error.to_string().contains("PTYX_DEVICE=emulator"), !emulated, "{error}");
    // Nothing here may panic or hang.
    drop(buffer);
    let _ = Stream::new().map(drop);
    let _ = PinnedBuffer::<u8>::zeroed(10).map(drop);
}

/// A call that only queries a stream, or that waits for memory and can't report an error, does not
/// consume a fault. A GPU's faults are sticky anyway.
#[test]
fn a_fault_is_left_to_who_synchronises() {
    if !is_child() {
        // The emulated device reports a fault once; work that is put off fails while the host waits for it.
        let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", "0")];
        child("a_fault_is_left_to_who_synchronises", &variables);
        return;
    }
    kernels();
    let fail = |stream: &Stream| call0(Here, fault, LaunchConfig::new().stream(stream)).unwrap();
    // Pinned memory waits for a copy behind the fault.
    let stream = Stream::new().unwrap();
    let buffer = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut pinned = PinnedBuffer::<u32>::zeroed(3).unwrap();
    fail(&stream);
    buffer.copy_to_pinned_on(&mut pinned, &stream).unwrap();
    assert_eq!(*pinned, [1, 2, 3]);
    assert!(stream.is_idle().is_err());
    assert!(matches!(stream.synchronize(), Err(Error::Fault { .. })));
    stream.synchronize().unwrap();
    // Many streams use memory of the one that faulted, whose list of uses is tidied.
    let mut read = DeviceBuffer::<u32>::zeroed(3).unwrap();
    read.fill_on(7, &stream).unwrap();
    fail(&stream);
    let mut copy = DeviceBuffer::<u32>::zeroed(3).unwrap();
    let readers: Vec<Stream> = (0..40).map(|_| Stream::new().unwrap()).collect();
    for reader in &readers {
        copy.copy_from_buffer_on(&read, reader).unwrap();
    }
    assert!(matches!(stream.synchronize(), Err(Error::Fault { .. })));
}

#[test]
fn kernels_are_dumped_as_they_are_assembled() {
    if is_child() {
        run_saxpy_once();
        return;
    }
    let folder = std::env::temp_dir().join(format!("ptyx-dump-{}", std::process::id()));
    let test = "kernels_are_dumped_as_they_are_assembled";
    child(test, &[("PTYX_DUMP", folder.to_str().unwrap())]);
    let read = |extension| {
        let file = folder.join(format!("run-0-saxpy-sm_70.{extension}"));
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    assert!(read("ptx").contains(".entry saxpy("));
    let notes = read("txt");
    // The image of the test has no LLVM IR.
    for part in ["registers: ", "local_bytes: ", "no .ll: ", "PTYX_LLVM_IR=1"] {
        assert!(notes.contains(part), "no `{part}` in {notes}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_trace_shows_each_driver_call() {
    if is_child() {
        run_saxpy_once();
        return;
    }
    let test = "the_trace_shows_each_driver_call";
    let text = child(test, &[("PTYX_TRACE", "1")]);
    let line = text.lines().find(|line| line.contains("cuLaunchKernel")).unwrap();
    for part in ["ptyx: cuLaunchKernel(", "grid_x=2", "block_x=32", "= CUDA_SUCCESS [", " us]"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(text.contains("cuInit(flags=0)"), "{text}");
    assert!(text.contains("name=\"saxpy\""), "{text}");
    // Warm launches are one driver call each.
    let mut calls = text.lines().filter(|line| line.starts_with("ptyx: cu"));
    assert!(calls.any(|line| line.contains("cuLaunchKernel")));
    for _ in 0..3 {
        let line = calls.next().unwrap();
        assert!(line.contains("cuLaunchKernel"), "{line}");
    }
    for off in ["0", ""] {
        assert!(!child(test, &[("PTYX_TRACE", off)]).contains("cuLaunchKernel"));
    }
}

fn run_saxpy_once() {
    let x = DeviceBuffer::filled(64, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(64, 1.0f32).unwrap();
    for _ in 0..4 {
        run_saxpy(LaunchConfig::new().blocks(2).threads(32), 1.0, &x, &mut y).unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [5.0; 64]);
}

#[test]
fn the_device_is_chosen_by_the_environment() {
    if is_child() {
        let said = match Device::current() {
            Ok(device) => format!("emulated: {}", device.is_emulated()),
            Err(error) => format!("error: {error}"),
        };
        let again = Device::current().map(|device| device.is_emulated());
        eprintln!("said {said}; again {}", again.is_ok());
        return;
    }
    let run = |value| child("the_device_is_chosen_by_the_environment", &[("PTYX_DEVICE", value)]);
    let text = run("emulator");
    assert!(text.contains("said emulated: true"), "{text}");
    assert!(!text.contains("ptyx: using"), "{text}");
    let text = run("nonsense");
    assert!(text.contains("said error: PTYX_DEVICE is `nonsense`"), "{text}");
    assert!(text.contains("`emulator`"), "{text}");
    let (auto, cuda) = (run("auto"), run("cuda"));
    if cuda.contains("said emulated: false") {
        assert!(auto.contains("said emulated: false"), "{auto}");
        assert!(!auto.contains("ptyx: using"), "{auto}");
    } else {
        assert!(cuda.contains("said error: no GPU can be used: "), "{cuda}");
        assert_eq!(auto.matches("ptyx: using the emulated device: ").count(), 1, "{auto}");
        assert!(auto.contains("said emulated: true"), "{auto}");
    }
}
