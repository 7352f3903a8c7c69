//! What rustc has to do: understand the options of the device pass, and make bitcode of the probes with
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::list::List;
use crate::device_pass::{CODEGEN, UNSTABLE};
use crate::rust::flags::{BOOTSTRAP, DEVICE, FULL_DEBUG_INFO, LINES, OPTIMISED};
use crate::rust::paths::HALF;
use crate::rust::{Toolchain, scrub};

/// A crate that is compiled to see what rustc makes of it.
struct Probe {
    name: &'static str,
    edition: &'static str,
    source: &'static str,
    /// Whether debug assertions are on, for what std checks only then.
    debug_assertions: bool,
}

const PROBES: [Probe; 5] = [
    Probe {
        name: "std",
        edition: "2024",
        source: include_str!("probe/std.rs"),
        debug_assertions: true,
    },
    Probe {
        name: "edition2018",
        edition: "2018",
        source: include_str!("probe/edition2018.rs"),
        debug_assertions: false,
    },
    Probe {
        name: "runtime",
        edition: "2024",
        source: include_str!("probe/runtime.rs"),
        debug_assertions: false,
    },
    Probe {
        name: "kernels",
        edition: "2024",
        source: include_str!("probe/kernels.rs"),
        debug_assertions: false,
    },
    Probe {
        name: HALF,
        edition: "2024",
        source: include_str!("probe/half.rs"),
        debug_assertions: false,
    },
];

impl Probe {
    /// The name of its crate: that of `half` is the real one's, which the names of its functions begin with.
    fn crate_name(&self) -> String {
        match self.name {
            HALF => HALF.to_owned(),
            name => format!("{CRATE}{name}"),
        }
    }
}

/// How the names of the other probes' crates begin.
pub(super) const CRATE: &str = "ptyx_probe_";

/// The source of the probe of std: source locations in it are looked up.
pub(super) const STD_SOURCE: &str = PROBES[0].source;
/// The source of the kernels.
pub(super) const KERNELS_SOURCE: &str = PROBES[3].source;

/// The bitcode of the probes.
pub(super) struct Compiled {
    pub(super) std: PathBuf,
    pub(super) edition2018: PathBuf,
    pub(super) runtime: PathBuf,
    pub(super) kernels: PathBuf,
    pub(super) half: PathBuf,
}

/// Compiles the probes in `dir`; nothing if this rustc can't.
pub(super) fn check(list: &mut List, toolchain: &Toolchain, dir: &Path) -> Option<Compiled> {
    let (mut files, mut said) = (Vec::new(), String::new());
    for probe in &PROBES {
        list.check(format!("probe `{}` compiles", probe.name), "contract/", || {
            let (file, stderr) = compile(toolchain, probe, dir)?;
            files.push(file);
            said += &stderr;
            Ok(())
        });
    }
    let all_work = files.len() == PROBES.len();
    for flag in DEVICE.into_iter().chain([LINES, FULL_DEBUG_INFO]).chain(OPTIMISED) {
        list.check(format!("rustc option `{flag}`"), "rust/flags.rs", || {
            // rustc ignores, with a warning, names of passes that it does not know.
            let ignored = |line: &&str| {
                let pass = flag.rsplit('-').next().unwrap_or(flag);
                line.contains("will be ignored") && line.contains(pass)
            };
            if let Some(line) = said.lines().find(ignored) {
                return Err(line.to_owned());
            }
            // The options that the probes were compiled with work.
            if all_work && flag != FULL_DEBUG_INFO { Ok(()) } else { accepts(toolchain, flag) }
        });
    }
    let lists = [("-C", &CODEGEN[..]), ("-Z", &UNSTABLE[..])];
    for (letter, names) in lists {
        // What it prints for each of its own: `    -C    name=val -- what it does`.
        let help = rustc(toolchain).args([letter, "help"]).output();
        let help = help.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        for name in names {
            let is_named = |help: &String| help.contains(&format!(" {name}="));
            let found = help.as_ref().is_ok_and(is_named);
            list.find(format!("rustc option `{letter}{name}`"), "device_pass/flags.rs", found);
        }
    }
    let [std, edition2018, runtime, kernels, half] = <[PathBuf; 5]>::try_from(files).ok()?;
    Some(Compiled { std, edition2018, runtime, kernels, half })
}

fn rustc(toolchain: &Toolchain) -> Command {
    let mut command = Command::new(&toolchain.rustc);
    scrub(&mut command);
    command.env(BOOTSTRAP.0, BOOTSTRAP.1);
    command
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("rustc does not start: {error}"))?;
    let Output { status, stderr, .. } = &output;
    let stderr = String::from_utf8_lossy(stderr).into_owned();
    if status.success() { Ok(stderr) } else { Err(stderr.trim_end().to_owned()) }
}

/// The bitcode of a probe, and what rustc said.
fn compile(toolchain: &Toolchain, probe: &Probe, dir: &Path) -> Result<(PathBuf, String), String> {
    let name = probe.crate_name();
    let source = dir.join(format!("{name}.rs"));
    fs::write(&source, probe.source).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut command = rustc(toolchain);
    command
        .arg(&source)
        .args(["--crate-name", &name, "--crate-type=lib", "--edition", probe.edition])
        .args(["--target", &toolchain.target, "--cfg=ptyx_device"])
        .arg("--out-dir")
        .arg(dir)
        .arg(LINES)
        .args(DEVICE)
        .args(OPTIMISED);
    if probe.debug_assertions {
        command.arg("-Cdebug-assertions=on");
    }
    let said = run(&mut command)?;
    Ok((dir.join(format!("{name}.bc")), said))
}

/// Whether rustc takes an option.
fn accepts(toolchain: &Toolchain, flag: &str) -> Result<(), String> {
    run(rustc(toolchain).args([flag, "--print=sysroot"])).map(drop)
}
