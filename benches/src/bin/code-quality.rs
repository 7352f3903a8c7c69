//! Compares the code of every kernel of this package with that of its CUDA C++ twin, and prints a
//! table. `scripts/code-quality` finds NVIDIA's tools and runs it.

use ptyx_benches::quality::tools::Tools;
use ptyx_benches::quality::{self, Bounds, Code};
use ptyx_benches::{Error, KERNELS};
use ptyx_examples::finish;
use ptyx_test_support::images;
use std::path::Path;
use std::process::ExitCode;

/// Ampere, Hopper, Blackwell.
const CAPABILITIES: [u32; 3] = [80, 90, 120];

/// A ratio above this is marked: there must be a reason in docs/code-quality.md.
const MAX_RATIO: f64 = 1.05;

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
        "| kernel | sm | registers: Ptyx, nvcc checked, nvcc | local bytes | instructions: Ptyx, \
         nvcc checked, nvcc | to checked | to nvcc | with panics |\n|---|---|---|---|---|---|---|---|"
    );
    for capability in CAPABILITIES {
        let checked = quality::of_cuda(&tools, &cuda, Bounds::Checked, capability)?;
        let trusted = quality::of_cuda(&tools, &cuda, Bounds::Trusted, capability)?;
        let names = KERNELS
            .iter()
            .flat_map(|(module, kernels, _)| kernels.iter().map(move |name| (module, name)));
        for (module, name) in names {
            let wanted = format!("{module}::{name}");
            let (image, kernel) = images
                .iter()
                .flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)))
                .find(|(_, kernel)| kernel.name.ends_with(&wanted))
                .ok_or_else(|| format!("there is no kernel `{wanted}`"))?;
            let ptx = quality::ptx_of(image, kernel, capability)
                .ok_or_else(|| format!("`{wanted}` has no code for sm_{capability}"))?;
            let ours = quality::of_ptx(&tools, ptx, &kernel.entry, capability)?;
            let (Some(checked), Some(trusted)) = (checked.get(*name), trusted.get(*name)) else {
                return Err(format!("kernels.cu lacks `{name}`").into());
            };
            print_row(name, capability, ours, *checked, *trusted);
        }
    }
    Ok(())
}

fn print_row(name: &str, capability: u32, ours: Code, checked: Code, trusted: Code) {
    let ratio = |theirs: Code| {
        let ratio = ours.counts.hot as f64 / theirs.counts.hot as f64;
        if ratio > MAX_RATIO { format!("**{ratio:.2}**") } else { format!("{ratio:.2}") }
    };
    let three = |count: fn(Code) -> usize| {
        [ours, checked, trusted].map(|code| count(code).to_string()).join(", ")
    };
    println!(
        "| `{name}` | {capability} | {} | {} | {} | {} | {} | {} |",
        three(|code| code.registers as usize),
        three(|code| (code.local + code.spills) as usize),
        three(|code| code.counts.hot),
        ratio(checked),
        ratio(trusted),
        ours.counts.all,
    );
}
