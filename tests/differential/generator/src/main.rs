//! Runs many random programs, in batches, and reduces those that fail.
//!
//! `scripts/differential --help` says how.

mod blame;
mod cargo;
mod reduce;

use cargo::{Failure, Mode};
use ptyx_program_generator::{Batch, Spec, program};
use std::process::ExitCode;
use std::time::Instant;

const HELP: &str = "\
Runs random programs on the host and on a device and compares, bit for bit.

  --count N     programs (500)
  --seed S      where they come from (PTYX_SEED, or the commit's; printed)
  --batch N     programs compiled together (250)
  --release     with the release profile
  --no-passes   without the compiler's optional passes (docs/passes.md)
  --check       only checks that rustc takes the programs: no kernels, nothing is run
  --show SPEC   prints a program (SPEC: seed, or seed:cuts as a report's last line has it)
  --reduce SPEC makes a failing program smaller
  --no-reduce   only reports failures

A program that fails is printed with what is known about it. The report's last line says how:
  MISMATCH      host and device differ, or the launch failed
  REJECTED      rustc does not take it: a mistake of the generator
  BROKEN        it is valid, and its kernel can't be compiled, or running it ends the process
The others of its batch run all the same. Behind a reduced program, a line says which optional
pass of the compiler does wrong:
  PASSES        without which passes it is right (docs/passes.md)

Exit code 1 if a program fails. PTYX_DEVICE chooses the device.";

struct Options {
    count: usize,
    seed: u64,
    batch: usize,
    mode: Mode,
    reduce: bool,
}

/// What is to be done.
enum Task {
    Run(Options),
    Show(Spec),
    Reduce(Spec, Mode),
    Help,
}

fn main() -> ExitCode {
    let task = match Task::from_arguments(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(message) => {
            eprintln!("error: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match task.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Task {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Task, String> {
        let seed = ptyx_test_support::seed();
        let mode = Mode { release: false, check: false, passes: true };
        let mut options = Options { count: 500, seed, batch: 250, mode, reduce: true };
        let mut to_reduce = None;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            let number =
                |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
            let spec = |text: String| Spec::parse(&text).ok_or(format!("{text} is no program"));
            match argument.as_str() {
                "--count" => options.count = number(value()?)? as usize,
                "--seed" => options.seed = number(value()?)?,
                "--batch" => options.batch = number(value()?)?.max(1) as usize,
                "--release" => options.mode.release = true,
                "--no-passes" => options.mode.passes = false,
                "--check" => options.mode.check = true,
                "--no-reduce" => options.reduce = false,
                "--show" => return Ok(Task::Show(spec(value()?)?)),
                "--reduce" => to_reduce = Some(spec(value()?)?),
                "--help" => return Ok(Task::Help),
                other => return Err(format!("{other} is no option")),
            }
        }
        Ok(match to_reduce {
            Some(spec) => Task::Reduce(spec, options.mode),
            None => Task::Run(options),
        })
    }

    /// Whether all is well.
    fn run(self) -> Result<bool, String> {
        match self {
            Task::Run(options) => return run(&options),
            Task::Show(spec) => println!("{}", program(spec.seed, &spec.cuts, "program").source),
            Task::Reduce(spec, mode) => match mode.test(std::slice::from_ref(&spec))?.first() {
                Some(failure) => reduce::reduce(failure, mode)?,
                None => println!("{spec} does not fail"),
            },
            Task::Help => println!("{HELP}"),
        }
        Ok(true)
    }
}

fn run(options: &Options) -> Result<bool, String> {
    println!("--seed {} --count {}", options.seed, options.count);
    let all = Batch::from_seed(options.seed, options.count).specs;
    let (started, mut done) = (Instant::now(), 0);
    let mut failures: Vec<Failure> = Vec::new();
    for specs in all.chunks(options.batch) {
        let found = options.mode.test(specs)?;
        found.iter().for_each(|failure| println!("{}", failure.report));
        failures.extend(found);
        done += specs.len();
        let minutes = started.elapsed().as_secs_f64() / 60.0;
        println!(
            "{done} of {} programs, {} wrong, {:.0} a minute",
            options.count,
            failures.len(),
            done as f64 / minutes
        );
    }
    if options.reduce {
        for failure in &failures {
            reduce::reduce(failure, options.mode)?;
        }
    }
    Ok(failures.is_empty())
}
