//! Prints the table of docs/panics.md from the PTX of `benches/examples/panic_cost.rs`: what checks that can
//! panic cost a kernel, compared with a bare `trap` and with no checks. `scripts/panic-table` runs it.

use ptyx_benches::Error;
use ptyx_benches::quality::tools::Tools;
use ptyx_benches::quality::{self, Code};
use ptyx_examples::finish;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Ampere, Hopper, Blackwell.
const CAPABILITIES: [u32; 3] = [80, 90, 120];
/// The kernels of the example.
const KERNELS: [&str; 5] = ["saxpy", "gather", "matmul", "sums", "compare"];
/// The types that say how a kernel checks: in columns.
const CHECKS: [&str; 3] = ["Panics", "Traps", "Nothing"];

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let folder = std::env::args().nth(1).ok_or("name the folder that PTYX_DUMP wrote")?;
    let tools = Tools::find().ok_or(
        "no ptxas or no nvdisasm: put them on the path, or name the assembler in PTYX_PTXAS",
    )?;
    println!("ptxas {}\n", tools.version());
    println!(
        "| kernel | sm | hot: panic | trap | none | registers: panic | trap | none | local bytes: \
         panic |\n|---|---|---|---|---|---|---|---|---|"
    );
    for capability in CAPABILITIES {
        for kernel in KERNELS {
            let mut codes = [Code::default(); CHECKS.len()];
            for (code, checks) in codes.iter_mut().zip(CHECKS) {
                let (path, entry) = find(Path::new(&folder), kernel, checks)?;
                let ptx = std::fs::read_to_string(path)?;
                *code = quality::of_ptx(&tools, &ptx, &entry, capability)?;
            }
            let [panic, trap, none] = codes;
            println!(
                "| `{kernel}` | {capability} | {} | {} | {} | {} | {} | {} | {} |",
                panic.counts.hot,
                trap.counts.hot,
                none.counts.hot,
                panic.registers,
                trap.registers,
                none.registers,
                panic.local
            );
        }
    }
    Ok(())
}

/// The PTX of a kernel with these checks, and its entry: the name of both ends with theirs.
fn find(folder: &Path, kernel: &str, checks: &str) -> Result<(PathBuf, String), Error> {
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_ptx = path.extension().is_some_and(|extension| extension == "ptx");
        // `package-unit-number-entry`
        let entry = stem.rsplit('-').next().unwrap_or_default();
        if is_ptx && entry.starts_with(&format!("{kernel}_panic_cost")) && entry.ends_with(checks) {
            return Ok((path.clone(), entry.to_owned()));
        }
    }
    Err(format!("no PTX of `{kernel}` with {checks} in {}", folder.display()).into())
}
