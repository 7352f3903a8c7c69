//! Captures and graphs without kernels. On the emulated device, or on a GPU if there is one.

use crate::error::CaptureReason;
use crate::launch::tests::alone;
use crate::memory::tracker::Access;
use crate::{
    DeviceBuffer, Error, Event, Graph, GraphNodeKind, GraphUpdateReason, LaunchConfig, Module,
    PinnedBuffer, Stream,
};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier, mpsc};

pub(super) fn stream() -> Stream {
    Stream::new().unwrap()
}

pub(super) fn zeros(len: usize) -> DeviceBuffer<u32> {
    DeviceBuffer::zeroed(len).unwrap()
}

#[track_caller]
pub(super) fn reason<T>(result: crate::Result<T>) -> CaptureReason {
    match result {
        Err(Error::Capture(rule)) => rule.reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn nothing_runs_before_the_launch_and_everything_in_each() {
    let (stream, mut a, mut b) = (stream(), zeros(8), zeros(8));
    let graph = stream
        .capture(|stream| {
            b.copy_from_buffer_on(&a, stream)?;
            a.fill_on(3, stream)
        })
        .unwrap();
    assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![0; 8], vec![0; 8]));
    let exec = graph.instantiate().unwrap();
    drop(graph);
    exec.launch(&stream).unwrap();
    assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![3; 8], vec![0; 8]));
    exec.launch(&stream).unwrap();
    assert_eq!(b.to_vec().unwrap(), [3; 8]);
    // The stream is as before.
    a.fill_on(9, &stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(a.to_vec().unwrap(), [9; 8]);
}

/// An upload runs nothing, and waits for the launch before it.
#[test]
fn graphs_are_uploaded() {
    let (one, two, mut a) = (stream(), stream(), zeros(8));
    let exec = one.capture(|stream| a.fill_on(3, stream)).unwrap().instantiate().unwrap();
    exec.upload(&one).unwrap();
    one.synchronize().unwrap();
    assert_eq!(a.to_vec().unwrap(), [0; 8]);
    exec.launch(&two).unwrap();
    exec.upload(&one).unwrap();
    one.synchronize().unwrap();
    assert!(two.is_idle().unwrap());
    assert_eq!(a.to_vec().unwrap(), [3; 8]);
    let captured = one.capture(|stream| {
        assert_eq!(reason(exec.upload(stream)), CaptureReason::Unsupported);
        Ok(())
    });
    captured.unwrap();
}

/// A graph keeps its memory, and each launch is ordered with what others do to it on other streams.
#[test]
fn graphs_keep_their_memory_and_launches_are_ordered_with_other_uses() {
    let (one, two, three) = (stream(), stream(), stream());
    let (mut source, mut middle, mut target) = (zeros(1000), zeros(1000), zeros(1000));
    let exec = one
        .capture(|stream| {
            middle.copy_from_buffer_on(&source, stream)?;
            target.copy_from_buffer_on(&middle, stream)
        })
        .unwrap()
        .instantiate()
        .unwrap();
    drop(middle);
    for round in 1..20 {
        source.fill_on(round, &two).unwrap();
        exec.launch(if round % 2 == 0 { &one } else { &three }).unwrap();
        let mut copy = zeros(1000);
        copy.copy_from_buffer_on(&target, &two).unwrap();
        source.fill_on(77, &two).unwrap();
        assert_eq!(copy.to_vec().unwrap(), [round; 1000]);
        assert_eq!(target.to_vec().unwrap(), [round; 1000]);
    }
}

#[test]
fn an_exec_may_be_dropped_while_it_runs() {
    let calls = Arc::new(AtomicU32::new(0));
    for _ in 0..10 {
        let (stream, mut a, counted) = (stream(), zeros(100), calls.clone());
        let exec = stream
            .capture(|stream| {
                a.fill_on(4, stream)?;
                stream.on_host_each(move || {
                    counted.fetch_add(1, Ordering::Relaxed);
                })
            })
            .unwrap()
            .instantiate()
            .unwrap();
        exec.launch(&stream).unwrap();
        exec.launch(&stream).unwrap();
        drop(exec);
        drop(a);
        stream.synchronize().unwrap();
    }
    assert_eq!(calls.load(Ordering::Relaxed), 20);
    assert_eq!(Arc::strong_count(&calls), 1, "what they own is dropped");
}

#[test]
fn other_streams_take_part_through_events_and_leave_at_the_end() {
    let (first, side, mut a, mut b) = (stream(), stream(), zeros(4), zeros(4));
    side.on_host(|| {}).unwrap();
    let (fork, join) = (Event::new().unwrap(), Event::new().unwrap());
    let graph = first
        .capture(|first| {
            a.fill_on(1, first)?;
            fork.record(first)?;
            side.wait(&fork)?;
            assert!(side.is_captured() && !side.is_idle()?);
            b.copy_from_buffer_on(&a, &side)?;
            join.record(&side)?;
            first.wait(&join)?;
            a.fill_on(2, first)
        })
        .unwrap();
    assert!(!side.is_captured());
    side.synchronize().unwrap();
    let nodes = graph.nodes().unwrap();
    assert_eq!(nodes.len(), 3);
    // There may be edges that say nothing new.
    let edges = graph.edges().unwrap();
    assert!(edges.contains(&(nodes[0], nodes[1])) && edges.contains(&(nodes[1], nodes[2])));
    graph.instantiate().unwrap().launch(&side).unwrap();
    assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![2; 4], vec![1; 4]));
    // Nothing ran where they were recorded.
    assert_eq!(reason(fork.synchronize()), CaptureReason::CapturedEvent);
    assert_eq!(reason(fork.is_done()), CaptureReason::CapturedEvent);
    assert_eq!(reason(stream().wait(&fork)), CaptureReason::CapturedEvent);
    fork.record(&first).unwrap();
    fork.synchronize().unwrap();
}

/// Streams of a capture that use the same buffer are ordered without events, and a fork need not be joined.
#[test]
fn shared_buffers_order_the_streams_of_a_capture() {
    let (first, side, mut a, mut b) = (stream(), stream(), zeros(4), zeros(4));
    let fork = Event::new().unwrap();
    let graph = first
        .capture(|first| {
            fork.record(first)?;
            side.wait(&fork)?;
            a.fill_on(1, first)?;
            b.copy_from_buffer_on(&a, &side)?;
            a.fill_on(5, first)?;
            b.slice_mut(..1).copy_from_buffer_on(a.slice(..1), &side)
        })
        .unwrap();
    let (nodes, edges) = (graph.nodes().unwrap(), graph.edges().unwrap());
    for pair in nodes.windows(2) {
        assert!(edges.contains(&(pair[0], pair[1])), "{}", graph.dot().unwrap());
    }
    graph.instantiate().unwrap().launch(&first).unwrap();
    assert_eq!(b.to_vec().unwrap(), [5, 1, 1, 1]);
}

#[test]
fn what_cannot_be_captured_is_a_typed_error_and_the_capture_goes_on() {
    let _alone = alone();
    let (stream, other, mut a) = (stream(), stream(), zeros(4));
    let mut pinned = PinnedBuffer::<u32>::zeroed(4).unwrap();
    let outside = Event::new().unwrap();
    outside.record(&other).unwrap();
    let never = Event::new().unwrap();
    let graph = stream
        .capture(|stream| {
            let unsupported = CaptureReason::Unsupported;
            assert_eq!(reason(stream.synchronize()), unsupported);
            assert_eq!(reason(stream.capture(|_| Ok(()))), unsupported);
            assert_eq!(reason(DeviceBuffer::from_slice_on(&[1u32; 4], stream)), unsupported);
            assert_eq!(reason(a.copy_to_pinned_on(&mut pinned, stream)), unsupported);
            assert_eq!(reason(stream.on_host(|| {})), unsupported);
            assert_eq!(reason(Graph::new()?.instantiate()?.launch(stream)), unsupported);
            assert_eq!(reason(stream.wait(&outside)), CaptureReason::Isolation);
            stream.wait(&never)?;
            assert!(!stream.is_idle()?);
            // Other streams, and copies from and to the host, are not disturbed.
            a.fill_on(8, &other)?;
            other.synchronize()?;
            assert_eq!(a.to_vec()?, [8; 4]);
            a.fill_on(6, stream)
        })
        .unwrap();
    assert_eq!(graph.nodes().unwrap().len(), 1);
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(a.to_vec().unwrap(), [6; 4]);
}

/// Work that a stream was given before is done in its turn, though the stream is captured.
#[test]
fn buffers_are_read_and_dropped_while_their_stream_is_captured() {
    let (stream, mut a, mut b) = (stream(), zeros(1000), zeros(1000));
    a.fill_on(4, &stream).unwrap();
    b.fill_on(5, &stream).unwrap();
    let graph = stream.capture(|stream| {
        assert_eq!(a.to_vec()?, [4; 1000]);
        drop(b);
        let mut c = zeros(1000);
        c.copy_from_buffer(&a)?;
        assert_eq!(c.to_vec()?, [4; 1000]);
        a.fill_on(1, stream)
    });
    assert_eq!(graph.unwrap().nodes().unwrap().len(), 1);
    assert_eq!(a.to_vec().unwrap(), [4; 1000]);
}

#[test]
fn errors_and_panics_of_the_closure_end_the_capture() {
    let (stream, mut a) = (stream(), zeros(4));
    let failed = stream.capture(|stream| {
        a.fill_on(1, stream)?;
        Err(Error::Length { what: "mine", expected: 1, found: 2 })
    });
    assert!(matches!(failed, Err(Error::Length { .. })));
    assert!(!stream.is_captured());
    let thrown = catch_unwind(AssertUnwindSafe(|| {
        let _ = stream.capture(|stream| {
            a.fill_on(2, stream)?;
            panic!("mine")
        });
    }));
    assert!(thrown.is_err() && !stream.is_captured());
    stream.synchronize().unwrap();
    a.fill_on(7, &stream).unwrap();
    assert_eq!(a.to_vec().unwrap(), [7; 4]);
}

#[test]
fn two_captures_do_not_become_one() {
    let (one, two) = (stream(), stream());
    let event = Event::new().unwrap();
    let inner = AtomicU32::new(0);
    one.capture(|one| {
        event.record(one)?;
        two.capture(|two| {
            assert_eq!(reason(two.wait(&event)), CaptureReason::Merge);
            inner.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
        .map(|_| ())
    })
    .unwrap();
    assert_eq!(inner.into_inner(), 1);
}

#[test]
fn nodes_come_after_others_and_after_conflicting_ones() {
    let (stream, mut a, mut b) = (stream(), zeros(4), zeros(4));
    let first = stream.capture(|s| a.fill_on(1, s)).unwrap();
    let second = stream.capture(|s| b.fill_on(2, s)).unwrap();
    let third = stream.capture(|s| b.copy_from_buffer_on(&a, s)).unwrap();
    let mut graph = Graph::new().unwrap();
    let start = graph.add_empty(&[]).unwrap();
    let one = graph.add(&first, &[start]).unwrap();
    let two = graph.add(&second, &[]).unwrap();
    let three = graph.add(&third, &[]).unwrap();
    drop((first, second, third));
    let mut edges = graph.edges().unwrap();
    edges.sort_by_key(|&(from, to)| [start, one, two, three].map(|n| (n == from, n == to)));
    let expected = [(start, one), (one, three), (two, three)];
    assert_eq!(edges.len(), 3);
    assert!(expected.iter().all(|edge| edges.contains(edge)), "{edges:?}");
    assert_eq!(graph.kind(one).unwrap(), GraphNodeKind::Graph);
    let copy = graph.try_clone().unwrap();
    assert!(matches!(graph.add_empty(&[copy.nodes().unwrap()[0]]), Err(Error::Graph { .. })));
    assert!(matches!(copy.kind(one), Err(Error::Graph { .. })));
    for graph in [graph, copy] {
        b.fill(0).unwrap();
        graph.instantiate().unwrap().launch(&stream).unwrap();
        assert_eq!(b.to_vec().unwrap(), [1; 4]);
    }
}

#[test]
fn what_is_added_to_a_captured_graph_comes_after_what_it_conflicts_with() {
    let (stream, mut a, mut b) = (stream(), zeros(4), zeros(4));
    let mut graph = stream
        .capture(|stream| {
            a.fill_on(1, stream)?;
            a.slice_mut(..2).fill_on(2, stream)
        })
        .unwrap();
    let nodes = graph.nodes().unwrap();
    let copy = stream.capture(|s| b.copy_from_buffer_on(&a, s)).unwrap();
    let mut clone = graph.try_clone().unwrap();
    let added = graph.add(&copy, &[]).unwrap();
    assert!(graph.edges().unwrap().contains(&(nodes[1], added)));
    clone.add(&copy, &[]).unwrap();
    assert_eq!(clone.edges().unwrap().len(), 2);
    clone.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(b.to_vec().unwrap(), [2, 2, 1, 1]);
}

#[test]
fn updates_change_what_launches_do_or_say_why_not() {
    let (stream, mut a, mut b) = (stream(), zeros(4), zeros(4));
    let mut exec = stream.capture(|s| a.fill_on(1, s)).unwrap().instantiate().unwrap();
    exec.launch(&stream).unwrap();
    let graph = stream.capture(|s| b.fill_on(2, s)).unwrap();
    exec.update(&graph).unwrap();
    drop((graph, a));
    exec.launch(&stream).unwrap();
    assert_eq!(b.to_vec().unwrap(), [2; 4]);
    let copy = stream.capture(|s| b.slice_mut(..2).copy_from_buffer_on(&zeros(2), s)).unwrap();
    let why = |result: crate::Result<()>| match result {
        Err(Error::GraphUpdate { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(exec.update(&copy)), GraphUpdateReason::NodeType);
    assert_eq!(why(exec.update(&Graph::new().unwrap())), GraphUpdateReason::Topology);
    b.fill(0).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(b.to_vec().unwrap(), [2; 4]);
}

/// A call that has noted a use of a graph's memory, and not yet given its work to its stream, holds launches off.
#[test]
fn launches_wait_for_calls_that_use_the_same_memory() {
    let (one, two, mut shared) = (stream(), stream(), zeros(10));
    let exec = one.capture(|stream| shared.fill_on(1, stream)).unwrap().instantiate().unwrap();
    let launched = AtomicU32::new(0);
    std::thread::scope(|scope| {
        let entry = two.enter();
        shared.as_slice().order(&entry, Access::Read).unwrap();
        scope.spawn(|| {
            exec.launch(&one).unwrap();
            launched.store(1, Ordering::SeqCst);
        });
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(launched.load(Ordering::SeqCst), 0);
        drop(entry);
    });
    assert_eq!(launched.into_inner(), 1);
}

#[test]
fn events_are_recorded_and_waited_for_in_each_launch() {
    let (stream, other, mut a, mut b) = (stream(), stream(), zeros(1000), zeros(1000));
    let (ready, done) = (Event::new().unwrap(), Event::new().unwrap());
    let graph = stream
        .capture(|stream| {
            stream.wait_each(&ready)?;
            a.fill_on(3, stream)?;
            done.record_each(stream)
        })
        .unwrap();
    let kinds: Vec<GraphNodeKind> =
        graph.nodes().unwrap().into_iter().map(|node| graph.kind(node).unwrap()).collect();
    assert_eq!(kinds, [GraphNodeKind::EventWait, GraphNodeKind::Fill, GraphNodeKind::EventRecord]);
    let exec = graph.instantiate().unwrap();
    for _ in 0..3 {
        let seen = Arc::new(AtomicU32::new(0));
        let (first, second) = (seen.clone(), seen.clone());
        other
            .on_host(move || {
                std::thread::sleep(Duration::from_millis(2));
                first.fetch_add(1, Ordering::SeqCst);
            })
            .unwrap();
        ready.record(&other).unwrap();
        exec.launch(&stream).unwrap();
        other.wait(&done).unwrap();
        b.fill_on(9, &other).unwrap();
        stream.on_host(move || assert_eq!(second.load(Ordering::SeqCst), 1)).unwrap();
        done.synchronize().unwrap();
        assert_eq!(seen.load(Ordering::SeqCst), 1);
        stream.synchronize().unwrap();
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![3; 1000], vec![9; 1000]));
    }
    drop(ready);
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}

/// A kernel of a module follows its address; the graph keeps the module and waits for uses of the buffer.
#[test]
fn kernels_of_modules_and_raw_addresses_are_ordered_and_kept() {
    const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64
        .visible .entry add(.param .u64 to)
        { .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [to]; ld.global.u32 %r, [%rd]; add.u32 %r, %r, 1;
          st.global.u32 [%rd], %r; ret; }";
    let (one, two, mut number) = (stream(), stream(), zeros(1));
    let add = Module::from_ptx(PTX).unwrap().function("add").unwrap();
    let address = number.device_address();
    let graph = one
        .capture(|stream| {
            let config = || LaunchConfig::new().stream(stream);
            // SAFETY: one thread adds to a number that lives until the end of the test.
            unsafe {
                add.launch(config(), (address,))?;
                add.launch(config(), (&mut number,))
            }
        })
        .unwrap();
    drop(add);
    let exec = graph.instantiate().unwrap();
    for round in 1..=10 {
        number.fill_on(round, &two).unwrap();
        exec.launch(&one).unwrap();
        assert_eq!(number.to_vec().unwrap(), [round + 2]);
    }
}

/// A thread uses a buffer again and again while another launches a graph that writes it: each sees whole values.
#[test]
fn threads_that_share_a_graphs_memory_see_whole_values() {
    let (one, two, mut shared) = (stream(), stream(), zeros(5000));
    let captured = |value, shared: &mut DeviceBuffer<u32>| {
        one.capture(|stream| shared.fill_on(value, stream)).unwrap().instantiate().unwrap()
    };
    let execs = [captured(1, &mut shared), captured(2, &mut shared)];
    execs[0].launch(&one).unwrap();
    let start = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            start.wait();
            for round in 0..100 {
                execs[round % 2].launch(&one).unwrap();
            }
        });
        start.wait();
        for _ in 0..50 {
            let mut copy = zeros(5000);
            copy.copy_from_buffer_on(&shared, &two).unwrap();
            for values in [copy.to_vec().unwrap(), shared.to_vec().unwrap()] {
                assert!(values.iter().all(|value| *value == values[0]), "torn");
            }
        }
    });
}

#[test]
fn threads_capture_and_use_streams_at_once() {
    let (shared, done) = (stream(), mpsc::channel::<()>());
    std::thread::scope(|scope| {
        let user = shared.clone();
        scope.spawn(move || {
            let mut own = zeros(10);
            while matches!(done.1.try_recv(), Err(mpsc::TryRecvError::Empty)) {
                // Run or captured, as it happens.
                own.fill_on(1, &user).unwrap();
                let mut copy = zeros(10);
                copy.copy_from_buffer(&own).unwrap();
                copy.to_vec().unwrap();
            }
        });
        let mut a = zeros(10);
        for round in 0..50 {
            let graph = shared.capture(|stream| a.fill_on(round, stream)).unwrap();
            graph.instantiate().unwrap().launch(&shared).unwrap();
            assert_eq!(a.to_vec().unwrap(), [round; 10]);
        }
        drop(done.0);
    });
}

#[test]
fn functions_that_panic_in_a_graph_are_reported_in_each_launch() {
    let _alone = alone();
    let stream = stream();
    let exec = stream
        .capture(|stream| stream.on_host_each(|| panic!("mine")))
        .unwrap()
        .instantiate()
        .unwrap();
    for _ in 0..3 {
        exec.launch(&stream).unwrap();
        match stream.synchronize() {
            Err(Error::HostPanic { message }) => assert_eq!(message, "mine"),
            other => panic!("{other:?}"),
        }
    }
    stream.synchronize().unwrap();
}
