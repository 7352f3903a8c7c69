//! The host's time for one `launch!` of a warm kernel and for one launch of a graph, and the time that each node of the
//! graph takes. `benches/cuda/launch_overhead.cu` measures the bare driver calls in the same way.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt};
use ptyx_examples::bench::Times;
use ptyx_examples::{Error, finish, print_device};
use std::process::ExitCode;
use std::time::Instant;

/// Has the arguments of saxpy and does next to nothing.
#[kernel]
fn touch(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y += a * x[i.get()];
    }
}

/// Launches between two synchronisations: few enough that the driver's queue never fills up.
const BATCH: usize = 200;

/// The kernels of the graph, each of which waits for the one before it.
const NODES: usize = 100;

/// Launches of the graph between two synchronisations.
const GRAPHS: usize = 20;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [Opt::value("batches", "N", "timed batches of 200 launches (default: 200)")];
    let args =
        Args::from_env("The host's time for one warm launch, and a graph's.", &[], &options)?;
    let batches = args.size("batches", 200)?;
    print_device()?;

    let x = DeviceBuffer::filled(32, 1.0f32)?;
    let mut y = DeviceBuffer::filled(32, 0.0f32)?;
    let mut batch = || -> Result<f64, Error> {
        let start = Instant::now();
        for _ in 0..BATCH {
            launch!(touch<<<1, 32>>>(0.5, &x, &mut y))?;
        }
        let microseconds = start.elapsed().as_secs_f64() * 1e6 / BATCH as f64;
        ptyx::synchronize()?;
        Ok(microseconds)
    };
    for _ in 0..2 {
        batch()?;
    }
    let samples = (0..batches).map(|_| batch()).collect::<Result<Vec<_>, _>>()?;

    let launches = (batches + 2) * BATCH;
    if y.to_vec()?.iter().any(|&y| y != 0.5 * launches as f32) {
        return Err(format!("not every one of {launches} launches ran").into());
    }
    report("launch", batches, samples);
    graphs(batches)
}

/// `Times` counts in whatever unit its samples have: microseconds here.
fn report(what: &str, batches: usize, samples: Vec<f64>) {
    let Times { median_ms: median, min_ms: min, max_ms: max } = Times::of(samples);
    println!(
        "BENCH {what} impl=ptyx batches={batches} median_us={median:.3} min_us={min:.3} \
         max_us={max:.3}"
    );
}

/// A graph of many small kernels: the host's time for a launch, and the whole time for a node, when the device is never idle.
fn graphs(batches: usize) -> Result<(), Error> {
    let stream = Stream::new()?;
    let x = DeviceBuffer::filled(32, 1.0f32)?;
    let mut y = DeviceBuffer::filled(32, 0.0f32)?;
    let graph = stream.capture(|stream| {
        (0..NODES).try_for_each(|_| launch!(touch<<<1, 32, 0, stream>>>(0.5, &x, &mut y)))
    })?;
    let exec = graph.instantiate()?;
    let batch = || -> Result<(f64, f64), Error> {
        let start = Instant::now();
        for _ in 0..GRAPHS {
            exec.launch(&stream)?;
        }
        let host = start.elapsed().as_secs_f64() * 1e6 / GRAPHS as f64;
        stream.synchronize()?;
        Ok((host, start.elapsed().as_secs_f64() * 1e6 / (GRAPHS * NODES) as f64))
    };
    for _ in 0..2 {
        batch()?;
    }
    let samples = (0..batches).map(|_| batch()).collect::<Result<Vec<_>, _>>()?;
    let runs = (batches + 2) * GRAPHS * NODES;
    if y.to_vec()?.iter().any(|&y| y != 0.5 * runs as f32) {
        return Err(format!("not every one of {runs} kernels ran").into());
    }
    report("graph launch", batches, samples.iter().map(|(host, _)| *host).collect());
    report("graph node", batches, samples.iter().map(|(_, node)| *node).collect());
    Ok(())
}
