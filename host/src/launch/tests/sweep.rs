//! Every driver call of a scenario fails: once, from then on, or each call of its function. The caller gets a typed error, or
//! the call did not matter; nothing panics, hangs or leaks, and the next run of the scenario finds everything as it was.
//!
//! A sample by a seed that a failure shows; all with `PTYX_TEST_ALL=1`.

use super::environment::{child_of, is_child};
use super::*;
use crate::{
    Constant, CudaArray, Device, Error, Event, Global, Graph, GrowableBuffer, Linker,
    ManagedBuffer, ManagedUse, MemoryAdvice, MemoryLimit, MemoryLocation, MemoryPool, Module,
    PinnedBuffer, PitchedBuffer, StagingBuffer, Surface, TensorMap, TensorMapMut, Texture,
    device_static,
};
use ptyx_device::random::{Philox4x32, Random as _};
use ptyx_emulator::driver::{Live, calls_made, fail_calls, live};
use std::time::{Duration, Instant};

#[device_static]
static FOUND: Global<u32> = Global::new(0);
#[device_static]
static TABLE: Constant<[u32; 3]> = Constant::new([0; 3]);

type Scenario = (&'static str, fn() -> crate::Result<()>);

const SCENARIOS: [Scenario; 20] = [
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
    ("graphs and the host", || {
        let stream = Stream::new()?;
        let (mut input, mut output) =
            (StagingBuffer::from_slice(&[1u32, 2, 3])?, StagingBuffer::<u32>::zeroed(3)?);
        let other = StagingBuffer::from_slice(&[4u32, 5, 6])?;
        let mut buffer = DeviceBuffer::<u32>::zeroed(3)?;
        let mut graph = Graph::new()?;
        let read = graph.add_node(&[], |s| buffer.copy_from_pinned_on(&input, s))?;
        graph.add_node(&[], |s| buffer.copy_to_pinned_on(&mut output, s))?;
        let mut exec = graph.instantiate()?;
        input.write()[0] = 9;
        exec.launch(&stream)?;
        stream.synchronize()?;
        assert_eq!(output.read()[..], [9, 2, 3]);
        exec.set_node(read, |s| buffer.copy_from_pinned_on(&other, s))?;
        drop((graph, input, other));
        exec.launch(&stream)?;
        drop(exec);
        stream.synchronize()?;
        assert_eq!(output.read()[..], [4, 5, 6]);
        Ok(())
    }),
    ("arrays and textures", || {
        let stream = Stream::new()?;
        let mut array = CudaArray::<f32>::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])?;
        let mut pinned = PinnedBuffer::from_slice(&[5.0f32, 6.0])?;
        array.copy_part_from_pinned_on([0, 0], pinned.view([1, 2])?, &stream)?;
        let texture = Texture::<f32>::new(&array)?;
        drop(texture);
        drop(Surface::new(&mut array)?);
        let mut other = CudaArray::<f32>::zeroed([2, 2])?;
        other.copy_part_from_array_on([1, 0], &array, [0..1, 0..2], &stream)?;
        other.copy_part_to_pinned_on([1, 0], pinned.view_mut([1, 2])?, &stream)?;
        let mut buffer = DeviceBuffer::<f32>::zeroed(4)?;
        array.copy_to_buffer_on(&mut buffer, &stream)?;
        assert_eq!((&*pinned, buffer.to_vec()?), (&[5.0, 6.0][..], vec![5.0, 6.0, 3.0, 4.0]));
        Ok(())
    }),
    ("tensor maps", || {
        let mut x = DeviceBuffer::<f32>::zeroed(64 * 64)?;
        TensorMap::<[[f32; 8]; 32]>::new(&x, [64, 64])?;
        TensorMapMut::<[[f32; 8]; 32]>::new(&mut x, [64, 64])?;
        Ok(())
    }),
    ("conversions", || {
        let stream = Stream::new()?;
        let exact = DeviceBuffer::from_slice(&[0.5f64, 1e300])?;
        let mut short = DeviceBuffer::<f32>::zeroed_on(2, &stream)?;
        short.as_slice_mut().copy_from_buffer_as_on(&exact, &stream)?;
        assert_eq!(short.to_vec()?, [0.5, f32::INFINITY]);
        assert_eq!(DeviceBuffer::<f32>::from_slice_as(&[1.5f64])?.to_vec()?, [1.5]);
        Ok(())
    }),
    ("statics", || {
        FOUND.set(&7)?;
        TABLE.set(&[1, 2, 3])?;
        assert_eq!((FOUND.get()?, TABLE.get()?), (7, [1, 2, 3]));
        Ok(())
    }),
    ("other devices", || {
        let there = Device::get(1)?;
        let (stream, theirs) = (Stream::new()?, there.with(Stream::new)?);
        let pool = MemoryPool::new(&there, MemoryLimit::None)?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed_in(32, &pool, &theirs)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&stream), 2.0, &x, &mut y)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&theirs), 2.0, &x, &mut y)?;
        let mut back = DeviceBuffer::<f32>::zeroed(32)?;
        back.copy_from_buffer_on(&y, &stream)?;
        drop(y);
        assert_eq!(back.to_vec()?, [4.0; 32]);
        let array = there.with(|| CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2]))?;
        let mut copy = CudaArray::<u8>::zeroed([2, 2])?;
        copy.copy_part_from_array_on([0, 0], &array, [0..2, 0..2], &stream)?;
        drop(array);
        assert_eq!(copy.to_vec()?, [1, 2, 3, 4]);
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

/// Of a hundred cases, how many are tried unless all are.
const TRIED: u32 = 50;

/// Runs a scenario on a thread of its own, whose default stream is given back.
fn run(scenario: fn() -> crate::Result<()>) -> crate::Result<()> {
    let (done, result) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || done.send(scenario()).unwrap());
    let result =
        result.recv_timeout(Duration::from_secs(60)).expect("it panicked, or does not end");
    thread.join().unwrap();
    result
}

/// Which calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The call of a number.
    Once,
    /// That one and all later ones: also those that give back what there is.
    FromThenOn,
    /// Each call of a function.
    Function,
}

/// What exists beyond `before`, but for objects that failed calls did not give back. Pools are never destroyed.
fn leaks(name: &str, before: Live, failed: &[&str]) -> Option<String> {
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
    let failed_calls = failed.len();
    let of_call = |failed: &&str| match *failed {
        // The memory, and the addresses at which it is still mapped; the array, and its memory.
        "cuMemUnmap" | "cuArrayDestroy" => 2,
        // A default stream that may be busy is not used again; each new one is kept.
        "cuStreamQuery" if failed_calls > 1 => 1,
        // A capture that can't be ended. One failure is not the end: it is tried again.
        "cuStreamEndCapture" if failed_calls > 1 => 1,
        _ if !gives_back.iter().any(|part| failed.contains(part)) => 0,
        // A graph has its own memory, and the graph of which it was instantiated.
        _ if failed.contains("Graph") => 2,
        _ => 1,
    };
    // A static remembers as many streams before it looks which are done: default streams of threads that have ended.
    let remembered = if name == "statics" { 17 } else { 0 };
    let allowed: usize = remembered + failed.iter().map(of_call).sum::<usize>();
    (more.iter().sum::<usize>() > allowed).then(|| format!("{before:?} became {now:?}"))
}

/// Makes calls of a scenario fail; those that `is_tried` chooses. How many were tried.
fn sweep(
    name: &str,
    scenario: fn() -> crate::Result<()>,
    mut is_tried: impl FnMut() -> bool,
) -> usize {
    for _ in 0..2 {
        run(scenario).unwrap();
    }
    fail_calls("").unwrap();
    run(scenario).unwrap();
    let (calls, _) = calls_made();
    // Allocations name their pool (`memory::pool`).
    assert!(!calls.contains(&"cuMemAllocAsync"), "{name}");
    let mut tried = 0;
    for (index, symbol) in calls.iter().enumerate() {
        let is_first = !calls[..index].contains(symbol);
        for mode in [Mode::Once, Mode::FromThenOn, Mode::Function] {
            let fail = match mode {
                Mode::Once => 0..0,
                Mode::FromThenOn => index..calls.len(),
                Mode::Function => index..index + 1,
            };
            // The host's memory would stay registered when it is freed, and later runs could not register it.
            let stays_registered = calls[fail].contains(&"cuMemHostUnregister");
            if mode == Mode::Function && !is_first || stays_registered || !is_tried() {
                continue;
            }
            let code = match index % 3 {
                0 => "CUDA_ERROR_OUT_OF_MEMORY",
                1 => "CUDA_ERROR_UNKNOWN",
                _ => "CUDA_ERROR_NOT_SUPPORTED",
            };
            let rule = match mode {
                Mode::Once => format!("*:{}={code}", index + 1),
                Mode::FromThenOn => format!("*:{}+={code}", index + 1),
                Mode::Function => format!("{symbol}={code}"),
            };
            fails(name, scenario, mode, &rule);
            tried += 1;
        }
    }
    tried
}

/// Runs a scenario whose calls fail, twice.
fn fails(name: &str, scenario: fn() -> crate::Result<()>, mode: Mode, rule: &str) {
    // The first time, a default stream may be replaced by another, which is kept for later threads.
    let mut before = None;
    for _ in 0..2 {
        fail_calls(rule).unwrap();
        let result = run(scenario);
        let (_, failed) = calls_made();
        let place = format!("{name}: {rule}: {failed:?}");
        assert!(mode != Mode::Once || failed.len() <= 1, "{place}");
        match &result {
            Ok(()) => {}
            Err(Error::OutOfMemory { .. } | Error::Assembler { .. }) => {}
            Err(Error::Driver { call, .. }) => {
                assert!(failed.iter().any(|failed| failed.starts_with(call)), "{place}: {call}");
            }
            Err(other) => panic!("{place}: {other}"),
        }
        if let Err(error) = run(scenario) {
            panic!("{place}: the next run fails: {error}");
        }
        if mode == Mode::FromThenOn {
            continue;
        }
        // What a stream still used is given back by a thread of Ptyx.
        let leak = || before.and_then(|before| leaks(name, before, &failed));
        let deadline = Instant::now() + Duration::from_secs(10);
        while let Some(leak) = leak() {
            assert!(Instant::now() < deadline, "{place}: {leak} ({result:?})");
            std::thread::sleep(Duration::from_millis(1));
        }
        before = Some(live());
    }
}

#[test]
fn every_call_can_fail() {
    if !is_child() {
        // Each call's work at once: what exists is counted after each run.
        let seed = std::time::UNIX_EPOCH.elapsed().unwrap().subsec_nanos().to_string();
        println!("PTYX_TEST_SEED={seed}");
        let variables = [
            ("PTYX_DEVICE", "emulator"),
            ("PTYX_EMULATOR_DEVICES", "2"),
            ("PTYX_EMULATOR_ASYNC", "0"),
            ("PTYX_TEST_SEED", &seed),
        ];
        let text = child_of("sweep", "every_call_can_fail", &variables);
        assert!(text.contains("calls failed"), "{text}");
        return;
    }
    kernels();
    let all = std::env::var_os("PTYX_TEST_ALL").is_some();
    let seed: u64 = std::env::var("PTYX_TEST_SEED").unwrap().parse().unwrap();
    let mut rng = Philox4x32::at(seed, 0, 0);
    let mut is_tried = || all || rng.next_u32() % 100 < TRIED;
    let counts = SCENARIOS.map(|(name, scenario)| sweep(name, scenario, &mut is_tried));
    assert!(counts.iter().sum::<usize>() >= 100, "{counts:?}");
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
