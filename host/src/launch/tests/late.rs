//! Work that runs as late as it may, while a driver call fails: the host never uses memory that a stream still uses, also
//! where a wait for it fails and there is no result that could say so.

use super::environment::{child_of, is_child};
use super::*;
use crate::launch::call0;
use crate::{Device, Error, ManagedBuffer, PinnedBuffer, StagingBuffer};
use ptyx_emulator::driver::{calls_made, fail_calls};
use std::sync::Arc;

const LEN: usize = 64;

/// Kernels and copies between the host's kinds of memory; each read of the host must see what came before.
fn scenario() -> crate::Result<()> {
    let (first, second) = (Stream::new()?, Stream::new()?);
    let launch = |stream: &Stream, x: &_, y: &mut _| {
        run_saxpy(LaunchConfig::new().threads(LEN).stream(stream), 2.0, x, y)
    };
    let x = DeviceBuffer::filled_on(LEN, 3.0f32, &first)?;
    let mut y = DeviceBuffer::filled_on(LEN, 1.0f32, &second)?;
    launch(&second, &x, &mut y)?;
    let mut pinned = PinnedBuffer::<f32>::zeroed(LEN)?;
    y.copy_to_pinned_on(&mut pinned, &first)?;
    assert_eq!(*pinned, [7.0; LEN]);
    pinned.fill(-1.0);
    let mut slice = vec![0.0; LEN];
    launch(&first, &x, &mut y)?;
    y.copy_to_slice(&mut slice)?;
    assert_eq!(slice, [13.0; LEN]);
    let mut staging = StagingBuffer::<f32>::zeroed(LEN)?;
    let graph = first.capture(|stream| {
        launch(stream, &x, &mut y)?;
        y.copy_to_pinned_on(&mut staging, stream)
    })?;
    let exec = graph.instantiate()?;
    exec.launch(&second)?;
    assert_eq!(*staging.read(), [19.0; LEN]);
    exec.launch(&first)?;
    staging.write().fill(0.0);
    assert_eq!((staging.read()[0], y.to_vec()?), (0.0, vec![25.0; LEN]));
    let from = ManagedBuffer::filled(LEN, 4.0f32)?;
    let mut managed = ManagedBuffer::filled_on(LEN, 1.0f32, &second)?;
    let config = LaunchConfig::new().threads(LEN).stream(&second);
    call3(Here, saxpy, config, 2.0f32, &from, &mut managed)?;
    assert_eq!(*managed, [9.0; LEN]);
    // The copy is done before the memory is given back.
    y.copy_from_pinned_on(&pinned, &second)?;
    drop(pinned);
    assert_eq!(y.to_vec()?, [-1.0; LEN]);
    // Memory that the driver knows, borrowed as a slice.
    let mut pinned = PinnedBuffer::<f32>::zeroed(LEN)?;
    launch(&second, &x, &mut y)?;
    let copied = y.copy_to_slice(&mut pinned);
    let seen = pinned[0];
    second.synchronize().and_then(|()| first.synchronize()).or(copied.clone())?;
    assert_eq!(pinned[0], seen, "a copy came after {copied:?}");
    copied
}

#[test]
fn a_wait_that_fails_is_made_again() {
    if !is_child() {
        for seed in ["1", "2", "3"] {
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_ASYNC", "1"),
                ("PTYX_EMULATOR_SEED", seed),
            ];
            let text = child_of("late", "a_wait_that_fails_is_made_again", &variables);
            assert!(text.contains("calls failed"), "{text}");
        }
        return;
    }
    kernels();
    scenario().unwrap();
    fail_calls("").unwrap();
    scenario().unwrap();
    let (calls, _) = calls_made();
    let codes = ["CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_UNKNOWN", "CUDA_ERROR_INVALID_VALUE"];
    let once = (1..=calls.len()).map(|number| (calls[number - 1], format!("*:{number}=")));
    let always = ["cuStreamQuery", "cuStreamSynchronize"].map(|call| (call, format!("{call}=")));
    let mut failures = 0;
    for (at, (call, rule)) in once.chain(always).enumerate() {
        let rule = format!("{rule}{}", codes[at % 3]);
        eprintln!("{rule}: {call}");
        fail_calls(&rule).unwrap();
        failures += usize::from(scenario().is_err());
        let (_, failed) = calls_made();
        assert!(!failed.is_empty());
        scenario().unwrap_or_else(|error| panic!("{rule}: the next run fails: {error}"));
    }
    eprintln!("{failures} of {} calls failed", calls.len());
}

/// While the driver can't say whether work is done, what the work uses is not given back.
#[test]
fn what_may_still_be_used_stays() {
    if !is_child() {
        let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", "1")];
        child_of("late", "what_may_still_be_used_stays", &variables);
        return;
    }
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    let memory = DeviceBuffer::filled_on(LEN, 3u32, &first).unwrap();
    let (address, owner) = (memory.device_address(), Arc::new(memory));
    // SAFETY: the memory is the owner's, and nothing else uses it.
    let foreign = unsafe { DeviceBuffer::<u32>::from_raw_on(address, LEN, &first, owner.clone()) };
    let mut foreign = foreign.unwrap();
    foreign.fill_on(4, &second).unwrap();
    let (mut number, kept) = (DeviceBuffer::<u32>::zeroed(LEN).unwrap(), Arc::new(()));
    let own = kept.clone();
    let graph = first.capture(|stream| {
        stream.on_host_each(move || drop(own.clone()))?;
        number.fill_on(5, stream)
    });
    let exec = graph.unwrap().instantiate().unwrap();
    exec.launch(&second).unwrap();
    let mut pinned = PinnedBuffer::<u32>::zeroed(LEN).unwrap();
    let host = pinned.as_ptr();
    number.copy_to_pinned_on(&mut pinned, &second).unwrap();
    let [asks, waits, orders] = [
        ["cuStreamQuery", "cuEventQuery"],
        ["cuStreamSynchronize", "cuCtxSynchronize"],
        ["cuStreamWaitEvent", "cuLaunchHostFunc"],
    ]
    .map(|calls| calls.map(|call| format!("{call}=CUDA_ERROR_UNKNOWN")).join(","));
    fail_calls(&[asks, waits, orders].join(",")).unwrap();
    drop(foreign);
    drop(exec);
    // An access does not forget the copy.
    let _ = pinned[0];
    drop(pinned);
    fail_calls("").unwrap();
    second.synchronize().unwrap();
    assert_eq!((Arc::strong_count(&owner), Arc::strong_count(&kept)), (2, 2));
    // SAFETY: the memory was not given back.
    assert_eq!(unsafe { host.read() }, 5);
}

/// A fault that is found by a wait which can't return it is reported by the next synchronisation, once.
#[test]
fn faults_found_by_silent_waits_are_told_once() {
    if !is_child() {
        for (asynchronous, seed) in [("0", "0"), ("1", "1"), ("1", "2"), ("1", "3")] {
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_ASYNC", asynchronous),
                ("PTYX_EMULATOR_SEED", seed),
            ];
            child_of("late", "faults_found_by_silent_waits_are_told_once", &variables);
        }
        return;
    }
    kernels();
    let device = Device::current().unwrap();
    // What waits: an access, and drops.
    let waits: [fn(&Stream); 4] = [
        |stream| {
            let buffer = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
            let mut pinned = PinnedBuffer::<u32>::zeroed(3).unwrap();
            call0(Here, fault, LaunchConfig::new().stream(stream)).unwrap();
            buffer.copy_to_pinned_on(&mut pinned, stream).unwrap();
            assert_eq!(*pinned, [1, 2, 3]);
        },
        |stream| {
            let mut buffer = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
            let pinned = PinnedBuffer::<u32>::zeroed(3).unwrap();
            call0(Here, fault, LaunchConfig::new().stream(stream)).unwrap();
            buffer.copy_from_pinned_on(&pinned, stream).unwrap();
        },
        |stream| {
            let mut managed = ManagedBuffer::<u32>::zeroed(3).unwrap();
            call0(Here, fault, LaunchConfig::new().stream(stream)).unwrap();
            managed.as_slice_mut().fill_on(5, stream).unwrap();
            assert_eq!(*managed, [5; 3]);
        },
        |stream| {
            let mut shareable = DeviceBuffer::<u32>::zeroed_shareable(3).unwrap();
            call0(Here, fault, LaunchConfig::new().stream(stream)).unwrap();
            shareable.fill_on(5, stream).unwrap();
        },
    ];
    // What reports the fault.
    let tells: [fn(Stream) -> crate::Result<()>; 4] = [
        |stream| stream.synchronize(),
        |stream| {
            let told = crate::synchronize();
            stream.synchronize().unwrap();
            told
        },
        |stream| {
            drop(stream);
            crate::synchronize()
        },
        |stream| {
            let mut number = DeviceBuffer::<u32>::zeroed(1)?;
            number.fill_on(1, &stream)?;
            number.to_vec().map(drop)
        },
    ];
    for (number, wait) in waits.iter().enumerate() {
        for (way, tell) in tells.iter().enumerate() {
            let stream = Stream::new().unwrap();
            wait(&stream);
            // A query leaves it in place. (`Stream::is_idle` would return an error, which takes the report.)
            assert!(stream.0.is_idle().is_err(), "{number}, {way}");
            let told = tell(stream.clone());
            let Err(Error::Fault { report, .. }) = &told else {
                panic!("{number}, {way}: {told:?}");
            };
            assert!(report.is_some(), "{number}, {way}: {told:?}");
            stream.synchronize().unwrap();
            device.synchronize().unwrap();
        }
    }
}

/// Even if the source's stream can't be made to wait for a copy, and the host can't wait for it either, later uses of the
/// source wait for the copy.
#[test]
fn sources_of_copies_between_devices_stay_until_they_are_read() {
    if !is_child() {
        for seed in ["1", "2", "3"] {
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_DEVICES", "2"),
                ("PTYX_EMULATOR_ASYNC", "1"),
                ("PTYX_EMULATOR_SEED", seed),
            ];
            let test = "sources_of_copies_between_devices_stay_until_they_are_read";
            child_of("late", test, &variables);
        }
        return;
    }
    let there = Device::get(1).unwrap();
    let (stream, theirs) = (Stream::new().unwrap(), there.with(Stream::new).unwrap());
    let mut to = DeviceBuffer::<u32>::zeroed_on(LEN, &stream).unwrap();
    let copy = |to: &mut DeviceBuffer<u32>, value: u32, rule: &str| {
        let mut from = DeviceBuffer::filled_on(LEN, value, &theirs).unwrap();
        fail_calls(rule).unwrap();
        let copied = to.copy_from_buffer_on(&from, &stream);
        let (calls, _) = calls_made();
        from.fill_on(0, &theirs).unwrap();
        drop(from);
        // Probably the same memory.
        drop(DeviceBuffer::filled_on(LEN, 1u32, &theirs).unwrap());
        fail_calls("").unwrap();
        stream.synchronize().unwrap();
        (copied, calls)
    };
    // The first copy creates what later ones use again.
    copy(&mut to, 1, "").0.unwrap();
    let (copied, calls) = copy(&mut to, 2, "");
    copied.unwrap();
    assert_eq!(to.to_vec().unwrap(), [2; LEN]);
    let is_after = calls.iter().position(|call| *call == "cuMemcpyPeerAsync").unwrap();
    let silent = ["cuStreamQuery", "cuStreamSynchronize", "cuCtxSynchronize"]
        .map(|call| format!("{call}=CUDA_ERROR_UNKNOWN"))
        .join(",");
    let mut value = 3;
    for number in is_after + 2..=calls.len() {
        let rule = format!("*:{number}=CUDA_ERROR_UNKNOWN,{silent}");
        let (copied, _) = copy(&mut to, value, &rule);
        let Err(Error::Driver { call, .. }) = copied else { panic!("{number}: {copied:?}") };
        assert!(["cuEventRecord", "cuStreamWaitEvent"].contains(&call), "{call}, {calls:?}");
        assert_eq!(to.to_vec().unwrap(), [value; LEN], "{number}: {call}");
        value += 1;
    }
    assert!(value > 4, "{calls:?}");
}
