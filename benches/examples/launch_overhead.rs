//! The host's time for one `launch!` of a warm kernel. `benches/cuda/launch_overhead.cu` measures
//! the bare driver call in the same way.

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

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [Opt::value("batches", "N", "timed batches of 200 launches (default: 200)")];
    let args = Args::from_env("The host's time for one warm launch.", &[], &options)?;
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
    // `Times` counts in whatever unit its samples have: microseconds here.
    let Times { median_ms: median, min_ms: min, max_ms: max } = Times::of(samples);
    println!(
        "BENCH launch impl=ptyx batches={batches} median_us={median:.3} min_us={min:.3} \
         max_us={max:.3}"
    );
    Ok(())
}
