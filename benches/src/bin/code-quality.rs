//! Compares the code of every kernel of this package with that of its CUDA C++ twin, and prints a
//! table. `scripts/code-quality` finds the vendor's tools and runs it.

use ptyx_benches::quality::tools::Tools;
use ptyx_benches::quality::{self, Code};
use ptyx_benches::{Error, KERNELS};
use ptyx_examples::finish;
use ptyx_tests::images;
use std::path::Path;
use std::process::ExitCode;

/// Ampere, Hopper, Blackwell.
const CAPABILITIES: [u32; 3] = [80, 90, 120];

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let tools = Tools::find().ok_or(
        "no ptxas or no nvdisasm: put them on the path, or name the assembler in PTYX_PTXAS",
    )?;
    if !tools.has_compiler() {
        return Err("no nvcc beside ptxas or on the path".into());
    }
    let cuda = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda/kernels.cu");
    let images = images::images();
    println!("ptxas and nvcc {}\n", tools.version());
    println!(
        "| kernel | sm | registers, Ptyx / nvcc | local bytes | instructions, Ptyx / nvcc | ratio \
         | with panics |\n|---|---|---|---|---|---|---|"
    );
    for capability in CAPABILITIES {
        let theirs = quality::of_cuda(&tools, &cuda, capability)?;
        for (name, _) in KERNELS {
            let wanted = format!("{name}::{name}");
            let (image, kernel) = images
                .iter()
                .flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)))
                .find(|(_, kernel)| kernel.name.ends_with(&wanted))
                .ok_or_else(|| format!("there is no kernel `{wanted}`"))?;
            let ptx = &image.modules[kernel.code[0].module as usize].ptx;
            let ours = quality::of_ptx(&tools, ptx, &kernel.entry, capability)?;
            let theirs = theirs.get(*name).ok_or_else(|| format!("kernels.cu lacks `{name}`"))?;
            print_row(name, capability, ours, *theirs);
        }
    }
    Ok(())
}

fn print_row(name: &str, capability: u32, ours: Code, theirs: Code) {
    let ratio = ours.counts.hot as f64 / theirs.counts.hot as f64;
    println!(
        "| `{name}` | {capability} | {} / {} | {} / {} | {} / {} | {ratio:.2} | {} |",
        ours.registers,
        theirs.registers,
        ours.local + ours.spills,
        theirs.local + theirs.spills,
        ours.counts.hot,
        theirs.counts.hot,
        ours.counts.all,
    );
}
