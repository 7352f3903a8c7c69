//! `PTYX_DEBUG`: each in a process of its own, whose environment has it.

use super::environment::{child_of, is_child};
use super::*;
use crate::launch::call0;
use crate::{Device, Error, Event};

/// Runs a test of this file with and without `PTYX_DEBUG`; what each said.
fn both(test: &str, more: &[(&str, &str)]) -> [String; 2] {
    ["1", "0"].map(|value| {
        let mut variables = vec![("PTYX_DEBUG", value)];
        variables.extend(more);
        child_of("debug", test, &variables)
    })
}

/// A fault is the error of the launch, not of the call that waits.
#[test]
fn a_launch_returns_its_own_fault() {
    if !is_child() {
        for asynchronous in ["0", "1"] {
            let more = [("PTYX_EMULATOR_ASYNC", asynchronous)];
            let [on, off] = both("a_launch_returns_its_own_fault", &more);
            assert!(on.contains("fault of cuLaunchKernel"), "{on}");
            assert!(off.contains("no fault yet"), "{off}");
        }
        return;
    }
    kernels();
    let stream = Stream::new().unwrap();
    match call0(Here, fault, LaunchConfig::new().stream(&stream)) {
        Err(Error::Fault { call, .. }) => eprintln!("fault of {call}"),
        Err(other) => panic!("{other}"),
        Ok(()) => eprintln!("no fault yet"),
    }
    // Without it, somebody has to take the fault.
    let _ = stream.synchronize();
}

/// Right programs compute the same, also in captures, where nothing may wait.
#[test]
fn right_programs_work() {
    if !is_child() {
        let both = both("right_programs_work", &[("PTYX_EMULATOR_ASYNC", "1")]);
        assert!(both.iter().all(|text| text.contains("all equal")), "{both:?}");
        assert!(both[0].contains("idle after the launch: true"), "{}", both[0]);
        return;
    }
    kernels();
    let (stream, done) = (Stream::new().unwrap(), Event::new().unwrap());
    let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
    run_slow(500, &mut counter, &stream).unwrap();
    eprintln!("idle after the launch: {}", stream.is_idle().unwrap());
    let graph = stream.capture(|stream| run_slow(100, &mut counter, stream)).unwrap();
    let exec = graph.instantiate().unwrap();
    for _ in 0..3 {
        exec.launch(&stream).unwrap();
    }
    done.record(&stream).unwrap();
    let mut copy = DeviceBuffer::<u32>::zeroed(1).unwrap();
    copy.copy_from_buffer(&counter).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [800]);
    eprintln!("all equal");
}

/// A context that other code has changed is noticed, and made current again.
#[test]
fn a_changed_context_is_noticed() {
    if !is_child() {
        let [on, off] = both("a_changed_context_is_noticed", &[("PTYX_DEVICE", "emulator")]);
        assert_eq!(
            on.matches("other code has made another CUDA context current").count(),
            1,
            "{on}"
        );
        assert!(on.contains("then: true"), "{on}");
        assert!(off.contains("then: false") && !off.contains("other code"), "{off}");
        return;
    }
    kernels();
    let device = Device::current().unwrap();
    let buffer = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    // SAFETY: the driver's function of this name takes a context, also none.
    let code = unsafe {
        let set: extern "C" fn(*mut core::ffi::c_void) -> u32 =
            core::mem::transmute(ptyx_emulator::driver::symbol("cuCtxSetCurrent").unwrap());
        set(core::ptr::null_mut())
    };
    assert_eq!(code, 0);
    eprintln!("then: {}", buffer.to_vec().is_ok());
    device.make_current().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

/// The assembler's log of each kernel goes to stderr.
#[test]
fn the_assemblers_log_is_shown() {
    if !is_child() {
        let [on, off] = both("the_assemblers_log_is_shown", &[("PTYX_DEVICE", "emulator")]);
        let line = on.lines().find(|line| line.contains("PTYX_DEBUG: ")).unwrap_or("");
        assert!(line.contains("saxpy") && line.contains(" registers"), "{on}");
        assert!(!off.contains("PTYX_DEBUG"), "{off}");
        return;
    }
    kernels();
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
    run_saxpy(LaunchConfig::new().threads(32), 3.0, &x, &mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [5.0; 32]);
}
