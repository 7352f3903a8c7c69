//! The sum of many numbers: a grid-stride loop, a tree of shuffles in each warp, one word of shared
//! memory per warp, and one atomic addition per block.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// The sum over a warp, in lane 0.
fn warp_sum(mut value: f32) -> f32 {
    let mut delta = warp::SIZE / 2;
    while delta > 0 {
        value += warp::shuffle_down(warp::FULL, value, delta);
        delta /= 2;
    }
    value
}

/// Adds the sum of `x` to `total[0]`. The block's size is a multiple of 32.
#[kernel]
fn sum(x: &[f32], total: Atomics<f32>, mut phase: Phase) {
    // The first lane of each warp writes an element.
    let partial = phased!([f32; 32], by::FirstLane<by::WarpInBlock>);
    let mut sum = 0.0;
    for i in thread::grid_stride(x.len()) {
        sum += x[i.get()];
    }
    let sum = warp_sum(sum);

    let (lane, warp) = (thread::x() % 32, thread::x() / 32);
    partial.set_own(&mut phase, sum);
    let partial = phase.read(|reading| {
        let warps = block::dim_x() / 32;
        if lane < warps { partial.as_ref(reading)[lane as usize] } else { 0.0 }
    });
    if warp == 0 {
        let sum = warp_sum(partial);
        if lane == 0 {
            total[0].fetch_add(sum);
        }
    }
}

const THREADS: usize = 256;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of elements (default: 10000000)"),
        Opt::flag("bench", "measure, 2^28 elements unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("The sum of random numbers on the device.", &[], &options)?;
    let seed = args.seed()?;
    let benchmark = args.flag("bench");
    let n = args.size("size", if benchmark { 1 << 28 } else { 10_000_000 })?;
    print_device()?;
    println!("seed: {seed}");

    let x = Rng::new(seed).vec_f32(n);
    let x_device = DeviceBuffer::from_slice(&x)?;
    let mut total = DeviceBuffer::from_slice(&[0.0f32])?;
    let blocks = Device::current()?.attributes()?.multiprocessors as usize * 8;
    let launch = |total: &mut DeviceBuffer<f32>| launch!(sum<<<blocks, THREADS>>>(&x_device, total, shared::PHASES));
    // The first launch assembles the kernel.
    launch(&mut DeviceBuffer::zeroed(1)?)?;
    let ms = bench::time_once(|| launch(&mut total))?;
    let times = if benchmark { Some(bench::time_launches(|| launch(&mut total))?) } else { None };

    let launches = if benchmark { (1 + bench::WARM_UP + bench::RUNS) as f64 } else { 1.0 };
    let got = f64::from(total.to_vec()?[0]) / launches;
    let want: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let size: f64 = x.iter().map(|&x| f64::from(x).abs()).sum();
    let close = (got - want).abs() <= 1e-8 * size;
    if !close {
        return Err(format!("the sum is {got}, not {want}").into());
    }
    match times {
        Some(times) => bench::report("reduce_f32", n, times, 4.0 * n as f64, "GB/s"),
        None => println!(
            "reduce: {n} elements in {ms:.3} ms, {:.1} GB/s; the sum is {got:.3}, equal to the \
             host's result",
            4.0 * n as f64 * 1e-6 / ms
        ),
    }
    Ok(())
}
