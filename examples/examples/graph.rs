//! Heat that spreads along a rod, in many small steps: as plain launches, as a graph of many steps, and as a loop that the
//! device runs by itself until the heat hardly changes.

use ptyx::prelude::*;
use ptyx::{Graph, GraphExec};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish, print_device};
use std::process::ExitCode;
use std::time::Instant;

const THREADS: usize = 128;

/// What a point's heat becomes: a mean of it and its neighbours. The ends of the rod keep theirs.
fn spread(left: f32, own: f32, right: f32) -> f32 {
    0.5 * own + 0.25 * (left + right)
}

/// One step. The largest change is kept as a number that grows with it.
#[kernel]
fn step(old: &[f32], mut new: Disjoint<f32>, largest: Atomics<u32>) {
    let i = thread::index_1d();
    let Some(out) = new.get_mut(i) else { return };
    let (at, last) = (i.get(), old.len() - 1);
    *out = if at == 0 || at == last { old[at] } else { spread(old[at - 1], old[at], old[at + 1]) };
    // The bits of positive floats are ordered as the floats are.
    largest[0].fetch_max((*out - old[at]).abs().to_bits());
}

/// Whether the device goes on: something changes by more than `enough`. One thread.
#[kernel]
fn decide(largest: Atomics<u32>, mut go_on: Disjoint<u32>, mut steps: Disjoint<u32>, enough: f32) {
    let i = thread::index_1d();
    let change = f32::from_bits(largest[0].swap(0));
    if let Some(go_on) = go_on.get_mut(i) {
        *go_on = u32::from(change > enough);
    }
    if let Some(steps) = steps.get_mut(i) {
        *steps += 2;
    }
}

/// The rod on the device.
struct Rod {
    heat: DeviceBuffer<f32>,
    other: DeviceBuffer<f32>,
    largest: DeviceBuffer<u32>,
}

impl Rod {
    fn new(heat: &[f32]) -> ptyx::Result<Rod> {
        Ok(Rod {
            heat: DeviceBuffer::from_slice(heat)?,
            other: DeviceBuffer::zeroed(heat.len())?,
            largest: DeviceBuffer::zeroed(1)?,
        })
    }

    fn blocks(&self) -> usize {
        self.heat.len().div_ceil(THREADS)
    }

    /// Two steps, after which the heat is where it was.
    fn twice(&mut self, stream: &Stream) -> ptyx::Result<()> {
        let blocks = self.blocks();
        let Rod { heat, other, largest } = self;
        launch!(step<<<blocks, THREADS, 0, stream>>>(&*heat, &mut *other, &mut *largest))?;
        launch!(step<<<blocks, THREADS, 0, stream>>>(&*other, heat, largest))
    }
}

/// The same steps on the host.
fn on_host(mut heat: Vec<f32>, steps: usize) -> Vec<f32> {
    let last = heat.len() - 1;
    for _ in 0..steps {
        let old = heat.clone();
        for at in 1..last {
            heat[at] = spread(old[at - 1], old[at], old[at + 1]);
        }
    }
    heat
}

/// A graph of two steps again and again, until the largest change of two steps is at most `enough`.
fn until(rod: &mut Rod, steps: &mut DeviceBuffer<u32>, enough: f32) -> ptyx::Result<GraphExec> {
    let mut graph = Graph::new()?;
    let mut go_on = DeviceBuffer::<u32>::zeroed(1)?;
    graph.add_node(&[], |s| go_on.fill_on(1, s))?;
    graph.add_node(&[], |s| steps.fill_on(0, s))?;
    let blocks = rod.blocks();
    graph.add_while(&mut go_on, &[], |body, go_on| {
        let Rod { heat, other, largest } = rod;
        body.add_node(
            &[],
            |s| launch!(step<<<blocks, THREADS, 0, s>>>(&*heat, &mut *other, &mut *largest)),
        )?;
        body.add_node(
            &[],
            |s| launch!(step<<<blocks, THREADS, 0, s>>>(&*other, &mut *heat, &mut *largest)),
        )?;
        body.add_node(
            &[],
            |s| launch!(decide<<<1, 1, 0, s>>>(largest, go_on, &mut *steps, enough)),
        )?;
        Ok(())
    })?;
    graph.instantiate()
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "points of the rod (default: 1000)"),
        Opt::value("steps", "N", "steps, an even number (default: 200)"),
        SEED,
    ];
    let args = Args::from_env("Heat along a rod: launches, and graphs.", &[], &options)?;
    let (n, steps) =
        (args.size("size", 1000)?.max(2), args.size("steps", 200)?.next_multiple_of(2));
    let seed = args.seed()?;
    print_device()?;
    println!("seed: {seed}");
    let heat = Rng::new(seed).vec_f32(n);
    let want = on_host(heat.clone(), steps);
    let stream = Stream::new()?;

    // The first launch assembles the kernel.
    Rod::new(&heat)?.twice(&stream)?;
    let mut rod = Rod::new(&heat)?;
    stream.synchronize()?;
    let start = Instant::now();
    for _ in 0..steps / 2 {
        rod.twice(&stream)?;
    }
    stream.synchronize()?;
    let plain = start.elapsed();
    check("launches", &rod, &want)?;

    let mut rod = Rod::new(&heat)?;
    let graph = stream.capture(|stream| (0..steps / 2).try_for_each(|_| rod.twice(stream)))?;
    let exec = graph.instantiate()?;
    exec.upload(&stream)?;
    stream.synchronize()?;
    let start = Instant::now();
    exec.launch(&stream)?;
    stream.synchronize()?;
    let captured = start.elapsed();
    check("the graph", &rod, &want)?;
    let each = |time: std::time::Duration| time.as_secs_f64() * 1e6 / steps.max(1) as f64;
    println!(
        "graph: {steps} steps on {n} points, {:.2} µs each as launches, {:.2} µs each in a graph; equal to the host's result",
        each(plain),
        each(captured)
    );

    let mut rod = Rod::new(&heat)?;
    let mut taken = DeviceBuffer::<u32>::zeroed(1)?;
    match until(&mut rod, &mut taken, 0.01) {
        Ok(exec) => {
            exec.launch(&stream)?;
            let taken = taken.to_vec()?[0] as usize;
            check("the loop", &rod, &on_host(heat, taken))?;
            println!(
                "graph: a loop on the device ended after {taken} steps; equal to the host's result"
            );
        }
        Err(ptyx::Error::Driver { call, name, .. }) if name == "CUDA_ERROR_NOT_SUPPORTED" => {
            println!("graph: this driver has no loops in graphs ({call})");
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// The results of sums in the same order are the same, but for fused multiplications.
fn check(what: &str, rod: &Rod, want: &[f32]) -> Result<(), Error> {
    let got = rod.heat.to_vec()?;
    match got.iter().zip(want).position(|(got, want)| (got - want).abs() > 1e-5) {
        Some(at) => Err(format!("{what}: point {at} is {}, not {}", got[at], want[at]).into()),
        None => Ok(()),
    }
}
