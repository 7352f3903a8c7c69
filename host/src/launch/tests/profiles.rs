//! Profiles of kernels that fail.

use super::environment::{child_of, is_child};
use super::*;
use crate::launch::call0;
use crate::{Error, profile};

#[test]
fn a_profile_reports_its_kernels_panics() {
    let _alone = alone();
    kernels();
    let stream = Stream::new().unwrap();
    let launch = |len: u64| {
        let config = LaunchConfig::new().stream(&stream);
        call1(Here, panics, config, (&&&&&Slot::new(len)).pass())
    };
    let result = profile(|| launch(0));
    assert!(matches!(result, Err(Error::KernelPanic(_))), "{result:?}");
    // Once.
    stream.synchronize().unwrap();
    let ((), after) = profile(|| launch(1)).unwrap();
    let kernel = after.work().last().unwrap();
    assert!(kernel.name.ends_with("::panics") && kernel.time.is_some(), "{after}");
}

/// In a process of its own, as a GPU is lost after a fault.
#[test]
fn a_profile_reports_a_fault() {
    if !is_child() {
        child_of("profiles", "a_profile_reports_a_fault", &[]);
        return;
    }
    kernels();
    let result = profile(|| call0(Here, fault, LaunchConfig::new()));
    assert!(matches!(result, Err(Error::Fault { .. })), "{result:?}");
}

/// Each call reaches the driver, and the driver's errors are returned.
#[test]
fn profilers_start_and_stop() {
    if !is_child() {
        let emulated = [("PTYX_DEVICE", "emulator")];
        child_of("profiles", "profilers_start_and_stop", &emulated);
        return;
    }
    let device = crate::Device::current().unwrap();
    device.synchronize().unwrap();
    for rule in ["", "cuProfilerStart=CUDA_ERROR_UNKNOWN", "cuProfilerStop=CUDA_ERROR_UNKNOWN"] {
        ptyx_emulator::driver::fail_calls(rule).unwrap();
        let calls = [
            crate::profiler_start(),
            crate::profiler_start(),
            crate::profiler_stop(),
            crate::profiler_stop(),
        ];
        let (made, _) = ptyx_emulator::driver::calls_made();
        let made: Vec<&str> = made.into_iter().filter(|name| name.contains("Profiler")).collect();
        let names = ["cuProfilerStart", "cuProfilerStart", "cuProfilerStop", "cuProfilerStop"];
        assert_eq!(made, names);
        for (result, name) in calls.into_iter().zip(names) {
            let is_refused = matches!(&result, Err(Error::Driver { call, .. }) if *call == name);
            assert_eq!((result.is_err(), is_refused), (rule.starts_with(name), result.is_err()));
        }
    }
}

#[test]
fn kernels_with_an_alias_have_its_name() {
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let ((), profile) = profile(|| {
        let config = || LaunchConfig::new().threads(32);
        run_saxpy(config().alias("in_profiles"), 1.0, &x, &mut y)?;
        run_saxpy(config(), 1.0, &x, &mut y)
    })
    .unwrap();
    let rows = profile.rows();
    let of = |name: &str| rows.iter().filter(|row| row.name == name).count();
    assert_eq!((of("in_profiles"), of(super::name(saxpy))), (1, 1), "{profile}");
}
