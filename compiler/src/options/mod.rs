//! What a build script can ask for: [`Build`], and the environment variables that override it.
//!
//! An option is a field of [`Options`], a method of [`Build`] and, where a user may want it for one
//! build only, a line in [`Options::with_environment`]. The options are part of the key of every
//! compiled kernel, so a change of one compiles the kernels again.

mod libdevice;
mod passes;

use ptyx_image::{Arch, DebugInfo, UnknownArch};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

pub use libdevice::Libdevice;
pub(crate) use libdevice::{candidates, file_at};
#[cfg(test)]
pub(crate) use passes::PASSES;
use passes::unknown_passes;
pub(crate) use passes::{Pass, Passes};

/// How kernels are to be compiled. The default is what most people want.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Options {
    /// Whether a multiplication and an addition may become one fused instruction.
    pub(crate) fma: bool,
    /// Where mathematical functions come from.
    pub(crate) libdevice: Libdevice,
    /// The architectures that every kernel is compiled for; if empty, each is compiled for what it
    /// needs.
    pub(crate) targets: Vec<Arch>,
    /// The debug information in the PTX; `None` leaves it to the profile.
    pub(crate) debug_info: Option<DebugInfo>,
    /// Whether the image keeps the LLVM IR; `None` leaves it to the profile.
    pub(crate) llvm_ir: Option<bool>,
    /// Which optional passes run.
    pub(crate) passes: Passes,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            fma: true,
            libdevice: Libdevice::Auto,
            targets: Vec::new(),
            debug_info: None,
            llvm_ir: None,
            passes: Passes::default(),
        }
    }
}

/// Environment variables that override the build script's options.
const VARIABLES: [&str; 6] = [
    "PTYX_FMA",
    "PTYX_LIBDEVICE",
    "PTYX_TARGETS",
    "PTYX_DEBUG_INFO",
    "PTYX_LLVM_IR",
    "PTYX_PASSES",
];

impl Options {
    /// These options, overridden by the environment; tells cargo which variables matter.
    pub(crate) fn with_environment(mut self) -> Result<Options> {
        for name in VARIABLES.iter().chain(&libdevice::VARIABLES) {
            println!("cargo::rerun-if-env-changed={name}");
        }
        if let Some(fma) = switch("PTYX_FMA")? {
            self.fma = fma;
        }
        if let Some(value) = std::env::var_os("PTYX_LIBDEVICE").filter(|value| !value.is_empty()) {
            self.libdevice = Libdevice::from_variable(value);
        }
        if let Some(names) = value("PTYX_TARGETS") {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            self.targets = parse_targets(names).map_err(|unknown| unknown_targets(&unknown))?;
        }
        if let Some(kind) = value("PTYX_DEBUG_INFO") {
            self.debug_info = Some(match kind.as_str() {
                "none" => DebugInfo::None,
                "lines" => DebugInfo::Lines,
                "full" => DebugInfo::Full,
                _ => {
                    return Err(Error::Variable {
                        name: "PTYX_DEBUG_INFO",
                        value: kind,
                        expected: "`none`, `lines` or `full`",
                    });
                }
            });
        }
        if let Some(keep) = switch("PTYX_LLVM_IR")? {
            self.llvm_ir = Some(keep);
        }
        if let Some(list) = value("PTYX_PASSES") {
            self.passes
                .switch(&list)
                .map_err(|unknown| Error::diagnostics(unknown_passes(&unknown)))?;
        }
        Ok(self)
    }

    /// These options with the profile's choice where none was made: dev builds have lines and LLVM
    /// IR, release builds have lines if the profile's `debug` asks for any.
    ///
    /// `base` is the profile that the build's profile inherits from (cargo's `PROFILE`), `debug` its
    /// debug setting (cargo's `DEBUG`).
    pub(crate) fn for_profile(mut self, base: &str, debug: &str) -> Options {
        let dev = base == "debug";
        let wants_debug = !matches!(debug, "" | "0" | "false" | "none");
        let lines = if dev || wants_debug { DebugInfo::Lines } else { DebugInfo::None };
        self.debug_info.get_or_insert(lines);
        self.llvm_ir.get_or_insert(dev);
        self
    }
}

/// The architectures of these names, sorted, without duplicates; or the invalid names.
fn parse_targets<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> std::result::Result<Vec<Arch>, Vec<UnknownArch>> {
    let (mut targets, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        match name.parse() {
            Ok(arch) => targets.push(arch),
            Err(error) => unknown.push(error),
        }
    }
    targets.sort();
    targets.dedup();
    if unknown.is_empty() { Ok(targets) } else { Err(unknown) }
}

fn unknown_targets(unknown: &[UnknownArch]) -> Error {
    Error::diagnostics(unknown.iter().map(ToString::to_string))
}

/// A variable's text; unset and empty are the same.
fn value(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}

/// A variable that is `1`/`on` or `0`/`off`; unset and empty are the same.
fn switch(name: &'static str) -> Result<Option<bool>> {
    let Some(value) = value(name) else { return Ok(None) };
    match value.as_str() {
        "1" | "on" | "true" => Ok(Some(true)),
        "0" | "off" | "false" => Ok(Some(false)),
        _ => Err(Error::Variable { name, value, expected: "`1` or `0`" }),
    }
}

/// [`build`](crate::build) with options.
///
/// ```ignore
/// // build.rs
/// fn main() {
///     ptyx_compiler::Build::new().fma(false).targets(["sm_80", "sm_90a"]).run();
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Build {
    options: Options,
    unknown_targets: Vec<UnknownArch>,
    unknown_passes: Vec<String>,
}

impl Build {
    /// The options of [`build`](crate::build).
    pub fn new() -> Build {
        Build::default()
    }

    /// Whether `a * b + c` may become one fused multiply-add, rounded once; on by default, as in
    /// CUDA C. `PTYX_FMA=0` turns it off for one build.
    pub fn fma(mut self, allowed: bool) -> Build {
        self.options.fma = allowed;
        self
    }

    /// Where mathematical functions come from: [`Libdevice::Auto`] if this is not called.
    /// `PTYX_LIBDEVICE=off`, `auto` or a path overrides it for one build.
    pub fn libdevice(mut self, libdevice: Libdevice) -> Build {
        self.options.libdevice = libdevice;
        self
    }

    /// Compiles every kernel for each of these architectures (PTX ISA, ".target"), such as `sm_80`,
    /// `sm_90a` or `sm_100f`, and for no other. The program runs each kernel's best code for its
    /// device. If one of them lacks what a kernel needs, the build fails.
    ///
    /// Without it, each kernel is compiled for the oldest architecture that has what it uses, from
    /// `sm_70` on, and for each one that it asks about with `arch_at_least!` or `arch_is!`.
    /// `PTYX_TARGETS=sm_80,sm_90a` overrides it for one build.
    pub fn targets<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Build {
        let names: Vec<S> = names.into_iter().collect();
        match parse_targets(names.iter().map(AsRef::as_ref)) {
            Ok(targets) => self.options.targets = targets,
            Err(unknown) => self.unknown_targets = unknown,
        }
        self
    }

    /// The debug information in compiled kernels, for profilers, debuggers and reports of faults. By
    /// default it is [`DebugInfo::Lines`] in dev builds and wherever the profile's `debug` is on, else
    /// [`DebugInfo::None`]. It never changes the instructions that LLVM emits; but with
    /// [`DebugInfo::Full`] the driver's assembler does not optimise. `PTYX_DEBUG_INFO=none`, `lines` or
    /// `full` sets it for one build.
    pub fn debug_info(mut self, info: DebugInfo) -> Build {
        self.options.debug_info = Some(info);
        self
    }

    /// Whether the program keeps the optimised LLVM IR of its kernels, compressed, for
    /// `CompiledKernel::llvm_ir`; by default in dev builds only. `PTYX_LLVM_IR=1` or `0` sets it for
    /// one build.
    pub fn llvm_ir(mut self, keep: bool) -> Build {
        self.options.llvm_ir = Some(keep);
        self
    }

    /// Switches optional optimiser passes, to find the one that makes a kernel wrong or slow:
    /// `"-checks,-loops"` leaves these two out. Kernels do the same without any of them, except for the
    /// rounding of fused operations (`contraction`). `PTYX_PASSES` does the same for one build, and
    /// overrides this with `+name`. `-all` and `+all` switch all of them.
    ///
    /// The names, in the order of the passes: `contraction`, `iterations`, `indices`, `fills`, `threading`, `loops`, `bounds`, `weaken`,
    /// `prove`, `version`, `steps`, `unroll`, `remainders`, `private`, `reuse`, `nearby`, `decide`, `divisions`, `narrow`, `cold`,
    /// `keep-unrolled`, `checks`, `lift`, `stores`, `early`, `conversions`, `rejoin`.
    pub fn passes(mut self, list: &str) -> Build {
        if let Err(unknown) = self.options.passes.switch(list) {
            self.unknown_passes.extend(unknown);
        }
        self
    }

    /// The options, overridden by the environment.
    pub(crate) fn resolve(self) -> Result<Options> {
        let options = self.options.with_environment()?;
        if !self.unknown_targets.is_empty() {
            return Err(unknown_targets(&self.unknown_targets));
        }
        if !self.unknown_passes.is_empty() {
            return Err(Error::diagnostics(unknown_passes(&self.unknown_passes)));
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_sorted_and_checked() {
        let targets = parse_targets(["sm_90a", "sm_120", "sm_80", "sm_80"]).unwrap();
        let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["sm_80", "sm_120", "sm_90a"]);
        assert_eq!(parse_targets(["sm_81", "sm_80", "90"]).unwrap_err().len(), 2);
        let error = Build::new().targets(["sm_81"]).resolve().unwrap_err().to_string();
        assert!(error.contains("`sm_81`") && error.contains("sm_121a"), "{error}");
    }

    #[test]
    fn passes_are_options() {
        let resolved = Build::new().passes("-cold").resolve().unwrap();
        assert!(!resolved.passes.run(Pass::Cold) && resolved.passes.run(Pass::Checks));
        // The options are part of every kernel's key.
        assert_ne!(format!("{resolved:?}"), format!("{:?}", Options::default()));
        let error = Build::new().passes("-warm").resolve().unwrap_err().to_string();
        assert!(error.contains("`-warm`") && error.contains("`cold`"), "{error}");
        // What cargo is told to watch, and what the documentation of the method lists.
        assert!(VARIABLES.contains(&"PTYX_PASSES"));
        let source = include_str!("mod.rs");
        let listed = PASSES.iter().all(|(name, _)| source.contains(&format!("`{name}`")));
        assert!(listed, "`Build::passes` does not list all passes");
    }

    #[test]
    fn profiles_choose_what_nobody_did() {
        let chosen = |base, debug| {
            let options = Options::default().for_profile(base, debug);
            (options.debug_info, options.llvm_ir)
        };
        assert_eq!(chosen("debug", "true"), (Some(DebugInfo::Lines), Some(true)));
        assert_eq!(chosen("debug", "false"), (Some(DebugInfo::Lines), Some(true)));
        assert_eq!(chosen("release", "false"), (Some(DebugInfo::None), Some(false)));
        assert_eq!(chosen("release", "line-tables-only"), (Some(DebugInfo::Lines), Some(false)));
        let asked = Options { debug_info: Some(DebugInfo::Full), ..Options::default() };
        assert_eq!(asked.for_profile("release", "0").debug_info, Some(DebugInfo::Full));
    }
}
