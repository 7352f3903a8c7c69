//! Children by `fork`, and the end of the process, at bad moments: each in a process of its own.

use super::devices::{child, is_child};
use super::*;
use crate::device::texture::D2;
use crate::{
    CudaArray, Device, Error, Event, Graph, GraphExec, GrowableBuffer, Linker, ManagedBuffer,
    ManagedUse, MemoryLimit, MemoryLocation, MemoryPool, Module, PinnedBuffer, StagingBuffer,
    Surface, TensorMap, Texture,
};
use core::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Barrier, OnceLock};
use std::time::Duration;

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: c_int) -> !;
    fn exit(code: c_int) -> !;
}

/// Forks. `work` runs in the child, which ends normally; the parent waits for it. A child that hangs is killed.
fn forked(work: impl FnOnce()) {
    // SAFETY: the child does what such children do; it has a minute.
    unsafe {
        let child = fork();
        assert!(child >= 0);
        if child == 0 {
            alarm(60);
            match catch_unwind(AssertUnwindSafe(work)) {
                Ok(()) => exit(0),
                Err(_) => _exit(9),
            }
        }
        let mut status = -1;
        assert_eq!(waitpid(child, &mut status, 0), child);
        assert_eq!(status, 0, "what `waitpid` says of the child");
    }
}

fn is_refused<T>(result: crate::Result<T>, what: &str) {
    match result {
        Err(Error::Forked) => {}
        Err(other) => panic!("{what}: {other}"),
        Ok(_) => panic!("{what} works"),
    }
}

#[test]
fn a_child_of_a_process_that_has_used_a_device_is_told_so() {
    let test = "fork::a_child_of_a_process_that_has_used_a_device_is_told_so";
    if !is_child() {
        for late in ["0", "1"] {
            child(test, &[("PTYX_EMULATOR_ASYNC", late)]);
        }
        return;
    }
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
    let mut pinned = PinnedBuffer::from_slice(&[1.0f32; 32]).unwrap();
    let event = Event::new().unwrap();
    run_saxpy(LaunchConfig::new().threads(32), 1.0, &x, &mut y).unwrap();
    run_slow(2000, &mut DeviceBuffer::zeroed(1).unwrap(), &stream).unwrap();
    let graph = stream.capture(|stream| {
        run_saxpy(LaunchConfig::new().threads(32).stream(stream), 1.0, &x, &mut y)
    });
    let exec = graph.unwrap().instantiate().unwrap();
    exec.launch(&stream).unwrap();
    let finished = stream.finished();
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Another thread is busy with the device all the time.
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                assert_eq!(DeviceBuffer::filled(7, 3u32).unwrap().to_vec().unwrap(), [3; 7]);
            }
        });
        std::thread::sleep(Duration::from_millis(20));
        // What the child drops is its own copy.
        let copies = (&x, &mut y, &mut pinned);
        let result = catch_unwind(AssertUnwindSafe(|| {
            forked(|| {
                let (x, y, pinned) = copies;
                let config = || LaunchConfig::new().threads(32);
                is_refused(Device::current(), "Device::current");
                is_refused(device.synchronize(), "Device::synchronize");
                is_refused(crate::synchronize(), "synchronize");
                is_refused(stream.synchronize(), "Stream::synchronize");
                is_refused(stream.is_idle(), "Stream::is_idle");
                is_refused(Stream::new(), "Stream::new");
                is_refused(event.record(&stream), "Event::record");
                is_refused(event.synchronize(), "Event::synchronize");
                is_refused(x.to_vec(), "DeviceBuffer::to_vec");
                is_refused(y.fill_on(1.0, &stream), "fill_on");
                is_refused(y.copy_from_pinned_on(&*pinned, &stream), "copy_from_pinned_on");
                is_refused(DeviceBuffer::filled(7, 1u8), "DeviceBuffer::filled");
                is_refused(PinnedBuffer::<u8>::zeroed(7), "PinnedBuffer::zeroed");
                is_refused(run_saxpy(config(), 1.0, x, y), "launch!");
                is_refused(run_saxpy(config().stream(&stream), 1.0, x, y), "launch! on a stream");
                is_refused(exec.launch(&stream), "GraphExec::launch");
                let text = Error::Forked.to_string();
                assert!(
                    text.contains("forked") && text.contains("std::process::Command"),
                    "{text}"
                );
                // SAFETY: bitwise copies that only the child drops.
                unsafe {
                    drop(core::ptr::read(x));
                    drop(core::ptr::read(y));
                    drop(core::ptr::read(pinned));
                    drop(core::ptr::read(&exec));
                    drop(core::ptr::read(&event));
                    drop(core::ptr::read(&finished));
                    drop(core::ptr::read(&stream));
                }
            })
        }));
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        result.unwrap();
    });
    // The parent goes on.
    assert_eq!(y.to_vec().unwrap(), [4.0; 32]);
    stream.synchronize().unwrap();
    drop(finished);
}

/// The other kinds of memory, modules and graphs: none works in the child, and dropping them there is harmless.
#[test]
fn a_child_can_use_no_memory_module_or_graph() {
    let test = "fork::a_child_can_use_no_memory_module_or_graph";
    if !is_child() {
        for late in ["0", "1"] {
            child(test, &[("PTYX_EMULATOR_ASYNC", late)]);
        }
        return;
    }
    const PTX: &str = ".visible .global .align 4 .u32 v[2] = {3, 4};\n.visible .entry k() { ret; }";
    let text = [HEAD, PTX].concat();
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let pool = MemoryPool::new(&device, MemoryLimit::None).unwrap();
    let mut of_pool = DeviceBuffer::<u32>::zeroed_in(100, &pool, &stream).unwrap();
    let mut managed = ManagedBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut growable = GrowableBuffer::<u32>::with_capacity(1000).unwrap();
    growable.extend_from_slice(&[4, 5, 6]).unwrap();
    let mut array = CudaArray::<f32>::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2]).unwrap();
    let other = CudaArray::<f32>::from_slice(&[5.0; 4], [2, 2]).unwrap();
    let texture = Texture::<f32>::new(&other).unwrap();
    let module = Module::from_ptx(&text).unwrap();
    let (function, global) = (module.function("k").unwrap(), module.global::<u32>("v").unwrap());
    let mut linker = Linker::new().unwrap();
    let mut graph = Graph::new().unwrap();
    let node = graph.add_node(&[], |s| of_pool.fill_on(7, s)).unwrap();
    let mut exec = graph.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    let mut staging = StagingBuffer::<u32>::zeroed(3).unwrap();
    growable.as_slice_mut().fill_on(8, &stream).unwrap();
    forked(|| {
        is_refused(MemoryPool::new(&device, MemoryLimit::None), "MemoryPool::new");
        is_refused(pool.trim(0), "MemoryPool::trim");
        is_refused(pool.statistics(), "MemoryPool::statistics");
        is_refused(DeviceBuffer::<u32>::zeroed_in(1, &pool, &stream), "zeroed_in");
        is_refused(of_pool.try_clone(), "try_clone");
        is_refused(DeviceBuffer::<u32>::zeroed_shareable(7), "zeroed_shareable");
        is_refused(ManagedBuffer::<u32>::zeroed(7), "ManagedBuffer::zeroed");
        let to = MemoryLocation::Host;
        is_refused(managed.prefetch_on(.., to, &stream), "ManagedBuffer::prefetch_on");
        is_refused(managed.attach(ManagedUse::Host, &stream), "ManagedBuffer::attach");
        is_refused(GrowableBuffer::<u32>::with_capacity(7), "GrowableBuffer::with_capacity");
        is_refused(growable.extend_from_slice(&[7; 10]), "GrowableBuffer::extend_from_slice");
        is_refused(growable.to_vec(), "GrowableBuffer::to_vec");
        is_refused(CudaArray::<f32>::zeroed([2, 2]), "CudaArray::zeroed");
        is_refused(array.to_vec(), "CudaArray::to_vec");
        is_refused(array.copy_from_slice(&[0.0; 4]), "CudaArray::copy_from_slice");
        is_refused(Texture::<f32, D2>::new(&other).map(drop), "Texture::new");
        is_refused(Surface::new(&mut array).map(drop), "Surface::new");
        is_refused(TensorMap::<[[u32; 4]; 4]>::new(&of_pool, [5, 20]).map(drop), "TensorMap::new");
        is_refused(Module::from_ptx(&text), "Module::from_ptx");
        is_refused(module.function("k"), "Module::function");
        is_refused(global.to_vec(), "ModuleGlobal::to_vec");
        // SAFETY: it does nothing.
        is_refused(unsafe { function.launch(LaunchConfig::new(), ()) }, "Function::launch");
        is_refused(Linker::new(), "Linker::new");
        is_refused(linker.add_ptx("part", &text).map(drop), "Linker::add_ptx");
        is_refused(Graph::new(), "Graph::new");
        is_refused(graph.instantiate(), "Graph::instantiate");
        is_refused(graph.nodes(), "Graph::nodes");
        is_refused(stream.capture(|_| Ok(())), "Stream::capture");
        is_refused(exec.update(&graph), "GraphExec::update");
        is_refused(exec.set_enabled(node, false), "GraphExec::set_enabled");
        is_refused(exec.launch(&stream), "GraphExec::launch");
        is_refused(StagingBuffer::<u32>::zeroed(3), "StagingBuffer::zeroed");
        is_refused(
            of_pool.slice(..3).copy_to_pinned_on(&mut staging, &stream),
            "to staging memory",
        );
        // SAFETY: bitwise copies that only the child drops.
        unsafe {
            drop(core::ptr::read(&pool));
            drop(core::ptr::read(&of_pool));
            drop(core::ptr::read(&managed));
            drop(core::ptr::read(&growable));
            drop(core::ptr::read(&texture));
            drop(core::ptr::read(&array));
            drop(core::ptr::read(&function));
            drop(core::ptr::read(&global));
            drop(core::ptr::read(&module));
            drop(core::ptr::read(&linker));
            drop(core::ptr::read(&exec));
            drop(core::ptr::read(&graph));
            drop(core::ptr::read(&staging));
        }
    });
    // The parent goes on.
    assert_eq!((of_pool.to_vec().unwrap(), &*managed), (vec![7; 100], &[1, 2, 3][..]));
    assert_eq!((growable.to_vec().unwrap(), array.to_vec().unwrap()[0]), (vec![8; 3], 1.0));
    managed[0] = 9;
    assert_eq!((global.to_vec().unwrap(), managed[0]), (vec![3, 4], 9));
    linker.add_ptx("part", &text).unwrap();
    assert!(!linker.finish().unwrap().is_empty());
}

#[test]
fn a_process_may_fork_before_it_uses_a_device() {
    if !is_child() {
        child("fork::a_process_may_fork_before_it_uses_a_device", &[]);
        return;
    }
    let works = || {
        let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
        let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
        run_saxpy(LaunchConfig::new().threads(32), 1.0, &x, &mut y).unwrap();
        assert_eq!(y.to_vec().unwrap(), [3.0; 32]);
    };
    forked(works);
    works();
    forked(|| is_refused(Device::current(), "Device::current"));
    // Programs that are started are no such children.
    assert!(std::process::Command::new("true").status().unwrap().success());
    works();
}

/// Graphs, modules, arrays, textures, managed, growable and staging memory, each with work that may wait.
type Others = (
    (GraphExec, Graph, StagingBuffer<u32>),
    (Module, crate::Function, crate::ModuleGlobal<u32>),
    (Texture<'static, f32>, ManagedBuffer<f32>, GrowableBuffer<u32>, MemoryPool),
);

fn others(stream: &Stream) -> Others {
    const PTX: &str = ".visible .global .align 4 .u32 v[2] = {3, 4};\n.visible .entry k() { ret; }";
    let module = Module::from_ptx(&[HEAD, PTX].concat()).unwrap();
    let (function, global) = (module.function("k").unwrap(), module.global::<u32>("v").unwrap());
    // SAFETY: it does nothing.
    unsafe { function.launch(LaunchConfig::new().stream(stream), ()) }.unwrap();
    let array = Box::leak(Box::new(CudaArray::<f32>::zeroed_on([2, 2], stream).unwrap()));
    let texture = Texture::<f32>::new(array).unwrap();
    let mut managed = ManagedBuffer::<f32>::zeroed(32).unwrap();
    let x = ManagedBuffer::from_slice(&[1.0f32; 32]).unwrap();
    let config = LaunchConfig::new().threads(32).stream(stream);
    call3(Here, saxpy, config, 2.0f32, &x, &mut managed).unwrap();
    let mut growable = GrowableBuffer::<u32>::with_capacity(1000).unwrap();
    growable.resize(100, 7).unwrap();
    growable.as_slice_mut().fill_on(8, stream).unwrap();
    let pool = MemoryPool::new(&Device::current().unwrap(), MemoryLimit::None).unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed_in(3, &pool, stream).unwrap();
    let mut staging = StagingBuffer::<u32>::zeroed(3).unwrap();
    let mut graph = Graph::new().unwrap();
    graph.add_node(&[], |s| buffer.fill_on(7, s)).unwrap();
    graph.add_node(&[], |s| buffer.copy_to_pinned_on(&mut staging, s)).unwrap();
    let exec = graph.instantiate().unwrap();
    exec.launch(stream).unwrap();
    ((exec, graph, staging), (module, function, global), (texture, managed, growable, pool))
}

/// The process ends in the middle of all: it does not hang, panic or crash.
#[test]
fn a_process_may_end_at_any_time() {
    const ENDS: [&str; 4] =
        ["exit", "exit on another thread", "return", "exit while both are busy"];
    let test = "fork::a_process_may_end_at_any_time";
    if !is_child() {
        for (end, name) in ENDS.iter().enumerate() {
            for late in ["0", "1"] {
                let end = end.to_string();
                let text = child(test, &[("PTYX_TEST_END", &end), ("PTYX_EMULATOR_ASYNC", late)]);
                assert!(text.contains("ends now"), "{name}: {text}");
                assert!(!text.contains("panicked"), "{name}: {text}");
            }
        }
        return;
    }
    static BUFFER: OnceLock<DeviceBuffer<f32>> = OnceLock::new();
    static STREAM: OnceLock<Stream> = OnceLock::new();
    thread_local! {
        static OWN: OnceLock<(DeviceBuffer<u32>, Stream, PinnedBuffer<u8>)> = const { OnceLock::new() };
    }
    // SAFETY: no precondition. Who hangs is killed.
    unsafe { alarm(60) };
    let stream = STREAM.get_or_init(|| Stream::new().unwrap());
    let x = BUFFER.get_or_init(|| DeviceBuffer::filled(32, 1.0f32).unwrap());
    OWN.with(|own| {
        let pinned = PinnedBuffer::zeroed(7).unwrap();
        own.set((DeviceBuffer::filled(7, 1).unwrap(), Stream::new().unwrap(), pinned)).unwrap();
    });
    let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
    run_saxpy(LaunchConfig::new().threads(32).stream(stream), 1.0, x, &mut y).unwrap();
    // A part of each in a static, which is never dropped, and another that `main` drops if it returns.
    static KEPT: OnceLock<Others> = OnceLock::new();
    KEPT.get_or_init(|| others(stream));
    let _others = others(stream);
    let both = std::sync::Arc::new(Barrier::new(2));
    let other = both.clone();
    // A kernel that takes seconds, on a thread that launches it or, with work that runs late, for the device.
    std::thread::spawn(move || {
        let (stream, mut out) = (Stream::new().unwrap(), DeviceBuffer::zeroed(1).unwrap());
        stream.on_host(|| {}).unwrap();
        other.wait();
        run_slow(400_000, &mut out, &stream).unwrap();
        let finished = stream.finished();
        let _ = stream.synchronize();
        drop(finished);
    });
    both.wait();
    std::thread::sleep(Duration::from_millis(50));
    let finished = stream.finished();
    stream.on_host(move || drop(y)).unwrap();
    let end: usize = std::env::var("PTYX_TEST_END").unwrap().parse().unwrap();
    eprintln!("ends now");
    match end {
        0 => std::process::exit(0),
        1 => std::thread::spawn(|| std::process::exit(0)).join().unwrap(),
        2 => drop(finished),
        _ => {
            std::thread::spawn(|| {
                loop {
                    let _ = DeviceBuffer::filled(100, 1u32).and_then(|buffer| buffer.to_vec());
                }
            });
            std::thread::sleep(Duration::from_millis(5));
            std::mem::forget(finished);
            std::process::exit(0)
        }
    }
}
