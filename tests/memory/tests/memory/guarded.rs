//! Managed memory in graphs.

use ptyx::prelude::*;
use ptyx::{
    CaptureMode, Error, Graph, GuardedBuffer, ManagedBuffer, ManagedUse, MemoryAdvice,
    MemoryLocation, Module,
};
use ptyx_memory_tests::{alone_with, rng};
use std::mem::forget;
use std::sync::atomic::{AtomicBool, Ordering};

#[kernel]
fn scale(factor: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = factor.wrapping_mul(x[i.get()]) ^ i.get() as u32;
    }
}

/// # Safety
/// `to` is valid for writes, by one thread.
#[kernel]
unsafe fn poke(to: *mut u32, value: u32) {
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
}

/// What `scale` does.
fn scaled(factor: u32, x: &[u32]) -> Vec<u32> {
    x.iter().enumerate().map(|(i, x)| factor.wrapping_mul(*x) ^ i as u32).collect()
}

fn guarded(numbers: &[u32]) -> ptyx::Result<GuardedBuffer<u32>> {
    Ok(GuardedBuffer::new(ManagedBuffer::from_slice(numbers)?))
}

/// Why a launch of a graph was refused.
#[track_caller]
fn refused(result: ptyx::Result<()>) -> &'static str {
    match result {
        Err(Error::Graph { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

/// A graph reads managed memory, which the host writes before each launch, and writes other managed memory, which the host
/// reads afterwards: by kernels, copies and fills, captured or by hand.
fn graphs_and_the_host_take_turns(by_hand: bool) -> ptyx::Result<()> {
    let (mut rng, stream, other) = (rng(), Stream::new()?, Stream::new()?);
    for _ in 0..8 {
        let len = 2 + rng.below(500);
        let blocks = len.div_ceil(64);
        let mut input = guarded(&vec![0; len])?;
        let [mut output, mut copied, mut filled] =
            [(), (), ()].map(|()| guarded(&vec![0; len]).unwrap());
        let mut between = DeviceBuffer::<u32>::zeroed(len)?;
        let graph = if by_hand {
            let mut graph = Graph::new()?;
            graph
                .add_node(&[], |s| launch!(scale<<<blocks, 64, 0, s>>>(7, &input, &mut between)))?;
            graph.add_node(
                &[],
                |s| launch!(scale<<<blocks, 64, 0, s>>>(3, &between, &mut output)),
            )?;
            graph.add_node(&[], |s| copied.as_slice_mut().copy_from_buffer_on(&output, s))?;
            graph.add_node(&[], |s| filled.as_slice_mut().slice_mut(1..).fill_on(9, s))?;
            graph
        } else {
            stream.capture(|s| {
                launch!(scale<<<blocks, 64, 0, s>>>(7, &input, &mut between))?;
                launch!(scale<<<blocks, 64, 0, s>>>(3, &between, &mut output))?;
                copied.as_slice_mut().copy_from_buffer_on(&output, s)?;
                filled.as_slice_mut().slice_mut(1..).fill_on(9, s)
            })?
        };
        assert_eq!(graph.nodes()?.len(), 4);
        let exec = graph.instantiate()?;
        drop(graph);
        for round in 0..5 {
            let given = rng.vec(len, |rng| rng.next_u32());
            // Waits for the launch before, which may still read.
            input.write().copy_from_slice(&given);
            filled.write().fill(round);
            exec.launch(if round % 2 == 0 { &stream } else { &other })?;
            let want = scaled(3, &scaled(7, &given));
            assert_eq!(output.read()[..], want);
            assert_eq!(copied.read()[..], want);
            assert_eq!((filled.read()[0], filled.read()[1]), (round, 9));
        }
        // Other work on the same memory is ordered with launches.
        input.as_slice_mut().fill_on(4, &other)?;
        exec.launch(&stream)?;
        input.as_slice_mut().fill_on(5, &other)?;
        assert_eq!(output.as_slice().to_vec()?, scaled(3, &scaled(7, &vec![4; len])));
        assert_eq!(input.read()[..], vec![5; len]);
    }
    Ok(())
}

#[test]
fn graphs_by_hand_use_managed_memory() -> ptyx::Result<()> {
    graphs_and_the_host_take_turns(true)
}

#[test]
fn captured_graphs_use_managed_memory() -> ptyx::Result<()> {
    graphs_and_the_host_take_turns(false)
}

#[test]
fn graphs_use_managed_memory_late() {
    for seed in ["1", "2", "3"] {
        let variables = [
            ("PTYX_DEVICE", "emulator"),
            ("PTYX_EMULATOR_ASYNC", "1"),
            ("PTYX_EMULATOR_SEED", seed),
        ];
        alone_with("guarded::graphs_use_managed_memory_late", &variables, || {
            graphs_and_the_host_take_turns(true).unwrap();
            graphs_and_the_host_take_turns(false).unwrap();
        });
    }
}

#[test]
fn launches_are_refused_while_the_host_holds_managed_memory() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let (mut x, mut y) = (guarded(&[1; 100])?, guarded(&[0; 100])?);
    let exec = stream.capture(|s| launch!(scale<<<2, 64, 0, s>>>(2, &x, &mut y)))?.instantiate()?;
    let mut held = x.write();
    held.fill(3);
    assert!(refused(exec.launch(&stream)).contains("GuardedBuffer::write"));
    drop(held);
    // Reading what a graph only reads is no conflict.
    let held = x.read();
    exec.launch(&stream)?;
    assert_eq!(held[..], [3; 100]);
    drop(held);
    let (first, second) = (y.read(), y.read());
    refused(exec.launch(&stream));
    assert_eq!(second[..], scaled(2, &[3; 100]));
    drop(first);
    refused(exec.launch(&stream));
    drop(second);
    exec.launch(&stream)?;
    // What holds the memory can be forgotten. Then no launch ever writes it; all else goes on.
    forget(y.read());
    refused(exec.launch(&stream));
    y.as_slice_mut().fill_on(8, &stream)?;
    assert_eq!(y.read()[..], [8; 100]);
    Ok(())
}

#[test]
fn graphs_keep_managed_memory() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let mut result = DeviceBuffer::<u32>::zeroed(70)?;
    let exec = {
        let x = guarded(&[5; 70])?;
        stream.capture(|s| launch!(scale<<<2, 64, 0, s>>>(2, &x, &mut result)))?.instantiate()?
    };
    for _ in 0..3 {
        result.fill(0)?;
        exec.launch(&stream)?;
        assert_eq!(result.to_vec()?, scaled(2, &[5; 70]));
    }
    exec.launch(&stream)?;
    // While it may run.
    drop(exec);
    assert_eq!(result.to_vec()?, scaled(2, &[5; 70]));
    Ok(())
}

/// Without guards, a graph could run while the host holds a reference. Prefetches and other uses of an attached buffer are
/// refused, too. A capture goes on after that.
#[test]
fn what_graphs_can_not_do_with_managed_memory() -> ptyx::Result<()> {
    let (stream, own) = (Stream::new()?, Stream::new()?);
    let plain = ManagedBuffer::from_slice(&[1u32; 64])?;
    let mut result = DeviceBuffer::<u32>::zeroed(64)?;
    stream.capture_in(CaptureMode::Relaxed, |s| {
        let refused = launch!(scale<<<1, 64, 0, s>>>(2, &plain, &mut result)).unwrap_err();
        let text = refused.to_string();
        assert!(
            matches!(refused, Error::Capture { .. }) && text.contains("GuardedBuffer"),
            "{text}"
        );
        let refused = plain.prefetch_on(.., MemoryLocation::Host, s);
        assert!(matches!(refused, Err(Error::Capture { .. })), "{refused:?}");
        result.as_slice_mut().fill_on(1, s)
    })?;
    let mut managed = ManagedBuffer::from_slice(&[1u32; 64])?;
    managed.advise(.., MemoryAdvice::PreferredLocation(MemoryLocation::Host))?;
    managed.attach(ManagedUse::OneStream, &own)?;
    let attached = GuardedBuffer::new(managed);
    let exec = own
        .capture(|s| launch!(scale<<<1, 64, 0, s>>>(2, &attached, &mut result)))?
        .instantiate()?;
    let elsewhere = exec.launch(&stream);
    assert!(matches!(elsewhere, Err(Error::Attached { .. })), "{elsewhere:?}");
    exec.launch(&own)?;
    assert_eq!(result.to_vec()?, scaled(2, &[1; 64]));
    assert_eq!(attached.read()[..], [1; 64]);
    Ok(())
}

/// Guarded memory is an argument of every kind of launch.
#[test]
fn every_kind_of_launch_takes_guarded_memory() -> ptyx::Result<()> {
    let (x, mut y) = (guarded(&[4; 64])?, guarded(&[0; 64])?);
    let prepared = compile!(scale(2, &x, &mut y))?;
    prepared.launch(LaunchConfig::new().threads(64), args!(3, &x, &mut y))?;
    assert_eq!(y.read()[..], scaled(3, &[4; 64]));
    let bound = prepared.bind(LaunchConfig::new().threads(64), args!(5, &x, &mut y))?;
    bound.launch()?;
    assert_eq!(x.read()[..], [4; 64]);
    drop(bound);
    assert_eq!(y.read()[..], scaled(5, &[4; 64]));
    let ptx = "
        .version 6.3
        .target sm_70
        .address_size 64
        .visible .entry set(.param .u64 to) {
            .reg .b64 %rd;
            ld.param.u64 %rd, [to];
            st.global.u32 [%rd], 77;
            ret;
        }";
    let set = Module::from_ptx(ptx)?.function("set")?;
    // SAFETY: one element is written.
    unsafe { set.launch(LaunchConfig::new(), (&mut y,)) }?;
    assert_eq!(y.read()[0], 77);
    let mut out = [0u64; 64];
    ptyx::copy_as(&y, &mut out)?;
    assert_eq!((out[0], out[1]), (77, u64::from(scaled(5, &[4; 64])[1])));
    ptyx::copy_as(&[6u8; 64], &mut y)?;
    assert_eq!(y.read()[..], [6; 64]);
    Ok(())
}

/// Kernels that follow raw pointers are ordered with graphs that use the memory.
#[test]
fn raw_pointers_to_guarded_memory_are_ordered() -> ptyx::Result<()> {
    let (stream, mut out) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(1)?);
    let numbers = guarded(&[3])?;
    let pointer = numbers.as_slice().device_address() as *mut u32;
    let mut graph = Graph::new()?;
    // SAFETY: one thread, and memory that the graph keeps.
    let kernel = graph.add_node(&[], |s| launch!(unsafe poke<<<1, 1, 0, s>>>(pointer, 5)))?;
    let copy = graph.add_node(&[], |s| out.copy_from_buffer_on(&numbers, s))?;
    assert_eq!(graph.edges()?, [(kernel, copy)]);
    graph.instantiate()?.launch(&stream)?;
    assert_eq!((out.to_vec()?, &numbers.read()[..]), (vec![5], &[5][..]));
    Ok(())
}

/// While one thread launches, another reads: it sees the results of whole launches only.
#[test]
fn threads_launch_and_read_managed_memory() -> ptyx::Result<()> {
    const LEN: usize = 400;
    let mut source = DeviceBuffer::<u32>::zeroed(LEN)?;
    let mut output = guarded(&[0; LEN])?;
    let mut graph = Graph::new()?;
    graph.add_node(&[], |s| output.as_slice_mut().copy_from_buffer_on(&source, s))?;
    let exec = graph.instantiate()?;
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = 0;
            while !is_over.load(Ordering::Relaxed) {
                let held = output.read();
                assert!(held.iter().all(|number| *number == held[0]), "{held:?}");
                assert!(held[0] >= seen, "{} after {seen}", held[0]);
                seen = held[0];
                drop(held);
                std::thread::yield_now();
            }
        });
        let mut launch = || -> ptyx::Result<()> {
            let stream = Stream::new()?;
            for number in 1..=200 {
                source.fill_on(number, &stream)?;
                loop {
                    match exec.launch(&stream) {
                        Ok(()) => break,
                        // The other thread reads at the moment.
                        Err(Error::Graph { .. }) => std::thread::yield_now(),
                        Err(other) => return Err(other),
                    }
                }
            }
            Ok(())
        };
        let done = launch();
        is_over.store(true, Ordering::Relaxed);
        reader.join().unwrap();
        done?;
        assert_eq!(output.read()[..], [200; LEN]);
        Ok(())
    })
}
