//! How often each byte occurs: atomic additions on global memory, and the same with a histogram per
//! block in shared memory first.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

const BINS: usize = 256;
const THREADS: usize = 256;

/// Counts straight into global memory.
#[kernel]
fn histogram(data: &[u8], bins: Atomics<u32>) {
    for i in thread::grid_stride(data.len()) {
        bins[usize::from(data[i.get()])].fetch_add(1);
    }
}

/// Counts into shared memory, then adds each block's counts to global memory.
#[kernel]
fn histogram_shared(data: &[u8], bins: Atomics<u32>) {
    let counts = shared!([u32; BINS]).atomics(0);
    for i in thread::grid_stride(data.len()) {
        counts[usize::from(data[i.get()])].fetch_add(1);
    }
    block::sync();
    for bin in (thread::x() as usize..BINS).step_by(block::dim_x() as usize) {
        bins[bin].fetch_add(counts[bin].load());
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of bytes (default: 10000000)"),
        Opt::flag("bench", "measure, 2^28 bytes unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("How often each byte occurs, on the device.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 28 } else { 10_000_000 })?;
    print_device()?;
    println!("seed: {seed}");

    // The lower of two random bytes, so that the bins differ.
    let mut rng = Rng::new(seed);
    let data: Vec<u8> = (0..n)
        .map(|_| {
            let bits = rng.next_u64();
            (bits as u8).min((bits >> 8) as u8)
        })
        .collect();
    let mut want = vec![0u32; BINS];
    for &byte in &data {
        want[usize::from(byte)] += 1;
    }

    let data = DeviceBuffer::from_slice(&data)?;
    let blocks = Device::current()?.attributes()?.multiprocessors as usize * 8;
    count(
        "global",
        &data,
        &want,
        bench,
        |bins| launch!(histogram<<<blocks, THREADS>>>(&data, bins)),
    )?;
    count(
        "shared",
        &data,
        &want,
        bench,
        |bins| launch!(histogram_shared<<<blocks, THREADS>>>(&data, bins)),
    )
}

/// Counts with `launch` and compares with `want`.
fn count(
    name: &str,
    data: &DeviceBuffer<u8>,
    want: &[u32],
    bench: bool,
    launch: impl Fn(&mut DeviceBuffer<u32>) -> ptyx::Result<()>,
) -> Result<(), Error> {
    let mut bins = DeviceBuffer::zeroed(BINS)?;
    // The first launch assembles the kernel.
    launch(&mut DeviceBuffer::zeroed(BINS)?)?;
    let ms = bench::time_once(|| launch(&mut bins))?;
    for (byte, (got, want)) in bins.to_vec()?.iter().zip(want).enumerate() {
        if got != want {
            return Err(format!("histogram {name}: byte {byte} {got} times, not {want}").into());
        }
    }
    let n = data.len();
    if bench {
        let times = bench::time_launches(|| launch(&mut bins))?;
        bench::report(&format!("histogram_{name}"), n, times, n as f64, "GB/s");
    } else {
        println!(
            "histogram {name}: {n} bytes in {ms:.3} ms, {:.1} GB/s; equal to the host's result",
            n as f64 * 1e-6 / ms
        );
    }
    Ok(())
}
