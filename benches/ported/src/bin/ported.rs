//! Runs the kernels of this package, compares their results with the host's and measures them; or counts what
//! NVIDIA's assembler makes of them. `scripts/ported` runs it with what it needs.

use ptyx_benches::quality::tools::Tools;
use ptyx_benches::quality::{self, Bounds, Code};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::{finish, print_device};
use ptyx_ported::twins::Twins;
use ptyx_ported::{CUDA_SOURCE, Error, Form, KERNELS, Row, Run};
use ptyx_test_support::images;
use std::path::Path;
use std::process::ExitCode;

/// Hopper, whose code the table shows.
const CAPABILITY: u32 = 90;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("only", "NAME", "one kernel instead of all"),
        Opt::value("twins", "FILE", "the CUDA C++ twins as a cubin or PTX, to run them, too"),
        Opt::flag("bench", "measure, with large inputs"),
        Opt::flag("small", "small inputs for --bench, to try it on the emulated device"),
        Opt::flag("code", "count instructions and registers, and run nothing"),
        SEED,
    ];
    let about = "Runs kernels as they are ported from CUDA C++, in four forms.";
    let args = Args::from_env(about, &[], &options)?;
    let only: Option<String> = args.get("only")?;
    let chosen = |name: &str| only.as_ref().is_none_or(|only| only == name);
    if args.flag("code") {
        return code(&chosen);
    }
    let twins: Option<String> = args.get("twins")?;
    let (seed, measure) = (args.seed()?, args.flag("bench"));
    let large = measure && !args.flag("small");
    print_device()?;
    println!("seed: {seed}");
    let twins = twins.map(|path| Twins::load(Path::new(&path))).transpose()?;
    let mut rows = Vec::new();
    let mut failed = false;
    for (name, run) in KERNELS.iter().filter(|(name, _)| chosen(name)) {
        let mut one = Run::new(seed, large, measure, twins.as_ref());
        match run(&mut one) {
            Ok(()) if measure => rows.append(&mut one.rows),
            Ok(()) => println!("{name}: every form gives the host's result"),
            // The others may still be right.
            Err(error) => {
                failed = true;
                println!("{name}: {error}");
            }
        }
    }
    if measure {
        print_times(&rows);
    }
    if failed { Err("some kernels failed".into()) } else { Ok(()) }
}

/// The quotients of the table of times: which form over which.
const RATIOS: [(Form, Form); 4] = [
    (Form::Safe, Form::Cuda),
    (Form::Unchecked, Form::Cuda),
    (Form::Narrow, Form::Cuda),
    (Form::Safe, Form::Unchecked),
];

fn print_times(rows: &[Row]) {
    let names: Vec<String> = Form::ALL.iter().map(|form| format!("{}, ms", form.name())).collect();
    let ratios = RATIOS.map(|(over, under)| format!("{}/{}", over.name(), under.name()));
    println!("| kernel | {} | {} |", names.join(" | "), ratios.join(" | "));
    println!("|{}", "---|".repeat(1 + names.len() + ratios.len()));
    let mut logs = [const { Vec::new() }; RATIOS.len()];
    for Row { kernel, times } in rows {
        let shown = times.map(|time| time.map_or("-".to_owned(), |ms| format!("{ms:.4}")));
        let mut cells = shown.to_vec();
        for ((over, under), logs) in RATIOS.iter().zip(&mut logs) {
            let ratio = times[*over as usize].zip(times[*under as usize]).map(|(a, b)| a / b);
            logs.extend(ratio.map(f64::ln));
            cells.push(ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")));
        }
        println!("| `{kernel}` | {} |", cells.join(" | "));
    }
    let means = logs.map(|logs| match logs.len() {
        0 => "-".to_owned(),
        count => format!("{:.3}", (logs.iter().sum::<f64>() / count as f64).exp()),
    });
    println!("| geometric mean | {}{} |", "| ".repeat(Form::ALL.len()), means.join(" | "));
}

fn code(chosen: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    let tools = Tools::find().ok_or(
        "no ptxas or no nvdisasm: put them on the path, or name the assembler in PTYX_PTXAS",
    )?;
    let cuda = Path::new(env!("CARGO_MANIFEST_DIR")).join(CUDA_SOURCE);
    let twins = quality::of_cuda(&tools, &cuda, Bounds::Trusted, CAPABILITY)?;
    println!("ptxas and nvcc {}, sm_{CAPABILITY}\n", tools.version());
    let names = Form::ALL.map(Form::name).join(", ");
    println!(
        "| kernel | instructions: {names} | safe/nvcc | unchecked/nvcc | narrow/nvcc | registers | \
         local bytes | spilled bytes |\n|---|---|---|---|---|---|---|---|"
    );
    let mut logs = [const { Vec::new() }; 3];
    for (name, _) in KERNELS.iter().filter(|(name, _)| chosen(name)) {
        let mut codes = [Code::default(); 4];
        for form in Form::ALL {
            codes[form as usize] = match form {
                Form::Cuda => *twins.get(*name).ok_or_else(|| format!("no twin `{name}`"))?,
                _ => of_form(&tools, name, form)?,
            };
        }
        let hot = codes.map(|code| code.counts.hot);
        let ratios = [0, 1, 2].map(|form| hot[form] as f64 / hot[3] as f64);
        for (logs, ratio) in logs.iter_mut().zip(ratios) {
            logs.push(ratio.ln());
        }
        println!(
            "| `{name}` | {} | {} | {} | {} | {} |",
            list(codes, |code| code.counts.hot),
            ratios.map(|ratio| format!("{ratio:.2}")).join(" | "),
            list(codes, |code| code.registers as usize),
            list(codes, |code| code.local as usize),
            list(codes, |code| code.spills as usize),
        );
    }
    let means = logs
        .map(|logs| format!("{:.3}", (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()));
    println!("| geometric mean | | {} | | | |", means.join(" | "));
    Ok(())
}

/// One number of each form; a single one if they are equal.
fn list(codes: [Code; 4], number: impl Fn(&Code) -> usize) -> String {
    let numbers = codes.each_ref().map(number);
    if numbers.iter().all(|n| *n == numbers[0]) {
        return numbers[0].to_string();
    }
    numbers.map(|n| n.to_string()).join(", ")
}

/// The code of a Rust form.
fn of_form(tools: &Tools, name: &str, form: Form) -> Result<Code, Error> {
    let wanted = format!("::{name}::{}::{name}", form.name());
    let (image, kernel) = images::images()
        .iter()
        .flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)))
        .find(|(_, kernel)| kernel.name.ends_with(&wanted))
        .ok_or_else(|| format!("there is no kernel `{wanted}`"))?;
    let ptx = quality::ptx_of(image, kernel, CAPABILITY)
        .ok_or_else(|| format!("`{wanted}` has no code for sm_{CAPABILITY}"))?;
    quality::of_ptx(tools, ptx, &kernel.entry, CAPABILITY)
}
