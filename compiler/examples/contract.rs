//! Prints which of the things that Ptyx relies on do not hold in a toolchain: `scripts/contract
//! [TOOLCHAIN]`.
//!
//! The first argument is a rustc; `--all` after it also prints what holds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let rustc = arguments.next().map_or_else(|| "rustc".into(), PathBuf::from);
    let all = arguments.next().is_some_and(|argument| argument == "--all");
    let dir = std::env::temp_dir().join(format!("ptyx-contract-{}", std::process::id()));
    let checked = ptyx_compiler::check_contract(Path::new(&rustc), &dir);
    let _ = std::fs::remove_dir_all(&dir);
    match checked {
        Ok((moved, held)) => {
            let lines = moved.iter().chain(held.iter().filter(|_| all));
            lines.for_each(|line| println!("{line}"));
            println!("{} things hold, {} have moved", held.len(), moved.len());
            if moved.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
