//! Graphs of kernels, captured from launches.

use ptyx::prelude::*;
use ptyx::{Error, Event};
use ptyx_tests::rng;

#[kernel]
fn step(mut x: Disjoint<u32>, by: u32) {
    if let Some(x) = x.get_mut(thread::index_1d()) {
        *x = x.wrapping_mul(by).wrapping_add(1);
    }
}

#[kernel]
fn gather(x: &[u32], at: &[u32], mut sums: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(sum) = sums.get_mut(i) {
        *sum = sum.wrapping_add(x[at[i.get()] as usize]);
    }
}

const LEN: usize = 300;
const BLOCK: usize = 64;

/// Two kernels, of which the second reads what the first writes, launched again and again, between other work.
#[test]
fn launches_of_a_graph_repeat_its_kernels() {
    let mut rng = rng();
    let mut host: Vec<u32> = rng.vec(LEN, |rng| rng.next_u32());
    let at: Vec<u32> = rng.vec(LEN, |rng| rng.below(LEN) as u32);
    let mut sums = vec![0u32; LEN];
    let (mut x, at_device) =
        (DeviceBuffer::from_slice(&host).unwrap(), DeviceBuffer::from_slice(&at).unwrap());
    let mut device_sums = DeviceBuffer::<u32>::zeroed(LEN).unwrap();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let blocks = LEN.div_ceil(BLOCK);
    let graph = stream
        .capture(|stream| {
            launch!(step<<<blocks, BLOCK, 0, stream>>>(&mut x, 5))?;
            launch!(gather<<<blocks, BLOCK, 0, stream>>>(&x, &at_device, &mut device_sums))
        })
        .unwrap();
    assert_eq!((graph.nodes().unwrap().len(), graph.edges().unwrap().len()), (2, 1));
    let exec = graph.instantiate().unwrap();
    drop(graph);
    // Nothing has run.
    assert_eq!(x.to_vec().unwrap(), host);
    for round in 0..20 {
        // On one stream or another, with a launch between.
        let on = if rng.below(2) == 0 { &stream } else { &other };
        exec.launch(on).unwrap();
        host.iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(1));
        sums.iter_mut().zip(&at).for_each(|(sum, at)| *sum = sum.wrapping_add(host[*at as usize]));
        if rng.below(3) == 0 {
            launch!(step<<<blocks, BLOCK, 0, &other>>>(&mut x, 7)).unwrap();
            host.iter_mut().for_each(|x| *x = x.wrapping_mul(7).wrapping_add(1));
        }
        if rng.below(4) == 0 {
            assert_eq!(x.to_vec().unwrap(), host, "round {round}");
        }
    }
    drop((x, at_device));
    assert_eq!(device_sums.to_vec().unwrap(), sums);
    exec.launch(&stream).unwrap();
    drop(exec);
    stream.synchronize().unwrap();
}

/// Another stream takes part through events, and both write parts of one buffer.
#[test]
fn streams_join_a_capture_by_events() {
    let mut x = DeviceBuffer::<u32>::zeroed(LEN).unwrap();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let (forked, joined) = (Event::new().unwrap(), Event::new().unwrap());
    let (a, b) = (LEN / 2, LEN - LEN / 2);
    let graph = stream
        .capture(|stream| {
            forked.record(stream)?;
            other.wait(&forked)?;
            let (left, right) = x.as_slice_mut().split_at_mut(a);
            launch!(step<<<a.div_ceil(BLOCK), BLOCK, 0, stream>>>(left, 3))?;
            launch!(step<<<b.div_ceil(BLOCK), BLOCK, 0, &other>>>(right, 4))?;
            joined.record(&other)?;
            stream.wait(&joined)?;
            launch!(step<<<LEN.div_ceil(BLOCK), BLOCK, 0, stream>>>(&mut x, 2))
        })
        .unwrap();
    let exec = graph.instantiate().unwrap();
    let mut want = vec![0u32; LEN];
    for _ in 0..3 {
        exec.launch(&other).unwrap();
        for (i, x) in want.iter_mut().enumerate() {
            *x = (*x * if i < a { 3 } else { 4 } + 1) * 2 + 1;
        }
    }
    assert_eq!(x.to_vec().unwrap(), want);
}

/// A panic in a graph is reported once, with its place, and the graph can be launched again.
#[test]
fn panics_in_graphs_are_reported() {
    let x = DeviceBuffer::from_slice(&[1u32; 8]).unwrap();
    let mut at = DeviceBuffer::from_slice(&[0u32, 1, 2, 3, 4, 5, 6, 8]).unwrap();
    let mut sums = DeviceBuffer::<u32>::zeroed(8).unwrap();
    let stream = Stream::new().unwrap();
    let graph =
        stream.capture(|stream| launch!(gather<<<1, 8, 0, stream>>>(&x, &at, &mut sums))).unwrap();
    let exec = graph.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    let error = stream.synchronize().unwrap_err();
    let Error::KernelPanic(panic) = &error else { panic!("{error}") };
    let text = panic.to_string();
    assert!(
        text.contains("the len is 8 but the index is 8") && text.contains("graphs.rs"),
        "{text}"
    );
    stream.synchronize().unwrap();
    at.copy_from_slice(&[0; 8]).unwrap();
    sums.fill(0).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(sums.to_vec().unwrap(), [1; 8]);
}

/// The same work again with other arguments.
#[test]
fn updates_change_arguments() {
    let (mut x, mut y) =
        (DeviceBuffer::<u32>::zeroed(8).unwrap(), DeviceBuffer::<u32>::zeroed(8).unwrap());
    let stream = Stream::new().unwrap();
    let first = stream.capture(|stream| launch!(step<<<1, 8, 0, stream>>>(&mut x, 3))).unwrap();
    let mut exec = first.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    exec.launch(&stream).unwrap();
    let second = stream.capture(|stream| launch!(step<<<1, 8, 0, stream>>>(&mut y, 9))).unwrap();
    exec.update(&second).unwrap();
    exec.launch(&stream).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![4; 8], vec![10; 8]));
}
