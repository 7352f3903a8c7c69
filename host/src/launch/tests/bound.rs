//! Bound kernels: each launch is ordered with all else that uses its memory, though it notes nothing.

use super::super::{prepare1, prepare3};
use super::environment::{child_of, is_child};
use super::*;
use crate::memory::tests::Random;
use crate::{BoundKernel, Error, PinnedBuffer, PreparedKernel};
use ptyx_device::Disjoint;
use ptyx_macros::kernel;

type Saxpy = PreparedKernel<(f32, &'static [f32], Disjoint<'static, f32>)>;

fn prepared() -> Saxpy {
    kernels();
    let x = DeviceBuffer::filled(1, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(1, 1.0f32).unwrap();
    prepare3(Here, saxpy, LaunchConfig::new(), 0.0f32, &x, &mut y).unwrap()
}

const LEN: usize = 64;

/// Sets each number behind a pointer to 5: `numbers: *mut f32`.
const POKE: &str = "
.visible .entry poke(.param .u64 poke_param_0)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [poke_param_0];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd1, %rd1, %rd2;
	st.global.f32 [%rd1], 0f40A00000;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn poke(numbers: *mut f32) {}

/// Adds the kernel, which follows a raw pointer.
fn add_poke() {
    let (args, params) = ([(8, 8, 0)], [(0, 0, 8)]);
    let root = (name(poke), Here::ID);
    let made = Made { root, ptx: POKE, entry: "poke", args: &args, params: &params };
    made.add_with(|kernel| kernel.code[0].follows_pointers = true);
}

fn on(stream: &Stream) -> LaunchConfig<'_> {
    LaunchConfig::new().threads(LEN).stream(stream)
}

/// Random programs of bound and usual launches, fills, copies and captures on three streams, against a model in which each call
/// is done at once.
#[test]
fn launches_of_bound_kernels_are_ordered_with_all_else() {
    if !is_child() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let fresh = u64::from(now.subsec_nanos()) % 100_000;
        for seed in [1, 2, 3, fresh, fresh + 1, fresh + 2] {
            println!("seed {seed}");
            let seed = seed.to_string();
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_ASYNC", "1"),
                ("PTYX_EMULATOR_SEED", seed.as_str()),
            ];
            child_of("bound", "launches_of_bound_kernels_are_ordered_with_all_else", &variables);
        }
        return;
    }
    let seed: u64 = std::env::var("PTYX_EMULATOR_SEED").unwrap().parse().unwrap();
    let mut random = Random(seed + 1);
    let saxpy = prepared();
    add_poke();
    let streams = [(); 3].map(|()| Stream::new().unwrap());
    let mut x = DeviceBuffer::filled(LEN, 1.0f32).unwrap();
    let mut ys = [(); 2].map(|()| DeviceBuffer::filled(LEN, 0.0f32).unwrap());
    let mut model = (1.0f32, [0.0f32; 2]);
    let mut graph = None;
    for round in 0..150 {
        let stream = &streams[random.below(3)];
        match random.below(8) {
            0 => {
                model.0 = random.below(5) as f32;
                x.fill_on(model.0, stream).unwrap();
            }
            1 => {
                let at = random.below(2);
                model.1[at] = random.below(100) as f32;
                ys[at].fill_on(model.1[at], stream).unwrap();
            }
            2 => {
                let at = random.below(2);
                run_saxpy(on(stream), 2.0, &x, &mut ys[at]).unwrap();
                model.1[at] = 2.0f32.mul_add(model.0, model.1[at]);
            }
            3 if graph.is_none() => {
                // From now on a graph uses one of them.
                let captured = stream.capture(|stream| {
                    ys[1].fill_on(7.0, stream)?;
                    run_saxpy(on(stream), 1.0, &x, &mut ys[1])
                });
                graph = Some(captured.unwrap().instantiate().unwrap());
            }
            4 if random.below(4) == 0 => {
                let _ = ys[0].device_address();
            }
            _ => {
                let other = &streams[random.below(3)];
                let [first, second] = &mut ys;
                // Both read `x`, each on its stream.
                let bound = [
                    saxpy.bind(on(stream), (1.0f32, &x, first)).unwrap(),
                    saxpy.bind(on(other), (0.5f32, &x, second)).unwrap(),
                ];
                for _ in 0..random.below(5) {
                    match random.below(6) {
                        0 => assert_eq!(x.to_vec().unwrap(), [model.0; LEN]),
                        1 => {
                            if let Some(exec) = &graph {
                                // It writes what is borrowed here, before or after other launches.
                                exec.launch(&streams[random.below(3)]).unwrap();
                                model.1[1] = 7.0 + model.0;
                            }
                        }
                        2 => {
                            let pointer = x.device_address() as *mut f32;
                            let config = on(&streams[random.below(3)]);
                            call1(Here, poke, config, (&&&&&Slot::new(pointer)).pass()).unwrap();
                            model.0 = 5.0;
                        }
                        3 => {
                            let captured = other.capture(|_| bound[1].launch());
                            let exec = captured.unwrap().instantiate().unwrap();
                            exec.launch(&streams[random.below(3)]).unwrap();
                            model.1[1] = 0.5f32.mul_add(model.0, model.1[1]);
                        }
                        _ => {
                            let at = random.below(2);
                            bound[at].launch().unwrap();
                            model.1[at] = [1.0f32, 0.5][at].mul_add(model.0, model.1[at]);
                        }
                    }
                }
            }
        }
        if random.below(6) == 0 {
            let at = random.below(2);
            let found = ys[at].to_vec().unwrap();
            assert_eq!(found, [model.1[at]; LEN], "seed {seed}, round {round}, buffer {at}");
        }
        // Small enough to be exact.
        if model.1.iter().any(|y| *y > 1e5) {
            for (y, model) in ys.iter_mut().zip(&mut model.1) {
                *model = 0.0;
                y.fill_on(0.0, stream).unwrap();
            }
        }
    }
    let found = ys.map(|y| y.to_vec().unwrap());
    assert_eq!(found, [vec![model.1[0]; LEN], vec![model.1[1]; LEN]], "seed {seed}");
}

/// The address of a bound buffer is taken, and a kernel writes there through a raw pointer, between two launches.
#[test]
fn an_address_is_taken_while_the_buffer_is_bound() {
    const NAME: &str = "an_address_is_taken_while_the_buffer_is_bound";
    if !is_child() {
        for seed in ["1", "2", "3"] {
            let variables = [
                ("PTYX_DEVICE", "emulator"),
                ("PTYX_EMULATOR_ASYNC", "1"),
                ("PTYX_EMULATOR_SEED", seed),
            ];
            child_of("bound", NAME, &variables);
        }
        return;
    }
    let saxpy = prepared();
    add_poke();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    for round in 0..40 {
        let x = DeviceBuffer::filled(LEN, 1.0f32).unwrap();
        let pinned = PinnedBuffer::from_slice(&[1.0f32; LEN]).unwrap();
        let mut ys = [(); 2].map(|()| DeviceBuffer::filled(LEN, 0.0f32).unwrap());
        let [y, z] = &mut ys;
        let bound = saxpy.bind(on(&stream), (1.0f32, &x, y)).unwrap();
        let host_bound = saxpy.bind(on(&stream), (1.0f32, &pinned, z)).unwrap();
        let launch = |times: usize| {
            for _ in 0..times {
                bound.launch().unwrap();
                host_bound.launch().unwrap();
            }
        };
        launch(round % 3);
        for address in [x.device_address(), pinned.device_address().unwrap()] {
            let pointer = address as *mut f32;
            let argument = (&&&&&Slot::new(pointer)).pass();
            call1(Here, poke, on(&other), argument).unwrap();
        }
        launch(3);
        drop((bound, host_bound));
        let want = [(round % 3) as f32 + 15.0; LEN];
        for y in &ys {
            assert_eq!(y.to_vec().unwrap(), want, "round {round}");
        }
    }
}

/// Each launch has a number of its own, so each panic is reported once.
#[test]
fn panics_of_bound_kernels_are_reported() {
    let _alone = alone();
    kernels();
    let stream = Stream::new().unwrap();
    let config = || LaunchConfig::new().stream(&stream);
    let panicking = prepare1(Here, panics, config(), 0u64).unwrap();
    let [bad, good] = [0u64, 1].map(|len| panicking.bind(config(), (len,)).unwrap());
    for round in 0..4 {
        good.launch().unwrap();
        stream.synchronize().unwrap();
        bad.launch().unwrap();
        good.launch().unwrap();
        let error = stream.synchronize().unwrap_err();
        assert!(matches!(&error, Error::KernelPanic(_)), "round {round}: {error}");
        stream.synchronize().unwrap();
    }
    // In a graph, too.
    let exec = stream.capture(|_| bad.launch()).unwrap().instantiate().unwrap();
    drop((bad, good));
    for _ in 0..2 {
        exec.launch(&stream).unwrap();
        let error = stream.synchronize().unwrap_err();
        assert!(matches!(&error, Error::KernelPanic(panic) if panic.graph.is_some()), "{error}");
    }
}

#[test]
fn many_threads_launch_bound_kernels() {
    let saxpy = prepared();
    let stream = Stream::new().unwrap();
    let x = DeviceBuffer::filled(LEN, 1.0f32).unwrap();
    let mut ys: Vec<_> = (0..4).map(|_| DeviceBuffer::filled(LEN, 0.0f32).unwrap()).collect();
    let mut shared = DeviceBuffer::filled(LEN, 0.0f32).unwrap();
    let all = saxpy.bind(on(&stream), (1.0f32, &x, &mut shared)).unwrap();
    std::thread::scope(|scope| {
        for y in &mut ys {
            let (all, saxpy, x, stream) = (&all, &saxpy, &x, &stream);
            scope.spawn(move || {
                let own = Stream::new().unwrap();
                for at in 0..20 {
                    let used = if at % 2 == 0 { stream } else { &own };
                    let bound = saxpy.bind(on(used), (2.0f32, x, &mut *y)).unwrap();
                    (0..5).for_each(|_| bound.launch().unwrap());
                    all.launch().unwrap();
                }
                // The stream is captured while others launch there: those wait, or their work is in the graph.
                let captured = own.capture(|stream| run_saxpy(on(stream), 1.0, x, y)).unwrap();
                captured.instantiate().unwrap().launch(stream).unwrap();
            });
        }
    });
    drop(all);
    assert_eq!(shared.to_vec().unwrap(), [80.0; LEN]);
    assert!(ys.iter().all(|y| y.to_vec().unwrap() == [201.0; LEN]));
}

/// Notes stand until the handle is gone; then the stream's uses need no lock again.
#[test]
fn notes_of_bound_kernels_stand_and_go() {
    let saxpy = prepared();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let x = DeviceBuffer::filled_on(LEN, 1.0f32, &stream).unwrap();
    let mut y = DeviceBuffer::filled_on(LEN, 0.0f32, &stream).unwrap();
    for _ in 0..100 {
        let bound = saxpy.bind(on(&stream), (1.0f32, &x, &mut y)).unwrap();
        bound.launch().unwrap();
        stream.synchronize().unwrap();
        // Nothing that looks for streams without work forgets it.
        let readers: Vec<_> = (0..20)
            .map(|_| {
                let reader = Stream::new().unwrap();
                let mut copy = DeviceBuffer::zeroed_on(LEN, &reader).unwrap();
                copy.copy_from_buffer_on(&x, &reader).unwrap();
                (reader, copy)
            })
            .collect();
        assert!(x.as_slice().has_note_of(&stream));
        drop(readers);
        bound.launch().unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [200.0; LEN]);
    assert!(x.as_slice().note_count() <= 40, "{}", x.as_slice().note_count());
    y.fill_on(1.0, &stream).unwrap();
    assert_eq!(y.as_slice().note_count(), 1);
    // A leaked handle only makes others wait.
    core::mem::forget(saxpy.bind(on(&stream), (1.0f32, &x, &mut y)).unwrap());
    for used in [&other, &stream, &other] {
        run_saxpy(on(used), 1.0, &x, &mut y).unwrap();
    }
    y.fill_on(3.0, &stream).unwrap();
    assert_eq!(y.to_vec().unwrap(), [3.0; LEN]);
    assert!(y.as_slice().has_note_of(&stream));
    drop((x, y));
    // Not the device: kernels of other tests may have panicked.
    for used in [stream, other] {
        used.synchronize().unwrap();
    }
}

#[test]
fn what_can_not_be_bound_is_refused() {
    let saxpy = prepared();
    let stream = Stream::new().unwrap();
    let x = DeviceBuffer::filled(LEN, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(LEN, 0.0f32).unwrap();
    let refused = |config: LaunchConfig<'_>, y: &mut DeviceBuffer<f32>| {
        let bound: crate::Result<BoundKernel<_>> = saxpy.bind(config, (1.0f32, &x, y));
        bound.map(drop).unwrap_err()
    };
    let error = refused(on(&stream).threads(5000), &mut y);
    assert!(matches!(&error, Error::Launch { reason, .. } if reason.contains("5000")), "{error}");
    let error = refused(on(&stream).maxregs(32), &mut y);
    assert!(matches!(&error, Error::Launch { reason, .. } if reason.contains("knob")), "{error}");
    let mut inside = None;
    let graph = stream.capture(|stream| {
        inside = Some(refused(on(stream), &mut y));
        Ok(())
    });
    assert_eq!(graph.unwrap().nodes().unwrap().len(), 0);
    let error = inside.unwrap();
    assert!(matches!(&error, Error::Capture { .. }), "{error}");
    assert!(error.to_string().contains("PreparedKernel::bind"), "{error}");
    // Pinned memory can be bound, but not be used by a graph.
    let pinned = PinnedBuffer::from_slice(&[2.0f32; LEN]).unwrap();
    let bound = saxpy.bind(on(&stream), (1.0f32, &pinned, &mut y)).unwrap();
    bound.launch().unwrap();
    assert_eq!(*pinned, [2.0; LEN]); // others may read
    let mut inside = None;
    stream
        .capture(|_| {
            inside = Some(bound.launch().unwrap_err());
            Ok(())
        })
        .unwrap();
    assert!(matches!(inside, Some(Error::Capture { .. })), "{inside:?}");
    let _ = pinned.device_address().unwrap();
    bound.launch().unwrap();
    drop(bound);
    assert_eq!(y.to_vec().unwrap(), [4.0; LEN]);
}

/// The arguments' bytes are laid out side by side, however large and aligned they are.
#[test]
fn arguments_of_any_layout_are_kept() {
    use super::super::bound::ArgBytes;
    use core::alloc::Layout;
    fn of<T>(arg: &T) -> (*const u8, Layout) {
        (core::ptr::from_ref(arg).cast(), Layout::new::<T>())
    }
    let args = [of(&7u8), of(&()), of(&[3u64; 40]), of(&9u8), of(&u128::MAX)];
    // SAFETY: the values that the layouts are of.
    let bytes = unsafe { ArgBytes::new(args.into_iter()) };
    assert_eq!(bytes.starts(), [0, 1, 8, 328, 336]);
}
