//! A histogram with more bins than the shared memory of one block has room for: the blocks of a cluster have a part
//! each, and add to each other's (distributed shared memory). Needs compute capability 9.0.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// A bin for each value of 16 bits: 256 KiB of counts.
const BINS: usize = 1 << 16;
/// Blocks of a cluster, as many as every device has.
const CLUSTER: usize = 8;
/// Bins of each block.
const OWN: usize = BINS / CLUSTER;
const THREADS: usize = 512;
/// Lines of the picture, and the characters of its longest.
const ROWS: usize = 16;
const WIDTH: usize = 60;

/// Counts straight into global memory.
#[kernel]
fn histogram(data: &[u16], bins: Atomics<u32>) {
    for i in thread::grid_stride(data.len()) {
        bins[usize::from(data[i.get()])].fetch_add(1);
    }
}

/// Counts into the shared memory of the cluster's blocks, each of which then adds its part to global memory.
#[kernel]
fn cluster_histogram(data: &[u16], bins: Atomics<u32>) {
    let cluster = group::cluster();
    let own = shared!([u32; OWN]).atomics(0);
    cluster.with_peers(own, |peers| {
        for i in thread::grid_stride(data.len()) {
            let value = usize::from(data[i.get()]);
            peers.of((value / OWN) as u32)[value % OWN].fetch_add(1);
        }
    });
    let first = cluster.block_rank() as usize * OWN;
    for bin in (thread::x() as usize..OWN).step_by(block::dim_x() as usize) {
        bins[first + bin].fetch_add(own[bin].load());
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "how many numbers (default: 4000000)"),
        Opt::flag("bench", "measure, 2^27 numbers unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("How often each 16-bit number occurs, by clusters.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 27 } else { 4_000_000 })?;
    print_device()?;
    println!("seed: {seed}");
    let attributes = Device::default()?.attributes()?;
    if !attributes.cluster_launch {
        println!("skipped: the device has no clusters");
        return Ok(());
    }

    // The mean of four random numbers.
    let mut rng = Rng::new(seed);
    let data: Vec<u16> = (0..n)
        .map(|_| {
            let bits = rng.next_u64();
            let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
            (sum / 4) as u16
        })
        .collect();
    let mut want = vec![0u32; BINS];
    for &value in &data {
        want[usize::from(value)] += 1;
    }

    let data = DeviceBuffer::from_slice(&data)?;
    let blocks = attributes.multiprocessors as usize / CLUSTER * CLUSTER;
    count(
        "global",
        &data,
        &want,
        bench,
        |bins| launch!(histogram<<<blocks * 4, THREADS>>>(&data, bins)),
    )?;
    count(
        "cluster",
        &data,
        &want,
        bench,
        |bins| launch!(cluster_histogram<<<blocks * 4, THREADS>>>(&data, bins), cluster = CLUSTER),
    )?;
    if !bench {
        draw(&want);
    }
    Ok(())
}

/// Counts with `launch` and compares with `want`.
fn count(
    name: &str,
    data: &DeviceBuffer<u16>,
    want: &[u32],
    bench: bool,
    launch: impl Fn(&mut DeviceBuffer<u32>) -> ptyx::Result<()>,
) -> Result<(), Error> {
    let mut bins = DeviceBuffer::zeroed(BINS)?;
    // The first launch assembles the kernel.
    launch(&mut DeviceBuffer::zeroed(BINS)?)?;
    let ms = bench::time_once(|| launch(&mut bins))?;
    for (value, (got, want)) in bins.to_vec()?.iter().zip(want).enumerate() {
        if got != want {
            return Err(format!("histogram {name}: {value} {got} times, not {want}").into());
        }
    }
    let (n, bytes) = (data.len(), data.len() as f64 * 2.0);
    if bench {
        let times = bench::time_launches(|| launch(&mut bins))?;
        bench::report(&format!("histogram_{name}"), n, times, bytes, "GB/s");
    } else {
        println!(
            "histogram {name}: {n} numbers in {ms:.3} ms, {:.1} GB/s; equal to the host's result",
            bytes * 1e-6 / ms
        );
    }
    Ok(())
}

/// The histogram as bars, and the block of the cluster that counted each.
fn draw(bins: &[u32]) {
    let rows: Vec<u32> = bins.chunks(BINS / ROWS).map(|row| row.iter().sum()).collect();
    let most = rows.iter().copied().max().unwrap_or(0).max(1);
    println!("\nblock  values         count");
    for (row, &count) in rows.iter().enumerate() {
        let first = row * (BINS / ROWS);
        let last = first + BINS / ROWS - 1;
        let bar = "#".repeat((u64::from(count) * WIDTH as u64 / u64::from(most)) as usize);
        println!("{:5}  {first:5} to {last:5} {count:8} {bar}", first / OWN);
    }
}
