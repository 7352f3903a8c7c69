//! Launches that fail, and what is said about them.

use super::*;
use crate as ptyx;
use crate::launch::call0;
use crate::{Device, Error};
use ptyx_image::{Features, MaxDims};

#[test]
fn failed_launches_are_explained() {
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let mut text = |config| match run_shape(config, &mut out) {
        Err(error @ Error::Launch { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let new = LaunchConfig::new;
    let has = |text: String, part: &str| assert!(text.contains(part), "`{part}` in: {text}");
    has(text(new().maxthreads(1).threads(2)), "(2 > 1)");
    has(text(new().minthreads(64).threads(32)), "64 x 1 x 1");
    has(text(new().blocks(0)), "must be positive");
    has(text(new().threads(-1)), "must be positive, not -1 threads");
    has(text(new().threads(u64::MAX)), "(18446744073709551615 > ");
    has(text(new().maxregs(0)), "(0 < 1)");
    has(text(new().shared_bytes(-4)), "-4 bytes");
    let device = Device::current().unwrap();
    let limits = device.attributes().unwrap();
    let (most, z) = (limits.max_threads_per_block, limits.max_block[2]);
    has(text(new().threads(most + 1)), &format!("({} > ", most + 1));
    has(text(new().threads((1, 1, z + 1))), &format!("({} > {z})", z + 1));
    let y = limits.max_grid[1];
    has(text(new().blocks((1, y + 1))), &format!("({} > {y})", y + 1));
    let shared = limits.shared_memory_per_block_optin;
    has(text(new().shared_bytes(shared + 1024)), "KiB");
    // After all this, the device still works.
    run_shape(new(), &mut out).unwrap();
    Stream::default().unwrap().synchronize().unwrap();
}

#[test]
fn a_kernel_that_indexes_flatly_takes_flat_launches_only() {
    struct Flat;
    impl Site for Flat {
        const CRATE: u64 = 0;
        const PLACE: &'static str = "by hand";
        const KERNEL: &'static str = "kernel";
        const ID: &'static str = "by hand, flat";
    }
    let root = (name(flat_shape), Flat::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    let made = Made { root, ptx: SHAPE, entry: "shape", args: &[view::<u32>()], params: &params };
    made.add_with(|kernel| kernel.code[0].max_dims = MaxDims { grid: 1, block: 1 });
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let mut run = |config| call1(Flat, flat_shape, config, (&&&&&Slot::new(&mut out)).pass());
    run(LaunchConfig::new().blocks(2).threads(32)).unwrap();
    for config in [LaunchConfig::new().blocks((1, 2)), LaunchConfig::new().threads((1, 1, 2))] {
        let text = run(config).unwrap_err().to_string();
        assert!(text.contains("thread::index_1d") && text.contains("1-D shape"), "{text}");
    }
}

#[test]
fn a_missing_kernel_says_what_to_do() {
    kernels();
    let text = call0(Here, missing, LaunchConfig::new()).unwrap_err().to_string();
    for part in ["missing", "by hand", "build.rs", "ptyx_compiler::build()"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_kernel_for_a_newer_device_is_refused() {
    let made = Made {
        root: (name(too_new), Here::ID),
        ptx: BROKEN,
        entry: "broken",
        args: &[],
        params: &[],
    };
    let exact = |sm| Arch { features: Features::Exact, sm };
    made.add_with(|kernel| {
        let codes = [Arch::portable(9990), exact(500), exact(510)];
        kernel.code = codes.map(|arch| Code { arch, ..kernel.code[0].clone() }).into();
    });
    let text = call0(Here, too_new, LaunchConfig::new()).unwrap_err().to_string();
    let (major, minor) = crate::Device::current().unwrap().compute_capability();
    for part in [
        "too_new needs sm_9990 or later, or sm_500a, or sm_510a; ",
        &format!("has compute capability {major}.{minor}"),
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_assemblers_log_is_in_the_error() {
    kernels();
    let error = call0(Here, broken, LaunchConfig::new()).unwrap_err();
    let Error::Assembler { what, log, .. } = &error else { panic!("{error}") };
    assert!(what.ends_with("broken"), "{what}");
    assert!(log.contains("frobnicate"), "{log}");
    let error = ptyx::Module::from_ptx(&[HEAD, BROKEN].concat()).unwrap_err();
    assert!(error.to_string().contains("frobnicate"), "{error}");
    let module = ptyx::Module::from_ptx(&[HEAD, PANIC].concat()).unwrap();
    assert_eq!(module.global::<u64>("__ptyx_panic_module").unwrap().len(), 1);
    assert!(matches!(module.global::<u8>("nothing"), Err(Error::NotFound { .. })));
    assert!(module.function("panics").unwrap().attributes().unwrap().max_threads >= 32);
    let error = module.function("nothing").unwrap_err();
    assert_eq!(error.to_string(), "the module has no entry `nothing`; it has `panics`");
}

fn run_panics(len: u64, threads: u32) -> crate::Result<()> {
    kernels();
    let config = LaunchConfig::new().threads(threads);
    call1(Here, panics, config, (&&&&&Slot::new(len)).pass())
}

#[test]
fn a_panic_is_reported_once_and_the_device_goes_on() {
    let stream = Stream::default().unwrap();
    run_panics(64, 64).unwrap();
    stream.synchronize().unwrap();
    for _ in 0..3 {
        run_panics(40, 64).unwrap();
        let Err(Error::KernelPanic(panic)) = stream.synchronize() else { panic!("no report") };
        assert!(panic.kernel.ends_with("tests::kernels::panics"), "{}", panic.kernel);
        let (index, len) = panic.bounds.unwrap();
        assert_eq!((len, panic.line, panic.column, panic.file.as_str()), (40, 42, 9, "a.s"));
        assert!((40..64).contains(&index));
        assert_eq!((panic.block, panic.thread), ([7, 0, 0], [index as u32, 0, 0]));
        assert!(panic.message.contains("the len is 40 but the index is"), "{}", panic.message);
        let text = panic.to_string();
        assert!(text.contains("a.s:42:9, block (7, 0, 0)"), "{text}");
        stream.synchronize().unwrap();
    }
    // Reading a buffer reports it, too.
    let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    run_panics(0, 1).unwrap();
    stream.0.finish().unwrap();
    assert!(matches!(buffer.to_vec(), Err(Error::KernelPanic(_))));
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

fn run_panics_on(stream: &Stream, len: u64) {
    kernels();
    let config = LaunchConfig::new().stream(stream);
    call1(Here, panics, config, (&&&&&Slot::new(len)).pass()).unwrap();
}

fn panic_of<T>(result: crate::Result<T>) -> crate::KernelPanic {
    match result {
        Err(Error::KernelPanic(panic)) => *panic,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no report"),
    }
}

#[test]
fn each_stream_gets_its_own_panics() {
    let streams: Vec<Stream> = (0..40).map(|_| Stream::new().unwrap()).collect();
    let idle = Stream::new().unwrap();
    for (i, stream) in streams.iter().enumerate() {
        // Every third one panics; its thread 0 does, with the index 0 and the length 0.
        run_panics_on(stream, u64::from(i % 3 != 0));
    }
    idle.synchronize().unwrap();
    for (i, stream) in streams.iter().enumerate().rev() {
        if i % 3 == 0 {
            assert_eq!(panic_of(stream.synchronize()).others, 0);
        }
        stream.synchronize().unwrap();
    }
}

#[test]
fn threads_get_their_own_panics() {
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            scope.spawn(move || {
                for round in 0..30u64 {
                    let len = if (thread + round).is_multiple_of(3) { 0 } else { 1 };
                    run_panics(len, 1).unwrap();
                    let result = Stream::default().unwrap().synchronize();
                    assert_eq!(result.is_err(), len == 0, "thread {thread}, round {round}");
                }
            });
        }
    });
}

#[test]
fn panics_before_the_first_report_are_counted() {
    let stream = Stream::new().unwrap();
    for _ in 0..3 {
        run_panics_on(&stream, 0);
    }
    let panic = panic_of(stream.synchronize());
    assert_eq!(panic.others, 2);
    assert!(panic.to_string().contains("2 later launches on the stream panicked"), "{panic}");
    stream.synchronize().unwrap();
    run_panics_on(&stream, 0);
    assert_eq!(panic_of(stream.synchronize()).others, 0);
}

#[test]
fn who_waits_for_a_panicked_launch_is_told() {
    let event = crate::Event::new().unwrap();
    // An event behind the launch, not one before it.
    let stream = Stream::new().unwrap();
    event.record(&stream).unwrap();
    run_panics_on(&stream, 0);
    event.synchronize().unwrap();
    event.record(&stream).unwrap();
    panic_of(event.synchronize());
    stream.synchronize().unwrap();
    // A stream that waits for the event, and one that waits for that.
    let [second, third] = [(); 2].map(|()| Stream::new().unwrap());
    run_panics_on(&stream, 0);
    event.record(&stream).unwrap();
    second.wait(&event).unwrap();
    event.record(&second).unwrap();
    third.wait(&event).unwrap();
    panic_of(third.synchronize());
    second.synchronize().unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn a_dropped_streams_slot_is_not_anothers_while_its_panic_is_unread() {
    for _ in 0..100 {
        let stream = Stream::new().unwrap();
        run_panics_on(&stream, 0);
        drop(stream);
        let next = Stream::new().unwrap();
        run_panics_on(&next, 1);
        next.synchronize().unwrap();
    }
}

#[test]
fn what_a_panicked_kernel_wrote_is_reported_to_other_threads_too() {
    kernels();
    let stream = Stream::new().unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(1).unwrap();
    run_slow(1, &mut out, &stream).unwrap();
    run_panics_on(&stream, 0);
    // The buffer is used by a launch before and one behind the panic.
    run_slow(1, &mut out, &stream).unwrap();
    panic_of(stream.synchronize());
    let told = std::thread::scope(|scope| {
        let read = || (out.to_vec().map(|_| ()), out.to_vec());
        scope.spawn(read).join().unwrap()
    });
    panic_of(told.0);
    assert_eq!(told.1.unwrap(), [2]);
    assert_eq!(out.to_vec().unwrap(), [2]);
}

#[test]
fn what_a_panicked_kernel_wrote_is_reported_after_many_readers_too() {
    kernels();
    let stream = Stream::new().unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(1).unwrap();
    run_slow(1, &mut out, &stream).unwrap();
    run_panics_on(&stream, 0);
    run_slow(1, &mut out, &stream).unwrap();
    panic_of(stream.synchronize());
    // Enough for the buffer's list of uses to be tidied.
    let readers: Vec<Stream> = (0..40).map(|_| Stream::new().unwrap()).collect();
    let mut copy = DeviceBuffer::<u32>::zeroed(1).unwrap();
    for reader in &readers {
        copy.copy_from_buffer_on(&out, reader).unwrap();
    }
    let told = std::thread::scope(|scope| scope.spawn(|| out.to_vec()).join().unwrap());
    panic_of(told);
}

#[test]
fn a_default_stream_that_somebody_holds_is_no_other_threads() {
    kernels();
    let held: Vec<Stream> =
        (0..4).map(|_| std::thread::spawn(|| Stream::default().unwrap()).join().unwrap()).collect();
    for (at, stream) in held.iter().enumerate() {
        assert!(held[..at].iter().all(|other| !other.is(stream)));
    }
    let own = || {
        run_panics(0, 1).unwrap();
        let own = Stream::default().unwrap();
        (held.iter().any(|held| held.is(&own)), own.synchronize().is_err())
    };
    let (is_held, is_told) = std::thread::scope(|scope| scope.spawn(own).join().unwrap());
    assert!(!is_held && is_told);
}

/// A foreign kernel may have a pointer to a buffer whose address was taken. What else its stream has launched has none, and
/// who reads the buffer is not told of its panics.
#[test]
fn panics_beside_foreign_kernels_are_not_those_of_the_buffer() {
    let stream = Stream::new().unwrap();
    let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    let _ = buffer.device_address();
    run_panics_on(&stream, 0);
    panic_of(stream.synchronize());
    crate::memory::untracked::follow_pointers(&stream, false).unwrap();
    let read = || std::thread::scope(|scope| scope.spawn(|| buffer.to_vec()).join().unwrap());
    assert_eq!(read().unwrap(), [1, 2, 3]);
    // Nor of later ones.
    run_panics_on(&stream, 0);
    assert_eq!(read().unwrap(), [1, 2, 3]);
    panic_of(stream.synchronize());
    // Of a kernel that follows pointers itself, it is.
    crate::memory::untracked::follow_pointers(&stream, true).unwrap();
    run_panics_on(&stream, 0);
    panic_of(stream.synchronize());
    panic_of(read());
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
    // A buffer whose address is taken only now has nothing of it.
    let later = DeviceBuffer::from_slice(&[4, 5]).unwrap();
    let _ = later.device_address();
    let read = || std::thread::scope(|scope| scope.spawn(|| later.to_vec()).join().unwrap());
    assert_eq!(read().unwrap(), [4, 5]);
}
