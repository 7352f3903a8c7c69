//! Copies between the host and a device as nodes of graphs.

use ptyx::prelude::*;
use ptyx::{
    Error, Graph, GraphExec, GraphNode, GraphNodeKind, GraphUpdateReason, PinnedBuffer,
    PinnedOptions, PitchedBuffer, StagingBuffer,
};
use ptyx_memory_tests::{Rng, alone_with, rng};
use std::mem::forget;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[kernel]
fn scramble(factor: u32, mut numbers: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(number) = numbers.get_mut(i) {
        *number = number.wrapping_mul(factor) ^ i.get() as u32;
    }
}

/// # Safety
/// `to` is valid for writes, by one thread.
#[kernel]
unsafe fn poke(to: *mut u32, value: u32) {
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
}

/// What `scramble` does.
fn scrambled(factor: u32, numbers: &[u32]) -> Vec<u32> {
    let each = |(i, number): (usize, &u32)| number.wrapping_mul(factor) ^ i as u32;
    numbers.iter().enumerate().map(each).collect()
}

fn numbers(rng: &mut Rng, len: usize) -> Vec<u32> {
    rng.vec(len, |rng| rng.next_u32())
}

/// A range of `len` within `whole`.
fn part(rng: &mut Rng, len: usize, whole: usize) -> Range<usize> {
    let start = rng.below(whole - len + 1);
    start..start + len
}

/// Why a launch or a change of a graph was refused.
#[track_caller]
fn refused(result: ptyx::Result<()>) -> &'static str {
    match result {
        Err(Error::Graph { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Whether a node's parameters were refused.
fn is_refused(result: &ptyx::Result<()>) -> bool {
    matches!(result, Err(Error::GraphUpdate { reason: GraphUpdateReason::Parameters }))
}

/// A graph that reads `input`, computes, and writes `output`, by hand or captured.
struct Loop {
    input: StagingBuffer<u32>,
    buffer: DeviceBuffer<u32>,
    output: StagingBuffer<u32>,
    exec: GraphExec,
    /// The copies from and to the host, in this order.
    copies: Vec<GraphNode>,
}

impl Loop {
    fn new(len: usize, by_hand: bool) -> ptyx::Result<Loop> {
        let (input, mut output) = (StagingBuffer::zeroed(len)?, StagingBuffer::zeroed(len)?);
        let mut buffer = DeviceBuffer::<u32>::zeroed(len)?;
        let blocks = len.div_ceil(64);
        let graph = if by_hand {
            let mut graph = Graph::new()?;
            graph.add_node(&[], |s| buffer.copy_from_pinned_on(&input, s))?;
            graph.add_node(&[], |s| launch!(scramble<<<blocks, 64, 0, s>>>(7, &mut buffer)))?;
            graph.add_node(&[], |s| buffer.copy_to_pinned_on(&mut output, s))?;
            graph
        } else {
            Stream::new()?.capture(|s| {
                buffer.copy_from_pinned_on(&input, s)?;
                launch!(scramble<<<blocks, 64, 0, s>>>(7, &mut buffer))?;
                buffer.copy_to_pinned_on(&mut output, s)
            })?
        };
        let nodes = graph.nodes()?;
        let kinds: Vec<_> = nodes.iter().map(|&node| graph.kind(node)).collect::<Result<_, _>>()?;
        let copies = nodes.iter().zip(&kinds).filter(|(_, kind)| **kind == GraphNodeKind::Copy);
        let copies: Vec<GraphNode> = copies.map(|(node, _)| *node).collect();
        assert_eq!((kinds.len(), copies.len()), (3, 2), "{kinds:?}");
        let edges = graph.edges()?;
        assert_eq!(edges.len(), 2);
        let first = |node: &GraphNode| !edges.iter().any(|(_, to)| to == node);
        let copies = if first(&copies[0]) { copies } else { vec![copies[1], copies[0]] };
        Ok(Loop { input, buffer, output, exec: graph.instantiate()?, copies })
    }
}

fn launches_read_and_write(by_hand: bool) -> ptyx::Result<()> {
    let mut rng = rng();
    let (stream, other) = (Stream::new()?, Stream::new()?);
    for _ in 0..10 {
        let len = 1 + rng.below(500);
        let mut all = Loop::new(len, by_hand)?;
        for round in 0..5 {
            let given = numbers(&mut rng, len);
            // Waits for the launch before, which may still read.
            all.input.write().copy_from_slice(&given);
            all.exec.launch(if round % 2 == 0 { &stream } else { &other })?;
            assert_eq!(all.output.read()[..], scrambled(7, &given));
            assert_eq!(all.input.read()[..], given);
        }
        // Other copies of the same memory are ordered with launches.
        let given = numbers(&mut rng, len);
        let source = DeviceBuffer::from_slice(&given)?;
        source.copy_to_pinned_on(&mut all.input, &other)?;
        all.exec.launch(&stream)?;
        source.copy_to_pinned_on(&mut all.input, &other)?;
        let mut copy = DeviceBuffer::<u32>::zeroed(len)?;
        copy.copy_from_pinned_on(&all.output, &other)?;
        assert_eq!(copy.to_vec()?, scrambled(7, &given));
        assert_eq!(all.input.read()[..], given);
    }
    Ok(())
}

#[test]
fn nodes_copy_from_and_to_the_host() -> ptyx::Result<()> {
    launches_read_and_write(true)
}

#[test]
fn captured_copies_from_and_to_the_host() -> ptyx::Result<()> {
    launches_read_and_write(false)
}

#[test]
fn nodes_copy_from_and_to_the_host_late() {
    for seed in ["1", "2", "3"] {
        let variables = [
            ("PTYX_DEVICE", "emulator"),
            ("PTYX_EMULATOR_ASYNC", "1"),
            ("PTYX_EMULATOR_SEED", seed),
        ];
        alone_with("staging::nodes_copy_from_and_to_the_host_late", &variables, || {
            launches_read_and_write(true).unwrap();
            launches_read_and_write(false).unwrap();
        });
    }
}

#[test]
fn copies_of_instantiated_graphs_are_changed() -> ptyx::Result<()> {
    let (mut rng, stream) = (rng(), Stream::new()?);
    for by_hand in [true, false] {
        let whole = 50 + rng.below(200);
        let mut all = Loop::new(whole, by_hand)?;
        let [from_host, to_host] = all.copies[..] else { panic!() };
        all.exec.launch(&stream)?;
        let mut before = scrambled(7, &vec![0; whole]);
        assert_eq!(all.output.read()[..], before);
        for _ in 0..10 {
            // Other host memory, other parts and lengths.
            let len = 1 + rng.below(whole);
            let given = numbers(&mut rng, whole);
            let input = StagingBuffer::from_slice(&given)?;
            let mut output = StagingBuffer::<u32>::zeroed(whole)?;
            let [source, target] = [part(&mut rng, len, whole), part(&mut rng, len, whole)];
            let (exec, buffer) = (&mut all.exec, &mut all.buffer);
            exec.set_node(from_host, |s| {
                let from = input.view([whole])?.part([source.clone()])?;
                buffer.slice_mut(target.clone()).copy_from_pinned_on(from, s)
            })?;
            let len = 1 + rng.below(whole);
            let [taken, given_to] = [part(&mut rng, len, whole), part(&mut rng, len, whole)];
            exec.set_node(to_host, |s| {
                let to = output.view_mut([whole])?.part([given_to.clone()])?;
                buffer.slice(taken.clone()).copy_to_pinned_on(to, s)
            })?;
            // The graph keeps it.
            drop(input);
            exec.launch(&stream)?;
            before[target.clone()].copy_from_slice(&given[source]);
            before = scrambled(7, &before);
            let mut want = vec![0; whole];
            want[given_to].copy_from_slice(&before[taken]);
            assert_eq!(output.read()[..], want);
        }
        // What the nodes used before is free, so the host can hold it during a launch. Any node of a capture may use it.
        let (_input, _output) = (all.input.write(), all.output.write());
        assert_eq!(all.exec.launch(&stream).is_ok(), by_hand);
        stream.synchronize()?;
    }
    Ok(())
}

/// The driver exchanges neither the kinds of memory nor copies of boxes.
#[test]
fn other_copies_are_refused() -> ptyx::Result<()> {
    let (stream, mut rng) = (Stream::new()?, rng());
    let given = numbers(&mut rng, 64);
    let mut all = Loop::new(64, true)?;
    let [from_host, to_host] = all.copies[..] else { panic!() };
    let mut other = StagingBuffer::<u32>::zeroed(64)?;
    let source = DeviceBuffer::<u32>::zeroed(64)?;
    let exec = &mut all.exec;
    let turned = exec.set_node(from_host, |s| source.copy_to_pinned_on(&mut other, s));
    assert!(is_refused(&turned), "{turned:?}");
    let within = exec.set_node(from_host, |s| all.buffer.copy_from_buffer_on(&source, s));
    assert!(is_refused(&within), "{within:?}");
    // A fault of the call itself changes nothing either.
    let most = 0..63;
    let wrong = exec.set_node(to_host, |s| {
        all.buffer.copy_to_pinned_on(other.view_mut([64])?.part([most])?, s)
    });
    assert!(matches!(wrong, Err(Error::Length { .. })), "{wrong:?}");
    if Device::current()?.is_emulated() {
        let image = PitchedBuffer::<u32>::zeroed([8, 8])?;
        let rows =
            exec.set_node(to_host, |s| image.view().copy_to_pinned_on(other.view_mut([8, 8])?, s));
        assert!(is_refused(&rows), "{rows:?}");
    }
    all.input.write().copy_from_slice(&given);
    exec.launch(&stream)?;
    assert_eq!(all.output.read()[..], scrambled(7, &given));
    // A whole graph can't be turned round either.
    let mut turned = Graph::new()?;
    turned.add_node(&[], |s| all.buffer.copy_to_pinned_on(&mut other, s))?;
    let mut straight = Graph::new()?;
    straight.add_node(&[], |s| all.buffer.copy_from_pinned_on(&other, s))?;
    let updated = straight.instantiate()?.update(&turned);
    assert!(is_refused(&updated), "{updated:?}");
    Ok(())
}

#[test]
fn boxes_are_copied_by_nodes() -> ptyx::Result<()> {
    let (mut rng, stream) = (rng(), Stream::new()?);
    for _ in 0..10 {
        let [rows, columns] = [2 + rng.below(8), 2 + rng.below(8)];
        let given = numbers(&mut rng, rows * columns);
        let input = StagingBuffer::from_slice(&given)?;
        let mut output = StagingBuffer::<u32>::zeroed(rows * columns)?;
        let mut image = PitchedBuffer::<u32>::zeroed([rows - 1, columns - 1])?;
        let mut graph = Graph::new()?;
        graph.add_node(&[], |s| {
            let inner = input.view([rows, columns])?.part([1..rows, 1..columns])?;
            image.view_mut().copy_from_pinned_on(inner, s)
        })?;
        graph.add_node(&[], |s| {
            let to = output.view_mut([rows, columns])?.part([0..rows - 1, 0..columns - 1])?;
            image.view().copy_to_pinned_on(to, s)
        })?;
        let exec = graph.instantiate()?;
        drop((graph, image, input));
        exec.launch(&stream)?;
        let mut want = vec![0; rows * columns];
        for row in 1..rows {
            for column in 1..columns {
                want[(row - 1) * columns + column - 1] = given[row * columns + column];
            }
        }
        assert_eq!(output.read()[..], want);
    }
    Ok(())
}

#[test]
fn launches_are_refused_while_the_host_holds_the_memory() -> ptyx::Result<()> {
    let (stream, mut rng) = (Stream::new()?, rng());
    let mut all = Loop::new(100, true)?;
    let given = numbers(&mut rng, 100);
    let mut held = all.input.write();
    held.copy_from_slice(&given);
    assert!(refused(all.exec.launch(&stream)).contains("StagingBuffer::write"));
    drop(held);
    // Reading what a graph only reads is no conflict.
    let held = all.input.read();
    all.exec.launch(&stream)?;
    assert_eq!(held[..], given);
    drop(held);
    let held = all.output.read();
    refused(all.exec.launch(&stream));
    assert_eq!(held[..], scrambled(7, &given));
    drop(held);
    all.exec.launch(&stream)?;
    // What holds the memory can be forgotten. Then no launch ever writes it; all else goes on.
    forget(all.output.read());
    refused(all.exec.launch(&stream));
    let source = DeviceBuffer::from_slice(&given)?;
    source.copy_to_pinned_on(&mut all.output, &stream)?;
    assert_eq!(all.output.read()[..], given);
    forget(all.input.write());
    refused(all.exec.launch(&stream));
    drop(all.input.write());
    refused(all.exec.launch(&stream));
    Ok(())
}

#[test]
fn graphs_keep_the_memory() -> ptyx::Result<()> {
    let (stream, mut rng) = (Stream::new()?, rng());
    let given = numbers(&mut rng, 300);
    let mut result = DeviceBuffer::<u32>::zeroed(300)?;
    let exec = {
        let options = PinnedOptions::new().write_combined(true);
        let input = StagingBuffer::new(PinnedBuffer::from_slice_with(&given, &options)?);
        let mut between = StagingBuffer::new(PinnedBuffer::from_vec(vec![0u32; 300])?);
        let mut first = DeviceBuffer::<u32>::zeroed(300)?;
        let mut graph = Graph::new()?;
        graph.add_node(&[], |s| first.copy_from_pinned_on(&input, s))?;
        graph.add_node(&[], |s| first.copy_to_pinned_on(&mut between, s))?;
        graph.add_node(&[], |s| result.copy_from_pinned_on(&between, s))?;
        // Through a clone as a part of another graph.
        let mut whole = Graph::new()?;
        whole.add(&graph.try_clone()?, &[])?;
        whole.instantiate()?
    };
    for _ in 0..3 {
        result.fill(0)?;
        exec.launch(&stream)?;
        assert_eq!(result.to_vec()?, given);
    }
    exec.launch(&stream)?;
    // While it may run.
    drop(exec);
    assert_eq!(result.to_vec()?, given);
    Ok(())
}

#[test]
fn pinned_memory_that_borrows_guard_is_in_no_graph() -> ptyx::Result<()> {
    let pinned = PinnedBuffer::<u32>::zeroed(4)?;
    let mut buffer = DeviceBuffer::<u32>::zeroed(4)?;
    let captured = Graph::new()?.add_node(&[], |s| buffer.copy_from_pinned_on(&pinned, s));
    let text = captured.unwrap_err().to_string();
    assert!(text.contains("StagingBuffer"), "{text}");
    let empty = StagingBuffer::<u32>::zeroed(0)?;
    let mut none = DeviceBuffer::<u32>::zeroed(0)?;
    none.copy_from_pinned_on(&empty, &Stream::new()?)?;
    assert!(empty.is_empty() && empty.read().is_empty());
    Ok(())
}

/// Kernels that follow raw pointers are ordered with the copies.
#[test]
fn raw_pointers_to_the_memory_are_ordered() -> ptyx::Result<()> {
    let pinned = PinnedBuffer::from_slice(&[3u32])?;
    let pointer = pinned.device_address()? as *mut u32;
    let staging = StagingBuffer::new(pinned);
    let mut buffer = DeviceBuffer::<u32>::zeroed(1)?;
    let mut graph = Graph::new()?;
    // SAFETY: one thread, and memory that the graph keeps.
    let kernel = graph.add_node(&[], |s| launch!(unsafe poke<<<1, 1, 0, s>>>(pointer, 5)))?;
    let copy = graph.add_node(&[], |s| buffer.copy_from_pinned_on(&staging, s))?;
    assert_eq!(graph.edges()?, [(kernel, copy)]);
    graph.instantiate()?.launch(&Stream::new()?)?;
    assert_eq!((buffer.to_vec()?, &staging.read()[..]), (vec![5], &[5][..]));
    Ok(())
}

/// While one thread launches, another reads: each sees the results of whole launches only.
#[test]
fn threads_launch_and_read() -> ptyx::Result<()> {
    const LEN: usize = 400;
    let mut source = DeviceBuffer::<u32>::zeroed(LEN)?;
    let mut output = StagingBuffer::<u32>::zeroed(LEN)?;
    let mut graph = Graph::new()?;
    graph.add_node(&[], |s| source.copy_to_pinned_on(&mut output, s))?;
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
                std::thread::sleep(Duration::from_micros(20));
            }
            seen
        });
        let mut launch = || -> ptyx::Result<(u32, u32)> {
            let (stream, mut launched, mut refused) = (Stream::new()?, 0, 0);
            for number in 1..=200 {
                source.fill_on(number, &stream)?;
                loop {
                    match exec.launch(&stream) {
                        Ok(()) => break,
                        // The other thread reads at the moment.
                        Err(Error::Graph { .. }) => refused += 1,
                        Err(other) => return Err(other),
                    }
                    std::thread::yield_now();
                }
                launched += 1;
            }
            Ok((launched, refused))
        };
        let counts = launch();
        is_over.store(true, Ordering::Relaxed);
        let seen = reader.join().unwrap();
        let (launched, refused) = counts?;
        println!("{launched} launches, {refused} refused, {seen} seen");
        assert_eq!(output.read()[..], [launched; LEN]);
        Ok(())
    })
}

/// A function of the host can read what a launch before it has written.
#[test]
fn functions_of_the_host_read_what_graphs_wrote() -> ptyx::Result<()> {
    let (stream, mut rng) = (Stream::new()?, rng());
    let mut all = Loop::new(50, true)?;
    let given = numbers(&mut rng, 50);
    all.input.write().copy_from_slice(&given);
    all.exec.launch(&stream)?;
    let (output, (sender, receiver)) = (all.output, std::sync::mpsc::channel());
    stream.on_host(move || sender.send(output.read().to_vec()).unwrap())?;
    stream.synchronize()?;
    assert_eq!(receiver.recv().unwrap(), scrambled(7, &given));
    Ok(())
}

/// Staging memory is of one device, so that its launches can be kept apart from its other uses.
#[test]
fn staging_memory_is_of_one_device() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("staging::staging_memory_is_of_one_device", &variables, || {
        let here = StagingBuffer::<u32>::zeroed(4).unwrap();
        Device::get(1).unwrap().make_current().unwrap();
        let (stream, mut buffer) =
            (Stream::new().unwrap(), DeviceBuffer::<u32>::zeroed(4).unwrap());
        let wrong = buffer.copy_from_pinned_on(&here, &stream);
        assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
        let wrong = Graph::new().unwrap().add_node(&[], |s| buffer.copy_from_pinned_on(&here, s));
        assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
    });
}
