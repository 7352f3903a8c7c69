//! An all-reduce: each device gets the sums over all devices. Once by a ring of copies, and once by NVIDIA's library
//! NCCL where it is installed.
//!
//! Try it without a GPU, too: `PTYX_DEVICE=emulator PTYX_EMULATOR_DEVICES=4`.

use ptyx::nccl::{self, Communicator, Reduce};
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::ring::{Member, all_reduce};
use ptyx_examples::{Error, finish};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The ranks of NCCL, or why NCCL can't be used.
fn ranks(devices: &[Device]) -> ptyx::Result<Result<Vec<Communicator>, ptyx::Error>> {
    match nccl::version() {
        Ok((major, minor, patch)) => {
            println!("NCCL {major}.{minor}.{patch}");
            Communicator::all(devices).map(Ok)
        }
        Err(error @ ptyx::Error::Nccl { .. }) => Ok(Err(error)),
        Err(error) => Err(error),
    }
}

/// The sum by NCCL.
fn by_nccl(ranks: &[Communicator], members: &mut [Member]) -> ptyx::Result<()> {
    nccl::group(|group| {
        for (rank, Member { stream, values, .. }) in ranks.iter().zip(members) {
            group.all_reduce_in_place(rank, values, Reduce::Sum, stream)?;
        }
        Ok(())
    })
}

/// Sums the devices' numbers twice, and compares the results with `want`. Returns how long the second time took: the
/// first one also prepares the devices.
fn timed(
    what: &str,
    members: &mut [Member],
    numbers: &[Vec<f32>],
    want: &[f32],
    mut sum: impl FnMut(&mut [Member]) -> ptyx::Result<()>,
) -> Result<Duration, Error> {
    let mut time = Duration::ZERO;
    for _ in 0..2 {
        for (member, own) in members.iter_mut().zip(numbers) {
            member.values.copy_from_slice(own)?;
        }
        let start = Instant::now();
        sum(members)?;
        members.iter().try_for_each(|member| member.stream.synchronize())?;
        time = start.elapsed();
        for (number, member) in members.iter().enumerate() {
            let got = member.values.to_vec()?;
            if let Some(at) = got.iter().zip(want).position(|(got, want)| got != want) {
                let (got, want) = (got[at], want[at]);
                return Err(
                    format!("{what}: sum {at} of device {number} is {got}, not {want}").into()
                );
            }
        }
    }
    Ok(time)
}

fn main() -> ExitCode {
    finish(run)
}

pub(crate) fn run() -> Result<(), Error> {
    let options = [Opt::value("size", "N", "numbers per device (default: 100000)"), SEED];
    let args = Args::from_env("A sum over all devices.", &[], &options)?;
    let (size, seed) = (args.size("size", 100_000)?, args.seed()?);
    let devices = Device::all()?;
    for device in &devices {
        println!("device {}: {}", device.index(), device.name());
    }
    println!("seed: {seed}");

    // Small integers: their sums are exact in any order.
    let mut rng = Rng::new(seed);
    let mut integers = || (0..size).map(|_| (rng.next_f32() * 1000.0).trunc()).collect::<Vec<_>>();
    let numbers: Vec<Vec<f32>> = devices.iter().map(|_| integers()).collect();
    let mut want = vec![0.0; size];
    for own in &numbers {
        want.iter_mut().zip(own).for_each(|(sum, number)| *sum += number);
    }

    let with_numbers = devices.iter().zip(&numbers);
    let mut members = with_numbers
        .map(|(device, own)| Member::new(device, own))
        .collect::<ptyx::Result<Vec<_>>>()?;
    let report = |how: &str, time: Duration| {
        println!(
            "all_reduce: {how} gave {} devices the sums of {size} numbers in {:.3} ms; equal to the host's result",
            devices.len(),
            time.as_secs_f64() * 1e3
        );
    };
    let time = timed("the ring", &mut members, &numbers, &want, |members| {
        all_reduce(&mut members.iter_mut().collect::<Vec<_>>())
    })?;
    report("a ring of copies", time);
    match ranks(&devices)? {
        Ok(ranks) => {
            let sum = |members: &mut [Member]| by_nccl(&ranks, members);
            report("NCCL", timed("NCCL", &mut members, &numbers, &want, sum)?);
        }
        Err(error) => println!("all_reduce: without NCCL: {error}"),
    }
    Ok(())
}
