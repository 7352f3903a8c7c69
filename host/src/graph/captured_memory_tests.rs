//! Buffers that are made on captured streams, and what captures forbid.

use super::tests::{stream, zeros};
use crate::launch::tests::alone;
use crate::memory::untracked::follow_pointers;
use crate::{Device, MemoryLimit, MemoryPool};
use crate::{DeviceBuffer, Error, Event, Graph, GraphNode, GraphNodeKind, PitchedBuffer, Stream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

/// The nodes of a kind.
fn of_kind(graph: &Graph, kind: GraphNodeKind) -> Vec<GraphNode> {
    let nodes = graph.nodes().unwrap().into_iter();
    nodes.filter(|node| graph.kind(*node).unwrap() == kind).collect()
}

/// All nodes that come after one, directly or not.
fn behind(graph: &Graph, node: GraphNode) -> Vec<GraphNode> {
    let (edges, mut found) = (graph.edges().unwrap(), vec![node]);
    let mut at = 0;
    while let Some(&node) = found.get(at) {
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            if !found.contains(to) {
                found.push(*to);
            }
        }
        at += 1;
    }
    found
}

#[track_caller]
fn is_of_graph<T>(result: crate::Result<T>) {
    match result {
        Err(Error::Graph { reason }) => assert!(reason.contains("memory"), "{reason}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn buffers_of_a_capture_are_allocated_and_freed_by_each_launch() {
    let (stream, mut input, mut output) = (stream(), zeros(1000), zeros(1000));
    let graph = stream
        .capture(|stream| {
            let mut copy = input.try_clone_on(stream)?;
            let mut small = DeviceBuffer::filled_on(10, 7u32, stream)?;
            small.slice_mut(..5).copy_from_buffer_on(copy.slice(..5), stream)?;
            copy.slice_mut(500..510).copy_from_buffer_on(&small, stream)?;
            drop(small);
            let lines = PitchedBuffer::<u32>::zeroed_on([10, 10], stream)?;
            output.copy_from_buffer_on(&copy, stream)?;
            drop(lines);
            Ok(())
        })
        .unwrap();
    let [allocated, freed] =
        [GraphNodeKind::Allocation, GraphNodeKind::Free].map(|kind| of_kind(&graph, kind));
    assert_eq!((allocated.len(), freed.len()), (3, 3), "{}", graph.dot().unwrap());
    let exec = graph.instantiate().unwrap();
    drop(graph);
    for value in 1..6 {
        input.fill_on(value, &stream).unwrap();
        exec.launch(&stream).unwrap();
        let mut want = vec![value; 1000];
        want[505..510].fill(7);
        assert_eq!(output.to_vec().unwrap(), want);
    }
}

/// A buffer that is used on several streams of the capture is freed behind all of the uses.
#[test]
fn memory_is_freed_behind_the_work_of_all_streams() {
    let (first, side, mut a, mut b) = (stream(), stream(), zeros(100), zeros(100));
    let fork = Event::new().unwrap();
    let graph = first
        .capture(|first| {
            fork.record(first)?;
            side.wait(&fork)?;
            let scratch = DeviceBuffer::filled_on(100, 3u32, first)?;
            a.copy_from_buffer_on(&scratch, &side)?;
            b.copy_from_buffer_on(&scratch, first)?;
            drop(scratch);
            b.slice_mut(..50).fill_on(4, first)
        })
        .unwrap();
    let free = of_kind(&graph, GraphNodeKind::Free)[0];
    for copy in of_kind(&graph, GraphNodeKind::Copy) {
        assert!(behind(&graph, copy).contains(&free), "{}", graph.dot().unwrap());
    }
    let exec = graph.instantiate().unwrap();
    for _ in 0..3 {
        exec.launch(&side).unwrap();
        assert_eq!(a.to_vec().unwrap(), [3; 100]);
        assert_eq!(b.to_vec().unwrap(), [[4; 50], [3; 50]].concat());
    }
}

/// Kernels that follow raw pointers may use memory whose address was taken: it is freed behind them.
#[test]
fn memory_is_freed_behind_kernels_that_may_have_its_address() {
    let (first, side, mut a, b) = (stream(), stream(), zeros(100), zeros(100));
    let fork = Event::new().unwrap();
    let graph = first
        .capture(|first| {
            let scratch = DeviceBuffer::filled_on(100, 3u32, first)?;
            let _ = scratch.device_address();
            fork.record(first)?;
            side.wait(&fork)?;
            // In the place of such a kernel.
            follow_pointers(&side, false)?;
            a.copy_from_buffer_on(&b, &side)?;
            drop(scratch);
            DeviceBuffer::filled_on(100, 4u32, first).map(drop)
        })
        .unwrap();
    let kernel = of_kind(&graph, GraphNodeKind::Copy)[0];
    let (free, after) = (of_kind(&graph, GraphNodeKind::Free), behind(&graph, kernel));
    assert!(
        free.len() == 2 && free.iter().all(|free| after.contains(free)),
        "{}",
        graph.dot().unwrap()
    );
}

/// The uses of memory before its address is taken come before those kernels.
#[test]
fn kernels_that_may_have_an_address_come_after_earlier_uses() {
    let (first, side, mut a, b) = (stream(), stream(), zeros(100), zeros(100));
    let fork = Event::new().unwrap();
    let graph = first
        .capture(|first| {
            fork.record(first)?;
            side.wait(&fork)?;
            let scratch = DeviceBuffer::filled_on(100, 3u32, first)?;
            let _ = scratch.device_address();
            follow_pointers(&side, false)?;
            a.copy_from_buffer_on(&b, &side)
        })
        .unwrap();
    let kernel = of_kind(&graph, GraphNodeKind::Copy)[0];
    let fill = of_kind(&graph, GraphNodeKind::Fill)[0];
    assert!(behind(&graph, fill).contains(&kernel), "{}", graph.dot().unwrap());
}

/// The graph frees at its end what the closure has not dropped, and nothing else can use that.
#[test]
fn buffers_that_outlive_their_capture_belong_to_the_graph() {
    let (stream, mut out, mut kept) = (stream(), zeros(10), None);
    let graph = stream
        .capture(|stream| {
            let buffer = kept.insert(DeviceBuffer::filled_on(10, 9u32, stream)?);
            is_of_graph(buffer.to_vec());
            out.copy_from_buffer_on(&*buffer, stream)
        })
        .unwrap();
    assert_eq!(of_kind(&graph, GraphNodeKind::Free).len(), 1);
    let mut kept = kept.unwrap();
    is_of_graph(kept.fill_on(1, &stream));
    is_of_graph(kept.to_vec());
    is_of_graph(kept.copy_from_slice(&[1; 10]));
    is_of_graph(out.copy_from_buffer_on(&kept, &stream));
    is_of_graph(stream.capture(|stream| kept.fill_on(1, stream)).map(drop));
    // The driver has no copies of such a graph.
    is_of_graph(graph.try_clone().map(drop));
    is_of_graph(Graph::new().unwrap().add(&graph, &[]));
    let exec = graph.instantiate().unwrap();
    is_of_graph(graph.instantiate().map(drop));
    exec.launch(&stream).unwrap();
    drop((graph, exec));
    assert_eq!(out.to_vec().unwrap(), [9; 10]);
    is_of_graph(kept.to_vec());
}

/// A graph's memory is not for other processes, whatever pool is the current one.
#[test]
fn shareable_pools_have_no_memory_for_graphs() {
    let _alone = alone();
    let (stream, device) = (stream(), Device::current().unwrap());
    let pool = match MemoryPool::shareable(&device, MemoryLimit::None) {
        Err(error) if !device.is_emulated() => return eprintln!("skipped: {error}"),
        pool => pool.unwrap(),
    };
    let allocated =
        stream.capture(|stream| DeviceBuffer::<u32>::zeroed_in(10, &pool, stream).map(drop));
    is_of_graph(allocated.map(drop));
    pool.make_current().unwrap();
    let mut out = zeros(10);
    let graph = stream.capture(|stream| {
        let buffer = DeviceBuffer::filled_on(10, 3u32, stream)?;
        out.copy_from_buffer_on(&buffer, stream)
    });
    MemoryPool::of_device(&device).unwrap().make_current().unwrap();
    graph.unwrap().instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3; 10]);
}

/// A node is one piece of work; memory for nodes is `Graph::with_scratch`.
#[test]
fn single_nodes_allocate_nothing() {
    let (mut graph, stream) = (Graph::new().unwrap(), stream());
    let node = graph.add_node(&[], |stream| DeviceBuffer::<u32>::zeroed_on(10, stream).map(drop));
    is_of_graph(node);
    assert!(graph.nodes().unwrap().is_empty());
    graph.instantiate().unwrap().launch(&stream).unwrap();
}

#[test]
fn captures_that_fail_leave_no_memory() {
    let _alone = alone();
    let (stream, mut kept) = (stream(), Vec::new());
    for round in 0..3 {
        let mut work = |stream: &Stream| {
            kept.push(DeviceBuffer::filled_on(1000, 1u32, stream)?);
            drop(DeviceBuffer::filled_on(1000, 1u32, stream)?);
            match round {
                0 => Err(Error::Length { what: "mine", expected: 1, found: 2 }),
                1 => panic!("mine"),
                _ => stream.synchronize(),
            }
        };
        let captured = catch_unwind(AssertUnwindSafe(|| stream.capture(&mut work)));
        assert_eq!(captured.is_err(), round == 1);
        assert!(captured.is_err() || captured.is_ok_and(|captured| captured.is_err()));
        assert!(!stream.is_captured());
        is_of_graph(kept[round].to_vec());
    }
    drop(kept);
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(10, &stream).unwrap();
    buffer.fill_on(5, &stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [5; 10]);
}

/// Threads drop a capture's buffers while it goes on, and while it ends.
#[test]
fn other_threads_drop_the_buffers() {
    let (stream, mut out) = (stream(), zeros(100));
    for _ in 0..30 {
        let (send, receive) = mpsc::channel::<DeviceBuffer<u32>>();
        let graph = std::thread::scope(|scope| {
            scope.spawn(move || receive.into_iter().for_each(drop));
            stream.capture(|stream| {
                for value in 0..8 {
                    let buffer = DeviceBuffer::filled_on(100, value, stream)?;
                    out.copy_from_buffer_on(&buffer, stream)?;
                    send.send(buffer).unwrap();
                }
                drop(send);
                Ok(())
            })
        });
        let graph = graph.unwrap();
        assert_eq!(of_kind(&graph, GraphNodeKind::Allocation).len(), 8);
        assert_eq!(of_kind(&graph, GraphNodeKind::Free).len(), 8);
        graph.instantiate().unwrap().launch(&stream).unwrap();
        assert_eq!(out.to_vec().unwrap(), [7; 100]);
    }
}
