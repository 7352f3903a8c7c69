//! Errors of earlier work say which launch it was.

use super::environment::{child_of, is_child};
use super::*;
use crate::launch::call0;
use crate::{Device, Error};
use ptyx_emulator::driver::fail_calls;

/// The panic, if there is one.
fn panic_of(result: crate::Result<()>) -> crate::KernelPanic {
    match result {
        Err(Error::KernelPanic(panic)) => *panic,
        other => panic!("{other:?}"),
    }
}

/// A place of this file.
fn here(line: u32) -> String {
    format!("{}:{line}:", file!())
}

#[test]
fn a_panic_names_the_place_of_its_launch() {
    kernels();
    let stream = Stream::new().unwrap();
    let config = || LaunchConfig::new().stream(&stream);
    for length in [0u64, 1] {
        // With one thread, a length of 1 does not panic.
        let lines = [line!() + 1, line!() + 2];
        call1(Here, panics, config(), length).unwrap();
        call1(Here, panics, config(), 0u64).unwrap();
        let panic = panic_of(stream.synchronize());
        let place = panic.launch.clone().unwrap();
        assert!(place.starts_with(&here(lines[length as usize])), "{place}");
        assert!(panic.to_string().contains(&format!(", launched at {place}: ")), "{panic}");
        // The second, or one whose words are lost.
        let _ = stream.synchronize();
    }
    // After others that did not panic, as long as it is remembered.
    for (others, is_known) in [(100, true), (127, true), (128, false), (1000, false)] {
        let line = line!() + 1;
        call1(Here, panics, config(), 0u64).unwrap();
        (0..others).for_each(|_| call1(Here, panics, config(), 1u64).unwrap());
        let place = panic_of(stream.synchronize()).launch;
        assert_eq!(place.is_some(), is_known, "{others}");
        assert!(place.is_none_or(|place| place.starts_with(&here(line))), "{others}");
    }
}

#[test]
fn a_panic_of_a_graph_names_both_places() {
    kernels();
    let stream = Stream::new().unwrap();
    let captured = line!() + 2;
    let graph = stream
        .capture(|stream| call1(Here, panics, LaunchConfig::new().stream(stream), 0u64))
        .unwrap();
    let exec = graph.instantiate().unwrap();
    let launched = line!() + 1;
    exec.launch(&stream).unwrap();
    let panic = panic_of(stream.synchronize());
    assert!(panic.launch.unwrap().starts_with(&here(captured)));
    assert!(panic.graph.unwrap().starts_with(&here(launched)));
}

/// In a process of its own, as a GPU is lost after a fault; on the emulated device, whose report names the kernel.
#[test]
fn a_fault_names_the_place_of_its_launch() {
    if !is_child() {
        for late in ["0", "1"] {
            let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", late)];
            child_of("places", "a_fault_names_the_place_of_its_launch", &variables);
        }
        return;
    }
    kernels();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    run_shape(LaunchConfig::new(), &mut out).unwrap();
    let line = line!() + 1;
    call0(Here, fault, LaunchConfig::new()).unwrap();
    let error = crate::synchronize().unwrap_err();
    let Error::Fault { launches, .. } = &error else { panic!("{error}") };
    let [only] = &launches[..] else { panic!("{launches:?}") };
    assert!(only.contains("kernels::fault at ") && only.contains(&here(line)), "{only}");
    assert!(error.to_string().contains(&format!("the launch was probably {only}")), "{error}");
}

/// A GPU's driver does not say which kernel it was: all launches that may still have run are named.
#[test]
fn a_fault_without_a_report_names_all_that_may_be_it() {
    if !is_child() {
        let variables = [("PTYX_DEVICE", "emulator")];
        child_of("places", "a_fault_without_a_report_names_all_that_may_be_it", &variables);
        return;
    }
    kernels();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let [mut x, mut y] = [(); 2].map(|()| DeviceBuffer::<u32>::zeroed(7).unwrap());
    run_shape(LaunchConfig::new().stream(&stream), &mut x).unwrap();
    stream.synchronize().unwrap();
    let of_fault = || {
        fail_calls("cuStreamSynchronize=CUDA_ERROR_ILLEGAL_ADDRESS").unwrap();
        let error = stream.synchronize().unwrap_err();
        fail_calls("").unwrap();
        let text = error.to_string();
        match error {
            Error::Fault { launches, report: None, .. } => (launches, text),
            other => panic!("{other}"),
        }
    };
    assert!(of_fault().0.is_empty(), "it is done");
    let lines = [line!() + 1, line!() + 2, line!() + 3];
    run_slow(5, &mut x, &stream).unwrap();
    (0..20).for_each(|_| call1(Here, shape, LaunchConfig::new().stream(&stream), &mut x).unwrap());
    call1(Here, shape, LaunchConfig::new().stream(&other), &mut y).unwrap();
    let (launches, text) = of_fault();
    let [first, second] = &launches[..] else { panic!("{launches:?}") };
    assert!(first.contains("kernels::shape at ") && first.contains(&here(lines[1])), "{first}");
    assert!(second.contains("kernels::shape at ") && second.contains(&here(lines[2])), "{second}");
    assert!(text.contains("it may be any of these launches") && text.contains(&**second), "{text}");
    Device::current().unwrap().synchronize().unwrap();
    assert!(of_fault().0.is_empty(), "all are done");
    // A graph, and a kernel of a module.
    let graph = stream.capture(|stream| run_slow(5, &mut x, stream)).unwrap();
    let exec = graph.instantiate().unwrap();
    let line = line!() + 1;
    exec.launch(&stream).unwrap();
    let module = crate::Module::from_ptx(&[HEAD, ".visible .entry k() { ret; }"].concat()).unwrap();
    let k = module.function("k").unwrap();
    // SAFETY: it does nothing.
    unsafe { k.launch(LaunchConfig::new().stream(&stream), ()) }.unwrap();
    let (launches, _) = of_fault();
    let [first, second] = &launches[..] else { panic!("{launches:?}") };
    assert!(first.starts_with(&format!("k at {}", here(line + 4))), "{first}");
    assert!(second.starts_with(&format!("a graph at {}", here(line))), "{second}");
}

/// What a function of the host owns is dropped, also if a fault keeps the driver from calling it.
#[test]
fn functions_behind_a_fault_are_dropped() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};
    if !is_child() {
        for (late, sticky) in [("0", "0"), ("1", "0"), ("0", "1"), ("1", "1")] {
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_ASYNC", late),
                ("PTYX_EMULATOR_STICKY_ERRORS", sticky),
            ];
            child_of("places", "functions_behind_a_fault_are_dropped", &variables);
        }
        return;
    }
    kernels();
    let is_sticky = std::env::var("PTYX_EMULATOR_STICKY_ERRORS").unwrap() == "1";
    for whole_device in [false, true] {
        if is_sticky && whole_device {
            break;
        }
        let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
        let owned = Arc::new(());
        let before = ptyx_emulator::driver::live().allocations;
        let buffers: Vec<_> = (0..3).map(|_| DeviceBuffer::filled(9, 1u8).unwrap()).collect();
        call0(Here, fault, LaunchConfig::new().stream(&stream)).unwrap();
        let was_called = Arc::new(AtomicBool::new(false));
        for buffer in buffers {
            let (owned, was_called) = (owned.clone(), was_called.clone());
            let given = stream.on_host(move || {
                was_called.store(true, Ordering::SeqCst);
                drop((owned, buffer));
            });
            // A lost device takes no work.
            assert!(given.is_ok() || is_sticky, "{given:?}");
        }
        let elsewhere = Arc::new(());
        let kept = elsewhere.clone();
        let (tell, told) = std::sync::mpsc::channel();
        let on_other = other.on_host(move || tell.send(kept).unwrap());
        let failed = match whole_device {
            false => stream.synchronize(),
            true => crate::synchronize(),
        };
        assert!(matches!(failed, Err(Error::Fault { .. })), "{failed:?}");
        let is_freed = || is_sticky || ptyx_emulator::driver::live().allocations <= before;
        let deadline = Instant::now() + Duration::from_secs(10);
        while Arc::strong_count(&owned) > 1 || !is_freed() {
            assert!(Instant::now() < deadline, "{} owners", Arc::strong_count(&owned));
            std::thread::yield_now();
        }
        assert!(!was_called.load(Ordering::SeqCst));
        if !is_sticky {
            // Another stream's function is called.
            on_other.unwrap();
            drop(told.recv().unwrap());
            other.synchronize().unwrap();
        }
    }
}
