//! Jobs for all devices: each job goes to whichever device is idle. The jobs take different times, simulated by kernels
//! that sleep. First a host thread for each device takes jobs, then a single thread gives each job to an idle device.
//!
//! Try it without a GPU, too: `PTYX_DEVICE=emulator PTYX_EMULATOR_DEVICES=4 PTYX_EMULATOR_ASYNC=1`.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a job computes.
#[kernel]
fn squares(first: u32, mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let number = first + i.get() as u32;
        *out = number * number;
    }
}

const LEN: usize = 1000;

/// A job: the first number, and how long it takes.
#[derive(Clone, Copy)]
struct Job {
    first: u32,
    time: Duration,
}

/// Gives a job to a stream. The host does not wait.
fn start(job: Job, stream: &Stream) -> ptyx::Result<DeviceBuffer<u32>> {
    let mut out = DeviceBuffer::<u32>::zeroed_on(LEN, stream)?;
    stream.sleep(job.time)?;
    launch!(squares<<<LEN.div_ceil(128), 128, 0, stream>>>(job.first, &mut out))?;
    Ok(out)
}

/// The results of each job, and how many jobs each device had.
type Done = (Vec<Vec<u32>>, Vec<usize>);

/// Each device has a host thread, which takes the next job when the device has finished one.
fn by_threads(devices: &[Device], jobs: &[Job]) -> ptyx::Result<Done> {
    let queue = Mutex::new(jobs.iter().copied().enumerate());
    let results = Mutex::new(vec![Vec::new(); jobs.len()]);
    let serve = |device: &Device| -> ptyx::Result<usize> {
        device.make_current()?;
        let (stream, mut count) = (Stream::new()?, 0);
        // Not locked while the job runs.
        while let Some((number, job)) = { queue.lock().unwrap_or_else(|e| e.into_inner()).next() } {
            let result = start(job, &stream)?.to_vec()?;
            results.lock().unwrap_or_else(|e| e.into_inner())[number] = result;
            count += 1;
        }
        Ok(count)
    };
    let counts: ptyx::Result<Vec<usize>> = std::thread::scope(|scope| {
        let serve = &serve;
        let threads: Vec<_> =
            devices.iter().map(|device| scope.spawn(move || serve(device))).collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.collect()
    });
    Ok((results.into_inner().unwrap_or_else(|e| e.into_inner()), counts?))
}

/// One thread starts each job on a device that is idle, and reads the results at the end.
fn by_one_thread(devices: &[Device], jobs: &[Job]) -> ptyx::Result<Done> {
    let streams =
        devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<Vec<_>>>()?;
    let (mut started, mut counts) = (Vec::new(), vec![0; devices.len()]);
    for job in jobs {
        let Some(idle) = Device::wait_until_idle(devices)? else { break };
        for ((device, stream), count) in devices.iter().zip(&streams).zip(&mut counts) {
            if *device == idle {
                started.push(start(*job, stream)?);
                *count += 1;
            }
        }
    }
    let results = started.iter().map(DeviceBuffer::to_vec).collect::<ptyx::Result<_>>()?;
    Ok((results, counts))
}

/// Compares the results with the host's.
fn check(jobs: &[Job], results: &[Vec<u32>]) -> Result<(), Error> {
    for (job, result) in jobs.iter().zip(results) {
        let want = (job.first..).map(|number| number * number).take(LEN);
        if !want.eq(result.iter().copied()) {
            return Err(format!("the job of {} is wrong", job.first).into());
        }
    }
    if results.len() != jobs.len() {
        return Err(format!("{} results of {} jobs", results.len(), jobs.len()).into());
    }
    Ok(())
}

/// One of the ways to feed the devices.
type Way = fn(&[Device], &[Job]) -> ptyx::Result<Done>;

fn main() -> ExitCode {
    finish(run)
}

pub(crate) fn run() -> Result<(), Error> {
    let options = [
        Opt::value("jobs", "N", "number of jobs (default: 24)"),
        Opt::value("time", "N", "the longest job, in milliseconds (default: 20)"),
        SEED,
    ];
    let args = Args::from_env("Jobs for whichever device is idle.", &[], &options)?;
    let (count, longest) = (args.size("jobs", 24)?, args.size("time", 20)?);
    let seed = args.seed()?;
    // The devices that are idle: all, unless this program has used some before.
    let devices = Device::select(|device| device.is_idle().unwrap_or(false))?;
    if devices.is_empty() {
        return Err("no device is idle".into());
    }
    for device in &devices {
        println!("device {}: {}", device.index(), device.name());
    }
    println!("seed: {seed}");
    let job = |(number, part): (usize, f32)| Job {
        first: number as u32,
        time: Duration::from_secs_f32(part.abs() * longest as f32 * 1e-3),
    };
    let jobs: Vec<Job> = Rng::new(seed).vec_f32(count).into_iter().enumerate().map(job).collect();
    let all: Duration = jobs.iter().map(|job| job.time).sum();

    let ways: [(&str, Way); 2] =
        [("a thread for each device", by_threads), ("one thread", by_one_thread)];
    for (way, run) in ways {
        let start = Instant::now();
        let (results, counts) = run(&devices, &jobs)?;
        let took = start.elapsed();
        check(&jobs, &results)?;
        println!(
            "pool: {way}: {count} jobs of {:.0} ms altogether took {:.0} ms; jobs per device: {counts:?}; all equal to the host's result",
            all.as_secs_f64() * 1e3,
            took.as_secs_f64() * 1e3
        );
    }
    Ok(())
}
