//! Kernels in graphs.

use super::environment::{child_of, is_child};
use super::*;
use crate::{Error, GraphNodeKind};

#[test]
fn kernels_of_a_graph_run_in_each_launch() {
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let x = DeviceBuffer::filled(256, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(256, 0.0f32).unwrap();
    let graph = stream
        .capture(|stream| {
            let config = || LaunchConfig::new().blocks(2).threads(128).stream(stream);
            run_saxpy(config(), 1.0, &x, &mut y)?;
            run_saxpy(config(), 10.0, &x, &mut y)
        })
        .unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.0; 256]);
    let nodes = graph.nodes().unwrap();
    assert!(nodes.iter().all(|&node| graph.kind(node).unwrap() == GraphNodeKind::Kernel));
    let mut exec = graph.instantiate().unwrap();
    drop(x);
    for round in 1..=10 {
        exec.launch(if round % 2 == 0 { &stream } else { &other }).unwrap();
        assert_eq!(y.to_vec().unwrap(), [round as f32 * 11.0; 256]);
    }
    exec.set_enabled(nodes[1], false).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(y.to_vec().unwrap(), [111.0; 256]);
    exec.set_enabled(nodes[1], true).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(y.to_vec().unwrap(), [122.0; 256]);
}

#[test]
fn arguments_of_a_graphs_kernel_are_updated() {
    let stream = Stream::new().unwrap();
    let mut exec = None;
    for a in 1..5u8 {
        let x = DeviceBuffer::filled(64, 1.0f32).unwrap();
        let mut y = DeviceBuffer::filled(64, 0.0f32).unwrap();
        let config = LaunchConfig::new().blocks(1).threads(64).stream(&stream);
        let graph = stream.capture(|_| run_saxpy(config, a.into(), &x, &mut y)).unwrap();
        match &mut exec {
            None => exec = Some(graph.instantiate().unwrap()),
            Some(exec) => exec.update(&graph).unwrap(),
        }
        exec.as_ref().unwrap().launch(&stream).unwrap();
        assert_eq!(y.to_vec().unwrap(), [f32::from(a); 64]);
    }
}

#[test]
fn a_panic_in_a_graph_is_reported_with_each_launch_that_has_one() {
    let _alone = alone();
    kernels();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let capture = |len: u64| {
        let config = LaunchConfig::new().stream(&stream);
        let launch = || call1(Here, panics, config, (&&&&&Slot::new(len)).pass());
        stream.capture(|_| launch()).unwrap().instantiate().unwrap()
    };
    let (bad, good) = (capture(0), capture(1));
    for round in 0..4 {
        let used = if round % 2 == 0 { &stream } else { &other };
        good.launch(used).unwrap();
        used.synchronize().unwrap();
        bad.launch(used).unwrap();
        match used.synchronize() {
            Err(Error::KernelPanic(panic)) => {
                assert!(panic.kernel.ends_with("tests::kernels::panics"), "{}", panic.kernel);
                let place = panic.graph.clone().unwrap();
                assert!(place.contains(file!()) && panic.to_string().contains(&place), "{panic}");
            }
            other => panic!("round {round}: {other:?}"),
        }
        used.synchronize().unwrap();
    }
    // Whoever waits for the stream hears of it, too.
    bad.launch(&stream).unwrap();
    drop(bad);
    other.wait_for(&stream).unwrap();
    assert!(matches!(other.synchronize(), Err(Error::KernelPanic(_))));
    stream.synchronize().unwrap();
}

/// All nodes of a graph share a place for reports; changed nodes too.
#[test]
fn a_panic_of_a_node_is_reported_with_each_launch_that_has_one() {
    let _alone = alone();
    kernels();
    let stream = Stream::new().unwrap();
    let launch = |len: u64, stream: &Stream| {
        call1(Here, panics, LaunchConfig::new().stream(stream), (&&&&&Slot::new(len)).pass())
    };
    let mut graph = crate::Graph::new().unwrap();
    for _ in 0..3 {
        graph.add_node(&[], |s| launch(1, s)).unwrap();
    }
    let last = graph.add_node(&[], |s| launch(1, s)).unwrap();
    let mut exec = graph.instantiate().unwrap();
    for round in 0..6u64 {
        let panics = round % 2 == 1;
        exec.set_node(last, |s| launch(u64::from(!panics), s)).unwrap();
        exec.launch(&stream).unwrap();
        match stream.synchronize() {
            Ok(()) if !panics => {}
            Err(Error::KernelPanic(_)) if panics => {}
            other => panic!("round {round}: {other:?}"),
        }
    }
    stream.synchronize().unwrap();
}

/// In a process of its own: a device is waited for with all its streams, and so with other tests' panics.
#[test]
fn a_device_is_waited_for_during_a_capture() {
    if !is_child() {
        child_of("graphs", "a_device_is_waited_for_during_a_capture", &[]);
        return;
    }
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut y = DeviceBuffer::filled(4, 1.0f32).unwrap();
    let graph = stream.capture(|stream| {
        y.fill_on(2.0, &other)?;
        crate::Device::current()?.synchronize()?;
        assert!(other.is_idle()?);
        y.fill_on(3.0, stream)
    });
    assert_eq!(y.to_vec().unwrap(), [2.0; 4]);
    graph.unwrap().instantiate().unwrap().launch(&stream).unwrap();
    crate::Device::current().unwrap().synchronize().unwrap();
    assert!(stream.is_idle().unwrap());
    assert_eq!(y.to_vec().unwrap(), [3.0; 4]);
}

#[test]
fn the_same_work_late_and_out_of_order() {
    if is_child() {
        return;
    }
    for seed in ["1", "2"] {
        let variables = [
            ("PTYX_DEVICE", "emulator"),
            ("PTYX_EMULATOR_ASYNC", "1"),
            ("PTYX_EMULATOR_SEED", seed),
        ];
        for test in [
            "kernels_of_a_graph_run_in_each_launch",
            "arguments_of_a_graphs_kernel_are_updated",
            "a_panic_in_a_graph_is_reported_with_each_launch_that_has_one",
        ] {
            child_of("graphs", test, &variables);
        }
        let ours = "graph::tests::";
        let (program, run) = (std::env::current_exe().unwrap(), ours);
        let output = std::process::Command::new(program)
            .args([run, "--test-threads=2"])
            .envs(variables)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "seed {seed}: {text}");
    }
}
