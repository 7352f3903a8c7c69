//! Runs many random programs, in batches, and reduces those that fail.
//!
//! `scripts/differential --help` says how.

use ptyx_program_generator::{Batch, Rng, Spec, program};
use std::collections::BTreeSet;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const HELP: &str = "\
Runs random programs on the host and on a device and compares, bit for bit.

  --count N     programs (500)
  --seed S      where they come from (drawn and printed)
  --batch N     programs compiled together (250)
  --release     with the release profile
  --show SPEC   prints a program (SPEC: seed, or seed:cuts as a MISMATCH line has it)
  --reduce SPEC makes a failing program smaller
  --no-reduce   only reports failures

Exit code 1 if a program differs. PTYX_DEVICE chooses the device.";

/// Parts that a round of a reduction tries to cut out, each alone.
const CANDIDATES: usize = 40;

struct Options {
    count: usize,
    seed: u64,
    batch: usize,
    release: bool,
    reduce: bool,
}

/// What the test program said about a batch.
struct Outcome {
    /// Programs that differ, as specs.
    wrong: Vec<Spec>,
    log: String,
    /// Whether it was compiled and run to its end.
    ran: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut options = Options { count: 500, seed: now, batch: 250, release: false, reduce: true };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
        let spec = |text: String| Spec::parse(&text).ok_or(format!("{text} is no program"));
        match argument.as_str() {
            "--count" => options.count = number(value()?)? as usize,
            "--seed" => options.seed = number(value()?)?,
            "--batch" => options.batch = number(value()?)?.max(1) as usize,
            "--release" => options.release = true,
            "--no-reduce" => options.reduce = false,
            "--show" => {
                let spec = spec(value()?)?;
                println!("{}", program(spec.seed, &spec.cuts, "program").source);
                return Ok(true);
            }
            "--reduce" => {
                reduce(&spec(value()?)?, &options);
                return Ok(true);
            }
            "--help" => {
                println!("{HELP}");
                return Ok(true);
            }
            other => return Err(format!("{other} is no option")),
        }
    }
    println!("--seed {} --count {}", options.seed, options.count);
    let all = Batch::from_seed(options.seed, options.count).specs;
    let (started, mut done, mut wrong) = (Instant::now(), 0, Vec::new());
    for specs in all.chunks(options.batch) {
        let outcome = test(specs, &options);
        if !outcome.ran && outcome.wrong.is_empty() {
            println!("{}", outcome.log);
            return Ok(false);
        }
        if !outcome.wrong.is_empty() {
            println!("{}", outcome.log);
        }
        done += specs.len();
        wrong.extend(outcome.wrong);
        let minutes = started.elapsed().as_secs_f64() / 60.0;
        println!(
            "{done} of {} programs, {} wrong, {:.0} a minute",
            options.count,
            wrong.len(),
            done as f64 / minutes
        );
    }
    if options.reduce {
        wrong.iter().for_each(|spec| reduce(spec, &options));
    }
    Ok(wrong.is_empty())
}

/// Compiles and runs programs.
fn test(specs: &[Spec], options: &Options) -> Outcome {
    // In a file, since a variable's length is limited; under a new name, so that cargo notices.
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let file = format!("ptyx-programs-{}-{number}", std::process::id());
    let file = std::env::temp_dir().join(file);
    let list: Vec<String> = specs.iter().map(ToString::to_string).collect();
    if let Err(error) = std::fs::write(&file, list.join(";")) {
        let log = format!("{}: {error}", file.display());
        return Outcome { wrong: Vec::new(), log, ran: false };
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--quiet", "-p", "ptyx-differential", "--test", "programs"]);
    if options.release {
        command.arg("--release");
    }
    command.args(["--", "--nocapture"]).env(Batch::VARIABLES[0], format!("@{}", file.display()));
    let output = command.output();
    let _ = std::fs::remove_file(&file);
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            return Outcome { wrong: Vec::new(), log: error.to_string(), ran: false };
        }
    };
    let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = log.lines().filter_map(|line| line.strip_prefix("MISMATCH "));
    let wrong: Vec<Spec> = wrong.filter_map(Spec::parse).collect();
    let ran = output.status.success();
    log += &String::from_utf8_lossy(&output.stderr);
    Outcome { wrong, log, ran }
}

/// Cuts parts out of a failing program for as long as it fails, and prints what is left.
///
/// A round compiles one crate with many smaller programs: one for each part.
fn reduce(spec: &Spec, options: &Options) {
    let mut best = spec.clone();
    for round in 1.. {
        let parts = program(best.seed, &best.cuts, "p").parts;
        let is_gone =
            |number: usize| best.cuts.iter().any(|&cut| cut <= number && number < parts[cut].end);
        // The largest parts first; a batch of them.
        let mut open: Vec<usize> = (0..parts.len())
            .filter(|&number| !is_gone(number) && parts[number].length > 0)
            .collect();
        open.sort_by_key(|&number| std::cmp::Reverse(parts[number].length));
        let with = |cuts: &[usize]| {
            let mut spec = best.clone();
            spec.cuts.extend(cuts);
            spec
        };
        let mut candidates: Vec<Spec> =
            open.iter().take(CANDIDATES).map(|&part| with(&[part])).collect();
        // Several small parts at once, at random.
        let mut rng = Rng::new(round);
        for _ in 0..candidates.len().min(CANDIDATES / 4) {
            let some: Vec<usize> = open.iter().copied().filter(|_| rng.chance(30)).collect();
            candidates.push(with(&some));
        }
        if candidates.is_empty() {
            break;
        }
        let outcome = test(&candidates, options);
        let length = |spec: &Spec| program(spec.seed, &spec.cuts, "p").source.len();
        // What can be cut alone can mostly be cut together.
        let together: BTreeSet<usize> = outcome.wrong.iter().flat_map(|s| s.cuts.clone()).collect();
        let mut smaller = outcome.wrong.clone();
        if outcome.wrong.len() > 1 {
            let all = Spec { seed: best.seed, cuts: together };
            smaller.extend(test(&[all], options).wrong);
        }
        let Some(next) = smaller.into_iter().min_by_key(length) else { break };
        println!("round {round}: {} bytes -> {} bytes", length(&best), length(&next));
        if length(&next) >= length(&best) {
            break;
        }
        best = next;
    }
    let outcome = test(std::slice::from_ref(&best), options);
    println!("--- reduced ---\n{}", outcome.log);
}
