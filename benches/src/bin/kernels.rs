//! Runs the kernels of this package by name, all of them by default: checks their results against
//! the host's, and with `--bench` measures them.

use ptyx_benches::{Error, KERNELS, Run};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::{finish, print_device};
use std::process::ExitCode;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("only", "NAME", "one kernel instead of all"),
        Opt::flag("bench", "measure, with large inputs"),
        SEED,
    ];
    let about = "Runs the kernels that Ptyx and CUDA C++ are compared on.";
    let args = Args::from_env(about, &[], &options)?;
    let (seed, measure) = (args.seed()?, args.flag("bench"));
    print_device()?;
    println!("seed: {seed}");
    let only: Option<String> = args.get("only")?;
    let mut found = false;
    for (name, _, run) in KERNELS {
        if only.as_ref().is_none_or(|only| only == name) {
            found = true;
            run(&mut Run::new(seed, measure)).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    if found { Ok(()) } else { Err("there is no such kernel".into()) }
}
