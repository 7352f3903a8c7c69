//! How long the first launch of a large kernel takes in a process: without the cache on disk, with an empty one (*cold*),
//! and with one that another process has filled (*warm*). The driver's own cache is off, so that it does not count.
//!
//! Each measurement is a process of its own, which this program starts. A round has one process of each kind. The
//! program begins a round only if it will probably end in time.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt};
use ptyx_examples::bench::Times;
use ptyx_examples::{Error, finish, print_device};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// What a measuring process is told by.
const CHILD: &str = "FIRST_LAUNCH_MEASURES";
/// What its line starts with.
const LINE: &str = "milliseconds: ";

macro_rules! four_times {
    ($($body:tt)*) => {
        $($body)*
        $($body)*
        $($body)*
        $($body)*
    };
}

/// A thousand steps of arithmetic without a loop: some tens of thousands of machine instructions.
fn steps(mut x: f32, mut y: f32) -> f32 {
    four_times! { four_times! { four_times! { four_times! { four_times! {
        x = (x * 0.75 + y).abs().sqrt();
        y = x / (y * y + 1.5) - 0.25 * y;
    }}}}}
    x + y
}

#[kernel]
fn large(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = steps(x[i.get()], *y);
    }
}

fn main() -> ExitCode {
    finish(|| match std::env::var_os(CHILD) {
        Some(_) => measure(),
        None => run(),
    })
}

/// The first launch of a process, from the call until the kernel has run. The device's context is there already.
fn measure() -> Result<(), Error> {
    const LEN: usize = 64;
    let from: Vec<f32> = (0..LEN).map(|i| i as f32 * 0.1).collect();
    let x = DeviceBuffer::from_slice(&from)?;
    let mut y = DeviceBuffer::filled(LEN, 2.0f32)?;
    ptyx::synchronize()?;
    let start = Instant::now();
    launch!(large<<<2, 32>>>(&x, &mut y))?;
    ptyx::synchronize()?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let equal = y.to_vec()?.iter().zip(&from).all(|(y, &x)| *y == steps(x, 2.0));
    if !equal {
        return Err("the kernel's results are not the host's".into());
    }
    println!("{LINE}{milliseconds} {}", ptyx::modules_from_cache());
    Ok(())
}

/// Measures in a process with this folder, or without one; how many milliseconds, and whether machine code was loaded.
fn process(folder: Option<&Path>) -> Result<(f64, bool), Error> {
    let output = Command::new(std::env::current_exe()?)
        .env(CHILD, "1")
        .env("CUDA_CACHE_DISABLE", "1")
        .env("PTYX_CACHE", folder.unwrap_or(Path::new("off")))
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find_map(|line| line.strip_prefix(LINE)?.split_once(' '));
    match line {
        Some((milliseconds, loaded)) if output.status.success() => {
            Ok((milliseconds.parse()?, loaded != "0"))
        }
        _ => {
            Err(format!("a process failed: {said}{}", String::from_utf8_lossy(&output.stderr))
                .into())
        }
    }
}

/// Runs one process of each kind, and reports the milliseconds of each on stderr.
fn round(number: usize, folder: &Path) -> Result<[f64; 3], Error> {
    let _ = std::fs::remove_dir_all(folder);
    let mut times = [0.0; 3];
    let kinds =
        [("without", None, false), ("cold", Some(folder), false), ("warm", Some(folder), true)];
    for ((kind, folder, loads), time) in kinds.into_iter().zip(&mut times) {
        let start = Instant::now();
        let (milliseconds, loaded) = process(folder)?;
        if loaded != loads {
            return Err(format!(
                "{kind}: machine code was loaded where there was none, or not where there was"
            )
            .into());
        }
        let whole = start.elapsed().as_secs_f64();
        eprintln!("round {number}, {kind}: {milliseconds:.1} ms of a process of {whole:.1} s");
        *time = milliseconds;
    }
    Ok(times)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("rounds", "N", "processes of each kind at most (default: 5)"),
        Opt::value("seconds", "N", "begin no round that would end later (default: 30)"),
    ];
    let args = Args::from_env("The time of a first launch, cold and warm.", &[], &options)?;
    let (most, seconds) = (args.size("rounds", 5)?.max(1), args.size("seconds", 30)?);
    print_device()?;
    let folder = std::env::temp_dir().join(format!("ptyx-first-launch-{}", std::process::id()));
    let start = Instant::now();
    let is_in_time = |rounds: usize| {
        let next = start.elapsed().as_secs_f64() * (rounds + 1) as f64 / rounds.max(1) as f64;
        rounds < most && (rounds == 0 || next <= seconds as f64)
    };
    let measured = (0..)
        .take_while(|&rounds| is_in_time(rounds))
        .map(|rounds| round(rounds + 1, &folder))
        .collect::<Result<Vec<[f64; 3]>, Error>>();
    let _ = std::fs::remove_dir_all(&folder);
    let measured = measured?;
    let median =
        |kind: usize| Times::of(measured.iter().map(|times| times[kind]).collect()).median_ms;
    let (without, cold, warm) = (median(0), median(1), median(2));
    println!(
        "BENCH first_launch impl=ptyx rounds={} without_cache_ms={without:.2} cold_ms={cold:.2} \
         median_ms={warm:.2} warm_to_cold={:.3}",
        measured.len(),
        warm / cold
    );
    Ok(())
}
