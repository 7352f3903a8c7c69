//! Graphs that are built by hand. On the emulated device, or on a GPU if there is one.

use crate::error::Result;
use crate::{
    Device, DeviceBuffer, Error, Event, Graph, GraphNodeKind, GraphUpdateReason, LaunchConfig,
    Module, PitchedBuffer, Stream,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn stream() -> Stream {
    Stream::new().unwrap()
}

fn zeros(len: usize) -> DeviceBuffer<u32> {
    DeviceBuffer::zeroed(len).unwrap()
}

/// Why a graph was refused.
#[track_caller]
fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Err(Error::Graph { reason }) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

/// Kernels of one thread: `add` adds to a number, `step` adds to `sum` and takes one from `left`.
fn module() -> Module {
    const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64
        .visible .entry add(.param .u64 to, .param .u32 what)
        { .reg .b32 %r<3>; .reg .b64 %rd; ld.param.u64 %rd, [to]; ld.param.u32 %r1, [what];
          ld.global.u32 %r0, [%rd]; add.u32 %r0, %r0, %r1; st.global.u32 [%rd], %r0; ret; }
        .visible .entry step(.param .u64 sum, .param .u64 left)
        { .reg .b32 %r<3>; .reg .b64 %rd<2>; ld.param.u64 %rd0, [sum]; ld.param.u64 %rd1, [left];
          ld.global.u32 %r0, [%rd0]; ld.global.u32 %r1, [%rd1]; add.u32 %r0, %r0, %r1;
          sub.u32 %r1, %r1, 1; st.global.u32 [%rd0], %r0; st.global.u32 [%rd1], %r1; ret; }";
    Module::from_ptx(PTX).unwrap()
}

/// Adds `what` to the number.
fn add(module: &Module, to: &mut DeviceBuffer<u32>, what: u32, stream: &Stream) -> Result<()> {
    let config = LaunchConfig::new().stream(stream);
    // SAFETY: one thread adds to the one number of the buffer.
    unsafe { module.function("add")?.launch(config, (to, what)) }
}

/// `sum += left; left -= 1`
fn step(
    module: &Module,
    sum: &mut DeviceBuffer<u32>,
    left: &mut DeviceBuffer<u32>,
    stream: &Stream,
) -> Result<()> {
    let config = LaunchConfig::new().stream(stream);
    // SAFETY: one thread, and each buffer has a number.
    unsafe { module.function("step")?.launch(config, (sum, left)) }
}

#[test]
fn each_kind_of_work_is_a_node() {
    let (stream, other, kernels) = (stream(), stream(), module());
    let (mut a, mut b, mut number) = (zeros(8), zeros(8), zeros(1));
    let mut pitched = PitchedBuffer::<u32>::zeroed([5, 3]).unwrap();
    let (ready, done) = (Event::new().unwrap(), Event::new().unwrap());
    ready.record(&other).unwrap();
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let mut graph = Graph::new().unwrap();
    let nodes = [
        graph.add_node(&[], |s| s.wait_each(&ready)).unwrap(),
        graph.add_node(&[], |s| a.fill_on(7, s)).unwrap(),
        graph.add_node(&[], |s| b.slice_mut(2..5).copy_from_buffer_on(a.slice(..3), s)).unwrap(),
        graph.add_node(&[], |s| pitched.part_mut([0..5, 0..3])?.fill_on(9, s)).unwrap(),
        graph.add_node(&[], |s| add(&kernels, &mut number, 5, s)).unwrap(),
        graph
            .add_node(&[], |s| {
                let counted = counted.clone();
                s.on_host_each(move || {
                    counted.fetch_add(1, Ordering::Relaxed);
                })
            })
            .unwrap(),
        graph.add_node(&[], |s| done.record_each(s)).unwrap(),
    ];
    use GraphNodeKind as Kind;
    let kinds = [
        Kind::EventWait,
        Kind::Fill,
        Kind::Copy,
        Kind::Fill,
        Kind::Kernel,
        Kind::Host,
        Kind::EventRecord,
    ];
    assert_eq!(nodes.map(|node| graph.kind(node).unwrap()), kinds);
    // Kernels have names in pictures.
    assert!(graph.dot().unwrap().contains(": kernel add\"]"), "{}", graph.dot().unwrap());
    // Only the copy needs what another node writes.
    assert_eq!(graph.edges().unwrap(), [(nodes[1], nodes[2])]);
    drop(kernels);
    let exec = graph.instantiate().unwrap();
    drop(graph);
    for round in 1..=3 {
        exec.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        assert!(done.is_done().unwrap());
        assert_eq!(number.to_vec().unwrap(), [5 * round]);
        assert_eq!(calls.load(Ordering::Relaxed), round);
    }
    assert_eq!(a.to_vec().unwrap(), [7; 8]);
    assert_eq!(b.to_vec().unwrap(), [0, 0, 7, 7, 7, 0, 0, 0]);
    assert_eq!(pitched.to_vec().unwrap(), [9; 15]);
}

/// A random graph of additions and copies: each launch does what the host does in the order in which nodes were added.
#[test]
fn nodes_are_ordered_by_what_they_use() {
    let mut state = ptyx_test_support::seed() | 1;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let (stream, kernels) = (stream(), module());
    let mut buffers: Vec<_> = (0..5).map(|_| zeros(1)).collect();
    let mut expected = [0u32; 5];
    let mut steps = Vec::new();
    let mut graph = Graph::new().unwrap();
    for _ in 0..60 {
        let (to, from, what) = (random(5) as usize, random(5) as usize, random(1000) as u32);
        if to == from {
            graph.add_node(&[], |s| add(&kernels, &mut buffers[to], what, s)).unwrap();
        } else {
            let [to, from] = buffers.get_disjoint_mut([to, from]).unwrap();
            graph.add_node(&[], |s| to.copy_from_buffer_on(&*from, s)).unwrap();
        }
        steps.push((to, from, what));
    }
    // Each node comes after few others: not after all that use the same memory.
    assert!(graph.edges().unwrap().len() <= 60 * 5, "{}", graph.dot().unwrap());
    let exec = graph.instantiate().unwrap();
    for _ in 0..3 {
        exec.launch(&stream).unwrap();
        for &(to, from, what) in &steps {
            expected[to] =
                if to == from { expected[to].wrapping_add(what) } else { expected[from] };
        }
        let found: Vec<u32> = buffers.iter().map(|b| b.to_vec().unwrap()[0]).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_node_is_one_piece_of_work() {
    let (other, mut a) = (stream(), zeros(4));
    let mut graph = Graph::new().unwrap();
    let none = refused(graph.add_node(&[], |_| Ok(())));
    assert!(none.contains("none or several"), "{none}");
    refused(graph.add_node(&[], |s| a.fill_on(1, s).and_then(|()| a.fill_on(2, s))));
    refused(graph.add_node(&[], |_| a.fill_on(3, &other)));
    let own = graph.add_node(&[], |_| Err(Error::Length { what: "mine", expected: 1, found: 2 }));
    assert!(matches!(own, Err(Error::Length { .. })));
    let thrown = catch_unwind(AssertUnwindSafe(|| graph.add_node(&[], |_| panic!("mine"))));
    assert!(thrown.is_err());
    let strange = Graph::new().unwrap().add_empty(&[]).unwrap();
    refused(graph.add_node(&[strange], |s| a.fill_on(1, s)));
    assert!(graph.nodes().unwrap().is_empty());
    // The graph goes on.
    graph.add_node(&[], |s| a.fill_on(6, s)).unwrap();
    graph.instantiate().unwrap().launch(&other).unwrap();
    assert_eq!(a.to_vec().unwrap(), [6; 4]);
}

#[test]
fn single_nodes_are_changed_or_it_is_said_why_not() {
    let (stream, kernels) = (stream(), module());
    let (mut a, mut b, mut number) = (zeros(4), zeros(4), zeros(1));
    let mut graph = Graph::new().unwrap();
    let fill = graph.add_node(&[], |s| a.fill_on(1, s)).unwrap();
    let kernel = graph.add_node(&[], |s| add(&kernels, &mut number, 1, s)).unwrap();
    let copy = graph.add_node(&[], |s| b.copy_from_buffer_on(&a, s)).unwrap();
    let mut exec = graph.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!((b.to_vec().unwrap(), number.to_vec().unwrap()), (vec![1; 4], vec![1]));
    for round in 2..20 {
        exec.set_node(fill, |s| a.fill_on(round, s)).unwrap();
        exec.set_node(kernel, |s| add(&kernels, &mut number, round, s)).unwrap();
        exec.launch(&stream).unwrap();
        assert_eq!(b.to_vec().unwrap(), [round; 4]);
        assert_eq!(number.to_vec().unwrap(), [round * (round + 1) / 2]);
    }
    // Memory that only a changed node uses is kept, and its old memory is not.
    let mut fresh = zeros(4);
    exec.set_node(copy, |s| fresh.copy_from_buffer_on(&a, s)).unwrap();
    b.fill(0).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!((fresh.to_vec().unwrap(), b.to_vec().unwrap()), (vec![19; 4], vec![0; 4]));
    drop(fresh);
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    // The kernel may run beside the fill.
    let races = refused(exec.set_node(kernel, |s| add(&kernels, &mut a, 1, s)));
    assert!(races.contains("at the same time"), "{races}");
    match exec.set_node(kernel, |s| a.fill_on(1, s)) {
        Err(Error::GraphUpdate { reason: GraphUpdateReason::NodeType }) => {}
        other => panic!("{other:?}"),
    }
    let other = Graph::new().unwrap().add_empty(&[]).unwrap();
    refused(exec.set_node(other, |s| a.fill_on(1, s)));
    // Nothing of that has changed anything.
    let before = number.to_vec().unwrap()[0];
    exec.launch(&stream).unwrap();
    assert_eq!(number.to_vec().unwrap(), [before + 19]);
    // The graph is as it was.
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(number.to_vec().unwrap(), [before + 20]);
}

/// Nodes of a capture may use whatever the capture uses.
#[test]
fn nodes_of_captures_are_changed() {
    let (stream, mut a, mut b) = (stream(), zeros(4), zeros(4));
    let graph = stream
        .capture(|s| {
            a.fill_on(1, s)?;
            b.copy_from_buffer_on(&a, s)
        })
        .unwrap();
    let (nodes, mut exec) = (graph.nodes().unwrap(), graph.instantiate().unwrap());
    drop(graph);
    for value in 5..9 {
        exec.set_node(nodes[0], |s| a.fill_on(value, s)).unwrap();
        exec.launch(&stream).unwrap();
        assert_eq!(b.to_vec().unwrap(), [value; 4]);
    }
}

#[test]
fn a_body_runs_if_its_number_is_not_zero() {
    let (stream, kernels) = (stream(), module());
    let (mut flag, mut inner, mut number) = (zeros(1), zeros(1), zeros(1));
    let mut graph = Graph::new().unwrap();
    let branch = graph
        .add_if(&flag, &[], |body| {
            body.add_node(&[], |s| add(&kernels, &mut number, 1, s))?;
            body.add_if(&inner, &[], |body| {
                body.add_node(&[], |s| add(&kernels, &mut number, 10, s)).map(|_| ())
            })?;
            Ok(())
        })
        .unwrap();
    // After the bodies, because of the number.
    let after = graph.add_node(&[], |s| add(&kernels, &mut number, 100, s)).unwrap();
    assert!(graph.edges().unwrap().contains(&(branch, after)));
    assert_eq!(graph.kind(branch).unwrap(), GraphNodeKind::Conditional);
    let exec = graph.instantiate().unwrap();
    let mut expected = 0;
    for (outer, within) in [(0, 0), (1, 0), (0, 1), (1, 1), (7, 3), (0, 0)] {
        flag.fill(outer).unwrap();
        inner.fill(within).unwrap();
        exec.launch(&stream).unwrap();
        expected += 100;
        if outer != 0 {
            expected += if within != 0 { 11 } else { 1 };
        }
        assert_eq!(number.to_vec().unwrap(), [expected]);
    }
}

#[test]
fn a_body_runs_while_its_number_is_not_zero() {
    let (stream, other, kernels) = (stream(), stream(), module());
    let (mut left, mut sum, mut start) = (zeros(1), zeros(1), zeros(1));
    let mut graph = Graph::new().unwrap();
    graph.add_node(&[], |s| left.copy_from_buffer_on(&start, s)).unwrap();
    graph
        .add_while(&mut left, &[], |body, left| {
            body.add_node(&[], |s| step(&kernels, &mut sum, left, s)).map(|_| ())
        })
        .unwrap();
    graph.add_node(&[], |s| add(&kernels, &mut sum, 1000, s)).unwrap();
    let exec = graph.instantiate().unwrap();
    drop(graph);
    let mut expected = 0;
    for rounds in [0, 1, 2, 10, 57] {
        start.fill_on(rounds, &other).unwrap();
        exec.launch(&stream).unwrap();
        expected += rounds * (rounds + 1) / 2 + 1000;
        assert_eq!(sum.to_vec().unwrap(), [expected]);
    }
}

/// Each body has its own nodes, also conditional ones; what comes later waits for whichever runs.
#[test]
fn a_number_chooses_a_body() {
    let (stream, kernels) = (stream(), module());
    let (mut which, mut flag, mut number) = (zeros(1), zeros(1), zeros(1));
    let mut graph = Graph::new().unwrap();
    let (switch, branch) = {
        let mut bodies = Vec::new();
        let switch = graph.add_switch(&which, 4, &[], |body, case| {
            bodies.push(case);
            if case == 3 {
                return Ok(()); // empty
            }
            body.add_node(&[], |s| add(&kernels, &mut number, 10 + case, s))?;
            if case == 1 {
                body.add_if_else(&flag, &[], |body, holds| {
                    let summand = if holds { 100 } else { 200 };
                    body.add_node(&[], |s| add(&kernels, &mut number, summand, s)).map(drop)
                })?;
            }
            Ok(())
        });
        let switch = match switch {
            Err(error) if !Device::current().unwrap().is_emulated() => {
                return eprintln!("skipped: a driver before CUDA 12.8: {error}");
            }
            switch => switch.unwrap(),
        };
        assert_eq!(bodies, [0, 1, 2, 3]);
        let after = graph.add_node(&[], |s| add(&kernels, &mut number, 1000, s)).unwrap();
        (switch, after)
    };
    assert!(graph.edges().unwrap().contains(&(switch, branch)));
    assert!(matches!(graph.add_switch(&which, 0, &[], |_, _| Ok(())), Err(Error::Length { .. })));
    assert!(matches!(
        graph.add_switch(&which, u32::MAX, &[], |_, _| Ok(())),
        Err(Error::Graph { .. })
    ));
    let exec = graph.instantiate().unwrap();
    let mut expected = 0;
    for (case, holds) in [(0, 0), (1, 0), (1, 5), (2, 1), (3, 0), (4, 1), (u32::MAX, 0), (0, 1)] {
        which.fill(case).unwrap();
        flag.fill(holds).unwrap();
        exec.launch(&stream).unwrap();
        expected += 1000 + if case < 3 { 10 + case } else { 0 };
        if case == 1 {
            expected += if holds != 0 { 100 } else { 200 };
        }
        assert_eq!(number.to_vec().unwrap(), [expected], "{case} {holds}");
    }
    // A body that fails leaves a graph that can't be used.
    let mut broken = Graph::new().unwrap();
    let failed = broken.add_switch(&which, 3, &[], |_, case| match case {
        1 => Err(Error::Length { what: "mine", expected: 1, found: 2 }),
        _ => Ok(()),
    });
    assert!(matches!(failed, Err(Error::Length { what: "mine", .. })));
    refused(broken.instantiate());
}

#[test]
fn what_bodies_cannot_have_is_an_error() {
    let (stream, mut flag, mut a) = (stream(), zeros(1), zeros(4));
    let event = Event::new().unwrap();
    let host = stream.capture(|s| s.on_host_each(|| {})).unwrap();
    let mut nested = Graph::new().unwrap();
    nested.add(&host, &[]).unwrap();
    let mut graph = Graph::new().unwrap();
    graph
        .add_if(&flag, &[], |body| {
            refused(body.add_node(&[], |s| s.on_host_each(|| {})));
            refused(body.add_node(&[], |s| event.record_each(s)));
            refused(body.add(&host, &[]));
            refused(body.add(&nested, &[]));
            refused(body.instantiate());
            refused(body.try_clone());
            body.add_node(&[], |s| a.fill_on(4, s)).map(|_| ())
        })
        .unwrap();
    // Neither can it be copied.
    refused(graph.try_clone());
    refused(Graph::new().unwrap().add(&graph, &[]));
    let exec = graph.instantiate().unwrap();
    flag.fill(1).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(a.to_vec().unwrap(), [4; 4]);
    let empty = zeros(0);
    assert!(matches!(graph.add_if(&empty, &[], |_| Ok(())), Err(Error::Length { .. })));
    // There is one exec at a time, until no launch of it runs.
    refused(graph.instantiate());
    stream.synchronize().unwrap();
    drop(exec);
    let exec = graph.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}

/// Bodies are filled in their closures only; a graph with a body that was not completed is not launched.
#[test]
fn bodies_do_not_escape() {
    let (flag, mut a) = (zeros(1), zeros(4));
    let mut graph = Graph::new().unwrap();
    let mut stolen = Graph::new().unwrap();
    refused(graph.add_if(&flag, &[], |body| {
        core::mem::swap(body, &mut stolen);
        Ok(())
    }));
    refused(stolen.add_node(&[], |s| a.fill_on(1, s)));
    refused(graph.instantiate());
    drop(graph);
    assert!(stolen.nodes().unwrap().is_empty());
    let mut graph = Graph::new().unwrap();
    let failed =
        graph.add_if(&flag, &[], |_| Err(Error::Length { what: "mine", expected: 1, found: 2 }));
    assert!(matches!(failed, Err(Error::Length { .. })));
    refused(graph.instantiate());
}

#[test]
fn graphs_have_memory_of_their_own() {
    let (stream, kernels, mut flag) = (stream(), module(), DeviceBuffer::filled(1, 1u32).unwrap());
    let (mut number, mut output) = (zeros(1), zeros(1));
    let mut graph = Graph::new().unwrap();
    let first = graph.add_node(&[], |s| add(&kernels, &mut number, 3, s)).unwrap();
    graph
        .with_scratch(1, &[first], |graph, scratch: &mut DeviceBuffer<u32>| {
            graph.add_if(&flag, &[], |body| {
                body.add_node(&[], |s| add(&kernels, scratch, 40, s)).map(|_| ())
            })?;
            graph.add_node(&[], |s| add(&kernels, scratch, 2, s))?;
            graph.add_node(&[], |s| output.copy_from_buffer_on(&*scratch, s))
        })
        .unwrap();
    let nodes = graph.nodes().unwrap();
    let kinds: Vec<GraphNodeKind> = nodes.iter().map(|&n| graph.kind(n).unwrap()).collect();
    assert_eq!(kinds[1], GraphNodeKind::Allocation);
    assert_eq!(kinds[nodes.len() - 1], GraphNodeKind::Free);
    // The end comes after everything that uses the memory, by way of the copy.
    let edges = graph.edges().unwrap();
    assert!(edges.contains(&(nodes[nodes.len() - 2], nodes[nodes.len() - 1])));
    refused(graph.try_clone());
    let mut exec = graph.instantiate().unwrap();
    let again = stream.capture(|_| Ok(())).unwrap();
    refused(exec.update(&again));
    refused(graph.instantiate());
    stream.synchronize().unwrap();
    drop(exec);
    let exec = graph.instantiate().unwrap();
    for round in 0..4u32 {
        flag.fill(round % 2).unwrap();
        exec.launch(&stream).unwrap();
        // It is zeros each time.
        assert_eq!(output.to_vec().unwrap(), [2 + 40 * (round % 2)]);
        assert_eq!(number.to_vec().unwrap(), [3 * (round + 1)]);
    }
}

#[test]
fn memory_of_a_graph_is_used_by_its_nodes_only() {
    let (stream, mut a) = (stream(), zeros(4));
    let mut graph = Graph::new().unwrap();
    let mut stolen = zeros(4);
    graph
        .with_scratch(4, &[], |graph, scratch| {
            refused(scratch.to_vec());
            refused(scratch.fill(1));
            refused(scratch.fill_on(1, &stream));
            refused(a.copy_from_buffer(&*scratch));
            refused(stream.capture(|s| scratch.fill_on(1, s)));
            refused(Graph::new()?.add_node(&[], |s| scratch.fill_on(1, s)));
            graph.add_node(&[], |s| scratch.fill_on(7, s))?;
            graph.add_node(&[], |s| a.copy_from_buffer_on(&*scratch, s))?;
            core::mem::swap(scratch, &mut stolen);
            Ok(())
        })
        .unwrap();
    refused(graph.add_node(&[], |s| stolen.fill_on(1, s)));
    refused(stolen.to_vec());
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(a.to_vec().unwrap(), [7; 4]);
    drop(graph);
    refused(stolen.fill(1));
    drop(stolen);
    // A graph whose memory is not freed is not launched.
    let mut graph = Graph::new().unwrap();
    let failed = graph.with_scratch(4, &[], |_, _: &mut DeviceBuffer<u32>| {
        Err::<(), _>(Error::Length { what: "mine", expected: 1, found: 2 })
    });
    assert!(matches!(failed, Err(Error::Length { .. })));
    refused(graph.instantiate());
    let mut graph = Graph::new().unwrap();
    let none = graph.with_scratch(0, &[], |_, _: &mut DeviceBuffer<u32>| Ok(()));
    assert!(matches!(none, Err(Error::Length { .. })));
    let flag = zeros(1);
    graph
        .add_if(&flag, &[], |body| {
            refused(body.with_scratch(1, &[], |_, _: &mut DeviceBuffer<u32>| Ok(())));
            Ok(())
        })
        .unwrap();
    let mut other = Graph::new().unwrap();
    refused(graph.with_scratch(1, &[], |graph, _: &mut DeviceBuffer<u32>| {
        core::mem::swap(graph, &mut other);
        Ok(())
    }));
    refused(other.instantiate());
}

/// A node that is switched off does nothing, and says so; others are not concerned.
#[test]
fn nodes_are_enabled_or_not() {
    let (stream, mut x, mut y) = (stream(), zeros(10), zeros(10));
    let graph = stream
        .capture(|stream| {
            x.fill_on(3, stream)?;
            y.fill_on(4, stream)
        })
        .unwrap();
    let nodes = graph.nodes().unwrap();
    let mut exec = graph.instantiate().unwrap();
    for on in [[true, true], [false, true], [false, false], [true, false]] {
        x.zero_on(&stream).unwrap();
        y.zero_on(&stream).unwrap();
        for (&node, on) in nodes.iter().zip(on) {
            exec.set_enabled(node, on).unwrap();
        }
        for (&node, on) in nodes.iter().zip(on) {
            assert_eq!(exec.is_enabled(node).unwrap(), on);
        }
        exec.launch(&stream).unwrap();
        let mut found = [x.to_vec().unwrap()[9], y.to_vec().unwrap()[9]];
        // Which node is which, the driver does not say.
        found.sort_unstable();
        match on {
            [true, true] => assert_eq!(found, [3, 4]),
            [false, false] => assert_eq!(found, [0, 0]),
            _ => assert!(found[0] == 0 && found[1] > 2, "{found:?}"),
        }
    }
    let other = stream.capture(|stream| x.fill_on(1, stream)).unwrap();
    assert!(exec.is_enabled(other.nodes().unwrap()[0]).is_err(), "a node of another graph");
}
