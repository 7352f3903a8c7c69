//! The order of the host's writes and reads with launches on other streams.

use crate::library;
use ptyx::prelude::*;
use ptyx::{Constant, Global};
use ptyx_globals_tests::{SCALE, SEEN, scale_on};
use ptyx_test_support::rng;
use std::sync::atomic::{AtomicBool, Ordering};

#[device_static]
static ROUND: Constant<[u32; 32]> = Constant::new([0; 32]);

/// Threads that saw different elements, all of which the host sets to one value.
#[device_static]
static TORN: Global<Atomic<u32>> = Global::zeroed();

/// Sums of what kernels saw.
#[device_static]
static SUM: Global<Atomic<u64>> = Global::zeroed();

/// Reads the constant from first to last and back, with work between.
#[kernel]
fn look(mut y: Disjoint<u32>, work: u32) {
    let first = ROUND[0];
    let mut noise = first;
    for i in 0..work {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(ROUND[i as usize % 32]);
    }
    let same = ROUND.iter().all(|value| *value == first);
    if !same || (work > 0 && noise == 1) {
        TORN.fetch_add(1);
    }
    SUM.fetch_add(u64::from(first));
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = ROUND[31];
    }
}

#[test]
fn each_launch_sees_the_value_set_before_it() {
    const ROUNDS: usize = 40;
    let _library = library();
    TORN.set(&0).unwrap();
    SUM.set(&0).unwrap();
    let streams: Vec<Stream> = (0..3).map(|_| Stream::new().unwrap()).collect();
    let mut rng = rng();
    let mut runs = Vec::new();
    for _ in 0..ROUNDS {
        let value = rng.next_u32();
        ROUND.set_on(&[value; 32], &streams[rng.below(3)]).unwrap();
        let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
        let stream = &streams[rng.below(3)];
        let work = rng.below(2000) as u32;
        if rng.below(2) == 0 {
            launch!(look<<<2, 32, 0, stream>>>(&mut y, work)).unwrap();
        } else {
            // Another module.
            launch!(look<<<2, 32, 0, stream>>>(&mut y, work), maxregs = 64).unwrap();
        }
        runs.push((value, y));
    }
    // After all of these, on any stream.
    let sum: u64 = runs.iter().map(|(value, _)| 64 * u64::from(*value)).sum();
    assert_eq!((SUM.get().unwrap(), TORN.get().unwrap()), (sum, 0));
    for (round, (value, y)) in runs.into_iter().enumerate() {
        assert_eq!(y.to_vec().unwrap(), [value; 64], "round {round}");
    }
}

/// A host thread sets the values while others launch: no kernel may see a part of one and a part of another.
#[test]
fn values_are_never_torn() {
    let _library = library();
    TORN.set(&0).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let stream = Stream::new().unwrap();
            let mut round = 0;
            while !done.load(Ordering::Relaxed) {
                round += 1;
                ROUND.set_on(&[round; 32], &stream).unwrap();
            }
        });
        let launch = || {
            for work in 0..60 {
                let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
                launch!(look<<<2, 32>>>(&mut y, work * 7)).unwrap();
                let seen = y.to_vec().unwrap();
                assert!(seen.iter().all(|value| *value == seen[0]), "{seen:?}");
            }
        };
        let launching = [scope.spawn(launch), scope.spawn(launch)];
        let results = launching.map(|thread| thread.join());
        done.store(true, Ordering::Relaxed);
        results.into_iter().for_each(|result| result.unwrap());
    });
    assert_eq!(TORN.get().unwrap(), 0);
}

/// A kernel of the library on one stream, the host's changes on others.
#[test]
fn statics_of_a_library_are_ordered_too() {
    let _library = library();
    let streams = [Stream::new().unwrap(), Stream::new().unwrap()];
    let mut rng = rng();
    SEEN.set(&0).unwrap();
    let mut results = Vec::new();
    for round in 0..20 {
        let factors = [0; 4].map(|_| rng.below(1000) as f32);
        SCALE.set_on(&factors, &streams[round % 2]).unwrap();
        let mut x = DeviceBuffer::filled(128, 1.0f32).unwrap();
        scale_on(&mut x, &streams[(round / 2) % 2]).unwrap();
        results.push((factors, x));
    }
    assert_eq!(SEEN.get().unwrap(), 20 * 128);
    for (factors, x) in results {
        let want: Vec<f32> = (0..128).map(|i| factors[i % 4]).collect();
        assert_eq!(x.to_vec().unwrap(), want);
    }
    SCALE.set(&[1.0, 2.0, 4.0, 8.0]).unwrap();
}

#[device_static]
static ADDEND: Global<u32> = Global::new(1);

#[kernel]
fn add_addend(mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = y.wrapping_add(*ADDEND);
    }
}

/// Each launch of a graph sets the value between its kernels, whichever of its streams these are on.
#[test]
fn graphs_set_globals() {
    let _library = library();
    let (stream, side, fork) =
        (Stream::new().unwrap(), Stream::new().unwrap(), Event::new().unwrap());
    let mut rng = rng();
    let [first, second] = [rng.next_u32(), rng.next_u32()];
    let add =
        |y: &mut DeviceBuffer<u32>, stream: &Stream| launch!(add_addend<<<1, 64, 0, stream>>>(y));
    let mut buffers: Vec<_> = (0..4).map(|_| DeviceBuffer::<u32>::zeroed(64).unwrap()).collect();
    let graph = stream.capture(|stream| {
        let [a, b, c, d] = &mut buffers[..] else { panic!() };
        add(a, stream)?;
        ADDEND.set_on(&first, stream)?;
        fork.record(stream)?;
        side.wait(&fork)?;
        add(b, &side)?;
        add(c, stream)?;
        // After both kernels, including that of the other stream.
        ADDEND.set_on(&second, stream)?;
        add(d, &side)
    });
    let exec = graph.unwrap().instantiate().unwrap();
    let mut sums = [0u32; 4];
    for _ in 0..4 {
        let own = rng.next_u32();
        ADDEND.set_on(&own, &side).unwrap();
        exec.launch(&stream).unwrap();
        for (sum, addend) in sums.iter_mut().zip([own, first, first, second]) {
            *sum = sum.wrapping_add(addend);
        }
        assert_eq!(ADDEND.get().unwrap(), second);
    }
    for (buffer, sum) in buffers.iter().zip(sums) {
        assert_eq!(buffer.to_vec().unwrap(), [sum; 64]);
    }
    // Added to another graph.
    let set = stream.capture(|stream| ADDEND.set_on(&7, stream)).unwrap();
    let mut graph = ptyx::Graph::new().unwrap();
    let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
    graph.add_node(&[], |stream| add(&mut y, stream)).unwrap();
    graph.add(&set, &[]).unwrap();
    graph.add_node(&[], |stream| add(&mut y, stream)).unwrap();
    drop(set);
    ADDEND.set(&100).unwrap();
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!((y.to_vec().unwrap(), ADDEND.get().unwrap()), (vec![107; 64], 7));
    ADDEND.set(&1).unwrap();
}

#[device_static]
static OFFSETS: Constant<[u32; 2]> = Constant::new([3, 5]);

macro_rules! adding {
    ($($name:ident)*) => {$(
        #[kernel]
        fn $name(mut y: Disjoint<u32>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y = y.wrapping_add(OFFSETS[0]).wrapping_mul(OFFSETS[1]);
            }
        }
    )*};
}
// A module each, which is loaded at the first launch.
adding!(add_loaded add_early add_late add_side add_after add_outside);

/// Each launch of a graph sets a constant between its kernels, whose modules were loaded before the capture, are loaded in
/// it, or after it; and in all other kernels.
#[test]
fn graphs_set_constants() {
    let _library = library();
    let (stream, side, fork) =
        (Stream::new().unwrap(), Stream::new().unwrap(), Event::new().unwrap());
    let mut rng = rng();
    let mut values = [[0; 2]; 4].map(|_| [rng.next_u32(), rng.next_u32() | 1]);
    let mut buffers: Vec<_> = (0..6).map(|_| DeviceBuffer::<u32>::zeroed(64).unwrap()).collect();
    let mut outside = DeviceBuffer::<u32>::zeroed(64).unwrap();
    let apply = |y: u32, value: [u32; 2]| y.wrapping_add(value[0]).wrapping_mul(value[1]);
    launch!(add_loaded<<<1, 64>>>(&mut buffers[0])).unwrap();
    let capture = |[first, second]: [[u32; 2]; 2], buffers: &mut [DeviceBuffer<u32>]| {
        stream.capture(|stream| {
            let [a, b, c, d, e, f] = buffers else { panic!() };
            launch!(add_loaded<<<1, 64, 0, stream>>>(a))?;
            OFFSETS.set_on(&first, stream)?;
            launch!(add_early<<<1, 64, 0, stream>>>(b))?;
            launch!(add_loaded<<<1, 64, 0, stream>>>(c))?;
            fork.record(stream)?;
            side.wait(&fork)?;
            // Loaded beside it; the second launch is on the other stream.
            launch!(add_side<<<1, 64, 0, &side>>>(d))?;
            launch!(add_side<<<1, 64, 0, stream>>>(e))?;
            OFFSETS.set_on(&second, stream)?;
            launch!(add_late<<<1, 64, 0, &side>>>(f))
        })
    };
    let graph = capture([values[0], values[1]], &mut buffers).unwrap();
    assert_eq!(OFFSETS.get().unwrap(), [3, 5], "nothing has run");
    let mut exec = graph.instantiate().unwrap();
    let mut want = [0u32; 6];
    want[0] = apply(0, [3, 5]);
    let mut sum = 0;
    for round in 0..6 {
        if round == 3 {
            // The same modules, so the same nodes... but for those that were loaded in the first capture.
            let again = capture([values[2], values[3]], &mut buffers).unwrap();
            exec = again.instantiate().unwrap();
            values.rotate_left(2);
            // Captured once more: the same nodes with other values.
            let third = capture([values[1], values[0]], &mut buffers).unwrap();
            exec.update(&third).unwrap();
            values.swap(0, 1);
        }
        let own = [rng.next_u32(), rng.next_u32() | 1];
        OFFSETS.set_on(&own, &side).unwrap();
        exec.launch(if round % 2 == 0 { &stream } else { &side }).unwrap();
        assert_eq!(OFFSETS.get().unwrap(), values[1]);
        let seen = [own, values[0], values[0], values[0], values[0], values[1]];
        for (want, seen) in want.iter_mut().zip(seen) {
            *want = apply(*want, seen);
        }
        // Loaded after the launch of the graph, and used after and before it.
        launch!(add_after<<<1, 64>>>(&mut outside)).unwrap();
        sum = apply(sum, values[1]);
        if round > 1 {
            launch!(add_outside<<<1, 64, 0, &side>>>(&mut outside), maxregs = 64).unwrap();
            sum = apply(sum, values[1]);
        }
    }
    for (index, (buffer, want)) in buffers.iter().zip(want).enumerate() {
        assert_eq!(buffer.to_vec().unwrap(), [want; 64], "buffer {index}");
    }
    assert_eq!(outside.to_vec().unwrap(), [sum; 64]);
    drop((graph, exec));
    OFFSETS.set(&[3, 5]).unwrap();
}

/// What the host could not keep track of is refused.
#[test]
fn graphs_that_set_constants_stay_whole() {
    use ptyx::{Error, Graph, GraphNodeKind};
    let _library = library();
    let stream = Stream::new().unwrap();
    let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
    launch!(add_loaded<<<1, 64>>>(&mut y)).unwrap();
    let graph = stream.capture(|stream| {
        OFFSETS.set_on(&[1, 1], stream)?;
        launch!(add_loaded<<<1, 64, 0, stream>>>(&mut y))?;
        launch!(add_addend<<<1, 64, 0, stream>>>(&mut y))
    });
    let graph = graph.unwrap();
    let mut exec = graph.instantiate().unwrap();
    let nodes = graph.nodes().unwrap();
    let of_kind = |kind| -> Vec<_> {
        nodes.iter().copied().filter(|&node| graph.kind(node).unwrap() == kind).collect()
    };
    let is_refused = |result: ptyx::Result<()>| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Graph { .. }), "{error}");
        assert!(error.to_string().contains("`Constant`"), "{error}");
    };
    let (mut copies, mut kernels) = (0, 0);
    for copy in of_kind(GraphNodeKind::Copy) {
        copies += 1;
        is_refused(exec.set_enabled(copy, false));
        is_refused(exec.set_node(copy, |stream| ADDEND.set_on(&7, stream)));
    }
    for kernel in of_kind(GraphNodeKind::Kernel) {
        kernels += 1;
        is_refused(
            exec.set_node(kernel, |stream| launch!(add_loaded<<<1, 64, 0, stream>>>(&mut y))),
        );
        exec.set_enabled(kernel, false).unwrap();
        exec.set_node(kernel, |stream| launch!(add_addend<<<1, 32, 0, stream>>>(&mut y))).unwrap();
        exec.set_enabled(kernel, true).unwrap();
    }
    assert!(copies >= 1 && kernels == 2, "{copies}, {kernels}");
    let mut other = Graph::new().unwrap();
    is_refused(other.add(&graph, &[]).map(drop));
    is_refused(other.add_node(&[], |stream| OFFSETS.set_on(&[1, 1], stream)).map(drop));
    graph.try_clone().unwrap().instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(OFFSETS.get().unwrap(), [1, 1]);
    OFFSETS.set(&[3, 5]).unwrap();
}

/// One thread launches a graph whose kernels use statics, others set them: there is no deadlock.
#[test]
fn graphs_are_launched_while_others_set_statics() {
    let _library = library();
    let done = std::sync::Arc::new(AtomicBool::new(false));
    let shared = done.clone();
    let work = std::thread::spawn(move || {
        let stream = Stream::new().unwrap();
        let mut y = DeviceBuffer::<u32>::zeroed(64).unwrap();
        let graph = stream.capture(|stream| {
            launch!(add_addend<<<1, 64, 0, stream>>>(&mut y))?;
            ADDEND.set_on(&1, stream)?;
            launch!(look<<<2, 32, 0, stream>>>(&mut y, 1))?;
            launch!(add_addend<<<1, 64, 0, stream>>>(&mut y))
        });
        let exec = graph.unwrap().instantiate().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let stream = Stream::new().unwrap();
                    for round in 0..300 {
                        ROUND.set_on(&[round; 32], &stream).unwrap();
                        ADDEND.set_on(&1, &stream).unwrap();
                    }
                });
            }
            for _ in 0..300 {
                exec.launch(&stream).unwrap();
            }
        });
        stream.synchronize().unwrap();
        shared.store(true, Ordering::Release);
    });
    let start = std::time::Instant::now();
    while !done.load(Ordering::Acquire) && !work.is_finished() {
        assert!(start.elapsed().as_secs() < 60, "the launches wait for ever");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    work.join().unwrap();
}

/// A panic of a kernel that uses a global reaches whoever reads the global.
#[kernel]
fn panics(at: u32) {
    SUM.fetch_add(1);
    assert!(thread::x() != at, "thread {at} stops");
}

#[test]
fn reading_a_global_reports_panics() {
    let _library = library();
    let stream = Stream::new().unwrap();
    SUM.set(&0).unwrap();
    launch!(panics<<<1, 8, 0, &stream>>>(3)).unwrap();
    let error = SUM.get().unwrap_err();
    assert!(matches!(error, ptyx::Error::KernelPanic(_)), "{error}");
    assert_eq!(SUM.get().unwrap(), 8);
}

/// Each device has its own value. The emulated device is asked for two.
#[test]
fn devices_have_values_of_their_own() {
    const NAME: &str = "order::devices_have_values_of_their_own";
    const ALONE: &str = "PTYX_TEST_ALONE";
    if std::env::var(ALONE).is_err() {
        let program = std::env::current_exe().unwrap();
        let mut again = std::process::Command::new(program);
        again.args(["--exact", NAME, "--nocapture"]);
        again.env(ALONE, NAME).env("PTYX_EMULATOR_DEVICES", "2");
        let output = again.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let devices = Device::all().unwrap();
    if devices.len() < 2 {
        println!("skipped: there is one device");
        return;
    }
    let mut rng = rng();
    let factors: Vec<[f32; 4]> =
        devices.iter().map(|_| [0; 4].map(|_| rng.below(1000) as f32)).collect();
    for round in 0..2 {
        for (device, factors) in devices.iter().zip(&factors) {
            device.make_current().unwrap();
            if round == 0 {
                assert_eq!(SCALE.get().unwrap(), [1.0, 2.0, 4.0, 8.0]);
                assert_eq!(SEEN.get().unwrap(), 100);
                SCALE.set(factors).unwrap();
            }
            let mut x = DeviceBuffer::filled(64, 1.0f32).unwrap();
            scale_on(&mut x, &Stream::default().unwrap()).unwrap();
            let want: Vec<f32> = (0..64).map(|i| factors[i % 4]).collect();
            assert_eq!(x.to_vec().unwrap(), want);
            assert_eq!(SEEN.get().unwrap(), 100 + 64 * (round + 1));
            assert_eq!(SCALE.get().unwrap(), *factors);
        }
    }
}
