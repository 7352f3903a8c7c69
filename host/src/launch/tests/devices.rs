//! Two emulated devices, faults that stay, and wrong settings: each in a process of its own.

use super::*;
use crate as ptyx;
use crate::launch::call0;
use crate::{
    CachePreference, CudaArray, Device, DeviceArray, DeviceFlags, Error, Event, HostView, HostWait,
    Limit, ManagedBuffer, PeerAttribute, PitchedBuffer,
};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// Whether the process was started by [`child`].
pub(super) fn is_child() -> bool {
    std::env::var_os("PTYX_TEST_DEVICES").is_some()
}

/// Runs the test of this name (in this module, if it names none) on emulated devices with these variables set, in a process of its own; what
/// it wrote to stderr.
pub(super) fn child(test: &str, variables: &[(&str, &str)]) -> String {
    let module = if test.contains("::") { "" } else { "devices::" };
    let path = format!("launch::tests::{module}{test}");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &path, "--nocapture", "--test-threads=1"])
        .envs([("PTYX_TEST_DEVICES", "1"), ("PTYX_DEVICE", "emulator")])
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stdout));
    text
}

/// One kernel on the current device.
fn runs_saxpy(value: f32) -> Vec<f32> {
    let x = DeviceBuffer::filled(40, value).unwrap();
    let mut y = DeviceBuffer::filled(40, 1.0f32).unwrap();
    run_saxpy(LaunchConfig::new().blocks(2).threads(32), 2.0, &x, &mut y).unwrap();
    y.to_vec().unwrap()
}

#[test]
fn two_devices_side_by_side() {
    if !is_child() {
        child("two_devices_side_by_side", &[("PTYX_EMULATOR_DEVICES", "2")]);
        return;
    }
    kernels();
    let devices = Device::all().unwrap();
    let [first, second] = devices[..] else { panic!("{devices:?}") };
    assert_eq!((first.index(), second.index()), (0, 1));
    assert!(first != second && first.uuid() != second.uuid());
    assert_ne!(first.pci_bus_id(), second.pci_bus_id());
    assert!(first.attributes().unwrap().memory_pools);
    assert!(first.0.default_pool.is_some() && second.0.default_pool.is_some());
    let missing = Device::get(2).unwrap_err().to_string();
    assert_eq!(missing, "there is no device 2: this machine has 2, numbered from 0");

    // Each has its own work, from one thread and from several at once.
    for (device, value) in [(first, 1.0f32), (second, 2.0), (first, 3.0)] {
        assert_eq!(device.with(|| runs_saxpy(value)), vec![1.0 + 2.0 * value; 40]);
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let device = devices[thread % 2];
            scope.spawn(move || {
                device.make_current().unwrap();
                for round in 0..20 {
                    let value = (thread * 100 + round) as f32;
                    assert_eq!(runs_saxpy(value), vec![1.0 + 2.0 * value; 40]);
                }
            });
        }
    });

    // The current device is the thread's; the default one is what threads start with.
    second.with(|| {
        assert_eq!((Device::current().unwrap(), Device::default().unwrap()), (second, first));
        std::thread::spawn(move || assert_eq!(Device::current().unwrap(), first)).join().unwrap();
    });
    for device in &devices {
        let address = device.pci_bus_id().unwrap();
        assert_eq!(Device::by_pci_bus_id(&address).unwrap(), *device);
        assert_eq!(Device::by_uuid(device.uuid().unwrap()).unwrap(), Some(*device));
    }
    assert_eq!(Device::choose(|device| Some(device.index())).unwrap(), Some(second));
    assert_eq!(Device::choose(|_| Some(0)).unwrap(), Some(first), "the first of equals");
    assert_eq!(Device::choose(|_| None::<u32>).unwrap(), None);
    assert_eq!(Device::select(|device| device.index() > 0).unwrap(), [second]);
    assert_eq!(first.peer_attribute(PeerAttribute::PerformanceRank, &second).unwrap(), 0);
    assert!(first.peer_attribute(PeerAttribute::PerformanceRank, &first).is_err());
    let link = first.peer_attribute(PeerAttribute::AccessSupported, &second).unwrap();
    assert_eq!(first.can_access_peer(&second).unwrap(), link != 0);
    // Flags and preferences are each device's own.
    let flags = DeviceFlags::new().host_wait(HostWait::Yield).keep_local_memory(true);
    second.set_flags(&flags).unwrap();
    second.set_cache_preference(CachePreference::Shared).unwrap();
    assert_eq!((second.flags().unwrap(), first.flags().unwrap()), (flags, DeviceFlags::new()));
    assert_eq!(second.cache_preference().unwrap(), CachePreference::Shared);
    assert_eq!(first.cache_preference().unwrap(), CachePreference::None);
    second.set_limit(Limit::SyncDepth, 5).unwrap();
    let depths = (second.limit(Limit::SyncDepth).unwrap(), first.limit(Limit::SyncDepth).unwrap());
    assert_eq!(depths, (5, 2));

    // A device is idle unless one of its streams is busy; what is freed in a stream may be late.
    devices.iter().for_each(|device| device.synchronize().unwrap());
    let (busy, on_first) =
        (std::sync::Arc::new(std::sync::Barrier::new(2)), Stream::new().unwrap());
    let (inside, other) = (busy.clone(), on_first.clone());
    let giving = std::thread::spawn(move || {
        other.on_host(move || _ = (inside.wait(), inside.wait())).unwrap();
    });
    busy.wait();
    assert!(!first.is_idle().unwrap() && second.is_idle().unwrap());
    assert_eq!(Device::wait_until_idle(&devices).unwrap(), Some(second));
    busy.wait();
    giving.join().unwrap();
    on_first.synchronize().unwrap();
    assert_eq!(Device::wait_until_idle(&devices).unwrap(), Some(first));
    assert_eq!(Device::wait_until_idle(&[]).unwrap(), None);

    // Fills go to the memory's own device, kernels everywhere: see `peers`.
    let ours = DeviceBuffer::filled(40, 5.0f32).unwrap();
    let mut theirs = second.with(|| DeviceBuffer::filled(40, 6.0f32)).unwrap();
    assert_eq!((ours.device_index(), theirs.device_index()), (0, 1));
    let (stream, their_stream) = (Stream::new().unwrap(), second.with(Stream::new).unwrap());
    match theirs.fill_on(1.0, &stream) {
        Err(Error::WrongDevice { found: 1, expected: 0, .. }) => {}
        other => panic!("{other:?}"),
    }
    let config = LaunchConfig::new().blocks(2).threads(32);
    run_saxpy(config.clone(), 1.0, &ours, &mut theirs).unwrap();
    run_saxpy(config.stream(&their_stream), -1.0, &ours, &mut theirs).unwrap();
    assert_eq!(theirs.to_vec().unwrap(), [6.0; 40]);

    // Streams of one device may wait for events of another.
    let event = Event::new().unwrap();
    event.record(&stream).unwrap();
    their_stream.wait(&event).unwrap();
    their_stream.synchronize().unwrap();
    let their_event = second.with(Event::new).unwrap();
    their_event.record(&their_stream).unwrap();
    let between = Event::elapsed(&event, &their_event);
    assert!(matches!(between, Err(Error::EventTime { .. })), "{between:?}");
    assert!(matches!(stream.copy_attributes(&their_stream), Err(Error::WrongDevice { .. })));

    // A fault of one device is not the other's.
    let failed = second.with(|| call0(Here, fault, LaunchConfig::new()));
    assert!(first.synchronize().is_ok());
    let failed = failed.and_then(|()| second.synchronize());
    assert!(matches!(failed, Err(Error::Fault { .. })), "{failed:?}");
}

#[test]
fn another_thread_goes_on_while_a_kernel_runs() {
    if !is_child() {
        let limit = [("PTYX_EMULATOR_STEPS", "150000000")];
        let text = child("another_thread_goes_on_while_a_kernel_runs", &limit);
        assert!(text.contains("said: a kernel failed: CUDA_ERROR_LAUNCH_TIMEOUT"), "{text}");
        for part in
            ["150000000 instructions", "kernel `slow`, block (0, 0, 0)", "PTYX_EMULATOR_STEPS"]
        {
            assert!(text.contains(part), "{text}");
        }
        return;
    }
    kernels();
    let stream = Stream::new().unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(1).unwrap();
    std::thread::scope(|scope| {
        let long = scope.spawn(|| run_slow(u32::MAX, &mut out, &stream));
        while stream.is_idle().unwrap() {
            std::thread::yield_now();
        }
        let own = Stream::new().unwrap();
        for round in 0..5 {
            assert_eq!(runs_saxpy(round as f32), vec![1.0 + 2.0 * round as f32; 40]);
            own.synchronize().unwrap();
            assert!(own.is_idle().unwrap());
        }
        assert!(!stream.is_idle().unwrap(), "the long kernel ended first");
        long.join().unwrap().unwrap();
    });
    // The fault does not affect the device's other work, and is reported to the call that waits for it.
    ptyx::Stream::default().unwrap().synchronize().unwrap();
    eprintln!("said: {}", stream.synchronize().unwrap_err());
    stream.synchronize().unwrap();
}

#[test]
fn a_context_that_is_lost_stays_lost() {
    if is_child() {
        kernels();
        let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
        call0(Here, fault, LaunchConfig::new()).unwrap();
        let first = ptyx::synchronize().unwrap_err();
        assert!(matches!(&first, Error::Fault { report: Some(_), .. }), "{first}");
        for again in [ptyx::synchronize().err(), buffer.to_vec().err(), Stream::new().err()] {
            // Later errors have the same report.
            let Some(Error::Fault { code, report: Some(report), .. }) = again else {
                eprintln!("said: goes on");
                continue;
            };
            assert_eq!(Some(code), first.driver_code());
            assert!(first.to_string().contains(report.lines().next().unwrap()), "{report}");
            eprintln!("said: lost");
        }
        return;
    }
    let test = "a_context_that_is_lost_stays_lost";
    let text = child(test, &[("PTYX_EMULATOR_STICKY_ERRORS", "1")]);
    assert_eq!(text.matches("said: lost").count(), 3, "{text}");
    assert_eq!(child(test, &[]).matches("said: goes on").count(), 3);
}

#[test]
fn wrong_settings_are_errors_that_name_them() {
    if is_child() {
        for _ in 0..2 {
            let error = Device::current().unwrap_err();
            assert!(matches!(error, Error::BadSetting { .. }), "{error:?}");
            eprintln!("said: {error}");
        }
        return;
    }
    let file = std::env::current_exe().unwrap();
    let file = file.to_str().unwrap();
    for (variable, value) in [
        ("PTYX_DEVICE", "gpu"),
        ("PTYX_TRACE", "yes"),
        ("PTYX_DUMP", file),
        ("PTYX_EMULATOR_THREADS", "-1"),
        ("PTYX_EMULATOR_CAPABILITY", "hopper"),
        ("PTYX_EMULATOR_STEPS", "1e6"),
        ("PTYX_EMULATOR_DEVICES", "65"),
        ("PTYX_EMULATOR_STICKY_ERRORS", "maybe"),
    ] {
        let text = child("wrong_settings_are_errors_that_name_them", &[(variable, value)]);
        let wanted = format!("said: {variable} is `{value}`: it must be ");
        assert_eq!(text.matches(&wanted).count(), 2, "{text}");
    }
}

#[test]
fn a_graph_is_of_one_device() {
    if !is_child() {
        child("a_graph_is_of_one_device", &[("PTYX_EMULATOR_DEVICES", "2")]);
        return;
    }
    let [first, second] = Device::all().unwrap()[..] else { panic!("two devices") };
    let (here, there) = (first.with(Stream::new).unwrap(), second.with(Stream::new).unwrap());
    let (fork, mut far) =
        (Event::new().unwrap(), second.with(|| DeviceBuffer::<u32>::zeroed(4)).unwrap());
    let wrong = |result: crate::Result<()>| {
        assert!(matches!(result, Err(Error::WrongDevice { .. })), "{result:?}");
    };
    let mut graph = here
        .capture(|here| {
            fork.record(here)?;
            wrong(there.wait(&fork));
            wrong(far.fill_on(1, here));
            // The other device is not disturbed.
            far.fill_on(2, &there)?;
            second.synchronize()?;
            first.synchronize()
        })
        .unwrap();
    assert_eq!(far.to_vec().unwrap(), [2; 4]);
    let exec = graph.instantiate().unwrap();
    wrong(exec.launch(&there));
    exec.launch(&here).unwrap();
    let other = there.capture(|there| far.fill_on(3, there)).unwrap();
    wrong(graph.add(&other, &[]).map(|_| ()));
    other.instantiate().unwrap().launch(&there).unwrap();
    assert_eq!(far.to_vec().unwrap(), [3; 4]);
}

/// Each constructor without a stream has a sibling that takes one: it makes the memory on the stream's device, in the
/// stream's order, and refuses a stream that is captured.
#[test]
fn constructors_with_streams() {
    if !is_child() {
        child("constructors_with_streams", &[("PTYX_EMULATOR_DEVICES", "2")]);
        return;
    }
    kernels();
    let stream = Device::get(1).unwrap().with(Stream::new).unwrap();
    type Made = crate::Result<(u32, Vec<u8>)>;
    /// Which device has it, and what is in it; how it treats the stream.
    type Constructor = (&'static str, How, fn(&Stream) -> Made);
    #[derive(PartialEq)]
    enum How {
        /// The host waits for the stream's earlier work.
        Waits,
        /// It need not wait, but refuses a captured stream.
        Refuses,
        /// It becomes nodes in a capture, where what then uses the memory outside is refused.
        Captures,
    }
    use How::*;
    const BYTES: [u8; 4] = [1, 2, 255, 0];
    /// Memory that is full of one value, which then gets the bytes.
    fn refilled(mut buffer: DeviceBuffer<u8>, value: u8) -> Made {
        assert_eq!(buffer.to_vec()?, [value; 4]);
        buffer.copy_from_slice(&BYTES)?;
        Ok((buffer.device_index(), buffer.to_vec()?))
    }
    fn refilled_rows(mut buffer: PitchedBuffer<u8, 2>, value: u8) -> Made {
        assert_eq!(buffer.to_vec()?, [value; 4]);
        buffer.view_mut().copy_from_host(HostView::new(&BYTES, [2, 2])?)?;
        Ok((buffer.device_index(), buffer.to_vec()?))
    }
    fn refilled_array(mut array: CudaArray<u8>, value: u8) -> Made {
        assert_eq!(array.to_vec()?, [value; 4]);
        array.copy_from_slice(&BYTES)?;
        Ok((array.device_index(), array.to_vec()?))
    }
    fn refilled_managed(mut managed: ManagedBuffer<u8>, value: u8) -> Made {
        assert_eq!(*managed, [value; 4]);
        managed.copy_from_slice(&BYTES);
        Ok((managed.device_index(), managed.to_vec()))
    }
    const CONSTRUCTORS: [Constructor; 30] = [
        ("DeviceBuffer::zeroed_on", Captures, |stream| {
            refilled(DeviceBuffer::zeroed_on(4, stream)?, 0)
        }),
        ("DeviceBuffer::filled_on", Captures, |stream| {
            refilled(DeviceBuffer::filled_on(4, 9, stream)?, 9)
        }),
        ("DeviceBuffer::uninitialized_on", Captures, |stream| {
            // SAFETY: the fill writes all bytes.
            let mut buffer = unsafe { DeviceBuffer::uninitialized_on(4, stream) }?;
            buffer.fill_on(7, stream)?;
            refilled(buffer, 7)
        }),
        ("DeviceBuffer::from_slice_on", Waits, |stream| {
            let made = DeviceBuffer::from_slice_on(&BYTES, stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("DeviceBuffer::from_slice_as_on", Waits, |stream| {
            let made = DeviceBuffer::from_slice_as_on(&[1.5f32, 2.0, 300.0, -1.0], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("DeviceBuffer::zeroed_shareable_on", Refuses, |stream| {
            refilled(DeviceBuffer::zeroed_shareable_on(4, stream)?, 0)
        }),
        ("DeviceBuffer::similar_on", Captures, |stream| {
            let theirs = DeviceBuffer::filled_on(4, 9u8, stream)?;
            refilled(theirs.similar_on(stream)?, 0)
        }),
        ("DeviceBuffer::similar_of_on", Captures, |stream| {
            let theirs = DeviceBuffer::filled_on(4, 9.5f64, stream)?;
            refilled(theirs.similar_of_on(stream)?, 0)
        }),
        ("DeviceBuffer::try_clone_on", Captures, |stream| {
            let theirs = DeviceBuffer::filled_on(4, 9u8, stream)?;
            refilled(theirs.try_clone_on(stream)?, 9)
        }),
        ("DeviceArray::zeroed_on", Captures, |stream| {
            refilled(DeviceArray::<u8, 2>::zeroed_on([2, 2], stream)?.into_buffer(), 0)
        }),
        ("DeviceArray::filled_on", Captures, |stream| {
            refilled(DeviceArray::filled_on([2, 2], 9u8, stream)?.into_buffer(), 9)
        }),
        ("DeviceArray::from_slice_on", Waits, |stream| {
            let made = DeviceArray::from_slice_on(&BYTES, [2, 2], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("DeviceArray::try_clone_on", Captures, |stream| {
            let theirs = DeviceArray::filled_on([2, 2], 9u8, stream)?;
            refilled(theirs.try_clone_on(stream)?.into_buffer(), 9)
        }),
        ("PitchedBuffer::zeroed_on", Captures, |stream| {
            refilled_rows(PitchedBuffer::zeroed_on([2, 2], stream)?, 0)
        }),
        ("PitchedBuffer::filled_on", Captures, |stream| {
            refilled_rows(PitchedBuffer::filled_on([2, 2], 9, stream)?, 9)
        }),
        ("PitchedBuffer::uninitialized_on", Captures, |stream| {
            // SAFETY: the fill writes all bytes.
            let mut rows = unsafe { PitchedBuffer::uninitialized_on([2, 2], stream) }?;
            rows.view_mut().fill_on(7, stream)?;
            refilled_rows(rows, 7)
        }),
        ("PitchedBuffer::from_slice_on", Waits, |stream| {
            let made = PitchedBuffer::from_slice_on(&BYTES, [2, 2], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("PitchedBuffer::from_slice_as_on", Waits, |stream| {
            let numbers = [1.5f64, 2.0, f64::INFINITY, f64::NAN];
            let made = PitchedBuffer::from_slice_as_on(&numbers, [2, 2], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("PitchedBuffer::similar_on", Captures, |stream| {
            let theirs = PitchedBuffer::filled_on([2, 2], 9u8, stream)?;
            refilled_rows(theirs.similar_on(stream)?, 0)
        }),
        ("PitchedBuffer::similar_of_on", Captures, |stream| {
            let theirs = PitchedBuffer::filled_on([2, 2], 9.5f64, stream)?;
            refilled_rows(theirs.similar_of_on(stream)?, 0)
        }),
        ("PitchedBuffer::try_clone_on", Captures, |stream| {
            let theirs = PitchedBuffer::filled_on([2, 2], 9u8, stream)?;
            refilled_rows(theirs.try_clone_on(stream)?, 9)
        }),
        ("CudaArray::zeroed_on", Refuses, |stream| {
            refilled_array(CudaArray::zeroed_on([2, 2], stream)?, 0)
        }),
        ("CudaArray::zeroed_with_levels_on", Refuses, |stream| {
            refilled_array(CudaArray::zeroed_with_levels_on([2, 2], 2, stream)?, 0)
        }),
        ("CudaArray::from_slice_on", Waits, |stream| {
            let made = CudaArray::<u8>::from_slice_on(&BYTES, [2, 2], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("CudaArray::from_slice_as_on", Waits, |stream| {
            let numbers = [1.5f64, 2.0, f64::INFINITY, f64::NAN];
            let made = CudaArray::<u8>::from_slice_as_on(&numbers, [2, 2], stream)?;
            Ok((made.device_index(), made.to_vec()?))
        }),
        ("CudaArray::similar_on", Refuses, |stream| {
            let theirs = CudaArray::<u8>::zeroed_on([2, 2], stream)?;
            refilled_array(theirs.similar_on(stream)?, 0)
        }),
        ("ManagedBuffer::zeroed_on", Refuses, |stream| {
            refilled_managed(ManagedBuffer::zeroed_on(4, stream)?, 0)
        }),
        ("ManagedBuffer::filled_on", Refuses, |stream| {
            refilled_managed(ManagedBuffer::filled_on(4, 9, stream)?, 9)
        }),
        ("ManagedBuffer::from_slice_on", Refuses, |stream| {
            refilled_managed(ManagedBuffer::from_slice_on(&[9; 4], stream)?, 9)
        }),
        ("ManagedBuffer::similar_on", Refuses, |stream| {
            let theirs = ManagedBuffer::from_slice_on(&[9u8; 4], stream)?;
            refilled_managed(theirs.similar_on(stream)?, 0)
        }),
    ];
    for (name, how, make) in CONSTRUCTORS {
        let done = Arc::new(AtomicBool::new(false));
        let set = done.clone();
        let earlier = move || {
            std::thread::sleep(Duration::from_millis(20));
            set.store(true, Ordering::SeqCst);
        };
        stream.on_host(earlier).unwrap();
        let (device, bytes) = make(&stream).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((device, bytes), (1, vec![1, 2, 255, 0]), "{name}");
        assert!(how != Waits || done.load(Ordering::SeqCst), "{name} does not wait");
        stream.synchronize().unwrap();
        let captured = stream.capture(|stream| make(stream).map(drop));
        let error = captured.map(drop).expect_err(name);
        let is_of_graph = how == Captures && matches!(error, Error::Graph { .. });
        assert!(is_of_graph || matches!(error, Error::Capture { .. }), "{name}: {error}");
    }
}
