//! Every driver call of a scenario fails once: the caller gets a typed error, or the call did not matter; nothing
//! panics, hangs or leaks, and the next run of the scenario finds everything as it was.

use super::environment::{child_of, is_child};
use super::*;
use crate::{
    Device, Error, Event, Graph, GrowableBuffer, Linker, ManagedBuffer, ManagedUse, MemoryAdvice,
    MemoryLimit, MemoryLocation, MemoryPool, Module, PinnedBuffer, PitchedBuffer,
};
use ptyx_emulator::driver::{Live, calls_made, fail_calls, live};
use std::time::{Duration, Instant};

type Scenario = (&'static str, fn() -> crate::Result<()>);

const SCENARIOS: [Scenario; 14] = [
    ("buffers", || {
        let stream = Stream::new()?;
        let a = DeviceBuffer::from_slice(&[1u32, 2, 3, 4])?;
        let mut b = DeviceBuffer::<u32>::zeroed_on(4, &stream)?;
        b.copy_from_buffer(&a)?;
        b.slice_mut(1..).fill(9)?;
        let clone = b.try_clone()?;
        drop(b);
        assert_eq!(clone.to_vec()?, [1, 9, 9, 9]);
        assert_eq!(a.slice(2..).to_vec()?, [3, 4]);
        Ok(())
    }),
    ("launches", || {
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let stream = Stream::new()?;
        for stream in [&stream, &Stream::default()?] {
            let config = LaunchConfig::new().threads(32).stream(stream);
            run_saxpy(config, 3.0, &x, &mut y)?;
        }
        assert_eq!(y.to_vec()?, [8.0; 32]);
        crate::synchronize()
    }),
    ("pools", || {
        let (device, stream) = (Device::current()?, Stream::new()?);
        let shared = MemoryPool::shareable(&device, MemoryLimit::None)?;
        let current = MemoryPool::new(&device, MemoryLimit::Bytes(64 << 20))?;
        current.make_current()?;
        let first = DeviceBuffer::<u8>::zeroed_in(100, &shared, &stream)?;
        let second = DeviceBuffer::filled(100, 7u8)?;
        first.share_in_pool()?;
        drop((shared, current));
        let third = DeviceBuffer::<u8>::zeroed(100)?;
        assert!(MemoryPool::of_device(&device)?.is_current()?);
        assert_eq!((first.to_vec()?, second.to_vec()?), (third.to_vec()?, vec![7; 100]));
        Ok(())
    }),
    ("pinned memory", || {
        let mut pinned = PinnedBuffer::from_slice(&[5u32, 6])?;
        let buffer = DeviceBuffer::from_slice(&[7u32, 8])?;
        pinned.copy_from_slice(&buffer.to_vec()?);
        assert_eq!(*pinned, [7, 8]);
        let vector = PinnedBuffer::from_vec(vec![1.0f32; 32])?;
        let mut y = PinnedBuffer::<f32>::zeroed(32)?;
        let stream = Stream::new()?;
        let config = LaunchConfig::new().threads(32).stream(&stream);
        call3(Here, saxpy, config, 2.0f32, &vector, &mut y)?;
        assert_eq!((vector.into_vec(), &*y), (vec![1.0; 32], &[2.0; 32][..]));
        let mut numbers = [0u32; 4];
        PinnedBuffer::scope(&mut numbers[..2], |pinned| {
            buffer.copy_to_pinned_on(pinned, &stream)
        })??;
        assert_eq!(numbers, [7, 8, 0, 0]);
        Ok(())
    }),
    ("managed memory", || {
        let stream = Stream::new()?;
        let x = ManagedBuffer::from_slice(&[1.0f32; 32])?;
        let mut y = ManagedBuffer::<f32>::zeroed(32)?;
        y.advise(.., MemoryAdvice::PreferredLocation(MemoryLocation::Host))?;
        x.prefetch_on(.., MemoryLocation::Host, &stream)?;
        let config = LaunchConfig::new().threads(32).stream(&stream);
        call3(Here, saxpy, config, 2.0f32, &x, &mut y)?;
        y.attach(ManagedUse::Host, &stream)?;
        assert_eq!(*y, [2.0; 32]);
        assert_eq!(y.attributes(..)?.preferred_location, Some(MemoryLocation::Host));
        Ok(())
    }),
    ("pitched arrays", || {
        let stream = Stream::new()?;
        let a = PitchedBuffer::from_slice(&[1u32, 2, 3, 4], [2, 2])?;
        let mut b = PitchedBuffer::filled_on([3, 3], 0.5f64, &stream)?;
        b.part_mut([1..2, 0..3])?.zero()?;
        let mut c = PitchedBuffer::<u32>::zeroed_on([3, 3], &stream)?;
        c.part_mut([0..3, 0..1])?.fill_on(9, &stream)?;
        c.part_mut([1..3, 1..3])?.copy_from_view(&a)?;
        drop(a);
        assert_eq!(c.to_vec()?, [9, 0, 0, 9, 1, 2, 9, 3, 4]);
        let mut pinned = PinnedBuffer::<f64>::zeroed(9)?;
        b.view().copy_to_pinned_on(pinned.view_mut([3, 3])?, &stream)?;
        assert_eq!(*pinned, [0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5]);
        Ok(())
    }),
    ("streams and events", || {
        let (first, second) = (Stream::new()?, Stream::new()?);
        let mut buffer = DeviceBuffer::<u32>::zeroed_on(100, &first)?;
        let start = Event::new()?;
        start.record(&first)?;
        buffer.fill(1)?;
        start.synchronize()?;
        second.synchronize()?;
        assert_eq!(buffer.to_vec()?, [1; 100]);
        Ok(())
    }),
    ("modules", || {
        const PART: &str =
            ".visible .global .align 4 .u32 v[2] = {3, 4};\n.visible .entry k() { ret; }";
        let mut linker = Linker::new()?;
        linker.add_ptx("part", &[HEAD, PART].concat())?;
        let module = Module::from_image(&linker.finish()?)?;
        let (k, v) = (module.function("k")?, module.global::<u32>("v")?);
        v.copy_from_slice(&[5, 6])?;
        // SAFETY: it does nothing.
        unsafe { k.launch(LaunchConfig::new(), ()) }?;
        assert_eq!(v.to_vec()?, [5, 6]);
        Ok(())
    }),
    ("memory and streams of others", || {
        let theirs = Stream::new()?;
        // SAFETY: the owner keeps the stream.
        let stream = unsafe { Stream::from_raw(theirs.raw(), theirs.clone())? };
        let memory = DeviceBuffer::from_slice_on(&[1u32, 2, 3, 4], &theirs)?;
        let address = memory.as_slice().address();
        // SAFETY: the owner keeps the memory, which nothing else uses.
        let mut buffer = unsafe { DeviceBuffer::<u32>::from_raw_on(address, 4, &stream, memory)? };
        buffer.fill(7)?;
        buffer.lend_on(&stream, |lent| assert_eq!(lent, address))?;
        assert_eq!(buffer.to_vec()?, [7; 4]);
        Ok(())
    }),
    ("profiles", || {
        let (mut buffer, stream) = (DeviceBuffer::<u32>::zeroed(40)?, Stream::new()?);
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let (sevens, profile) = crate::profile(|| {
            buffer.fill_on(7, &stream)?;
            run_saxpy(LaunchConfig::new().threads(32), 3.0, &x, &mut y)?;
            buffer.to_vec()
        })?;
        assert_eq!((sevens, profile.failed()), (vec![7; 40], 0));
        assert!(profile.work().len() >= 3, "{profile}");
        Ok(())
    }),
    ("graphs", || {
        let (stream, side) = (Stream::new()?, Stream::new()?);
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        let mut z = DeviceBuffer::<f32>::zeroed(32)?;
        let fork = Event::new()?;
        let graph = stream.capture(|stream| {
            let config = LaunchConfig::new().threads(32).stream(stream);
            fork.record(stream)?;
            side.wait(&fork)?;
            run_saxpy(config, 2.0, &x, &mut y)?;
            z.copy_from_buffer_on(&y, &side)
        })?;
        let mut exec = graph.instantiate()?;
        exec.launch(&side)?;
        exec.update(&graph)?;
        exec.launch(&stream)?;
        drop(graph);
        assert_eq!(z.to_vec()?, [4.0; 32]);
        Ok(())
    }),
    ("growable", || {
        let mut buffer = GrowableBuffer::<f32>::with_capacity(10 << 20)?;
        buffer.extend_from_slice(&[1.0; 32])?;
        buffer.resize(1 << 20, 2.0)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        run_saxpy(LaunchConfig::new().threads(32), 1.0, &buffer, &mut y)?;
        buffer.truncate(32);
        buffer.shrink_to_fit()?;
        assert_eq!(buffer.to_vec()?, y.to_vec()?);
        Ok(())
    }),
    ("graphs by hand", || {
        let stream = Stream::new()?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let (mut y, mut z) = (DeviceBuffer::<f32>::zeroed(32)?, DeviceBuffer::<f32>::zeroed(32)?);
        let (mut now, zero) = (DeviceBuffer::filled(1, 1u32)?, DeviceBuffer::filled(1, 0u32)?);
        let mut graph = Graph::new()?;
        let config = || LaunchConfig::new().threads(32);
        let kernel = graph.add_node(&[], |s| run_saxpy(config().stream(s), 2.0, &x, &mut y))?;
        graph.add_while(&mut now, &[kernel], |body, now| {
            body.add_node(&[], |s| z.copy_from_buffer_on(&y, s))?;
            body.add_node(&[], |s| now.copy_from_buffer_on(&zero, s)).map(|_| ())
        })?;
        graph.add_if(&zero, &[], |body| body.add_node(&[], |s| z.fill_on(0.0, s)).map(|_| ()))?;
        graph.with_scratch(32, &[], |graph, scratch| {
            graph.add_node(&[], |s| scratch.copy_from_buffer_on(&y, s))?;
            graph.add_node(&[], |s| z.copy_from_buffer_on(&*scratch, s))
        })?;
        let mut exec = graph.instantiate()?;
        exec.set_node(kernel, |s| run_saxpy(config().stream(s), 3.0, &x, &mut y))?;
        drop(graph);
        exec.launch(&stream)?;
        assert_eq!(z.to_vec()?, [3.0; 32]);
        Ok(())
    }),
    ("panics", || {
        let stream = Stream::new()?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&stream), 1.0, &x, &mut y)?;
        stream.synchronize()
    }),
];

/// Runs a scenario on a thread of its own, whose default stream is given back.
fn run(scenario: fn() -> crate::Result<()>) -> crate::Result<()> {
    let (done, result) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || done.send(scenario()).unwrap());
    let result =
        result.recv_timeout(Duration::from_secs(60)).expect("it panicked, or does not end");
    thread.join().unwrap();
    result
}

/// What exists beyond `before`, but for objects that a failed call did not give back. Pools are never destroyed.
fn leaks(before: Live, failed: &str) -> Option<String> {
    let now = live();
    let counts = |live: Live| {
        let Live {
            allocations,
            host_allocations,
            streams,
            events,
            modules,
            arrays,
            linkers,
            graphs,
            ..
        } = live;
        [allocations, host_allocations, streams, events, modules, arrays, linkers, graphs]
    };
    let more: Vec<usize> = counts(now)
        .iter()
        .zip(counts(before))
        .map(|(now, before)| now.saturating_sub(before))
        .collect();
    let gives_back = ["Free", "Destroy", "Unload", "Release", "cuCtxSetCurrent"];
    let allowed = match failed {
        // The memory, and the addresses at which it is still mapped.
        "cuMemUnmap" => 2,
        _ if !gives_back.iter().any(|part| failed.contains(part)) => 0,
        // A graph has its own memory, and the graph of which it was instantiated.
        _ if failed.contains("Graph") => 2,
        _ => 1,
    };
    (more.iter().sum::<usize>() > allowed).then(|| format!("{before:?} became {now:?}"))
}

fn sweep(name: &str, scenario: fn() -> crate::Result<()>) -> usize {
    for _ in 0..2 {
        run(scenario).unwrap();
    }
    fail_calls("").unwrap();
    run(scenario).unwrap();
    let (calls, _) = calls_made();
    // Allocations name their pool (`memory::pool`).
    assert!(!calls.contains(&"cuMemAllocAsync"), "{name}");
    for (index, symbol) in calls.iter().enumerate() {
        let code = match index % 3 {
            0 => "CUDA_ERROR_OUT_OF_MEMORY",
            1 => "CUDA_ERROR_UNKNOWN",
            _ => "CUDA_ERROR_NOT_SUPPORTED",
        };
        let place = format!("{name}: call {} of {}, {symbol} = {code}", index + 1, calls.len());
        // The first time, a default stream may be replaced by another, which is kept for later threads.
        let mut before = None;
        for _ in 0..2 {
            fail_calls(&format!("*:{}={code}", index + 1)).unwrap();
            let result = run(scenario);
            let (_, failed) = calls_made();
            assert!(failed.len() <= 1, "{place}");
            match &result {
                Ok(()) => {}
                Err(Error::OutOfMemory { .. } | Error::Assembler { .. }) => {}
                Err(Error::Driver { call, .. }) => {
                    assert!(failed[0].starts_with(call), "{place}: {call}");
                }
                Err(other) => panic!("{place}: {other}"),
            }
            if let Err(error) = run(scenario) {
                panic!("{place}: the next run fails: {error}");
            }
            // What a stream still used is given back by a thread of Ptyx.
            let leak = || before.and_then(|before| leaks(before, failed.first().unwrap_or(&"")));
            let deadline = Instant::now() + Duration::from_secs(10);
            while let Some(leak) = leak() {
                assert!(Instant::now() < deadline, "{place}: {leak} ({result:?})");
                std::thread::sleep(Duration::from_millis(1));
            }
            before = Some(live());
        }
    }
    calls.len()
}

#[test]
fn every_call_can_fail() {
    if !is_child() {
        // Each call's work at once: what exists is counted after each run.
        let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", "0")];
        let text = child_of("sweep", "every_call_can_fail", &variables);
        assert!(text.contains("calls failed"), "{text}");
        return;
    }
    kernels();
    let counts = SCENARIOS.map(|(name, scenario)| sweep(name, scenario));
    assert!(counts.iter().all(|&count| count >= 5), "{counts:?}");
    eprintln!("{counts:?} calls failed");
}

/// The first calls of a process, which choose the driver and make contexts and assemble kernels.
#[test]
fn the_first_calls_can_fail() {
    if !is_child() {
        for number in 1..=40 {
            let rule = format!("*:{number}=CUDA_ERROR_UNKNOWN");
            let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_FAIL", rule.as_str())];
            let text = child_of("sweep", "the_first_calls_can_fail", &variables);
            assert!(text.contains("ended: "), "{rule}: {text}");
        }
        return;
    }
    kernels();
    eprintln!("ended: {:?}", run(SCENARIOS[1].1).map_err(|error| error.to_string()));
}
