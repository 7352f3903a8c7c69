//! Managed memory that all devices and the host share. The program copies nothing: the host sorts a table, each device
//! looks up its own queries in it and then reads what its neighbour found, and the host reads all results.
//!
//! Try it without a GPU, too: `PTYX_DEVICE=emulator PTYX_EMULATOR_DEVICES=4`.

use ptyx::prelude::*;
use ptyx::{ManagedBuffer, MemoryAdvice, MemoryLocation};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish};
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

const THREADS: usize = 128;

/// How many numbers of the sorted table are smaller than each query.
#[kernel]
fn find(table: &[f32], queries: &[f32], mut places: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(place) = places.get_mut(i) {
        let query = queries[i.get()];
        *place = table.partition_point(|&number| number < query) as u32;
    }
}

/// The numbers at these places of the table; infinity beyond its end.
#[kernel]
fn look_up(table: &[f32], places: &[u32], mut numbers: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(number) = numbers.get_mut(i) {
        *number = table.get(places[i.get()] as usize).copied().unwrap_or(f32::INFINITY);
    }
}

/// What the host and all devices share.
struct Shared {
    table: ManagedBuffer<f32>,
    queries: ManagedBuffer<f32>,
    places: ManagedBuffer<u32>,
    numbers: ManagedBuffer<f32>,
}

impl Shared {
    fn new(table: &[f32], queries: &[f32]) -> ptyx::Result<Shared> {
        Ok(Shared {
            table: ManagedBuffer::from_slice(table)?,
            queries: ManagedBuffer::from_slice(queries)?,
            places: ManagedBuffer::zeroed(queries.len())?,
            numbers: ManagedBuffer::zeroed(queries.len())?,
        })
    }

    /// Tells the driver how the memory will be used, and moves it ahead of the kernels. The results do not depend on this.
    fn prepare(&self, device: &Device, own: Range<usize>, stream: &Stream) -> ptyx::Result<()> {
        let here = MemoryLocation::Device(*device);
        self.table.advise(.., MemoryAdvice::ReadMostly)?;
        self.table.prefetch_on(.., here, stream)?; // a copy for each device
        self.places.advise(own.clone(), MemoryAdvice::PreferredLocation(here))?;
        self.queries.prefetch_on(own, here, stream)
    }

    /// Each device writes its own part of the places, and then of the numbers. There are no events: Ptyx orders the
    /// streams by the parts that they use.
    fn compute(&mut self, streams: &[Stream], parts: &[Range<usize>]) -> ptyx::Result<()> {
        let Shared { table, queries, places, numbers } = self;
        for (stream, part) in streams.iter().zip(parts) {
            let (queries, mut own) = (
                queries.as_slice().slice(part.clone()),
                places.as_slice_mut().slice_mut(part.clone()),
            );
            let blocks = part.len().div_ceil(THREADS).max(1);
            launch!(find<<<blocks, THREADS, 0, stream>>>(&*table, &queries, &mut own))?;
        }
        for (number, stream) in streams.iter().enumerate() {
            let part = parts[(number + 1) % parts.len()].clone();
            let (places, mut own) = (
                places.as_slice().slice(part.clone()),
                numbers.as_slice_mut().slice_mut(part.clone()),
            );
            let blocks = part.len().div_ceil(THREADS).max(1);
            launch!(look_up<<<blocks, THREADS, 0, stream>>>(&*table, &places, &mut own))?;
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    finish(run)
}

pub(crate) fn run() -> Result<(), Error> {
    let options = [
        Opt::value("table", "N", "numbers of the table (default: 10000)"),
        Opt::value("queries", "N", "queries (default: 20000)"),
        SEED,
    ];
    let args = Args::from_env("Managed memory that all devices share.", &[], &options)?;
    let (size, count, seed) =
        (args.size("table", 10_000)?, args.size("queries", 20_000)?, args.seed()?);
    let devices = Device::all()?;
    for device in &devices {
        println!("device {}: {}", device.index(), device.name());
    }
    println!("seed: {seed}");
    let mut rng = Rng::new(seed);
    let (mut table, queries) = (rng.vec_f32(size), rng.vec_f32(count));
    let streams =
        devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<Vec<_>>>()?;
    let share = |number: usize| number * count / devices.len();
    let parts: Vec<_> = (0..devices.len()).map(|number| share(number)..share(number + 1)).collect();

    let mut shared = Shared::new(&table, &queries)?;
    shared.table.sort_by(f32::total_cmp);
    for ((device, part), stream) in devices.iter().zip(&parts).zip(&streams) {
        shared.prepare(device, part.clone(), stream)?;
    }
    let start = Instant::now();
    shared.compute(&streams, &parts)?;
    // Reading waits for the kernels.
    let (places, numbers) = (&*shared.places, &*shared.numbers);
    let took = start.elapsed();

    table.sort_by(f32::total_cmp);
    for (at, query) in queries.iter().enumerate() {
        let place = table.iter().position(|number| number >= query).unwrap_or(size);
        let number = table.get(place).copied().unwrap_or(f32::INFINITY);
        if (places[at] as usize, numbers[at]) != (place, number) {
            let (got, found) = (places[at], numbers[at]);
            return Err(
                format!("query {at} is at {got} ({found}), not at {place} ({number})").into()
            );
        }
    }
    println!(
        "managed: {count} queries in a table of {size} numbers on {} devices in {:.3} ms, no explicit copies; equal to the host's result",
        devices.len(),
        took.as_secs_f64() * 1e3
    );
    Ok(())
}
